"""A recorder that fails as its caller asks it to: of Act, the first byte of `game_id` is the number of the case, the second how
often it fails before it answers. `seq` of the answer is the number of requests, `repeated_request` whether they were the same.

    fake.py CASES      prints its address, and serves until its input ends
"""

import base64
import sys
from concurrent import futures

import grpc
from canasta.v1 import record_service_pb2 as record

CODES = {code.value[0]: code for code in grpc.StatusCode}
cases = [line.split() for line in open(sys.argv[1], encoding="utf-8")]
seen = {}


def act(body, context):
    request = record.ActRequest.FromString(body)
    requests = seen.setdefault(request.game_id, [])
    requests.append(body)
    number, _, _, _, details = cases[request.game_id[0]]
    if len(requests) <= request.game_id[1]:
        if details != "-":
            context.set_trailing_metadata((("grpc-status-details-bin", base64.b64decode(details)),))
        context.abort(CODES[int(number)], f"attempt {len(requests)}")
    end = record.LogEnd(seq=len(requests))
    return record.ActResponse(acted=record.Acted(log_end=end, repeated_request=len(set(requests)) == 1)).SerializeToString()


server = grpc.server(futures.ThreadPoolExecutor(4))
handler = grpc.unary_unary_rpc_method_handler(act)
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("canasta.v1.RecordService", {"Act": handler}),))
port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(f"127.0.0.1:{port}", flush=True)
sys.stdin.read()
