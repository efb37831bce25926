"""A draft that is asked for anew: whatever is kept is asked once more, and what comes is kept in its place."""

from __future__ import annotations

import asyncio

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import ScriptedModel

from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.model.request_store import JobState, JobStore
from adstudio.drafting.model.requests import FilmSeen
from adstudio.llm.faults import LostError
from adstudio.llm.messages import Response, State
from adstudio.media import clips


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 12), 12_000, "print")


def test_asked_anew_it_is_another_draft_and_that_one_is_kept(film, tmp_path):
    store, scenes = tmp_path / "jobs.sqlite", scenes_of(1, 12_000)
    first, other = ScriptedModel(), ScriptedModel(prose=lambda _ask: "A dog barks at the door.\nA cat sleeps.")
    old = drafted(film, scenes, first, store).scenes[0]
    assert drafted(film, scenes, other, store).scenes[0].lines == old.lines
    assert other.asks == []
    new = drafted(film, scenes, other, store, anew=True).scenes[0]
    assert new.state is SceneState.DONE
    assert new.description == "A dog barks at the door.\nA cat sleeps."
    silent = ScriptedModel()
    assert drafted(film, scenes, silent, store).scenes[0].lines == new.lines
    assert silent.asks == []


def test_what_is_done_is_claimed_anew_alone(tmp_path):
    with JobStore(tmp_path / "jobs.sqlite") as store:
        store.announce("k", "film", "s1", "describe 1")
        assert store.claim("k")
        store.finish("k", JobState.DONE, text="She comes.", tries=1)
        assert not store.claim("k", again=True)
        assert store.claim("k", anew=True)
        job = store.job("k")
        assert job is not None
        assert (job.state, job.text) == (JobState.RUNNING, "")


def test_a_draft_anew_that_was_stopped_is_gone_on_with_and_one_that_came_to_its_end_is_not(film, tmp_path):
    store, scenes = tmp_path / "jobs.sqlite", scenes_of(2)
    drafted(film, scenes, ScriptedModel(), store)
    stop, model = asyncio.Event(), ScriptedModel()

    def hear(event):
        if isinstance(event, SceneDraft):
            stop.set()

    stopped = drafted(film, scenes, model, store, anew=True, hear=hear, stop=stop, at_once=1)
    assert [draft.state for draft in stopped.scenes] == [SceneState.DONE, SceneState.STOPPED]
    went_on = ScriptedModel()
    whole = drafted(film, scenes, went_on, store, anew=True)
    assert whole.asked == {"s2"}
    assert len(went_on.asks) == whole.requests
    assert sum(whole.reused.values()) == len(model.asks)
    # It came to its end: anew is from the beginning again.
    once_more = drafted(film, scenes, ScriptedModel(), store, anew=True)
    assert once_more.asked == {"s1", "s2"}
    assert once_more.reused == {}


def test_a_draft_anew_that_was_lost_on_the_way_is_gone_on_with(film, tmp_path):
    store, scenes = tmp_path / "jobs.sqlite", scenes_of(2)
    drafted(film, scenes, ScriptedModel(), store)
    lost = LostError("the server broke off in the middle of its answer")
    count = 0

    def breaks(_ask):
        nonlocal count
        count += 1
        return None if count <= 2 else Response("", State.FAILED, str(lost), fault=lost)

    broken = ScriptedModel(breaks)
    part = drafted(film, scenes, broken, store, anew=True, at_once=1)
    assert part.scenes[0].state is SceneState.DONE
    assert part.scenes[1].state is SceneState.FAILED
    assert drafted(film, scenes, ScriptedModel(), store, anew=True).asked == {"s2"}


def test_one_that_was_stopped_and_then_finished_without_it_begins_at_the_beginning(film, tmp_path):
    store, scenes, stop = tmp_path / "jobs.sqlite", scenes_of(2), asyncio.Event()
    drafted(film, scenes, ScriptedModel(), store)

    def hear(event):
        if isinstance(event, SceneDraft):
            stop.set()

    drafted(film, scenes, ScriptedModel(), store, anew=True, hear=hear, stop=stop, at_once=1)
    assert all(each.state is SceneState.DONE for each in drafted(film, scenes, ScriptedModel(), store).scenes)
    model = ScriptedModel()
    drafted(film, scenes, model, store, anew=True)
    assert len(model.asks) == 4, "two scenes of two asks each"


def test_a_film_that_is_forgotten_is_begun_anew(tmp_path):
    with JobStore(tmp_path / "jobs.sqlite") as store:
        since = store.anew_since("film", "s1", begins=True)
        assert since is not None
        assert store.anew_since("film", "s1", begins=True) == since
        assert store.anew_since("film", "s2") is None
        store.forget("film")
        assert store.anew_since("film", "s1") is None
