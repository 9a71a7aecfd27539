from __future__ import annotations

from modex.core.llm.textcalls.reading import extract_tool_calls
from modex.core.llm.textcalls.shown import is_shown, speaks_of_example
from tests.rows import each_row

CALL = '{"name": "f", "arguments": {"a": 1}}'
OFFERED: dict[str, dict[str, object]] = {"f": {"properties": {"a": {}}}}


@each_row(
    "words",
    [
        "Zum Beispiel so:", "Das ginge z. B. so:", "Par exemple :", "p. ex. :", "Por ejemplo:", "Ad esempio:",
        "Por exemplo:", "Bijvoorbeeld:", "Na przykład:", "np.:", "Например:", "Вот пример:", "Наприклад:", "Til eksempel:",
        "Till exempel:", "Örneğin:", "Contohnya:", "Misalnya:", "Ví dụ:", "Například:", "例如：", "比如：", "示例：",
        "たとえば：", "例えば、", "예를 들어:", "예시:", "مثال:", "उदाहरण:", "For example:", "e.g.:",
    ],
)  # fmt: skip
def test_an_example_is_no_call_in_whatever_language_it_is_announced(words: str) -> None:
    assert speaks_of_example(words)
    for text in (f"{words}\n{CALL}", f"{words}\n```json\n{CALL}\n```"):
        found = extract_tool_calls(text, OFFERED)
        assert (found.calls, found.text, found.looks_like) == ((), text, "f")
    assert is_shown(words, "but I know it.")


@each_row(
    "words",
    [
        "",
        "Ich rufe f auf:",
        "J'appelle f :",
        "Llamo a f:",
        "Я вызываю f:",
        "我来查询。",
        "fを呼びます。",
        "Ecco la chiamata:",
    ],
)
def test_what_announces_a_call_is_no_example(words: str) -> None:
    assert not speaks_of_example(words)
    assert len(extract_tool_calls(f"{words}\n{CALL}", OFFERED).calls) == 1


@each_row(
    ("before", "behind", "shown"),
    [
        ("To ask, you would write, for example:\n", "\nBut I already know it: it is sunny.", True),
        ("Do not run this: ", "It is only the form.", True),
        ("The format is ", "as you see", True),
        ("Das dürfen Sie nicht ausführen: ", "Gut?", True),
        ("For example:\n", "", False),
        ("For example:\n", "<|im_end|>\n", False),
        ("For example, London is large. Let me look. ", "One moment.", False),
        ("Let me open the example file: ", "One moment.", False),
        ("I do not know the format of it, so I look: ", "One moment.", False),
        ("N'exécutez pas ceci : ", "Voilà.", True),
        ("Je ne sais pas, je cherche : ", "Un instant.", False),
        ("An example follows later.\n\nNow I look:", "One moment.", False),
        ("I look it up: ", "One moment.", False),
        ("An example! " + "x" * 200 + " ", "One moment.", False),
    ],
)
def test_a_call_in_marks_is_shown_where_words_lead_to_it_and_more_follows(
    before: str, behind: str, shown: bool
) -> None:
    assert is_shown(before, behind) is shown
    for call in (f"<tool_call>{CALL}</tool_call>", '<function=f>{"a": 1}</function>'):
        found = extract_tool_calls(f"{before}{call}{behind}", OFFERED)
        assert (not found.calls, found.looks_like) == (shown, "f" if shown else "")


def test_a_tools_own_schema_is_no_call() -> None:
    schema = '{"type": "object", "properties": {"a": {"type": "string"}}}'
    for text in (
        f'{{"name": "f", "parameters": {schema}}}',
        f'{{"type": "function", "function": {{"name": "f", "parameters": {schema}}}}}',
        f'```json\n[{{"name": "f", "parameters": {schema}}}]\n```',
    ):
        found = extract_tool_calls(text, OFFERED)
        assert (found.calls, found.looks_like) == ((), "f")
    asked: dict[str, dict[str, object]] = {"f": {"properties": {"type": {}, "properties": {}}}}
    assert len(extract_tool_calls(f'{{"name": "f", "parameters": {schema}}}', asked).calls) == 1
