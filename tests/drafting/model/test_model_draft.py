"""A film drafted by a scripted model: what comes of it, kept, shared, edited, stopped and resumed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import PROSE, ScriptedModel, clip_of, element, ids_of, listed, said

from adstudio.core.provenance import provenance_text
from adstudio.core.script import Origin
from adstudio.core.timebase import Span
from adstudio.drafting.model.estimate import estimate
from adstudio.drafting.model.events import Found, Moved, SceneState, Spent, Telling
from adstudio.drafting.model.request_store import JobState
from adstudio.drafting.model.requests import FilmSeen
from adstudio.drafting.model.run import _shared_out
from adstudio.llm.capabilities import Capabilities
from adstudio.media import clips


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 60), 60_000, "print")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "jobs.sqlite"


def states(outcome):
    return [draft.state for draft in outcome.scenes]


def test_a_film_is_drafted(film, store):
    model, events = ScriptedModel(), []
    outcome = drafted(film, scenes_of(3), model, store, hear=events.append)
    assert states(outcome) == [SceneState.DONE] * 3
    assert model.kinds == {"describe": 3, "elements": 3}
    first = outcome.scenes[1].lines[0]
    assert (first.id, first.scene, first.origin) == ("s2-e01", "s2", Origin.MACHINE)
    # The second scene begins at 6 s; the scripted model sees e01 from 1.0 to 2.5 s.
    assert (first.occurrence, first.salience, first.confidence) == (Span(7_000, 8_500), 150_000, 550)
    assert first.extract == "A woman in a red coat crosses the empty platform with a heavy suitcase."
    # 14 words: 13, 11, 10, 8, 7.
    assert [len(variant.text.split()) for variant in first.variants] == [14, 13, 11, 10, 8, 7]
    assert [variant.rate for variant in first.variants] == [Fraction(tenths, 10) for tenths in (10, 9, 8, 7, 6, 5)]
    assert provenance_text(first.provenance).startswith("model-1.2, describe 1, candidates 1, 20")
    assert provenance_text(first.provenance).endswith(" UTC")
    assert outcome.scenes[0].description == PROSE
    assert outcome.totals.usage.tokens_in == 6_000
    assert outcome.totals.usage.micro_usd == 150
    moves = [event.state for event in events if isinstance(event, Moved) and event.scene == "s1"]
    assert moves == [SceneState(each) for each in ("waiting", "showing", "describing", "cutting", "finding", "done")]
    assert [event.text for event in events if isinstance(event, Telling) and event.scene == "s1"][-1] == PROSE
    found = [event for event in events if isinstance(event, Found) and event.scene == "s2"]
    assert [(event.id, event.start) for event in found] == [
        ("e01", 7_000),
        ("e02", 8_000),
        ("e03", 9_000),
        ("e04", 10_000),
    ]
    assert [event.ended for event in events if isinstance(event, Spent)] == [1, 2, 3, 4, 5, 6]


def test_a_film_whose_name_is_no_text_is_drafted(film, store):
    """As a disk of another machine has them: bytes that are no UTF-8."""
    odd = film.video.rename(film.video.with_name("fi\udcfflm.mp4"))
    outcome = drafted(replace(film, video=odd), scenes_of(2), ScriptedModel(), store)
    assert [draft.state for draft in outcome.scenes] == [SceneState.DONE] * 2


def test_a_second_run_asks_nothing(film, store):
    first = drafted(film, scenes_of(3), ScriptedModel(), store)
    model = ScriptedModel()
    second = drafted(film, scenes_of(3), model, store)
    assert (second.scenes, second.totals) == (first.scenes, first.totals)
    assert model.asks == []
    assert (first.requests, dict(first.reused)) == (6, {})
    assert (second.requests, second.usage.tokens_in, dict(second.reused)) == (0, 0, {"model-1.2": 6})


def test_two_runs_at_once_ask_nothing_twice(film, store):
    from plain_stages import Sentences

    from adstudio.drafting.model.prompts import prompts
    from adstudio.drafting.model.request_store import JobStore
    from adstudio.drafting.model.requests import ModelOptions
    from adstudio.drafting.model.run import draft_film

    models = [ScriptedModel(pause=0.002), ScriptedModel(pause=0.002)]

    async def both():
        with JobStore(store) as one, JobStore(store) as two:
            return await asyncio.gather(*(
                draft_film(film, scenes_of(4), model, jobs, ModelOptions(prompts(), at_once=2), segmenter=Sentences())
                for model, jobs in zip(models, (one, two), strict=True)
            ))  # fmt: skip

    one, two = asyncio.run(both())
    assert one.scenes == two.scenes
    keys = [key for model in models for key in model.keys]
    assert len(keys) == len(set(keys)) == 8


def test_a_scene_whose_text_is_edited_is_asked_anew_and_others_are_not(film, store):
    drafted(film, scenes_of(2), ScriptedModel(), store)
    model = ScriptedModel()
    drafted(film, scenes_of(2), model, store, texts={"s2": "A woman waits. She leaves the station at last."})
    assert model.kinds == {"elements": 1}
    assert "SCREENPLAY" in said(model.asks[0])


def test_a_screenplays_scene_is_worded_in_the_films_language(film, store):
    model = ScriptedModel()
    drafted(replace(film, language="sv"), scenes_of(1), model, store, texts={"s1": "A woman waits at the station."})
    assert [said(ask).count("Write in the language with the code “sv”.") for ask in model.asks] == [1] * len(model.asks)
    assert model.asks


def test_a_screenplays_scene_is_not_described(film, store):
    outcome = drafted(
        film, scenes_of(1), ScriptedModel(), store, texts={"s1": "A woman waits. She leaves the station at last."}
    )
    assert [line.extract for line in outcome.scenes[0].lines] == ["A woman waits.", "She leaves the station at last."]
    assert ", screenplay 2, candidates 1, " in provenance_text(outcome.scenes[0].lines[0].provenance)


def test_forty_minutes_go_in_fourteen_parts(tmp_path, monkeypatch, store):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    long = FilmSeen(small_film(tmp_path / "long.mp4", 2400), 2_400_000, "long")
    model = ScriptedModel()
    (draft,) = drafted(long, scenes_of(1, 2_400_000), model, store).scenes
    assert draft.state is SceneState.DONE
    assert model.kinds == {"describe": 14, "elements": 14}
    assert model.most <= 4
    assert [line.id for line in draft.lines] == [f"s1-e{n:02d}" for n in range(1, 57)]
    starts = [line.occurrence.start for line in draft.lines]
    assert starts == sorted(starts)
    assert starts[4] == 171_428 + 1_000  # the second part begins at 2400 s / 14
    assert len({clip_of(ask) for ask in model.asks}) == 14


def test_a_limit_to_what_it_may_cost(film, store):
    # An ask costs 25 millionths of a dollar: the fourth begins below 100, after it nothing does.
    model = ScriptedModel()
    outcome = drafted(film, scenes_of(5), model, store, at_once=1, most_micro_usd=100)
    assert len(model.asks) == 4
    assert states(outcome) == [SceneState.DONE] * 2 + [SceneState.LIMITED] * 3
    assert outcome.halted.startswith(
        "the film has cost 0.0001 US dollars of the 0.0001 US dollars that were set as its limit"
    )
    assert states(drafted(film, scenes_of(5), ScriptedModel(), store, most_micro_usd=1000)) == [SceneState.DONE] * 5


def test_a_description_that_the_describer_has_edited_goes_as_the_models_own(film, store):
    first = drafted(film, scenes_of(2), ScriptedModel(), store)
    edited = PROSE.replace("A woman", "Nora Vale")
    model = ScriptedModel()
    second = drafted(film, scenes_of(2), model, store, descriptions={"s1": edited})
    assert second.scenes[1] == first.scenes[1]
    assert model.kinds == {"elements": 1}
    assert model.asks[0].messages[1].parts[0].text == edited
    assert second.scenes[0].lines[0].variants[0].text.startswith("Nora Vale in a red coat")


class Served(ScriptedModel):
    """A server that changes its model: `by` names the one that answers an ask."""

    by = staticmethod(lambda _ask: "old")

    async def send(self, ask, on_chunk, stop):
        return replace(await super().send(ask, on_chunk, stop), model=self.by(ask))


def sources(outcome):
    return [provenance_text(line.provenance).rsplit(", ", 1)[0] for line in outcome.scenes[0].lines]


def test_a_line_names_the_models_that_truly_wrote_it(film, store):
    model = Served()
    model.by = lambda ask: (
        "old" if ask.schema is None else "new\n; polished by nobody" if "e04" in ids_of(ask) else "mid"
    )
    outcome = drafted(film, scenes_of(1), model, store, elements_at_once=2)
    assert sources(outcome) == [
        "old, describe 1, then mid, candidates 1",
        "old, describe 1, then mid, candidates 1",
        "old, describe 1, then new ; polished by nobody, candidates 1",
        "old, describe 1, then new ; polished by nobody, candidates 1",
    ]
    # Answers that were kept from before are told of as what they are.
    assert sources(drafted(film, scenes_of(1), Served(), store, elements_at_once=2)) == sources(outcome)


def test_who_wrote_a_wording_again_is_named_for_the_line_that_has_it(film, store):
    def amiss(ask):
        if ask.schema is None or "elements" not in ask.schema["properties"]:
            return None
        found = [element(each, text) for each, text in listed(ask).items()]
        found[0]["r50"] = "Two. Sentences."
        return json.dumps({"elements": found})

    model = Served(script=amiss)
    model.by = lambda ask: "old" if ask.schema is None or "elements" in ask.schema["properties"] else "mender"
    one, other, *_ = sources(drafted(film, scenes_of(1), model, store))
    assert one == "old, describe 1, candidates 1, then mender, repair 2"
    assert other == "old, describe 1, candidates 1"


def test_a_text_is_shared_out_by_time():
    assert _shared_out("Aaaa. Bbbb. Cccc. Dddd.", [30, 10]) == ["Aaaa.\nBbbb.\nCccc.", "Dddd."]
    assert _shared_out("Aaaa. Bbbb. Cccc. Dddd.", [10, 10, 20]) == ["Aaaa.", "Bbbb.", "Cccc.\nDddd."]
    assert _shared_out("", [1, 1]) == ["", ""]
    assert _shared_out("彼女は待つ。彼は去る。", [1, 1], "ja") == ["彼女は待つ。", "彼は去る。"]
    assert _shared_out("Mr. Bond waits.", [1, 9]) == ["", "Mr. Bond waits."], "a short form ends no sentence"


def test_what_it_will_take_is_told_before(film):
    priced = Capabilities(usd_in=1.0, usd_out=10.0, images=4)
    # 60 s: 60 pictures of 120 and 1,500 around them, twice (12 elements in 2 lots, so three times), the list thrice.
    found = estimate(film, scenes_of(1, 60_000), priced)
    assert (found.scenes, found.requests) == (1, 3)
    assert found.usage.tokens_in == 3 * (7_200 + 1_500) + 2 * 3 * 300
    assert found.usage.tokens_out == 12 * 25 + 12 * 400
    assert found.usage.micro_usd == found.usage.tokens_in + 10 * found.usage.tokens_out
    assert estimate(film, scenes_of(1, 60_000), Capabilities()).usage.micro_usd is None
    # Each ask may think 4,096 tokens, and a model that cannot think thinks none; with a text there is no describing.
    thinks = Capabilities(levels=("off", "medium"), thought_tokens=8_192)
    assert estimate(film, scenes_of(1, 60_000), thinks, thinking="high").usage.tokens_thought == found.requests * 4_096
    assert estimate(film, scenes_of(1, 60_000), priced, thinking="high").usage.tokens_thought == 0
    assert estimate(film, scenes_of(1, 60_000), priced, described=["s1"]).requests == found.requests - 1
    # Written by the model itself, in one ask: a line every five seconds and one more, of 50 tokens.
    direct = estimate(film, scenes_of(1, 60_000), priced, direct=True)
    assert (direct.requests, direct.usage.tokens_out) == (1, 13 * 50)


def test_no_more_at_a_time_than_is_wanted(film, store):
    class Awaiting(ScriptedModel):
        """Answers nothing until sixteen requests have come."""

        asks_come = 0

        async def send(self, ask, on_chunk, stop):
            self.asks_come += 1
            if self.asks_come == 16:
                all_come.set()
            await all_come.wait()
            return await super().send(ask, on_chunk, stop)

    all_come = asyncio.Event()
    model = Awaiting(pause=0.001)
    outcome = drafted(film, scenes_of(40, 1_500), model, store, at_once=16)
    assert states(outcome) == [SceneState.DONE] * 40
    assert model.most == 16


def test_stopped_and_gone_on_with(film, store):
    stop = asyncio.Event()
    model = ScriptedModel()

    def hear(event):
        if isinstance(event, Spent) and event.ended == 5:
            stop.set()

    outcome = drafted(film, scenes_of(8), model, store, hear=hear, stop=stop, at_once=2)
    assert SceneState.STOPPED in states(outcome)
    assert SceneState.DONE in states(outcome)
    assert outcome.totals.states[JobState.DONE] == 5
    again = ScriptedModel()
    assert states(drafted(film, scenes_of(8), again, store)) == [SceneState.DONE] * 8
    assert len(again.asks) == 16 - 5


def test_cancelled_the_connections_are_closed_and_nothing_stays_taken(film, store):
    from plain_stages import Sentences

    from adstudio.drafting.model.prompts import prompts
    from adstudio.drafting.model.request_store import JobStore
    from adstudio.drafting.model.requests import ModelOptions
    from adstudio.drafting.model.run import draft_film

    model = ScriptedModel(pause=5)

    async def run():
        with JobStore(store) as jobs:
            task = asyncio.create_task(
                draft_film(film, scenes_of(4), model, jobs, ModelOptions(prompts(), at_once=2), segmenter=Sentences())
            )
            await model.busy(2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            (name,) = {jobs.job(key).film for key in model.keys}
            return jobs.totals(name).states

    assert asyncio.run(run()) == {JobState.WAITING: 2}
    assert model.closed == 2
