"""What users of CAIA and youtu-agent find here: what is asked, what agrees with their own code, what differs and why.

`python -m benchmarks.coming_from` prints the tables: `caia` of a checkout as it is (`dataset/`, `example_score_result.json`),
`youtu` of JSON lines `{"source", "answer", "response", "judge", "theirs"}`.

Such a line is a row's gold, a response, what the judge replies to every question, and what youtu-agent's own processer
makes of it (`passed`, `failed`, `unknown`: no gold). No model is asked. A difference that no rule of `REASONS` explains, or a
score that differs, ends the command with 1.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.scripted import ScriptedModel
from benchmarks.tables import Table
from modex.core.config.runconfig import DatasetSpec
from modex.core.edge.foreign.caia import FIELDS, points_of
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import default_configs, get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.pipeline.rollout.answer_files import read_answers
from modex.core.pipeline.rollout.told import told_entries
from modex.core.store.call_results import call_results
from modex.core.store.sample import EvaluationSample
from modex.core.suite.datasets.presets import preset_of
from modex.core.suite.datasets.reader import DatasetReader
from modex.core.suite.datasets.rubrics import GROUPS
from modex.core.suite.templates import Templates


def _judge(sample: EvaluationSample, *replies: str) -> None:
    """Judge a sample by its evaluator; it has then status, score and details, or the status `error`."""
    config = default_configs()[sample.evaluator_id]
    context = JudgeContext(
        config=config, template=Templates(None).text, judges=(ScriptedModel(*replies),), sample=sample
    )
    try:
        result = get_evaluator(config).evaluate(sample, context)
    except JudgeError as error:
        sample.status, sample.reason = "error", str(error)
        return
    sample.status, sample.score, sample.reason, sample.details = (
        result.status,
        result.score,
        result.why,
        result.stored(),
    )


# CAIA

SHARES: Mapping[str, Sequence[float]] = {
    "all points": (1, 1, 1),
    "no points": (0, 0, 0),
    "half of each item's points": (0.5, 0.5, 0.5),
    "three judgements that differ": (1, 0.5, 0),
}
"""What scripted judges grant of every item, a share for each of the three judgements."""


@dataclass(frozen=True, slots=True)
class TaskScores:
    """The score file's numbers of one task, here and by the rule of CAIA's code."""

    name: str
    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def equal(self) -> bool:
        """Whether they are the same, as a score file rounds them."""
        return all(abs(one - other) < 5e-4 for one, other in zip(self.ours, self.theirs, strict=True))


def caia(folder: Path) -> tuple[list[Table], list[str]]:
    """The table, and what differs."""
    tasks = DatasetReader(DatasetSpec(path=str(folder / "dataset" / "benchmark_tasks.json"), preset="caia"))
    asked = list(tasks)
    output = folder / "dataset" / "example_agent_output.json"
    told = _told(output)
    rated = DatasetReader(DatasetSpec(path=str(folder / "dataset" / "example_evaluate_data.json"), preset="caia"))
    scores = [
        _scores(test.test_id, test.expected, shares, name) for test in rated for name, shares in SHARES.items()
    ]  # fmt: skip
    example = json.loads((folder / "example_score_result.json").read_text("utf-8"))
    fields = [name for name in FIELDS if all(name in row for row in example)]
    whole = {tuple(row[name] for name in FIELDS[1:]) for row in example}
    same = {one.ours for one in scores} & whole
    rows = [
        ["tasks in its task file", str(tasks.rows), str(len(asked)), "asked, with and without tools"],
        *told,
        ["fields of its score file", str(len(FIELDS)), str(len(fields)), "by the same names"],
        ["rows of its score file", str(len(whole)), str(len(same)), "reached where the judges grant as much"],
        [
            "scores of judged answers",
            str(len(scores)),
            str(sum(one.equal for one in scores)),
            "by the rule of its code",
        ],
    ]
    wrong = [f"{row[0]}: {row[1]} there, {row[2]} here" for row in rows if row[1] != row[2]]
    wrong += [f"{one.name}: {one.theirs} there, {one.ours} here" for one in scores if not one.equal]
    return [Table("CAIA", ["what", "there", "here", "how"], rows)], wrong


def _told(output: Path) -> list[list[str]]:
    """What of an agent's output there is here."""
    rows = json.loads(output.read_text("utf-8"))
    answers = read_answers(output)
    ways = [told_entries(dict(row.data), answers.columns.response) for row in answers.rows]
    pairs = [pair for way in ways for made in call_results(way).calls.values() for pair in made]
    uses = [use for row in rows for use in row.get("tool_use_list") or ()]
    steps = [step for row in rows for step in row.get("reasoning_list") or ()]
    thought = "\n".join(str(entry.get("reasoning") or "") for way in ways for entry in way)
    kept = sum(f"Step {step['step']}: {step['reasoning']}" in thought for step in steps)
    same = sum(_is_told(use, call, result) for use, (call, result) in zip(uses, pairs, strict=False))
    return [
        ["answers in its agent output", str(len(rows)), str(len(answers.rows)), "imported"],
        ["tool calls in it", str(len(uses)), str(same), "with name, arguments, description and result"],
        ["steps of reasoning in it", str(len(steps)), str(kept), "before the judge"],
    ]


