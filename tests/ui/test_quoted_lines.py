"""A line that is quoted in a sentence brings no full stop of its own: the sentence has one, or goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from adstudio.core.script import Script
from adstudio.core.words import opening_words
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.formatting import quoted_line

DOUBLED = re.compile(r"\.[”’]\s?[.,;:]|,…")
TEXTS = {
    "a": "It has no glove.",
    "b": "She waits.",
    "c": "He is late, very late, too late, and wet.",
    "d": "They kiss.",
}
ACTIONS = (
    *("line.keep_in", "plan.next_change", "edit.undo", "line.keep_out", "edit.undo", "line.accept", "line.salience_up"),
    *("line.pin_start", "line.override", "line.down", "line.join", "line.pin_wording", "ask.why", "ask.where"),
    *("ask.changed", "ask.conflicts", "edit.delete", "edit.undo"),
)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("It has no glove.", "It has no glove"),
        ("Who is there?", "Who is there?"),
        ("Stop!", "Stop!"),
        ("He waits…", "He waits…"),
        ("He waits...", "He waits..."),
        ("彼女は走る。", "彼女は走る"),
        ("One two three, four", "One two three…"),
        ("One two three. Four", "One two three…"),
        ("One two Dr. Who", "One two Dr…"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_the_marks_that_the_sentence_has_itself_go(text: str, quoted: str):
    assert opening_words(text, 3 if text.startswith("One") else 4) == quoted
    assert quoted_line("Glove.") == "“Glove”"


def sentences() -> Script:
    """The small script in short sentences: each is quoted whole."""
    script = small_script()
    lines = (
        replace(line, variants=tuple(replace(each, text=TEXTS.get(line.id, "It rains.")) for each in line.variants))
        for line in script.eventualities
    )
    return script.with_changes(eventualities=tuple(lines))


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path) -> Iterator[Window]:
    Preferences().store("spelling", "off")
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(tmp_path / "sentences.adproj", sentences()))
    QTest.qWait(100)
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def texts_of(root: QWidget) -> Iterator[str]:
    for each in (root, *root.findChildren(QWidget)):
        yield from (each.accessibleName(), each.accessibleDescription(), each.toolTip())
        if isinstance(each, QLabel | QAbstractButton):
            yield each.text()


def test_no_mark_is_doubled_in_any_message_or_panel(window: Window):
    session, found = window.session, set[str]()
    session.messages.said.connect(found.add)
    tried = 0
    for identity in "abcde":
        for name in ACTIONS:
            if session.cursor.line is None:
                session.cursor.select(Selection(Kind.LINE, (identity,)))
            window.actions_.refresh()
            action = window.actions_[name]
            if action.isEnabled():
                action.trigger()
                tried += 1
            window.editor.inspector._show()
            window.editor.inspector.page.fill()
            window.editor.inspector.line.why._fill_gap()
            found.update(texts_of(window))
        session.cursor.select(Selection())
    assert tried > 40
    quoting = {each for each in found if "glove" in each}
    assert len(quoting) > 5
    assert [each for each in found if DOUBLED.search(each)] == []
