"""How often the fairness figures of `canasta-replay stats` raise an alarm: for honest games, and for operators who choose
the deals. The rates stand in docs/STATS.md. Not part of CI: it takes minutes.

    python3 -B tests/interop/fairness.py target/debug/canasta-replay [POOL] [DIRECTORY]

POOL honest games (4,000 unless told) are dealt and played by bots. Honest tournaments of 20 games are 200 disjoint
parts of the pool. An operator of strength k deals k games for each that is played, and plays the one in which
North-South were dealt the most wild cards beyond those of East-West. Samples are drawn with a fixed seed."""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def lead(tool, log):
    """Wild cards dealt to North-South beyond those of East-West."""
    found = 0
    for line in subprocess.run([tool, "export", log], capture_output=True, text=True, check=True).stdout.splitlines():
        if '"dealt"' not in line:
            continue
        for event in json.loads(line).get("events") or []:
            if event.get("type") == "dealt":
                north, east, south, west = (sum(card[0] in "X2" for card in hand) for hand in event["hands"])
                found += north + south - east - west
    return found


def looks(tool, place, games):
    """The groups to look at in a tournament of these games."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for game in games:
        os.link(game, place / game.name)
    out = subprocess.run([tool, "stats", place, "--format", "json"], capture_output=True, text=True, check=True).stdout
    groups = json.loads(out)["rulesets"][0]["balance"]["groups"]
    return [f"{group['name']}: {group['sort']}" for group in groups if group["look"]]


def interval(found, of):
    """The 95 % interval of a rate (Wilson)."""
    z, rate = 1.96, found / of
    middle = rate + z * z / (2 * of)
    apart = z * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    return [100 * (middle + sign * apart) / (1 + z * z / of) for sign in (-1, 1)]


def report(what, found, of):
    low, high = interval(found, of)
    print(f"{what}: {found} of {of} ({100 * found / of:.1f} %, 95 % interval {low:.1f} to {high:.1f} %)", flush=True)


def main():
    tool = str(Path(sys.argv[1]).resolve())
    pool = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    work = Path(tempfile.mkdtemp(prefix="fairness-", dir=sys.argv[3] if len(sys.argv) > 3 else None))
    try:
        games = ["--games", str(pool), "--seed", "20260131", "--bots", "random"]
        subprocess.run([tool, "simulate", *games, "--out", work / "pool"], stdout=subprocess.DEVNULL, check=True)
        logs = sorted((work / "pool").glob("*.clog"))
        place = work / "tournament"
        alarms = sum(bool(looks(tool, place, logs[i * 20 : i * 20 + 20])) for i in range(pool // 20))
        report("honest tournaments of 20 games with an alarm", alarms, pool // 20)
        with ThreadPoolExecutor(2) as threads:
            leads = dict(zip(logs, threads.map(lambda log: lead(tool, log), logs)))
        draw = random.Random(20260131)
        for strength in (2, 5, 20):
            for size, times in ((20, 100), (200, 20), (2000, 1)):
                if size * strength > pool * (5 if size < 2000 else 1):
                    continue
                found = 0
                for _ in range(times):
                    chosen = set()
                    while len(chosen) < size:
                        dealt = draw.sample([log for log in logs if log not in chosen], strength)
                        chosen.add(max(dealt, key=leads.get))
                    found += any(name.endswith("wild_cards") for name in looks(tool, place, chosen))
                report(f"the best of {strength} deals, {size} games, found", found, times)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
