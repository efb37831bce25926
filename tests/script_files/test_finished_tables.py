"""Finished scripts as tables: columns by headings or as a person says, and what is said of those that are unclear."""

from __future__ import annotations

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import RATES
from adstudio.script_files.columns import Column, parse_choices
from adstudio.script_files.finished import FinishedLine, FinishedScript
from adstudio.script_files.finished_table import UnclearColumnsError
from adstudio.script_files.reading import read_finished_script
from adstudio.script_files.times import time_stamp

RATE = RATES["25"]


def read(text: str, choices: str = "", start: str = "") -> FinishedScript:
    chosen = parse_choices(choices) if choices else None
    return read_finished_script(text.encode(), "script.csv", RATE, chosen, start=start)


def times(script: FinishedScript) -> list[tuple[int, int | None, str]]:
    return [(line.start, line.end, line.text) for line in script.lines]


HOUSES = {
    "trade": (
        "#,TC in,TC out,Duration,Dialogue cue-in,Description,Notes,Pronunciation,Speed,Duck dB,Voice,Status\n"
        '7,00:00:05:00,00:00:07:12,2.48,"…the key?",Ruth turns.,low,ROOTH,fast,-9,F,final\n'
        "8,00:00:09:00,00:00:10:00,1,,Rain.,,,,,,\n"
    ),
    "semicolons, German": (
        "Nr.;Timecode;Ende;Bildbeschreibung;Stichwort;Bemerkung\n"
        "7;00:00:05:00;00:00:07:12;Ruth turns.;…the key?;low\n8;00:00:09:00;00:00:10:00;Rain.;;\n"
    ),
    "German, in and out": (
        "Nr\tTC ein\tTC aus\tText\n7\t00:00:05:00\t00:00:07:12\tRuth turns.\n8\t00:00:09:00\t00:00:10:00\tRain.\n"
    ),
    "tabs, duration alone": "In\tDuration\tText\n0:05\t2.48\tRuth turns.\n0:09\t1 s\tRain.\n",
    "both times in one cell": "Time,Text\n00:00:05.000 – 00:00:07.480,Ruth turns.\n0:09 - 0:10,Rain.\n",
    "Markdown": "| In | Out | AD |\n|---|---|---|\n| 0:05 | 0:07.48 | Ruth turns. |\n| 0:09 | 0:10 | Rain. |\n",
    "no headings": "00:00:05:00,00:00:07:12,Ruth turns.\n00:00:09:00,00:00:10:00,Rain.\n",
    "seconds": "start s,end s,text\n5,7.48,Ruth turns.\n9,10,Rain.\n",
    "seconds in columns of times": "in,out,text\n5.0,7.48,Ruth turns.\n9,10,Rain.\n",
    "a head of two rows": (
        "No,Timecode,,Description,\n,In,Out,Text,Comment\n"
        "1,00:00:05:00,00:00:07:12,Ruth turns.,low\n2,00:00:09:00,00:00:10:00,Rain.,\n"
    ),
    "a head of two rows, the second for the times alone": (
        "Timecode\t\tDescription\nIn\tOut\t\n0:05\t0:07.48\tRuth turns.\n0:09\t0:10\tRain.\n"
    ),
    "titles above headings that nobody knows": (
        "Film: Rain;;;\nVersion;2;;\nTitulek;Sem;Tam;Kam\n1;00:00:05:00;00:00:07:12;Ruth turns.\n"
        "2;00:00:09:00;00:00:10:00;Rain.\n"
    ),
    "out times that nothing heads": "Von\tXyz\tText\n0:05\t0:07.48\tRuth turns.\n0:09\t0:10\tRain.\n",
    "frames": "In (frames),Out (Frames),Text\n125,187,Ruth turns.\n225,250,Rain.\n",
    "what a time is called before it": (
        "TCR in;Timecode einde;Testo\n00:00:05:00;00:00:07:12;Ruth turns.\n00:00:09:00;00:00:10:00;Rain.\n"
    ),
    "words that are counted": "In,Out,Words,Narration\n0:05,0:07.48,2,Ruth turns.\n0:09,0:10,1,Rain.\n",
    "paragraphs": "AD script\n\n00:00:05:00 – 00:00:07:12 Ruth turns.\n\n00:00:09:00 00:00:10:00\nRain.\n",
    "paragraphs with brackets": "[0:05 - 0:07.48] Ruth\nturns.\n\n2\n[0:09 - 0:10] Rain.\n",
    "paragraphs with numbers": "1. 0:05 – 0:07.48 Ruth turns.\n2. 0:09 – 0:10: Rain.\n",
}


