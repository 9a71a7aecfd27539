"""The copies in which checks run: what the model left, with what it must not decide put back as the test has it.

Each check has a copy and a box of its own, so that what it runs of the model's reaches no other check.
"""

from __future__ import annotations

from collections.abc import Mapping

from modex.core.evaluators.code.outputs import difference
from modex.core.sandbox.workspace.box import ShellRan, WorkBox, seconds_met
from modex.core.sandbox.workspace.spec import Check, WorkLimits
from modex.core.sandbox.workspace.tree import Tree, TreeEntry
from modex.core.verdict import WorkspaceCheck

_SHOWN = 4000
_PRINTED = 1024 * 1024
_SAFE_GIT = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "diff.external=")


def judged_copy(
    left: Mapping[str, TreeEntry], beginning: Mapping[str, TreeEntry], tests: Mapping[str, TreeEntry]
) -> Tree:
    """What a check runs in: what was `left`, git's hooks and settings as at the beginning, and `tests` over it all."""
    copy = {path: entry for path, entry in left.items() if not _put_back(path)}
    copy |= {path: entry for path, entry in beginning.items() if _put_back(path)}
    for path, entry in tests.items():
        steps = path.split("/")
        for above in ("/".join(steps[:count]) for count in range(1, len(steps))):
            if above in copy and copy[above].kind != "folder":
                del copy[above]
        if entry.kind != "folder" or (path in copy and copy[path].kind != "folder"):
            for below in [one for one in copy if one == path or one.startswith(f"{path}/")]:
                del copy[below]
        copy[path] = entry
    return copy


def checked(check: Check, copy: Mapping[str, TreeEntry], limits: WorkLimits, packages: str = "") -> WorkspaceCheck:
    """Run one check in a copy of its own.

    Raises:
        BoxError: no box can be started.
    """
    box = WorkBox(copy, limits, packages)
    try:
        command = f"export {_git_settings()}\n{check.run}"
        if check.prints is None:
            ran = box.shell(command, given=check.stdin)
        else:
            ran = box.shell(command, given=check.stdin, merged=False, output_bytes=_PRINTED)
    finally:
        box.close()
    why = _wrong(check, ran, limits)
    said = f"{ran.out}\n{ran.err}".strip() if ran.err else ran.out.strip()
    shown = said if len(said) <= _SHOWN else f"[… {len(said) - _SHOWN:,} characters left out]\n{said[-_SHOWN:]}"
    return WorkspaceCheck(check.run, why == "", None if ran.lost else ran.code, round(ran.seconds, 3), why, shown)


def _wrong(check: Check, ran: ShellRan, limits: WorkLimits) -> str:
    """Why a check does not hold; empty where it does."""
    if ran.lost:
        return "it ended the sandbox"
    if ran.over:
        most = {"seconds": seconds_met(ran, limits), "memory": f"{limits.memory_mb:g} MB of memory"}
        return f"more than {most[ran.over]}" if ran.over in most else f"too much: {ran.over}"
    # As a shell tells a signal: 128 and its number.
    if ran.code != check.exit and not (ran.code < 0 and check.exit == 128 - ran.code):
        how = f"ended by signal {-ran.code}" if ran.code < 0 else f"exit code {ran.code}"
        return how if check.exit == 0 else f"{how}, expected {check.exit}"
    return "" if check.prints is None else difference(ran.out, check.prints) or ""


def _put_back(path: str) -> bool:
    """Whether git would run what stands there: its settings and hooks."""
    return path in (".git/config", ".git/config.worktree", ".git/info/attributes") or path.startswith(".git/hooks/")


def _git_settings() -> str:
    """Settings that come before those of a repository, for whatever it lies in: git-config(1), GIT_CONFIG_COUNT."""
    words = [f"GIT_CONFIG_COUNT={len(_SAFE_GIT)}"]
    for number, one in enumerate(_SAFE_GIT):
        name, _, value = one.partition("=")
        words += [f"GIT_CONFIG_KEY_{number}={name}", f"GIT_CONFIG_VALUE_{number}={value}"]
    return " ".join(words)
