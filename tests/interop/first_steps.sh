#!/usr/bin/env bash
# The pages of docs/start that go through a program, each followed to the letter in a fresh folder: every command of its blocks,
# in order, with the packed packages and the program, and nothing else of the repository. What a page shows of a program must
# stand in it. Installs what the packages need, and Chromium.
#   first_steps.sh CANASTA_RECORDER CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
. "$root/tests/interop/clients/pack.sh"
recorder=$(realpath "$1")
PATH=$(dirname "$(realpath "$2")"):$PATH
cd "$root"
need_chromium
pack_python
pack_typescript
pack_java
serve "$recorder" --data "$work/data"

# follow PAGE FOLDER PROGRAM LANGUAGE: every command of a page but those of $beside, which run here already or are installed above.
# $said is what they print.
beside='^cargo run\|^sudo apt\|^npm ci\|^cd proto\|^npm run page'
follow() {
  fresh=$work/$(basename "$1" .md)
  folder=docs/quickstart/$2
  page=docs/start/$1
  said=$fresh.said
  python3 - "$page" "$folder/$3" "$4" <<'CHECK'
import re, sys
page, program = (open(name).read() for name in sys.argv[1:3])
parts = re.findall(rf"```{sys.argv[3]}\n(.*?)```", page, re.S)
assert len(parts) >= 2, page
for part in parts:
    assert part in program, f"{sys.argv[1]} shows what is not in {sys.argv[2]}:\n{part}"
CHECK
  mkdir -p "$fresh/$folder"
  git ls-files -z --cached --others --exclude-standard "$folder" | xargs -0 cp --parents -t "$fresh"
  # The packages are those that are packed.
  awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$page" | grep -v "$beside" |
    sed "s#127\.0\.0\.1:50051#$address#; s#pip install .*/python#pip install --quiet --disable-pip-version-check $wheel#
      s#npm install .*tgz#npm install --silent --no-fund --no-audit $tarball#; s#^cd \.\./.*docs#cd docs#
      s#^\.\./.*pack\.sh#cp $jar#" >"$fresh/commands"
  echo "$1: $(wc -l <"$fresh/commands") lines of commands"
  (cd "$fresh" && timeout 900 bash -euo pipefail -x commands) >"$said" 2>&1 || { tail -60 "$said" >&2; fail "$1 cannot be followed"; }
}

# expect TEXT...: what the commands must have said.
expect() {
  local text
  for text in "$@"; do
    tr '\n' ' ' <"$said" | grep -q -e "$text" || { tail -100 "$said" >&2; fail "$page: expected $text"; }
  done
}

refusal="not allowed: .*\[TURN_DRAW_FIRST\] *CL-015: A turn is"

follow FIRST_GAME.md python table.py python
expect "$refusal" "^.*You & Ben: .* now " "table.clog: [0-9]* records, VERDICT_CLEAN, DEAL_VERDICT_AS_COMMITTED" \
  "1 clean .*table.clog   CLEAN" "say yes"
cd "$fresh/$folder"
(cd "$work" && "$fresh/$folder/venv/bin/python" -B "$root/tests/interop/clients/package.py" "$root/proto/canasta/v1")
# The same program plays every rule set: the player is seen, and can draw a card.
sets=$(canasta-replay rules list --format json | python3 -c 'import json, sys; print(*(p["id"] for p in json.load(sys.stdin)["presets"]))')
[ "$(wc -w <<<"$sets")" -ge 22 ]
for rule_set in $sets; do
  rm -f table.link
  printf 'hint\nquit\n' | timeout 60 venv/bin/python table.py "$address" "$rule_set" >"$said" 2>&1 || fail "$rule_set: $(<"$said")"
  expect "round 1: " "  You: [2-9TJQKAX]"
done
friends=$(timeout 120 venv/bin/python friends.py "$address")
echo "$friends" | sed 's/^/    /'
case $friends in *"judged    VERDICT_CLEAN"*) ;; *) fail "friends: expected a clean game" ;; esac
[ "$(echo "$friends" | sed -n 's/.*saw \(.*\) events/\1/p' | sort -u | wc -l)" = 1 ] || fail "friends: one of them missed something"
cd "$root"

follow FIRST_BOT.md python bot.py python
expect "game [0-9a-f]*, seat 0: .* after [0-9]* rounds"

follow FIRST_JAVA.md java FirstGame.java java
expect "$refusal" "FirstGame.clog: [0-9]* records, VERDICT_CLEAN" "1 clean .*FirstGame.clog   CLEAN"

follow FIRST_PAGE.md typescript page.ts ts
expect "http://127.0.0.1:8000/#t=ey"
# It serves until its input ends, which is when this script does.
cd "$fresh/$folder"
mkfifo input
npm run --silent page <input >served 2>&1 &
exec {input}>input
for _ in $(seq 300); do grep -q Local served && break || sleep 0.1; done
cp "$root/tests/interop/web/first_page.mjs" "$tools/web/"
question=$(grep -o "http://127.0.0.1:8000/#t=.*" "$said" | tail -n 1)
timeout 120 node "$tools/web/first_page.mjs" "http://$address" "$question" | sed 's/^/    /'
echo "first steps: every command of four pages does what it says"
