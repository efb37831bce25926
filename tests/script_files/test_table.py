"""Scripts as tables: our own CSV, others' by their headings, Markdown, columns of spaces, and tables without a head."""

from __future__ import annotations

import pytest
from script_files_lines import LINES, script_line

from adstudio.core.timebase import RATES
from adstudio.delivery.columns import COLUMNS
from adstudio.delivery.tables import csv_table
from adstudio.script_files.columns import Column, column_of, is_heading_row
from adstudio.script_files.table import ScriptTable, markdown_table, script_table

RATE = RATES["25"]


def rows(table: ScriptTable | None) -> list[tuple[int, int | None, int | None, str, str]]:
    assert table is not None
    return [
        (row.line, row.stamp.at if row.stamp else None, row.stamp.until if row.stamp else None, row.cue, row.text)
        for row in table.rows
    ]


OURS = [*LINES[:2], script_line(3, 24_470, 26_941, "Ruth takes\na sock.")]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "10:00:00:00"])
def test_our_own_csv_comes_back(separator: str, start: str):
    written = csv_table(OURS, frame_rate=RATE, start_timecode=start, film_end=60_000, separator=separator)
    assert rows(script_table(written.decode("utf-8"), RATE)) == [
        (2, 1_248, 3_366, "", "A cat walks, slowly; along the shelf."),
        (3, 6_072, 8_543, "", "-40 °C, says the sign."),
        (4, 24_470, 26_941, "", "Ruth takes a sock."),
    ]


@pytest.mark.parametrize("columns", [("text", "in"), ("notes", "in", "out", "text"), COLUMNS[::-1]])
def test_our_own_csv_with_columns_chosen(columns: tuple[str, ...]):
    written = csv_table(OURS, frame_rate=RATE, start_timecode="", film_end=60_000, columns=columns)
    table = script_table(written.decode("utf-8"), RATE)
    assert table is not None
    assert not table.oddities
    assert [row.text for row in table.rows] == [" ".join(each.text.split()) for each in OURS]
    # Timecode is that of a frame inside the line.
    exact = "in s" in columns
    assert [row.stamp.at if row.stamp else None for row in table.rows] == (
        [1_248, 6_072, 24_470] if exact else [1_240, 6_080, 24_480]
    )


def test_every_column_of_our_csv_is_known():
    known = [column_of(name) for name in COLUMNS]
    assert known[:9] == [
        *(Column.NUMBER, Column.IN, Column.OUT, Column.IN_SECONDS, Column.OUT_SECONDS, Column.DURATION, Column.TEXT),
        *(Column.NEXT_DIALOGUE, Column.NOTES),
    ]


def test_the_columns_of_the_trade_in_any_order():
    text = (
        "Status,Description,#,TC in,TC out,Duration,Cue (last words before),Notes/pronunciation,Duck dB,Voice\n"
        'final,"Ruth looks, then turns.",2,00:00:13:00,00:00:18:12,00:00:05:12,"…the key?",ROOTH,-9,F\n'
        ",Ben leaves.,3,00:00:24:00,00:00:30:00,,,,,\n"
    )
    table = script_table(text, RATE)
    assert rows(table) == [
        (2, 13_000, 18_480, "the key?", "Ruth looks, then turns."),
        (3, 24_000, 30_000, "", "Ben leaves."),
    ]
    assert table is not None
    assert (table.rows[0].number, table.oddities) == ("2", ())
    assert table.rows[0].notes.splitlines() == ["ROOTH", "duck: -9", "status: final", "voice: F"]


@pytest.mark.parametrize(
    ("head", "first"),
    [
        ("Nr.;TC von;TC bis;Bildbeschreibung;Bemerkung", "1;0:02;0:06;Eine Katze.;neu"),
        ("N°;TC début;TC fin;Texte;Remarques", "1;0:02;0:06;Eine Katze.;neu"),
        ("Entrada;Salida;Audiodescripción;Observaciones", "0:02;0:06;Eine Katze.;neu"),
        ("IN;OUT;AD TEXT;SPEED", "0:02;0:06;Eine Katze.;fast"),
        ("Start Time;End Time;Audio Description", "0:02;0:06;Eine Katze."),
        ("start (s);end (s);text", "2.0;6.0;Eine Katze."),
        ("In\tOut\tNarration", "0:02\t0:06\tEine Katze."),
        ("time_in|time_out|narration", "0:02|0:06|Eine Katze."),
    ],
)
def test_headings_in_other_words(head: str, first: str):
    assert rows(script_table(f"{head}\n{first}\n", RATE)) == [(2, 2_000, 6_000, "", "Eine Katze.")]


