#!/usr/bin/env python3
"""Makes the conformance kit, the same bytes every time.

  kit.py CANASTA_REPLAY OUT.tar.gz

Takes tests/data as it is, exports two golden games of every rule set, and has
two implementations judge mutated actions in the first of them: the engine, and
the referee in Python. Where they differ in whether an action is legal no kit is
made; where they differ in the first code (NOTES.md of the referee) the line is
left out. Python 3.11, standard library only.
"""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DATA = ROOT / "tests/data"
sys.path.insert(0, str(HERE.parent / "referee"))

import judge  # noqa: E402
import mutate  # noqa: E402
import replay  # noqa: E402
from run import codes_agree  # noqa: E402

GAMES = 2          # of every rule set
TRIED = 200        # actions in the first of them
LEFT_OUT_MAX = 20  # lines of all

# What an engine must answer alike, and what is there to read or for parts of
# an engine that no question reaches.
NORMATIVE = ("rules/", "perft/", "games/", "judged/", "foreign/", "logs/",
             "deal/")
DOCS = ("formats/CONFORMANCE.md", "formats/INTERCHANGE.md",
        "formats/NOTATION.md", "formats/TOKEN.md", "LOG_FORMAT.md",
        "DEALING.md", "RULEBOOK.md", "violations.md")


def called(program, *args, text=None):
    done = subprocess.run([program, *args], input=text, text=True,
                          capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{args}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def judged(program, log, lines):
    """Mutated actions with the codes that both implementations give."""
    tried = list(mutate.mutations(
        replay.Replay(replay.Log(lines), "none"), 1, TRIED))
    for entry in tried:
        del entry["why"]
    by_seq = {}
    for entry in tried:
        by_seq.setdefault(entry["seq"], []).append(entry)
    run = replay.Replay(replay.Log(lines), "none")

    def before(line):
        for entry in by_seq.get(line["seq"], []):
            entry["codes"], _ = judge.judge(
                run.game, entry["seat"], entry["action"])

    if run.run(before):
        sys.exit(f"{log}: the referee does not replay it: {run.found}")
    ask = [{key: entry[key] for key in ("seq", "seat", "action")}
           for entry in tried]
    answers = called(program, "judge", str(log),
                     text="".join(one_line(entry) for entry in ask))
    kept = []
    for entry, answer in zip(tried, answers.splitlines(), strict=True):
        ours = json.loads(answer)
        if bool(entry["codes"]) == ours["legal"]:
            sys.exit(f"{log}: {entry}: the engine says {ours}")
        if codes_agree(entry["codes"], ours["codes"], False):
            kept.append(entry)
    return kept, len(tried) - len(kept)


def one_line(value):
    return json.dumps(value, separators=(",", ":")) + "\n"


def contents(program):
    """Path in the kit: bytes."""
    files, left_out, tried = {}, 0, 0
    for path in sorted(DATA.rglob("*")):
        if path.is_file():
            files[str(path.relative_to(DATA))] = path.read_bytes()
    for folder in sorted((DATA / "logs/v2").iterdir()):
        for number, log in enumerate(sorted(folder.glob("*.clog"))[:GAMES]):
            lines, name = called(program, "export", str(log)), folder.name
            files[f"games/{name}-{number}.jsonl"] = lines.encode()
            if number == 0:
                kept, dropped = judged(program, log, lines)
                left_out, tried = left_out + dropped, tried + len(kept)
                files[f"judged/{name}-0.jsonl"] = "".join(
                    map(one_line, kept)).encode()
    if left_out > LEFT_OUT_MAX:
        sys.exit(f"{left_out} verdicts differ, at most {LEFT_OUT_MAX} may")
    for name in ("run.py", "cases.py"):
        files[name] = (HERE / name).read_bytes()
    for page in DOCS:
        files[page] = (ROOT / "docs" / page).read_bytes()
    for path in ROOT.glob("LICENSE-*"):
        files[path.name] = path.read_bytes()
    print(f"{tried} tried actions judged alike, {left_out} left out")
    return files


def manifest(files, version):
    entries = [{"path": path, "bytes": len(files[path]),
                "sha256": hashlib.sha256(files[path]).hexdigest(),
                "normative": path.startswith(NORMATIVE)}
               for path in sorted(files)]
    head = {"format": "canasta-conformance/1", "version": version,
            "protocol": "canasta-conform/1", "interchange": "canasta-jsonl/1",
            "log": 2, "token": 2, "files": entries}
    return (json.dumps(head, indent=1) + "\n").encode()


def archive(files, folder):
    out = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w",
                          format=tarfile.USTAR_FORMAT) as tar:
            for path in sorted(files):
                entry = tarfile.TarInfo(f"{folder}/{path}")
                entry.size = len(files[path])
                entry.mode = 0o755 if path == "run.py" else 0o644
                tar.addfile(entry, io.BytesIO(files[path]))
    return out.getvalue()


def main(program, out):
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    version = cargo["workspace"]["package"]["version"]
    files = contents(program)
    files["MANIFEST.json"] = manifest(files, version)
    packed = archive(files, f"canasta-conformance-{version}")
    Path(out).write_bytes(packed)
    print(f"{len(files)} files, {len(packed):,} bytes, "
          f"sha256 {hashlib.sha256(packed).hexdigest()}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
