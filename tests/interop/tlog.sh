#!/usr/bin/env bash
# A published tournament is read by the libraries of Go's checksum database (golang.org/x/mod, from Debian): its checkpoint
# with a cosignature, its tree, its proofs, and older checkpoints. A changed byte of any of them is refused.
#   tlog.sh CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
packages="golang-go golang-golang-x-mod-dev"
# shellcheck disable=SC2086
dpkg -s $packages >/dev/null 2>&1 || apt_install $packages
GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS='' GOCACHE=$tools/go go build -o "$work/tlog" "$root/tests/interop/go/tlog.go"
cd "$work"

"$replay" simulate --bots random --games 300 --seed 12 --out games >/dev/null
"$replay" keygen open.example -o key >pub
"$replay" keygen w.example --witness -o w.key >w.pub
mkdir now
# A tree of one, of a full tile, of more.
for last in 1 256 300; do
  find games -name '*.clog' | sort | sed -n "1,${last}p" | xargs -I{} cp {} now
  "$replay" publish now --key key -o site >/dev/null
  cp site/checkpoint "checkpoint-$last"
done
"$replay" witness site --state w.json --key w.key --log "$(cat pub)" >>site/checkpoint
./tlog site "$(cat pub)" -witness "$(cat w.pub)" checkpoint-*

refused=0 proof=$(find site/games -name '*.tlog-proof' | sort | sed -n 1p)
for file in site/checkpoint site/tile/0/000 site/tile/1/000.p/1 site/tile/entries/001.p/44 "$proof" checkpoint-256; do
  for at in 20 60; do
    cp "$file" whole
    # The file is longer than 60 bytes, except a tile of one hash.
    python3 -c 'import sys; p, at = sys.argv[1], int(sys.argv[2]); b = bytearray(open(p, "rb").read()); b[at % len(b)] ^= 1; open(p, "wb").write(b)' "$file" "$at"
    if ./tlog site "$(cat pub)" -witness "$(cat w.pub)" checkpoint-* >/dev/null 2>&1; then
      fail "$file: changed byte $at is not seen"
    fi
    cp whole "$file"
    refused=$((refused + 1))
  done
done
./tlog site "$(cat pub)" -witness "$(cat w.pub)" checkpoint-* >/dev/null
echo "$refused changes refused"
