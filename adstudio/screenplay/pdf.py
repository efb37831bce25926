"""PDF screenplays, read by the position of words on the page.

Uses pypdf: pure Python, maintained, with limits on everything that a hostile file can inflate (pdfminer inflates
streams without limit); it reads all sample files and gives the position of each run of text. Where a run ends is told
by its font's widths (`pdf_widths`), and which gaps are between letters that are set apart by the whole file
(`letter_spacing`).
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from adstudio.core.errors import OutsideFailureError
from adstudio.screenplay.builder import Builder, Place
from adstudio.screenplay.letter_spacing import are_set_apart, is_lost, letter_gap, with_letters_joined
from adstudio.screenplay.page_rows import Row, Segment
from adstudio.screenplay.parsed_screenplay import ScreenplayError
from adstudio.screenplay.pdf_widths import PITCH, FontWidths, Widths

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MAX_PAGES = 1_000
MAX_CHARACTERS = 5_000_000
MAX_SECONDS = 180.0

STANDARD_MARGIN = 15.0
"""The column of action in a file without headings."""
_EDGE_TOP = 0.088
_EDGE_BOTTOM = 0.93
_SAME_ROW = 0.45
_EMPTY_ROW = 1.45
_EMPTY_ROW_OF_WIDE = 1.2
_FEW = 0.1
_ROWS_TO_TELL = 20
_SEGMENT_GAP = 3.5
_SPACE = 0.3
"""Pitches between two runs that are a space; a space has at least 0.4 of them."""
_SAME_PLACE = 0.15
_SCANNED_SHARE = 0.5
_LEAST_PER_PAGE = 30
_TILTED = 0.1


class _Run(NamedTuple):
    """Text drawn at once; `x`, `y` (from the top) and `width` in points; its spaces are as they were found."""

    x: float
    y: float
    size: float
    text: str
    width: float


class _Page(NamedTuple):
    number: int
    height: float
    runs: list[_Run]


class _TooMuchError(Exception):
    """More text or time than a screenplay needs; raised through pypdf."""


def pdf_rows(data: bytes, name: str, builder: Builder, *, progress: Callable[[float], None] | None = None) -> list[Row]:
    """The rows of a PDF; what is odd about it is reported to the builder.

    Raises:
        ScreenplayError: for a PDF that is damaged, locked, too large, or without text.
        OutsideFailureError: if pypdf is not installed.
    """
    with _quiet():
        pages = _pages(data, name, builder, progress)
    texts = [run.text for page in pages for run in page.runs]
    apart = are_set_apart(texts)
    if apart and is_lost(texts):
        raise ScreenplayError(
            f"{name}: the letters of this PDF are set apart, and nothing shows where its words begin: get the "
            "screenplay as Fountain, FDX or text, or run the PDF through text recognition (OCR)"
        )
    pages = [
        page._replace(runs=[run._replace(text=with_letters_joined(run.text, apart=apart)) for run in page.runs])
        for page in pages
    ]
    pitch = _wide_pitch(pages)
    between = letter_gap(_gaps(pages)) if apart else 0.0
    rows = [row for page in pages for row in _rows(page, pitch, between)]
    letters = sum(char.isalnum() for row in rows for segment in row.segments for char in segment.text)
    empty = sum(not page.runs for page in pages)
    if not letters or (empty > _SCANNED_SHARE * len(pages) and letters < _LEAST_PER_PAGE * len(pages)):
        raise ScreenplayError(
            f"{name}: this PDF contains scanned pages without text: run it through text recognition (OCR), "
            "or get the screenplay as Fountain, FDX or a PDF exported by the writing program"
        )
    if empty > _SCANNED_SHARE * len(pages):
        builder.report_oddity(
            f"{empty} of {len(pages)} pages have no text: if they are scanned, they cannot be read", Place(0)
        )
    lost = sum(segment.text.count("\ufffd") for row in rows for segment in row.segments)
    if lost:
        are = "1 character is" if lost == 1 else f"{lost:,} characters are"
        builder.report_oddity(f"{are} in a font without character mapping: shown as \ufffd", Place(0))
    return rows


@contextmanager
def _quiet() -> Generator[None]:
    """Without pypdf's warnings about each small fault in a file."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _pages(data: bytes, name: str, builder: Builder, progress: Callable[[float], None] | None) -> list[_Page]:
    reader = _opened(data, name)
    try:
        count = len(reader.pages)
    except Exception as error:
        raise _damaged(name) from error
    if count > MAX_PAGES:
        raise ScreenplayError(f"{name} has {count:,} pages, too many for a screenplay ({MAX_PAGES:,}): split it")
    if not count:
        raise ScreenplayError(f"{name} has no pages: choose another file")
    deadline = time.monotonic() + MAX_SECONDS
    widths = Widths()
    pages: list[_Page] = []
    characters = 0
    failed: list[int] = []
    for number in range(1, count + 1):
        if progress is not None:
            progress((number - 1) / count)
        try:
            page = _page(reader.pages[number - 1], number, MAX_CHARACTERS - characters, deadline, widths)
        except _TooMuchError as error:
            if not pages:
                raise ScreenplayError(f"{name}: page {number} {error}: this is not a screenplay") from None
            builder.report_oddity(f"this page {error}: only the pages before it were read", Place(0, number))
            break
        except Exception:  # noqa: BLE001 - pypdf raises whatever a damaged page makes Python raise
            failed.append(number)
            continue
        characters += sum(len(run.text) for run in page.runs)
        pages.append(page)
    if failed and not any(page.runs for page in pages):
        raise _damaged(name)
    for number in failed:
        builder.report_oddity("this page is damaged and could not be read", Place(0, number))
    return pages


