"""Three friends and a bot at one table. Each friend has a link, and nothing else: no account, no state, no log."""

import sys
import threading

import grpc
from canasta.v1 import audit_service_pb2 as audit, game_service_pb2 as game
from canasta.v1.identity_pb2 import Actor
from canasta.v1.view_pb2 import PHASE_GAME_OVER
from canasta_client import OPTIONS, Room, create

channel = grpc.insecure_channel(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051", OPTIONS)
NAMES = ["Ann", "Bob", "Cem", "Robot"]


def play(seat, token):
    """What the page of one friend does: it watches, and acts when it is its turn."""
    room, seen = Room(channel, token), 0
    for place, message in enumerate(room.news()):
        if place == 0:
            together.wait()
        seen += len(message.observation.events)
        view = message.observation.view
        if view.phase == PHASE_GAME_OVER:
            return print(f"{NAMES[seat]:<6} saw {seen} events\n", end="")
        if view.HasField("to_act") and view.to_act == seat:
            # Here a front end asks its player. None: another device of this friend was faster.
            answer = room.act(room.suggest(), message.log_end.seq)
            assert answer is None or answer.HasField("acted"), answer.rejected.violations[0].message


players = [game.Player(name=name) for name in NAMES]
room = {"rule_set": "classic-4p", "deal_mode": "DEAL_MODE_SEEDED", "players": players}
host = create(channel, **room, auto_table=True, creator=Actor(seat=0))
# The robot sits down when everybody sees the table, so that all of them see the same.
together = threading.Barrier(3, lambda: host.set_bot(3, True))
links = [host.link.token, *(host.invite(Actor(seat=seat)) for seat in (1, 2))]
print(f"a link for each: https://your.page/#t={links[1][:20]}... is {NAMES[1]}'s")

friends = [threading.Thread(target=play, args=pair) for pair in enumerate(links)]
[friend.start() for friend in friends]
[friend.join() for friend in friends]

report = host.verdict().report
print(f"judged    {audit.Verdict.Name(report.verdict)}, {report.records} records")
