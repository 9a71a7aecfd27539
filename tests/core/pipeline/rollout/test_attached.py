"""Attachments on their way: parts of what is sent by both paths, named in the transcript, refused by models that take none."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.client import Via, open_client
from modex.core.llm.pool import ClientPool
from modex.core.pipeline.preparation import samples_of
from modex.core.pipeline.rollout.attached import by_message, with_parts
from modex.core.suite.loading import load_suite
from tests.cli import call, reading, write_suite
from tests.core.pipeline.conftest import Ask
from tests.server import Reply, ServerHandle, replies

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
PDF = b"%PDF-1.4 short"
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()}}
FILE = {
    "type": "file",
    "file": {"filename": "c.pdf", "file_data": "data:application/pdf;base64," + base64.b64encode(PDF).decode()},
}
PARTS = [{"type": "text", "text": "What time is it?"}, IMAGE, {"type": "text", "text": "File f/b.csv:\nx,y\n"}, FILE]
FILES = ["f/a.png", "f/b.csv", "f/c.pdf"]
PATHS: tuple[Via, ...] = ("direct", "litellm")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the suite that `ask` writes."""
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0")
    folder = tmp_path / "suite" / "f"
    folder.mkdir(parents=True)
    (folder / "a.png").write_bytes(PNG)
    (folder / "b.csv").write_text("x,y\n")
    (folder / "c.pdf").write_bytes(PDF)
    return folder


@pytest.fixture(scope="module")
def pool() -> Iterator[ClientPool]:
    opened = ClientPool(concurrency=2, timeout_s=20)
    yield opened
    opened.close()


def message(suite: Path) -> dict[str, Any]:
    """The one message of a test with all three files."""
    fields = {"id": "t", "prompt": "What time is it?", "expected": {"keywords": ["ok"]}, "files": FILES}
    (sample,) = samples_of(load_suite(write_suite(suite, [fields])).tests[0], epochs=1, suite_tools=())
    plain = {"role": "user", "content": sample.prompt}
    return with_parts(plain, by_message([plain], sample.definition.attachments, 1)[0])


@pytest.mark.parametrize("via", PATHS)
def test_files_reach_the_model_as_parts_by_both_paths(
    via: Via, server: ServerHandle, pool: ClientPool, tmp_path: Path
) -> None:
    server.behave(Reply("ok"))
    client = open_client(ModelSpec(model="openai/test-model", api_base=server.url), pool=pool, via=via)
    assert client.complete([message(tmp_path / "suite")]).text == "ok"
    assert server.requests[0].messages == [{"role": "user", "content": PARTS}]


@pytest.mark.parametrize("via", PATHS)
def test_a_model_that_refuses_them_is_a_typed_error_that_ends_no_run(
    via: Via, server: ServerHandle, pool: ClientPool, tmp_path: Path
) -> None:
    server.behave(replies.error(400, "Invalid content type. image_url is only supported by certain models."))
    client = open_client(ModelSpec(model="openai/test-model", api_base=server.url), pool=pool, via=via)
    with pytest.raises(ModelCallError, match="the attachments are refused") as raised:
        client.complete([message(tmp_path / "suite")])
    assert raised.value.error_type is ErrorType.ATTACHMENT_REFUSED
    assert not raised.value.fatal
    assert server.hits == 1


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (404, "No endpoints found that support image input"),
        (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
        (400, "Failed to deserialize: messages[0]: unknown variant `image_url`, expected `text`"),
        (400, "Image input modality is not enabled for models/gemma-3-1b-it"),
        (400, "some/model is not a multimodal model"),
        (400, "At most 0 image(s) may be provided in one prompt."),
        (400, "Invalid Value: 'file'. This model does not support file content types."),
        (400, "This model doesn't support the image content block that you provided."),
    ],
)
def test_the_providers_words_for_it_are_known(status: int, said: str, server: ServerHandle, pool: ClientPool) -> None:
    server.behave(replies.error(status, said))
    client = open_client(ModelSpec(model="openai/test-model", api_base=server.url), pool=pool, via="direct")
    with pytest.raises(ModelCallError) as raised:
        client.complete([{"role": "user", "content": "?"}])
    assert raised.value.error_type is ErrorType.ATTACHMENT_REFUSED


def test_a_run_sends_them_and_its_transcript_names_them(ask: Ask, server: ServerHandle) -> None:
    sample = ask(Reply("ok"), files=FILES, system_prompt="Be brief.")
    assert sample.status == "passed"
    assert server.requests[0].messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": PARTS},
    ]
    entry = sample.transcript[1]
    assert entry["content"] == "What time is it?"
    assert [(one["name"], one["media_type"], one["size"]) for one in entry["attachments"]] == [
        ("f/a.png", "image/png", len(PNG)),
        ("f/b.csv", "text/csv", 4),
        ("f/c.pdf", "application/pdf", len(PDF)),
    ]
    assert base64.b64encode(PNG).decode() not in json.dumps(sample.transcript)


