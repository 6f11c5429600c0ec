"""Three friends and a bot at one table. Each friend has a link, and nothing else: no account, no state, no log."""

import os
import sys
import threading
import time

import grpc
from canasta.v1 import audit_service_pb2 as audit, game_service_pb2 as game
from canasta.v1 import record_service_pb2 as record, record_service_pb2_grpc as record_rpc
from canasta.v1.identity_pb2 import Actor
from canasta.v1.view_pb2 import PHASE_GAME_OVER

channel = grpc.insecure_channel(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
recorder = record_rpc.RecordServiceStub(channel)
NAMES = ["Ann", "Bob", "Cem", "Robot"]


def patiently(call, request, token):
    """Repeats a request that got no answer, unchanged: it is recorded once, however often it arrives."""
    while True:
        try:
            return call(request, metadata=[("authorization", f"Bearer {token}")])
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
            time.sleep(0.2)


def messages(me, token):
    """Watches for ever: after a lost connection it goes on behind the last message."""
    request = record.WatchRequest(game_id=table.game_id, actor=me, want_view=True)
    while True:
        try:
            for message in recorder.Watch(request, metadata=[("authorization", f"Bearer {token}")]):
                request.from_n = message.log_end.n + 1
                yield message
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
            time.sleep(0.2)


def play(seat, token):
    """What the page of one friend does: it watches, and acts when it is its turn."""
    me, seen = Actor(seat=seat), 0
    for message in messages(me, token):
        seen += len(message.observation.events)
        view = message.observation.view
        if view.phase == PHASE_GAME_OVER:
            return print(f"{NAMES[seat]:<6} saw {seen} events")
        if view.HasField("to_act") and view.to_act == seat:
            act(me, token, message.log_end.seq)


def act(me, token, seq):
    """Plays as the recorder would: here a front end asks its player."""
    question = record.QueryRequest(game_id=table.game_id, suggest_action=game.SuggestActionRequest(actor=me))
    action = patiently(recorder.Query, question, token).suggest_action.action
    apply = [game.ApplyActionRequest(actor=me, action=action)]
    request = record.ActRequest(
        game_id=table.game_id, request_id=os.urandom(16), expected_seq=seq, apply=apply
    )
    try:
        answer = patiently(recorder.Act, request, token)
        assert answer.HasField("acted"), answer.rejected.violations[0].message
    except grpc.RpcError as error:
        # Another device of this friend was faster: the next message tells what happened.
        assert error.code() == grpc.StatusCode.ABORTED, error


rules = game.CreateGameRequest(
    rule_set="classic-4p", deal_mode="DEAL_MODE_SEEDED", players=[game.Player(name=name) for name in NAMES]
)
table = recorder.Create(
    record.CreateRequest(
        request_id=os.urandom(16), game=rules, auto_table=True, bots=[record.Bot(seat=3)], creator=Actor(seat=0)
    )
).created
links = [table.host_link.token]
for seat in (1, 2):
    in_a_week = int(time.time() + 7 * 86_400) * 1000
    invite = record.InviteRequest(game_id=table.game_id, actor=Actor(seat=seat), expires_at_ms=in_a_week)
    links.append(patiently(recorder.Invite, invite, links[0]).link.token)
print(f"a link for each: https://your.page/#{links[1][:20]}... is {NAMES[1]}'s")

friends = [threading.Thread(target=play, args=pair) for pair in enumerate(links)]
[friend.start() for friend in friends]
[friend.join() for friend in friends]

verdict = record.GetVerdictRequest(game_id=table.game_id, actor=Actor(seat=0))
while not (found := patiently(recorder.GetVerdict, verdict, links[0])).HasField("verdict"):
    time.sleep(0.2)
report = found.verdict.report
print(f"judged    {audit.Verdict.Name(report.verdict)}, {report.records} records")
