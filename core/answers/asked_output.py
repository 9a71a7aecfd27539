"""Whether a question asks what a program prints."""

from __future__ import annotations

import re

from modex.core.foundation.lazy_regex import deferred

_READ_CHARS = 12_000
_CODE = deferred(
    r"```|<code>|<pre>|(?:^|\n)(?: {4}|\t)\S[^\n]*[=(:;{]|\b(?:print|println|printf|puts|echo|console\.log|cout)\b ?[(<\"']"
    r"|\b[A-Za-z_]\w{0,40}\((?:[^()\n]{0,80})\)",
)
_PRINTS = deferred(
    r"\boutput(?:s|nya|-nya)?\b|\bwhat (?:does|will|is|gets|would)\b[^.?!\n]{0,60}\bprint(?:s|ed)?\b"
    r"|\bprints?\b[^.?!\n(]{0,30}\?|\bstdout\b"
    r"|\bkeluaran(?:nya)?\b|\b(?:di|ter|men)cetak\b|\bAusgabe\b|\bwas gibt\b|\bausgegeben\b|\b(?:salida|sortie|saída)\b"
    r"|\b(?:imprime|imprimirá|affiche|affichera|stampa|stamperà)\b|输出|打印|出力",
    re.IGNORECASE,
)


def asks_for_output(prompt: str) -> bool:
    """Whether a prompt shows or calls code and asks for its output; what it asks to be written as JSON or the like is none."""
    question = prompt[-_READ_CHARS:]
    return _PRINTS.search(question) is not None and _CODE.search(question) is not None
