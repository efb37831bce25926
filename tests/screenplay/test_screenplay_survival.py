"""Nothing is lost and nothing breaks: any bytes, any screenplay written and read again, lines made to be slow."""

from __future__ import annotations

import re
import sys
from types import FrameType
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from screenplay_pages import Piece, as_pdf, as_text, pages

from adstudio.screenplay.file import LONGEST_LINE, parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayError, Speech

if TYPE_CHECKING:
    from _typeshed import TraceFunction

MARKUP = re.compile(r"([*_\\])")
SEEDS = (
    "INT. HALL\n\nShe waits.\n\nANNA (V.O.)\n(low)\nHello?\n\nTOM ^\nYes.\n\n> CUT TO:\n\n.SEA #2#\n\n~la\n\n[[n]]/*b",
    '<FinalDraft><Content><Paragraph Type="Action"><Text>Hi &amp;</Text></Paragraph></Content></FinalDraft>',
    "Title: A\nAuthor: B\n\n# One\n\n= two\n\n===\n\n!X\n\n@y\nz\n",
)
TOKENS = st.sampled_from(
    [
        *(
            "\n",
            "\n\n",
            "\n  \n",
            "INT. ",
            "EXT. X",
            "ANNA\n",
            "(",
            ")",
            "^",
            "*",
            "**",
            "_",
            "\\",
            "[[",
            "]]",
            "/*",
            "*/",
        ),
        *(
            "#",
            "=",
            "===",
            ">",
            "<",
            "~",
            ".",
            "!",
            "@",
            "Title:",
            ":",
            "\t",
            "      ",
            "\f",
            "\0",
            "\ufeff",
            "é",
            "　",
            "（",
        ),
        *('<Paragraph Type="Action">', "<Text>", "</Text>", "<FinalDraft>", "<Content>", "<!DOCTYPE x [", "&#xD800;"),
        *("%PDF-1.4\n", "(MORE)", "(CONTINUED)", "12.", "stream\n", "endobj"),
    ]
)


def read_or_refuse(data: bytes, name: str) -> Screenplay | None:
    try:
        found = parse_screenplay(data, name)
    except ScreenplayError as error:
        if "\n" in str(error):
            raise
        return None
    assert found.scenes
    for scene in found.scenes:
        scene.heading.encode()
        for part in scene.parts:
            part.text.encode()
            assert part.text == " ".join(part.text.split(" ")).strip()
            assert part.text or (isinstance(part, Speech) and part.parentheticals)
    for oddity in found.oddities:
        oddity.what.encode()
    return found


NAMES = st.sampled_from(["film.fountain", "film.txt", "film.fdx", "film.pdf"])


@given(data=st.binary(max_size=400), name=NAMES)
@settings(max_examples=150, deadline=None)
def test_any_bytes(data: bytes, name: str):
    read_or_refuse(data, name)


