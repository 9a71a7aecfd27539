from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plugins.crypto_world.textsearch import TextIndex, words

TEXTS = ["The bridge was drained", "A bridge between chains, and a bridge vault", "Geese and moths", ""]


def test_rare_and_repeated_words_rank_higher() -> None:
    index = TextIndex(TEXTS)
    assert [hit.position for hit in index.search("bridge vault")] == [1, 0]
    assert [hit.position for hit in index.search("drained bridges")] == [0, 1]


def test_words_without_a_match_find_nothing() -> None:
    assert TextIndex(TEXTS).search("zebra") == []
    assert TextIndex(TEXTS).search("the of and") == []
    assert TextIndex([]).search("bridge") == []


def test_case_width_and_plural_do_not_matter() -> None:
    assert words("Bridges BRIDGE ｂｒｉｄｇｅ") == ["bridge"] * 3
    assert words("HIP-31 v2.3") == ["hip-31", "v2.3"]


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=60))
@settings(max_examples=80)
def test_hits_are_sorted_and_share_a_word_with_the_query(documents: list[str], query: str) -> None:
    hits = TextIndex(documents).search(query)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert set(words(query)) & set(words(documents[hit.position]))
