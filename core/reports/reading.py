"""How a run's answers were read: failed ones that contain the gold, and whether PASS 2 was of use,
in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from modex.core.evaluators.flags import OFFICIAL_DIFFERS
from modex.core.pipeline.official_rates import OFFICIAL
from modex.core.pipeline.stat import GOLD_IN_ANSWER, LOOKS_LIKE_CALL, PASS2, TEXT_TOOL_CALLS
from modex.core.reports.instructions import instruction_lines
from modex.core.reports.likelihoods import likelihood_lines
from modex.core.reports.spans import span_lines
from modex.core.safety import as_words, clean_line
from modex.core.store.rows import RunRow

CONTAINS_GOLD = f"flag:{GOLD_IN_ANSWER}"
"""The filter that finds the failed answers that contain the gold."""
NO_USE = "flag:pass2_"
"""The filter that finds the answers whose PASS 2 was no use."""
UNFIT_SHARE, _LEAST = 0.1, 2
"""From which share of useless replies on, and how many of them at least, an extractor is called unfit."""
_MOST_FORMS = 3
_WORDS: Mapping[str, tuple[str, str]] = {
    "found_nothing": ("found nothing where there is an answer", "found nothing where there are answers"),
    "unreadable": ("had no readable form", "had no readable form"),
    "not_in_response": ("was not in the response", "were not in the response"),
    "not_asserted": ("quoted what the response does not assert", "quoted what the responses do not assert"),
    "contradicted": ("contradicted the marked answer", "contradicted the marked answer"),
}


@dataclass(frozen=True, slots=True)
class ByRule:
    """The answers of one source by its benchmark's own rule, and by ours."""

    rule: str
    scored: int
    right: int
    """By the rule."""
    ours: int
    """By us."""
    differ: int
    unread: int
    """Answers of which the rule reads nothing."""
    counts: bool
    """Whether the rule's verdicts are the run's."""


@dataclass(frozen=True, slots=True)
class RunReading:
    """How a run's answers were read."""

    gold_in_answer: int = 0
    """Failed answers in which the gold stands."""
    extractor: str = ""
    """The model of PASS 2."""
    asked: int = 0
    """Replies of PASS 2, of the sources that have useless ones among them."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """The useless ones, by why."""

    text_calls: int = 0
    """Calls of tools that came as text."""
    text_answers: int = 0
    """Answers that hold them."""
    forms: Mapping[str, int] = field(default_factory=dict)
    """These calls by form, the most frequent first."""
    look_like_calls: int = 0
    """Answers that only look like a call."""
    by_rule: tuple[ByRule, ...] = ()
    """Of each source whose benchmark has a rule of its own."""

    @property
    def no_use(self) -> int:
        """How many replies were no use."""
        return sum(self.faults.values())

    @property
    def unfit(self) -> bool:
        """Whether more than a tenth of the replies was no use, and more than one."""
        return self.no_use >= _LEAST and self.no_use > UNFIT_SHARE * self.asked

    def as_dict(self) -> dict[str, Any]:
        """For `--json` and exports."""
        pass2 = {"extractor": self.extractor, "asked": self.asked, "no_use": self.no_use, "unfit": self.unfit}
        return {
            GOLD_IN_ANSWER: self.gold_in_answer,
            "filter": CONTAINS_GOLD,
            TEXT_TOOL_CALLS: {"answers": self.text_answers, "calls": self.text_calls, "forms": dict(self.forms)}
            if self.text_answers
            else None,
            LOOKS_LIKE_CALL: self.look_like_calls,
            OFFICIAL: [asdict(one) for one in self.by_rule],
            PASS2: {**pass2, "faults": dict(self.faults)} if self.faults else None,
        }


def reading_of(run: RunRow) -> RunReading:
    """What `stat` stored of how the run's answers were read."""
    golds, asked, alike, answers = 0, 0, 0, 0
    forms: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    by_rule: list[ByRule] = []
    for metrics in run.metrics.values():
        if not isinstance(metrics, dict):
            continue
        golds += _whole(metrics.get(GOLD_IN_ANSWER))
        alike += _whole(metrics.get(LOOKS_LIKE_CALL))
        if isinstance(text := metrics.get(TEXT_TOOL_CALLS), dict):
            answers += _whole(text.get("answers"))
            named = text.get("forms")
            forms.update(
                {str(name): _whole(count) for name, count in (named if isinstance(named, dict) else {}).items()}
            )
        pass2 = metrics.get(PASS2)
        if isinstance(pass2, dict):
            asked += _whole(pass2.get("asked"))
            faults.update({name: count for name in _WORDS if (count := _whole(pass2.get(name)))})
        if isinstance(official := metrics.get(OFFICIAL), dict) and _whole(official.get("scored")):
            numbers = {name: _whole(official.get(name)) for name in ("scored", "right", "ours", "differ", "unread")}
            by_rule.append(ByRule(str(official.get("rule")), **numbers, counts=run.config.get("reading") == "official"))
    spec = run.config.get("extractor") or run.config.get("model")
    name = spec.get("model") if isinstance(spec, dict) else None
    return RunReading(
        golds,
        str(name or run.model),
        asked,
        dict(faults),
        forms.total(),
        answers,
        dict(forms.most_common()),
        alike,
        tuple(by_rule),
    )


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def gold_words(found: RunReading) -> str:
    """`3 failed answers contain the gold`; empty where none does."""
    number = found.gold_in_answer
    return "" if not number else f"{number} failed answer{' contains' if number == 1 else 's contain'} the gold"


