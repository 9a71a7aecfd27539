"""The decision in a sentence, from the last look as a race stores it."""

from __future__ import annotations

from typing import Any

from modex.core.features.choose.words import choice_json, decision_words, is_decided, next_words

MODELS = {"r@a": "a", "r@b": "b", "r@c": "c"}


def look(ending: str, still_in: list[str], dropped: list[str]) -> dict[str, Any]:
    return {
        "ending": ending, "leader": still_in[0], "still_in": still_in, "dropped": [{"run": one} for one in dropped],
        "asked": 9, "tests": 10, "caveats": ["noise: once"],
    }  # fmt: skip


def test_the_best_is_named_with_whom_it_beat() -> None:
    found = look("decided", ["r@a"], ["r@b", "r@c"])
    assert is_decided(found)
    assert decision_words(found, MODELS) == "take a: it is better than b and c, decided after 9 of 10 questions"


def test_what_is_not_told_apart_is_said_and_what_is_worse() -> None:
    found = look("all asked", ["r@a", "r@b"], ["r@c"])
    assert not is_decided(found)
    assert not is_decided(None)
    more = "more questions may, or take the cheaper or quicker one"
    assert decision_words(found, MODELS) == f"cannot tell a and b apart after 9 of 10 questions; c is worse; {more}"
    two = look("futile", ["r@a", "r@b"], ["r@c", "r@d"])
    assert "; c and r@d are worse; " in decision_words(two, MODELS)
    assert decision_words(look("futile", ["r@a", "r@b"], []), MODELS) == (
        f"cannot tell a and b apart after 9 of 10 questions; {more}"
    )


def test_what_can_be_opened_is_said_as_commands() -> None:
    assert next_words("a race", ["r@a", "r@b"], decided=True) == [
        "open: modex attach 'a race'", "open: modex show r@a", "open: modex show r@b", "open: modex compare r@a r@b",
    ]  # fmt: skip
    three = next_words("r", list(MODELS), decided=False)
    assert not [line for line in three if "compare" in line]
    assert three[-1].startswith("more questions")


def test_the_json_holds_the_decision_and_all_before_it() -> None:
    found = look("decided", ["r@a"], ["r@b"])
    told = choice_json("r", found, MODELS, {"columns": ["x"]})
    assert (told["exp_id"], told["columns"], told["decision"], told["best"]) == ("r", ["x"], "decided", "a")
    assert (told["caveats"], told["runs"], told["race"]) == (["noise: once"], list(MODELS), found)
    assert told["words"] == decision_words(found, MODELS)
    open_ = choice_json("r", look("futile", ["r@a", "r@b"], []), MODELS, {})
    assert (open_["decision"], open_["best"]) == ("cannot tell", None)
    nothing = choice_json("", None, {}, {})
    assert (nothing["decision"], nothing["best"], nothing["words"], nothing["caveats"], nothing["race"]) == (
        "cannot tell", None, None, [], None,
    )  # fmt: skip
