#!/usr/bin/env python3
"""Plays a whole game against a running service from Python, knowing nothing but its reflection.

Breaks rules on purpose and reads codes, rule ids and facts; sends malformed and stale requests and reads
the details of their statuses; checks the log's chain with the standard library alone.

    grpc_client.py ADDRESS FOLDER

The server has a signing key. Into FOLDER go two logs of one game that part after a record.
"""

import hashlib
import pathlib
import queue
import sys

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

SERVICE = "canasta.v1.GameService"
AUDIT = "canasta.v1.AuditService"
HEADER = bytes.fromhex("89434c4f470d0a1a02")
TABLE = {"role": "ROLE_TABLE"}


class Client:
    """Calls methods by name with plain dictionaries; `metadata` goes with every call."""

    def __init__(self, channel, metadata=(), service=SERVICE):
        database = ProtoReflectionDescriptorDatabase(channel)
        assert service in database.get_services(), database.get_services()
        self.name = service
        self.service = descriptor_pool.DescriptorPool(database).FindServiceByName(service)
        self.channel, self.metadata = channel, metadata

    def __call__(self, method, **fields):
        return self.method(method, self.channel.unary_unary)(
            self.message(method, fields), timeout=10, metadata=self.metadata
        )

    def collected(self, method, messages):
        """The answer to a stream of dictionaries."""
        messages = [self.message(method, fields) for fields in messages]
        return self.method(method, self.channel.stream_unary)(iter(messages), timeout=30, metadata=self.metadata)

    def stream(self, method):
        """A stream: what to put dictionaries into (None ends it), and its answers."""
        sent = queue.SimpleQueue()
        messages = (self.message(method, fields) for fields in iter(sent.get, None))
        return sent, self.method(method, self.channel.stream_stream)(messages, timeout=30, metadata=self.metadata)

    def method(self, method, kind):
        answer = message_factory.GetMessageClass(self.service.FindMethodByName(method).output_type)
        return kind(
            f"/{self.name}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )

    def message(self, method, fields):
        request = message_factory.GetMessageClass(self.service.FindMethodByName(method).input_type)()
        fill(request, fields)
        return request


def fill(message, fields):
    for name, value in fields.items():
        # Bytes stay bytes; messages come as dictionaries, in JSON's names too.
        known = message.DESCRIPTOR
        field = known.fields_by_name.get(name) or known.fields_by_camelcase_name[name]
        name = field.name
        if field.message_type and field.message_type.GetOptions().map_entry:
            getattr(message, name).update(value)
        elif isinstance(value, dict):
            getattr(message, name).SetInParent()
            fill(getattr(message, name), value)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for one in value:
                fill(getattr(message, name).add(), one)
        elif isinstance(value, list):
            getattr(message, name).extend(value)
        elif isinstance(value, str) and field.enum_type:
            setattr(message, name, field.enum_type.values_by_name[value].number)
        elif not isinstance(value, (bytes, str, int, bool)):
            getattr(message, name).CopyFrom(value)
        else:
            setattr(message, name, value)


def details(error):
    """ErrorInfo and BadRequest of a failed call."""
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in rpc_status.from_call(error).details:
        for message in (info, bad):
            if detail.Is(message.DESCRIPTOR):
                detail.Unpack(message)
    assert info.domain == "canasta.v1", info
    return info, [violation.field for violation in bad.field_violations]


def fails(code, call, *arguments, **fields):
    try:
        call(*arguments, **fields)
    except grpc.RpcError as error:
        assert error.code() == code, error
        return details(error)
    raise AssertionError(f"{arguments} {fields} should fail with {code}")


def crc8(data):
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value << 1 ^ 0x07) & 0xFF if value & 0x80 else value << 1
    return value


def chain(log):
    """Number of records and head of a log, every frame checked (docs/LOG_FORMAT.md)."""
    assert log.startswith(HEADER)
    head = hashlib.sha256(b"canasta-log/1/start\0" + HEADER).digest()
    at, n = len(HEADER), 0
    while at < len(log):
        length = int.from_bytes(log[at : at + 2], "big")
        assert crc8(log[at : at + 2]) == log[at + 2], f"record {n}: length check"
        payload = log[at + 3 : at + 3 + length]
        counted = n.to_bytes(8, "big") + length.to_bytes(4, "big")
        head = hashlib.sha256(b"canasta-log/1\0" + head + counted + payload).digest()
        at += 3 + length
        assert log[at : at + 8] == head[:8], f"record {n}: chain"
        at, n = at + 8, n + 1
    return n, head


