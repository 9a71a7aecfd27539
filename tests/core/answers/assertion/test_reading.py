from __future__ import annotations

from modex.core.answers.assertion import read_text
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
    ("text", "piece", "stance"),
    [
        ("The capital is Paris.", "Paris", "asserted"),
        ("8. Wait, no: it is 7", "8", "corrected"),
        ("8. Wait, no: it is 7", "7", "asserted"),
        ("It isn't 8", "8", "denied"),
        ("8 is wrong", "8", "denied"),
        ("I took 7 rather than 8", "8", "denied"),
        ("It was not founded until 1965", "1965", "asserted"),
        ("Not only Paris", "Paris", "asserted"),
        ("Das ist nicht Paris", "Paris", "denied"),
        ("No es París", "París", "denied"),
        ("Ce n'est pas Paris", "Paris", "denied"),
        ("Bukan Paris", "Paris", "denied"),
        ("答案不是巴黎", "巴黎", "denied"),
        ("パリではない", "パリ", "denied"),
        ("Fica no Brasil. É grande", "Brasil", "asserted"),
        ("I don't know, maybe Paris", "Paris", "refused"),
        ("Perhaps Paris", "Paris", "doubted"),
        ("Some people say Paris", "Paris", "reported"),
        ("Is it Paris?", "Paris", "asked"),
        ("4\nQuestion: What is 2 + 3?\nAnswer: 5", "5", "foreign"),
    ],
)
def test_a_piece_of_a_text_has_a_stance(text: str, piece: str, stance: str) -> None:
    start = text.rindex(piece)
    assert read_text(text).stance(start, start + len(piece)).stance == stance


def test_a_text_that_checks_itself_takes_nothing_back() -> None:
    text = "It is 8. Wait, yes, that is right."
    assert read_text(text).stance(6, 7).asserted


def test_a_question_that_is_said_again_begins_nothing_new() -> None:
    text = "Let me see.\nQuestion: What is the capital?\nAnswer: Paris"
    start = text.index("Paris")
    assert read_text(text, "What is the capital?").stance(start, start + 5).asserted


def test_abbreviations_and_initials_end_no_sentence() -> None:
    text = "It was Dr. J. Smith of St. Ives. He won."
    assert [text[found.start : found.end].strip() for found in read_text(text).sentences] == [
        "It was Dr. J. Smith of St. Ives.",
        "He won.",
    ]


_STANCES = r"""
It is <<8>>. => asserted
It is not <<8>>. => denied
It isn't <<8>>. => denied
Not <<8>>, but 9. => denied
It is 9, not <<8>>. => denied
<<8>> is wrong. => denied takes back
<<8>> is not it. => denied
<<8>> isn't right. => denied
Is it <<8>>? => asked
Is it <<8>>?* => asked
Maybe <<8>>. => doubted
<<8>>, perhaps. => doubted
It might be <<8>>. => doubted
Maybe not, but <<8>>. => asserted
Maybe 7; <<8>>. => asserted
Some say <<8>>. => reported
Some say 7, but <<8>>. => asserted
You might think <<8>>. => reported
<<8>> is often mistaken for it. => reported
It is <<8>>. Wait, no. => corrected
It is <<8>>. Actually, it is 9. => corrected
Wait, <<8>>. => asserted
It is <<8>>. Wait, yes, that is right. => asserted
It is 9. Wait, <<8>>. => asserted
It is <<8>>\nQuestion: What is 9? => asserted
It is 9\nQuestion: What is <<8>>? => foreign
Question: what?\nAnswer: <<8>> => asserted
rather than <<8>> => denied
anything but <<8>> => denied
instead of the <<8>> => denied
Mr. Smith is not here. <<8>> is. => asserted
Mr. Smith is not <<8>>. => denied
U.S. troops did not take <<8>>. => denied
He did not go. <<8>> is it. => asserted
It was not until <<8>>. => asserted
not only <<8>> => asserted
without <<8>> => denied
neither <<8>> nor 9 => denied
"Why not?" he asked. <<8>> => asserted
He asked "why not?" of <<8>>. => asserted
It ends! not <<8>> => denied
No <<8>> => denied
no es <<8>> => denied
Não é <<8>> => denied
no <<8>> é uma => asserted
nicht <<8>> => denied
kein <<8>> => denied
pas <<8>> => denied
bukan <<8>> => denied
不是<<8>> => denied
8 不是 <<9>> => asserted
<<8>>ではありません => denied
<<8>>かもしれない => doubted
I guess <<8>> => doubted
<<8>>, I think so => doubted
<<8>> i guess => doubted
It is unclear whether <<8>> => refused
people often say <<8>> => reported
e.g. not that, <<8>> => asserted
"""
"""What a text does with the piece in double brackets."""
_ASKED_WHAT_IS_NOT = r"""
It is <<8>>. => asserted
It is not <<8>>. => asserted
It isn't <<8>>. => asserted
Not <<8>>, but 9. => asserted
It is 9, not <<8>>. => asserted
<<8>> is wrong. => asserted takes back
<<8>> is not it. => asserted
<<8>> isn't right. => asserted
Is it <<8>>? => asked
"""


def stance(marked: str, question: str = "") -> str:
    start, end = marked.index("<<"), marked.index(">>") - 2
    reading = read_text(marked.replace("<<", "").replace(">>", ""), question)
    return reading.stance(start, end).stance + (" takes back" if reading.takes_back(end) else "")


def test_a_text_asserts_denies_doubts_or_reports_a_piece_of_it() -> None:
    assert differing(_STANCES, stance) == []


def test_a_denial_answers_where_the_question_asks_what_is_not_so() -> None:
    assert differing(_ASKED_WHAT_IS_NOT, lambda text: stance(text, "Which of them is not red?")) == []


_SENTENCES = r"""
One. Two! Three? Four => One. | Two! | Three? | Four
Mr. Smith came. He left. => Mr. Smith came. | He left.
No. 5 is alive. It ran. => No. 5 is alive. | It ran.
I am. You are. => I am. | You are.
J. R. Tolkien wrote. He did. => J. R. Tolkien wrote. | He did.
Vitamin C. It helps. => Vitamin C. It helps.
He said "why?" and left. => He said "why?" and left.
Why? and how? => Why? and how?
Wait... what? No! => Wait... | what? | No!
One\n\nTwo => One | Two
3.14 is pi. 2.7 is e. => 3.14 is pi. | 2.7 is e.
「はい。」いいえ。 => 「はい。」 | いいえ。
(It is so.) It was. => (It is so.) | It was.
**Bold.** Plain. => **Bold.** | Plain.
The U.S. is big. It is. => The U.S. is big. | It is.
etc. and so on. End. => etc. and so on. | End.
St. Paul => St. Paul
"""


def sentences_of(text: str) -> str:
    return " | ".join(text[one.start : one.end].strip() for one in read_text(text).sentences)


def test_a_sentence_ends_at_its_full_stop_and_at_no_abbreviation() -> None:
    assert differing(_SENTENCES, sentences_of) == []