@pytest.mark.parametrize("text", HOUSES.values(), ids=HOUSES)
def test_tables_of_every_house(text: str) -> None:
    # 12 frames of 25 a second are 0.48 s.
    assert times(read(text)) == [(5_000, 7_480, "Ruth turns."), (9_000, 10_000, "Rain.")]


def test_what_stands_beside_the_text_comes_with_it() -> None:
    first = read(HOUSES["trade"]).lines[0]
    notes = "low\nspeed: fast\nstatus: final"
    assert first == FinishedLine("Ruth turns.", 5_000, 7_480, 2, "7", "…the key?", notes, "F", "ROOTH", duck=90)


def test_times_count_from_the_start_timecode() -> None:
    text = "in,out,text\n10:00:05:00,10:00:07:12,Ruth turns.\n10:00:09.000,10:00:10.000,Rain.\n"
    assert times(read(text, start="10:00:00:00")) == [(5_000, 7_480, "Ruth turns."), (9_000, 10_000, "Rain.")]


def test_columns_that_nothing_names_are_chosen_by_number() -> None:
    text = "A,B,C,D\nx,Ruth turns slowly to him.,00:00:05:00,Ben\ny,Rain falls on the roof.,00:00:09:00,He\n"
    with pytest.raises(UnclearColumnsError) as asked:
        read(text.replace("Ben", "Ben looks at her").replace(",He", ",He looks at her"))
    assert [(each.number, each.heading, each.example) for each in asked.value.columns][1] == (
        2,
        "B",
        "Ruth turns slowly to him.",
    )
    assert (asked.value.columns[2].guess, asked.value.option) == (Column.IN, "--columns")
    assert "4 “D”" in str(asked.value)
    chosen = read(text, "2=text,3=in,4=voice")
    assert times(chosen) == [
        (5_000, None, "Ruth turns slowly to him."),
        (9_000, None, "Rain falls on the roof."),
    ]
    assert [line.voice for line in chosen.lines] == ["Ben", "He"]


