"""The picture in its window: the right frame and its texts, banners, the second window; never a changed document."""

from __future__ import annotations

from dataclasses import replace

import pytest
from film_clips import number_in
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QPushButton
from small_editor import CUES, script_of

from adstudio.core.steps import SetFilm
from adstudio.core.timebase import Span
from adstudio.ui.picture.overlay import Overlay, paint_overlay, shown_at
from adstudio.ui.picture.picture import Picture
from adstudio.ui.picture.views import PictureView

pytest.importorskip("mpv", exc_type=(ImportError, OSError))


def seen(view: PictureView) -> int:
    """The number of the picture that a view shows, as grabbed from it."""
    image = view.grab().toImage()
    return number_in(image.copy(view.picture_rect()))


def test_it_shows_the_picture_at_the_playhead(edit, clip, qtbot):
    editor = edit(script_of(clip))
    view = editor.picture.view
    qtbot.waitUntil(lambda: seen(view) == 0)
    editor.session.cursor.seek(3200)
    qtbot.waitUntil(lambda: seen(view) == 80)
    assert editor.session.cursor.playhead == 3200
    assert editor.player.canvas.size.width() == view.width()
    assert not editor.picture.banner.isVisible()


def test_where_mpv_cannot_use_gl_the_views_are_made_anew(edit, clip, qtbot, monkeypatch, tmp_path):
    from adstudio.ui.picture.canvas import ImageCanvas, NoGlError

    attach = ImageCanvas.attach
    tried: list[object] = []

    def fails_once(self, core):
        tried.append(self)
        if len(tried) == 1:
            raise NoGlError("a bad driver")
        attach(self, core)

    monkeypatch.setattr(ImageCanvas, "attach", fails_once)
    editor = edit(None)
    first = editor.picture.view
    editor.open(script_of(clip), tmp_path)
    assert editor.picture.view is not first
    editor.session.cursor.seek(2000)
    qtbot.waitUntil(lambda: seen(editor.picture.view) == 50)


def test_it_opens_where_the_playhead_is_and_follows_undo(edit, clip, qtbot):
    editor = edit(script_of(None))
    assert editor.player.state.file is None
    session = editor.session
    session.cursor.seek(2000)
    film = session.script.film
    session.edits.do(SetFilm(film, replace(film, media=script_of(clip).film.media)))
    qtbot.waitUntil(lambda: seen(editor.picture.view) == 50)
    session.undo()
    assert editor.player.state.file is None
    session.redo()
    qtbot.waitUntil(lambda: seen(editor.picture.view) == 50)


def test_looking_and_playing_change_nothing(edit, clip, qtbot):
    editor = edit(script_of(clip))
    qtbot.waitUntil(lambda: seen(editor.picture.view) == 0)
    before = editor.session.edits.revision
    editor.player.play()
    editor.player.set_loop(Span(1000, 1400))
    qtbot.waitUntil(lambda: editor.player.state.time >= 1200)
    editor.player.seek(5000)
    for name in (
        "play.frame_back",
        "play.second_back",
        "view.timecode",
        "view.subtitles",
        "play.mute",
        "play.loop_gap",
    ):
        editor.context.actions[name].trigger()
    editor.player.pause()
    assert editor.session.edits.revision == before
    assert not editor.session.edits.document.changed


def test_cues_are_up_until_their_end():
    assert shown_at(CUES, 0) == ("ANNA: Where is he?",)
    assert shown_at(CUES, 999) == ("ANNA: Where is he?",)
    assert shown_at(CUES, 1000) == ()
    assert shown_at(CUES, 3200) == ("Here.", "Behind you.")


