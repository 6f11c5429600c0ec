"""A first game: create it, play a turn, be refused, save the log, have it audited."""

import sys

import grpc
from canasta.v1 import audit_service_pb2 as audit, audit_service_pb2_grpc as audit_rpc
from canasta.v1 import game_service_pb2 as game, game_service_pb2_grpc as game_rpc
from canasta.v1.action_pb2 import Action
from canasta.v1.identity_pb2 import Actor, ROLE_TABLE

channel = grpc.insecure_channel(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
rules = game_rpc.GameServiceStub(channel)
TABLE = Actor(role=ROLE_TABLE)

created = rules.CreateGame(game.CreateGameRequest(rule_set="classic-4p", deal_mode="DEAL_MODE_SEEDED")).created
state, log = created.state, created.frames


def act(who, action):
    """Proposes an action: the new view, or None if it was refused."""
    global state, log
    answer = rules.ApplyAction(game.ApplyActionRequest(state=state, actor=who, action=action, want_view=True))
    if answer.HasField("rejected"):
        first = answer.rejected.violations[0]
        rule = rules.GetRule(game.GetRuleRequest(rule_id=first.rule_ids[0])).rule
        print(f"refused    {first.code}: {first.message}; {first.repair.message}\n           {rule.id}: {rule.text}")
        return None
    # Store both at once, and only if nobody else was faster: see "The loop of a front end" in API.md.
    state, log = answer.accepted.state, log + answer.accepted.frames
    return answer.accepted.view


view = act(TABLE, Action(deal=Action.Deal()))
me = view.to_act
act(Actor(seat=(me + 1) % 4), Action(draw_stock=Action.DrawStock()))  # it is not their turn

while view.to_act == me:  # one whole turn, as the service would play it
    suggested = rules.SuggestAction(game.SuggestActionRequest(state=state, actor=Actor(seat=me))).action
    print(f"seat {me}     {suggested.WhichOneof('kind')}")
    view = act(Actor(seat=me), suggested)

with open("first_game.clog", "wb") as file:
    file.write(log)


def pieces():
    """The question first, then the log in pieces of at most 64 KiB."""
    yield audit.AuditLogRequest(question=audit.AuditQuestion(actor=TABLE, live=True))
    for at in range(0, len(log), 60_000):
        yield audit.AuditLogRequest(chunk=log[at : at + 60_000])


report = audit_rpc.AuditServiceStub(channel).AuditLog(pieces())
print(f"audited    {audit.Verdict.Name(report.verdict)}, {report.records} records, {report.bytes} bytes")
