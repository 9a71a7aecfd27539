"""The measure of the tests: what it changes, what it leaves alone, and that a weak test is found."""

from __future__ import annotations

import ast
import gc
import json
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutation import (
    EQUIVALENT,
    Score,
    base_of,
    drawn,
    each_of,
    equivalents,
    fallen,
    held_to,
    luck,
    modules_below,
    record,
    scored,
    table,
)
from benchmarks.mutation.changes import Mutant, mutants_of
from benchmarks.mutation.measuring import ReachOf, Tried, measure
from benchmarks.mutation.measuring import tests_for as chosen_for
from benchmarks.mutation.worker import _loaded
from benchmarks.server import ROOT
from tests.rows import each_row


def changes(source: str) -> set[tuple[str, str]]:
    return {(mutant.before, mutant.after) for mutant in mutants_of("m.py", source)}


def in_function(body: str, returns: str = "") -> set[tuple[str, str]]:
    return changes(f"def f(a, b){returns}:\n    {body}\n")


@each_row(
    ("body", "expected"),
    [
        ("return a < b", {("a < b", "a <= b"), ("a < b", "a >= b")}),
        ("return a is b", {("a is b", "a is not b")}),
        ("return a not in b", {("a not in b", "a in b")}),
        ("return a and b", {("a and b", "a or b"), ("a and b", "a"), ("a and b", "b")}),
        ("return not a", {("not a", "a")}),
        ("return -a", {("-a", "a")}),
        ("return a + b", {("a + b", "a - b")}),
        ("return a if b else 'x'", {("b", "not b")}),
        ("return 3", {("3", "4"), ("3", "2")}),
        ("return 0", {("0", "1")}),
        ("return True", {("True", "False")}),
        ("return min(a, b)", {("min(a, b)", "max(a, b)")}),
        ("return any(a)", {("any(a)", "all(a)")}),
        ("return a[b:]", {("a[b:]", "a[:]"), ("a[b:]", "a[b + 1:]")}),
        ("return a[-B_CHARS:]", {("a[-B_CHARS:]", "a[:]"), ("-B_CHARS", "B_CHARS")}),
        ("return [x for x in a if x]", {("x", "True")}),
        ("a.append(b)", {("a.append(b)", "pass")}),
        ("a.b = b", {("a.b = b", "pass")}),
        ("a += b", {("a += b", "pass")}),
        ("raise ValueError('a b', 3)", {("raise ValueError('a b', 3)", "pass")}),
        ("del a[b]", {("del a[b]", "pass")}),
        ("del a, b", set()),
    ],
)
def test_each_behaviour_is_changed_in_the_ways_that_are_tried(body: str, expected: set[tuple[str, str]]) -> None:
    assert in_function(body) == expected


def test_what_a_function_returns_is_left_out_where_its_type_allows_it() -> None:
    assert ("a", "None") in in_function("return a", " -> int | None")
    assert ("a", "not a") in in_function("return a", " -> bool")
    assert in_function("return a", " -> int") == set()


def test_loops_go_on_and_end_otherwise() -> None:
    body = "for x in a:\n        if x:\n            continue\n        break"
    assert in_function(body) == {("x", "not x"), ("continue", "pass"), ("break", "pass")}


@each_row(
    "source",
    [
        '"""Words."""\n',
        "__all__ = [1]\n",
        "_PERIOD_S = 0.5\n",
        "from a import b\n",
        "x: 'list[1] | None'\n",
        "A = B | C\n",
        "if TYPE_CHECKING:\n    x = 1\n",
        "@dataclass(frozen=True)\nclass A:\n    x: int\n",
        "def f(a: Literal[1]) -> Literal[2]:\n    'words'\n",
        "def f(a):\n    assert a > 1\n",
        "def f(a):\n    logger.debug('x', 1)\n",
        "def f(a):\n    return f'{a + 1}'\n",
        "def f(a):\n    return 'x' + a\n",
        "def f(a):\n    return zip(a, a, strict=True)\n",
        "def f(a):\n    return isinstance(a, int | str)\n",
    ],
)
def test_words_types_and_what_is_logged_are_left_alone(source: str) -> None:
    assert changes(source) == set()


