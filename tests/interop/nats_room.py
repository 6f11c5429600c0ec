#!/usr/bin/env python3
"""Friends in one room at two recorders that share three NATS servers: they enter by the same code, each sees that the other is
there, they get ready at different recorders, a recorder is killed, and the game goes on at the other one. Calls are Connect's JSON.

    nats_room.py NATS_SERVER CANASTA_RECORDER FOLDER
"""

import base64
import contextlib
import json
import os
import pathlib
import sys
import urllib.request

import recorder
from nats_fleet import Cluster, Member

SPECTATOR = {"role": "ROLE_SPECTATOR"}


def call(member, method, request, link=None):
    headers = {"content-type": "application/json"}
    if link:
        headers["authorization"] = f"Bearer {link['token']}"
    url = f"http://{member.address}/canasta.v1.RecordService/{method}"
    asked = urllib.request.Request(url, json.dumps(request).encode(), headers)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        return json.load(answer)


def fresh():
    return base64.b64encode(os.urandom(16)).decode()


class Friend:
    """Somebody with a token for the room, at one of the recorders."""

    def __init__(self, member, opened):
        self.member = member
        self.keep(opened)

    def keep(self, opened):
        self.room, self.actor, self.link = opened["room"], opened["actor"], opened["link"]

    def change(self, **change):
        request = {"roomId": self.room["roomId"], "requestId": fresh(), "actor": self.actor, **change}
        self.keep(call(self.member, "ChangeRoom", request, self.link)["opened"])
        return self.room

    def watch(self):
        """Yields who is there, whenever it is told."""
        client = recorder.connect(self.member.address)
        method = client.method("Watch", client.channel.unary_stream)
        asked = client.message("Watch", dict(game_id=base64.b64decode(self.room["roomId"]), actor=self.actor))
        for message in method(asked, timeout=60, metadata=[("authorization", f"Bearer {self.link['token']}")]):
            yield [each.seat for each in message.present]

    def game(self):
        game = self.room["games"][-1]
        chair = self.actor.get("seat", 0)
        seat = game["chairs"].index(chair)
        return {"gameId": game["gameId"], "actor": {"seat": seat}}, self.room["gameLink"]


def main(nats, program, folder):
    folder = pathlib.Path(folder, "room")
    folder.mkdir()
    with contextlib.ExitStack() as stack:
        cluster = Cluster(nats, folder)
        stack.callback(cluster.kill)
        one = Member(program, str(folder / "one"), cluster.options)
        stack.callback(one.kill)
        other = one.twin(str(folder / "other"))
        stack.callback(other.kill)
        rules = {"ruleSet": "classic-4p", "dealMode": "DEAL_MODE_COMMITTED"}
        created = call(one, "CreateRoom", {"requestId": fresh(), "rules": rules, "name": "Ann"})
        ann = Friend(one, created["opened"])
        ben = Friend(other, call(other, "OpenRoom", {"code": ann.room["code"]})["opened"])
        assert ben.actor == SPECTATOR, ben.actor
        ben.change(sitDown={"chair": 1, "name": "Ben"})
        seen, his = ann.watch(), ben.watch()
        assert next(seen) == [0], "Ann is there"
        # The recorders tell each other.
        assert next(there for there in his if len(there) > 1) == [0, 1]
        assert next(there for there in seen if len(there) > 1) == [0, 1]
        ben.change(bot={"chair": 2, "plays": True})
        ann.change(bot={"chair": 3, "plays": True})
        ann.change(ready=True)
        assert not ann.room.get("games"), ann.room
        ben.change(ready=True)
        assert ben.room["games"][0]["players"] == ["Ann", "Ben", "Bot", "Bot 2"], ben.room
        question = {"gameId": ann.room["roomId"], "actor": ann.actor}
        ann.room = call(one, "GetGame", question, ann.link)["room"]
        (asked, link), (his, his_link) = ann.game(), ben.game()
        assert asked["gameId"] == his["gameId"]
        before = call(one, "GetGame", asked, link)["logEnd"]
        one.process.kill()
        one.process.wait()
        # The same tokens are good at the other recorder.
        after = call(other, "GetGame", asked, link)["logEnd"]
        assert int(after["n"]) >= int(before["n"]), (before, after)
        resigned = {**his, "requestId": fresh(), "way": "END_WAY_RESIGNED"}
        ended = call(other, "EndGame", resigned, his_link)["ended"]
        assert ended.get("winner", 0) == 0, ended
        one.start()
        ann.change(ready=True)
        ben.change(ready=True)
        assert len(ben.room["games"]) == 2 and "end" in ben.room["games"][0], ben.room
        print("a room at two recorders: entered by its code, played twice, one recorder killed in between", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])
