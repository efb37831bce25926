from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.media import cache
from adstudio.media.cache import (
    DamagedCacheError,
    Kind,
    Source,
    cached,
    is_stale,
    place,
    read_content,
    source_of,
    store,
    tidy,
)
from adstudio.system import files

SOURCE = Source("blake2b:00ff", 1000, 5)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_it_lies_in_the_users_cache_by_fingerprint(own_cache):
    path = place(Kind.PEAKS, SOURCE)
    assert path.is_relative_to(own_cache / "adstudio")
    assert place(Kind.SHOTS, SOURCE).parent == path.parent
    assert place(Kind.PEAKS, replace(SOURCE, fingerprint="blake2b:00fe")).parent != path.parent


@pytest.mark.parametrize("fingerprint", ["../../../etc", "/etc/passwd", "a" * 5000, "\x00", "\udc80", "日本", ""])
def test_a_fingerprint_can_name_no_other_folder(own_cache, fingerprint):
    source = replace(SOURCE, fingerprint=fingerprint)
    path = store(Kind.PEAKS, source, b"x", complete=True)
    assert path.resolve().parent.parent == cache.folder().resolve()
    assert cached(Kind.PEAKS, source) == path


def test_what_is_kept_is_found_again_and_read():
    assert cached(Kind.PEAKS, SOURCE) is None
    path = store(Kind.PEAKS, SOURCE, b"line\nand more\n", complete=True)
    assert cached(Kind.PEAKS, SOURCE) == path
    assert read_content(path) == b"line\nand more\n"
    assert cached(Kind.SHOTS, SOURCE) is None
    store(Kind.PEAKS, SOURCE, b"", complete=True)
    assert read_content(path) == b""


@pytest.mark.parametrize(
    "other", [replace(SOURCE, size=1001), replace(SOURCE, mtime_ns=6), replace(SOURCE, fingerprint="blake2b:01")]
)
def test_what_was_made_of_another_state_of_the_film_is_stale(other):
    store(Kind.PEAKS, SOURCE, b"x", complete=True)
    assert is_stale(Kind.PEAKS, other)
    assert not is_stale(Kind.PEAKS, SOURCE)


@pytest.mark.parametrize(("kind", "name"), [(Kind.PEAKS, "SOUND_VERSION"), (Kind.SHOTS, "VERSION")])
def test_another_format_is_stale(monkeypatch, kind, name):
    store(kind, SOURCE, b"x", complete=True)
    assert not is_stale(kind, SOURCE)
    monkeypatch.setattr(cache, name, getattr(cache, name) + 1)
    assert is_stale(kind, SOURCE)


def test_each_sound_track_has_its_own_sound_and_they_share_the_shots():
    second = replace(SOURCE, track=2)
    for kind in (Kind.PEAKS, Kind.ACTIVITY, Kind.SHOTS):
        store(kind, SOURCE, b"x", complete=True)
    assert [cached(kind, second) is None for kind in (Kind.PEAKS, Kind.ACTIVITY, Kind.SHOTS)] == [True, True, False]
    path = store(Kind.PEAKS, second, b"yy", complete=True)
    assert read_content(path) == b"yy"
    assert (cached(Kind.PEAKS, second), cached(Kind.PEAKS, SOURCE) == path) == (path, False)
    # What is tidied away are files of these names.
    assert tidy(most=0) == 0
    assert not path.exists()


def test_a_partial_result_is_stale_but_can_be_read():
    path = store(Kind.PEAKS, SOURCE, b"so far", complete=False)
    assert is_stale(Kind.PEAKS, SOURCE)
    assert read_content(path) == b"so far"


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: b"", lambda d: bytes(len(d)), lambda d: b"{" * 9000])
def test_a_damaged_file_is_stale_and_told(damage):
    path = store(Kind.PEAKS, SOURCE, b"content", complete=True)
    path.write_bytes(damage(path.read_bytes()))
    assert is_stale(Kind.PEAKS, SOURCE)
    with pytest.raises(DamagedCacheError):
        read_content(path)


def test_a_film_that_was_changed_is_another_source(tmp_path):
    film = tmp_path / "a.mp4"
    film.write_bytes(bytes(10_000))
    first = source_of(film)
    assert source_of(film) == first
    assert source_of(film, "mine").fingerprint == "mine"
    os.utime(film, ns=(1, 1))
    assert source_of(film) == replace(first, mtime_ns=1)
    film.write_bytes(bytes(9999) + b"x")
    assert source_of(film).fingerprint != first.fingerprint


def test_a_film_that_is_not_there(tmp_path):
    with pytest.raises(BadInputError, match="no such film"):
        source_of(tmp_path / "none.mp4")


def fill(count, size=100):
    """Films used one after the other, the first longest ago."""
    sources = [replace(SOURCE, fingerprint=str(number)) for number in range(count)]
    for number, source in enumerate(sources):
        path = store(Kind.PEAKS, source, bytes(size), complete=True)
        os.utime(path, (1000 + number, 1000 + number))
    return sources, path.stat().st_size


def there(sources):
    return [place(Kind.PEAKS, source).exists() for source in sources]


def test_the_films_used_longest_ago_go_first():
    sources, size = fill(5)
    assert tidy(most=3 * size) == 3 * size
    assert there(sources) == [False, False, True, True, True]
    assert not place(Kind.PEAKS, sources[0]).parent.exists()


def test_the_film_in_use_stays():
    sources, _ = fill(3)
    tidy(using=sources[0], most=0)
    assert there(sources) == [True, False, False]


def test_looking_at_a_film_makes_it_used():
    sources, size = fill(3)
    assert cached(Kind.PEAKS, sources[0])
    tidy(most=2 * size)
    assert there(sources) == [True, False, True]


def test_only_what_is_ours_is_tidied(tmp_path, own_cache):
    sources, _ = fill(2)
    ours = place(Kind.PEAKS, sources[0]).parent
    strangers = [ours / "holiday.jpg", cache.folder() / "readme.txt", own_cache / "adstudio" / "other"]
    for path in strangers:
        path.write_bytes(b"x")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "peaks.bin").write_bytes(b"x")
    (cache.folder() / ("0" * 40)).symlink_to(outside)
    tidy(most=0)
    assert there(sources) == [False, False]
    assert all(path.exists() for path in [*strangers, outside / "peaks.bin"])


def test_a_temporary_of_a_process_that_was_killed_goes_after_an_hour():
    sources, _ = fill(1)
    folder = place(Kind.PEAKS, sources[0]).parent
    old, new = folder / ".adstudio-0123456789ab.tmp", folder / ".adstudio-ba9876543210.tmp"
    for path in (old, new):
        path.write_bytes(b"x")
    os.utime(old, (1000, 1000))
    tidy()
    assert (old.exists(), new.exists(), there(sources)) == (False, True, [True])


def test_tidying_where_nothing_was_ever_kept():
    assert tidy() == 0


def test_a_cache_that_cannot_be_made_is_told(own_cache):
    own_cache.write_text("a file where the folder should be")
    with pytest.raises(OutsideFailureError):
        store(Kind.PEAKS, SOURCE, b"x", complete=True)
    assert cached(Kind.PEAKS, SOURCE) is None
    assert tidy() == 0


def test_a_full_disk_is_told_and_leaves_what_was_there(monkeypatch):
    path = store(Kind.PEAKS, SOURCE, b"before", complete=True)

    def full(*_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OutsideFailureError, match="disk is full"):
        store(Kind.PEAKS, SOURCE, b"after", complete=True)
    assert read_content(path) == b"before"
    assert [entry.name for entry in Path(path.parent).iterdir()] == ["peaks.bin"]
