"""Numbers, quantities, dates and times, as they are written and as they are compared."""

from __future__ import annotations

from tests.core.answers.readers import asks, dates, equal, expects, number, numbers, quantities, times, worded
from tests.core.answers.tables import differing

_NUMBER = r"""
en|1,234.50 => 2469/2 .2 6 digits
en|1,23 => -
en|12,345,678 => 12345678 .0 8 digits
en|1.234,5 => -
en|.5 => 1/2 .1 1 digits
en|5. => 5 .0 1 digits
en|-0.50 => -1/2 .2 2 digits
en|+7 => 7 .0 1 digits
en|−3 => -3 .0 1 digits
en|1e5 => 100000 .-5 1 digits
en|1.50e-3 => 3/2000 .5 3 digits
en|2.5×10^6 => 2500000 .-5 2 digits
en|10^-3 => 1/1000
en|1/3 => 1/3
en|1 1/2 => 3/2
en|2½ => 5/2
en|50 % => 50% % .0 2 digits
en|50 percent => 50% % .0 2 digits
en|0.5% => 1/2% % .1 1 digits
en|$1.5 million => 1500000 $
en|USD 20 => 20 USD .0 2 digits
en|€3.20 => 16/5 € .2 3 digits
en|£5bn => 5000000000 £
en|3k => 3000
en|12 km => 12 km .0 2 digits
en|6 ft => 6 ft .0 1 digits
en|100°C => 100 °C .0 3 digits
en|3 m/s^2 => 3 m/s^2 .0 1 digits
en|about 12 => 12 .0 2 digits
en|~12 => 12 .0 2 digits
en|≈ 12.0 => 12 .1 3 digits
en|12 apples => 12 apples .0 2 digits
en|12 or 13 => -
en|10 000 => 10000 .0 5 digits
en|1_000 => -
en|1'000 => 1000 .0 4 digits
en|0x10 => -
en|5! => -
en|√4 => -
en|12th => -
en|No. 5 => -
en|twelve (12) => 12
en|12 million people => 12000000 people
en|5 hundred => 500
en|1.5k km => 1500 km
en|000123 => 123 .0 3 digits
en|3:4 => -
en|1.0000000 => 1 .7 8 digits
en|∞ => -
en|NaN => -
en|5- => -
en|\frac{3}{4} => 3/4
en|$\frac{-3}{4}$ => -3/4
en|\boxed{12} => 12 .0 2 digits
en|12 \text{ cm} => 12 cm .0 2 digits
en|12\% => 12% % .0 2 digits
en|1\,000 => 1000 .0 4 digits
en|2^3 => -
de|1.234,50 => 2469/2 .2 6 digits
de|1.234 => 1234 .0 4 digits
de|1,5 => 3/2 .1 2 digits
de|0,5 % => 1/2% % .1 1 digits
de|3 Mio. => 3000000
de|1.5 => 3/2 .1 2 digits
id|1.000 => 1000 .0 4 digits
id|Rp 5.000 => 5000 Rp .0 4 digits
id|2,5 juta => 2500000
fr|1 234,5 => 2469/2 .1 5 digits
fr|12 € => 12 € .0 2 digits
zh|3万 => 30000
zh|５ => 5 .0 1 digits
es|vingt et un => 21
"""


def test_a_number_is_read_with_its_unit_and_its_digits() -> None:
    assert differing(_NUMBER, lambda line: number(*line.split("|"))) == []


_NUMBERS = r"""
it|and 1½ => 3/2 '1½'
"""


def test_numbers_are_found_in_running_text() -> None:
    assert differing(_NUMBERS, lambda line: numbers(*line.split("|"))) == []


