"""The decision between models, in a sentence and as JSON, from the last look of their race as it is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modex.core.safety import as_words, clean_line


def is_decided(look: Mapping[str, Any] | None) -> bool:
    """Whether one model is decided to be the best."""
    return look is not None and look.get("ending") == "decided"


def decision_words(look: Mapping[str, Any], models: Mapping[str, str]) -> str:
    """What to take; `models` are what the runs of the race are called on the command line."""
    leader = _model(look.get("leader"), models)
    asked, tests = look.get("asked", 0), look.get("tests", 0)
    after = f"after {asked:,} of {tests:,} questions"
    if is_decided(look):
        others = [_model(one.get("run"), models) for one in look.get("dropped", ())]
        return f"take {leader}: it is better than {' and '.join(others)}, decided {after}"
    tied = [_model(name, models) for name in look.get("still_in", ())]
    worse = [_model(one.get("run"), models) for one in look.get("dropped", ())]
    left = f"; {' and '.join(worse)} {'are' if len(worse) > 1 else 'is'} worse" if worse else ""
    return (
        f"cannot tell {' and '.join(tied)} apart {after}{left}; more questions may, or take the cheaper or quicker one"
    )


def _model(name: object, models: Mapping[str, str]) -> str:
    return clean_line(models.get(str(name), str(name)), 80)


def next_words(race: str, runs: Sequence[str], *, decided: bool) -> list[str]:
    """What can be opened now, as commands."""
    lines = [f"open: modex attach {as_words(race)}", *(f"open: modex show {as_words(run)}" for run in runs)]
    if len(runs) == 2:
        lines.append(f"open: modex compare {as_words(*runs)}")
    if not decided:
        lines.append("more questions of the same kind in the file, and the same command, go on from here")
    return lines


def choice_json(
    race: str, look: Mapping[str, Any] | None, models: Mapping[str, str], before: Mapping[str, Any]
) -> dict[str, Any]:
    """For `--json`: what was known `before`, the decision, and the race's last look as `modex race --json` gives it."""
    decided = is_decided(look)
    return {
        "exp_id": race,
        **before,
        "decision": "decided" if decided else "cannot tell",
        "best": models.get(str(look["leader"])) if decided and look is not None else None,
        "words": decision_words(look, models) if look is not None else None,
        "caveats": list(look.get("caveats", ())) if look is not None else [],
        "runs": list(models),
        "race": look,
    }
