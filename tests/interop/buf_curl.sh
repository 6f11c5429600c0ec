#!/usr/bin/env bash
# The `buf curl` lines of docs/API.md and docs/QUICKSTART.md, as they stand there. Needs node and npm; installs buf into
# a folder of its own.   buf_curl.sh CANASTA_SERVICE
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../.."

tools=${CANASTA_TOOLS:-target/interop}
buf=$tools/node_modules/.bin/buf
[ -x "$buf" ] || npm install --silent --no-fund --no-audit --prefix "$tools" @bufbuild/buf@1.75.0
exec {said}< <("$program" --listen 127.0.0.1:0 --drain-notice-ms 0 2>&1)
service=$!
trap 'kill "$service" 2>/dev/null || true' EXIT
read -r line <&"$said"
timeout 300 python3 -B tests/interop/buf_curl.py "${line##* }" "$buf" tests/data/logs/v1/classic-4p/game-000000.clog
