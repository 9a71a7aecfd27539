"""The HTML report: what stands in it, and that nothing of a model's can act in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import unescape

import pytest

from modex.core.features.export.export import comparison, export
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Compared, details_of
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample


def _sample(number: int, score: float, **fields: object) -> EvaluationSample:
    got = "4" if score else "5"
    details = details_of([Compared(expected=4, got=got, type="numeric")], {})
    values = {"response": f"It is {got}.", "extracted_answer": got, "details": details, "duration_ms": 1500, **fields}
    planned = sample(f"t{number}", level=1 + number % 5, domain="math" if number % 2 else "sql")
    return finished(planned, score=score, **values)


def _page(manager: DBDataManager, store: Store, samples: list[EvaluationSample], exp_id: str = "e") -> str:
    return "".join(export(manager.reader, store(exp_id, samples), "html"))


def _blocks(page: str) -> list[dict[str, object]]:
    return [json.loads(text) for text in re.findall(r"<!--(\{.*?\})-->", page)]


def test_what_failed_stands_first_with_expected_got_and_why(manager: DBDataManager, store: Store) -> None:
    page = _page(manager, store, [_sample(0, 1.0), _sample(1, 0.0), _sample(2, 1.0)])
    rows = re.findall(r'<details class="t" data-s="(\w+)".*?</summary>', page, re.DOTALL)
    assert rows == ["failed", "passed", "passed"]
    first = page[page.index('<details class="t"') :]
    assert '<span class="ex">4</span><span class="go">5</span><span class="wy">expected 4, got 5</span>' in first
    block = _blocks(page)[0]
    assert (block["prompt"], block["response"], block["got"]) == ("2+2?", "It is 5.", "5")
    assert block["verdict"]


def test_the_head_says_score_interval_cost_time_and_speed(manager: DBDataManager, store: Store) -> None:
    page = _page(manager, store, [_sample(n, n % 2, ttft_ms=250.0, output_tokens_per_s=40.0) for n in range(6)])
    said = unescape(re.sub(r"<[^>]+>", " ", page))
    for words in ("of 100", "0.25 s to the first token", "40 tokens/s", "1.5 s an answer"):
        assert words in said, words
    assert page.count("<svg viewBox=") == 2
    assert "another answer than the expected one" in said


def test_the_matrix_has_every_cell_with_its_count(manager: DBDataManager, store: Store) -> None:
    page = _page(manager, store, [_sample(n, 1.0) for n in range(10)])
    assert page.count('class="pick"') == 10
    assert 'data-d="math" data-l="2"' in page
    assert '<td class="h10" title="1 passed, 0 failed, 0 errors, 0 skipped' in page


def test_an_error_says_what_to_do_and_the_reasons_say_it_once_a_kind(manager: DBDataManager, store: Store) -> None:
    def error(number: int, message: str) -> EvaluationSample:
        item = _sample(number, 0.0, details={})
        item.stage, item.status, item.score = "init", "error", None
        item.error_type, item.error_message = "rate_limit", message
        return item

    advice = "ask fewer at once with --concurrency N"
    page = _page(manager, store, [error(0, "too many"), error(1, "too many"), error(2, "slower, please")])
    assert [block["error"] for block in _blocks(page)] == [
        f"rate_limit: {message}\n{advice}" for message in ("too many", "too many", "slower, please")
    ]
    (reasons,) = re.findall(r'<ol class="reasons">.*?</ol>', page, re.DOTALL)
    assert reasons.count(advice) == 1
    assert reasons.index(advice) < reasons.index("slower, please")


def test_only_the_page_s_own_script_and_style_may_act(manager: DBDataManager, store: Store) -> None:
    page = _page(manager, store, [_sample(0, 0.0)])
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; ")
    for tag, pattern in (("style", r"<style>(.*?)</style>"), ("script", r"<script>(.*?)</script>")):
        (own,) = re.findall(pattern, page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"(src|href|style)=|https?://|url\(|@import", page)


def test_several_runs_stand_side_by_side(manager: DBDataManager, store: Store) -> None:
    runs = [
        store(name, [_sample(n, n % step == 0, cost_usd=0.5) for n in range(4)]) for name, step in (("a", 1), ("b", 2))
    ]
    page = "".join(comparison(manager.reader, runs))
    assert "a · b" in page
    assert page.count('<td class="name">a</td>') == 2
    assert "Score over cost" in page
    assert page.count('<span class="run">b</span>') == 4


@pytest.mark.parametrize("hostile", ["<b>x", '" onclick="x', "\x1b[2J", "\u202e"])
def test_a_status_that_is_not_ours_is_text(manager: DBDataManager, store: Store, hostile: str) -> None:
    run = store("e", [_sample(0, 0.0)])
    database = manager.database
    database.execute_sql("UPDATE evaluation_runs SET status = ?, model = ?", (hostile, hostile))  # type: ignore[no-untyped-call]
    run = manager.reader.run_by_id(run.id)
    assert hostile not in "".join(export(manager.reader, run, "html"))
    markdown = "".join(export(manager.reader, run, "md"))
    assert "<b>" not in markdown
    assert "\x1b" not in markdown
    assert "\u202e" not in markdown


def test_a_long_answer_is_cut_and_says_so(manager: DBDataManager, store: Store) -> None:
    (block,) = _blocks(_page(manager, store, [_sample(0, 0.0, response="x" * 300_000)]))
    assert "100,000 more characters" in str(block["response"])[-80:]
