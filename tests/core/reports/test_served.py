from __future__ import annotations

from typing import Any

from modex.core.reports.machines import other_limits
from modex.core.reports.served import other_serving, served_briefly, served_lines
from modex.core.store.rows import RunRow

SMALL: dict[str, Any] = {
    "name": "small",
    "file": "small-Q4_1.gguf",
    "file_digest": "b179c9523d0e",
    "architecture": "llama",
    "parameters": 134_515_008,
    "quantization": "Q4_1",
    "server": "xllamacpp 2026.10",
    "slots": 4,
    "context": 2048,
    "threads": 2,
    "peak_bytes": 358_756_352,
    "starts": 1,
}


def _run(exp_id: str, *served: dict[str, Any]) -> RunRow:
    return RunRow(id=1, exp_id=exp_id, served=list(served))


def test_how_a_model_was_served_is_one_line() -> None:
    assert served_lines(_run("a", SMALL)) == (
        "served here: small-Q4_1.gguf (llama, 135 M, Q4_1, b179c952) by xllamacpp 2026.10, 4 × 2,048 tokens, 2 threads,"
        " 359 MB at most",
    )
    assert served_lines(_run("a")) == ()


def test_what_is_not_known_is_left_out_and_a_restart_is_told() -> None:
    assert served_lines(_run("a", {"model": "mine", "server": "own command", "starts": 3})) == (
        "served here: mine by own command, started 3 times",
    )
    assert served_lines(_run("a", {"file": "big.gguf", "parameters": 7_200_000_000}, {"name": "judge"})) == (
        "served here: big.gguf (7.2 B)",
        "served here: judge",
    )


def test_how_the_runs_own_model_was_served_is_told_in_a_few_words_and_of_no_other() -> None:
    judge = {"name": "judge", "file": "other.gguf", "server": "llama-server"}

    def briefly(model: dict[str, Any], *served: dict[str, Any], named: str = "x") -> str:
        return served_briefly(RunRow(id=1, exp_id="a", model=named, config={"model": model}, served=list(served)))

    assert briefly({"entry": "small"}, judge, SMALL) == "small-Q4_1.gguf, Q4_1, xllamacpp 2026.10"
    assert briefly({"gguf": "/x/b.gguf"}, {"name": "gguf:/x/b.gguf", "file": "b.gguf"}) == "b.gguf"
    assert briefly({}, {"name": "small", "server": "own command"}, named="small") == "own command"
    assert briefly({"entry": "remote"}, judge) == briefly({"entry": "small"}) == ""
    assert served_briefly(RunRow(id=1, exp_id="a", served=[judge])) == ""


def test_runs_beside_each_other_say_in_what_they_were_served_otherwise() -> None:
    one, other = _run("one", SMALL), _run("two", SMALL | {"slots": 1, "quantization": "Q8_0", "peak_bytes": 7})
    assert (
        other_serving([one, other]) == "served otherwise: quantization Q4_1 (one), Q8_0 (two); slots 4 (one), 1 (two)"
    )
    assert other_limits([one, other]) == other_serving([one, other])


def test_runs_that_were_served_alike_or_by_others_say_nothing() -> None:
    assert other_serving([_run("one", SMALL), _run("two", dict(SMALL))]) is None
    assert other_serving([_run("one", SMALL), _run("two")]) is None


def test_what_modex_serves_beside_a_command_or_a_server_of_somebody_elses_is_said() -> None:
    command = {"name": "own", "server": "own command", "command": "serve --port {port}"}
    file = {"file_digest": "b179", "server": "xllamacpp 2026.10"}
    assert other_serving([_run("one", file), _run("two", command)]) == (
        "served otherwise: file b179 (one), none (two); command none (one), serve --port {port} (two);"
        " server xllamacpp 2026.10 (one), own command (two)"
    )
    other = command | {"command": "other --port {port}"}
    assert other_serving([_run("one", command), _run("two", other)]) == (
        "served otherwise: command serve --port {port} (one), other --port {port} (two)"
    )
    elsewhere = RunRow(id=2, exp_id="two", config={"model": {"model": "openai/m", "api_base": "http://gpu1:8000/v1"}})
    assert other_serving([_run("one", file), elsewhere]) == (
        "served otherwise: by modex with xllamacpp 2026.10 (one), at http://gpu1:8000/v1 (two)"
    )
    assert other_serving([elsewhere, elsewhere]) is None


def test_nothing_of_a_foreign_database_moves_the_terminal() -> None:
    line = served_lines(_run("a", {"file": "a\x1b[2Jb", "server": "s\nt"}))[0]
    assert "\x1b" not in line
    assert "\n" not in line