@given(pieces=st.lists(TOKENS | st.text(max_size=5), max_size=40), seed=st.sampled_from(SEEDS), name=NAMES)
@settings(max_examples=250, deadline=None)
def test_any_mixture_of_marks(pieces: list[str], seed: str, name: str):
    text = "".join(pieces)
    for whole in (text, seed + text, seed[: len(seed) // 2] + text + seed[len(seed) // 2 :]):
        read_or_refuse(whole.encode("utf-8", "surrogatepass"), name)


@given(at=st.integers(0, 2000), junk=st.binary(max_size=30))
@settings(max_examples=120, deadline=None)
def test_a_damaged_pdf(at: int, junk: bytes):
    data = as_pdf(pages([Piece("heading", "INT. HALL"), Piece("speech", "ANNA", ("Hello there.",))]), packed=False)
    at = min(at, len(data))
    read_or_refuse(data[:at] + junk + data[at + len(junk) :], "film.pdf")


WORDS = st.lists(
    st.sampled_from(
        ["she", "opens", "*the*", "door_s", "2", "Tom's", "héros", "花", "*69", "a_b_c", "\\", "ok?", "yes!"]
    ),
    min_size=1,
)
SENTENCES = WORDS.map(lambda words: "So " + " ".join(words) + ".")
SPEECHES = st.builds(
    lambda name, texts: Piece("speech", name, tuple(texts)),
    st.sampled_from(["ANNA", "TOM", "MRS. O'HARA", "1ST COP", "ЖЕНЯ"]),
    st.lists(SENTENCES, min_size=1, max_size=3),
)
SCREENPLAYS = st.lists(
    SPEECHES | SENTENCES.map(lambda text: Piece("action", text)) | st.just(Piece("heading", "INT. HALL - DAY")),
    min_size=1,
    max_size=25,
).map(lambda pieces: [Piece("heading", "EXT. SEA - NIGHT"), *pieces])


def as_fountain(pieces: list[Piece]) -> str:
    blocks: list[str] = []
    for piece in pieces:
        lines = [piece.text, *piece.spoken]
        blocks.append("\n".join(MARKUP.sub(r"\\\1", line) if piece.kind != "heading" else line for line in lines))
    return "\n\n".join(blocks) + "\n"


def expected(pieces: list[Piece]) -> list[tuple[str, str]]:
    told = [(piece.text if piece.kind == "speech" else "", " ".join(piece.spoken) or piece.text) for piece in pieces]
    return [entry for piece, entry in zip(pieces, told, strict=True) if piece.kind != "heading"]


def told(found: Screenplay) -> list[tuple[str, str]]:
    parts = [part for scene in found.scenes for part in scene.parts]
    assert all(isinstance(part, Action | Speech) for part in parts)
    return [(part.speaker if isinstance(part, Speech) else "", part.text) for part in parts]


@given(SCREENPLAYS)
@settings(max_examples=80, deadline=None)
def test_what_is_written_as_fountain_is_read_again(pieces: list[Piece]):
    found = parse_screenplay(as_fountain(pieces).encode(), "film.fountain")
    assert told(found) == expected(pieces)
    assert len(found.scenes) == sum(piece.kind == "heading" for piece in pieces)


def letters(texts: list[tuple[str, str]]) -> str:
    return "".join("".join(text.split()) for _, text in texts)


def joined(entry: tuple[str, str]) -> tuple[str, str]:
    """Without the spaces between ideographs: whether a line that ended there had one cannot be known."""
    return entry[0], re.sub("(?<=花) (?=花)", "", entry[1])


@given(SCREENPLAYS)
@settings(max_examples=40, deadline=None)
@example([Piece("heading", "EXT. SEA - NIGHT"), Piece("speech", "ANNA", ("So she she she she opens door_s 花 花.",))])
def test_no_letter_is_lost_over_printed_pages(pieces: list[Piece]):
    pieces = [*pieces, Piece("speech", "ANNA", ("So it ends.",)), Piece("speech", "TOM", ("So it does.",))]
    found = parse_screenplay(as_text(pages(pieces, header="THE SEA")).encode(), "film.txt")
    assert letters(told(found)) == letters(expected(pieces))
    speeches, wanted = ([joined(entry) for entry in each if entry[0]] for each in (told(found), expected(pieces)))
    assert speeches == wanted


SLOW = {
    "stars": "*" * 750,
    "stars and letters": "*a " * 375,
    "underlines": "_a" * 375,
    "backslashes": "\\" * 750,
    "notes": "[[" * 375 + "]]",
    "notes on lines": "[[a\n\n" * 250,
    "boneyards": "/*" * 375 + "*/" * 175,
    "boneyards apart": "/*/* */" * 125,
    "brackets": "ANNA " + "(" * 750,
    "brackets and spaces": "ANNA " + "(a) " * 60 + " " * 750 + "x",
    "spaces": "ANNA" + " " * 750 + "x",
    "hashtags": "INT. X" + " #a" * 300,
    "hash": "INT. X " + "#" * 750,
    "colons": "Title:" + ":" * 750,
    "numbers": "1" * 750 + " INT. X",
    "names": "A\n" * 375,
    "parentheticals": "ANNA\n" + "(a\n" * 375,
    "two spaces": "ANNA\nx\n" + "  \n" * 375 + "y",
    "columns": "INT. X\n" + (" " * 30 + "ANNA\n" + " " * 15 + "(x\n") * 125,
    "parted": "INT. X\n\n" + " " * 30 + "ANNA\n" + " " * 10 + "a    " * 200,
    "tags": "<?xml version='1.0'?><FinalDraft><Content>" + "<Paragraph><Text>" * 200,
    "fades": "!FADE" + " IN" * 250,
    "continued": "(CONTINUED" * 300,
}


@pytest.mark.parametrize("what", SLOW)
@pytest.mark.parametrize("name", ["film.fountain", "film.txt"])
def test_work_grows_with_the_length_only(what: str, name: str):
    """Counted in lines of Python run: four times the text may take about four times the work, not sixteen times."""
    once, fourfold = (work((SLOW[what] + "\n\n" + "She waits.\n") * times, name) for times in (8, 32))
    assert fourfold < 6 * once + 4000


def work(text: str, name: str) -> int:
    count = 0

    def heard(frame: FrameType, event: str, arg: Any) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return heard

    before = sys.gettrace()
    sys.settrace(heard)
    try:
        read_or_refuse(text.encode(), name)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", SLOW)
def test_regular_expressions_do_not_backtrack(what: str):
    """Work inside the expressions is not counted above: the longest line that is allowed must simply be read."""
    one = SLOW[what].replace("\n", " ")
    for line in ((one * (LONGEST_LINE // len(one) + 1))[:LONGEST_LINE], one[:3] * (LONGEST_LINE // 4)):
        read_or_refuse((line + "\nx").encode(), "film.fountain")
