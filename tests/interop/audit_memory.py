#!/usr/bin/env python3
"""Asserts how much memory many logs take: an audit in each format, pack and unpack at most 48 MiB and 40 bytes per log.

    tests/interop/audit_memory.py PATH/TO/canasta-replay [LOGS]

LOGS games of one round each are simulated (100,000 unless told). The peak is that of resident memory, as the system
counts it.
"""

import os
import subprocess
import sys
import tempfile

BASE = 48 << 20
PER_LOG = 40
RULES = 'base = "classic-4p"\nname = "one"\n[knobs]\ntarget = 0\nrounds = 1\n'


def peak(command):
    """Runs the command, and returns its peak of resident memory in bytes."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{command}: exit code {process.returncode}"
    return usage.ru_maxrss * 1024


def main():
    replay = os.path.abspath(sys.argv[1])
    logs = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as place:
        rules, games = os.path.join(place, "rules.toml"), os.path.join(place, "games")
        with open(rules, "w", encoding="utf-8") as file:
            file.write(RULES)
        simulate = [replay, "simulate", "--ruleset", rules, "--games", str(logs), "--seed", "1", "--out", games]
        subprocess.run(simulate, check=True, stdout=subprocess.DEVNULL)
        limit = BASE + PER_LOG * logs
        audit = [replay, "audit", games, "--standings", "--format"]
        packed, unpacked = os.path.join(place, "packed"), os.path.join(place, "unpacked")
        commands = {form: [*audit, form] for form in ("text", "json", "jsonl")}
        commands["pack"] = [replay, "pack", games, "--out", packed]
        commands["unpack"] = [replay, "unpack", packed, "--out", unpacked]
        for name, command in commands.items():
            found = peak(command)
            print(f"{name}: {found / (1 << 20):.1f} MiB for {logs} logs, at most {limit / (1 << 20):.1f}")
            assert found <= limit, f"{name}: {found} bytes, expected at most {limit}"


if __name__ == "__main__":
    main()
