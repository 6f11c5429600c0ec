#!/usr/bin/env python3
"""Part of fleet.sh: two recorders and two auditors on one journal; one auditor is killed again and again while games end.

    fleet.py CANASTA_RECORDER CANASTA_AUDITOR KEYS FOLDER BUCKET
"""

import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request

import grpc
from grpc_client import TABLE, Client

SERVICE = "canasta.v1.RecordService"
DIRECTOR = {"role": "ROLE_DIRECTOR"}
GAMES, SEED = 12, 5
RULING = {"by": "AUTHORITY_DIRECTOR", "side": 0, "rule": "IR-033", "effect": {"forfeit": {"side": 0}}}


def start(program, keys, user, *arguments):
    """Starts a program with the certificate of `user`. Returns it with its address, once it serves."""
    certificate = ["--nats-cert", f"{keys}/nats-{user}/tls.crt", "--nats-key", f"{keys}/nats-{user}/tls.key"]
    command = [program, "--listen", "127.0.0.1:0", *certificate, *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    assert " on " in line, line + process.stderr.read()
    return process, line.split()[-1]


def end(client, number):
    """Plays a game that is dealt and forfeited. Returns its id."""
    game = {"rule_set": "classic-4p", "deal_mode": "DEAL_MODE_SEEDED"}
    created = client("Create", request_id=bytes([number] * 16), label="final", **game).created
    for tag, (actor, action) in enumerate([(TABLE, {"deal": {}}), (DIRECTOR, {"ruling": RULING})]):
        request = bytes([number] * 15 + [100 + tag])
        acted = client("Act", game_id=created.game_id, request_id=request, proposals=[{"actor": actor, "action": action}])
        assert acted.WhichOneof("outcome") == "acted", acted
    return created.game_id


def main(program, auditor, keys, folder, bucket):
    rng = random.Random(SEED)
    recorders = [start(program, keys, "recorder", "--data", f"{keys}/recorder-{number}") for number in (1, 2)]
    clients = [Client(grpc.insecure_channel(address), service=SERVICE) for _, address in recorders]
    auditors = [start(auditor, keys, "auditor", "--keep-finished-hours", "0")[0] for _ in range(2)]
    games = []
    for number in range(GAMES):
        games.append(end(clients[number % 2], number))
        if number % 3 == 0:
            auditors[0].kill()
            auditors[0].wait()
            time.sleep(rng.uniform(0, 0.5))
            auditors[0] = start(auditor, keys, "auditor", "--keep-finished-hours", "0")[0]
    ends = time.monotonic() + 120
    for game in games:
        # Each recorder tells the same verdict, also once the journal has forgotten the game.
        while True:
            told = [client("GetVerdict", game_id=game, actor=TABLE) for client in clients]
            listed = {one.game_id: one for one in clients[0]("ListGames", actor=TABLE, page_size=100).games}
            assert game in listed, "a game is listed whenever one asks"
            archived = listed[game].status == 4
            if archived and all(one.WhichOneof("outcome") == "verdict" for one in told):
                break
            assert time.monotonic() < ends, (told, listed[game])
            time.sleep(0.2)
        # Each client has classes of its own, whose messages are never equal.
        assert str(told[0]) == str(told[1]), told
    text = urllib.request.urlopen(f"{bucket}?list-type=2&prefix=club/games/").read().decode()
    kinds = [key.rsplit(".", 1)[-1] for key in re.findall("<Key>([^<]*)</Key>", text)]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {"carc": GAMES, "json": GAMES, "game": GAMES}, kinds
    for process in [*auditors, *(process for process, _ in recorders)]:
        process.send_signal(signal.SIGTERM)
    for process in [*auditors, *(process for process, _ in recorders)]:
        assert process.wait(60) == 0, process.args
    print(f"fleet    {GAMES} games, each with one verdict in the archive and purged", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
