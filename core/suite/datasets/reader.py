"""A dataset file as tests, streamed: iterate as often as needed, no more than a batch of rows is ever held."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from modex.core.answers.numbers.reading import decimal_separator
from modex.core.config.filters import MISSING
from modex.core.config.options import RolloutMode
from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError, Problem
from modex.core.suite.attachments import (
    Attachment,
    Named,
    file_names,
    find_or_say,
    part_fault,
    plain_turns,
    together_fault,
)
from modex.core.suite.datasets.asked import asked_in
from modex.core.suite.datasets.golds import (
    NEED_GOLD,
    GoldRule,
    guess_rule,
    number_of,
    option_of,
    options_of,
    with_lettered,
    with_options,
)
from modex.core.suite.datasets.likelihoods import FORM, lettered, preset_form
from modex.core.suite.datasets.mapping import FieldMap, bent_level, bent_levels, level_of, map_columns, of_benchmarks
from modex.core.suite.datasets.presets import PRESETS, Columns, Preset, preset_in_mixed, preset_of, shaped
from modex.core.suite.datasets.rows import BadRow, Row, iter_rows
from modex.core.suite.datasets.rubrics import counted_keys, is_rubric, rubric_notes, rubric_of
from modex.core.suite.datasets.seen import Key, Seen
from modex.core.suite.definitions import Location, PromptLayer, SuiteDataset, TestCase
from modex.core.suite.filters import Filter, dotted, parse_filter
from modex.core.suite.questions import question_key
from modex.core.suite.sampling import take_sample
from modex.core.suite.templates import render

DEFAULT_EVALUATOR = "two_pass"
_BY_JUDGE = "llm_judge"
"""Who decides about a row of an unknown source where a judge is named."""
MAX_PROBLEMS = 1000
"""Problems named one by one; the rest is counted."""
_PEEK = 200
_MAX_LABEL = 200
_SHOWN = 40


class DatasetReader:
    """The tests of one dataset file.

    `guesses` say how columns and answers are read. `problems` are those of the latest complete iteration: a row with a
    problem yields no test. Line numbers are 1-based; in JSON and Parquet files, where rows have no line, messages name the row.
    """

    def __init__(
        self,
        spec: DatasetSpec,
        *,
        evaluator: str | None = None,
        rollout: RolloutMode | None = None,
        source: str | None = None,
        shown_path: str | None = None,
        filters: Sequence[str] = (),
        limit: int | None = None,
        sample: int | None = None,
        seed: int = 0,
        suite_dataset: SuiteDataset | None = None,
        golds_needed: bool = True,
        answered: bool = False,
        judge_named: bool = False,
        by_likelihood: bool = False,
    ) -> None:
        """Open the file, look at its first rows and settle how they are read.

        `judge_named`: an LLM judge is named, and decides about rows whose source nobody knows, unless an evaluator is named.

        `by_likelihood`: each row with options says how they are compared by likelihood.

        `answered`: rows hold answers too, so that rows of one id, question and gold are one test, answered several times.

        Raises:
            ConfigurationError: the file cannot be read, has no rows, or lacks a named column.
        """
        self.spec = spec
        self.path = Path(spec.path).expanduser()
        self.preset = PRESETS[spec.preset] if spec.preset else None
        self.source = source or (self.preset.name if self.preset else self.path.stem)
        self._named = evaluator
        self.evaluator = evaluator or (self.preset.evaluator if self.preset else DEFAULT_EVALUATOR)
        self.without_gold = 0
        """Rows of the latest iteration that have no gold answer, where none is needed."""
        self._golds_needed = golds_needed
        self._answered = answered
        self._judge_named = judge_named
        self._by_likelihood = by_likelihood
        self.rollout: RolloutMode = rollout or "direct"
        self.problems: list[Problem] = []
        self.unsent: list[Problem] = []
        """Rows of the latest iteration whose files are not sent to a model, and why; they end as errors."""
        self.rows = 0
        """Rows of the latest iteration, those with problems too."""
        self._shown = shown_path or spec.path
        self._filters: tuple[Filter, ...] = tuple(parse_filter(text) for text in filters)
        self._limit, self._sample, self._seed = limit, sample, seed
        self._suite = suite_dataset
        self._numbered = self.path.suffix.lower() in (".json", ".parquet", ".pq")
        self.fields, self._rule, self.guesses = self._settle()
        self._used = self.fields.used() | {FORM}
        if self.preset is not None and self.fields.category is not None:
            self._used -= {self.fields.category}  # it is filtered by under its own name

    @property
    def is_foreign(self) -> bool:
        """Whether the rows are in another system's form, so that a row with a mistake is skipped and shuts out no other."""
        return self._foreign

    @property
    def kind(self) -> str | None:
        """The answer type of its rows; None where each gold says its own."""
        return self._rule.type if self.evaluator == "two_pass" else None

    @property
    def shown_path(self) -> str:
        """How messages and the tests' places name the file."""
        return self._shown

    @property
    def has_prompt(self) -> bool:
        """Whether the suite has a system prompt for every row."""
        return self._suite is not None and any(layer.text for layer in self._suite.layers)

    def _settle(self) -> tuple[FieldMap, GoldRule, list[str]]:
        rows = [row for row in islice(self._rows(), _PEEK) if isinstance(row, Row)]
        head = [row.data for row in rows]
        if not head:
            first = next(self._rows(), None)
            why = f"{first.message} (line {first.line})" if isinstance(first, BadRow) else "it is empty"
            raise ConfigurationError(f"{self._shown}: no row can be read ({why}); correct the file, or name another")
        fields, guesses = map_columns(self._by_preset(head), head, self._shown)
        golds = [] if fields.answer is None else [dotted(row, fields.answer) for row in head]
        golds = [
            item
            for gold in golds
            if gold not in (MISSING, None, "")
            for item in (gold if isinstance(gold, list) else [gold])
        ]
        of_known = of_benchmarks(head)
        self._foreign = self.preset is PRESETS["caia"] if self.preset is not None else of_known
        readable = [fields.options is not None and options_of(dotted(row, fields.options)) is not None for row in head]
        # one odd row of a benchmark undoes no other's options
        offered = self.preset is not None and bool(self.preset.offers)
        with_choices = any(readable) if of_known or offered else all(readable)
        rule, said = guess_rule(self.evaluator, golds, with_choices)
        if with_choices:
            guesses.append(f"options: column '{fields.options}', shown below the question where it does not hold them")
        elif not offered:
            fields = replace(fields, options=None)
        if self.preset is not None:
            guesses.insert(0, f"preset {self.preset.name}: judged by {self.evaluator}")
        by_rubric = [row for row in rows if self._by_rubric(_label(_value(row.data, fields.source)))]
        names = [_label(_value(row.data, fields.id))[:40] or f"row {row.line}" for row in by_rubric]
        guesses += rubric_notes(
            [(name, _value(row.data, fields.answer)) for name, row in zip(names, by_rubric, strict=True)]
        )
        if by_rubric and not self._answered:
            guesses += _unread([row.data for row in by_rubric], fields)
        if fields.level is not None and self.spec.level_field is None:
            guesses += bent_levels([dotted(row, fields.level) for row in head])
        sources = {_label(dotted(row, fields.source)) for row in head} if fields.source is not None else set()
        if others := sorted({one for one in sources if one and self._by_judge(one)}):
            own = [f"{one} (alone: --preset {preset.name})" if (preset := preset_of(one)) else one for one in others]
            guesses.append(
                f"judged by {_BY_JUDGE}, since a judge is named and no preset is for such rows of a mixed file: {', '.join(own)}"
            )
        return fields, rule, guesses + said

    def _by_judge(self, source: str) -> bool:
        """Whether a row of its own `source` is decided by the judge that is named."""
        return self._judge_named and self._named is None and self.preset is None and preset_in_mixed(source) is None

    def _by_rubric(self, source: str) -> bool:
        """Whether a row of this `source` is judged by CAIA's rubric."""
        own = preset_in_mixed(source) if self.preset is None and source else None
        return (self.evaluator if own is None or self._named else own.evaluator) == "caia"

    def _rows(self) -> Iterator[Row | BadRow]:
        """The file's rows; those that a benchmark enciphers as they read."""
        for row in iter_rows(self.path):
            if isinstance(row, Row) and self.preset is not None:
                made = shaped(row.data, self.preset, self.path.parent)
                form = preset_form(self.preset.name, row.data) if self._by_likelihood else None
                if isinstance(made, str):
                    yield BadRow(row.line, made)
                else:
                    yield Row(row.line, made if form is None else {**made, FORM: form})
            else:
                yield row

    def _by_preset(self, head: Sequence[dict[str, Any]]) -> DatasetSpec:
        """The columns that the preset names and the file has, where nobody named others."""
        if self.preset is None:
            return self.spec
        found = {
            f"{role}_field": column
            for role in ("question", "answer", "level", "category", "id")
            if getattr(self.spec, f"{role}_field") is None
            and (column := next((name for row in head if (name := self.preset.column(role, row))), None)) is not None
        }
        return self.spec.model_copy(update=found)

    def __iter__(self) -> Iterator[TestCase]:
        """The tests in the file's order, after filters, sample and limit."""
        found = self._matching()
        if self._sample is not None:
            found = iter(take_sample(found, self._sample, self._seed))
        return islice(found, self._limit) if self._limit is not None else found

    def check(self) -> list[Problem]:
        """Read every row once and return the problems; holds none of the tests."""
        for _ in self._matching():
            pass
        return self.problems

    def _matching(self) -> Iterator[TestCase]:
        self.problems, self.unsent = [], []
        self.rows = self.without_gold = 0
        unnamed = 0
        seen = Seen(self._keys)
        epochs = _Epochs()
        for index, row in enumerate(self._rows()):
            self.rows += 1
            if isinstance(row, BadRow):
                fault = row.message
            elif isinstance(test := self._test(row, index), str):
                fault = test
            else:
                if self._answered and epochs.again(test, row.data, self.fields):
                    continue
                key = (test.source, test.domain, test.level, test.test_id)
                first = seen.first(key, row.line)
                if first == row.line:
                    if all(condition.matches(test, row.data) for condition in self._filters):
                        yield self._with_files(test, row.data)
                    continue
                fault = (
                    f"test id '{test.test_id[:80]}' is there already, on {'row' if self._numbered else 'line'} {first}"
                )
                if self._answered:
                    fault += ", with another question or gold; give each question an id of its own"
            if len(self.problems) < MAX_PROBLEMS:
                self.problems.append(self._problem(row.line, fault))
            else:
                unnamed += 1
        if unnamed:
            self.problems.append(Problem(self._shown, 0, f"{unnamed:,} more rows have problems; correct these first"))

    def _keys(self) -> Iterator[tuple[Key, int]]:
        """The keys of the rows that give tests, each with its line; read anew."""
        counted = self.without_gold
        try:
            for index, row in enumerate(self._rows()):
                if isinstance(row, Row) and isinstance(test := self._test(row, index), TestCase):
                    yield (test.source, test.domain, test.level, test.test_id), row.line
        finally:
            self.without_gold = counted

    def _problem(self, line: int, message: str) -> Problem:
        if self._numbered:
            return Problem(self._shown, 0, f"row {line}: {message}")
        return Problem(self._shown, line, message)

    def _test(self, row: Row, index: int) -> TestCase | str:
        """The test that a row stands for, or what is wrong with the row."""
        fields, data = self.fields, row.data
        own_source = _label(_value(data, fields.source))
        source = own_source or self.source
        preset = self.preset or (preset_in_mixed(source) if fields.source is not None else None)
        made = data if self.preset is not None or preset is None or preset.shape is None else preset.shape(data)
        if isinstance(made, str):
            return made
        data = made
        plain = self.preset is None
        question = _value(data, fields.question) if plain else self._of(data, "question")
        if (context := _value(data, fields.context)) and isinstance(context, str) and isinstance(question, str):
            question = f"{question.rstrip()}\n\n{context}"
        if self._answered and (chat := asked_in(question)) is not None:
            question = chat
        asked = _turns(question)
        turns = asked[0] if asked is not None else None
        if turns is None and (not isinstance(question, str) or not question.strip()):
            return f"the question ('{fields.question}') is missing or no text"
        gold = _value(data, fields.answer) if plain else self._of(data, "answer")
        evaluator = self.evaluator if preset is None or self._named else preset.evaluator
        evaluator = _BY_JUDGE if own_source and self._by_judge(own_source) else evaluator
        if evaluator == "caia" and is_rubric(gold) and rubric_of(gold) is None:
            gold = None
        gold = _without_blanks(gold) if evaluator in NEED_GOLD else gold
        waits = (preset is not None or fields.source is not None) and evaluator in NEED_GOLD
        if fields.answer is not None and gold in (None, "", []):
            if self._golds_needed and not waits:
                hint = (
                    ""
                    if self.problems
                    else "; rows without one can be left out (--skip-invalid), or asked and judged later (--until rollout)"
                )
                return f"the answer ('{fields.answer}') is missing{hint}"
            gold = None
        self.without_gold += gold is None
        level = self._level(data)
        if isinstance(level, str):
            return level
        category, identity = _value(data, fields.category), _value(data, fields.id)
        domain = source if category in (None, "") else _label(category)
        test_id = str(index) if identity in (None, "") else _label(identity)
        for role, label in (("category", domain), ("id", test_id)):
            if fault := _label_fault(label):
                return f"the {role} {fault}"
        if preset is not None and preset.separator and isinstance(gold, str):
            gold = [item.strip() for item in gold.split(preset.separator) if item.strip()]
        options = self._options(data, preset)
        if preset is not None and preset.offers:
            if fault := self._unoffered(data, options):
                return fault
            gold = _indexed(gold, options, preset)
            if options and gold is not None and not isinstance(gold, list) and (fault := _beyond(gold, options)):
                return fault
        prompt: str | tuple[dict[str, str], ...] = turns or str(question)
        if options and isinstance(prompt, str):
            below = with_options if preset is None or not preset.offers else with_lettered
            prompt = below(prompt, options)
        if preset is not None and isinstance(prompt, str):
            prompt = _with_beside(prompt, preset, data)
        form = (data.get(FORM) or _lettered(question, options)) if self._by_likelihood else {}
        suite, used = self._suite, self._used
        return TestCase(
            source=source,
            domain=domain,
            level=level,
            test_id=test_id,
            prompt=prompt,
            expected=None if gold is None else self._expected(gold, options, evaluator, preset, data),
            evaluator_id=evaluator,
            location=Location(self._shown, row.line),
            layers=(*_layers(suite, level), *_answer_layer(preset)),
            tool_ids=suite.tool_ids if suite is not None else (),
            tools=suite.tools if suite is not None else (),
            cluster=_label(_value(data, fields.cluster)) or None,
            rollout=self.rollout,
            metadata={key: value for key, value in data.items() if key not in used},
            likelihood=form,
            lacks_gold=waits and gold is None,
            invalid=suite.invalid if suite is not None else None,
            disabled_by="domain" if suite is not None and not suite.enabled else None,
            **(suite.given if suite is not None else {}),
        )

    def _of(self, data: dict[str, Any], role: Literal["question", "answer"]) -> Any:
        """The row's question or gold; where its column is empty, that of another name the benchmark has for it."""
        path: str | None = getattr(self.fields, role)
        value = _value(data, path)
        if getattr(self.spec, f"{role}_field") is not None or value not in (None, "", []):
            return value
        names: Columns = getattr(self.preset, role)
        others = (_value(data, name) for name in names if name != path)
        return next((one for one in others if one not in (None, "", [])), value)

    def _with_files(self, test: TestCase, data: dict[str, Any]) -> TestCase:
        """The test with the files that its row names, which lie in the dataset's own folder.

        One that cannot be sent says so: the row ends as an error, and shuts out no other.
        """
        if self.fields.files is None and isinstance(test.prompt, str):
            return test
        _, named = _turns(_value(data, self.fields.question)) or ((), ())
        value = _value(data, self.fields.files)
        names = [] if value in (None, "") else file_names(value)
        root, place = self.path.parent, "the dataset's folder"
        found = [find_or_say(root, one.name, place=place, turn=one.turn, at=one.at) for one in named]
        found += [find_or_say(root, name, place=place) for name in names or ()]
        if names is None:
            found.append(Attachment(str(value)[:80], "", "", 0, "", unsent=f"'{self.fields.files}' names no files"))
        elif fault := together_fault(found):
            found = [replace(one, unsent=one.unsent or fault) for one in found]
        unsent = next((one.unsent for one in found if one.unsent), "")
        if unsent and len(self.unsent) < MAX_PROBLEMS:
            self.unsent.append(self._problem(test.location.line, f"not asked, since its file is not sent: {unsent}"))
        return replace(test, attachments=tuple(found)) if found else test

    def _options(self, data: dict[str, Any], preset: Preset | None) -> dict[str, str] | None:
        """The options of one row; a benchmark's row may have them in the other of their two columns."""
        others = ("options", "choices") if preset is not None and preset.offers else ()
        names = (self.fields.options, *others) if self.fields.options is not None else ()
        return next((found for name in names if (found := options_of(_value(data, name))) is not None), None)

    def _unoffered(self, data: dict[str, Any], options: dict[str, str] | None) -> str | None:
        """What is wrong with the options of a row that must have some, or None; where the file has no such column they stand in
        its questions."""
        column = self.fields.options
        if column is None or options is not None:
            return None
        value = _value(data, column)
        if value in (None, "", [], {}):
            return f"the options ('{column}') are missing" if self.preset is not None else None
        return (
            f"the options ('{column}') are {str(value)[:_SHOWN]!r}; they must be a list of two to 26 texts or numbers, "
            "or one for each letter"
        )

    def _expected(
        self,
        gold: Any,
        options: dict[str, str] | None,
        evaluator: str,
        preset: Preset | None,
        data: dict[str, Any],
    ) -> Any:
        if evaluator == "caia" and (rubric := rubric_of(gold)) is not None:
            return rubric
        rule = self._rule if evaluator == self._rule.evaluator else replace(self._rule, evaluator=evaluator)
        if preset is PRESETS["gsm8k"]:
            rule = replace(rule, marked=True)
        expected = rule.expected(gold, options)
        if preset is not None and preset.by_language and evaluator == preset.evaluator:
            return _in_language(expected, data, preset)
        if (
            preset is not None
            and preset.gold is not None
            and evaluator == preset.evaluator
            and isinstance(expected, str)
        ):
            return {"type": preset.gold, "value": expected}
        return expected

    def _level(self, data: dict[str, Any]) -> int | str:
        value = _value(data, self.fields.level)
        if value in (None, ""):
            return 1
        level = level_of(value)
        if level is None and self.spec.level_field is None:
            level = bent_level(value)
        return (
            level
            if level is not None
            else f"the level is {str(value)[:40]!r}; it must be 1 to 5, or easy, medium, hard"
        )


