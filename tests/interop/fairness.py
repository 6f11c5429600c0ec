"""How often the fairness figures of `canasta-replay stats --luck` raise an alarm: for honest games, and for operators who
choose the deals. The rates stand in docs/judge/STATS.md. Not part of CI: it takes an hour.

    python3 -B tests/interop/fairness.py target/debug/canasta-replay [POOL] [DIRECTORY]

POOL honest games (6,000 unless told) are dealt and played by bots. Honest tournaments of 20 games are disjoint parts of the
pool; the first 200 are judged a second time with four of eight players drawn for each game, who so change seats, partners and
tables. An operator of strength k deals k games for each that is played, and plays the one that is best for
North-South: by the wild cards dealt to them beyond those of East-West, or by the points with which bots win the game. Samples
are drawn with a fixed seed. A deal that an operator passes over may come again, so that operators who need more deals than
the pool has are weaker here than they would be."""

import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SEED = 20260131
RESEATED = 200
PLAYERS = ("Ann", "Bob", "Cleo", "Dee", "Eve", "Fay", "Gus", "Hal")
STRENGTHS = (2, 5, 20)
# How many tournaments of how many games each operator plays.
SIZES = ((20, 50), (200, 10), (2000, 3))


def run(tool, *args):
    return subprocess.run([tool, *args], capture_output=True, text=True, check=True).stdout


def wild_lead(tool, log):
    """Wild cards dealt to North-South beyond those of East-West."""
    found = 0
    for line in run(tool, "export", log).splitlines():
        if '"dealt"' not in line:
            continue
        for event in json.loads(line).get("events") or []:
            if event.get("type") == "dealt":
                north, east, south, west = (sum(card[0] in "X2" for card in hand) for hand in event["hands"])
                found += north + south - east - west
    return found


def points_leads(tool, pool):
    """By log: the points of North-South beyond those of East-West."""
    logs = json.loads(run(tool, "audit", pool, "--format", "json"))["logs"]
    return {Path(log["path"]): log["totals"][0] - log["totals"][1] for log in logs}


def smallest(tool, work, games):
    """The smallest corrected share in a tournament of these games, by measure, and whether the tool says to look."""
    place = Path(tempfile.mkdtemp(dir=work))
    for game in games:
        os.link(game, place / game.name)
    out = run(tool, "stats", place, "--luck", "--threads", "1", "--format", "json")
    shutil.rmtree(place)
    least = {}
    groups = json.loads(out)["rulesets"][0]["balance"]["groups"]
    for group in groups:
        least.setdefault(group["sort"], group["corrected"])
    return least, any(group["look"] for group in groups)


def reseated(tool, work, games, draw):
    """The same games of other players: four of eight are drawn for each game, in any order."""
    place = Path(tempfile.mkdtemp(dir=work))
    for game in games:
        text = run(tool, "export", game, "--format", "notation")
        named = re.sub("(?m)^seats .*$", "seats " + ", ".join(draw.sample(PLAYERS, 4)), text, count=1)
        (place / "game.txt").write_text(named)
        run(tool, "import", place / "game.txt", "-o", place / game.name)
    return sorted(place.glob("*.clog"))


def honest(what, found):
    """Reports how many honest tournaments are to look at, and at other levels."""
    report(f"{what} with an alarm", sum(look for _, look in found), len(found))
    for level in (0.01, 0.02, 0.05):
        below = sum(min(least.values()) < level for least, _ in found)
        report(f"  with a corrected share below {100 * level:.0f} %", below, len(found))


def interval(found, of):
    """The 95 % interval of a rate (Wilson)."""
    z, rate = 1.96, found / of
    middle = rate + z * z / (2 * of)
    apart = z * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    return [100 * (middle + sign * apart) / (1 + z * z / of) for sign in (-1, 1)]


def report(what, found, of):
    low, high = interval(found, of)
    print(f"{what}: {found} of {of} ({100 * found / of:.1f} %, 95 % interval {low:.1f} to {high:.1f} %)", flush=True)


def chosen(draw, logs, lead, strength, size):
    """The games of an operator: each the best of `strength`."""
    played = set()
    while len(played) < size:
        dealt = draw.sample([log for log in logs if log not in played], strength)
        played.add(max(dealt, key=lead.get))
    return played


def main():
    tool = str(Path(sys.argv[1]).resolve())
    pool = int(sys.argv[2]) if len(sys.argv) > 2 else 6000
    work = Path(tempfile.mkdtemp(prefix="fairness-", dir=sys.argv[3] if len(sys.argv) > 3 else None))
    try:
        run(tool, "simulate", "--games", str(pool), "--seed", str(SEED), "--out", work / "pool")
        logs = sorted((work / "pool").glob("*.clog"))
        draw = random.Random(SEED)
        with ThreadPoolExecutor(2) as threads:
            judged = lambda games: smallest(tool, work, games)
            parts = [logs[i * 20 : i * 20 + 20] for i in range(pool // 20)]
            honest("honest tournaments of 20 games", list(threads.map(judged, parts)))
            changed = [reseated(tool, work, games, draw) for games in parts[:RESEATED]]
            honest("the same with players who change seats", list(threads.map(judged, changed)))
            wild = dict(zip(logs, threads.map(lambda log: wild_lead(tool, log), logs)))
            for name, lead in (("wild cards", wild), ("points of bots", points_leads(tool, work / "pool"))):
                for strength in STRENGTHS:
                    for size, times in SIZES:
                        sets = [chosen(draw, logs, lead, strength, size) for _ in range(times)]
                        found = list(threads.map(lambda games: smallest(tool, work, games), sets))
                        what = f"the best of {strength} by {name}, {size} games, found"
                        report(what, sum(look for _, look in found), times)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
