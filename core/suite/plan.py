"""The tests of a run, from its selection: the suite's own, the rows of its datasets, and the datasets named on the command line.

Datasets are streamed: `check` reads them once and holds nothing, iterating reads them again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from modex.core.config.options import RolloutMode
from modex.core.config.runconfig import Selection
from modex.core.foundation.errors import ConfigurationError, Problem, SuiteError
from modex.core.suite.answer_forms import form_words, with_form
from modex.core.suite.checking import CheckNote, ExpectedCheck, check_suite, check_tests
from modex.core.suite.datasets.reader import DatasetReader, read_suite_dataset
from modex.core.suite.definitions import EvaluatorConfig, Location, Suite, TestCase, ToolDefinition
from modex.core.suite.filters import parse_filter
from modex.core.suite.layers import without_layers
from modex.core.suite.likelihood import by_likelihood
from modex.core.suite.lists import has_list, is_open, list_words, with_gold
from modex.core.suite.live_tools import LIVE_TOOLS
from modex.core.suite.sampling import key_of, take_sample
from modex.core.suite.selection import Selector
from modex.core.suite.strata import Strata, take_shares
from modex.core.suite.suggest import did_you_mean, there_are
from modex.core.suite.variants import varied


class SelectedTests:
    """What a run asks. Iterate for the tests, in a stable order; each iteration reads the datasets anew."""

    def __init__(
        self,
        suite: Suite,
        selection: Selection,
        *,
        evaluator: str | None = None,
        rollout: RolloutMode | None = None,
        checks: Mapping[str, ExpectedCheck] | None = None,
        defaults: Mapping[str, EvaluatorConfig] | None = None,
        unwanted: Callable[[TestCase], bool] | None = None,
        golds_needed: bool = True,
        answered: Path | None = None,
        judge_named: bool = False,
        likelihood: bool = False,
    ) -> None:
        """Open what `selection` names. With `--dataset` and no `--suite`, the suite gives evaluators and tools but no tests.

        `unwanted` leaves out tests that the selection takes; `left_out` names them after `check`. Without `golds_needed` a
        test that has no gold answer is none the worse: it is asked, and can be judged once it has one.
        `answered` is the dataset whose rows hold answers as well. `judge_named` as in `DatasetReader`.
        `likelihood`: options are compared by likelihood, and tests without any are left out.

        Raises:
            ConfigurationError: a dataset cannot be read, a filter is wrong, or strata have no size to share out.
            SuiteError: a template gives no test.
        """
        if selection.stratify is not None and selection.sample is None and selection.limit is None:
            raise ConfigurationError("--stratify shares out a sample: say how many tests, by --limit N or --sample N")
        self.selection = selection
        self.problems: list[Problem] = []
        """What is wrong; `check` completes it."""
        self.lacks: list[Problem] = []
        """What is not here, or a mistake in another system's suite: what skips tests, and no more; `check` completes it."""
        self.skips: list[tuple[TestCase, str]] = []
        """The tests that are skipped since they cannot run, each with why; `check` fills it."""
        self.unsent: list[Problem] = []
        """Rows whose files are not sent to a model, so that they end as errors; `check` fills it."""
        self.left_out: tuple[str, ...] = ()
        """`domain/level/id` of what `unwanted` took out; `check` fills it."""
        self.listed = 0
        """How many tests have a list as gold that does not say itself what it means; `check` counts them."""
        self._strata: Strata | None = None
        """The strata of what the selection takes a sample of; `check` counts them."""
        self._unwanted = unwanted
        self._likelihood = likelihood
        self._golds_needed = golds_needed
        self._checks = checks or {}
        self._defaults = defaults
        self._rollout: RolloutMode | None = rollout
        self._filters = [parse_filter(text) for text in selection.filters]
        self._own = selection.takes_suite
        self.suite = suite = varied(suite, selection.variant, self._selector().takes) if self._own else suite
        if self._own and self._checks:
            check_suite(suite, self._checks, defaults, golds_needed=golds_needed)
        self._row_problems: list[Problem] = []
        self._read: list[tuple[int, ...]] | None = None
        self._sound = False
        """Whether `check` found nothing against any row, so that later readings need not ask the evaluators again."""
        self._row_lacks: list[Problem] = []
        """Mistakes in rows of another system's file."""
        self._readers: list[tuple[DatasetReader, str | None]] = []
        self._of_the_suite: list[DatasetReader] = []
        if self._own:
            self._open_suite_datasets(evaluator)
        for spec in selection.datasets:
            reader = DatasetReader(
                spec,
                evaluator=evaluator,
                rollout=rollout,
                golds_needed=golds_needed,
                answered=answered is not None and Path(spec.path).expanduser().absolute() == answered,
                judge_named=judge_named,
                by_likelihood=likelihood,
            )
            self._readers.append((reader, reader.source))
        self._unique_sources()
        self._tools = _named_tools(suite, selection.tools)

    @property
    def guesses(self) -> list[str]:
        """How the datasets named on the command line and golds that are lists are read, and which shares are taken."""
        read = [
            f"{reader.path.name}: {guess}"
            for reader, alias in self._readers
            if reader not in self._of_the_suite
            for guess in reader.guesses
        ]
        if self.selection.form and "test" not in self.selection.without_layers and not self._likelihood:
            read += [form_words(reader) for reader, _ in self._readers]
        if self._golds_needed and (waiting := self.without_gold):
            rows = "1 row has no gold" if waiting == 1 else f"{waiting:,} rows have no gold"
            read.append(f"{rows}: asked, and judged once there is one (`modex judge`)")
        if self._strata is not None and (size := self._size) is not None:
            read += self._strata.words(size, self.selection.sample_seed)
        return [*read, list_words(self.listed, self.selection.gold)] if self.listed else read

    @property
    def without_gold(self) -> int:
        """How many rows have no gold answer, where none is needed; `check` counts them."""
        return sum(reader.without_gold for reader, _ in self._readers)

    @property
    def files(self) -> list[Path]:
        """The files of all datasets."""
        return [reader.path for reader, _ in self._readers]

    @property
    def is_as_read(self) -> bool:
        """Whether the files of the datasets are those that `check` read."""
        return self._read is not None and self._read == self._stamps()

    def _stamps(self) -> list[tuple[int, ...]] | None:
        try:
            found = [path.stat() for path in self.files]
        except OSError:  # whoever reads the file says so
            return None
        return [(one.st_dev, one.st_ino, one.st_size, one.st_mtime_ns) for one in found]

    @property
    def is_sound(self) -> bool:
        """Whether `check` found nothing against any row."""
        return self._sound

    def trust(self, listed: int) -> None:
        """Take the tests as checked, by who knows that nothing changed since they were; `listed` of them had a list as gold."""
        self._sound, self.listed = True, listed

    def _open_suite_datasets(self, evaluator: str | None) -> None:
        # Which rows a name means shows only in the rows: it may be a category.
        named = bool(self.selection.domains or self.selection.tests)
        for dataset in self.suite.datasets:
            if not (dataset.enabled or named):
                continue
            try:
                reader = read_suite_dataset(
                    dataset,
                    self.suite.root,
                    evaluator=evaluator,
                    rollout=self._rollout,
                    golds_needed=self._golds_needed,
                    by_likelihood=self._likelihood,
                )
            except ConfigurationError as error:
                self.problems.append(Problem(dataset.location.path, dataset.location.line, str(error)))
                continue
            self._readers.append((reader, dataset.domain))
            self._of_the_suite.append(reader)

    def _unique_sources(self) -> None:
        seen: dict[str, str] = {"suite": "the suite's own tests"}
        for reader, _ in self._readers:
            if reader.source in seen:
                raise ConfigurationError(
                    f"two datasets have the source '{reader.source}' ({seen[reader.source]} and {reader.path}); rename one file"
                )
            seen[reader.source] = str(reader.path)

    def check(self, look: Callable[[TestCase], None] = lambda _: None) -> int:
        """Read everything once and return how many tests the run has; holds none of them.

        `look` is shown each test as it is asked, while it is checked; where only a sample is asked, afterwards.

        Raises:
            SuiteError: there are mistakes, and the selection does not skip them; with `strict`, anything is not here.
            ConfigurationError: a domain or test that was asked for is not there, or nothing is left to run.
        """
        selector = self._selector()
        self._read = self._stamps()
        count = self.listed = 0
        self.skips = []
        whole = self.selection.sample is None and self.selection.limit is None
        self._strata = strata = self._new_strata()
        chosen = self._chosen(selector)
        for test in self._planned(chosen if strata is None else strata.counting(chosen)):
            count += 1
            self.listed += is_open(test)
            if test.invalid is not None:
                self.skips.append((test, test.invalid))
            if whole:
                look(self._as_asked(test))
        of_suite = self.suite.problems if self._own else []
        lenient = self.suite.dialect is not None and not self.selection.strict
        self.lacks = sorted(
            {*(self.suite.lacks if self._own else ()), *(of_suite if lenient else ()), *self._row_lacks}
        )
        problems = [*(() if lenient else of_suite), *self.problems, *self._row_problems]
        for reader, _ in self._readers:
            if reader.is_foreign:
                self.lacks += reader.problems
            else:
                problems += reader.problems
        if self.selection.strict:
            problems += self.lacks
        self.unsent = [problem for reader, _ in self._readers for problem in reader.unsent]
        self.problems = sorted(set(problems))
        if self.problems and not self.selection.skip_invalid:
            raise SuiteError(self.problems)
        self._sound = (
            not self.problems and not self._row_lacks and not any(reader.problems for reader, _ in self._readers)
        )
        self.left_out = tuple(selector.left_out)
        if missing := selector.missing(self.suite.domains if self._own else ()):
            raise ConfigurationError(missing)
        if strata is not None and (unknown := strata.unknown_column()):
            raise ConfigurationError(unknown)
        if not count:
            raise ConfigurationError(
                "the selection leaves no test to run; loosen --domain, --level, --test, --exclude-… or --filter"
                + self._left_words()
            )
        if not whole:
            for test in self:
                look(test)
        return count if (size := self._size) is None else min(count, size)

    def _left_words(self) -> str:
        if not self.left_out:
            return ""
        if self._likelihood:
            return f" (--reading loglikelihood left out {len(self.left_out)} without options to compare)"
        return f" (--no-judge left out {len(self.left_out)})"

    def __iter__(self) -> Iterator[TestCase]:
        """The tests: the suite's in its order, then each dataset's rows; sampled, then limited."""
        if (strata := self._new_strata()) is not None and (size := self._size) is not None:
            found = take_shares(self._anew, size, self.selection.sample_seed, strata.of)
            return map(self._as_asked, self._planned(found))
        found = self._anew()
        if self.selection.sample is not None:
            found = iter(take_sample(found, self.selection.sample, self.selection.sample_seed))
        if self.selection.limit is not None:
            found = islice(found, min(self.selection.limit, sys.maxsize))
        return map(self._as_asked, self._planned(found))

    def _anew(self) -> Iterator[TestCase]:
        return self._chosen(self._selector())

    @property
    def _size(self) -> int | None:
        """The most tests that the selection takes, whatever there are."""
        sizes = [size for size in (self.selection.sample, self.selection.limit) if size is not None]
        return min(sizes, default=None)

    def _new_strata(self) -> Strata | None:
        if self.selection.stratify is None:
            return None
        roles = {
            column: role
            for reader, _ in self._readers
            for role in ("category", "level", "source", "id")
            if (column := getattr(reader.fields, role)) is not None
        }
        return Strata(self.selection.stratify, roles)

    def _planned(self, tests: Iterator[TestCase]) -> Iterator[TestCase]:
        """Those of them that were chosen for a budget; all where nothing was."""
        if (planned := self.selection.planned) is None:
            return tests
        chosen = frozenset(planned.tests)
        return (test for test in tests if key_of(test) in chosen)

    def _as_asked(self, each: TestCase) -> TestCase:
        """The test with what the selection changes of it."""
        scopes = self.selection.without_layers
        test = without_layers(each, scopes) if scopes else each
        if self._likelihood:
            return by_likelihood(test)
        test = with_gold(test, self.selection.gold) if has_list(each) else test
        if self.selection.form and test.source != "suite" and "test" not in scopes:
            test = with_form(test)
        if self._tools and not test.tools:
            test = replace(test, tools=self._tools, tool_ids=self.selection.tools)
        if self._rollout in (None, test.rollout) or test.simulated_user:
            return test
        return replace(test, rollout=self._rollout)

    def _selector(self) -> Selector:
        selection = self.selection
        return Selector(
            selection.domains,
            selection.levels,
            selection.tests,
            self._filters,
            selection.exclude_domains,
            selection.exclude_levels,
            selection.exclude_tests,
            self._unwanted,
        )

    def _chosen(self, selector: Selector) -> Iterator[TestCase]:
        self._row_problems, self._row_lacks = [], []
        if self._own:
            yield from (test for test in self.suite.tests if selector.takes(test))
        for reader, alias in self._readers:
            rows = (test for test in reader if selector.takes(test, alias))
            if self._sound:
                yield from rows
                continue
            for test, messages in check_tests(
                rows, self.suite, self._checks, self._defaults, golds_needed=self._golds_needed
            ):
                if mistakes := [message for message in messages if not isinstance(message, CheckNote)]:
                    place, found = test.location, self._row_lacks if reader.is_foreign else self._row_problems
                    found += [Problem(place.path, place.line, message) for message in mistakes]
                    yield replace(test, invalid="; ".join(mistakes[:3]))
                else:
                    yield test
            if self.selection.skip_invalid or reader.is_foreign:
                yield from self._unreadable_rows(reader, selector, alias)

    def _unreadable_rows(self, reader: DatasetReader, selector: Selector, alias: str | None) -> Iterator[TestCase]:
        """A stand-in for each row that gave no test, so that it is counted as skipped with its reason."""
        for number, problem in enumerate(reader.problems, 1):
            test = TestCase(
                source=reader.source,
                domain=reader.source,
                level=1,
                test_id=f"unreadable:{problem.line or number}",
                prompt="",
                expected=None,
                evaluator_id=reader.evaluator,
                location=Location(problem.path, problem.line),
                invalid=problem.message,
            )
            if selector.takes(test, alias):
                yield test


def _named_tools(suite: Suite, names: Sequence[str]) -> tuple[ToolDefinition, ...]:
    """The tools that `--tool` names.

    Raises:
        ConfigurationError: there is no such tool.
    """
    known = {**LIVE_TOOLS, **suite.tools}
    for name in names:
        if name not in known:
            raise ConfigurationError(
                f"--tool: there is no tool '{name}'{did_you_mean(name, known) or there_are(known)}"
            )
    return tuple(known[name] for name in names)
