"""The Python package, as pip has installed it, against a recorder that fails, freezes and is killed: by both of its doors.

    client.py retries ADDRESS CASES
    client.py play CANASTA_RECORDER FOLDER
"""

import asyncio
import base64
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import grpc
from canasta.v1 import game_service_pb2 as game
from canasta.v1.action_pb2 import Action
from canasta.v1.event_pb2 import Event
from canasta.v1.identity_pb2 import Actor
from canasta.v1.record_service_pb2 import Bot
from canasta.v1.view_pb2 import View
from canasta.v1.violation_pb2 import Violation
from canasta_client import OPTIONS, AsyncRoom, Closed, Refused, Room, Sentences, Trouble, create, get_wordings

ACTIONS, KILLS = 30, 3


def connect(address):
    return grpc.insecure_channel(address, OPTIONS)


def connect_async(address):
    return grpc.aio.insecure_channel(address, OPTIONS)


def token(game_id):
    claims = json.dumps({"games": [game_id.hex()], "as": [0]}).encode()
    return f"e30.{base64.urlsafe_b64encode(claims).decode().rstrip('=')}.none"


async def now(answer):
    """What both doors have said: a Room at once, an AsyncRoom when it is awaited."""
    return await answer if asyncio.iscoroutine(answer) else answer


async def caught(room, request_id=None):
    """What became of an act: the answer, or the trouble."""
    try:
        return await now(room.act(Action(draw_stock=Action.DrawStock()), 7, request_id))
    except Trouble as trouble:
        return trouble


async def retry(channel, door, case, failures, number):
    _, status, reason, kind, _ = case
    room = door(channel, token(bytes([number, failures, door is Room]) + bytes(13)))
    began = time.monotonic()
    answer = await caught(room)
    took = time.monotonic() - began
    if kind == "again" or kind == "once" and failures == 1:
        assert answer.acted.log_end.seq == failures + 1 and answer.acted.repeated_request, (case, answer)
    elif kind == "after":
        assert answer.acted.log_end.seq == failures + 1 and took >= 0.7, (case, took)
    elif kind == "resynchronise":
        assert answer is None and (await caught(room)).acted.log_end.seq == 2, (case, answer)
    else:
        attempts = 2 if kind == "once" else 1
        assert isinstance(answer, Trouble) and answer.details() == f"attempt {attempts}" and took < 2, (case, answer)
        assert answer.reason == (status if reason == "-" else reason) and answer.code().name == status, answer.reason
        assert answer.retry == {"told": "again"}.get(kind, kind) and (answer.retry_s == 20) == (kind == "told"), answer.retry


async def retries(address, path):
    cases = [line.split() for line in open(path, encoding="utf-8")]
    tries = {"again": [2], "once": [1, 2]}
    for door, channel in (Room, connect(address)), (AsyncRoom, connect_async(address)):
        asked = [(channel, door, case, failures, number)
                 for number, case in enumerate(cases) for failures in tries.get(case[3], [1])]
        if door is Room:
            await asyncio.gather(*(asyncio.to_thread(lambda each=each: asyncio.run(retry(*each))) for each in asked))
        else:
            await asyncio.gather(*(retry(*each) for each in asked))
        # A deadline ends the retries, and the same request goes on after it.
        again = next(number for number, case in enumerate(cases) if case[3] == "again")
        room = door(channel, token(bytes([again, 4, door is Room]) + bytes(13)))
        own = os.urandom(16)
        assert (await caught(room.within(0.6), own)).retry == "again"
        answer = await caught(room.within(math.inf), own)
        assert answer.acted.repeated_request and answer.acted.log_end.seq == 5, answer
    print(f"python: {len(cases)} failures are repeated as the table says, by both doors")


class Recorder:
    """A recorder with rooms, on a port that stays the same."""

    def __init__(self, program, data):
        self.command, self.address = [program, "--rooms", "--data", data, "--drain-notice-ms", "0"], "127.0.0.1:0"
        self.kills = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.command, "--listen", self.address], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if " on 127.0.0.1:" in line:
                self.address = line.split()[-1]
                break
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def freeze(self):
        """Stops it; on a busy machine it may still answer between the signal and its end."""
        self.process.send_signal(signal.SIGSTOP)
        while ") T " not in Path(f"/proc/{self.process.pid}/stat").read_text():
            time.sleep(0.001)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def disturb(self, done):
        """Freezes it and kills it by turns, until `done`."""
        while not done.wait(0.3):
            self.freeze()
            done.wait(1.2)
            self.process.send_signal(signal.SIGCONT)
            if not done.wait(0.3):
                self.kill()
                done.wait(0.5)
                self.start()


ROOM = {"rule_set": "classic-4p", "deal_mode": "DEAL_MODE_SEEDED", "auto_table": True, "creator": Actor(seat=0),
        "players": [game.Player(name=name) for name in ("Ann", "Bob", "Cem", "Dan")], "bots": [Bot(seat=seat) for seat in (1, 2, 3)]}


