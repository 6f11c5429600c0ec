#!/usr/bin/env bash
# An independent referee in Python, written from the rulebook alone: its own tests, then replays of exported games
# (events, ends, score lines compared), then mutated actions put to both.
#   referee.sh CANASTA_REPLAY GAMES_DIR [GAMES]
set -euo pipefail
program=$(realpath "$1")
games=$(realpath "$2")
count=${3:-40}
cd "$(dirname "$0")/referee"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -n "${SKIP_UNIT:-}" ] || python3 -B -m unittest --quiet
judged=0
for log in $(find "$games" -name '*.clog' | sort | head -n "$count"); do
  "$program" export "$log" --format jsonl > "$work/game.jsonl"
  "$program" import "$work/game.jsonl" -o "$work/again.clog"
  cmp "$log" "$work/again.clog"
  rm "$work/again.clog"
  python3 -B referee.py replay "$work/game.jsonl" 2> "$work/counts" || { cat "$work/counts"; echo "$log"; exit 1; }
  python3 -B referee.py mutate --seed 1 --count 1000 "$work/game.jsonl" > "$work/mutations.jsonl"
  python3 -B referee.py judge "$work/game.jsonl" < "$work/mutations.jsonl" > "$work/theirs.jsonl"
  "$program" judge "$log" < "$work/mutations.jsonl" > "$work/ours.jsonl"
  python3 -B compare.py "$work/mutations.jsonl" "$work/theirs.jsonl" "$work/ours.jsonl"
  judged=$((judged + $(wc -l < "$work/mutations.jsonl")))
done
echo "referee: $count games replayed, $judged mutated actions judged alike"
