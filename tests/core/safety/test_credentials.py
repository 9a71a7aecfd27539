from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modex.core.config.runconfig import ModelSpec
from modex.core.safety import redact
from modex.core.safety.credentials import VARIABLE, credentials_of, passwords, with_credentials, without_credentials


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
