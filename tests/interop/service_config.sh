#!/usr/bin/env bash
# docs/service-config.json in a real client (grpcio): what is tried again, how often, and which deadlines are sent. Needs
# python3 with venv.   service_config.sh CANASTA_SERVICE
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
cd "$root"
need_python
serve "$service"
timeout 120 "$python" -B tests/interop/service_config.py "$address" docs/service-config.json
