#!/usr/bin/env bash
# A proof in one file: a second verifier reads its block of data, and the page checks itself in a real browser. Needs
# python3, and installs Chromium where it is missing.
#   proof.sh CANASTA_REPLAY
. "$(dirname "$0")/lib.sh"
replay=$(realpath "$1")
cd "$root"
need_chromium
pictures=${CANASTA_PICTURES:-$tools/proof}
mkdir -p "$pictures"
"$replay" simulate --bots random --mode committed --games 5 --seed 12 --out "$work/games" > /dev/null
"$replay" keygen open.example -o "$work/key" > "$work/pub"
"$replay" keygen w.example --witness -o "$work/w.key" > "$work/w.pub"
"$replay" publish "$work/games" --key "$work/key" -o "$work/site" > /dev/null
"$replay" witness "$work/site" --state "$work/w.json" --key "$work/w.key" --log "$(cat "$work/pub")" >> "$work/site/checkpoint"
printf 'format = "canasta-policy/1"\n[tree]\nkeys = ["%s"]\n[witnesses]\nkeys = ["%s"]\n' \
  "$(cat "$work/pub")" "$(cat "$work/w.pub")" > "$work/policy.toml"
"$replay" sign "$work/games/game-000003.clog" --key "$work/key" > /dev/null
"$replay" prove "$work/games/game-000003.clog" --site "$work/site" --policy "$work/policy.toml" -o "$work/game.proof.html"
"$replay" prove "$work/games/game-000001.clog" -o "$work/chain.proof.html"
"$replay" verify-proof "$work/game.proof.html" --key "$(cat "$work/pub")" --witness "$(cat "$work/w.pub")"
python3 -B tests/interop/verify_site.py --proof "$work/game.proof.html" "$(cat "$work/pub")"
python3 -B tests/interop/proof_page.py "$work" "$(cat "$work/pub")" "$pictures"
