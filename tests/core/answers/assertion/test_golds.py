"""The ways in which a gold may be written."""

from __future__ import annotations

from modex.core.answers.assertion.golds import Gold, gold_forms, surname_of
from tests.core.answers.tables import differing

_FORMS = r"""
Paris => paris -head:paris
the Eiffel Tower => eiffel tower -name -head:tower
Paris (France) => paris france -name -head:france; paris -head:paris
(Paris) France => paris france -name -head:france; france -head:france; paris france -name -head:france
Paris (city) => paris city -head:city; paris -head:paris
Federal Bureau (fbi) => federal bureau fbi -head:fbi; federal bureau -name -head:bureau
Federal Bureau (F) => federal bureau f -name -head:f; federal bureau -name -head:bureau
Federal Bureau (ABCDEFGHI) => federal bureau abcdefghi -name -head:abcdefghi; federal bureau -name -head:bureau
Paris[12] => paris -head:paris
present-day Ghana => ghana -head:ghana
the modern-day Iraq => iraq -head:iraq
around 1900 => around 1900 -head:1900; 1900 -head:1900
about 5 km => about 5 km -head:km -length:5000; 5 km -head:km -length:5000
circa 1900 => circa 1900 -head:1900; 1900 -head:1900
some people => some people -head:people; people -head:people
roughly 20 => roughly 20 -head:20; 20 -head:20
London in 1900 => london 1900 -head:london; london -head:london
the war of (1812) => war 1812 -head:war; war -head:war; war -head:war
the fire of 1666 => fire 1666 -head:fire; fire -head:fire
Smith, John => smith john -head:john -comma:5; john smith -name -head:smith; smith -part -head:smith
John, the king => john king -head:king -comma:4; john -part -head:john
Leeds, England => leeds england -head:england -comma:5; england leeds -name -head:leeds; leeds -part -head:leeds
York, New York => york new york -head:york -comma:4; new york york -name -head:york; york -part -head:york
Paris, in France => paris france -head:paris -comma:5; paris -part -head:paris
London, who was there => london there -head:there -comma:6; london -part -head:london
the sun, a star => sun star -head:star -comma:7; sun -part -head:sun
Ann, daughter of Bob => ann daughter bob -head:daughter -comma:3
red, green => red green -head:green -comma:3
Smith, john => smith john -head:john -comma:5
Smith, J => smith j -head:j -comma:5; j smith -name -head:smith; smith -part -head:smith
Smith, 1900 => smith 1900 -head:1900 -comma:5
Bob, Ann and Tom => bob ann tom -comma:3
by train, in the night => train night -head:train -comma:8; train -part -head:train
To Kill, a Mockingbird => kill mockingbird -head:mockingbird -comma:7; kill -part -head:kill
Abc, in d => abc -head:abc -comma:3
Tom or Tim => tom tim -name; tom -head:tom; tim -head:tim
Tom or tim => tom tim
Tom or Tim or Tam or Tem => tom tim tam tem -name; tom -head:tom; tim -head:tim; tam -head:tam; tem -head:tem
Tom or Tim or Tam or Tem or Tum => tom tim tam tem tum -name
New York or Old York => new york old york -name; new york -name -head:york; old york -name -head:york
300m => 300m -head:300m -length:300; 300 metres -head:metres -length:300
300m tall => 300m tall -head:tall; 300 metres tall -head:tall -length:300
$300m => dollar 300m -head:300m
300 m => 300 m -head:m -length:300
the ARPANET project => arpanet project -head:project; arpanet -part -head:arpanet
the Manhattan project => manhattan project -head:project
the Spanish team => spanish team -head:team
NASA agency => nasa agency -head:agency; nasa -part -head:nasa
IBM => ibm -head:ibm
the Beatles band => beatles band -head:band; beatles -part -head:beatles
the Amazon river => amazon river -head:river; amazon -part -head:amazon
The French army => french army -head:army; french -part -head:french
Venezuelan voice actor Jesse Corti => venezuelan voice actor jesse corti -head:corti; jesse corti -part -name -head:corti
singer Bob Dylan => singer bob dylan -head:dylan; bob dylan -part -name -head:dylan
the singer Bob Dylan => singer bob dylan -head:dylan; bob dylan -part -name -head:dylan
of Bob Dylan => bob dylan -name -head:dylan
the river Rhine => river rhine -head:rhine; rhine -part -head:rhine
the city of Paris => city paris -head:city; paris -head:paris
his wife Anna => wife anna -head:anna
a song by Prince => song prince -head:prince
City of Leeds => city leeds -name -head:city; leeds -head:leeds
the Republic of Malta => republic malta -name -head:republic; malta -head:malta
Republic of South Africa => republic south africa -name -head:republic; south africa -name -head:africa
city of leeds => city leeds -head:city
Kingdom of Great Northern Big Britain => kingdom great northern big britain -name -head:kingdom
his uncle, George Banks => uncle george banks -head:banks -comma:9; george banks -name -head:banks
her cat, Tom => cat tom -head:tom -comma:7; tom -head:tom
the old big house, George Banks => old big house george banks -head:banks -comma:17; george banks -name -head:banks
George Banks, her uncle => george banks uncle -head:uncle -comma:12
her uncle, george => uncle george -head:george -comma:9
John Smith Jr. => john smith jr -name -head:smith
Dr. John Smith => dr john smith -name -head:smith
SMITH JOHN => smith john -head:john
A => a
the => the
of the => of the
and => and
May 5, 1998 => may 5 1998 -head:1998 -date:5/5/1998 -comma:5
5 May => 5 may -head:may -date:5/5/None
May 1998 => may 1998 -head:1998 -date:None/5/1998
May => may -head:may
1998 => 1998 -head:1998
5 1998 => 5 1998 -head:1998
every 5 May => every 5 may -head:may -date:5/5/None
early May 1998 => early may 1998 -head:1998 -date:None/5/1998
32 May => 32 may -head:may
May 32 => may 32 -head:32
5 6 May => 5 6 may -head:may
May 1998 2000 => may 1998 2000 -head:2000
May June => may june -name -head:june
mid May 1998 => mid may 1998 -head:1998 -date:None/5/1998
Sep 5 => sep 5 -head:5 -date:5/9/None
sep 5 => sep 5 -head:5
5 kg => 5 kg -head:kg -mass:5000
about 5 kg => about 5 kg -head:kg -mass:5000; 5 kg -head:kg -mass:5000
5 kg of gold => 5 kg gold -head:kg
5 kg or 6 kg => 5 kg 6 kg
5 kg tall => 5 kg tall -head:tall -mass:5000
Duke of Wellington => duke wellington -name -head:duke
in Paris => paris -head:paris
Paris and London => paris london -name
St. Jr. => st jr -name -head:st
John Ronald Reuel Tolkien => john ronald reuel tolkien -name -head:tolkien
1,000 men => 1000 men -head:men -comma:1
Joan of Arc => joan arc -name -head:joan
King's Cross => king cross -name -head:cross
x = 5 => x 5 -head:5
50% off => 50 percent off -head:off
the 5 kg => 5 kg -head:kg -mass:5000
May 2100 => may 2100 -head:2100 -date:None/5/2100
May 2101 => may 2101 -head:2101
May 1000 => may 1000 -head:1000 -date:None/5/1000
Big Apple (NY) => big apple ny -name -head:ny; big apple -name -head:apple; ny -head:ny
Big Apple (New York) => big apple new york -name -head:york; big apple -name -head:apple
City of Light (Paris) => city light paris -name -head:city; city light -name -head:city
Paris, Texas, USA => paris texas usa -head:usa -comma:5
from Paris, in the north => paris north -head:paris -comma:10; paris -part -head:paris
"""
"""Golds, and their forms: the words of content, and what is known of them."""


