"""Which way of doing a sample again mends its error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modex.core.foundation.errors import ErrorType
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample

if TYPE_CHECKING:
    from modex.core.store.manager import Redo


def mended_by(sample: EvaluationSample, run: RunRow) -> Redo | None:
    """How to try the sample of `run` again; None without an error, and where the run asked no tests of a suite."""
    if sample.status != "error" or run.kind != "evaluation":
        return None
    if sample.error_type == ErrorType.INVALID_TEST:
        return "changed"
    # An answer that is a provider's error text is no answer: judging it again would say the same.
    answered = (
        sample.stage == "rollout"
        and sample.response is not None
        and sample.error_type not in (ErrorType.ERROR_BODY, ErrorType.ERROR_TEXT)
    )
    return "judge" if answered else "ask"
