#!/usr/bin/env bash
# The table in the browser: what is embedded is what its source builds, and it is played in Chromium by clicks, keys and
# dragged cards, by one person against bots and by several at one table of the recorder; a log is walked through in its viewer.
# Needs node and npm; installs the npm packages that the lock file names, and Chromium and Firefox where they are missing.
#   web.sh CANASTA_SERVICE CANASTA_RECORDER [whole]
#     whole: games of their whole length, and those in four browsers of six rule sets instead of two
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
recorder=$(realpath "${2:-target/debug/canasta-recorder}")
cd "$root"
need_web
need_chromium
web=$tools/web
bin=$web/node_modules/.bin
# Beside the packages, where node looks for them.
cp tests/interop/web/*.mjs "$web/"
serve "$service"

client=proto/clients/typescript
# keys LANGUAGE: the keys of a file of words.
keys() { node -p "Object.keys(JSON.parse(require('fs').readFileSync('$root/$client/table/src/words/$1.json'))).join('\n')"; }

copy_client build
(
  cd "$web/build/$client"
  PATH=$bin:$PATH
  tsc
  node table/build.mjs
  npm pack --silent --pack-destination "$work" >/dev/null
)
diff -r service/web/dist "$web/build/service/web/dist" ||
  fail "service/web/dist is not what the source builds: run npm install, npm run generate and npm run table in $client"
echo "web: the table is what its source builds"

# The client as npm would publish it, in an empty folder: in node, for TypeScript as node and as bundlers resolve, and bundled.
mkdir "$work/packed"
(
  cd "$work/packed"
  echo '{"private": true, "type": "module"}' >package.json
  alone npm install --silent --no-fund --no-audit "$work"/canasta-client-*.tgz
  cp "$root/tests/interop/web/packed.mjs" .
  node packed.mjs "$web/build/$client/src" "http://$address"
  for resolution in nodenext bundler; do
    module=${resolution/bundler/esnext}
    "$bin/tsc" --noEmit --strict --target es2022 --module "$module" --moduleResolution "$resolution" names.ts ||
      fail "the package has no types with $resolution"
  done
  "$bin/esbuild" names.ts --bundle --format=esm --outfile=bundle.mjs --log-level=warning
  node bundle.mjs
)
echo "web: the package is installed, typed and bundled"

cmp -s <(keys en) <(keys de) || fail "the files of words differ in their keys: $(diff <(keys en) <(keys de))"
# What is loaded before anything is seen; the engine, the worker and pictures for links come later or never.
packed=0
for file in index.html table.js table.css favicon.svg; do packed=$((packed + $(gzip -9 <"service/web/dist/$file" | wc -c))); done
[ "$packed" -le 130000 ] || fail "the page is $packed bytes long when packed, expected at most 130,000"
echo "web: $packed bytes, $(keys en | wc -l) texts in each language"

[ "${3:-}" = whole ] && lengths=(0 2) || lengths=(2 1 classic-3p hoyle-2p)
# What changes the size of its window all the time has a browser of its own, beside the other steps.
timeout 1500 node "$web/alone.mjs" "http://$address" "$web/shots" "${lengths[0]}" layouts >"$work/layouts" 2>&1 &
layouts=$!
timeout 1500 node "$web/alone.mjs" "http://$address" "$web/shots" "${lengths[0]}" -layouts
wait "$layouts" || fail "$(cat "$work/layouts")"
cat "$work/layouts"
timeout 900 node "$web/viewer.mjs" "http://$address" "$web/shots" "$root/tests/data/logs/v2"
timeout 900 node "$web/quick.mjs" "http://$address" "$recorder" "$work/far" "$web/shots"
timeout 600 node "$web/situations.mjs" "$recorder" "$work/situations" "$web/shots" "$root/docs/play/SITUATIONS.md"
timeout 900 node "$web/evening.mjs" "$recorder" "$work/evening" "$web/shots"
timeout 900 node "$web/friends.mjs" "$recorder" "$work/friends" "$web/shots"
timeout 900 node "$web/rooms.mjs" "$recorder" "$work/rooms" "$web/shots"
timeout 7200 node "$web/whole.mjs" "$recorder" "$work/whole" "$web/shots" "${lengths[@]:1}"
need_firefox
if [ -n "$firefox" ]; then
  timeout 300 node --experimental-websocket "$web/firefox.mjs" "$firefox" "$recorder" "$work/firefox" "$web/shots"
else
  echo "web: skipped, there is no Firefox here"
fi
