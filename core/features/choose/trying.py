"""How each model did in its first calls: whether it answers, how fast, and what asking it everything will cost."""

from __future__ import annotations

from dataclasses import dataclass

from modex.core.foundation.errors import CUT_OFF
from modex.core.reports.pace import briefly
from modex.core.safety import clean_line
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Pace, answer_times, pace_of

CALLS = 3
"""Questions that each model is asked before a race begins; they are the race's own first ones."""


@dataclass(frozen=True, slots=True)
class FirstCalls:
    """One model's first answers."""

    exp_id: str
    model: str
    asked: int
    answered: int
    cut_off: int
    """Answers among them that were cut off."""
    error: str
    """What was wrong with the first that was no answer; empty where all are."""
    seconds: float | None
    """The median of an answer."""
    pace: Pace | None
    cost_usd: float | None
    """Of one question, judging included; None where a price is not known."""

    @property
    def answers(self) -> bool:
        """Whether it can be raced at all."""
        return self.answered > 0


def tried(reader: Reader, run: RunRow, model: str) -> FirstCalls:
    """What the stored answers of a run say of its `model`, as it is called on the command line."""
    samples = [sample for sample in reader.samples(run.id) if sample.status in ("passed", "failed", "error")]
    cut = [sample for sample in samples if sample.status == "error" and _is_cut_off(sample.error_type)]
    errors = [sample for sample in samples if sample.status == "error" and not _is_cut_off(sample.error_type)]
    times = answer_times(reader, run.id)
    return FirstCalls(
        run.exp_id,
        model,
        len(samples),
        len(samples) - len(errors),
        len(cut),
        f"{errors[0].error_type}: {errors[0].error_message}" if errors else "",
        times.median / 1000 if times is not None else None,
        pace_of(reader, run.id),
        run.cost_usd / len(samples) if samples and not run.unpriced_calls else None,
    )


def _is_cut_off(kind: str | None) -> bool:
    return kind in {str(one) for one in CUT_OFF}


def tried_words(one: FirstCalls, questions: int) -> str:
    """`small answers: 3 of 3, 0.41 s each (first token 0.10 s, 52 tokens/s); all 200 cost about $0.04`."""
    name = clean_line(one.model, 80)
    if not one.answers:
        return f"{name} does not answer: {clean_line(one.error, 300) or 'nothing of it was asked'}"
    each = f", {one.seconds:.2f} s each" if one.seconds is not None else ""
    pace = f" ({briefly(one.pace)})" if one.pace is not None else ""
    words = f"{name} answers: {one.answered} of {one.asked}{each}{pace}; {_cost(one, questions)}"
    if one.cut_off:
        words += f"; {one.cut_off} cut off: a larger --max-tokens may help"
    if one.error:
        words += f"; one error: {clean_line(one.error, 160)}"
    return words


def _cost(one: FirstCalls, questions: int) -> str:
    if one.cost_usd is None:
        return "no price is known"
    if one.cost_usd == 0:
        return "it costs nothing"
    return f"all {questions:,} cost about ${one.cost_usd * questions:,.2g}"


def tried_json(one: FirstCalls, questions: int) -> dict[str, object]:
    """For `--json`; money in USD."""
    return {
        "run": one.exp_id,
        "model": one.model,
        "asked": one.asked,
        "answered": one.answered,
        "cut_off": one.cut_off,
        "error": one.error or None,
        "seconds": one.seconds,
        "pace": one.pace.as_dict() if one.pace is not None else None,
        "cost_usd": one.cost_usd,
        "cost_of_all_usd": None if one.cost_usd is None else one.cost_usd * questions,
    }
