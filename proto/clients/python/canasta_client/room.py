"""A game that the recorder keeps, played by a link: watch, act once, retry, reconnect."""

import base64
import json
import os
import time
from dataclasses import dataclass

import grpc
from canasta.v1 import record_service_pb2 as record
from canasta.v1 import record_service_pb2_grpc as record_rpc
from canasta.v1.identity_pb2 import ROLE_SPECTATOR, Actor, Role
from canasta.v1.view_pb2 import PHASE_GAME_OVER

SOON, LATE = 0.2, 8.0
"""Shortest and longest delay between two tries while nothing answers, in seconds."""


@dataclass(frozen=True)
class Link:
    """A link, as its token says; unverified: the recorder verifies it."""

    token: str
    game_id: bytes
    actor: Actor
    is_host: bool

    @classmethod
    def of(cls, token):
        body = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        who = claims["as"][0]
        actor = Actor(seat=who) if isinstance(who, int) else Actor(role=dict(Role.items()).get(f"ROLE_{who}", ROLE_SPECTATOR))
        return cls(token, bytes.fromhex(claims["games"][0]), actor, claims.get("host", False))


def patiently(call, request, token=None):
    """Repeats a request that got no answer, unchanged: it is recorded once, however often it arrives."""
    metadata = [("authorization", f"Bearer {token}")] if token else []
    wait = SOON
    while True:
        try:
            return call(request, metadata=metadata)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
        time.sleep(wait)
        wait = min(2 * wait, LATE)


def create(channel, **fields):
    """Creates a game; returns the room of its creator. Fields are those of CreateRequest, without the request's id."""
    request = record.CreateRequest(request_id=os.urandom(16), **fields)
    answer = patiently(record_rpc.RecordServiceStub(channel).Create, request)
    if answer.HasField("rejected"):
        raise ValueError(answer.rejected.violations[0].message)
    return Room(channel, answer.created.host_link.token)


class Room:
    """A game and one actor in it, by a link."""

    def __init__(self, channel, token):
        self.link = Link.of(token)
        self._stub = record_rpc.RecordServiceStub(channel)

    @property
    def actor(self):
        return self.link.actor

    def _ask(self, method, message, **fields):
        request = message(game_id=self.link.game_id, **fields)
        return patiently(getattr(self._stub, method), request, self.link.token)

    def news(self):
        """Yields what the actor may see, in order; after a lost connection it goes on behind the last message."""
        request = record.WatchRequest(game_id=self.link.game_id, actor=self.actor, want_view=True)
        wait, is_over = SOON, False
        while not is_over:
            try:
                stream = self._stub.Watch(request, metadata=[("authorization", f"Bearer {self.link.token}")])
                for message in stream:
                    request.from_n, wait = message.log_end.n + 1, SOON
                    if message.HasField("observation"):
                        is_over = message.observation.view.phase == PHASE_GAME_OVER
                    yield message
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
            if not is_over:
                time.sleep(wait)
                wait = min(2 * wait, LATE)

    def act(self, action, seq):
        """Proposes an action in the position of `seq`. Returns the answer, or None: somebody else was faster."""
        proposals = [record.Proposal(actor=self.actor, action=action)]
        fields = {"request_id": os.urandom(16), "expected_seq": seq, "proposals": proposals}
        try:
            return self._ask("Act", record.ActRequest, **fields)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.ABORTED:
                raise
            return None

    def options(self, cards, chosen=None):
        """Judges every place where cards may go, `chosen` being the action of the option that was taken before."""
        return self._ask("GetOptions", record.GetOptionsRequest, actor=self.actor, cards=cards, chosen=chosen)

    def legal(self):
        """Lists what can be done: a choice, not everything."""
        return list(self._ask("ListActions", record.ListActionsRequest, actor=self.actor).actions)

    def suggest(self):
        """Returns an action that the recorder would play."""
        return self._ask("Suggest", record.SuggestRequest, actor=self.actor).action

    def take_back(self, to_seq, seq):
        """Asks to go back to the position after action `to_seq`, or agrees to that offer."""
        fields = {"actor": self.actor, "request_id": os.urandom(16), "to_seq": to_seq, "expected_seq": seq}
        return self._ask("TakeBack", record.TakeBackRequest, **fields)

    def invite(self, actor, days=30):
        """Makes the token of a link for another actor. Requires the host's link."""
        expires_at_ms = int((time.time() + days * 86_400 - 60) * 1000)
        return self._ask("Invite", record.InviteRequest, actor=actor, expires_at_ms=expires_at_ms).link.token

    def set_bot(self, seat, plays):
        """Lets a bot play a seat, or gives it back: the own seat, or with the host's link any."""
        fields = {"actor": self.actor, "request_id": os.urandom(16), "bot": record.Bot(seat=seat), "plays": plays}
        return self._ask("SetBot", record.SetBotRequest, **fields)

    def describe(self, from_n=0, want_views=False):
        """Yields the records from `from_n` on, for history and replay."""
        token = ""
        while True:
            fields = {"actor": self.actor, "from_n": from_n, "want_views": want_views, "page_token": token}
            page = self._ask("Describe", record.DescribeRequest, **fields)
            yield from page.records
            token = page.next_page_token
            if not token:
                return

    def verdict(self, poll=0.2):
        """Waits for the auditors' verdict on the finished game."""
        while True:
            answer = self._ask("GetVerdict", record.GetVerdictRequest, actor=self.actor)
            if answer.HasField("verdict"):
                return answer.verdict
            time.sleep(poll)
