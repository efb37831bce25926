"""Characters as cards: collected, changed, merged, split and deleted; faces cut out of files and of the film."""

from __future__ import annotations

import io
import sys
from dataclasses import replace

import av
import numpy as np
import pytest
from desks import desk_on, small_script
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent

from adstudio.core.cast import CharacterSource, FaceBox, NamedFace, Person, Portrait, Pronouns
from adstudio.core.errors import OutsideFailureError
from adstudio.core.film import Media
from adstudio.core.steps import Insert, SetFilm
from adstudio.editing.cast import add_person, add_portrait, merge_people, set_speaker
from adstudio.media.probe import probe
from adstudio.store.media import fingerprint, source_file
from adstudio.ui.cast import cast_page, face_picker
from adstudio.ui.cast.cast_page import CastPage
from adstudio.ui.cast.face_crop import FaceCrop
from adstudio.ui.cast.portraits import COLOURS, colours_of


@pytest.fixture(autouse=True)
def no_look(monkeypatch):
    """No process looks for faces, unless a test says otherwise."""
    monkeypatch.setattr(face_picker, "are_installed", lambda: False)


@pytest.fixture
def page(context, qtbot):
    return shown(context, qtbot)


def shown(context, qtbot):
    made = CastPage(context)
    qtbot.addWidget(made)
    context.session.current_plan.changed.connect(lambda _: made.renew())
    made.resize(800, 600)
    made.show()
    made.renew()
    return made


ADDED = replace(Person.named("Anna"), sources=frozenset({CharacterSource.DESCRIBER}))


def people(page):
    return page._context.session.script.people


def names(page):
    return [person.name for person in people(page)]


def typed(field, text):
    field.setText(text)
    field.setModified(True)
    field.editingFinished.emit()


def answer(monkeypatch, page, number):
    """Answer the question that the page asks; returns what it asked."""
    asked = []

    def ask(_, __, detail, *___, **____):
        asked.append(detail)
        return number

    monkeypatch.setattr(cast_page, "ask", ask)
    return asked


def add(page, *added):
    for name in added:
        page.new_name.setText(name)
        page.add()


