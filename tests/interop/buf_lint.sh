#!/usr/bin/env bash
# The proto files keep buf's STANDARD rules, comment everything, are formatted, and break nothing of the last release.
# Needs node and npm.
#
#   buf_lint.sh              checks
#   buf_lint.sh release      writes proto/released/canasta.v1.binpb: with a release, never to silence a check
. "$(dirname "$0")/lib.sh"
need_buf
cd "$root/proto"
released=$root/proto/released/canasta.v1.binpb
if [ "${1:-}" = release ]; then
  "$buf" build --exclude-source-info -o "$released"
  exit
fi

"$buf" lint
"$buf" format --diff --exit-code
# buf format writes each rpc on one line, however long.
if grep -rnE '.{81,}' canasta | grep -v ':  rpc '; then
  fail "lines above are longer than 80 columns"
fi

"$buf" breaking --against "$released"
# That check finds a removed method, a renumbered field and a renamed value: it would pass if the release were empty.
while read -r file edit; do
  rm -rf "$work/edited" && mkdir "$work/edited" && cp -r buf.yaml canasta "$work/edited"
  sed -i "$edit" "$work/edited/canasta/v1/$file"
  cmp -s "canasta/v1/$file" "$work/edited/canasta/v1/$file" && fail "no such line in $file: $edit"
  (cd "$work/edited" && "$buf" breaking --against "$released" >"$work/found") && fail "not found in $file: $edit"
  grep -q "$file" "$work/found" || fail "failed without a finding: $(cat "$work/found")"
done <<'edits'
game_service.proto s/^  rpc CheckAction(.*/  rpc CheckMove(CheckActionRequest) returns (CheckActionResponse) {/
game_service.proto s/^  bytes earlier_state = 14;/  bytes earlier_state = 99;/
game_service.proto s/^  DEAL_MODE_SEEDED = 1;/  DEAL_MODE_SEED = 1;/
record_service.proto s/^  rpc OpenRoom(.*/  rpc EnterRoom(OpenRoomRequest) returns (OpenRoomResponse) {/
edits
echo "proto: buf lint, format and breaking are clean; four breaking edits are found"
