"""What became of PASS 2, in words: why its reply was not used, and what stands instead."""

from __future__ import annotations

from modex.core.answers.found import Extracted
from modex.core.verdict.folding import fold_line, shown

_LONGEST = 80
_STANCES = {
    "denied": "which the response denies",
    "corrected": "which the response takes back",
    "doubted": "to which the response does not commit itself",
    "asked": "which the response only asks",
    "echoed": "which the response has from the question",
    "reported": "which the response says of others",
    "refused": "which the response says it does not know",
    "part": "which is a part of a larger expression",
    "foreign": "which belongs to another question",
}


def fault_words(part: Extracted) -> str:
    """Why the extractor's reply was not used (`PASS 2 quoted 'Paris', which the response denies`); empty where it was."""
    offered = fold_line(shown(part.offered), _LONGEST)
    match part.fault:
        case "":
            return ""
        case "found_nothing":
            return "PASS 2 found nothing"
        case "unreadable":
            return "the reply of PASS 2 could not be read"
        case "not_in_response":
            return f"PASS 2 offered {offered!r}, which is not in the response"
        case "not_asserted":
            return f"PASS 2 quoted {offered!r}, {_STANCES.get(part.stance, 'which the response does not assert')}"
        case "contradicted":
            return f"PASS 2 quoted {offered!r}, and the response gives another answer"
        case other:
            return f"PASS 2: {other.replace('_', ' ')}"


def pass2_words(part: Extracted) -> str:
    """`fault_words` with what stands instead: the reading by rules, or nothing."""
    words = fault_words(part)
    if not words:
        return ""
    return f"{words}; the rules {'find no answer' if part.state == 'no_answer' else 'read the response'}"
