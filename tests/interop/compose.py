#!/usr/bin/env python3
"""Part of compose.sh: what an operator sees of programs that were brought up.

    compose.py play ADDRESS            plays a game by id to its end; prints its id in hexadecimal digits
    compose.py verdict ADDRESS GAME    waits until the game is judged
"""

import sys
import time

import grpc
from fleet import SERVICE, end
from grpc_client import TABLE, Client


def verdict(client, game):
    ends = time.monotonic() + 60
    while True:
        told = client("GetVerdict", game_id=bytes.fromhex(game), actor=TABLE)
        if told.WhichOneof("outcome") == "verdict":
            return
        assert time.monotonic() < ends, told
        time.sleep(0.2)


if __name__ == "__main__":
    what, address, *game = sys.argv[1:]
    client = Client(grpc.insecure_channel(address), service=SERVICE)
    print(end(client, 1).hex()) if what == "play" else verdict(client, *game)
