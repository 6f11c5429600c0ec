#!/usr/bin/env bash
# Games by id from Python (grpcio, by reflection): rivals play, the recorder is killed again and again, and every action
# that was acknowledged is in a log that audits clean, the archived logs of finished games included. Needs python3 with venv.
#   recorder.sh CANASTA_RECORDER CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
recorder=$(realpath "$1")
replay=$(realpath "$2")
cd "$root"
need_python
"$python" -B tests/interop/recorder.py "$recorder" "$work"
"$replay" audit --live "$work"/*.clog | tail -n 3
for packed in "$work"/data/archive/games/*/*/*.carc; do
  "$replay" unpack "$packed" -o "$work/logs/$(basename "$packed" .carc)" >"$work/unpacked"
done
"$replay" audit "$work/logs" | tail -n 3

# A second recorder on the same folder, and a folder that others can read, are refused.
"$recorder" --data "$work/data" --listen 127.0.0.1:0 2>"$work/first" &
until [ -s "$work/first" ]; do sleep 0.1; done
for kind in locked open; do
  [ "$kind" = open ] && { kill %1; wait %1 || true; chmod 644 "$work/data/recorder.key"; }
  code=0
  timeout 20 "$recorder" --data "$work/data" --listen 127.0.0.1:0 2>"$work/refused" || code=$?
  [ "$code" = 64 ] || fail "$kind: expected exit code 64, found $code: $(cat "$work/refused")"
  echo "refused  $kind: $(head -c 150 "$work/refused")"
done

# A disk that is full: what does not fit is refused, and a recorder that is killed comes back for questions.
unshare --mount --map-root-user "$python" -B tests/interop/full_disk.py "$recorder" "$work/small"
