#!/usr/bin/env python3
"""Runs the benches of engine/benches: of two revisions in turns, or of this tree for the table in docs/internals/SPEED.md.

  bench_pairs.py BASE HEAD [TEXT...] [--bench NAME] [--pairs N] [--quick]
  bench_pairs.py --table [TEXT...] [--quick]
  bench_pairs.py --instructions [TEXT...]
  bench_pairs.py --peers [--pairs N] [--quick]

The first form measures BASE, HEAD, BASE, HEAD and so on, and compares each HEAD with the BASE before it, so that load
on the machine hits both alike. A revision is anything that git knows, or `.` for this tree as it is. The trees and what is
built of them stay in ~/.cache/canasta-bench, or in CANASTA_BENCH. `--instructions` counts the instructions per action
of random play in every rule set with callgrind, which needs valgrind. Only lines whose id contains a TEXT are run.
`--peers` measures random play of other engines and of this one in turns, and writes the result into docs/internals/SPEED.md; it
installs OpenSpiel into a virtual environment.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("CANASTA_BENCH", pathlib.Path.home() / ".cache" / "canasta-bench"))
PAGE = ROOT / "docs/internals/SPEED.md"
BENCHES = ["play", "token", "archive"]
MARK, END = "<!-- written by bench_pairs.py {} -->\n", "<!-- end of what is written -->\n"
# Games of a playout under callgrind, which is some fifty times slower.
GAMES = "40"
OPEN_SPIEL = "open_spiel==2.0.2"
PEERS = ["hearts", "crazy_eights"]
# One line of an engine of OpenSpiel: ns of the thread's CPU time per action of a player, deals included, by uniform random
# bots in C++. Each game is another one.
PEER = """
import sys, time, pyspiel
game = pyspiel.load_game(sys.argv[1])
bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
spent = count = 0
for number in range(int(sys.argv[2])):
    state = game.new_initial_state()
    began = time.thread_time_ns()
    pyspiel.evaluate_bots(state, bots, number)
    spent += time.thread_time_ns() - began
    count += sum(one.player >= 0 for one in state.full_history())