def test_choices_win_over_headings() -> None:
    text = "in,text,cue\n00:00:05:00,He’s gone.,Ruth turns.\n"
    assert times(read(text, "3=text,2=skip")) == [(5_000, None, "Ruth turns.")]
    assert times(read("1,00:00:05:00,Ruth turns.\n", "2=in,3=text")) == [(5_000, None, "Ruth turns.")]


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ("text=3", "“text=3” names no column"),
        ("3=texte", "“3=texte” names no column"),
        ("3=text,3=in", "column 3 is chosen twice"),
        ("3=text,4=text", "two columns are chosen as text"),
        ("0=text", "there is no column 0"),
        ("9=text", "script.csv has no column 9: its table has 3"),
    ],
)
def test_choices_that_cannot_be(choices: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        read("in,text,cue\n00:00:05:00,Ruth turns.,x\n", choices)


def test_doubled_columns() -> None:
    same = read("in,in,text\n00:00:05:00,00:00:05:00,Ruth turns.\n00:00:09:00,,Rain.\n")
    assert [odd.what for odd in same.oddities] == ["several columns are headed as in: column 1 is used, not 2"]
    empty = read("in,text,description\n00:00:05:00,,Ruth turns.\n")
    assert times(empty) == [(5_000, None, "Ruth turns.")]
    with pytest.raises(UnclearColumnsError, match="are all headed as text, and differ"):
        read("in,text,description\n00:00:05:00,Ruth turns.,Ruth\n")
    with pytest.raises(UnclearColumnsError, match=r"columns 1, 2 .* as in, and differ; columns 3, 4 .* as text, and"):
        read("in,in,text,text\n00:00:05:00,00:00:06:00,Ruth turns.,Ruth\n")


def test_missing_columns() -> None:
    with pytest.raises(UnclearColumnsError, match="holds the times of its lines"):
        read("number,text\n1,Ruth turns.\n2,Rain.\n")
    found = read("in,out,what she sees\n00:00:05:00,00:00:06:00,Ruth turns round.\n")
    assert [odd.what for odd in found.oddities] == [
        "no column is headed as the description, so “what she sees” is taken for it"
    ]


def test_unknown_columns_are_named() -> None:
    found = read("in,text,Grip,Lens\n00:00:05:00,Ruth turns.,a,b\n")
    assert [odd.what for odd in found.oddities] == [
        "columns of the table that are not known, so not used: “Grip”, “Lens”"
    ]


def test_rows_without_time_are_not_lost() -> None:
    found = read("in,out,text\n00:00:05:00,00:00:06:00,Ruth turns.\n,,Nobody moves.\n")
    assert [(line.text, line.line) for line in found.untimed] == [("Nobody moves.", 3)]
    # Importing says what becomes of it.
    assert found.oddities == ()


def test_edited_timecode_wins_over_seconds_beside_it() -> None:
    """Someone moved the second line in a spreadsheet of ours and left the seconds as they were."""
    found = read(
        "in,out,in s,out s,text\n"
        "10:00:05:00,10:00:07:12,5.003,7.480,Ruth turns.\n"
        "10:00:19:00,10:00:20:00,9.000,10.000,Rain.\n"
        "10:00:30:00,10:00:31:00,30.000,31.000,Night.\n"
    )
    assert times(found) == [(5_003, 7_480, "Ruth turns."), (19_000, 20_000, "Rain."), (30_000, 31_000, "Night.")]
    assert [odd.what for odd in found.oddities] == [
        "timecode and seconds do not agree, and the timecode is used: line 3"
    ]


def test_rows_of_dialogue_are_not_described() -> None:
    found = read("in,who,text\n0:01,AD,Ruth turns.\n0:05,BEN,Did you lock it?\n0:09,AD,Rain.\n")
    assert times(found) == [(1_000, None, "Ruth turns."), (9_000, None, "Rain.")]
    assert found.lines[1].cue == "Did you lock it?"


@pytest.mark.parametrize(
    "text", ["", "Dear Anna,\nthe film is finished.\n", "\x00\x01\x02" * 50, "{}", "[]", '{"a": 1}']
)
def test_what_is_no_script(text: str) -> None:
    with pytest.raises(BadInputError) as refused:
        read(text)
    assert "\n" not in str(refused.value)


LONG = {"bytes": "in,text\n" + "0:12,a\n" * 2_500_000, "lines": "in,text\n" + "\n" * 700_000, "size": "x" * 70_000_000}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_what_is_too_long_is_refused_before_it_is_read(text: str) -> None:
    with pytest.raises(BadInputError, match="for a script"):
        read(text)


@pytest.mark.parametrize("mark", [",", ";", "|", "\t"])
def test_a_last_column_of_text_may_hold_the_separator(mark: str) -> None:
    head, times_ = mark.join(("in", "out", "text")), mark.join(("00:00:01:00", "00:00:02:20"))
    found = read(f"{head}{mark}\n{times_}{mark}Rain{mark} much rain.{mark}\n{times_}{mark}Snow.\n")
    assert times(found) == [(1_000, 2_800, f"Rain{mark} much rain."), (1_000, 2_800, "Snow.")]
    assert [(each.line, "goes on" in each.what) for each in found.oddities] == [(2, True)]


def test_a_text_with_the_separator_in_it_without_headings() -> None:
    found = read("0:05,0:07,Rain falls.\n0:09,0:10,Rain, much rain.\n0:12,0:13,Snow falls.\n")
    assert [line.text for line in found.lines] == ["Rain falls.", "Rain, much rain.", "Snow falls."]
    assert [each.line for each in found.oddities if "goes on" in each.what] == [2]


def test_a_text_with_the_separator_in_it_below_no_heading() -> None:
    found = read("in,out\n0:05,0:07,Rain falls, much rain.\n0:09,0:10,Snow falls.\n")
    assert [line.text for line in found.lines] == ["Rain falls, much rain.", "Snow falls."]
    assert [each.line for each in found.oddities if "goes on" in each.what] == [2]


def test_what_rows_have_beyond_the_columns_is_listed() -> None:
    found = read("in;text;notes\n0:05;Ruth turns.;low\n0:09;Rain; much rain.;low\n0:12;Snow.;;;\n")
    assert [line.text for line in found.lines] == ["Ruth turns.", "Rain", "Snow."]
    assert [(each.line, "“low”" in each.what) for each in found.oddities] == [(3, True)]
    # A column with nothing above it.
    beside = read("in,out,,text\n0:05,0:07,Anna,Ruth turns.\n")
    assert [each.what for each in beside.oddities] == ["columns of the table that are not known, so not used: column 3"]


def test_rows_without_a_text_are_listed() -> None:
    found = read(
        "no,in,text,cue,notes\n1,0:05,Ruth turns.,,\n2,0:07,,,keep quiet\n3,,,the key?,\n4,,,,\n5,0:09,Rain.,,\n"
    )
    assert [line.text for line in found.lines] == ["Ruth turns.", "Rain."]
    assert found.lines[1].cue == "the key?"
    assert [(each.what, each.line) for each in found.oddities] == [("rows have no text, so not used: line 3", 3)]


def test_how_far_a_line_has_come_is_read() -> None:
    text = "in,text,status\n0:05,A.,draft\n0:06,B.,Seen\n0:07,C.,ACCEPTED\n0:08,D.,\n0:09,E.,to be checked\n"
    found = [(line.seen, line.accepted, line.notes) for line in read(text).lines]
    assert found == [
        *((False, False, ""), (True, False, ""), (True, True, ""), (None, None, "")),
        (None, None, "status: to be checked"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "in,out,text\n0:05,0:07,She --> the door.\n0:09,0:10,Rain.\n",
        "in;out;text\n0:05;0:07;She --> the door.\n0:09;0:10;Rain.\n",
        "0:05,0:07,She --> the door.\n0:09,0:10,Rain.\n",
        "Time,Text\n00:00:05.000 --> 00:00:07.000,She --> the door.\n00:00:09.000 --> 00:00:10.000,Rain.\n",
        "1\n00:00:05,000 --> 00:00:07,000\nShe --> the door.\n\n2\n00:00:09,000 --> 00:00:10,000\nRain.\n",
        "WEBVTT\n\n00:05.000 --> 00:07.000 align:start\nShe -> the door.\n\n00:09.000 --> 00:10.000\nRain.\n",
    ],
)
def test_arrows_in_descriptions(text: str) -> None:
    found = times(read(text))
    assert [(start, end) for start, end, _ in found] == [(5_000, 7_000), (9_000, 10_000)]
    assert [" ".join(text.replace("-->", "->").split()) for _, _, text in found] == ["She -> the door.", "Rain."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("in,out,text\n", "headings of a table, but no row below them with a text (line 1)"),
        ("\nNr.;TC in;TC out;Beschreibung\n\n", "headings of a table, but no row below them with a text (line 2)"),
        ("Description\nRuth turns.\nRain.\n", "one column (“Description”, line 1)"),
        ("Text\nRuth turns.\n", "one column (“Text”, line 1)"),
        ("TC in;TC out;Text\n;;\n", "no row below them with a text (line 1)"),
        ("No;TC in;Text\n1;0:05;\n2;0:07;\n", "no row below them with a text (line 1)"),
        ("Ruth turns to the door.\nRain falls.\n", "no columns of times and texts (line 1)"),
        ("in,text\n0:05,Rain.\n0:07," + "x" * 140_000 + "\n", "(line 3)"),
    ],
)
def test_what_a_table_lacks(text: str, said: str) -> None:
    with pytest.raises(BadInputError) as refused:
        read(text)
    assert said in str(refused.value)
    assert "not a script that can be read" not in str(refused.value)


