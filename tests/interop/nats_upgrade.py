#!/usr/bin/env python3
"""Replaces two recorders, then three NATS servers, one after the other, while rivals play games by id through both recorders
with docs/service-config.json and nothing else. Checks that no caller sees an error, that every acknowledged action is in
the log, and prints the longest wait.

    nats_upgrade.py NATS_SERVER CANASTA_RECORDER FOLDER
"""

import contextlib
import json
import pathlib
import signal
import sys
import threading
import time

import recorder
from nats_fleet import NODES, Cluster, Member, Watched

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
    done = threading.Event()
    with contextlib.ExitStack() as stack:
        cluster = Cluster(nats, folder)
        stack.callback(cluster.kill)
        one = Member(program, str(folder / "one"), cluster.options)
        stack.callback(one.kill)
        other = one.twin(str(folder / "other"))
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
        for node in cluster.nodes:
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
