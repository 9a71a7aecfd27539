"""Words, names and golds: what they are compared by."""

from __future__ import annotations

from tests.core.answers.readers import forms, items, pair, word
from tests.core.answers.tables import differing

_ITEMS = r"""
In 1648-51 and 1914/18 => ^.in@0-2 #1648@3-7 #1651@8-10 .and@11-14 #1914@15-19 #1918@20-22
It began in 19981 and ended. => ^.it@0-2 began@3-8 .in@9-11 #1998@12-17 .and@18-21 ende@22-27
It began in 19981 => ^.it@0-2 began@3-8 .in@9-11 #1998@12-17
It rose to 19981x => ^.it@0-2 rose@3-7 .to@8-10 19981x@11-17
On 12 May 19981, a day => ^.on@0-2 #12@3-5 ^may@6-9 #1998@10-15 .a@17-18 day@19-22
May 1998, 200 5 => ^may@0-3 #1998@4-8 #200@10-13 #5@14-15
nineteen oh five and nineteen oh ten => #1905@0-16 .and@17-20 #19@21-29 oh@30-32 #10@33-36
nineteen oh => #19@0-8 oh@9-11
nineteen forty-five or eighteen ninety => #1945@0-19 .or@20-22 #1890@23-38
twelve hundred and six => #1206@0-22
two hundred and five men => #205@0-20 men@21-24
two hundred five men => #205@0-16 men@17-20
three dozen eggs and half a dozen => #3@0-5 #12@6-11 egg@12-16 .and@17-20 half@21-25 .a@26-27 #12@28-33
fifty million, £50m, 3k, 2.5bn => #50000000@0-13 pound@15-16 #50000000@16-19 #3000@21-23 #2.5@25-28 bn@28-30
-5 and (-7) and 3-4 and x -6 => -#5@0-2 .and@3-6 -#7@8-10 .and@12-15 #3@16-17 #4@18-19 .and@20-23 x@24-25 -#6@26-28
5m 3.14 2.50 007 => #5000000@0-2 #3.14@3-7 #2.5@8-12 007@13-16
the Smithand the 4thof July 1998in => .the@0-3 ^smithand@4-12 .the@13-16 #4@17-18 ^@7@23-27 #1998@28-32
iPhone McDonald USA's NATO MIX => iphon@0-6 ^mcdonald@7-15 ^usa@16-21 ^nato@22-26 ^mix@27-30
Smith12 Smith3. Fact12, Napoleon14 => ^smith@0-5 ^smith@8-13 ^fact@16-20 ^napoleon@24-32
WORLD Cup IVth => ^world@0-5 ^cup@6-9 ^ivth@10-14
may May will Will an AN => may@0-3 ^may@4-7 will@8-12 ^will@13-17 .an@18-20 ^.an@21-23
supercalifragilisticexpialidociousnessandevenmore => supercalifragilisticexpialidociousnessandevenmor@0-49
thirty-one thirty one thirty ten => #31@0-10 #31@11-21 #30@22-28 #10@29-32
five hundred thousand and one => #500001@0-29
5 hundred only fifty => #500@0-9 only@10-14 #50@15-20
onParis and in Paris => .on@0-2 ^paris@2-7 .and@8-11 .in@12-14 ^paris@15-20
since 19981 it => sinc@0-5 #1998@6-11 .it@12-14
"""


def test_words_are_read_as_items_with_numbers_as_one() -> None:
    assert differing(_ITEMS, items) == []


_WORD = r"""
united => unit united
nations => nation nations
u.s.a. => u.s.a. u.s.a.
theatre => theater theatre
centre => center centre
colours => color colours
running => runn running
boxes => box boxes
cities => city cities
wolves => wolf wolves
mice => mous mice
children => child children
twenty-one => twenty-on twenty-one
xiv => xiv xiv roman 14
mcmxcviii => mcmxcviii mcmxcviii
röntgen => röntgen röntgen
straße => straße straße
naïve => naïve naïve
st. => st. st.
mt => mount mt
km => kilometer km unit True
kilometres => kilometer kilometres unit True
1,000 => 1,000 1,000
3rd => #3 3rd number 3
thirtieth => #30 thirtieth number 30
billion => billion billion
o'neill => o'neill o'neill
mcdonald => mcdonald mcdonald
it's => it' it's
organised => organiz organised
"""


def test_a_word_has_one_key_in_all_its_forms() -> None:
    assert differing(_WORD, word) == []


_PAIR = r"""
robert|bob => given name
william|bill => given name
elizabeth|liz => given name
jon|john => given name
catherine|katherine => given name, sounds
spain|spaniard =>
peru|peruvian => given name
china|chinese => demonym
iraq|iraqi => related, demonym, given name
norway|norwegian =>
england|english => demonym
science|scientist =>
democracy|democratic => related
actor|actress =>
run|ran =>
color|colour => misspelled
smith|smyth => misspelled
meyer|maier => misspelled
km|kilometre => unit
kg|kilograms => unit
m/s|metres per second => unit
km/h|kph => unit
$|usd => unit
€|euros => unit
%|percent => unit
h|hours => given name, unit
lb|pounds => unit
°c|celsius => unit
l|litres => given name, unit
ft|feet => unit
m|miles => given name
min|minutes => given name, unit
m2|m² => unit
j|newton =>
al|albert => given name
dostoevsky|dost =>
iceland|icelander => related, derived, demonym, given name
"""


def test_two_words_go_together_by_form_sound_or_meaning() -> None:
    assert differing(_PAIR, lambda line: pair(*line.split("|"))) == []


_FORMS = r"""
Duke of Wellington => name dukeofwellington head duke
The Beatles => thebeatles head beatl
United States of America (USA) => name unitedstatesofamericausa head stat; name unitedstatesofamerica head stat; usa head usa
Paris, France => parisfrance head franc; name franceparis head paris; paris head paris part
Smith, John => smithjohn head john; name johnsmith head smith; smith head smith part
Dr. John Smith => name drjohnsmith head smith
14 May 1998 => 14may1998 head #1998
May 1998 => may1998 head #1998
the 1990s => the1990s head 90s
five kilometres => fivekilometres head kilometer
12% => 12percent head percent
University of Oxford => name universityofoxford head university
Lord of the Rings, The => lordoftheringsthe head lord; name thelordoftherings head lord; name lordoftherings head lord part
"Hey Jude" => name heyjude head jude
red, green, blue => redgreenblue head blue
Tom and Jerry => name tomandjerry
A => a
E=mc^2 => emc2 head #2
J. K. Rowling => name jkrowling head rowl
World War II => name worldwarii head war
Vincent van Gogh => vincentvangogh head gogh
1914-1918 => 19141918 head #1918
$5 million => dollar5 head #5000000
1e-07 => 1e07 head 07
old Stilwell => oldstilwell head stilwell; stilwell head stilwell part
"""


def test_a_gold_may_be_written_in_other_ways() -> None:
    assert differing(_FORMS, forms) == []