def attempts(view, seat, hand):
    """Rule breaks that this seat can try now, with the code that must come first."""
    next_seat = (seat + 1) % len(view.seats)
    strange = next(card for card in ("As", "Ah", "Ad", "Ac", "Ks", "Kh", "Kd", "Kc", "Qs") if card not in hand)
    ranks = {card[0]: card for card in hand if card[0] not in "23X"}
    if view.phase == PHASE["PHASE_START"]:
        yield "TURN_NOT_YOURS", next_seat, {"draw_stock": {}}
        yield "TURN_DRAW_FIRST", seat, {"discard": {"card": hand[0]}}
        yield "STOCK_NOT_EMPTY", seat, {"end_round": {}}
        yield "TURN_CARD_NOT_IN_HAND", seat, {"take_pile": {"cards": [strange] * 9}}
    if view.phase == PHASE["PHASE_PLAY"]:
        yield "TURN_ALREADY_DREW", seat, {"draw_stock": {}}
        yield "TURN_EMPTY_ACTION", seat, {"meld": {}}
        yield "TURN_ACTION_NOT_IN_RULES", seat, {"merge_melds": {"kept": 0, "merged": 1}}
        yield "ASK_NOTHING_PENDING", seat, {"answer": {"yes": True}}
        if len(ranks) >= 3:
            mixed = {"kind": "MELD_KIND_SET", "cards": list(ranks.values())[:3]}
            yield "MELD_MIXED_RANKS", seat, {"meld": {"groups": [mixed]}}


PHASE = {}


def play(client):
    created = client("CreateGame", rule_set="classic-4p", deal_mode=1, secret=bytes(range(64)), game_id=b"\x01" * 16)
    created = created.created
    state, log = created.state, created.frames
    view = client("GetView", state=state, actor=TABLE).view
    PHASE.update({name: value.number for name, value in view.DESCRIPTOR.fields_by_name["phase"].enum_type.values_by_name.items()})
    refused, steps = {}, 0
    while view.phase != PHASE["PHASE_GAME_OVER"]:
        if view.phase == PHASE["PHASE_DEAL"]:
            who, action = TABLE, {"deal": {}}
        else:
            who = {"seat": view.to_act}
            if len(refused) < 9:
                own = client("GetView", state=state, actor=who).view
                for code, seat, bad in attempts(own, own.to_act, list(own.seats[own.to_act].hand)):
                    if code not in refused:
                        answer = client("ApplyAction", state=state, actor={"seat": seat}, action=bad)
                        assert answer.WhichOneof("outcome") == "rejected", (code, answer)
                        first = answer.rejected.violations[0]
                        if first.code == code:
                            refused[code] = first
            action = client("SuggestAction", state=state, actor=who, seed=steps).action
        answer = client(
            "ApplyAction", state=state, actor=who, action=action, want_view=True, want_head=True,
            expected_seq=view.seq, expected_head=view.head, elapsed_ms=steps,
        )
        assert answer.WhichOneof("outcome") == "accepted", answer
        state, view, steps = answer.accepted.state, answer.accepted.view, steps + 1
        log += answer.accepted.frames
    return state, view, log, refused, steps, answer.accepted


def several(client):
    """One game by a batch and by a stream: both are what single calls give."""
    created = client("CreateGame", rule_set="classic-4p", deal_mode=1, secret=bytes(64), game_id=b"\x02" * 16).created
    deal = {"actor": TABLE, "action": {"deal": {}}}
    dealt = client("ApplyActions", state=created.state, actions=[deal], want_view=True).accepted
    who = {"seat": dealt.view.to_act}
    draw = {"actor": who, "action": {"draw_stock": {}}}
    refused = client("ApplyActions", state=dealt.state, actions=[draw, draw]).rejected
    assert refused.index == 1 and refused.violations[0].code == "TURN_ALREADY_DREW", refused
    single = client("ApplyAction", state=dealt.state, want_head=True, **draw).accepted
    both = client("ApplyActions", state=created.state, actions=[deal, draw], want_head=True).accepted
    assert (both.state, both.head) == (single.state, single.head)
    # Without `want_head` the frames still end with the first bytes of the head.
    assert not dealt.head and single.head[:8] == single.frames[-8:] == both.frames[-8:]
    assert both.frames == dealt.frames + single.frames and len(both.results) == 2

    # Each observer gets what it would have been answered alone.
    observers = [{"seat": seat} for seat in range(4)] + [{"role": "ROLE_SPECTATOR"}]
    seen = client("ApplyAction", state=dealt.state, observers=observers, **draw).accepted
    for observer, one in zip(observers, seen.observations, strict=True):
        assert one.view == client("GetView", state=single.state, actor=observer).view
        drew = [event.drew for event in one.events if event.HasField("drew")]
        assert drew and all((card == "??") == (observer != who) for drawn in drew for card in drawn.cards), one

    sent, answers = client.stream("Play")
    drawn = {"apply": {**draw, "want_head": True}}
    for request in ({"state": created.state}, {"apply": deal}, drawn, {"apply": draw}, {"want_state": True}):
        sent.put(request)
    opened, first, second, third, asked = (next(answers) for _ in range(5))
    assert opened.WhichOneof("outcome") is None and first.accepted.frames == dealt.frames and not first.accepted.head
    assert second.accepted.head == single.head and not second.accepted.state
    assert third.rejected.violations[0].code == "TURN_ALREADY_DREW" and asked.state == single.state
    sent.put(None)
    last = next(answers)
    assert last.last and last.state == single.state and next(answers, None) is None
    print("played   the same in one call and on one stream")
    return created.frames + both.frames, single.state, who


