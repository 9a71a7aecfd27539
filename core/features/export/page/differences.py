"""How the runs of a page differ: two by their difference and its interval, more by what can be told apart from the best."""

from __future__ import annotations

from collections.abc import Sequence

from modex.core.comparison.wording import (
    WHAT_IS_OPEN,
    between,
    headline,
    nothing_shared_words,
    open_difference,
    p_value,
    sentence,
    those,
    unscored_words,
    verdict,
)
from modex.core.features.compare.compare import Comparison, compare, pairing_notes
from modex.core.features.compare.several import OPEN_PLACE, Several, compare_several, open_lines
from modex.core.features.export.page.text import line, score, shown
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow


def differences(reader: Reader, runs: Sequence[RunRow]) -> str:
    """The section with the numbers of `modex compare`."""
    if len(runs) == 2:
        return _pair(compare(reader, *runs))
    return _several(compare_several(reader, runs))


def _pair(found: Comparison) -> str:
    overall = found.overall
    if overall is None:
        why = sentence(nothing_shared_words(found.questions.otherwise, found.questions.twice))
        return f"<section><h2>Difference</h2><p>{shown(why)}</p></section>\n"
    bounded = any(open_difference(one) for one in found.domains.values())
    rows = "".join(
        f'<tr><th scope="row">{line(domain, 40)}</th><td>{one.n}</td><td>{score(one.first_score)}</td>'
        f"<td>{score(one.second_score)}</td><td>{100 * one.difference:+.1f}</td><td>{between(one.interval)}</td>"
        f"{f'<td>{open_difference(one)}</td>' if bounded else ''}<td>{one.lost}</td><td>{one.gained}</td>"
        f"<td>{p_value(one.holm_p)}</td></tr>"
        for domain, one in found.domains.items()
    )
    more = ("without a verdict wrong or right",) if bounded else ()
    named = ("domain", "n", "first", "second", "difference", "interval", *more, "lost", "gained", "p (Holm)")
    lacking = (
        f"<p>{sentence(unscored_words(found.unscored))} {sentence(WHAT_IS_OPEN)}</p>"
        if open_difference(overall)
        else ""
    )
    lacking += "".join(f"<p>{shown(sentence(words))}</p>" for words in pairing_notes(found))
    return (
        f"<section><h2>{line(found.second.exp_id, 100)} against {line(found.first.exp_id, 100)}</h2>"
        f"<p><b>{shown(headline(overall))}</b><br>{shown(verdict(overall))}</p>{lacking}"
        f'<table class="runs"><thead><tr>{_heads(named)}</tr></thead><tbody>{rows}</tbody></table></section>\n'
    )


def _several(found: Several) -> str:
    if not found.n:
        return "<section><h2>Differences</h2><p>The runs share no test that all have a verdict for.</p></section>\n"
    rows = []
    for place in found.places:
        against = place.against_best
        told = "<td>best</td><td></td><td></td>"
        if against is not None:
            told = f"<td>{100 * against.difference:+.1f}</td><td>{between(against.interval)}</td><td>{p_value(place.holm_p)}</td>"
        name = line(place.run.exp_id, 60)
        mark = OPEN_PLACE if place.open_place else ""
        marked = name if place.worse else f"<b>{name}</b>"
        rows.append(f'<tr><th scope="row">{marked}</th><td>{score(place.score)}{mark}</td>{told}</tr>')
    named = ("run", "score", "against the best", "interval", "p (Holm)")
    return (
        f"<section><h2>Differences</h2><p>Weighted Scores over the {those(found.n, 'test')} that all have a verdict for;"
        f" those in bold may be the best.</p>"
        f'<table class="runs"><thead><tr>{_heads(named)}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        f"{''.join(f'<p>{shown(words)}</p>' for words in open_lines(found))}</section>\n"
    )


def _heads(names: Sequence[str]) -> str:
    return "".join(f'<th scope="col">{name}</th>' for name in names)
