#!/usr/bin/env python3
"""A collector that is not ours (grpcio and the protocol's own package) takes what a played game sends.

Plays a whole game against the given program with everything switched on: traces, metrics, a line for every request.
Then looks for what must be there (names, counts that agree with the client's own, the caller's trace), for what must
not (states, secrets, cards, anything outside closed lists), and checks that dashboards and alerts name metrics that
exist. Then come two collectors that are no good, and a caller that asks for every request to be traced.

    telemetry.py CANASTA_SERVICE CANASTA_RECORDER DEPLOY FOLDER
"""

import base64
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent import futures

import grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

import grpc_client

TRACE_ID, PARENT_ID = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
CODES = {
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}
# OpenTelemetry's semantic conventions for gRPC, "Server": the codes that are errors of a span.
SERVERS_FAULTS = {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}


class Collector:
    """Keeps all that it is sent."""

    def __init__(self):
        self.lock, self.spans, self.metrics, self.resources, self.raw = threading.Lock(), [], {}, [], []
        self.server = grpc.server(futures.ThreadPoolExecutor(4))
        trace_service_pb2_grpc.add_TraceServiceServicer_to_server(self.Traces(self), self.server)
        metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(self.Metrics(self), self.server)
        self.port = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()

    class Traces(trace_service_pb2_grpc.TraceServiceServicer):
        def __init__(self, collector):
            self.collector = collector

        def Export(self, request, context):
            with self.collector.lock:
                self.collector.raw.append(request.SerializeToString())
                for one in request.resource_spans:
                    self.collector.resources.append(attributes(one.resource.attributes))
                    self.collector.spans += [span for scope in one.scope_spans for span in scope.spans]
            return trace_service_pb2.ExportTraceServiceResponse()

    class Metrics(metrics_service_pb2_grpc.MetricsServiceServicer):
        def __init__(self, collector):
            self.collector = collector

        def Export(self, request, context):
            with self.collector.lock:
                self.collector.raw.append(request.SerializeToString())
                for one in request.resource_metrics:
                    self.collector.resources.append(attributes(one.resource.attributes))
                    # Cumulative: the last says it all.
                    self.collector.metrics.update({m.name: m for scope in one.scope_metrics for m in scope.metrics})
            return metrics_service_pb2.ExportMetricsServiceResponse()


def attributes(pairs):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}


def points(metric):
    """Of each point: its attributes, and its value or count."""
    data = getattr(metric, metric.WhichOneof("data"))
    for point in data.data_points:
        value = point.count if hasattr(point, "count") else getattr(point, point.WhichOneof("value"))
        yield attributes(point.attributes), value


def prometheus(metric):
    """The names that the collector's Prometheus exporter gives a metric."""
    kind = metric.WhichOneof("data")
    name = metric.name.replace(".", "_")
    unit = {"s": "_seconds", "By": "_bytes"}.get(metric.unit, "")
    if not name.endswith(unit):
        name += unit
    if kind == "histogram":
        return {name + part for part in ("_bucket", "_sum", "_count")}
    if kind == "sum" and metric.sum.is_monotonic:
        return {name + "_total"}
    return {name}


class Loud(Collector):
    """Takes everything and complains about it: 3 MB each time, with control characters."""

    WORDS = "\n\x1b[31m" + "x" * (3 << 20)

    class Traces(Collector.Traces):
        def Export(self, request, context):
            answer = super().Export(request, context)
            answer.partial_success.error_message = Loud.WORDS
            return answer

    class Metrics(Collector.Metrics):
        def Export(self, request, context):
            answer = super().Export(request, context)
            answer.partial_success.error_message = Loud.WORDS
            return answer


