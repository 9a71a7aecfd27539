"""Whether the words before a call say that it is only shown: an example, a form, what is not to be run."""

from __future__ import annotations

import re

_EXAMPLES = (
    r"(?:\b(?:examples?|e\.g|beispiel\w*|z\.\s?b|bspw|exemples?|exempla\w*|p\.\s?ex|ejemplos?|p\.\s?ej|esemp[io]\w*|exemplos?"
    r"|(?:bij)?voorbeeld\w*|bijv|przykład\w*|np\.|(?:na)?příklad\w*|пример\w*|например|приклад\w*|наприклад|(?:ek|ex)s?empe?l\w*"
    r"|esimerk\w*|örne[kğ]\w*|contoh\w*|misalnya|ví dụ|példa\w*|exempl[ue]\w*)(?!\w)|παράδειγμα"
    r"|例如|比如|譬如|示例|举例|舉例|範例|范例|例子|例えば|たとえば|の例|例[:：]|예를 들어?|예시|예컨대|예[:：]"
    r"|مثال|مثلا|उदाहरण|ตัวอย่าง)"
)
"""An example in the languages that models answer in most."""
_LEADING = re.compile(
    _EXAMPLES + r"|\b(?:instance|such as|would|could|might|may|format|syntax|instead|not|never|cannot|\w+n't|if|schema"
    r"|template|hypothetical\w*|suppose|imagine|looks? like|like this|do you want|shall i|should i|defin\w+)\b",
    re.IGNORECASE,
)
_RIGHT_BEFORE = re.compile(
    rf"(?:{_EXAMPLES}|\bfor instance)(?:\W+(?:so|call|like|this|of|a|tool)\b){{0,4}}\W*\Z"
    r"|\b(?:would|could) write\b|\b(?:format|syntax|template|schema) (?:is|would be|looks like)\b"
    r"|\b(?:do not|don['’]t|never) (?:run|call|execute|use|send|invoke|copy)\b"
    r"|\bnicht (?:ausführen|aufrufen)\b|\bn['’e] ?(?:exécute|lance|appele)[zs]? pas\b|\bno (?:ejecut|invoqu)\w+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<!\b\w)(?<!\bex)(?<!\bej)(?<!\bnp)(?<!\bbijv)[.!?]\s+|[。！？]|\n\s*\n")
_TAG = re.compile(r"<[^<>]{0,200}>")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NEAR = 200


def speaks_of_example(before: str) -> bool:
    """Whether an introduction leads to what is only shown, or may be: enough where no mark says that it is a call."""
    return _LEADING.search(before) is not None


def is_shown(before: str, behind: str) -> bool:
    """Whether a call in marks is only shown: the sentence that leads to it says so, and the answer goes on behind it."""
    sentence = _SENTENCE.split(before[-_NEAR:].rstrip())[-1]
    return _RIGHT_BEFORE.search(sentence) is not None and _WORD.search(_TAG.sub("", behind)) is not None
