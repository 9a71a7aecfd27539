"""The process that serves a file of weights by llama.cpp's own server inside the wheel `xllamacpp`."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any


def serve(options: dict[str, Any], key: str) -> None:
    """Answer at `options["port"]` of the loopback until a signal ends this process."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = options["file"]
    params.model_alias = {options["name"]}
    params.hostnames = ["127.0.0.1"]
    params.port = options["port"]
    params.api_keys = [key] if key else []
    params.n_ctx = options["context"]
    params.n_parallel = options["slots"]
    params.cpuparams.n_threads = options["threads"]
    params.cpuparams_batch.n_threads = options["threads"]
    params.use_jinja = True
    params.endpoint_props = True
    params.cache_ram_mib = 0  # prompts of other calls are not kept: memory stays what was said
    if "gpu_layers" in options:
        params.n_gpu_layers = options["gpu_layers"]
    if options["template"]:
        params.chat_template = options["template"]
    try:
        server = xllamacpp.Server(params)
    except (
        Exception
    ) as error:  # the library wrote why; Python's own lines would stand before that in what is quoted of the log
        print(f"llama.cpp did not start: {error}", flush=True)
        os._exit(1)  # its threads may live on
    print(f"listening: {server.listening_address}", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    serve(json.loads(sys.argv[-1]), os.environ.get("MODEX_SERVED_KEY", ""))
    os._exit(0)  # its threads are the library's own
