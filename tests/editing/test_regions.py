"""Silences, openings, the edges of gaps, and dialogue cues."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, done
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.script import Cue, CueKind, Opening, Script, Silence
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.timebase import Span
from adstudio.editing import cues, regions
from adstudio.editing.change import EditRefused
from adstudio.editing.edges import Edge, set_gap_edge
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.gaps.gaps import gaps_of


def silences(script: Script) -> list[tuple[str, int, int]]:
    return [(item.id, item.span.start, item.span.end) for item in script.silences]


def openings(script: Script) -> list[tuple[str, int, int]]:
    return [(item.id, item.span.start, item.span.end) for item in script.openings]


def gaps(script: Script) -> list[tuple[int, int]]:
    return [(gap.start, gap.end) for gap in gaps_of(script).gaps]


def test_drawing_in_either_direction() -> None:
    for start, end in ((12_000, 15_000), (15_000, 12_000)):
        step = regions.draw_silence(SCRIPT, Ids(SCRIPT), start, end, "score")
        after = done(step)
        # In order of time.
        assert silences(after) == [("silence-1", 12_000, 15_000), ("x1", 25_000, 27_000)]
        assert after.silences[0].note == "score"
        assert step is not None
        assert label_of(step, SCRIPT) == "Add silence 00:00:12:00–00:00:15:00"
    after = done(regions.draw_opening(SCRIPT, Ids(SCRIPT), -10, 500))
    assert openings(after) == [("opening-1", 0, 500)]


def test_what_is_drawn_into_others_becomes_one_with_them() -> None:
    script = replace(SCRIPT, silences=(*SCRIPT.silences, Silence("x2", Span(29_000, 30_000), "train")))
    after = done(regions.draw_silence(script, Ids(script), 27_000, 29_500, "music"), script)
    assert silences(after) == [("x1", 25_000, 30_000)]
    assert after.silences[0].note == "music; train"
    assert regions.draw_silence(script, Ids(script), 25_100, 26_000) is None
    grown = done(regions.draw_silence(script, Ids(script), 24_000, 25_500), script)
    assert silences(grown) == [("x1", 24_000, 27_000), ("x2", 29_000, 30_000)]


def test_too_short_a_stretch() -> None:
    with pytest.raises(EditRefused, match=r"A silence must be at least 0.04 s"):
        regions.draw_silence(SCRIPT, Ids(SCRIPT), 5000, 5039)
    with pytest.raises(EditRefused, match=r"An opening must be"):
        regions.draw_opening(SCRIPT, Ids(SCRIPT), 60_000, 70_000)
    with pytest.raises(EditRefused):
        regions.resize_region(SCRIPT, "x1", end=25_039)
    assert silences(done(regions.resize_region(SCRIPT, "x1", end=25_040))) == [("x1", 25_000, 25_040)]


def test_moving_and_resizing_keep_the_order_of_time() -> None:
    script = replace(SCRIPT, silences=(*SCRIPT.silences, Silence("x2", Span(50_000, 51_000))))
    assert silences(done(regions.move_region(script, "x1", 55_000), script)) == [
        ("x2", 50_000, 51_000),
        ("x1", 55_000, 57_000),
    ]
    assert silences(done(regions.move_region(SCRIPT, "x1", 90_000))) == [("x1", 58_000, 60_000)]
    assert silences(done(regions.move_region(SCRIPT, "x1", -1))) == [("x1", 0, 2000)]
    assert silences(done(regions.resize_region(SCRIPT, "x1", start=24_000, end=99_000))) == [("x1", 24_000, 60_000)]
    assert regions.resize_region(SCRIPT, "x1") is None
    opened = replace(SCRIPT, openings=(Opening("o1", Span(11_000, 12_000)),))
    assert openings(done(regions.move_region(opened, "o1", 10_500), opened)) == [("o1", 10_500, 11_500)]


def test_deleting_and_noting() -> None:
    opened = replace(SCRIPT, openings=(Opening("o1", Span(11_000, 12_000)),))
    step = regions.delete_regions(opened, ["o1", "x1", "o1"])
    after = done(step, opened)
    assert (after.silences, after.openings) == ((), ())
    assert step is not None
    assert label_of(step, SCRIPT) == "Delete 2 regions"
    assert done(regions.set_region_note(opened, "o1", "breath"), opened).openings[0].note == "breath"
    with pytest.raises(EditRefused, match="no longer in the script"):
        regions.move_region(SCRIPT, "o1", 0)


def drag(script: Script, gap: tuple[int, int], edge: Edge, t: int) -> Script:
    return done(set_gap_edge(script, Ids(script), Span(*gap), edge, t), script)


def test_an_edge_dragged_inward_and_back() -> None:
    first = drag(SCRIPT, (0, 10_000), Edge.END, 9000)
    assert silences(first) == [("silence-1", 9000, 10_000), ("x1", 25_000, 27_000)]
    assert gaps(first)[0] == (0, 9000)
    again = drag(first, (0, 9000), Edge.END, 8000)
    assert silences(again)[0] == ("silence-1", 8000, 10_000)
    less = drag(again, (0, 8000), Edge.END, 9500)
    assert silences(less)[0] == ("silence-1", 9500, 10_000)
    assert drag(less, (0, 9500), Edge.END, 10_000) == SCRIPT
    start = drag(SCRIPT, (14_000, 20_000), Edge.START, 15_000)
    assert silences(start)[0] == ("silence-1", 14_000, 15_000)
    assert drag(start, (15_000, 20_000), Edge.START, 14_000) == SCRIPT


def test_an_edge_dragged_outward_and_back() -> None:
    first = drag(SCRIPT, (0, 10_000), Edge.END, 11_000)
    assert openings(first) == [("opening-1", 10_000, 11_000)]
    assert gaps(first)[0] == (0, 11_000)
    again = drag(first, (0, 11_000), Edge.END, 12_000)
    assert openings(again) == [("opening-1", 10_000, 12_000)]
    less = drag(again, (0, 12_000), Edge.END, 10_500)
    assert openings(less) == [("opening-1", 10_000, 10_500)]
    assert drag(less, (0, 10_500), Edge.END, 10_000) == SCRIPT
    assert openings(drag(SCRIPT, (14_000, 20_000), Edge.START, 13_000)) == [("opening-1", 13_000, 14_000)]


def test_an_edge_dragged_past_the_dialogues_edge_turns_one_into_the_other() -> None:
    silent = drag(SCRIPT, (0, 10_000), Edge.END, 9000)
    opened = drag(silent, (0, 9000), Edge.END, 11_000)
    assert silences(opened) == [("x1", 25_000, 27_000)]
    assert openings(opened) == [("opening-1", 10_000, 11_000)]
    assert drag(opened, (0, 11_000), Edge.END, 9000) == silent


def test_an_edge_dragged_over_a_whole_cue_joins_two_gaps() -> None:
    after = drag(SCRIPT, (0, 10_000), Edge.END, 15_000)
    assert openings(after) == [("opening-1", 10_000, 14_000)]
    assert gaps(after)[0] == (0, 20_000)


def test_a_describers_own_silence_at_the_edge_gives_way() -> None:
    # The gap 20.75–25 ends where the silence x1 begins; behind that it is free.
    after = drag(SCRIPT, (20_750, 25_000), Edge.END, 26_000)
    assert silences(after) == [("x1", 26_000, 27_000)]
    assert openings(after) == []
    gone = drag(SCRIPT, (20_750, 25_000), Edge.END, 27_000)
    assert silences(gone) == []
    assert gaps(gone)[-1] == (20_750, 60_000)


def test_a_gap_is_not_dragged_too_short_and_tiny_drags_snap() -> None:
    # The least length of a gap is 1 s.
    assert gaps(drag(SCRIPT, (14_000, 20_000), Edge.START, 30_000))[1] == (19_000, 20_000)
    assert gaps(drag(SCRIPT, (14_000, 20_000), Edge.END, 0))[1] == (14_000, 15_000)
    assert set_gap_edge(SCRIPT, Ids(SCRIPT), Span(14_000, 20_000), Edge.START, 14_000) is None
    assert set_gap_edge(SCRIPT, Ids(SCRIPT), Span(14_000, 20_000), Edge.START, 14_039) is None
    assert set_gap_edge(SCRIPT, Ids(SCRIPT), Span(14_000, 20_000), Edge.START, 13_961) is None
    nearly = drag(drag(SCRIPT, (0, 10_000), Edge.END, 9000), (0, 9000), Edge.END, 9970)
    assert nearly == SCRIPT
    assert set_gap_edge(SCRIPT, Ids(SCRIPT), Span(0, 10_000), Edge.START, -500) is None
    with pytest.raises(EditRefused, match="That gap no longer exists"):
        set_gap_edge(SCRIPT, Ids(SCRIPT), Span(0, 9999), Edge.START, 500)


def test_margins_belong_to_the_dialogue() -> None:
    script = replace(SCRIPT, settings=Settings(gaps=GapSettings(margin_before=500)))
    after = drag(script, (0, 9500), Edge.END, 9800)
    assert openings(after) == [("opening-1", 9500, 9800)]
    assert drag(after, (0, 9800), Edge.END, 9500) == script


def test_a_silence_in_the_middle_of_an_opening_that_gives_way_leaves_two() -> None:
    script = Script(
        Film("", 20_000),
        cues=(Cue("c", 5000, 15_000, ""),),
        openings=(Opening("o", Span(5000, 12_000)),),
        silences=(Silence("x", Span(8000, 9000)),),
    )
    assert gaps(script) == [(0, 8000), (9000, 12_000), (15_000, 20_000)]
    after = drag(script, (9000, 12_000), Edge.START, 10_000)
    # The opening is cut where the gap no longer is; the silence before it stays.
    assert gaps(after) == [(0, 8000), (10_000, 12_000), (15_000, 20_000)]
    assert openings(after) == [("o", 5000, 9000), ("opening-1", 10_000, 12_000)]
    assert silences(after) == [("x", 8000, 9000)]


hundreds = st.integers(0, 60).map(lambda n: n * 100)
spans = st.tuples(hundreds, hundreds).map(lambda pair: Span(min(pair), max(pair) + 100))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(spans, max_size=4),
    st.lists(spans, max_size=2),
    st.lists(spans, max_size=2),
    st.data(),
)
def test_a_dragged_edge_lies_where_it_was_dragged(
    said: list[Span], silent: list[Span], opened: list[Span], data: st.DataObject
) -> None:
    script = Script(
        Film("", 6200),
        Settings(gaps=GapSettings(least=100)),
        cues=tuple(Cue(f"c{n}", s.start, s.end, "") for n, s in enumerate(sorted(said))),
        silences=tuple(Silence(f"x{n}", s) for n, s in enumerate(sorted(silent))),
        openings=tuple(Opening(f"o{n}", s) for n, s in enumerate(sorted(opened))),
    )
    free = gaps_of(script).gaps
    if not free:
        return
    gap, edge, t = data.draw(st.sampled_from(free)), data.draw(st.sampled_from(Edge)), data.draw(hundreds)
    step = set_gap_edge(script, Ids(script), gap, edge, t)
    if step is None:
        return
    after = step.apply(script)
    assert step.inverse().apply(after) == script
    wanted = min(t, gap.end - 100) if edge is Edge.START else max(t, gap.start + 100)
    now, other = (gap.start, gap.end) if edge is Edge.START else (gap.end, gap.start)
    (found,) = (each for each in gaps_of(after).gaps if each.contains(Span(*sorted((wanted, other)))))
    inward = gap.contains(Span(wanted, wanted))
    if inward:
        assert (found.start if edge is Edge.START else found.end) == wanted
        # What was free elsewhere is free still, and no more than that.
        zone = Span(*sorted((wanted, now)))
        assert _free_ms(after) == _free_ms(script) - set(range(zone.start, zone.end, 100))
    else:
        zone = Span(*sorted((wanted, now)))
        assert _free_ms(after) == _free_ms(script) | set(range(zone.start, zone.end, 100))


def _free_ms(script: Script) -> set[int]:
    return {ms for gap in gaps_of(script).gaps for ms in range(gap.start, gap.end, 100)}


def test_a_reversed_cue_is_mended() -> None:
    step = cues.set_cue_times(SCRIPT, "c2", end=21_500)
    after = done(step)
    assert (after.cues[1].start, after.cues[1].end) == (20_000, 21_500)
    assert gaps(after)[2] == (21_500, 25_000)
    assert step is not None
    assert label_of(step, SCRIPT) == "Retime cue “It's me”"
    assert done(cues.set_cue_times(SCRIPT, "c2", start=17_000)).cues[1].end == 18_000
    for times in ({"end": 19_000}, {"end": 20_000}, {"start": 18_000}, {"start": 70_000}):
        with pytest.raises(EditRefused, match="cannot end before it starts"):
            cues.set_cue_times(SCRIPT, "c2", **times)
    assert cues.set_cue_times(SCRIPT, "c2", end=18_000) is None


def test_cues_keep_the_order_of_time() -> None:
    later = done(cues.set_cue_times(SCRIPT, "c1", start=30_000, end=34_000))
    assert [cue.id for cue in later.cues] == ["c2", "c1", "c3"]
    after = done(cues.set_cue_times(SCRIPT, "c3", start=5000, end=6000))
    assert next((cue.id, cue.start, cue.end) for cue in after.cues) == ("c3", 5000, 6000)


def test_what_a_cue_is_taken_for() -> None:
    after = done(cues.set_cue_kind(SCRIPT, ["c3"], CueKind.SPEECH))
    assert gaps(after)[-2:] == [(27_000, 40_000), (41_000, 60_000)]
    step = cues.set_cue_kind(SCRIPT, ["c1", "c2", "c3"], CueKind.SOUND)
    assert step is not None
    assert label_of(step, SCRIPT) == "Mark 2 cues as sound"
    assert gaps(done(step)) == [(0, 25_000), (27_000, 60_000)]
    assert cues.set_cue_kind(SCRIPT, ["c3"], CueKind.SOUND) is None
    with pytest.raises(EditRefused):
        cues.set_cue_kind(SCRIPT, ["c9"], CueKind.SOUND)