def test_how_far_a_text_is_looked_at_is_halved_and_doubled() -> None:
    assert changes("_BEFORE_CHARS = 40\n_MOST_WORDS = 12\n_OTHER = 3\n") == {
        ("40", "80"), ("40", "20"), ("12", "24"), ("12", "6"), ("3", "4"), ("3", "2"),
    }  # fmt: skip


def test_every_change_of_the_program_is_still_a_module_and_another_one() -> None:
    for path in ("core/store/races.py", "core/engine/needed.py", "core/statistics/units.py"):
        source = (ROOT / path).read_text(encoding="utf-8")
        before = ast.dump(ast.parse(source))
        found = mutants_of(path, source)
        assert len(found) > 30
        assert len({mutant.applied(source) for mutant in found}) == len(found)
        assert all(ast.dump(ast.parse(mutant.applied(source))) != before for mutant in found)


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    modules = modules_below(ROOT, ["core/store/races.py", "core/statistics"])
    assert "core/statistics/units.py" in modules
    assert drawn(ROOT, modules, 20, 7) == drawn(ROOT, modules, 20, 7) != drawn(ROOT, modules, 20, 8)
    assert len(drawn(ROOT, ["core/store/races.py"], None, 7)) > 20


def mutant(path: str = "core/a/m.py", *functions: str) -> Mutant:
    return Mutant(path, 1, 0, functions, "a", "b", (0, 1), "b")


def tried(outcome: str, path: str = "core/a/m.py") -> Tried:
    return Tried("", path, "f", outcome)  # type: ignore[arg-type]


def test_tests_that_call_the_function_are_run_the_quickest_first() -> None:
    reach = ReachOf(
        {
            "slow": {"ok": True, "seconds": 2.0, "calls": [["core/a/m.py", "f"]]},
            "quick": {"ok": True, "seconds": 1.0, "calls": [["core/a/m.py", "f"], ["core/a/m.py", "g"]]},
            "other": {"ok": True, "seconds": 0.5, "calls": [["core/a/n.py", "f"]]},
            "broken": {"ok": False, "seconds": 0.1, "calls": [["core/a/m.py", "f"]]},
        },
        [["core/a/m.py", "made_once"]],
    )

    def names(*functions: str, path: str = "core/a/m.py") -> list[str]:
        return [test for test, _ in chosen_for(mutant(path, *functions), [reach])]

    assert names("f") == ["quick", "slow"]
    assert names("g") == ["quick"]
    assert names("h") == []
    assert names("h", "g") == ["quick"]
    assert names("made_once") == ["quick", "slow"]
    assert names() == ["other", "quick", "slow"]
    assert [test for test, _ in chosen_for(mutant("core/a/m.py"), [ReachOf(), reach])] == ["quick", "slow"]
    assert names("f", path="core/a/in_another_process.py") == ["other", "quick", "slow"]


def test_equivalent_changes_count_for_nothing_and_unreached_ones_as_survivors() -> None:
    known = equivalents('[["core/a/m.py"]]\nin = "f"\nbefore = "a"\nafter = "b"\nwhy = "c"\n')
    found = [
        (mutant("core/a/m.py", "f"), tried("lived")),
        (mutant("core/a/m.py", "g"), tried("killed")),
        (mutant("core/a/n.py", "f"), tried("unreached")),
        (mutant("core/b.py", "f"), tried("killed")),
    ]
    folders, modules = scored(found, known)
    assert {name: (one.killed, one.tried, one.equivalent) for name, one in folders.items()} == {
        "core": (1, 1, 0),
        "core/a": (1, 2, 1),
    }
    assert modules["core/a/m.py"].share == 1.0
    assert [one.path for one, _ in modules["core/a/n.py"].survivors] == ["core/a/n.py"]
    assert "| `core/a` | 1 | 2 | 0.50 | 1 |" in table(folders, 3)


def kept_of(score: float, tried: int = 60) -> dict[str, Any]:
    return {"score": score, "tried": tried}


