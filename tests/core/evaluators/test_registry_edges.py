"""Who may register, who is found behind an id, and what an installed package may offer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from modex.core.evaluators import registry
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig
from tests.core.evaluators.conftest import config
from tests.rows import each_row


class Mine(BaseEvaluator):
    id = "mine"

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        raise NotImplementedError


class Streaming(BaseEvaluator):
    id = "streaming"

    async def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> AsyncIterator[None]:  # type: ignore[override]
        yield


class Unwilling(Mine):
    id = "unwilling"

    def __init__(self) -> None:
        raise RuntimeError("no")


class Offer:
    """An entry point of an installed package."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def load(self) -> Any:
        if isinstance(self._made, Exception):
            raise self._made
        return self._made


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Offer]]:
    """What packages offer; what registers is forgotten afterwards."""
    offers: dict[str, Offer] = {}
    monkeypatch.setattr(registry, "_entry_points", lambda: offers)
    monkeypatch.setattr(registry, "_registered", {})
    registry._instance.cache_clear()
    yield offers
    registry._instance.cache_clear()


@each_row("own", [{}, {"id": ""}, {"id": 5}, {"id": None}])
def test_a_class_needs_an_id_of_its_own(own: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="needs an `id` of its own"):
        registry.register(type("Heir", (Mine,), own))


def test_the_same_class_may_register_again_and_is_taken_as_it_is_now(offered: dict[str, Offer]) -> None:
    again = type("Mine", (Mine,), {"id": "mine", "__module__": Mine.__module__, "__qualname__": "Mine"})
    other = type("Other", (Mine,), {"id": "mine"})
    assert registry.register(Mine) is Mine
    assert type(registry.get_evaluator(config("mine"))) is Mine
    registry.register(again)
    assert type(registry.get_evaluator(config("mine"))) is again
    with pytest.raises(ConfigurationError, match=r"'mine' belongs to \S+\.Mine already; give Other another id"):
        registry.register(other)
    with pytest.raises(ConfigurationError, match="'keyword' belongs to a built-in evaluator already"):
        registry.register(type("Word", (Mine,), {"id": "keyword"}))


def test_ids_are_those_of_the_program_the_registered_and_the_installed(offered: dict[str, Offer]) -> None:
    registry.register(Mine)
    offered["zz_theirs"] = Offer(Mine)
    found = registry.evaluator_ids()
    assert found == sorted(found)
    assert {"keyword", "mine", "zz_theirs"} <= set(found)
    assert registry.default_configs()["zz_theirs"].type == "predefined"
    assert type(registry.get_evaluator(config("zz_theirs", type="predefined"))) is Mine


@each_row(
    ("made", "said"),
    [
        (5, "must be a class that derives from BaseEvaluator"),
        (int, "must be a class that derives from BaseEvaluator"),
        (Mine.evaluate, "must be a class that derives from BaseEvaluator"),
        (BaseEvaluator, "needs an `evaluate`"),
        (Streaming, "is `async`"),
        (Unwilling, "cannot be loaded: RuntimeError: no"),
        (ImportError("gone"), "cannot be loaded: ImportError: gone"),
        (ConfigurationError("as it says"), "^as it says$"),
    ],
)
def test_what_a_package_offers_that_could_judge_nothing_is_refused(
    made: Any, said: str, offered: dict[str, Offer]
) -> None:
    registry._instance.cache_clear()
    offered["theirs"] = Offer(made)
    with pytest.raises(ConfigurationError, match=said):
        registry.get_evaluator(config("theirs"))


@each_row(
    ("own", "found"),
    [
        (config("keyword"), "keyword"),
        (config("keyword", type="custom"), "custom"),
        (config("mine", type="custom"), "mine"),
        (config("mine"), "mine"),
        (config("x", type="regex"), "regex"),
        (config("x", config={"base": "keyword"}), "keyword"),
        (config("match", config={"base": "keyword"}), "match"),
        (config("x"), None),
        (config("x", config={"base": 5}), None),
        (config("x", config={"base": ["keyword"]}), None),
        (config("x", config={"base": "y"}), None),
    ],
)
def test_a_users_own_comes_first_then_the_type_then_the_base(
    own: EvaluatorConfig, found: str | None, offered: dict[str, Offer]
) -> None:
    registry.register(Mine)
    if found is None:
        with pytest.raises(ConfigurationError, match="no evaluator is called 'x'; known are"):
            registry.get_evaluator(own)
    else:
        assert registry.get_evaluator(own).id == found


def _nested(levels: int, last: str) -> dict[str, EvaluatorConfig]:
    """Hybrids h1 … of one part each, the innermost with a built-in one."""
    names = [f"h{level}" for level in range(1, levels + 1)]
    return {
        name: config("hybrid", id=name, config={"parts": [{"evaluator": part}]})
        for name, part in zip(names, [*names[1:], last], strict=True)
    }


def test_hybrids_may_nest_four_levels_deep() -> None:
    four, five = _nested(4, "llm_judge"), _nested(5, "llm_judge")
    assert registry.needs_judge("x", four["h1"], four) is True
    assert registry.needs_extractor("x", four["h1"], four) is False
    extracting = _nested(4, "two_pass")
    assert registry.needs_extractor("x", extracting["h1"], extracting) is True
    for ask in (registry.needs_judge, registry.needs_extractor):
        with pytest.raises(ConfigurationError, match="nest deeper than four levels"):
            ask("x", five["h1"], five)
    assert [one.id for _, one, _ in registry.asked_of("x", four["h1"], four)] == ["llm_judge"]
    with pytest.raises(ConfigurationError, match="nest deeper"):
        list(registry.asked_of("x", five["h1"], five))


def test_each_part_is_asked_with_its_own_gold_and_unknown_ones_are_passed_by() -> None:
    parts = [{"evaluator": "keyword", "expected": 5}, {"evaluator": "nobody"}, {"evaluator": "match"}, {}]
    hybrid = config("hybrid", id="h", config={"parts": parts})
    found = [(gold, one.id, own.id) for gold, one, own in registry.asked_of("x", hybrid, {})]
    assert found == [(5, "keyword", "keyword"), ("x", "match", "match")]
    assert [one.id for _, one, _ in registry.asked_of("x", config("match"), {})] == ["match"]


@each_row(
    ("own", "judge", "extractor"),
    [
        (config("keyword"), False, False),
        (config("llm_judge"), True, False),
        (config("two_pass"), False, True),
        (config("match"), False, False),
        (config("hybrid", config={"parts": [{"evaluator": "keyword"}]}), True, True),
    ],
)
def test_whether_any_gold_could_make_an_evaluator_ask(own: EvaluatorConfig, judge: bool, extractor: bool) -> None:
    assert registry.may_need("needs_judge", own) is judge
    assert registry.may_need("needs_extractor", own) is extractor


def test_a_runs_own_configuration_comes_before_the_programs() -> None:
    own = config("keyword", config={"required_cap": 1})
    assert registry.find_config("keyword", {"keyword": own}) is own
    assert registry.find_config("keyword", {}) == registry.default_configs()["keyword"]
    assert registry.find_config("nobody", {}) is None
    assert registry.default_configs()["two_pass"].uses_pass2 is True
