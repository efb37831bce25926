"""A project opens where it was left, and the welcome page has a picture of it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from desks import small_script, window_on
from PIL import Image

from adstudio.media.thumbnails import Thumbnail, Thumbnails
from adstudio.store.project import ProjectFile
from adstudio.ui.app.last_view import PREFERENCE, LastView, store_view, stored_view
from adstudio.ui.files.covers import cover, cover_path, store_cover
from adstudio.ui.session.preferences import MOST_RECENT
from adstudio.ui.session.selection import Kind, Selection


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def window(qapp, tmp_path: Path):
    with window_on(tmp_path) as made:
        yield made


def picture(colour: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (32, 18), colour).save(written, "JPEG")
    return written.getvalue()


def test_playhead_selection_and_view_are_as_they_were_left(window, tmp_path):
    session, timeline = window.session, window.editor.timeline
    first = session.project.path
    window.context.preferences.remember(first)
    session.cursor.select(Selection(Kind.LINE, ("b", "d")))
    session.cursor.seek(17_000)
    timeline.zoom(4)
    left = timeline.view
    timeline.films.data.thumbnails = Thumbnails(
        (Thumbnail(0, 16_000, 0, 32, 18, picture("red")), Thumbnail(16_000, 30_000, 16_000, 32, 18, picture("blue")))
    )
    ProjectFile.create(tmp_path / "other.adproj", small_script()).close()
    window.files.open_path(tmp_path / "other.adproj")
    assert (session.cursor.playhead, session.cursor.selection.ids) == (0, ())
    assert not session.edits.document.changed
    window.files.open_path(first)
    assert (session.cursor.playhead, session.cursor.selection.ids) == (17_000, ("d",))
    assert timeline.view == left
    assert not session.edits.document.changed
    image = cover(first)
    assert image is not None
    assert image.pixelColor(16, 9).blue() > 200  # the shot at the playhead


def test_what_is_gone_is_not_selected(window):
    session = window.session
    path = session.project.path
    session.close_project()
    store_view(window.context.preferences, path, LastView(10**9, "line", ("gone", "c"), 1e9, 1e-9))
    window.files.open_path(path)
    assert session.cursor.selection.ids == ("c",)
    assert session.cursor.playhead == 30_000


@pytest.mark.parametrize(
    "stored",
    ["", "[]", "{", '{"P": 1}', '{"P": {"playhead": "soon"}}', '{"P": {"playhead": 1, "kind": "moon", "ids": []}}'],
)
def test_a_view_that_cannot_be_read_is_none(window, stored):
    path = window.session.project.path
    window.context.preferences.store(PREFERENCE, stored.replace("P", str(path)))
    assert stored_view(window.context.preferences, path) is None
    store_view(window.context.preferences, path, LastView(5))
    assert stored_view(window.context.preferences, path) == LastView(5)


def test_only_recent_projects_are_remembered(window, tmp_path):
    preferences = window.context.preferences
    paths = [tmp_path / f"{n}.adproj" for n in range(MOST_RECENT + 3)]
    for path in paths:
        preferences.remember(path)
        store_view(preferences, path, LastView(7))
        store_cover(path, picture("green"), preferences.recent)
    for path in paths[:2]:
        assert stored_view(preferences, path) is None
        assert not cover_path(path).exists()
    for path in paths[3:]:
        assert stored_view(preferences, path) == LastView(7)
        assert cover(path) is not None


def test_a_picture_that_is_none_is_left_out(tmp_path):
    path = tmp_path / "p.adproj"
    assert cover(path) is None
    store_cover(path, b"no picture", ())
    assert cover(path) is None
