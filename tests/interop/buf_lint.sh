#!/usr/bin/env bash
# The proto files keep buf's STANDARD rules, comment everything, are formatted and break nothing of the last release.
# Needs node and npm; installs buf into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=${CANASTA_TOOLS:-target/interop}
buf=$tools/node_modules/.bin/buf
[ -x "$buf" ] || npm install --silent --no-fund --no-audit --prefix "$tools" @bufbuild/buf@1.75.0
buf=$(realpath "$buf")

cd proto
"$buf" lint
"$buf" format --diff --exit-code
# buf format writes each rpc on one line, however long.
if grep -rnE '.{81,}' canasta | grep -v ':  rpc '; then
  echo "lines above are longer than 80 columns" >&2
  exit 1
fi
"$buf" breaking --against released/v1.binpb

# And what breaks something is found.
bent=$(mktemp -d)
trap 'rm -rf "$bent"' EXIT
cp -r buf.yaml canasta "$bent/"
sed -i 's/^  bytes state = 1;$/  string state = 1;/' "$bent/canasta/v1/game_service.proto"
if (cd "$bent" && "$buf" breaking --against "$OLDPWD/released/v1.binpb") >"$bent/found"; then
  echo "proto: a field of another type is not found to break the last release" >&2
  exit 1
fi
grep -q 'changed type from "bytes" to "string"' "$bent/found"
echo "proto: buf lint and format are clean, nothing of the last release is broken"
