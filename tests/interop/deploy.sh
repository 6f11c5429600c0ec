#!/usr/bin/env bash
# What stands in deploy/ holds: manifests are valid for Kubernetes, rules for Prometheus, every alert has its section
# in the operators' page, the bill of materials agrees with the lock file, the images are built, that of the service serves
# in a root with nothing else in it, and the compose files bring all of them up.
#
#   deploy.sh CANASTA_SERVICE CANASTA_RECORDER CANASTA_AUDITOR       the service as a release build
#
# Needs python3 with venv, and as root apt for what is missing: buildah (the image), promtool, and util-linux's unshare.
# Debian's kubectl is too old for these manifests (1.20 knows no `labels`): where no newer one is, they are validated one
# by one, and their labels are added as kustomize would.
. "$(dirname "$0")/lib.sh"
program=$(realpath "$1")
recorder=$(realpath "$2")
auditor=$(realpath "$3")
cd "$root"
need_python
command -v buildah >/dev/null || apt_install buildah
promtool=$(command -v promtool || echo "$tools/prometheus/usr/bin/promtool")
unpack_promtool() {
  mkdir -p "$tools/prometheus"
  apt-get update -qq
  (cd "$tools/prometheus" && apt-get download -qq prometheus && dpkg -x prometheus_*.deb . && rm prometheus_*.deb)
}
[ -x "$promtool" ] || alone unpack_promtool

for flavour in base sealed recorder; do
  if command -v kubectl >/dev/null; then
    kubectl kustomize "deploy/kubernetes/$flavour" >"$work/$flavour.yaml"
    "$python" -m kubernetes_validate --strict "$work/$flavour.yaml" >"$work/said" || { cat "$work/said"; exit 1; }
    echo "manifests $flavour: $(grep -c '^kind:' "$work/$flavour.yaml") valid"
    "$python" -B tests/interop/deploy.py selects "$work/$flavour.yaml"
  fi
done
"$python" -B tests/interop/deploy.py built deploy/kubernetes/base
"$python" -B tests/interop/deploy.py fleet deploy/kubernetes/recorder
for manifest in deploy/kubernetes/{base,recorder}/*.yaml; do
  case $manifest in */kustomization.yaml) continue ;; esac
  "$python" -m kubernetes_validate --strict "$manifest" >"$work/said" || { cat "$work/said"; exit 1; }
done

"$promtool" check rules deploy/alerts/*.yaml | grep SUCCESS
"$promtool" test rules tests/interop/alerts.yaml | grep SUCCESS
"$promtool" check config --syntax-only deploy/collector/prometheus.yaml | grep SUCCESS
"$python" -B tests/interop/deploy.py deploy docs/OPERATIONS.md docs/RECORDING.md docs/operate/FLEET.md

deploy/sbom.py canasta-service >"$work/bill.json"
python3 -B tests/interop/deploy.py bill "$work/bill.json" Cargo.lock

# The images, as whoever runs them gets them.
deploy/image.sh "$program" "$work/image.tar"
deploy/image.sh "$recorder" "$work/recorder.tar"
deploy/image.sh "$auditor" "$work/auditor.tar"
mkdir "$work/layout" "$work/root"
tar -xf "$work/image.tar" -C "$work/layout"
"$python" -B tests/interop/deploy.py unpack "$work/layout" "$work/root"
find "$work/root" -type f -printf '%10s %P\n'

# Nothing of this machine but its network: another root, nobody's user, no way to become more.
unshare --root "$work/root" --setuid 65532 --setgid 65532 /canasta-service --version
unshare --root "$work/root" --setuid 65532 --setgid 65532 \
  /canasta-service --listen 127.0.0.1:0 --log-format json --drain-notice-ms 0 2>"$work/log" &
pid=$!
until [ -s "$work/log" ]; do sleep 0.1; done
address=$(head -n 1 "$work/log" | "$python" -c 'import json, sys; print(json.load(sys.stdin)["address"])')
"$python" -B tests/interop/deploy.py ask "$address"
stop
echo "image     served from a bare root, ended with exit code 0"

bash tests/interop/compose.sh "$work/image.tar" "$work/recorder.tar" "$work/auditor.tar" "$recorder"

# Every setting of the manifests is one that this program takes.
CANASTA_CONFIG=deploy/kubernetes/base/service.toml CANASTA_LISTEN='[::]:50051' CANASTA_TRUSTED_CALLERS=true \
  CANASTA_OTLP_ENDPOINT=http://collector:4317 "$program" --print-config >"$work/settings"
grep -q '^log-format = "json"  # deploy/kubernetes/base/service.toml: log-format' "$work/settings"
echo "settings  those of deploy/ are taken"
