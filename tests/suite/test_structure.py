"""The bundled suite is whole: every cell is filled, every name leads somewhere, and the layers do not collide."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from modex.core.evaluators.registry import default_configs, needs_judge
from modex.core.suite.builtin import BUILTIN_EVALUATORS
from modex.core.suite.layers import fold
from modex.core.suite.loading import load_suite
from tests.rows import each_row
from tests.suite.golds import DEFINITIONS, ROOT, golds, golds_by_hand

PROMISED = {
    "conversation", "math", "reasoning", "health", "sql", "tool_calling", "coding", "long_context",
    "instruction_following", "data_extraction", "programming",
}  # fmt: skip
DOMAINS = sorted(path.parent.name for path in DEFINITIONS.glob("*/domain.json"))
TESTS = {(domain, test_id): test for domain in DOMAINS for test_id, test in golds(domain).items()}
BUILT_IN = set(BUILTIN_EVALUATORS)
LEVELS = range(1, 6)


def read(path: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DEFINITIONS / path).read_text("utf-8"))
    return loaded


def evaluator_types() -> dict[str, str]:
    files = [json.loads(path.read_text("utf-8")) for path in (DEFINITIONS / "evaluators").glob("*.json")]
    return {evaluator["id"]: evaluator["type"] for evaluator in files}


def evaluator_of(domain: str, test: dict[str, Any]) -> str:
    return str(test.get("evaluator_id") or read(f"{domain}/domain.json")["evaluator_id"])


def spoken(test: dict[str, Any]) -> str:
    """Everything that a test shows to a model."""
    prompt = test["prompt"]
    turns = prompt if isinstance(prompt, str) else "\n".join(turn["content"] for turn in prompt)
    return f"{turns}\n{test.get('system_prompt') or ''}"


def test_the_promised_domains_are_there() -> None:
    assert set(DOMAINS) >= PROMISED


@each_row("domain", DOMAINS)
def test_every_level_has_at_least_four_tests(domain: str) -> None:
    sizes = Counter(test["level"] for test in golds(domain).values())
    assert set(sizes) == set(LEVELS)
    assert min(sizes.values()) >= 4


@each_row("domain", ["conversation", "data_extraction", "health", "instruction_following", "long_context"])
def test_the_two_hardest_levels_have_at_least_ten_tests_each(domain: str) -> None:
    sizes = Counter(test["level"] for test in golds(domain).values())
    assert min(sizes[4], sizes[5]) >= 10, sizes


@each_row("domain", DOMAINS)
def test_domains_and_levels_introduce_themselves(domain: str) -> None:
    about = read(f"{domain}/domain.json")
    assert about["id"] == domain
    assert all(about[key] for key in ("name", "description", "evaluator_id", "icon", "color"))
    for level in LEVELS:
        stage = read(f"{domain}/level_{level}/level.json")
        assert stage["name"]
        assert stage["description"].endswith(".")


def test_an_id_belongs_to_one_test_of_the_whole_suite() -> None:
    ids = Counter(test_id for _, test_id in TESTS)
    assert [test_id for test_id, count in ids.items() if count > 1] == []


@each_row("domain", DOMAINS)
def test_ids_speak_and_every_test_says_what_it_is(domain: str) -> None:
    for test_id, test in golds(domain).items():
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", test_id), test_id
        assert test["name"], test_id
        assert test["description"].endswith("."), test_id
        assert spoken(test).strip(), test_id


@each_row("domain", DOMAINS)
def test_files_bear_the_id_of_their_test(domain: str) -> None:
    for path in (DEFINITIONS / domain).glob("level_*/test_*.json"):
        assert path.stem == f"test_{json.loads(path.read_text('utf-8'))['id']}"


def test_every_evaluator_named_exists() -> None:
    known = BUILT_IN | set(evaluator_types())
    assert {evaluator_of(domain, test) for (domain, _), test in TESTS.items()} <= known


def test_a_judge_is_needed_for_at_most_a_quarter_of_the_tests() -> None:
    suite = load_suite(ROOT)
    configs = default_configs() | suite.evaluators
    judged = [test for test in suite.tests if needs_judge(test.expected, configs[test.evaluator_id], configs)]
    assert 4 * len(judged) <= len(suite.tests), len(judged)


def test_no_test_outweighs_the_rest_of_its_level() -> None:
    for (domain, test_id), test in TESTS.items():
        level = [other.get("weight", 1) for other in golds(domain).values() if other["level"] == test["level"]]
        assert 0.5 <= test.get("weight", 1) <= 2, test_id
        assert test.get("weight", 1) <= sum(level) / 3, test_id


def test_no_two_tests_ask_the_same() -> None:
    asked = Counter(spoken(test) for test in TESTS.values())
    assert asked.most_common(1)[0][1] == 1


def test_a_layer_is_given_in_one_place_only() -> None:
    for domain in DOMAINS:
        in_json = {"domain"} if "system_prompt" in read(f"{domain}/domain.json") else set()
        in_json |= {f"level_{n}" for n in LEVELS if "system_prompt" in read(f"{domain}/level_{n}/level.json")}
        in_json |= {test_id for test_id, test in golds(domain).items() if "system_prompt" in test}
        in_prompts = {path.stem for path in (ROOT / "prompts" / domain).glob("*.md")}
        assert not in_json & in_prompts, domain
        known = {"domain", *(f"level_{n}" for n in LEVELS), *golds(domain)}
        assert in_prompts <= known, domain


def test_all_three_layers_are_in_use_in_both_places() -> None:
    level_files = [read(f"{domain}/level_{n}/level.json") for domain in DOMAINS for n in LEVELS]
    assert any("system_prompt" in read(f"{domain}/domain.json") for domain in DOMAINS)
    assert any(level.get("system_prompt_mode") == "append" for level in level_files)
    assert any(test.get("system_prompt_mode") == "overwrite" for test in TESTS.values())
    stems = {path.stem for domain in DOMAINS for path in (ROOT / "prompts" / domain).glob("*.md")}
    assert "domain" in stems
    assert any(stem.startswith("level_") for stem in stems)


def test_every_test_names_its_language_and_domains_have_several() -> None:
    languages: set[str] = set()
    for domain in DOMAINS:
        found = {test["metadata"]["language"] for test in golds(domain).values()}
        assert len(found) >= 2, (domain, found)
        languages |= found
    assert languages >= {"ar", "de", "en", "es", "fr", "hi", "id", "ja", "pt", "zh"}


@each_row(
    ("language", "letters"),
    [("ja", r"[\u3040-\u30ff]"), ("ar", r"[\u0600-\u06ff]"), ("hi", r"[\u0900-\u097f]"), ("zh", r"[\u4e00-\u9fff]")],
)
def test_a_language_with_letters_of_its_own_is_the_one_that_is_named(language: str, letters: str) -> None:
    for (_, test_id), test in TESTS.items():
        if test["metadata"]["language"] == language:
            assert re.search(letters, spoken(test)), test_id


@each_row("domain", DOMAINS)
def test_numbers_with_a_locale_name_one_that_is_known(domain: str) -> None:
    for test_id, test in golds(domain).items():
        expected = test.get("expected")
        if isinstance(expected, dict) and "locale" in expected:
            assert expected["locale"] in {"en", "de", "id", "fr", "es", "it", "pt", "nl"}, test_id


@each_row("domain", DOMAINS)
def test_files_stay_small_enough_to_read(domain: str) -> None:
    size = sum(path.stat().st_size for path in (DEFINITIONS / domain).rglob("*") if path.is_file())
    assert size <= 1_500_000
    assert all(len(spoken(test).encode()) <= 62_000 for test in golds_by_hand(domain).values())


def test_every_layer_is_said_in_some_test() -> None:
    tests = load_suite(ROOT).tests
    said = {test.domain: [fold(other.layers) or "" for other in tests if other.domain == test.domain] for test in tests}
    for test in tests:
        for layer in test.layers:
            assert any(layer.text in prompt for prompt in said[test.domain]), f"{layer.location} serves nobody"
