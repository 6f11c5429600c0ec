#!/usr/bin/env bash
# The conformance kit: made twice with the same bytes, unpacked, its manifest checked, and two engines held against it:
# canasta-replay, and the referee in Python. An engine that bends one answer must be found out.
#   conformance.sh CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
program=$(realpath "$1")
cd "$root"

kit() { PYTHONHASHSEED=$1 python3 -B tests/interop/conformance/kit.py "$program" "$2"; }
kit 1 "$work/kit.tar.gz" &
first=$!
kit 2 "$work/again.tar.gz" >/dev/null
wait "$first"
cmp "$work/kit.tar.gz" "$work/again.tar.gz"

tar -xzf "$work/kit.tar.gz" -C "$work"
kit=$(echo "$work"/canasta-conformance-*)
python3 - "$kit" <<'CHECK'
import hashlib, json, pathlib, sys
kit = pathlib.Path(sys.argv[1])
files = json.loads((kit / "MANIFEST.json").read_text())["files"]
for entry in files:
    found = hashlib.sha256((kit / entry["path"]).read_bytes()).hexdigest()
    assert found == entry["sha256"], entry
there = {str(p.relative_to(kit)) for p in kit.rglob("*") if p.is_file()}
assert there == {entry["path"] for entry in files} | {"MANIFEST.json"}, there
CHECK

run() { python3 -B "$kit/run.py" --kit "$kit" "$@"; }
run --all-codes --part positions -- "$program" conform
run -- "$program" conform
run -- python3 -B tests/interop/referee/referee.py conform

# bent PART WHAT: an answer of that part is bent, and something of that part is not as it must be.
bent() {
  if said=$(run --quiet --preset classic-4p --part "$1" -- python3 -B tests/interop/conformance/bend.py "$2" "$program" conform); then
    fail "a bent $2 was not found"
  fi
  grep -qE "^$1 .* [1-9][0-9]* not, " <<<"$said" || fail "bent $2: $said"
}
for what in code legal fact pile; do bent positions "$what"; done
for what in count digest; do bent perft "$what"; done
for what in verdict event points margin; do bent games "$what"; done
for what in points margin; do bent foreign "$what"; done
echo "conformance: an engine that bends one answer is found out, in twelve ways"