def test_titles_above_the_head_and_unknown_columns_are_told():
    table = script_table("THE KEY,,,\nEpisode 3,,,\nIn,Out,Text,Foo\n0:02,0:06,A cat.,x\n", RATE)
    assert rows(table) == [(4, 2_000, 6_000, "", "A cat.")]
    assert table is not None
    assert [oddity.line for oddity in table.oddities] == [1, None]
    assert "THE KEY" in table.oddities[0].what
    assert "“Foo”" in table.oddities[1].what


def test_a_column_that_nothing_names_is_the_text_if_it_is_the_wordiest():
    table = script_table("In,Out,Who,What happens\n0:02,0:06,cat,The cat walks along the shelf.\n", RATE)
    assert rows(table) == [(2, 2_000, 6_000, "", "The cat walks along the shelf.")]
    assert table is not None
    assert "“What happens”" in table.oddities[0].what


def test_a_row_of_dialogue_is_the_cue_of_the_next():
    text = "TC;Dialogue;AD\n0:02;;A cat.\n0:10;Did you?;\n;;Ruth looks.\n0:20;On the hook.;\n0:24;;Ben leaves.\n"
    assert rows(script_table(text, RATE)) == [
        (2, 2_000, None, "", "A cat."),
        (4, None, None, "Did you?", "Ruth looks."),
        (6, 24_000, None, "On the hook", "Ben leaves."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1;00:00:02:00;00:00:06:00;A cat walks; it falls.\n2;00:00:13:00;00:00:18:00;Ruth looks.\n",
        "00:00:02:00\t00:00:06:00\tA cat walks; it falls.\n00:00:13:00\t00:00:18:00\tRuth looks.\n",
        "#,when,until,what\n1,0:02,0:06,A cat walks; it falls.\n2,0:13,0:18,Ruth looks.\n",
    ],
)
def test_tables_without_a_known_head(text: str):
    first = 2 if text.startswith("#") else 1
    assert rows(script_table(text, RATE)) == [
        (first, 2_000, 6_000, "", "A cat walks; it falls."),
        (first + 1, 13_000, 18_000, "", "Ruth looks."),
    ]


def test_columns_of_spaces():
    text = (
        "THE KEY\n\n"
        "No   TC IN        TC OUT       DESCRIPTION                    NOTES\n"
        "1    00:00:02:00  00:00:06:10  A cat walks along the shelf.   slow\n"
        "2    00:00:13:00  00:00:18:00  Ruth looks at the empty\n"
        "                               hook.\n"
    )
    table = script_table(text, RATE)
    assert rows(table) == [
        (4, 2_000, 6_400, "", "A cat walks along the shelf."),
        (5, 13_000, 18_000, "", "Ruth looks at the empty hook."),
    ]
    assert table is not None
    assert [row.notes for row in table.rows] == ["slow", ""]


def test_markdown():
    lines = [
        (3, "| Nr | In | Out | Cue | Description | Notes |"),
        (4, "|---|:--|---|---|---|---|"),
        (5, "| 1 | 0:02 | 0:06 | – | A cat walks. | check |"),
        (6, '| 2 | 0:13 | 0:18 | "the key?" | Ruth looks. | |'),
    ]
    assert rows(markdown_table(lines, RATE)) == [
        (5, 2_000, 6_000, "", "A cat walks."),
        (6, 13_000, 18_000, "the key?", "Ruth looks."),
    ]


def test_markdown_without_a_row():
    assert markdown_table([(1, "|---|---|"), (2, "|---|---|")], RATE) is None
    assert markdown_table([(1, "| In | Text |"), (2, "|---|---|")], RATE) == ScriptTable(())


@pytest.mark.parametrize(
    "text",
    [
        "In the hall, out of the rain, text in hand, he waits.\n\nThen, at last, he goes.",
        "0:07 Tom waits, then goes.\n0:12 Nora comes, and sits.",
        "Tom; Nora; the dog.\nAll wait.",
        "",
        "text",
    ],
)
def test_prose_is_no_table(text: str):
    assert script_table(text, RATE) is None


@pytest.mark.parametrize("line", ["TC IN TC OUT DESCRIPTION", "No  In  Out  Text", "IN | OUT | AD", "Start End Notes"])
def test_rows_of_headings(line: str):
    assert is_heading_row(line)


