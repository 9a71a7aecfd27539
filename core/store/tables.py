"""The tables as Peewee models. The first four and their documented columns are a contract with users' scripts.

What a run and a sample hold stands in `RunRow` and `EvaluationSample`: a field there is a column here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import peewee as pw

from modex.core.store.columns import Column, Document, Held
from modex.core.store.exact import decode_json, decode_text, encode_json, encode_text
from modex.core.store.rows import RUN_COLUMNS
from modex.core.store.sample import SAMPLE_COLUMNS


class ExactText(pw.TextField):
    """Text that may hold anything a model can send."""

    def db_value(self, value: Any) -> Any:
        """To the column."""
        return encode_text(value) if isinstance(value, str) else value

    def python_value(self, value: Any) -> Any:
        """From the column."""
        return decode_text(value) if isinstance(value, str) else value


class JsonText(pw.TextField):
    """JSON as text: SQLite's and PostgreSQL's JSON functions read it, and no driver changes it."""

    def db_value(self, value: Any) -> Any:
        """To the column."""
        return None if value is None else encode_json(value.as_json() if isinstance(value, Document) else value)

    def python_value(self, value: Any) -> Any:
        """From the column."""
        return decode_json(value)


class _FromRow(pw.ModelBase):
    """Makes a model whose columns are the fields of `row`, but for those that the model's body gives itself."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, Any], columns: dict[str, Column] | None = None
    ) -> _FromRow:
        """Add the missing fields before Peewee makes the model."""
        given = {field.column_name or key for key, field in body.items() if isinstance(field, pw.Field)}
        added = {key: _field_of(column) for key, column in (columns or {}).items() if key not in given}
        made: _FromRow = super().__new__(cls, name, bases, {**body, **added})  # type: ignore[no-untyped-call]
        return made

    def __init__(
        self, name: str, bases: tuple[type, ...], body: dict[str, Any], columns: dict[str, Column] | None = None
    ) -> None:
        del columns
        super().__init__(name, bases, body)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


_PLAIN: dict[type, type[pw.Field[Any]]] = {
    str: pw.TextField,
    int: pw.BigIntegerField,
    float: pw.DoubleField,
    bool: pw.BooleanField,
}
_HELD: dict[Held | None, type[pw.Field[Any]]] = {Held.EXACT: ExactText, Held.JSON: JsonText}


def _field_of(column: Column) -> pw.Field[Any]:
    kind = _HELD[column.held] if column.held in _HELD else _PLAIN[column.kind]
    return kind(null=column.null, default=column.default)


class _Table(pw.Model, metaclass=_FromRow):
    class Meta:
        legacy_table_names = False


def fields_of(model: type[_Table], names: Iterable[str]) -> list[Any]:
    """The model's fields by the names of their columns."""
    return [model._meta.columns[name] for name in names]


class EvaluationRun(_Table, columns=RUN_COLUMNS):
    """One model over a selection of tests under one configuration; its columns are the fields of `RunRow`."""

    id = pw.AutoField()
    exp_id = pw.TextField(unique=True)
    started_at = pw.TextField(null=True, index=True)

    class Meta:
        table_name = "evaluation_runs"


class IndividualTestResult(_Table, columns=SAMPLE_COLUMNS):
    """One test × one epoch in one run; its columns are the fields of `EvaluationSample`."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)

    class Meta:
        table_name = "individual_test_results"
        indexes = (
            (("run", "source", "domain", "level", "test_id", "epoch"), True),
            (("run", "seq"), False),
            (("run", "position"), False),
            (("run", "domain", "level", "status", "score", "weight"), False),
            (("run", "cluster"), False),
        )


IndividualTestResult.add_index(
    IndividualTestResult.index(
        IndividualTestResult.run,
        IndividualTestResult.pass_of,
        where=IndividualTestResult.pass_of.is_null(False),
    )
)
IndividualTestResult.add_index(
    IndividualTestResult.index(
        IndividualTestResult.run,
        IndividualTestResult.position,
        where=IndividualTestResult.simulated_user.is_null(False),
        name="individual_test_results_run_id_simulated_user",
    )
)


class LevelScore(_Table):
    """One (domain, level) cell of a run's matrix."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    domain = pw.TextField()
    level = pw.IntegerField()
    average_score = pw.DoubleField(null=True)
    weight = pw.DoubleField()
    """The level's number."""
    total_tests = pw.IntegerField(default=0)
    passed_tests = pw.IntegerField(default=0)
    ci_low = pw.DoubleField(null=True)
    ci_high = pw.DoubleField(null=True)

    class Meta:
        table_name = "level_scores"
        indexes = ((("run", "domain", "level"), True),)


