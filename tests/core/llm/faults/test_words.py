"""What a provider said of its error, found in the shapes that error bodies have."""

from __future__ import annotations

from typing import Any

from modex.core.llm.faults.words import ProviderWords, kept, provider_words, retry_after, words_of
from tests.rows import each_row


def found(words: ProviderWords) -> tuple[Any, ...]:
    return words.message, words.code, words.kind, words.parameter, " ".join(sorted(words.names)), words.wait_s


@each_row(
    ("body", "words"),
    [
        ("", ("", "", "", "", "", None)),
        ("plain  words\nin two lines", ("plain words in two lines", "", "", "", "", None)),
        ("<html><style>b{}</style><SCRIPT>\nx()\n</script><b>not</b> here</html>", ("not here", "", "", "", "", None)),
        ("x" * 19_990 + "<b>yy</b> tail", ((19993, "xxxxxxxxx yy"), "", "", "", "", None)),
        ("a <" + "b" * 500 + "> c", ("a c", "", "", "", "", None)),
        ("a <" + "b" * 501 + "> c", ((507, "bbbbbbbbb> c"), "", "", "", "", None)),
        ("please retry in 3s", ("please retry in 3s", "", "", "", "", 3.0)),
        ("[" * 100_000, ((20000, "[[[[[[[[[[[["), "", "", "", "", None)),
        ("[]", ("[]", "", "", "", "", None)),
        ("null", ("null", "", "", "", "", None)),
        ("3", ("3", "", "", "", "", None)),
        ('"try again in 4 seconds"', ("try again in 4 seconds", "", "", "", "", 4.0)),
        (
            '[{"error": {"message": "first", "code": 7}}, {"error": {"message": "second"}}]',
            ("first", "7", "", "", "7", None),
        ),
        ('{"error": {"message": "a", "code": "B", "type": "T", "param": "p"}}', ("a", "B", "T", "p", "b t", None)),
        (
            '{"error": {"message": "a", "code": 0, "type": null}, "type": "Outer", "code": 5}',
            ("a", "", "", "", "outer", None),
        ),
        ('{"error": "Short", "message": "long words"}', ("Short: long words", "", "", "", "short", None)),
        ('{"error": "Short", "message": "Short"}', ("Short", "", "", "", "short", None)),
        ('{"error": "Short", "message": "hort"}', ("Short", "", "", "", "short", None)),
        ('{"error": "Short", "message": 3}', ("Short", "", "", "", "short", None)),
        ('{"error": "", "detail": "d", "message": "m"}', ("d: m", "", "", "", "", None)),
        ('{"message": "m", "error_type": "E", "__type": "T"}', ("m", "", "", "", "e t", None)),
        ('{"detail": "d", "message": "m"}', ("d", "", "", "", "", None)),
        ('{"Message": "M"}', ("M", "", "", "", "", None)),
        ('{"other": 1}', ('{"other": 1}', "", "", "", "", None)),
        ("{}", ("{}", "", "", "", "", None)),
    ],
)
def test_a_body_is_read_in_every_shape(body: str, words: tuple[Any, ...]) -> None:
    message, *rest = found(provider_words(body))
    assert (message if len(message) < 200 else (len(message), message[-12:]), *rest) == words


