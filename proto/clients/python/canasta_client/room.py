"""A game that the recorder keeps, played by a link: watch, act once, retry, reconnect."""

from __future__ import annotations

import base64
import copy
import json
import os
import time
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, overload

import grpc
from canasta.v1 import audit_service_pb2 as audit
from canasta.v1 import record_service_pb2 as record
from canasta.v1 import record_service_pb2_grpc as record_rpc
from canasta.v1.action_pb2 import Action
from canasta.v1.identity_pb2 import ROLE_SPECTATOR, Actor, Role
from canasta.v1.view_pb2 import PHASE_GAME_OVER

from canasta_client.doors import Awaiting, Blocking, Door, method, stream
from canasta_client.policy import DEADLINE, LATE, SOON, Closed, Trouble, persist

SILENCE = 40.0
"""Silence after which a stream counts as lost, in seconds. The recorder says something every 15 s."""

OPTIONS = [
    ("grpc.initial_reconnect_backoff_ms", 250), ("grpc.min_reconnect_backoff_ms", 2_000), ("grpc.max_reconnect_backoff_ms", 8_000),
    ("grpc.keepalive_time_ms", 20_000), ("grpc.keepalive_timeout_ms", 10_000), ("grpc.enable_retries", 0),
]
"""Options for a channel of grpc or grpc.aio, which then looks for a lost recorder as often as it is asked, and notices a dead
connection."""

Self = TypeVar("Self", bound="Game")


@dataclass(frozen=True)
class Link:
    """A link, as its token says; unverified: the recorder verifies it."""

    token: str
    game_id: bytes
    actor: Actor
    is_host: bool
    token_id: bytes = b""

    @classmethod
    def of(cls, token: str) -> Link:
        body = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        who = claims["as"][0]
        actor = Actor(seat=who) if isinstance(who, int) else Actor(role=f"ROLE_{who}" if f"ROLE_{who}" in Role.keys() else ROLE_SPECTATOR)
        token_id = bytes.fromhex(claims.get("jti", ""))
        return cls(token, bytes.fromhex(claims["games"][0]), actor, claims.get("host", False), token_id)


class Refused(ValueError):
    """Rules that cannot be played."""

    def __init__(self, rejected: Any) -> None:
        super().__init__("; ".join(violation.message for violation in rejected.violations))
        self.violations = rejected.violations


@overload
def create(channel: grpc.Channel, deadline: float = ..., **fields: Any) -> Room: ...
@overload
def create(channel: grpc.aio.Channel, deadline: float = ..., **fields: Any) -> Coroutine[Any, Any, AsyncRoom]: ...
def create(channel: Any, deadline: float = DEADLINE, **fields: Any) -> Any:
    """Creates a game; returns the room of its creator. Fields are those of CreateRequest."""
    kind = AsyncRoom if isinstance(channel, grpc.aio.Channel) else Room
    return kind(channel, None, deadline)._create(record.CreateRequest(**{"request_id": os.urandom(16), **fields}))


