#!/usr/bin/env bash
# The table in the browser: what is embedded is what its source builds, and it is played in Chromium by clicks and keys.
# Needs node and npm; installs the npm packages that the lock file names, and Chromium where it is missing.
#   web.sh CANASTA_SERVICE
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
cd "$root"
need_web
need_chromium
web=$tools/web
bin=$web/node_modules/.bin

rm -rf "$web/build"
mkdir -p "$web/build/service/web" "$web/build/replay-cli/src/report"
cp -r proto "$web/build/"
# The card faces are the report pages' own.
cp -r replay-cli/src/report/page "$web/build/replay-cli/src/report/"
(cd service/web && cp -r src ./*.html ./*.css ./*.svg ./*.mjs ./*.json buf.gen.yaml "$web/build/service/web/")
ln -s "$web/node_modules" "$web/build/service/web/node_modules"
(
  cd "$web/build/service/web"
  PATH=$bin:$PATH
  buf generate ../../proto
  tsc
  node build.mjs
)
diff -r service/web/dist "$web/build/service/web/dist" || {
  fail "service/web/dist is not what the source builds: run npm install, npm run generate and npm run build there"
}
echo "web: dist is what the source builds"

serve "$service"

# Beside the packages, where node looks for them.
cp tests/interop/web/drive.mjs "$web/"
timeout 600 node "$web/drive.mjs" "http://$address" "$web/shots"