def test_parts_stand_in_their_turn_between_its_words(ask: Ask, server: ServerHandle) -> None:
    parts = [
        {"type": "text", "text": "This is A:"},
        {"type": "image", "image": "f/a.png"},
        {"type": "text", "text": "What is it?"},
    ]
    later = [{"role": "assistant", "content": "A."}, {"role": "user", "content": "Sure?"}]
    ask(Reply("ok"), prompt=[{"role": "user", "content": parts}, *later])
    assert server.requests[0].messages == [{"role": "user", "content": [parts[0], IMAGE, parts[2]]}, *later]


@pytest.mark.parametrize("mode", ["reasoning", "agentic"])
def test_every_way_of_asking_sends_them(mode: str, ask: Ask, server: ServerHandle) -> None:
    tools = [{"id": "clock", "name": "clock", "parameters": {"type": "object"}, "response": "12:00"}]
    ask(Reply('{"decision": "synthesis", "answer": "ok"}'), rollout=mode, files=["f/a.png"], tools=tools)
    assert server.requests
    for request in server.requests:
        assert request.messages[-1]["content"][-1] == IMAGE


def test_a_refusal_is_an_error_of_the_sample_and_no_score(ask: Ask) -> None:
    sample = ask(replies.error(400, "This model does not support image inputs."), files=["f/a.png"])
    assert (sample.status, sample.error_type, sample.score) == ("error", "attachment_refused", None)


@pytest.mark.parametrize("model", ["demo", "demo/litellm"])
def test_the_scripted_model_says_that_it_takes_none(model: str, tmp_path: Path) -> None:
    fields = {"id": "t", "prompt": "?", "expected": {"keywords": ["ok"]}, "files": ["f/b.csv"]}
    suite, database = write_suite(tmp_path / "suite", [fields]), tmp_path / "modex.db"
    call("run", "--model", model, "--suite", suite, "--exp-id", "e", "--db", database, "--headless")
    with reading(database) as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert (sample.status, sample.error_type) == ("error", "attachment_refused")
    assert "the scripted demo model does not support attachments" in (sample.error_message or "")


def test_a_file_that_changes_under_a_run_is_no_answer_to_the_old_one(files: Path, tmp_path: Path) -> None:
    fields = {"id": "t", "prompt": "?", "expected": {"keywords": ["ok"]}, "files": ["f/b.csv"]}
    suite = load_suite(write_suite(tmp_path / "suite", [fields]))
    (sample,) = samples_of(suite.tests[0], epochs=1, suite_tools=())
    for change, said in (("other", "has changed since the run was planned"), (None, "there is no such file")):
        (files / "b.csv").unlink()
        if change is not None:
            (files / "b.csv").write_text(change)
        with pytest.raises(ModelCallError, match=said) as raised:
            with_parts({"role": "user", "content": "?"}, sample.definition.attachments)
        assert raised.value.error_type is ErrorType.INVALID_TEST


def test_rows_whose_file_is_not_sent_are_errors_and_the_others_are_asked(server: ServerHandle, tmp_path: Path) -> None:
    rows = [
        {"task_id": "plain", "Question": "Say ok.", "Final answer": "ok", "Level": 1, "file_name": ""},
        {"task_id": "image", "Question": "Say ok.", "Final answer": "ok", "Level": 1, "file_name": "a.png"},
        {"task_id": "sheet", "Question": "Say ok.", "Final answer": "ok", "Level": 2, "file_name": "b.xlsx"},
        {"task_id": "sound", "Question": "Say ok.", "Final answer": "ok", "Level": 2, "file_name": "gone.mp3"},
    ]
    folder, database = tmp_path / "data", tmp_path / "modex.db"
    folder.mkdir()
    (folder / "a.png").write_bytes(PNG)
    (folder / "b.xlsx").write_bytes(b"PK")
    (folder / "gaia.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    server.behave(Reply("ok"))
    called = call(
        "run", "--model", "openai/test-model", "--api-base", server.url, "--dataset", folder / "gaia.jsonl", "--preset",
        "gaia", "--exp-id", "e", "--db", database, "--headless",
    )  # fmt: skip
    assert called.code == 1
    assert "2 tests name files that no model is sent" in called.err
    assert "'b.xlsx' is of a kind that is not sent to models (.xlsx)" in called.err
    with reading(database) as reader:
        samples = {sample.test_id: sample for sample in reader.samples(reader.run("e").id)}
    assert {name: (sample.status, sample.error_type) for name, sample in samples.items()} == {
        "plain": ("passed", None),
        "image": ("passed", None),
        "sheet": ("error", "attachment_refused"),
        "sound": ("error", "attachment_refused"),
    }
    assert "there is no file 'gone.mp3'" in (samples["sound"].error_message or "")
    assert server.hits == 2
    taken = (
        call("export", "e", "--format", "json", "--db", database).out
        + call("show", "e", "--test", "image", "--json", "--db", database).out
    )
    assert '"a.png"' in taken
    assert str(folder / "a.png") not in taken
