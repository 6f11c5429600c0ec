#!/usr/bin/env python3
"""Writes what a release was made of, as an in-toto statement with SLSA provenance 1.0.

    deploy/provenance.py FOLDER VERSION TARGET...

The subjects are the files of FOLDER. Nothing is taken from the clock or the machine but the versions of its compilers, so equal
commits and compilers give equal bytes.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What the bytes depend on beside the commit.
TOOLS = (["rustc", "--version"], ["cc", "--version"], ["javac", "-version"], ["python3", "--version"], ["node", "--version"])
LOCKS = ("Cargo.lock", "engine/wasm/Cargo.lock", "proto/clients/typescript/package-lock.json", "tests/interop/requirements.txt")


def said(*command):
    run = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.stdout.splitlines()[0]


def digest(path):
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def main(folder, version, *targets):
    folder = pathlib.Path(folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    name = lambda path: path.relative_to(folder).as_posix()
    commit = {"uri": "git+canasta", "digest": {"gitCommit": said("git", "rev-parse", "HEAD")}}
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name(path), "digest": digest(path)} for path in files],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "canasta/deploy/release.sh",
                "externalParameters": {"version": version, "targets": list(targets)},
                "internalParameters": {"tools": {command[0]: said(*command) for command in TOOLS}},
                "resolvedDependencies": [commit] + [{"uri": lock, "digest": digest(ROOT / lock)} for lock in LOCKS],
            },
            "runDetails": {"builder": {"id": "canasta/deploy/release.sh"}},
        },
    }
    print(json.dumps(statement, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
