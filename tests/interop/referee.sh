#!/usr/bin/env bash
# An independent referee in Python, written from the rulebook alone: its own tests, then for every rule set that is
# played games are exported and replayed (events, ends, score lines compared), and mutated actions put to both.
#   referee.sh CANASTA_REPLAY [GAMES] [MUTATIONS]        games a rule set, of the bot and of random players each;
#   PRESETS="classic-4p gr-4p" in the environment names the rule sets, SEED the seed of the games (9 unless told)
. "$(dirname "$0")/lib.sh"
program=$(realpath "$1")
games=${2:-3}
mutations=${3:-400}
cd "$root/tests/interop/referee"

[ -n "${SKIP_UNIT:-}" ] || python3 -B -m unittest --quiet
presets=${PRESETS:-$("$program" rules list --format json |
  python3 -c 'import json, sys; print(*(r["id"] for r in json.load(sys.stdin)["presets"] if r["played"]))')}
# Random players never reach the target of American Canasta: they play the three hands of organised play (TF-003).
printf 'base = "american-4p"\nname = "three-hands"\n[knobs]\ninitial_key = "round"\ninitial_bands = [125, 155, 180]\nrounds = 3\ntarget = 0\n' > "$work/three-hands.toml"

# replayed LOG: one log through both
replayed() {
  "$program" export "$1" --format jsonl > "$work/game.jsonl"
  "$program" import "$work/game.jsonl" -o "$work/again.clog" > /dev/null
  cmp "$1" "$work/again.clog"
  rm "$work/again.clog"
  python3 -B referee.py replay "$work/game.jsonl" 2> "$work/counts" || { cat "$work/counts"; return 1; }
  python3 -B referee.py mutate --seed 1 --count "$mutations" "$work/game.jsonl" > "$work/mutations.jsonl"
  python3 -B referee.py judge "$work/game.jsonl" < "$work/mutations.jsonl" > "$work/theirs.jsonl"
  "$program" judge "$1" < "$work/mutations.jsonl" > "$work/ours.jsonl"
  python3 -B compare.py "$work/mutations.jsonl" "$work/theirs.jsonl" "$work/ours.jsonl" > "$work/verdicts" ||
    { cat "$work/verdicts"; return 1; }
}

for preset in $presets; do
  judged=0
  for bots in bot random; do
    rules=$preset
    case $preset-$bots in american*-random) rules=$work/three-hands.toml ;; esac
    "$program" simulate --ruleset "$rules" --bots "$bots" --games "$games" --seed "${SEED:-9}" --out "$work/$preset-$bots" > /dev/null
    for log in "$work/$preset-$bots"/*.clog; do
      replayed "$log" || fail "$preset, $bots, $log"
      judged=$((judged + $(wc -l < "$work/mutations.jsonl")))
    done
  done
  echo "referee: $preset: $((2 * games)) games replayed, $judged mutated actions judged alike"
done
