# What .ci/run and .ci/nightly share: named steps, some at a time, each with its output in one piece and its seconds.

# The crates that are not published.
applications="--exclude canasta-service --exclude canasta-replay --exclude canasta-recorder --exclude canasta-tests --exclude canasta-messages --exclude canasta-serve"
at_once=${CANASTA_AT_ONCE:-2}
work=$(mktemp -d)
trap finish EXIT

# step NAME COMMAND...: runs a command beside others, and prints what it wrote when it has ended.
step() {
  while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n || true; done
  run_step "$@" &
}

run_step() {
  local name=$1 began=$SECONDS status=0 out
  out=$(mktemp "$work/step-XXXXXX")
  "${@:2}" >"$out" 2>&1 </dev/null || status=$?
  {
    flock 9
    printf '\n== %s (%s s, exit code %s)\n' "$name" $((SECONDS - began)) "$status"
    cat "$out"
    printf '%6s s  %s\n' $((SECONDS - began)) "$name" >>"$work/seconds"
    [ "$status" = 0 ] || echo "$name" >>"$work/failed"
  } 9>"$work/lock"
}

# together: waits for all steps, and ends here if one of them has failed.
together() {
  wait
  [ ! -e "$work/failed" ] || exit 1
}

# Prints the seconds of each step and the names of the steps that failed.
finish() {
  local status=$?
  wait
  printf '\n== seconds\n'
  sort -rn "$work/seconds"
  printf '%6s s  in all\n' "$SECONDS"
  if [ -e "$work/failed" ]; then
    printf '\nfailed:\n'
    sed 's/^/  /' "$work/failed"
    status=1
  fi
  rm -rf "$work"
  exit "$status"
}
