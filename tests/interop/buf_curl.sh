#!/usr/bin/env bash
# The `buf curl` lines of docs/API.md, as they stand there. Needs node and npm.
#   buf_curl.sh CANASTA_SERVICE
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
cd "$root"
need_buf
serve "$service"
timeout 300 python3 -B tests/interop/buf_curl.py "$address" "$buf" tests/data/logs/v2/classic-4p/game-000000.clog
