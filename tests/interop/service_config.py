"""docs/service-config.json does what docs/API.md says of it, in grpcio.

  service_config.py ADDRESS CONFIG

Calls go through a door of our own that fails some of them as it is told and
passes the rest on to the running service. What the library tries again, and how
often, is counted there.
"""

import sys
import time
from concurrent import futures

import grpc

GAME, AUDIT = "canasta.v1.GameService", "canasta.v1.AuditService"
SLOW = "slow"
UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
NEVER = [grpc.StatusCode.ABORTED, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.FAILED_PRECONDITION,
         grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.INTERNAL,
         grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.PERMISSION_DENIED]


def as_is(data):
    return data


class Door:
    """Fails the first calls with the given statuses, then passes on."""

    def __init__(self, service, failures):
        self.service, self.failures = service, list(failures)
        self.attempts = 0
        self.server = grpc.server(futures.ThreadPoolExecutor(4))
        self.server.add_generic_rpc_handlers((Handler(self),))
        self.port = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()

    def call(self, method, requests, context):
        self.attempts += 1
        failure = self.failures.pop(0) if self.failures else None
        if failure == SLOW:
            time.sleep(3)
        elif failure:
            context.abort(failure, "told to fail")
        call = self.service.stream_stream(method, as_is, as_is)
        try:
            yield from call(requests, timeout=20)
        except grpc.RpcError as error:
            context.abort(error.code(), error.details())


class Handler(grpc.GenericRpcHandler):
    """Any method, as streams of bytes."""

    def __init__(self, door):
        self.door = door

    def service(self, details):
        def call(requests, context):
            return self.door.call(details.method, requests, context)

        return grpc.stream_stream_rpc_method_handler(call, as_is, as_is)


class Tried:
    """One client of its own, on a door of its own: the library keeps count of
    failures for each target."""

    def __init__(self, address, config, failures=()):
        self.service = grpc.insecure_channel(address)
        self.door = Door(self.service, failures)
        self.channel = grpc.insecure_channel(
            f"127.0.0.1:{self.door.port}",
            options=[("grpc.service_config", config)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()
        self.door.server.stop(None)
        self.service.close()

    def unary(self, method, request=b"", service=GAME):
        """The answer, or the status."""
        call = self.channel.unary_unary(f"/{service}/{method}", as_is, as_is)
        try:
            return call(request, timeout=2)
        except grpc.RpcError as error:
            return error.code()


def same(what, expected, found):
    if expected != found:
        sys.exit(f"{what}: expected {expected}, found {found}")


def main(address, path):
    with open(path, encoding="utf-8") as file:
        config = file.read()
    rules = "classic-4p".encode()
    get_rule_set = b"\x0a" + bytes([len(rules)]) + rules

    with Tried(address, config, [UNAVAILABLE] * 3) as tried:
        answer = tried.unary("GetRuleSet", get_rule_set)
        same("an answer after three failures", True, rules in answer)
        same("attempts", 4, tried.door.attempts)

    with Tried(address, config, [UNAVAILABLE, SLOW]) as tried:
        began = time.monotonic()
        same("a slow answer", grpc.StatusCode.DEADLINE_EXCEEDED,
             tried.unary("GetRuleSet", get_rule_set))
        took = time.monotonic() - began
        same(f"2 s for all attempts ({took:.1f} s)", True, 1.9 < took < 2.9)
        same("attempts", 2, tried.door.attempts)

    with Tried(address, config, [UNAVAILABLE] * 5) as tried:
        same("four failures", UNAVAILABLE, tried.unary("ListRuleSets"))
        same("attempts", 4, tried.door.attempts)

    for status in NEVER:
        with Tried(address, config, [status]) as tried:
            same(f"{status}", status, tried.unary("ListRuleSets"))
            same(f"attempts after {status}", 1, tried.door.attempts)

    with Tried(address, config, [UNAVAILABLE] * 40) as tried:
        while tried.door.attempts < 20:
            tried.unary("ListRuleSets")
        before = tried.door.attempts
        tried.unary("ListRuleSets")
        same("attempts where most calls fail", 1, tried.door.attempts - before)

    with Tried(address, config, [UNAVAILABLE]) as tried:
        call = tried.channel.stream_stream(f"/{GAME}/Play", as_is, as_is)
        try:
            list(call(iter([b""])))
            sys.exit("Play: expected a failure")
        except grpc.RpcError as error:
            same("Play", UNAVAILABLE, error.code())
        same("attempts of Play", 1, tried.door.attempts)

    with Tried(address, config, [SLOW]) as tried:
        call = tried.channel.stream_stream(f"/{GAME}/Play", as_is, as_is)
        try:
            list(call(iter([b""])))
            sys.exit("Play: expected the refusal of an empty message")
        except grpc.RpcError as error:
            same("Play after 3 s", grpc.StatusCode.INVALID_ARGUMENT,
                 error.code())

    with Tried(address, config, [UNAVAILABLE]) as tried:
        call = tried.channel.stream_unary(f"/{AUDIT}/AuditLog", as_is, as_is)
        # as the table; then a file that is no log.
        question = bytes.fromhex("0a040a021001")
        report = call(iter([question, b"\x12\x05hello"]), timeout=30)
        same("a report after a failure", True, len(report) > 2)
        same("attempts of AuditLog", 2, tried.door.attempts)
    print("service config: retries, throttling and deadlines are as described")


if __name__ == "__main__":
    main(*sys.argv[1:])
