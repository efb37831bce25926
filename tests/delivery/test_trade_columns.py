"""What the trade's scripts say of each line, in the tables and in JSON, and the list of shots."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from adstudio.core.cast import Person
from adstudio.core.film import Film
from adstudio.core.narration import LineVoice, Pronunciation, VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, CueKind, Eventuality, Scene, Script, Variant
from adstudio.core.timebase import RATES, Span, TimeError
from adstudio.delivery.columns import COLUMNS, HEADINGS, last_words
from adstudio.delivery.export import export_of
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions
from adstudio.script_files.columns import column_of

FILM = Film("Film", 120_000, frame_rate=RATES["25"], start_timecode="10:00:00:00")
CUES = (
    Cue("c1", 1_000, 20_000, "A long speech that runs on, and on."),
    Cue("c2", 5_000, 9_000, "Shut\nup!", speaker="ANNA"),
    Cue("c3", 40_000, 41_000, "[thunder]", kind=CueKind.SOUND),
    Cue("c4", 60_000, 62_000, "one two three four five six seven eight nine ten eleven twelve thirteen"),
)
LINES = (
    Eventuality("a", (Variant("Siobhan's cat and SIOBHAN."),), Span(0, 900), 1),
    Eventuality("b", (Variant("Tchen, not Siobhanna."),), Span(21_000, 23_000), 1, duck=120, seen=True),
    Eventuality(
        "c", (Variant("Rain."),), Span(63_000, 64_000), 1, duck=60, voice=LineVoice("gmw/en-US"), accepted=True
    ),
)
SCRIPT = Script(
    FILM,
    cues=CUES,
    eventualities=LINES,
    scenes=(Scene("s1", Span(0, 30_000), "Station"), Scene("s2", Span(30_000, 100_000), "Office")),
    voice=VoiceSettings("espeak-ng", "gmw/en-GB"),
    lexicon=(Pronunciation("Tchen", "tʃɛn", phonemes=True), Pronunciation("siobhan", "shiv-AWN")),
)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(
        Delivery("a", 0, 0, 900),
        Delivery("b", 0, 21_000, 22_500),
        Delivery("c", 0, 63_000, 63_500),
    ),
)


def rows(script=SCRIPT, **options):
    data = FORMATS["csv"](script, PLAN, ExportOptions(**options)).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(data, newline="")))


def test_the_dialogue_before_a_line_is_the_last_one_that_is_over():
    first, second, third = rows()
    assert (first["dialogue cue"], first["dialogue end"]) == ("", "")
    # The shorter speech began later, but the longer one ends after it. Thunder is no dialogue.
    assert (second["dialogue cue"], second["dialogue end"]) == ("A long speech that runs on, and on.", "10:00:20:00")
    assert third["dialogue cue"] == "… two three four five six seven eight nine ten eleven twelve thirteen"
    assert third["dialogue end"] == "10:01:02:00"
    assert last_words("Shut\nup!") == "Shut up!"


def test_a_column_names_who_says_the_dialogue_before_a_line():
    cues = (*CUES[:3], replace(CUES[3], speaker="TOM"))
    assert [row["dialogue speaker"] for row in rows(replace(SCRIPT, cues=cues))] == ["", "", "TOM"]
    assert [list(row) for row in rows(columns=("dialogue speaker", "text"))] == [["dialogue speaker", "text"]] * 3


def test_who_says_it_has_the_name_of_the_cast():
    cast = (Person("t", "Tom Finch", aliases=("Doc",)), Person("a", "Anna Vale"), Person("b", "Anna Finch"))
    for label, name in (("TOM", "Tom Finch"), ("Doc", "Tom Finch"), ("ANNA", "ANNA"), ("NORA", "NORA")):
        cues = (*CUES[:3], replace(CUES[3], speaker=label))
        assert rows(replace(SCRIPT, cues=cues, people=cast))[2]["dialogue speaker"] == name


def test_pronunciations_are_those_of_the_words_in_the_line():
    assert [row["pronunciation"] for row in rows()] == ["siobhan: shiv-AWN", "Tchen: /tʃɛn/", ""]


def test_speed_duck_voice_and_status():
    first, second, third = rows()
    # Four words in 0.9 s, three in 1.5 s, one in half a second.
    assert [row["speed"] for row in (first, second, third)] == ["267", "120", "120"]
    assert [row["duck"] for row in (first, second, third)] == ["", "12.0", "6.0"]
    assert [row["voice"] for row in (first, second, third)] == ["gmw/en-GB", "gmw/en-GB", "gmw/en-US"]
    assert [row["status"] for row in (first, second, third)] == ["draft", "seen", "accepted"]


def test_a_linked_line_says_what_its_parts_do():
    linked = replace(LINES[1], joined=True)
    script = replace(SCRIPT, cues=(), eventualities=(LINES[0], linked, LINES[2]))
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("a", 0, 0, 900), Delivery("b", 0, 1_000, 2_500)))
    (line,) = json.loads(FORMATS["json"](script, plan))["lines"]
    assert [each["word"] for each in line["pronunciation"]] == ["Tchen", "siobhan"]
    assert (line["duck"], line["voice"], line["status"], line["duration"]) == (12.0, "gmw/en-GB", "draft", 2.5)


def test_every_heading_is_known_when_it_is_read_again():
    for name in COLUMNS:
        assert column_of(name) is not None, name
        assert column_of(HEADINGS[name]) is column_of(name), name
        # As it stands in a document that runs from the right.
        assert column_of(f"\u200e{HEADINGS[name]}\u200e") is column_of(name), name


@pytest.mark.parametrize(
    ("rate", "start", "first", "second"),
    [
        ("25", "", "10:00:00:00", "10:00:21:00"),
        ("24", "01:00:00:00", "01:00:00:00", "01:00:21:00"),
        ("23.976", "01:00:00:00", "01:00:00:00", "01:00:20:23"),  # 21 s are 503 frames
        (
            "29.97 DF",
            "00:59:59;00",
            "00:59:59;00",
            "01:00:19;29",
        ),  # 21 s are 629 frames; no label is skipped before a tenth minute
        ("50", "23:59:50:00", "23:59:50:00", "00:00:11:00"),
    ],
)
def test_timecode_counts_by_the_rate_and_the_start_that_are_given(rate, start, first, second):
    given = rows(frame_rate=RATES[rate], start_timecode=start)
    assert [row["in s"] for row in given][:2] == ["0.000", "21.000"]
    assert given[0]["in"] == first
    assert given[1]["in"] == second
    value = json.loads(FORMATS["json"](SCRIPT, PLAN, ExportOptions(frame_rate=RATES[rate], start_timecode=start)))
    assert value["lines"][1]["in"] == given[1]["in"]
    assert value["film"]["start_timecode"] == (start or "10:00:00:00")


def test_a_start_that_the_rate_does_not_have_is_refused():
    with pytest.raises(TimeError, match="frame 24"):
        rows(frame_rate=RATES["24"], start_timecode="01:00:00:24")


def test_subtitles_count_from_a_start_that_is_given():
    none = replace(SCRIPT, film=replace(FILM, start_timecode=""))
    assert b"01:00:21,000 -->" in FORMATS["srt"](none, PLAN, ExportOptions(start_timecode="01:00:00:00"))
    assert b"00:00:21,000 -->" in FORMATS["srt"](SCRIPT, PLAN)


def shots(script=SCRIPT, **options):
    export = export_of("shots", script, PLAN, ExportOptions(**options))
    return list(csv.reader(io.StringIO(export.content.decode("utf-8-sig"), newline="")))[1:], export.oddities


def test_shots_are_listed_with_their_scenes():
    listed, oddities = shots(shots=(0, 12_000, 29_000, 33_000, 120_000))
    assert not oddities
    assert listed == [
        ["1", "10:00:00:00", "10:00:12:00", "0.000", "12.000", "12.000", "1", "Station"],
        ["2", "10:00:12:00", "10:00:29:00", "12.000", "29.000", "17.000", "1", "Station"],
        # Most of it is in the second scene, and the last goes on beyond that.
        ["3", "10:00:29:00", "10:00:33:00", "29.000", "33.000", "4.000", "2", "Office"],
        ["4", "10:00:33:00", "10:02:00:00", "33.000", "120.000", "87.000", "2", "Office"],
    ]


def test_without_shots_scenes_are_listed_and_that_is_said():
    listed, (oddity,) = shots()
    assert [row[0] + row[7] for row in listed] == ["1Station", "2Office"]
    assert "shots are not known" in oddity.what
    (whole,), (oddity,) = shots(replace(SCRIPT, scenes=()))
    assert whole[3:6] == ["0.000", "120.000", "120.000"]
