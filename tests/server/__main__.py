"""`python -m tests.server --port 0 --scenario ok`: prints the port, then serves until it is ended."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from tests.server.handle import DEFAULT_MODELS, start
from tests.server.http import Recorder
from tests.server.scenarios import SCENARIOS, delayed, from_file, scenario


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--scenario", choices=sorted(SCENARIOS), default="ok")
    parser.add_argument("--script", type=Path, help="a JSON file of replies; wins over --scenario")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each reply")
    options = parser.parse_args()
    if options.script is not None:
        behave = delayed(from_file(options.script), options.latency)
    else:
        behave = scenario(options.scenario, options.latency)
    asyncio.run(_serve(Recorder(behave, DEFAULT_MODELS), options.port))


async def _serve(recorder: Recorder, port: int) -> None:
    server = await start(asyncio.get_running_loop(), recorder, port)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    main()
