from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind, Silence
from adstudio.core.settings import GapSettings
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import find_gaps, gaps_json, occupies


def cue(start: int, end: int, kind: CueKind = CueKind.SPEECH, text: str = "Words.") -> Cue:
    return Cue(f"c{start}", start, end, text, kind=kind)


def free(cues, end, silences=(), **choices):
    found = find_gaps(cues, silences, end, GapSettings(**choices))
    return [(gap.start, gap.end) for gap in found.gaps]


def said(cues, end, silences=()):
    found = find_gaps(cues, silences, end, GapSettings())
    return [oddity.what for oddity in (*found.oddities, *found.outside)]


def test_gaps_are_what_dialogue_leaves():
    assert free([cue(2000, 5000), cue(8000, 9500)], 20000) == [(0, 2000), (5000, 8000), (9500, 20000)]


def test_no_dialogue_leaves_the_whole_film():
    assert free([], 60000) == [(0, 60000)]


def test_a_gap_of_exactly_one_second_counts_and_one_millisecond_less_does_not():
    assert free([cue(1000, 2000), cue(3000, 4000), cue(4999, 6000)], 6999) == [(0, 1000), (2000, 3000)]


def test_margins_are_occupied_before_a_cue_starts_and_after_it_ends():
    assert free([cue(5000, 6000)], 10000, margin_before=300, margin_after=700) == [(0, 4700), (6700, 10000)]


def test_margins_may_leave_no_gap():
    assert free([cue(2000, 3000), cue(5000, 6000)], 6000, margin_before=600, margin_after=600, least=1000) == [
        (0, 1400)
    ]


def test_sound_and_instrumental_music_are_free_and_song_is_not():
    labels = [cue(1000, 2000, CueKind.SOUND), cue(3000, 4000, CueKind.MUSIC), cue(5000, 6000, CueKind.SUNG)]
    assert free(labels, 10000) == [(0, 5000), (6000, 10000)]
    assert free(labels, 10000, keep_sound=True) == [(0, 1000), (2000, 5000), (6000, 10000)]
    assert free(labels, 10000, keep_music=True) == [(0, 3000), (4000, 5000), (6000, 10000)]
    assert free(labels, 10000, keep_sung=False) == [(0, 10000)]


def test_silences_are_cut_out_without_margins():
    silence = Silence("q1", Span(4000, 6000))
    assert free([], 10000, [silence], margin_before=500, margin_after=500) == [(0, 4000), (6000, 10000)]


def test_overlapping_cues_leave_no_gap_inside_and_are_listed():
    cues = [cue(10000, 14000, text="First."), cue(12000, 16000, text="Second.")]
    assert free(cues, 20000) == [(0, 10000), (16000, 20000)]
    assert said(cues, 20000) == [
        (
            "the cue “Second.” at 00:00:12.000 starts before the cue “First.” at 00:00:10.000 ends: "
            "both times count as dialogue"
        )
    ]


def test_one_long_cue_over_two_hundred_short_ones_leaves_no_gap_inside():
    cues = [cue(0, 600_000), *(cue(3000 * n + 1000, 3000 * n + 1500) for n in range(200))]
    assert free(cues, 610_000) == [(600_000, 610_000)]


def test_a_reversed_cue_splits_the_gap_at_its_start_and_is_listed():
    found = find_gaps([cue(5000, 4000)], [], 10000, GapSettings())
    # One word at 160 a minute is 375 ms: narration must not run over it.
    assert found.gaps == (Span(0, 5000), Span(5375, 10000))
    assert [o.what for o in found.oddities] == [
        "the cue “Words.” at 00:00:05.000 ends before it starts: its end was estimated from its words"
    ]


def test_a_reversed_cue_keeps_its_margins():
    assert free([cue(5000, 4000)], 10000, margin_before=500, margin_after=250) == [(0, 4500), (5625, 10000)]


def test_a_cue_without_length_splits_the_gap_and_is_listed():
    assert free([cue(6000, 6000)], 10000) == [(0, 6000), (6375, 10000)]
    assert said([cue(6000, 6000)], 10000) == [
        "the cue “Words.” at 00:00:06.000 has no duration: its end was estimated from its words"
    ]


def test_a_cue_too_short_to_be_said_is_given_the_time_of_its_words():
    """Eight words at 160 a minute are three seconds, wherever the end was put by mistake."""
    eight = "You never told me that he was here."
    for end in (6001, 6099):
        short = Cue("1", 6000, end, eight)
        assert free([short], 20000) == [(0, 6000), (9000, 20000)]
        assert said([short], 20000) == [
            f"the cue “{eight}” at 00:00:06.000 is too short for its words: its end was estimated from them"
        ]
    assert free([Cue("1", 6000, 6100, eight)], 20000) == [(0, 6000), (6100, 20000)]


def test_a_cue_without_words_and_length_still_splits_the_gap():
    assert free([cue(6000, 6000, text="…")], 10000) == [(0, 6000), (6001, 10000)]


def test_cues_past_the_end_are_listed_and_make_no_gap_there():
    cues = [cue(8000, 12000), cue(15000, 16000)]
    assert free(cues, 10000) == [(0, 8000)]
    assert said(cues, 10000) == [
        "the cue “Words.” at 00:00:08.000 ends after the film: cut to the film",
        "the cue “Words.” at 00:00:15.000 lies after the end of the film: ignored",
    ]


