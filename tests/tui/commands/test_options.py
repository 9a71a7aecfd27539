"""What commands share: JSON of any size is printed as one text, redacted, without being held whole."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator

import click
import pytest

from modex.core.safety import without_secrets
from modex.tui.cli import COMMANDS
from modex.tui.commands.options import Amount, print_json


def test_long_json_is_printed_in_pieces_as_it_would_be_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-known-4f9a1c7e2b8d6035")
    value = {
        "tests": [
            {"id": f"t{number}", "said": f"api_key=sk-{number:016d}", "scores": [0.5, None]} for number in range(9000)
        ],
        "none": [],
        "more": {"authorization": "Bearer sk-known-4f9a1c7e2b8d6035"},
    }
    print_json(value)
    whole = json.dumps(value, indent=2)
    assert len(whole) > 3 << 18
    assert capsys.readouterr().out == without_secrets(whole) + "\n" != whole + "\n"


def _numbers(command: click.Command, name: str) -> Iterator[tuple[str, click.Parameter]]:
    for parameter in command.params:
        if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
            yield f"{name} {parameter.opts[0]}", parameter
    for part, inner in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _numbers(inner, f"{name} {part}")


def test_every_number_of_every_command_ends_somewhere_and_is_a_number() -> None:
    found: dict[str, click.Parameter] = {}
    for name, (place, _) in COMMANDS.items():
        module, _, attribute = place.partition(":")
        found.update(_numbers(getattr(importlib.import_module(module), attribute), name))
    assert len(found) > 40
    for name, parameter in found.items():
        kind = parameter.type
        assert isinstance(kind, click.IntRange | Amount), name
        assert kind.min is not None, name
        assert kind.max is not None, name
        for wrong in ("9" * 30, "-" + "9" * 30, "nan", "inf"):
            with pytest.raises(click.BadParameter, match="not"):
                kind(wrong, parameter, None)
