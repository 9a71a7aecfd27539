"""What LLM judges are worth: measured on people's labels, kept as certificates, compared with what judges a run now."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from modex.core.features.certify.query import CertificateRow, certificates
from modex.core.features.review.agreement import Agreement, agreement
from modex.core.features.review.query import ReviewRow, reviews
from modex.core.statistics.corrected import Corrected, corrected_rate
from modex.core.statistics.distributions import LEVEL_TEXT, normal_p
from modex.core.statistics.intervals import Interval
from modex.core.statistics.judging import Probes, Share, faults
from modex.core.store.bounds import open_judgements
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.summary import clusters_by_test

_UNLIKELY = 0.001
"""Below this chance, labelled answers are taken for another choice than a random draw."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The answers of a run that one evaluator's LLM judges gave verdicts on, and what people say of them."""

    run: RunRow
    evaluator_id: str
    agreement: Agreement
    corrected: Corrected | None
    """The pass rate as people would have given it; None with too few labels, or with labels that are no random draw."""
    drawn: bool
    """Whether the labelled answers pass about as often as all do."""
    authors: tuple[str, ...] = ()
    open: int = 0
    """Answers without a verdict for a reason that the model can cause; they are in no rate."""

    @property
    def ends(self) -> Interval | None:
        """The corrected rate with all of those wrong, and all right; None without a rate or without such answers."""
        if self.corrected is None or not self.open:
            return None
        right, every = self.corrected.rate * self.corrected.answers, self.corrected.answers + self.open
        return right / every, (right + self.open) / every

    @property
    def sensitivity(self) -> Share:
        """Of the answers that people hold to be right, those that the judge passed."""
        return Share(*self.agreement.sensitivity)

    @property
    def specificity(self) -> Share:
        """Of the answers that people hold to be wrong, those that the judge failed."""
        return Share(*self.agreement.specificity)


def judged(reader: Reader, run: RunRow) -> list[Judged]:
    """The LLM-judged answers of a run, by evaluator."""
    if not run.judged_by:
        return []
    stated = [row for row in reviews(reader, [run.id]) if row.evaluator_id in run.judged_by]
    found = []
    for evaluator_id in sorted(run.judged_by):
        own = [row for row in stated if row.evaluator_id == evaluator_id]
        found.append(_judged(reader, run, evaluator_id, own))
    return found


def _judged(reader: Reader, run: RunRow, evaluator_id: str, rows: list[ReviewRow]) -> Judged:
    people = _settled(rows)
    labelled: list[tuple[float, float]] = []
    unlabelled: list[float] = []
    units: tuple[list[Hashable], list[Hashable]] = [], []
    clusters = clusters_by_test(reader.database, run.id)
    for head in _heads(reader, run, evaluator_id):
        verdict = float(head.status == "passed")
        test = (head.source, head.domain, head.level, head.test_id)
        units[head.id not in people].append(clusters.get(test, test))
        if head.id in people:
            labelled.append((people[head.id], verdict))
        else:
            unlabelled.append(verdict)
    drawn = _is_draw([judge for _, judge in labelled], unlabelled)
    corrected = corrected_rate(labelled, unlabelled, units) if drawn else None
    authors = tuple(sorted({row.author for row in rows if row.own_verdict is not None and not row.stale}))
    open_ = open_judgements(reader, run.id, evaluator_id) if run.error_tests else 0
    return Judged(run, evaluator_id, agreement(rows), corrected, drawn, authors, open_)


def to_try(reader: Reader, found: Judged, again: int, claims: int, *, seed: int) -> tuple[list[int], list[int]]:
    """Ids drawn by seed for probing a judge: `again` of its verdicts, `claims` of the wrong answers that it failed."""
    run, evaluator_id = found.run, found.evaluator_id
    people = _settled(row for row in reviews(reader, [run.id]) if row.evaluator_id == evaluator_id)
    heads = list(_heads(reader, run, evaluator_id))
    wrong = [head.id for head in heads if head.status == "failed" and people.get(head.id) == 0.0]
    every, draw = [head.id for head in heads], Random(f"{seed} {evaluator_id}")
    return draw.sample(every, min(again, len(every))), draw.sample(wrong, min(claims, len(wrong)))


def _heads(reader: Reader, run: RunRow, evaluator_id: str) -> Iterable[Any]:
    query = SampleQuery(statuses=("passed", "failed"))
    return (head for head in reader.heads(run.id, query, limit=1_000_000) if head.evaluator_id == evaluator_id)


