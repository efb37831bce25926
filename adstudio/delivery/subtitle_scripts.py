"""The script as subtitles: SRT, and WebVTT of kind `descriptions`. Both keep every millisecond."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterable
from typing import Any, Protocol

from adstudio.core.timebase import Span, clock
from adstudio.delivery.text import encoded, on_one_line, text_lines

_ARROW = "-->"
_LIKE_TIMING = re.compile(
    r"(\A\s*[-+\u2212]?\d[\d:.,;\s]*)(?:(?:[-=\u2012-\u2015\u2212]\s?){1,4}>|[\u2192\u279c\u27f6\u21d2])(?=\s*[-+\u2212]?\d)"
)
"""The start of a line that tolerant readers mistake for cue times: a time, some kind of arrow, a digit."""


class TimedText(Protocol):
    """What is shown as a subtitle: a line of the script, or a caption."""

    @property
    def number(self) -> int:
        """From 1."""
        ...

    @property
    def span(self) -> Span:
        """In milliseconds."""
        ...

    @property
    def text(self) -> str:
        """Of any number of lines."""
        ...


def srt(lines: Iterable[TimedText], *, offset: int = 0) -> bytes:
    """SubRip, in UTF-8 without a byte-order mark, written by pysrt; `offset` (ms) is added to all times.

    Blocks count from 1 without a break, as SubRip demands, whatever the numbers of the lines. SubRip has no escapes:
    arrows in a text that readers would mistake for cue times become …, and empty lines inside a text are dropped.
    Everything else is unchanged.
    """
    # pysrt has no types.
    pysrt: Any = importlib.import_module("pysrt")
    items = [
        pysrt.SubRipItem(
            number,
            pysrt.SubRipTime.from_ordinal(line.span.start + offset),
            pysrt.SubRipTime.from_ordinal(line.span.end + offset),
            "\n".join(_no_timing(text) for text in text_lines(line.text)),
        )
        for number, line in enumerate(lines, 1)
    ]
    written = io.StringIO()
    pysrt.SubRipFile(items).write_into(written, eol="\n")
    return encoded(written.getvalue())


def vtt(lines: Iterable[TimedText], *, language: str, title: str = "", offset: int = 0) -> bytes:
    """WebVTT for a track of `kind="descriptions"`, in UTF-8; a NOTE names kind, language and title.

    Cue identifiers are line numbers, and `offset` (ms) is added to all times. `&`, `<`, `>` and arrows are escaped, so
    that no text is mistaken for markup or cue times; empty lines inside a text are dropped.
    """
    note = f"NOTE\nkind=descriptions\nlanguage={_note(language)}"
    if title:
        note += f"\ntitle={_note(title)}"
    cues = (
        f"{line.number}\n{clock(line.span.start + offset)} {_ARROW} {clock(line.span.end + offset)}\n"
        f"{_payload(line.text)}"
        for line in lines
    )
    return encoded("\n\n".join(["WEBVTT", note, *cues]) + "\n")


def _no_timing(text: str) -> str:
    return _LIKE_TIMING.sub(r"\1…", text.replace(_ARROW, "…"))


# Arrows too: tolerant readers take `00:01→00:02` for cue times.
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;"} | {arrow: f"&#x{ord(arrow):x};" for arrow in "\u2192\u279c\u27f6\u21d2"}
)


def _payload(text: str) -> str:
    return "\n".join(text_lines(text)).translate(_ESCAPES)


def _note(text: str) -> str:
    return on_one_line(text).replace(_ARROW, "…")
