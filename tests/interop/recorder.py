#!/usr/bin/env python3
"""Rivals play games by id, knowing nothing but reflection, while the recorder is killed in the middle of its appends and
started again. Checks that every acknowledged action is in the log at its place, that no place has two winners, and that
a retry is recorded once.

    recorder.py CANASTA_RECORDER FOLDER

The recorder keeps FOLDER/data. Into FOLDER goes the log of each game.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

import grpc
from grpc_client import TABLE, Client, details

SERVICE = "canasta.v1.RecordService"
DIRECTOR = {"role": "ROLE_DIRECTOR"}
GAMES, RIVALS, KILLS, SEED = 3, 3, 4, 11
RULE_SETS = ["classic-4p", "samba-4p", "hand-and-foot-4p"]
LOST = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}


def connect(*addresses, config=None):
    """A client of one recorder, or of several behind one name, that looks for them again at once, as front ends should."""
    config = (config or {}) | {"loadBalancingConfig": [{"round_robin": {}}]}
    # gRPC would make the server's name of all addresses, which is none.
    options = [("grpc.service_config", json.dumps(config)), ("grpc.default_authority", "recorders"),
               ("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 500)]
    return Client(grpc.insecure_channel("ipv4:" + ",".join(addresses), options), service=SERVICE)


class Recorder:
    """A recorder in a process of its own, always on the same port."""

    def __init__(self, program, data):
        self.program, self.data, self.address = program, data, "127.0.0.1:0"
        self.start()

    def start(self):
        command = [self.program, "--data", self.data, "--listen", self.address]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        # Whatever is wrong is told first.
        said = []
        while not said or " on 127.0.0.1:" not in said[-1]:
            said.append(self.process.stderr.readline())
            assert said[-1], said
        line = said[-1]
        self.address = line.split()[-1]
        # A full pipe would block the recorder.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def patiently(call):
    """Repeats what got no answer, unchanged, as a client must."""
    ends = time.monotonic() + 60
    while True:
        try:
            return call()
        except grpc.RpcError as error:
            if error.code() not in LOST or time.monotonic() > ends:
                raise
            time.sleep(0.05)


class Rival(threading.Thread):
    """Plays what the recorder suggests, in one game, beside others who do the same."""

    patience = staticmethod(patiently)

    def __init__(self, client, game, done):
        super().__init__()
        self.client = client
        self.game, self.done, self.won, self.lost, self.repeated, self.fault = game, done, {}, 0, 0, None

    def run(self):
        try:
            while not self.done.is_set():
                self.act()
        except BaseException as error:
            self.fault = error

    def act(self):
        view = self.patience(lambda: self.client("GetGame", game_id=self.game, actor=TABLE))
        # Protobuf tells an unset seat apart from seat 0.
        actor = {"seat": view.view.to_act} if view.view.HasField("to_act") else TABLE
        question = {"game_id": self.game, "actor": actor, "seed": view.log_end.seq}
        action = self.patience(lambda: self.client("Suggest", **question)).action
        if not action.WhichOneof("kind"):
            return
        request = dict(game_id=self.game, request_id=os.urandom(16), expected_seq=view.log_end.seq,
                       proposals=[{"actor": actor, "action": action}])
        try:
            answer = self.patience(lambda: self.client("Act", **request))
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.ABORTED and details(error)[0].reason == "STALE_HEAD", error
            self.lost += 1
            return
        if answer.WhichOneof("outcome") == "acted":
            end = answer.acted.log_end
            self.won[end.seq] = end.n, end.head
            self.repeated += answer.acted.repeated_request
            again = self.patience(lambda: self.client("Act", **request)) if end.seq % 16 == 0 else None
            assert again is None or (again.acted.repeated_request and again.acted.log_end == end), again


def create(client, number):
    game = {"rule_set": RULE_SETS[number % len(RULE_SETS)], "deal_mode": "DEAL_MODE_SEEDED"}
    if game["rule_set"].startswith("hand-and-foot"):
        game["dealer"] = 0
    request = dict(request_id=bytes([number] * 16), label="rivals", **game)
    created, again = client("Create", **request), client("Create", **request)
    assert created == again and created.created.game_id, created
    return created.created.game_id


def main(program, folder):
    rng, done = random.Random(SEED), threading.Event()
    recorder = Recorder(program, os.path.join(folder, "data"))
    client = connect(recorder.address)
    games = [create(client, number) for number in range(GAMES)]
    rivals = [Rival(connect(recorder.address), game, done) for game in games for _ in range(RIVALS)]
    for rival in rivals:
        rival.start()
    for _ in range(KILLS):
        time.sleep(rng.uniform(1, 3))
        recorder.kill()
        recorder.start()
    time.sleep(2)
    done.set()
    for rival in rivals:
        rival.join()
        if rival.fault:
            raise rival.fault
    for game in games:
        finish(client, game, [rival for rival in rivals if rival.game == game], folder)
    judge(client, recorder, games)
    recorder.process.send_signal(signal.SIGTERM)
    assert recorder.process.wait(60) == 0


def judge(client, recorder, games, archive=None):
    """Ends each game by a ruling, kills the recorder among its audits, and waits for one verdict per game."""
    ruling = {"by": "AUTHORITY_DIRECTOR", "side": 0, "rule": "IR-033", "effect": {"forfeit": {"side": 0}}}
    for game in games:
        request = dict(game_id=game, request_id=os.urandom(16), proposals=[{"actor": DIRECTOR, "action": {"ruling": ruling}}])
        # Of a game that is over already the ruling is rejected.
        patiently(lambda: client("Act", **request))
    recorder.kill()
    recorder.start()
    ends = time.monotonic() + 60
    for game in games:
        ask = lambda: patiently(lambda: client("GetVerdict", game_id=game, actor=TABLE))
        while ask().WhichOneof("outcome") == "pending":
            assert time.monotonic() < ends, "no verdict within a minute"
            time.sleep(0.1)
        verdict = ask().verdict
        archived = pathlib.Path(archive or pathlib.Path(recorder.data, "archive"), verdict.archived_as)
        assert archived.exists() and verdict.report.records, verdict
        print(f"judged   {verdict.report.records} records, {archived.stat().st_size} bytes packed", flush=True)


def finish(client, game, rivals, folder):
    """Checks what was acknowledged against the log, which `canasta-replay` then audits."""
    won = [seq for rival in rivals for seq in rival.won]
    assert len(won) == len(set(won)), "a place has one winner"
    end = patiently(lambda: client("GetGame", game_id=game, actor=TABLE)).log_end
    method = client.method("GetLog", client.channel.unary_stream)
    pieces = list(method(client.message("GetLog", dict(game_id=game, actor=DIRECTOR)), timeout=30))
    assert pieces[-1].last and pieces[-1].log_end == end
    # All actions came from these rivals, each alone in its entry.
    assert sorted(won) == list(range(1, end.seq + 1)), (sorted(won)[-5:], end.seq)
    heads, token = [], ""
    while len(heads) <= end.n:
        page = client("Describe", game_id=game, actor=DIRECTOR, page_token=token)
        heads += [one.record.head for one in page.records]
        token = page.next_page_token
    for rival in rivals:
        assert all(heads[n] == head for n, head in rival.won.values()), "what was acknowledged is in the log"
    pathlib.Path(folder, f"{game.hex()}.clog").write_bytes(b"".join(piece.frames for piece in pieces))
    lost, repeated = sum(rival.lost for rival in rivals), sum(rival.repeated for rival in rivals)
    print(f"played   {end.seq} actions by {len(rivals)} rivals: {lost} lost their place, "
          f"{repeated} answers came with a retry", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
