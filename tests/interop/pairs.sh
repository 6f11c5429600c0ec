#!/usr/bin/env bash
# Every rule set of tests/data/rules/pairs.txt, played over two rounds by bots and by random players: the logs audit
# clean, come back from their export byte by byte, and the independent referee replays those whose knobs it knows.
#   pairs.sh CANASTA_REPLAY [SEEDS]
. "$(dirname "$0")/lib.sh"
program=$(realpath "$1")
seeds=${2:-1}
cd "$root/tests/interop"
python3 -B pairs.py "$work"

played=0 replayed=0 unknown=0 long=0 failed=0
differs() { echo "pairs: $*"; failed=$((failed + 1)); }
for whole in "$work"/[0-9][0-9][0-9].toml; do
  rules=${whole%.toml}.rounds.toml
  # Where the rule set speaks against two rounds it is played as it is.
  "$program" rules validate "$rules" > "$work/said" || { rules=$whole; long=$((long + 1)); }
  for bots in bot random; do
    out=${whole%.toml}-$bots
    for seed in $(seq "$seeds"); do
      name="$(basename "$whole" .toml) $bots seed $seed"
      "$program" simulate --ruleset "$rules" --bots "$bots" --seed "$seed" --out "$out/$seed" > "$work/said" 2>&1 ||
        { differs "$name: $(cat "$work/said")"; continue; }
      log=$out/$seed/game-000000.clog
      "$program" audit "$log" > "$work/said" || { differs "$name: $(cat "$work/said")"; continue; }
      "$program" export "$log" > "$work/game.jsonl"
      "$program" import "$work/game.jsonl" -o "$work/again.clog" --force > "$work/said" && cmp "$log" "$work/again.clog" ||
        { differs "$name: $(cat "$work/said")"; continue; }
      played=$((played + 1))
      status=0
      python3 -B referee/referee.py replay "$work/game.jsonl" > "$work/said" 2>&1 || status=$?
      case $status in
        0) replayed=$((replayed + 1)) ;;
        2) unknown=$((unknown + 1)) ;;
        *) differs "$name: the referee: $(head -n 3 "$work/said")" ;;
      esac
    done
  done
done
echo "pairs: $played games clean and imported again, $replayed replayed by the referee, $unknown of knobs it does not know; $long rule sets played without two rounds, $failed failed"
[ "$failed" = 0 ]
