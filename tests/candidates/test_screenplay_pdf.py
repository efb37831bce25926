"""PDFs: how their text is drawn, and those that cannot be read."""

from __future__ import annotations

import zlib
from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from screenplay_pages import Piece, as_pdf, pages, pdf_of

from adstudio.candidates.screenplay import pdf as reading
from adstudio.candidates.screenplay.file import parse_screenplay
from adstudio.candidates.screenplay.model import Action, Screenplay, ScreenplayError, Speech

PIECES = [
    Piece("heading", "INT. HALL - DAY"),
    Piece("action", "She waits by the door."),
    Piece("speech", "ANNA", ("Will he come?",)),
]


def read(data: bytes) -> Screenplay:
    return parse_screenplay(data, "film.pdf")


def texts(screenplay: Screenplay) -> list[str]:
    return [part.text for scene in screenplay.scenes for part in scene.parts]


DRAWN = {
    "a text object a row": b"BT /F1 12 Tf 108 710 Td (INT. HALL - DAY) Tj ET "
    b"BT /F1 12 Tf 108 686 Td (She waits.) Tj ET "
    b"BT /F1 12 Tf 266 662 Td (ANNA) Tj ET BT /F1 12 Tf 180 650 Td (Hello there?) Tj ET",
    "one text object": b"BT /F1 12 Tf 12 TL 108 710 Td (INT. HALL - DAY) Tj T* T* (She waits.) Tj 158 -48 Td (ANNA) Tj "
    b"-86 -12 Td (Hello there?) Tj ET",
    "words by themselves": b"BT /F1 12 Tf 108 710 Td (INT.) Tj 36 0 Td (HALL) Tj 36 0 Td (- DAY) Tj ET "
    b"BT /F1 12 Tf 108 686 Td (She) Tj ET BT /F1 12 Tf 136.8 686 Td (waits.) Tj ET "
    b"BT /F1 12 Tf 266 662 Td (ANNA) Tj ET BT /F1 12 Tf 180 650 Td (Hello) Tj ET "
    b"BT /F1 12 Tf 223.2 650 Td (there?) Tj ET",
    "signs by themselves": b"BT /F1 12 Tf 108 710 Td [(I) 0 (NT. HALL) -600 (-) -600 (DAY)] TJ ET "
    b"BT /F1 12 Tf 108 686 Td (S) Tj ET BT /F1 12 Tf 115.2 686 Td (h) Tj ET BT /F1 12 Tf 122.4 686 Td (e waits.) Tj ET "
    b"BT /F1 12 Tf 266 662 Td (ANNA) Tj ET BT /F1 12 Tf 180 650 Td (Hello there?) Tj ET",
    "out of order": b"BT /F1 12 Tf 180 650 Td (Hello there?) Tj ET BT /F1 12 Tf 108 686 Td (She waits.) Tj ET "
    b"BT /F1 12 Tf 108 710 Td (INT. HALL - DAY) Tj ET BT /F1 12 Tf 266 662 Td (ANNA) Tj ET",
    "scaled": b"q .24 0 0 .24 0 0 cm BT /F1 50 Tf 450 2958 Td (INT. HALL - DAY) Tj ET "
    b"BT /F1 50 Tf 450 2858 Td (She waits.) Tj ET BT /F1 50 Tf 1108 2758 Td (ANNA) Tj ET "
    b"BT /F1 50 Tf 750 2708 Td (Hello there?) Tj ET Q",
    "upside down": b"q 1 0 0 -1 0 792 cm BT /F1 12 Tf 1 0 0 -1 108 82 Tm (INT. HALL - DAY) Tj ET "
    b"BT /F1 12 Tf 1 0 0 -1 108 106 Tm (She waits.) Tj ET BT /F1 12 Tf 1 0 0 -1 266 130 Tm (ANNA) Tj ET "
    b"BT /F1 12 Tf 1 0 0 -1 180 142 Tm (Hello there?) Tj ET Q",
}


@pytest.mark.parametrize("how", DRAWN)
def test_however_a_program_draws_it(how: str):
    found = read(pdf_of([DRAWN[how]]))
    assert [scene.heading for scene in found.scenes] == ["INT. HALL - DAY"]
    assert [(type(part), part.text) for part in found.scenes[0].parts] == [
        (Action, "She waits."),
        (Speech, "Hello there?"),
    ]


