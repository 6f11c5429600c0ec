#!/usr/bin/env bash
# The service and the recorder by curl alone: the commands of docs/play/CURL.md as they stand there, with the answers that the
# page shows; then what is refused, and every method of docs/reference/openapi.json.
#   curl.sh CANASTA_SERVICE CANASTA_RECORDER
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
recorder=$(realpath "$2")
cd "$root"
command -v curl >/dev/null || apt_install curl

serve "$service"
of_service=$address
servers=$pid
serve "$recorder" --data "$work/data" --rooms
of_recorder=$address
servers+=" $pid"

# Blocks are indented. One of JSON is what the block before it printed, as far as ` ...`.
ran=0 compared=0 said=
while IFS= read -r -d '' block; do
  case $block in
    *--bin\ canasta-service*) address=$of_service ;;
    *--bin\ canasta-recorder*) address=$of_recorder ;;
    "{"*)
      [[ $said == *"${block% ...}"* ]] || fail "the page has $block, found $said"
      compared=$((compared + 1))
      ;;
    *)
      eval "${block//127.0.0.1:50051/\$address}" >"$work/said"
      said=$(<"$work/said")
      [[ $said != *'"code":"invalid_argument"'* || $block == *'"ruleId": 5'* ]] || fail "$block: $said"
      ran=$((ran + 1))
      ;;
  esac
done < <(awk -v RS= -v ORS='\0' '/^    / { gsub(/(^|\n)    /, "\n"); print substr($0, 2) }' docs/play/CURL.md)
[ "$ran" -ge 12 ] && [ "$compared" = 5 ] || fail "only $ran blocks ran, $compared answers were compared"
play RecordService/GetGame '{"gameId": "'"$game"'", "actor": {"seat": 0}}' >"$work/view"
grep -q '"view":{' "$work/view" || fail "the link does not show its game: $(<"$work/view")"
play RecordService/Describe '{"gameId": "'"$game"'", "actor": {"seat": 0}}' >"$work/records"
grep -q drawStock "$work/records" || fail "the move was not recorded: $(<"$work/records")"

# expect STATUS TEXT METHOD CURL_OPTION...: calls a method; the answer must have this status, and this text in its head or body.
# The header content-type is $kind.
checked=0 kind=application/json
expect() {
  local found
  found=$(curl -sS -i -o "$work/answer" -w '%{http_code}' -H "content-type: $kind" "${@:4}" "http://$address/canasta.v1.$3")
  [ "$found" = "$1" ] && grep -qF -- "$2" "$work/answer" ||
    fail "$3 ${*:4}: expected $1 and $2, found $found: $(head -c 1000 "$work/answer")"
  checked=$((checked + 1))
}
head -c 262145 /dev/zero | tr '\0' ' ' >"$work/long"
for address in "$of_service" "$of_recorder"; do
  rule=GameService/GetRule
  expect 200 '"id":"CL-014"' $rule -d '{"rule_id": "CL-014"}' --http2-prior-knowledge
  expect 200 'x-request-id: mine' $rule -d '{"ruleId": "CL-014"}' -H 'x-request-id: mine'
  expect 200 '"id":"CL-014"' $rule -d '{"ruleId": "CL-014", "notThere": [1, {"a": 2}]}'
  expect 200 '"id":"CL-014"' $rule -d '{"ruleId": "CL-014"}' -H 'connect-protocol-version: 1' -H 'connect-timeout-ms: 1000'
  expect 400 '"field":"ruleId"' $rule -d '{"ruleId": 5}'
  expect 400 'EOF while parsing' $rule -d '{"ruleId'
  expect 400 'EOF while parsing' $rule -d ''
  expect 400 '"field":"key"' $rule -d '{}'
  expect 400 connect-protocol-version $rule -d '{}' -H 'connect-protocol-version: 2'
  expect 400 connect-timeout-ms $rule -d '{}' -H 'connect-timeout-ms: soon'
  expect 400 REQUEST_TOO_LARGE $rule --data-binary "@$work/long"
  expect 400 REQUEST_TOO_LARGE $rule --data-binary "@$work/long" -H 'transfer-encoding: chunked'
  expect 501 'expected identity' $rule -d '{}' -H 'content-encoding: gzip'
  expect 403 'expected the host and the origin' $rule -d '{}' -H 'origin: https://evil.example'
  for kind in text/plain application/x-www-form-urlencoded application/proto; do
    expect 415 'expected application/json' $rule -d '{}'
  done
  kind=application/json
  # The body takes a second to come.
  { printf '{' && sleep 1; } | expect 504 '"code":"deadline_exceeded"' $rule -H 'connect-timeout-ms: 200' -X POST -T -
done
expect 501 'no such method' RecordService/Wacht -d '{}' -H "authorization: Bearer $token"
expect 400 '"field":"game_id"' RecordService/Watch -d '{}' -H "authorization: Bearer $token"
expect 401 '"code":"unauthenticated"' RecordService/Watch -d '{}'
expect 401 '"code":"unauthenticated"' RecordService/ListGames -d '{}'
expect 401 '"code":"unauthenticated"' RecordService/ListGames -d '{}' -H 'authorization: Bearer nothing'
address=$of_service
expect 501 'with gRPC or gRPC-web' GameService/Play -d '{}'
expect 501 'with gRPC or gRPC-web' AuditService/AuditLog -d '{}'
expect 501 'no such method' GameService/Nope -d '{}'
expect 501 'no such method' RecordService/ListGames -d '{}'

# Every method of the document is there.
methods=$(sed -n 's|^ *"/canasta\.v1\.\(.*\)": {$|\1|p' docs/reference/openapi.json)
for method in $methods; do
  address=$of_service
  [[ $method != RecordService/* ]] || address=$of_recorder
  found=$(curl -sS -o /dev/null -w '%{http_code} %{content_type}' -H 'content-type: application/json' \
    -H "authorization: Bearer $token" -d '{}' "http://$address/canasta.v1.$method")
  case $found in
    "200 application/json" | "400 application/json" | "403 application/json") ;;
    *) fail "$method: found $found" ;;
  esac
done
# shellcheck disable=SC2086
kill -TERM $servers && wait $servers
echo "curl: $ran blocks of the page, $compared answers as shown, $checked calls, $(wc -w <<<"$methods") methods of the document"
