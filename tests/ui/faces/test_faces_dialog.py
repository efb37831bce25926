"""The window that names faces: on faces of a film that are cached, so that nothing is searched."""

from __future__ import annotations

import io
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from desks import small_script
from PIL import Image
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest

sys.path.append(str(Path(__file__).resolve().parents[2] / "characters"))
from face_values import face, faces

from adstudio.characters import faces_known
from adstudio.characters.faces import encode_faces
from adstudio.characters.faces_detection import cached_faces
from adstudio.core.cast import FaceBox, Person
from adstudio.core.film import Media
from adstudio.editing.cast import add_person
from adstudio.editing.named_faces import name_faces
from adstudio.media.cache import Kind, source_of, store
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.faces import dialog as dialogs
from adstudio.ui.faces import film_faces, portraits
from adstudio.ui.widgets.theme import Look

SAMPLE = Path(__file__).resolve().parents[3] / "resources/sample/film.mp4"
NORA = Person.named("Nora")


def picture(side=40):
    data = io.BytesIO()
    Image.fromarray(np.full((side, 2 * side, 3), 120, np.uint8)).save(data, "JPEG")
    return data.getvalue()


FOUND = faces(
    *(face(1000 * n, 1, crop=picture()) for n in range(1, 11)),
    *(face(1000 * n, 2, 6000, crop=picture()) for n in (15, 16)),
)


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    video = tmp_path / "film.mp4"
    shutil.copy(SAMPLE, video)
    for kind in (Kind.PEAKS, Kind.SHOTS, Kind.THUMBNAILS):
        store(kind, source_of(video), b"", complete=True)  # damaged: nothing is made either, as no process starts
    monkeypatch.setattr(film_faces.FilmLoader, "_go_on", lambda self, kinds: None)
    store(Kind.FACES, source_of(video), encode_faces(FOUND), complete=True)
    script = small_script()
    media = Media(str(video), "film.mp4", video.stat().st_size, fingerprint(video), 164_200)
    script = replace(script, film=replace(script.film, media=media), people=(NORA,))
    window = Window()
    qtbot.addWidget(window, before_close_func=lambda window: window.session.close_project())  # so that nothing is asked
    window.show()
    window.session.open_project(ProjectFile.create(tmp_path / "x.adproj", script))
    qtbot.waitUntil(lambda: window.editor.faces.found.known is not None)
    window.actions_["edit.faces"].trigger()
    yield window
    window.shut_down()


@pytest.fixture
def dialog(window):
    return window.editor.faces.dialog


def groups(dialog):
    rows = dialog.groups.model()
    return [rows.index(row, 0).data().replace("\n", ", ") for row in range(rows.rowCount())]


def named(window):
    return {each.time: each.person for each in window.session.script.named_faces}


def choose(cards, *rows):
    cards.clearSelection()
    for row in rows:
        cards.selectionModel().select(cards.model().index(row, 0), QItemSelectionModel.SelectionFlag.Select)


def settled(qtbot, dialog, expected):
    qtbot.waitUntil(lambda: groups(dialog) == expected)


def test_groups_are_shown_and_read_aloud(dialog):
    assert groups(dialog) == ["unnamed face 1, 10 faces", "unnamed face 2, 2 faces"]
    assert dialog.groups.spoken(0) == "unnamed face 1, 10 faces, first at 00:00:01:00"
    assert dialog.members.model().rowCount() == 10
    assert dialog.groups.chosen == [0]


def test_naming_a_group_is_one_step(qtbot, window, dialog):
    dialog.who.setEditText("nora")
    dialog.name.click()
    settled(qtbot, dialog, ["Nora, 10 faces", "unnamed face 2, 2 faces"])
    assert set(named(window).values()) == {NORA.id}
    window.actions_["edit.undo"].trigger()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "unnamed face 2, 2 faces"])
    assert named(window) == {}


def test_a_new_name_joins_the_cast_in_the_same_step(qtbot, window, dialog):
    before = window.session.script
    choose(dialog.groups, 1)
    dialog.who.setEditText("Tom")
    dialog.name.click()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "Tom, 2 faces"])
    assert [person.name for person in window.session.script.people] == ["Nora", "Tom"]
    window.actions_["edit.undo"].trigger()
    assert window.session.script == before


def test_two_groups_with_one_name_become_one(qtbot, window, dialog):
    choose(dialog.groups, 0, 1)
    dialog.who.setEditText("Nora")
    dialog.name.click()
    settled(qtbot, dialog, ["Nora, 12 faces"])


