#!/usr/bin/env bash
# The table in the browser: what is embedded is what its source builds, and it is played in Chromium by clicks and keys.
# Needs cargo, node and npm; installs the npm packages that the lock file names, and Chromium where there is none.
# $1: the service to play against; without it one is built.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=$(realpath -m "${CANASTA_TOOLS:-target/interop}")
web=$tools/web
mkdir -p "$web"
# A copy, so that nothing is installed among the sources.
cp service/web/package.json service/web/package-lock.json "$web/"
(cd "$web" && npm install --silent --no-fund --no-audit)
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
  echo "service/web/dist is not what the source builds: run npm install, npm run generate and npm run build there" >&2
  exit 1
}
echo "web: dist is what the source builds"

CHROMIUM=${CHROMIUM:-$(bash tests/interop/chromium.sh)}
export CHROMIUM

program=${1:-}
if [ -z "$program" ]; then
  cargo build --quiet --bin canasta-service
  program=${CARGO_TARGET_DIR:-target}/debug/canasta-service
fi
exec {said}< <("$program" --listen 127.0.0.1:0 --drain-notice-ms 0 2>&1)
service=$!
trap 'kill "$service" 2>/dev/null || true' EXIT
# The first line names the port.
read -r line <&"$said"

# Beside the packages, where node looks for them.
cp tests/interop/web/drive.mjs "$web/"
timeout 300 node "$web/drive.mjs" "http://${line##* }" "$web/shots"
