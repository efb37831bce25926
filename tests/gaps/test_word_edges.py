"""Gaps by the edges of words: what subtitles are held longer than their words is free."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Opening, Script, Silence, Variant
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.timebase import Span
from adstudio.core.word_times import CueWords, SpokenWord
from adstudio.delivery.lines import script_lines
from adstudio.editing.edges import Edge, set_gap_edge
from adstudio.editing.ids import Ids
from adstudio.gaps.gaps import gaps_of
from adstudio.gaps.word_edges import EDGE_MS, TRUSTED, at_word_edges, cues_as_spoken
from adstudio.mix.preparing import dialogue_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.quality.dialogue import Dialogue

CUE = Cue("c1", 10_000, 14_000, "Good evening, Ms Vance.")


def words(start: int, end: int, confidence: int | None = 900, cue: Cue = CUE) -> CueWords:
    middle = (start + end) // 2
    said = (SpokenWord("Good", start, middle, confidence), SpokenWord("evening", middle, end, confidence))
    return CueWords(cue.id, cue.text, cue.start, cue.end, said)


def edges(found: CueWords | None, cue: Cue = CUE) -> tuple[int, int]:
    (counts,) = at_word_edges([cue], {} if found is None else {cue.id: found})
    assert replace(counts, start=cue.start, end=cue.end) == cue
    return counts.start, counts.end


def film(*found: CueWords, word_edges: bool = True, cues: tuple[Cue, ...] = (CUE,), **changes: object) -> Script:
    settings = Settings(gaps=GapSettings(word_edges=word_edges))
    return replace(Script(Film("", 20_000), settings, cues=cues, word_times=found), **changes)


def test_a_cue_counts_from_its_first_word_to_its_last_with_a_little_beside_them() -> None:
    assert edges(words(11_000, 12_500)) == (11_000 - EDGE_MS, 12_500 + EDGE_MS)


def test_where_a_cue_is_hardly_longer_than_its_words_its_own_edge_stays() -> None:
    assert edges(words(10_050, 13_950)) == (10_000, 14_000)


def test_words_outside_their_cue_count_whole_without_anything_beside_them() -> None:
    assert edges(words(9_400, 14_300)) == (9_400, 14_300)


@pytest.mark.parametrize(
    "found",
    [None, CueWords("c1", CUE.text, 10_000, 14_000), words(11_000, 12_000, TRUSTED - 1), words(11_000, 12_000, None)],
    ids=["unknown", "not found", "unsure", "unrated"],
)
def test_cues_whose_words_are_unknown_or_unsure_keep_their_times(found: CueWords | None) -> None:
    assert edges(found) == (10_000, 14_000)


def test_one_unsure_edge_is_enough_to_keep_the_times_of_the_cue() -> None:
    said = (SpokenWord("Good", 11_000, 11_500, 900), SpokenWord("evening", 11_500, 12_000, 450))
    assert edges(replace(words(0, 1), words=said)) == (10_000, 14_000)


def test_words_that_contradict_their_cue_count_beside_it() -> None:
    assert edges(words(14_500, 15_500)) == (10_000, 15_500)
    assert edges(words(8_000, 9_500)) == (8_000, 14_000)


@pytest.mark.parametrize("change", [{"text": "Good night."}, {"start": 9_000}, {"end": 15_000}])
def test_stale_words_are_not_gone_by(change: dict[str, object]) -> None:
    changed = replace(CUE, **change)
    assert cues_as_spoken(film(words(11_000, 12_500), cues=(changed,))) == (changed,)


def test_without_the_setting_cues_count_as_they_are() -> None:
    script = film(words(11_000, 12_500), word_edges=False)
    assert cues_as_spoken(script) is script.cues
    assert gaps_of(script).gaps == (Span(0, 10_000), Span(14_000, 20_000))


def test_gaps_quality_checks_ducking_and_exports_go_by_the_same_edges() -> None:
    script = film(words(11_000, 12_500))
    assert gaps_of(script).gaps == (Span(0, 10_850), Span(12_650, 20_000))
    assert dialogue_of(script) == (Span(10_850, 12_650),)
    dialogue = Dialogue(script, {CUE.kind})
    assert dialogue.gap_of(Span(12_650, 13_500)) == Span(12_650, 20_000)
    assert dialogue.covers(dialogue.cues, Span(13_000, 14_000)) is None
    line = Eventuality("e1", (Variant("He nods."),), Span(12_700, 13_900))
    spoken = replace(script, eventualities=(line,))
    (said,) = script_lines(spoken, Plan(Status.OPTIMAL, "", deliveries=(Delivery("e1", 0, 12_700, 13_900),)))
    assert said.gap == Span(12_650, 20_000)
    assert said.previous_dialogue is not None, "the held subtitle is over when its words are"
    assert (said.previous_dialogue.text, said.previous_dialogue.end) == (CUE.text, 12_650)


def test_a_plan_speaks_where_a_subtitle_is_only_held() -> None:
    line = Eventuality("e1", (Variant("He nods.", duration=1_200),), Span(13_000, 13_500), salience=500_000)
    busy = Silence("x1", Span(0, 10_000)), Silence("x2", Span(14_000, 20_000))
    for word_edges, spoken in ((True, 1), (False, 0)):
        script = film(words(11_000, 12_500), word_edges=word_edges, eventualities=(line,), silences=busy)
        plan = plan_film(script, gaps_of(script).gaps)
        assert len(plan.deliveries) == spoken


def test_an_edge_is_dragged_from_where_the_words_put_it() -> None:
    script = film(words(11_000, 12_500))
    step = set_gap_edge(script, Ids(script), Span(12_650, 20_000), Edge.START, 12_000)
    assert step is not None
    changed = step.apply(script)
    assert [opening.span for opening in changed.openings] == [Span(12_000, 12_650)]
    assert gaps_of(changed).gaps[-1] == Span(12_000, 20_000)


def test_an_edge_is_found_where_the_words_reach_far_beyond_their_cue() -> None:
    cue = Cue("c1", 10_000, 10_400, "Good evening, Ms Vance.")
    script = film(words(10_100, 11_800, cue=cue), cues=(cue,))
    step = set_gap_edge(script, Ids(script), Span(11_800, 20_000), Edge.START, 11_000)
    assert step is not None
    assert [opening.span for opening in step.apply(script).openings] == [Span(11_000, 11_800)]


def test_openings_free_words_too() -> None:
    script = film(words(11_000, 12_500), openings=(Opening("o1", Span(11_500, 12_000)),))
    assert gaps_of(script).gaps == (Span(0, 10_850), Span(11_500, 12_000), Span(12_650, 20_000))


@given(st.integers(0, 19_000), st.integers(1, 3_000), st.integers(0, 1000))
def test_no_cue_counts_for_less_than_its_words_or_for_more_than_both(start: int, length: int, confidence: int) -> None:
    found = words(start, start + length, confidence)
    first, last = edges(found)
    if confidence >= TRUSTED:
        assert first <= start
        assert last >= start + length
        assert min(start, 10_000) <= first
        assert last <= max(start + length, 14_000)
    else:
        assert (first, last) == (10_000, 14_000)
