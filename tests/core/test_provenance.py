"""What a line's source tells of who drafted, weighed and polished it, in one text that older files have too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.provenance import (
    LONGEST,
    drafted_from,
    held_by_polishing,
    is_held_by_polishing,
    polished_by,
    weighed_by,
)

DRAFTED = "m, describe 1, then n, candidates 1, 2026-11-28 08:00 UTC"
WEIGHED = "w, weigh 1, 2026-11-28 09:00 UTC"
POLISHED = "p, polish 1, 2026-11-28 10:00 UTC"


@pytest.mark.parametrize("drafted", ["", DRAFTED, "line 12 of film.fountain; continued"])
def test_each_appears_once_in_whatever_order_they_came(drafted):
    both = "; ".join(filter(None, (drafted, f"weighed by {WEIGHED}", f"polished by {POLISHED}")))
    assert weighed_by(polished_by(drafted, POLISHED), WEIGHED) == both
    assert polished_by(weighed_by(drafted, WEIGHED), POLISHED) == both
    assert weighed_by(polished_by(both, POLISHED), WEIGHED) == both
    assert drafted_from(both) == drafted
    assert weighed_by(both, "x") == both.replace(WEIGHED, "x")
    assert weighed_by(both, "") == polished_by(drafted, POLISHED)
    assert weighed_by(weighed_by(drafted, WEIGHED), "") == drafted


def test_a_text_keeps_its_length_and_who_came_last():
    told = polished_by(weighed_by("a" * 1_000, WEIGHED), POLISHED)
    assert len(told) == LONGEST
    assert told.endswith(f"; weighed by {WEIGHED}; polished by {POLISHED}")


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_it_was_drafted_from_stays(drafted, made):
    before = drafted_from(drafted)
    assert drafted_from(polished_by(weighed_by(before, made.replace(";", ",")), made.replace(";", ","))) == before


def test_what_locked_a_line_comes_last_and_goes_when_the_user_chooses():
    weighed = weighed_by("line 12 of film.fountain", "m, weigh 1, today")
    held = held_by_polishing(weighed)
    assert held == f"{weighed}; held by the polishing of another line"
    assert is_held_by_polishing(held)
    assert not is_held_by_polishing(weighed)
    assert not is_held_by_polishing("held by the polishing of another line"[1:])
    assert drafted_from(held) == "line 12 of film.fountain"
    assert held_by_polishing(held) == held
    assert held_by_polishing(held, on=False) == weighed
    assert is_held_by_polishing(held_by_polishing(""))
    assert polished_by(held, "n, polish 1").endswith("; polished by n, polish 1; held by the polishing of another line")
