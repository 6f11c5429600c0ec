#!/usr/bin/env python3
"""Fills the disk of a recorder, kills it, and starts it again: what does not fit is refused as STORE_FULL, everything that was
acknowledged is there, questions are answered on the full disk, and play goes on once there is room.

    full_disk.py CANASTA_RECORDER FOLDER

Mounts a file system of 8 MiB at FOLDER, so it needs a mount namespace of its own (`unshare --mount --map-root-user`).
"""

import os
import pathlib
import subprocess
import sys

import grpc
from grpc_client import details
from recorder import DIRECTOR, Recorder, connect, create, patiently

NOTE = {"proposals": [{"actor": DIRECTOR, "note": {"text": "x" * 4000}}]}


def note(client, game):
    """Whether a note is recorded; if not, the disk is full."""
    try:
        client("Act", game_id=game, request_id=os.urandom(16), **NOTE)
        return True
    except grpc.RpcError as error:
        assert details(error)[0].reason == "STORE_FULL", error
        return False


def fill(filler):
    """Takes the last bytes of the disk, as somebody else may."""
    with open(filler, "ab", buffering=0) as file:
        try:
            while file.write(b"x" * 512):
                pass
        except OSError:
            pass


def main(program, folder):
    os.makedirs(folder)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", folder], check=True)
    data = pathlib.Path(folder, "data")
    recorder = Recorder(program, str(data))
    try:
        count = check(program, data, recorder)
    finally:
        recorder.kill()
    print(f"full     {count} notes of 4 kB are kept through three kills on a full disk", flush=True)


def check(program, data, recorder):
    client = connect(recorder.address)
    game, count, filler = create(client, 0), 0, data.with_name("filler")
    filler.write_bytes(bytes(1 << 20))
    while note(client, game):
        count += 1
    fill(filler)
    for _ in range(3):
        recorder.kill()
        recorder.start()
        client = patiently(lambda: connect(recorder.address))
        end = client("GetGame", game_id=game, actor=DIRECTOR).log_end
        assert end.n >= count, (end.n, count)
        assert not note(client, game), "there is no room"
    said = subprocess.run([program, "--data", str(data), "doctor"], capture_output=True, text=True)
    assert said.returncode == 2 and "wrong  disk" in said.stdout, said
    filler.unlink()
    assert note(client, game), "there is room again"
    return count


if __name__ == "__main__":
    main(*sys.argv[1:])