def _opened(data: bytes, name: str) -> PdfReader:
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError
    except ImportError:
        raise OutsideFailureError("the PDF reader is not installed: run packaging/setup.sh again") from None
    try:
        reader = PdfReader(BytesIO(data))
        open_to_all = not reader.is_encrypted or bool(reader.decrypt(""))
    except (DependencyError, NotImplementedError):
        open_to_all, reader = False, None
    except Exception as error:
        raise _damaged(name) from error
    if reader is None or not open_to_all:
        raise ScreenplayError(f"{name} is password-protected: save it as a PDF without a password and use that")
    return reader


def _damaged(name: str) -> ScreenplayError:
    return ScreenplayError(f"{name} is damaged and cannot be read as a PDF: export or download it again")


def _page(page: PageObject, number: int, characters: int, deadline: float, widths: Widths) -> _Page:
    box = page.mediabox
    top, left = float(box.top), float(box.left)
    runs: list[_Run] = []
    left_over = characters
    spacing = 0.0

    def on_operand(operator: bytes, operands: Sequence[Any], _cm: Any, _tm: Any) -> None:  # noqa: ANN401
        nonlocal spacing
        if operator == b"Tc":
            given = operands[0] if operands else 0.0
            spacing = float(given) if isinstance(given, int | float) else 0.0

    def on_text(text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:  # noqa: ANN401
        nonlocal left_over
        left_over -= len(text)
        if left_over < 0:
            raise _TooMuchError("has more text than a screenplay can")
        if time.monotonic() > deadline:
            raise _TooMuchError(f"could not be read within {MAX_SECONDS:.0f} s")
        run = _run(text, cm, tm, size, widths.of(font), spacing)
        if run is not None:
            runs.append(run._replace(x=run.x - left, y=top - run.y))

    page.extract_text(visitor_operand_before=on_operand, visitor_text=on_text)
    return _Page(number, float(box.height) or 1.0, runs)


def _run(
    text: str, cm: Sequence[float], tm: Sequence[float], size: float, font: FontWidths, spacing: float
) -> _Run | None:
    """Text as it was drawn; `spacing` is what is between its letters, in the units of the text matrix."""
    stripped = text.strip("\n\r")
    if not stripped.strip():
        return None
    x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
    y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
    across, tilt = tm[0] * cm[0] + tm[1] * cm[2], tm[0] * cm[1] + tm[1] * cm[3]
    if abs(tilt) > _TILTED * abs(across):
        return None  # a watermark over the page
    down = tm[2] * cm[1] + tm[3] * cm[3]
    points = abs(size * down)
    if not 4 <= points <= 72:
        points = 12.0
    shown = "".join("\ufffd" if ord(char) < 32 and char not in "\n\t" else char for char in stripped)
    lead = len(shown) - len(shown.lstrip(" "))
    inner = shown.strip(" ")
    spaced = (" " if lead else "") + inner + (" " if shown.endswith(" ") else "")
    pitch = points * PITCH
    width = font.of(" ".join(inner.split())) * points + max(0.0, spacing * abs(across)) * len(inner)
    # pypdf puts one space before text that is drawn after a gap.
    return _Run(x + max(0, lead - 1) * (pitch if font.fixed else pitch / 2), y, points, spaced, width)


def _wide_pitch(pages: Sequence[_Page]) -> float:
    """The distance of rows, in points, in a double-spaced text whose paragraphs are further apart; else 0."""
    steps: Counter[int] = Counter()
    sizes: Counter[int] = Counter()
    for page in pages:
        heights = sorted(run.y for run in page.runs)
        steps.update(round(below - above) for above, below in pairwise(heights) if below - above > 1)
        sizes.update(round(run.size) for run in page.runs)
    if steps.total() < _ROWS_TO_TELL:
        return 0.0
    (pitch, _), (size, _) = steps.most_common(1)[0], sizes.most_common(1)[0]
    wide = sum(count for step, count in steps.items() if step > _EMPTY_ROW_OF_WIDE * pitch)
    return float(pitch) if pitch > _EMPTY_ROW * size and wide >= _FEW * steps.total() else 0.0


def _at_one_height(page: _Page) -> Iterator[list[_Run]]:
    """The runs of each row from the left, rows from the top."""
    ordered = sorted(page.runs, key=lambda run: (run.y, run.x))
    at = 0
    while at < len(ordered):
        first = ordered[at]
        end = at
        while end < len(ordered) and ordered[end].y - first.y < _SAME_ROW * first.size:
            end += 1
        yield sorted(ordered[at:end], key=lambda run: run.x)
        at = end


def _gaps(pages: Sequence[_Page]) -> Iterator[float]:
    """The gaps between single letters that are drawn one by one, in pitches."""
    for page in pages:
        for row in _at_one_height(page):
            yield from (_free(one, other) for one, other in pairwise(row) if len(one.text) == len(other.text) == 1)


def _free(one: _Run, other: _Run) -> float:
    """What is between two runs, in pitches."""
    return (other.x - one.x - one.width) / (other.size * PITCH)


def _rows(page: _Page, pitch: float = 0.0, between: float = 0.0) -> list[Row]:
    """The page's rows from the top; runs at one height form a row, split where three columns or more are free.

    `pitch` is the distance of rows in a double-spaced text; 0 in any other. `between` is what is between letters.
    """
    rows: list[Row] = []
    last_y, last_size = -1e9, 12.0
    for together in _at_one_height(page):
        first = min(together, key=lambda run: (run.y, run.x))
        share = first.y / page.height
        least = _EMPTY_ROW_OF_WIDE * pitch or _EMPTY_ROW * max(last_size, min(first.size, 12.0))
        gap = first.y - last_y > least
        edge = share < _EDGE_TOP or share > _EDGE_BOTTOM
        rows.append(Row(_segments(together, between), Place(len(rows) + 1, page.number), gap=gap, edge=edge))
        last_y, last_size = first.y, first.size
    return rows


def _segments(runs: list[_Run], between: float) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    last: _Run | None = None
    for run in runs:
        if last is not None and run.text == last.text and run.x - last.x < run.size * _SAME_PLACE:
            continue  # drawn twice to look bold
        free = _free(last, run) - between if last is not None else 0.0
        if segments and free < _SEGMENT_GAP:
            before = segments[-1]
            segments[-1] = Segment(before.left, before.text + (" " if free > _SPACE else "") + run.text)
        else:
            segments.append(Segment(run.x / (12 * PITCH), run.text))
        last = run
    return tuple(Segment(segment.left, " ".join(segment.text.split())) for segment in segments)
