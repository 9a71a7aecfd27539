"""A yes-or-no question that the answer says again as a statement."""

from __future__ import annotations

from modex.core.answers.stated_truth import stated_truth
from tests.core.answers.tables import differing

_SEEN = "Is the Great Wall of China visible from the Moon?"
_ROWS: list[tuple[str, str, bool | None]] = [
    (_SEEN, "The Great Wall is not visible from the Moon with the naked eye.", False),
    (_SEEN, "The Great Wall of China is visible from the Moon.", True),
    (_SEEN, "The Great Wall of China is hardly visible from the Moon.", False),
    (_SEEN, "It is false that the Great Wall of China is visible from the Moon.", False),
    (_SEEN, "It is a common myth that the Great Wall of China is visible from the Moon.", False),
    (_SEEN, "It isn't true that the Great Wall of China is not visible from the Moon.", True),
    (_SEEN, "The Great Wall of China is invisible from the Moon.", False),
    (_SEEN, "The Great Wall of China is not invisible from the Moon.", True),
    (_SEEN, "It isn't.", False),
    (_SEEN, "It is.", True),
    (_SEEN, "Contrary to what one reads, it is not visible from the Moon.", False),
    (_SEEN, "Many people believe the Great Wall of China is visible from the Moon.", None),
    (_SEEN, "The Great Wall of China is not the only thing visible from the Moon.", None),
    (_SEEN, "The Great Wall of China might be visible from the Moon.", None),
    (_SEEN, "If it were wider, the Great Wall of China would be visible from the Moon.", None),
    (_SEEN, "The pyramids are not visible from the Moon.", None),
    (_SEEN, "Is the Great Wall of China visible from the Moon?", None),
    ("Is it true that whales are not fish?", "Whales are not fish.", True),
    ("Is it true that whales are not fish?", "Whales are fish.", False),
    ("Is it false that the Earth is flat?", "The Earth is not flat.", True),
    ("Isn't a whale a mammal?", "A whale is a mammal.", True),
    ("Was the ship never found?", "The ship was never found.", None),
    ("True or false: the Earth is flat.", "The Earth is not flat.", False),
    ("Did Wellington lose the Battle of Waterloo?", "Wellington did not lose the Battle of Waterloo; he won.", False),
    ("Can penguins fly?", "Penguins cannot fly.", False),
    ("Can penguins fly?", "They can't.", False),
    ("Is Sydney the capital of Australia?", "Canberra is the capital of Australia.", None),
    ("Is tea or coffee stronger?", "Tea is not stronger.", None),
    ("Ist der See tief?", "Der See ist nicht tief.", False),
    ("Are there more cats than dogs?", "There are more cats than dogs.", True),
    ("Are there more cats than dogs?", "There are fewer cats than dogs.", False),
    ("Are there more cats than dogs?", "There are more dogs than cats.", False),
    ("Are there more cats than dogs?", "There are fewer dogs than cats.", True),
    ("Are there more cats than dogs?", "There are not fewer cats than dogs.", True),
    ("Are there fewer cats than dogs?", "There are more cats than dogs.", False),
    ("Is Brazil larger than India?", "Brazil is larger than India.", True),
    ("Is Brazil larger than India?", "India is larger than Brazil.", False),
    ("Is Brazil larger than India?", "Brazil is smaller than India.", False),
    ("Is Brazil larger than India?", "India is smaller than Brazil.", True),
    ("Is Brazil larger than India?", "Brazil is older than India.", None),
    ("Is gold more expensive than silver?", "Silver is less expensive than gold.", True),
    ("What is the Great Wall?", "The Great Wall is not visible.", None),
]


def test_a_statement_of_the_question_is_yes_and_its_denial_no() -> None:
    read = [(prompt, text, found.truth if (found := stated_truth(text, prompt)) else None) for prompt, text, _ in _ROWS]
    assert read == _ROWS


def test_what_states_both_states_neither() -> None:
    assert stated_truth("Penguins can fly. Penguins cannot fly.", "Can penguins fly?") is None


def test_the_place_is_the_sentence() -> None:
    text = "Good question. Penguins cannot fly."
    found = stated_truth(text, "Can penguins fly?")
    assert found is not None
    assert text[found.start : found.end] == "Penguins cannot fly."


