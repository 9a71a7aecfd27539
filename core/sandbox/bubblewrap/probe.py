"""Whether bubblewrap works here: namespaces are refused in many containers and on some systems."""

from __future__ import annotations

import functools
import sys

from modex.core.sandbox.bubblewrap.binary import INSTALL, find_bubblewrap
from modex.core.sandbox.bubblewrap.box import Box, BoxEnded, BoxError, BoxLimits

_WALL_S = 30.0


@functools.cache
def bubblewrap_unavailable() -> str | None:
    """Why no program can be run in namespaces here, or None. Tried once a process, by running one."""
    if not sys.platform.startswith("linux"):
        return f"bubblewrap needs Linux, and this is {sys.platform}"
    if find_bubblewrap() is None:
        return f"bubblewrap is not here; {INSTALL}"
    try:
        with Box(BoxLimits()) as box:
            box.ask({"do": "run", "code": "1"}, _WALL_S)
    except (BoxError, BoxEnded) as error:
        return f"bubblewrap does not work here: {error}"
    return None