def fork(client, folder, log, state, who):
    """An old state is good for two futures: two logs, each sound, which the server has both signed."""
    hand = client("GetView", state=state, actor=who).view.seats[who["seat"]].hand
    cards = sorted({card for card in hand if card[0] not in "23X"})[:2]
    for name, card in zip("ab", cards):
        action = {"discard": {"card": card}}
        one = client("ApplyAction", state=state, actor=who, action=action, checkpoint=True).accepted
        folder.joinpath(f"{name}.clog").write_bytes(log + one.frames)


def audited(audit, log, records, head):
    """The finished log, judged by the service, and the same log with a bit flipped."""
    def pieces(question, log):
        return [{"question": question}] + [{"chunk": log[at : at + 5000]} for at in range(0, len(log), 5000)]

    asked = {"actor": TABLE, "expected_head": head}
    report = audit.collected("AuditLog", pieces(asked, log))
    assert report.records == records and report.head_checked and not report.findings, report
    verdict = report.DESCRIPTOR.fields_by_name["verdict"].enum_type.values_by_number[report.verdict].name
    assert verdict == "VERDICT_CLEAN", verdict
    step = audit.collected("GetStep", pieces({"actor": {"seat": 0}, "n": 2}, log))
    assert len(step.view.seats[0].hand) == 11 and not step.view.seats[1].hand and step.record.seq == 1
    why = audit.collected("ExplainStep", pieces({"actor": {"role": "ROLE_JUDGE"}, "n": 3}, log))
    assert why.WhichOneof("judgement") == "legal" and why.legal_actions
    flipped = log[:-100] + bytes([log[-100] ^ 1]) + log[-99:]
    report = audit.collected("AuditLog", pieces({"actor": TABLE}, flipped))
    assert report.findings and report.records < records
    last = {"actor": TABLE, "n": records - 1}
    info, _ = fails(grpc.StatusCode.DATA_LOSS, audit.collected, "GetStep", pieces(last, flipped))
    assert info.reason == "LOG_CORRUPT" and int(info.metadata["record"]) == report.records
    print(f"audited  {records} records, {verdict}; one flipped bit: damaged at record {report.records}")


def main(address, folder):
    channel = grpc.insecure_channel(address)
    health = health_pb2_grpc.HealthStub(channel)
    for name in ("", SERVICE, AUDIT):
        status = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=10).status
        assert status == health_pb2.HealthCheckResponse.SERVING, (name, status)
    client = Client(channel)
    sets, page = {}, client("ListRuleSets", page_size=9)
    while page.rule_sets:
        sets.update((one.id, one) for one in page.rule_sets)
        page = client("ListRuleSets", page_size=9, page_token=page.next_page_token) if page.next_page_token else type(page)()
    info = client("GetServerInfo")
    assert info.api_revision >= 1 and {one.id: one.digest for one in info.rule_sets} == {one: sets[one].digest for one in sets}
    assert sets["classic-4p"].playable and sets["classic-4p"].seats == 4

    state, view, log, refused, steps, last = play(client)
    records, head = chain(log)
    assert records == last.n + 1 and head == last.head
    assert len(refused) >= 6, refused.keys()
    for code, violation in refused.items():
        entry = client("GetRule", code=code).code
        assert violation.rule_ids and set(violation.facts) <= {fact.name for fact in entry.facts}, violation
        rules = [client("GetRule", rule_id=rule).rule.id for rule in violation.rule_ids]
        facts = {name: getattr(fact, fact.WhichOneof("value")) for name, fact in sorted(violation.facts.items())}
        facts = {name: json_format.MessageToDict(v) if hasattr(v, "DESCRIPTOR") else v for name, v in facts.items()}
        print(f"refused  {code:26} {' '.join(rules)}  {violation.message}  {facts}")

    invalid, aborted = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ABORTED
    over = client("ApplyAction", state=state, actor={"seat": 0}, action={"draw_stock": {}})
    assert over.rejected.violations[0].code == "GAME_OVER", over
    info, fields = fails(invalid, client, "CheckAction", state=state, actor={"seat": 0}, action={"discard": {"card": "1z"}})
    assert (info.reason, fields) == ("INVALID_FIELD", ["action.discard.card"])
    info, fields = fails(invalid, client, "GetView", state=b"\0" * 300, actor=TABLE)
    assert info.reason == "STATE_TOKEN_INVALID"
    stale = dict(state=state, actor={"seat": 0}, action={"draw_stock": {}}, expected_seq=1)
    info, fields = fails(aborted, client, "ApplyAction", **stale)
    assert info.reason == "STALE_HEAD" and int(info.metadata["current_seq"]) == view.seq
    fails(grpc.StatusCode.NOT_FOUND, client, "GetRule", rule_id="CL-999")

    audited(Client(channel, service=AUDIT), log, records, head)
    fork(client, pathlib.Path(folder), *several(client))

    totals = list(last.game_end.totals)
    print(f"played   {steps} actions, {view.round} rounds, totals {totals}; {records} records, chain holds")


if __name__ == "__main__":
    main(*sys.argv[1:])
