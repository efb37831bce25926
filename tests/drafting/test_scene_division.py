"""Scenes where nothing tells them: at cuts, in the longest pauses, none too short or too long."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.drafting.scene_division import LONGEST_MS, SHORTEST_MS, scenes_by_cuts


def spans(*args):
    return [scene.span for scene in scenes_by_cuts(*args)]


def cue(start, end, kind=CueKind.SPEECH):
    return Cue(f"c{start}", start, end, "…", None, kind)


def test_the_cut_in_the_longest_pause():
    cues = [cue(0, 50_000), cue(58_000, 80_000), cue(82_000, 130_000), cue(131_000, 200_000)]
    # In reach of the first scene (40 to 120 s): 54 s in a pause of 8 s, 81 s in one of 2 s, 100 s within a line.
    assert spans(200_000, [20_000, 54_000, 81_000, 100_000, 130_500], cues)[0] == Span(0, 54_000)


def test_of_equal_ones_the_latest_and_without_cuts_two_minutes():
    assert spans(300_000, [50_000, 90_000], ()) == [Span(0, 90_000), Span(90_000, 210_000), Span(210_000, 300_000)]
    assert spans(120_000, [60_000], ()) == [Span(0, 120_000)]
    assert spans(130_000, (), ()) == [Span(0, 90_000), Span(90_000, 130_000)], "the last one is not too short"
    assert spans(0, (), ()) == []


def test_sounds_are_no_dialogue():
    sounds = [cue(30_000, 70_000, CueKind.SOUND)]
    assert spans(200_000, [60_000, 110_000], [*sounds, cue(100_000, 120_000)])[0] == Span(0, 60_000)


@given(
    st.integers(1, 2_000_000),
    st.lists(st.integers(0, 2_000_000), max_size=30),
    st.lists(st.tuples(st.integers(0, 2_000_000), st.integers(0, 9_000)), max_size=30),
)
def test_they_cover_the_film_and_none_is_out_of_bounds(end, cuts, spoken):
    found = spans(end, cuts, [cue(start, start + length) for start, length in spoken])
    assert (found[0].start, found[-1].end) == (0, end)
    assert all(one.end == two.start for one, two in itertools.pairwise(found))
    assert all(span.length <= LONGEST_MS for span in found)
    assert len(found) == 1 or all(span.length >= SHORTEST_MS for span in found)
