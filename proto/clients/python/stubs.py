"""Generates the stubs `canasta.v1` into the wheel, and nothing into this folder."""

import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Stubs(BuildHookInterface):
    def initialize(self, version, build_data):
        self.made = Path(tempfile.mkdtemp())
        if self.target_name != "wheel":
            return
        # A source distribution has the proto files beside this file.
        own = Path(self.root, "proto")
        proto = own if own.exists() else Path(self.root, "../..").resolve()
        sources = sorted(str(path) for path in proto.glob("canasta/v1/*.proto"))
        roots = [f"-I{proto}", f"-I{files('grpc_tools') / '_proto'}"]
        outputs = [f"--{kind}_out={self.made}" for kind in ("python", "pyi", "grpc_python")]
        if protoc.main(["protoc", *roots, *outputs, *sources]) != 0:
            raise RuntimeError(f"the stubs cannot be made of {proto}")
        (self.made / "canasta/v1/py.typed").touch()
        build_data["force_include"][str(self.made / "canasta")] = "canasta"

    def finalize(self, version, build_data, artifact_path):
        shutil.rmtree(self.made)
