#!/usr/bin/env bash
# Traces, metrics and log of a played game, taken by a collector in Python. Needs python3 with venv.
#   telemetry.sh CANASTA_SERVICE CANASTA_RECORDER
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
recorder=$(realpath "$2")
cd "$root"
need_python
"$python" -B tests/interop/telemetry.py "$service" "$recorder" deploy "$work"
