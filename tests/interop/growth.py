#!/usr/bin/env python3
"""Asserts that the cost of an audit grows with its work and no faster: instructions per action for logs of 10^2 to 10^5
records, and instructions per log for 1 to 10^4 logs.

    tests/interop/growth.py PATH/TO/canasta-replay [LOGS]

LOGS is the highest number of logs (10,000 unless told). Instructions in user space are counted by valgrind, so that other
load on the machine does not matter. The marginal cost is compared: what a longer log costs more than a shorter one, per
action that it has more. So the start of the program and of a log do not count.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

# The longest step may cost at most so much more per unit than the cheapest one. Games differ by a few percent.
GROWTH = 1.1
# Points at which the games end, and so about 10^2, 10^3, 10^4 and 10^5 records.
TARGETS = (0, 8_000, 80_000, 800_000)


def instructions(replay, paths):
    """Returns the instructions of an audit, and the number of actions in the logs."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    audit = [replay, "audit", "--threads", "1", "--format", "json", *paths]
    done = subprocess.run(valgrind + audit, capture_output=True, text=True, check=True)
    count = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr).group(1)
    return int(count.replace(",", "")), json.loads(done.stdout)["counts"]["actions"]


def simulate(replay, place, name, target, games):
    """Simulates games that end at a number of points, or after one round, and returns the paths of their logs."""
    rules, out = os.path.join(place, name + ".toml"), os.path.join(place, name)
    knobs = f"target = {target}" if target else "target = 0\nrounds = 1"
    with open(rules, "w", encoding="utf-8") as file:
        file.write(f'base = "classic-4p"\nname = "{name}"\n[knobs]\n{knobs}\n')
    options = ["--ruleset", rules, "--games", str(games), "--seed", "1", "--rounds", "10000", "--out", out]
    subprocess.run([replay, "simulate", *options], check=True, stdout=subprocess.DEVNULL)
    return [os.path.join(out, log) for log in sorted(os.listdir(out)) if log.endswith(".clog")]


def check(name, points):
    """Compares the marginal costs between points of (units, instructions)."""
    costs = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(points, points[1:])]
    for (units, _), cost in zip(points[1:], costs):
        print(f"up to {units} {name}: {cost:,.0f} instructions each")
    assert max(costs) <= GROWTH * min(costs), f"{name}: the cost grows"


def main():
    replay = os.path.abspath(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory() as place:
        long = [simulate(replay, place, f"to-{target}", target, 1) for target in TARGETS]
        points = [instructions(replay, paths) for paths in long]
        check("actions of one log", [(actions, count) for count, actions in points])
        logs = simulate(replay, place, "logs", 0, most)
        counts = [10**power for power in range(5) if 10**power <= most]
        check("logs", [(count, instructions(replay, logs[:count])[0]) for count in counts])


if __name__ == "__main__":
    main()
