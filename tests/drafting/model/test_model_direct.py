"""Direct prompting: what the model is told, what is taken of its answer, and a film written by it."""

from __future__ import annotations

import json

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import ScriptedModel, said

from adstudio.core.provenance import provenance_text
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.drafting.model.direct import gaps_in, lines_schema, most_lines, read_lines, write_part, writing
from adstudio.drafting.model.events import Found, SceneState
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.requests import FilmSeen, ModelOptions
from adstudio.drafting.model.scenes import Written
from adstudio.llm.messages import Response, State
from adstudio.media import clips

HALF = '{"lines": [{"start": 0, "end": 9, "text": "He goes."}, {"sta'
SPOILT = (
    '{"lines": [{"start": 0, "end": 9, "text": "He goes."}, {"start": 20, "end": 4 0, "text": "He stops."},'
    ' {"start": 50, "end": 60, "text": "He waits."}]}'
)


def line(start, end, text="She waits."):
    return {"start": start, "end": end, "text": text}


def test_gaps_are_told_from_the_clips_start_and_rounded_into_the_gap():
    gaps = (Span(0, 4_000), Span(9_960, 12_345), Span(14_000, 14_999), Span(19_000, 30_000))
    # 9.96 lies behind the start of 10; 12.345 ends in the tenth from 12.3. Less than a second is no gap, also cut off.
    assert gaps_in(gaps, Span(3_500, 20_000)) == ["6.5–8.8", "15.5–16.5"]


def test_the_ask_holds_dialogue_gaps_and_the_rate_and_binds_the_answer(tmp_path):
    film = FilmSeen(
        tmp_path / "f.mp4", 60_000, "print", (Cue("c", 11_000, 12_000, "Stay."),), gaps=(Span(12_000, 20_000),)
    )
    ask = writing(film, Span(10_000, 40_000), b"clip", ModelOptions(prompts()), 4)
    told = said(ask)
    assert "1.0–2.0 Stay." in told
    assert "2.0–10.0" in told
    assert "180 words a minute" in told
    item = ask.schema["properties"]["lines"]["items"]["properties"]
    assert (item["start"]["maximum"], item["end"]["maximum"]) == (300, 300)
    assert ask.schema["properties"]["lines"]["maxItems"] == most_lines(30_000) == 20
    assert "The form" not in told
    assert '"lines"' in said(writing(film, Span(10_000, 40_000), b"clip", ModelOptions(prompts()), 4, bound=False))
    alone = said(writing(film, Span(30_000, 40_000), b"clip", ModelOptions(prompts()), 4))
    assert "There is no gap in this clip" in alone


def test_another_clip_gap_or_wording_is_another_ask(tmp_path):
    film = FilmSeen(tmp_path / "f.mp4", 60_000, "print", gaps=(Span(0, 5_000),))
    other = FilmSeen(tmp_path / "f.mp4", 60_000, "print", gaps=(Span(0, 6_000),))
    way = ModelOptions(prompts())
    asks = [
        writing(film, Span(0, 10_000), b"clip", way, 4),
        writing(film, Span(0, 10_000), b"another", way, 4),
        writing(other, Span(0, 10_000), b"clip", way, 4),
        writing(film, Span(0, 10_000), b"clip", ModelOptions(prompts({"direct": "Write."})), 4),
    ]
    assert len({ask.content_hash("m") for ask in asks}) == 4


def test_lines_are_taken_as_they_stand_and_put_in_order():
    lines, notes = read_lines([line(30, 45, " He goes. "), line(0, 20), line(55, 62)], 6_150)
    # The last ends within the clip's last tenth: at its end.
    assert lines == (
        Written(0, 2_000, "She waits."),
        Written(3_000, 4_500, "He goes."),
        Written(5_500, 6_150, "She waits."),
    )
    assert notes == ("the lines were not in the order of time: put in order",)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (line(0, 20, "…"), "is no text"),
        (line(0, 20, None), "is no text"),
        (line(0, 20, "x" * 401), "longer than 400"),
        (line(None, 20), "has no time"),
        (line(1.5, 20), "has no time"),
        (line(True, 20), "has no time"),
        (line(-1, 20), "has no time"),
        (line(20, 20), "ends before it starts"),
        (line(99, 120), "behind the end"),
        (line(100, 101), "behind the end"),
    ],
)
def test_what_is_no_line_is_left_out_and_that_is_said(wrong, says):
    lines, notes = read_lines([line(0, 10), wrong], 10_000)
    assert lines == (Written(0, 1_000, "She waits."),)
    assert len(notes) == 1
    assert says in notes[0]
    assert notes[0].startswith("line 2 ")


def test_an_answer_that_has_run_wild_is_bounded():
    lines, notes = read_lines([line(n, n + 1) for n in range(100)], 10_000)
    assert len(lines) == most_lines(10_000) == 6
    assert "behind the first 6" in notes[0]
    assert lines_schema(1_000)["properties"]["lines"]["maxItems"] == 4


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(
        small_film(tmp_path / "film.mp4", 12), 12_000, "print", gaps=(Span(1_000, 5_000), Span(8_000, 9_000))
    )


def test_a_film_written_by_the_model(film, tmp_path):
    heard = []
    model = ScriptedModel()
    outcome = drafted(film, scenes_of(2), model, tmp_path / "jobs.sqlite", hear=heard.append, drafting=write_part)
    assert [draft.state for draft in outcome.scenes] == [SceneState.DONE] * 2
    assert model.kinds == {"direct": 2}
    # One line for each gap; the second scene begins at 6 s.
    spans = [each.occurrence for draft in outcome.scenes for each in draft.lines]
    assert spans == [Span(1_000, 5_000), Span(8_000, 9_000)]
    first = outcome.scenes[0].lines[0]
    assert [variant.duration for variant in first.variants] == [4_000]
    assert "direct 1" in provenance_text(first.provenance)
    assert {(each.start, each.end) for each in heard if isinstance(each, Found)} == {(1_000, 5_000), (8_000, 9_000)}
    again = ScriptedModel()
    assert drafted(film, scenes_of(2), again, tmp_path / "jobs.sqlite", drafting=write_part).scenes == outcome.scenes
    assert again.asks == []


@pytest.mark.parametrize(
    ("answer", "state", "lines", "why"),
    [
        ('{"lines": []}', SceneState.DONE, 0, ""),
        ('{"note": "nothing"}', SceneState.FAILED, 0, "not answer in the form"),
        ("[1, 2]", SceneState.FAILED, 0, "not answer in the form"),
        (json.dumps({"lines": [line(0, 0)]}), SceneState.FAILED, 0, "ends before it starts"),
        (HALF, SceneState.PARTIAL, 1, "some of the model’s lines could not be read"),
        (SPOILT, SceneState.PARTIAL, 2, "some of the model’s lines could not be read"),
        (Response(HALF, State.TRUNCATED, "cut"), SceneState.PARTIAL, 1, "cut short: cut"),
        (Response("", State.BLOCKED, "withheld"), SceneState.BLOCKED, 0, "withheld"),
        (Response("", State.FAILED, "lost"), SceneState.FAILED, 0, "lost"),
    ],
)  # fmt: skip
def test_how_a_scene_ends(film, tmp_path, answer, state, lines, why):
    (draft,) = drafted(
        film, scenes_of(1), ScriptedModel(lambda ask: answer), tmp_path / "jobs.sqlite", drafting=write_part
    ).scenes
    assert (draft.state, len(draft.lines)) == (state, lines)
    assert why in draft.why
