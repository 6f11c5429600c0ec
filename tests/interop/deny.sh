#!/usr/bin/env bash
# Licences, bans, sources and known holes of every dependency, by cargo-deny and deny.toml. cargo-deny is installed
# where it is missing; advisories need the network and are left out, aloud, where their database cannot be had.
. "$(dirname "$0")/lib.sh"
cd "$root"
cargo deny --version >/dev/null 2>&1 || alone cargo install cargo-deny --locked
cargo deny check bans licenses sources
if cargo deny fetch db; then
  cargo deny check advisories
else
  echo "deny.sh: the advisory database cannot be had: advisories are not checked" >&2
fi