def test_dialogue_between_paragraphs_with_times_is_no_description() -> None:
    found = read("[0:05] Ruth turns.\n\nINT. BAR - NIGHT\n\nBEN\nDid you go?\n\n[0:09] Rain.\n\n[0:12] Snow.\n")
    assert [line.text for line in found.lines] == ["Ruth turns.", "Rain.", "Snow."]
    assert found.untimed == ()
    assert any("3, 5" in oddity.what for oddity in found.oddities)


def test_what_stands_between_paragraphs_with_times_is_listed() -> None:
    found = read("[0:05] Ruth turns.\n\nREEL 2\n\n[0:09] Rain,\nheavy rain.\n")
    assert times(found) == [(5_000, None, "Ruth turns."), (9_000, None, "Rain, heavy rain.")]
    assert [(each.what, each.line) for each in found.oddities] == [("rows have no text, so not used: line 3", 3)]


@pytest.mark.parametrize(
    "text",
    [
        "Rain falls, softly.\nNora comes in, wet, late.\nTom, at his desk, looks up.\n",
        "Title: Rain\n\nINT. STATION - NIGHT\n\nNora, wet, comes in; Tom looks up, and down.\n",
        "{0}{50}Rain falls, softly.\n{60}{90}Nora comes, late.\n",
        "At 10:30, Ruth leaves.\nRain.\nAt 11:30, she is back, wet.\n",
    ],
)
def test_a_text_without_times_has_no_columns_to_ask_for(text: str) -> None:
    with pytest.raises(BadInputError, match="is not a script that can be read") as refused:
        read_finished_script(text.encode(), "script.txt", RATE)
    assert not isinstance(refused.value, UnclearColumnsError)