_WORDED = r"""
en|one thousand and one => 1001
en|two million three hundred thousand four hundred and five => 2300405
en|a hundred => 100
en|hundred => 100
en|three point one four => 157/50
en|a dozen => 12
en|two dozen => 24
en|a third => 1/3
en|two thirds => 2/3
en|seven eighths => 7/8
en|one hundred percent => 100  percent
en|forty two kilometres => 42  kilometres
en|zero point five percent => 1/2  percent
en|two thousand twenty five => 2025
en|ninety nine thousand nine hundred ninety nine => 99999
de|einundzwanzig => 21
de|hunderteins => 101
de|zweitausendfünfhundert => 2500
de|eine Million => 1000000
de|zwei Millionen dreihunderttausend => 2300000
de|null Komma fünf => 1/2
de|siebzehn Äpfel => 17  Äpfel
fr|soixante et onze => 71
fr|quatre-vingts => 80
fr|quatre-vingt-onze => 91
fr|deux cent trois => 203
fr|mille deux cents => 1200
fr|trois virgule cinq => 7/2
es|veintidós => 22
es|ciento uno => 101
es|dos mil quinientos => 2500
es|un millón => 1000000
es|treinta y cinco coma dos => 176/5
pt|vinte e um => 21
pt|duzentos e três => 203
pt|mil e um => 1001
id|dua puluh satu => 21
id|seribu seratus => 1100
id|sebelas ribu => 11000
id|nol koma lima => 1/2
zh|二十一 => 21
zh|一百零五 => 105
zh|两万三千 => 23000
zh|十二亿 => 1200000000
zh|〇 => 0
ja|百二十三 => 123
ja|一億二千万 => 120000000
de|tausend => 1000
en|un milliard => 1000000000
ja|seven and => 7  and
pt|quatre-vingt-un => 81
pt|an eighth => 1/8
"""


def test_a_number_in_words_is_read_in_its_language() -> None:
    assert differing(_WORDED, lambda line: worded(*line.split("|"))) == []


_QUANTITIES = r"""
5 km => length 5000 ±1000 1
3.10 miles and 2 kg => length 4988.97 ±16.0934 3, mass 2000 ±1000 1
6 ft 2 in => length 1.8796 ±0 2
6'2" =>
1 hour 30 minutes => time 5400 ±0 3
90 min => time 5400 ±60 2
2 lbs => mass 907.185 ±453.592 1
100 °F =>
37°C =>
3 acres => area 12140.6 ±4046.86 1
1.5 l => volume 1.5 ±0.1 2
5 gallons => volume 18.9271 ±3.78541 1
10 square miles =>
2 days 3 hours => time 183600 ±0 2
5 kg, 3 kg => mass 5000 ±1000 1, mass 3000 ±1000 1
12 years and 6 months => span 150 ±0 3
-5 °C =>
about 1,200 metres => length 1200 ±1 4
3 hours and 48 minutes => time 13680 ±0 3
1 h 2 min 3 s => time 3723 ±0 3
"""


def test_a_quantity_is_brought_to_the_base_unit() -> None:
    assert differing(_QUANTITIES, quantities) == []


_DATES = r"""
On May 5, 1998 and 6 June 1999. => 1998-05-05 'May 5, 1998', 1999-06-06 '6 June 1999'
5/6/1998 or 1998-06-05 => 1998-06-05 '1998-06-05'
12.03.2001 => 2001-03-12 '12.03.2001'
31 February 2000 =>
29 Feb 2000 and 29 Feb 1900 => 2000-02-29 '29 Feb 2000'
the 3rd of March, 2020 => 2020-03-03 'the 3rd of March, 2020'
March 3rd 2020 => 2020-03-03 'March 3rd 2020'
2020年3月3日 => 2020-03-03 '2020年3月3日'
May 1998 =>
1998-13-01 =>
1998/06/05 => 1998-06-05 '1998/06/05'
Sunday, 5 May 1998 at noon => 1998-05-05 '5 May 1998'
5-May-98 =>
"""


def test_dates_are_found_in_running_text() -> None:
    assert differing(_DATES, dates) == []


_TIMES = r"""
quarter to eight in the evening => 1185 'quarter to eight in the evening'
12:00 pm and 12:00 am => 720 '12:00 pm', 0 '12:00 am'
5 o'clock in the afternoon => 1020 "5 o'clock in the afternoon"
twenty-five to six => 335? 'twenty-five to six'
noon =>
24:00 =>
7h30 =>
half past seven in the evening => 1170 'half past seven in the evening'
"""