def forms(text: str) -> str:
    return "; ".join(map(shown, gold_forms(text)))


def shown(gold: Gold) -> str:
    found = [" ".join(item.word for item in gold.content)]
    found += ["-part"] if not gold.whole else []
    found += ["-name"] if gold.name else []
    found += [f"-head:{gold.head.word}"] if gold.head else []
    found += [f"-date:{gold.date.day}/{gold.date.month}/{gold.date.year}"] if gold.date else []
    found += [f"-{gold.quantity.kind}:{gold.quantity.value}"] if gold.quantity else []
    found += [f"-comma:{gold.comma}"] if gold.comma is not None else []
    return " ".join(found)


def test_a_gold_has_the_forms_that_its_writing_allows() -> None:
    assert differing(_FORMS, forms) == []


_SURNAMES = r"""
John Smith => smith / john
Dr. John Smith => smith / john
John Smith Jr. => smith / john
Sir Smith => smith / sir
King Henry VIII => viii / henry
Jr. Sr. => sr / jr
Vincent van Gogh => gogh / vincent van
"""


def surname(text: str) -> str:
    own, given = surname_of(gold_forms(text)[0])
    return f"{own.word} / {' '.join(item.word for item in given)}"


def test_a_surname_is_told_from_titles_and_suffixes() -> None:
    assert differing(_SURNAMES, surname) == []
