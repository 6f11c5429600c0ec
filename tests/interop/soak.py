#!/usr/bin/env python3
"""Hours of games, by single calls, batches and streams, and audits of them, against the real program at seven tenths of
what its clients can do, or another share: every status is the expected one, and memory does not grow, telemetry and all.
Not for CI.

    soak.py PROGRAM HOURS [SHARE]
"""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent import futures

import grpc

import grpc_client

FORK = multiprocessing.get_context("fork")


class Paced(grpc.UnaryUnaryClientInterceptor):
    """Is busy for a share of the time, and rests for what is left of it."""

    def __init__(self, calls, share):
        self.calls, self.rest = calls, (1 - share) / share

    def intercept_unary_unary(self, proceed, details, request):
        began = time.monotonic()
        call = proceed(details, request)
        call.code()
        time.sleep((time.monotonic() - began) * self.rest)
        self.calls.value += 1
        return call


def work(place, until, share, calls, faults):
    try:
        address = place.get()
        while time.time() < until:
            channel = grpc.intercept_channel(grpc.insecure_channel(address), Paced(calls, share))
            client = grpc_client.Client(channel)
            with contextlib.redirect_stdout(None):
                state, _, log, *_, last = grpc_client.play(client)
                grpc_client.several(client)
                grpc_client.audited(grpc_client.Client(channel, service=grpc_client.AUDIT), log, last.n + 1, last.head)
            invalid = grpc.StatusCode.INVALID_ARGUMENT
            grpc_client.fails(invalid, client, "GetView", state=state[:-1], actor=grpc_client.TABLE)
            grpc_client.fails(grpc.StatusCode.NOT_FOUND, client, "GetRule", rule_id="CL-999")
    except BaseException as error:
        faults.put(repr(error))


class Collector(grpc.GenericRpcHandler):
    """Takes telemetry, and says nothing."""

    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(lambda request, context: b"")


def collector():
    server = grpc.server(futures.ThreadPoolExecutor(2), handlers=[Collector()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) / 1024


def slope(samples):
    """MiB an hour, by least squares."""
    n = len(samples)
    middle, level = sum(at for at, _ in samples) / n, sum(mib for _, mib in samples) / n
    spread = sum((at - middle) ** 2 for at, _ in samples)
    return 3600 * sum((at - middle) * (mib - level) for at, mib in samples) / spread


def main(program, hours, share=0.7):
    seconds, faults = float(hours) * 3600, FORK.Queue()
    began, counts = time.time(), [FORK.Value("q", 0) for _ in range(os.cpu_count())]
    place = FORK.Queue()
    # Before anything of gRPC runs here: it does not survive a fork.
    workers = [FORK.Process(target=work, args=(place, began + seconds, float(share), count, faults)) for count in counts]
    for worker in workers:
        worker.start()
    taking, port = collector()
    command = [program, "--listen", "127.0.0.1:0", "--otlp-endpoint", f"http://127.0.0.1:{port}", "--metrics-interval-ms", "1000"]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    address = service.stderr.readline().split()[-1]
    for _ in workers:
        place.put(address)
    samples, told = [], 0
    while any(worker.is_alive() for worker in workers):
        time.sleep(min(10, seconds / 20))
        at = time.time() - began
        samples.append((at, memory(service.pid)))
        if at - told > min(600, seconds / 20):
            told = at
            print(f"{at / 3600:6.2f} h  {sum(count.value for count in counts):12,} calls  {samples[-1][1]:6.1f} MiB", flush=True)
    unexpected = [faults.get() for _ in range(faults.qsize())]
    service.send_signal(signal.SIGTERM)
    code = service.wait(30)
    taking.stop(None)
    # The first third is for warming up.
    grows = slope(samples[len(samples) // 3 :])
    print(f"{sum(count.value for count in counts):,} calls in {hours} h, {len(unexpected)} unexpected, memory grows by {grows:.2f} MiB/h")
    assert not unexpected, unexpected
    assert code == 0, code
    assert grows < 1 or float(hours) < 1, "memory grows"


if __name__ == "__main__":
    main(*sys.argv[1:])