def test_times_of_day_are_found_in_running_text() -> None:
    assert differing(_TIMES, times) == []


_EQUAL = r"""
numeric:18|18.0 => right by 0, value 18, gold 18
numeric:18|18.4 => wrong by 0.4, value 18.4, gold 18
numeric:18|eighteen => right by 0, value 18, gold 18
numeric:18|18 apples => right by 0, value 18, gold 18
numeric:18|17 => wrong by 1, value 17, gold 18
numeric:0.5|50% => wrong by 49.5, value 50, gold 0.5
numeric:50%|50 => right by 0, value 50, gold 50
numeric:1000|1,000 => right by 0, value 1000, gold 1000
numeric:1.5|1,5 => wrong
numeric:5 km|5 kg => wrong value 5, gold 5, unit kg
numeric:5|5 km => right by 0, value 5, gold 5
numeric:1/3|0.333 => right by 0.0003333333333333333, value 0.333, gold 0.3333333333333333
numeric:1/3|0.33 => wrong by 0.0033333333333333335, value 0.33, gold 0.3333333333333333
numeric:18| => wrong
numeric:18|18 or 19 => wrong
{"type": "numeric", "value": 10, "tolerance": 1}|11 => right by 1, value 11, gold 10
{"type": "numeric", "value": 10, "tolerance": 1}|11.1 => wrong by 1.1, value 11.1, gold 10
{"type": "numeric", "value": 10, "rel_tolerance": 0.1}|9 => right by 1, value 9, gold 10
{"type": "numeric", "value": 10, "rel_tolerance": 0.1}|8.9 => wrong by 1.1, value 8.9, gold 10
{"type": "numeric", "value": 5, "unit": "km"}|5 => right by 0, value 5, gold 5
{"type": "numeric", "value": 0.5, "percent": "equal"}|50% => right by 0, value 50, gold 0.5
{"type": "numeric", "value": 1.5, "locale": "de"}|1,5 => right by 0, value 1.5, gold 1.5
{"type": "numeric", "value": 1500, "locale": "de"}|1.500 => right by 0, value 1500, gold 1500
boolean:yes|It is true. => right value True
boolean:yes|No. => wrong
boolean:no|False => right
boolean:yes|unclear => wrong
date:1998-05-05|May 5, 1998 => right value 1998-05-05
date:1998-05-05|5/5/1998 => right value 1998-05-05
date:1998-05-06|5/6/1998 => wrong
date:1998-05-05|May 1998 => wrong
choice:B|(b) => right value B
choice:B|B) blue => right value B
choice:B|A or B => wrong
exact_match:Paris|paris. => right matched Paris
exact_match:Paris|"Paris" => right matched Paris
exact_match:Paris|the Paris => right matched Paris
exact_match:Paris|Lyon => wrong compared lyon
exact_match:19:00|7 pm => right matched 19:00
exact_match:2024-05-01|May 1, 2024 => right matched 2024-05-01
{"value": ["a", "b"]}|b => right matched b
{"value": ["a", "b"], "gold": "parts"}|b, a => right gold parts
{"value": ["a", "b"], "gold": "parts", "ordered": true}|b, a => wrong gold parts
{"value": ["a", "b"], "gold": "parts"}|a => wrong gold parts
{"value": ["1", "2"], "gold": "parts"}|1; 2.0 => wrong gold parts
{"type": "math", "value": "x+1", "aliases": ["y"]}|1+x => right method symbolic
{"type": "math", "value": "1/2", "form": "lowest_terms"}|2/4 => wrong method numeric
{"type": "math", "value": "1/2", "form": "exact"}|0.5 => right method numeric
400 and 800m|She won the 400 metres and the 800 metres. => wrong compared she won the 400 metres and the 800 metres
True|It is true. => right matched True
exact_match:19:00|19.00 WIB - => wrong compared 19.00 wib -
exact_match:April 1986|1986-04 => right matched April 1986
math:1+2i|2+1 => wrong method symbolic
math:1.4142135623730951|2^{1/2} => right method double
math:5 \text{ hours}|5 h => right method identical
math:6.02 \times 10^{23}|6.0 => wrong by 6.02e+23, method numeric
math:\begin{pmatrix}1&2&3\end{pmatrix}|(1,2,3)^T => wrong method matrix
math:\sqrt{3}|ANSWER: 1.7320508075688772 => right method rounded
math:\sqrt{x^2}|x => wrong method symbolic
{"type": "numeric", "value": 5, "unit": "eggs"}|5 egg => right by 0, value 5, gold 5
{"type": "numeric", "value": 5, "unit": "meter persegi"}|5\nm² => right by 0, value 5, gold 5
"""


