#!/usr/bin/env python3
"""Parts of deploy.sh.

    deploy.py DEPLOY PAGE           every alert has its section in PAGE and says so; YAML and JSON are well formed;
                                    variables that manifests set are settings that PAGE lists
    deploy.py unpack LAYOUT ROOT    lays an OCI image's layers into ROOT, and checks what it will run and as whom
    deploy.py ask ADDRESS           asks a running service for a rule
"""

import json
import pathlib
import re
import sys
import tarfile


def check(deploy, page):
    import yaml

    deploy, text = pathlib.Path(deploy), pathlib.Path(page).read_text()
    sections = set(re.findall(r"^### (Canasta\w+)$", text, re.M))
    alerts = {}
    for path in (deploy / "alerts").glob("*.yaml"):
        for group in yaml.safe_load(path.read_text())["groups"]:
            alerts.update({rule["alert"]: rule["annotations"]["runbook_url"] for rule in group["rules"]})
    assert set(alerts) == sections, (set(alerts) ^ sections, "differ between alerts and page")
    for name, runbook in alerts.items():
        assert runbook == f"docs/OPERATIONS.md#{name.lower()}", (name, runbook)
    files = [path for path in deploy.rglob("*") if path.suffix in {".yaml", ".json"}]
    for path in files:
        list(yaml.safe_load_all(path.read_text())) if path.suffix == ".yaml" else json.loads(path.read_text())
    named = set().union(*(re.findall(r"CANASTA_[A-Z_]+", path.read_text()) for path in files))
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.M))
    for variable in named:
        assert variable.removeprefix("CANASTA_").lower().replace("_", "-") in listed, variable
    print(f"pages     {len(alerts)} alerts have their sections, {len(named)} variables are settings")


def unpack(layout, root):
    layout = pathlib.Path(layout)

    def blob(digest):
        return layout / "blobs" / digest.replace(":", "/")

    index = json.loads((layout / "index.json").read_text())
    manifest = json.loads(blob(index["manifests"][0]["digest"]).read_text())
    config = json.loads(blob(manifest["config"]["digest"]).read_text())["config"]
    assert config["User"] == "65532:65532" and config["Entrypoint"] == ["/canasta-service"], config
    for layer in manifest["layers"]:
        with tarfile.open(blob(layer["digest"])) as tar:
            tar.extractall(root)


def ask(address):
    from http2 import Client, field

    assert b"CL-050" in Client(address).call("GetRule", field(1, b"CL-050"))


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    {"unpack": unpack, "ask": ask}[what](*arguments) if what in ("unpack", "ask") else check(what, *arguments)
