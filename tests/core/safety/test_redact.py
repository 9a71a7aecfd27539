from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.safety import clean, redact
from modex.core.safety.redact import _PREFIXED, _PREFIXES, _RULES, _before_keys
from tests.rows import each_row

KEY = "sk-abcdef1234567890"


@each_row(
    "hidden",
    [
        "\u200b",
        "\u200d",
        "\u00ad",
        "\ufeff",
        "\u2060",
        "\ufe0f",
        "\U000e0041",
        "\x00",
        "\x1b",
        "\u202e",
        "\x85",
        "\ud800",
    ],
)
@each_row("at", [1, 3, 8, len(KEY) - 1])
def test_a_key_with_invisible_characters_inside_is_a_key(hidden: str, at: int) -> None:
    told = f"before\nthe key {KEY[:at]}{hidden}{KEY[at:]} is wrong\nafter"
    for shown in (redact(told), clean(redact(told)), redact(clean(told))):
        if shown == redact(clean(told)) and hidden in "\x00\x1b\u202e\x85\ud800":
            continue  # what is drawn in their place cannot be told from text any more
        assert "1234567890"[:4] not in shown
        assert "[redacted]" in shown
        assert shown.startswith("before\nthe key ")
        assert shown.endswith("\nafter")


def test_a_variable_s_value_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PASSWORD", "correct horse")
    assert redact("it is correct\u200b hor\u200bse!") == "it is [redacted]!"


def test_other_lines_keep_their_invisible_characters() -> None:
    family = "👩\u200d👩\u200d👧 and a\u00adb"
    assert redact(family) == family
    assert redact(f"{family}\r\n{KEY[:5]}\u200b{KEY[5:]}\r\n{family}") == f"{family}\r\n[redacted]\n{family}"


_PIECES = st.sampled_from([*_PREFIXES, "-", "_", "abcdef", "x", " ", "é", "task", ".*", "1234567"])


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_the_look_for_a_key_finds_one_exactly_where_there_is_one(text: str) -> None:
    assert any(place.search(text) for place in _before_keys()) == bool(_PREFIXED[0].search(text))


_MARKED = st.sampled_from(
    [*_PREFIXES, "-", "_", "=", ":", "?", "abcdefghijklmnopqrstu", "Bearer ", "basıc ", "BASİC ", "ſecret_key", "aKia",
     "AUTHORIZATION", "eyJ", "eyj", "api-key", "ACCESS_TOKEN", "?token=", "Secret-Key", "https://u:p@", ".", "0123456789AB",
     '"', " "]
)  # fmt: skip


@given(st.lists(_MARKED, max_size=10).map("".join))
def test_what_is_looked_for_first_stands_wherever_a_rule_applies(text: str) -> None:
    by_every_rule = text
    for rule in _RULES:
        by_every_rule = rule.pattern.sub(rule.replacement, by_every_rule)
    assert redact(text) == by_every_rule


@each_row(
    "said",
    [
        "basic arithmetic is enough",
        "a bearer certificate",
        "Basic Arithmetic",
        "no column pk_customer_id",
        "sk-learn_transformers",
    ],
)
def test_words_of_a_message_that_only_begin_like_a_key_stay(said: str) -> None:
    assert redact(said) == said


@each_row(
    "secret",
    ["sk-proj-4f6bX0aPq81Lm2Zw93Ty", "sk-ab******************cd", "ghp_0123456789abcdefghijABCDEFGHIJ012345",
     "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln", "AIzaSyA1234567890abcdefghij",
     "ya29.a0AfH6SMB1234567890abc", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "Bearer 4f6bX0aPq81Lm2Zw", "Basic dXNlcjpwYXNz"],
)  # fmt: skip
def test_keys_of_others_are_known_by_their_forms_in_a_message(secret: str) -> None:
    assert secret.rpartition(" ")[2] not in redact(f"the provider says: {secret} is wrong")


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("at https://ann:hunter2@host/v1", "at https://[redacted]@host/v1"),
        ("GET /v1?key=hunter2&x=1", "GET /v1?key=[redacted]&x=1"),
        ("GET /v1?x=1&access_token=hunter2", "GET /v1?x=1&access_token=[redacted]"),
        ("x-api-key: hunter2x", "x-api-key: [redacted]"),
        ('"secret_key"="hunter2x"', '"secret_key"="[redacted]"'),
        ("Authorization: Bearer hunter2x", "Authorization: Bearer [redacted]"),
        ("key: short", "key: short"),
    ],
)
def test_what_stands_where_a_secret_belongs_is_masked(told: str, shown: str) -> None:
    assert redact(told) == shown


@pytest.mark.parametrize(
    ("key", "told", "shown"),
    [
        ("q7Zp", "bad key Bearer q7Zp", "bad key Bearer [redacted]"),
        ("q7Zp", "API key provided: q7Zp.", "API key provided: [redacted]."),
        ("q7Zp", "eq7Zp, q7Zp2, q7Zp-1, Q7zp", "eq7Zp, q7Zp2, q7Zp-1, Q7zp"),
        ("EMPTY", "bearer EMPTY: the body was EMPTY", "bearer [redacted]: the body was EMPTY"),
        ("token", "Basic token; no token was sent", "Basic [redacted]; no token was sent"),
        ("abCd", "abCd", "[redacted]"),
        ("a1", "Bearer a1", "Bearer a1"),
    ],
)
def test_a_short_key_is_masked_where_it_stands_alone_or_behind_its_scheme(
    monkeypatch: pytest.MonkeyPatch, key: str, told: str, shown: str
) -> None:
    monkeypatch.setenv("TINY_API_KEY", key)
    assert redact(told) == shown
