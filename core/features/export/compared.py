"""Several runs side by side taken out of the store: as JSON, CSV, Markdown or a comment, with the numbers of `modex compare`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from modex.core.comparison.difference import Difference
from modex.core.comparison.wording import (
    WHAT_IS_OPEN,
    between,
    bounds_words,
    headline,
    nothing_shared_words,
    open_difference,
    p_value,
    sentence,
    those,
    unscored_words,
    verdict,
)
from modex.core.features.certify.rule import corrected_lines
from modex.core.features.compare.compare import Comparison, compare, comparison_json, pairing_notes
from modex.core.features.compare.several import OPEN_PLACE, Several, compare_several, open_lines, several_json
from modex.core.reports.cells import csv_cell, csv_row
from modex.core.reports.comment import as_comment
from modex.core.reports.formats import Together
from modex.core.reports.machines import other_limits
from modex.core.reports.markdown import one_line
from modex.core.reports.pace import pace_json, pace_markdown, pace_numbers
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Pace, paces


def compared(reader: Reader, several: Sequence[RunRow], kind: Together) -> Iterator[str]:
    """The comparison of two runs, or of more, in pieces; `html` is the report's own (`modex.core.features.export.page`)."""
    found = compare(reader, *several) if len(several) == 2 else compare_several(reader, several)
    runs = several if isinstance(found, Comparison) else [place.run for place in found.places]
    paced = [paces(reader, run.id) for run in runs]
    if kind == "json":
        whole = comparison_json(found) if isinstance(found, Comparison) else several_json(found)
        whole |= {"pace": [pace_json(one) for one in paced], "hosts": [run.hosts for run in runs]}
        yield json.dumps(whole, ensure_ascii=True, indent=1, default=str) + "\n"
    elif kind == "csv":
        medians = [one.get(None) for one in paced]
        yield from _pair_csv(found, medians) if isinstance(found, Comparison) else _several_csv(found, medians)
    elif kind == "github":
        yield from as_comment(several[-1], _markdown(reader, found, several, paced, "###"))
    else:
        yield from _markdown(reader, found, several, paced, "#")


def _markdown(
    reader: Reader,
    found: Comparison | Several,
    several: Sequence[RunRow],
    paced: Sequence[Mapping[tuple[str, int] | None, Pace]],
    heading: str,
) -> Iterator[str]:
    if isinstance(found, Comparison):
        yield from _pair_markdown(found, heading)
        runs = list(several)
    else:
        yield from _several_markdown(found, heading)
        runs = [place.run for place in found.places]
    for run in several if isinstance(found, Comparison) else ():
        for line in corrected_lines(reader, run):
            yield f"\n{one_line(run.exp_id)}: {one_line(line, 400)}\n"
    if limits := other_limits(runs):
        yield f"\n{one_line(limits, 600)}\n"
    if any(paced):
        yield "\n" + "".join(pace_markdown("run", [run.exp_id for run in runs], [one.get(None) for one in paced]))


_HEADER = (
    "domain", "n", "first", "second", "difference", "ci_low", "ci_high", "p_value", "holm_p", "decision", "bound_low",
    "bound_high", "gained", "lost", "mcnemar_p",
)  # fmt: skip


def _pair_csv(found: Comparison, paced: Sequence[Pace | None]) -> Iterator[str]:
    """A line for all domains together (`domain` empty) with the speeds of both runs, then one a domain.

    Scores and differences are of −1 to 1.
    """
    speeds = [(f"{side}_{name}", value) for side, pace in zip(("first", "second"), paced, strict=True)
              for name, value in pace_numbers(pace).items()]  # fmt: skip
    yield csv_row(["first_run", "second_run", *_HEADER, *(name for name, _ in speeds)])
    rows = [("", found.overall), *found.domains.items()]
    for domain, one in rows:
        if one is not None:
            low, high = one.interval or (None, None)
            values = (
                domain, one.n, one.first_score, one.second_score, one.difference, low, high, one.p_value, one.holm_p,
                one.decision, *one.bounds, one.gained, one.lost, one.mcnemar_p,
            )  # fmt: skip
            timed = [value if not domain else None for _, value in speeds]
            yield csv_row([csv_cell(value) for value in (found.first.exp_id, found.second.exp_id, *values, *timed)])


