#!/usr/bin/env bash
# Callers in Python (grpcio) play whole games sealed, over TLS, each with credentials of its own, and try to see and
# to do more than they may. Needs openssl, and python3 with venv.
#   sealed_client.sh CANASTA_SERVICE
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
cd "$root"
need_python

# A root for the server and for clients, and the server's certificate, by the lines of the page; a root that nobody trusts, and
# the keys of an issuer of tokens.
sed -n '/^    openssl req/,/[^\\]$/p' docs/operate/IDENTITIES.md >"$work/lines"
[ "$(grep -c 'openssl req' "$work/lines")" = 2 ] || fail "the page makes another number of certificates"
(cd "$work" && bash -euo pipefail lines 2>/dev/null)
openssl req -x509 -newkey ed25519 -noenc -days 2 -subj /CN=strangers -keyout "$work/strangers.key" -out "$work/strangers.pem" 2>/dev/null
certificate() { # NAME CA SUBJECT SAN
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj "$3" -addext "subjectAltName=$4" \
    -keyout "$work/$1.key" -out "$work/$1.csr" 2>/dev/null
  openssl x509 -req -in "$work/$1.csr" -CA "$work/$2.pem" -CAkey "$work/$2.key" -days 2 -copy_extensions copy \
    -out "$work/$1.pem" 2>/dev/null
}
certificate table ca /CN=anything DNS:table.club.example
certificate director ca "/O=Club/CN=The Director" DNS:unlisted.club.example
certificate unknown ca /CN=unknown DNS:unknown.club.example
certificate stranger strangers "/CN=The Director" DNS:table.club.example
for name in issuer other; do openssl genpkey -algorithm ed25519 -out "$work/$name.key"; done
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/issuer2.key"
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/issuer3.key"
for name in issuer issuer2; do openssl pkey -in "$work/$name.key" -pubout -out "$work/$name.pub"; done

"$service" keygen "$work/seal.keys" > /dev/null
"$service" api-key judge > "$work/judge"
sed -n '1s/.*: //p' "$work/judge" > "$work/judge.key"
{
  sed -e 1d -e 's/^games.*/games = "all"/' -e 's/^as.*/as = ["JUDGE"]/' "$work/judge"
  printf '\n[[issuer]]\niss = "https://id.club.example"\naud = "canasta"\njwks_file = "issuer.jwks"\n'
  for key in issuer issuer2; do
    printf '[[issuer.key]]\nkid = "%s"\npublic_key = """\n%s\n"""\n' "$key" "$(cat "$work/$key.pub")"
  done
  printf '\n[[certificate]]\nname = "table"\ndns = "table.club.example"\ngames = "all"\nas = ["TABLE"]\n'
  printf '\n[[certificate]]\nname = "director"\nsubject = "The Director"\ngames = "all"\nas = ["DIRECTOR"]\n'
} > "$work/identities.toml"

# The third key as sign-in services publish theirs, beside one that is not for signatures.
"$python" - "$work/issuer3.key" >"$work/issuer.jwks" <<'SET'
import json, sys
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.algorithms import RSAAlgorithm
public = load_pem_private_key(open(sys.argv[1], "rb").read(), None).public_key()
key = RSAAlgorithm.to_jwk(public, as_dict=True)
print(json.dumps({"keys": [{**key, "kid": "other", "use": "enc"}, {**key, "kid": "issuer3", "use": "sig", "alg": "RS256"}]}))
SET

# start AUDIENCE KEYS: the port goes to $port.
start() {
  serve "$service" --preface-deadline-ms 1500 --reread-ms 100 \
    --seal-key-file "$2" --audience "$1" --identities-file "$work/identities.toml" \
    --tls-cert-file "$work/server.pem" --tls-key-file "$work/server.key" --tls-client-ca-file "$work/ca.pem"
  port=${address##*:}
}
"$service" keygen "$work/new.keys" > /dev/null
cp "$work/seal.keys" "$work/elsewhere.keys"
chmod 600 "$work/elsewhere.keys"
start "another club" "$work/elsewhere.keys"
elsewhere=$port
start "club" "$work/seal.keys"

# Only TLS 1.3, only HTTP/2.
s_client() { openssl s_client -connect "127.0.0.1:$port" -CAfile "$work/ca.pem" "$@" </dev/null 2>&1 || true; }
s_client -tls1_3 -alpn h2 | grep -q 'ALPN protocol: h2' || fail "TLS 1.3 with h2 is refused"
s_client -tls1_2 -alpn h2 | grep -q 'alert protocol version' || fail "TLS 1.2 is taken"
s_client -tls1_3 -alpn http/1.1 | grep -q 'alert no application protocol' || fail "HTTP/1.1 is taken"
# Who says nothing, or only half of a handshake, is put out at the deadline.
for said in "" "$(printf '\x16\x03\x01\x02')"; do
  "$python" - "$port" "$said" <<'CLIENT'
import socket, sys, time
began = time.monotonic()
silent = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)
silent.sendall(sys.argv[2].encode("latin-1"))
assert silent.recv(1) == b"" and 1 < time.monotonic() - began < 5, "still open"
CLIENT
done
# So is who says nothing, or only half of the preface, once the handshake is done.
for said in "" "PRI * HTTP/2.0"; do
  "$python" - "$port" "$said" "$work/ca.pem" <<'CLIENT'
import socket, ssl, sys, time
context = ssl.create_default_context(cafile=sys.argv[3])
context.check_hostname = False
context.set_alpn_protocols(["h2"])
began = time.monotonic()
silent = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10))
assert silent.selected_alpn_protocol() == "h2"
silent.sendall(sys.argv[2].encode())
while silent.recv(100):
    pass
assert 1 < time.monotonic() - began < 5, "still open"
CLIENT
done

"$python" -B tests/interop/sealed_client.py "$port" "$elsewhere" "$work"

stop
grep 'callers turned away: ' "$log"
grep 'states refused: ' "$log"
grep -q 'drained' "$log"
