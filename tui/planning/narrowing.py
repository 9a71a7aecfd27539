"""Which of the chosen tests a plan's filter, sample, limit and missing judge leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modex.core.pipeline.estimate import Need
from modex.core.suite.filters import parse_filter
from modex.core.suite.sampling import take_sample
from modex.core.suite.strata import Strata, take_shares
from modex.tui.reading.suite import Leaf


def narrowed(
    leaves: Sequence[Leaf], needs: Sequence[Need], chosen: Sequence[int], values: Mapping[str, Any]
) -> list[int]:
    """The numbers of the tests that a run with these options takes of `chosen`.

    Raises:
        ConfigurationError: a filter is wrong.
    """
    filters = [parse_filter(text) for text in values.get("filter", ())]
    found = [number for number in chosen if all(one.matches(leaves[number].test) for one in filters)]
    if values.get("no_judge"):
        found = [number for number in found if number >= len(needs) or not needs[number].judge]
    sizes = [size for name in ("sample", "limit") if (size := values.get(name)) is not None]
    if sizes and (column := values.get("stratify")):
        tests = [leaves[number].test for number in found]
        shares = take_shares(lambda: tests, min(sizes), values.get("seed") or 0, Strata(column).of)
        taken = {id(test) for test in shares}
        return [number for number in found if id(leaves[number].test) in taken]
    if (size := values.get("sample")) is not None:
        taken = {id(test) for test in take_sample((leaves[n].test for n in found), size, values.get("seed") or 0)}
        found = [number for number in found if id(leaves[number].test) in taken]
    return found[: values.get("limit")]
