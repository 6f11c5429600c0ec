"""Two doors to one room: `Game` is written once, in coroutines; a Room runs them to their end, an AsyncRoom gives them out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

import grpc

from canasta_client.policy import Closed, Trouble

if TYPE_CHECKING:
    from canasta_client.room import AsyncRoom, Room

P = ParamSpec("P")
A = TypeVar("A")
S = TypeVar("S")
T = TypeVar("T")


class Both(Generic[P, S, A]):
    """A method of both rooms."""

    def __init__(self, steps: Callable[..., Any], way: str) -> None:
        self.steps, self.way, self.__doc__ = steps, way, steps.__doc__

    @overload
    def __get__(self, room: Room, of: type) -> Callable[P, S]: ...
    @overload
    def __get__(self, room: AsyncRoom, of: type) -> Callable[P, A]: ...
    def __get__(self, room: Any, of: type) -> Any:
        return self if room is None else wraps(self.steps)(lambda *args, **named: getattr(room, self.way)(self.steps(room, *args, **named)))


def method(steps: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]) -> Both[P, T, Coroutine[Any, Any, T]]:
    return Both(steps, "_run")


def stream(steps: Callable[Concatenate[Any, P], AsyncIterator[T]]) -> Both[P, Iterator[T], AsyncIterator[T]]:
    return Both(steps, "_each")


class Door:
    """What both doors share: the calls that are open, and their end."""

    def __init__(self) -> None:
        self._calls: set[Any] = set()
        self._closed = threading.Event()

    def close(self) -> None:
        """Ends everything that waits: news end, calls raise Closed."""
        self._closed.set()
        for call in list(self._calls):
            call.cancel()

    @contextmanager
    def _open(self, call: Any) -> Iterator[Any]:
        self._calls.add(call)
        try:
            if self._closed.is_set():
                raise Closed
            yield call
        except (grpc.FutureCancelledError, asyncio.CancelledError):
            if self._closed.is_set():
                raise Closed from None
            raise
        finally:
            self._calls.discard(call)
            call.cancel()


class Blocking(Door):
    """Waits in the thread that calls. Its coroutines never give way, so one step runs them to their end."""

    def _run(self, steps: Coroutine[Any, Any, T]) -> T:
        try:
            steps.send(None)
        except StopIteration as end:
            return cast(T, end.value)
        raise RuntimeError("a coroutine of a Room has given way")

    def _each(self, steps: Any) -> Iterator[Any]:
        try:
            while True:
                yield self._run(steps.__anext__())
        except StopAsyncIteration:
            return
        finally:
            self._run(steps.aclose())

    async def _send(self, call: Any, request: Any, metadata: Any, timeout: float) -> Any:
        with self._open(call.future(request, timeout=timeout, metadata=metadata)) as answer:
            return answer.result()

    async def _next(self, messages: Any, silence: float) -> Any:
        timer = threading.Timer(silence, messages.cancel)
        timer.daemon = True
        timer.start()
        try:
            return next(messages, None)
        finally:
            timer.cancel()

    async def _sleep(self, seconds: float) -> None:
        if self._closed.wait(seconds):
            raise Closed


class Awaiting(Door):
    """Waits in the event loop."""

    def _run(self, steps: T) -> T:
        return steps

    _each = _run

    async def _send(self, call: Any, request: Any, metadata: Any, timeout: float) -> Any:
        with self._open(call(request, timeout=timeout, metadata=metadata)) as answer:
            return await answer

    async def _next(self, messages: Any, silence: float) -> Any:
        try:
            message = await asyncio.wait_for(messages.read(), silence)
        except asyncio.TimeoutError:
            raise Trouble(grpc.StatusCode.DEADLINE_EXCEEDED, f"nothing came for {silence} s") from None
        return None if message is grpc.aio.EOF else message

    async def _sleep(self, seconds: float) -> None:
        with self._open(asyncio.ensure_future(asyncio.sleep(seconds))) as sleep:
            await sleep