def _lettered(question: Any, options: dict[str, str] | None) -> dict[str, Any]:
    """How a row's options are compared where its benchmark has no form of its own; nothing where it has none."""
    return lettered(question, options) if options and isinstance(question, str) else {}


def _in_language(expected: Any, data: dict[str, Any], preset: Preset) -> Any:
    """The gold with the row's language as its locale, where that writes numbers otherwise than English does."""
    language = _label(_value(data, preset.column("category", data)))
    if not isinstance(expected, str) or number_of(expected) is None or decimal_separator(language) == ".":
        return expected
    return {"type": "numeric", "value": expected, "locale": language}


def _indexed(gold: Any, options: dict[str, str] | None, preset: Preset) -> Any:
    """The gold, as the index that its digits are where the benchmark counts options from 0."""
    digits = preset.offers == "index" and isinstance(gold, str) and gold.strip().isdecimal() and len(gold.strip()) < 3
    return int(gold) if digits and options and int(gold) < len(options) else gold


def _beyond(gold: Any, options: dict[str, str]) -> str | None:
    """What is wrong with a gold that is an index or a letter of no option, or None."""
    if option_of(gold, options) is not None:
        return None
    label = _label(gold)
    if not (label.removeprefix("-").isdecimal() or (len(label) == 1 and label.isalpha())):
        return None
    return f"the answer is {label[:_SHOWN]!r}, which is none of its options ({', '.join(options)})"


