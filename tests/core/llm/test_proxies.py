"""Which proxy leads to an address."""

from __future__ import annotations

import pytest

from modex.core.llm import proxies
from modex.core.llm.proxies import Proxy, proxy_for

P = "http://proxy:3128"


@pytest.mark.parametrize(
    ("named", "url", "proxy"),
    [
        ({}, "https://h/v1", None),
        ({"https": P}, "https://h/v1", Proxy(P)),
        ({"https": P}, "http://h/v1", None),
        ({"all": P}, "http://h/v1", Proxy(P)),
        ({"http": P, "all": "http://other:1"}, "http://h/v1", Proxy(P)),
        ({"all": P}, "http://localhost:8000/v1", None),
        ({"all": P}, "http://127.9.9.9/v1", None),
        ({"all": P}, "http://[::1]/v1", None),
        ({"all": "proxy"}, "http://h/v1", Proxy("http://proxy:1080")),
        ({"all": "https://proxy"}, "http://h/v1", Proxy("https://proxy:443")),
        ({"all": "socks5://proxy"}, "http://h/v1", Proxy("socks5://proxy:1080")),
        ({"all": "http://[::2]:7"}, "http://h/v1", Proxy("http://[::2]:7")),
        ({"all": "http://me:pass%40word@proxy:7"}, "http://h/v1", Proxy("http://proxy:7", "me:pass@word")),
    ],
)
def test_the_environment_names_a_proxy_for_all_but_this_machine(
    monkeypatch: pytest.MonkeyPatch, named: dict[str, str], url: str, proxy: Proxy | None
) -> None:
    monkeypatch.setattr(proxies, "getproxies", lambda: named)
    monkeypatch.setattr(proxies, "proxy_bypass", lambda _: False)
    assert proxy_for(url) == proxy
    assert proxy is None or proxy.socks is proxy.url.startswith("socks5")


@pytest.mark.parametrize(
    ("url", "asked"), [("https://h/v1", "h:443"), ("http://h/v1", "h:80"), ("http://h:8/v1", "h:8")]
)
def test_what_is_to_be_asked_directly_is_told_by_host_and_port(
    monkeypatch: pytest.MonkeyPatch, url: str, asked: str
) -> None:
    told: list[str] = []

    def bypass(place: str) -> bool:
        told.append(place)
        return True

    monkeypatch.setattr(proxies, "getproxies", lambda: {"all": P})
    monkeypatch.setattr(proxies, "proxy_bypass", bypass)
    assert (proxy_for(url), told) == (None, [asked])


def test_a_proxy_without_a_host_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxies, "getproxies", lambda: {"all": "http://"})
    with pytest.raises(ValueError, match="no address"):
        proxy_for("http://h/v1")
