"""JavaScript that a suite's author wrote, run by an embedded interpreter in a child that can be killed; an optional extra."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from modex.core.sandbox.python import Ran
from modex.core.sandbox.worker import shared_pool

MAX_CODE_CHARS = 50_000
_SECONDS = 2.0
_WALL_FACTOR = 5.0


def javascript_unavailable() -> str | None:
    """Why JavaScript cannot be run here, or None."""
    if find_spec("dukpy") is None:
        return "running JavaScript needs dukpy; install modex with the extra: pip install 'modex[javascript]'"
    return None


def run_javascript(code: str, inputs: Mapping[str, Any]) -> Ran:
    """Run `code` with the variables `inputs` (JSON values): its last expression's value and what it printed, or its error.

    No files, network, environment or processes; 2 s of processor time, 512 MB. Never raises for what the code does.

    Raises:
        WorkerError: no child process can be started.
    """
    if len(code) > MAX_CODE_CHARS:
        return Ran(error=f"the code has more than {MAX_CODE_CHARS:,} characters", error_type="TooLong")
    reply = shared_pool("modex.core.sandbox.javascript_child", site=True).ask(
        {"code": code, "inputs": dict(inputs)}, wall_s=_SECONDS * _WALL_FACTOR, cpu_s=_SECONDS
    )
    if reply.data is None:
        return Ran(
            error=f"the code took more than {_SECONDS:g} s or 512 MB; its interpreter was ended", error_type="Ended"
        )
    data = reply.data
    if problem := data.get("error") or data.get("failed"):
        return Ran(error=str(problem), error_type="Error")
    return Ran(None if data["value"] is None else json.loads(data["value"]), data["printed"])
