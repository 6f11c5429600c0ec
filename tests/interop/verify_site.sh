#!/usr/bin/env bash
# The second verifier of published tournaments: it agrees with what is published in several steps, and with nothing
# that was changed since.
#   verify_site.sh CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
cd "$root"
"$replay" simulate --bots random --games 300 --seed 12 --out "$work/games" > /dev/null
"$replay" keygen open.example -o "$work/key" > "$work/pub"
key=$(cat "$work/pub")
# A tree of one, of two, of a full tile, of more than one.
for last in 0 1 255 299; do
    mkdir "$work/now"
    find "$work/games" -name '*.clog' | sort | sed -n "1,$((last + 1))p" | xargs -I{} cp {} "$work/now"
    "$replay" publish "$work/now" --key "$work/key" -o "$work/site" > /dev/null
    cp "$work/site/checkpoint" "$work/checkpoint-$last"
    rm -r "$work/now"
done
python3 -B tests/interop/verify_site.py "$work/site" "$key" "$work"/checkpoint-*
"$replay" audit-tournament "$work/site" --key "$key" --since "$work/checkpoint-1" | tail -n 1
# Games in progress: opened, signed, closed, announced and voided; and what contradicts that.
mkdir "$work/live"
live() {
    "$replay" publish "$@" --key "$work/key" -o "$work/live-site" > /dev/null
    python3 -B tests/interop/verify_site.py "$work/live-site" "$key"
}
"$replay" audit "$work/games" --format json | sed -n 's/.*"game_id":"\([0-9a-f]*\)".*/\1 table/p' | sed -n 1,3p > "$work/tables"
live --announce "$work/tables"
for bytes in 1000 3000 5000; do
    for game in 0 1; do head -c $bytes "$work/games/game-00000$game.clog" > "$work/live/$game.clog"; done
    live --watch --once "$work/live"
done
cp "$work/games/game-000000.clog" "$work/live/0.clog"
live --watch --once "$work/live"
live --void "$(sed -n '2s/ .*//p' "$work/tables"):rain" --void "$(sed -n '3s/ .*//p' "$work/tables"):rain"
live --end
"$replay" audit-tournament "$work/live-site" --key "$key" | tail -n 1
python3 -B tests/interop/verify_site.py --bad docs/conformance/bad/sites/expected.tsv
# Witnesses: their lines are those of the specification.
"$replay" keygen w.example --witness -o "$work/w.key" > "$work/w.pub"
for _ in 1 2; do
    "$replay" witness "$work/live-site" --state "$work/w.json" --key "$work/w.key" --log "$key" >> "$work/live-site/checkpoint"
done
python3 -B tests/interop/verify_site.py --witness "$(cat "$work/w.pub")" "$work/live-site" "$key"
python3 -B - "$work" "$key" << 'PY'
import pathlib, sys
sys.path.insert(0, "tests/interop")
import verify_site as v

work, key = pathlib.Path(sys.argv[1]), sys.argv[2]
# RFC 8032, 7.1, test 3.
public = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
signature = bytes.fromhex(
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
)
assert v.verify(public, bytes.fromhex("af82"), signature) and not v.verify(public, b"af82", signature)

