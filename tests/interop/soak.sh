#!/usr/bin/env bash
# soak.sh PROGRAM HOURS [SHARE]: see soak.py. Installs what it needs into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=${CANASTA_TOOLS:-target/interop}
python=$tools/venv/bin/python
if [ ! -x "$python" ]; then
  python3 -m venv "$tools/venv"
  "$python" -m pip install --quiet --disable-pip-version-check \
    grpcio==1.85.1 grpcio-reflection==1.85.1 grpcio-health-checking==1.85.1 grpcio-status==1.85.1
fi
exec "$python" -B tests/interop/soak.py "$@"
