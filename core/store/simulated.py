"""Who played the user of a conversation, kept with its sample: one typed value in one JSON column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, get_type_hints

from modex.core.store.columns import Document, fits

ENDINGS = ("", "left", "turn_limit")
FAULTS = ("", "left_early", "left_at_once", "withheld", "invented", "changed_goal", "swapped_roles", "said_nothing")
SURE = ("", "certain", "likely")


@dataclass(frozen=True, slots=True)
class SimulatedUser(Document):
    """The column `simulated_user` of a sample. Its tokens and cost are in no other column of the sample."""

    model: str = ""
    turns: int = 0
    """Messages of the user, the test's own first one included."""
    ended: str = ""
    """`left` by a stop word, or `turn_limit`; empty where the conversation broke off."""
    fault: str = ""
    """What the user did wrong: `left_early` (something it has to say is unsaid, and the model had asked), `left_at_once` (the
    same with its first word), `withheld` (it never said it until its turns were used up), `invented` (a number, an amount, a
    date or a name that nothing told it), `changed_goal` (wanted what nothing spoke of), `swapped_roles` (spoke as the one who
    helps), `said_nothing`; empty where nothing was found."""
    why: str = ""
    """The fault in one sentence."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    """USD; None where the price is unknown."""
    duration_ms: int = 0
    attempts: int = 0
    sure: str = ""
    """How sure the fault is: `certain` or `likely`; empty without one, and in conversations of 0.2.0, where each was certain."""

    @property
    def certainly_at_fault(self) -> bool:
        """Whether a fault was found that is more than likely."""
        return bool(self.fault) and self.sure != "likely"

    @property
    def said(self) -> str:
        """The fault in a line that names who is at fault: `the user is at fault (left early): …`; empty without one."""
        if not self.fault:
            return ""
        sure = ", likely" if self.sure == "likely" else ""
        return f"the user is at fault ({self.fault.replace('_', ' ')}{sure}): {self.why}"

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
