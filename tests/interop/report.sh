#!/usr/bin/env bash
# The pages of `canasta-replay report` in a real browser: what they show is held against `canasta-replay show`, at the
# size of a desk and of a phone. Needs cargo and python3; installs Debian's Chromium and its driver where they are not.
set -euo pipefail
cd "$(dirname "$0")/../.."

bash tests/interop/chromium.sh >/dev/null

cargo build --quiet --bin canasta-replay
cargo test --quiet -p canasta-replay --test report pages_for_a_browser
target=${CARGO_TARGET_DIR:-target}
pictures=${CANASTA_PICTURES:-target/interop/report}
mkdir -p "$pictures"
python3 -B tests/interop/report_page.py "$target/debug/canasta-replay" "$target/tmp/report" "$pictures"
