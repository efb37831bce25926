"""PDFs whose letters are set apart, or drawn one by one or two by two, are read in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from found_layouts import items_of
from pypdf.generic._font import Font
from screenplay_pages import Printed, as_pdf, pages, pdf_of, pieces_of_fountain

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.letter_spacing import are_set_apart, letter_gap, with_letters_joined
from adstudio.screenplay.parsed_screenplay import ScreenplayError

SCRIPT = Path(__file__).parents[2] / "resources" / "sample" / "screenplay.fountain"
SIZE = 12.0
Draw = Callable[[str, float, float, Callable[[str], float]], Iterator[str]]
"""Operators that draw a row of text from a place, by the widths of its letters in points."""


def printed() -> list[list[Printed]]:
    """The sample film's screenplay; without scene numbers, which rows that are longer would run over."""
    text = SCRIPT.read_text("utf-8").replace("…", "...").replace("—", "-").replace("–", "-")
    return pages([piece._replace(number="") for piece in pieces_of_fountain(text)], continued=False)


def drawn(draw: Draw, font: str) -> bytes:
    widths = Font.from_core_font_name(f"/{font}").character_widths

    def width(char: str) -> float:
        return widths.get(char, widths["default"]) * SIZE / 1000

    contents: list[bytes] = []
    for page in printed():
        rows: list[str] = []
        for at, row in enumerate(page):
            for column, text in row.cells:
                rows += draw(text, 108 + 7.2 * column, 710 - 12 * at, width)
        contents.append("\n".join(rows).encode("cp1252", "replace"))
    return pdf_of(contents, font=font)


def escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def shown(text: str, x: float, y: float) -> str:
    return f"BT /F1 12 Tf 1 0 0 1 {x:.2f} {y:.2f} Tm ({escaped(text)}) Tj ET"


def one_by_one(apart: float) -> Draw:
    """Each letter as a text of its own, spaces not drawn."""

    def draw(text: str, x: float, y: float, width: Callable[[str], float]) -> Iterator[str]:
        for char in text:
            if char != " ":
                yield shown(char, x, y)
            x += width(char) + apart

    return draw


def two_by_two(text: str, x: float, y: float, width: Callable[[str], float]) -> Iterator[str]:
    """Each word in pieces of two letters, as programs do that kern by themselves."""
    for word in text.split(" "):
        for at in range(0, len(word), 2):
            piece = word[at : at + 2]
            yield shown(piece, x, y)
            x += sum(map(width, piece))
        x += width(" ")


def offset(apart: float) -> Draw:
    """A row as one array whose letters are moved apart by numbers, spaces drawn."""

    def draw(text: str, x: float, y: float, _: Callable[[str], float]) -> Iterator[str]:
        parts = f" {-apart * 1000 / SIZE:.0f} ".join(f"({escaped(char)})" for char in text)
        yield f"BT /F1 12 Tf 1 0 0 1 {x:.2f} {y:.2f} Tm [{parts}] TJ ET"

    return draw


def spaced(apart: float) -> Draw:
    """Words one by one under a setting that puts their letters apart."""

    def draw(text: str, x: float, y: float, width: Callable[[str], float]) -> Iterator[str]:
        for word in text.split(" "):
            for at in range(0, len(word), 3):
                piece = word[at : at + 3]
                yield f"BT /F1 12 Tf {apart} Tc 1 0 0 1 {x:.2f} {y:.2f} Tm ({escaped(piece)}) Tj ET"
                x += sum(width(char) + apart for char in piece)
            x += width(" ") + apart

    return draw


WAYS: dict[str, tuple[Draw, str]] = {
    "one by one, Courier": (one_by_one(0), "Courier"),
    "one by one, Helvetica": (one_by_one(0), "Helvetica"),
    "one by one, apart, Courier": (one_by_one(4), "Courier"),
    "one by one, apart, Times": (one_by_one(3), "Times-Roman"),
    "one by one, far apart, Helvetica-Bold": (one_by_one(6), "Helvetica-Bold"),
    "two by two, Helvetica": (two_by_two, "Helvetica"),
    "two by two, Helvetica-Bold": (two_by_two, "Helvetica-Bold"),
    "two by two, Times": (two_by_two, "Times-Roman"),
    "arrays, Courier": (offset(4), "Courier"),
    "arrays, Times": (offset(3), "Times-Roman"),
    "pieces under a setting, Courier": (spaced(3), "Courier"),
    "pieces under a setting, Helvetica": (spaced(3), "Helvetica"),
}


@pytest.mark.parametrize("way", WAYS)
def test_words_are_read_whole_however_their_letters_are_drawn(way: str):
    usual = items_of(parse_screenplay(as_pdf(printed()), "film.pdf"))
    found = items_of(parse_screenplay(drawn(*WAYS[way]), "film.pdf"))
    assert [item.kind for item in found] == [item.kind for item in usual]
    assert [item.text for item in found] == [item.text for item in usual]


def test_letters_set_apart_without_a_gap_between_words_are_refused():
    """Nothing is narrated of which no word is known."""

    def draw(text: str, x: float, y: float, width: Callable[[str], float]) -> Iterator[str]:
        return offset(4)(text.replace(" ", ""), x, y, width)

    with pytest.raises(ScreenplayError, match="nothing shows where its words begin"):
        parse_screenplay(drawn(draw, "Courier"), "film.pdf")


@pytest.mark.parametrize(
    ("text", "apart", "joined"),
    [
        ("R a i n .  A  s m a l l  t o w n", True, "Rain. A small town"),
        (" VA L E ,  i n", True, " VALE, in"),
        ("T O M", False, "TOM"),
        ("T H E  E N D", False, "THE END"),
        ("A cat.  A dog.", False, "A cat.  A dog."),
        ("I a b", False, "I a b"),
    ],
)
def test_letters_are_joined_where_they_are_set_apart(text: str, apart: bool, joined: str):
    assert with_letters_joined(text, apart=apart) == joined


def test_usual_text_is_not_taken_for_letters_set_apart():
    assert not are_set_apart(["I am a man of a few words, as I said."] * 20)
    assert letter_gap([0.5] * 3) == 0
