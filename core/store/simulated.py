"""Who played the user of a conversation, kept with its sample: one typed value in one JSON column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from modex.core.store.columns import Document

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
        known: dict[str, Any] = {}
        for one in fields(cls):
            if one.name not in value:
                continue
            found = value[one.name]
            wanted = (str,) if one.type == "str" else (int,) if one.type == "int" else (int, float, type(None))
            if isinstance(found, bool) or not isinstance(found, wanted):
                raise ValueError(f"`{one.name}` of another form")  # noqa: TRY004 - one error for what does not fit
            known[one.name] = found
        return cls(**known)

    def as_json(self) -> dict[str, Any]:
        """What is stored."""
        return asdict(self)