def _unread(rows: Sequence[dict[str, Any]], fields: FieldMap) -> list[str]:
    """The columns that hold something and are only kept; nothing where there are none."""
    known = fields.read()
    keys = Counter(
        key for row in rows for key, value in row.items() if key not in known and value not in (None, "", [], {})
    )
    return [f"not read, kept with the tests: {counted_keys(keys)}"] if keys else []


class _Epochs:
    """Finds rows that answer once more what a row above them answers."""

    def __init__(self) -> None:
        self._asked: dict[Key, str] = {}
        self._unnamed: set[str] = set()

    def again(self, test: TestCase, data: dict[str, Any], fields: FieldMap) -> bool:
        """Whether the row's question and gold stand above, under the same id; without an id, where the row has an `epoch`."""
        words = question_key(json.dumps([test.prompt, test.expected], ensure_ascii=False, default=str))
        if _value(data, fields.id) not in (None, ""):
            key = (test.source, test.domain, test.level, test.test_id)
            known = key in self._asked
            return self._asked.setdefault(key, words) == words and known
        if data.get("epoch") in (None, ""):
            return False
        if words in self._unnamed:
            return True
        self._unnamed.add(words)
        return False


def _value(data: dict[str, Any], path: str | None) -> Any:
    if path is None:
        return None
    found = data[path] if path in data else dotted(data, path)
    return None if found is MISSING else found


