#!/usr/bin/env bash
# soak.sh CANASTA_SERVICE HOURS [SHARE]: see soak.py. Needs python3 with venv.
. "$(dirname "$0")/lib.sh"
need_python
"$python" -B "$root/tests/interop/soak.py" "$@"
