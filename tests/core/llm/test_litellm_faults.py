"""The typed error behind whatever litellm raises, by the names and fields of the exceptions below it."""

from __future__ import annotations

from types import SimpleNamespace

from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.faults import Provider
from modex.core.llm.litellm_faults import from_exception
from tests.rows import each_row

WHO = Provider("m")


def like(name: str, words: str = "", base: type[BaseException] = Exception, **fields: object) -> BaseException:
    """An exception of a library's class of that name."""
    made: type[BaseException] = type(name, (base,), fields)
    return made(words)


def answered(status: object, text: str = "", **headers: str) -> BaseException:
    response = SimpleNamespace(status_code=status, text=text, headers=headers)
    return like("HTTPStatusError", "said", response=response)


@each_row(
    ("cause", "kind", "line"),
    [
        (
            answered(429, '{"error": {"message": "slow"}}', **{"Retry-After": "7"}),
            "RATE_LIMIT+ after 7 s",
            "m: rate limited (429): slow",
        ),
        (answered("429"), "BAD_REQUEST", "m: said"),
        (like("HTTPStatusError", "x"), "BAD_REQUEST", "m: x"),
        (
            OSError("Tunnel connection failed: 407 x"),
            "CONNECTION!",
            (
                "m: no connection: the proxy wants a user and a password (407) (give them in HTTPS_PROXY, as "
                "http://user:password@host:port)"
            ),
        ),
        (
            like("APIError", "x", body={"message": "slow", "code": 429}, __module__="openai.errors"),
            "RATE_LIMIT+",
            "m: rate limited (429): slow",
        ),
        (like("APIError", "x", body=None, __module__="openai"), "ERROR_BODY+", "m: an error instead of an answer: x"),
        (like("APIError", "x", body={"message": "slow", "code": 429}), "BAD_REQUEST", "m: x"),
        (like("Other", "x", body={"message": "slow", "code": 429}, __module__="openai"), "BAD_REQUEST", "m: x"),
        (
            ValueError("Error in response: {'message': 'slow', 'code': 429}"),
            "RATE_LIMIT+",
            "m: rate limited (429): slow",
        ),
        (ValueError("Error in response: not Python"), "ERROR_BODY+", "m: an error instead of an answer: not Python"),
        (TypeError("Error in response: {'code': 429}"), "BAD_REQUEST", "m: Error in response: {'code': 429}"),
        (ConfigurationError("give a key"), "BAD_REQUEST!", "m: give a key"),
        (
            like("ReadTimeout", "x"),
            "TIMEOUT+",
            "m: no complete answer within 30 s (raise --timeout if the model needs longer)",
        ),
        (
            TimeoutError("x"),
            "TIMEOUT+",
            "m: no complete answer within 30 s (raise --timeout if the model needs longer)",
        ),
        (like("JSONDecodeError", "x"), "INVALID_RESPONSE+", "m: an answer that is not JSON"),
        (
            like("Odd", "Empty or invalid response from LLM endpoint. Received: '<html>hello"),
            "INVALID_RESPONSE+",
            "m: a web page instead of an answer: hello",
        ),
        (
            like("Odd", "Empty or invalid response from LLM endpoint"),
            "INVALID_RESPONSE+",
            "m: an answer that is not JSON",
        ),
        (like("ReadError", "gone"), "CONNECTION+", "m: no connection: gone"),
        (like("APIConnectionError", "gone"), "BAD_REQUEST", "m: gone"),
        (ConnectionResetError("gone"), "CONNECTION+", "m: no connection: gone"),
        (like("ClientError", "gone"), "CONNECTION+", "m: no connection: gone"),
        (Exception("gone"), "BAD_REQUEST", "m: gone"),
        (like("Odd", "litellm.X: litellm.Y: why\nTraceback (most recent call last):\nx"), "BAD_REQUEST", "m: why"),
        (like("Odd", "litellm.X"), "BAD_REQUEST", "m: litellm.X"),
        (like("Odd", "x", message="own words"), "BAD_REQUEST", "m: own words"),
        (like("Odd", "x", message=3), "BAD_REQUEST", "m: x"),
        (like("Odd"), "BAD_REQUEST", "m: Odd"),
        (like("Odd", "x", status_code=200), "BAD_REQUEST", "m: x"),
        (like("Odd", "x", status_code=500), "SERVER_ERROR+", "m: the provider failed (500): x"),
        (like("Odd", "x", ValueError, status_code=500), "BAD_REQUEST", "m: x"),
        (like("Odd", "x", ValueError, status_code=503), "SERVER_ERROR+", "m: the provider failed (503): x"),
        (
            like("Odd", "x", status_code="429", headers={"Retry-After": 3}),
            "RATE_LIMIT+ after 3 s",
            "m: rate limited (429): x",
        ),
        (
            like("Odd", "x", status_code=429, litellm_response_headers={"Retry-After": 4}, headers={"Retry-After": 3}),
            "RATE_LIMIT+ after 4 s",
            "m: rate limited (429): x",
        ),
        (like("Odd", "x", status_code="odd"), "BAD_REQUEST", "m: x"),
        (like("Odd", "x", status_code=None), "BAD_REQUEST", "m: x"),
    ],
)
def test_what_litellm_raised_is_the_error_that_was_met(cause: Exception, kind: str, line: str) -> None:
    found = from_exception(WHO, cause, 30.0)
    wait = "" if found.retry_after is None else f" after {found.retry_after:g} s"
    assert found.error_type.name + "!" * found.fatal + "+" * found.retryable + wait == kind
    assert str(found) == line


def test_the_innermost_status_counts_and_a_bare_exception_is_an_error_in_an_answer() -> None:
    outer, inner = like("Odd", "outer", status_code=401), Exception("inner")
    outer.__cause__ = inner
    assert isinstance(outer, Exception)
    assert (
        str(from_exception(WHO, outer, 30.0))
        == "m: the key was refused (401): inner (check the key and what it may use)"
    )
    inner.status_code = 429  # type: ignore[attr-defined]
    assert str(from_exception(WHO, outer, 30.0)) == "m: rate limited (429): inner"
    late = like("Timeout", "litellm.Timeout: x")
    late.__cause__ = OSError("refused")
    assert isinstance(late, Exception)
    assert (
        str(from_exception(WHO, late, 30.0))
        == "m: no complete answer within 30 s (raise --timeout if the model needs longer)"
    )