class Watching(grpc.UnaryUnaryClientInterceptor, grpc.StreamUnaryClientInterceptor):
    """Counts calls by method and code, marks one as traced by its caller, and keeps every state that came or went."""

    def __init__(self):
        self.calls, self.states, self.refusals, self.played = Counter(), set(), Counter(), 0

    def intercept_unary_unary(self, proceed, details, request):
        method = details.method.rsplit("/", 1)[1]
        metadata = [("traceparent", f"00-{TRACE_ID}-{PARENT_ID}-01")] if method == "ListRuleSets" else []
        details = details._replace(metadata=metadata)
        call = proceed(details, request)
        self.calls[method, call.code().name] += 1
        if call.code() == grpc.StatusCode.OK and "Reflection" not in details.method:
            self.look(call.result())
        return call

    def intercept_stream_unary(self, proceed, details, requests):
        call = proceed(details, requests)
        self.calls[details.method.rsplit("/", 1)[1], call.code().name] += 1
        return call

    def stream(self, client, code, *requests):
        """Play with these requests, ended by the service or, for CANCELLED, by us."""
        sent, answers = client.stream("Play")
        for request in requests:
            sent.put(request)
        next(answers)
        if code == grpc.StatusCode.CANCELLED:
            answers.cancel()
        try:
            list(answers)
        except grpc.RpcError as error:
            assert error.code() == code, error
        else:
            raise AssertionError(f"it should end with {code}")
        self.calls["Play", code.name] += 1
        self.played += len(requests)

    def look(self, answer):
        outcome = answer.WhichOneof("outcome") if "outcome" in answer.DESCRIPTOR.oneofs_by_name else None
        if outcome:
            inner = getattr(answer, outcome)
            if hasattr(inner, "state"):
                self.states.add(inner.state)
            if outcome == "rejected":
                self.refusals[inner.violations[0].code] += 1


def play(program, collector):
    command = [
        program, "--listen", "127.0.0.1:0", "--drain-notice-ms", "0", "--log-format", "json", "--log-requests",
        "--otlp-endpoint", f"http://127.0.0.1:{collector.port}", "--trace-ratio", "0.5", "--metrics-interval-ms", "300",
    ]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    log = [service.stderr.readline()]
    reader = threading.Thread(target=lambda: log.extend(service.stderr))
    reader.start()
    try:
        watching = Watching()
        channel = grpc.intercept_channel(grpc.insecure_channel(json.loads(log[0])["address"]), watching)
        client = grpc_client.Client(channel)
        client("ListRuleSets")
        state, _, game, *_, last = grpc_client.play(client)
        grpc_client.several(client)
        # What it has sent on a stream that was well.
        watching.calls["Play", "OK"], watching.played = 1, 5
        watching.refusals["TURN_ALREADY_DREW"] += 1
        # A state is for the first message only.
        watching.stream(client, grpc.StatusCode.INVALID_ARGUMENT, {"state": state}, {"state": state})
        watching.stream(client, grpc.StatusCode.CANCELLED, {"state": state})
        grpc_client.audited(grpc_client.Client(channel, service=grpc_client.AUDIT), game, last.n + 1, last.head)
        grpc_client.fails(grpc.StatusCode.INVALID_ARGUMENT, client, "GetView", state=b"\0" * 300, actor=grpc_client.TABLE)
        grpc_client.fails(grpc.StatusCode.NOT_FOUND, client, "GetRule", rule_id="CL-999")
        time.sleep(1)
        assert collector.metrics, "metrics come while the service runs"
    finally:
        service.send_signal(signal.SIGTERM)
        code = service.wait(20)
        reader.join()
    assert code == 0, code
    return watching, game, log


