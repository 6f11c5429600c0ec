#!/usr/bin/env bash
# The renderers of docs/quickstart, in Python and in TypeScript, say every message in every language as the engine does.
# Needs python3, node and npm; installs what package.json of the quick start names.
#   renderers.sh WORDINGS     (the example `wordings` of the service)
. "$(dirname "$0")/lib.sh"
wordings=$(realpath "$1")
cd "$root"
for file in python/messages.py typescript/messages.ts; do
  [ "$(wc -l <"docs/quickstart/$file")" -le 60 ] || fail "$file: expected at most 60 lines"
done
"$wordings" >"$work/wordings.json"
PYTHONPATH=docs/quickstart/python python3 -B tests/interop/renderers.py "$work/wordings.json"
need_npm messages tsx@4.23.15
mkdir -p "$work/typescript"
cp docs/quickstart/typescript/messages.ts "$work/typescript/"
cp tests/interop/renderers.ts "$work/typescript/renderers.ts"
echo '{"type": "module"}' >"$work/typescript/package.json"
"$tools/messages/node_modules/.bin/tsx" "$work/typescript/renderers.ts" "$work/wordings.json"
