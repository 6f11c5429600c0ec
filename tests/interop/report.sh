#!/usr/bin/env bash
# The pages of `canasta-replay report` as files in Chromium, without a network: what they show is what the referee's tool says, links
# open in them, spoilt ones do not, and an audit is quick on a slow phone. Needs node and npm; installs Chromium where it is missing.
#   report.sh CANASTA_REPLAY PAGES      PAGES: what `cargo test -p canasta-replay --test it report::` writes (target/tmp/report)
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
pages=$(realpath "$2")
cd "$root"
need_web
need_chromium
cp tests/interop/web/*.mjs "$tools/web/"
timeout 900 node "$tools/web/report.mjs" "$replay" "$pages" "$tools/report"