def check_metrics(collector, watching):
    requests = {}
    for key, count in points(collector.metrics["canasta.request.duration"]):
        requests[key["method"], key["code"]] = count
        assert key["code"] in CODES, key
    # The client asks for descriptors by a kind of stream that it does not count.
    ours = {key: count for key, count in requests.items() if key[0] != "ServerReflection/ServerReflectionInfo"}
    assert ours == dict(watching.calls), (ours, watching.calls)
    # OpenTelemetry's own name for the same requests (semantic conventions, "RPC metrics").
    calls = {}
    for key, count in points(collector.metrics["rpc.server.call.duration"]):
        service, method = key.pop("rpc.method").split("/")
        code = key.pop("rpc.response.status_code")
        assert key.pop("rpc.system.name") == "grpc" and service.startswith(("canasta.v1.", "grpc."))
        assert key == ({"error.type": code} if code in SERVERS_FAULTS else {}), key
        calls[method, code] = count
    # What is not ours has its service before it in our own metrics.
    assert calls == {(method.split("/")[-1], code): count for (method, code), count in requests.items()}, (calls, requests)
    for name in ("canasta.refusals", "canasta.faults", "canasta.states.refused", "canasta.requests.active",
                 "canasta.connections.open", "canasta.connections.closed", "canasta.callers.denied"):
        assert re.fullmatch("{[a-z]+}", collector.metrics[name].unit), name
    memory = collector.metrics["process.memory.usage"]
    assert memory.WhichOneof("data") == "sum" and not memory.sum.is_monotonic and memory.unit == "By"
    refusals = {key["code"]: value for key, value in points(collector.metrics["canasta.refusals"])}
    assert refusals == dict(watching.refusals), (refusals, watching.refusals)
    faults = {key["reason"]: value for key, value in points(collector.metrics["canasta.faults"])}
    # Those of a unary call, of a log that is brought, and at the end of a stream.
    assert faults == {"STATE_TOKEN_INVALID": 1, "NOT_FOUND": 1, "LOG_CORRUPT": 1, "INVALID_FIELD": 1}, faults
    refused = {key["kind"]: value for key, value in points(collector.metrics["canasta.states.refused"])}
    assert refused["malformed"] == 1 and sum(refused.values()) == 1, refused
    engine = {key["method"]: value for key, value in points(collector.metrics["canasta.engine.duration"])}
    for method in ("ApplyAction", "ApplyActions", "CreateGame", "SuggestAction"):
        assert engine[method] == watching.calls[method, "OK"] > 0, (method, engine)
    assert engine["Play"] == watching.played, engine
    for method in ("AuditLog", "GetStep", "ExplainStep"):
        # A piece of a log is worked on once, and the answer made of it.
        assert engine[method] >= 2 * watching.calls[method, "OK"] > 0, (method, engine)
    active = {key["method"]: value for key, value in points(collector.metrics["canasta.requests.active"])}
    assert set(active.values()) == {0}, active
    memory = [value for _, value in points(collector.metrics["process.memory.usage"])]
    assert 1 << 20 < memory[0] < 1 << 30, memory
    print(f"metrics  {len(collector.metrics)}: {sum(requests.values())} requests, {sum(refusals.values())} refusals by code")


def check_spans(collector, watching):
    total = sum(watching.calls.values())
    listed = [span for span in collector.spans if span.name == "canasta.v1.GameService/ListRuleSets"]
    assert len(listed) == 1, "its caller had it traced, and nobody else asked"
    assert listed[0].trace_id.hex() == TRACE_ID and listed[0].parent_span_id.hex() == PARENT_ID
    # Half of them, within what chance allows (six standard deviations).
    assert abs(len(collector.spans) - total / 2) < 3 * total**0.5 + 2, (len(collector.spans), total)
    for span in collector.spans:
        found = attributes(span.attributes)
        code = found["rpc.response.status_code"]
        named = {"rpc.system.name", "rpc.method", "rpc.response.status_code", "canasta.request.id"}
        assert set(found) == named | ({"error.type"} if code in SERVERS_FAULTS else set()), found
        assert found["rpc.method"] == span.name and re.fullmatch("[a-zA-Z0-9.]+/[A-Za-z]+", span.name)
        assert code in CODES and re.fullmatch("[0-9a-f]{16}", found["canasta.request.id"]) and not span.events and not span.links
    assert {one["service.name"] for one in collector.resources} == {"canasta-service"}
    # Nobody has given this instance an id, so it has one of its own.
    (instance,) = {one["service.instance.id"] for one in collector.resources}
    assert re.fullmatch("[0-9a-f]{32}", instance), instance
    print(f"traces   {len(collector.spans)} of {total} requests, the caller's own among them")


