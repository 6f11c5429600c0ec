#!/usr/bin/env bash
# The packages of proto/clients as their users have them: packed, installed in empty folders, and held against a recorder that
# fails in every way of docs/API.md ("Deadlines and retries"), is frozen, and is killed while somebody acts and watches.
# With the oldest and the newest node and Python that there are. Needs node, npm and python3 with venv; installs grpc-java and a
# JDK from Debian's packages.
#   clients.sh CANASTA_RECORDER
. "$(dirname "$0")/lib.sh"
recorder=$(realpath "$1")
cd "$root"
clients=$root/tests/interop/clients

versions=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml proto/clients/python/pyproject.toml
  node -p 'require("./proto/clients/typescript/package.json").version')
[ "$(echo "$versions" | sort -u | wc -l)" = 1 ] || fail "programs and packages differ in their versions: $versions"

sources=$work/sources
mkdir -p "$sources"
git ls-files -z --cached --others --exclude-standard proto LICENSE-APACHE LICENSE-MIT | xargs -0 cp --parents -t "$sources"

# A wheel from the source distribution, as PyPI has both.
packed=$work/packed
need_python
alone "$python" -m pip install --quiet --disable-pip-version-check build==1.3.0
"$python" -m build --outdir "$packed" "$sources/proto/clients/python" >"$work/built" 2>&1 || fail "$(tail -20 "$work/built")"
wheel=$(echo "$packed"/*.whl)
for licence in LICENSE-APACHE LICENSE-MIT; do
  "$python" -m zipfile -l "$wheel" | grep "licenses/$licence" >/dev/null || fail "the wheel has no $licence"
done

# with_python PYTHON: the wheel in a new environment of a Python.
with_python() {
  own=$(mktemp -d "$work/python-XXXXXX")
  "$1" -m venv "$own/venv" && "$own/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel" || fail "$1: the wheel cannot be installed"
  cd "$own"
  "$own/venv/bin/python" -B "$clients/cases.py" "$root/docs/API.md" >"$work/cases"
  # It serves until its input ends.
  mkfifo "$own/input"
  "$own/venv/bin/python" -B "$clients/fake.py" "$work/cases" <"$own/input" >"$own/address" &
  exec {input}>"$own/input"
  until [ -s "$own/address" ]; do sleep 0.1; done
  address=$(cat "$own/address")
  timeout 120 "$own/venv/bin/python" -B "$clients/client.py" retries "$address" "$work/cases"
  timeout 120 "$own/venv/bin/python" -B "$clients/client.py" play "$recorder" "$own"
  echo "clients: $("$own/venv/bin/python" --version)"
  cd "$root"
}
# The oldest and the newest, where they are installed; pyenv keeps its Pythons apart.
for version in 3.10 3.13; do
  other=$(command -v "python$version" || true)
  "$other" --version >/dev/null 2>&1 || other=$(ls -d "$HOME/.pyenv/versions/$version".*/bin/python3 2>/dev/null | tail -n 1)
  [ -n "$other" ] && with_python "$other" || echo "clients: skipped, there is no Python $version"
done
with_python python3
alone "$own/venv/bin/pip" install --quiet --disable-pip-version-check mypy==2.4.1 types-grpcio types-protobuf
"$own/venv/bin/mypy" --strict --cache-dir "$work/mypy" "$clients/typed.py"

need_web
mkdir "$work/npm"
ln -s "$tools/web/node_modules" "$sources/proto/clients/typescript/node_modules"
(
  cd "$sources/proto/clients/typescript"
  PATH=$tools/web/node_modules/.bin:$PATH npm pack --silent --pack-destination "$work" >/dev/null
  cd "$work/npm"
  echo '{"private": true, "type": "module"}' >package.json
  alone npm install --silent --no-fund --no-audit "$work"/canasta-client-*.tgz
)
for licence in LICENSE-APACHE LICENSE-MIT; do
  [ -s "$work/npm/node_modules/canasta-client/$licence" ] || fail "the npm package has no $licence"
done
cp "$clients/client.mjs" tests/interop/web/recorder.mjs "$work/npm/"
for version in 20.0.0 26.12.1; do
  [ -d "$tools/node-$version" ] || need_npm "node-$version" "node-linux-$(node -p process.arch)@$version"
done
for node in "$(command -v node)" "$tools"/node-*/node_modules/node-linux-*/bin/node; do
  timeout 120 "$node" "$work/npm/client.mjs" "$work/cases" "$recorder" "$work/node-$("$node" --version)"
  echo "clients: node $("$node" --version)"
done

# The Java client, generated and compiled with Debian's grpc-java.
packages="protobuf-compiler libprotobuf-dev protobuf-compiler-grpc-java-plugin libgrpc-java libprotobuf-java libnetty-java
  libguava-java libopencensus-java libperfmark-java libgeronimo-annotation-1.3-spec-java"
command -v javac >/dev/null || packages="$packages default-jdk-headless"
# shellcheck disable=SC2086
dpkg -s $packages >/dev/null 2>&1 || apt_install $packages
mkdir -p "$work/java/gen" "$work/java/out"
protoc -I proto --java_out "$work/java/gen" --grpc-java_out "$work/java/gen" \
  --plugin=protoc-gen-grpc-java="$(command -v grpc_java_plugin)" proto/canasta/v1/*.proto
classes=$work/java/out
for jar in grpc-api grpc-context grpc-core grpc-stub grpc-protobuf grpc-protobuf-lite grpc-netty protobuf guava netty-buffer \
  netty-codec netty-codec-http netty-codec-http2 netty-common netty-handler netty-handler-proxy netty-resolver netty-transport \
  perfmark-api opencensus-api geronimo-annotation-1.3-spec jsr305 failureaccess; do
  [ ! -e "/usr/share/java/$jar.jar" ] || classes=$classes:/usr/share/java/$jar.jar
done
find "$work/java/gen" proto/clients/java tests/interop/clients -name '*.java' >"$work/java/sources"
javac -nowarn -proc:none -d "$work/java/out" -cp "$classes" @"$work/java/sources" 2>&1 | grep -v '^Note:' || true
timeout 120 java -cp "$classes" Client "$address" "$work/cases" "$recorder" "$work/java"
java -version 2>&1 | head -n 1 | sed 's/^/clients: /'