class TestResult(_Table):
    """One cell's totals; `level` NULL is the domain's own row (its Weighted Score)."""

    __test__ = False

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    domain = pw.TextField()
    level = pw.IntegerField(null=True)
    score = pw.DoubleField(null=True)
    status = pw.TextField(default="pending")
    total_tests = pw.IntegerField(default=0)
    passed_tests = pw.IntegerField(default=0)
    failed_tests = pw.IntegerField(default=0)
    error_tests = pw.IntegerField(default=0)
    total_tokens = pw.BigIntegerField(default=0)
    cost_usd = pw.DoubleField(null=True)
    duration_ms = pw.BigIntegerField(default=0)

    class Meta:
        table_name = "test_results"
        indexes = ((("run", "domain", "level"), True),)


class EarlierVerdict(_Table):
    """A judgement that a later one replaced; the rollout it judged stands in `individual_test_results`."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    result = pw.ForeignKeyField(IndividualTestResult, column_name="result_id", on_delete="CASCADE", index=True)
    judge_fingerprint = pw.TextField(null=True)
    evaluator_id = pw.TextField(default="")
    status = pw.TextField()
    score = pw.DoubleField(null=True)
    error_type = pw.TextField(null=True)
    error_message = ExactText(null=True)
    extracted_answer = ExactText(null=True)
    details = JsonText(default=dict)
    completed_at = pw.TextField(null=True)
    reason = ExactText(null=True)
    pass2_used = pw.BooleanField(default=False)
    verdict_flags = JsonText(null=True)

    class Meta:
        table_name = "earlier_verdicts"
        indexes = ((("run", "result"), False),)


class Review(_Table):
    """What a person says of a sample: agrees with the verdict or not, what kind of failure it is, in words."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=True)
    result = pw.ForeignKeyField(IndividualTestResult, column_name="result_id", on_delete="CASCADE", index=True)
    source_fingerprint = pw.TextField(null=True)
    """The sample's `rollout_fingerprint` when it was looked at: what was asked."""
    answer_digest = pw.TextField(null=True)
    """Of what the model answered when it was looked at: an answer that came later was not what was reviewed."""
    author = ExactText(default="")
    verdict = pw.TextField(null=True)
    """`agree` or `disagree` with the verdict that stood then, `unsure`, or NULL for a label or a note alone."""
    own_verdict = pw.TextField(null=True)
    """`passed` or `failed`: what the answer is in the person's eyes, whatever the judge says later; NULL where unsure."""
    label = ExactText(null=True)
    note = ExactText(null=True)
    created_at = pw.TextField()

    class Meta:
        table_name = "reviews"


class Certificate(_Table):
    """What a judge was found to be worth, on people's labels of one run; bound to the digests of what it was then."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=True)
    evaluator_id = pw.TextField(index=True)
    model_digest = pw.TextField()
    """Of the judges' models and settings."""
    prompt_digest = pw.TextField()
    """Of what the judges are told: templates and the evaluator's file."""
    found = JsonText(default=dict)
    """What was found, by name; see `docs/statistics.md`."""
    created_at = pw.TextField()

    class Meta:
        table_name = "certificates"


class Race(_Table):
    """A race of models: what is raced, and each look as it was decided. Its answers stand in its runs."""

    id = pw.AutoField()
    exp_id = pw.TextField(unique=True)
    status = pw.TextField(default="running")
    """`running`, `completed`, `stopped` or `aborted`."""
    config = JsonText(default=dict)
    """`contenders` (a run's name, its model, its configuration; no configuration for a stored run), `tests`, `peek`."""
    looks = JsonText(default=list)
    """Each look as `modex race --json` says it, the first first."""
    reason = ExactText(null=True)
    """Why it was stopped or aborted, for a person."""
    stop_wanted_at = pw.TextField(null=True)
    """When a viewer asked for a stop that was not done yet."""
    started_at = pw.TextField()
    completed_at = pw.TextField(null=True)

    class Meta:
        table_name = "races"


class RunEvent(_Table):
    """One line of a run's log: retries, holds, pauses, outages, errors."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    seq = pw.BigIntegerField()
    at = pw.TextField()
    kind = pw.TextField()
    """`info`, `warning`, `error`, or `limit`: what was found of how many calls at once are worth making."""
    result_id = pw.IntegerField(null=True)
    message = ExactText()

    class Meta:
        table_name = "run_events"
        indexes = ((("run", "seq"), False),)


class RunCommand(_Table):
    """A wish of a viewer (pause, resume, stop, skip, concurrency) until the runner takes it."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    command = pw.TextField()
    argument = JsonText(null=True)
    created_at = pw.TextField()
    handled_at = pw.TextField(null=True)

    class Meta:
        table_name = "run_commands"
        indexes = ((("run", "handled_at"), False),)


TABLES: tuple[type[_Table], ...] = (
    EvaluationRun,
    IndividualTestResult,
    LevelScore,
    TestResult,
    EarlierVerdict,
    Review,
    Certificate,
    Race,
    RunEvent,
    RunCommand,
)
OF_A_RUN: tuple[type[_Table], ...] = (
    Review,
    Certificate,
    EarlierVerdict,
    RunEvent,
    RunCommand,
    LevelScore,
    TestResult,
    IndividualTestResult,
)
"""What is deleted with a run, in this order; what refers to samples comes before them."""
