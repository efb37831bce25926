"""Screenplays as a writing program prints them, for the tests: rows on pages, as text and as PDF.

Nothing here uses the readers: the layout is that of the trade's usual templates (ten characters an inch, action from
1.5 in, speech from 2.5 in and 35 wide, parentheticals from 3.1 in, names from 3.7 in, transitions at the right).
"""

from __future__ import annotations

import textwrap
import zlib
from typing import NamedTuple

ACTION, SPEECH, ASIDE, NAME, RIGHT = 0, 10, 16, 22, 45
ROWS_ON_PAGE = 54


class Piece(NamedTuple):
    """One paragraph: heading, action, transition, or a speech with its name and (text or "(aside)") rows."""

    kind: str
    text: str
    spoken: tuple[str, ...] = ()
    number: str = ""


class Printed(NamedTuple):
    """A row: what stands at which columns from the column of action; nothing for an empty row."""

    cells: tuple[tuple[int, str], ...] = ()


def pages(pieces: list[Piece], *, header: str = "", continued: bool = True) -> list[list[Printed]]:
    """Rows on pages: a header with the page number, "(CONTINUED)" and "CONTINUED:", "(MORE)" and "(CONT'D)"."""
    done: list[list[Printed]] = []
    page: list[Printed] = []

    def turn(*, first_on_next: list[Printed]) -> None:
        nonlocal page
        if continued:
            page += [Printed(), Printed(((RIGHT, "(CONTINUED)"),))]
        done.append(page)
        page = []
        if continued:
            page += [Printed(((ACTION, f"CONTINUED: ({len(done) + 1})"),)), Printed()]
        page += first_on_next

    for piece in pieces:
        rows = _rows(piece)
        room = ROWS_ON_PAGE - 4
        if len(page) + min(len(rows), 4) + 1 > room:
            turn(first_on_next=[])
        elif page:
            page.append(Printed())
        for at, row in enumerate(rows):
            if len(page) >= room and at >= 2:
                more = piece.kind == "speech"
                if more:
                    page.append(Printed(((NAME, "(MORE)"),)))
                name = Printed(((NAME, f"{piece.text} (CONT'D)"),))
                turn(first_on_next=[name] if more else [])
            page.append(row)
    done.append(page)
    if not header:
        return done
    return [[Printed(((0, header), (57, f"{at}."))), Printed(), *rows] for at, rows in enumerate(done, 1)]


def _rows(piece: Piece) -> list[Printed]:
    if piece.kind == "heading":
        numbers = [(-8, piece.number), (58, piece.number)] if piece.number else []
        numbers = numbers[: 1 if len(piece.text) > 54 else 2]
        cells = sorted([*numbers, (ACTION, piece.text)])
        return [Printed(tuple(cells))]
    if piece.kind == "transition":
        return [Printed(((max(RIGHT, 60 - len(piece.text)), piece.text),))]
    if piece.kind == "action":
        return [Printed(((ACTION, row),)) for row in textwrap.wrap(piece.text, 60, break_on_hyphens=False)]
    rows = [Printed(((NAME, piece.text),))]
    for spoken in piece.spoken:
        column, width = (ASIDE, 20) if spoken.startswith("(") else (SPEECH, 35)
        rows += [Printed(((column, row),)) for row in textwrap.wrap(spoken, width, break_on_hyphens=False)]
    return rows


def as_text(printed: list[list[Printed]], *, margin: int = 15, feed: str = "\f") -> str:
    """The pages as plain text with a margin."""
    texts: list[str] = []
    for page in printed:
        lines: list[str] = []
        for row in page:
            line = ""
            for column, text in row.cells:
                line = line.ljust(margin + column) + text
            lines.append(line)
        texts.append("\n".join(lines) + "\n")
    return feed.join(texts)


def as_pdf(printed: list[list[Printed]], *, packed: bool = True, header_first: bool = False) -> bytes:
    """The pages as PDF, each row a text object of its own; with `header_first` row one stands in the top margin."""
    contents: list[str] = []
    for page in printed:
        drawn: list[str] = []
        top = 36 if header_first else 72
        for at, row in enumerate(page):
            y = 792 - (top if at == 0 else 72 + 12 * (at - (2 if header_first else 0))) - 10
            for column, text in row.cells:
                escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
                drawn.append(f"BT /F1 12 Tf 1 0 0 1 {108 + 7.2 * column:.1f} {y} Tm ({escaped}) Tj ET")
        contents.append("\n".join(drawn))
    return pdf_of([content.encode("cp1252") for content in contents], packed=packed)


def pdf_of(contents: list[bytes], *, packed: bool = False, extra: bytes = b"", font: str = "Courier") -> bytes:
    """A PDF whose pages have these content streams and that font as /F1."""
    count = len(contents)
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(count))
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode(),
    ]
    for at, content in enumerate(contents):
        resources = "<< /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {resources} "
            f"/Contents {5 + 2 * at} 0 R >>".encode()
        )
        stream = zlib.compress(content) if packed else content
        how = b"/Filter /FlateDecode " if packed else b""
        head = b"<< " + how + f"/Length {len(stream)} >>".encode()
        objects.append(head + b"\nstream\n" + stream + b"\nendstream")
    made = bytearray(b"%PDF-1.4\n")
    offsets: list[int] = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(made))
        made += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(made)
    made += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    made += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    made += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {extra.decode()}>>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(made)


def pieces_of_fountain(text: str) -> list[Piece]:
    """The paragraphs of a simple Fountain text (no markup but forced headings and transitions), by its blank lines."""
    pieces: list[Piece] = []
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.strip().split("\n") if line.strip()]
        if not lines or lines[0].startswith(("#", "=")):
            continue
        first = lines[0]
        if first.startswith((".", "INT", "EXT")) and not first.startswith(".."):
            pieces.append(Piece("heading", first.lstrip("."), number=str(1 + sum(p.kind == "heading" for p in pieces))))
        elif first.startswith(">") and first.endswith("<"):
            pieces.append(Piece("action", " ".join(line.strip("<> ") for line in lines)))
        elif first.startswith(">") or (first.isupper() and first.endswith("TO:")):
            pieces.append(Piece("transition", first.lstrip("> ")))
        elif len(lines) > 1 and first.upper() == first:
            pieces.append(Piece("speech", first, tuple(lines[1:])))
        else:
            pieces.append(Piece("action", " ".join(" ".join(lines).split())))
    return pieces
