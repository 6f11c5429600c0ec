#!/usr/bin/env bash
# The renderers of the clients, in Python and in TypeScript, say every message in every language as the engine does.
# Needs python3, node and npm; installs tsx.
#   renderers.sh WORDINGS     (the example `wordings` of the service)
. "$(dirname "$0")/lib.sh"
wordings=$(realpath "$1")
cd "$root"
renderers=(proto/clients/python/canasta_client/messages.py proto/clients/typescript/src/messages.ts)
for file in "${renderers[@]}"; do
  [ "$(wc -l <"$file")" -le 65 ] || fail "$file: expected at most 65 lines"
done
"$wordings" >"$work/wordings.json"
PYTHONPATH=proto/clients/python/canasta_client python3 -B tests/interop/renderers.py "$work/wordings.json"
need_npm messages tsx@4.23.15
mkdir -p "$work/typescript"
cp "${renderers[1]}" "$work/typescript/"
cp tests/interop/renderers.ts "$work/typescript/renderers.ts"
echo '{"type": "module"}' >"$work/typescript/package.json"
"$tools/messages/node_modules/.bin/tsx" "$work/typescript/renderers.ts" "$work/wordings.json"