def _is_told(use: Mapping[str, Any], call: Mapping[str, Any], result: Mapping[str, Any] | None) -> bool:
    """Whether a call here is that tool use, whole."""
    there = (use["tool_name"], use["tool_input"], use["tool_description"], use.get("tool_output"))
    return (call["name"], call["arguments"], call.get("description", ""), result and result["content"]) == there


def _scores(name: str, expected: Mapping[str, Any], shares: Sequence[float], words: str) -> TaskScores:
    sample = EvaluationSample(
        source="caia", domain="caia", test_id=name, prompt="-", expected=expected, evaluator_id="caia", response="-"
    )
    replies = [
        json.dumps({"items": {item["id"]: share * item["points"] for item in expected["items"]}}) for share in shares
    ]
    _judge(sample, *replies)
    found = points_of(sample) or {}
    ours = [round(found.get(group, 0.0), 4) for group in GROUPS]
    granted = {
        group: [share * sum(item["points"] for item in expected["items"] if item["group"] == group) for share in shares]
        for group in GROUPS
    }
    # There each judgement's points are summed up, and the task has the mean of the sums.
    theirs = [fmean(granted[group]) for group in GROUPS]
    return TaskScores(f"{name}, {words}", (round(sum(ours), 4), *ours), (sum(theirs), *theirs))


# youtu-agent


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One response with its judge's reply: what is made of it there and here."""

    source: str
    response: str
    judge: str
    theirs: str
    ours: str
    why: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Why a verdict differs, and which rows it holds for."""

    words: str
    holds: Callable[[JudgedRow], bool]


REASONS: tuple[Difference, ...] = (
    Difference(
        "GAIA is judged by its own matcher, which asks no model",
        lambda one: one.source == "GAIA" and one.ours != "error",
    ),
    Difference(
        "`incorrect: yes` is no verdict",
        lambda one: one.ours == "error" and one.theirs == "passed" and "incorrect: yes" in one.judge,
    ),
    Difference(
        "a judge's reply without a verdict is asked for again, then an error, and no wrong answer",
        lambda one: one.ours == "error" and one.theirs == "failed",
    ),
    Difference(
        "several answer lines that differ are no answer alone: the judge decides",
        lambda one: one.theirs == "passed" and one.ours == "failed" and one.response.count("Exact Answer:") > 1,
    ),
    Difference(
        "a verdict is one in any case, with a full stop, a sentence behind it or a full-width colon, and as JSON",
        lambda one: one.theirs == "failed" and one.ours == "passed",
    ),
)
"""Our better judgement, each rule with its reason; the first that holds is said."""


def youtu(path: Path) -> tuple[list[Table], list[str]]:
    """The table, and the differences that nothing explains."""
    rows = [_row(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
    sources = list(dict.fromkeys(row.source for row in rows))
    table = []
    unexplained = []
    for source in sources:
        own = [row for row in rows if row.source == source]
        differing = [row for row in own if row.ours != row.theirs]
        whys = {id(row): next((why.words for why in REASONS if why.holds(row)), "") for row in differing}
        unexplained += [
            f"{row.source}: {row.response!r}: {row.theirs} there, {row.ours} here: {row.why}"
            for row in differing
            if not whys[id(row)]
        ]
        told = "; ".join(f"{count}: {words}" for words, count in Counter(whys.values()).items())
        table.append([source, str(len(own)), str(len(own) - len(differing)), told])
    return [Table("youtu-agent", ["source", "answers", "agree", "the others"], table)], unexplained


def _row(data: Mapping[str, Any]) -> JudgedRow:
    source, gold = data["source"], data["answer"]
    if not gold:
        return JudgedRow(source, data["response"], data["judge"], data["theirs"], "unknown", "it waits for a gold")
    preset = preset_of(source)
    sample = EvaluationSample(
        source=source, domain=source, test_id="t", prompt="-", expected=gold, response=data["response"],
        evaluator_id=preset.evaluator if preset is not None else "llm_judge",
    )  # fmt: skip
    _judge(sample, data["judge"])
    return JudgedRow(source, data["response"], data["judge"], data["theirs"], str(sample.status), sample.reason or "")
