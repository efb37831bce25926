"""Openings: what the describer frees in spite of dialogue."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.script import Cue, Opening, Script, Silence
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import Gaps, find_gaps, gaps_of

CUES = (Cue("c1", 4000, 6000, "Where were you?"), Cue("c2", 8000, 9000, "Out."))


def pairs(spans: tuple[Span, ...]) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in spans]


def found(*openings: tuple[int, int], silences: tuple[Silence, ...] = (), **choices: Any) -> Gaps:
    opened = tuple(Opening(f"o{start}", Span(start, end)) for start, end in openings)
    return find_gaps(CUES, silences, 10_000, GapSettings(**choices), opened)


def free(*openings: tuple[int, int], silences: tuple[Silence, ...] = (), **choices: Any) -> list[tuple[int, int]]:
    return pairs(found(*openings, silences=silences, **choices).gaps)


def test_without_openings() -> None:
    assert free() == [(0, 4000), (6000, 8000), (9000, 10_000)]


def test_an_opening_frees_what_dialogue_occupies() -> None:
    assert free((5500, 6000)) == [(0, 4000), (5500, 8000), (9000, 10_000)]
    assert pairs(found((5500, 6000)).occupied) == [(4000, 5500), (8000, 9000)]
    assert free((4000, 6000)) == [(0, 8000), (9000, 10_000)]
    assert free((0, 10_000)) == [(0, 10_000)]


def test_an_opening_inside_a_cue_is_a_gap_however_short() -> None:
    assert free((4700, 5000)) == [(0, 4000), (4700, 5000), (6000, 8000), (9000, 10_000)]
    assert free((4700, 4701), (5000, 5002))[1:3] == [(4700, 4701), (5000, 5002)]


def test_an_opening_frees_margins_too() -> None:
    assert free(margin_before=500, margin_after=500) == [(0, 3500), (6500, 7500)]
    assert free((3500, 4000), margin_before=500, margin_after=500) == [(0, 4000), (6500, 7500)]


def test_a_free_stretch_too_short_for_a_gap_is_one_where_an_opening_lies() -> None:
    assert free(least=1500) == [(0, 4000), (6000, 8000)]
    assert free((8900, 9100), least=1500) == [(0, 4000), (6000, 8000), (8900, 10_000)]
    assert free((9000, 9001), least=1500)[-1] == (9000, 10_000)


def test_an_opening_that_only_touches_a_stretch_does_not_count_for_it() -> None:
    # The opening 7000-8000 ends where the cue starts; what follows that cue is still too short.
    assert free((7000, 8000), least=1500) == [(0, 4000), (6000, 8000)]


def test_silences_win() -> None:
    silence = (Silence("x", Span(4800, 5200)),)
    assert free((4500, 5500), silences=silence)[1:3] == [(4500, 4800), (5200, 5500)]
    assert free((4800, 5200), silences=silence) == [(0, 4000), (6000, 8000), (9000, 10_000)]


def test_openings_may_overlap_touch_or_be_empty() -> None:
    assert free((4500, 5000), (4800, 5500), (5500, 5600), (5000, 5000))[1] == (4500, 5600)


def test_an_opening_that_extends_beyond_the_film_is_cut_and_reported() -> None:
    outside = found((9500, 12_000)).outside
    assert [oddity.what for oddity in outside] == [
        "the opening at 00:00:09.500 extends beyond the film: cut to the film"
    ]
    assert free((9500, 12_000))[-1] == (9000, 10_000)
    assert free((11_000, 12_000)) == free()


def test_gaps_of_a_script() -> None:
    script = Script(
        Film("", 10_000),
        Settings(gaps=GapSettings(least=1500)),
        cues=CUES,
        silences=(Silence("x", Span(0, 4000)),),
        openings=(Opening("o", Span(4000, 4200)),),
    )
    assert pairs(gaps_of(script).gaps) == [(4000, 4200), (6000, 8000)]


times = st.integers(-5, 45)
spans = st.tuples(times, times).map(lambda pair: Span(min(pair), max(pair)))
stretches = st.lists(spans, max_size=4)


@settings(max_examples=300, deadline=None)
@given(stretches, stretches, stretches, st.integers(0, 6))
def test_every_millisecond(said: list[Span], silent: list[Span], opened: list[Span], least: int) -> None:
    # Cues of a tenth of a second or more, so that their ends are taken as they stand.
    cues = [Cue("c", span.start * 10, span.end * 10 + 100, "") for span in said]
    silences = [Silence("x", Span(span.start * 10, span.end * 10)) for span in silent]
    openings = [Opening("o", Span(span.start * 10, span.end * 10)) for span in opened]
    gaps = find_gaps(cues, silences, 400, GapSettings(least=least * 10), openings).gaps

    def is_free(tick: int) -> bool:
        spoken = any(cue.start <= tick < cue.end for cue in cues)
        quiet = any(silence.span.start <= tick < silence.span.end for silence in silences)
        freed = any(opening.span.start <= tick < opening.span.end for opening in openings)
        return not quiet and (freed or not spoken)

    runs: list[tuple[int, int]] = []
    for tick in range(400):
        if is_free(tick):
            if runs and runs[-1][1] == tick:
                runs[-1] = (runs[-1][0], tick + 1)
            else:
                runs.append((tick, tick + 1))

    def is_opened(start: int, end: int) -> bool:
        return any(o.span.start < end and start < o.span.end for o in openings if o.span.length)

    expected = [(start, end) for start, end in runs if end - start >= least * 10 or is_opened(start, end)]
    assert pairs(gaps) == expected
