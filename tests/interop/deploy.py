#!/usr/bin/env python3
"""Parts of deploy.sh.

    deploy.py DEPLOY PAGES          every alert has its section in one of the PAGES and names it; YAML and JSON are well
                                    formed; variables that manifests set are settings that the PAGES list
    deploy.py selects BUILT         in what kustomize has built every selector finds the pods that it is for
    deploy.py built FOLDER          the same of FOLDER's manifests with the labels that kustomize adds, without kustomize
    deploy.py fleet FOLDER          FOLDER is an overlay with a fleet that loses nothing by its settings
    deploy.py unpack LAYOUT ROOT    lays an OCI image's layers into ROOT, and checks what it will run, as whom, and its labels
    deploy.py bill FILE LOCK        the bill of materials agrees with Cargo.lock
    deploy.py ask ADDRESS           asks a running service for a rule
"""

import json
import pathlib
import re
import sys
import tarfile


def check(deploy, *pages):
    import yaml

    deploy, texts = pathlib.Path(deploy), {page: pathlib.Path(page).read_text() for page in pages}
    sections = {}
    for page, text in texts.items():
        sections.update({name: f"{page}#{name.lower()}" for name in re.findall(r"^### (Canasta\w+)$", text, re.M)})
    alerts = {}
    for path in (deploy / "alerts").glob("*.yaml"):
        for group in yaml.safe_load(path.read_text())["groups"]:
            alerts.update({rule["alert"]: rule["annotations"]["runbook_url"] for rule in group["rules"]})
    assert alerts == sections, (set(alerts.items()) ^ set(sections.items()), "differ between alerts and pages")
    files = [path for path in deploy.rglob("*") if path.suffix in {".yaml", ".json"}]
    for path in files:
        list(yaml.safe_load_all(path.read_text())) if path.suffix == ".yaml" else json.loads(path.read_text())
    named = set().union(*(re.findall(r"CANASTA_[A-Z_]+", path.read_text()) for path in files))
    listed = set(re.findall(r"^\| `([a-z-]+)`", "\n".join(texts.values()), re.M))
    for variable in named:
        assert variable.removeprefix("CANASTA_").lower().replace("_", "-") in listed, variable
    print(f"pages     {len(alerts)} alerts have their sections, {len(named)} variables are settings")


BACK_END = {"canasta.example/back-end": "true"}


def selects(objects):
    """Every selector finds the pods of one workload: that it is for, or of the network's peers also the back ends."""
    workloads = [thing for thing in objects if thing["kind"] in ("Deployment", "StatefulSet")]
    found, peers = set(), 0

    def check(whose, selector):
        pods = [one["metadata"]["name"] for one in workloads
                if selector and selector.items() <= one["spec"]["template"]["metadata"]["labels"].items()]
        assert len(pods) == 1, f"{whose}: selects {selector}, which are the pods of {pods}"
        return pods[0]

    for thing in objects:
        kind, spec = thing["kind"], thing.get("spec", {})
        own = {"Service": ["selector"], "NetworkPolicy": ["podSelector", "matchLabels"]}
        paths = dict.fromkeys(["Deployment", "StatefulSet", "PodDisruptionBudget"], ["selector", "matchLabels"]) | own
        if kind in paths:
            selector = spec
            for step in paths[kind]:
                selector = selector[step]
            found.add((kind, check(f"{kind} {thing['metadata']['name']}", selector)))
        if kind == "NetworkPolicy":
            of = [peer for rule in spec.get("ingress", []) for peer in rule["from"]]
            # Whom nobody may call says so.
            assert of or spec.get("ingress") == [], f"{thing['metadata']['name']}: lets nobody in"
            for peer in of:
                labels = peer["podSelector"]["matchLabels"]
                labels == BACK_END or check(f"a peer of {thing['metadata']['name']}", labels)
            peers += len(of)
    print(f"selectors {len(found)} find our pods, {peers} peers are back ends or ours")


def fleet(folder):
    """The overlay keeps what it promises: three NATS servers of one version in three zones, synced, two of them always up."""
    import yaml

    folder = pathlib.Path(folder)
    files = [path for path in folder.glob("*.yaml") if path.name != "kustomization.yaml"]
    objects = [thing for path in files for thing in yaml.safe_load_all(path.read_text())]
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    assert {path.name for path in files} <= set(kustomization["resources"]), "a file is not applied"
    selects(objects)
    named = {(thing["kind"], thing["metadata"]["name"]): thing["spec"] for thing in objects}
    nats = named["StatefulSet", "nats"]
    pod = nats["template"]["spec"]
    [spread], image = pod["topologySpreadConstraints"], pod["containers"][0]["image"]
    assert nats["replicas"] == 3 and re.search(r":\d+\.\d+\.\d+$", image), (nats["replicas"], image)
    assert (spread["topologyKey"], spread["whenUnsatisfiable"]) == ("topology.kubernetes.io/zone", "DoNotSchedule"), spread
    assert named["PodDisruptionBudget", "nats"]["minAvailable"] == 2
    confs = [folder / "nats.conf", folder.parent.parent / "fleet" / "nats.conf"]
    for conf in confs:
        assert re.search(r"^  sync_interval: always$", conf.read_text(), re.M), conf
    compose = yaml.safe_load((folder.parent.parent / "compose.fleet.yaml").read_text())["services"]
    assert {compose[name]["image"] for name in ("n1", "n2", "n3")} == {image}, "two versions of NATS"
    monitors = {variable["name"]: variable.get("value", "")
                for variable in named["Deployment", "canasta-recorder"]["template"]["spec"]["containers"][0]["env"]}
    assert len(monitors["CANASTA_NATS_MONITORS"].split(",")) == nats["replicas"], "each server is asked for its settings"
    print(f"fleet     {len(objects)} objects, {image}, {len(confs)} configurations are synced")


