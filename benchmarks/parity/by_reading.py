"""Answers of which a person who read them says something else than the label that a script gave.

Read were those of MMLU-Pro where our verdict and the script's label differ (8), and failed ones without one letter for the script
in which the right option's words stand (19). Answers that only run in a circle keep the script's label.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

BY_READING: Mapping[str, tuple[bool, str]] = {
    "8d9c22ce884f": (False, "it gives two letters"),
    "aa0478e91a96": (False, "it gives six letters"),
    "4a312ddec9c5": (False, "it gives two letters"),
    "90fb17323fa7": (False, "it gives two letters"),
    "d27ae668c63d": (True, "it ends with the right option's number"),
    "ad611439c011": (True, "`Therefore, … is (X)`"),
    "20dcf05360cb": (True, "`The closest expression from the options is (X)`"),
    "94a597935dc5": (True, "`The answer is` and the letter as code"),
    "2ee273d77abd": (True, "one sentence, which says the question again with the right option's words"),
    "7b6bbf6d5c87": (True, "it says the right number of what is asked, again and again"),
    "e5c2ed747fea": (True, "it comes to the right number, and is cut off in its last sentence"),
}
"""Whether the text gives the right answer and what it does, by `digest`."""


def digest(question: str, text: str) -> str:
    """What an answer is found by here."""
    return sha256(f"{question}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
