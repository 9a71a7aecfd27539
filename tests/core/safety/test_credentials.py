from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modex.core.config.runconfig import ModelSpec
from modex.core.safety import redact
from modex.core.safety.credentials import VARIABLE, credentials_of, passwords, with_credentials, without_credentials
from tests.rows import each_row


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that holds no address."""
    monkeypatch.setenv(VARIABLE, "{}")
    for name in ("MODEX_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_an_address_loses_its_password_and_gets_it_back() -> None:
    given_base = "https://me:pass%40word@host:8443/v1?x=1"
    bare = without_credentials(given_base)
    assert bare == "https://host:8443/v1?x=1"
    assert credentials_of(bare) == ("me", "pass@word")
    assert with_credentials(bare) == given_base
    assert passwords() == {"pass%40word", "pass@word"}


def test_another_origin_gets_nothing() -> None:
    without_credentials("http://me:secretive@host/v1")
    for other in ("http://host:81/v1", "https://host/v1", "http://evil/v1", None):
        assert credentials_of(other) is None


def test_an_address_in_a_variable_gives_its_password_to_the_same_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_API_BASE", "http://me:secretive@host/v1")
    assert credentials_of("http://host/other") == ("me", "secretive")
    assert "secretive" not in redact("the proxy said: secretive is wrong")


def test_an_environment_that_changes_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for password in ("secretive", "moresecret"):
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://me:{password}@host/v1")
        assert credentials_of("http://host/v1") == ("me", password)
        assert passwords() == {password}
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert credentials_of("http://host/v1") is None


def test_a_model_holds_no_password() -> None:
    spec = ModelSpec(model="openai/m", api_base="http://me:secretive@host/v1")
    assert spec.api_base == "http://host/v1"
    assert "secretive" not in spec.model_dump_json()
    assert "secretive" not in redact("failed for me:secretive")


@pytest.mark.parametrize("broken", ["not json", "[]", "null"])
def test_a_broken_variable_is_as_an_empty_one(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    monkeypatch.setenv(VARIABLE, broken)
    assert credentials_of("http://host/v1") is None
    assert passwords() == set()


@given(url=st.text(max_size=60) | st.from_regex(r"https?://[a-z:@%\[\]]{0,20}(/v1)?", fullmatch=True))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_taken_without_raising_and_what_remains_has_no_userinfo(url: str) -> None:
    bare = without_credentials(url)
    assert without_credentials(bare) == bare
    credentials_of(url)


@each_row(
    ("userinfo", "found"),
    [
        ("me:abcd", {"abcd"}),
        ("me:abc", set()),
        ("me:ab%20d", {"ab%20d", "ab d"}),
        ("me:a%20b", {"a%20b"}),
        ("me", set()),
        ("me:", set()),
        ("me:ab:cd", {"ab:cd"}),
    ],
)
def test_a_password_has_four_characters_and_is_known_as_written_and_as_meant(userinfo: str, found: set[str]) -> None:
    os.environ[VARIABLE] = "{}"
    without_credentials(f"http://{userinfo}@host/v1")
    assert passwords() == found


def test_an_address_keeps_its_own_password_before_one_that_is_kept() -> None:
    without_credentials("http://me:secretive@host/v1")
    without_credentials("http://you:moresecret@other/v1")
    assert credentials_of("http://host/v1") == ("me", "secretive")
    assert credentials_of("http://other/v1") == ("you", "moresecret")
    assert credentials_of("http://she:herown@host/v1") == ("she", "herown")
    assert credentials_of("http://only@host/v1") == ("only", "")
    assert with_credentials("http://old:one@host/v1?x=1") == "http://old:one@host/v1?x=1"
    assert with_credentials("http://elsewhere/v1") == "http://elsewhere/v1"
    assert with_credentials("http://other/v1") == "http://you:moresecret@other/v1"


def test_an_address_that_cannot_be_read_is_left_as_it_is() -> None:
    for broken in ("http://[::1/v1", "http://me:pw@[::1/v1"):
        assert without_credentials(broken) == broken
        assert credentials_of(broken) is None


def test_a_variable_gives_an_address_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_OTHER_VARIABLE", "http://me:secretive@host/v1")
    assert credentials_of("http://host/v1") is None
    monkeypatch.setenv("MY_OWN_BASE_URL", " http://me:secretive@host/v1 ")
    monkeypatch.setenv("ANOTHER_API_BASE", "http://[@/v1")
    monkeypatch.setenv("THIRD_API_BASE", "http://host/v1?user=@me")
    assert credentials_of("http://host/v1") == ("me", "secretive")