def official_lines(found: RunReading) -> list[str]:
    """`71.2 % right, by MMLU-Pro's rule 70.9 %; 14 differ` of each source with such a rule."""
    lines = []
    for one in found.by_rule:
        ours, theirs = (f"{100 * number / one.scored:.1f} %" for number in (one.ours, one.right))
        said = f"{ours} right by our reading, {theirs} by {one.rule}"
        said += ", which counts here" if one.counts else ""
        said += f"; {one.differ} of {one.scored:,} differ" if one.differ else "; none differs"
        lines.append(said + (f"; of {one.unread} it reads no answer" if one.unread else ""))
    return lines


def calls_words(found: RunReading) -> str:
    """`34 calls came as text (hermes): your server's tool parser is off`; empty where none did."""
    if not found.text_answers:
        return ""
    number = max(found.text_calls, found.text_answers)
    names = [
        f"{count} {name}" if len(found.forms) > 1 else name for name, count in list(found.forms.items())[:_MOST_FORMS]
    ]
    named = f" ({', '.join(names)}{', …' if len(found.forms) > _MOST_FORMS else ''})" if names else ""
    return f"{number:,} call{'' if number == 1 else 's'} came as text{named}: your server's tool parser is off"


def alike_words(found: RunReading) -> str:
    """`2 answers only look like a call`; empty where none does."""
    number = found.look_like_calls
    return (
        ""
        if not number
        else f"{number:,} answer{' only looks' if number == 1 else 's only look'} like a call of a tool"
    )


def unfit_words(found: RunReading) -> str:
    """Which extractor is unfit, and what it did; empty where it is not."""
    if not found.unfit:
        return ""
    did = ", ".join(f"{count} {_WORDS[name][count != 1]}" for name, count in found.faults.items())
    return (
        f"{clean_line(found.extractor, 80)} is unfit for PASS 2: {found.no_use} of {found.asked} replies were no use ({did});"
        " the rules read these answers"
    )


def reading_lines(run: RunRow) -> list[str]:
    """All of it as lines of plain text, each with the command that opens the samples or changes the extractor."""
    found = reading_of(run)
    name = as_words(run.exp_id)
    lines = []
    if words := gold_words(found):
        lines.append(f"{words}: `modex show {name} --filter {CONTAINS_GOLD}`")
    lines += official_lines(found)
    if any(one.differ for one in found.by_rule):
        lines[-1] += f" (`modex show {name} --filter flag:{OFFICIAL_DIFFERS}`)"
    if words := calls_words(found):
        lines.append(f"{words}; they count as calls (`modex show {name} --filter flag:{TEXT_TOOL_CALLS}`)")
    if words := alike_words(found):
        lines.append(f"{words}; such are no calls (`modex show {name} --filter flag:{LOOKS_LIKE_CALL}`)")
    if words := unfit_words(found):
        lines.append(
            f"{words} (`modex show {name} --filter {NO_USE}`); `modex judge {name} --extractor-model MODEL` names another"
        )
    return [*lines, *likelihood_lines(run), *instruction_lines(run), *span_lines(run)]
