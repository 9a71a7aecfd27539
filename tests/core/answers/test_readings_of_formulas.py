"""What a formula states, and which formulas are equal."""

from __future__ import annotations

from tests.core.answers.readers import boxed, same_formula, statement
from tests.core.answers.tables import differing
from tests.rows import each_row

_STATEMENT = r"""
x = 5 => x = 5
y=2x+1 => y = (add (mul 2 x) 1)
1 < x \le 5 => x: (1, 5]
(1, 5] => : (1, 5]
\{1, 2, 3\} => set 1; 2; 3
(1,2) => tuple() 1; 2
[1,2] => tuple[] 1; 2
x \in (1,2)\cup[3,\infty) => x: (1, 2) u [3, )
x=1 or x=2 => list x = 1; x = 2
x = \pm 2 => x = list 2; (neg 2)
2\pi r => (mul (mul 2 pi) r)
\frac{1}{2}x^2 => (mul (div 1 2) (pow x 2))
\sqrt[3]{8} => (root 8 3)
\sqrt{2} => (root 2 2)
5! => (fact 5)
\binom{5}{2} => (binom 5 2)
\log_2 8 => (log 2 8)
\ln x => (fn:ln x)
e^{2x} => (pow e (mul 2 x))
\sin^2 x => (pow (fn:sin x) 2)
\sin x \cos x => (mul (fn:sin x) (fn:cos x))
2 \times 10^{-3} => (mul 2 (pow 10 (neg 3)))
5 \text{ cm} => 5 cm
5\% => 5 %
10_{2} => 10 base 2
101_2 => 101 base 2
3:4 => ratio 3; 4
\infty => infty
-\infty => (neg infty)
90^\circ => 90 °
12.5 => 12.5
1,234 => 1234
1 \frac{1}{2} => (add 1 (div 1 2))
f(x) = x^2 => - = (pow x 2) of f(x)
\mathbb{R} => : (, )
\emptyset => set
x > 3 => x: (3, )
-x^2 => (neg (pow x 2))
2^{3^2} => (pow 2 (pow 3 2))
(x+1)(x-1) => (mul (add x 1) (add x (neg 1)))
x(x+1) => (mul x (add x 1))
xy => (mul x y)
\lfloor 2.5 \rfloor => (floor 2.5)
\lceil x \rceil => (ceil x)
n! => (fact n)
\left(\frac{1}{2}\right)^n => (pow (div 1 2) n)
\overline{AB} => words '\\overline{AB}'
0.\overline{3} => (div 3 9)
0.333... => 0.333
5, 6, 7 => list 5; 6; 7
(1,2),(3,4) => list <tuple() 1; 2>; <tuple() 3; 4>
\$5 => 5 $
x_1 + x_2 => (add x_1 x_2)
\alpha + \beta => (add \alpha \beta)
2 + 3i => (add 2 (mul 3 i))
\cdot 5 => words '* 5'
3 \cdot 4 => (mul 3 4)
4 \div 2 => (div 4 2)
\max(1,2) => (fn:max 1 2)
\gcd(4,6) => (fn:gcd 4 6)
-$5 => (neg 5) $
.8 m/s^{2} => .8 m/s^2
5 $ => words '5 $'
;p=9,q2;q=2,p=5 => words ';p=9,q2;q=2,p=5'
\frac{\sqrt{one}}{3} => words '\\frac{\\sqrt{one}}{3}'
\left[\begin{array}{c}1\\2\\3\end{array}\right] => matrix <tuple() 1>; <tuple() 2>; <tuple() 3>
\log_{b}(x^2) => (log b (pow x 2))
"""


def test_a_formula_is_read_as_what_it_states() -> None:
    assert differing(_STATEMENT, statement) == []


