#!/usr/bin/env bash
# Makes the pictures of README and docs/ anew: the table, the table on a phone, a report, and the demo in a terminal.
# Needs node and npm; installs what tests/interop/web.sh installs.
#   pictures.sh CANASTA_SERVICE CANASTA_REPLAY DEMO      DEMO: the example of the service
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1")
replay=$(realpath "$2")
demo=$(realpath "$3")
cd "$root"
need_web
need_chromium
cp tests/interop/web/*.mjs "$tools/web/"
serve "$service"
(cd "$work" && "$demo" >demo.txt 2>&1 && "$replay" report demo.clog -o report.html >/dev/null)
mkdir -p docs/pictures
node "$tools/web/pictures.mjs" "http://$address" "$work" docs/pictures
