from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.definitions import LayerMode, LayerScope, Location, PromptLayer, TestCase
from modex.core.suite.layers import fold, trace, without_layers

MODES: tuple[LayerMode, ...] = ("overwrite", "append")


def layer(text: str, mode: LayerMode = "append", scope: LayerScope = "test") -> PromptLayer:
    return PromptLayer(scope, text, mode, Location("f.json"))


layers = st.lists(st.builds(layer, st.text(max_size=8), st.sampled_from(MODES)), max_size=6)


def test_append_adds_after_a_blank_line() -> None:
    assert fold([layer("a"), layer("b")]) == "a\n\nb"


def test_overwrite_replaces_what_is_above() -> None:
    assert fold([layer("a"), layer("b", "overwrite"), layer("c")]) == "b\n\nc"


def test_an_empty_overwrite_clears() -> None:
    assert fold([layer("a"), layer("", "overwrite")]) is None


def test_an_empty_append_changes_nothing() -> None:
    assert fold([layer("a"), layer("")]) == "a"


def test_no_layer_is_no_prompt() -> None:
    assert fold([]) is None


@given(layers, layers)
def test_nothing_before_an_overwrite_matters(before: list[PromptLayer], after: list[PromptLayer]) -> None:
    cut = layer("x", "overwrite")
    assert fold([*before, cut, *after]) == fold([cut, *after])


@given(st.lists(st.text(min_size=1, max_size=5), max_size=6))
def test_appended_texts_are_joined_in_order(texts: list[str]) -> None:
    assert fold(map(layer, texts)) == ("\n\n".join(texts) or None)


@given(layers)
def test_what_is_not_overwritten_is_what_the_prompt_consists_of(given_layers: list[PromptLayer]) -> None:
    kept = [folded.layer for folded in trace(given_layers) if folded.overwritten_by is None]
    assert fold(kept) == fold(given_layers)
    assert [folded.layer for folded in trace(given_layers)] == given_layers


@given(layers)
def test_a_replaced_layer_names_one_that_overwrites(given_layers: list[PromptLayer]) -> None:
    for folded in trace(given_layers):
        assert folded.overwritten_by is None or folded.overwritten_by.mode == "overwrite"


def test_of_two_layers_that_overwrite_one_the_last_is_named() -> None:
    first, second, third = layer("a"), layer("b", "overwrite"), layer("c", "overwrite")
    assert [folded.overwritten_by for folded in trace([first, second, third, layer("d")])] == [third, third, None, None]


def test_layers_of_a_scope_are_left_out_and_a_test_without_them_is_the_same_one() -> None:
    domain, level, own = layer("a", scope="domain"), layer("b", scope="level"), layer("c", scope="test")
    test = TestCase("suite", "d", 1, "t", "p", "e", "keyword", Location("f.json"), layers=(domain, level, own))
    assert without_layers(test, ["level"]).layers == (domain, own)
    assert without_layers(test, ["domain", "test"]).layers == (level,)
    bare = without_layers(test, ["level"])
    assert without_layers(bare, ["level"]) is bare
    assert without_layers(test, []) is test
