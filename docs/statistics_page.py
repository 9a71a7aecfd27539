"""The worked examples of the page on statistics: drawn answers, the product's own functions and commands, their own words.

The answers of each example are drawn by a seed into a store of its own; nothing is asked. What is between two marks of an
example on the page is written from here, the rest of the page by hand.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from modex.core.comparison.difference import PairedScores
from modex.core.comparison.pairs import Match, RunSide
from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.engine.budget import with_sample
from modex.core.features.ablate.rule import Off, ablation, ablation_lines
from modex.core.features.race.rule import RaceState
from modex.core.features.race.words import Saved, race_words, standing_words
from modex.core.features.review.query import HumanVerdict, say
from modex.core.pipeline.assembly import checked_tests
from modex.core.pipeline.stat import stat
from modex.core.statistics.k_of_n import Required
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import LayerScope

PAGE = Path(__file__).parent / "statistics.md"
SEED = 2026
_WIDTH = 132
_LAYERS: tuple[LayerScope, ...] = ("domain", "level")
_MODEL = ModelSpec(model="openai/gpt-5-mini")


def statistics() -> str:
    """The page with its examples as the code gives them now."""
    page = PAGE.read_text(encoding="utf-8")
    for name, example in EXAMPLES.items():
        begin, end = f"<!-- example {name}: begin -->", f"<!-- example {name}: end -->"
        before, _, rest = page.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise LookupError(f"{PAGE}: {begin} or {end} is missing")
        page = f"{before}{begin}\n\n```text\n{_wrapped(example())}\n```\n\n{end}{after}"
    return page


# the examples


def the_gate() -> str:
    """A prompt is changed, and one of sixty answers turns."""
    with _store() as store:
        store.run("before", _verdicts([True] * 60))
        store.run("after", _verdicts([True] * 59 + [False]))
        return store.modex("gate", "before", "after", "--margin", "2")


def the_noise() -> str:
    """Sixty tests asked three times; six of them have luck of their own."""
    draw = Random(f"{SEED} noise")
    rates = [0.5] * 6 + [1.0] * 40 + [0.0] * 14
    with _store() as store:
        store.run("main", _verdicts([draw.random() < rate for rate in rates]))
        again = [
            replaced for epoch in (1, 2) for replaced in _verdicts([draw.random() < rate for rate in rates], epoch)
        ]
        store.run("main~again", again, epochs=2)
        return store.modex("noise", "main", "--stored")


def k_of_n() -> str:
    """What `8 of 10` costs, and how often it passes."""
    required = Required(8, 10)
    worst = max((required.expected_epochs(rate / 1000), rate / 1000) for rate in range(1001))
    lines = ["tries pass at   calls a test   the test passes"]
    lines += [
        f"{100 * rate:>9.1f} %   {required.expected_epochs(rate):>12.1f}   {100 * required.chance(rate):>13.1f} %"
        for rate in (0.0, 0.5, worst[1], 0.9, 0.95, 1.0)
    ]
    return "\n".join(["8 of 10; the third line is the dearest rate that there is", *lines])


def the_race() -> str:
    """Four models of 45, 65, 75 and 92 % over 200 questions, whose luck is partly that of the question."""
    draw = Random(f"{SEED} race")
    rates = {"north": 0.45, "south": 0.65, "east": 0.75, "west": 0.92}
    answers: list[dict[str, bool]] = []
    for _ in range(200):
        question = draw.random()
        answers.append(
            {name: (question if draw.random() < 0.5 else draw.random()) < rate for name, rate in rates.items()}
        )
    state = RaceState(list(rates), len(answers))
    lines = [f"$ modex race {' '.join(rates)}"]
    while state.ending is None:
        shown = answers[: state.tests_at(state.look + 1)]
        pairs = {pair: _paired(shown, *pair) for pair in combinations(rates, 2)}
        still = set(state.still_in)
        scores = {name: sum(one[name] for one in shown) / len(shown) for name in still}
        before = len(state.dropped)
        state.advance({names: pair for names, pair in pairs.items() if still.issuperset(names)}, scores)
        if len(state.dropped) > before or state.ending is not None:
            lines.append(f"look {state.look} of 20, {state.asked:,} tests: {standing_words(state)}")
        elif lines[-1] != "…":
            lines.append("…")
    saved = sum(state.saved().values())
    return "\n".join([*lines, *race_words(state, Saved(saved, len(rates), len(answers), saved, None))])


def the_plan() -> str:
    """The bundled suite within 200 calls, after a run of another model."""
    draw = Random(f"{SEED} plan")
    with _store() as store:
        config = RunConfig(model=_MODEL, selection=Selection(max_calls=200, sample_seed=1))
        selected = checked_tests(config).selected
        tests = [
            EvaluationSample(source=test.source, domain=test.domain, level=test.level, test_id=test.test_id)
            for test in selected
            if test.invalid is None
        ]
        other = RunConfig(model=ModelSpec(model="openai/gpt-5"))
        store.run("earlier", _judged(tests, [draw.random() < 0.8 for _ in tests]), config=other)
        said: list[str] = []
        chosen = with_sample(store.path, None, checked_tests(config), said.append)
        planned = chosen.selection.planned
        assert planned is not None
        wanted = frozenset(planned.tests)
        taken = [
            test for test in tests if "/".join((test.source, test.domain, str(test.level), test.test_id)) in wanted
        ]
        store.run("new", _judged(taken, [draw.random() < 0.6 for _ in taken]), config=chosen)
        shown = [line for line in store.modex("show", "new").splitlines() if line.startswith(("Weighted", "planned"))]
    return "\n".join(["$ modex run --model openai/gpt-5-mini --max-calls 200 --seed 1", said[0], "…", *shown])


def cut_off() -> str:
    """Nine answers over two levels, two of them cut off at the token limit."""
    samples = _verdicts([True] * 7)
    for number in range(2):
        samples.append(
            EvaluationSample(
                source="suite", domain="d", level=1, test_id=f"cut{number}", stage="rollout", status="error",
                error_type="truncated", error_message="cut off at 500 tokens",
            )
        )  # fmt: skip
    with _store() as store:
        store.run("e", samples)
        return "$ modex show e\n" + "\n".join(
            line for line in store.modex("show", "e").splitlines() if line.startswith(("Weighted", "2 answers"))
        )


def layers() -> str:
    """Eighty tests of which the domain's layer saves every fifth, and the level's does nothing."""
    draw = Random(f"{SEED} layers")
    luck = [(draw.random(), draw.random(), draw.random()) for _ in range(80)]
    runs: dict[Off, Any] = {}
    with _store() as store:
        combined: list[Off] = [frozenset(names) for size in range(3) for names in combinations(_LAYERS, size)]
        for off in combined:
            passed = [
                one < (0.75 if "domain" not in off else 0.55) or (again < 0.02 and "level" in off)
                for one, again, _ in luck
            ]
            samples = _verdicts(passed)
            for sample in samples:
                sample.prompt_layers = [{"scope": scope} for scope in _LAYERS]
            exp_id = "-".join(["e", *(["without", *sorted(off)] if off else [])])
            store.run(exp_id, samples)
            runs[off] = exp_id
        manager = store.manager
        found = ablation(
            manager.reader, {off: manager.reader.run(name) for off, name in runs.items()}, ("domain", "level")
        )
    return "\n".join(
        ["$ modex ablate openai/gpt-5-mini --exp-id e --layer domain --layer level", *ablation_lines(found)]
    )


def judges() -> str:
    """Sixty judged answers, thirty of them read by a person; the judge passes every tenth wrong one."""
    held = [number % 3 != 0 for number in range(60)]
    passed = [right or number % 10 == 0 for number, right in enumerate(held)]
    with _store() as store:
        samples = _verdicts(passed)
        for sample in samples:
            sample.evaluator_id = "grader"
        store.run("e", samples, judged_by={"grader": {"models": ["openai/judge"], "model": "m", "prompt": "p"}})
        reader = store.manager.reader
        for sample, right in list(zip(reader.samples(reader.run("e").id), held, strict=True))[:30]:
            say(reader, sample, "ana", HumanVerdict("passed" if right else "failed"))
        return store.modex("certify", "e")


EXAMPLES: dict[str, Callable[[], str]] = {
    "gate": the_gate,
    "noise": the_noise,
    "k-of-n": k_of_n,
    "race": the_race,
    "plan": the_plan,
    "cut-off": cut_off,
    "layers": layers,
    "judges": judges,
}
"""Each example by its mark on the page."""


def _wrapped(text: str) -> str:
    """Long lines broken, as a terminal would."""
    return "\n".join(
        line if len(line) <= _WIDTH else textwrap.fill(line, _WIDTH, subsequent_indent="  ")
        for line in text.splitlines()
    )


# what they are made of


class _Store:
    """A database that answers are drawn into, and the commands that read it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manager = DBDataManager(path)

    def run(
        self,
        exp_id: str,
        samples: Sequence[EvaluationSample],
        *,
        config: RunConfig | None = None,
        epochs: int = 1,
        **columns: Any,
    ) -> None:
        """Store a finished run of these samples."""
        run_id = self.manager.create_run(exp_id, config or RunConfig(model=_MODEL, epochs=epochs))
        self.manager.plan(run_id, samples)
        score = stat(self.manager, run_id)
        self.manager.update_run(run_id, status="completed", overall_score=score, **columns)

    def modex(self, *words: str) -> str:
        """A command as it is typed, what it prints, and its exit code where that is not 0."""
        from modex.tui.cli import main

        out, code = io.StringIO(), 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            try:
                main([*words, "--db", str(self.path)])
            except SystemExit as ended:
                code = int(ended.code or 0)
        printed = re.sub(r"\d{4}-\d\d-\d\d", "2026-03-05", out.getvalue().rstrip())
        return "\n".join([f"$ modex {' '.join(words)}", printed, *([f"(exit code {code})"] if code else [])])