def test_a_bare_answer_is_compared_by_the_type_of_the_gold() -> None:
    assert differing(_EQUAL, lambda line: equal(*line.split("|"))) == []


_ASKS = r"""
numeric|How fast is it in miles per hour?|5 => numeric miles per hour
numeric|How many miles is it?|5 => numeric
exact_match|What is the plural of mouse?|mice => exact_match  as written
exact_match|Give the date as YYYY-MM-DD.|2024-05-01 => exact_match  as written
choice|Which?\nA. red\nB. blue\nC. green|B => choice   A B C
choice|Which?\nA. red\nB. blue\nC. green|D => choice
numeric|What is the speed in km/h?|5 m/s => numeric
"""


def test_a_gold_is_typed_as_the_question_asks() -> None:
    assert differing(_ASKS, lambda line: asks(*line.split("|"))) == []


_EXPECTS = r"""
numeric:12 => numeric ['12']  numeric False
numeric:twelve => numeric ['twelve']  None False
numeric:abc => 'abc' is not a number in locale 'en'
boolean:yes => boolean ['yes']  boolean False
boolean:maybe => 'maybe' is neither true nor false
date:5 May 1998 => date ['5 May 1998']  None False
date:05/06/1998 => '05/06/1998' is a date that can be read as day/month or month/day; the test's `locale` would decide
date:never => 'never' is no date
choice:B => choice ['B']  choice False
choice:BB => the choice 'BB' is none of the options A–J
math:x^2 => math ['x^2']  None True
math: => the expected value is empty or not a text, number or truth value
exact_match:Paris => exact_match ['Paris']  None False
{"type": "numeric", "value": 5, "unit": "km", "tolerance": 0.1} => numeric ['5'] km numeric False
{"type": "numeric", "value": 5, "rel_tolerance": 0.1, "tolerance": 0.1} => numeric ['5']  numeric False
{"type": "numeric", "value": 5, "tolerance": -1} => `tolerance` is a number of 0 or more
{"type": "numeric", "value": true} => True is not a number in locale 'en'
{"type": "choice", "value": "C", "options": {"A": "x", "B": "y"}} => the choice 'C' is none of the options A, B
{"type": "choice", "value": "x", "options": {"A": "x", "B": "y"}} => choice ['A']  choice False
{"value": ["a", "b"]} => exact_match ['a', 'b']  None False
{"value": ["a", "b"], "gold": "parts"} => exact_match ['a', 'b']  None False
{"value": [], "gold": "parts"} => a list as expected value holds the accepted texts or numbers, at least one
{"value": "a", "aliases": ["b", 3]} => exact_match ['a', 'b', '3']  None False
{"value": 5, "percent": "equal"} => numeric ['5']  numeric False
{"type": "nothing", "value": 1} => the answer type 'nothing' is none of numeric, math, exact_match, boolean, choice, text, date
{"value": null} => the expected value is empty or not a text, number or truth value
[1,2] => numeric ['1']  numeric False
"""


def test_what_a_test_expects_is_typed_or_refused() -> None:
    assert differing(_EXPECTS, expects) == []