print(spent / count)
"""


def output(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def git(*words):
    return output("git", "-C", str(ROOT), *words).strip()


class Tree:
    """The sources of a revision, and its benches."""

    def __init__(self, revision):
        named = "HEAD" if revision == "." else revision
        self.commit = git("rev-parse", "--short=12", "--verify", named + "^{commit}")
        self.folder, self.environment = ROOT, dict(os.environ)
        if revision != ".":
            self.folder = CACHE / self.commit
            if not self.folder.exists():
                git("worktree", "prune")
                git("worktree", "add", "--quiet", "--detach", str(self.folder), self.commit)
            self.environment["CARGO_TARGET_DIR"] = str(self.folder / "target")
        elif git("status", "--porcelain"):
            self.commit += "+"
        if not (self.folder / "engine" / "benches" / "support").exists():
            sys.exit(f"{revision}: the benches of this revision write no canasta-bench/1")

    def build(self, benches):
        """Builds the benches. Returns their programs by name."""
        wanted = [word for bench in benches for word in ("--bench", bench)]
        command = ["cargo", "bench", "-p", "canasta-engine", *wanted, "--no-run", "--message-format=json"]
        said = output(*command, cwd=self.folder, env=self.environment)
        built = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        programs = {one["target"]["name"]: one["executable"] for one in built if one.get("executable")}
        return {bench: programs[bench] for bench in benches}

    def run(self, program, arguments):
        """Runs a bench. Returns what it writes as JSON; nothing if it has no line with such an id."""
        rustc = output("rustc", "--version", cwd=self.folder).split()[1]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.json")
            facts = ["--commit", self.commit, "--rustc", rustc]
            command = [program, "--bench", "--json", file, *facts, *arguments]
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode and "no line has such an id" not in ran.stderr:
                sys.exit(f"{program}: {ran.stderr}")
            return json.loads(file.read_text()) if file.exists() else None


def compare(base, head, options):
    trees = [Tree(base), Tree(head)]
    benches = [options.bench] if options.bench else BENCHES
    programs = [tree.build(benches) for tree in trees]
    arguments = options.texts + ["--quick"] * options.quick
    for bench in benches:
        medians, units = {}, {}
        for _ in range(options.pairs):
            for side in (0, 1):
                run = trees[side].run(programs[side][bench], arguments)
                for line in run["lines"] if run else []:
                    medians.setdefault(line["id"], ([], []))[side].append(line["median"])
                    units[line["id"]] = line["unit"]
        if medians:
            print(f"{bench}, {options.pairs} pairs: {trees[0].commit} and {trees[1].commit}")
        for name, (old, new) in medians.items():
            ratios = [b / a for a, b in zip(old, new)]
            if ratios:
                middle = f"{statistics.median(old):10.3f} {statistics.median(new):10.3f} {units[name]:2}"
                extremes = f"({min(ratios):.3f} to {max(ratios):.3f})"
                print(f"{name:44} {middle}  {statistics.median(ratios):6.3f} {extremes}")


def instructions(tree, program, texts):
    """Returns the instructions per action of each playout: of three passes without those of one."""
    counted = {}
    for line in tree.run(program, ["playout", "--quick"])["lines"]:
        name, runs = line["id"], []
        if texts and not any(text in name for text in texts):
            continue
        for passes in ("1", "3"):
            command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "--bench"]
            command += ["--once", name, passes, "--games", GAMES]
            ran = subprocess.run(command, check=True, capture_output=True, text=True)
            collected = re.search(r"Collected : (\d+)", ran.stderr)
            runs.append((int(collected.group(1)), int(ran.stdout.split()[0])))
        (first, one), (third, three) = runs
        counted[name] = (third - first) / (three - one)
    return counted


def times(lines, counted):
    """Writes the rows of play and token."""
    yield "| line | median | extremes | per second | instructions |\n|---|---:|---:|---:|---:|\n"
    for line in lines:
        is_time = line["unit"] == "ns"
        rate = f"{1000 / line['median']:.3f} M" if is_time else ""
        count = f"{counted[line['id']]:,.0f}" if line["id"] in counted else ""
        cells = [f"{line[key]:,.1f}" for key in ("median", "min", "max")]
        yield f"| `{line['id']}` | {cells[0]} {line['unit']} | {cells[1]} to {cells[2]} | {rate} | {count} |\n"


def archives(lines):
    """Writes a row per rule set of the bench archive."""
    median = {line["id"]: line["median"] for line in lines}
    columns = ["pack", "unpack", "audit"]
    sizes = ["play", "ids", "others", "container", "file"]
    columns += [f"{players}.{size}" for players in ("bots", "mixed") for size in sizes]
    yield "| rule set | " + " | ".join(columns).replace(".", " ") + " |\n|---|" + "---:|" * len(columns) + "\n"
    for preset in dict.fromkeys(name.split(".")[0] for name in median):
        values = [median.get(f"{preset}.{column}") for column in columns]
        digits = [0] * 3 + [3] * (len(columns) - 3)
        cells = ["" if value is None else f"{value:,.{digit}f}" for value, digit in zip(values, digits)]
        yield f"| {preset} | " + " | ".join(cells) + " |\n"


def table(options):
    tree = Tree(".")
    programs = tree.build(BENCHES)
    arguments = options.texts + ["--quick"] * options.quick
    runs = {bench: tree.run(program, arguments) for bench, program in programs.items()}
    runs = {bench: run for bench, run in runs.items() if run}
    counted = instructions(tree, programs["play"], options.texts)
    machine = next(iter(runs.values()))["machine"]
    load = max(run["machine"]["load"] for run in runs.values())
    # The bench itself is a load of 1.
    remark = "; the machine was busy: measure again before you rely on these times" if load > 1.5 else ""
    remark += "; a quick run, which proves nothing" if options.quick else ""
    facts = [
        f"Commit {tree.commit}, {datetime.date.today()}, rustc {machine['rustc']}, {machine['cores']} cores of",
        f"\"{machine['cpu']}\" with {', '.join(machine['flags'])}; load {load:.1f}{remark}.",
    ]
    text = " ".join(facts) + "\n\n"
    lines = [line for bench in ("play", "token") if bench in runs for line in runs[bench]["lines"]]
    text += "".join(times(lines, counted))
    if "archive" in runs:
        text += "\nArchives: ns per action, then bytes per action.\n\n" + "".join(archives(runs["archive"]["lines"]))
    write_page("--table", text)


def write_page(option, text):
    """Writes the text into the page, in the place of what the option wrote before."""
    page, mark = PAGE.read_text(encoding="utf-8"), MARK.format(option)
    before, rest = page.split(mark)
    PAGE.write_text(before + mark + "\n" + text + "\n" + END + rest.split(END, 1)[1], encoding="utf-8")
    print(text)


def peers(options):
    """Measures random play of other engines and of this one in turns."""
    tree, folder = Tree("."), CACHE / "peers"
    program, python = tree.build(["play"])["play"], folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", OPEN_SPIEL], check=True)
    games, ours = ("100", ["--quick"]) if options.quick else ("20000", [])
    rounds = []
    for _ in range(options.pairs):
        took = [float(output(python, "-c", PEER, peer, games)) for peer in PEERS]
        run = tree.run(program, ["playout.classic-4p", *ours])
        rounds.append((*took, run["lines"][0]["median"]))
        print(" ".join(f"{name} {ns:.0f} ns" for name, ns in zip([*PEERS, "classic-4p"], rounds[-1])), flush=True)
    machine, middle = run["machine"], [statistics.median(column) for column in zip(*rounds)]
    text = f"Commit {tree.commit}, {datetime.date.today()}, on \"{machine['cpu']}\", {options.pairs} rounds in turns; "
    text += f"load {machine['load']:.1f}.\n\n| random play | ns per action | beside classic-4p |\n|---|---:|---:|\n"
    for place, name in enumerate(PEERS):
        ratios = [one[place] / one[-1] for one in rounds]
        extremes = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        text += f"| {name} of OpenSpiel | {middle[place]:.0f} | {extremes} |\n"
    write_page("--peers", text + f"| classic-4p | {middle[-1]:.0f} | 1 |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    parser.add_argument("--bench", choices=BENCHES)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_intermixed_args()
    if options.table:
        table(options)
    elif options.peers:
        peers(options)
    elif options.instructions:
        tree = Tree(".")
        for name, count in instructions(tree, tree.build(["play"])["play"], options.texts).items():
            print(f"{name:44} {count:10,.0f} instructions per action")
    elif len(options.texts) < 2:
        parser.error("expected two revisions, --table, --instructions or --peers")
    else:
        base, head, *options.texts = options.texts
        compare(base, head, options)


if __name__ == "__main__":
    main()