def _settled(rows: Iterable[ReviewRow]) -> dict[int, float]:
    """What people hold each answer to be; where they differ evenly, nothing."""
    votes: dict[int, int] = {}
    for row in rows:
        if not row.stale and row.own_verdict is not None and row.status in ("passed", "failed"):
            votes[row.result_id] = votes.get(row.result_id, 0) + (1 if row.own_verdict == "passed" else -1)
    return {id_: float(vote > 0) for id_, vote in votes.items() if vote}


def _is_draw(labelled: list[float], others: list[float]) -> bool:
    """Whether labelled answers may be a random draw: the judge passes them about as often as the others."""
    m, n = len(labelled), len(others)
    if not m or not n:
        return True
    together = (sum(labelled) + sum(others)) / (m + n)
    spread = together * (1 - together) * (1 / m + 1 / n)
    if spread <= 0:
        return True
    return normal_p((sum(labelled) / m - sum(others) / n) / spread**0.5) >= _UNLIKELY


@dataclass(frozen=True, slots=True)
class Certified:
    """What was found of one evaluator's judges."""

    evaluator_id: str
    models: tuple[str, ...]
    agreement: Agreement
    sensitivity: Share
    specificity: Share
    probes: Probes = field(default_factory=Probes)
    authors: tuple[str, ...] = ()
    drawn: bool = True

    @property
    def faults(self) -> list[str]:
        """What is wrong with the judges beyond doubt."""
        return faults(self.sensitivity, self.specificity, self.probes)

    def as_json(self) -> dict[str, Any]:
        """What is stored and printed for scripts."""
        shares = {
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
            **{name: getattr(self.probes, name) for name in Probes.__dataclass_fields__},
        }
        return {
            "evaluator": self.evaluator_id,
            "models": list(self.models),
            "labels": self.agreement.number,
            "authors": list(self.authors),
            "random_draw": self.drawn,
            "kappa": self.agreement.kappa,
            "agreed": self.agreement.agreed,
            "agreed_by_constant": self.agreement.constant,
            **{name: {**asdict(one), "rate": one.rate, "interval": one.interval} for name, one in shares.items()},
            "faults": self.faults,
        }


def certified(found: Judged, probes: Probes) -> Certified:
    """What the labels of a run and the probes say of one evaluator's judges."""
    models = tuple(found.run.judged_by[found.evaluator_id].get("models", ()))
    return Certified(
        found.evaluator_id, models, found.agreement, found.sensitivity, found.specificity, probes, found.authors,
        found.drawn,
    )  # fmt: skip


def certified_lines(found: Certified) -> list[str]:
    """A certificate in words."""
    head = f"{found.evaluator_id}, judged by {', '.join(found.models) or 'an unnamed judge'}"
    agreed = found.agreement
    lines = [f"{head}: {agreed.number} labels by {', '.join(found.authors) or 'nobody'}"]
    if agreed.number:
        kappa = "–" if agreed.kappa is None else f"{agreed.kappa:.2f}"
        lines.append(
            f"  agrees with people on {_share(Share(agreed.agreed, agreed.number))}, κ {kappa};"
            f" a constant answer would on {100 * agreed.constant / agreed.number:.1f} %, κ 0"
        )
    for name, share in (
        ("passes right answers (sensitivity)", found.sensitivity),
        ("fails wrong answers (specificity)", found.specificity),
        ("flips when it judges the same again", found.probes.flips),
        ("prefers the first of two", found.probes.first),
        ("passes a wrong answer that says it is right", found.probes.obeyed),
    ):
        if share.of:
            lines.append(f"  {name}: {_share(share)}")
    if not found.drawn:
        lines.append("  the labelled answers are no random draw: `modex review EXP --order random` draws one")
    return [*lines, *(f"  fault: {fault}" for fault in found.faults)]


def _share(share: Share) -> str:
    low, high = share.interval or (0.0, 1.0)
    return f"{100 * (share.rate or 0):.1f} % of {share.of} ({LEVEL_TEXT}: {100 * low:.1f} to {100 * high:.1f})"


