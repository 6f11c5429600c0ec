#!/usr/bin/env python3
"""Changes one place of the code at a time, and runs the tests that must fail then.

    .ci/mutants.py SEED COUNT FOLDER     tries COUNT mutants of a sample; FOLDER keeps a copy of the sources and what was found

cargo-mutants lists the mutants of rules, log, audit and journal; the sample is those whose hash with the seed comes first, so the
same seed gives the same sample as long as the code stays. A mutant that does not compile is replaced by the next. What was found
is kept, so a run goes on where it was stopped, and tries again what lived. Prints the number of mutants, and of those that were
caught; ends with 1 if one lives that docs/internals/mutants.txt does not name with a reason.
"""

import functools
import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KNOWN = ROOT / "docs" / "internals" / "mutants.txt"
VERSION = "27.1.0"
SECONDS, BYTES = 600, 12 << 30

# The tests of each crate, the quickest first: a mutant is tried until one of these programs fails.
ENGINE = ("-p canasta-engine --test it", "-p canasta-rows --test engine")
RULES = ("-p canasta-rules --lib", "-p canasta-rows --test rows", *ENGINE)
TESTS = {
    "engine/rules/src": RULES,
    "engine/log/src": ("-p canasta-log --lib", *ENGINE),
    "engine/audit/src": ("-p canasta-audit --lib", *ENGINE),
    # The tests of the journal on NATS need its server: tests/interop/nats.sh.
    "service/recorder/src/journal/sqlite": ("-p canasta-recorder --lib", "-p canasta-recorder --test it"),
}


def bounded():
    """Bounds a test's memory: a loop that no longer ends must not take the machine's."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def run(tree, target, command):
    """Returns the exit code of a cargo command in the copy, or None if it took too long."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "RUST_BACKTRACE": "0"}
    environment.pop("CARGO_INCREMENTAL", None)
    child = subprocess.Popen(command.split(), cwd=tree, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=bounded)
    try:
        return child.wait(SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return None


def listed(tree):
    """Returns all mutants, as cargo-mutants describes them."""
    files = [f"-f={folder}/**" for folder in TESTS]
    output = subprocess.run(["cargo", "mutants", "--list", "--json", *files], cwd=tree, check=True, capture_output=True)
    return json.loads(output.stdout)


def changed(source, mutant):
    """Returns a source with a mutant in it. Columns are counted in characters, from 1."""
    lines = source.splitlines(keepends=True)
    start, end = mutant["span"]["start"], mutant["span"]["end"]
    before = lines[:start["line"] - 1] + [lines[start["line"] - 1][:start["column"] - 1]]
    after = [lines[end["line"] - 1][end["column"] - 1:]] + lines[end["line"]:]
    return "".join([*before, mutant["replacement"], *after])


def described(source, mutant):
    """Returns the line of a mutant in the list of those that may live: its file, what is changed, and the source's line."""
    file, what = mutant["name"].split(":", 1)[0], mutant["name"].split(": ", 1)[1]
    return " | ".join((file, what, source.splitlines()[mutant["span"]["start"]["line"] - 1].strip()))


@functools.cache
def check(tree, target, tests):
    """Ends here if tests fail without a mutant: they would seem to catch every one."""
    if run(tree, target, f"cargo test --quiet --profile mutants {tests}") != 0:
        sys.exit(f"mutants.py: {tests} fails without a mutant")


def tried(tree, target, mutant):
    """Returns what becomes of a mutant: unviable, lives, or the tests that catch it."""
    programs = next(programs for folder, programs in TESTS.items() if mutant["file"].startswith(folder))
    for tests in programs:
        check(tree, target, tests)
    file = tree / mutant["file"]
    source = file.read_text()
    file.write_text(changed(source, mutant))
    try:
        for tests in programs:
            cargo = f"cargo test --quiet --profile mutants {tests}"
            if run(tree, target, f"{cargo} --no-run") != 0:
                return "unviable"
            if run(tree, target, cargo) != 0:
                return tests
        return "lives"
    finally:
        file.write_text(source)


def main():
    seed, count, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    if subprocess.run(["cargo", "mutants", "--version"], capture_output=True).returncode:
        subprocess.run(["cargo", "install", "--locked", "cargo-mutants", "--version", VERSION], check=True)
    tree, target, found = folder / "tree", folder / "target", folder / f"{seed}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["rm", "-rf", tree], check=True)
    subprocess.run(["git", "clone", "--quiet", ROOT, tree], check=True)
    known = {line.rsplit(" | ", 1)[0] for line in KNOWN.read_text().splitlines() if not line.startswith("#")}
    results = dict(map(json.loads, found.read_text().splitlines())) if found.exists() else {}
    sample = sorted(listed(tree), key=lambda mutant: hashlib.sha256(f"{seed} {mutant['name']}".encode()).digest())
    viable = caught = unread = 0
    for mutant in sample:
        line = described((tree / mutant["file"]).read_text(), mutant)
        result = results.get(mutant["name"])
        if result is None or (result == "lives" and line not in known):
            result = tried(tree, target, mutant)
            with found.open("a") as file:
                file.write(json.dumps([mutant["name"], result]) + "\n")
        if result == "unviable":
            continue
        viable, caught = viable + 1, caught + (result != "lives")
        if result == "lives" and line not in known:
            unread += 1
            print(f"lives: {mutant['name']}\n  {line}", file=sys.stderr)
        if viable == count:
            break
    print(viable, caught)
    sys.exit(min(unread, 1))


if __name__ == "__main__":
    main()
