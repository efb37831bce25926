"""A project finds its video again where it was or moved with it, and knows another content in its place."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.core.document import Document
from adstudio.core.errors import BadInputError
from adstudio.core.film import Film, Media
from adstudio.core.script import Script
from adstudio.store.media import FoundVideo, VideoState, find_video, fingerprint, locate_video, relink, source_paths

MB = 1 << 20


def video(path: Path, content: bytes = b"pictures and sound") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def media_of(path: Path, project: Path) -> Media:
    absolute, relative = source_paths(path, project)
    return Media(absolute, relative, path.stat().st_size, fingerprint(path), 60_000)


@pytest.mark.parametrize("name", ["film.mp4", "Gün ter – ä/日本/ñ v.mp4", "#1 %20 &.mp4", "../films/-f.mp4", "n" * 200])
def test_the_video_is_found_where_it_was(tmp_path: Path, name: str) -> None:
    project = tmp_path / "project" / "film.adproj"
    project.parent.mkdir()
    film = video(project.parent / name)
    media = media_of(film, project)
    assert media.relative_path == name
    assert "%25" not in media.path
    found = locate_video(media, project)
    assert found is not None
    assert found.samefile(film)


def test_a_moved_folder_still_finds_its_video(tmp_path: Path) -> None:
    project = tmp_path / "old" / "work" / "film.adproj"
    film = video(tmp_path / "old" / "films" / "v.mp4")
    project.parent.mkdir()
    media = media_of(film, project)
    (tmp_path / "old").rename(tmp_path / "new")
    assert locate_video(media, tmp_path / "new/work/film.adproj") == tmp_path / "new/films/v.mp4"


def test_a_moved_project_finds_the_video_that_stayed(tmp_path: Path) -> None:
    film = video(tmp_path / "films" / "v.mp4")
    media = media_of(film, tmp_path / "work" / "film.adproj")
    assert locate_video(media, tmp_path / "far" / "away" / "film.adproj") == film


def test_a_video_from_another_system_is_found_in_the_projects_folder(tmp_path: Path) -> None:
    film = video(tmp_path / "v.mp4")
    media = replace(media_of(film, tmp_path / "p.adproj"), path="D:\\Films\\v.mp4", relative_path="")
    assert locate_video(media, tmp_path / "p.adproj") == film


def test_the_copy_beside_the_project_comes_before_the_old_place(tmp_path: Path) -> None:
    old = video(tmp_path / "old" / "v.mp4")
    media = media_of(old, tmp_path / "old" / "p.adproj")
    new = video(tmp_path / "new" / "v.mp4")
    assert locate_video(media, tmp_path / "new" / "p.adproj") == new


def test_changed_moved_and_missing_are_distinguished(tmp_path: Path) -> None:
    project = tmp_path / "p.adproj"
    film = video(tmp_path / "v.mp4")
    media = media_of(film, project)
    assert find_video(media, project) == FoundVideo(VideoState.FOUND, film)
    video(film, b"another cut, longer than the first")
    assert find_video(media, project) == FoundVideo(VideoState.CHANGED, film)
    assert locate_video(media, project) is None
    film.unlink()
    assert find_video(media, project) == FoundVideo(VideoState.MISSING, None)


def test_another_content_of_the_same_size_is_changed(tmp_path: Path) -> None:
    film = video(tmp_path / "v.mp4", b"one")
    media = media_of(film, tmp_path / "p.adproj")
    video(film, b"two")
    assert find_video(media, tmp_path / "p.adproj").state is VideoState.CHANGED


def test_the_true_video_counts_even_where_another_has_its_name(tmp_path: Path) -> None:
    film = video(tmp_path / "old" / "v.mp4")
    media = media_of(film, tmp_path / "old" / "p.adproj")
    video(tmp_path / "new" / "v.mp4", b"another")
    assert locate_video(media, tmp_path / "new" / "p.adproj") == film


@pytest.mark.timeout(20)
def test_pipes_devices_and_folders_are_no_videos(tmp_path: Path) -> None:
    project = tmp_path / "p.adproj"
    os.mkfifo(tmp_path / "pipe")
    for place in [tmp_path / "pipe", Path("/dev/zero"), tmp_path, tmp_path / "none", tmp_path / ("n" * 300)]:
        media = Media(str(place), "", 0, "blake2b:00", 0)
        assert find_video(media, project).state is VideoState.MISSING
        if len(place.name) < 256:
            with pytest.raises(BadInputError, match="video not found"):
                fingerprint(place)
    assert find_video(Media("a\0b", "c\0d", 1, "", 0), project).state is VideoState.MISSING
    assert find_video(Media("", "", 1, "", 0), project).state is VideoState.MISSING


@pytest.mark.parametrize("size", [0, 1, MB - 1, MB, 2 * MB + 1, 3 * MB, 9 * MB])
def test_a_fingerprint_is_stable_and_sees_head_middle_and_tail(tmp_path: Path, size: int) -> None:
    content = bytes(i % 251 for i in range(1000)) * (size // 1000 + 1)
    film = video(tmp_path / "v", content[:size])
    known = fingerprint(film)
    assert fingerprint(video(tmp_path / "copy", content[:size])) == known
    for place in {0, size // 2, size - 1} if size else set():
        changed = bytearray(content[:size])
        changed[place] ^= 1
        assert fingerprint(video(tmp_path / "changed", bytes(changed))) != known
    assert fingerprint(video(tmp_path / "longer", content[:size] + b"x")) != known


def test_fifty_gigabytes_take_no_longer(tmp_path: Path) -> None:
    film = tmp_path / "v.mp4"
    with film.open("wb") as file:
        file.truncate(50 * 10**9)
    assert fingerprint(film).startswith("blake2b:")


def test_relinking_is_a_step_that_can_be_undone(tmp_path: Path) -> None:
    project = tmp_path / "p.adproj"
    film = video(tmp_path / "a" / "v.mp4")
    script = Script(Film("T", 60_000, media=media_of(film, project)))
    moved = tmp_path / "b" / "other name.mp4"
    moved.parent.mkdir()
    film.rename(moved)
    document = Document(script)
    document.apply(relink(script.film, moved, project))
    media = document.script.film.media
    assert media is not None
    assert (media.path, media.relative_path, media.duration) == (str(moved), "b/other name.mp4", 60_000)
    assert locate_video(media, project) == moved
    document.undo()
    assert document.script == script


def test_relinking_to_another_content_needs_it_measured(tmp_path: Path) -> None:
    project = tmp_path / "p.adproj"
    film = Film("T", 60_000, media=media_of(video(tmp_path / "v.mp4"), project))
    recut = video(tmp_path / "recut.mp4", b"another cut")
    with pytest.raises(BadInputError, match="not this project’s video"):
        relink(film, recut, project)
    with pytest.raises(BadInputError, match="not this project’s video"):
        relink(Film("T", 60_000), recut, project)
    step = relink(film, recut, project, measured=Media("", "", 0, "", 59_000, width=640))
    assert step.new.media == Media(str(recut), "recut.mp4", 11, fingerprint(recut), 59_000, width=640)
    with pytest.raises(BadInputError, match="video not found"):
        relink(film, tmp_path / "none.mp4", project)


def test_a_video_that_has_moved_keeps_its_sound_track(tmp_path: Path) -> None:
    project = tmp_path / "film.adproj"
    here = video(tmp_path / "film.mp4")
    film = Film("T", 60_000, media=replace(media_of(here, project), sound_track=2))
    moved = here.rename(tmp_path / "moved.mp4")
    measured = Media("", "", 0, "", 60_000)
    for step in (relink(film, moved, project), relink(film, moved, project, measured=measured)):
        assert step.new.media is not None
        assert step.new.media.sound_track == 2
    recut = video(tmp_path / "recut.mp4", b"another cut")
    step = relink(film, recut, project, measured=measured)
    assert step.new.media is not None
    assert step.new.media.sound_track is None
