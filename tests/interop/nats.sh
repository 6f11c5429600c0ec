#!/usr/bin/env bash
# The recorder on three NATS servers: the suite of all journals, servers and streams that must be refused, chaos, a fleet of
# recorders and auditors of which all kinds are killed and replaced, live games and boards of a tournament, a room at two recorders, games
# that move from SQLite and back, and power cuts where file systems may be mounted. Needs
# python3 with venv; installs nats-server.
#   nats.sh NATS_EXAMPLE CANASTA_RECORDER CANASTA_AUDITOR CANASTA_REPLAY [SECONDS]     SECONDS of chaos, 60 unless told
. "$(dirname "$0")/lib.sh"
example=$(realpath "$1")
recorder=$(realpath "$2")
auditor=$(realpath "$3")
replay=$(realpath "$4")
seconds=${5:-60}
cd "$root"
need_nats
need_python
"$example" "$nats" suite
"$example" "$nats" refusals
"$example" "$nats" chaos "$seconds"
# Recorders, auditors and servers are killed and replaced in the longer runs of .ci/nightly.
cuts=2
if [ "$seconds" -gt 60 ]; then
  cuts=10
  "$python" -B tests/interop/nats_fleet.py "$nats" "$recorder" "$auditor" "$work" "$seconds"
  "$replay" audit --live "$work"/*.clog | tail -n 3
  "$auditor" fetch --archive "file:$work/archive" "$work/fetched"
  "$replay" audit "$work/fetched" | tail -n 3
  "$python" -B tests/interop/nats_upgrade.py "$nats" "$recorder" "$work"
  bash tests/interop/live.sh "$recorder" "$replay" nats
fi
"$python" -B tests/interop/nats_room.py "$nats" "$recorder" "$work"
"$python" -B tests/interop/nats_move.py "$nats" "$recorder" "$work"
"$python" -B tests/interop/nats_powercut.py "$nats" "$recorder" "$work" "$cuts"
