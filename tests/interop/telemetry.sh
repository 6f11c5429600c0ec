#!/usr/bin/env bash
# Traces, metrics and log of a played game, taken by a collector in Python. Needs cargo and python3 with venv; installs
# the packages into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=${CANASTA_TOOLS:-target/interop}
python=$tools/telemetry/bin/python
if ! "$python" -c 'import opentelemetry.proto' 2>/dev/null; then
  python3 -m venv "$tools/telemetry"
  "$python" -m pip install --quiet --disable-pip-version-check opentelemetry-proto==1.45.2 \
    grpcio==1.85.1 grpcio-reflection==1.85.1 grpcio-health-checking==1.85.1 grpcio-status==1.85.1
fi

program=${1:-}
if [ -z "$program" ]; then
  cargo build --quiet --bin canasta-service
  program=${CARGO_TARGET_DIR:-target}/debug/canasta-service
fi
"$python" -B tests/interop/telemetry.py "$program" deploy