def test_a_face_is_split_from_its_group_by_another_name(qtbot, window, dialog):
    dialog.who.setEditText("Nora")
    dialog.name.click()
    settled(qtbot, dialog, ["Nora, 10 faces", "unnamed face 2, 2 faces"])
    choose(dialog.members, 2)
    dialog.who.setEditText("Tom")
    dialog.name.click()
    settled(qtbot, dialog, ["Nora, 9 faces", "unnamed face 2, 2 faces", "Tom, 1 face"])
    assert named(window)[3000] not in {None, NORA.id}


def test_nobody_of_the_cast_and_forgetting_it(qtbot, window, dialog):
    choose(dialog.groups, 1)
    dialog.nobody.click()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "not in the cast, 2 faces"])
    choose(dialog.groups, 1)
    dialog.unname.click()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "unnamed face 2, 2 faces"])


def test_it_all_goes_by_keys(qtbot, window, dialog):
    dialog.groups.setFocus()
    QTest.keyClick(dialog.groups, Qt.Key.Key_Right)
    assert dialog.groups.chosen == [1]
    dialog.who.setFocus()
    dialog.who.lineEdit().selectAll()
    QTest.keyClicks(dialog.who.lineEdit(), "Tom")
    QTest.keyClick(dialog.who.lineEdit(), Qt.Key.Key_Return)
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "Tom, 2 faces"])


def press(field, text, key):
    """Type into the field as a describer does: what would match takes the keys while it is shown."""
    for letter in text:
        QTest.keyClicks(matches(field) if matches(field).isVisible() else field.edit, letter)
    assert matches(field).isVisible()
    QTest.keyClick(matches(field), key)


def matches(field):
    return field.completer().popup()


def test_what_would_match_is_closed_once_a_name_was_taken(qtbot, window, dialog):
    dialog.who.setFocus()
    press(dialog.who, "Nora", Qt.Key.Key_Return)
    assert not matches(dialog.who).isVisible()
    settled(qtbot, dialog, ["Nora, 10 faces", "unnamed face 2, 2 faces"])
    assert not matches(dialog.who).isVisible()
    assert dialog.who.currentText() == "Nora"


def test_the_field_shows_the_name_of_the_chosen_group_or_none(qtbot, window, dialog):
    assert dialog.who.currentText() == ""
    dialog.who.setEditText("nora")
    dialog.name.click()
    settled(qtbot, dialog, ["Nora, 10 faces", "unnamed face 2, 2 faces"])
    assert dialog.who.currentText() == "Nora"
    choose(dialog.groups, 1)
    assert dialog.who.currentText() == ""
    with qtbot.waitSignal(window.session.messages.said) as said:
        dialog.name.click()
    assert said.args == ["Type or choose the name of the character first."]
    choose(dialog.groups, 0)
    assert dialog.who.currentText() == "Nora"
    choose(dialog.groups, 0, 1)
    assert dialog.who.currentText() == ""
    choose(dialog.groups, 1)
    dialog.who.setEditText("Tom")
    dialog.nobody.click()
    settled(qtbot, dialog, ["Nora, 10 faces", "not in the cast, 2 faces"])
    assert dialog.who.currentText() == ""
    choose(dialog.groups, 0)
    dialog.unname.click()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "not in the cast, 2 faces"])
    assert dialog.who.currentText() == ""


def test_undo_takes_the_name_out_of_the_field(qtbot, window, dialog):
    dialog.who.setEditText("Nora")
    dialog.name.click()
    settled(qtbot, dialog, ["Nora, 10 faces", "unnamed face 2, 2 faces"])
    window.actions_["edit.undo"].trigger()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "unnamed face 2, 2 faces"])
    assert dialog.who.currentText() == ""


def test_what_is_being_typed_stays_while_the_groups_are_shown_anew(qtbot, window, dialog):
    faces_ = window.editor.faces.found
    dialog.who.setEditText("Tomas")
    dialog.who.edit.setCursorPosition(2)
    faces_.changed.emit()
    faces_.progressed.emit()
    assert (dialog.who.currentText(), dialog.who.edit.cursorPosition()) == ("Tomas", 2)
    # Somebody joins the cast meanwhile, and the group gets its name elsewhere.
    window.session.edits.do(add_person(window.session.script, "Ada"))
    places = [(each.time, each.box) for each in FOUND.faces[:10]]
    window.session.edits.do(name_faces(window.session.script, window.session.edits.ids, places, NORA.id))
    settled(qtbot, dialog, ["Nora, 10 faces", "unnamed face 2, 2 faces"])
    assert (dialog.who.currentText(), dialog.who.edit.cursorPosition()) == ("Tomas", 2)
    assert dialog.who.findText("Ada") >= 0


