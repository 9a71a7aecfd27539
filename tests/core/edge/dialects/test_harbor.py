"""Tasks of Harbor and Terminal-Bench as a suite: what is brought, what is refused and where, and that solutions prove them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects.harbor import iter_tasks, write_folder
from modex.core.foundation.errors import ConfigurationError
from modex.core.sandbox.workspace.tree import TreeEntry
from tests.cli import call
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

TASKS = Path(__file__).parents[3] / "fixtures" / "harbor"
TOML = '[metadata]\ndifficulty = "hard"\n\n[verifier]\ntimeout_sec = 10\n\n[environment]\nmemory = "2G"\n'
COMPOSE, DOCKERFILE = "environment/docker-compose.yaml", "environment/Dockerfile"


def task(tmp_path: Path, **files: str) -> Path:
    """A small task of Harbor's, with some files written otherwise; an empty text leaves a file out."""
    folder = tmp_path / "tasks" / "my-task"
    plain = {
        "task.toml": TOML,
        "instruction.md": "Do it.\n",
        DOCKERFILE: "FROM ubuntu\nWORKDIR /work\nCOPY in.txt .\n",
        "environment/in.txt": "in\n",
        "tests/test.sh": "echo 1 > /logs/verifier/reward.txt\n",
        "solution/solve.sh": "true\n",
    }
    for name, text in {**plain, **files}.items():
        if text:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    return tmp_path / "tasks"


def brought(folder: Path) -> dict[str, Any]:
    """The only test of a folder."""
    (one,) = iter_tasks(folder)
    assert one.refused == ""
    return one.test


def test_a_task_becomes_a_test_in_a_workspace(tmp_path: Path) -> None:
    (one,) = iter_tasks(task(tmp_path))
    sandbox = one.test["sandbox"]
    assert (one.name, one.level, one.test["prompt"]) == ("my_task", 5, "Do it.")
    assert sandbox["places"] == ["/work", "/tests", "/logs", "/solution"]
    assert sandbox["limits"] == {"seconds": 60.0, "memory_mb": 2048.0, "size_mb": 256, "processes": 256, "calls": 100}
    assert sandbox["checks"][0]["prints"] == "solved"
    assert one.folders["files/my_task/workspace"]["in.txt"].data == b"in\n"
    assert sorted(one.folders["files/my_task/solution"]) == [".at/solution/solve.sh"]
    assert "packages" not in sandbox


def test_the_folder_of_hidden_tests_is_named_by_what_they_hold(tmp_path: Path) -> None:
    first = brought(task(tmp_path))["sandbox"]["checks"]
    assert brought(task(tmp_path))["sandbox"]["checks"] == first
    assert brought(task(tmp_path, **{"tests/more.py": "x"}))["sandbox"]["checks"] != first


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ({"task.toml": "x ="}, "task.toml:1: "),
        ({"task.toml": TOML + "gpus = 1\n"}, "task.toml:9: needs a GPU"),
        ({"task.toml": TOML + "[[steps]]\nname = 'a'\n"}, "task.toml:9: is told in several steps"),
        ({"task.toml": TOML + "os = 'windows'\n"}, "task.toml:9: needs windows"),
        ({"task.toml": TOML + "[verifier.env]\nKEY = '1'\n"}, "task.toml:9: gives its tests variables"),
        ({"task.toml": TOML + "docker_image = 'x/y'\n", DOCKERFILE: ""}, "task.toml:9: needs image x/y"),
        ({DOCKERFILE: "FROM ubuntu\nRUN apt-get install -y r-base"}, "Dockerfile:2: needs image ubuntu with package r-base"),
        ({DOCKERFILE: "FROM ubuntu\nCOPY in.txt /etc/in.txt"}, "its folder has a place that cannot be"),
        ({COMPOSE: "services:\n  main: {}\n  db: {}\n"}, "docker-compose.yaml:3: needs a service beside its own container: db"),
        ({COMPOSE: "services:\n  main:\n    privileged: true\n"}, "docker-compose.yaml:3: needs privileged"),
        ({COMPOSE: "a: ["}, "docker-compose.yaml: cannot be read as YAML"),
        ({"tests/test.sh": "curl https://example.com/x"}, "its tests need the network (https://example.com/x)"),
        ({"tests/test.sh": "", "tests/x": "y"}, "tests: holds no test.sh"),
        ({"instruction.md": ""}, "instruction.md"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_says_why_and_where(tmp_path: Path, files: dict[str, str], where: str) -> None:
    (one,) = iter_tasks(task(tmp_path, **files))
    assert where in one.refused
    assert one.test == {}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("instruction: [", "task.yaml:1: "),
        ("difficulty: easy", "has no instruction"),
        ("instruction: x\nparser_name: swebench", "task.yaml:2: its tests are read by the parser swebench"),
        ("- x", "has no instruction"),
    ],
)
def test_what_is_wrong_with_a_task_of_terminal_bench_is_said(tmp_path: Path, text: str, where: str) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "task.yaml").write_text(text)
    (one,) = iter_tasks(tmp_path)
    assert where in one.refused


