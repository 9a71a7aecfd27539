"""`modex grep`."""

from __future__ import annotations

from tests.tui.commands.conftest import HOSTILE, Shell, assert_clean


def test_words_are_found_in_their_line_and_nothing_found_is_exit_code_1(mixed: Shell) -> None:
    called = mixed("grep", "hostile")
    assert called.code == 0
    assert called.out.startswith("e:d/2/h: passed: prompt:1: hostile")
    assert_clean(called)
    assert mixed("grep", "nowhere").code == 1
    assert mixed("grep", "hostile", "e", "--filter", "status:failed").code == 1


def test_json_holds_no_word_of_a_model_unless_it_is_asked_for(mixed: Shell) -> None:
    plain = mixed("grep", "-E", "red.*cmd", "--json")
    (item,) = plain.data["items"]
    assert (item["run"], item["test_id"], item["role"], item["line"]) == ("e", "h", "answer", 1)
    assert "untrusted" not in item
    assert "cmd" not in plain.out
    with_content = mixed("grep", "-E", "red.*cmd", "--json", "--content")
    (item,) = with_content.data["items"]
    assert HOSTILE in item["untrusted"]["text"]
    assert "\x1b" not in with_content.out


def test_mistakes_are_named(mixed: Shell) -> None:
    assert "missing )" in mixed("grep", "-E", "(").err
    assert "nothing to look for" in mixed("grep", "!!").err
    assert "no role 'nose'" in mixed("grep", "a", "--filter", "role:nose").err
    assert "no run named" in mixed("grep", "a", "gone").err
