"""What a user says that nothing told it, and what it may say."""

from __future__ import annotations

from modex.core.pipeline.rollout.user_claims import invented
from tests.rows import each_row

TOLD = (
    "You are Emma Kim and want to return the lamp of order W-4101, bought for $49.99 on 2024-05-05 together with two chairs"
    " for 120 euros.\nYour number is four four one two. Your mail is emma@example.com.\nIt is order W-4101."
)  # fmt: skip


@each_row(
    ("text", "words"),
    [
        ("It is W-9977.", "9977"), ("I paid forty dollars.", "forty dollars"), ("I paid $45 for it.", "$45"),
        ("It cost three hundred and five euros.", "three hundred and five euros"), ("My number is five five one nine.",
        "five five one nine (5519)"),
        ("I bought it on May 7th.", "May 7th"), ("It was the third of June.", "third of June"), ("Am 3. März gekauft.",
        "3. März"),
        ("My name is Peter Jones.", "Peter Jones"), ("Ich heiße Karl.", "Karl"), ("Write to joe@example.org.", "joe@example.org"),
        ("There were twelve hundred of them.", "twelve hundred"), ("Me costó 75 euros.", "75 euros"),
    ],
)  # fmt: skip
def test_figures_amounts_dates_and_names_that_nothing_told_it_are_certainly_invented(text: str, words: str) -> None:
    claim = invented(TOLD, text)
    assert claim is not None
    assert (claim.words, claim.certain) == (words, True)


@each_row(
    ("text", "words"),
    [("Please send it on Friday.", "Friday"), ("I live in New Orleans now.", "New Orleans"),
    ("It was my friend Tom Smith who paid.", "Tom Smith")],
)  # fmt: skip
def test_weekdays_and_other_names_are_likely_invented(text: str, words: str) -> None:
    claim = invented(TOLD, text)
    assert claim is not None
    assert (claim.words, claim.certain) == (words, False)


@each_row(
    "text",
    [
        "It is W-4101.", "I paid $49.99.", "I paid about fifty dollars.", "I paid 50 dollars.",
        "It is order 4101, bought on May 5th, 2024.",
        "On the fifth of May.", "My number is 4412.", "It's four, four, one, two.", "My name is Emma.",
        "That makes $169.99 in all.",
        "I have 2 of them.", "The chairs were one hundred and twenty euros.", "I may take one of the three.", "emma@example.com",
        "It was on Sunday.", "I want to return the lamp of Emma Kim.",
        "Ich habe am 5. Mai bestellt und möchte die Lampe zurückgeben.",
        "In the first place I want the second one.", "Give me a second.", "one of my two chairs", "The Lamp Of Mine is broken.",
    ],
)  # fmt: skip
def test_what_it_was_told_may_be_said_in_other_words(text: str) -> None:
    assert invented(TOLD, text) is None, invented(TOLD, text)
