#!/usr/bin/env bash
# A fleet as deploy/ starts it, on loopback: three NATS servers with deploy/fleet/nats.conf and the certificates of keys.sh,
# two recorders, two auditors of which one is killed again and again, and an archive in moto's S3. Games end; each gets one
# verdict, is purged, and comes back as a log that canasta-replay audits. Auditors may make no stream, and a server that
# ignores If-None-Match is refused.
#
#   fleet.sh CANASTA_RECORDER CANASTA_AUDITOR CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
recorder=$(realpath "$1") auditor=$(realpath "$2") replay=$(realpath "$3")
# Servers that are still writing would make new files in a folder that is being removed.
trap 'kill -KILL $(jobs -p) 2>/dev/null; wait 2>/dev/null; clean_up' EXIT
need_python
make_moto() {
  [ -x "$tools/moto/bin/moto_server" ] && return
  python3 -m venv "$tools/moto"
  "$tools/moto/bin/python" -m pip install --quiet --disable-pip-version-check 'moto[s3,server]==5.2.1'
}
alone make_moto
need_nats

cp -r "$root/deploy/fleet" "$work/fleet"
"$work/fleet/keys.sh" "$recorder" >/dev/null
cd "$work"
keys=$work/fleet/keys
free() { "$python" -c 'import socket; s = [socket.socket() for _ in range(10)]; [x.bind(("127.0.0.1", 0)) for x in s]; print(*(x.getsockname()[1] for x in s))'; }
# shellcheck disable=SC2046
set -- $(free)
client=("$1" "$2" "$3") cluster=("$4" "$5" "$6") monitor=("$7" "$8" "$9") s3=${10}
for i in 0 1 2; do
  name=n$((i + 1))
  sed -e "s#/etc/nats-tls#$keys/$name#; s#\"/data\"#\"$work/store-$name\"#" \
    -e "s#port: 4222#port: ${client[i]}#; s#port: 6222#port: ${cluster[i]}#; s#^http_port: 8222#http_port: ${monitor[i]}#" \
    -e "s#nats://n1:6222#nats://localhost:${cluster[0]}#; s#nats://n2:6222#nats://localhost:${cluster[1]}#; s#nats://n3:6222#nats://localhost:${cluster[2]}#" \
    fleet/nats.conf >"$name.conf"
  NATS_NAME=$name NATS_STORE=1GB "$nats" -c "$name.conf" >"$name.log" 2>&1 &
done
"$tools/moto/bin/moto_server" -H 127.0.0.1 -p "$s3" >moto.log 2>&1 &
for port in "${monitor[@]}"; do
  until curl -sf "http://localhost:$port/healthz" >/dev/null; do sleep 0.2; done
done
until curl -sf -X PUT "http://127.0.0.1:$s3/canasta-archive" >/dev/null; do sleep 0.2; done
printf '[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = wJalrXUtnFEMI\n' >credentials
chmod 600 credentials

export CANASTA_JOURNAL="nats://localhost:${client[0]},localhost:${client[1]},localhost:${client[2]}"
export CANASTA_NATS_CA=$keys/ca/ca.crt CANASTA_ARCHIVE=s3://canasta-archive/club
export CANASTA_ARCHIVE_ENDPOINT="http://127.0.0.1:$s3" CANASTA_ARCHIVE_CREDENTIALS=$work/credentials
CANASTA_NATS_MONITORS=$(printf 'http://localhost:%s,' "${monitor[@]}")
export CANASTA_NATS_MONITORS=${CANASTA_NATS_MONITORS%,}

# The certificate of an auditor makes no stream.
if "$recorder" --data "$keys/recorder-1" --listen 127.0.0.1:0 --nats-cert "$keys/nats-auditor/tls.crt" \
  --nats-key "$keys/nats-auditor/tls.key" 2>denied; then
  fail "a recorder with the certificate of an auditor starts"
fi
grep -q CANASTA-00 denied || { cat denied; fail "another reason"; }
"$python" -B "$root/tests/interop/fleet.py" "$recorder" "$auditor" "$keys" "$work" "http://127.0.0.1:$s3/canasta-archive"

mkdir logs
"$auditor" fetch --label final logs
[ "$(find logs -name '*.clog' | wc -l)" = 12 ] || fail "not all logs came back"
"$replay" audit logs | tail -1
