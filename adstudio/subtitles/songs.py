"""Cues of which a part is sung and a part is spoken: “♪ Happy birthday ♪ Be quiet!”, or a line of each.

Notes on both sides enclose what is sung, also over several lines; all else is spoken. A song that runs on into another
cue has a note on one side only. A line beside it is spoken if a hyphen or a name marks it, or if it ends as a sentence
does, which lyrics rarely do; that last case is called unclear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from adstudio.subtitles.labels import HYPHENS, SENTENCE_END, bracketed, note_signs
from adstudio.subtitles.speakers import speaker_prefix

_MARK = re.compile(rf"(?:[{re.escape(HYPHENS)}]{{1,2}}|>>+)\s*(?=\S)")


class SongPart(NamedTuple):
    """A part of a cue's text."""

    text: str
    sung: bool


class _Piece(NamedTuple):
    """A line or a part of one. `opens`: it starts with notes; `closes`: it ends with them."""

    text: str
    line: int
    opens: bool = False
    closes: bool = False
    marked: bool = False


def song_parts(text: str) -> tuple[list[SongPart], bool]:
    """The sung and the spoken parts of a text in order, and whether that is unclear; none if it is not of both."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    signs = "".join(sorted({sign for line in lines for sign in note_signs(_without_lead(line)[1])}))
    if not any(sign in text for sign in signs):
        return [], False
    pieces = [piece for number, line in enumerate(lines) for piece in _pieces(line, number, signs)]
    sung, unclear = _sung(pieces)
    if all(sung) or not any(sung):
        return [], False
    parts: list[SongPart] = []
    for k, piece in enumerate(pieces):
        if k and sung[k] == sung[k - 1]:
            between = " " if piece.line == pieces[k - 1].line else "\n"
            parts[-1] = SongPart(parts[-1].text + between + piece.text, sung[k])
        else:
            parts.append(SongPart(piece.text, sung[k]))
    return parts, unclear


def _pieces(line: str, number: int, signs: str) -> list[_Piece]:
    """A line in pieces that are wholly sung or wholly spoken."""
    lead, body, marked = _without_lead(line)
    groups = list(re.finditer(rf"[{re.escape(signs)}](?:[\s{re.escape(signs)}]*[{re.escape(signs)}])?", body))
    if not groups or not _has_words(body):
        return [_Piece(lead + body, number, marked=marked)]
    before, after = body[: groups[0].start()], body[groups[-1].end() :]
    opens, closes = not _has_words(before), not _has_words(after)
    if len(groups) == 1 or (opens and closes):
        return [_Piece(lead + body, number, opens=opens, closes=closes, marked=marked)]
    start = 0 if opens else groups[0].start()
    end = len(body) if closes else groups[-1].end()
    found = [] if opens else [_Piece(lead + before.rstrip(HYPHENS + " "), number, marked=True)]
    found.append(_Piece((lead if opens else "") + body[start:end], number, opens=True, closes=True))
    return found if closes else [*found, _Piece(after.lstrip(HYPHENS + " "), number, marked=True)]


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _sung(pieces: Sequence[_Piece]) -> tuple[list[bool], bool]:
    """Which pieces are sung, and whether the end of a sentence had to decide."""
    sung = [piece.opens or piece.closes for piece in pieces]
    unclear = False
    noted = [k for k, piece in enumerate(pieces) if piece.opens or piece.closes]
    for k, following in pairwise([*noted, len(pieces)]):
        between = range(k + 1, following)
        if not pieces[k].opens or pieces[k].closes:
            continue
        marked = next((n for n in between if pieces[n].marked), following)
        enclosed = following < len(pieces) and not pieces[following].opens
        if enclosed and marked == following:
            sung[k:following] = [True] * (following - k)
        elif marked > k + 1:
            spoken = SENTENCE_END.search(pieces[marked - 1].text) is not None
            sung[k + 1 : marked] = [not spoken] * (marked - k - 1)
            unclear = unclear or spoken
    for before, k in pairwise([-1, *noted]):
        opened = before >= 0 and pieces[before].opens and not pieces[before].closes
        if pieces[k].opens or opened or before + 1 == k:
            continue
        if not any(piece.marked for piece in pieces[before + 1 : k + 1]):
            spoken = SENTENCE_END.search(pieces[k - 1].text) is not None
            sung[before + 1 : k] = [not spoken] * (k - before - 1)
            unclear = unclear or spoken
    for k, piece in enumerate(pieces):
        if not _has_words(piece.text):
            sung[k] = sung[k - 1] if k else sung[min(1, len(sung) - 1)]
    return sung, unclear


def _without_lead(line: str) -> tuple[str, str, bool]:
    """A line's name and labels before the words, its words, and whether a hyphen or a name marks a new speaker."""
    mark = _MARK.match(line)
    whole = body = line[mark.end() :] if mark else line
    named = speaker_prefix(body)
    if named is not None:
        body = named[2]
    groups, _ = bracketed(body)
    if groups and not body[: groups[0].start].strip():
        body = body[groups[0].end :].lstrip()
    return whole[: len(whole) - len(body)], body, mark is not None or named is not None
