from __future__ import annotations

import pytest

from modex.core.edge.cluster import __name__ as cluster_folder
from modex.core.engine.executors.places import CLUSTER
from modex.core.foundation.by_name import by_name
from modex.core.foundation.errors import ConfigurationError
from modex.core.reports.formats import FORMATS


def test_a_name_leads_to_what_stands_under_it() -> None:
    assert by_name("modex.core.foundation.errors:ConfigurationError") is ConfigurationError


@pytest.mark.parametrize(
    ("where", "fault"),
    [("modex.core.foundation.nowhere:x", ImportError), ("modex.core.foundation.errors:Nothing", AttributeError)],
)
def test_a_name_that_leads_nowhere_is_an_error(where: str, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        by_name(where)


def test_the_names_in_tables_lead_somewhere() -> None:
    assert all(callable(one.load()) for one in FORMATS.values())
    assert CLUSTER.startswith(f"{cluster_folder}.")
