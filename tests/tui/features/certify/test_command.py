"""Certifying a judge on people's labels: stored, stale by a changed byte, asked for by the gate."""

from __future__ import annotations

import json
import threading
from xml.etree import ElementTree

import pytest

from modex.core.features.review.query import HumanVerdict, say
from modex.core.store.manager import DBDataManager
from modex.tui.app import ModexApp, Watch
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.features.compare.several_screen import CompareSeveralScreen
from tests.cli import Called
from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell
from tests.tui.conftest import seen, settle

NUMBER = 60
TESTS = [
    {"id": f"j{n}", "prompt": f"question {n}", "expected": f"reason {n}", "evaluator_id": "grader"}
    for n in range(NUMBER)
]
GRADER = {
    "id": "grader", "name": "Grader", "type": "custom",
    "eval_prompt": "Is it right? {prompt} {expected} {response}", "config": {},
}  # fmt: skip


def right(number: int) -> bool:
    return number % 3 != 0


def number_of(text: str) -> int:
    return int(text.split("question ", 1)[1].split(maxsplit=1)[0].strip(".,"))


@pytest.fixture
def judged(shell: Shell) -> Shell:
    """A run `e` of 60 answers, two thirds of them right; the judge passes every tenth wrong one, and whatever claims."""
    lock = threading.Lock()

    def answer(request: Request) -> Reply:
        with lock:
            if "Is it right?" not in request.prompt:
                return Reply(f"answer to question {number_of(request.prompt)} is it")
            number = number_of(request.prompt)
            claims = "Note to the grader" in request.prompt
            passes = right(number) or number % 10 == 0 or claims
        return Reply(
            json.dumps({"verdict": "CORRECT" if passes else "INCORRECT", "score": float(passes), "reasoning": "r"})
        )

    shell.server.behave(answer)
    write(shell)
    assert run(shell).code == 0
    return shell


def write(shell: Shell, **changes: object) -> None:
    root = shell.suite(TESTS)
    folder = root / "test_definitions" / "evaluators"
    folder.mkdir(exist_ok=True)
    (folder / "grader.json").write_text(json.dumps({**GRADER, **changes}))


def run(shell: Shell, exp_id: str = "e", *more: str) -> Called:
    return shell.run("--judge-model", "openai/judge", "--judge-api-base", shell.server.url, *more, exp_id=exp_id)


def label(shell: Shell, count: int) -> None:
    """A person who is right about everything reads the first `count` answers."""
    manager = DBDataManager(shell.database)
    try:
        samples = list(manager.reader.samples(manager.reader.run("e").id))[:count]
        for sample in samples:
            held = right(number_of(sample.prompt))
            say(manager.reader, sample, "ana", HumanVerdict("passed" if held else "failed"))
    finally:
        manager.close()


def test_a_judge_is_measured_on_labels_and_its_certificate_kept(judged: Shell) -> None:
    label(judged, 30)
    called = judged("certify", "e")
    assert called.code == 0, called.err
    assert "grader, judged by openai/judge: 30 labels by ana" in called.out
    assert "passes right answers (sensitivity): 100.0 % of 20" in called.out
    assert "fails wrong answers (specificity): 90.0 % of 10" in called.out
    assert "corrected by 30 labels" in called.out
    for command in (("show", "e"), ("compare", "e", "e")):
        assert "corrected by 30 labels" in judged(*command).out
        assert "grader: certificate of" in judged(*command).out
    said = judged("show", "e", "--json").data["judging"][0]
    assert said["certified"] is True
    assert said["corrected"]["judged"] == pytest.approx(42 / 60)
    assert said["corrected"]["interval"][0] < 40 / 60 < said["corrected"]["interval"][1]


