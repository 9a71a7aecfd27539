"""The child process that tries whether a pattern compiles. It may be killed at any time."""

from __future__ import annotations

from typing import Any

import regex

from modex.core.sandbox.child import Confinement, serve

_CONFINEMENT = Confinement(memory_bytes=512 * 1024**2)


def attempt(request: dict[str, Any]) -> dict[str, Any]:
    """Why the pattern does not compile (`problem`), or None."""
    try:
        regex.compile(request["pattern"], regex.IGNORECASE if request["ignore_case"] else 0)
    except regex.error as error:
        return {"problem": str(error)}
    except MemoryError:
        return {"problem": "compiling it takes more than 512 MB; repeat less within repetitions"}
    except RecursionError:
        return {"problem": "it nests too deeply"}
    except (OverflowError, ValueError) as error:
        return {"problem": str(error) or type(error).__name__}
    return {"problem": None}


if __name__ == "__main__":
    serve(attempt, _CONFINEMENT)