class Game(Door):
    """A game and one actor in it, by a link. Room and AsyncRoom have its methods."""

    def __init__(self, channel: Any, token: str | None, deadline: float = DEADLINE, silence: float = SILENCE) -> None:
        """`deadline`: time for a call with all its tries, in seconds, `math.inf`: no limit; `silence`: that after which the news
        are asked for anew."""
        super().__init__()
        self.deadline, self.silence = deadline, silence
        # A caller who creates a game has none.
        self.link: Link = Link.of(token) if token else None  # type: ignore[assignment]
        self._channel, self._stub = channel, record_rpc.RecordServiceStub(channel)

    @property
    def actor(self) -> Actor:
        return self.link.actor

    def within(self: Self, seconds: float) -> Self:
        """Returns the same room, whose calls have another deadline: `room.within(3).suggest()`."""
        room = copy.copy(self)
        room.deadline = seconds
        return room

    @property
    def _metadata(self) -> list[tuple[str, str]]:
        return [("authorization", f"Bearer {self.link.token}")] if self.link else []

    async def _call(self, name: str, request: Any) -> Any:
        send = partial(self._send, getattr(self._stub, name), request, self._metadata)
        return await persist(send, self._sleep, self.deadline)

    async def _ask(self, name: str, message: Any, **fields: Any) -> Any:
        return await self._call(name, message(game_id=self.link.game_id, **fields))

    async def _messages(self, name: str, request: Any, silence: float) -> AsyncIterator[Any]:
        with self._open(getattr(self._stub, name)(request, metadata=self._metadata)) as messages:
            while (message := await self._next(messages, silence)) is not None:
                yield message

    @method
    async def _create(self, request: record.CreateRequest) -> Any:
        answer = await self._call("Create", request)
        if answer.HasField("rejected"):
            raise Refused(answer.rejected)
        return type(self)(self._channel, answer.created.host_link.token, self.deadline, self.silence)

    @stream
    async def news(self) -> AsyncIterator[record.WatchResponse]:
        """Yields what the actor may see, in order; after a lost connection, or silence, it goes on behind the last message. It
        ends with the game, or when the room is closed."""
        request = record.WatchRequest(game_id=self.link.game_id, actor=self.actor, want_view=True)
        wait, tries = SOON, 0
        with suppress(Closed):
            while True:
                delay: float | None = wait
                try:
                    async with aclosing(self._messages("Watch", request, self.silence)) as messages:
                        async for message in messages:
                            request.from_n, wait, tries = message.log_end.n + 1, SOON, 0
                            yield message
                            if message.observation.view.phase == PHASE_GAME_OVER:
                                return
                except grpc.RpcError as error:
                    tries += 1
                    trouble = Trouble.of(error)
                    delay = trouble.delay(wait, tries)
                    if delay is None and not self._closed.is_set():
                        raise trouble from None
                await self._sleep(delay or 0)
                wait = min(2 * wait, LATE)

    @method
    async def act(self, action: Action, seq: int, request_id: bytes | None = None) -> record.ActResponse | None:
        """Proposes an action in the position of `seq`. Returns the answer, or None: somebody else was faster. It is recorded at
        most once. Who goes on after a Trouble brings the `request_id` of the first call."""
        proposals = [record.Proposal(actor=self.actor, action=action)]
        fields = {"request_id": request_id or os.urandom(16), "expected_seq": seq, "proposals": proposals}
        try:
            return await self._ask("Act", record.ActRequest, **fields)
        except Trouble as trouble:
            if trouble.retry != "resynchronise":
                raise
            return None

    @method
    async def game(self) -> record.GetGameResponse:
        """Returns the game as it is: the view, the end of the log, the clocks and the open offer."""
        return await self._ask("GetGame", record.GetGameRequest, actor=self.actor)

    @method
    async def options(self, cards: Iterable[str], chosen: Action | None = None) -> record.GetOptionsResponse:
        """Judges every place where cards may go, `chosen` being the action of the option that was taken before."""
        return await self._ask("GetOptions", record.GetOptionsRequest, actor=self.actor, cards=cards, chosen=chosen)

    @method
    async def legal(self) -> list[Action]:
        """Lists what can be done: a choice, not everything."""
        return list((await self._ask("ListActions", record.ListActionsRequest, actor=self.actor)).actions)

    @method
    async def suggest(self, level: int = 0) -> Action:
        """Returns an action that a bot of this level (1 to 6) would play."""
        return (await self._ask("Suggest", record.SuggestRequest, actor=self.actor, level=level)).action

    @method
    async def take_back(self, to_seq: int, seq: int, request_id: bytes | None = None) -> record.TakeBackResponse:
        """Asks to go back to the position after action `to_seq`, or agrees to that offer."""
        fields = {"actor": self.actor, "request_id": request_id or os.urandom(16), "to_seq": to_seq, "expected_seq": seq}
        return await self._ask("TakeBack", record.TakeBackRequest, **fields)

    @method
    async def invite(self, actor: Actor, days: float = 30) -> str:
        """Makes the token of a link for another actor. Requires the host's link."""
        expires_at_ms = int((time.time() + days * 86_400 - 60) * 1000)
        return (await self._ask("Invite", record.InviteRequest, actor=actor, expires_at_ms=expires_at_ms)).link.token

    @method
    async def revoke(self, token: str) -> None:
        """Revokes a link. Requires the host's link, or the link itself."""
        await self._ask("Revoke", record.RevokeRequest, token_id=Link.of(token).token_id)

    @method
    async def set_bot(self, seat: int, plays: bool) -> record.SetBotResponse:
        """Lets a bot play a seat, or gives it back: the own seat, or with the host's link any."""
        fields = {"actor": self.actor, "request_id": os.urandom(16), "bot": record.Bot(seat=seat), "plays": plays}
        return await self._ask("SetBot", record.SetBotRequest, **fields)

    @stream
    async def describe(self, from_n: int = 0, want_views: bool = False) -> AsyncIterator[audit.DescribedRecord]:
        """Yields the records from `from_n` on, for history and replay."""
        token = ""
        while True:
            fields = {"actor": self.actor, "from_n": from_n, "want_views": want_views, "page_token": token}
            page = await self._ask("Describe", record.DescribeRequest, **fields)
            for each in page.records:
                yield each
            token = page.next_page_token
            if not token:
                return

    @method
    async def log(self) -> bytes:
        """Returns the log, as far as the actor may have it, as a file."""
        request = record.GetLogRequest(game_id=self.link.game_id, actor=self.actor)

        async def collect(silence: float) -> bytes:
            return b"".join([piece.frames async for piece in self._messages("GetLog", request, silence)])

        return await persist(collect, self._sleep, self.deadline)

    @method
    async def verdict(self, poll: float = 0.2) -> record.GameVerdict:
        """Waits for the auditors' verdict on the finished game."""
        while True:
            answer = await self._ask("GetVerdict", record.GetVerdictRequest, actor=self.actor)
            if answer.HasField("verdict"):
                return answer.verdict
            await self._sleep(poll)


class Room(Blocking, Game):
    """A room whose methods wait; for threads."""


class AsyncRoom(Awaiting, Game):
    """A room whose methods are awaited; for an event loop."""