@pytest.mark.parametrize("line", ["In the text", "Notes", "He goes in and out.", "In, out.", "AD", "Time to go in."])
def test_what_is_no_row_of_headings(line: str):
    assert not is_heading_row(line)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_text_in_the_last_column_may_hold_the_delimiter(mark: str):
    table = script_table(f"In{mark}Text\n00:00:10:00{mark}Mary sits{mark} waits{mark} and nods.\n", RATE)
    assert table is not None
    assert [row.text for row in table.rows] == [" ".join(f"Mary sits{mark} waits{mark} and nods.".split())]
    assert table.oddities == ()


def test_more_cells_than_columns_are_listed_unless_empty():
    head = "In,Text,Notes\n00:00:10:00,Mary sits.,slow,,\n"
    table = script_table(f"{head}00:00:20:00,Mary waits, and nods, too.\n", RATE)
    assert table is not None
    assert [row.text for row in table.rows] == ["Mary sits.", "Mary waits"]
    assert [oddity.line for oddity in table.oddities] == [3]
    assert "line 3" in table.oddities[0].what


@pytest.mark.parametrize(
    ("text", "read", "unclosed"),
    [
        ('0:10,"A gull lands.\n0:20,Mary waits.\n', ["A gull lands.", "Mary waits."], 2),
        ('0:10,"A gull lands.\n0:20,"Mary waits."\n0:30,A cat.\n', ["A gull lands.", "Mary waits.", "A cat."], 2),
        ('0:10,A gull lands.\n0:20,"Mary, who waits.\n', ["A gull lands.", "Mary, who waits."], 3),
        ('0:10,"A gull\nlands."\n0:20,"Mary waits.\n', ["A gull lands.", "Mary waits."], 4),
        ('0:10,"A gull\nlands."\n0:20,"Mary waits."\n', ["A gull lands.", "Mary waits."], None),
    ],
)
def test_a_quotation_mark_that_is_not_closed_swallows_no_rows(text: str, read: list[str], unclosed: int | None):
    table = script_table(f"In,Text\n{text}", RATE)
    assert table is not None
    assert [row.text for row in table.rows] == read
    assert [oddity.line for oddity in table.oddities] == ([] if unclosed is None else [unclosed])


@pytest.mark.parametrize("heading", ["Speaker", "Character", "WHO", "Sprecher"])
@pytest.mark.parametrize("narrator", ["Narrator", "AD", "VO", "Describer", "SPRECHERIN", "Sprecher 2", "Narr."])
def test_rows_that_a_character_speaks_are_not_described(heading: str, narrator: str):
    table = script_table(
        f"In,{heading},Text\n0:10,{narrator},A gull lands.\n0:58,MARY (V.O.),“Where have you been?”\n1:04,,Tom sits.\n",
        RATE,
    )
    assert rows(table) == [
        (2, 10_000, None, "", "A gull lands."),
        (4, 64_000, None, "Where have you been?", "Tom sits."),
    ]
    assert table is not None
    assert [(oddity.line, "line 3" in oddity.what) for oddity in table.oddities] == [(3, True)]


def test_a_column_of_speakers_without_a_narrator_names_the_voices():
    table = script_table("In,Speaker,Text\n0:10,Anna,A gull lands.\n0:58,Paul,Tom sits.\n", RATE)
    assert table is not None
    assert [row.text for row in table.rows] == ["A gull lands.", "Tom sits."]
    assert table.oddities == ()


def test_a_quotation_mark_that_is_not_closed_in_a_long_table():
    table = script_table('In,Text\n0:10,"A gull lands.\n' + "0:20,Mary waits.\n" * 10_000, RATE)
    assert table is not None
    assert len(table.rows) == 10_001
    assert [oddity.line for oddity in table.oddities] == [2]


@pytest.mark.parametrize(
    ("rows", "line", "says"),
    [
        (
            "0:05;0:07;A bead falls; it misses.\n",
            2,
            "one row has more cells than the header row, of which the last are not used: line 2 ",
        ),
        (
            "0:05;0:07;Rain.\n0:09;0:10;A bead; it misses.;low\n0:12;0:13;Wind.;a;b\n",
            3,
            "2 rows have more cells than the header row, of which the last are not used: lines 3, 4 ",
        ),
    ],
)
def test_rows_with_too_many_cells_are_listed_once_with_the_separator_that_may_be_text(rows: str, line: int, says: str):
    table = script_table(f"In;Out;Text;Note\n{rows.replace('misses.', 'misses.;x')}", RATE)
    assert table is not None
    (found,) = table.oddities
    assert (found.line, "“;”" in found.what, says in found.what) == (line, True, True)
