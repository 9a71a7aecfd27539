"""`modex models`, and entries of models.toml as commands take them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from modex.core.config.entries.places import files
from modex.tui.cli import COMMANDS, cli
from tests.cli import Called, call, keyword_tests, reading
from tests.server import Reply, Request, ServerHandle, replies, serve
from tests.tui.commands.conftest import Shell

KEYS = {"A_KEY": "key-of-a-0123456789", "B_KEY": "key-of-b-0123456789", "J_KEY": "key-of-j-0123456789"}


def flaky(request: Request) -> Reply:
    """Refuses every fifth call, judges where it is asked to, else says `ok`."""
    if request.index % 5 == 1:
        return replies.rate_limited(0.01)
    if "Your verdict" in request.prompt:
        return Reply('{"reason": "so it is", "score": 1}')
    return Reply("ok because")


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ServerHandle, ServerHandle, ServerHandle]]:
    """Three servers at three ports, and entries a, b and j of them, each with a key of its own."""
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-nobody-0123456789")
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.01")
    with serve(flaky) as a, serve(flaky) as b, serve(flaky) as j:
        own_file(
            "".join(
                f'[models.{name}]\nmodel = "openai/test-model"\napi_base = "{server.url}"\n'
                f'api_key_env = "{name.upper()}_KEY"\nheaders = {{ "X-Team" = "{name}" }}\n'
                f"params = {{ extra_body = {{ top_k = {place} }} }}\n\n"
                for place, (name, server) in enumerate((("a", a), ("b", b), ("j", j)))
            )
        )
        yield a, b, j


def own_file(text: str) -> Path:
    path = files(None)[0][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


JUDGED = [
    {"id": f"j{n}", "prompt": f"why {n}?", "expected": "because", "evaluator_id": "llm_judge", "level": 1}
    for n in range(4)
]


def run(shell: Shell, *words: str) -> Called:
    return shell("run", "--suite", shell.root / "suite", "--headless", *words)


def asked_as(server: ServerHandle) -> set[tuple[str, str, int]]:
    """With which key, header and parameter the server was asked."""
    return {(one.key, one.headers.get("x-team", ""), int(one.body["top_k"])) for one in server.requests}


def test_each_model_of_a_run_is_asked_only_its_own_calls_with_its_own_key(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    a, b, j = servers
    shell.suite([*keyword_tests(6), *JUDGED])
    done = run(shell, "--model", "a", "--model", "b", "--judge-model", "j", "--exp-id", "e")
    assert done.code == 0, done.err
    for place, (name, server) in enumerate((("a", a), ("b", b), ("j", j))):
        assert asked_as(server) == {(KEYS[f"{name.upper()}_KEY"], name, place)}
    with reading(shell.database) as reader:
        runs = [reader.run(f"e@{name}") for name in "ab"]
        assert [one.model for one in runs] == ["openai/test-model"] * 2
        assert [one.config["model"]["entry"] for one in runs] == ["a", "b"]
    answered = [sum(one.index % 5 != 1 for one in server.requests) for server in (a, b, j)]
    assert answered == [10, 10, 8]  # each test once, each verdict once
    assert not any("Your verdict" in one.prompt for server in (a, b) for one in server.requests)
    text = shell.database.read_bytes()
    assert not any(key.encode() in text for key in KEYS.values())


@pytest.mark.long
def test_a_race_of_two_entries_asks_each_its_own(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    a, b, j = servers
    shell.suite(keyword_tests(20))
    done = shell("race", "--model", "a", "--model", "b", "--suite", shell.root / "suite", "--headless", "--exp-id", "r")
    assert done.code == 0, done.err
    assert asked_as(a) == {(KEYS["A_KEY"], "a", 0)}
    assert asked_as(b) == {(KEYS["B_KEY"], "b", 1)}
    assert j.hits == 0
    with reading(shell.database) as reader:
        assert {one.exp_id for one in reader.runs()} == {"r@a", "r@b"}


def test_a_wrong_key_aborts_the_run_of_its_model_alone(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, b, _ = servers
    monkeypatch.setenv("A_KEY", "key-that-is-wrong-01234")
    servers[0].behave(Reply(status=401, body={"error": {"message": "Incorrect API key", "code": "invalid_api_key"}}))
    shell.suite(keyword_tests(6))
    done = run(shell, "--model", "a", "--model", "b", "--exp-id", "e")
    assert done.code == 3, done.err
    with reading(shell.database) as reader:
        assert [reader.run(f"e@{name}").status for name in "ab"] == ["aborted", "completed"]
    assert b.hits >= 6


def test_a_pair_of_addresses_is_one_for_each_model(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    a, b, _ = servers
    shell.suite(keyword_tests(3))
    models = ("--model", "openai/test-model", "--model", "openai/other-model")
    addresses = ("--api-base", a.url, "--api-base", b.url)
    assert run(shell, *models, *addresses, "--exp-id", "e").code == 0
    assert {one.model for one in a.requests} == {"test-model"}
    assert {one.model for one in b.requests} == {"other-model"}
    refused = run(shell, *models, *addresses, "--api-base", a.url, "--exp-id", "f")
    assert refused.code == 2
    assert "3 addresses for 2 models" in refused.err


def test_what_is_asked_again_does_not_depend_on_the_entrys_name_or_address(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    a, b, _ = servers
    shell.suite(keyword_tests(3))
    own_file(f'[models.one]\nmodel = "openai/test-model"\napi_base = "{a.url}"\nparams = {{ top_p = 0.5 }}\n')
    assert run(shell, "--model", "one", "--exp-id", "e").code == 0
    hits = a.hits
    own_file(f'[models.two]\nmodel = "openai/test-model"\napi_base = "{b.url}"\nparams = {{ top_p = 0.5 }}\n')
    assert run(shell, "--model", "two", "--exp-id", "e").code == 0
    assert (a.hits, b.hits) == (hits, 0)
    own_file(f'[models.two]\nmodel = "openai/test-model"\napi_base = "{b.url}"\nparams = {{ top_p = 0.6 }}\n')
    assert run(shell, "--model", "two", "--exp-id", "e").code == 0
    assert b.hits >= 3


def test_a_name_that_nobody_knows_is_answered_with_the_nearest(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    del servers
    shell.suite(keyword_tests(1))
    own_file('[models.small]\nmodel = "openai/m"\napi_base = "http://127.0.0.1:9/v1"\n')
    done = run(shell, "--model", "smal", "--exp-id", "e")
    assert done.code == 2
    assert "did you mean small?" in done.err


def test_entries_are_listed_first_with_what_is_wrong(
    servers: tuple[ServerHandle, ServerHandle, ServerHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("B_KEY")
    rows = {row["name"]: row["problems"] for row in call("models", "--json").data["entries"]}
    assert rows["a"] == []
    assert rows["b"] == ["B_KEY, which holds its key, is not set: export B_KEY=…"]
    servers[2].close()
    path = own_file(
        f'[models.gone]\nmodel = "openai/m"\napi_base = "{servers[2].url}"\n'
        f'[models.other]\nmodel = "openai/m"\napi_base = "{servers[0].url}"\n'
        '[models.file]\ngguf = "not-there.gguf"\n'
    )
    rows = {row["name"]: row["problems"] for row in call("models", "--json").data["entries"]}
    assert "no connection" in rows["gone"][0]
    assert rows["other"] == ["the server lists no m; it has test-model, other-model"]
    assert rows["file"] == [f"{path.parent / 'not-there.gguf'} is not there; correct the path"]
    assert call("models").out.startswith("gone ")


def test_the_list_sends_no_key_to_a_suites_server_that_nobody_agreed_to(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(
        '[models.x]\nmodel = "openai/m"\napi_base = "http://127.0.0.1:9/v1"\napi_key_env = "HOME"\n'
    )
    (row,) = call("models", "--suite", tmp_path, "--json").data["entries"]
    assert row["problems"] == [
        "it sends what HOME holds to http://127.0.0.1:9/v1: `modex models test x --suite DIR --allow-plugins` lets it, once"
    ]


def test_an_entry_is_added_tested_and_removed_and_remarks_stay(
    servers: tuple[ServerHandle, ServerHandle, ServerHandle],
) -> None:
    path = own_file("# mine\n\n[models.first]\nmodel = 'x/y' # so\n")
    words = ("--model", "openai/test-model", "--api-base", servers[0].url, "--api-key-env", "A_KEY")
    more = ("--set", "params.temperature=0.2", "--set", 'headers={ "X-Team" = "eval" }', "--set", "timeout=9")
    assert call("models", "add", "second", *words, *more).code == 0
    assert path.read_text() == (
        "# mine\n\n[models.first]\nmodel = 'x/y' # so\n\n[models.second]\nmodel = \"openai/test-model\"\n"
        f'api_base = "{servers[0].url}"\napi_key_env = "A_KEY"\nheaders = {{ X-Team = "eval" }}\ntimeout = 9\n'
        "params = { temperature = 0.2 }\n"
    )
    tested = call("models", "test", "second")
    assert (tested.code, tested.out.startswith("second: answers in ")) == (0, True)
    assert servers[0].requests[-1].body["temperature"] == 0.2
    assert call("models", "add", "second", "--model", "a/b").code == 2
    assert call("models", "add", "key", "--model", "a/b", "--set", "api_key=x").code == 2
    assert call("models", "remove", "first").code == 0
    assert path.read_text().startswith('# mine\n\n[models.second]\nmodel = "openai/test-model"\n')
    assert call("models", "remove", "first").code == 2


def test_an_entry_that_does_not_answer_is_said_by_its_exit_code(
    servers: tuple[ServerHandle, ServerHandle, ServerHandle],
) -> None:
    servers[0].behave(Reply(status=400, body={"error": {"message": "no"}}))
    assert call("models", "test", "a").code == 1


def test_a_suites_entry_is_allowed_by_the_command_that_the_advice_names(
    servers: tuple[ServerHandle, ServerHandle, ServerHandle], tmp_path: Path
) -> None:
    suite = tmp_path / "theirs"
    suite.mkdir()
    (suite / "models.toml").write_text(
        f'[models.x]\nmodel = "openai/test-model"\napi_base = "{servers[0].url}"\napi_key_env = "B_KEY"\n'
    )
    refused = call("models", "test", "x", "--suite", suite)
    assert (refused.code, servers[0].hits) == (2, 0)
    assert "`modex models test x --suite DIR --allow-plugins`" in refused.err
    assert call("models", "test", "x", "--suite", suite, "--allow-plugins").code == 0
    assert call("models", "test", "x", "--suite", suite).code == 0
    assert {one.key for one in servers[0].requests} == {KEYS["B_KEY"]}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("params.temprature=1", "did you mean params.temperature?"),
        ("temperature=1", "did you mean params.temperature?"),
        ("base_url=http://h", "did you mean api_base?"),
        ("params.top_k=3", "did you mean params.extra_body={ top_k = … }?"),
        ("api_key=abc", "name the variable that holds it with --api-key-env NAME"),
        ("nonsense=1", "there are model, api_base"),
        ("timeout", "write KEY=VALUE"),
    ],
)
def test_a_key_that_there_is_not_is_answered_with_the_nearest(given: str, words: str) -> None:
    done = call("models", "add", "n", "--model", "a/b", "--set", given)
    assert done.code == 2
    assert words in done.err


def test_every_command_that_asks_a_model_answers_a_misspelt_entry_with_the_nearest(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    shell.suite(keyword_tests(2, word="never"))
    assert run(shell, "--model", "a", "--exp-id", "e").code == 0
    own_file(files(None)[0][0].read_text().replace("[models.b]", "[models.bigger]"))
    hits = [server.hits for server in servers]
    for words in (
        ("run", "--suite", shell.root / "suite", "--headless", "--model", "biger", "--exp-id", "f"),
        ("race", "--suite", shell.root / "suite", "--headless", "--model", "a", "--model", "biger", "--exp-id", "g"),
        ("ablate", "--suite", shell.root / "suite", "--model", "biger", "--exp-id", "h"),
        ("speed", "--model", "biger"),
        ("summarize", "e", "--model", "biger"),
        ("review", "e", "--propose", "--model", "biger"),
    ):
        done = shell(*words)
        assert done.code == 2, words
        assert "did you mean bigger?" in done.err, words
    assert "did you mean bigger?" in call("models", "test", "biger").err
    assert [server.hits for server in servers] == hits


def test_runs_show_and_compare_name_entry_and_address(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    shell.suite(keyword_tests(2))
    assert run(shell, "--model", "a", "--model", "b", "--exp-id", "e").code == 0
    listed = shell("runs").out
    for name, server in zip("ab", servers, strict=False):
        host = server.url.removeprefix("http://").removesuffix("/v1")
        assert re.search(rf"{host} +{name}: openai/test-model\n", listed)
        shown = shell("show", f"e@{name}").out
        assert shown.startswith(f"e@{name}  {name}: openai/test-model  completed\n")
        assert f"\nasked at {server.url}\n" in shown
    compared = shell("compare", "e@a", "e@b").out
    assert f"first   e@a  a: openai/test-model at {servers[0].url}  " in compared
    assert f"second  e@b  b: openai/test-model at {servers[1].url}  " in compared


def test_the_check_of_a_suite_names_mistakes_in_its_entries(shell: Shell) -> None:
    suite = shell.suite(keyword_tests(1))
    (suite / "models.toml").write_text('[models.a]\nmodle = "x/y"\n')
    done = call("check", suite)
    assert done.code == 2
    assert "models.toml:2: a.modle: no such key; did you mean model?" in done.out


def test_each_model_of_a_command_has_its_own_prices_gate_and_deadline(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    a, b, j = servers
    for server in servers:
        server.behave(
            lambda request: Reply(
                '{"reason": "so", "score": 1}' if "Your verdict" in request.prompt else "ok because", latency=0.02
            )
        )
    own_file(
        f'[models.a]\nmodel = "openai/test-model"\napi_base = "{a.url}"\nprices = {{ input = 1000, output = 0 }}\n'
        "concurrency = 1\ntimeout = 30\n"
        f'[models.b]\nmodel = "openai/test-model"\napi_base = "{b.url}"\nprices = {{ input = 0, output = 2000 }}\n'
        "concurrency = 4\n"
        f'[models.j]\nmodel = "openai/test-model"\napi_base = "{j.url}"\nprices = {{ input = 1, output = 1 }}\n'
        "concurrency = 2\n"
    )
    shell.suite([*keyword_tests(8), *JUDGED])
    done = run(shell, "--model", "a", "--model", "b", "--judge-model", "j", "--exp-id", "e", "--concurrency", "8")
    assert done.code == 0, done.err
    assert a.peak > 1  # what a command line says wins
    for server in servers:
        server.forget()
    done = run(shell, "--model", "a", "--model", "b", "--judge-model", "j", "--exp-id", "f")
    assert done.code == 0, done.err
    assert a.peak == 1
    assert 1 < b.peak <= 4
    assert j.peak <= 2 * 2  # of two runs
    with reading(shell.database) as reader:
        costs = {name: reader.run(f"f@{name}").cost_usd for name in "ab"}
        specs = {name: reader.run(f"f@{name}").config["model"] for name in "ab"}
    judging = 4 * (10 + 5) / 1e6
    assert costs["a"] == pytest.approx(12 * 10 * 1000 / 1e6 + judging)
    assert costs["b"] == pytest.approx(12 * 5 * 2000 / 1e6 + judging)
    assert [specs[name].get("timeout_s") for name in "ab"] == [30, None]


def test_a_deadline_of_an_entry_ends_that_models_calls_alone(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle]
) -> None:
    a, b, _ = servers
    for server in (a, b):
        server.behave(Reply("ok", latency=0.6))
    own_file(
        f'[models.a]\nmodel = "openai/test-model"\napi_base = "{a.url}"\ntimeout = 0.1\n'
        f'[models.b]\nmodel = "openai/test-model"\napi_base = "{b.url}"\ntimeout = 20\n'
    )
    shell.suite(keyword_tests(1))
    run(shell, "--model", "a", "--model", "b", "--exp-id", "e", "--max-outage", "0")
    with reading(shell.database) as reader:
        assert [reader.run(f"e@{name}").passed_tests for name in "ab"] == [0, 1]
        (sample,) = reader.samples(reader.run("e@a").id)
        assert sample.error_type == "timeout"
    assert run(shell, "--model", "a", "--exp-id", "f", "--timeout", "20").code == 0


def test_flags_win_over_the_entry_and_the_entry_over_settings(
    shell: Shell, servers: tuple[ServerHandle, ServerHandle, ServerHandle], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, _ = servers
    monkeypatch.setenv("MODEX_API_BASE", b.url)
    monkeypatch.setenv("MODEX_CONCURRENCY", "5")
    monkeypatch.setenv("MODEX_TIMEOUT", "50")
    own_file(
        f'[models.a]\nmodel = "openai/test-model"\napi_base = "{a.url}"\nparams = {{ temperature = 0.2, top_p = 0.5 }}\n'
        "prices = { input = 1, output = 2 }\nconcurrency = 3\n"
    )
    shell.suite(keyword_tests(1))

    def asked() -> dict[str, object]:
        return {name: a.requests[-1].body.get(name) for name in ("temperature", "top_p")}

    assert run(shell, "--model", "a", "--exp-id", "e").code == 0
    assert asked() == {"temperature": 0.2, "top_p": 0.5}
    assert run(shell, "--model", "a", "--exp-id", "f", "--temperature", "0.7", "--input-price", "5").code == 0
    assert asked() == {"temperature": 0.7, "top_p": 0.5}
    assert b.hits == 0
    with reading(shell.database) as reader:
        config = reader.run("f").config
    model = config["model"]
    assert (config["concurrency"], config["timeout_s"]) == (3, 50)
    assert (model["input_price"], model["output_price"]) == (5e-6, 2e-6)
    assert run(shell, "--model", "a", "--exp-id", "g", "--api-base", b.url).code == 0
    assert b.hits > 0


def test_the_words_that_are_printed_for_a_servers_model_ask_for_it_by_its_own_name(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    names = ("openai/gpt-oss-20b", "mistral/small", "Qwen/Qwen2.5-0.5B", "llama3.2:1b", "plain")
    with serve(Reply("ok"), names) as server:
        printed = [
            line.split() for line in call("models", "--api-base", server.url).out.splitlines() if server.url in line
        ]
        for words in (one for one in printed if one[0] == "--model"):
            assert run(shell, *words).code == 0
        assert tuple(one.model for one in server.requests) == names


def _commands(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command by its words."""
    if not isinstance(command, click.Group):
        yield ctx.command_path, command, ctx
        return
    for name in dict.fromkeys((*command.list_commands(ctx), *(COMMANDS if command is cli else ()))):
        below = command.get_command(ctx, name)
        assert below is not None
        yield from _commands(below, click.Context(below, info_name=name, parent=ctx))


