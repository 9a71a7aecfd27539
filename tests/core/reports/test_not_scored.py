"""How many samples are not scored and whose fault that is, in words and as JSON."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from modex.core.features.export.export import export
from modex.core.foundation.parties import Party
from modex.core.reports.formats import Format
from modex.core.reports.not_scored import not_scored_json, not_scored_words
from modex.core.store.manager import DBDataManager
from modex.core.store.parties import PartyCount
from modex.core.store.sample import EvaluationSample
from tests.cli import call
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

SERVER = PartyCount(Party.SERVER, 2, {"tool_unavailable": 2}, {"weather: exit 3": 2})
JUDGE = PartyCount(Party.JUDGE, 1, {"judge_error": 1}, {})


def words(*found: PartyCount) -> str:
    return not_scored_words(found)


def test_the_words_name_each_party_and_what_tells_more_than_its_name() -> None:
    assert words() == ""
    assert words(SERVER, JUDGE) == "3 not scored: 2 server (weather: exit 3), 1 judge"
    kinds = {"connection": 3, "quota": 2, "invalid_test": 1, "internal_error": 1}
    many = PartyCount(Party.ENVIRONMENT, 1007, kinds, {})
    assert words(many) == "1,007 not scored: 1,007 environment (3 connection, 2 quota, 1 invalid_test, …)"
    both = PartyCount(Party.SERVER, 3, {"tool_unavailable": 2, "timeout": 1}, {"a: exit 3": 1, "b: no answer": 1})
    assert words(both) == "3 not scored: 3 server (1 a: exit 3, 1 b: no answer, 1 timeout)"
    assert words(PartyCount(Party.TOOL, 1, {"tool_unavailable": 1}, {})) == "1 not scored: 1 tool"
    assert words(PartyCount(Party.MODEL, 1, {"truncated_output": 1}, {})) == "1 not scored: 1 model (truncated_output)"


def test_scripts_get_numbers_kinds_and_details() -> None:
    assert not_scored_json([SERVER, JUDGE]) == {
        "server": {"number": 2, "kinds": {"tool_unavailable": 2}, "details": {"weather: exit 3": 2}},
        "judge": {"number": 1, "kinds": {"judge_error": 1}},
    }


ENDED = "the server python weather.py ended (exit code 3); it said: no licence; it was asked twice"
LOST = "2 not scored: 1 server (weather: exit 3), 1 judge"


@pytest.fixture
def lost(manager: DBDataManager, store: Store) -> DBDataManager:
    """A run `plain` with a server's and a judge's error beside a sample that passed."""

    def unscored(name: str, kind: str, said: str) -> EvaluationSample:
        judged = finished(sample(name), status="error", stage="rollout", error_type=kind, error_message=said)
        return replace(judged, score=None)

    ended = unscored("a", "tool_unavailable", ENDED)
    store("plain", [ended, unscored("b", "judge_error", "odd"), finished(sample("c"))])
    return manager


def test_it_stands_in_the_first_line_of_a_sample_and_in_lists_and_totals(lost: DBDataManager) -> None:
    at = ("--db", lost.path)
    assert LOST in call("show", "plain", *at).out.splitlines()
    first = call("show", "plain", "--test", "a", *at).out.splitlines()[0]
    assert first.endswith("error, at fault: server (weather: exit 3)")
    listed = call("show", "plain", "--status", "error", *at).out
    assert "server (weather: exit 3): tool_unavailable" in listed
    assert "  judge: judge_error odd" in listed
    assert [one["fault"] for one in call("show", "plain", "--filter", "fault:server", "--json", *at).data] == ["server"]
    assert call("show", "plain", "--test", "b", "--json", *at).data[0]["fault"] == "judge"
    assert call("show", "plain", "--test", "c", *at).out.splitlines()[0].endswith("passed 1.00")
    assert call("runs", "--json", *at).data[0]["at_fault"] == ["server", "judge"]
    assert "server, judge" in call("runs", *at).out
    assert call("show", "plain", "--json", *at).data["not_scored"]["judge"] == {
        "number": 1,
        "kinds": {"judge_error": 1},
    }


@pytest.mark.parametrize("kind", ["json", "csv", "md", "html", "github", "junit", "inspect"])
def test_every_export_names_whose_fault_it_is(lost: DBDataManager, kind: Format) -> None:
    text = "".join(export(lost.reader, lost.reader.run("plain"), kind)).replace("\\", "")
    if kind == "json":
        told = json.loads("".join(export(lost.reader, lost.reader.run("plain"), kind)))
        assert [one["fault"] for one in told["samples"]] == ["server", "judge", None]
        assert told["not_scored"]["server"]["details"] == {"weather: exit 3": 1}
    elif kind == "csv":
        assert [row["fault"] for row in csv.DictReader(io.StringIO(text))] == ["server", "judge", ""]
    elif kind == "junit":
        assert 'message="server (weather: exit 3): the server python' in text
    elif kind == "inspect":
        assert '"fault": "server"' in text
    else:
        assert LOST in text
        assert "judge: " in text or "at fault: judge" in text
