r"""Reading one expression, LaTeX or plain, into a tree; strict: what is left over or unknown is an error, never ignored.

Products may be written without a sign (`2x`, `2(x+1)`); `/` binds as `*` does, so `1/2x` is x/2. A run of three letters or
more is a word, and no expression, where it holds a vowel and no function is called so.
"""

from __future__ import annotations

import re
from typing import NoReturn

from modex.core.answers.formulas.tree import FormulaError, Node, negated, number

_GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Sigma",
        "Phi",
        "Psi",
        "Omega",
        "ell",
        "hbar",
    ]
)
FUNCTIONS = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "arcsin",
        "arccos",
        "arctan",
        "arccot",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "arcsinh",
        "arccosh",
        "arctanh",
        "ln",
        "log",
        "lg",
        "exp",
        "gcd",
        "lcm",
        "min",
        "max",
    ]
)
_ALIASES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "sen": "sin", "tg": "tan", "ctg": "cot"}
_PLAIN = sorted(
    [*FUNCTIONS, *_ALIASES, "sqrt", "cbrt", "pi", "abs", "floor", "ceil", "theta", "infty"], key=len, reverse=True
)
_INVERSE = {
    "sin": "arcsin",
    "cos": "arccos",
    "tan": "arctan",
    "cot": "arccot",
    "sinh": "arcsinh",
    "cosh": "arccosh",
    "tanh": "arctanh",
}
_NUMBER = {
    "en": re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"),
    "comma": re.compile(r"\d{1,3}(?:\.\d{3})+(?![\d.])(?:,\d+)?|\d+,\d+|\d+(?:\.\d+)?"),
    "bracketed": re.compile(r"\d+(?:\.\d+)?|\.\d+"),
}
_SCIENTIFIC = re.compile(r"[eE]([+-]?\d{1,4})(?![\d.a-zA-Z])")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_REPEATED = re.compile(r"\.?\\overline ?\{ ?(\d+) ?\}")
_MAX_DEPTH = 80


def read_expression(text: str, *, comma: bool = False, bracketed: bool = False) -> Node:
    """The tree of a cleaned `text`.

    `comma` says that the comma is the decimal sign; `bracketed` that a comma separates (as in a tuple) and never groups.

    Raises:
        FormulaError: it is no single expression.
    """
    reader = _Reader(text, _NUMBER["comma" if comma else "bracketed" if bracketed else "en"])
    node = reader.sum()
    reader.blank()
    if reader.at < len(text):
        reader.fail("unexpected")
    return node


