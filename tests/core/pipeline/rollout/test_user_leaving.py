"""What a user says beside its stop word, and whether that is only a farewell."""

from __future__ import annotations

from modex.core.pipeline.rollout.user_leaving import only_says_goodbye, without_stop_words
from tests.rows import each_row

STOP = ("###STOP###", "TRANSFER")


@each_row(
    ("text", "rest", "leaves"),
    [
        ("It is 4101. ###STOP###", "It is 4101.", True), ("###stop###", "", True), ("###STOP### bye transfer", "bye", True),
        ("It is 4101.", "It is 4101.", False), ("a ###STOP### b", "a b", True),
    ],
)  # fmt: skip
def test_the_stop_word_is_taken_out_in_any_case(text: str, rest: str, leaves: bool) -> None:
    assert without_stop_words(text, STOP) == (rest, leaves)


@each_row(
    "text",
    [
        "", "Thank you so much for your help!", "Great, thanks. Bye!", "That's all, thank you.",
        "No, that is all I need. Have a nice day!",
        "Ok.", "Perfect, that is everything. Goodbye.", "Vielen Dank für Ihre Hilfe. Auf Wiedersehen!",
        "Gracias, eso es todo. Adiós.",
        "Merci beaucoup, au revoir.", "谢谢！再见。", "And thank you again!", "(Thanks!)",
    ],
)  # fmt: skip
def test_thanks_and_a_farewell_say_nothing_more(text: str) -> None:
    assert only_says_goodbye(text)


@each_row(
    "text",
    [
        "It is C-204, thanks.", "Yes, please cancel it.", "Thanks, but I wanted the blue one.", "My postal code is 50674. Bye.",
        "Ja, bitte stornieren.", "Great, the one for Oslo then.",
    ],
)  # fmt: skip
def test_anything_else_has_to_be_heard(text: str) -> None:
    assert not only_says_goodbye(text)