def labelled(folder):
    """The manifests with the labels of the kustomization, put where kustomize's default field specs for labels say.

    With `includeSelectors` these are the selectors of all kinds, the peers of a NetworkPolicy among them
    (kubernetes-sigs/kustomize#5912), and the templates; with `includeTemplates` the templates."""
    import yaml

    folder = pathlib.Path(folder)
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    objects = [yaml.safe_load((folder / name).read_text()) for name in kustomization["resources"]]
    for label in kustomization["labels"]:
        pairs, selectors = label["pairs"], label.get("includeSelectors", False)

        def add(thing, *path, pairs=pairs):
            for step in path:
                thing = thing.setdefault(step, {})
            thing.update(pairs)

        for thing in objects:
            kind, spec = thing["kind"], thing.get("spec", {})
            add(thing, "metadata", "labels")
            if kind == "Deployment" and (selectors or label.get("includeTemplates", False)):
                add(spec, "template", "metadata", "labels")
            if not selectors:
                continue
            if kind in ("Deployment", "PodDisruptionBudget"):
                add(spec, "selector", "matchLabels")
            elif kind == "Service":
                add(spec, "selector")
            elif kind == "NetworkPolicy":
                add(spec, "podSelector", "matchLabels")
                peers = [peer for rule in spec.get("ingress", []) for peer in rule.get("from", [])]
                peers += [peer for rule in spec.get("egress", []) for peer in rule.get("to", [])]
                for peer in (peer for peer in peers if "podSelector" in peer):
                    add(peer, "podSelector", "matchLabels")
    return objects


def built(folder):
    selects(labelled(folder))


def kustomized(path):
    import yaml

    selects([thing for thing in yaml.safe_load_all(pathlib.Path(path).read_text()) if thing])


def unpack(layout, root):
    layout = pathlib.Path(layout)

    def blob(digest):
        return layout / "blobs" / digest.replace(":", "/")

    index = json.loads((layout / "index.json").read_text())
    manifest = json.loads(blob(index["manifests"][0]["digest"]).read_text())
    config = json.loads(blob(manifest["config"]["digest"]).read_text())["config"]
    assert config["User"] == "65532:65532" and config["Entrypoint"] == ["/canasta-service"], config
    labels = {name.removeprefix("org.opencontainers.image."): text for name, text in config["Labels"].items()}
    assert labels["title"] == "canasta-service" and labels["licenses"] == "MIT OR Apache-2.0", labels
    assert re.fullmatch(r"\d+\.\d+\.\d+", labels["version"]) and labels["description"], labels
    assert re.fullmatch(r"([0-9a-f]{40})?", labels["revision"]), labels
    for layer in manifest["layers"]:
        with tarfile.open(blob(layer["digest"])) as tar:
            tar.extractall(root)


def bill(path, lock):
    """The bill of materials has each crate once, as the lock file has it, and no edge to nowhere."""
    import tomllib

    found = json.loads(pathlib.Path(path).read_text())
    assert (found["bomFormat"], found["specVersion"], found["version"]) == ("CycloneDX", "1.5", 1)
    program, crates = found["metadata"]["component"], found["components"]
    assert program["purl"].startswith("pkg:cargo/canasta-service@") and program["type"] == "application", program
    locked = {(one["name"], one["version"]): one.get("checksum") for one in
              tomllib.loads(pathlib.Path(lock).read_text())["package"]}
    for crate in crates:
        hashes = {one["content"] for one in crate.get("hashes", [])}
        assert hashes == {locked[crate["name"], crate["version"]]} - {None}, crate
        assert crate["licenses"] and crate["purl"] == f"pkg:cargo/{crate['name']}@{crate['version']}", crate
    names = {crate["name"] for crate in crates}
    assert {"tonic", "rustls", "ring", "canasta-rules"} <= names, names
    assert not {"canasta-replay", "proptest"} & names, "what is not linked"
    refs = [crate["bom-ref"] for crate in [program, *crates]]
    edges = {one["ref"]: one["dependsOn"] for one in found["dependencies"]}
    assert len(set(refs)) == len(refs) and set(edges) == set(refs), "each crate once"
    reached, ends = {program["bom-ref"]}, [program["bom-ref"]]
    while ends:
        new = set(edges[ends.pop()]) - reached
        reached |= new
        ends += new
    assert reached == set(refs), set(refs) - reached
    print(f"bill      {len(crates)} crates, each as in the lock file and reached from the program")


def ask(address):
    from http2 import Client, field

    assert b"CL-050" in Client(address).call("GetRule", field(1, b"CL-050"))


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    parts = {"selects": kustomized, "built": built, "fleet": fleet, "unpack": unpack, "bill": bill, "ask": ask}
    parts[what](*arguments) if what in parts else check(what, *arguments)