def _without_blanks(gold: Any) -> Any:
    """A gold whose list holds texts and numbers, without the empty places between them; any other as it is."""
    if not isinstance(gold, list) or not all(item is None or isinstance(item, str | int | float) for item in gold):
        return gold
    return [item for item in gold if item is not None and str(item).strip()]


def _label(value: Any) -> str:
    if type(value) is str:
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _label_fault(label: str) -> str | None:
    """What is wrong with a row's id or category, or None. Data sets are freer than suite files: spaces and `/` are fine."""
    if label.isalnum() and len(label) <= _MAX_LABEL:
        return None
    if not label:
        return "is not a text or a number"
    if len(label) > _MAX_LABEL:
        return f"is longer than {_MAX_LABEL} characters; give a shorter one"
    if label.startswith("/") or ".." in label.split("/"):
        return f"'{label[:80]}' reads as a path"
    if not label.isprintable():
        return "holds control characters"
    return None


def _turns(question: Any) -> tuple[tuple[dict[str, str], ...], tuple[Named, ...]] | None:
    """Chat turns and the files that their parts name, where the question is a list of turns with a user's among them.

    What the assistant says behind the last of those is its answer, and is not asked.
    """
    if not isinstance(question, list) or not question:
        return None
    while len(question) > 1 and isinstance(question[-1], dict) and question[-1].get("role") == "assistant":
        question = question[:-1]
    turns: list[dict[str, Any]] = []
    for turn in question:
        role, content = (turn.get("role"), turn.get("content")) if isinstance(turn, dict) else (None, None)
        if role not in ("system", "user", "assistant") or not _is_content(content):
            return None
        turns.append({"role": role, "content": content})
    if turns[-1]["role"] == "system":
        turns[-1] = {**turns[-1], "role": "user"}  # OpenAI-Evals also ask in a system message
    return plain_turns(turns) if turns[-1]["role"] == "user" else None


