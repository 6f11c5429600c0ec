#!/usr/bin/env bash
# Live games of a recorder in a tournament's tree: opened before they are dealt, fetched while they are played, closed, and a
# ruling after the end published. The recorder and the programs of the director are killed at every step between.
#   live.sh CANASTA_RECORDER CANASTA_REPLAY [nats]     nats: its journal is on three NATS servers
. "$(dirname "$0")/lib.sh"
recorder=$(realpath "$1")
replay=$(realpath "$2")
cd "$work"
command -v curl >/dev/null || apt_install curl

call() { curl -sS -H 'content-type: application/json' -d "$2" "http://$address/canasta.v1.RecordService/$1"; }
fetch() { "$replay" fetch "http://$address" -o live --label final --once "$@"; }
publish() { "$replay" publish --watch --once live --key event.key --policy policy.toml -o site | sed 's/ in open.*//'; }
journal=()
if [ "${3:-}" = nats ]; then
  need_nats
  need_python
  "$python" -B "$root/tests/interop/nats_servers.py" "$nats" "$work" >options &
  until [ -s options ]; do sleep 0.1; done
  mapfile -t journal <options
fi
start() { serve "$recorder" --data "$work/data" "${journal[@]}"; }
# again: the recorder dies and comes back.
again() { kill -9 "$pid"; wait "$pid" 2>/dev/null || true; start; }
# expect TEXT COMMAND...: runs a command, which must print this.
expect() {
  local found
  found=$("${@:2}")
  [ "$found" = "$1" ] || fail "${*:2}: expected $1, found $found"
}
act() { call Act '{"gameId": "'"$1"'", "requestId": "'"$(head -c 16 /dev/urandom | base64)"'", "proposals": [{"actor": {"role": "'"$2"'"}, "action": '"$3"'}]}'; }
ruling() { act "$1" ROLE_DIRECTOR '{"ruling": {"by": "AUTHORITY_DIRECTOR", "side": 0, "rule": "IR-033", "reason": "late", "effect": {'"$2"'}}}'; }

"$replay" keygen open-2026.example -o event.key >event.pub
printf '[tree]\nkeys = ["%s"]\nopened_before = "deal"\n' "$(cat event.pub)" | sed '1i format = "canasta-policy/1"' >policy.toml
start

