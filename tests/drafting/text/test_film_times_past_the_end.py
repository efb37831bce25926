"""A description most of whose times are past the film's end: what is behind the film is left out, and said once."""

import pytest

from adstudio.drafting.text.ground.film_times import PastTheEnd, in_film
from adstudio.drafting.text.ground.prose import parse_prose

END = 164_200


def description(lines: int, step: int = 1) -> str:
    times = ((at // 60, at % 60) for at in range(0, lines * step, step))
    return "".join(f"[{minutes}:{seconds:02}] Nora opens door {minutes} {seconds}.\n" for minutes, seconds in times)


def test_the_text_behind_the_film_is_left_out_and_said_with_figures() -> None:
    prose = in_film(parse_prose(description(6000)), END)
    # The seconds 0 to 164 are in the film; line 166 is at 165 s.
    assert len(prose.sections) == 165
    assert [oddity for oddity in prose.oddities if not isinstance(oddity, PastTheEnd)] == []
    (past,) = prose.oddities
    assert past.line == 166
    assert "5,835 of its 6,000 times are past the film’s end" in past.what
    assert "they go on to 01:39:59, and the film ends at 00:02:44" in past.what


@pytest.mark.parametrize("lines", [165, 170, 184, 329])
def test_a_few_times_past_the_end_or_no_more_than_half_are_told_one_by_one(lines: int) -> None:
    prose = in_film(parse_prose(description(lines)), END)
    assert len(prose.sections) == lines
    assert len(prose.oddities) == lines - 165
    assert not any(isinstance(oddity, PastTheEnd) for oddity in prose.oddities)


def test_times_that_all_are_in_the_film_stay() -> None:
    prose = in_film(parse_prose(description(100)), END)
    assert (len(prose.sections), prose.oddities) == (100, ())
