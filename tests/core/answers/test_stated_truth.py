"""A yes-or-no question that the answer says again as a statement."""

from __future__ import annotations

from modex.core.answers.stated_truth import stated_truth

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
