"""The range a judge rates on, and a rating on it as a score from 0 to 1."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from modex.core.suite.definitions import EvaluatorConfig


@dataclass(frozen=True, slots=True)
class Scale:
    """`minimum` to `maximum`; on a `binary` scale only the two ends. `words` maps verdict words to ratings."""

    minimum: float = 0.0
    maximum: float = 1.0
    binary: bool = False
    words: dict[str, float] = field(default_factory=dict)

    def problem(self, rating: object) -> str | None:
        """Why `rating` is no rating on this scale, or None. A text or a truth value is none."""
        if isinstance(rating, bool) or not isinstance(rating, int | float) or not math.isfinite(rating):
            return f"the score {rating!r} is not a number"
        if not self.minimum <= rating <= self.maximum:
            return f"the score {rating!r} is outside {self.minimum:g} to {self.maximum:g}"
        if self.binary and rating not in (self.minimum, self.maximum):
            return f"the score {rating!r} is neither {self.minimum:g} nor {self.maximum:g}"
        return None

    def normalised(self, rating: float) -> float:
        """The rating as a score: the minimum is 0, the maximum 1 (1 on a scale of 0 to 5 is 0.2)."""
        return (rating - self.minimum) / (self.maximum - self.minimum)


BINARY = Scale(binary=True)


def scale_of(config: EvaluatorConfig) -> Scale:
    """The scale that `config.min_score`, `max_score`, `binary` and `verdicts` declare; 0 to 1 without them.

    Raises:
        ValueError: the range is empty, or not numbers.
    """
    low, high = config.config.get("min_score", 0), config.config.get("max_score", 1)
    for name, value in (("min_score", low), ("max_score", high)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"config.{name} is a number, not {value!r}")
    if low >= high:
        raise ValueError(f"config.min_score ({low}) must be below config.max_score ({high})")
    scale = Scale(float(low), float(high), bool(config.config.get("binary", False)))
    words: Any = config.config.get("verdicts", {})
    if not isinstance(words, dict) or any(scale.problem(rating) for rating in words.values()):
        raise ValueError("config.verdicts maps each verdict word to a number within the range")
    return Scale(scale.minimum, scale.maximum, scale.binary, {str(k).casefold(): float(v) for k, v in words.items()})
