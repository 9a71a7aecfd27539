"""Whether a question asks what a program prints."""

from __future__ import annotations

import re

from modex.core.answers.text.choice import options_in
from modex.core.foundation.lazy_regex import deferred

_READ_CHARS = 12_000
_CODE = deferred(
    r"```|<code>|<pre>|(?:^|\n)(?: {4}|\t)\S[^\n]*[=(:;{]|\b(?:print|println|printf|puts|echo|console\.log|cout)\b ?[(<\"']"
    r"|\b[A-Za-z_]\w{0,40}\((?:[^()\n]{0,80})\)",
)
_PRINTS = deferred(
    r"\boutput(?:s|nya|-nya)?\b|\bwhat (?:does|will|is|gets|would)\b[^.?!\n]{0,60}\bprint(?:s|ed)?\b"
    r"|(?<!that )(?<!which )\bprints?\b[^.?!\n(]{0,30}\?|\bstdout\b"
    r"|\bkeluaran(?:nya)?\b|\b(?:di|ter|men)cetak\b|\bAusgabe\b|\bwas gibt\b|\bausgegeben\b|\b(?:salida|sortie|saída)\b"
    r"|\b(?:imprime|imprimirá|affiche|affichera|stampa|stamperà)\b|输出|打印|出力",
    re.IGNORECASE,
)
_OTHER = deferred(
    r"\byes or no\b|\bya atau tidak\b|\bja oder nein\b|\btrue or false\b|\bbenar atau salah\b"
    r"|\b(?:what|which) (?:option|choice|letter)s?\b|\b(?:opsi|pilihan|huruf) (?:yang )?mana\b"
    r"|\b(?:what|which) (?:data ?)?(?:type|kind|sort|class)\b"
    r"|\bwhich (?:sorting |search )?(?:algorithm|language|library|error|exception)\b"
    r"|\b(?:tipe|jenis)(?: data)? apa\b|\bapa (?:tipe|jenis)\b",
    re.IGNORECASE,
)
"""What a question about code asks for instead of what is printed: a verdict, an option, or the name of something."""


def asks_for_output(prompt: str) -> bool:
    """Whether a prompt shows or calls code and asks for its output; what it asks to be written as JSON or the like is none.

    A question that lists options, or asks for a verdict or a name, is answered by that in any case.
    """
    question = prompt[-_READ_CHARS:]
    return (
        _PRINTS.search(question) is not None
        and _CODE.search(question) is not None
        and _OTHER.search(question) is None
        and not options_in(question)
    )
