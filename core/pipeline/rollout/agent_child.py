"""The process of an agent that is a Python function: `python -m modex.core.pipeline.rollout.agent_child module:function`.

The function gets the task as a dict and returns the answer: a dict as `docs/agents.md` has it, or the text alone. It is called
for each line of stdin, one after the other. What it prints goes to stderr.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import os
import sys
from typing import Any

from modex.core.pipeline.old_imports import allow_old_imports


def main(spec: str) -> None:
    """Answer each task on stdin by the function that `spec` names, in a line of stdout.

    Raises:
        SystemExit: there is no such function.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - where the user named the module
    allow_old_imports()
    module, _, name = spec.partition(":")
    function = getattr(importlib.import_module(module), name, None)
    if not callable(function):
        raise SystemExit(f"there is no function {name!r} in {module}")
    with asyncio.Runner() as runner:  # one event loop for all tasks: what the function keeps may belong to it
        for line in sys.stdin:
            task: dict[str, Any] = json.loads(line)
            answer = function(task)
            if inspect.isawaitable(answer):
                answer = runner.run(_awaited(answer))
            said = json.dumps({"answer": answer} if isinstance(answer, str) else answer, ensure_ascii=False)
            answers.write(f"{said}\n")
            answers.flush()


async def _awaited(answer: Any) -> Any:
    return await answer


if __name__ == "__main__":
    main(sys.argv[1])