# Two games wait; the third, of another event, does not concern the director.
ids=
for n in 1 2 3; do
  made=$(call Create '{"requestId": "'"$(head -c 16 /dev/urandom | base64)"'", "ruleSet": "classic-4p", "dealMode": "DEAL_MODE_COMMITTED",
    "autoTable": true, "waitsForOpening": true, "bots": [{"seat": 1}, {"seat": 2}, {"seat": 3}], "label": "'"$([ $n = 3 ] || echo final)"'"}')
  [[ $made == *'"waitsFor":"WAITS_FOR_TABLE"'* ]] || fail "the game does not wait: $made"
  ids+=" $(sed 's/.*"gameId":"\([^"]*\)".*/\1/' <<<"$made")"
done
read -r first second _ <<<"$ids"
# A link is a record; it does not keep the games from being opened before their cards.
[[ $(call Invite '{"gameId": "'"$first"'", "actor": {"seat": 0}, "expiresAtMs": "'"$(date -d '+1 day' +%s000)"'"}') == *token* ]] || fail "no link"

again
expect "fetched 4 records of 2 games, dealt 0 games" fetch --opened-in site
again
expect "fetched 0 records of 0 games, dealt 0 games" fetch --opened-in site
expect "opened 2, closed 0, 2 games in progress" publish
again
expect "fetched 0 records of 0 games, dealt 2 games" fetch --opened-in site --policy policy.toml
again
# Seat 0 plays now and then, the director's program dies in between, and once in the middle of a record.
for turn in 1 2 3 4 5 6; do
  for game in $first $second; do
    # Bots play while somebody waits for what they do: until the seat has its turn.
    for _ in $(seq 50); do
      at=$(call Watch '{"gameId": "'"$game"'", "actor": {"seat": 0}}' | sed 's/^{"logEnd":{"n":"\([0-9]*\)".*/\1/')
      action=$(call Suggest '{"gameId": "'"$game"'", "actor": {"seat": 0}}' | sed -n 's/.*"action":\(.*\)}$/\1/p')
      [ -z "$action" ] || break
      call Watch '{"gameId": "'"$game"'", "actor": {"seat": 0}, "fromN": "'"$((at + 1))"'"}' >/dev/null
    done
    [ -n "$action" ] || fail "no turn for seat 0 of $game"
    call Act '{"gameId": "'"$game"'", "requestId": "'"$(head -c 16 /dev/urandom | base64)"'", "proposals": [{"actor": {"seat": 0}, "action": '"$action"'}]}' >/dev/null
  done
  "$replay" fetch "http://$address" -o live --label final --every 1 >/dev/null 2>&1 &
  fetching=$!
  sleep "0.$turn"
  kill -9 $fetching
  wait $fetching 2>/dev/null || true
  [ $turn != 3 ] || for log in live/*.clog; do truncate -s -5 "$log"; done
  [ $turn != 5 ] || { again && publish >/dev/null; }
done
fetch >/dev/null
publish >/dev/null

# What a director without the secret has is what there is: the same again, and no secret before the end.
"$replay" fetch "http://$address" -o anew --label final --once >/dev/null
diff -r live anew || fail "the logs differ from those of one fetch"
"$replay" audit --live live >held || fail "$(cat held)"
[ "$(sed -n '1s/.* · \([0-9]*\) records.*/\1/p' held)" -ge 20 ] || fail "nobody has played: $(cat held)"

for game in $first $second; do ruling "$game" '"forfeit": {"side": 0}' >/dev/null; done
again
fetch >/dev/null
expect "opened 0, closed 2, 0 games in progress" publish
ruling "$first" '"warning": {}' >ruled
grep -q '"acted"' ruled || fail "the ruling was refused: $(cat ruled)"
again
fetch >/dev/null
expect "opened 0, closed 1, 0 games in progress" publish
expect "opened 0, closed 0, 0 games in progress" publish
"$replay" publish --end --key event.key --policy policy.toml -o site >/dev/null
"$replay" audit-tournament site --key "$(cat event.pub)" --policy policy.toml >audited || fail "$(cat audited)"
grep -q 'opened in the tree: 2 games; before the first card: 2 games' audited || fail "$(cat audited)"

# A recorder that was restored, so that it has less, and a file with other records: neither is written over.
cp live/*.clog "$work/" && cp anew/*.clog live/
for log in live/*.clog; do printf 'x' | dd of="$log" bs=1 seek=$(($(stat -c %s "$log") - 20)) conv=notrunc 2>/dev/null; done
if fetch >/dev/null 2>refused; then fail "a damaged log was accepted"; fi
[ "$(grep -c 'is damaged: move it away' refused)" = 2 ] || fail "$(cat refused)"

# A board at two tables, which the recorder deals. The players get no log before both have ended; then the walls are equal.
base64_of() { xxd -r -p <<<"$1" | base64 -w 0; }
log_of() { call GetLog '{"gameId": "'"$(base64_of "$1")"'", "actor": {"seat": 0}}'; }
"$replay" keygen 7 --board -o board.key >/dev/null
read -r _ _ id secret <board.key
printf '%s north\n' 0000000000000000000000000000000a 0000000000000000000000000000000b >room.txt
tables=$(while read -r table _; do printf '"%s",' "$(base64_of "$table")"; done <room.txt)
"$replay" publish --board board.key --tables room.txt --key event.key -o boards >/dev/null
while read -r table _; do
  made=$(call Create '{"requestId": "'"$(base64_of "$table")"'", "gameId": "'"$(base64_of "$table")"'", "ruleSet": "classic-4p",
    "dealMode": "DEAL_MODE_EXPLICIT", "autoTable": true, "waitsForOpening": true, "label": "board",
    "board": {"boardId": "'"$(base64_of "$id")"'", "secret": "'"$(base64_of "$secret")"'", "tables": ['"${tables%,}"']}}')
  [[ $made == *'"waitsFor":"WAITS_FOR_TABLE"'* ]] || fail "the board does not wait: $made"
done <room.txt
board() {
  "$replay" fetch "http://$address" -o hall --label board --once "$@" >/dev/null
  "$replay" publish --watch --once hall --key event.key -o boards | sed 's/ in open.*//'
}
expect "opened 2, closed 0, 2 games in progress" board
board --opened-in boards >/dev/null
ended=0
while read -r table _; do
  ruling "$(base64_of "$table")" '"forfeit": {"side": 0}' >/dev/null
  ended=$((ended + 1))
  [ $ended = 2 ] || [[ $(log_of "$table") != *'"frames"'* ]] || fail "a table that has ended shows the cards of the other"
  [ $ended = 2 ] || expect "opened 0, closed 0, 2 games in progress" board
done <room.txt
again
[[ $(log_of 0000000000000000000000000000000a) == *'"frames"'* ]] || fail "the log of a whole board is withheld"
expect "opened 0, closed 2, 0 games in progress" board
"$replay" publish --reveal board.key --end --key event.key -o boards >/dev/null
"$replay" audit-tournament boards --key "$(cat event.pub)" >audited || fail "$(cat audited)"
grep -q 'board: 7 · 2 tables · shown' audited || fail "$(cat audited)"
stop
echo "live: 2 games opened before their cards, closed, and one ruled after its end; a board at 2 tables; the recorder died 9 times"
