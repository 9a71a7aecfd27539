"""Weights that are raced against themselves."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, ServeSpec
from modex.core.features.race.weights import same_weights
from modex.core.foundation.errors import ConfigurationError


def served(name: str, digest: str | None = "d1", *, slots: int = 4, **more: Any) -> ModelSpec:
    serve = ServeSpec(context=2048, slots=slots, threads=2)
    return ModelSpec(model=f"gguf/{name}", entry=name, gguf=f"/w/{name}.gguf", gguf_digest=digest, serve=serve, **more)


@pytest.mark.parametrize("more", [{}, {"input_price": 1e-6, "output_price": 1e-6}])
def test_the_same_content_asked_and_served_alike_is_one_model_twice(more: dict[str, Any]) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^a and c are one model twice: the same weights, .*; name another file"
    ):
        same_weights([served("a"), served("b", "d2"), served("c", **more)])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"slots": 2}, "serve.slots 4 and 2"),
        ({"temperature": 0.5}, "params.temperature not given and 0.5"),
        ({"slots": 1, "stop": ("x",)}, "params.stop not given and ('x',), serve.slots 4 and 1"),
    ],
)
def test_in_two_ways_it_is_said_that_they_are_the_same_weights(more: dict[str, Any], words: str) -> None:
    assert same_weights([served("a"), served("b", **more)]) == [f"a and b are the same weights; they differ in {words}"]


def test_other_content_and_what_modex_does_not_serve_is_let_be() -> None:
    plain = ModelSpec(model="openai/m")
    assert same_weights([served("a"), served("b", "d2"), plain, plain, served("c", None), served("d", None)]) == []
