#!/usr/bin/env bash
# Makes what a fleet needs before it starts, once, in deploy/fleet/keys: a certificate authority, a certificate for each
# NATS server and for recorders and auditors, and the keys that all recorders share.
#
#   deploy/fleet/keys.sh RECORDER [NAME...]
#
# RECORDER is the program canasta-recorder, which makes its own keys. NAMEs are further DNS names of the NATS servers, for
# Kubernetes: nats.games.svc '*.nats.games.svc' nats '*.nats'. Needs openssl. Keep the folder: without these keys live games
# end, and marks and links are good for nothing.
set -euo pipefail
recorder=$(realpath "$1")
shift
keys=$(cd "$(dirname "$0")" && pwd)/keys
[ ! -e "$keys" ] || { echo "$keys is there: remove it, or keep it" >&2; exit 1; }
umask 077
mkdir -p "$keys/ca"
cd "$keys"
openssl req -x509 -newkey ed25519 -nodes -days 3650 -subj /CN=canasta-fleet -keyout ca/ca.key -out ca/ca.crt 2>/dev/null

# certificate FOLDER NAME USE DNS...
certificate() {
  local folder=$1 name=$2 use=$3 names
  shift 3
  names=$(printf 'DNS:%s,' "$@")
  mkdir -p "$folder"
  openssl req -new -newkey ed25519 -nodes -subj "/CN=$name" -keyout "$folder/tls.key" -out request 2>/dev/null
  openssl x509 -req -in request -CA ca/ca.crt -CAkey ca/ca.key -CAcreateserial -days 825 -out "$folder/tls.crt" \
    -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=%s\n' "${names%,}" "$use") 2>/dev/null
  cp ca/ca.crt "$folder/ca.crt"
  rm request
}
for server in n1 n2 n3; do
  # Servers are each other's clients.
  certificate "$server" "$server" serverAuth,clientAuth "$server" localhost "$@"
done
certificate nats-recorder canasta-recorder clientAuth canasta-recorder
certificate nats-auditor canasta-auditor clientAuth canasta-auditor

# A recorder makes its keys when it starts. The journal that it makes too is not that of the fleet.
"$recorder" --data "$keys/recorder-1" --listen 127.0.0.1:0 2>"$keys/started" &
pid=$!
until [ -s "$keys/started" ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
kill "$pid" 2>/dev/null || { cat "$keys/started" >&2; exit 1; }
wait "$pid" || true
rm -rf "$keys/started" recorder-1/journal.sqlite* recorder-1/archive recorder-1/recorder.lock
cp -r recorder-1 recorder-2
# The users of the containers.
if [ "$(id -u)" = 0 ]; then chown -R 65532:65532 recorder-1 recorder-2 nats-recorder nats-auditor; fi
echo "made $keys"
