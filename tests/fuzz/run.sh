#!/bin/sh
# Runs every fuzz target for some seconds (60 unless told): run.sh [SECONDS] [TARGET...]
# Needs a nightly compiler; installs cargo-fuzz if it is missing. Fails at the first crash, whose input
# is then under artifacts/. What was found interesting is kept under corpus/ and used again; seeds/ has
# what to begin with (the tokens are the examples of docs/formats/TOKEN.md, the notes come from a published tournament,
# the record is the example of docs/formats/INTERCHANGE.md).
set -eu
cd "$(dirname "$0")"
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- token action log archive note notation fill
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
for target in "$@"; do
    echo "== $target, $seconds s"
    mkdir -p "corpus/$target" "seeds/$target"
    cargo +nightly fuzz run --fuzz-dir . "$target" "corpus/$target" "seeds/$target" -- -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=1024 -print_final_stats=1
done
