#!/usr/bin/env python3
"""Asserts that an audit with two threads is at least 1.85 times as fast as one with one thread.

    tests/interop/audit_threads.py PATH/TO/canasta-replay [GAMES [REPEATS]]

GAMES games are simulated (4,000 unless told). Two audits at once, of one thread each, show what the processors carry at
most: virtual ones share more than memory. Where that is less than 1.95 times, 95 % of it are asked. Medians of REPEATS
rounds (7 unless told), in which all three take turns. Other load on the machine spoils the figures.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

LEAST = 1.85
OF_CEILING = 0.95


def seconds(*commands):
    """Runs the commands at once. Returns the time of all, and their processor time."""
    begun, before = time.monotonic(), os.times()
    for process in [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]:
        assert process.wait() == 0, f"{process.args}: exit code {process.returncode}"
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - begun, used


def main():
    replay = os.path.abspath(sys.argv[1])
    games, repeats = (int(sys.argv[at]) if len(sys.argv) > at else default for at, default in ((2, 4000), (3, 7)))
    with tempfile.TemporaryDirectory() as place:
        simulate = [replay, "simulate", "--ruleset", "classic-4p", "--games", str(games), "--seed", "1"]
        subprocess.run([*simulate, "--out", place], check=True, stdout=subprocess.DEVNULL)
        one, two = ([replay, "audit", place, "--threads", threads] for threads in "12")
        seconds(one)  # from here on the logs are in memory
        rounds = [(seconds(one), seconds(two), seconds(one, one)) for _ in range(repeats)]
    times = [[took for took, _ in kind] for kind in zip(*rounds)]
    cpu = [statistics.median(used for _, used in kind) for kind in zip(*rounds)]
    gained = statistics.median(alone / both for alone, both in zip(times[0], times[1]))
    ceiling = statistics.median(2 * alone / both for alone, both in zip(times[0], times[2]))
    print(f"{games} games: {statistics.median(times[0]):.2f} s with one thread, {statistics.median(times[1]):.2f} with two")
    print(f"{gained:.2f} times as fast with two threads; two audits at once do {ceiling:.2f} times the work of one")
    print(f"processor time: {cpu[0]:.2f} s with one thread, {cpu[1]:.2f} with two; load {os.getloadavg()[0]:.1f}")
    least = min(LEAST, OF_CEILING * ceiling)
    assert gained >= least, f"expected at least {least:.2f}"


if __name__ == "__main__":
    main()