def check_hidden(collector, watching, game, log):
    """Nothing of the game: neither as bytes nor as text, and no attribute that is not of a closed list."""
    secret = bytes(range(64))
    hidden = [secret, b"\x01" * 16, *watching.states]
    assert len(watching.states) > 100
    # The trail of callers names games, and nothing else does.
    said = b"".join(collector.raw) + re.sub('"game":"[0-9a-f]{32}"', "", "".join(log)).encode()
    # A piece of the second game's secret, which is all zeros, would be found in anything.
    def telling(piece):
        return len(set(piece)) > 8

    pieces = [game[at : at + 24] for at in range(0, len(game) - 24, 24)]
    assert len(pieces) > 100 and not any(piece in said for piece in pieces if telling(piece))
    for one in hidden:
        # The part of a state that differs from game to game begins behind its version.
        for form in (one, one.hex().encode(), base64.b64encode(one)[4:-4]):
            assert form not in said, one[:20]
        pieces = [one[at : at + 24] for at in range(64, len(one) - 24, 24)]
        assert not any(piece in said for piece in pieces if telling(piece))
    for metric in collector.metrics.values():
        for key, _ in points(metric):
            for value in key.values():
                assert re.fullmatch("([A-Za-z]+/)?[A-Za-z_ ]+|(canasta|grpc)[a-zA-Z0-9.]+/[A-Za-z]+", value), (metric.name, key)
    lines = [json.loads(line) for line in log]
    requests = [line for line in lines if line["message"] == "request"]
    assert len(requests) >= sum(watching.calls.values())
    for line in requests:
        always = {"timestamp", "level", "target", "message", "method", "code", "us", "id", "peer"}
        assert always <= set(line) <= always | {"trace", "actor", "observers", "game", "verdict"}, line
    messages = [line for line in lines if line["message"] == "message"]
    assert len(messages) == watching.played and {line["method"] for line in messages} == {"Play"}, messages
    rest = sorted({line["message"] for line in lines} - {"request", "message"})
    assert rest == ["drained", "listening", "states refused: 1 malformed"], rest
    print(f"hidden   nothing of {len(watching.states)} states in {len(said)} bytes of telemetry and log")


def record(program, collector, folder):
    """Rivals for one place before a watcher: what the recorder measures of its journal, its games and its watchers."""
    command = [
        program, "--data", f"{folder}/data", "--listen", "127.0.0.1:0", "--drain-notice-ms", "0", "--log-format", "json",
        "--otlp-endpoint", f"http://127.0.0.1:{collector.port}", "--metrics-interval-ms", "200",
    ]
    recorder = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        with grpc.insecure_channel(json.loads(recorder.stderr.readline())["address"]) as channel:
            client = grpc_client.Client(channel, service="canasta.v1.RecordService")
            new = {"rule_set": "classic-4p", "deal_mode": "DEAL_MODE_SEEDED"}
            game = client("Create", request_id=bytes(16), label="secret table", **new).created.game_id
            watched = client.stream("Watch")
            watched[0].put({"game_id": game, "actor": grpc_client.TABLE})
            watched[0].put(None)
            next(watched[1])
            for number in range(1, 6):
                proposals = [{"actor": {"role": "ROLE_DIRECTOR"}, "note": {"text": f"note {number}"}}]
                client("Act", game_id=game, request_id=bytes([number] * 16), proposals=proposals)
            # A game that ends, so that its audit is measured too.
            ended = client("Create", request_id=bytes([6] * 16), **new).created.game_id
            ruling = {"by": "AUTHORITY_DIRECTOR", "side": 0, "rule": "IR-033", "effect": {"forfeit": {"side": 0}}}
            acts = [(grpc_client.TABLE, {"deal": {}}), ({"role": "ROLE_DIRECTOR"}, {"ruling": ruling})]
            for number, (actor, action) in enumerate(acts, 7):
                client("Act", game_id=ended, request_id=bytes([number] * 16), proposals=[{"actor": actor, "action": action}])
            ends = time.monotonic() + 30
            while not {"canasta.record.games.live", "canasta.audit.duration"} <= set(collector.metrics) or (
                counted(collector, "games.live") != 1
            ):
                assert time.monotonic() < ends, sorted(collector.metrics)
                time.sleep(0.1)
            watched[1].cancel()
    finally:
        recorder.send_signal(signal.SIGTERM)
        recorder.wait(30)
    found = {name: counted(collector, name) for name in ("append.duration", "games.live", "stuck")}
    assert found == {"append.duration": 9, "games.live": 1, "stuck": 0}, found
    assert 0 < counted(collector, "store.used") <= 1
    assert not any(b"secret table" in raw for raw in collector.raw), "telemetry tells labels"
    exporting(pathlib.Path(program).with_name("canasta-auditor"), collector, f"{folder}/data")
    # The name of each program, by which the alert of absence tells them apart.
    found_names = {one["service.name"] for one in collector.resources}
    assert found_names == {"canasta-service", "canasta-recorder", "canasta-auditor"}, found_names
    print(f"recorder {found} and {len([name for name in collector.metrics if '.record.' in name])} metrics in all")


