from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ErrorType
from modex.core.llm import faults
from modex.core.llm.faults import Provider, RefusedParameterError
from tests.rows import each_row

WHO = Provider("openai/m", "OPENAI_API_KEY", "http://user:secretpass@10.0.0.1/v1")


def openai(message: str, **more: str) -> str:
    return json.dumps({"error": {"message": message, **more}})


@each_row(
    ("status", "body", "expected"),
    [
        (400, openai("This model's maximum context length is 4096 tokens."), ErrorType.CONTEXT_WINDOW),
        (400, openai("prompt is too long: 210000 tokens > 200000 maximum"), ErrorType.CONTEXT_WINDOW),
        (400, openai("x", code="context_length_exceeded"), ErrorType.CONTEXT_WINDOW),
        (500, openai("the request exceeds the available context size"), ErrorType.CONTEXT_WINDOW),
        (413, openai("too many tokens"), ErrorType.CONTEXT_WINDOW),
        (400, openai("x", code="content_filter"), ErrorType.CONTENT_FILTER),
        (403, openai("your input was flagged"), ErrorType.CONTENT_FILTER),
        (400, openai("API key not valid. Please pass a valid API key."), ErrorType.AUTHENTICATION),
        (400, openai("foo/bar is not a valid model ID"), ErrorType.MODEL_NOT_FOUND),
        (404, '{"detail":"Not Found"}', ErrorType.MODEL_NOT_FOUND),
        (402, "", ErrorType.QUOTA),
        (429, openai("Insufficient balance"), ErrorType.QUOTA),
        (429, openai("slow down"), ErrorType.RATE_LIMIT),
        (408, "", ErrorType.TIMEOUT),
        (409, "", ErrorType.SERVER_ERROR),
        (500, "<html>oops</html>", ErrorType.SERVER_ERROR),
        (529, "", ErrorType.SERVER_ERROR),
        (302, "", ErrorType.BAD_REQUEST),
        (418, "teapot", ErrorType.BAD_REQUEST),
    ],
)
def test_status_and_words_name_the_failure(status: int, body: str, expected: ErrorType) -> None:
    error = faults.from_status(WHO, status, body, {})
    assert error.error_type is expected
    assert error.status == status
    assert not (error.retryable and error.fatal)


@each_row("status", [401, 402, 403, 404])
def test_what_no_retry_cures_is_fatal(status: int) -> None:
    assert faults.from_status(WHO, status, "", {}).fatal


@each_row("status", [405, 410, 426, 501, 505, 506, 508, 510, 511])
@each_row("body", ["", openai("not here", type="server_error"), "<html>Not Implemented</html>"])
def test_what_no_waiting_changes_fails_at_once_with_what_to_do(status: int, body: str) -> None:
    error = faults.from_status(WHO, status, body, {})
    assert error.fatal
    assert not error.retryable
    assert ("log in" if status == 511 else "check the model's name and the address") in str(error)
    assert faults.from_error_body(WHO, {"message": "not here", "code": status}).fatal
    later = faults.from_status(WHO, status, body, {"retry-after": "3"})
    assert later.fatal == (status < 500 or status == 511)


def test_a_refused_key_names_the_variable_and_not_the_key() -> None:
    error = faults.from_status(WHO, 401, openai("Incorrect API key provided: sk-abcdefgh12345678."), {})
    assert "OPENAI_API_KEY" in str(error)
    assert "sk-abcdefgh" not in str(error)


def test_an_unknown_model_names_the_address_without_its_password() -> None:
    message = str(faults.from_status(WHO, 404, "", {}))
    assert "10.0.0.1" in message
    assert "secretpass" not in message


@each_row(
    ("body", "parameter", "instead"),
    [
        (openai("Unsupported value: 'temperature' does not support 0", param="temperature"), "temperature", None),
        (
            openai("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
            "max_tokens",
            "max_completion_tokens",
        ),
        (openai("anthropic does not support parameters: ['seed'], for model=x"), "seed", None),
        (openai("gpt-5 doesn't support temperature=0.0. Only temperature=1 is supported"), "temperature", None),
        ('{"detail":[{"loc":["body","seed"],"msg":"Extra inputs are not permitted: seed"}]}', "seed", None),
    ],
)
def test_a_refused_parameter_is_named(body: str, parameter: str, instead: str | None) -> None:
    error = faults.from_status(WHO, 400, body, {})
    assert isinstance(error, RefusedParameterError)
    assert (error.parameter, error.instead) == (parameter, instead)


@each_row(
    ("headers", "seconds"),
    [
        ({"retry-after": "5"}, 5.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "9" * 400}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert faults.retry_after(headers, now=10.0) == seconds


@given(
    st.integers(300, 600), st.text(max_size=300), st.dictionaries(st.sampled_from(["retry-after"]), st.text(max_size=9))
)
def test_any_answer_gives_one_bounded_line(status: int, body: str, headers: dict[str, str]) -> None:
    message = str(faults.from_status(WHO, status, body, headers))
    assert "\n" not in message
    assert len(message) < 800


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["error", "message", "code", "type", "detail", "metadata"]), inner, max_size=4
            )
        ),
        max_leaves=8,
    )
)
def test_any_json_error_body_is_survived(data: object) -> None:
    assert faults.from_status(WHO, 400, json.dumps(data), {}).error_type
    assert faults.from_error_body(WHO, data).error_type


def test_a_code_inside_a_200_keeps_its_meaning() -> None:
    assert faults.from_error_body(WHO, {"message": "slow", "code": 429}).error_type is ErrorType.RATE_LIMIT
    assert faults.from_error_body(WHO, {"message": "no", "code": 401}).fatal
    assert faults.from_error_body(WHO, {"message": "upstream", "code": 502}).error_type is ErrorType.ERROR_BODY
    assert faults.from_error_body(WHO, "boom").error_type is ErrorType.ERROR_BODY
