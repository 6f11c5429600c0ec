#!/usr/bin/env bash
# The proto files keep buf's STANDARD rules, comment everything and are formatted. Needs node and npm; installs buf into a folder of its own.
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
echo "proto: buf lint and format are clean"
