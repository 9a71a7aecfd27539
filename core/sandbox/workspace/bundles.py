"""A git bundle as the folder that a clone of it makes: unpacked in a box, since what stands in it is somebody's."""

from __future__ import annotations

from functools import lru_cache

from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.workspace.box import WorkBox
from modex.core.sandbox.workspace.spec import WorkLimits
from modex.core.sandbox.workspace.tree import BEGINNING_NS, Tree, TreeEntry

_NAME = ".given.bundle"
_CLONE = (
    "export GIT_COMMITTER_DATE='2000-01-01T00:00:00Z'; git clone -q --no-hardlinks .given.bundle .given"
    " && git -C .given fetch -q --update-head-ok ../.given.bundle '+refs/heads/*:refs/heads/*'"
    " && git -C .given remote remove origin && rm -f .given.bundle && mv .given/.git . && git reset -q --hard"
    " && git rev-parse -q --verify HEAD > .given/commit; code=$?; rm -rf .given; exit $code"
)
_LIMITS = WorkLimits(seconds=120, memory_mb=2048, size_mb=256)


@lru_cache(maxsize=8)
def unbundled(data: bytes) -> Tree:
    """What a clone of the bundle holds, `.git` and all its branches, with the one that its HEAD names checked out.

    Raises:
        BoxError: it is no bundle that git can clone, or no box can be started.
    """
    box = WorkBox({_NAME: TreeEntry("file", data)}, _LIMITS)
    try:
        ran = box.shell(_CLONE)
        tree = box.keep()
    finally:
        box.close()
    if ran.code:
        said = ran.out.strip().splitlines()[-1:] or ["git says nothing"]
        raise BoxError(f"the bundle cannot be cloned ({said[0][:200]}); make it with `git bundle create FILE --all`")
    return {path: TreeEntry(one.kind, one.data, one.mode, BEGINNING_NS) for path, one in tree.items()}
