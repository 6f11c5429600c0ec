#!/usr/bin/env bash
# Makes everything that a version is published with, out of the commit that is checked out:
#
#   deploy/release.sh OUT             OUT is a new folder
#   deploy/release.sh OUT --twice     makes all of it again, in another folder, and compares every byte
#
#   canasta-VERSION-TARGET.tar.gz     the four programs, with deploy/release/README.md
#   *.cdx.json                        a bill of materials for each of them
#   canasta-docs-VERSION.tar.gz       the documentation as a site
#   crates/*.crate                    the crates, for `cargo publish` from the same commit
#   packages/                         canasta-client for npm, PyPI and Java, canasta-engine for npm
#   provenance.json                   what it was made of: commit, lock files, compilers, as SLSA provenance 1.0 has it
#   SHA256SUMS, SHA256SUMS.sig        the digests of all of them, and their signature
#
# TARGETS: targets of Rust that this toolchain has, with what links for them; the one of this machine unless told.
# SIGNING_KEY: the file of an SSH key that signs the digests; without it they are not signed, which it says.
# Equal commits, compilers and Debian packages give equal bytes: nothing takes a time, a folder or a random number of this machine.
. "$(dirname "$0")/../tests/interop/lib.sh"
. "$root/tests/interop/clients/pack.sh"
out=$(realpath -m "${1:?deploy/release.sh OUT [--twice]}")
[ ! -e "$out" ] || fail "$out exists: name a new folder"
cd "$root"
[ -z "$(git status --porcelain)" ] || fail "there are changes that no commit has: $(git status --porcelain | head -n 3)"
commit=$(git rev-parse HEAD)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
host=$(rustc -vV | sed -n 's/^host: //p')
targets=${TARGETS:-$host}
programs="canasta-service canasta-recorder canasta-auditor canasta-replay"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH

# archive FILE FOLDER NAME: packs a folder as NAME, with nothing of this machine.
archive() {
  tar -C "$2/.." --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+w \
    --transform "s,^$(basename "$2"),$3," -cf - "$(basename "$2")" | gzip -n -9 >"$1"
}

# build SOURCES TARGET: the programs, in SOURCES/target.
build() {
  local flags="--remap-path-prefix=$1=canasta --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
  # shellcheck disable=SC2086
  RUSTFLAGS=$flags CFLAGS="-ffile-prefix-map=$1=canasta -ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=cargo" CARGO_INCREMENTAL=0 \
    cargo build --manifest-path "$1/Cargo.toml" --target-dir "$1/target" --locked --release --target "$2" \
    $(printf -- '--bin %s ' $programs)
}

# lay_programs SOURCES TARGET FOLDER: what the archive of a target holds.
lay_programs() {
  local program
  mkdir -p "$3"
  for program in $programs; do
    install -m 755 "$1/target/$2/release/$program" "$3/"
  done
  cp "$1"/deploy/release/README.md "$1"/CHANGELOG.md "$1"/SECURITY.md "$1"/LICENSE-* "$3/"
}

# make SOURCES OUT: everything, from a clone that nothing was built in.
make() {
  local sources=$1 out=$2 target program work=$1.work
  git clone --quiet --no-local "$root" "$sources"
  git -C "$sources" checkout --quiet --detach "$commit"
  mkdir -p "$out/crates" "$out/packages" "$work"
  for target in $targets; do
    build "$sources" "$target"
    lay_programs "$sources" "$target" "$work/$target"
    archive "$out/canasta-$version-$target.tar.gz" "$work/$target" "canasta-$version"
  done
  for program in $programs; do
    "$sources/deploy/sbom.py" "$program" >"$out/$program.cdx.json"
  done
  # shellcheck disable=SC2086
  (cd "$sources" && cargo package --workspace $(sed -n 's/^applications="\(.*\)"/\1/p' .ci/steps.sh) --no-verify --target-dir target)
  cp "$sources"/target/package/*.crate "$out/crates/"
  bash "$sources/tests/interop/site.sh" "$work/site"
  archive "$out/canasta-docs-$version.tar.gz" "$work/site" "canasta-docs-$version"
  pack_all "$sources" "$out/packages"
  "$sources/deploy/provenance.py" "$out" "$version" $targets >"$work/provenance.json"
  mv "$work/provenance.json" "$out/"
  (cd "$out" && find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >"$work/sums" && mv "$work/sums" SHA256SUMS)
}

# pack_all SOURCES FOLDER: the packages for front ends, by the functions of SOURCES.
pack_all() {
  (
    root=$1 work=$1.packages
    mkdir -p "$work"
    need_web
    pack_python
    pack_java
    cp "$work"/packed/* "$2/"
    copy_client release
    for package in engine/wasm proto/clients/typescript; do
      (cd "$tools/web/release/$package" && PATH=$tools/web/node_modules/.bin:$PATH npm pack --silent --pack-destination "$2" >/dev/null)
    done
  )
}

make "$work/one" "$work/first"
if [ "${2:-}" = --twice ]; then
  make "$work/in-another-folder" "$work/second"
  diff "$work/first/SHA256SUMS" "$work/second/SHA256SUMS" || fail "two builds of one commit differ"
  echo "release: both builds have the same bytes"
fi
mv "$work/first" "$out"
if [ -n "${SIGNING_KEY:-}" ]; then
  ssh-keygen -q -Y sign -f "$SIGNING_KEY" -n canasta-release "$out/SHA256SUMS"
else
  echo "release: not signed: SIGNING_KEY names no key"
fi
echo "release: $(wc -l <"$out/SHA256SUMS") files of $version in $out"
