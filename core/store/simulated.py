"""Who played the user of a conversation, kept with its sample: one typed value in one JSON column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, get_type_hints

from modex.core.store.columns import Document, fits

ENDINGS = ("", "left", "turn_limit")
FAULTS = ("", "left_early", "invented", "swapped_roles", "said_nothing")


@dataclass(frozen=True, slots=True)
class SimulatedUser(Document):
    """The column `simulated_user` of a sample. Its tokens and cost are in no other column of the sample."""

    model: str = ""
    turns: int = 0
    """Messages of the user, the test's own first one included."""
    ended: str = ""
    """`left` by a stop word, or `turn_limit`; empty where the conversation broke off."""
    fault: str = ""
    """What the user did wrong: `left_early` (something it has to say is unsaid, and the model had asked), `invented` (a number or
    a name that nothing told it), `swapped_roles` (spoke as the one who helps), `said_nothing`; empty where nothing was found."""
    why: str = ""
    """The fault in one sentence."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    """USD; None where the price is unknown."""
    duration_ms: int = 0
    attempts: int = 0

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> SimulatedUser:
        """The value that a JSON object holds; keys of no field are left out.

        Raises:
            ValueError: a key holds what it cannot.
        """
        known = {name: value[name] for name in _FITS if name in value}
        for name, found in known.items():
            if not _FITS[name](found):
                raise ValueError(f"`{name}` of another form")
        return cls(**known)

    def as_json(self) -> dict[str, Any]:
        """What is stored."""
        return asdict(self)


_FITS = {name: fits(hint) for name, hint in get_type_hints(SimulatedUser).items()}