def test_a_changed_module_falls_when_more_live_than_two_draws_explain() -> None:
    def after(killed: int, floor: float) -> list[tuple[str, float, float]]:
        return fallen({"core/a/m.py": Score(killed, 12)}, {"core/a": kept_of(floor), "core/b": kept_of(1.0)})

    assert after(9, 0.92) == after(12, 1.0) == after(11, 1.0) == after(0, 0.1) == []
    assert after(5, 0.92) == [("core/a/m.py", 5 / 12, 0.92)]
    assert fallen({"core/c/m.py": Score(0, 12)}, {"core/a": kept_of(1.0)}) == []
    of_some = {"core/a": {**kept_of(1.0), "modules": ["core/a/m.py"]}}
    assert [path for path, *_ in fallen({"core/a/m.py": Score(0, 12), "core/a/n.py": Score(0, 12)}, of_some)] == [
        "core/a/m.py"
    ]
    assert fallen({"core/a/m.py": Score(0, 0)}, {"core/a": kept_of(1.0)}) == []


@pytest.mark.parametrize(("killed", "tried", "recorded", "of"), [(1, 9, 11, 12), (0, 3, 50, 60), (18, 32, 149, 180)])
def test_the_luck_of_two_draws_is_that_of_all_ways_to_draw_them(
    killed: int, tried: int, recorded: int, of: int
) -> None:
    noticed = [True] * (killed + recorded) + [False] * (tried + of - killed - recorded)
    draw = random.Random(5)
    as_few = sum(sum(draw.sample(noticed, tried)) <= killed for _ in range(20_000)) / 20_000
    assert abs(luck(killed, tried, recorded, of) - as_few) < 0.004


def test_a_hundred_modules_as_good_as_recorded_seldom_fall_and_a_folder_that_got_worse_does() -> None:
    draw = random.Random(7)

    def fell(share: float) -> bool:
        """Whether any of 100 modules in four folders falls, where tests notice such a share of one folder's changes."""
        modules = {
            f"core/{'abcd'[n % 4]}/m{n}.py": Score(sum(draw.random() < (0.85 if n % 4 else share) for _ in range(3)), 3)
            for n in range(100)
        }
        drawn = {f"core/{name}": kept_of(sum(draw.random() < 0.85 for _ in range(80)) / 80, 80) for name in "abcd"}
        return bool(fallen(modules, drawn))

    assert sum(fell(0.85) for _ in range(100)) <= 5
    assert sum(fell(0.55) for _ in range(100)) >= 95


def test_a_branch_that_changes_many_modules_is_tried_with_fewer_changes_of_each() -> None:
    assert [each_of(modules) for modules in (0, 1, 10, 20, 40, 400)] == [12, 12, 12, 6, 3, 3]


