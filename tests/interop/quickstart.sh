#!/usr/bin/env bash
# The quick starts of docs/start/QUICKSTART.md, followed to the letter in a fresh folder. Needs python3 with venv, node and npm;
# installs what they install, and Chromium where it is missing.   quickstart.sh CANASTA_SERVICE CANASTA_RECORDER
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
recorder=$(realpath "${2:-target/debug/canasta-recorder}")
cd "$root"
need_chromium
serve "$service"

fresh=$work/fresh
mkdir -p "$fresh/docs"
git ls-files -z --cached --others --exclude-standard proto | xargs -0 cp --parents -t "$fresh"
git ls-files -z --cached --others --exclude-standard docs/quickstart | xargs -0 cp --parents -t "$fresh"
# What drives the browser.
need_web
cp tests/interop/web/first_game.mjs "$tools/web/"

# What a program said: a refusal with its rule, a turn that starts with a draw or the pile and ends with a discard, and
# an audit that finds nothing wrong: it is conditional, for the cards of a round under way are not revealed yet.
expect() {
  echo "$2" | sed 's/^/    /'
  for part in "refused    TURN_NOT_YOURS: seat" "CL-014: " "audited    " "CONDITIONAL, "; do
    case $2 in *"$part"*) ;; *) fail "$1: expected \"$part\"" ;; esac
  done
  case $2 in *draw*discard* | *take[_P]*ile*discard*) ;; *) fail "$1: expected a whole turn" ;; esac
}

for file in python/first_game.py typescript/first_game.ts typescript/node.ts typescript/web.ts; do
  [ "$(wc -l <"docs/quickstart/$file")" -lt 60 ] || fail "$file: expected under 60 lines"
done

echo "python"
find "$fresh/proto" | sort >"$work/before"
cd "$fresh/docs/quickstart/python"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check ../../../proto/clients/python
find "$fresh/proto" | sort | diff "$work/before" - || fail "pip has left files in the checkout"
# In another folder: every name, every stub, and their types.
mkdir "$work/elsewhere"
(cd "$work/elsewhere" && "$fresh/docs/quickstart/python/venv/bin/python" "$root/tests/interop/quickstart_package.py" "$root/proto/canasta/v1")
expect python "$(venv/bin/python first_game.py "$address")"
[ -s first_game.clog ]

echo "python, friends at a table"
"$recorder" --data "$work/data" --listen 127.0.0.1:0 2>"$work/recorder" &
keeper=$!
until grep -q ' on ' "$work/recorder"; do sleep 0.1; done
friends=$(venv/bin/python friends.py "$(head -n 1 "$work/recorder" | sed 's/.* on //')")
kill "$keeper"
echo "$friends" | sed 's/^/    /'
case $friends in *"judged    VERDICT_CLEAN"*) ;; *) fail "friends: expected a clean game" ;; esac
[ "$(echo "$friends" | sed -n 's/.*saw \(.*\) events/\1/p' | sort -u | wc -l)" = 1 ] || fail "friends: one of them missed something"

echo "typescript, node"
cd ../typescript
npm install --silent --no-fund --no-audit
npm run --silent generate
npm run --silent check
expect node "$(npm run --silent node -- "$address")"
[ -s first_game.clog ]

echo "typescript, web"
# It serves until its input ends, which is when this script does.
mkfifo input
npm run --silent web <input >web.log 2>&1 &
exec {input}>input
for _ in $(seq 300); do grep -q Local web.log && break || sleep 0.1; done
said_in_page=$(node "$tools/web/first_game.mjs" "http://127.0.0.1:8000/?service=http://$address")
expect web "$said_in_page"
case $said_in_page in *"saved first_game.clog"*) ;; *) fail "web: expected a download" ;; esac
