"""Whether a user asks for something else than its goal."""

from __future__ import annotations

from modex.core.pipeline.rollout.user_goals import changed_goal
from tests.rows import each_row

GOAL = "You want to cancel your order W-4101, which you placed by mistake. You want nothing else."


def found(text: str, *, goal: str = GOAL, last: str = "Shall I cancel W-4101?") -> str | None:
    return changed_goal(goal, f"{goal}\n{last}", last, text)


@each_row(
    ("text", "words"),
    [
        ("I changed my mind, keep it.", "I changed my mind"), ("Actually, I'd rather have a blue one.", "Actually, I'd rather"),
        ("Ich habe es mir anders überlegt.", "Ich habe es mir anders überlegt"), ("Pensándolo mejor, me quedo con él.",
        "Pensándolo mejor"),
        ("Could you exchange it for a chair?", "exchange"), ("Please upgrade me to business class.", "upgrade"),
        ("I want to buy a table.", "buy"), ("Ich möchte einen Tisch kaufen.", "kaufen"),
    ],
)  # fmt: skip
def test_another_wish_than_the_goal_is_a_changed_goal(text: str, words: str) -> None:
    said = found(text)
    assert said is not None
    assert words in said


@each_row(
    "text",
    [
        "Yes, please cancel it.", "I want to cancel my order.", "I would like a refund, please.",
        "Can you tell me when it was bought?",
        "I returned the other one last year.", "Please delete the order.", "No.",
    ],
)  # fmt: skip
def test_the_goal_in_other_words_is_not(text: str) -> None:
    assert found(text) is None, found(text)


def test_a_goal_with_two_ways_and_a_model_that_refuses_let_the_user_turn() -> None:
    two = "You want to cancel W-4101. If that is not possible, you want to change the address."
    assert found("I changed my mind, change the address.", goal=two) is None
    assert found("Then I want to exchange it.", last="I am sorry, it cannot be cancelled.") is None