def git(tree: Path, *arguments: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main")
    done = subprocess.run(("git", *who, *arguments), cwd=tree, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def committed(tree: Path, name: str) -> str:
    """The commit that adds a file."""
    place = tree / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(name)
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", name)
    return git(tree, "rev-parse", "HEAD")


def test_changes_are_counted_from_where_a_branch_left_main_and_on_main_from_the_last_recorded_scores(
    tmp_path: Path,
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    assert base_of(tree) is None  # no history at all
    git(tree, "init", "-q")
    committed(tree, "first")
    assert base_of(tree) is None  # nothing was ever recorded
    recorded = committed(tree, "benchmarks/mutation/scores.json")
    assert base_of(tree) == recorded
    last = committed(tree, "second")
    assert base_of(tree) == recorded
    git(tree, "checkout", "-q", "-b", "work")
    committed(tree, "third")
    assert base_of(tree) == last
    git(tree, "branch", "-q", "-D", "main")  # as in a clone of one branch
    assert base_of(tree) == recorded
    git(tmp_path, "clone", "-q", "--depth", "1", tree.as_uri(), "shallow")
    assert base_of(tmp_path / "shallow") is None


def test_recorded_scores_stand_beside_those_of_other_folders(tmp_path: Path) -> None:
    place = tmp_path / "scores.json"
    place.write_text('{"core/b": {"score": 0.5}}')
    record({"core/a": Score(9, 10)}, 3, place=place)
    assert '"score": 0.9' in place.read_text()
    assert '"core/b"' in place.read_text()
    assert '"modules"' not in place.read_text()
    record({"core/a": Score(9, 10)}, 3, ["core/a/n.py", "core/a/m.py", "core/c/m.py"], place)
    kept = json.loads(place.read_text())
    assert kept["core/a, 2 modules"]["modules"] == ["core/a/m.py", "core/a/n.py"]
    assert kept["core/a"]["score"] == 0.9


def test_a_module_is_held_to_what_it_was_measured_with_and_else_to_its_folder() -> None:
    recorded: dict[str, dict[str, Any]] = {
        "core/a": {"score": 0.8},
        "core/a, 1 modules": {"score": 0.95, "modules": ["core/a/m.py"]},
        "core/b": {"score": 0.9, "modules": ["core/b/m.py"]},
    }
    paths = ("core/a/m.py", "core/a/n.py", "core/b/m.py", "core/b/n.py", "core/c/m.py")
    assert [held_to(path, recorded) for path in paths] == [
        "core/a, 1 modules",
        "core/a",
        "core/b",
        None,
        None,
    ]


def test_a_function_is_found_though_a_conftest_froze_what_was_collected() -> None:
    gc.freeze()
    bodies, _ = _loaded(f"{ROOT}/")
    gc.freeze()
    assert "mutants_of" in {name for _, name, _ in bodies}


@pytest.mark.long
def test_changes_that_are_called_equivalent_are_ones_that_would_be_tried() -> None:
    known = equivalents(EQUIVALENT.read_text(encoding="utf-8"))
    for path, function, before, after in known:
        found = mutants_of(path, (ROOT / path).read_text(encoding="utf-8"))
        assert any((one.function, one.before, one.after) == (function, before, after) for one in found), (path, before)


MODULE = """def is_grown(age: int) -> bool:
    return age >= 18


def unused(age: int) -> int:
    return age - 18
"""
WEAK = """from core.ages import is_grown


def test_grown() -> None:
    assert is_grown(30)
    assert not is_grown(3)
"""
STRONG = f"""{WEAK}

def test_boundary() -> None:
    assert is_grown(18)
    assert not is_grown(17)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small program of its own, with a test that does not look at the boundary."""
    for name, text in (
        ("core/__init__.py", ""),
        ("core/ages.py", MODULE),
        ("tests/__init__.py", ""),
        ("tests/test_ages.py", WEAK),
        ("benchmarks/__init__.py", ""),
        ("pyproject.toml", "[tool.pytest.ini_options]\nfilterwarnings = ['error']\n"),
    ):
        place = tmp_path / "tree" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path / "tree"


def survivors(tree: Path, mutants: Sequence[Mutant], folder: Path) -> list[str]:
    guards = {"core/ages.py": ["tests/test_ages.py"]}
    found = list(measure(tree, mutants, guards, folder=folder))
    assert [one.identity for one in found] == [one.identity for one in mutants]
    return [f"{one.function} {one.outcome}" for one in found if one.outcome != "killed"]


@pytest.mark.long
def test_a_weak_test_is_found_work_goes_on_where_it_was_broken_off_and_a_better_test_is_seen(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boundary, other, uncalled = (one for one in mutants_of("core/ages.py", MODULE) if "age" in one.before)
    assert (boundary.after, other.after, uncalled.after) == ("age < 18", "age > 18", "age + 18")
    folder = tmp_path / "kept"
    assert survivors(tree, [other], folder) == ["is_grown lived"]
    kept = (folder / "tried.jsonl").read_text()
    three = [other, boundary, uncalled]
    assert survivors(tree, three, folder) == ["is_grown lived", "unused unreached"]
    assert (folder / "tried.jsonl").read_text().startswith(kept)
    assert len((folder / "tried.jsonl").read_text().splitlines()) == 3
    (tree / "tests" / "test_ages.py").write_text(STRONG)
    assert survivors(tree, three, folder) == ["unused unreached"]
    monkeypatch.setattr("benchmarks.mutation.measuring.Worker", None)  # nothing is left to try
    assert survivors(tree, three, folder) == ["unused unreached"]
    assert (tree / "core" / "ages.py").read_text() == MODULE