@each_row(
    ("error", "words"),
    [
        (
            [
                {"msg": "too long", "loc": ["body", "seed"], "type": "Extra"},
                {"loc": ["x"]},
                {"msg": "b", "loc": [0, "y"]},
            ],
            ("body.seed: too long; 0.y: b", "", "Extra", "seed", "extra", None),
        ),
        ([{"msg": "alone"}], (": alone", "", "", "", "", None)),
        ([{"msg": "no place", "loc": []}], (": no place", "", "", "", "", None)),
        ([{"message": "no finding"}], ('[{"message": "no finding"}]', "", "", "", "", None)),
        ([], ("[]", "", "", "", "", None)),
        (["msg"], ('["msg"]', "", "", "", "", None)),
        ({"message": "m", "details": [{"retryDelay": "0.5s"}]}, ("m", "", "", "", "", 0.5)),
        ('wait 5 s {"error": {"message": "n"}}', ("n", "", "", "", "", None)),
        (
            {"message": 'wait 5 s {"error": {"message": "n"}}'},
            ('wait 5 s {"error": {"message": "n"}}', "", "", "", "", 5.0),
        ),
        ('said {"error": {"message": "inner"}}.', ("inner", "", "", "", "", None)),
        (["text"], ('["text"]', "", "", "", "", None)),
        (None, ("null", "", "", "", "", None)),
        ({"detail": "d", "error": "e"}, ("d", "", "", "", "", None)),
        ({"error": {"inner": 1}}, ('{"inner": 1}', "", "", "", "", None)),
        (
            {"code": 5, "status": "Bad", "reason": "Why", "error_type": "Kind"},
            (
                '{"code": 5, "status": "Bad", "reason": "Why", "error_type": "Kind"}',
                "5",
                "Bad",
                "",
                "5 bad kind why",
                None,
            ),
        ),
        ({"message": "m", "type": "t", "status": "s"}, ("m", "", "t", "", "s t", None)),
        ({"message": "m", "metadata": {"raw": "behind"}}, ("m: behind", "", "", "", "", None)),
        ({"message": "m", "metadata": {"raw": 3}}, ("m", "", "", "", "", None)),
        ({"message": "m", "metadata": "raw"}, ("m", "", "", "", "", None)),
        ({"message": "m", "innererror": {"code": "Inner"}}, ("m", "", "", "", "inner", None)),
        (
            {"message": "wait 9 seconds", "details": [{"retryDelay": "12.5s", "reason": "Slow"}, "x", {}]},
            ("wait 9 seconds", "", "", "", "slow", 12.5),
        ),
        ({"message": "wait 90 seconds", "details": [{"retryDelay": "12s"}]}, ("wait 90 seconds", "", "", "", "", 90.0)),
        ({"message": "m", "details": [{"retryDelay": "soon"}]}, ("m", "", "", "", "", None)),
        ({"message": "m", "details": {"retryDelay": "3s"}}, ("m", "", "", "", "", None)),
        (
            {"message": 'proxy: {"error": {"message": "wait 8 s", "code": "Deep"}} end', "code": "top"},
            ('proxy: {"error": {"message": "wait 8 s", "code": "Deep"}} end', "top", "", "", "deep top", 8.0),
        ),
        (
            {"message": 'wait 5 s {"error": {"message": "wait 3 s"}}'},
            ('wait 5 s {"error": {"message": "wait 3 s"}}', "", "", "", "", 5.0),
        ),
        ('said {"error": {"message": "inner", "code": "C"}}', ("inner", "C", "", "", "c", None)),
        ('said {"error": "inner"}', ('said {"error": "inner"}', "", "", "", "", None)),
        ('said {"other": {}}', ('said {"other": {}}', "", "", "", "", None)),
        ('said {"error": ', ('said {"error":', "", "", "", "", None)),
        ("} said {", ("} said {", "", "", "", "", None)),
        ("{ said [1]}", ("{ said [1]}", "", "", "", "", None)),
        ("[1]", ("[1]", "", "", "", "", None)),
        ('{"error": {"message": "inner"}}' + " " * (20_000 - 31), ("inner", "", "", "", "", None)),
        (
            '{"error": {"message": "inner"}}' + " " * (20_001 - 31),
            ('{"error": {"message": "inner"}}', "", "", "", "", None),
        ),
    ],
)
def test_an_error_is_read_in_every_shape(error: Any, words: tuple[Any, ...]) -> None:
    message, *rest = found(words_of(error))
    assert (message.strip(), *rest) == words


@each_row(
    ("text", "seconds"),
    [
        ("try again in 7.66s", 7.66),
        ("Please retry in 500 ms.", 0.5),
        ("retry after 20 milliseconds", 0.02),
        ("wait for 2 minutes", 120.0),
        ("wait 3 mins", 180.0),
        ("retry after 1 hour", 3600.0),
        ("RETRY IN: 4 SECS", 4.0),
        ("try again in 1m26.4s", 86.4),
        ("retry after 2h3m4s", 7384.0),
        ("retry in 2h4s", 7204.0),
        ("retry in 5 days", None),
        ("retry later", None),
        ("x" * 4992 + "wait 7 ms", 420.0),
        ("x" * 4981 + "try again in 1m26.4s", None),
        ("x" * 4981 + "try again in 7.66 s", 7.66),
        ("x" * 4991 + "try again in 7.66 s", None),
        ("x" * 4980 + "try again in 1m26.4s", 86.4),
        ("x" * 4990 + "try again in 1m26.4s", None),
    ],
)
def test_how_long_to_wait_is_read_from_the_sentence(text: str, seconds: float | None) -> None:
    assert words_of(text).wait_s == seconds


@each_row(
    ("headers", "seconds"),
    [
        ({"retry-after": " 12 "}, 12.0),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after-ms": "", "retry-after": "3"}, 3.0),
        ({"retry-after-ms": "soon", "retry-after": "3"}, 3.0),
        ({"retry-after": "1234567890"}, None),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, 253402300799.0 - 10.0),
    ],
)
def test_how_long_to_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=10.0) == seconds


def test_a_date_counts_from_now_where_nobody_says_from_when() -> None:
    wish = retry_after({"retry-after": "Fri, 31 Dec 2100 23:59:59 GMT"})
    assert wish is not None
    assert 0 < wish < 4133980799.0 - 1_700_000_000


def test_words_are_kept_on_one_line_bounded_and_without_keys() -> None:
    assert kept("a\nb  sk-abcdefgh12345678abcdefgh") == "a⏎b  [redacted]"
    assert len(kept("word " * 1000)) == 300
    assert kept("") == ""
