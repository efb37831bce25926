"""A time of more than 59 seconds or minutes beside hours is none, and is said to be none."""

from __future__ import annotations

import pytest

from adstudio.drafting.text.ground.film_times import in_film
from adstudio.drafting.text.ground.prose import parse_prose

MINUTE = 60_000
SCRIPT = """\
00:00:08 - 00:00:10 A clerk writes.
00:00:05 A woman runs.
00:00:70 Bad time.
00:00:20,500 --> 00:00:22,000 An umbrella.
"""


def test_an_impossible_time_is_told_and_the_right_ones_around_it_stay():
    prose = in_film(parse_prose(SCRIPT), 2 * MINUTE)
    # Of 8 s and 5 s, which contradict each other, the earlier line is kept.
    assert [(section.text, section.at, section.until) for section in prose.sections] == [
        ("A clerk writes.", 8_000, 10_000),
        ("A woman runs.", None, None),
        ("Bad time.", None, None),
        ("An umbrella.", 20_500, 22_000),
    ]
    told = {oddity.line: oddity.what for oddity in prose.oddities}
    assert told[3] == "00:00:70 is no time: it has 70 seconds, so what follows is placed by its order: correct it"
    assert told.keys() == {2, 3}


@pytest.mark.parametrize(
    ("written", "has"),
    [
        ("00:00:70", "70 seconds"),
        ("00:75:10", "75 minutes"),
        ("1:60:60", "60 minutes and 60 seconds"),
        ("00:00:70,500", "70 seconds"),
        ("00:00:70:12", "70 seconds"),
        ("00:01:99.5", "99 seconds"),
    ],
)
@pytest.mark.parametrize("form", ["{} Rain.", "[{}] Rain.", "{}: Rain.", "TC {} Rain.", "## {} Rain."])
def test_so_it_is_in_every_form(written: str, has: str, form: str):
    prose = parse_prose(form.format(written))
    assert [(section.text, section.at, section.until) for section in prose.sections] == [("Rain.", None, None)]
    (told,) = prose.oddities
    assert told.line == 1
    assert told.what.startswith(f"{written} is no time: it has {has}, so")


def test_an_impossible_end_leaves_the_beginning():
    (section,) = (prose := parse_prose("00:00:08 - 00:00:70 A clerk writes.")).sections
    assert (section.text, section.at, section.until) == ("A clerk writes.", 8_000, None)
    assert prose.oddities[0].what.startswith("00:00:70 is no time: it has 70 seconds, so this end is ignored")


def test_so_it_is_in_a_table():
    table = "| in | out | text |\n|---|---|---|\n| 00:00:70 | 00:01:12 | Rain. |\n| 00:00:75:00 | | Fog. |"
    prose = parse_prose(f"{table}\n| 00:01:20 | 00:01:80 | Snow. |")
    assert [(section.text, section.at, section.until) for section in prose.sections] == [
        ("Rain.", None, None),
        ("Fog.", None, None),
        ("Snow.", 80_000, None),
    ]
    assert len(prose.oddities) == 3


def test_possible_times_are_read_as_before():
    text = "00:00:20,500: Mist.\n\n00:59:59 Rain.\n\n100:30 Fog.\n\n23:59:59:24 Snow.\n\n1:23 Sun."
    prose = parse_prose(text)
    assert [section.at for section in prose.sections] == [20_500, 3_599_000, 6_030_000, 86_399_960, 83_000]
    assert not prose.oddities
