"""A limit to what a film may cost holds for what is in hand too; amounts are told from nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import ScriptedModel, usual

from adstudio.core.timebase import Span
from adstudio.drafting.model.cost import Costs, dollars
from adstudio.drafting.model.estimate import estimate, pictures_in
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.requests import FilmSeen
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Response, State, Usage
from adstudio.media import clips

PRICED = Capabilities(known=True, images=4, usd_in=1.0, usd_out=1.0)


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 120), 120_000, "print")


def costing(micro_usd, most):
    """A model each of whose asks costs so much; and a draft of 20 scenes, sixteen at a time, that may cost `most`."""

    def say(ask):
        return Response(usual(ask, "A woman waits at the gate."), State.COMPLETE, usage=Usage(9, 0, 9, 0, micro_usd))

    return ScriptedModel(say, capabilities=PRICED), {"at_once": 16, "most_micro_usd": most}


@pytest.mark.parametrize("each", [1_000, 5_000])
def test_what_is_in_hand_counts(film, tmp_path, each):
    most = 20_000
    model, how = costing(each, most)
    outcome = drafted(film, scenes_of(20), model, tmp_path / "jobs.sqlite", **how)
    cost = outcome.totals.usage.micro_usd or 0
    assert cost == each * len(model.asks) == outcome.usage.micro_usd
    # An ask is thought to take about 1,000 before the first has come: their own error, of those in hand, is all.
    assert cost > most // 2
    if each == 1_000:
        assert cost <= most
    assert "of the 0.02 US dollars that were set as its limit" in outcome.halted
    assert SceneState.LIMITED in {draft.state for draft in outcome.scenes}


def test_the_more_asks_of_a_kind_have_come_the_nearer_the_next_is_known():
    costs = Costs()
    assert costs.due("describe", 100) == 100
    for _ in range(50):
        costs.learn("describe", 100, 25)
        assert costs.due("describe", 100) == 25
    # Another kind is not spoken for; a price that is not known teaches nothing.
    costs.learn("candidates", 100, None)
    assert costs.due("candidates", 100) == 100
    # 5,000 + 1,250 thought have cost 2,500: two fifths.
    costs.learn("describe", 1_250, 1_250)
    assert costs.due("describe", 100) == 40


def test_a_clip_says_how_many_pictures_it_has(film):
    assert pictures_in(clips.film_clip(film.video, Span(0, 17_000), fingerprint="print").read()) == 17
    assert pictures_in(bytes(30_000)) == 3


@pytest.mark.parametrize(
    ("micro_usd", "exactly", "says"),
    [
        (2_300, False, "0.0023"), (2_345, False, "0.0023"), (2_300, True, "0.0023"), (1, False, "0.000001"),
        (0, False, "0.00"), (50_000, False, "0.05"), (1_234_567, False, "1.23"), (2_000_000_000, True, "2,000.00"),
        (1_500_000, True, "1.50"), (999_999, False, "1.00"),
    ],
)  # fmt: skip
def test_amounts(micro_usd, exactly, says):
    assert dollars(micro_usd, exactly=exactly) == f"{says} US dollars"


def test_asks_are_told_as_a_range_and_by_the_sentences_where_a_text_tells_them(film):
    # Two scenes of a minute, a part each: a description, a lot or two of twelve elements, two rounds of mending.
    found = estimate(film, scenes_of(2, 60_000), PRICED)
    assert (found.least, found.requests, found.most) == (4, 6, 10)
    assert found.requests_text == "4 to 10 requests"
    texts_of = [replace(found, least=1, most=most).requests_text for most in (1, 1_200)]
    assert texts_of == ["1 request", "1 to 1,200 requests"]
    texts = {"s1": "A guard walks past the gate. He stops.\nA boy runs.", "s2": "Rain falls."}
    told = estimate(film, scenes_of(2, 60_000), PRICED, described=frozenset(texts), texts=texts)
    assert (told.least, told.requests, told.most) == (2, 2, 6)


def test_where_nobody_can_tell_what_the_film_has_cost_a_limit_ends_it(film, tmp_path):
    store = tmp_path / "jobs.sqlite"
    unpriced, _ = costing(None, None)
    first = drafted(film, scenes_of(1), unpriced, store)
    assert first.totals.usage.micro_usd is None
    model, how = costing(1_000, 20_000)
    outcome = drafted(film, scenes_of(20), model, store, **how)
    assert model.asks == [], "what was spent before may be any sum"
    assert "a model whose price is not known" in outcome.halted
    assert "go on without a limit" in outcome.halted
    assert [draft.state for draft in outcome.scenes] == [SceneState.DONE] + [SceneState.FAILED] * 19
