"""Binding keys: no two actions share one, and what was bound is there the next time."""

import re

import pytest
from desks import desk_on
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QPushButton

from adstudio.ui.actions.actions import keys_in_use
from adstudio.ui.actions.table import ACTIONS, BY_ID, MENUS
from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog, bound
from adstudio.ui.session.preferences import Preferences


@pytest.fixture
def desk(qapp, tmp_path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def dialog(desk, qtbot):
    made = ShortcutsDialog(desk.actions, desk.preferences, None)
    qtbot.addWidget(made)
    made.show()
    return made


def test_as_delivered_no_two_actions_share_a_key():
    keys = [key for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))


TAKEN = {
    "Ctrl+Space": "IBus, Fcitx, Windows: another input method",
    "Shift+Space": "Fcitx, IBus Hangul: full width, Hangul",
    "Ctrl+Shift+Space": "IBus: the input method before",
    "Ctrl+Shift+U": "IBus, GTK: a character by its number",
    "Ctrl+Shift+E": "IBus: emoji",
    "Ctrl+.": "IBus, GNOME: emoji",
    "Ctrl+;": "IBus: emoji, clipboard of Fcitx",
    "Ctrl+Shift+Esc": "Windows: task manager",
    "Ctrl+Esc": "Windows, KDE: start menu, processes",
    "Ctrl+Shift+0": "Windows: language of the keyboard",
    "Alt+Tab": "every desktop: another window",
    "Alt+Shift+Tab": "every desktop: another window",
    "Ctrl+Tab": "Qt: another page",
    "Alt+Esc": "GNOME, Windows: another window",
    "Alt+Space": "every desktop: menu of the window, KRunner",
    "Alt+Return": "Windows: properties",
    "F10": "every desktop: the menu bar",
    "Shift+F10": "every desktop: the context menu",
    "Print": "every desktop: a picture of the screen",
    "Menu": "every desktop: the context menu",
    "CapsLock": "Orca, NVDA: their modifier",
    **{f"Alt+F{number}": "every desktop: run, close, move a window" for number in range(1, 13)},
    **{f"Ctrl+F{number}": "KDE: another desktop, windows side by side" for number in range(1, 13)},
}
"""Keys that the desktop (GNOME, KDE, Windows), an input method or a screen reader takes, and what for."""


def portable(key: str) -> str:
    return QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText).toString()


def test_no_key_is_one_that_desktop_or_input_method_takes():
    taken = {portable(key) for key in TAKEN}
    assert [(action.id, key) for action in ACTIONS for key in action.keys if portable(key) in taken] == []
    for action in ACTIONS:
        for key in action.keys:
            held = QKeySequence(key)[0].keyboardModifiers()
            assert not held & Qt.KeyboardModifier.MetaModifier, action.id
            both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
            assert held & both != both, f"{action.id}: Ctrl+Alt is AltGr, and the desktop's"


def test_a_screen_reader_s_modifier_is_never_the_first_key_of_an_action():
    """Insert is Orca’s, NVDA’s and JAWS’s."""
    assert [action.id for action in ACTIONS if "Insert" in action.keys[:1]] == []
    assert BY_ID["line.new"].keys == ("Ctrl+Return", "Insert")


def letter(text: str) -> str:
    return QKeySequence.mnemonic(text).toString().removeprefix("Alt+")


def test_no_letter_leads_to_two_menus_or_two_entries_of_one():
    titles = [letter(title) for title in MENUS.values()]
    assert "" not in titles
    assert len(titles) == len(set(titles))
    for title in MENUS.values():
        letters = [found for action in ACTIONS if action.menu == title and (found := letter(action.text))]
        assert len(letters) == len(set(letters)), title
    assert {key for action in ACTIONS for key in action.keys}.isdisjoint(f"Alt+{title}" for title in titles)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("edit.preferences", "Ctrl+,"),
        ("line.happens_from", "I"),
        ("line.happens_to", "O"),
        ("ask.where", "Q"),
        ("ask.why", "Y"),
        ("ask.changed", "D"),
        ("ask.conflicts", "E"),
        ("hear.cues", "Shift+G"),
        ("hear.line_cues", "Shift+L"),
        ("play.line_here", "Ctrl+J"),
    ],
)
def test_what_has_a_key(name: str, key: str):
    assert BY_ID[name].keys[0] == key