def test_cues_before_the_start_are_cut_and_listed():
    cues = [cue(-3000, -2000), cue(-1000, 1500)]
    assert free(cues, 10000) == [(1500, 10000)]
    assert said(cues, 10000) == [
        "the cue “Words.” at -00:00:03.000 lies before the start of the film: ignored",
        "the cue “Words.” at -00:00:01.000 starts before the film: cut to the film",
    ]


def test_a_silence_out_of_the_film_is_cut_and_listed():
    silence = Silence("q1", Span(8000, 12000))
    assert free([], 10000, [silence]) == [(0, 8000)]
    assert said([], 10000, [silence]) == ["the silence at 00:00:08.000 extends beyond the film: cut to the film"]


def test_cues_out_of_order_give_the_same_gaps():
    cues = [cue(8000, 9000), cue(2000, 3000), cue(5000, 6000)]
    assert free(cues, 12000) == free(sorted(cues, key=lambda c: c.start), 12000)


@pytest.mark.parametrize("end", [0, -5])
def test_a_film_without_length_has_no_gaps(end):
    assert free([cue(0, 1000)], end) == []


@pytest.mark.parametrize("wrong", [{"margin_before": -1}, {"margin_after": -1}, {"least": -1}])
def test_negative_settings_are_refused(wrong):
    with pytest.raises(BadInputError):
        free([], 1000, **wrong)


END = 120
times = st.integers(-30, END + 30)
# Without words, so that a film of a tenth of a second holds more than one cue.
cues_anywhere = st.lists(st.builds(cue, times, times, st.sampled_from(CueKind), st.just("…")), max_size=12)
silences_anywhere = st.lists(
    st.tuples(times, times).map(lambda pair: Silence("q", Span(min(pair), max(pair)))), max_size=4
)
choices = st.builds(
    GapSettings, st.integers(0, 9), st.integers(0, 9), st.integers(0, 20), st.booleans(), st.booleans(), st.booleans()
)


@settings(max_examples=400, deadline=None)
@given(cues_anywhere, silences_anywhere, choices)
def test_every_millisecond_is_in_a_gap_just_when_nothing_occupies_it(cues, silences, chosen):
    """The film as a row of cells, cell n from n to n + 1 ms."""
    taken = [False] * END
    for one in cues:
        if occupies(one.kind, chosen):
            length = max(one.end - one.start, 1)
            for cell in range(one.start - chosen.margin_before, one.start + length + chosen.margin_after):
                if 0 <= cell < END:
                    taken[cell] = True
    for silence in silences:
        for cell in range(max(silence.span.start, 0), min(silence.span.end, END)):
            taken[cell] = True

    runs, start = [], None
    for cell in range(END + 1):
        if cell < END and not taken[cell]:
            start = cell if start is None else start
        elif start is not None:
            runs.append((start, cell))
            start = None
    found = find_gaps(cues, silences, END, chosen)
    assert [(g.start, g.end) for g in found.gaps] == [run for run in runs if run[1] - run[0] >= max(chosen.least, 1)]
    assert {cell for span in found.occupied for cell in range(span.start, span.end)} == {
        cell for cell in range(END) if taken[cell]
    }
    for before, after in zip(found.gaps, found.gaps[1:], strict=False):
        assert before.end < after.start


@settings(max_examples=100, deadline=None)
@given(cues_anywhere)
def test_every_cue_that_is_reversed_empty_or_outside_the_film_is_named(cues):
    dialogue = [c for c in cues if occupies(c.kind, GapSettings())]
    found = find_gaps(cues, [], END, GapSettings())
    times = [o for o in found.oddities if "count as dialogue" not in o.what]
    assert len(times) == sum(c.end <= c.start or c.start < 0 for c in dialogue)
    assert len(found.outside) == sum(c.end > END or c.start >= END for c in dialogue)


def test_twenty_thousand_cues_out_of_order():
    cues = [cue(3000 * n, 3000 * n + 1500) for n in range(20000)]
    found = find_gaps(cues[::-1], [], 60_000_000, GapSettings())
    assert len(found.gaps) == 20000
    assert not found.oddities


def test_the_report_has_the_form_of_the_design():
    cues = [Cue("1", 1250, 4000, "Hello.", speaker="ANNA"), cue(5000, 6000, CueKind.SOUND, "[door]")]
    found = find_gaps(cues, [], 10001, GapSettings())
    report = gaps_json(found, cues, end=10001, encoding="utf-8", problems=[Oddity("no number", 12)])
    assert json.loads(json.dumps(report)) == {
        "format": "adstudio-gaps/1",
        "end": 10.001,
        "encoding": "utf-8",
        "gaps": [[0.0, 1.25], [4.0, 10.001]],
        "dialogue": [
            {"start": 1.25, "end": 4.0, "text": "Hello.", "speaker": "ANNA", "kind": "speech"},
            {"start": 5.0, "end": 6.0, "text": "[door]", "speaker": None, "kind": "sound"},
        ],
        "problems": [{"line": 12, "what": "no number"}],
    }


def test_the_report_adds_to_the_readers_problems_only_what_the_reader_cannot_know():
    cues = [cue(5000, 4000), cue(11_000, 12_000)]
    found = find_gaps(cues, [], 10000, GapSettings())
    report = gaps_json(found, cues, end=10000, encoding="utf-8", problems=[Oddity("reversed", 1)])
    past = {"line": None, "what": "the cue “Words.” at 00:00:11.000 lies after the end of the film: ignored"}
    assert report["problems"] == [{"line": 1, "what": "reversed"}, past]
    unread = gaps_json(found, cues, end=10000, encoding="utf-8")
    assert [p["what"][-12:] for p in unread["problems"]] == ["om its words", past["what"][-12:]]
