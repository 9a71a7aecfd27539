from __future__ import annotations

from modex.tui.actions import bindings, by_id, keymap, scopes


def test_every_action_has_a_key_a_label_and_a_sentence() -> None:
    for scope in scopes():
        assert scope.title
        for action in scope.actions:
            assert action.keys
            assert action.label
            assert len(action.help) > 5
            assert not action.help.endswith(".")


def test_the_first_scope_is_what_works_everywhere() -> None:
    assert scopes()[0].name == "everywhere"


def test_bindings_carry_ids_that_the_users_keys_can_name() -> None:
    ids = [binding.id for binding in bindings("live")]  # type: ignore[union-attr]
    assert "live.pause" in ids
    assert len(ids) == len(set(ids))
    assert set(ids) <= set(by_id())


def test_no_key_needs_alt_or_super() -> None:
    for action in by_id().values():
        for key in action.keys.split(","):
            assert not key.startswith(("alt+", "super+", "ctrl+shift+"))


def test_the_users_keys_name_one_scope_or_all() -> None:
    assert keymap({"live.pause": "space"}) == {"live.pause": "space"}
    everywhere = keymap({"filter": "ctrl+f"})
    assert {"runs.filter", "live.filter", "samples.filter"} <= set(everywhere)
    assert keymap({"nobody.knows": "x"}) == {}


def test_keys_given_to_a_scope_by_its_former_name_still_hold() -> None:
    assert keymap({"beside.switch": "o"}) == {"side_pane.switch": "o"}
    assert keymap({"trial.keep": "k"}) == {"dry_run.keep": "k"}
