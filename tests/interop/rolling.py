#!/usr/bin/env python3
"""Two servers behind nginx and HAProxy are replaced one after the other, while clients that try nothing again keep
asking through each proxy: no call fails. First canasta-service, then a fleet of canasta-recorder on NATS.

    rolling.py NGINX HAPROXY NATS_SERVER CANASTA_SERVICE CANASTA_RECORDER FOLDER
"""

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import grpc
from grpc_client import SERVICE, TABLE, Client
from nats_fleet import Cluster, Member, free_ports

CLIENTS, ROUNDS = 2, 2
# Nothing is tried again: neither by the library (but what no server has seen) nor by the clients.
NO_RETRIES = [("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1)]


class Service:
    """A service in a process of its own, always on the same port."""

    def __init__(self, program):
        self.program, self.address = program, "127.0.0.1:0"
        self.start()

    def start(self):
        command = [self.program, "--listen", self.address]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        assert " on " in line, line + self.process.stderr.read()
        self.address = line.split()[-1]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()


class Proxies:
    """nginx, and HAProxy by requests and by connections, before two servers."""

    def __init__(self, nginx, haproxy, servers, folder):
        self.ports = dict(zip(("nginx", "HAProxy, requests", "HAProxy, connections"), free_ports(3)))
        of_nginx, of_requests, of_connections = self.ports.values()
        places = "".join(f"server {server.address} max_fails=0; " for server in servers)
        temporary = "".join(f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        pathlib.Path(folder, "nginx.conf").write_text(f"""
            daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
            events {{ worker_connections 512; }}
            http {{
                access_log off; {temporary}
                upstream servers {{ {places} }}
                server {{
                    listen 127.0.0.1:{of_nginx} http2;
                    keepalive_requests 10000000;
                    location / {{ grpc_pass grpc://servers; grpc_read_timeout 60s; }}
                }}
            }}
        """)
        checked = [f"server s{at} {server.address}" for at, server in enumerate(servers)]
        lines = ["defaults", "timeout connect 2s", "timeout client 60s", "timeout server 60s", "option redispatch", "retries 3"]
        for name, port, mode, proto in (("requests", of_requests, "http", " proto h2"), ("connections", of_connections, "tcp", "")):
            lines += [f"frontend {name}", f"mode {mode}", f"bind 127.0.0.1:{port}{proto}", f"default_backend of_{name}"]
            lines += [f"backend of_{name}", f"mode {mode}", "balance roundrobin"]
            lines += [f"{server}{proto} check inter 200ms" for server in checked]
        pathlib.Path(folder, "haproxy.conf").write_text("\n".join(lines) + "\n")
        self.running = [subprocess.Popen([nginx, "-c", f"{folder}/nginx.conf", "-p", folder]),
                        subprocess.Popen([haproxy, "-q", "-f", f"{folder}/haproxy.conf"])]
        time.sleep(1)

    def stop(self):
        for process in self.running:
            process.terminate()
            process.wait(10)


class Asker(threading.Thread):
    """Asks through one proxy without pause, and ends with the first call that fails."""

    def __init__(self, port, service, ask):
        super().__init__()
        channel = grpc.insecure_channel(f"127.0.0.1:{port}", NO_RETRIES)
        self.client, self.ask, self.done, self.calls, self.fault = Client(channel, service=service), ask, False, 0, None

    def run(self):
        try:
            call = self.ask(self.client)
            while not self.done:
                call()
                self.calls += 1
        except Exception as error:
            self.fault = error


def judges(client):
    """Deals a game, again and again: equal requests have equal answers."""
    created = client("CreateGame", rule_set="classic-4p", deal_mode="DEAL_MODE_SEEDED", game_id=b"\1" * 16, secret=b"\2" * 64)
    deal = {"state": created.created.state, "actor": TABLE, "action": {"deal": {}}}
    first = client("ApplyAction", **deal)

    def call():
        assert client("ApplyAction", **deal) == first

    return call


def records(client):
    """Notes something in a game of its own, and looks at the game."""
    new = {"rule_set": "classic-4p", "deal_mode": "DEAL_MODE_SEEDED"}
    game = client("Create", request_id=os.urandom(16), **new).created.game_id
    numbers = itertools.count()

    def call():
        proposals = [{"actor": TABLE, "note": {"text": f"note {next(numbers)}"}}]
        client("Act", game_id=game, request_id=os.urandom(16), proposals=proposals)
        client("GetGame", game_id=game, actor=TABLE)
        # A game takes so many notes, and no more.
        time.sleep(0.05)

    return call


def replaced(name, servers, proxies, service, ask):
    """Replaces each server in turn while clients ask."""
    askers = [Asker(port, service, ask) for port in proxies.ports.values() for _ in range(CLIENTS)]
    for asker in askers:
        asker.start()
    try:
        time.sleep(2)
        for server in servers * ROUNDS:
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(40) == 0, "a clean end"
            server.start()
            time.sleep(1)
    finally:
        for asker in askers:
            asker.done = True
        for asker in askers:
            asker.join(30)
    for asker, proxy in zip(askers, [proxy for proxy in proxies.ports for _ in range(CLIENTS)]):
        assert asker.fault is None, f"{name} behind {proxy}, after {asker.calls} calls: {asker.fault}"
        assert asker.calls > 50, (name, proxy, asker.calls)
    print(f"{name:9} {len(servers) * ROUNDS} replacements, {sum(asker.calls for asker in askers)} rounds of calls, none failed")


def main(nginx, haproxy, nats, service, recorder, folder):
    servers = [Service(service), Service(service)]
    proxies = None
    cluster = None
    try:
        proxies = Proxies(nginx, haproxy, servers, folder)
        replaced("service", servers, proxies, SERVICE, judges)
        proxies.stop()
        cluster = Cluster(nats, folder)
        one = Member(recorder, os.path.join(folder, "one"), cluster.options)
        servers += [one, one.twin(os.path.join(folder, "two"))]
        proxies = Proxies(nginx, haproxy, servers[2:], folder)
        replaced("recorder", servers[2:], proxies, "canasta.v1.RecordService", records)
    finally:
        if proxies:
            proxies.stop()
        if sys.exc_info()[0]:
            print(pathlib.Path(folder, "nginx.log").read_text()[-1500:])
        for server in servers:
            server.process.kill()
        if cluster:
            cluster.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
