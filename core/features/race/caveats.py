"""What a race's decision does not say: what each model's run leaves open, and what was never varied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modex.core.reports.not_scored import not_scored_of, not_scored_words
from modex.core.reports.reading import gold_words, reading_of
from modex.core.safety import clean_line
from modex.core.store.bounds import cut_off
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow


def caveats(reader: Reader, runs: Sequence[RunRow], questions: int) -> list[str]:
    """Of a race of these runs over so many questions, a sentence each: of each model, then of all.

    Raises:
        StoreError: the store cannot be read.
    """
    return [*(line for run in runs for line in _of(reader, run)), *_of_all(runs, questions)]


def _of(reader: Reader, run: RunRow) -> Iterator[str]:
    name, cut, told = clean_line(run.exp_id, 80), cut_off(reader, run.id), not_scored_of(reader, run)
    if cut is not None:
        answers = "1 answer was" if cut.number == 1 else f"{cut.number:,} answers were"
        yield (
            f"{name}: {answers} cut off, which leaves its score between {100 * cut.low:.1f} and {100 * cut.high:.1f};"
            " a larger --max-tokens may end them"
        )
    elif told:
        yield f"{name}: {not_scored_words(told)}"
    if golds := gold_words(reading_of(run)):
        yield f"{name}: {golds}: look whether they are wrong, or only written otherwise"


def _of_all(runs: Sequence[RunRow], questions: int) -> Iterator[str]:
    judges = {str(one.get("model")) for run in runs if run.judged_by for one in run.config.get("judges") or ()}
    if own := sorted({run.model for run in runs} & judges):
        yield f"judges: {', '.join(clean_line(name, 60) for name in own)} judges its own answers too"
    if any(reading_of(run).asked for run in runs) and not any(run.config.get("extractor") for run in runs):
        yield "reading: each model picks the final answer out of its own response; --extractor-model has one do it for all"
    asked = sorted({times for run in runs if isinstance(times := run.config.get("epochs"), int)}) or [1]
    if asked[0] == 1:
        yield "noise: each question was asked once; `modex noise` says which verdicts flip by themselves"
    yield f"wording: each of the {questions:,} questions was put in one way; other words may turn some verdicts"
