#!/usr/bin/env bash
# docs/start/FIRST_GAME.md, followed to the letter in a fresh folder: every command of its blocks, in order. The service and
# canasta-replay are the ones that are given. What the page shows of the program must stand in it.
#   first_game.sh CANASTA_SERVICE CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
PATH=$(dirname "$(realpath "$2")"):$PATH
cd "$root"

python3 - <<'CHECK'
import re
page, program = open("docs/start/FIRST_GAME.md").read(), open("docs/quickstart/python/table.py").read()
parts = re.findall(r"```python\n(.*?)```", page, re.S)
assert len(parts) >= 3
for part in parts:
    assert part in program, f"docs/start/FIRST_GAME.md shows what is not in table.py:\n{part}"
CHECK

serve "$service"
fresh=$work/fresh
mkdir "$fresh"
git ls-files -z --cached --others --exclude-standard proto docs/quickstart docs/service-config.json | xargs -0 cp --parents -t "$fresh"

# The first command is the service, which runs here already.
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' docs/start/FIRST_GAME.md | grep -v '^cargo run' |
  sed "s/127\.0\.0\.1:50051/$address/; s/pip install /pip install --quiet --disable-pip-version-check /" > "$fresh/commands"
[ "$(wc -l < "$fresh/commands")" -ge 9 ]
(cd "$fresh" && bash -euo pipefail -x commands) > "$fresh/said" 2>&1 || { tail -60 "$fresh/said"; exit 1; }

# A refusal with its rule; the same game again; the game's end; two audits that agree.
for expected in "not allowed: draw from the stock or take the pile first \[TURN_DRAW_FIRST\]" "CL-015: A turn is" \
  "^round [0-9]*, side 0: .* now " "records, VERDICT_CLEAN, DEAL_VERDICT_AS_COMMITTED" "1 clean .*table.clog   CLEAN"; do
  tr '\n' ' ' < "$fresh/said" | grep -q "${expected#^}" || { cat "$fresh/said"; fail "expected $expected"; }
done
[ -s "$fresh/docs/quickstart/python/table.html" ]
grep -h "table.clog: " "$fresh/said"
echo "first game: every command of the page does what it says"

# Section 7: the same program begins a game of every rule set, and the player can draw a card.
cd "$fresh/docs/quickstart/python"
sets=$(canasta-replay rules list --format json | python3 -c 'import json, sys; print(*(p["id"] for p in json.load(sys.stdin)["presets"]))')
[ "$(wc -w <<< "$sets")" -ge 22 ]
for rule_set in $sets; do
  rm -f table.db
  printf 'hint\nquit\n' | venv/bin/python table.py "$address" "$rule_set" > played 2>&1 || { cat played; exit 1; }
  grep -q "^round 1, " played || { cat played; fail "$rule_set does not begin"; }
done
# One whole game in which the table names the first dealer.
rm -f table.db
printf 'auto\n' | venv/bin/python table.py "$address" hand-and-foot-4p > played 2>&1 || { tail -20 played; exit 1; }
grep -q "VERDICT_CLEAN" played || { tail -20 played; exit 1; }
echo "first game: all rule sets are played"
