#!/usr/bin/env bash
# The packages of proto/clients as their users have them: packed, installed in empty folders, and held against a recorder that
# fails in every way of docs/API.md ("Deadlines and retries"), is frozen, and is killed while somebody acts and watches.
# With the oldest and the newest node and Python that there are. Needs node, npm and python3 with venv; installs grpc-java and a
# JDK from Debian's packages.
#   clients.sh CANASTA_RECORDER
. "$(dirname "$0")/lib.sh"
. "$root/tests/interop/clients/pack.sh"
recorder=$(realpath "$1")
cd "$root"
clients=$root/tests/interop/clients

versions=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml proto/clients/python/pyproject.toml
  node -p 'require("./proto/clients/typescript/package.json").version')
[ "$(echo "$versions" | sort -u | wc -l)" = 1 ] || fail "programs and packages differ in their versions: $versions"

pack_python
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
  # No `&&`: behind it a failure would end nothing.
  if [ -n "$other" ]; then with_python "$other"; else echo "clients: skipped, there is no Python $version"; fi
done
with_python python3
alone "$own/venv/bin/pip" install --quiet --disable-pip-version-check mypy==2.4.1 types-grpcio types-protobuf
"$own/venv/bin/mypy" --strict --cache-dir "$work/mypy" "$clients/typed.py"

pack_typescript
mkdir "$work/npm"
(
  cd "$work/npm"
  echo '{"private": true, "type": "module"}' >package.json
  alone npm install --silent --no-fund --no-audit "$tarball"
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

pack_java
mkdir "$work/java"
javac -nowarn -proc:none -d "$work/java/out" -cp "$classes" tests/interop/clients/*.java 2>&1 | grep -v '^Note:' || true
timeout 120 java -cp "$work/java/out:$classes" Client "$address" "$work/cases" "$recorder" "$work/java"
java -version 2>&1 | head -n 1 | sed 's/^/clients: /'
