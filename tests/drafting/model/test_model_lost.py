"""Answers that the way to the server cuts short, and programs that are killed: the same run goes on to the same end."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sqlite3

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import PROSE, ScriptedModel, element, ids_of, kind_of, listed, usual

from adstudio.core.provenance import (
    UNKNOWN_PROVENANCE,
    UNNAMED_MODEL,
    Contribution,
    ModelTask,
    ModelWork,
    Provenance,
    provenance_text,
)
from adstudio.core.timebase import Span
from adstudio.drafting.model import client
from adstudio.drafting.model.client import model_work
from adstudio.drafting.model.direct import write_part
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.request_store import Job, JobState
from adstudio.drafting.model.requests import FilmSeen
from adstudio.llm.faults import CutShortError, DeadlineError, FaultError, LostError, UnreachableError
from adstudio.llm.messages import Response, State
from adstudio.media import clips

LOST = LostError("the server broke off in the middle of its answer")


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 12), 12_000, "print", gaps=(Span(0, 12_000),))


@pytest.fixture
def store(tmp_path):
    return tmp_path / "jobs.sqlite"


def plain(outcome):
    """What came of it, without the time at which it came, and how often it was asked for again."""
    return [
        dataclasses.replace(
            draft,
            lines=tuple(dataclasses.replace(line, provenance=UNKNOWN_PROVENANCE) for line in draft.lines),
            notes=tuple(note for note in draft.notes if "asked for again" not in note),
        )
        for draft in outcome.scenes
    ]


def cut(ask, share, fault: FaultError = LOST):
    text = usual(ask, PROSE)
    return Response(text[: int(len(text) * share)], State.TRUNCATED, str(fault), fault=fault)


def one(film, model, store, **how):
    return drafted(film, scenes_of(1, 12_000), model, store, **how)


@pytest.mark.parametrize("fault", [LOST, DeadlineError("too slow"), UnreachableError("gone")])
def test_a_description_that_the_way_has_cut_is_no_description_and_asked_again(film, store, fault):
    model = ScriptedModel(lambda ask: cut(ask, 0.6, fault))
    (draft,) = one(film, model, store).scenes
    assert (draft.state, draft.why, draft.lines) == (SceneState.FAILED, str(fault), ())
    assert model.kinds == {"describe": 1}, "nothing is asked about half a description"
    again = ScriptedModel()
    assert one(film, again, store).scenes[0].state is SceneState.DONE
    assert again.kinds == {"describe": 1, "elements": 1}


def test_a_description_that_reached_its_limit_is_used_and_not_asked_again(film, store):
    model = ScriptedModel(lambda ask: cut(ask, 0.6, CutShortError("the limit")) if kind_of(ask) == "describe" else None)
    (draft,) = one(film, model, store).scenes
    assert draft.state is SceneState.PARTIAL
    assert len(draft.lines) == 2
    again = ScriptedModel()
    assert one(film, again, store).scenes == (draft,)
    assert again.asks == []


def test_elements_that_the_way_has_cut_are_gone_on_with_in_the_next_run(film, store):
    def say(ask):
        if kind_of(ask) != "elements":
            return None
        if len(ids_of(ask)) == 4:
            return cut(ask, 0.6)
        return Response("", State.FAILED, "gone", fault=UnreachableError("gone"))

    (draft,) = one(film, ScriptedModel(say), store).scenes
    assert (draft.state, draft.why) == (SceneState.PARTIAL, "gone")
    assert [line.occurrence is not None for line in draft.lines] == [True, True, False, False]
    again = ScriptedModel()
    (whole,) = one(film, again, store).scenes
    assert [ids_of(ask) for ask in again.asks] == [["e03", "e04"]]
    assert whole.state is SceneState.DONE
    assert all(line.occurrence for line in whole.lines)


def test_lines_that_the_way_has_cut_are_kept_and_asked_again(film, store):
    more = dataclasses.replace(film, gaps=tuple(Span(at, at + 2_000) for at in range(0, 12_000, 3_000)))
    (draft,) = one(more, ScriptedModel(lambda ask: cut(ask, 0.6)), store, drafting=write_part).scenes
    assert draft.state is SceneState.PARTIAL
    assert 0 < len(draft.lines) < 4
    again = ScriptedModel()
    assert one(more, again, store, drafting=write_part).scenes[0].state is SceneState.DONE
    assert len(again.asks) == 1


def test_asked_again_only_where_something_is_wanting(film, store):
    # The first answer reached its limit and the rest was asked for: the scene is whole.
    def say(ask):
        short = kind_of(ask) == "elements" and len(ids_of(ask)) == 4
        return cut(ask, 0.6, CutShortError("the limit")) if short else None

    (draft,) = one(film, ScriptedModel(say), store).scenes
    assert draft.state is SceneState.DONE
    again = ScriptedModel()
    assert one(film, again, store, again=True).scenes == (draft,)
    assert again.asks == []


LONG = " ".join(f"A woman in a red coat passes the lamp number {number} of the platform." for number in range(1, 13))


def ended_after(letters):
    """A model whose program is ended once an answer about elements has so many letters; and what ends it."""
    ending = asyncio.Event()

    class Ended(ScriptedModel):
        async def send(self, ask, on_chunk, stop):
            come = 0

            def hear(piece):
                nonlocal come
                on_chunk(piece)
                come += len(piece.text)
                if kind_of(ask) == "elements" and come >= letters:
                    ending.set()

            return await super().send(ask, hear, stop)

    return Ended(prose=lambda _ask: LONG), ending


def test_ended_anywhere_the_next_run_comes_to_the_same(film, store, monkeypatch):
    monkeypatch.setattr(client, "KEEP_S", 0)
    whole = plain(one(film, ScriptedModel(prose=lambda _ask: LONG), store, elements_at_once=20))
    (draft,) = whole
    assert draft.state is SceneState.DONE
    assert len(draft.lines) == 12
    for letters in range(1, 6_000, 127):
        place = store.with_name(f"{letters}.sqlite")
        model, stop = ended_after(letters)
        one(film, model, place, elements_at_once=20, stop=stop)
        again = ScriptedModel(prose=lambda _ask: LONG)
        kept = one(film, again, place, elements_at_once=20)
        assert plain(kept) == whole, letters
        assert again.kinds["describe"] == 0
        sources = [provenance_text(line.provenance) for scene in kept.scenes for line in scene.lines]
        # What had been broken off is told by the model that was asked, as none had come to its end.
        told = {source.partition(", 20")[0] for source in sources}
        assert told <= {
            "model-1.2, describe 1, candidates 1",
            f"model-1.2, describe 1, then {again.name}, candidates 1",
        }


def test_ended_over_and_over_it_comes_to_the_same(film, store, monkeypatch):
    monkeypatch.setattr(client, "KEEP_S", 0)
    whole = plain(one(film, ScriptedModel(prose=lambda _ask: LONG), store.with_name("other.sqlite")))
    states = []
    while len(states) < 40 and SceneState.DONE not in states:
        model, stop = ended_after(600)  # an element, and the beginning of another
        states.append(one(film, model, store, stop=stop).scenes[0].state)
    assert len(states) > 8
    assert set(states[:-1]) == {SceneState.STOPPED}
    again = ScriptedModel()
    assert plain(one(film, again, store)) == whole
    assert again.asks == []


def test_a_mending_that_the_way_has_cut_is_said_and_asked_again(film, store):
    """A wording that is no single sentence is asked for again; the answer is lost on the way."""

    def spoilt(ask):
        made = [element(identity, text) for identity, text in listed(ask).items()]
        made[0] |= {"r70": "She waits. She leaves."}
        return json.dumps({"elements": made})

    def say(ask):
        return {"elements": spoilt, "repair": lambda ask: cut(ask, 0.2)}.get(kind_of(ask), lambda _: None)(ask)

    (draft,) = one(film, ScriptedModel(say), store).scenes
    assert (draft.state, draft.why) == (SceneState.PARTIAL, f"wordings could not be mended: {LOST}")
    assert all(line.occurrence for line in draft.lines)
    again = ScriptedModel()
    assert one(film, again, store).scenes[0].state is SceneState.DONE
    assert again.kinds == {"repair": 1}


def test_what_an_older_version_kept_without_a_models_name_is_told_by_the_model_that_was_asked(film, store):
    (before,) = one(film, ScriptedModel(), store).scenes
    with sqlite3.connect(store) as jobs:
        jobs.execute("UPDATE job SET model = '' WHERE stage LIKE 'candidates%'")
    jobs.close()
    again = ScriptedModel()
    (draft,) = one(film, again, store).scenes
    assert again.asks == []
    assert len(draft.lines) == len(before.lines) == 4
    for line in draft.lines:
        assert provenance_text(line.provenance).startswith(
            f"model-1.2, describe 1, then {again.name}, candidates 1, 20"
        )


def test_a_model_without_any_name_is_told_as_one():
    work = model_work([Job("k", "f", "s", "candidates 1", JobState.DONE, model="\x00", at=0.0)])
    assert work == ModelWork((Contribution("", (ModelTask("candidates", 1),)),), 0)
    assert provenance_text(Provenance(work)) == f"{UNNAMED_MODEL}, candidates 1, 1970-01-01 00:00 UTC"