def test_only_columns_with_something_in_them_are_asked_for() -> None:
    with pytest.raises(UnclearColumnsError) as asked:
        read("A,B,C,,,,,\n0:02,Snow falls slowly.,It never stops here.,,,,,\n")
    assert [each.number for each in asked.value.columns] == [1, 2, 3]


@pytest.mark.parametrize("times_beside", ["0:01,0:02", "0:20,0:30"])
def test_times_that_do_not_end_lines_are_no_out_times(times_beside: str) -> None:
    first, second = times_beside.split(",")
    found = read(f"In,Xyz,Text\n0:05,{first},Ruth turns.\n0:09,{second},Rain.\n0:12,{second},Snow.\n")
    assert [line.end for line in found.lines] == [None, None, None]
    assert "“Xyz”" in found.oddities[0].what


def test_a_count_of_words_is_no_description() -> None:
    found = read("In,Out,Guión,Words\n0:05,0:07,Ruth turns.,2\n0:09,0:10,Rain.,1\n")
    assert times(found) == [(5_000, 7_000, "Ruth turns."), (9_000, 10_000, "Rain.")]


def _rows(times: list[str]) -> str:
    return "TC in\tText\n" + "".join(f"{time}\tLine {at}.\n" for at, time in enumerate(times))


@pytest.mark.parametrize("point", [".", ","])
def test_frames_behind_a_point_are_frames(point: str) -> None:
    # 12 frames of 25 a second are 0.48 s; 24 of them 0.96 s.
    found = read(_rows([f"00:00:{at:02d}{point}{at % 2 * 12 + 12}" for at in range(12)]))
    assert [line.start for line in found.lines] == [1000 * at + at % 2 * 480 + 480 for at in range(12)]
    assert "00:00:00" in found.oddities[0].what
    assert "so it is frames" in found.oddities[0].what


