#!/usr/bin/env bash
# Servers are replaced behind nginx and HAProxy, and no call of clients that try nothing again fails. Needs python3 with venv,
# and as root apt for nginx and HAProxy.
#
#   rolling.sh CANASTA_SERVICE CANASTA_RECORDER
. "$(dirname "$0")/lib.sh"
service=$(realpath "$1") recorder=$(realpath "$2")
need_python
need_nats
if ! command -v nginx >/dev/null || ! command -v haproxy >/dev/null; then apt_install nginx-light haproxy; fi
"$python" -B "$root/tests/interop/rolling.py" "$(command -v nginx || echo /usr/sbin/nginx)" \
  "$(command -v haproxy || echo /usr/sbin/haproxy)" "$nats" "$service" "$recorder" "$work"