def test_the_shell_completes_an_entrys_name_wherever_a_model_is_taken() -> None:
    own_file('[models.mine-own]\nmodel = "openai/x"\n')
    none_asked = {"modex runs --model", "modex import youtu --model", "modex models add --model"}
    found = {}
    for words, command, ctx in _commands(cli, click.Context(cli, info_name="modex")):
        for option in command.params:
            names = [name for name in option.opts if name.endswith("model")]
            if names or (words in ("modex models test", "modex models remove") and option.name == "name"):
                said = f"{words} {(names or ['NAME'])[0]}"
                found[said] = [one.value for one in option.shell_complete(ctx, "mine-")]
    assert {said for said, names in found.items() if names != ["mine-own"]} == none_asked
    for name in ("run", "race", "ablate", "choose"):
        for flag in ("--model", "--judge-model", "--extractor-model", "--user-model"):
            assert f"modex {name} {flag}" in found
    assert {
        "modex speed --model", "modex summarize --model", "modex review --model", "modex judge --judge-model",
        "modex judge --extractor-model", "modex models test NAME", "modex models remove NAME",
    } <= set(found)  # fmt: skip


def test_a_word_that_many_names_hold_prints_a_screenful_of_them() -> None:
    done = call("models", "gpt")
    assert done.code == 0
    named = [line for line in done.out.splitlines() if "gpt" in line and ("is not set" in line or "key needed" in line)]
    assert len(named) <= 30
    rest = re.search(r"and ([\d,]+) more that hold 'gpt': a longer word, or --limit (\d+)", done.out)
    assert rest is not None
    everything = call("models", "gpt", "--json").data["known"]
    assert len(everything) == int(rest[2]) == 30 + int(rest[1].replace(",", ""))
    assert len(call("models", "gpt", "--limit", "40").out.splitlines()) == len(done.out.splitlines()) + 10
