"""Writes what docs/API.md says of retries as cases, a line each: status number, status, reason or -, what a retry may do, and
the status with its details in base64, as grpc-status-details-bin holds it.

    cases.py API.md > CASES
"""

import base64
import re
import sys

import grpc
from google.protobuf.any_pb2 import Any
from google.rpc import error_details_pb2, status_pb2

page = open(sys.argv[1], encoding="utf-8").read()
section = page[page.index("\n## Deadlines and retries"):]
rows = dict(re.findall(r"^\| `(\w+)`[^|]*\| (again|once|resynchronise|never) \|$", section[: section.index("\n## Names and")], re.M))
assert len(rows) == 7 and "| all others | never |" in section, rows
reasons = re.findall(r"^\| ([A-Z_]+) \| `([A-Z_]+)` \|", page, re.M)
assert len(reasons) >= 26, reasons
unknown = set(rows) - {name for pair in reasons for name in pair} - {"CANCELLED"}
assert not unknown, f"the table has what is no status and no reason: {unknown}"


def details(code, reason):
    info = Any()
    info.Pack(error_details_pb2.ErrorInfo(reason=reason, domain="canasta.v1"))
    return base64.b64encode(status_pb2.Status(code=code, message="a case", details=[info]).SerializeToString()).decode()


bare = [(code.name, None) for code in grpc.StatusCode if code is not grpc.StatusCode.OK]
for status, reason in [*bare, *reasons]:
    code = grpc.StatusCode[status].value[0]
    print(code, status, reason or "-", rows.get(reason) or rows.get(status, "never"), details(code, reason) if reason else "-")
for seconds, retry in ((0.7, "after"), (20, "told")):
    delay, info = Any(), Any()
    wanted = error_details_pb2.RetryInfo()
    wanted.retry_delay.FromMilliseconds(int(seconds * 1000))
    delay.Pack(wanted)
    info.Pack(error_details_pb2.ErrorInfo(reason="OVERLOADED", domain="canasta.v1"))
    value = status_pb2.Status(code=8, message="a case", details=[info, delay]).SerializeToString()
    print(8, "RESOURCE_EXHAUSTED", "OVERLOADED", retry, base64.b64encode(value).decode())
