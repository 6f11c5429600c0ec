#!/usr/bin/env bash
# The second verifier over logs that the engine wrote: intact ones are intact, and changed ones are not, even when
# somebody repaired the chain after the change.
#   verify_clog.sh CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
cd "$root"
"$replay" simulate --games 20 --seed 11 --out "$work/games" > /dev/null
for mode in committed explicit; do
    for rules in classic-4p gr-4p; do
        "$replay" simulate --mode "$mode" --ruleset "$rules" --games 5 --seed 11 --out "$work/games/$mode-$rules" > /dev/null
    done
done
for rules in classic-4p gr-4p; do
    "$replay" simulate --mode committed --signed --ruleset "$rules" --games 2 --seed 12 --out "$work/games/signed-$rules" > /dev/null
done
find tests/data/logs/v2 -name '*.clog' 2> /dev/null | sort > "$work/list"
find "$work/games" -name '*.clog' | sort >> "$work/list"
xargs python3 tests/interop/verify_clog.py < "$work/list" > "$work/report"
tail -n 3 "$work/report"
echo "$(wc -l < "$work/report") logs intact"
grep -q 'committed, .* [1-9][0-9]* voided' "$work/report"
grep -q 'contributions signed' "$work/report"
# Every wall that both compute is the same, card by card.
for log in "$work"/games/*/*.clog; do
    python3 tests/interop/verify_clog.py --walls "$log" | sed -n 's/^  round [0-9/]*: //p' > "$work/theirs"
    "$replay" verify-deal --walls "$log" | sed -n 's/^  cards  *//p' > "$work/ours"
    test -s "$work/ours"
    cmp "$work/ours" "$work/theirs"
done
echo "$(ls "$work"/games/*/*.clog | wc -l) committed and explicit logs: the same walls"
python3 tests/interop/verify_clog.py --bad docs/conformance/bad/logs/expected.tsv
python3 - "$work" << 'PY'
import contextlib, io, pathlib, sys
sys.path.insert(0, "tests/interop")
import verify_clog as v

work = pathlib.Path(sys.argv[1])
seeded = sorted((work / "games").glob("*.clog"))[0].read_bytes()
committed = sorted((work / "games/committed-classic-4p").glob("*.clog"))[0].read_bytes()
changed = work / "changed.clog"

def verdict(data):
    changed.write_bytes(data)
    with contextlib.redirect_stdout(io.StringIO()):
        return v.verify(str(changed), False)

def chained(payloads):
    head, out = v.sha(b"canasta-log/1/start\0", v.HEADER), v.HEADER
    for n, payload in enumerate(payloads):
        length = len(payload).to_bytes(2, "big")
        head = v.sha(b"canasta-log/1\0", head, n.to_bytes(8, "big"), len(payload).to_bytes(4, "big"), payload)
        out += length + bytes([v.crc8(length)]) + payload + head[:8]
    return out

flips = 0
for at in range(0, len(seeded), 7):
    flipped = bytearray(seeded)
    flipped[at] ^= 1 << at % 8
    assert not verdict(bytes(flipped)), f"a flipped bit of byte {at} is not seen"
    flips += 1
# Registers, round ends and the game end carry what proves the deals: none can be changed behind a new chain, but
# for what only somebody who knows the rules can judge: who deals the next round, why a round ended, who won.
# Nor what a seat registered for a deal that it voided: the value behind it never came out (bytes 38 and on).
rules = {(1, 4), (6, 3), (7, 1), (7, 2)}
for log in (seeded, committed):
    payloads = [payload for _, _, payload in v.frames(log)]
    assert chained(payloads) == log and verdict(log)
    ends = [n for n, payload in enumerate(payloads) if payload[0] == 6 and payload[3] == 7]
    void = {max(n for n in range(end) if payloads[n][0] == 1) for end in ends}
    for n, payload in enumerate(payloads):
        if payload[0] in (1, 6, 7):
            end = len(payload) if payload[0] != 6 else 69
            for at in range(1, end):
                other = payload[:at] + bytes([payload[at] ^ 1]) + payload[at + 1 :]
                seen = not verdict(chained([*payloads[:n], other, *payloads[n + 1 :]]))
                open_ = (payload[0], at) in rules or n in void and at > 38
                assert seen or open_, f"record {n}, byte {at}"
                flips += 1
print(f"{flips} changes seen")
PY
