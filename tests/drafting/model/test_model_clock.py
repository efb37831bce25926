"""Which run came first is told by the store's own numbers, whatever the clock says."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import ScriptedModel

from adstudio.drafting.model import request_store
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.model.request_store import JobState, JobStore
from adstudio.drafting.model.requests import FilmSeen
from adstudio.media import clips

NOON = 1_800_000_000.0
DAY = 86_400.0
CLOCKS = {
    "stands still": (NOON,) * 4,
    "set back before each run": (NOON, NOON - DAY, NOON - 2 * DAY, NOON - 3 * DAY),
    "wrong at first": (NOON + 3650 * DAY, NOON, NOON, NOON),
    "wrong in the second run": (NOON, NOON + 3650 * DAY, NOON, NOON),
    "at its beginning": (NOON, 0.0, 0.0, 0.0),
}
"""What the clock says in each of four runs."""


@pytest.fixture(params=CLOCKS)
def set_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """Sets the clock to what it says in a run; it does not go on during one."""

    def set_to(run: int) -> None:
        monkeypatch.setattr(request_store, "time", SimpleNamespace(time=lambda: CLOCKS[request.param][run]))

    return set_to


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 12), 12_000, "print")


@pytest.mark.attack(9)
def test_a_draft_anew_is_anew_and_goes_on_where_it_was_stopped(film, tmp_path, set_clock):
    store, scenes = tmp_path / "jobs.sqlite", scenes_of(2)
    set_clock(0)
    first = ScriptedModel()
    drafted(film, scenes, first, store)
    assert len(first.asks) == 4, "two scenes of two asks each"
    stop, model = asyncio.Event(), ScriptedModel()

    def hear(event):
        if isinstance(event, SceneDraft):
            stop.set()

    set_clock(1)
    stopped = drafted(film, scenes, model, store, anew=True, hear=hear, stop=stop, at_once=1)
    assert [draft.state for draft in stopped.scenes] == [SceneState.DONE, SceneState.STOPPED]
    assert len(model.asks) == 2, "nothing of the first run was reused"
    set_clock(2)
    went_on = ScriptedModel()
    assert drafted(film, scenes, went_on, store, anew=True).asked == {"s2"}
    assert len(went_on.asks) == 2, "nothing of the second run was paid for again"
    set_clock(3)
    last = ScriptedModel()
    assert drafted(film, scenes, last, store, anew=True).reused == {}
    assert len(last.asks) == 4


@pytest.mark.attack(9)
def test_a_scene_that_failed_after_it_was_whole_is_left(tmp_path, set_clock):
    with JobStore(tmp_path / "jobs.sqlite") as store:
        set_clock(0)
        store.announce("old", "film", "s1", "describe 1")
        store.claim("old")
        store.finish("old", JobState.FAILED, why="because")
        set_clock(1)
        store.note_whole("film", "s1")
        assert store.scenes_left("film") == frozenset()
        set_clock(2)
        store.announce("new", "film", "s1", "describe 1")
        store.claim("new")
        store.finish("new", JobState.FAILED, why="because")
        assert store.scenes_left("film") == {"s1"}
        set_clock(3)
        store.note_whole("film", "s1")
        assert store.scenes_left("film") == frozenset()


@pytest.mark.attack(9)
def test_answers_since_a_draft_anew_began_are_told_apart(tmp_path, set_clock):
    with JobStore(tmp_path / "jobs.sqlite") as store, JobStore(tmp_path / "jobs.sqlite") as other:
        for run, (key, scene) in enumerate((("a", "s1"), ("b", "s2"))):
            set_clock(run)
            store.announce(key, "film", scene, "describe 1")
            store.claim(key)
            store.finish(key, JobState.DONE, text="She waits.")
        set_clock(2)
        store.anew_since("film", "s1", begins=True)
        store.anew_since("film", "s2", begins=True)
        assert store.answered("film", anew=True) == {}
        set_clock(3)
        # Another process may write to the same file.
        other.claim("b", anew=True)
        other.finish("b", JobState.DONE, text="She leaves.")
        assert set(store.answered("film", anew=True)) == {"s2"}
        assert set(store.answered("film")) == {"s1", "s2"}


def test_a_store_that_went_by_the_clock_keeps_its_order(tmp_path):
    path = tmp_path / "jobs.sqlite"
    with JobStore(path) as store:
        for key in ("a", "b"):
            store.announce(key, "film", "s1", "describe 1")
            store.claim(key)
            store.finish(key, JobState.FAILED)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            """DROP INDEX job_number;
            ALTER TABLE job DROP COLUMN number;
            UPDATE job SET at = 1700000000.25 WHERE key = 'a';
            UPDATE job SET at = 1700000000.75 WHERE key = 'b';
            INSERT INTO scene (film, scene, whole) VALUES ('film', 's1', 1700000000.5);
            PRAGMA user_version = 3;"""
        )
    with JobStore(path) as store:
        assert store.scenes_left("film") == {"s1"}, "b came after it was whole"
        store.note_whole("film", "s1")
        assert store.scenes_left("film") == frozenset()
        assert store.anew_since("film", "s1", begins=True) is not None
        store.claim("b")
        store.finish("b", JobState.DONE, text="She waits.")
        assert set(store.answered("film", anew=True)) == {"s1"}
