#!/usr/bin/env bash
# A client in Python (grpcio, by reflection) plays against the real program. Needs python3 with venv.
#   grpc_client.sh CANASTA_SERVICE CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
replay=$(realpath "$2")
cd "$root"
need_python
"$replay" keygen referee.example -o "$work/key" >"$work/key.pub"
serve "$service" --signing-key-file "$work/key"
"$python" -B tests/interop/grpc_client.py "$address" "$work"

# One state was used twice, and the server has signed both successors: nobody can deny it.
code=0
"$replay" diff "$work/a.clog" "$work/b.clog" --key "$(cat "$work/key.pub")" >"$work/diff" || code=$?
cat "$work/diff"
[ "$code" = 1 ] && grep -q '^  proven: ' "$work/diff"

stop
# The one malformed state that the client sends is counted when the service ends.
for expected in "canasta-service: states refused: 1 malformed" "canasta-service: drained"; do
  grep -x "$expected" "$log" || fail "expected \"$expected\", found: $(cat "$log")"
done
