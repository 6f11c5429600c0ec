#!/usr/bin/env python3
"""Rivals play games by id on two recorders that share three NATS servers and an archive, while recorders, auditors and
servers are killed at random. Checks that every acknowledged action is in the log at its place, that no place has two
winners, that somebody is answered in each ten seconds, and that each game gets one verdict.

    nats_fleet.py NATS_SERVER CANASTA_RECORDER CANASTA_AUDITOR FOLDER SECONDS

Into FOLDER goes the log of each game; FOLDER/archive is the archive.
"""

import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import recorder
from grpc_client import TABLE

NODES, SEED, SILENCE = 3, 7, 10
KEYS = ["recorder.key", "seal.keys", "signing.key", "signing.pub"]


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Node:
    """A NATS server that writes to the disk before it acknowledges."""

    def __init__(self, program, folder, name, ports, routes, sync="always"):
        self.config = pathlib.Path(folder, f"{name}.conf")
        client, cluster, self.monitor = ports
        self.address, self.program = f"127.0.0.1:{client}", program
        self.config.write_text(f"""
            server_name: {name}
            listen: 127.0.0.1:{client}
            http: 127.0.0.1:{self.monitor}
            jetstream {{ store_dir: "{folder}/{name}", sync_interval: "{sync}" }}
            lame_duck_duration: "30s"
            lame_duck_grace_period: "1s"
            cluster {{ name: fleet, listen: 127.0.0.1:{cluster}, routes: [{routes}] }}
        """)
        self.start()

    def start(self):
        with open(self.config.with_suffix(".log"), "ab") as log:
            self.process = subprocess.Popen([self.program, "-c", self.config], stderr=log)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def is_well(self):
        """Whether its streams are up to date."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/healthz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False


class Cluster:
    """The servers in a folder, the archive beside them, and the options with which a recorder uses both."""

    def __init__(self, program, folder, sync="always"):
        ports = [free_ports(3) for _ in range(NODES)]
        routes = ", ".join(f"nats://127.0.0.1:{cluster}" for _, cluster, _ in ports)
        self.nodes = [Node(program, folder, f"n{at}", ports[at], routes, sync) for at in range(NODES)]
        self.archive = pathlib.Path(folder, "archive")
        self.archive.mkdir(mode=0o700)
        self.options = ["--journal", "nats://" + ",".join(node.address for node in self.nodes),
                        "--archive", f"file:{self.archive}",
                        "--nats-monitors", ",".join(f"http://127.0.0.1:{node.monitor}" for node in self.nodes)]

    def kill(self):
        for node in self.nodes:
            node.kill()


class Auditor:
    """An auditor in a process of its own."""

    def __init__(self, program, options):
        self.command = [program, "--listen", "127.0.0.1:0", *options]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Member(recorder.Recorder):
    """A recorder of the fleet. It starts once the NATS servers have their leaders."""

    def __init__(self, program, data, options):
        self.options = options
        super().__init__(program, data)

    def start(self):
        ends = time.monotonic() + 60
        while not self.serves():
            assert time.monotonic() < ends, self.said
            time.sleep(0.5)
        self.address = self.said[-1].split()[-1]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def twin(self, data):
        """A recorder with the same keys, in a folder of its own."""
        os.mkdir(data, mode=0o700)
        for key in KEYS:
            shutil.copy(os.path.join(self.data, key), data)
        return Member(self.program, data, self.options)

    def serves(self):
        """Starts the process, and reads what it says until it serves or ends."""
        command = [self.program, "--data", self.data, "--listen", self.address, *self.options]
        self.process, self.said = subprocess.Popen(command, stderr=subprocess.PIPE, text=True), []
        for line in self.process.stderr:
            self.said.append(line)
            # Warnings come first.
            if line.startswith("canasta-recorder "):
                return True
        return False


class Watched(recorder.Rival):
    """A rival that notes the longest time for which it waited, and the longest for which all rivals together did."""

    longest, silence, answered = 0.0, 0.0, None

    def act(self):
        begins = time.monotonic()
        super().act()
        now = time.monotonic()
        self.longest = max(self.longest, now - begins)
        # Of all rivals.
        Watched.silence = max(Watched.silence, now - (Watched.answered or now))
        Watched.answered = now


def main(nats, program, auditor, folder, seconds):
    rng, done = random.Random(SEED), threading.Event()
    servers = os.path.join(folder, "nats")
    os.mkdir(servers)
    cluster = Cluster(nats, servers)
    nodes, archive, options = cluster.nodes, cluster.archive, cluster.options
    one = Member(program, os.path.join(folder, "one"), options)
    # A recorder with keys of its own must not join.
    stranger = subprocess.run([program, "--data", os.path.join(folder, "stranger"), "--listen", "127.0.0.1:0", *options],
                              stderr=subprocess.PIPE, text=True, timeout=60)
    assert stranger.returncode == 64 and "other recorders" in stranger.stderr, stranger
    other = one.twin(os.path.join(folder, "other"))
    auditors = [Auditor(auditor, options) for _ in range(2)]
    members, clients = [one, other], []
    for member in members:
        clients.append(recorder.connect(member.address))
    games = [recorder.create(clients[number % 2], number) for number in range(recorder.GAMES)]
    rivals = [Watched(recorder.connect(one.address, other.address), game, done)
              for game in games for _ in range(recorder.RIVALS)]
    for rival in rivals:
        rival.start()
    kills, ends = dict.fromkeys(["recorders", "auditors", "servers"], 0), time.monotonic() + seconds
    while time.monotonic() < ends:
        time.sleep(rng.uniform(1, 4))
        kind, victims = rng.choice([("recorders", members), ("auditors", auditors), ("servers", nodes)])
        if kind == "servers" and not all(node.is_well() for node in nodes):
            # A majority must live.
            continue
        victim = rng.choice(victims)
        victim.kill()
        time.sleep(rng.uniform(0, 1))
        victim.start()
        kills[kind] += 1
    time.sleep(3)
    done.set()
    for rival in rivals:
        rival.join()
        if rival.fault:
            raise rival.fault
    for game in games:
        recorder.finish(clients[0], game, [rival for rival in rivals if rival.game == game], folder)
    killed = ", ".join(f"{count} {kind}" for kind, count in kills.items())
    longest = max(rival.longest for rival in rivals)
    print(f"killed   {killed}; nobody was answered for {Watched.silence:.1f} s, the longest wait was {longest:.1f} s", flush=True)
    assert Watched.silence <= SILENCE, "a majority lived, and nobody was answered"
    # Each recorder answers from the journal that both share.
    # Each client has classes of its own, whose messages are never equal.
    views = [[str(recorder.patiently(lambda: client("GetGame", game_id=game, actor=TABLE))) for game in games]
             for client in clients]
    assert views[0] == views[1]
    judge(clients, games, auditors, archive)
    for process in [*members, *auditors]:
        process.process.terminate()
    for process in [*members, *auditors]:
        assert process.process.wait(60) == 0, process
    cluster.kill()


def judge(clients, games, auditors, archive):
    """Ends each game by a ruling, kills an auditor meanwhile, and waits for one verdict per game."""
    ruling = {"by": "AUTHORITY_DIRECTOR", "side": 0, "rule": "IR-033", "effect": {"forfeit": {"side": 0}}}
    for game in games:
        request = dict(game_id=game, request_id=os.urandom(16),
                       proposals=[{"actor": recorder.DIRECTOR, "action": {"ruling": ruling}}])
        recorder.patiently(lambda: clients[0]("Act", **request))
    auditors[0].kill()
    auditors[0].start()
    ends = time.monotonic() + 90
    for game in games:
        ask = lambda client: recorder.patiently(lambda: client("GetVerdict", game_id=game, actor=TABLE))
        while ask(clients[1]).WhichOneof("outcome") == "pending":
            assert time.monotonic() < ends, "no verdict within a minute and a half"
            time.sleep(0.1)
        assert str(ask(clients[0])) == str(ask(clients[1]))
        verdict = ask(clients[0]).verdict
        assert len(list(archive.glob(f"games/*/{game.hex()}/*.verdict.json"))) == 1, "one log, one verdict"
        assert (archive / verdict.archived_as).exists() and verdict.report.records, verdict
        print(f"judged   {verdict.report.records} records", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:5], int(sys.argv[5]))