def _several_csv(found: Several, paced: Sequence[Pace | None]) -> Iterator[str]:
    """A line a run, the best first; differences are the run's score less the best one's."""
    yield csv_row(
        ["run", "model", "n", "weighted_score", "pass_rate", "difference", "ci_low", "ci_high", "holm_p", "worse",
         *pace_numbers(None), "run_bound_low", "run_bound_high", "place_open"]
    )  # fmt: skip
    for place, pace in zip(found.places, paced, strict=True):
        against = place.against_best
        low, high = (against.interval if against else None) or (None, None)
        values = (
            place.run.exp_id, place.run.model, found.n, place.score, place.rate, against.difference if against else None,
            low, high, place.holm_p, "yes" if place.worse else "no", *pace_numbers(pace).values(),
            *(place.run.bounds or (None, None)), "yes" if place.open_place else "no",
        )  # fmt: skip
        yield csv_row([csv_cell(value) for value in values])


def _pair_markdown(found: Comparison, heading: str) -> Iterator[str]:
    yield f"{heading} {one_line(found.second.exp_id)} against {one_line(found.first.exp_id)}\n\n"
    overall = found.overall
    if overall is None:
        yield f"{one_line(sentence(nothing_shared_words(found.questions.otherwise, found.questions.twice)))}\n"
        return
    yield f"{headline(overall)}\n\n{verdict(overall)}\n\n"
    if bounds_words(overall) and found.unscored:
        yield f"{sentence(unscored_words(found.unscored))} {sentence(WHAT_IS_OPEN)}\n\n"
    yield from (f"{one_line(sentence(words))}\n\n" for words in pairing_notes(found))
    bounded = any(bounds_words(one) for one in found.domains.values())
    more = ("| without a verdict wrong or right ", "|---") if bounded else ("", "")
    yield f"| domain | n | first | second | difference | interval {more[0]}| lost | gained | p (Holm) |\n"
    yield f"|---|---:|---:|---:|---:|---{more[1]}|---:|---:|---:|\n"
    yield from (_markdown_row(one_line(domain), one, bounded=bounded) for domain, one in found.domains.items())
    if found.flips:
        yield f"\n{heading}# Tests that flipped\n\n| test | change | first | second |\n|---|---|---:|---:|\n"
    for pair in found.flips:
        flaky = " (flaky)" if pair.key in found.flaky else ""
        name = one_line("/".join(map(str, pair.key[1:])))
        yield f"| {name} | {pair.flip}{flaky} | {pair.first.mean:.2f} | {pair.second.mean:.2f} |\n"


def _markdown_row(name: str, one: Difference, *, bounded: bool) -> str:
    ends = f" | {open_difference(one) or '–'}" if bounded else ""
    return (
        f"| {name} | {one.n} | {100 * one.first_score:.1f} | {100 * one.second_score:.1f} | {100 * one.difference:+.1f}"
        f" | {between(one.interval)}{ends} | {one.lost} | {one.gained} | {p_value(one.holm_p)} |\n"
    )


def _several_markdown(found: Several, heading: str) -> Iterator[str]:
    yield f"{heading} {len(found.places)} runs compared\n\n"
    if not found.n:
        yield "The runs share no test that all have a verdict for.\n"
        return
    yield f"Weighted Scores over the {those(found.n, 'test')} that all have a verdict for; the marked ones may be the best.\n\n"
    yield "| run | score | against the best | interval | p (Holm) |\n|---|---:|---:|---|---:|\n"
    for place in found.places:
        mark = "" if place.worse else "**"
        score = f"{100 * place.score:.1f}" if place.score is not None else "–"
        score += OPEN_PLACE if place.open_place else ""
        against = place.against_best
        told = "best | | "
        if against is not None:
            told = f"{100 * against.difference:+.1f} | {between(against.interval)} | {p_value(place.holm_p)}"
        yield f"| {mark}{one_line(place.run.exp_id)}{mark} | {score} | {told} |\n"
    yield from (f"\n{one_line(line, 400)}\n" for line in open_lines(found))
