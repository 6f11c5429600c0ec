#!/usr/bin/env python3
"""Replaces two recorders, then three NATS servers, one after the other, while rivals play games by id through both recorders
with docs/service-config.json and nothing else. Checks that no caller sees an error, that every acknowledged action is in
the log, and prints the longest wait.

    nats_upgrade.py NATS_SERVER CANASTA_RECORDER FOLDER
"""

import contextlib
import json
import pathlib
import shutil
import signal
import sys
import threading
import time

import recorder
from nats_fleet import KEYS, NODES, Member, Node, Watched, free_ports

CONFIG = pathlib.Path(__file__).parents[2] / "docs" / "service-config.json"
CALM = 2


class Steady(Watched):
    """A rival who repeats nothing by itself."""

    @staticmethod
    def patience(call):
        return call()


def replace(node):
    """Tells a server to hand over, and starts another on its files, once all are up to date."""
    node.process.send_signal(signal.SIGUSR2)
    assert node.process.wait(120) == 0, node.process.returncode
    node.start()
    ends = time.monotonic() + 60
    while not node.is_well():
        assert time.monotonic() < ends, "a server is not up to date within a minute"
        time.sleep(0.2)
    # As minReadySeconds of the StatefulSet.
    time.sleep(CALM)


def main(nats, program, folder):
    folder = pathlib.Path(folder, "upgrade")
    folder.mkdir()
    archive = folder / "archive"
    archive.mkdir(mode=0o700)
    ports, done = [free_ports(3) for _ in range(NODES)], threading.Event()
    routes = ", ".join(f"nats://127.0.0.1:{cluster}" for _, cluster, _ in ports)
    with contextlib.ExitStack() as stack:
        nodes = [Node(nats, folder, f"n{at}", ports[at], routes) for at in range(NODES)]
        for node in nodes:
            stack.callback(node.kill)
        options = ["--journal", "nats://" + ",".join(node.address for node in nodes), "--archive", f"file:{archive}",
                   "--nats-monitors", ",".join(f"http://127.0.0.1:{node.monitor}" for node in nodes)]
        one = Member(program, str(folder / "one"), options)
        stack.callback(one.kill)
        (folder / "other").mkdir(mode=0o700)
        for key in KEYS:
            shutil.copy(folder / "one" / key, folder / "other")
        other = Member(program, str(folder / "other"), options)
        stack.callback(other.kill)
        addresses, config = [one.address, other.address], json.loads(CONFIG.read_text())
        client = recorder.connect(*addresses, config=config)
        games = [recorder.create(client, number) for number in range(recorder.GAMES)]
        rivals = [Steady(recorder.connect(*addresses, config=config), game, done)
                  for game in games for _ in range(recorder.RIVALS)]
        for rival in rivals:
            rival.start()
        time.sleep(CALM)
        for member in (one, other):
            member.process.terminate()
            assert member.process.wait(60) == 0
            member.start()
            time.sleep(CALM)
        for node in nodes:
            replace(node)
        done.set()
        for rival in rivals:
            rival.join()
        faults = [rival.fault for rival in rivals if rival.fault]
        assert not faults, faults
        for game in games:
            recorder.finish(client, game, [rival for rival in rivals if rival.game == game], folder)
        longest = max(rival.longest for rival in rivals)
        print(f"upgraded 2 recorders and {NODES} servers under load: no error; the longest wait was {longest:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])
