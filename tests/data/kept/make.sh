#!/usr/bin/env bash
# Writes the files of a version that all later versions read: once, when it is released. Then they stay as they are.
#   tests/data/kept/make.sh CANASTA_REPLAY VERSION
# replay-cli/tests/it/kept.rs reads them. State tokens are written beside by engine/tests/it/token/kept.rs, logs of all rule sets lie in
# tests/data/logs, and the folder of a recorder in tests/data/recorder.
set -euo pipefail
replay=$(realpath "$1")
kept=$(dirname "$(realpath "$0")")/$2
mkdir "$kept"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# A game of each rule set, of house rules, and of two other ways to deal. Each with a seed of its own, from which its id follows.
seed=0
for preset in $("$replay" rules list --format json | grep -o '"id":"[^"]*"' | cut -d '"' -f 4); do
  "$replay" simulate --ruleset "$preset" --games 1 --seed $((seed += 1)) --out "one/$preset" >said
  mv "one/$preset/game-000000.clog" "$preset.clog"
done
printf 'base = "samba-4p"\nname = "kept"\n[knobs]\ntarget = 3000\nwild_melds = true\nbonus_wild = 2000\n' >house.toml
"$replay" simulate --ruleset house.toml --games 1 --seed 1001 --out house >said
mv house/game-000000.clog house.clog
for mode in committed explicit; do
  "$replay" simulate --mode "$mode" --ruleset classic-2p --games 1 --seed $((seed += 1)) --out "$mode" >said
  mv "$mode/game-000000.clog" "$mode.clog"
done
sha256sum ./*.clog | sed 's# \./# #' >"$kept/logs.sha256"
mkdir logs
cp ./*.clog logs/
"$replay" pack logs -o "$kept/games.carc" >said
for log in ./*.clog; do
  printf '%s ' "$(basename "$log")"
  "$replay" link "$log" 2>said
done >"$kept/links"
"$replay" export house.clog >"$kept/house.jsonl"
"$replay" position --judge --at 2 classic-4p.clog >"$kept/position"
cp house.toml "$kept/"

# A tournament: a policy, a game that was published while it was open, one that had ended, one that is void, a witness, a proof.
"$replay" keygen kept.example -o event.key >"$kept/event.pub"
"$replay" keygen club.example --witness -o club.key >"$kept/club.pub"
mkdir hall
cp classic-4p.clog hall/ended.clog
head -c 2000 hoyle-2p.clog >hall/void.clog
head -c 2000 american-4p.clog >hall/open.clog
"$replay" publish --watch --once hall --key event.key -o "$kept/site" >said
"$replay" publish --void "$("$replay" audit hall/void.clog --format json | grep -o '"game_id":"[0-9a-f]*"' | head -n 1 | cut -d '"' -f 4):rain" \
  --key event.key -o "$kept/site" >said
cp american-4p.clog hall/open.clog
"$replay" publish --watch --once hall --key event.key -o "$kept/site" >said
"$replay" publish --end --key event.key -o "$kept/site" >said
"$replay" witness "$kept/site" --state club.json --key club.key --log "$(cat "$kept/event.pub")" >>"$kept/site/checkpoint"
{
  printf 'format = "canasta-policy/1"\n[witnesses]\nkeys = ["%s"]\nquorum = 1\n' "$(cat "$kept/club.pub")"
} >"$kept/policy.toml"
"$replay" prove classic-4p.clog --site "$kept/site" --key "$(cat "$kept/event.pub")" -o proof.html >said
# What the page proves; the rest of it is the engine.
sed -n 's#.*<script type="application/json" id="proof">\(.*\)</script>.*#\1#p' proof.html >"$kept/proof.json"
[ -s "$kept/proof.json" ]
du -sh "$kept"