def test_the_texts_are_written_at_any_resolution(qtbot):
    for ratio in (1.0, 1.5, 2.0):
        image = QImage(QSize(480, 270) * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(QColor("#204060"))
        with QPainter(image) as painter:
            paint_overlay(painter, Overlay(("Here.",), "00:00:03:05"), QRectF(0, 0, 480, 270))

        def white(x: int, y: int, width: int, height: int, image=image, ratio=ratio) -> int:
            part = image.copy(int(x * ratio), int(y * ratio), int(width * ratio), int(height * ratio))
            return sum(
                part.pixelColor(column, row).lightness() > 200
                for row in range(part.height())
                for column in range(part.width())
            )

        assert white(140, 220, 200, 50) > 20 * ratio  # the subtitle, below in the middle
        assert white(0, 0, 160, 40) > 20 * ratio  # the timecode, above on the left
        assert white(160, 60, 320, 140) == 0


def test_subtitles_and_timecode_are_switched(edit, clip, qtbot):
    editor = edit(script_of(clip))
    editor.session.cursor.seek(3200)
    view, actions = editor.picture.view, editor.context.actions
    assert view.overlay == Overlay(("Here.", "Behind you."), "")
    actions["view.timecode"].trigger()
    actions["view.subtitles"].trigger()
    assert view.overlay == Overlay((), "00:00:03:05")
    assert (actions["view.timecode"].isChecked(), actions["view.subtitles"].isChecked()) == (True, False)
    editor.session.cursor.seek(3240)
    assert view.overlay.timecode == "00:00:03:06"


def test_a_missing_video_is_told_and_the_playhead_moves_all_the_same(edit, clip, qtbot, tmp_path):
    script = script_of(clip)
    media = replace(script.film.media, path="/gone/film ä.mp4", relative_path="film ä.mp4")
    editor = edit(replace(script, film=replace(script.film, media=media)))
    banner = editor.picture.banner
    assert banner.isVisible()
    assert banner.sentence == "The video film ä.mp4 is not there; everything but the picture works."
    asked: list[bool] = []
    editor.context.actions.connect("file.relink", lambda: asked.append(True))
    find = next(button for button in banner.findChildren(QPushButton) if "Relink" in button.text())
    qtbot.mouseClick(find, Qt.MouseButton.LeftButton)
    assert asked == [True]
    editor.player.play()
    qtbot.waitUntil(lambda: editor.session.cursor.playhead >= 200)
    dismiss = next(button for button in banner.findChildren(QPushButton) if button.text() == "Dismiss")
    qtbot.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    assert not banner.isVisible()


def test_another_video_in_its_place_is_told_and_not_played(edit, clip, tmp_path):
    script = script_of(clip)
    media = replace(script.film.media, fingerprint="blake2b:00")
    editor = edit(replace(script, film=replace(script.film, media=media)))
    assert "is another video than this project was made with" in editor.picture.banner.sentence
    assert editor.player.state.file is None


def test_a_broken_video_is_told(edit, qtbot, tmp_path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film" * 5000)
    editor = edit(script_of(broken))
    qtbot.waitUntil(editor.picture.banner.isVisible)
    assert editor.picture.banner.sentence.startswith("The video cannot be played")
    assert editor.said == [editor.picture.banner.sentence]


def test_without_libmpv_everything_else_works(edit, clip, qtbot, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "mpv", None)
    editor = edit(script_of(clip))
    assert editor.picture.banner.sentence == (
        "The picture cannot be shown: libmpv is not installed; everything else works. "
        "Install libmpv2, for example with apt-get install libmpv2, and start again."
    )
    editor.session.cursor.seek(3200)
    assert editor.picture.view.overlay.subtitles == ("Here.", "Behind you.")
    editor.player.play()
    qtbot.waitUntil(lambda: editor.session.cursor.playhead >= 3400)


def test_a_second_window_shows_the_same_picture(edit, clip, qtbot):
    editor = edit(script_of(clip))
    picture: Picture = editor.picture
    action = editor.context.actions["view.second_screen"]
    action.trigger()
    second = picture.second_screen
    assert second is not None
    assert action.isChecked()
    editor.session.cursor.seek(4000)
    qtbot.waitUntil(lambda: seen(second.view) == seen(picture.view) == 100)
    picture.hide()
    editor.session.cursor.seek(4400)
    qtbot.waitUntil(lambda: seen(second.view) == 110)
    picture.show()
    qtbot.waitUntil(lambda: seen(picture.view) == 110)
    qtbot.keyClick(second, Qt.Key.Key_Escape)
    assert picture.second_screen is None
    assert not action.isChecked()
    editor.session.cursor.seek(400)
    qtbot.waitUntil(lambda: seen(picture.view) == 10)


def test_keys_work_in_the_second_window_too(edit, clip, qtbot):
    editor = edit(script_of(clip))
    editor.picture.toggle_second_screen()
    second = editor.picture.second_screen
    second.activateWindow()
    qtbot.waitUntil(second.isActiveWindow)
    qtbot.keyClick(second, Qt.Key.Key_Space)
    assert editor.player.state.playing
    qtbot.keyClick(second, Qt.Key.Key_K)
    assert not editor.player.state.playing
    editor.session.cursor.seek(2000)
    qtbot.keyClick(second, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert editor.session.cursor.playhead == 3000
    qtbot.keyClick(second, Qt.Key.Key_F11)
    assert editor.picture.second_screen is None


def test_a_film_of_sound_alone_is_told(edit, clip):
    script = script_of(clip)
    media = replace(script.film.media, rate=None)
    editor = edit(replace(script, film=replace(script.film, media=media)))
    assert editor.picture.banner.sentence == f"{clip.name} has sound, but no pictures."


def test_it_plays_on_while_nobody_looks(edit, clip, qtbot):
    editor = edit(script_of(clip))
    qtbot.waitUntil(lambda: seen(editor.picture.view) == 0)
    editor.picture.hide()
    assert editor.player.canvas.size.isEmpty()
    editor.player.play()
    qtbot.waitUntil(lambda: editor.session.cursor.playhead >= 1000)  # mpv would wait 0.2 s for each picture


def test_closing_the_project_closes_the_second_window(edit, clip):
    editor = edit(script_of(clip))
    editor.picture.toggle_second_screen()
    editor.session.close_project()
    assert editor.picture.second_screen is None
    assert editor.player.state.file is None
