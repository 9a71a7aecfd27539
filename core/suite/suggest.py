"""Near misses: the known word that a person most likely meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_LONGEST = 200


def one_typo_apart(left: str, right: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours turns `left` into `right`."""
    if left == right or abs(len(left) - len(right)) > 1:
        return False
    if len(left) > len(right):
        left, right = right, left
    start = 0
    while start < len(left) and left[start] == right[start]:
        start += 1
    if len(left) < len(right):
        return left[start:] == right[start + 1 :]
    if left[start + 1 :] == right[start + 1 :]:
        return True
    return left[start : start + 2] == right[start : start + 2][::-1] and left[start + 2 :] == right[start + 2 :]


def _folded(word: str) -> str:
    return word.casefold().replace("_", "").replace("-", "").replace(" ", "")


def near_miss(word: str, known: Iterable[str]) -> str | None:
    """The known key that `word` misses by one typo or by its spelling (`evaluatorId`, `Tool-IDs`), or None.

    Two-letter words are too short for a typo to be told from another word; only their spelling counts.
    """
    if len(word) > _LONGEST:
        return None
    folded = _folded(word)
    candidates = [key for key in known if key != word]
    for key in candidates:
        if _folded(key) == folded:
            return key
    for key in candidates:
        if min(len(key), len(word)) >= 3 and one_typo_apart(word, key):
            return key
    return None


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like `word`, where one is alike enough to be worth suggesting."""
    from difflib import get_close_matches

    names = list(known)
    exact = near_miss(word, names)
    if exact is not None:
        return exact
    if len(word) > _LONGEST:
        return None
    found = get_close_matches(word, names[:5000], n=1, cutoff=0.7)
    return found[0] if found else None


def there_are(known: Collection[str]) -> str:
    """`; there are a, b`, the first twelve."""
    shown = ", ".join(sorted(known)[:12])
    return f"; there are {shown}{', …' if len(known) > 12 else ''}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing."""
    name = closest(word, known)
    return f"; did you mean '{name}'?" if name is not None else ""
