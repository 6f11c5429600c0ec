#!/usr/bin/env bash
# The pages of `canasta-replay report` in a real browser: what they show is held against `canasta-replay show`, at the
# size of a desk and of a phone. Needs python3, and installs Chromium where it is missing.
#   report.sh CANASTA_REPLAY PAGES      PAGES: what `cargo test -p canasta-replay --test report` writes (target/tmp/report)
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
pages=$(realpath "$2")
cd "$root"
need_chromium
pictures=${CANASTA_PICTURES:-$tools/report}
mkdir -p "$pictures"
python3 -B tests/interop/report_page.py "$replay" "$pages" "$pictures"