def exporting(auditor, collector, data):
    """An auditor that has nothing to do exports its memory, so that its absence can be seen."""
    command = [auditor, "--data", data, "--listen", "127.0.0.1:0", "--otlp-endpoint", f"http://127.0.0.1:{collector.port}",
               "--metrics-interval-ms", "100"]
    collector.metrics.pop("process.memory.usage")
    running = subprocess.Popen(command)
    try:
        ends = time.monotonic() + 30
        while "process.memory.usage" not in collector.metrics:
            assert time.monotonic() < ends and running.poll() is None, "no memory of the auditor"
            time.sleep(0.1)
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(30)


def counted(collector, name):
    return sum(value for _, value in points(collector.metrics[f"canasta.record.{name}"]))


def check_names(collector, deploy):
    """Dashboards and alerts name metrics that exist."""
    known = set().union(*(prometheus(metric) for metric in collector.metrics.values()))
    named = {}
    for path in sorted(deploy.rglob("*")):
        if path.suffix in {".json", ".yaml"} and {"dashboards", "alerts"} & set(path.parts):
            named[path] = set(re.findall(r"\b(?:canasta|process)_[a-z_]+", path.read_text()))
    assert len(named) >= 2 and all(named.values()), named
    for path, names in named.items():
        assert names <= known, f"{path}: {sorted(names - known)} do not exist; there are {sorted(known)}"
    used = set().union(*named.values())
    print(f"names    {len(used)} metrics in {len(named)} dashboards and alerts, all of which exist")


def served(program, port, seconds, *settings):
    """Serves some requests for some seconds, then is told to end: the seconds until the end, and the lines of the log."""
    command = [program, "--listen", "127.0.0.1:0", "--drain-notice-ms", "0", "--drain-limit-ms", "500", "--log-format",
               "json", "--otlp-endpoint", f"http://127.0.0.1:{port}", "--metrics-interval-ms", "100", *settings]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    log = [service.stderr.readline()]
    reader = threading.Thread(target=lambda: log.extend(service.stderr))
    reader.start()
    try:
        with grpc.insecure_channel(json.loads(log[0])["address"]) as channel:
            ask = channel.unary_unary("/canasta.v1.GameService/ListRuleSets")
            for number in range(200):
                ask(b"", metadata=[("traceparent", f"00-{number + 1:032x}-{PARENT_ID}-01")])
        time.sleep(seconds)
    finally:
        began = time.monotonic()
        service.send_signal(signal.SIGTERM)
        code = service.wait(20)
        took = time.monotonic() - began
        reader.join()
    assert code == 0, code
    return took, log


def check_bad_collectors(program):
    """A collector that takes connections and never answers, and one that answers far too much: at most one second at the
    end, and at most one short line in the log."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for name, port in (("silent", silent.getsockname()[1]), ("loud", Loud().port)):
            took, log = served(program, port, 5)
            assert took < 2, f"{name}: {took} s until the end"
            lines = [line for line in log if json.loads(line)["target"] != "canasta_service"
                     or "telemetry" in json.loads(line)["message"]]
            assert len(lines) == 1 and len(lines[0]) < 600, (name, len(lines), [line[:300] for line in lines])
            print(f"{name:8} ended after {took:.1f} s, one line of {len(lines[0])} bytes in the log")


def check_forced_traces(program):
    """A caller that has every request traced gets 10 a second."""
    collector = Collector()
    began = time.monotonic()
    served(program, collector.port, 0, "--trace-ratio", "0")
    most = 10 * (int(time.monotonic() - began) + 2)
    assert 10 <= len(collector.spans) <= most < 200, (len(collector.spans), most)
    print(f"forced   {len(collector.spans)} of 200 requests were traced, at most 10 a second")


def main(program, recorder, deploy, folder):
    collector = Collector()
    watching, game, log = play(program, collector)
    check_metrics(collector, watching)
    check_spans(collector, watching)
    check_hidden(collector, watching, game, log)
    record(recorder, collector, folder)
    check_names(collector, pathlib.Path(deploy))
    check_bad_collectors(program)
    check_forced_traces(program)


if __name__ == "__main__":
    main(*sys.argv[1:])
