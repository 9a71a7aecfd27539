"""Keys that come again are found with their first line, whatever their hashes."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.datasets.seen import Key, Seen


class _Alike(str):
    """A text whose hash is that of others."""

    __slots__ = ()

    def __hash__(self) -> int:
        return len(self)


@given(st.lists(st.sampled_from(["a", "b", "c", "dd", "ee"]), max_size=12))
def test_the_first_line_of_each_key_is_found(ids: list[str]) -> None:
    for kind in (str, _Alike):
        keys: list[tuple[Key, int]] = [(("s", "d", 1, kind(id_)), 2 * at) for at, id_ in enumerate(ids)]

        def again(keys: list[tuple[Key, int]] = keys) -> Iterator[tuple[Key, int]]:
            return iter(keys)

        seen = Seen(again)
        assert [seen.first(key, line) for key, line in keys] == [2 * ids.index(id_) for id_ in ids]
