#!/usr/bin/env bash
# The engine for wasm32, as engine/wasm/built has it: compiled by Debian's rustc for the web together with Rust's library, since
# toolchains have neither its target nor its sources everywhere, and made smaller by Binaryen. In node it answers as the native
# engine does, about every game of the project. The one script that calls cargo.
#   wasm.sh NATIVE [--write]
#     NATIVE: the example `local` of canasta-messages
#     --write: puts what was built into engine/wasm/built, in place of comparing it
. "$(dirname "$0")/lib.sh"
native=$(realpath "$1")
cd "$root"

compiler=$tools/wasm
if [ ! -x "$compiler/usr/bin/rustc" ]; then
  (cd "$work" && apt-get update -qq && apt-get download -q rustc-web libstd-rust-web-1.96 libstd-rust-web-dev rust-web-src libllvm22)
  for package in "$work"/*.deb; do
    dpkg -x "$package" "$compiler"
  done
fi
need_web
# What has a transport does not compile for wasm32, and must not be asked for.
dependencies=$(cargo tree -p canasta-messages --edges normal --prefix none --target all)
if grep -E '^(tonic|tokio|hyper|getrandom) ' <<<"$dependencies"; then
  fail "canasta-messages has a transport without its feature"
fi

# Names of crates follow from their folders, and the order of functions from these: two links give the same folders everywhere.
ln -sfn "$root" /tmp/canasta-wasm-source
ln -sfn "$compiler" /tmp/canasta-wasm-compiler
linker=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
out=$tools/wasm-target/wasm32-unknown-unknown/release/canasta_wasm.wasm
# build NAME [FEATURES]: builds a module. Bytes do not depend on the folders of this machine.
build() {
  LD_LIBRARY_PATH=$compiler/usr/lib/x86_64-linux-gnu RUSTC=/tmp/canasta-wasm-compiler/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
    RUSTFLAGS="-Zlocation-detail=none -Zunstable-options -Cpanic=immediate-abort --remap-path-prefix=$HOME/.cargo=cargo" \
    cargo build --locked --manifest-path /tmp/canasta-wasm-source/engine/wasm/Cargo.toml --release --target wasm32-unknown-unknown \
    -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size --features "${2:-}" \
    --config "target.wasm32-unknown-unknown.linker='$linker'" --target-dir "$tools/wasm-target"
  python3 tests/interop/wasm_sizes.py "$out" >"$work/$1.sizes"
  "$tools/web/node_modules/.bin/wasm-opt" -Oz --strip-debug --strip-producers "$out" -o "$work/$1.wasm"
}
build canasta
build texts texts

# grouped NUMBER: with a comma before each three digits.
grouped() { sed ':again; s/\B[0-9]\{3\}\>/,&/; t again' <<<"$1"; }
mkdir -p engine/wasm/built
for name in canasta texts; do
  echo "wasm: $name: $(stat -c %s "$work/$name.wasm") bytes, $(gzip -9c "$work/$name.wasm" | wc -c) when packed; before Binaryen:"
  cat "$work/$name.sizes"
  if [ "${2:-}" = --write ]; then
    cp "$work/$name.wasm" engine/wasm/built/
  else
    cmp "$work/$name.wasm" "engine/wasm/built/$name.wasm" ||
      fail "engine/wasm/built is not what the source builds: run tests/interop/wasm.sh NATIVE --write"
  fi
  said="\`$name.wasm\` $(grouped "$(stat -c %s "$work/$name.wasm")") ($(grouped "$(gzip -9c "$work/$name.wasm" | wc -c)"))"
  [ "${2:-}" != --write ] || sed -i "s/\`$name.wasm\` [0-9][0-9,]* ([0-9,]*)/$said/" engine/wasm/README.md
  grep -qF "$said" engine/wasm/README.md || fail "engine/wasm/README.md does not say: $said"
  # What a module may have at most, as it is and packed. The limits may only become smaller.
  read -r bytes packed <<<"$(sed -n "s/^$name //p" tests/interop/wasm/limits)"
  [ "$(stat -c %s "$work/$name.wasm")" -le "$bytes" ] && [ "$(gzip -9c "$work/$name.wasm" | wc -c)" -le "$packed" ] ||
    fail "$name has grown: tests/interop/wasm/limits has $bytes bytes, $packed when packed"
done

need_chromium
copy_client wasm
copy=$tools/web/wasm
cp -r tests/interop/wasm "$copy/"
bin=$tools/web/node_modules/.bin
client=proto/clients/typescript
(
  cd "$copy"
  "$bin/tsc" -p "$client"
  bundle() { "$bin/esbuild" wasm/calls.ts --bundle --log-level=warning --log-override:empty-import-meta=silent --tsconfig="$client/tsconfig.json" "$@"; }
  bundle --format=esm --platform=node --outfile=wasm/calls.mjs
  bundle --format=iife --global-name=wasm --outfile=wasm/calls.iife.js
)
# All logs of tests, and the spoilt ones of the kit.
mapfile -t logs < <(git ls-files '*.clog')
timeout 900 node "$copy/wasm/wasm.mjs" "$native" "$copy/wasm/calls.mjs" "$CHROMIUM" "${logs[@]}"

# The package as npm would publish it, beside the client, in an empty folder: the lines of its README run.
mkdir "$work/packed"
for package in engine/wasm "$client"; do
  (cd "$copy/$package" && PATH=$bin:$PATH npm pack --silent --pack-destination "$work/packed" >/dev/null)
done
(
  cd "$work/packed"
  echo '{"private": true, "type": "module"}' >package.json
  alone npm install --silent --no-fund --no-audit ./*.tgz
  sed -n '/^```ts$/,/^```$/p' "$root/engine/wasm/README.md" | sed '/^```/d' >readme.mjs
  echo 'if (ruleSets.length !== 22) throw new Error(`${ruleSets.length} rule sets`);' >>readme.mjs
  node readme.mjs
)
echo "wasm: the package is installed, and plays as its README says"
