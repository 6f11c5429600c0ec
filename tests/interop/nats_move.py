#!/usr/bin/env python3
"""Moves the games of a recorder from SQLite to three NATS servers, plays on, and moves them back into a new SQLite journal: a live
game, and one that was judged. Logs grow and never change, the verdict stays, and links stay good.

    nats_move.py NATS_SERVER CANASTA_RECORDER FOLDER
"""

import contextlib
import pathlib
import subprocess
import sys

import recorder
from grpc_client import TABLE
from nats_fleet import Cluster, Member
from recorder import DIRECTOR, connect, patiently

MOVES = 12


def play(client, game):
    rival = recorder.Rival(client, game, None)
    for _ in range(MOVES):
        rival.act()


def log(client, game):
    method = client.method("GetLog", client.channel.unary_stream)
    pieces = method(client.message("GetLog", dict(game_id=game, actor=DIRECTOR)), timeout=30)
    return b"".join(piece.frames for piece in pieces)


def judgement(client, game):
    return client("GetVerdict", game_id=game, actor=TABLE).verdict.SerializeToString(deterministic=True)


def move(program, data, place, options):
    command = [program, "--data", data, *options, "move-from", place]
    ended = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert ended.returncode == 0 and "2 games are here" in ended.stdout, ended
    again = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert again.returncode == 0, again


def main(nats, program, folder):
    folder = pathlib.Path(folder, "move")
    folder.mkdir()
    data = str(folder / "data")
    with contextlib.ExitStack() as stack:
        cluster = Cluster(nats, folder)
        stack.callback(cluster.kill)
        archive = ["--archive", f"file:{cluster.archive}"]
        one = Member(program, data, archive)
        stack.callback(one.kill)
        client = connect(one.address)
        live, over = (recorder.create(client, number) for number in (0, 1))
        play(client, live)
        play(client, over)
        recorder.judge(client, one, [over], cluster.archive)
        client = patiently(lambda: connect(one.address))
        logs = [log(client, game) for game in (live, over)]
        verdict = judgement(client, over)
        for place, options in (("sqlite", cluster.options), (cluster.options[1], archive)):
            one.kill()
            if place != "sqlite":
                for name in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"):
                    pathlib.Path(data, name).unlink(missing_ok=True)
            # The other direction keeps the options of the servers, for the journal that is read.
            move(program, data, place, options if place == "sqlite" else archive + cluster.options[4:])
            one.options = options
            one.start()
            client = patiently(lambda: connect(one.address))
            assert [log(client, game) for game in (live, over)] == logs, "the same logs"
            assert judgement(client, over) == verdict, "the same verdict"
            play(client, live)
            assert len(log(client, live)) > len(logs[0]) and log(client, live).startswith(logs[0]), "it goes on"
            logs[0] = log(client, live)
            said = subprocess.run([program, "--data", data, *options, "doctor"], capture_output=True, text=True)
            assert said.returncode == 0, said.stdout + said.stderr
            print(f"moved    from {place.split(':')[0]}: a live and a judged game are there", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
