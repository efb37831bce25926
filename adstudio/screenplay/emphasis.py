"""Fountain's emphasis taken off a line: *italic*, **bold**, ***both***, _underlined_, and the backslash of escapes."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[*_\\!@.>#=~^\[\]/+&-]|\*{1,3}|_")


def plain(line: str) -> str:
    """A line as it reads, without marks.

    A mark opens before a character that is no space and closes after one, on the same line (so "dialed *69 and *23"
    keeps its stars); an underline neither opens nor closes inside a word. One pass over the line.
    """
    if "*" not in line and "_" not in line and "\\" not in line:
        return line
    pieces: list[str] = []
    opened: dict[str, int] = {}
    at = 0
    for token in _TOKEN.finditer(line):
        mark, start, end = token[0], token.start(), token.end()
        pieces.append(line[at:start])
        at = end
        if mark[0] == "\\":
            pieces.append(mark[1:])
            continue
        before, after = line[start - 1 : start], line[end : end + 1]
        closes = bool(before.strip()) and not (mark == "_" and after.isalnum())
        if closes and mark in opened:
            pieces[opened.pop(mark)] = ""
            continue
        if after.strip() and not (mark == "_" and before.isalnum()):
            opened[mark] = len(pieces)
        pieces.append(mark)
    pieces.append(line[at:])
    return "".join(pieces)
