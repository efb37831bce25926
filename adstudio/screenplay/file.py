"""Reading a screenplay file of any form: the form by what is in it, then by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from adstudio.screenplay.builder import Builder, Place
from adstudio.screenplay.fdx import is_fdx, read_fdx
from adstudio.screenplay.fountain import read_fountain
from adstudio.screenplay.language import guess_language
from adstudio.screenplay.parsed_screenplay import Action, Form, Screenplay, ScreenplayError, Speech
from adstudio.screenplay.plain import is_laid_out, read_laid_out, without_page_rows
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.errors import SubtitleError
from adstudio.system.files import read_bounded

MAX_BYTES = 100_000_000
"""A screenplay is 200 kB; a PDF of one with pictures a few MB."""
MAX_CHARACTERS = 5_000_000
LONGEST_LINE = 200_000

_FOUNTAIN_SUFFIXES = (".fountain", ".spmd", ".ftn")
_CONTROLS = frozenset(map(chr, (*range(9), *range(14, 32), 127))) - {"\x1a"}
_NOT_THESE = (
    (b"PK\x03\x04", "a zipped document (Word, OpenOffice, Celtx …)"),
    (b"\xd0\xcf\x11\xe0", "an old Word document"),
    (b"{\\rtf", "an RTF document"),
)


def read_screenplay(path: Path, *, progress: Callable[[float], None] | None = None) -> Screenplay:
    """The screenplay in a file.

    `progress` is told the share of a PDF's pages that are read; it may raise to stop the reading.

    Raises:
        ScreenplayError: for a file that is no screenplay; says how to mend it.
        BadInputError: for a missing file, a folder, a pipe or device, or a file of more than 100 MB.
        OutsideFailureError: for a file that may not be read, or where the PDF reader is not installed.
    """
    data = read_bounded(path, MAX_BYTES, "screenplay")
    return parse_screenplay(data, str(path), progress=progress)


def parse_screenplay(data: bytes, name: str, *, progress: Callable[[float], None] | None = None) -> Screenplay:
    """The screenplay in a file's bytes; the name is for messages and for what its ending says of the form.

    Raises:
        ScreenplayError: as `read_screenplay`.
    """
    builder = Builder()
    if b"%PDF-" in data[:1024]:
        from adstudio.screenplay.pdf import read_pdf

        read_pdf(data, name, builder, progress=progress)
        form = Form.PDF
    else:
        form = _text(data, name, builder)
    found = builder.screenplay(form)
    if not found.scenes:
        raise ScreenplayError(f"{name} holds no screenplay, it is empty: choose another file")
    return replace(found, language=guess_language(_texts(found)))


def _texts(screenplay: Screenplay) -> Iterator[str]:
    for scene in screenplay.scenes:
        for part in scene.parts:
            if isinstance(part, Action | Speech):
                yield part.text
    for scene in screenplay.scenes:
        yield scene.heading


def _text(data: bytes, name: str, builder: Builder) -> Form:
    for start, kind in _NOT_THESE:
        if data.startswith(start):
            raise ScreenplayError(f"{name} is {kind}: save it as PDF, Fountain, FDX or plain text and choose that")
    if not data.strip():
        raise ScreenplayError(f"{name} is empty: choose a screenplay")
    try:
        source, oddities = decode(data, name)
    except SubtitleError:
        raise ScreenplayError(f"{name} is no text: choose a screenplay (Fountain, FDX, PDF or plain text)") from None
    if len(source.text) > MAX_CHARACTERS:
        raise ScreenplayError(f"{name} is longer than any screenplay ({len(source.text):,} characters): split it")
    text = source.clean(source.text).replace("\r\n", "\n").replace("\r", "\n")
    controls = sum(text.count(char) for char in _CONTROLS)
    if controls * 50 > len(text):
        raise ScreenplayError(f"{name} is no text: choose a screenplay (Fountain, FDX, PDF or plain text)")
    for oddity in oddities:
        builder.odd(oddity.what, Place(oddity.line or 0))
    if is_fdx(text):
        read_fdx(source, name, builder)
        return Form.FDX
    _refuse_others(text, name)
    text = text.translate({ord(char): None for char in _CONTROLS}).removesuffix("\x1a")
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        raise ScreenplayError(f"{name} has a line of more than {LONGEST_LINE:,} characters: that is no screenplay")
    if name.lower().endswith(_FOUNTAIN_SUFFIXES):
        read_fountain(text, builder)
        return Form.FOUNTAIN
    if is_laid_out(text):
        read_laid_out(text, builder)
    else:
        read_fountain(without_page_rows(text), builder)
    return Form.TEXT


def _refuse_others(text: str, name: str) -> None:
    """Other kinds of text file that are taken for screenplays by mistake."""
    start = text[:2000].lstrip().lower()
    if text.count(" --> ") >= 3 or start.startswith(("webvtt", "[script info]")) or "<tt " in start:
        raise ScreenplayError(f"{name} holds subtitles, not a screenplay: give it where the subtitles are asked for")
    if start.startswith(("<!doctype html", "<html")):
        raise ScreenplayError(f"{name} is a web page: copy the screenplay's text into a plain text file")
    if start.startswith("<?xml") or (start.startswith("{") and start.rstrip().endswith(("}", ",", "[", "{", '"'))):
        raise ScreenplayError(f"{name} is no screenplay of a known form: give Fountain, FDX, PDF or plain text")
