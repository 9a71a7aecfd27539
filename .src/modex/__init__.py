"""Model Explorer: what a plugin, an agent or a notebook may use of it.

`from modex import BaseEvaluator, register_evaluator`. The names in `__all__` keep working from version to version (semantic
versions); every other module may change. `docs/extending.md` shows each in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modex.core.public.api import *  # noqa: F403
    from modex.core.public.api import __all__ as __all__


def __getattr__(name: str) -> Any:
    # The program itself imports this package first of all, and starts in a tenth of the time that the interface takes to import.
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    from modex.core.public import api

    if name != "__all__" and name not in api.__all__:
        raise AttributeError(f"modex has no public name {name!r}; docs/extending.md lists them")
    return getattr(api, name)


def __dir__() -> list[str]:
    from modex.core.public import api

    return sorted(api.__all__)
