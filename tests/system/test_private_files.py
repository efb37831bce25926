"""Whatever holds a film's material, prompts, answers or what was sent is for its user alone, also what was there."""

from __future__ import annotations

import logging
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.cli.failure import logged
from adstudio.connections.model_access import Connection, default_log, provider_of
from adstudio.core.policy import Host, Policy
from adstudio.drafting.model import request_store
from adstudio.drafting.text import stage_cache
from adstudio.llm.traffic_log import TrafficLog, TrafficRecord, now
from adstudio.media import cache, clips
from adstudio.speech.cache import speech_cache
from adstudio.store.backups import add_backup, backups_of, save_beside
from adstudio.system.files import write_atomically
from adstudio.system.locations import log_folder
from adstudio.system.private_files import close_folder, private_folder

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps others out of the profile by itself")


@pytest.fixture(autouse=True)
def homes(tmp_path, monkeypatch):
    for kind in ("CACHE", "DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def left_open(folder: Path, *names: str) -> list[Path]:
    """As an older version left it."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"old")
    return [folder / name for name in names]


def all_below(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): mode(path) for path in folder.rglob("*")}


def test_a_folder_is_closed_with_all_in_it_and_no_link_is_followed(tmp_path):
    ours = tmp_path / "ours"
    left_open(ours, "a", "b/c")
    (other,) = left_open(tmp_path, "other")
    (ours / "link").symlink_to(other)
    private_folder(ours)
    assert (mode(ours), mode(ours / "a"), mode(ours / "b"), mode(ours / "b/c")) == (0o700, 0o600, 0o700, 0o600)
    assert mode(other) == 0o644
    close_folder(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_what_is_below_can_be_left(tmp_path):
    left_open(tmp_path / "ours", "a", "b/c")
    private_folder(tmp_path / "ours", below=False)
    assert [mode(tmp_path / "ours" / each) for each in ("", "a", "b", "b/c")] == [0o700, 0o600, 0o755, 0o644]


def test_clips(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "fakes"))
    from model_films import small_film

    from adstudio.core.timebase import Span

    film = small_film(tmp_path / "film.mp4", 4)
    (old,) = left_open(clips.folder(), "0" * 40 + "-" + "0" * 64 + ".mp4")
    clip = clips.film_clip(film, Span(0, 2_000))
    assert (mode(clip.path), mode(old), mode(clips.folder())) == (0o600, 0o600, 0o700)
    for path in (clip.path, clips.folder()):
        path.chmod(0o755)
    assert clips.film_clip(film, Span(0, 2_000)) == clip, "as it was kept"
    assert (mode(clip.path) & 0o077, mode(clips.folder())) == (0, 0o700)


def test_waveforms_and_thumbnails():
    source = cache.Source("print", 1, 1)
    path = cache.store(cache.Kind.THUMBNAILS, source, b"pictures", complete=True)
    assert set(all_below(cache.folder()).values()) == {0o700, 0o600}
    for each in (path, path.parent, cache.folder()):
        each.chmod(0o755)
    assert cache.cached(cache.Kind.THUMBNAILS, source) == path
    assert mode(cache.folder()) == 0o700
    assert set(all_below(cache.folder()).values()) == {0o700}


def test_what_a_drafts_stages_made():
    for _ in range(2):
        stage_cache.cached("stage", [1], lambda: "lines", str)
        assert mode(stage_cache.folder()) == 0o700
        (path,) = stage_cache.folder().iterdir()
        assert mode(path) == 0o600
        path.chmod(0o644)
        stage_cache.folder().chmod(0o755)


def test_speech():
    path = speech_cache().store("0" * 40, b"RIFF")
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    path.chmod(0o644)
    path.parent.chmod(0o755)
    speech_cache()
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)


def test_what_was_sent():
    left_open(default_log().parent, "sent.jsonl", "sent-2026-01-01.jsonl")
    connection = Connection("vllm", "m", "http://127.0.0.1:9/v1", Policy("on premises", (Host("127.0.0.1", 9),)))
    provider_of(connection)
    assert all_below(default_log().parent) == {"sent.jsonl": 0o600, "sent-2026-01-01.jsonl": 0o600}
    assert mode(default_log().parent) == 0o700


def test_a_log_of_its_own_place_leaves_the_folder_there_as_it_is(tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    (folder / "sent.jsonl").write_text("")
    exchanged = TrafficRecord(1, "begun", now(), "GET", "h", "/")
    TrafficLog(folder / "sent.jsonl", "P")(exchanged)
    TrafficLog(folder / "new" / "sent.jsonl", "P")(replace(exchanged, number=2))
    assert all_below(folder) == {"sent.jsonl": 0o600, "new": 0o700, "new/sent.jsonl": 0o600}
    assert mode(folder) == 0o755


def test_answers():
    left_open(request_store.default_place().parent, "jobs.sqlite-old")
    with request_store.JobStore(request_store.default_place()) as store:
        store.announce("key", "film", "s1", "stage")
        assert store.claim("key")
        assert mode(request_store.default_place().parent) == 0o700
        assert set(all_below(request_store.default_place().parent).values()) == {0o600}, "its locks too"


def test_the_programs_own_log():
    (old,) = left_open(log_folder(), "adstudio.log.1")
    with logged():
        logging.getLogger("adstudio").error("a line of the film")
    assert all_below(log_folder()) == {"adstudio.log": 0o600, old.name: 0o600}
    assert mode(log_folder()) == 0o700


def test_backups_are_ours_and_copies_beside_a_project_are_as_open_as_that(tmp_path):
    project, folder = tmp_path / "film.adproj", tmp_path / "backups"
    (old,) = left_open(folder, "older")
    project.write_bytes(b"content")
    add_backup(project, b"content", folder)
    (backup,) = backups_of(project, folder)
    assert (mode(backup), mode(old), mode(folder)) == (0o600, 0o600, 0o700)
    assert mode(save_beside(project, b"content", "damaged")) == 0o644
    project.chmod(0o600)
    assert mode(save_beside(project, b"content", "damaged")) == 0o600


def test_a_new_file_can_be_for_one_alone_whatever_stood_there(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    write_atomically(path, b"new", mode=0o600)
    assert (mode(path), path.read_bytes()) == (0o600, b"new")