def test_what_is_asked_can_be_asked_while_typing():
    """A second key of each, which no text field takes."""
    for action in ACTIONS:
        if action.id.startswith("ask."):
            assert any(re.fullmatch(r"(Shift\+)?F\d+", key) for key in action.keys), action.id


def test_every_key_is_one_that_qt_knows():
    for action in ACTIONS:
        for key in action.keys:
            sequence = QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText)
            assert sequence.count() == 1
            assert sequence[0].key() is not Qt.Key.Key_unknown


def test_a_key_that_is_bound_anew_is_taken_from_whoever_had_it():
    own = bound({}, "line.accept", "P")
    assert own == {"line.accept": ("P",), "line.keep_in": ()}
    assert keys_in_use(own)["line.keep_in"] == ()
    own = bound(own, "line.accept", "A")
    assert own == {"line.keep_in": ()}
    own = bound(own, "line.keep_in", "P")
    assert own == {}
    assert bound({}, "edit.redo", "") == {"edit.redo": ()}
    assert bound({}, "line.new", "Ctrl+Y") == {"edit.redo": ("Ctrl+Shift+Z",), "line.new": ("Ctrl+Y",)}


@pytest.mark.parametrize(
    ("own", "name", "keys"),
    [
        ({"line.accept": ("Q",)}, "ask.where", ("F4",)),
        ({"line.accept": ("Q", "F4")}, "ask.where", ()),
        ({"gone.long.ago": ("Q",)}, "ask.where", ("Q", "F4")),
        ({"line.accept": ("Del",)}, "edit.delete", ()),
        ({"line.accept": ()}, "line.accept", ()),
    ],
)
def test_a_key_bound_before_the_table_had_it_stays_where_it_was(desk, own: dict, name: str, keys: tuple[str, ...]):
    """Two actions with one key are none to Qt: neither is done."""
    desk.actions.bind_keys(own)
    assert tuple(key.toString() for key in desk.actions[name].shortcuts()) == keys
    bound_now = [key.toString() for action in ACTIONS for key in desk.actions[action.id].shortcuts()]
    assert len(bound_now) == len(set(bound_now))


def test_one_key_under_two_names_is_one_key():
    assert bound({}, "line.accept", "Del") == {"edit.delete": (), "line.accept": ("Del",)}
    assert bound({"line.accept": ("Delete",), "edit.delete": ()}, "edit.delete", "Del") == {"line.accept": ()}


def choose(dialog, name: str) -> None:
    for row in range(dialog._list.topLevelItemCount()):
        item = dialog._list.topLevelItem(row)
        if item.data(0, Qt.ItemDataRole.UserRole) == name:
            dialog._list.setCurrentItem(item)


