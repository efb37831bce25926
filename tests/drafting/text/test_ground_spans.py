"""Occurrence spans from anchors, cuts and order: what always holds, and cases worked out by hand."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.drafting.text.ground.evidence import Pace, Passage, Seen
from adstudio.drafting.text.ground.ground import (
    LONGEST_MS,
    calibrated,
    chance_within,
    confidence,
    divided,
    expected_error,
    ground,
    is_footing,
)

TEXTS = st.lists(
    st.sampled_from(["He waves.", "She opens the old door and steps out into the rain.", "Night."]), max_size=6
)
TIMES = st.none() | st.integers(-5_000, 130_000)


@st.composite
def films(draw: st.DrawFn) -> Seen:
    end = draw(st.integers(1, 120_000))
    cuts = tuple(sorted(draw(st.sets(st.integers(1, end), max_size=12))))
    starts = draw(st.lists(st.integers(0, end), max_size=8))
    return Seen(end, cuts, tuple(Span(start, min(start + draw(st.integers(0, 9_000)), end)) for start in starts))


PASSAGES = st.lists(st.builds(Passage, TEXTS.map(tuple), TIMES, TIMES, st.floats(0, 1)), max_size=6)


@given(PASSAGES, films())
def test_spans_start_in_order_inside_the_film_with_a_length_and_always_the_same(passages: list[Passage], seen: Seen):
    found = ground(passages, seen)
    assert [len(each) for each in found] == [len(passage.texts) for passage in passages]
    groundings = [grounding for each in found for grounding in each]
    spans = [grounding.occurrence for grounding in groundings if grounding.occurrence is not None]
    assert all(0 <= span.start < span.end <= seen.end for span in spans)
    assert all(span.length <= LONGEST_MS for span in spans)
    assert all(one.start <= other.start for one, other in pairwise(spans))
    assert all(0 <= grounding.confidence <= 1000 for grounding in groundings)
    assert all(grounding.confidence == 0 for grounding in groundings if grounding.occurrence is None)
    assert ground(passages, seen) == found


@given(films(), st.lists(st.sampled_from(["He waves.", "The long train pulls out."]), min_size=1, max_size=9))
def test_a_division_fills_its_stretch(seen: Seen, texts: list[str]):
    after, before = 0, max(seen.end, 9)
    spans = divided(after, before, texts, seen)
    assert (spans[0].start, spans[-1].end) == (after, before)
    assert all(one.end == other.start for one, other in pairwise(spans))
    assert all(span.length > 0 for span in spans)


def test_an_element_between_two_lines_lies_between_them():
    seen = Seen(60_000, speech=(Span(8_000, 10_000), Span(14_000, 16_000)))
    ((found,),) = ground([Passage(("Tom opens the door.",), 10_000, 14_000, 1.0)], seen)
    assert found.occurrence == Span(10_000, 14_000)


def test_two_of_equal_length_share_a_stretch_in_halves():
    texts = ("Tom opens the door.", "Nora takes the glove.")
    (found,) = ground([Passage(texts, 10_000, 18_000, 1.0)], Seen(60_000))
    assert [each.occurrence for each in found] == [Span(10_000, 14_000), Span(14_000, 18_000)]


def test_a_boundary_goes_to_the_cut_that_is_near():
    texts = ("Tom opens the door.", "Nora takes the glove.")
    (found,) = ground([Passage(texts, 10_000, 18_000, 1.0)], Seen(60_000, cuts=(13_200, 17_900)))
    assert [each.occurrence for each in found] == [Span(10_000, 13_200), Span(13_200, 18_000)]


def test_paragraphs_with_nothing_between_them_share_one_stretch():
    one, other = Passage(("Tom waits.",), 10_000, 18_000, 1.0), Passage(("Nora waits.",), 10_000, 18_000, 1.0)
    found = ground([one, other], Seen(60_000))
    assert [each.occurrence for (each,) in found] == [Span(10_000, 14_000), Span(14_000, 18_000)]


def test_action_prefers_the_pause_to_the_speech_in_its_stretch():
    # 4 s of speech that the text does not have count 1.4 s; 4 s of pause 4 s: 2.7 s each on that clock.
    texts = ("Tom opens the door.", "Nora takes the glove.")
    (found,) = ground([Passage(texts, 10_000, 18_000, 1.0)], Seen(60_000, speech=(Span(10_000, 14_000),)))
    # The boundary would cost 0.2 less at the end of the speech, but there 2 · (1.3 / 2.7)² = 0.46 more.
    assert [each.occurrence for each in found] == [Span(10_000, 15_300), Span(15_300, 18_000)]


def test_between_lines_that_follow_at_once_something_is_seen_at_their_join_and_never_before_it():
    ((found,),) = ground([Passage(("He smiles.",), 10_000, 10_000, 1.0)], Seen(60_000))
    assert found.occurrence == Span(10_000, 10_100)


def test_what_does_not_fit_between_two_lines_is_squeezed_between_them():
    # 0.3 s for four: each 2/5 of it, each half over the one before it.
    passage = Passage(("Ben slams the door.", "He kicks.", "He grabs the vase.", "He hurls it."), 11_000, 11_300, 1.0)
    (found,) = ground([passage], Seen(40_000))
    assert [each.occurrence for each in found] == [
        *(Span(11_000, 11_120), Span(11_060, 11_180), Span(11_120, 11_240), Span(11_180, 11_300)),
    ]


def test_more_that_is_squeezed_is_less_sure():
    # As unsure as if it had a second for each: forty in the middle of 40 s err by 0.9 + 0.85 · 40 · √(¼/41) = 3.6 s,
    # which holds within 5 s in 84 of 100 cases.
    few, many = (
        ground([Passage(("He kicks.",) * count, 11_000, 11_300, 1.0)], Seen(40_000))[0][count // 2].confidence
        for count in (4, 40)
    )
    assert few > 990
    assert 830 < many < 850


def test_dense_action_does_not_push_what_follows():
    # 400 times six clauses in 1.3 s between two lines, which follow one another every 2.6 s.
    passages = [Passage(("He kicks.",) * 6, 2_600 * n + 1_300, 2_600 * n + 2_600, 1.0) for n in range(400)]
    speech = tuple(Span(2_600 * n, 2_600 * n + 1_300) for n in range(401))
    for passage, found in zip(passages, ground(passages, Seen(1_200_000, speech=speech)), strict=True):
        for each in found:
            assert each.occurrence is not None
            assert passage.after <= each.occurrence.start < each.occurrence.end <= passage.before  # type: ignore[operator]


@given(st.lists(st.tuples(st.integers(0, 3_000), st.integers(100, 4_000), st.integers(0, 12)), max_size=12))
def test_anchors_hold(pieces: list[tuple[int, int, int]]):
    """Speech of some length, then a pause of some length in which so many things are seen."""
    passages: list[Passage] = []
    speech: list[Span] = []
    time = 0
    for said, pause, count in pieces:
        speech.append(Span(time, time + said))
        time += said + pause
        passages.append(Passage(("He waves.",) * count, time - pause, time, 0.9))
    found = ground(passages, Seen(time + 5_000, speech=tuple(speech)))
    for passage, each in zip(passages, found, strict=True):
        for grounding in each:
            assert grounding.occurrence is not None
            assert Span(passage.after or 0, passage.before or 0).contains(grounding.occurrence)


def test_a_long_stretch_with_one_element_gets_none_and_a_shorter_one_is_unsure():
    # With one element the error in the middle is 0.85 · length · √(1/8) + 0.9 s: beyond 23.2 s the chance of lying
    # within 10 s is below a third (10 / 23.2 = 0.431 deviations on either side hold 33.3 %), at 74 s of stretch.
    def confidence_in(length: int) -> tuple[Span | None, int]:
        ((found,),) = ground([Passage(("He walks on.",), 0, length, 1.0)], Seen(200_000))
        return found.occurrence, found.confidence

    assert confidence_in(80_000) == (None, 0)
    near, far = confidence_in(10_000), confidence_in(60_000)
    assert near[0] == Span(0, 10_000)
    assert far[0] == Span(25_000, 35_000)
    assert near[1] > 750
    assert far[1] < 350


def test_what_nothing_ties_to_the_film_gets_none():
    ((found,),) = ground([Passage(("He walks on.",), None, None, 0.0)], Seen(5_000))
    assert (found.occurrence, found.confidence) == (None, 0)


def test_confidence_falls_with_the_anchors():
    def confidence_of(sure: float) -> int:
        ((found,),) = ground([Passage(("He walks on.",), 0, 8_000, sure)], Seen(60_000))
        return found.confidence

    assert confidence_of(1.0) > confidence_of(0.7) > confidence_of(0.5) > 0


def test_the_expected_error_is_that_of_random_parts():
    # One part fills the stretch alone: √(½·½/2) = 0.3536 of it, of which 0.85 remain: 3.0 s of 10 s, and 0.9 s always.
    assert expected_error(10_000, 0.5, 1) == pytest.approx(900 + 3005, abs=1)
    assert chance_within(10_000, 10_000) == pytest.approx(0.6827, abs=1e-4)
    assert is_footing(23_000, 1.0)
    assert not is_footing(23_500, 1.0)


def test_confidence_knows_that_the_truth_lies_in_the_same_stretch():
    # A deviation of 5 s: 68.27 % lie within 5 s if nothing ends the stretch.
    assert confidence(5_000, 1.0) == 683
    # All of a stretch of 4 s each way, and 0.9 s more, is within 5 s.
    assert confidence(5_000, 1.0, 4_000, 4_000) == 1000
    assert confidence(5_000, 0.7, 4_000, 4_000) == 700
    # It ends 0.1 + 0.9 s before and 9.1 + 0.9 s after: of −0.2 to 2 deviations (0.5565) −0.2 to 1 (0.4206) are near.
    assert confidence(5_000, 1.0, 100, 9_100) == 756


def test_calibration_is_monotone_and_sharpens():
    said = [calibrated(sure) for sure in range(0, 1001, 50)]
    assert said == sorted(said)
    assert (said[0], said[-1]) == (0, 1000)
    # On the logit: 0.5 + 1.6 · ln(0.7 / 0.3) = 1.8557, which is 0.8648; 0.5 + 1.6 · ln(0.3 / 0.7) = −0.8557, 0.2982.
    assert (calibrated(700), calibrated(300)) == (865, 298)


@given(films(), st.integers(0, 120_000))
def test_the_pace_reads_back_the_time(seen: Seen, time: int):
    pace = Pace(seen.speech)
    assert abs(pace.time(pace.passed(time)) - time) <= 1
    assert 0.35 * time - 1 <= pace.passed(time) <= time + 1
