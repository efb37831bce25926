"""What dialogue occupies of a span and how far it is, against a count of every millisecond."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.quality.dialogue import Distance, Occupation

spans = st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda each: Span(each[0], each[0] + each[1]))


@given(st.lists(spans, max_size=8), spans)
def test_occupied_parts_and_distances_are_those_of_a_count(cues: list[Span], span: Span) -> None:
    occupation = Occupation((cue, str(place)) for place, cue in enumerate(cues))
    busy = {ms for cue in cues for ms in range(cue.start, cue.end)}
    inside = set(range(span.start, span.end))
    parts = occupation.parts_of(span)
    assert {ms for part in parts for ms in range(part.start, part.end)} == busy & inside
    assert sum(part.length for part in parts) == len(busy & inside)
    if inside:
        over = [cue for cue in cues if cue.length and cue.start < span.end and span.start < cue.end]
        first = occupation.first_over(span)
        assert (first is None) == (not over)
        assert first is None or cues[int(first)].start == min(cue.start for cue in over)
    ended = [cue.end for cue in cues if cue.length and cue.start <= span.start]
    before = occupation.before(span)
    assert (before is None) == (not ended or max(ended) > span.start)
    assert before is None or before.by == span.start - max(ended)
    begun = [cue.start for cue in cues if cue.length and cue.start >= span.end]
    over_end = any(cue.length and cue.start < span.end < cue.end for cue in cues)
    after = occupation.after(span)
    assert (after is None) == (not begun or over_end)
    assert after is None or after.by == min(begun) - span.end


def test_a_cue_of_the_whole_film_hides_none_of_those_inside_it() -> None:
    cues = [(Span(0, 100_000), "all"), *((Span(n, n + 5), f"c{n}") for n in range(10, 90_000, 10))]
    occupation = Occupation(cues)
    assert occupation.first_over(Span(50_000, 50_007)) == "all"
    assert occupation.parts_of(Span(99_000, 101_000)) == [Span(99_000, 100_000)]
    assert occupation.before(Span(100_200, 100_300)) == Distance(200, "all")
