"""Describers' own scripts as the source: what is spoken of them, and when."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_stages import plain_stages
from script_files_lines import LINES, script_line

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import RATES
from adstudio.delivery.tables import csv_table
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.prose_chapters import CUED, with_cue_times
from adstudio.drafting.text.text_drafting import Drafted, Footage, from_prose

SAID = [
    (10_000, 12_000, "Did you bring the key?"),
    (20_000, 22_000, "It was on the hook this morning."),
    (40_000, 43_000, "Then somebody took it before breakfast."),
    (60_000, 62_000, "Somebody with small hands."),
]
CUES = (
    *(Cue(f"c{n}", start, end, text) for n, (start, end, text) in enumerate(SAID, 1)),
    Cue("s1", 70_000, 71_000, "[DOOR SLAMS]", kind=CueKind.SOUND),
)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def spoken(text: str) -> list[str]:
    return [section.text for section in parse_prose(text).sections]


def timed(text: str) -> list[tuple[int | None, int | None, str]]:
    prose = with_cue_times(parse_prose(text), CUES)
    return [(section.at, section.until, section.text) for section in prose.sections]


def drafted(text: str) -> Drafted:
    return from_prose(parse_prose(text), Footage(90_000, CUES), stages=plain_stages())


US = """AUDIO DESCRIPTION SCRIPT
THE KEY

[00:02] A cat walks along the shelf.

(“…bring the key?”)

(fast) Ruth looks at the empty hook.

[PAUSE]

She turns to Ben.

("It was on the hook this morning.")

Ben opens a drawer. [:02 PAUSE] He shrugs.

[“Then somebody took it before breakfast.”]

A mouse runs under the stove.
"""
LINKING = """THE KEY - LINKING SCRIPT

V/O 1.1
A cat walks along the shelf.

CUE: "Did you bring the key?"
V/O 1.2
Ruth looks at the empty hook.

CUE: ...on the hook this morning.
V/O 1.3 (slow)
Ben opens a drawer.

(door slams)
V/O 11.1  A mouse runs under the stove.
"""
INTERLEAVED = """Programme: The Key
Describer: A. Writer
TRT: 00:45:00