def picture(path, width=900, height=600):
    """The upper third red, the rest blue."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 3, :, 0] = 255
    pixels[height // 3 :, :, 2] = 255
    Image.fromarray(pixels).save(path)
    return path


def take_file(page, path, monkeypatch, qtbot):
    monkeypatch.setattr(face_picker, "ask_open", lambda *_: path)
    page.picker.file_button.click()
    assert page.picker.images.busy
    qtbot.waitUntil(lambda: not page.picker.images.busy)


def test_a_file_that_is_refused_leaves_the_keys_where_they_are(page, tmp_path, monkeypatch, qtbot):
    add(page, "Anna")
    (tmp_path / "no.jpg").write_text("no picture")
    page.activateWindow()
    page.picker.file_button.setFocus()
    qtbot.waitUntil(page.picker.file_button.hasFocus)
    take_file(page, tmp_path / "no.jpg", monkeypatch, qtbot)
    assert "not a readable image" in page.problem.text()
    assert page.picker.file_button.hasFocus()


def test_somebody_comes_is_renamed_and_goes_step_by_step(page, context, monkeypatch):
    add(page, "Nora", "  The   guard ")
    assert names(page) == ["Nora", "The guard"]
    assert page.cards.currentRow() == 1
    typed(page.form.name, "The porter")
    assert names(page) == ["Nora", "The porter"]
    page.earlier_button.click()
    assert names(page) == ["The porter", "Nora"]
    assert page.current.name == "The porter"
    answer(monkeypatch, page, 0)
    page.delete_button.click()
    assert names(page) == ["Nora"]
    assert page.current.name == "Nora"
    assert len(context.session.edits.document.past) == 5
    for _ in range(5):
        assert context.session.undo()
    page.renew()
    assert people(page) == ()
    assert page.cards.count() == 0
    assert page.current is None
    assert not page.form.isEnabled()


def test_a_name_is_typed_and_taken_with_return(page, qtbot):
    page.new_name.setFocus()
    qtbot.keyClicks(page.new_name, "Ann")
    qtbot.keyClick(page.new_name, Qt.Key.Key_Return)
    assert names(page) == ["Ann"], "not Anna, who speaks in the film"
    assert page.new_name.text() == ""


def test_what_is_typed_in_a_field_is_one_step_each(page):
    add(page, "Anna")
    typed(page.form.aliases, "Annie, Mrs Bell,, annie")
    typed(page.form.described, "the  clerk")
    page.form.pronouns.setCurrentIndex(1)
    page.form.pronouns.activated.emit(1)
    page.form.colour.setCurrentIndex(2)
    page.form.colour.activated.emit(2)
    (anna,) = people(page)
    assert (anna.aliases, anna.described_as, anna.pronouns) == (("Annie", "Mrs Bell"), "the clerk", Pronouns.SHE)
    assert anna.colour == page.form.colour.itemData(2)
    assert len(page._context.session.edits.document.past) == 5
    typed(page.form.described, "x" * 121)
    assert "at most 120" in page.problem.text()
    assert page.form.described.text() == "the clerk"


def test_first_times_are_set_at_the_playhead_and_worked_out_again(page, context):
    page.collect()
    page.cards.setCurrentRow(0)
    assert page.form.times.text() == "heard 00:00:10:00\nspeaks 1 cue"
    context.session.cursor.show_playhead(2_000)
    for button in page.form.time_buttons[:3]:
        button.click()
    assert page.form.times.text() == "seen 00:00:02:00\nheard 00:00:02:00\nnamed 00:00:02:00\nspeaks 1 cue"
    page.form.time_buttons[3].click()
    assert page.form.times.text() == "heard 00:00:10:00\nspeaks 1 cue"


def test_characters_have_colours_of_their_own_while_there_are_enough():
    people = tuple(Person(f"p{n}", f"P{n}") for n in range(12))
    found = colours_of((*people, Person("x", "X", colour="#123456")))
    assert len({found[person.id] for person in people[:10]}) == 10
    assert found["x"] == "#123456"
    assert set(colours_of(people).values()) <= set(COLOURS)


def test_what_is_typed_is_taken_when_the_window_is_left(page):
    add(page, "Anna")
    page.form.described.setText("the clerk")
    page.form.described.setModified(True)
    page.flush()
    assert people(page)[0].described_as == "the clerk"


def test_characters_are_collected_merged_split_and_merged_again(context, qtbot, tmp_path):
    path = tmp_path / "film.fountain"
    path.write_text("INT. HOUSE - DAY\n\nNora waits.\n\nNORA VALE\nYes.\n\nMRS VALE\nNo.\n", "utf-8")
    film = context.session.script.film
    context.session.edits.do(SetFilm(film, replace(film, screenplay=source_file(path, path))))
    page = shown(context, qtbot)
    page.collect_button.click()
    assert names(page) == ["Nora Vale", "Anna", "Tom"]
    assert "3 new characters, 1 name merged" in page.done.text()
    assert "Mrs Vale is Nora Vale: a form of address" in page.done.text()
    assert "heard 00:00:10:00, speaks 1 cue" in page.cards.item(1).data(Qt.ItemDataRole.AccessibleTextRole)
    page.cards.setCurrentRow(0)
    assert page.form.merged.item(0).text().startswith("Mrs Vale – a form of address")
    page.form.split_button.click()
    assert names(page) == ["Nora Vale", "Mrs Vale", "Anna", "Tom"]
    page.collect_button.click()
    assert names(page) == ["Nora Vale", "Mrs Vale", "Anna", "Tom"], "what was split stays split"
    assert "Nobody new" in page.done.text()
    page.cards.item(1).setSelected(True)
    assert page.merge_button.isEnabled()
    page.merge_button.click()
    assert names(page) == ["Nora Vale", "Anna", "Tom"]
    path.unlink()
    page.collect()
    assert "is missing" in page.problem.text()


def test_a_cast_list_is_read_and_what_is_none_is_refused(page, tmp_path, monkeypatch):
    path = tmp_path / "cast.csv"
    path.write_text("name;description\nNORA VALE;the woman in red\n", "utf-8")
    monkeypatch.setattr(cast_page, "ask_open", lambda *_: path)
    page.list_button.click()
    assert (names(page), people(page)[0].described_as) == (["Nora Vale"], "the woman in red")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\1\2" * 100)
    page.list_button.click()
    assert "is not a text file" in page.problem.text()
    assert names(page) == ["Nora Vale"]


def test_deleting_asks_first_and_says_what_goes(page, context, monkeypatch):
    page.collect()
    anna = people(page)[0]
    context.session.edits.do(add_portrait(context.session.script, anna.id, Portrait(b"x")))
    context.session.edits.do(Insert(NamedFace("f", 1, FaceBox(0, 0, 9, 9), anna.id)))
    context.session.edits.do(set_speaker(context.session.script, ["c2"], "Anna"))
    page.renew()
    asked = answer(monkeypatch, page, None)
    page.cards.setCurrentRow(0)
    page.delete_button.click()
    assert len(people(page)) == 2, "not confirmed"
    assert "1 picture, 1 named face, the speaker of 1 cue" in asked[0]
    assert "Names that the subtitles and the script themselves say stay" in asked[0]
    assert "except for this character’s faces found in the film" in asked[0]
    answer(monkeypatch, page, 0)
    page.delete_button.click()
    script = context.session.script
    assert (names(page), script.named_faces) == (["Tom"], ())
    assert [cue.speaker for cue in script.cues] == ["ANNA", None]


def test_what_can_be_deleted_is_where_something_else_cannot(page, context, monkeypatch):
    from adstudio.characters import faces_in_film, voices_cached

    def fails(*_):
        raise OutsideFailureError("the cache cannot be written")

    deleted = []
    monkeypatch.setattr(faces_in_film, "delete_found_faces", fails)
    monkeypatch.setattr(voices_cached, "delete_voices", lambda *_: deleted.append("voices"))
    page.collect()
    answer(monkeypatch, page, 0)
    page.cards.setCurrentRow(0)
    page.delete_button.click()
    assert deleted == ["voices"]
    assert "the cache cannot be written" in page.problem.text()


def test_cards_say_who_they_are_and_keys_reach_everything(page, qtbot, monkeypatch):
    page.collect()
    page.activateWindow()
    page.cards.setFocus()
    page.cards.setCurrentRow(0)
    qtbot.keyClick(page.cards, Qt.Key.Key_Right)
    assert page.current.name == "Tom"
    read = page.cards.currentItem().data(Qt.ItemDataRole.AccessibleTextRole)
    assert read.startswith("Tom, heard 00:00:18:00")
    assert read.endswith("without a picture, number 2")
    qtbot.keyClick(page.cards, Qt.Key.Key_F2)
    qtbot.waitUntil(page.form.name.hasFocus)
    asked = answer(monkeypatch, page, None)
    qtbot.keyClick(page.cards, Qt.Key.Key_Delete)
    assert asked


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "Type a name"),
        ("anna", "“Anna” is already in the cast"),
        ("x" * 61, "1 to 60"),
        ("a\x07", "1 to 60"),
    ],
)
def test_a_name_that_cannot_be(page, said, name, why):
    add(page, "Anna")
    add(page, name)
    assert people(page) == (ADDED,)
    assert why.lower() in page.problem.text().lower()
    assert said[-1] == page.problem.text()
    add(page, "Tom")
    assert not page.problem.isVisible()


def test_renaming_to_what_cannot_be_gives_the_old_name_back(page):
    add(page, "Anna", "Tom")
    typed(page.form.name, "ANNA")
    assert page.form.name.text() == "Tom"
    assert "is already in the cast" in page.problem.text()


def test_a_face_is_cut_out_of_a_file(page, context, tmp_path, monkeypatch, qtbot):
    add(page, "Anna")
    take_file(page, picture(tmp_path / "anna.png"), monkeypatch, qtbot)
    assert page.picker.shown_part() is page.picker.cutting
    page.picker.crop._place(QRect(0, 0, 200, 200))
    page.picker.take_button.click()
    with Image.open(io.BytesIO(people(page)[0].face)) as face:
        assert (face.format, face.size) == ("JPEG", (200, 200))
        assert face.convert("RGB").getpixel((100, 100))[0] > 240
        assert not face.getexif()
    assert page.picker.shown_part() is page.picker.looking
    assert not page.picker.face.pixmap().isNull()
    assert people(page)[0].portraits[0].picture.path == str(tmp_path / "anna.png")
    typed(page.form.name, "Ann")
    assert people(page)[0].portraits[0].picture.path == str(tmp_path / "anna.png")
    page.picker.remove_button.click()
    assert people(page)[0].face == b""
    context.session.undo()
    assert people(page)[0].face


def pictured(page, context, *sides):
    """Anna with square pictures of these sizes."""
    add(page, "Anna")
    made = []
    for side in sides:
        data = io.BytesIO()
        Image.new("RGB", (side, side), (side, 0, 0)).save(data, "PNG")
        made.append(data.getvalue())
        person = people(page)[0]
        time = 1000 * side
        step = add_portrait(context.session.script, person.id, Portrait(data.getvalue(), time=time), first=False)
        context.session.edits.do(step)
    page.renew()
    return made


def test_all_pictures_are_shown_and_one_is_chosen_or_removed(page, context):
    first, second, third = pictured(page, context, 20, 30, 40)
    cards = page.picker.pictures
    assert cards.isVisible()
    texts = [cards.model().index(row, 0).data() for row in range(cards.model().rowCount())]
    spoken = [cards.spoken(row) for row in range(3)]
    assert texts == ["Portrait", "2", "3"]
    assert spoken[0] == "Picture 1 of 3, the portrait, from the film at 00:00:20:00"
    assert spoken[2] == "Picture 3 of 3, from the film at 00:00:40:00"
    assert not page.picker.portrait_button.isEnabled(), "the first one is the portrait"
    cards.set_current(2)
    page.picker.portrait_button.click()
    assert [each.image for each in people(page)[0].portraits] == [third, first, second]
    assert (cards.currentIndex().row(), cards.is_portrait) == (0, True)
    cards.set_current(1)
    page.picker.remove_button.click()
    assert [each.image for each in people(page)[0].portraits] == [third, second]
    assert cards.currentIndex().row() == 1, "the one that is in its place now"
    context.session.undo()
    context.session.undo()
    page.renew()
    assert [each.image for each in people(page)[0].portraits] == [first, second, third]


def test_pictures_are_chosen_and_removed_by_keys(page, context, qtbot):
    first, second = pictured(page, context, 20, 30)
    page.activateWindow()
    cards = page.picker.pictures
    cards.setFocus()
    qtbot.keyClick(cards, Qt.Key.Key_Right)
    qtbot.keyClick(cards, Qt.Key.Key_Return)
    assert [each.image for each in people(page)[0].portraits] == [second, first]
    qtbot.keyClick(cards, Qt.Key.Key_Delete)
    assert [each.image for each in people(page)[0].portraits] == [first]
    assert not cards.isVisible(), "of one picture there is nothing to choose"
    page.picker.remove_button.click()
    assert people(page)[0].portraits == ()
    assert not page.picker.remove_button.isEnabled()


def test_pictures_of_a_merged_name_are_shown_chosen_and_removed_too(page, context):
    (anna,) = pictured(page, context, 20)
    add(page, "Annie")
    step = add_portrait(context.session.script, people(page)[1].id, Portrait(b"of Annie"))
    context.session.edits.do(step)
    step = merge_people(context.session.script, [people(page)[1].id], people(page)[0].id)
    context.session.edits.do(step)
    page.renew()
    page.cards.setCurrentRow(0)
    cards = page.picker.pictures
    assert cards.spoken(1) == "Picture 2 of 2, of Annie"
    cards.set_current(1)
    page.picker.portrait_button.click()
    assert [each.image for each in people(page)[0].portraits] == [b"of Annie", anna]
    assert cards.model().rowCount() == 2, "it is the same picture, not another one"
    page.picker.remove_button.click()
    assert [each.image for each in people(page)[0].all_portraits] == [anna]


@pytest.mark.parametrize(
    ("faces", "said"),
    [
        (0, "No face is recognised in this picture of “Anna”"),
        (1, ""),
        (3, "shows 3 faces, of which the largest"),
    ],
)
def test_a_picture_without_one_face_is_taken_and_what_that_means_is_said(
    page, tmp_path, monkeypatch, qtbot, faces, said
):
    monkeypatch.setattr(face_picker, "are_installed", lambda: True)
    answer = f'{{"type":"PortraitSeen","faces":{faces}}}'
    page.picker.looks.command = [sys.executable, "-I", "-c", f"input(); print({answer!r})"]
    add(page, "Anna")
    take_file(page, picture(tmp_path / "anna.png"), monkeypatch, qtbot)
    page.picker.take_button.click()
    qtbot.waitUntil(lambda: not page.picker.looks.busy)
    assert people(page)[0].face
    assert said in page.problem.text()
    assert bool(page.problem.text()) is bool(said)


def test_a_look_for_the_face_that_crashes_is_said_and_the_picture_stays(page, tmp_path, monkeypatch, qtbot):
    monkeypatch.setattr(face_picker, "are_installed", lambda: True)
    page.picker.looks.command = [sys.executable, "-I", "-c", "import os; os._exit(139)"]
    add(page, "Anna")
    take_file(page, picture(tmp_path / "anna.png"), monkeypatch, qtbot)
    page.picker.take_button.click()
    qtbot.waitUntil(lambda: not page.picker.looks.busy)
    assert page.problem.text() == face_picker.PORTRAIT_CRASHED
    assert people(page)[0].face


def test_a_large_face_is_made_small(page, tmp_path, monkeypatch, qtbot):
    add(page, "Anna")
    take_file(page, picture(tmp_path / "anna.png", 1200, 1200), monkeypatch, qtbot)
    assert page.picker.crop.square == QRect(0, 0, 1200, 1200), "a square picture is taken whole"
    page.picker.take()
    with Image.open(io.BytesIO(people(page)[0].face)) as face:
        assert face.size == (256, 256)


@pytest.mark.parametrize(
    "content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(100), b"<svg xmlns='http://www.w3.org/2000/svg'/>"]
)
def test_what_is_no_picture_is_refused_with_a_sentence(page, tmp_path, monkeypatch, qtbot, content):
    add(page, "Anna")
    (tmp_path / "anna.png").write_bytes(content)
    take_file(page, tmp_path / "anna.png", monkeypatch, qtbot)
    assert str(tmp_path / "anna.png") in page.problem.text()
    assert page.picker.shown_part() is page.picker.looking
    assert people(page) == (ADDED,)


def test_a_picture_that_would_fill_the_memory_is_refused(page, tmp_path, monkeypatch, qtbot):
    import struct
    import zlib

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    (tmp_path / "bomb.png").write_bytes(bomb + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""))
    add(page, "Anna")
    take_file(page, tmp_path / "bomb.png", monkeypatch, qtbot)
    assert "has more than 50 million pixels" in page.problem.text()


@pytest.mark.parametrize(
    "text", ["import os; os._exit(139)", 'print(\'{"type":"Image","data":"AAAA"}\')', "print('hello')"]
)
def test_a_process_that_dies_or_says_nothing_of_use(page, tmp_path, monkeypatch, qtbot, text):
    add(page, "Anna")
    page.picker.images.command = [sys.executable, "-I", "-c", text]
    take_file(page, picture(tmp_path / "anna.png"), monkeypatch, qtbot)
    assert page.problem.text() in (face_picker.CRASHED, "This picture cannot be displayed.")
    assert people(page) == (ADDED,)
    assert page.picker.file_button.isEnabled()


def test_a_picture_that_never_comes_is_given_up(page, tmp_path, monkeypatch, qtbot):
    add(page, "Anna")
    page.picker.images.command = [sys.executable, "-I", "-c", "import time; time.sleep(60)"]
    page.picker.images._limit.setInterval(100)
    take_file(page, picture(tmp_path / "anna.png"), monkeypatch, qtbot)
    assert page.problem.text() == face_picker.LATE
    qtbot.waitUntil(lambda: not page._context.jobs.running)


def test_one_that_was_stopped_is_said_to_have_been_stopped(page, tmp_path, monkeypatch, qtbot):
    add(page, "Anna")
    page.picker.images.command = [sys.executable, "-I", "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(face_picker, "ask_open", lambda *_: picture(tmp_path / "anna.png"))
    page.picker.from_file()
    page._context.jobs.running[0].stop()
    qtbot.waitUntil(lambda: not page.picker.images.busy)
    assert page.problem.text() == face_picker.STOPPED


def test_a_small_face_is_shown_large_enough(page, tmp_path, monkeypatch, qtbot):
    add(page, "Anna")
    take_file(page, picture(tmp_path / "anna.png", 64, 64), monkeypatch, qtbot)
    page.picker.take()
    with Image.open(io.BytesIO(people(page)[0].face)) as face:
        assert face.size == (160, 160)


def test_undo_in_a_field_is_the_scripts_where_nothing_was_typed(page):
    add(page, "Anna")
    for field in (page.form.name, page.new_name):
        for key, taken in ((Qt.Key.Key_Z, False), (Qt.Key.Key_A, True)):
            event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.ControlModifier)
            event.ignore()
            field.event(event)
            assert event.isAccepted() is taken
    page.form.name.insert("x")
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    event.ignore()
    page.form.name.event(event)
    assert event.isAccepted()
    page.form.name.setModified(False)


def test_cancelled_it_changes_nothing(page, context, tmp_path, monkeypatch, qtbot):
    add(page, "Anna")
    take_file(page, picture(tmp_path / "anna.png"), monkeypatch, qtbot)
    page.picker.leave_button.click()
    assert people(page) == (ADDED,)
    assert len(context.session.edits.document.past) == 1


def test_the_picture_belongs_to_whom_it_was_asked_for(page, tmp_path, monkeypatch, qtbot):
    add(page, "Anna", "Tom")
    take_file(page, picture(tmp_path / "anna.png"), monkeypatch, qtbot)
    page.cards.setCurrentRow(0)
    assert page.picker.shown_part() is page.picker.looking, "another one in hand: nothing is cut any more"
    page.picker.take()
    assert not any(person.face for person in people(page))


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.mp4"
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=10, options={"preset": "ultrafast"})
        video.width, video.height, video.pix_fmt = 160, 96, "yuv420p"
        for number in range(30):
            colour = (220, 20, 20) if number < 15 else (20, 20, 220)
            frame = av.VideoFrame.from_ndarray(np.full((96, 160, 3), colour, np.uint8), format="rgb24")
            frame.pts = number
            out.mux(video.encode(frame))
        out.mux(video.encode())
    return path


def test_a_face_is_cut_out_of_the_films_present_picture(qtbot, tmp_path, film):
    found = probe(film)
    media = Media(str(film), "", film.stat().st_size, fingerprint(film), found.duration, width=160, height=96)
    script = small_script()
    with desk_on(tmp_path, replace(script, film=replace(script.film, media=media))) as context:
        page = shown(context, qtbot)
        add(page, "Anna")
        context.session.cursor.show_playhead(2_000)
        page.renew()
        assert "00:02" in page.picker.film_note.text()
        page.picker.film_button.click()
        qtbot.waitUntil(lambda: page.picker.shown_part() is page.picker.cutting)
        page.picker.take()
        with Image.open(io.BytesIO(people(page)[0].face)) as face:
            red, _, blue = face.convert("RGB").getpixel((10, 10))
        assert blue > 150 > red
        film.unlink()
        page.picker.film_button.click()
        assert "video is missing" in page.problem.text()


def test_without_a_video_there_is_no_present_picture(page):
    add(page, "Anna")
    assert not page.picker.film_button.isEnabled()
    assert page.picker.film_note.text() == face_picker.NO_VIDEO


@pytest.fixture
def crop(qtbot, tmp_path):
    made = FaceCrop()
    qtbot.addWidget(made)
    made.resize(900, 600)
    assert made.show_picture(picture(tmp_path / "face.jpg").read_bytes())
    made.show()
    return made


def test_the_square_is_moved_and_sized_by_keys_and_stays_in_the_picture(crop, qtbot):
    assert crop.square == QRect(300, 75, 300, 300)
    qtbot.keyClick(crop, Qt.Key.Key_Left)
    qtbot.keyClick(crop, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert crop.square == QRect(282, 76, 300, 300)
    qtbot.keyClick(crop, Qt.Key.Key_Plus)
    assert crop.square.width() == 336
    for _ in range(200):
        qtbot.keyClick(crop, Qt.Key.Key_Right)
        qtbot.keyClick(crop, Qt.Key.Key_Minus)
    assert crop.square.width() == 32
    assert crop.square.right() == 899
    assert "32 wide, of 900 by 600" in crop.accessibleDescription()
    with qtbot.waitSignal(crop.taken):
        qtbot.keyClick(crop, Qt.Key.Key_Return)


def test_the_square_is_dragged(crop, qtbot):
    qtbot.mousePress(crop, Qt.MouseButton.LeftButton, pos=QPoint(450, 200))
    qtbot.mouseMove(crop, QPoint(500, 230))
    qtbot.mouseRelease(crop, Qt.MouseButton.LeftButton, pos=QPoint(500, 230))
    assert crop.square == QRect(350, 105, 300, 300)
    qtbot.mouseClick(crop, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert crop.square.topLeft() == QPoint(0, 0)


@pytest.mark.qt_log_ignore("JPEG")
@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff\xe0" + bytes(20)])
def test_what_is_no_picture_is_not_shown(crop, data):
    assert not crop.show_picture(data)
    assert crop.square == QRect(300, 75, 300, 300)


def test_pronouns_that_texts_show_are_proposed_with_their_sentence_and_only_taken_when_asked_for(qtbot, tmp_path):
    script = small_script()
    told = [replace(each, extract=text) for each, text in zip(script.eventualities, TOLD, strict=False)]
    with desk_on(tmp_path, replace(script, eventualities=(*told, *script.eventualities[len(TOLD) :]))) as desk:
        desk.session.edits.attempt(lambda script: add_person(script, "Tom"))
        page = shown(desk, qtbot)
        form = page.form
        page.cards.setCurrentRow(page.cards.count() - 1)
        assert form.proposal.text() == "Probably he: “Tom waits until he is alone”"
        assert form.pronouns.currentData() is Pronouns.UNKNOWN
        assert people(page)[-1].pronouns is Pronouns.UNKNOWN
        form.take_proposal.click()
        assert people(page)[-1].pronouns is Pronouns.HE
        assert not form.proposal.isVisible()
        form._choose("pronouns", Pronouns.THEY)
        assert people(page)[-1].pronouns is Pronouns.THEY
        assert not form.proposal.isVisible()


TOLD = ("Tom smooths his hair.", "Tom waits until he is alone.", "Tom drops his hat.")
