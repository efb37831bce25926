"""The script as subtitles: SRT, and WebVTT of the kind `descriptions`. Both hold every millisecond."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterable
from typing import Any

from adstudio.core.timebase import clock
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.text import encoded, on_one_line, text_lines

_ARROW = "-->"
_TIMING_LIKE = re.compile(
    r"(\A\s*[-+\u2212]?\d[\d:.,;\s]*)(?:(?:[-=\u2012-\u2015\u2212]\s?){1,4}>|[\u2192\u279c\u27f6\u21d2])(?=\s*[-+\u2212]?\d)"
)
"""The beginning of a line that tolerant readers take for the times of a cue: a time, an arrow of some kind, a digit."""


def srt(lines: Iterable[ScriptLine]) -> bytes:
    """SubRip, in UTF-8 without a byte-order mark, written by pysrt.

    SubRip has no way to escape anything: an arrow `-->` in a text, and any other arrow in a line that would be taken
    for the times of a cue, is written as …; empty lines inside a text are left out. All else keeps its bytes.
    """
    # pysrt has no types.
    pysrt: Any = importlib.import_module("pysrt")
    items = [
        pysrt.SubRipItem(
            line.number,
            pysrt.SubRipTime.from_ordinal(line.span.start),
            pysrt.SubRipTime.from_ordinal(line.span.end),
            "\n".join(_no_timing(text) for text in text_lines(line.text)),
        )
        for line in lines
    ]
    written = io.StringIO()
    pysrt.SubRipFile(items).write_into(written, eol="\n")
    return encoded(written.getvalue())


def vtt(lines: Iterable[ScriptLine], *, language: str, title: str = "") -> bytes:
    """WebVTT for a track of `kind="descriptions"`, in UTF-8; a NOTE names kind, language and title.

    Cues are named by their numbers. `&`, `<` and `>` are escaped, so that no text can be taken for markup or for a
    timing line; empty lines inside a text are left out.
    """
    note = f"NOTE\nkind=descriptions\nlanguage={_note(language)}"
    if title:
        note += f"\ntitle={_note(title)}"
    cues = (
        f"{line.number}\n{clock(line.span.start)} {_ARROW} {clock(line.span.end)}\n{_payload(line.text)}"
        for line in lines
    )
    return encoded("\n\n".join(["WEBVTT", note, *cues]) + "\n")


def _no_timing(text: str) -> str:
    return _TIMING_LIKE.sub(r"\1…", text.replace(_ARROW, "…"))


def _payload(text: str) -> str:
    plain = "\n".join(text_lines(text))
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _note(text: str) -> str:
    return on_one_line(text).replace(_ARROW, "…")
