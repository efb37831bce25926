"""A draft that is asked for anew: whatever is kept is asked once more, and what comes is kept in its place."""

from __future__ import annotations

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import ScriptedModel

from adstudio.candidates.model_draft.asks import FilmSeen
from adstudio.candidates.model_draft.events import SceneState
from adstudio.candidates.model_draft.jobs import JobState, JobStore
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