site, seen = work / "site", 0
proof = sorted(site.glob("games/*.tlog-proof"))[3]
log = sorted(site.glob("games/*.clog"))[5]
for path in [site / "checkpoint", site / "tile/1/000.p/1", site / "tile/entries/001.p/44", proof, log]:
    whole = path.read_bytes()
    for at in range(7, len(whole), len(whole) // 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            v.main(site, key, [])
        except (v.Fault, ValueError, FileNotFoundError):
            seen += 1
        else:
            sys.exit(f"{path}: a changed byte {at} is not seen")
    path.write_bytes(whole)
print(f"{seen} changes seen")
live = work / "live-site"
for path in sorted(live.glob("heads/*")):
    whole = path.read_bytes()
    path.write_bytes(whole + b"x")
    try:
        v.main(live, key, [])
    except v.Fault:
        path.write_bytes(whole)
    else:
        sys.exit(f"{path}: a changed list of heads is not seen")
PY
# Every checkpoint that two witnesses cosigned during play stays, and both readers say by when they had seen what.
"$replay" keygen v.example --witness -o "$work/v.key" > "$work/v.pub"
mkdir "$work/seen"
{
    echo 'format = "canasta-policy/1"'
    echo "sheets = false"
    echo '[tree]'
    echo 'opened_before = "deal"'
    echo '[witnesses]'
    echo "keys = [\"$(cat "$work/w.pub")\", \"$(cat "$work/v.pub")\"]"
    echo 'quorum = 2'
    echo 'cosigned_within = 60'
} > "$work/policy.toml"
for bytes in 975 3000 5000 1000000; do
    for game in 0 1; do head -c $bytes "$work/games/game-00000$game.clog" > "$work/seen/$game.clog"; done
    "$replay" publish --watch --once "$work/seen" --key "$work/key" -o "$work/seen-site" > /dev/null
    for witness in w v; do
        "$replay" witness "$work/seen-site" --state "$work/$witness-seen.json" --key "$work/$witness.key" --log "$key" >> "$work/seen-site/checkpoint"
        sleep 1
    done
done
"$replay" publish --end --key "$work/key" -o "$work/seen-site" > /dev/null
for witness in w v; do
    "$replay" witness "$work/seen-site" --state "$work/$witness-seen.json" --key "$work/$witness.key" --log "$key" >> "$work/seen-site/checkpoint"
done
"$replay" audit-tournament "$work/seen-site" --key "$key" --policy "$work/policy.toml" --format json > "$work/seen.json" || { cat "$work/seen.json"; exit 1; }
python3 -B - "$work" "$key" << 'PY'
import json, pathlib, sys
sys.path.insert(0, "tests/interop")
import verify_site as v

work, key = pathlib.Path(sys.argv[1]), sys.argv[2]
witnesses = [(work / f"{name}.pub").read_text().strip() for name in "wv"]
report = json.loads((work / "seen.json").read_text())
assert report["faults"] == [], report["faults"]
ours = {}
for game in report["games"]:
    assert game["before_cards"] and len(game["fixed"]) == 2, game
    ours["canasta-open/1", game["game_id"]] = game["opened"]["seen"]
    ours["canasta-game/1", game["game_id"]] = game["closed"]["seen"]
theirs = v.main(work / "seen-site", key, [], witnesses, quiet=True)
assert ours == theirs and len(set(ours.values())) == 2, (ours, theirs)
file = work / "seen-site/cosigned/000"
whole = file.read_bytes()
for at in range(5, len(whole) - 1, len(whole) // 40):
    file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    try:
        found = v.main(work / "seen-site", key, [], witnesses, quiet=True)
    except (v.Fault, ValueError):
        continue
    assert found != theirs, f"a changed byte {at} of a kept checkpoint is not seen"
print(f"{len(theirs)} times by two witnesses, as the other reader has them")
PY
# Boards: the second reader computes every wall and salt from the secret that is shown.
printf 'base = "classic-4p"\nname = "board"\n[knobs]\nrounds = 2\ntarget = 0\n' > "$work/board.toml"
"$replay" keygen 7 --board -o "$work/board.key" > /dev/null
"$replay" simulate --mode explicit --board "$work/board.key" --ruleset "$work/board.toml" --games 3 --seed 7 --out "$work/room" > /dev/null
"$replay" audit "$work/room" --format json | sed -n 's/.*"game_id":"\([0-9a-f]*\)".*/\1 table/p' > "$work/room.txt"
board() { "$replay" publish "$@" --key "$work/key" -o "$work/board-site" > /dev/null; }
board --board "$work/board.key" --tables "$work/room.txt"
board --watch --once "$work/room"
board --reveal "$work/board.key"
board --end
python3 -B tests/interop/verify_site.py "$work/board-site" "$key"