_STATED = r"""
Is it deep?|It is deep. => yes 'It is deep.'
Is it deep?|It is. => yes 'It is.'
Is it deep?|It isn't. => no "It isn't."
Is it deep?|It is not so deep. => no 'It is not so deep.'
Is it deep?|It is shallow. => -
Is it deep?|The lake is deep. => -
Is the lake deep?|The lake is deep. => yes 'The lake is deep.'
Is the lake deep?|The river is deep. => -
Is the lake deep?|The lake is very deep, but cold. => yes 'The lake is very deep, but cold.'
Is the lake deep?|The lake is cold. => -
Is the lake deep?|The lake was deep. => yes 'The lake was deep.'
Is the lake deep?|The lake is almost deep. => -
Is the lake deep?|The lake is deep? No. => -
Is the lake deep?|The lake is deep. It is not deep. => -
Is the lake deep?|It is said that the lake is deep. => -
Is the lake deep?|I do not know whether the lake is deep. => -
Is the lake not deep?|The lake is deep. => -
Isn't the lake deep?|The lake is deep. => yes 'The lake is deep.'
Is the lake deep or not?|The lake is deep. => yes 'The lake is deep.'
Is the lake deep or cold?|The lake is deep. => -
Is it true that the lake is deep?|The lake is deep. => yes 'The lake is deep.'
Is it false that the lake is deep?|The lake is deep. => no 'The lake is deep.'
Is it a myth that the lake is deep?|The lake is deep. => no 'The lake is deep.'
True or false: the lake is deep|The lake is not deep. => no 'The lake is not deep.'
True or false: the lake is not deep|The lake is deep. => no 'The lake is deep.'
The lake. Is it deep?|It is deep. => yes 'It is deep.'
Can cats fly?|They can. => yes 'They can.'
Can cats fly?|They cannot. => no 'They cannot.'
Can cats fly?|They can't. => no "They can't."
Can cats fly?|Cats are unable to fly. => no 'Cats are unable to fly.'
Can cats fly?|Cats never fly. => no 'Cats never fly.'
Will it rain?|It won't. => no "It won't."
Will it rain?|It will. => yes 'It will.'
Does it rain?|It does. => yes 'It does.'
Does it rain?|It rains. => yes 'It rains.'
Did he write the famous old book?|He wrote the old book. => yes 'He wrote the old book.'
Did he write the famous old book?|He wrote the famous book. => yes 'He wrote the famous book.'
Did he write the famous old book?|He sold the famous old book. => -
Is glass visible?|Glass is invisible. => no 'Glass is invisible.'
Is glass invisible?|Glass is visible. => no 'Glass is visible.'
Is Brazil larger than India?|Brazil is smaller than India. => no 'Brazil is smaller than India.'
Is Brazil larger than India?|India is larger than Brazil. => no 'India is larger than Brazil.'
Is Brazil larger than India?|Brazil is larger than India. => yes 'Brazil is larger than India.'
Are there more cats than dogs?|There are fewer cats than dogs. => no 'There are fewer cats than dogs.'
Are there fewer cats than dogs?|There are more cats than dogs. => no 'There are more cats than dogs.'
Are there fewer cats than dogs?|There are less cats than dogs. => yes 'There are less cats than dogs.'
Is gold heavier than tin?|Gold is lighter than tin. => no 'Gold is lighter than tin.'
Is gold heavier than tin?|Gold is cheaper than tin. => -
What is deep?|The lake is deep. => -
|It is deep. => -
Is it ugly?|It is ugly. => yes 'It is ugly.'
Is it ugly?|It is not ugly. => no 'It is not ugly.'
Ist der See tief?|Der See ist tief. => yes 'Der See ist tief.'
Ist der See tief?|Der See ist nicht tief. => no 'Der See ist nicht tief.'
Do cats fly?|They do. => yes 'They do.'
Do cats fly?|They are. => -
Is the lake deep?|Naturally the lake is deep. => -
Is the lake deep?|Honestly, the lake is deep. => yes 'Honestly, the lake is deep.'
Is the big lake deep?|It is deep. => -
Is the big lake deep?|It is big. => -
Is the big lake deep?|It is blue. => -
Did he write the old book in Rome?|He wrote it in Rome. => yes 'He wrote it in Rome.'
Did he write the old book in Rome?|He wrote it in Paris. => -
Did he write the old book in Rome?|He wrote the old book in Paris. => -
Did he write the old book in Rome?|He wrote the book in Rome. => yes 'He wrote the book in Rome.'
Did he write the old book in Rome?|Ann wrote the old book in Rome. => -
"""
"""A question and a text: what the text says to it, and by which sentence."""


def stated(line: str) -> str:
    prompt, text = line.split("|")
    found = stated_truth(text, prompt)
    return "-" if found is None else f"{'yes' if found.truth else 'no'} {text[found.start : found.end]!r}"


def test_a_question_said_again_as_a_statement_answers_it() -> None:
    assert differing(_STATED, stated) == []