def test_revision_marks_and_places():
    rows = b"BT /F1 12 Tf 108 710 Td (INT. HALL) Tj ET BT /F1 12 Tf 108 686 Td (She waits.) Tj ET "
    marks = b"BT /F1 12 Tf 565 686 Td (*) Tj ET BT /F1 12 Tf 108 662 Td (He too.) Tj ET"
    found = read(pdf_of([rows + marks, rows + marks]))
    assert texts(found) == ["She waits.", "He too."] * 2
    assert [(part.page, part.line) for scene in found.scenes for part in scene.parts] == [
        (1, 2),
        (1, 3),
        (2, 2),
        (2, 3),
    ]


def test_a_scan_is_said_to_be_one():
    with pytest.raises(ScreenplayError, match=r"film\.pdf: this PDF holds pictures of pages, not text"):
        read(pdf_of([b"q 612 0 0 792 0 0 cm Q"] * 3))


def test_locked():
    writer = PdfWriter(clone_from=PdfReader(BytesIO(as_pdf(pages(PIECES)))))
    writer.encrypt("secret", algorithm="RC4-128")
    locked = BytesIO()
    writer.write(locked)
    with pytest.raises(ScreenplayError, match=r"film\.pdf is locked with a password"):
        read(locked.getvalue())


def test_locked_against_printing_only_is_read():
    writer = PdfWriter(clone_from=PdfReader(BytesIO(as_pdf(pages(PIECES)))))
    writer.encrypt("", "owner", algorithm="RC4-128")
    open_to_all = BytesIO()
    writer.write(open_to_all)
    assert texts(read(open_to_all.getvalue())) == ["She waits by the door.", "Will he come?"]


@pytest.mark.parametrize("kept", [9, 200])
def test_cut_off(kept: int):
    with pytest.raises(ScreenplayError, match=r"film\.pdf (is damaged|has no pages)"):
        read(as_pdf(pages(PIECES))[:kept])


def test_one_damaged_page_is_passed_over_and_told():
    data = pdf_of([DRAWN["out of order"], DRAWN["out of order"]])
    at = data.rindex(b"/Contents 7 0 R")
    data = data[:at] + b"/Contents (oh)  " + data[at + 15 :]
    found = read(data)
    assert texts(found)[:2] == ["She waits.", "Hello there?"]


def test_too_many_pages():
    with pytest.raises(ScreenplayError, match="has 1,001 pages, more than any screenplay"):
        read(pdf_of([b""] * 1001))


def test_a_bomb_is_not_blown_up():
    bomb = zlib.compress(b" " * 300_000_000, 9)
    data = pdf_of([b"x"] * 1)
    stream = b"<< /Filter /FlateDecode /Length " + str(len(bomb)).encode() + b" >>\nstream\n" + bomb + b"\nendstream"
    with pytest.raises(ScreenplayError, match=r"film\.pdf is damaged"):
        read(data.replace(b"<< /Length 1 >>\nstream\nx\nendstream", stream))


def test_more_text_than_a_screenplay_ends_with_what_was_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reading, "MAX_CHARACTERS", 100)
    found = read(pdf_of([DRAWN["one text object"]] * 4))
    assert [scene.heading for scene in found.scenes] == ["INT. HALL - DAY"] * 2
    assert "page 3: this page holds more text" in found.oddities[-1].what
    monkeypatch.setattr(reading, "MAX_CHARACTERS", 10)
    with pytest.raises(ScreenplayError, match="page 1 holds more text than a screenplay does"):
        read(pdf_of([DRAWN["one text object"]]))


def test_too_slow_ends_with_what_was_read(monkeypatch: pytest.MonkeyPatch):
    clock = [0.0]
    monkeypatch.setattr(reading.time, "monotonic", lambda: clock[-1])
    data = pdf_of([DRAWN["a text object a row"]] * 3)
    found = parse_screenplay(data, "film.pdf", progress=lambda share: clock.append(1e6 * share))
    assert len(found.scenes) == 1
    assert "was not read within 180 seconds" in found.oddities[-1].what


def test_progress_is_told_and_may_stop():
    shares: list[float] = []
    parse_screenplay(pdf_of([DRAWN["out of order"]] * 4), "film.pdf", progress=shares.append)
    assert shares == [0.0, 0.25, 0.5, 0.75]

    def stop(share: float) -> None:
        if share:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse_screenplay(pdf_of([DRAWN["out of order"]] * 4), "film.pdf", progress=stop)
