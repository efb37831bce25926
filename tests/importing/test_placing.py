"""Lines that cannot be spoken as they are written: each is reported, and none is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from import_scripts import END, film, prepared, srt

from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.delivery.unmet_pins import unmet_pins
from adstudio.editing.change import MAX_CHARACTERS
from adstudio.importing.comparing import ImportChoices
from adstudio.importing.findings import Problem
from adstudio.importing.service import Import
from adstudio.planning.film.film_problem import film_problem

TURNS = "Ruth turns."


def found_problems(found: Import) -> dict[Problem, list[int]]:
    return {finding.problem: [line.line for line in finding.lines] for finding in found.findings}


def spoken(found: Import) -> list[tuple[str, int, int]]:
    script = found.after
    return [
        (script.eventuality(each.element).variants[each.variant].text, each.start, each.end)
        for each in found.plan.deliveries
    ]


def pins(script: Script) -> list[tuple[int | None, bool]]:
    return [(line.pin.start, line.pin.override) for line in script.eventualities]


def test_lines_in_gaps_are_locked_where_they_are(tmp_path: Path) -> None:
    found = prepared(srt((12_000, 14_000, TURNS), (42_000, 43_500, "Rain.")), film(), tmp_path)
    assert spoken(found) == [(TURNS, 12_000, 14_000), ("Rain.", 42_000, 43_500)]
    assert pins(found.after) == [(12_000, False), (42_000, False)]
    first = found.after.eventualities[0]
    assert (first.occurrence, first.accepted, first.seen, first.scene) == (Span(12_000, 14_000), True, True, "s1")
    assert found.findings == ()


def test_out_of_order(tmp_path: Path) -> None:
    found = prepared(srt((42_000, 43_500, "Rain."), (12_000, 14_000, TURNS)), film(), tmp_path)
    assert found_problems(found) == {Problem.OUT_OF_ORDER: [6]}
    assert [line.variants[0].text for line in found.after.eventualities] == [TURNS, "Rain."]
    assert len(found.plan.deliveries) == 2
    assert found.oddities[0].what == "1 line is out of order of time in the file: put in order"


def test_over_dialogue_and_across_the_end_of_a_gap(tmp_path: Path) -> None:
    found = prepared(srt((2_000, 4_000, TURNS), (29_000, 31_000, "Rain.")), film(), tmp_path)
    assert found_problems(found) == {Problem.OVERLAPS_DIALOGUE: [2, 6]}
    assert pins(found.after) == [(2_000, True), (29_000, True)]
    assert spoken(found) == [(TURNS, 2_000, 4_000), ("Rain.", 29_000, 31_000)]


def test_past_the_end_and_without_a_time(tmp_path: Path) -> None:
    cues = [(n * 30_000 + 12_000, n * 30_000 + 14_000, TURNS) for n in range(20)]
    text = srt(*cues, (END - 1_000, END + 2_000, "Night."), (END + 5_000, END + 7_000, "The end."))
    found = prepared(text, film(), tmp_path)
    assert found_problems(found) == {Problem.PAST_END: [86], Problem.RUNS_PAST_END: [82]}
    last = found.after.eventualities[-1]
    assert (last.variants[0].text, last.occurrence, last.pin.held) == ("The end.", None, False)
    assert spoken(found)[-1] == ("Night.", END - 1_000, END)


def test_each_line_is_said_once_to_lack_what_it_lacks_in_the_order_of_the_file(tmp_path: Path) -> None:
    table = f"in,text\n0:50,{TURNS}\n,Rain.\n0:12,Night falls.\n"
    found = prepared(table, film(), tmp_path, "script.csv")
    assert found_problems(found) == {Problem.NO_TIME: [3], Problem.OUT_OF_ORDER: [4], Problem.NO_LENGTH: [2, 4]}
    assert len(found.oddities) == 3


def test_lines_into_each_other(tmp_path: Path) -> None:
    """The first two can be spoken one after the other, the others cannot."""
    text = srt(
        (12_000, 15_000, TURNS), (14_500, 16_000, "Rain."), (42_000, 46_000, "A train."), (42_000, 46_000, "He.")
    )
    found = prepared(text, film(), tmp_path)
    assert found_problems(found) == {Problem.CUT_SHORT: [2], Problem.OVERLAPS_LINE: [14]}
    assert spoken(found) == [(TURNS, 12_000, 14_500), ("Rain.", 14_500, 16_000), ("A train.", 42_000, 46_000)]
    texts = [line.variants[0].text for line in found.after.eventualities]
    assert texts == [TURNS, "Rain.", "A train.", "He."]
    last = found.after.eventualities[-1]
    assert (last.pin.selected, last.occurrence) == (False, Span(42_000, 46_000))
    assert not unmet_pins(found.after, found.plan)


def test_a_thousand_lines_at_once(tmp_path: Path) -> None:
    found = prepared(srt(*((12_000, 16_000, f"Number {n}.") for n in range(1_000))), film(), tmp_path)
    assert len(found.after.eventualities) == 1_000
    assert len(found.plan.deliveries) == 1


def test_out_times_in_which_nobody_can_speak(tmp_path: Path) -> None:
    """Descriptions of players that pause end where they begin, or a moment later."""
    found = prepared(srt((12_000, 12_100, "Ruth turns and looks."), (42_000, 42_000, TURNS)), film(), tmp_path)
    assert found_problems(found) == {Problem.NO_LENGTH: [2, 6]}
    # 200 words a minute are 0.3 s a word.
    assert spoken(found) == [("Ruth turns and looks.", 12_000, 13_200), (TURNS, 42_000, 42_600)]
    assert [line.variants[0].duration for line in found.after.eventualities] == [None, None]


def test_the_picture_is_held_for_them_on_request(tmp_path: Path) -> None:
    text = srt((2_000, 2_100, "Ruth turns and looks."), (12_000, 14_000, TURNS))
    found = prepared(text, film(), tmp_path, extended=True)
    assert found_problems(found) == {Problem.EXTENDED: [2]}
    held, other = found.after.eventualities
    assert (held.holds_picture, held.pin.held, held.occurrence and held.occurrence.start) == (True, False, 2_000)
    assert (other.extended, spoken(found)) == (False, [(TURNS, 12_000, 14_000)])


def test_shorter_wordings_where_a_line_does_not_fit(tmp_path: Path) -> None:
    """Twelve words are 3.6 s; the dialogue starts after two."""
    text = "The very old grey man slowly opens the heavy green door."
    request = {"own_lengths": False, "shorter": True}
    found = prepared(srt((28_000, 29_000, text)), film(), tmp_path, **request)
    assert found_problems(found) == {Problem.SHORTENED: [2]}
    (line,) = found.after.eventualities
    assert (line.variants[0].text, line.pin.start, line.pin.override) == (text, 28_000, False)
    (delivery,) = found.plan.deliveries
    assert delivery.variant > 0
    assert (delivery.start, delivery.end <= 30_000) == (28_000, True)


def test_lengths_of_the_text(tmp_path: Path) -> None:
    found = prepared(srt((12_000, 19_000, TURNS)), film(), tmp_path, own_lengths=False)
    assert (spoken(found), found.findings) == ([(TURNS, 12_000, 12_600)], ())


def test_gaps_filled_further_than_the_house_allows(tmp_path: Path) -> None:
    found = prepared(srt((10_000, 19_000, TURNS), (20_000, 24_000, "Rain.")), film(max_share=500_000), tmp_path)
    assert found_problems(found) == {Problem.FILLS_GAP: [6]}
    assert len(found.plan.deliveries) == 2


def test_pauses_shorter_than_the_houses(tmp_path: Path) -> None:
    text = srt((12_000, 14_000, TURNS), (14_100, 16_000, "Rain."))
    found = prepared(text, film(min_pause=500), tmp_path)
    assert (found.diff.pause, found.after.settings.min_pause, len(found.plan.deliveries)) == (100, 100, 2)
    unlocked = prepared(text, film(min_pause=500), tmp_path, choices=ImportChoices(unlocked=True))
    assert unlocked.after.settings.min_pause == 500


def test_unlocked_lines_are_planned_anew(tmp_path: Path) -> None:
    found = prepared(srt((2_000, 4_000, TURNS)), film(), tmp_path, choices=ImportChoices(unlocked=True))
    assert [line.pin.held for line in found.after.eventualities] == [False]
    # The dialogue ends at ten seconds.
    assert spoken(found) == [(TURNS, 10_000, 12_000)]


def test_a_text_longer_than_a_line_can_be(tmp_path: Path) -> None:
    words = "word " * 2_500
    found = prepared(f"in,text\n0:12,{words}\n", film(), tmp_path, "script.csv")
    line = found.after.eventualities[0]
    assert found_problems(found)[Problem.TOO_LONG] == [2]
    assert " ".join((line.variants[0].text + line.note).split()) == " ".join(words.split())
    assert len(line.variants[0].text) == MAX_CHARACTERS


def test_what_a_project_has_no_place_for_is_in_the_note(tmp_path: Path) -> None:
    text = "no,in,text,notes,voice,pronunciation\n1,0:12,Ruth turns.,low,F,ROOTH\n12a,0:42,Rain.,,,\n"
    found = prepared(text, film(), tmp_path, "script.csv")
    assert [line.note for line in found.after.eventualities] == ["low\nvoice: F\npronunciation: ROOTH", "number 12a"]


@pytest.mark.parametrize("seconds", [0, 5, 29, 31, 1_199])
def test_every_line_has_a_valid_problem(tmp_path: Path, seconds: int) -> None:
    found = prepared(f"in,out,text\n{seconds}.0,{seconds + 3}.0,Ruth turns.\n", film(), tmp_path, "script.csv")
    assert len(film_problem(found.after, ()).elements) == 1
    assert len(found.plan.deliveries) == 1


def test_an_extended_line_at_the_end_happens_within_the_film(tmp_path: Path) -> None:
    text = srt((END - 500, END - 400, "A long line that takes far more time than the film has left."))
    (found,) = prepared(text, film(), tmp_path, extended=True).after.eventualities
    assert (found.extended, found.occurrence) == (True, Span(END - 500, END))
    assert found.variants[0].duration is None


SAID = tuple((30_000 * n, 30_000 * n + 4_000, "Who is\nTHERE?") for n in range(4))
"""What the dialogue says at that time, but for its line breaks and capitals."""
DESCRIBED = tuple((30_000 * n + 12_000, 30_000 * n + 14_000, f"Ruth turns {n} times.") for n in range(4))


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (SAID, "4 of 4 lines"),
        (SAID[:3], "3 of 3 lines"),
        (SAID[:3] + DESCRIBED[:3], "3 of 6 lines"),
        (SAID[:3] + DESCRIBED, ""),
        (SAID[:2], ""),
        (tuple((start + 12_000, end + 12_000, text) for start, end, text in SAID), ""),
        (DESCRIBED, ""),
    ],
)
def test_the_films_own_subtitles_are_told_from_its_script(lines: tuple[tuple[int, int, str], ...], told: str, tmp_path):
    found = prepared(srt(*sorted(lines)), film(), tmp_path)
    said = [each for each in found.oddities if "subtitles and not its audio description" in each.what]
    assert [(each.what.split(" say ")[0], each.line) for each in said] == ([(told, 2)] if told else [])
