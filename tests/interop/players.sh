#!/usr/bin/env bash
# The sample players of docs/play/PLAYERS.md, in Python and in JavaScript, against the bot and random players. Needs python3 and
# node.
#   players.sh CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
cd "$root/docs/quickstart/players"
for rules in classic-4p samba-4p wahhi-3p; do
  "$replay" arena 'python3 greedy.py' 'node careful.mjs' "$replay player --level 2" random --ruleset "$rules" --deals 20 \
    --format json >"$work/arena.json"
  python3 - "$work/arena.json" <<'CHECK'
import json, sys
arena = json.load(open(sys.argv[1]))
for pair in arena["pairs"]:
    if pair["players"][1] == "random":
        print(f"players: {arena['ruleset']}, {pair['players'][0].split('/')[-1]}: {pair['won']['value']:.0%} of rounds against random")
        assert pair["won"]["value"] > 0.75, pair
CHECK
done
for program in greedy.py careful.mjs; do
  [ "$(wc -l <"$program")" -lt 60 ] || fail "$program has 60 lines or more"
done
