#!/usr/bin/env bash
# A client in Python (grpcio, by reflection) plays against the real program. Needs cargo and python3 with venv;
# installs the packages into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=${CANASTA_TOOLS:-target/interop}
python=$tools/venv/bin/python
if [ ! -x "$python" ]; then
  python3 -m venv "$tools/venv"
  "$python" -m pip install --quiet --disable-pip-version-check \
    grpcio==1.85.1 grpcio-reflection==1.85.1 grpcio-health-checking==1.85.1 grpcio-status==1.85.1
fi

cargo build --quiet --bin canasta-service --bin canasta-replay
debug=${CARGO_TARGET_DIR:-target}/debug
work=$(mktemp -d)
"$debug/canasta-replay" keygen referee.example -o "$work/key" > "$work/key.pub"
exec {said}< <("$debug/canasta-service" --listen 127.0.0.1:0 --drain-notice-ms 0 --signing-key-file "$work/key" 2>&1)
service=$!
trap 'kill "$service" 2>/dev/null || true; rm -rf "$work"' EXIT

# The first line names the port.
read -r line <&"$said"
"$python" tests/interop/grpc_client.py "${line##* }" "$work"

# One state was used twice, and the server has signed both successors: nobody can deny it.
code=0
"$debug/canasta-replay" diff "$work/a.clog" "$work/b.clog" --key "$(cat "$work/key.pub")" > "$work/diff" || code=$?
cat "$work/diff"
[ "$code" = 1 ] && grep -q '^  proven: ' "$work/diff"

kill -TERM "$service"
# The one malformed state that the client sends is counted on the way out.
for expected in "canasta-service: states refused: 1 malformed" "canasta-service: drained"; do
  read -r line <&"$said"
  [ "$line" = "$expected" ] || { echo "ended with: $line" >&2; exit 1; }
  echo "$line"
done
