"""The Python package `canasta-client` as pip has installed it: every name can be imported.   package.py PROTO"""

import importlib
import sys
from importlib.metadata import files
from importlib.resources import files as contents
from pathlib import Path

import canasta_client

assert all(hasattr(canasta_client, name) for name in canasta_client.__all__)
protos = [path.stem for path in Path(sys.argv[1]).glob("*.proto")]
assert len(protos) >= 12, protos
for proto in protos:
    for module in (f"{proto}_pb2", f"{proto}_pb2_grpc"):
        importlib.import_module(f"canasta.v1.{module}")
    assert contents("canasta.v1").joinpath(f"{proto}_pb2.pyi").is_file(), proto
installed = {str(path) for path in files("canasta-client")}
assert {"canasta/v1/py.typed", "canasta_client/py.typed"} <= installed, installed

say = canasta_client.speaker([])
assert say("WORDING_KIND_EVENT", "new_event", {}) == ""
print(f"    {len(protos)} stubs and {len(canasta_client.__all__)} names, typed")
