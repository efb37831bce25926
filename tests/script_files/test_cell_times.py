"""Times as office programs leave them: on a clock of twelve hours, and as fractions of a day."""

from __future__ import annotations

import pytest

from adstudio.core.timebase import RATES
from adstudio.script_files.cell_times import with_clock_times
from adstudio.script_files.grids import GridRow
from adstudio.script_files.reading import read_finished_script
from adstudio.script_files.script_clock import ScriptClock

THREE = [(5_000, 7_480, "Ruth turns."), (9_000, 10_000, "Rain."), (3_605_000, 3_606_000, "Night.")]
TABLES = {
    # 5 s ÷ 86,400 s = 5.787…·10⁻⁵, 3,605 s ÷ 86,400 s = 0.0417…
    "fractions of a day": (
        "In,Out,Text\n5.78703703703704E-05,8.65740740740741E-05,Ruth turns.\n"
        "0.000104166666666667,0.000115740740740741,Rain.\n0.0417245370370370,0.0417361111111111,Night.\n"
    ),
    "fractions with decimal commas, and durations": (
        "In;Duration;Text\n5,78703703703704E-05;2,87037037037037E-05;Ruth turns.\n"
        "0,000104166666666667;1,15740740740741E-05;Rain.\n0,0417245370370370;1,15740740740741E-05;Night.\n"
    ),
    "a clock of twelve hours": (
        "In,Out,Text\n12:00:05 AM,12:00:07.480 am,Ruth turns.\n12:00:09 AM,12:00:10 a.m.,Rain.\n"
        "1:00:05 AM,01:00:06AM,Night.\n"
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_times_of_office_programs_are_read_as_the_times_that_they_were(name: str):
    script = read_finished_script(TABLES[name].encode(), "script.csv", RATES["25"], None, start="")
    found = [(line.start, line.end, line.text) for line in script.lines]
    assert found == THREE


def test_the_afternoon_is_behind_the_morning():
    rows = with_clock_times([GridRow(1, ["12:30:00 PM", "1:00:00 p.m.", "11:59:59 PM", "13:00:00 PM", "at 1:00 PM"])])
    assert rows[0].cells == ["12:30:00", "13:00:00", "23:59:59", "13:00:00 PM", "at 1:00 PM"]


@pytest.mark.parametrize(
    "cells",
    [
        ["0.91234", "0.41234", "0.61234"],  # shares, in no order
        ["5.12345", "6.12345", "7.12345"],  # seconds
        ["0.00010", "Ruth turns.", "0.00012", "0.00013"],
        ["0.00010", "0.00012"],  # too few to tell
        ["0.5", "0.6", "0.7"],
    ],
)
def test_other_numbers_stay_as_they_are(cells: list[str]):
    rows = [GridRow(number, [cell]) for number, cell in enumerate(cells)]
    assert with_clock_times(rows) == rows


def test_clock_times_that_no_clock_shows_are_told_and_added_up():
    clock = ScriptClock(RATES["25"])
    found = clock.read_both("00:00:50 – 00:00:70", 3)
    assert found is not None
    assert [each.ms for each in found if each is not None] == [50_000, 70_000]
    assert clock.impossible == [(3, "00:00:70")]
