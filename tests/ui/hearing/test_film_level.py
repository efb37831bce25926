"""The film's level while narration is heard: that of the mix, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.mix_settings import MixSettings
from adstudio.core.plan import Delivery
from adstudio.core.script import Cue, Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.ui.hearing.film_level import level_at, mix_envelope

GAP = Span(2_000, 8_000)
SCRIPT = Script(
    Film("Film", 10_000),
    cues=(Cue("c1", 0, 2_000, "Hello."), Cue("c2", 8_000, 10_000, "Bye.")),
    eventualities=(Eventuality("a", (Variant("She waits."),)), Eventuality("b", (Variant("He goes."),))),
)
SETTINGS = MixSettings(duck_depth=120, ramp_down=400, ramp_up=600)


def levels(deliveries, script=SCRIPT, settings=SETTINGS):
    return mix_envelope(script, deliveries, lambda ms: GAP if GAP.start <= ms < GAP.end else None, settings)


def test_the_film_goes_down_before_a_line_and_comes_up_after_it_as_the_settings_say():
    """−12 dB from 4.0 to 5.0 s, down from 3.6 s, up by 5.6 s: half-way at 3.8 s, a third of the way up at 5.2 s."""
    found = levels([Delivery("a", 0, 4_000, 5_000)])
    times = (0, 3_599, 3_600, 3_800, 4_000, 4_500, 5_000, 5_200, 5_600, 9_000)
    assert [level_at(found, ms) for ms in times] == pytest.approx([0, 0, 0, -6, -12, -12, -12, -8, 0, 0])


def test_between_two_pictures_the_level_is_between_theirs():
    found = levels([Delivery("a", 0, 4_000, 5_000)])
    assert level_at(found, 3_700.5) == pytest.approx(-12 * 100.5 / 400)


def test_dialogue_is_not_dipped_by_the_ramps():
    """A line that fills its gap: at both of its ends the film is up."""
    found = levels([Delivery("a", 0, 2_000, 8_000)])
    assert [level_at(found, ms) for ms in (1_999, 2_000, 8_000, 8_001)] == [0, 0, 0, 0]
    assert level_at(found, 5_000) == -12


def test_a_line_over_dialogue_that_the_describer_wants_there_dips_it():
    line = replace(SCRIPT.eventualities[0], pin=Pin(start=7_500, override=True))
    script = replace(SCRIPT, eventualities=(line, SCRIPT.eventualities[1]))
    assert level_at(levels([Delivery("a", 0, 7_500, 8_500)], script), 8_400) == -12
    assert level_at(levels([Delivery("a", 0, 7_500, 8_500)]), 8_400) == 0


def test_a_line_has_its_own_depth():
    line = replace(SCRIPT.eventualities[1], duck=45)
    script = replace(SCRIPT, eventualities=(SCRIPT.eventualities[0], line))
    found = levels([Delivery("a", 0, 2_500, 3_500), Delivery("b", 0, 6_000, 7_000)], script)
    assert [level_at(found, ms) for ms in (3_000, 6_500)] == [-12, -4.5]


def test_without_lines_the_film_stays_up():
    assert [level_at(levels([]), ms) for ms in (0, 5_000)] == [0, 0]


def test_a_line_of_no_eventuality_has_the_depth_of_the_settings():
    assert level_at(levels([Delivery("x", 0, 4_000, 5_000, text="A door.")]), 4_500) == -12