_SAME_FORMULA = r"""
0.5|1/2 => equal numeric 1/2 1/2
0.33|1/3 => other numeric 33/100 1/3
0.333|1/3 => equal rounded 333/1000 1/3
0.34|1/3 => other numeric 17/50 1/3
\sqrt{2}|1.414 => equal rounded 141421356237309504880168872420969807857/100000000000000000000000000000000000000 707/500
\sqrt{2}|1.41 => equal rounded 141421356237309504880168872420969807857/100000000000000000000000000000000000000 141/100
\sqrt{2}|1.42 => other symbolic 141421356237309504880168872420969807857/100000000000000000000000000000000000000 71/50
\pi|3.14 => equal rounded 3141592653589793238462643383279502884197/1000000000000000000000000000000000000000 157/50
\pi|3.1416 => equal rounded 3141592653589793238462643383279502884197/1000000000000000000000000000000000000000 3927/1250
\pi|3.1415 => equal rounded 3141592653589793238462643383279502884197/1000000000000000000000000000000000000000 6283/2000
\pi|22/7 => other symbolic 3141592653589793238462643383279502884197/1000000000000000000000000000000000000000 22/7
x=5|5 => equal identical
5|x=5 => equal identical
x=5|y=5 => other equation
x=\pm 2|2,-2 => equal collection
\{1,2\}|\{2,1\} => equal collection
(1,2)|(2,1) => other collection
[1,2]|(1,2) => other collection
(1,2)|[1,2) => other region
\{1,2\}|1, 2 => equal collection
1,2|2,1 => equal collection
x^2-1|(x-1)(x+1) => equal symbolic
x^2-1|(x-1)(x-1) => other symbolic
\sin^2 x+\cos^2 x|1 => equal symbolic
\frac{x^2-1}{x-1}|x+1 => equal symbolic
\ln(e^x)|x => equal symbolic
2^{10}|1024 => equal numeric 1024 1024
10!|3628800 => equal numeric 3628800 3628800
\binom{5}{2}|10 => equal numeric 10 10
y=2x+1|y-2x=1 => equal equation
y=2x+1|2y=4x+2 => equal equation
y=2x+1|y=2x => other symbolic
x<3|(-\infty,3) => equal region
x<3|x\le3 => other region
1:2|2:4 => equal ratio
1:2|1/2 => other collection
50\%|0.5 => other numeric 50 1/2
50\%|50 => equal identical
5 \text{ cm}|5 => equal identical
5 \text{ cm}|50 \text{ mm} => other unit
5 \text{ cm}|5 \text{ m} => other unit
5|5 \text{ apples} => equal identical
\$5|5 => equal identical
30^\circ|\pi/6 => equal symbolic 30 30
30^\circ|30 => equal identical
2+3i|3i+2 => equal symbolic
e^{i\pi}|-1 => equal symbolic -1
\log_2 8|3 => equal symbolic 3 3
a+b|b+a => equal symbolic
ab|ba => equal symbolic
x>1 \text{ or } x<0|(-\infty,0)\cup(1,\infty) => equal region
\text{yes}|yes => equal identical
\infty|-\infty => other symbolic
0|1e-12 => other numeric 0 1/1000000000000
x^2+C|x^2+5 => other symbolic
1.5\times10^3|1500 => equal numeric 1500 1500
1{,}500|1500 => equal identical
3\frac{1}{2}|3.5 => equal numeric 7/2 7/2
3\frac{1}{2}|\frac{3}{2} => other numeric 7/2 3/2
-\frac{1}{2}|\frac{-1}{2} => equal numeric -1/2 -1/2
\frac12|0.50 => equal numeric 1/2 1/2
n(n+1)/2|\frac{n^2+n}{2} => equal symbolic
1/0|\infty => other numeric
0.999|1 => other numeric 999/1000 1
1 < x < 2|(1, 2) => equal region
1.4999999999999998|1000 => other numeric 7499999999999999/5000000000000000 1000
10:15|20:3 => other ratio
50\text{ miles per hour}|50 mph => equal identical
\begin{pmatrix}1&2&3\end{pmatrix}|[1,2,3] => equal matrix
\lim_{x\to 0} \frac{\sin x}{x}|1 => equal symbolic
\tan^{-1}(x)|\arctan x => equal identical
x=\pm 2|x=2 or x=-2 => equal collection
"""


def test_formulas_are_equal_by_what_they_state() -> None:
    assert differing(_SAME_FORMULA, lambda line: same_formula(*line.split("|"))) == []


_BOXED = r"""
, \boxed{} \boxed{2} => 2 / None
\box => None / None
\boxed{1}, \boxed{2} => 2 / 1, 2
"""


def test_the_last_box_is_read_with_its_braces() -> None:
    assert differing(_BOXED, boxed) == []


@each_row(
    ("gold", "text", "told"),
    [
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", "equal matrix"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[[1,2],[3,4]]", "equal matrix"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&3\\2&4\end{pmatrix}", "other matrix"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&5\end{pmatrix}", "other matrix"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"2\begin{pmatrix}\frac12&1\\\frac32&2\end{pmatrix}", "equal matrix"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\end{pmatrix}", "other matrix"),
        (
            r"\begin{pmatrix}1&2\\3&5\end{pmatrix}+\begin{pmatrix}4&1\\0&8\end{pmatrix}",
            r"\begin{pmatrix}5&3\\3&13\end{pmatrix}",
            "equal matrix",
        ),
        (
            r"\begin{pmatrix}1&2\\3&5\end{pmatrix}-\begin{pmatrix}4&1\\0&8\end{pmatrix}",
            r"\begin{pmatrix}-3&1\\3&-3\end{pmatrix}",
            "equal matrix",
        ),
        (
            r"\begin{pmatrix}1&2\\3&4\end{pmatrix}\begin{pmatrix}5&6\\7&8\end{pmatrix}",
            r"\begin{pmatrix}19&22\\43&50\end{pmatrix}",
            "equal matrix",
        ),
        (r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", "-2", "equal numeric"),
        (r"\det\begin{pmatrix}1&2\\3&4\end{pmatrix}", "-2", "equal numeric"),
        (r"\begin{vmatrix}2&0&1\\1&3&0\\0&1&4\end{vmatrix}", "25", "equal numeric"),
        (r"\begin{pmatrix}1&0\\0&1\end{pmatrix}", "I", "equal matrix"),
        (r"\begin{pmatrix}2&0\\0&2\end{pmatrix}", "2I", "equal matrix"),
        (r"\begin{pmatrix}2&0\\0&2\end{pmatrix}", "3I", "other matrix"),
        (r"\begin{pmatrix}2&1\\0&2\end{pmatrix}", "2I", "other matrix"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,2)", "equal matrix"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,2)^T", "equal matrix"),
        (r"\mathbb{R}\setminus\{1\}", r"x\ne 1", "equal region"),
        (r"(-\infty,2)\cup(2,\infty)", r"x \neq 2", "equal region"),
        (r"(1,2)\cup(2,3)", r"x \ne 2", "other region"),
        (r"\mathbb{R}\setminus\{1,2\}", r"x \ne 1, x \ne 2", "equal region"),
        (r"\frac{1}{\sqrt{2}}", r"\frac{\sqrt{2}}{2}", "equal symbolic"),
        ("1e100", "10^{100}", "equal numeric"),
        ("|x|", r"\sqrt{x^2}", "equal symbolic"),
        ("|x-1|", "|1-x|", "equal symbolic"),
        ("|x|", "x", "other symbolic"),
        ("|-3|", "3", "equal numeric"),
    ],
)
def test_matrices_regions_and_bars_are_compared_by_what_they_are(gold: str, text: str, told: str) -> None:
    assert same_formula(gold, text).split()[:2] == told.split()