AD: A cat walks along the shelf.
BEN: Did you bring the key?
AD (fast): Ruth looks at the empty hook.
RUTH: It was on the hook this morning.
AD: Ben opens a drawer {drawer or cupboard?} and shuts it.
"""


def test_cue_words_in_brackets_give_the_time_and_are_not_spoken():
    assert timed(US) == [
        (2_000, None, "A cat walks along the shelf."),
        (12_000, None, "Ruth looks at the empty hook. She turns to Ben."),
        (22_000, None, "Ben opens a drawer. He shrugs."),
        (43_000, None, "A mouse runs under the stove."),
    ]


def test_linking_scripts():
    assert timed(LINKING) == [
        (None, None, "A cat walks along the shelf."),
        (12_000, None, "Ruth looks at the empty hook."),
        (22_000, None, "Ben opens a drawer."),
        (71_000, None, "A mouse runs under the stove."),
    ]


def test_scripts_with_the_dialogue_in_them():
    assert timed(INTERLEAVED) == [
        (None, None, "A cat walks along the shelf."),
        (12_000, None, "Ruth looks at the empty hook."),
        (22_000, None, "Ben opens a drawer and shuts it."),
    ]


def test_brackets_that_the_film_says_are_cue_words_without_any_mark():
    assert timed("(bring the key)\n\nA cat.\n\n[on the hook this morning] A dog.\n\n(a grey one) A cow.") == [
        *((12_000, None, "A cat."), (22_000, None, "A dog."), (None, None, "(a grey one) A cow.")),
    ]


@pytest.mark.parametrize(
    "given",
    [
        "“bring the key”\nA cat.",
        '"…bring the key" A cat.',
        "«Bring the key.» A cat.",
        "[the key] A cat.",
        "(the key)\n\nA cat.",
    ],
)
def test_quoted_words_and_the_last_two_of_a_cue_are_cue_words(given: str):
    assert timed(given) == [(12_000, None, "A cat.")]


def test_what_the_film_does_not_say_is_described_with_its_quotation_marks():
    assert timed("“Closed on Mondays” hangs in the window.") == [
        (None, None, "“Closed on Mondays” hangs in the window."),
    ]


def test_cue_words_that_are_not_found_are_told():
    prose = with_cue_times(parse_prose("CUE: nobody says this\nA cat.\n\nCUE: bring the key\nA dog."), CUES)
    assert [section.at for section in prose.sections] == [None, 12_000]
    assert [(oddity.line, "1 of 2 cue words" in oddity.what) for oddity in prose.oddities[-1:]] == [(1, True)]


def test_cue_words_contradict_no_time():
    assert timed("[0:50] A cat.\n\nCUE: bring the key\nA dog.\n\nCUE: small hands\nA cow.") == [
        (50_000, None, "A cat."),
        (None, None, "A dog."),
        (62_000, None, "A cow."),
    ]


def test_one_word_is_a_cue_only_where_one_cue_ends_with_it():
    assert timed("CUE: breakfast\nA cat.\n\nCUE: hands\nA dog.") == [(43_000, None, "A cat."), (62_000, None, "A dog.")]
    again = (*CUES, Cue("c9", 80_000, 81_000, "Your hands!"))
    prose = with_cue_times(parse_prose("CUE: hands\nA dog."), again)
    assert prose.sections[0].at is None


def test_what_is_said_in_the_draft():
    for text in (US, LINKING, INTERLEAVED):
        found = drafted(text)
        told = " ".join(each.variants[0].text for each in found.eventualities)
        for unspoken in ("key?", "morning", "breakfast", "PAUSE", "fast", "slow", "V/O", "AD:", "SCRIPT", "Writer"):
            assert unspoken not in told
        ruth = next(each for each in found.eventualities if "Ruth looks" in each.extract)
        assert ruth.occurrence is not None
        assert 12_000 <= ruth.occurrence.start < 20_000
        assert ruth.confidence is not None
        assert ruth.confidence <= CUED * 1000
        assert any("are not spoken" in oddity.what for oddity in found.oddities)


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("00:00:02:00  00:00:06:10  A cat.", [(2_000, 6_400, "A cat.")]),
        ("00:00:02:00\t00:00:06:10\tA cat.", [(2_000, 6_400, "A cat.")]),
        ("1    00:00:02:00  00:00:06:10  00:00:04:10  A cat.", [(2_000, 6_400, "A cat.")]),
        ("[00:02] [00:06] A cat.", [(2_000, 6_000, "A cat.")]),
        ("0:02;0:06 A cat.", [(2_000, 6_000, "A cat.")]),
        ("TC IN 00:00:02:00 TC OUT 00:00:06:10\nA cat.", [(2_000, 6_400, "A cat.")]),
        (
            "1\nIN: 00:00:02:00\nOUT: 00:00:06:10\nA cat.\n\n2\nIN: 0:13\nA dog.",
            [(2_000, 6_400, "A cat."), (13_000, None, "A dog.")],
        ),
        (
            "AD 1\n0:02 - 0:06\nDuration: 4 s\nA cat.\n\nAD 2\n0:13\nA dog.",
            [(2_000, 6_000, "A cat."), (13_000, None, "A dog.")],
        ),
        ("TC IN: 0:02 | TC OUT: 0:06 | A cat.", [(2_000, 6_000, "A cat.")]),
        ("#3 0:24 A cat.", [(24_000, None, "A cat.")]),
        ("TC IN TC OUT DESCRIPTION\n0:02 0:06 A cat.", [(2_000, 6_000, "A cat.")]),
    ],
)
def test_in_and_out_columns_numbers_and_headings_in_plain_text(text: str, sections: list[tuple[int, int | None, str]]):
    assert timed(text) == sections


def test_line_numbers_are_not_spoken():
    assert spoken("1 A cat.\n\n2 A dog.\n\n3 A cow.") == ["A cat.", "A dog.", "A cow."]
    assert spoken("1\nA cat.\n\n2\nA dog.\n\n3\nA cow.") == ["A cat.", "A dog.", "A cow."]
    assert spoken("12 men wait.\n\nNumber 5 opens the door.\n\n1984 begins.") == [
        *("12 men wait.", "Number 5 opens the door.", "1984 begins."),
    ]


def test_what_stands_around_the_lines_of_a_script():
    cued = "V/O 1\tA cat.\n\t“...bring the key?”\nV/O 2\tA dog. (1.5s)\n“...this morning.”\nV/O 3\tA cow.\nEND OF AD"
    assert timed(cued) == [
        *((None, None, "A cat."), (12_000, None, "A dog."), (22_000, None, "A cow.")),
    ]
    assert timed("1.\t0:02\tA cat.\n2.\t0:13\tA dog.\n3.\t0:24\tA cow.\nEND") == [
        *((2_000, None, "A cat."), (13_000, None, "A dog."), (24_000, None, "A cow.")),
    ]
    parted = "[AD 1] 0:02\nA cat. (1.5s)\n--\n[AD 2] 0:13 (fast)\nA dog.\n--\n[AD 3] 0:24\nA cow.\n\nThe end."
    assert timed(parted) == [
        *((2_000, None, "A cat."), (13_000, None, "A dog."), (24_000, None, "A cow.")),
    ]


@pytest.mark.parametrize(
    "block",
    [
        *("Programme: The Harbour\nDuration: 00:08:00", "Title: The Harbour\nTC: 10:00:00:00\nDescriber: Jane Doe"),
        *("Titel: Der Hafen\nBeschreibung: Jane Doe\nSprecher: NN\nLänge: 8:00", "Timecode format: 25fps"),
        *(
            "Titre : Le Port\nVoix : NN\nAuteur : Jeanne Doe",
            "THE HARBOUR\nAD Script\nWritten by: Jane Doe\nVoice: Mary",
        ),
        *("**Title:** The Harbour\n**Describer:** Jane Doe", "Title: The Harbour\n\nLanguage: English\nFPS: 25"),
    ],
)
@pytest.mark.parametrize("count", [1, 4])
def test_the_title_block_is_no_description_however_few_lines_follow(block: str, count: int):
    timed = [f"0:{second} A gull lands." for second in range(10, 10 + count)]
    found = parse_prose("\n".join((block, "", *timed)))
    assert [section.text for section in found.sections] == ["A gull lands."] * count
    (oddity,) = found.oddities
    assert block.splitlines()[0] in oddity.what


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("Title: The Harbour\nAD: A gull lands.\nAD: A dog runs.", ["A gull lands.", "A dog runs."]),
        ("Title: The Harbour\nA gull lands and\nlooks around.", ["A gull lands and looks around."]),
        ("Title: The Harbour\nIN: 0:02\nOUT: 0:06\nA cat sits", ["A cat sits"]),
        ("TC: 0:02\nA cat sits.", ["A cat sits."]),
        ("Film: a gull lands on the quay. It flies.", ["Film: a gull lands on the quay. It flies."]),
        ("A gull lands.\n\nTitle: The Harbour", ["A gull lands.", "Title: The Harbour"]),
        ("AD: A gull lands\nTitle: The Harbour\nAD: It flies", ["A gull lands Title: The Harbour", "It flies"]),
    ],
)
def test_below_or_beside_a_title_block_the_description_stays(text: str, described: list[str]):
    assert [section.text for section in parse_prose(text).sections] == described


@pytest.mark.parametrize("reel", ["REEL 2", "Reel 2:", "*** REEL 2 ***", "ROLLE 2", "Bobine 2"])
def test_the_number_of_a_reel_is_not_described(reel: str):
    found = parse_prose(f"0:10 A gull lands.\n\n{reel}\n\n0:20 A dog runs.")
    assert [section.text for section in found.sections] == ["A gull lands.", "A dog runs."]
    assert any(reel in oddity.what for oddity in found.oddities)


def test_prose_stays_prose():
    text = [
        *("A cat (a grey one) walks. It is 10:15 on the clock.", "Ruth reads the sign: “Keep out!”"),
        *('"Did you bring the key?" Ben mouths.', "In the hall, out of the rain, text in hand, he waits."),
    ]
    assert spoken("\n\n".join(text)) == text


def test_tables_are_read_by_their_columns():
    text = "#,In,Out,Cue,Description,Notes\n1,0:02,0:06,,(fast) A cat.,x\n"
    text += "2,,,bring the key,V/O 2: A dog [PAUSE] barks.,y\n"
    assert timed(text) == [(2_000, 6_000, "A cat."), (12_000, None, "A dog barks.")]
    found = parse_prose(
        "Prose first.\n\n| Time | AD | Notes |\n|---|---|---|\n| 0:02 | A **cat**. | x |\n\nProse last."
    )
    assert [(section.line, section.at, section.text) for section in found.sections] == [
        *((1, None, "Prose first."), (5, 2_000, "A cat."), (7, None, "Prose last.")),
    ]


def test_our_own_csv_is_read_at_its_times():
    written = csv_table(LINES, frame_rate=RATES["25"], start_timecode="10:00:00:00", film_end=90_000)
    assert timed(written.decode("utf-8-sig")) == [(line.span.start, line.span.end, line.text) for line in LINES]


def test_a_row_with_a_time_or_cue_words_is_one_line_of_the_draft():
    row = "A cat walks, slowly; along the shelf. It jumps. -40 °C, says the sign."
    lines = [script_line(1, 1_248, 3_366, row)]
    tables = [
        csv_table(lines, frame_rate=RATES["25"], start_timecode="10:00:00:00", film_end=90_000).decode("utf-8-sig"),
        f"In;Text\n0:02;{row}\n",
        f"Cue | AD\nbring the key | {row}\n",
        f"| In | AD |\n|-|-|\n| 0:02 | {row} |\n\nProse.",
    ]
    for text in tables:
        found = drafted(text).eventualities
        assert (found[0].variants[0].text, found[0].extract) == (row, row)
    prose = drafted(f"0:02 {row}").eventualities
    assert len(prose) > 1


def test_a_column_of_text_alone():
    assert spoken("Description\nA cat.\nA dog.") == ["A cat. A dog."]


def test_in_and_out_as_bare_lines():
    sections = parse_prose(
        "00:00:10:00\n00:00:14:00\nA gull lands on the wall.\n\n00:00:20:00\n00:00:24:00\nMary puts a kettle on.\n\n"
        "00:00:30:00\nShe waits.\n00:00:40:00\nIt boils.\n"
    ).sections
    assert [(section.at, section.until, section.text) for section in sections] == [
        (10_000, 14_000, "A gull lands on the wall."),
        (20_000, 24_000, "Mary puts a kettle on."),
        (30_000, None, "She waits."),
        (40_000, None, "It boils."),
    ]


LABELLED = [
    ("0:10", "NARRATOR", "A gull lands."),
    ("0:58", "MARY", "Where have you been all this time?"),
    ("1:04", "NARRATOR", "Tom hangs his coat on the hook."),
    ("1:10", "TOM", "Out."),
    ("1:20", "NARRATOR", "She turns away."),
]


@pytest.mark.parametrize(
    "layout", ["{who}: {text}", "[{at}] {who}: {text}", "{at} {who}: {text}", "{at}\n{who}: {text}"]
)
def test_times_do_not_make_dialogue_description(layout: str):
    lines = [layout.format(at=f"00:0{at}", who=who, text=text) for at, who, text in LABELLED]
    prose = parse_prose("\n".join(lines))
    assert [section.text for section in prose.sections] == [text for _, who, text in LABELLED if who == "NARRATOR"]
    if "{at}" in layout:
        assert [section.at for section in prose.sections] == [10_000, 64_000, 80_000]
    assert any("MARY: Where" in oddity.what for oddity in prose.oddities)


def test_labels_in_a_table_tell_dialogue_from_description():
    prose = parse_prose("In;Text\n" + "\n".join(f"{at};{who}: {text}" for at, who, text in LABELLED))
    assert [(section.at, section.text) for section in prose.sections] == [
        (10_000, "A gull lands."),
        (64_000, "Tom hangs his coat on the hook."),
        (80_000, "She turns away."),
    ]
