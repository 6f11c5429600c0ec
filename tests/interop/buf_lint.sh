#!/usr/bin/env bash
# The proto files keep buf's STANDARD rules, comment everything and are formatted. Needs node and npm.
. "$(dirname "$0")/lib.sh"
need_buf
cd "$root/proto"
"$buf" lint
"$buf" format --diff --exit-code
# buf format writes each rpc on one line, however long.
if grep -rnE '.{81,}' canasta | grep -v ':  rpc '; then
  fail "lines above are longer than 80 columns"
fi
echo "proto: buf lint and format are clean"
