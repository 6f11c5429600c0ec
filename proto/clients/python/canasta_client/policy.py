"""Retries, as docs/API.md has them under "Deadlines and retries"; a test holds both against each other."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

SOON, LATE = 0.25, 8.0
"""Shortest and longest delay between two tries, in seconds."""
TRY, MOST = 12.0, 10.0
"""Longest time for one try: more than the recorder takes for any answer. Longest delay that a server may ask for and gets."""
DEADLINE = 30.0
"""Time for a call with all its tries, unless told."""

RETRIES = {
    "UNAVAILABLE": "again",
    "DEADLINE_EXCEEDED": "again",
    "CANCELLED": "again",
    "OVERLOADED": "again",
    "RATE_LIMITED": "again",
    "INTERNAL": "once",
    "STALE_HEAD": "resynchronise",
}
"""What a retry may do after a reason of ErrorInfo, or after a status whose reason is not here. All others: never."""

T = TypeVar("T")


class Closed(Exception):
    """The room was closed while it waited."""


class Trouble(grpc.RpcError):
    """A call that failed. A refused action is none: it is an answer."""

    def __init__(self, code: grpc.StatusCode, message: str, reason: str | None = None, retry_s: float | None = None) -> None:
        """`reason` is that of ErrorInfo (`STALE_HEAD`), otherwise the name of the status; `retry_s` the delay that the server asks
        for, in seconds; `retry` what a retry may do: `again`, `once`, `resynchronise` or `never`."""
        super().__init__(f"{reason or code.name}: {message}")
        self.reason, self.retry_s = reason or code.name, retry_s
        self.retry = RETRIES.get(self.reason) or RETRIES.get(code.name, "never")
        self._code, self._message = code, message

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._message

    @classmethod
    def of(cls, error: Any) -> Trouble:
        if isinstance(error, cls):
            return error
        reason, retry_s = None, None
        for key, value in error.trailing_metadata() or ():
            for detail in status_pb2.Status.FromString(value).details if key == "grpc-status-details-bin" else ():
                info, delay = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
                if detail.Unpack(info):
                    reason = info.reason
                elif detail.Unpack(delay):
                    retry_s = delay.retry_delay.ToTimedelta().total_seconds()
        return cls(error.code(), error.details() or "", reason, retry_s)

    def delay(self, wait: float, tries: int) -> float | None:
        """Returns the seconds until the next try, or None: there is none."""
        if self.retry == "again" or self.retry == "once" and tries == 1:
            return max(random.uniform(wait / 2, wait), self.retry_s or 0)
        return None


async def persist(
    ask: Callable[[float], Awaitable[T]], sleep: Callable[[float], Awaitable[None]], deadline: float = DEADLINE
) -> T:
    """Repeats a request, unchanged, until it is answered, fails for good, or the deadline has come. `ask` gets its seconds."""
    ends, wait, tries = time.monotonic() + deadline, SOON, 0
    while True:
        try:
            return await ask(min(TRY, ends - time.monotonic()))
        except grpc.RpcError as error:
            trouble = Trouble.of(error)
        tries += 1
        delay = trouble.delay(wait, tries)
        if delay is None or delay > MOST or time.monotonic() + delay >= ends:
            raise trouble
        await sleep(delay)
        wait = min(2 * wait, LATE)
