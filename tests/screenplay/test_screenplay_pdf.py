"""PDFs: how their text is drawn, and those that cannot be read."""

from __future__ import annotations

import zlib
from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from screenplay_pages import Piece, as_pdf, pages, pdf_of

from adstudio.screenplay import pdf as reading
from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayError, Speech

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


def test_watermarks_and_text_drawn_twice():
    tilted = b"BT /F1 60 Tf .7 .7 -.7 .7 150 300 Tm (CONFIDENTIAL) Tj ET "
    twice = b"BT /F1 12 Tf 108.3 710 Td (INT. HALL - DAY) Tj ET "
    found = read(pdf_of([tilted + twice + DRAWN["a text object a row"]]))
    assert [scene.heading for scene in found.scenes] == ["INT. HALL - DAY"]
    assert texts(found) == ["She waits.", "Hello there?"]


def test_letters_of_unequal_width():
    rows = b"BT /F1 12 Tf 108 710 Td (INT. HALL) Tj ET BT /F1 12 Tf 108 686 Td (She said ) Tj ET "
    rows += b"BT /F1 12 Tf 157 686 Td (never) Tj ET BT /F1 12 Tf 188 686 Td (again, with a smile.) Tj ET"
    found = read(pdf_of([rows]).replace(b"/Courier", b"/Times-Roman"))
    assert texts(found) == ["She said never again, with a smile."]


def test_headers_and_footers():
    head = b"BT /F1 12 Tf 108 756 Td (THE HALL) Tj ET BT /F1 12 Tf 460 756 Td (%d.) Tj ET "
    foot = b"BT /F1 12 Tf 250 30 Td (Third draft, page %d) Tj ET "
    found = read(pdf_of([head % at + foot % at + DRAWN["a text object a row"] for at in range(1, 5)]))
    assert texts(found) == ["She waits.", "Hello there?"] * 4
    assert not found.oddities


FEET = {
    "a page number in words": b"BT /F1 12 Tf 250 30 Td (Third draft, page %d) Tj ET ",
    "title and author": b"BT /F1 12 Tf 250 30 Td (The Hall by A. B.) Tj ET ",
    "an address at the top": b"BT /F1 12 Tf 330 760 Td (write to hall@example.org) Tj ET ",
}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("how", FEET)
def test_headers_and_footers_of_few_pages(how: str, count: int):
    foot = FEET[how]
    numbered = [foot % at if b"%d" in foot else foot for at in range(1, count + 1)]
    found = read(pdf_of([each + DRAWN["a text object a row"] for each in numbered]))
    assert texts(found) == ["She waits.", "Hello there?"] * count
    assert not found.oddities


def test_footers_under_the_action_of_two_pages():
    foot = b"BT /F1 12 Tf 108 30 Td (The Hall, draft of 3 May) Tj ET "
    found = read(pdf_of([foot + DRAWN["a text object a row"]] * 2))
    assert texts(found) == ["She waits.", "Hello there?"] * 2


def test_action_that_reaches_into_the_margin_of_few_pages_is_action():
    low = b"BT /F1 12 Tf 108 40 Td (She leaves by the window.) Tj ET "
    found = read(pdf_of([DRAWN["a text object a row"], low + DRAWN["a text object a row"]]))
    assert texts(found)[-1] == "She leaves by the window."


def test_a_first_page_that_is_hardly_written_on_is_the_title_page():
    title = b"BT /F1 12 Tf 108 500 Td (THE HALL) Tj ET BT /F1 12 Tf 108 470 Td (by A. B.) Tj ET"
    found = read(pdf_of([title, DRAWN["a text object a row"]]))
    assert (found.title, found.title_page[1]) == ("THE HALL", ("Text", "by A. B."))
    assert len(found.scenes) == 1


def test_pages_without_text_among_others_are_told():
    found = read(pdf_of([DRAWN["a text object a row"] * 1, *[b"q Q"] * 2]).replace(b"She waits.", b"She waits." * 12))
    assert [oddity.what for oddity in found.oddities] == [
        "2 of 3 pages have no text: if they are scanned, they cannot be read"
    ]


def test_a_scan_with_a_stamp_is_a_scan():
    with pytest.raises(ScreenplayError, match="contains scanned pages"):
        read(pdf_of([b"BT /F1 12 Tf 108 710 Td (Scanned by X) Tj ET", *[b"q Q"] * 3]))


def test_a_scan_is_said_to_be_one():
    with pytest.raises(ScreenplayError, match=r"film\.pdf: this PDF contains scanned pages without text"):
        read(pdf_of([b"q 612 0 0 792 0 0 cm Q"] * 3))


def test_locked():
    writer = PdfWriter(clone_from=PdfReader(BytesIO(as_pdf(pages(PIECES)))))
    writer.encrypt("secret", algorithm="RC4-128")
    locked = BytesIO()
    writer.write(locked)
    with pytest.raises(ScreenplayError, match=r"film\.pdf is password-protected: save it"):
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


def with_bomb(pages_before: int) -> bytes:
    """A PDF whose last page is 100 MB of spaces when it is unpacked."""
    bomb = zlib.compress(b" " * 100_000_000, 1)
    stream = b"<< /Filter /FlateDecode /Length " + str(len(bomb)).encode() + b" >>\nstream\n" + bomb + b"\nendstream"
    data = pdf_of([*[DRAWN["out of order"]] * pages_before, b"x"])
    return data.replace(b"<< /Length 1 >>\nstream\nx\nendstream", stream)


def test_a_damaged_page_is_passed_over_and_told():
    found = read(with_bomb(2))
    assert texts(found) == ["She waits.", "Hello there?"] * 2
    assert [oddity.what for oddity in found.oddities] == ["page 3: this page is damaged and could not be read"]


def test_a_bomb_is_not_blown_up():
    with pytest.raises(ScreenplayError, match=r"film\.pdf is damaged"):
        read(with_bomb(0))


def test_too_many_pages():
    with pytest.raises(ScreenplayError, match="has 1,001 pages, too many for a screenplay"):
        read(pdf_of([b""] * 1001))


def test_more_text_than_a_screenplay_ends_with_what_was_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reading, "MAX_CHARACTERS", 100)
    found = read(pdf_of([DRAWN["one text object"]] * 4))
    assert [scene.heading for scene in found.scenes] == ["INT. HALL - DAY"] * 2
    assert "page 3: this page has more text" in found.oddities[-1].what
    monkeypatch.setattr(reading, "MAX_CHARACTERS", 10)
    with pytest.raises(ScreenplayError, match="page 1 has more text than a screenplay can"):
        read(pdf_of([DRAWN["one text object"]]))


def test_too_slow_ends_with_what_was_read(monkeypatch: pytest.MonkeyPatch):
    clock = [0.0]
    monkeypatch.setattr(reading.time, "monotonic", lambda: clock[-1])
    data = pdf_of([DRAWN["a text object a row"]] * 3)
    found = parse_screenplay(data, "film.pdf", progress=lambda share: clock.append(1e6 * share))
    assert len(found.scenes) == 1
    assert "could not be read within 180 s" in found.oddities[-1].what


def test_progress_is_told_and_may_stop():
    shares: list[float] = []
    parse_screenplay(pdf_of([DRAWN["out of order"]] * 4), "film.pdf", progress=shares.append)
    assert shares == [0.0, 0.25, 0.5, 0.75]

    def stop(share: float) -> None:
        if share:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse_screenplay(pdf_of([DRAWN["out of order"]] * 4), "film.pdf", progress=stop)
