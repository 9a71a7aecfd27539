"""The project's own evaluators reach the verdicts that the bundled golds were written for."""

from __future__ import annotations

from modex.core.answers.comparison import compare
from modex.core.answers.kinds import check_expected, expected_answer
from modex.core.evaluators.base import BaseEvaluator, JudgeContext
from modex.core.evaluators.text.keyword import KeywordEvaluator
from modex.core.evaluators.text.regex import RegexEvaluator
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, Suite, TestCase
from tests.rows import each_row
from tests.suite.golds import ROOT, made

DOMAINS = {"conversation", "health", "instruction_following", "long_context", "tool_calling"}
SUITE: Suite = made()
TESTS = {f"{test.domain}/{test.test_id}": test for test in SUITE.tests if test.domain in DOMAINS}
KEYWORD = EvaluatorConfig("keyword", "Keyword", "builtin")
SPELLED = [
    ("long_context/plum_jam", "640 grams"),
    ("long_context/harbour_repairs", "€28,594.00"),
    ("long_context/fahrradstellplaetze", "12.480,50 Euro"),
    ("long_context/beras_ketan", "Rp18.750 per kilogram"),
    ("long_context/eider_and_ibis", "30 June 2025"),
    ("long_context/lens_kit_room", "the Curlew room"),
    ("health/renal_dose", "29.28 mL/min"),
    ("health/hidden_paracetamol", "1,600 mg"),
    ("health/bmi", "25 kg/m²"),
    ("conversation/whose_umbrella", "Holder: Jon, Owner: Rosa"),
]
MISSPELLED = [
    ("long_context/harbour_repairs", "28.594,00"),
    ("long_context/tide_mill_receipts", "1846"),
    ("long_context/notice_period", "90"),
    ("long_context/telescope_berth", "83"),
    ("long_context/marta_extension", "4471"),
    ("long_context/lens_kit_room", "the Pelican room"),
    ("health/bolus", "5.8"),
    ("health/albumin_gap", "28"),
    ("health/renal_dose", "34.4"),
    ("health/hidden_paracetamol", "5600"),
    ("conversation/dumpling_order", "14"),
    ("conversation/party_portions", "32"),
    ("conversation/who_knows_what", "tin box; blue jar"),
    ("conversation/random_host", "1/3"),
]


def scored_here(test: TestCase) -> tuple[BaseEvaluator, EvaluatorConfig] | None:
    """The evaluator of a free text, where it needs no model."""
    config = SUITE.evaluators.get(test.evaluator_id)
    if test.evaluator_id in ("keyword", "facts_and_tone"):
        return KeywordEvaluator(), KEYWORD
    return (RegexEvaluator(), config) if config is not None and config.type == "regex" else None


FREE = [name for name, test in TESTS.items() if scored_here(test) is not None]
SHORT = [name for name, test in TESTS.items() if test.evaluator_id == "two_pass"]


def verdict(name: str, answer: str) -> float:
    test = TESTS[name]
    found = scored_here(test)
    assert found is not None
    evaluator, config = found
    sample = EvaluationSample(expected=test.expected, response=answer)
    return evaluator.evaluate(sample, JudgeContext(config, template=lambda name: name)).score


@each_row("name", FREE)
def test_expected_is_in_the_form_its_evaluator_asks_for(name: str) -> None:
    found = scored_here(TESTS[name])
    assert found is not None
    evaluator, config = found
    assert list(evaluator.check(TESTS[name], config, ROOT)) == []


@each_row("name", FREE)
def test_a_good_answer_passes_with_room_to_spare(name: str) -> None:
    assert verdict(name, TESTS[name].metadata["good_answer"]) >= 0.9


@each_row("name", FREE)
def test_a_bad_answer_fails(name: str) -> None:
    assert verdict(name, TESTS[name].metadata["bad_answer"]) < PASS_SCORE


@each_row("name", SHORT)
def test_short_golds_are_well_formed_and_accept_themselves(name: str) -> None:
    expected = TESTS[name].expected
    assert list(check_expected(expected)) == []
    typed = expected_answer(expected)
    for gold in ["; ".join(expected["value"])] if typed.parts else typed.golds:
        assert compare(gold, typed)[0], gold


@each_row(("name", "answer"), SPELLED)
def test_another_spelling_of_the_gold_is_right(name: str, answer: str) -> None:
    assert compare(answer, expected_answer(TESTS[name].expected))[0]


@each_row(("name", "answer"), MISSPELLED)
def test_the_answer_that_the_trap_invites_is_wrong(name: str, answer: str) -> None:
    assert not compare(answer, expected_answer(TESTS[name].expected))[0]


def test_the_bundled_domains_load_without_a_mistake() -> None:
    here = [str(p) for p in SUITE.problems if any(f"/{domain}/" in str(p) for domain in DOMAINS)]
    assert here == []


def test_every_cell_has_at_least_four_tests() -> None:
    for domain in DOMAINS:
        for level in range(1, 6):
            cell = [test for test in TESTS.values() if (test.domain, test.level) == (domain, level)]
            assert len(cell) >= 4, (domain, level)