@pytest.mark.long
async def test_the_corrected_rate_stands_beside_the_judged_one_on_screens_and_in_exports(judged: Shell) -> None:
    label(judged, 30)
    judged("certify", "e")
    run(judged, "f")
    for kind in ("md", "github", "html"):
        said = judged("export", "e", "--format", kind).out.replace("\\", "")
        assert "pass rate 70.0 as judged, " in said, kind
        assert "corrected by 30 labels" in said, kind
    assert judged("export", "e", "--format", "json").data["judging"][0]["certified"] is True
    fixed = judged("show", "e", "--json").data["judging"][0]["corrected"]
    low, high = fixed["interval"]
    suites = ElementTree.fromstring(judged("export", "e", "--format", "junit").out)
    properties = {one.get("name", ""): float(one.get("value", "")) for one in suites.iter("property")}
    name = "pass_rate_corrected/grader"
    assert properties[name] == pytest.approx(fixed["rate"], rel=1e-5)
    assert (properties[f"{name}.low"], properties[f"{name}.high"]) == pytest.approx((low, high), rel=1e-5)
    assert properties[f"{name}.as_judged"] == pytest.approx(0.7)
    assert properties[f"{name}.labels"] == 30
    scores = judged("export", "e", "--format", "inspect").data["results"]["scores"]
    (metric,) = [score["metrics"][name] for score in scores if score["name"] == "labels"]
    assert (metric["value"], metric["metadata"]["ci_low"]) == (fixed["rate"], low)
    results = judged("export", "e", "--format", "eee").data["evaluation_results"]
    (record,) = [one["score_details"] for one in results if one["evaluation_name"] == name]
    assert record["score"] == fixed["rate"]
    assert record["uncertainty"]["confidence_interval"]["upper"] == high
    assert record["details"] == {"as_judged": "0.7", "labels": "30"}
    app = ModexApp(judged.database, start=Watch(("e",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "grader pass rate 70.0 as judged, " in seen(app)
        await app.push_screen(CompareScreen(judged.database, "e", "f"))
        await settle(pilot)
        text = " ".join(seen(app).split())
        assert "judge e: grader pass rate 70.0 as judged, " in text
        assert "30 labels), certificate holds" in text
        assert "f: grader certificate holds" in text
        await app.push_screen(CompareSeveralScreen(judged.database, ["e", "f"]))
        await settle(pilot)
        assert "judge grader pass rate 70.0 as judged, " in " ".join(seen(app).split())


def test_trying_it_out_finds_that_it_obeys_the_answers(judged: Shell) -> None:
    label(judged, NUMBER)
    (found,) = judged("certify", "e", "--again", "20", "--claims", "15", "--json").data
    assert (found["flips"]["number"], found["flips"]["of"]) == (0, 20)
    assert (found["obeyed"]["number"], found["obeyed"]["of"]) == (15, 15)
    assert found["faults"] == ["obeys the answers: a wrong one passes by saying that it is right"]
    assert judged("show", "e", "--json").data["status"] == "completed"


@pytest.mark.long
def test_one_changed_byte_makes_a_certificate_stale_and_the_gate_refuses(judged: Shell) -> None:
    assert judged("gate", "e", "e", "--certified").code == 2
    label(judged, 30)
    judged("certify", "e")
    assert judged("gate", "e", "e", "--certified").code == judged("gate", "e", "e").code
    write(judged, eval_prompt=f"{GRADER['eval_prompt']} ")
    run(judged, "f")
    refused = judged("gate", "e", "f", "--certified")
    assert refused.code == 2
    assert "f: grader: the certificate of" in refused.err
    assert "is stale: another judge prompt" in refused.err
    write(judged)
    judged.run("--judge-model", "openai/other", "--judge-api-base", judged.server.url, exp_id="g")
    assert "another judge model or other settings" in judged("gate", "e", "g", "--certified").err
    assert judged("gate", "e", "g").code in (0, 4)


def test_labels_that_are_no_random_draw_correct_nothing(judged: Shell) -> None:
    manager = DBDataManager(judged.database)
    try:
        for sample in manager.reader.samples(manager.reader.run("e").id):
            if sample.status == "failed":
                say(manager.reader, sample, "ana", HumanVerdict("failed"))
    finally:
        manager.close()
    called = judged("certify", "e")
    assert "no random draw" in called.out
    assert "corrected by" not in called.out


def test_without_labels_or_judges_it_is_said_what_is_missing(judged: Shell, tmp_path: object) -> None:
    assert "nobody labelled its answers yet" in judged("certify", "e").err
    judged.suite([{"id": "k", "prompt": "question 1", "expected": {"keywords": ["it"]}}])
    judged.run(exp_id="plain")
    assert "no LLM judge gave verdicts there" in judged("certify", "plain").err
