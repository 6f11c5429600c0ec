#!/usr/bin/env bash
# A release as strangers have it: its digests, its programs with nothing of this repository around them, and its packages in empty
# folders. Made by deploy/release.sh.
#   release.sh FOLDER
. "$(dirname "$0")/lib.sh"
folder=$(realpath "$1")
(cd "$folder" && sha256sum --quiet --check SHA256SUMS) || fail "a file is not what SHA256SUMS says"
listed=$(cut -d ' ' -f 3- "$folder/SHA256SUMS" | LC_ALL=C sort)
[ "$listed" = "$(cd "$folder" && find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort)" ] || fail "SHA256SUMS does not list what there is"

# The programs in a root that holds the libraries that they name, and a shell's busybox to run the lines of their README.
target=$(rustc -vV | sed -n 's/^host: //p')
bare=$work/bare
mkdir -p "$bare/etc" "$bare/bin" "$bare/tmp"
tar -xzf "$folder"/canasta-*-"$target".tar.gz -C "$bare"
home=$(basename "$bare"/canasta-*)
command -v busybox >/dev/null || apt_install busybox-static
cp "$(command -v busybox)" "$bare/bin/sh"
for program in "$bare/$home"/canasta-*; do
  ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
    install -D -m 755 "$(realpath "$library")" "$bare$library"
  done
done
readme=$bare/$home/README.md
# lines NAME: the commands of a section.
lines() { sed -n "/^## $1$/,/^## /s/^    //p" "$readme"; }
inside() { env -i "$(command -v chroot)" "$bare" /bin/sh -euc "cd /$home && $1"; }
version=$(inside './canasta-replay --version')
for program in service recorder auditor; do
  [ "$(inside "./canasta-$program --version" | cut -d ' ' -f 2)" = "${version#* }" ] || fail "canasta-$program has another version"
done
lines Audit >"$work/audit"
[ "$(wc -l <"$work/audit")" = 3 ] || fail "the README shows other commands than three: $(cat "$work/audit")"
while read -r line; do inside "$line" >"$work/said" || fail "$line: $(cat "$work/said")"; done <"$work/audit"
grep -q '<html' "$bare/$home/game.html" || fail "no page of the game"
# Both servers, one after the other since the service's address is the recorder's too.
while read -r line; do
  (exec env -i "$(command -v chroot)" "$bare" /bin/sh -euc "cd /$home && exec $line") >"$work/served" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    python3 -c 'import sys, urllib.request as r; sys.exit(b"<html" not in r.urlopen("http://127.0.0.1:50051/").read()[:400])' 2>/dev/null && break
    kill -0 "$server" 2>/dev/null || fail "$line: $(cat "$work/served")"
    sleep 0.1
  done
  kill -0 "$server" || fail "$line serves no page: $(cat "$work/served")"
  kill -TERM "$server" && wait "$server" || fail "$line ends with $?: $(cat "$work/served")"
done < <(lines Play)

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check "$folder"/packages/*.whl || fail "the wheel cannot be installed"
"$work/python/bin/python" -c 'import canasta_client' || fail "the wheel cannot be used"
mkdir "$work/npm"
cd "$work/npm"
echo '{"private": true, "type": "module"}' >package.json
alone npm install --silent --no-fund --no-audit "$folder"/packages/*.tgz
sed -n '/^```ts$/,/^```$/p' node_modules/canasta-engine/README.md | sed '/^```/d' >readme.mjs
node readme.mjs || fail "the README of canasta-engine does not run"
echo "release: $(wc -l <"$folder/SHA256SUMS") files of ${version#* }, whose programs run where nothing else is"