def _is_content(content: Any) -> bool:
    """Whether a turn says this: a text, or parts."""
    return isinstance(content, str) or (
        isinstance(content, list) and bool(content) and not any(map(part_fault, content))
    )


def _with_beside(prompt: str, preset: Preset, data: dict[str, Any]) -> str:
    """The question with what the benchmark shows below it, where the row has it."""
    filled = render(preset.beside, **{name: value for name, value in data.items() if isinstance(value, str) and value})
    return prompt if not filled or filled == preset.beside else f"{prompt.rstrip()}\n\n{filled}"


def _answer_layer(preset: Preset | None) -> tuple[PromptLayer, ...]:
    """The form of the answer that a benchmark asks for, as the last layer of the system prompt."""
    if preset is None or not preset.answer_format:
        return ()
    return (PromptLayer("test", preset.answer_format, "append", Location(f"preset {preset.name}")),)


def _layers(suite: SuiteDataset | None, level: int) -> tuple[PromptLayer, ...]:
    return suite.level_layers.get(level, suite.layers) if suite is not None else ()


def read_suite_dataset(
    dataset: SuiteDataset,
    root: Path,
    *,
    evaluator: str | None = None,
    rollout: RolloutMode | None = None,
    golds_needed: bool = True,
    by_likelihood: bool = False,
) -> DatasetReader:
    """A reader of a suite's `dataset.json`; paths in messages are relative to the suite's `root`.

    Raises:
        ConfigurationError: the file cannot be read, has no rows, or lacks a named column.
    """
    try:
        shown = dataset.file.relative_to(root).as_posix()
    except ValueError:
        shown = str(dataset.file)
    return DatasetReader(
        dataset.spec,
        evaluator=evaluator or dataset.evaluator_id,
        rollout=rollout or dataset.rollout,
        source=dataset.source,
        shown_path=shown,
        filters=dataset.filters,
        limit=dataset.limit,
        sample=dataset.sample,
        seed=dataset.seed,
        suite_dataset=dataset,
        golds_needed=golds_needed,
        by_likelihood=by_likelihood,
    )
