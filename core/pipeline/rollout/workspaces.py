"""The workspace of a sample while it is asked: opened with what its test gives, kept for who judges it."""

from __future__ import annotations

import json
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.pipeline.run_context import RunContext
from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.environments import PackagesError, environment
from modex.core.sandbox.workspace.spec import WorkLimits
from modex.core.sandbox.workspace.tree import changed, packed, unpacked
from modex.core.store.sample import EvaluationSample
from modex.core.suite.files import FileFaultError
from modex.core.tools.base import ToolSession

_SHOWN = 200


def workspace_missing(sample: EvaluationSample) -> str | None:
    """Why this machine has no workspace for the sample, with what to install; None where it has."""
    from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable
    from modex.core.suite.workspaces import needs_missing

    return bubblewrap_unavailable() or needs_missing(sample.definition.sandbox)


def open_workspace(sample: EvaluationSample, context: RunContext, kept: dict[str, Any] | None = None) -> object:
    """The workspace as the test begins it, or as it was `kept`.

    Raises:
        ModelCallError: its files, packages or sandbox cannot be had.
    """
    from modex.core.suite.workspaces import beginning_of
    from modex.core.tools.shell_tools import SampleWorkspace

    sandbox = sample.definition.sandbox
    names = sandbox.get("packages") or []
    try:
        beginning = beginning_of(sandbox, context.suite_root)
        packages = str(environment(names)) if names else ""
        now = changed(beginning, unpacked(kept["state"])) if kept is not None else None
    except FileFaultError as fault:
        raise ModelCallError(f"the test's files: {fault.message}; mend the test", ErrorType.INVALID_TEST) from fault
    except (BoxError, PackagesError) as error:
        raise ModelCallError(str(error), ErrorType.SANDBOX_UNAVAILABLE) from error
    return SampleWorkspace(
        beginning,
        WorkLimits.of(sandbox),
        packages,
        now=now,
        calls=int(kept["calls"]) if kept is not None else 0,
        given_up=context.stop.is_set,
    )


def is_used_up(session: ToolSession) -> bool:
    """Whether the session has a workspace that answers no more calls."""
    from modex.core.tools.shell_tools import SampleWorkspace

    return isinstance(session.workspace, SampleWorkspace) and session.workspace.is_used_up


def running(name: str, arguments: str) -> str:
    """What a call of a workspace's tool does, in a line for who looks on; empty for other tools."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    for key in ("command", "path", "pattern"):
        if isinstance(given, dict) and isinstance(value := given.get(key), str):
            plain = "".join(letter if letter.isprintable() else " " for letter in value[: 2 * _SHOWN])
            return f"{name}: {' '.join(plain.split())}"[:_SHOWN]
    return ""


def kept_workspace(session: ToolSession | None) -> dict[str, Any]:
    """What the store keeps of the session's workspace; as it began where nothing was called."""
    from modex.core.tools.shell_tools import SampleWorkspace

    workspace = session.workspace if session is not None else None
    if not isinstance(workspace, SampleWorkspace):
        return {"calls": 0, "state": packed({})}
    kept: dict[str, Any] = {"calls": workspace.calls}
    try:
        kept["state"] = workspace.packed_now()
    except ValueError as error:
        kept |= {"state": packed({}), "too_much": f"more than can be kept ({error})"}
    if workspace.too_much:
        kept["too_much"] = workspace.too_much
    return kept


def close_workspace(session: ToolSession) -> None:
    """End the box of the session's workspace."""
    from modex.core.tools.shell_tools import SampleWorkspace

    if isinstance(session.workspace, SampleWorkspace):
        session.workspace.close()
