"""What models and people wrote comes back as it is, but for the values of known secrets."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modex.core.safety import without_secrets, without_secrets_in
from modex.core.safety.credentials import VARIABLE
from modex.core.safety.known import _HIDING, hides, secret_values, stored_secrets

KEY = "canary-key-Zq81XwPLm2"


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """One key in the environment, and placeholders beside it."""
    monkeypatch.setenv(VARIABLE, "{}")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("LM_STUDIO_API_KEY", "lm-studio")
    monkeypatch.setenv("POSTGRES_PASSWORD", "postgres")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada Lovelace The First")
    monkeypatch.setenv("AUTH_TIMEOUT", "1000000000")


_WORDS = st.sampled_from(
    ["bearer", "Basic ", "sk-", "pk_", "hf_", "token=", "arithmetic", "certificate", "customer_id", " ", "\u200b", "\x00",
     "\ud800", "abcdefghijklmnopqrstuvwxyz0123456789", "lm-studio", "postgres",
     "1000000000", "Ada Lovelace The First", "?api_key=", "://u:p@h"]
)  # fmt: skip


@given(st.lists(_WORDS | st.text(max_size=5), max_size=12).map("".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_looks_like_a_key_and_is_none_that_is_known_comes_back_as_it_is(text: str) -> None:
    if KEY not in text:
        assert without_secrets(text) is text
        assert without_secrets_in({"a": [text, {"b": text}], text: 1}) == {"a": [text, {"b": text}], text: 1}


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u200d\u200d", "\u00ad", "\ufeff", "\x00", "\x1b", "\u202e", "\x85", "\ud800"]
)
@pytest.mark.parametrize("at", [1, 8, len(KEY) - 1])
def test_a_split_key_is_masked_whole_and_all_around_it_stays(hidden: str, at: int) -> None:
    around = "👩\u200d👧 a\u00adb\n"
    said = f"{around}{KEY[:at]}{hidden}{KEY[at:]}{around}{KEY}"
    assert without_secrets(said) == f"{around}[redacted]{around}[redacted]"


def test_a_key_leaves_every_text_of_a_document_and_the_rest_is_the_same() -> None:
    document = {"a": [KEY, 1, None, {"b": f"x{KEY}"}], KEY: True, "rest": ["basic arithmetic", 2.5]}
    found = without_secrets_in(document)
    assert found == {"a": ["[redacted]", 1, None, {"b": "x[redacted]"}], "[redacted]": True, "rest": document["rest"]}
    assert found["rest"] is document["rest"]
    assert without_secrets_in(document["rest"]) is document["rest"]


def test_a_key_far_down_is_found_too() -> None:
    value: object = KEY
    for _ in range(400):
        value = [value]
    assert KEY not in repr(without_secrets_in(value))


@pytest.mark.parametrize("password", ['pä"ss<&>word1', "back\\slash1"])
def test_a_password_is_known_as_files_write_it(monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    import html
    import json

    monkeypatch.setenv("DB_PASSWORD", password)
    for written in (password, json.dumps(password), html.escape(password)):
        assert "1" not in without_secrets(written)


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("SOME_TOKEN", "abcdef1", False),  # too short for any secret
        ("SOME_TOKEN", "abcdefg1", True),
        ("SOMETHING", "abcdefg1", False),
        ("MAX_TOKENS", "abcdefg1", False),
        ("SOME_TOKEN_FILE", "/run/token1", False),
        ("GIT_AUTHOR", "abcdefg1", False),
        ("SIGNING_KEY", "abcdefg1", True),
        ("KEYBOARD", "abcdefg1", False),
    ],
)
def test_a_variable_holds_a_secret_by_its_name_and_length(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, secret: bool
) -> None:
    monkeypatch.setenv(name, value)
    assert (value in secret_values()) is secret
    assert without_secrets(f"say {value}") == ("say [redacted]" if secret else f"say {value}")


@pytest.mark.parametrize(
    ("value", "certain"),
    [
        ("abcdefgh", False),
        ("ABCDEFGH", False),
        ("abcdEfgh", True),
        ("Abcd Efgh", False),
        ("abcdefg1", True),
        ("abcd ef1", True),
        ("abcdeF1", False),
        ("12345678", False),
        ("1" * 19, False),
        ("1" * 20, True),
        ("a" * 20, True),
        ("a" * 19, False),
    ],
)
def test_a_secret_is_told_from_a_word_and_a_number(monkeypatch: pytest.MonkeyPatch, value: str, certain: bool) -> None:
    monkeypatch.setenv("SOME_PASSWORD", value)
    assert (value in stored_secrets()) is certain


def test_a_longer_secret_is_masked_before_one_that_stands_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TOKEN", "abcdefg1")
    monkeypatch.setenv("B_TOKEN", "abcdefg1-more")
    assert without_secrets("abcdefg1-more abcdefg1") == "[redacted] [redacted]"


def test_a_word_that_an_address_has_for_a_password_is_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:test@host/v1")
    assert without_secrets('{"test_id": "a test"}') == '{"test_id": "a test"}'
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:Uy77TbVk@host/v1")
    assert without_secrets("Uy77TbVk, sent as bWU6VXk3N1RiVms=") == "[redacted], sent as [redacted]"


@given(st.text(st.characters(max_codepoint=0x200F)) | st.text(st.characters(max_codepoint=127)))
def test_invisible_characters_are_seen_in_any_text(text: str) -> None:
    assert hides(text) == bool(_HIDING.search(text))


def test_a_key_split_by_an_escaped_invisible_character_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "".join(["split", "9key", "Value7", "Longer"])
    monkeypatch.setenv("SOME_API_KEY", key)
    assert without_secrets(f'{{"prompt": "say {key[:5]}\\u200b{key[5:]} now"}}'.replace("\u200b", "\\u200b")) == (
        '{"prompt": "say [redacted] now"}'
    )
