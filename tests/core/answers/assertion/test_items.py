"""The words of a text as they are compared."""

from __future__ import annotations

from modex.core.answers.assertion.items import items_of
from tests.core.answers.tables import differing

_KEYS = r"""
fifty million people => #50000000 peopl
£50m => pound #50000000
50k => #50000
3bn => #3000000000
2b => #2000000000
5n => 5n
twenty-one => #21
twenty one => #21
twenty‑one => #21
twenty, one => #20 #1
twenty ten => #2010
twenty eleven => #2011
nineteen forty-five => #1945
nineteen oh five => #1905
nineteen o five => #1905
nineteen oh fifteen => #19 oh #15
nineteen oh 5 => #19 oh #5
twenty twelve => #2012
eighteen hundred => #1800
eighteen hundred and twelve => #1812
twenty first => #21
nineteen dozen => #19 #12
nineteen ninetieth => #19 #90
eleven nine => #11 #9
two hundred and five => #205
two hundred five => #205
2 hundred and 5 => #200 and. #5
2 hundred 5 => #200 #5
one hundred and => #100 and.
five million million => #5000000000000
twenty => #20
first => #1
3rd => #3
1,200 => #1200
1,200.50 => #1200.5
3.0 => #3
3.25 => #3.25
-5 => -#5
x -5 => x -#5
5-3 => #5 #3
(-5 => -#5
−5 => -#5
a-5 => a. #5
$-5 => dollar -#5
1648-51 => #1648 #1651
1648–51 => #1648 #1651
1648-47 => #1648 #47
1648-1651 => #1648 #1651
1648 51 => #1648 #51
1648/51 => #1648 #1651
3648-51 => #3648 #51
164-51 => #164 #51
1999-00 => #1999 00
in 19981 => in. #1998
May 19981 => may #1998
since 19981 it => sinc #1998 it.
town 19981 => town #19981
May 5 19981 => may #5 #1998
from 19981. => from. #1998
word12 => word
Paris1 => paris
Paris1. => paris
Paris1 is => paris is.
Paris1x => paris1x
Paris1234 => paris1234
ab1 => ab1
the3 => the.
in1998 => in. #1998
in 1998 => in. #1998
on12 => on. #12
in12x => in12x
until1999 => until. #1999
isParis => is. paris
inParis => in. paris
ofthe => ofth
onParis and => on. paris and.
byJohn => by. john
InParis => inparis
asIs => as. is.
isn => isn
VIII => #8
Henry VIII => henry #8
henry viii => henry viii
IVof => #4
IVofx => ivofx
XIVin => #14
I am => i. am.
I => i.
II => #2
MIX => mix
XL => #40
LXXXIX => lxxxix
CIV => civ
21stof => #21
21stof June => #21 @6
3rdof => #3
2001and => #2001
2001andx => 2001andx
1998in => #1998
Dan Brown => dan brown
dan => dan.
Al Gore => al gore
al => al.
The Who => the. who.
a => a.
the dog => the. dog
May 5 => may #5
may => may
Mars => mar
mar 3 => mar #3
Jan => @1
jan. => @1
1990s => 90s
90s => 90s
'90s => 90s
the eighties => the. eighty
U.S. => u s
U. S. => u s
O'Brien => obrien
don't => dont
Jean-Luc => jean luc
café => cafe
naïve => naiv
Straße => strass
3/4 => #3 #4
12:30 => #12 #30
10% => #10 percent
5€ => #5 euro
x2 => x2
2x => 2x
H2O => h2o
CO2 => co2
A1 => a1
1A => 1a
007 => 007
00 => 00
0 => #0
1e5 => 1e5
a1b2 => a1b2
twenty-first century => #21 century
half a million => half a. million
a dozen => a. #12
two dozen => #2 #12
thrice => #3
once upon => #1 upon
one => #1
One => #1
ONE => #1
TWO => #2
Two hundred => #200
hundred => hundr
Hundred men => hundr men
million => million
lakh => lakh
two lakh => #200000
3 crore => #30000000
100 thousand => #100000
1.5 million => #1500000
1.5 million and 3 => #1500000 and. #3
won 3 19981 => won #3 #19981
in 19981-5 => in. #19981 #5
of May 3 19981 => of. may #3 #1998
the 1234 => the. #1234
x in 19981 => x in. #1998
four hundred fifty => #450
four hundred and fifty => #450
5 hundred fifty => #500 #50
two hundred twelfth => #212
ofA => ofa
onAb => on. ab
onAbc => on. abc
2ndof => #2
12thof => #12
"""
"""Texts, and the keys of their words; a full stop marks a small word."""


def keys(text: str) -> str:
    return " ".join(f"{item.key}{'.' if item.small else ''}" for item in items_of(text))


def test_numbers_are_put_together_and_run_together_words_taken_apart() -> None:
    assert differing(_KEYS, keys) == []


def test_a_word_stands_where_it_is_written() -> None:
    text = "In1998 MrX saw -5 twenty-one XIVof Paris12."
    assert [text[item.start : item.end] for item in items_of(text)] == [
        "In", "1998", "MrX", "saw", "-5", "twenty-one", "XIV", "Paris",
    ]  # fmt: skip
