#!/usr/bin/env python3
"""Cuts the power of all NATS servers at once, again and again, while rivals play games by id through a recorder. Checks that
every acknowledged action is in the log at its place afterwards. In a last part the servers sync lazily: what a cut loses
then must be loud, which also shows that the cuts lose what is not on the disk.

    nats_powercut.py NATS_SERVER CANASTA_RECORDER FOLDER CUTS

Each server's store is an ext4 image of its own. A cut shuts its file system down without a flush (the ioctl that
file systems are tested with), so that whatever the server has not synced is gone. That a disk keeps what it was told to
flush is believed. Needs root and loop devices; without them it says that it is skipped.
"""

import contextlib
import fcntl
import os
import pathlib
import random
import struct
import subprocess
import sys
import threading
import time

import grpc
import recorder
from grpc_client import TABLE, details
from nats_fleet import NODES, Cluster, Member

SHUTDOWN, WITHOUT_FLUSH = 0x8004587D, struct.pack("I", 2)
DISK_BYTES = 1 << 30
SEED = 9


class Disk:
    """A file system of its own."""

    def __init__(self, folder, name):
        self.image, self.folder = pathlib.Path(folder, f"{name}.img"), pathlib.Path(folder, name)
        with open(self.image, "wb") as image:
            image.truncate(DISK_BYTES)
        subprocess.run(["mkfs.ext4", "-q", self.image], check=True)
        self.folder.mkdir()
        self.mount()

    def mount(self):
        subprocess.run(["mount", "-o", "loop", self.image, self.folder], check=True)

    def unmount(self):
        subprocess.run(["umount", self.folder], check=True)

    def cut(self):
        folder = os.open(self.folder, os.O_RDONLY)
        fcntl.ioctl(folder, SHUTDOWN, WITHOUT_FLUSH)
        os.close(folder)


class Machines(Cluster):
    """The servers with their disks."""

    def __init__(self, program, folder, sync):
        folder.mkdir()
        self.disks = [Disk(folder, f"n{at}") for at in range(NODES)]
        super().__init__(program, folder, sync)

    def cut_power(self):
        for disk in self.disks:
            disk.cut()
        self.kill()
        for disk in self.disks:
            disk.unmount()
            disk.mount()

    def start(self):
        for node in self.nodes:
            node.start()

    def end(self):
        self.kill()
        for disk in self.disks:
            disk.unmount()


def is_allowed(folder):
    """Whether file systems may be made and mounted here."""
    if os.geteuid() != 0:
        return False
    try:
        Disk(folder, "try").unmount()
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


@contextlib.contextmanager
def played(address, games):
    """Rivals play the games meanwhile. They are returned."""
    done = threading.Event()
    rivals = [recorder.Rival(recorder.connect(address), game, done) for game in games for _ in range(recorder.RIVALS)]
    for rival in rivals:
        rival.start()
    yield rivals
    done.set()
    for rival in rivals:
        rival.join()


def keep_all(nats, program, folder, cuts):
    """Servers that sync before they acknowledge lose nothing."""
    rng, machines = random.Random(SEED), Machines(nats, folder / "synced", "always")
    with contextlib.ExitStack() as stack:
        stack.callback(machines.end)
        member = Member(program, str(folder / "one"), machines.options)
        stack.callback(member.kill)
        client = recorder.connect(member.address)
        games = [recorder.create(client, number) for number in range(recorder.GAMES)]
        with played(member.address, games) as rivals:
            for _ in range(cuts):
                time.sleep(rng.uniform(3, 6))
                machines.cut_power()
                machines.start()
                # Until somebody is acknowledged again.
                before, ends = sum(len(rival.won) for rival in rivals), time.monotonic() + 60
                while sum(len(rival.won) for rival in rivals) == before:
                    assert time.monotonic() < ends, "nothing is acknowledged within a minute"
                    time.sleep(0.1)
        for rival in rivals:
            if rival.fault:
                raise rival.fault
        for game in games:
            recorder.finish(client, game, [rival for rival in rivals if rival.game == game], folder)
    kept = sum(len(rival.won) for rival in rivals)
    print(f"power    cut {cuts} times on all {NODES} servers: all of {kept} acknowledged actions are there", flush=True)


def lose_loudly(nats, program, folder):
    """Servers that sync each two minutes lose what they acknowledged, and a recorder does not serve what is left."""
    machines = Machines(nats, folder / "lazy", "2m")
    with contextlib.ExitStack() as stack:
        stack.callback(machines.end)
        member = Member(program, str(folder / "two"), [*machines.options, "--trust-sync"])
        stack.callback(member.kill)
        client = recorder.connect(member.address)
        game = recorder.create(client, 0)
        with played(member.address, [game]) as rivals:
            time.sleep(4)
            machines.cut_power()
            member.kill()
            machines.start()
            member.start()
            try:
                view = recorder.patiently(lambda: client("GetGame", game_id=game, actor=TABLE))
                raise AssertionError(f"nothing was lost, or nobody noticed: {view.log_end}")
            except grpc.RpcError as error:
                assert error.code() == grpc.StatusCode.DATA_LOSS, error
                assert details(error)[0].reason == "RECORDS_MISSING", error
    lost = sum(len(rival.won) for rival in rivals)
    print(f"power    cut with sync_interval 2m: {lost} acknowledged actions, and the shard is refused", flush=True)


def main(nats, program, folder, cuts):
    folder = pathlib.Path(folder, "powercut")
    folder.mkdir()
    if not is_allowed(folder):
        print("power    skipped: file systems cannot be mounted here", flush=True)
        return
    keep_all(nats, program, folder, cuts)
    lose_loudly(nats, program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]))
