#!/usr/bin/env bash
# Makes every golden file, fixture and generated page anew, in the order in which they depend on each other. Golden logs
# are frozen: those that are there stay, and only presets without any get theirs. What else it changes shows in git diff.
#   remake.sh CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
cd "$root"

# 1. Golden logs: twenty games of every preset. Those of version 2 were converted from version 1, of which one game per
# preset is kept; they must still be the same games.
logs=tests/data/logs/v2
presets=$(sed -n 's/^\[\([a-z0-9-]*\)\] .*/\1/p' engine/rules/src/rules/presets.txt)
for preset in $presets; do
  [ -d "$logs/$preset" ] ||
    "$replay" simulate --ruleset "$preset" --games 20 --seed 1 --out "$logs/$preset" >/dev/null
done
for old in tests/data/logs/v1/*/*.clog; do
  python3 -B tests/interop/convert_v1.py "$old" "$work/new.clog"
  cmp "$work/new.clog" "${old/v1/v2}"
done
"$replay" audit "$logs" | sed -n 1,2p

# 2. Bad logs and their list, out of a good log.
find docs/conformance/bad/logs -name '*.clog' ! -name 'version-1.clog' -delete
good=replay-cli/tests/data/short.clog
python3 -B tests/interop/bad_logs.py $good docs/conformance/bad/logs
"$replay" pack $good -o "$work/good.carc" >/dev/null
"$replay" audit $good --format json >"$work/good.json"
python3 -B tests/interop/bad_sites.py $good "$work/good.carc" "$work/good.json" docs/conformance/bad

# 3. The examples of docs/LOG_FORMAT.md and docs/formats/TOKEN.md are written by hand; these tests compare them.
cargo test -p canasta-engine --test it -- log:: token::

# 4. Generated pages, and what commands print: rulebook, violations, API, command line.
UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs::
UPDATE_DOCS=1 cargo test -p canasta-tests --test it api::
UPDATE_DOCS=1 cargo test -p canasta-replay --test it -- runs:: commands::

# 5. Other readers agree with what was made.
python3 -B tests/interop/log_reference.py --page docs/LOG_FORMAT.md
python3 -B tests/interop/token_reference.py
python3 -B tests/interop/verify_clog.py --bad docs/conformance/bad/logs/expected.tsv
