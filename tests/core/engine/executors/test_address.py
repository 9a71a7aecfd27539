"""Which clusters are spoken with, and what is said of the others."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.engine.executors.address import cluster_address, cluster_of, is_loopback, open_to_others
from modex.core.foundation.errors import ConfigurationError


def config(cluster: str, **more: Any) -> RunConfig:
    return RunConfig(model=ModelSpec(model="demo"), cluster=cluster, **more)


@pytest.mark.parametrize(
    "text",
    ["", "local:0", "local:257", "local:x", "host:8786", "tcp://host", "tcp://:8786", "ws://host:8786", "tcp://host:x", "tls://[::"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(ConfigurationError, match="local:") as refused:
        cluster_address(text)
    assert "--cluster" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "local"), [("local:4", 4), ("local", 2), ("tls://node1:8786", 0), ("tcp://[::1]:8786", 0)]
)
def test_addresses_and_local_workers_are_read(text: str, local: int) -> None:
    assert cluster_address(text).local == local


def test_plain_connections_to_other_machines_need_a_word_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    with pytest.raises(ConfigurationError, match="--insecure-cluster"):
        cluster_of(config("tcp://10.0.0.7:8786"))
    for allowed in ("tls://10.0.0.7:8786", "tcp://127.0.0.1:8786", "tcp://localhost:8786", "local:2"):
        assert cluster_of(config(allowed)) is not None
    assert cluster_of(config("tcp://10.0.0.7:8786", insecure_cluster=True)) is not None
    assert cluster_of(RunConfig(model=ModelSpec(model="demo"))) is None


def test_loopback_is_known_by_the_address_and_not_by_how_a_name_begins() -> None:
    assert is_loopback("tcp://127.8.9.1:1")
    assert not is_loopback("tcp://127.0.0.1.example.org:1")
    assert not is_loopback("tcp://localhost.example.org:1")
    assert not open_to_others("tls://example.org:1")


def test_what_contradicts_a_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    with pytest.raises(ConfigurationError, match="--cluster"):
        cluster_of(config("local:2", processes=2))


def test_a_missing_extra_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"pip install 'modex\[cluster\]'"):
        cluster_of(config("local:2"))
