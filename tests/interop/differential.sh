#!/usr/bin/env bash
# Compares this engine with the engine of another revision, position by position: legal steps and their order, refusals of
# random actions, events, digests and tokens. tests/examples/differential.rs plays the games, with every preset and
# with random house rules. Differences in a list that one of the engines has truncated are counted and allowed.
#
#   differential.sh REVISION [POSITIONS]      1,000,000 positions unless told; takes about ten minutes on two processors
. "$(dirname "$0")/lib.sh"
cd "$root"
revision=$(git rev-parse --verify "$1^{commit}")
positions=${2:-1000000}
shards=$(nproc)

old=$work/old
trap 'git worktree remove --force "$old" || true; clean_up' EXIT
git worktree add --quiet --detach "$old" "$revision"

# build TREE PROGRAM: builds the program with the engine of a tree, as a package of its own: an example would build what
# all tests need.
build() {
  mkdir -p "$2.package"
  cat >"$2.package/Cargo.toml" <<END
[package]
name = "differential"
edition = "2024"
[dependencies]
canasta-engine = { path = "$1/engine" }
canasta-tests = { path = "$1/tests" }
sha2 = "0.11"
[[bin]]
name = "differential"
path = "$root/tests/examples/differential.rs"
[profile.release]
debug-assertions = true
overflow-checks = true
[workspace]
END
  cp "$1/Cargo.lock" "$2.package/"
  CARGO_TARGET_DIR=$tools/differential cargo build --quiet --release --manifest-path "$2.package/Cargo.toml"
  cp "$tools/differential/release/differential" "$2"
}
build "$old" "$work/theirs"
build "$root" "$work/ours"

for shard in $(seq 0 $((shards - 1))); do
  "$work/theirs" write $((positions / shards)) "$shard" "$shards" | "$work/ours" compare >"$work/shard-$shard" &
  running[shard]=$!
done
failed=0
for shard in "${!running[@]}"; do
  wait "${running[shard]}" || failed=1
  cat "$work/shard-$shard"
done
exit "$failed"
