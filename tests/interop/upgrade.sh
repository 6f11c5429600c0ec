#!/usr/bin/env bash
# Front ends keep states while the service is upgraded: this program takes up games at the states that the first
# version gave out, open and sealed. Needs cargo and python3 with venv; installs the packages into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=${CANASTA_TOOLS:-target/interop}
python=$tools/venv/bin/python
if [ ! -x "$python" ]; then
  python3 -m venv "$tools/venv"
  "$python" -m pip install --quiet --disable-pip-version-check \
    grpcio==1.85.1 grpcio-reflection==1.85.1 grpcio-health-checking==1.85.1 grpcio-status==1.85.1
fi

program=${1:-}
if [ -z "$program" ]; then
  cargo build --quiet --bin canasta-service
  program=${CARGO_TARGET_DIR:-target}/debug/canasta-service
fi
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
kept=tests/data/tokens/v1
install -m 600 "$kept/seal.keys" "$work/seal.keys"

serve() {
  "$program" --listen 127.0.0.1:0 --drain-notice-ms 0 "${@:2}" 2>"$work/$1" &
  pids+=($!)
  until [ -s "$work/$1" ]; do sleep 0.1; done
}
serve open
serve sealed --trusted-callers --audience club --seal-key-file "$work/seal.keys"
address() { head -n 1 "$work/$1" | grep -o '[^ ]*$'; }
"$python" -B tests/interop/tokens.py check "$(address open)" "$(address sealed)" "$kept/states.txt"
