#!/usr/bin/env bash
# The messages and the engine for wasm32, as a page in a browser needs them: compiled by Debian's rustc for the web, together
# with Rust's library, since toolchains have neither its target nor its sources everywhere. The one script that calls cargo.
. "$(dirname "$0")/lib.sh"
cd "$root"

compiler=$tools/wasm
if [ ! -x "$compiler/usr/bin/rustc" ]; then
  (cd "$work" && apt-get update -qq && apt-get download -q rustc-web libstd-rust-web-1.96 libstd-rust-web-dev rust-web-src libllvm22)
  for package in "$work"/*.deb; do
    dpkg -x "$package" "$compiler"
  done
fi
# What has a transport does not compile for wasm32, and must not be asked for.
dependencies=$(cargo tree -p canasta-messages --edges normal --prefix none --target all)
if grep -E '^(tonic|tokio|hyper|getrandom) ' <<<"$dependencies"; then
  fail "canasta-messages has a transport without its feature"
fi
export LD_LIBRARY_PATH=$compiler/usr/lib/x86_64-linux-gnu RUSTC=$compiler/usr/bin/rustc RUSTC_BOOTSTRAP=1
cargo build -p canasta-messages --lib --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort \
  --target-dir "$tools/wasm-target"
# The engine alone needs no standard library.
cargo check -p canasta-engine --no-default-features --features archive,bot,text --target wasm32v1-none \
  -Zbuild-std=core,alloc --target-dir "$tools/wasm-target"