@pytest.mark.parametrize(
    "times",
    [
        [f"00:00:{at:02d}.{at * 8:02d}" for at in range(12)],  # up to 88
        [f"00:00:{at:02d}.12" for at in range(11)],  # too few to tell
        [f"00:00:{at:02d}.120" for at in range(12)],
        [f"00:00:{at:02d}.00" for at in range(12)],
    ],
)
def test_hundredths_behind_a_point_are_hundredths(times: list[str]) -> None:
    found = read(_rows(times))
    assert [line.start for line in found.lines] == [
        1000 * at + round(1000 * float("0." + time.partition(".")[2])) for at, time in enumerate(times)
    ]
    assert not found.oddities


def test_labels_of_descriptions_are_not_spoken_and_other_speakers_are_dialogue() -> None:
    rows = (
        ("0:02", "AD: Rain."),
        ("0:05", "NORA: Who is it?"),
        ("0:09", "AD (quick): Ruth turns."),
        ("0:12", "[AD] Snow."),
    )
    found = read("TC\tText\n" + "".join(f"{time}\t{text}\n" for time, text in rows))
    assert [(line.text, line.cue) for line in found.lines] == [
        ("Rain.", ""),
        ("Ruth turns.", "NORA: Who is it?"),
        ("Snow.", ""),
    ]
    assert [each.what for each in found.oddities] == [
        "the label of a description before a text is not spoken, so not used: lines 2, 4, 5",
        "rows spoken by anyone but the narrator are dialogue, so not used: line 3",
    ]


def test_two_texts_with_a_colon_are_texts() -> None:
    text = "TC\tText\n0:02\tAD: a sign says.\n0:05\tVOICE: a red neon sign.\n0:09\tRain.\n"
    assert [line.text for line in read(text).lines] == ["AD: a sign says.", "VOICE: a red neon sign.", "Rain."]


def test_out_times_beside_no_in_times() -> None:
    found = read("In,Xyz,Text\nsoon,0:05,Ruth turns.\nlater,0:09,Rain.\n")
    assert [line.text for line in found.untimed] == ["Ruth turns.", "Rain."]


@pytest.mark.parametrize("written", ["00.00.45:09", "00.00.45;09", "0.00.45.09", "00:00:45;09"])
def test_timecode_with_marks_of_two_kinds(written: str) -> None:
    # 9 frames of 25 a second are 0.36 s.
    stamp = time_stamp(f"{written} Rain.", RATE)
    assert stamp is not None
    assert (stamp.at, stamp.rest) == (45_360, "Rain.")
    assert times(read(f"In,Text\n{written},Rain.\n")) == [(45_360, None, "Rain.")]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("In,Text,Notes,Delivery,WC\n0:05,Ruth turns.,low,fast,2\n0:09,Rain.,,slow,1\n", ["low\nfast", "slow"]),
        ("In,Text,Notes,Comments\n0:05,Ruth turns.,low,low\n0:09,Rain.\n", ["low", ""]),
        ("Shot,In,Text,Notes\nCU,0:05,Ruth turns.,low\n,0:09,Rain.,\n", ["CU\nlow", ""]),
        ("In,Text,Word count\n0:05,Ruth turns.,2\n0:09,Rain.,1\n", ["", ""]),
    ],
)
def test_all_columns_of_notes_are_notes_and_counts_are_none(text: str, notes: list[str]) -> None:
    found = read(text)
    assert [line.notes for line in found.lines] == notes
    assert not any("several columns" in each.what for each in found.oddities)