def test_without_a_name_it_says_what_is_missing(window, dialog, qtbot):
    dialog.who.setEditText("  ")
    with qtbot.waitSignal(window.session.messages.said) as said:
        dialog.name.click()
    assert said.args == ["Type or choose the name of the character first."]
    assert named(window) == {}


def test_deleted_faces_are_gone_from_the_cache_after_a_yes(qtbot, window, dialog, monkeypatch):
    video = window.editor.faces.found.video
    choose(dialog.groups, 1)
    monkeypatch.setattr(dialogs, "ask", lambda *_, **__: 1)
    dialog.delete.click()
    assert len(cached_faces(source_of(video)).faces) == 12
    monkeypatch.setattr(dialogs, "ask", lambda *_, **__: 0)
    dialog.delete.click()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces"])
    assert len(cached_faces(source_of(video)).faces) == 10


def test_a_missing_part_is_said_with_what_to_install(window, dialog, qtbot, monkeypatch):
    monkeypatch.setattr(film_faces, "are_installed", lambda: False)
    with qtbot.waitSignal(window.session.messages.said) as said:
        dialog.search.click()
    assert "pip install 'adstudio[faces]'" in said.args[0]
    assert not window.editor.faces.found.busy


def test_a_portrait_is_cut_out_of_the_picture_around_the_face():
    wide = replace(FOUND.faces[0], box=FaceBox(0, 0, 1000, 2000))
    cut = Image.open(io.BytesIO(portraits.cut_out(picture(200), wide)))
    assert cut.size == (256, 256)
    assert portraits.cut_out(b"no picture", wide) == b""


def test_the_window_closes_with_the_project(window):
    window.session.close_project()
    assert window.editor.faces.dialog is None
    assert window.editor.faces.found.known is None


def test_naming_compares_no_faces_in_the_windows_process(qtbot, window, dialog, monkeypatch):
    def compare(*_):
        pytest.fail("the window stands still while faces are compared")

    monkeypatch.setattr(faces_known, "clustered", compare)
    dialog.who.setEditText("Nora")
    dialog.name.click()
    settled(qtbot, dialog, ["Nora, 10 faces", "unnamed face 2, 2 faces"])


def test_what_is_chosen_stays_chosen_in_another_theme(qtbot, window, dialog):
    choose(dialog.groups, 1)
    choose(dialog.members, 1)
    theme = window.editor.context.theme
    for look in (Look.DARK, Look.LIGHT):
        theme.wear(look)
        qtbot.wait(50)
        assert (dialog.groups.chosen, dialog.members.chosen) == ([1], [11])
        assert dialog.name.isEnabled()
        assert dialog.delete.isEnabled()


def test_what_is_chosen_stays_chosen_as_a_search_finds_more(qtbot, window, dialog):
    choose(dialog.groups, 1)
    choose(dialog.members, 1)
    found = window.editor.faces.found
    more = tuple(face(500 + 1000 * n, 3, crop=picture()) for n in range(1, 8))
    grown = tuple(sorted((*FOUND.faces, *more), key=lambda each: (each.time, each.box)))
    store(Kind.FACES, source_of(found.video), encode_faces(replace(FOUND, faces=grown)), complete=False)
    found._load()
    settled(qtbot, dialog, ["unnamed face 1, 10 faces", "unnamed face 2, 7 faces", "unnamed face 3, 2 faces"])
    assert dialog.groups.chosen == [2]
    assert [grown[number].time for number in dialog.members.chosen] == [16_000]
    assert dialog.name.isEnabled()


def test_a_long_name_leaves_room_for_the_number_of_faces(qtbot, window, dialog):
    choose(dialog.groups, 1)
    dialog.who.setEditText("Konstantin Alexandrowitsch Rachmaninow")
    dialog.name.click()
    qtbot.waitUntil(lambda: len(set(named(window).values())) == 1 and "Kon" in groups(dialog)[1])
    name, count = groups(dialog)[1].split(", ")
    assert name.endswith("…")
    assert count == "2 faces"
    assert dialog.groups.spoken(1).startswith("Konstantin Alexandrowitsch Rachmaninow, 2 faces")
