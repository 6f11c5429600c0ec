#!/usr/bin/env python3
"""Three NATS servers for a script: prints the options of a recorder whose journal they hold, one per line, and runs until it is told to
end.

    nats_servers.py NATS_SERVER FOLDER
"""

import pathlib
import signal
import sys
import time

from nats_fleet import Cluster


def main(program, folder):
    cluster = Cluster(program, pathlib.Path(folder))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        ends = time.monotonic() + 60
        while not all(node.is_well() for node in cluster.nodes):
            assert time.monotonic() < ends, "the servers have no leader"
            time.sleep(0.2)
        print("\n".join(cluster.options), flush=True)
        while True:
            signal.pause()
    finally:
        cluster.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
