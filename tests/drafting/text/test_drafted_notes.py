"""What is noted beside a line of an AD script in a table is the note of the line that is drafted from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.core.provenance import DescriptionLine, Provenance
from adstudio.core.script import Eventuality, Script
from adstudio.drafting.draft import draft_film
from adstudio.drafting.existing_project import work_in
from adstudio.drafting.request import Sources
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.editing.redraft import is_human_work
from adstudio.gaps.gaps import gaps_of

pytest.importorskip("spacy", reason="spaCy, which words descriptions, is not installed")

TABLE = """no,in,out,text,notes,speed,duck,status,pronunciation
1,00:00:02:00,00:00:05:00,Ruth turns to the window.,low,,,accepted,
2,00:00:12:00,00:00:15:00,Rain falls on the roof.,,fast,9 dB,for the client,roof: roof
3,00:00:22:00,00:00:25:00,A man opens the door.,,150,,,
"""
NOTES = ["low", "speed: fast\nduck: 9 dB\nstatus: for the client\npronunciation: roof: roof", ""]


def drafted(folder: Path, table: str, name: str = "script.csv") -> Script:
    path = folder / name
    path.write_text(table, "utf-8")
    return draft_film(Sources(description=path, end=60_000, without_dialogue=True), folder / "p.adproj").script


def test_the_notes_of_a_table_are_those_of_its_lines(tmp_path: Path) -> None:
    script = drafted(tmp_path, TABLE)
    assert [line.note for line in script.eventualities] == NOTES
    assert [line.provenance for line in script.eventualities] == [
        Provenance(DescriptionLine(number, note)) for number, note in zip((2, 3, 4), NOTES, strict=True)
    ]


@pytest.mark.parametrize(
    ("voices", "noted"),
    [(("Anna", "Anna", "Anna"), ("", "", "")), (("Anna", "Ben", ""), ("voice: Anna", "voice: Ben", ""))],
)
def test_a_voice_is_noted_where_not_all_lines_have_it(voices: tuple[str, ...], noted: tuple[str, ...]) -> None:
    rows = "".join(f"00:00:0{k},A man waits.,{voice}\n" for k, voice in enumerate(voices, 1))
    found = parse_prose(f"in,text,voice\n{rows}").sections
    assert tuple(section.note for section in found) == noted


def test_a_row_without_a_time_gives_its_note_to_each_of_its_lines(tmp_path: Path) -> None:
    script = drafted(tmp_path, "text,notes\nRuth turns to the window. Rain falls on the roof.,low\nA man waits.,\n")
    assert [line.note for line in script.eventualities] == ["low", "low", ""]


def test_a_table_in_markdown_has_notes_and_the_text_below_it_has_none(tmp_path: Path) -> None:
    table = (
        "| in | text | notes |\n|---|---|---|\n| 00:00:02 | Ruth turns. | low |\n\n[00:00:20] A man opens the door.\n"
    )
    assert [(section.text, section.note) for section in parse_prose(table).sections] == [
        ("Ruth turns.", "low"),
        ("A man opens the door.", ""),
    ]


def test_a_note_that_came_with_a_draft_is_nobodys_work_and_another_is(tmp_path: Path) -> None:
    script = drafted(tmp_path, TABLE)
    gaps = gaps_of(script).gaps
    assert work_in(script, gaps) == ()

    def changed(line: Eventuality) -> Iterator[Eventuality]:
        yield replace(line, note="")
        yield replace(line, note=f"{line.note} and slow")

    for line in changed(script.eventualities[0]):
        assert is_human_work(script.with_eventuality(0, line), line)
        assert work_in(script.with_eventuality(0, line), gaps) == ("1 line written or worked on",)
