"""A test as people name it."""

from __future__ import annotations

from modex.core.store.naming import test_query
from modex.core.store.selecting import SampleQuery
from tests.rows import each_row

asked_for = test_query
del test_query  # pytest would take it for a test


@each_row(
    ("typed", "wanted"),
    [
        ("t", SampleQuery(test_ids=("t",))),
        ("d/2/t", SampleQuery(domains=("d",), levels=(2,), test_ids=("t",))),
        ("d/2/t/u", SampleQuery(domains=("d",), levels=(2,), test_ids=("t/u",))),
        ("d/two/t", SampleQuery(test_ids=("d/two/t",))),
        ("d/2", SampleQuery(test_ids=("d/2",))),
    ],
)
def test_a_path_of_three_names_domain_level_and_test_and_anything_else_an_id(typed: str, wanted: SampleQuery) -> None:
    assert asked_for(typed) == wanted
