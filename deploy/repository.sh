#!/usr/bin/env bash
# Writes the address of the repository into every manifest that names one, so that the links of packages lead somewhere. Once, before
# the first release; commit what it changes.
#
#   deploy/repository.sh https://example.org/canasta
set -euo pipefail
address=$1
[[ $address =~ ^https://[^[:space:]\"\|]+$ ]] || { echo "repository.sh: $address, expected an address that begins with https://" >&2; exit 64; }
cd "$(dirname "$0")/.."

# set_line FILE LINE PATTERN AFTER: replaces the line of a pattern, or adds it after the line of another.
set_line() {
  if grep -q "$3" "$1"; then sed -i "s|$3.*|$2|" "$1"; else sed -i "/$4/a\\$2" "$1"; fi
}
set_line Cargo.toml "repository = \"$address\"" '^repository = ' '^license = '
for manifest in $(git ls-files '*/Cargo.toml'); do
  grep -q '^license.workspace = true' "$manifest" && set_line "$manifest" 'repository.workspace = true' '^repository.workspace' '^license.workspace'
done
for package in proto/clients/typescript engine/wasm; do
  set_line "$package/package.json" "  \"repository\": \"$address\"," '^  "repository"' '^  "license"'
done
python=proto/clients/python/pyproject.toml
grep -q '^\[project.urls\]' "$python" || sed -i "/^\[build-system\]/i [project.urls]\nRepository = \"$address\"\n" "$python"
set_line "$python" "Repository = \"$address\"" '^Repository = ' '^\[project.urls\]'
git --no-pager diff --stat