async def each(news):
    if hasattr(news, "__anext__"):
        async for one in news:
            yield one
    else:
        for one in news:
            yield one


async def disturbed(recorder, channel):
    """Plays while the recorder is frozen and killed: every action is recorded once, and no entry is missed."""
    room = await now(create(channel, **ROOM))
    # Shorter than the recorder is frozen, so that the news are asked for anew in its silence.
    room.silence = 0.9
    done, acted, ends, begins, skipped, killed = threading.Event(), set(), [], [], 0, recorder.kills + KILLS
    trouble = threading.Thread(target=recorder.disturb, args=(done,))
    trouble.start()
    try:
        async for message in each(room.news()):
            view = message.observation.view
            assert all(seat.name for seat in view.seats)
            if message.HasField("observation"):
                (begins if message.snapshot else ends).append(message.log_end.n)
                skipped += message.skipped
            if view.HasField("to_act") and view.to_act == 0:
                answer = await now(room.within(60).act(await now(room.suggest()), message.log_end.seq))
                assert answer is not None and answer.HasField("acted"), answer
                acted.add(answer.acted.log_end.seq)
            if len(acted) >= ACTIONS and recorder.kills >= killed:
                break
    finally:
        done.set()
        trouble.join()
    # Each action of a seat is an entry; who is away while a round ends is told of the new one by a snapshot.
    seats = [one.record async for one in each(room.describe()) if one.record.HasField("action") and one.record.actor.WhichOneof("who") == "seat"]
    own = [record for record in seats if record.actor.seat == 0]
    assert len(own) == len(acted) and ends == sorted(set(ends)), (len(own), len(acted), ends)
    if len(begins) == 1:
        assert skipped == 0 and len(ends) == sum(begins[0] < record.n <= ends[-1] for record in seats), (begins, ends)
    print(f"python: {type(room).__name__}: {len(own)} actions beside a recorder that freezes and dies {KILLS} times, none twice")
    return room


async def frozen(recorder, room, channel):
    """A frozen recorder: calls end at their deadline, and when they are cancelled or the room is closed."""
    recorder.freeze()
    try:
        began = time.monotonic()
        for call in (lambda: room.within(1).suggest(), lambda: create(channel, 1, **ROOM)):
            try:
                await now(call())
                raise AssertionError("a frozen recorder has answered")
            except Trouble as trouble:
                assert trouble.reason == "DEADLINE_EXCEEDED", trouble
        assert 1.9 < time.monotonic() - began < 4, time.monotonic() - began
        if isinstance(room, AsyncRoom):
            try:
                await asyncio.wait_for(room.suggest(), 0.5)
                raise AssertionError("a cancelled call has answered")
            except asyncio.TimeoutError:
                pass
        threading.Timer(0.5, room.close).start() if isinstance(room, Room) else asyncio.get_running_loop().call_later(0.5, room.close)
        try:
            await now(room.suggest())
            raise AssertionError("a closed room has answered")
        except Closed:
            pass
        assert [one async for one in each(room.news())] == [] and time.monotonic() - began < 6
    finally:
        recorder.process.send_signal(signal.SIGCONT)


def newer(channel):
    """Messages and wordings that are newer than the package: nothing throws."""
    new = bytes.fromhex("fa3f03616263")  # field 1023: text that nobody knows
    for wordings in ([], get_wordings(channel, "de"), [{"kind": "WORDING_KIND_NEW", "name": "x", "template": "{"}]):
        for view in (None, View(), View.FromString(new + bytes.fromhex("38e707"))):
            say = Sentences(wordings, view)
            assert say.event(Event.FromString(new)) == "" and say.action(Action.FromString(new)) == ""
            assert say.violation(Violation(code="NEW_CODE", message="new")) == "new"
            for event in (Event(melded=Event.Melded(side=9, meld=9)), Event(went_out=Event.WentOut(seat=9))):
                assert isinstance(say.event(event), str)
    names = [{"kind": "WORDING_KIND_EVENT", "name": "took_pile", "template": "pile", "facts": []}]
    say = Sentences(names)
    assert say.event(Event(took_pile=Event.TookPile())) == say._say("WORDING_KIND_EVENT", "tookPile", {}) == "pile"


async def play(program, folder):
    recorder = Recorder(program, f"{folder}/data")
    try:
        newer(connect(recorder.address))
        try:
            create(connect(recorder.address), **{**ROOM, "players": ROOM["players"][:2]})
            raise AssertionError("two players sit at a table for four")
        except (Refused, Trouble) as error:
            assert "players" in str(error) or "seats" in str(error), error
        for open_channel in (connect, connect_async):
            channel = open_channel(recorder.address)
            room = await disturbed(recorder, channel)
            await frozen(recorder, room, channel)
    finally:
        recorder.kill()


if __name__ == "__main__":
    asyncio.run({"retries": retries, "play": play}[sys.argv[1]](*sys.argv[2:]))
