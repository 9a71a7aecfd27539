"""Which error stands behind a status and a provider's words, over all statuses that mean something."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from modex.core.foundation.errors import ModelCallError
from modex.core.llm import faults
from modex.core.llm.faults import NoAttachmentsError, NoToolsError, Provider, RefusedParameterError, StreamProgress
from modex.core.llm.faults.broken import Broken
from modex.core.llm.faults.reading import connection_failed
from tests.rows import each_row

WHO = Provider("m")
STATUSES = (*range(299, 302), 399, *range(400, 432), 449, 451, *range(498, 513), 529)
MORE_TIME = "not whole within 30 s (raise --timeout if the model needs longer)"


def outcome(error: ModelCallError) -> str:
    """The kind of an error: `!` where it ends the run, `+` where the call is tried again."""
    kind = error.error_type.name
    for special in (RefusedParameterError, NoToolsError, NoAttachmentsError):
        if isinstance(error, special):
            kind = special.__name__
    wait = "" if error.retry_after is None else f" after {error.retry_after:g} s"
    return kind + "!" * error.fatal + "+" * error.retryable + wait


def by_status(body: str, headers: Mapping[str, str]) -> dict[int, str]:
    found = {status: faults.from_status(WHO, status, body, headers) for status in STATUSES}
    assert all(error.status == status for status, error in found.items())
    return {status: outcome(error) for status, error in found.items()}


def by_outcome(body: str, headers: Mapping[str, str], but: Mapping[int, str] | None = None) -> dict[str, str]:
    """The statuses that end in each outcome, in short; those that do so in `but` are left out."""
    kinds: dict[str, list[int]] = {}
    for status, kind in by_status(body, headers).items():
        if but is None or but[status] != kind:
            kinds.setdefault(kind, []).append(status)
    return {kind: _runs(statuses) for kind, statuses in kinds.items()}


def _runs(statuses: list[int]) -> str:
    """Statuses in short: those that follow on each other as one text."""
    runs: list[list[int]] = []
    for status in statuses:
        if runs and STATUSES.index(runs[-1][-1]) == STATUSES.index(status) - 1:
            runs[-1].append(status)
        else:
            runs.append([status])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def body(message: str = "x", code: str = "", **more: Any) -> str:
    return json.dumps({"error": {"message": message, **({"code": code} if code else {}), **more}})


def test_without_words_the_status_says_it() -> None:
    assert by_outcome("", {}) == {
        "BAD_REQUEST": "299 400 406 411-424 427-428 430-499",
        "BAD_REQUEST!": "300-399 405 410 426 501 505-506 508 510",
        "AUTHENTICATION!": "401",
        "QUOTA!": "402",
        "PERMISSION!": "403",
        "MODEL_NOT_FOUND!": "404",
        "CONNECTION!": "407 511",
        "TIMEOUT+": "408",
        "SERVER_ERROR+": "409 425 500 502-504 507 509 512-529",
        "RATE_LIMIT+": "429",
    }


@each_row(
    ("said", "headers", "kinds"),
    [
        (
            "",
            {"retry-after": "7"},
            {"RATE_LIMIT+ after 7 s": "402 429", "SERVER_ERROR+ after 7 s": "409 425 500-510 512-529"},
        ),
        (
            body(code="insufficient_quota"),
            {},
            {"QUOTA!": "400 403 422 429 500", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (body(code="context_length_exceeded"), {}, {"CONTEXT_WINDOW": "299-400 402 405-428 430-510 512-529"}),
        (
            body(code="content_filter"),
            {},
            {"CONTENT_FILTER": "400 403 422", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (
            body(code="model_not_found"),
            {},
            {
                "MODEL_NOT_FOUND!": "400 403 422 429 500 503",
                "BAD_REQUEST": "405 410 426",
                "SERVER_ERROR+": "501 505-506 508 510",
            },
        ),
        (
            body(code="invalid_api_key"),
            {},
            {"AUTHENTICATION!": "400 403", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (
            body(code="permission_error"),
            {},
            {"PERMISSION!": "400", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (
            body(code="rate_limit_exceeded"),
            {"retry-after": "7"},
            {
                "RATE_LIMIT+ after 7 s": "400 402-403 429 500 503",
                "BAD_REQUEST": "405 410 426",
                "SERVER_ERROR+ after 7 s": "409 425 501-502 504-510 512-529",
            },
        ),
        (
            body("You exceeded your current quota", code="rate_limit_exceeded"),
            {},
            {"RATE_LIMIT+": "400 403 500 503", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (
            body("Insufficient balance", code="rate_limit_exceeded"),
            {},
            {"QUOTA!": "400 403 422 429 500", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (
            body("Insufficient balance", code="rate_limit_exceeded"),
            {"retry-after": "7"},
            {
                "QUOTA!": "400 403 422 500",
                "BAD_REQUEST": "405 410 426",
                "SERVER_ERROR+ after 7 s": "409 425 501-510 512-529",
                "RATE_LIMIT+ after 7 s": "429",
            },
        ),
        (
            body("Insufficient balance", code="model_not_found"),
            {},
            {
                "MODEL_NOT_FOUND!": "400 403 422 429 500 503",
                "BAD_REQUEST": "405 410 426",
                "SERVER_ERROR+": "501 505-506 508 510",
            },
        ),
        (
            body("Insufficient balance"),
            {},
            {"QUOTA!": "400 403 422 429 500", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (
            body("prompt is too long: 9 tokens > 4 maximum", code="rate_limit_exceeded"),
            {},
            {"CONTEXT_WINDOW": "299-400 402 405-428 430-510 512-529"},
        ),
        (
            body("prompt is too long: 9 tokens > 4 maximum", code="model_not_found"),
            {},
            {
                "MODEL_NOT_FOUND!": "400 403 422 429 500 503",
                "BAD_REQUEST": "405 410 426",
                "SERVER_ERROR+": "501 505-506 508 510",
            },
        ),
        (
            body(code="overloaded_error"),
            {"retry-after": "7"},
            {"RATE_LIMIT+ after 7 s": "402 429", "SERVER_ERROR+ after 7 s": "409 425 500-510 512-529"},
        ),
        (body("this model does not support tools"), {}, {"NoToolsError": "400 404 422 500-501"}),
        (body("streaming is not supported"), {}, {"RefusedParameterError": "400 404 422 500-501"}),
        (body("this model does not support images"), {}, {"NoAttachmentsError": "400 404 415 422 500-501"}),
        (body("unsupported parameter: seed", code="unsupported_parameter"), {}, {"RefusedParameterError": "400 422"}),
        (body("unsupported parameter: seed", code="overloaded_error"), {}, {"RefusedParameterError": "400 422"}),
        (
            body("unsupported parameter: seed", code="rate_limit_exceeded"),
            {},
            {"RATE_LIMIT+": "400 403 500 503", "BAD_REQUEST": "405 410 426", "SERVER_ERROR+": "501 505-506 508 510"},
        ),
        (body("temperature should be in [0, 1]"), {}, {"BAD_REQUEST!": "400 422"}),
        ("client sent an HTTP request to an HTTPS server", {}, {"CONNECTION!": "299 400 406 411-424 427-428 430-499"}),
        (
            "please try again in 3s",
            {},
            {"RATE_LIMIT+ after 3 s": "402 429", "SERVER_ERROR+ after 3 s": "409 425 500-510 512-529"},
        ),
    ],
)
def test_words_and_headers_change_what_a_status_means_where_it_leaves_them_room(
    said: str, headers: dict[str, str], kinds: dict[str, str]
) -> None:
    assert by_outcome(said, headers, but=by_status("", {})) == kinds


@each_row(
    ("error", "kind"),
    [
        ("boom", "ERROR_BODY+"),
        ({"message": "x", "code": "²"}, "ERROR_BODY+"),
        ({"message": "x", "code": "1429"}, "ERROR_BODY+"),
        ({"message": "this model does not support tools", "code": 501}, "ERROR_BODY+"),
        ({"message": "this model does not support images", "code": 500}, "NoAttachmentsError"),
        ({"message": "x", "code": 399}, "ERROR_BODY+"),
        ({"message": "x", "code": 400}, "ERROR_BODY+"),
        ({"message": "x", "code": 401}, "AUTHENTICATION!"),
        ({"message": "x", "code": 405}, "BAD_REQUEST!"),
        ({"message": "x", "code": 429}, "RATE_LIMIT+"),
        ({"message": "x", "code": 503}, "ERROR_BODY+"),
        ({"message": "x", "code": 511}, "CONNECTION!"),
        ({"message": "x", "code": 599}, "ERROR_BODY+"),
        ({"message": "x", "code": 600}, "ERROR_BODY+"),
        ({"message": "x", "code": 601}, "ERROR_BODY+"),
        ({"message": "unsupported parameter: seed", "code": 400}, "ERROR_BODY+"),
        ({"message": "this model does not support tools", "code": 400}, "ERROR_BODY+"),
        ({"message": "x", "code": "insufficient_quota"}, "QUOTA!"),
        ({"message": "x", "code": "context_length_exceeded"}, "CONTEXT_WINDOW"),
        ({"message": "x", "code": "content_filter"}, "CONTENT_FILTER"),
        ({"message": "x", "code": "model_not_found"}, "MODEL_NOT_FOUND!"),
        ({"message": "x", "code": "invalid_api_key"}, "AUTHENTICATION!"),
        ({"message": "x", "code": "permission_error"}, "PERMISSION!"),
        ({"message": "x", "code": "rate_limit_exceeded"}, "RATE_LIMIT+"),
        ({"message": "x", "code": "overloaded_error"}, "ERROR_BODY+"),
        ({"message": "Insufficient balance"}, "QUOTA!"),
    ],
)
def test_an_error_in_place_of_an_answer_keeps_a_meaning_that_is_about_every_call(error: Any, kind: str) -> None:
    assert outcome(faults.from_error_body(WHO, error)) == kind


@each_row(
    ("who", "status", "said", "line"),
    [
        (WHO, 401, "", "m: the key was refused (401) (check the key and what it may use)"),
        (Provider("m", "KEY"), 401, body("no"), "m: the key was refused (401): no (check the key in KEY)"),
        (
            Provider("m", base="http://h/v1"),
            404,
            "",
            "m: nothing there (404) (check the model's name and the address http://h/v1 (does it end in /v1?))",
        ),
        (WHO, 404, "", "m: nothing there (404) (check the model's name)"),
        (
            Provider("azure/m", base="http://h/v1"),
            404,
            body(code="model_not_found"),
            (
                "azure/m: no such model (404): x (the name after azure/ is the deployment's, not the model's; "
                "check AZURE_API_VERSION too)"
            ),
        ),
        (
            Provider("azure/m"),
            404,
            "",
            (
                "azure/m: nothing there (404) (the name after azure/ is the deployment's, not the model's; "
                "check AZURE_API_VERSION too)"
            ),
        ),
        (
            Provider("m", base="http://h/v1"),
            404,
            body("only in v1/responses"),
            (
                "m: nothing there (404): only in v1/responses (it answers only by the Responses API: name it "
                "openai/responses/<model>, and litellm asks it there)"
            ),
        ),
        (
            WHO,
            400,
            body("max_tokens should be in [0, 1]"),
            "m: the value of max_tokens is refused (400): max_tokens should be in [0, 1] (give another --max-tokens)",
        ),
        (WHO, 400, body("unsupported parameter: seed"), "m: no seed here (400): unsupported parameter: seed"),
        (WHO, 418, "short", "m: request refused (418): short"),
        (WHO, 511, "", "m: this network wants a login (511) (log in to it in a browser, then ask again)"),
        (WHO, 426, "", "m: another protocol is wanted there (426) (check the model's name)"),
    ],
)
def test_the_line_says_who_what_with_which_status_and_what_to_do(
    who: Provider, status: int, said: str, line: str
) -> None:
    assert str(faults.from_status(who, status, said, {})) == line


def test_a_redirect_names_where_to() -> None:
    assert (
        str(faults.from_status(WHO, 307, "", {"location": "https://h/v2"}))
        == "m: redirected (307) (the address redirects to https://h/v2: give the final one as --api-base)"
    )
    assert (
        str(faults.from_status(WHO, 308, "", {}))
        == "m: redirected (308) (the address redirects to another address: give the final one as --api-base)"
    )


@each_row(
    ("finish_reason", "ending", "error", "words", "kind", "line"),
    [
        ("error", "failed", {"message": "x", "code": 429}, "", "RATE_LIMIT+", "m: rate limited (429): x"),
        (
            "safety",
            "filter",
            None,
            "violence",
            "CONTENT_FILTER",
            "m: stopped by the provider's content filter: violence",
        ),
        (
            "length",
            "context",
            None,
            "",
            "CONTEXT_WINDOW",
            (
                "m: the prompt is longer than the model's context window (the test needs a model with a larger "
                "window, or a smaller --max-tokens where that is counted in)"
            ),
        ),
        ("error", "failed", None, "cut", "ERROR_BODY+", "m: the provider broke off (error): cut"),
        (
            "odd",
            None,
            None,
            "",
            "INVALID_RESPONSE",
            "m: stopped for a reason that modex does not know: finish_reason 'odd'",
        ),
        (
            "odd" * 30,
            None,
            {},
            "",
            "INVALID_RESPONSE",
            (
                "m: stopped for a reason that modex does not know: finish_reason "
                "'oddoddoddoddoddoddoddoddoddoddoddoddoddoddoddoddoddoddoddod…'"
            ),
        ),
    ],
)
def test_an_answer_that_ended_as_none_says_why(
    finish_reason: str, ending: Any, error: Any, words: str, kind: str, line: str
) -> None:
    found = faults.stopped_by(WHO, finish_reason, ending, error, words)
    assert outcome(found) == kind
    assert str(found) == line


@each_row(
    ("progress", "began", "kind", "line"),
    [
        (None, False, "TIMEOUT+", "m: no complete answer within 30 s (raise --timeout if the model needs longer)"),
        (
            StreamProgress(0, 0.0, 0.0),
            False,
            "TIMEOUT+",
            "m: no complete answer within 30 s (raise --timeout if the model needs longer)",
        ),
        (
            StreamProgress(0, 0.0, 11.0),
            False,
            "TIMEOUT+",
            "m: no complete answer within 30 s (raise --timeout if the model needs longer)",
        ),
        (
            StreamProgress(1, 0.25, 9.9),
            True,
            "TIMEOUT",
            "m: the answer was still being written (1 pieces, the first after 0.2 s): " + MORE_TIME,
        ),
        (
            StreamProgress(1, 0.25, 10.0),
            True,
            "TIMEOUT+",
            "m: the answer had stood still for 10 s (1 pieces, the first after 0.2 s): " + MORE_TIME,
        ),
        (
            StreamProgress(30, 2.04, 33.4),
            True,
            "TIMEOUT+",
            "m: the answer had stood still for 33 s (30 pieces, the first after 2.0 s): " + MORE_TIME,
        ),
    ],
)
def test_what_was_still_being_written_is_not_tried_again(
    progress: StreamProgress | None, began: bool, kind: str, line: str
) -> None:
    found = faults.timed_out(WHO, 30.0, progress)
    assert isinstance(found, faults.TimedOutError)
    assert found.began is began
    assert outcome(found) == kind
    assert str(found) == line


def test_other_answers_that_are_none() -> None:
    made = {
        "no images": faults.from_error_body(WHO, "this model does not support images"),
        "an error": faults.from_error_body(WHO, "x"),
        "broken off": faults.stopped_by(WHO, "error", "failed"),
        "too long": faults.stopped_by(WHO, "length", "context"),
        "odd": faults.stopped_by(WHO, "odd", None),
        "an error of code": faults.from_error_body(WHO, {"message": "x", "code": 429}),
        "page": faults.not_json(WHO, "  <!DOCTYPE html><p>hello</p>"),
        "page too": faults.not_json(WHO, "<HTML>hello"),
        "page behind much space": faults.not_json(WHO, " " * 300 + "<html>hello"),
        "cut": faults.not_json(WHO, '{"choices": [' + " " * 200 + "<html>"),
        "large": faults.too_large(WHO),
        "empty": faults.empty_choices(WHO),
        "no stream": faults.no_stream(WHO, "why"),
        "no stream, refused": faults.no_stream(WHO, "why", 400),
        "broken": faults.broken_stream(WHO, "why"),
        "invalid": faults.invalid_response(WHO, "why", "this"),
        "filtered": faults.content_filter(WHO),
        "broken for good": connection_failed(Provider("m", base="http://h"), Broken("why", "do this")),
        "broken once": connection_failed(WHO, Broken("why")),
    }
    assert {name: (outcome(error), error.status, str(error)) for name, error in made.items()} == {
        "no images": (
            "NoAttachmentsError",
            200,
            "m: the attachments are refused: this model does not support images "
            "(take a model that reads such files, or leave these tests out)",
        ),
        "an error": ("ERROR_BODY+", 200, "m: an error instead of an answer: x"),
        "broken off": ("ERROR_BODY+", 200, "m: the provider broke off (error)"),
        "too long": (
            "CONTEXT_WINDOW",
            200,
            "m: the prompt is longer than the model's context window "
            "(the test needs a model with a larger window, or a smaller --max-tokens where that is counted in)",
        ),
        "odd": ("INVALID_RESPONSE", 200, "m: stopped for a reason that modex does not know: finish_reason 'odd'"),
        "an error of code": ("RATE_LIMIT+", 429, "m: rate limited (429): x"),
        "page": ("INVALID_RESPONSE+", 200, "m: a web page instead of an answer: hello"),
        "page too": ("INVALID_RESPONSE+", 200, "m: a web page instead of an answer: hello"),
        "page behind much space": ("INVALID_RESPONSE+", 200, "m: a web page instead of an answer: hello"),
        "cut": ("INVALID_RESPONSE+", 200, 'm: an answer that is not JSON: {"choices": ['),
        "large": ("INVALID_RESPONSE", 200, "m: the answer is larger than 64 MiB"),
        "empty": ("EMPTY_CHOICES+", 200, "m: an answer without choices"),
        "no stream": ("RefusedParameterError", 200, "m: no stream here: why"),
        "no stream, refused": ("RefusedParameterError", 400, "m: no stream here (400): why"),
        "broken": ("INVALID_RESPONSE+", 200, "m: the stream broke off: why"),
        "invalid": ("INVALID_RESPONSE+", 200, "m: why: this"),
        "filtered": ("CONTENT_FILTER", None, "m: stopped by the provider's content filter"),
        "broken for good": ("CONNECTION!", None, "m: no connection to http://h: why (do this)"),
        "broken once": ("CONNECTION+", None, "m: no connection: why"),
    }
