"""What is said of what gates report: what is worth knowing, and of waiting not too much."""

from __future__ import annotations

from modex.core.engine.news import News


def test_a_wait_is_said_once_it_is_worth_it() -> None:
    said: list[str] = []
    news = News(said.append, follows=True)
    news.on_hold("m", 1.0, "slow down")
    assert said == []
    news.on_hold("m", 5.0, "slow down")
    assert len(said) == 1
    assert "slow down" in said[0]


def test_a_wait_soon_after_another_is_not_said_and_an_outage_is_kept_until_it_is_over() -> None:
    said: list[str] = []
    news = News(said.append, follows=True)
    news.on_hold("m", 5.0, "slow down")
    news.on_hold("m", 6.0, "slow down")
    assert len(said) == 1
    news.on_outage("m", 0.0, "refused")
    assert news.outage == "m does not answer: refused; trying it again now and then"
    news.on_recovered("m")
    assert news.outage is None
