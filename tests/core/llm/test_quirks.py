"""The table of what is known of single providers: whole, and the only place that names them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.llm import faults, quirks
from modex.core.llm.discovery import USUAL_PORTS
from modex.core.llm.faults import Provider, RefusedParameterError
from modex.core.llm.keys import key_variables
from modex.core.llm.reply import interpret, read_reply
from modex.core.llm.request import may_send
from tests.rows import each_row

FOLDER = Path(quirks.__file__).parent
EXCEPTIONS = {
    "litellm_faults.py": "`openai` is the client library, whose exceptions litellm raises",
    "programs.py": "`llama-server` is a program that is started, and servers read their key under their own names",
    "host.py": "the wheel that serves weights is llama.cpp's",
    "egress.py": "OpenAI's SDK is one of the libraries that litellm asks by",
}
PROTOCOL = re.compile(r"\b(?:plain OpenAI\b|OpenAI-compatible\b|OpenAI's (?:form|names)\b)")
"""OpenAI's chat completions are the protocol that others copy: as its name the word may stand anywhere."""
WHO = Provider("openai/m")


def _named() -> set[str]:
    """Every name of a provider, a server or a family of models in the table, by words of its own."""
    table = (quirks.ROWS, quirks.PARAMETERS, quirks.TAGS, quirks.CALL_FORMS)
    given = [row.who for rows in table for row in rows] + [quirks.SENT_LIMIT.who, *(row.name for row in quirks.LOCAL)]
    given += [name for row in quirks.SERVICES for name in (row.prefix, row.name)]
    generic = {"several", "litellm", "litellm proxy", "litellm_proxy", "servers in Go", "custom_openai", "openai_like", "github",
               "OpenAI's Responses API", "Claude through litellm", "One API", "FastAPI", "Together"}  # fmt: skip
    names = {name.strip(" )") for text in given for name in re.split(r"[,(]", text)}
    return {name for name in names - generic if name} | {"Claude", "claude", "Google", "OpenAI"}


@pytest.mark.long
@each_row("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: str(path.relative_to(FOLDER)))
def test_no_other_module_names_a_provider(path: Path) -> None:
    if path.name == "quirks.py" or path.name in EXCEPTIONS:
        return
    words = re.compile("|".join(rf"(?<![A-Za-z])(?:{re.escape(name)})(?![A-Za-z])" for name in sorted(_named())))
    found = [line for line in path.read_text("utf-8").splitlines() if words.search(PROTOCOL.sub("", line))]
    assert not found, "what is known of a provider is a row of modex.core.llm.quirks"


def test_every_row_says_something_and_where_it_was_learnt() -> None:
    for row in quirks.ROWS:
        assert row.names or row.words or row.note, row
    for learnt in (*(row.learnt for row in quirks.ROWS), *(row.learnt for row in quirks.SERVICES),
                   *(row.learnt for row in quirks.PARAMETERS), *(row.learnt for row in quirks.TAGS),
                   *(row.learnt for row in quirks.CALL_FORMS)):  # fmt: skip
        assert learnt == (quirks.NOT_NOTED,) or all(page.startswith("https://") for page in learnt)


def test_every_topic_has_a_row_and_no_two_say_the_same() -> None:
    assert {row.topic for row in quirks.ROWS} == set(get_args(quirks.Topic))
    for topic in get_args(quirks.Topic):
        names = quirks.names(topic)
        assert len(names) == len(set(names)), topic
    assert len(quirks.BY_PREFIX) == len(quirks.SERVICES)
    assert len(USUAL_PORTS) == len(dict(USUAL_PORTS))
    errors = [name for topic in get_args(quirks.Topic)[:8] for name in quirks.names(topic)]
    assert len(errors) == len(set(errors)), "a name means one thing"


def test_every_pattern_of_a_row_compiles_and_matches_no_empty_text() -> None:
    for row in quirks.ROWS:
        assert not row.words or re.compile(row.words, re.I).search("") is None, row
    for tags in quirks.TAGS:
        assert re.compile(tags.opens).search("") is None
        assert re.compile(tags.closes).search("") is None


@each_row("service", [row for row in quirks.SERVICES if row.unknown_model], ids=lambda row: str(row.prefix))
def test_an_unknown_model_is_met_with_the_advice_of_its_row(service: quirks.Service) -> None:
    error = faults.from_status(Provider(f"{service.prefix}/m"), 404, '{"error": {"code": "model_not_found"}}', {})
    assert service.unknown_model in str(error)


def test_a_service_is_asked_with_the_keys_of_its_row() -> None:
    assert all(key_variables(ModelSpec(model=f"{row.prefix}/m")) == row.keys for row in quirks.SERVICES)


@each_row("row", quirks.PARAMETERS, ids=lambda row: str(row.name))
def test_a_parameter_refused_in_any_spelling_is_the_rows(row: quirks.Parameter) -> None:
    for spelling in row.spellings:
        said = {"message": "x", "type": "unsupported_parameter", "param": spelling}
        error = faults.from_status(WHO, 400, json.dumps({"error": said}), {})
        assert isinstance(error, RefusedParameterError)
        assert (error.parameter, error.instead) == (row.name, None)
    if row.instead:
        said = {"message": f"Unsupported parameter: '{row.name}'. Use '{row.instead}' instead.", "param": row.name}
        error = faults.from_status(WHO, 400, json.dumps({"error": said}), {})
        assert isinstance(error, RefusedParameterError)
        assert error.instead == row.instead


def test_schemas_go_to_the_services_whose_rows_say_that_they_bind() -> None:
    schema = {"type": "json_schema"}
    assert may_send(schema, "openai/gpt-4o-mini")
    assert may_send(schema, "gemini/gemini-2.5-flash")
    assert not may_send(schema, "anthropic/claude-sonnet-4-5")


@pytest.mark.parametrize("name", quirks.names("thinking field"))
def test_thinking_in_a_field_of_its_own_is_no_part_of_the_answer(name: str) -> None:
    message = {"content": "4", name: "two and two"}
    found = interpret(read_reply(WHO, {"choices": [{"message": message, "finish_reason": "stop"}]}), turn=1)
    assert (found.text, found.reasoning) == ("4", "two and two")


@each_row("name", quirks.names("wanted back"))
def test_what_a_provider_wants_back_is_carried(name: str) -> None:
    message = {"content": "4", name: "x"}
    assert read_reply(WHO, {"choices": [{"message": message, "finish_reason": "stop"}]}).carry[name] == "x"


@each_row(
    ("text", "answer"),
    [
        ("<think>no</think>yes", "yes"),
        ("<thinking>no</thinking>yes", "yes"),
        ("<|channel>thought\nno<channel|>yes<turn|>", "yes"),
    ],
)
def test_thinking_in_tags_of_a_row_is_taken_out(text: str, answer: str) -> None:
    found = interpret(read_reply(WHO, {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}), turn=1)
    assert (found.text, found.reasoning) == (answer, "no")


def test_every_tag_holds_the_mark_by_which_texts_without_any_are_passed_over() -> None:
    assert all(tags.mark in tags.opens and tags.mark in tags.closes for tags in quirks.TAGS)