def test_a_solution_of_typed_commands_that_is_none_is_said(tmp_path: Path) -> None:
    shutil.copytree(TASKS / "sorted-names", tmp_path / "t")
    (tmp_path / "t" / "solution.yaml").write_text("- x\n")
    (one,) = iter_tasks(tmp_path)
    assert "solution.yaml: is no list of commands" in one.refused


def test_a_folder_without_tasks_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none"):
        with pytest.raises(ConfigurationError, match=r"holds no task\.toml|is no folder"):
            list(iter_tasks(place))


def test_tasks_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for above in ("a", "b"):
        shutil.copytree(TASKS / "mend-greeting", tmp_path / above / "mend-greeting")
    assert [one.name for one in iter_tasks(tmp_path)] == ["mend_greeting", "mend_greeting_2"]


def test_links_and_permissions_are_written_as_they_are(tmp_path: Path) -> None:
    tree = {"a/run": TreeEntry("file", b"#!", 0o755), "l": TreeEntry("link", b"a/run"), "empty": TreeEntry("folder")}
    write_folder(tmp_path, "f", tree)
    assert (tmp_path / "f/a/run").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "f/l").readlink() == Path("a/run")
    assert (tmp_path / "f/empty").is_dir()


def written(folder: Path) -> dict[str, bytes]:
    """Every file of a suite."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_the_same_tasks_make_the_same_suite_whose_solutions_prove_it(tmp_path: Path) -> None:
    for name in ("one", "two"):
        done = call("import", "harbor", TASKS, tmp_path / name)
        assert (done.code, done.err.count("left out")) == (0, 0), done.err
    assert written(tmp_path / "one") == written(tmp_path / "two")
    again = call("import", "harbor", TASKS, tmp_path / "one")
    assert again.code == 2
    assert "is not empty" in again.err
    tried = call("check", tmp_path / "one", "--solutions")
    assert tried.code == 0, tried.out + tried.err
    assert "3 right, 0 wrong" in tried.out + tried.err


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_files_left_in_the_place_of_the_tests_decide_nothing(tmp_path: Path) -> None:
    folder = task(
        tmp_path,
        **{
            "tests/test.sh": "test -e done && echo 1 > /logs/verifier/reward.txt\n",
            "solution/solve.sh": "touch done",
        },
    )
    assert call("import", "harbor", folder, tmp_path / "out").code == 0
    line = next((tmp_path / "out").glob("test_definitions/harbor/level_5/*.jsonl"))
    test = json.loads(line.read_text())
    test["sandbox"]["solution"]["run"] = (
        "mkdir -p .at/logs/verifier .at/tests; echo 1 > /logs/verifier/reward.txt;"
        " echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh"
    )
    line.write_text(json.dumps(test) + "\n")
    tried = call("check", tmp_path / "out", "--solutions")
    assert tried.code == 1
    assert "not solved" in tried.out + tried.err


def test_a_folder_whose_tasks_are_all_refused_makes_no_suite(tmp_path: Path) -> None:
    done = call("import", "harbor", task(tmp_path, **{DOCKERFILE: "FROM oracle/db\n"}), tmp_path / "out")
    assert done.code == 2
    assert "Dockerfile:1: needs image oracle/db" in done.err
    assert not (tmp_path / "out").exists()
