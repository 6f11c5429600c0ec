"""What a type checker knows of the Python package: the same methods, and what each door makes of them.   mypy --strict typed.py"""

from typing import assert_type

import grpc
from canasta.v1.action_pb2 import Action
from canasta.v1.record_service_pb2 import ActResponse, WatchResponse
from canasta_client import OPTIONS, AsyncRoom, Room, create


def waits(token: str) -> None:
    room = create(grpc.insecure_channel("127.0.0.1:50051", OPTIONS), rule_set="classic-4p")
    assert_type(room, Room)
    assert_type(room.within(3).suggest(), Action)
    for message in Room(grpc.insecure_channel("127.0.0.1:50051"), token, deadline=10).news():
        assert_type(message, WatchResponse)
        assert_type(room.act(room.suggest(), message.log_end.seq, b"an id of 16 byte"), ActResponse | None)


async def awaits(token: str) -> None:
    room = await create(grpc.aio.insecure_channel("127.0.0.1:50051", OPTIONS), rule_set="classic-4p")
    assert_type(room, AsyncRoom)
    assert_type(await room.within(3).legal(), list[Action])
    async for message in room.news():
        assert_type(message, WatchResponse)
