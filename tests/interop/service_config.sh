#!/usr/bin/env bash
# docs/service-config.json in a real client (grpcio): what is tried again, how often, and which deadlines are sent. Needs
# python3 with venv; installs grpcio into a folder of its own.   service_config.sh CANASTA_SERVICE
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../.."

tools=${CANASTA_TOOLS:-target/interop}
python=$tools/config-venv/bin/python
if ! "$python" -c 'import grpc' 2>/dev/null; then
  python3 -m venv "$tools/config-venv"
  "$python" -m pip install --quiet --disable-pip-version-check grpcio==1.85.1
fi
exec {said}< <("$program" --listen 127.0.0.1:0 --drain-notice-ms 0 2>&1)
service=$!
trap 'kill "$service" 2>/dev/null || true' EXIT
read -r line <&"$said"
timeout 120 "$python" -B tests/interop/service_config.py "${line##* }" docs/service-config.json
