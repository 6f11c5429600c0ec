#!/usr/bin/env python3
"""Writes the bill of materials of a program, as CycloneDX 1.5 in JSON: every crate that is linked into it.

    deploy/sbom.py canasta-service >canasta-service.cdx.json

Reads Cargo.lock and the manifests through `cargo metadata`; nothing is built. Equal sources give equal bytes: the bill
has neither a time nor a random number.
"""

import json
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = "x86_64-unknown-linux-gnu"
# Programs that are not named as their crate.
CRATES = {"canasta-auditor": "canasta-recorder"}


def cargo(command, *arguments):
    run = subprocess.run(["cargo", command, "--locked", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return run.stdout


def main(program):
    crate = CRATES.get(program, program)
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", TARGET))
    # Only the tree knows which optional parts the program has when it is built alone.
    tree = cargo("tree", "--package", crate, "--edges", "normal", "--target", TARGET, "--prefix", "none")
    linked = {tuple(line.split()[:2]) for line in tree.splitlines()}
    packages = {package["id"]: package for package in metadata["packages"]
                if (package["name"], f"v{package['version']}") in linked}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in locked}
    assert len(packages) == len(linked), "each crate of the tree is described"

    def uses(name):
        """The crates that a crate links: not those that only its tests or its build script need."""
        of = (dependency["pkg"] for dependency in nodes[name]["deps"]
              if any(kind["kind"] is None for kind in dependency["dep_kinds"]))
        return sorted({purl(name) for name in of if name in packages})

    def purl(name):
        return f"pkg:cargo/{packages[name]['name']}@{packages[name]['version']}"

    def component(name, kind):
        package = packages[name]
        one = {"type": kind, "bom-ref": purl(name), "name": package["name"], "version": package["version"],
               "purl": purl(name)}
        checksum = checksums[package["name"], package["version"]]
        if checksum:
            one["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        if package["license"]:
            # Old manifests separate alternatives by a slash.
            one["licenses"] = [{"expression": " ".join(package["license"].replace("/", " OR ").split())}]
        return one

    ordered = sorted(packages, key=purl)
    root = next(name for name in ordered if packages[name]["name"] == crate)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(root, "application")},
        "components": [component(name, "library") for name in ordered if name != root],
        "dependencies": [{"ref": purl(name), "dependsOn": uses(name)} for name in ordered],
    }
    print(json.dumps(bill, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