def press(dialog, qtbot, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    dialog._edit.setFocus()
    qtbot.keyClick(dialog._edit, key, modifier)


def test_a_key_is_pressed_and_kept(dialog, desk, qtbot):
    choose(dialog, "line.accept")
    press(dialog, qtbot, Qt.Key.Key_F14)
    qtbot.waitUntil(lambda: dialog._list.currentItem().text(1) == "F14")
    assert desk.preferences.keys == {}
    dialog._keep()
    assert desk.preferences.keys == {"line.accept": ("F14",)}
    assert [key.toString() for key in desk.actions["line.accept"].shortcuts()] == ["F14"]
    assert "(F14)" in desk.actions["line.accept"].toolTip()
    assert Preferences(dialog).keys == {"line.accept": ("F14",)}


def test_whoever_loses_a_key_is_named(dialog, qtbot):
    choose(dialog, "line.accept")
    press(dialog, qtbot, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: "Lock in" in dialog._said.text())


def test_two_in_a_row_without_waiting(dialog, desk, qtbot):
    """The second action is chosen before the key field has come to rest."""
    choose(dialog, "line.accept")
    press(dialog, qtbot, Qt.Key.Key_F14)
    choose(dialog, "line.free")
    press(dialog, qtbot, Qt.Key.Key_F15)
    dialog._keep()
    assert desk.preferences.keys == {"line.accept": ("F14",), "line.free": ("F15",)}


def test_as_delivered_and_no_key(dialog, desk, qtbot):
    choose(dialog, "edit.redo")
    dialog._set("")
    assert dialog._list.currentItem().text(1) == ""
    dialog._reset()
    assert dialog._list.currentItem().text(1) == "Ctrl+Shift+Z, Ctrl+Y"
    choose(dialog, "line.accept")
    dialog._set("Ctrl+Y")
    choose(dialog, "edit.redo")
    assert dialog._list.currentItem().text(1) == "Ctrl+Shift+Z"
    dialog._reset()
    dialog._keep()
    keys = [key for each in keys_in_use(desk.preferences.keys).values() for key in each]
    assert len(keys) == len(set(keys))


def test_cancel_changes_nothing(dialog, desk):
    choose(dialog, "line.accept")
    dialog._set("F14")
    dialog.reject()
    assert desk.preferences.keys == {}
    assert [key.toString() for key in desk.actions["line.accept"].shortcuts()] == list(BY_ID["line.accept"].keys)


@pytest.mark.parametrize(("typed", "names"), [("playhead", 5), ("ctrl+z", 1), ("no such thing", 0)])
def test_finding_an_action_or_a_key(dialog, qtbot, typed: str, names: int):
    qtbot.keyClicks(dialog._search, typed)
    shown = [dialog._list.topLevelItem(row) for row in range(dialog._list.topLevelItemCount())]
    shown = [item for item in shown if not item.isHidden()]
    assert (len(shown) >= names) if names > 1 else len(shown) == names


def test_a_key_pressed_after_a_search_goes_to_what_was_found(dialog, desk, qtbot):
    qtbot.keyClicks(dialog._search, "lock out")
    assert dialog._list.currentItem().text(0) == "Lock out"
    press(dialog, qtbot, Qt.Key.Key_F14)
    dialog._keep()
    assert desk.preferences.keys == {"line.keep_out": ("F14",)}


def test_what_is_in_hand_stays_in_hand_while_it_matches(dialog, qtbot):
    choose(dialog, "line.accept_next")
    qtbot.keyClicks(dialog._search, "accept")
    assert dialog._list.currentItem().text(0) == "Accept and go to next"


def test_where_nothing_is_found_no_key_can_be_given(dialog, qtbot):
    choose(dialog, "line.accept")
    qtbot.keyClicks(dialog._search, "no such thing")
    buttons = {button.text(): button for button in dialog.findChildren(QPushButton)}
    assert not dialog._edit.isEnabled()
    assert not buttons["No key"].isEnabled()
    assert not buttons["Reset to default"].isEnabled()
    assert dialog._edit.keySequence().toString() == ""
    dialog._set("F14")
    assert dialog._own == {}
    dialog._search.clear()
    assert dialog._edit.isEnabled()
    assert not dialog._list.currentItem().isHidden()


def test_all_keys_go_back_to_what_was_delivered_and_are_kept_only_when_agreed(dialog, desk, qtbot):
    desk.preferences.store_keys({"line.accept": ("F14",)})
    dialog._own = {"line.accept": ("F14",), "line.free": ("P",), "line.keep_in": ()}
    button = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Reset all to default")
    choose(dialog, "line.free")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert keys_in_use(dialog._own) == keys_in_use({})
    assert dialog._edit.keySequence().toString() == "U"
    assert desk.preferences.keys == {"line.accept": ("F14",)}
    dialog._keep()
    assert desk.preferences.keys == {}