@dataclass(frozen=True, slots=True)
class JudgeStanding:
    """How one evaluator's judges of a run stand: certified as they are, as they were, or not at all."""

    evaluator_id: str
    certificate: CertificateRow | None
    stale: str = ""
    """What is another than when it was certified; empty where the certificate holds."""

    @property
    def holds(self) -> bool:
        """Whether the judges are those that were certified."""
        return self.certificate is not None and not self.stale

    @property
    def words(self) -> str:
        """The standing in a sentence."""
        if self.certificate is None:
            return f"{self.evaluator_id}: its judge has no certificate; `modex certify EXP` makes one from labels"
        on = f"certificate of {self.certificate.created_at[:10]} on labels of {self.certificate.exp_id}"
        if self.stale:
            return f"{self.evaluator_id}: the {on} is stale: {self.stale}; certify again"
        wrong = self.certificate.found.get("faults") or []
        return f"{self.evaluator_id}: {on}" + (f"; faults: {'; '.join(wrong)}" if wrong else "")


def standings(reader: Reader, run: RunRow) -> list[JudgeStanding]:
    """How the judges of a run stand, by evaluator."""
    return [_standing(reader, name, now) for name, now in sorted(run.judged_by.items())]


def _standing(reader: Reader, evaluator_id: str, now: Mapping[str, Any]) -> JudgeStanding:
    known = certificates(reader, evaluator_id)
    for one in known:
        if (one.model_digest, one.prompt_digest) == (now.get("model"), now.get("prompt")):
            return JudgeStanding(evaluator_id, one)
    if not known:
        return JudgeStanding(evaluator_id, None)
    (newest, *_) = known
    changed = [
        words
        for words, then, name in (
            ("another judge model or other settings", newest.model_digest, "model"),
            ("another judge prompt", newest.prompt_digest, "prompt"),
        )
        if then != now.get(name)
    ]
    return JudgeStanding(evaluator_id, newest, " and ".join(changed))


def corrected_lines(reader: Reader, run: RunRow) -> list[str]:
    """The judged pass rates of a run beside the corrected ones, and how its judges stand; nothing where no LLM judged."""
    lines = []
    for one in judged(reader, run):
        if (fixed := one.corrected) is not None:
            low, high = fixed.interval
            lines.append(
                f"{one.evaluator_id}: pass rate {100 * fixed.judged:.1f} as judged, {100 * fixed.rate:.1f} corrected by"
                f" {fixed.labels} labels ({LEVEL_TEXT}: {100 * low:.1f} to {100 * high:.1f}, n {fixed.answers})"
                f"{_left_open(one)}"
            )
        elif not one.drawn:
            lines.append(f"{one.evaluator_id}: labels are no random draw, so the judged pass rate is not corrected")
    return lines + [one.words for one in standings(reader, run) if one.certificate is not None]


def _left_open(one: Judged) -> str:
    """`; 9 answers without a verdict leave it between 70.0 and 80.0`; empty where all have one."""
    if one.ends is None:
        return ""
    answers = "1 answer without a verdict leaves" if one.open == 1 else f"{one.open:,} answers without a verdict leave"
    return f"; {answers} it between {100 * one.ends[0]:.1f} and {100 * one.ends[1]:.1f}"


def corrected_briefly(reader: Reader, run: RunRow) -> list[str]:
    """The same for a screen, a judge a line: both rates in few words, and whether its certificate holds."""
    known = {one.evaluator_id: one for one in standings(reader, run)}
    lines = []
    for one in judged(reader, run):
        phrases = []
        if (fixed := one.corrected) is not None:
            low, high = fixed.interval
            rates = f"{100 * fixed.judged:.1f} as judged, {100 * fixed.rate:.1f} corrected"
            phrases.append(
                f"pass rate {rates} ({100 * low:.1f} to {100 * high:.1f}, {fixed.labels} labels){_left_open(one)}"
            )
        standing = known[one.evaluator_id]
        if standing.certificate is not None:
            wrong = standing.certificate.found.get("faults") or []
            state = "stale" if standing.stale else f"faults: {', '.join(wrong)}" if wrong else "holds"
            phrases.append(f"certificate {state}")
        if phrases:
            lines.append(f"{one.evaluator_id} {', '.join(phrases)}")
    return lines


def judging_json(reader: Reader, run: RunRow) -> list[dict[str, Any]]:
    """The same for scripts."""
    known = {one.evaluator_id: one for one in standings(reader, run)}
    return [
        {
            "evaluator": one.evaluator_id,
            "labels": one.agreement.number,
            "corrected": asdict(one.corrected) if one.corrected is not None else None,
            "without_verdict": one.open,
            "corrected_bounds": one.ends,
            "random_draw": one.drawn,
            "certified": known[one.evaluator_id].holds,
            "certificate": known[one.evaluator_id].words,
        }
        for one in judged(reader, run)
    ]