@contextlib.contextmanager
def _store() -> Iterator[_Store]:
    with tempfile.TemporaryDirectory() as folder:
        before = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("MODEX_")}
        os.environ["MODEX_CONFIG"] = str(Path(folder) / "none.toml")  # a user's settings are none of the page's
        store = _Store(Path(folder) / "modex.db")
        try:
            yield store
        finally:
            store.manager.close()
            del os.environ["MODEX_CONFIG"]
            os.environ.update(before)


def _verdicts(passed: Sequence[bool], epoch: int = 1) -> list[EvaluationSample]:
    tests = [
        EvaluationSample(source="suite", domain="d", level=1, test_id=f"t{number}", epoch=epoch)
        for number in range(len(passed))
    ]
    return _judged(tests, passed)


def _judged(tests: Sequence[EvaluationSample], passed: Sequence[bool]) -> list[EvaluationSample]:
    for test, right in zip(tests, passed, strict=True):
        test.stage, test.status, test.score = "judged", "passed" if right else "failed", float(right)
        test.response, test.attempts, test.rollout_fingerprint = "an answer", 1, "r"
    return list(tests)


def _paired(answers: Sequence[dict[str, bool]], one: str, other: str) -> Any:
    scores = PairedScores()
    for number, answer in enumerate(answers):
        sides = [RunSide((float(answer[name]),), ("passed" if answer[name] else "failed",)) for name in (one, other)]
        scores.add(Match(("questions", "d", 1, str(number)), sides[0], sides[1], number))
    return scores.settled()
