"""Near the limit of what a film may cost scenes are finished first; what costs nothing is not stopped by it."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import ScriptedModel, clip_of, usual

from adstudio.drafting.model.cost import UNSURE, WHOLE, Begun, Costs
from adstudio.drafting.model.direct import write_part
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.model.request_store import JobState, JobStore
from adstudio.drafting.model.requests import FilmSeen
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Response, State, Usage
from adstudio.media import clips

PRICED = Capabilities(known=True, images=4, usd_in=1.0, usd_out=1.0)
FREE = Capabilities(known=True, images=4, usd_in=0.0, usd_out=0.0)


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 120), 120_000, "print")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "jobs.sqlite"


def costing(each, capabilities=PRICED):
    """A model each of whose asks costs so much; a scene takes two."""

    def say(ask):
        return Response(usual(ask, "A woman waits at the gate."), State.COMPLETE, usage=Usage(9, 0, 9, 0, each))

    return ScriptedModel(say, capabilities=capabilities)


def states(outcome) -> Counter[SceneState]:
    return Counter(draft.state for draft in outcome.scenes)


def test_a_price_of_nothing_is_one_that_is_known():
    assert FREE.free
    assert not Capabilities().free
    assert not Capabilities(usd_in=0.0).free
    assert not Capabilities(usd_in=0.0, usd_out=0.1).free


def test_a_limit_never_stops_what_costs_nothing(film, store):
    assert states(drafted(film, scenes_of(1), costing(1_000), store)) == {SceneState.DONE: 1}
    model = costing(0, FREE)
    outcome = drafted(film, scenes_of(5), model, store, most_micro_usd=500)
    assert states(outcome) == {SceneState.DONE: 5}
    assert outcome.halted == ""
    unpriced = costing(None, Capabilities(known=True, images=4))
    drafted(film, scenes_of(6), unpriced, store)
    again = drafted(film, scenes_of(7), costing(0, FREE), store, most_micro_usd=500)
    assert states(again) == {SceneState.DONE: 7}, "nor where nobody can tell what came before"


@pytest.mark.parametrize(("each", "whole"), [(1_000, 10), (5_000, 2)])
def test_near_the_limit_scenes_are_finished_and_others_not_begun(film, store, each, whole):
    model = costing(each)
    outcome = drafted(film, scenes_of(20), model, store, at_once=16, most_micro_usd=20_000)
    assert states(outcome) == {SceneState.DONE: whole, SceneState.LIMITED: 20 - whole}
    assert len(model.asks) == 2 * whole, "no money went out for a scene that was not finished"
    assert set(Counter(map(clip_of, model.asks)).values()) == {2}
    assert all(draft.why == outcome.halted for draft in outcome.scenes if draft.state is SceneState.LIMITED)
    assert outcome.halted.endswith("of the 0.02 US dollars that were set as its limit: raise it to go on")
    more = costing(each)
    raised = drafted(film, scenes_of(20), more, store, at_once=16, most_micro_usd=40 * each)
    assert states(raised) == {SceneState.DONE: 20}
    assert len(more.asks) == 2 * (20 - whole), "nothing is asked twice"


def test_far_from_the_limit_all_go_side_by_side(film, store):
    model = ScriptedModel(capabilities=PRICED, pause=0.001)
    drafted(film, scenes_of(8), model, store, at_once=8, most_micro_usd=5_000_000)
    assert model.most == 8


def test_the_model_that_writes_the_lines_itself_too(film, store):
    model = costing(4_000)
    outcome = drafted(film, scenes_of(6), model, store, most_micro_usd=8_000, drafting=write_part)
    assert states(outcome) == {SceneState.DONE: 2, SceneState.LIMITED: 4}


def test_a_scene_begun_in_an_earlier_run_comes_before_all_others(film, store):
    def until_described(ask):
        return None if ask.schema is None else Response("", State.FAILED)

    described = ScriptedModel(until_described, capabilities=PRICED)
    drafted(film, scenes_of(5)[4:], described, store)
    # 25 millionths each: the elements alone can still be paid.
    model = ScriptedModel(capabilities=PRICED)
    ended: list[str] = []
    drafted(film, scenes_of(5), model, store, at_once=1, hear=lambda each: _note(each, ended), most_micro_usd=10**6)
    assert ended[0] == "s5"


def _note(event, ended):
    if isinstance(event, SceneDraft):
        ended.append(event.scene)


def test_with_the_limit_reached_before_what_is_kept_comes_and_nothing_is_asked(film, store):
    drafted(film, scenes_of(5)[2:4], costing(1_000), store)
    model = costing(1_000)
    outcome = drafted(film, scenes_of(5), model, store, most_micro_usd=4_000)
    assert [draft.state for draft in outcome.scenes] == [
        *[SceneState.LIMITED] * 2, *[SceneState.DONE] * 2, SceneState.LIMITED,
    ]  # fmt: skip
    assert model.asks == []


def test_a_scene_of_which_a_part_was_left_has_lines(tmp_path, monkeypatch, store):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    long = FilmSeen(small_film(tmp_path / "long.mp4", 400), 400_000, "long")
    model = costing(5_000, Capabilities(known=True, images=4))
    (draft,) = drafted(long, scenes_of(1, 400_000), model, store, at_once=1, most_micro_usd=10_000).scenes
    assert draft.state is SceneState.PARTIAL
    assert draft.lines
    assert "raise it to go on" in draft.why


def test_a_draft_anew_that_came_to_the_limit_is_gone_on_with(film, store):
    drafted(film, scenes_of(4), costing(1_000), store)
    first = costing(1_000)
    outcome = drafted(film, scenes_of(4), first, store, at_once=1, anew=True, most_micro_usd=12_000)
    assert states(outcome) == {SceneState.DONE: 2, SceneState.LIMITED: 2}
    # What came anew is kept, and used though no more may be asked.
    again = costing(1_000)
    assert states(drafted(film, scenes_of(4), again, store, anew=True, most_micro_usd=12_000)) == states(outcome)
    assert again.asks == []
    last = costing(1_000)
    assert states(drafted(film, scenes_of(4), last, store, anew=True, most_micro_usd=10**6)) == {SceneState.DONE: 4}
    assert len(last.asks) == 4


def test_stopped_while_scenes_wait_to_be_begun(film, store):
    stop = asyncio.Event()
    model = ScriptedModel(lambda ask: stop.set(), capabilities=PRICED)
    outcome = drafted(film, scenes_of(4), model, store, stop=stop, most_micro_usd=8_000)
    assert states(outcome) == {SceneState.STOPPED: 4}


def test_what_is_set_aside():
    costs = Costs()
    begun = Begun(costs)
    begun.begin("s1", 100)
    begun.begin("s2", 200, spent=50)
    assert begun.left == UNSURE * 300 - 50
    assert begun.left_before("s2") == UNSURE * 100
    assert begun.left_before("s1") == begun.left_before("another") == 0
    with costs.pending("key", 40, "s1"):
        assert begun.left_before("s2") == UNSURE * 100 - 40
    begun.spend("s1", 50)
    begun.spend("another", 5)
    begun.end("s1", whole=True)
    assert costs.due(WHOLE, 100) == 50, "it has cost half of what it was thought to"
    assert begun.left == 100 - 50
    begun.end("s2", whole=True)
    assert costs.due(WHOLE, 100) == 50, "what was begun before tells nothing"
    assert begun.left == 0
    assert not begun


def test_what_a_film_is_begun_with_is_of_its_drafts_alone(tmp_path):
    with JobStore(tmp_path / "jobs.sqlite") as jobs:
        for key, film, scene, stage in (
            ("a", "f", "s1", "describe 1"), ("b", "f", "s1", "candidates 1"), ("c", "f", "s2", "polish 1"),
            ("d", "f", "s3", "describe 1"), ("e", "g", "s4", "describe 1"),
        ):  # fmt: skip
            jobs.announce(key, film, scene, stage)
            jobs.claim(key)
            if scene != "s3":
                jobs.finish(key, JobState.DONE, text="x", usage=Usage(1, 0, 1, 0, 20))
        assert jobs.answered("f") == {"s1": 40}