class _Reader:
    """A descent through the text; `at` is where it stands."""

    def __init__(self, text: str, numeral: re.Pattern[str]) -> None:
        self.text = text
        self.at = 0
        self._numeral = numeral
        self._depth = 0
        self._bars = 0

    def fail(self, what: str) -> NoReturn:
        raise FormulaError(f"{what} {self.text[self.at : self.at + 12]!r} at {self.at}")

    def blank(self) -> None:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1

    def take(self, *tokens: str) -> str | None:
        """The first of `tokens` that stands here, passed over; a command must end where its name does."""
        self.blank()
        for token in tokens:
            if self.text.startswith(token, self.at):
                end = self.at + len(token)
                if token[0] == "\\" and token[-1].isalpha() and self.text[end : end + 1].isalpha():
                    continue
                self.at = end
                return token
        return None

    def sum(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self.fail("too deep at")
        node = self._signed_product(first=True)
        while sign := self.take("+", "-", r"\pm", r"\mp"):
            term = self._signed_product(first=False)
            node = Node("add", (node, _apply_sign(sign, term)))
        self._depth -= 1
        return node

    def _signed_product(self, *, first: bool) -> Node:
        sign = self.take("+", "-", r"\pm", r"\mp") if first else self.take("-")
        return self._product() if sign is None else _apply_sign(sign, self._product())

    def _product(self) -> Node:
        node = self._power()
        while True:
            if sign := self.take("*", "/"):
                inverted = sign == "/"
                minus = self.take("-") is not None
                factor = self._power()
                factor = negated(factor) if minus else factor
                node = Node("div" if inverted else "mul", (node, factor))
            elif self._starts_factor():
                node = _juxtaposed(node, self._power())
            else:
                return node

    def _starts_factor(self) -> bool:
        self.blank()
        rest = self.text[self.at :]
        if not rest or rest[0] in "+-*/^_=<>!)]}:,;&%":
            return False
        if rest[0] == "|":
            return self._bars == 0 or (self._bars % 2 == 0)
        if rest[0] == "\\":
            return not re.match(
                r"\\(?:[},)\]]|rfloor|rceil|pm|mp|le|ge|ne|in|cup|cap|setminus|approx|to|text)(?![a-zA-Z])|\\text", rest
            )
        return not re.match(r"(?:and|or)\b", rest)

    def _power(self) -> Node:
        node = self._postfix(self._atom())
        if self.take("^"):
            if self.take(r"\circ", r"{\circ}"):
                return self._postfix(Node("degree", (node,)))
            exponent = self._exponent()
            return self._postfix(Node("pow", (node, exponent)))
        return node

    def _postfix(self, node: Node) -> Node:
        while True:
            self.blank()
            rest = self.text[self.at : self.at + 2]
            if rest[:1] == "!" and rest != "!=":
                self.at += 1
                if self.text[self.at : self.at + 1] == "!":
                    self.fail("double factorial")
                node = Node("fact", (node,))
            elif rest[:1] == "%" or rest == "\\%":
                self.at += len(rest) if rest == "\\%" else 1
                node = Node("percent", (node,))
            else:
                return node

    def _exponent(self) -> Node:
        self.blank()
        sign = self.take("-", "+")
        if self.text[self.at : self.at + 1] == "{":
            node = self._braced()
        elif match := re.match(r"\d+", self.text[self.at :]):
            self.at += match.end()
            node = number(match[0])
        else:
            node = self._atom()
            if self.take("^"):
                node = Node("pow", (node, self._exponent()))
        return negated(node) if sign == "-" else node

    def _braced(self) -> Node:
        """`{…}`; a bare sign or nothing in it is an error."""
        self.blank()
        if self.text[self.at : self.at + 1] != "{":
            self.fail("no brace at")
        self.at += 1
        node = self._inside()
        if not self.take("}"):
            self.fail("an open brace at")
        return node

    def _inside(self) -> Node:
        """An expression within brackets, where bars start anew."""
        bars, self._bars = self._bars, 0
        node = self.sum()
        self._bars = bars
        return node

    def _argument(self) -> Node:
        r"""What a command takes: `{…}`, else one digit, letter or command (`\frac12`, `\sqrt x`)."""
        self.blank()
        char = self.text[self.at : self.at + 1]
        if char == "{":
            return self._braced()
        if char.isdigit():
            self.at += 1
            return number(char)
        if char.isalpha():
            self.at += 1
            return _letter(char)
        return self._atom()

    def _atom(self) -> Node:
        self.blank()
        if self.at >= len(self.text):
            self.fail("something is missing at")
        char = self.text[self.at]
        if match := self._numeral.match(self.text, self.at):
            return self._number(match)
        if char in _CLOSING:
            self.at += 1
            node = self._inside()
            if not self.take(_CLOSING[char]):
                self.fail(f"no {_CLOSING[char]} at")
            return node
        if char == "|":
            return self._bars_around()
        if char == "\\":
            return self._command()
        if char.isalpha():
            return self._letters()
        return self.fail("unexpected")

    def _number(self, match: re.Match[str]) -> Node:
        self.at = match.end()
        digits = match[0]
        if self._numeral is _NUMBER["comma"]:
            if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", digits):
                digits = digits.replace(".", "")
            digits = digits.replace(",", ".")
        digits = digits.replace(",", "")
        if exponent := _SCIENTIFIC.match(self.text, self.at):
            self.at = exponent.end()
            return number(f"{digits}e{int(exponent[1])}")
        if self.text[self.at : self.at + 1] == "_":
            self.fail("a base at")
        if repeated := _REPEATED.match(self.text, self.at):
            self.at = repeated.end()
            return _repeating(digits, repeated[1])
        leaf = number(digits)
        mixed = re.compile(r"\s*\\frac\s*(?:\{(\d+)\}\s*\{(\d+)\}|(\d)(\d)(?!\d))|\s+(\d+)/(\d+)(?![\d.])").match(
            self.text, self.at
        )
        if mixed and "." not in digits:
            top, bottom = (part for part in mixed.groups() if part is not None)
            if 0 < int(top) < int(bottom):
                self.at = mixed.end()
                return Node("add", (leaf, Node("div", (number(top), number(bottom)))))
        return leaf

    def _bars_around(self) -> Node:
        self.at += 1
        bars, self._bars = self._bars, 1
        node = self.sum()
        if not self.take("|"):
            self.fail("an open bar at")
        self._bars = bars
        return Node("abs", (node,))

    def _letters(self) -> Node:
        run = re.compile(r"[^\W\d_]+").match(self.text, self.at)
        assert run is not None
        word = run[0]
        for name in _PLAIN:
            if word.startswith(name) and (
                len(word) == len(name) or name in ("pi", "sqrt", "ln", "sin", "cos", "tan", "log")
            ):
                self.at += len(name)
                return self._named(_ALIASES.get(name, name))
        prefixed = re.match(r"[a-zA-Z]{1,2}(?:sin|cos|tan|ln|log|exp|sqrt|pi)", word)
        if len(word) >= 3 and not prefixed and re.search(r"[eiou]", word[:-1].casefold()):
            self.fail("the word")
        self.at += 1
        return self._subscripted(word[0])

    def _subscripted(self, name: str) -> Node:
        """A variable with its subscript and primes."""
        if self.text[self.at : self.at + 1] == "_":
            match = re.compile(r"_(?:\{\s*(?:\\text\s*\{)?([\w, +-]+)\}?\s*\}|(\w))").match(self.text, self.at)
            if match is None:
                self.fail("a subscript at")
            self.at = match.end()
            return Node("var", text=f"{name}_{(match[1] or match[2]).replace(' ', '')}")
        while self.text[self.at : self.at + 1] == "'":
            self.at += 1
            name += "'"
        return _letter(name)

    def _command(self) -> Node:
        match = re.compile(r"\\([a-zA-Z]+|.)").match(self.text, self.at)
        if match is None:
            self.fail("a stray backslash")
        name = match[1]
        start, self.at = self.at, match.end()
        if name == "frac":
            top = self._argument()
            return Node("div", (top, self._argument()))
        if name == "binom":
            top = self._argument()
            return Node("binom", (top, self._argument()))
        if name in ("lfloor", "lceil"):
            node = self._inside()
            if not self.take("\\r" + name[1:]):
                self.fail("an open bracket at")
            return Node(name[1:], (node,))
        if name in ("sum", "prod"):
            return self._series(name)
        if name in ("pi", "infty", "sqrt") or name in FUNCTIONS or name in _ALIASES:
            return self._named(_ALIASES.get(name, name))
        if name in _GREEK:
            return self._subscripted("\\" + name)
        self.at = start
        return self.fail("unknown")

    def _named(self, name: str) -> Node:
        if name in ("pi", "infty"):
            return Node("const", text=name)
        if name == "theta":
            return self._subscripted("\\theta")
        if name == "sqrt":
            return self._root()
        if name == "cbrt":
            return Node("root", (self._argument(), number(3)))
        if name in ("abs", "floor", "ceil"):
            return Node(name, (self._bracket(),))
        if name in ("gcd", "lcm", "min", "max"):
            return self._several(name)
        return self._function(name)

    def _root(self) -> Node:
        index = number(2)
        self.blank()
        if self.text[self.at : self.at + 1] == "[":
            self.at += 1
            index = self._inside()
            if not self.take("]"):
                self.fail("an open root at")
        self.blank()
        digits = re.compile(r"\d+(?:\.\d+)?").match(self.text, self.at)
        if digits and not self.text.startswith("\\", self.at - 1):
            plain = self.text[max(0, self.at - 6) : self.at].rstrip()
            if plain.endswith("sqrt") and self.text[self.at - 1 : self.at] == " ":
                self.at = digits.end()
                return Node("root", (number(digits[0]), index))
        return Node("root", (self._argument(), index))

    def _bracket(self) -> Node:
        self.blank()
        if self.text[self.at : self.at + 1] not in ("(", "{", "["):
            self.fail("no bracket at")
        return self._atom()

    def _several(self, name: str) -> Node:
        if not self.take("(", "\\{"):
            self.fail("no bracket at")
        args = [self._inside()]
        while self.take(","):
            args.append(self._inside())
        if not self.take(")", "\\}"):
            self.fail("an open bracket at")
        return Node("fn", tuple(args), name)

    def _function(self, name: str) -> Node:
        power: Node | None = None
        base: Node | None = None
        for _ in range(2):
            if name in ("log", "lg") and self.take("_"):
                base = self._subscript()
            elif self.take("^"):
                power = self._exponent()
        if power == negated(number(1)) and name in _INVERSE:
            name, power = _INVERSE[name], None
        self.blank()
        argument = self._bracket() if self.text[self.at : self.at + 1] in ("(", "[", "{") else self._bare_argument()
        if name == "lg":
            base = base or number(10)
        node = Node("log", (base, argument)) if base is not None else Node("fn", (argument,), name)
        return Node("pow", (node, power)) if power is not None else node

    def _subscript(self) -> Node:
        if self.text[self.at : self.at + 1] == "{":
            return self._braced()
        digits = re.compile(r"\d+").match(self.text, self.at)
        if digits:
            self.at = digits.end()
            return number(digits[0])
        return self._argument()

    def _bare_argument(self) -> Node:
        r"""`\sin 2x`: a product without signs, up to the next function; a sign in front belongs to it."""
        minus = self.take("-") is not None
        node = self._power()
        while self._starts_factor():
            self.blank()
            ahead = self.text[self.at :]
            if ahead[0] in "([" or re.match(
                r"\\?(?:" + "|".join(sorted(FUNCTIONS, key=len, reverse=True)) + ")", ahead
            ):
                break
            node = _juxtaposed(node, self._power())
        return negated(node) if minus else node

    def _series(self, name: str) -> Node:
        r"""`\sum_{k=1}^{n} …`: the bound variable, both ends, and the product that follows."""
        match = re.compile(r"\s*_\s*\{\s*([a-zA-Z])\s*=\s*").match(self.text, self.at)
        if match is None:
            self.fail("no lower end at")
        self.at = match.end()
        low = self._inside()
        if not self.take("}") or not self.take("^"):
            self.fail("no upper end at")
        high = self._exponent()
        return Node(name, (low, high, self._product()), match[1])


def _repeating(digits: str, period: str) -> Node:
    r"""`0.1\overline{6}` as the fraction that it is."""
    whole, _, decimals = digits.partition(".")
    scale, nines = 10 ** len(decimals), 10 ** len(period) - 1
    return Node("div", (number(int((whole or "0") + decimals) * nines + int(period)), number(scale * nines)))


def _letter(name: str) -> Node:
    return Node("const", text=name) if name in ("e", "i") else Node("var", text=name)


def _apply_sign(sign: str, node: Node) -> Node:
    if sign == "+":
        return node
    return negated(node) if sign == "-" else Node(sign[1:], (node,))


def _juxtaposed(left: Node, right: Node) -> Node:
    """A product without a sign; a numeral on its right side is none (`2 3`, `x2`)."""
    if right.op == "num":
        raise FormulaError("a number after a factor without a sign")
    return Node("mul", (left, right))
