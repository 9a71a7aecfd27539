"""The scripted model as a judge: right answers in any language mostly pass, careless ones mostly do not."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from modex.core.llm.demo.cues import current_cue
from modex.core.llm.demo.judge import verdict
from modex.core.llm.types import Completion
from modex.core.store.sample import PASS_SCORE
from tests.suite import kept_answers as kept


class DemoJudge(kept.ScriptedModel):
    """What `--judge-model demo` says, where a kept answer would say what a judge says."""

    def complete(self, messages: list[Any], **_: Any) -> Completion:
        cue = current_cue()
        assert cue is not None
        return Completion(text=verdict("\n".join(str(message["content"]) for message in messages), cue))


@pytest.mark.long
def test_right_answers_pass_in_every_language_and_careless_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "ScriptedModel", DemoJudge)
    right, passed, careless, let_through = Counter[str](), Counter[str](), 0, 0
    for answer in kept.kept_answers()["health"]:
        if answer.kind not in ("good", "careless"):
            continue
        language = kept.cases()[answer.test].metadata["language"]
        passes = kept.judged(answer).score >= PASS_SCORE
        if answer.kind == "good":
            right[language] += 1
            passed[language] += passes
        else:
            careless += 1
            let_through += passes
    assert set(right) >= {"de", "en", "es", "fr", "hi", "id", "ja", "pt", "zh"}
    assert {language for language in right if passed[language] < 0.7 * right[language]} == set()
    assert let_through <= 0.2 * careless
