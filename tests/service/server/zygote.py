"""Starts real servers quickly: one process has everything imported and forks a server when told.

Each line on standard input is a number of workers and a store; the answer is the pid and address of
a new server. gRPC is imported but not yet in use when the fork happens, which it allows.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys


def main() -> None:
    import hexmarshal.service.server as service
    from hexmarshal.rules.plugins import registry
    from hexmarshal.service.log import LOG
    from hexmarshal.service.settings import Settings

    registry.default().plugins()
    LOG.setLevel("ERROR")
    original = service.Server.start

    async def start(self: service.Server) -> None:
        await original(self)
        print(json.dumps([os.getpid(), f"127.0.0.1:{self.port}"]), flush=True)

    service.Server.start = start
    for line in sys.stdin:
        if os.fork() == 0:
            workers, _, store = line.strip().partition(" ")
            settings = Settings(
                listen="127.0.0.1:0", store=store, workers=int(workers), log_calls="none", rate=0
            )
            asyncio.run(service.run(settings))
            os._exit(0)


if __name__ == "__main__":
    main()
