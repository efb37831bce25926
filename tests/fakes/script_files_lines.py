"""A few lines of a script as they are exported."""

from __future__ import annotations

from adstudio.core.script import Origin
from adstudio.core.timebase import Span
from adstudio.delivery.lines import NextDialogue, ScriptLine


def script_line(number: int, start: int, end: int, text: str, following: str = "", notes: str = "") -> ScriptLine:
    return ScriptLine(
        *(number, Span(start, end), text, len(text.split()), f"e{number}", 0, None, None),
        NextDialogue(end + 500, following, None) if following else None,
        *(notes, False, False, Origin.HUMAN, True, True),
    )


LINES = [
    script_line(1, 1_248, 3_366, "A cat walks, slowly; along the shelf.", "Did you?", "check “cat”"),
    script_line(2, 6_072, 8_543, "-40 °C, says the sign.", "=No"),
    script_line(3, 24_470, 26_941, "Ruth takes a sock."),
]
