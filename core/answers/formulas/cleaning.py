"""LaTeX and Unicode spellings of the same sign made one, before a formula is read."""

from __future__ import annotations

import re
import unicodedata

from modex.core.answers.numbers.reading import joined_boxes, last_boxed

_SIGNS = {
    **dict.fromkeys("−–﹣－", "-"),
    **dict.fromkeys("×·⋅∙∗", "*"),
    "÷": "/",
    "∕": "/",
    "⁄": "/",
    "＋": "+",
    "＝": "=",
    "±": r"\pm ",
    "∓": r"\mp ",
    "∞": r"\infty ",
    "√": r"\sqrt ",
    "≤": r"\le ",
    "≥": r"\ge ",
    "≠": r"\ne ",
    "≈": r"\approx ",
    "∈": r"\in ",
    "∪": r"\cup ",
    "∩": r"\cap ",
    "∅": r"\emptyset ",
    "ℝ": r"\mathbb{R}",
    "ℤ": r"\mathbb{Z}",
    "ℕ": r"\mathbb{N}",
    "ℚ": r"\mathbb{Q}",
    "∖": r"\setminus ",
    "⌊": r"\lfloor ",
    "⌋": r"\rfloor ",
    "⌈": r"\lceil ",
    "⌉": r"\rceil ",
    "°": r"^\circ ",
    "％": "%",
    "｜": "|",
    "\u2061": "",
    "\u200b": "",
    "\ufeff": "",
}
_LOWER = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon "
    "phi chi psi omega"
)
_UPPER = {"Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "ϕ": "phi"}
_GREEK = {chr(0x3B1 + index): f"\\{name} " for index, name in enumerate(_LOWER.split(" "))} | {
    letter: f"\\{name} " for letter, name in _UPPER.items()
}
_TABLE = str.maketrans({**_SIGNS, **_GREEK})
_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
_SUB = "₀₁₂₃₄₅₆₇₈₉"
_COMMANDS = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "leq": "le", "leqslant": "le", "geq": "ge", "geqslant": "ge",
    "neq": "ne", "lt": "<", "gt": ">", "cdot": "*", "times": "*", "ast": "*", "div": "/", "colon": ":", "degree": "^\\circ ",
    "varnothing": "emptyset", "R": "mathbb{R}", "reals": "mathbb{R}", "Reals": "mathbb{R}",
    "lvert": "|", "rvert": "|", "vert": "|", "mid": "|",
    "langle": "⟨", "rangle": "⟩",
    "lbrace": "\\{", "rbrace": "\\}", "lbrack": "[", "rbrack": "]", "backslash": "setminus", "dbinom": "binom",
    "tbinom": "binom", "textbf": "text", "textrm": "text", "mathrm": "text", "mbox": "text", "textit": "text",
    "mathbf": "text", "mathit": "text", "textnormal": "text", "hbox": "text", "varphi": "phi", "varepsilon": "epsilon",
    "vartheta": "theta", "lor": "\\text{ or }", "vee": "\\text{ or }", "land": "\\text{ and }", "wedge": "\\text{ and }",
}  # fmt: skip
_DECIMAL_POWER = re.compile(r"\^ ?(-?[0-9]{1,9}\.[0-9]{1,9})(?![0-9])")
"""A decimal as an exponent without braces: `2^0.5`, of which LaTeX alone would raise to 0."""
_DROPPED = re.compile(
    r"\\(?:left|right|displaystyle|textstyle|limits|bigl?|bigr|Bigl?|Bigr|mathstrut|notag|rm|quad|qquad)(?![a-zA-Z])\s?|\\[!;:>]"
)


_LABEL = re.compile(
    r"^(?:the |my )?(?:final |correct |exact )?(?:answer|result|solution)(?: is|:|=)+\s*", re.IGNORECASE
)


def cleaned(text: str) -> str:
    r"""One spelling of each sign; of boxes the last or those together, dollars, code marks and a final full stop taken off."""
    boxed = joined_boxes(text) or last_boxed(text)
    text = _LABEL.sub("", (text if boxed is None else boxed).strip(), count=1)
    text = re.sub(rf"[{_SUPER}]+", lambda m: "^{" + unicodedata.normalize("NFKC", m[0]).replace("−", "-") + "}", text)
    text = re.sub(rf"[{_SUB}]+", lambda m: "_{" + unicodedata.normalize("NFKC", m[0]) + "}", text)
    text = "".join(_vulgar(char) for char in text)
    text = text.translate(_TABLE)
    text = _undelimited(text.replace(r"\$", "＄").replace("\\\\", r"\cr "))
    text = re.sub(r"(?<=\d)(?:,\\!\s*|\{,\}\s?|\\,|\\ |\\!|~|[\u00a0\u202f\u2009])(?=\d{3}(?!\d))", "", text)
    text = re.sub(r"\\[, ]|~|[\u00a0\u202f\u2009\u3000]", " ", text)
    text = _DROPPED.sub("", text)
    text = re.sub(r"\\operatorname\*?\s*\{\s*(\w+)\s*\}", r"\\\1 ", text)
    text = re.sub(r"\\([a-zA-Z]+)", _command, text)
    text = re.sub(r"\s+", " ", text.replace("**", "^")).strip()
    return _DECIMAL_POWER.sub(r"^{\1}", text)


def _vulgar(char: str) -> str:
    """`½` as a fraction, full-width and foreign digits as ASCII."""
    if "０" <= char <= "９" or unicodedata.category(char) == "Nd":
        return str(unicodedata.decimal(char))
    if unicodedata.category(char) == "No" and "⁄" in (split := unicodedata.normalize("NFKC", char)):
        return "\\frac{{{}}}{{{}}}".format(*split.split("⁄"))
    return char


def _undelimited(text: str) -> str:
    previous = None
    while previous != text:
        previous = text
        text = text.strip().strip("`").strip()
        text = re.sub(r"^\*\*(.*)\*\*$", r"\1", text, flags=re.S)
        text = re.sub(r"(?<![.。])[.。]++$|(?<![\\,])[,;]$|\\cr ?$", "", text).strip()
        for opened, closed in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
            inner = text[len(opened) : -len(closed)]
            if (
                text.startswith(opened)
                and text.endswith(closed)
                and len(text) > 2 * len(opened)
                and opened not in inner
            ):
                text = inner
    return re.sub(r"(?<!\\)\$([^$]*)(?<!\\)\$", r"\1", text)


def _command(match: re.Match[str]) -> str:
    name = match[1]
    new = _COMMANDS.get(name)
    if new is None:
        return match[0]
    if new[0] in "\\*/<>:|[]^⟨⟩":
        return new
    return "\\" + new
