"""Finds keys that a server sends back: in pieces, in base64 or hexadecimal, or with anything between the characters."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import pairwise

MASK = "•••"
LEAST = 8
"""A key with fewer letters and digits may be part of ordinary words: it is only found as it is."""
PIECE = 12
"""Letters and digits of a key in a row that are a piece of it."""
HELD = 4
"""Letters and digits of a key at the end of a chunk for which the next chunk is awaited."""
_BETWEEN = re.compile(r"[^A-Za-z0-9]+")


def disguises(key: str) -> tuple[str, ...]:
    """The letters and digits of a key as it is, in base64 behind any other text, and in hexadecimal."""
    data = key.encode()
    forms = [key, data.hex(), data.hex().upper()]
    for before in range(3):
        # Characters that also encode what stands before or behind the key are left out.
        encoded = b64encode(b"\0" * before + data).decode()
        forms.append(encoded[-(-before * 8 // 6) : (before + len(data)) * 8 // 6])
    bare = tuple(_BETWEEN.sub("", form) for form in forms)
    return bare if len(bare[0]) >= LEAST else ()


def mask_echoes(text: str, keys: Iterable[str]) -> str:
    """The text with each piece of these keys masked."""
    forms = [form for key in keys for form in disguises(key)]
    return _masked(text, 0, _pieces(text, forms)) if forms else text


class EchoFilter:
    """Masks the pieces of a key in a text that arrives in chunks, wherever it is cut."""

    def __init__(self, key: str | None) -> None:
        self._forms = disguises(key or "")
        self._longest = max(map(len, self._forms), default=0)
        self._passed = ""
        """The last letters and digits that were passed on."""
        self._held = ""

    def feed(self, chunk: str) -> str:
        """What can be passed on now that this has arrived."""
        return self._pass(self._held + chunk, last=False) if self._forms else chunk

    def flush(self) -> str:
        """What was held back, at the end of the text."""
        return self._pass(self._held, last=True)

    def _pass(self, text: str, *, last: bool) -> str:
        known = len(self._passed)
        whole = self._passed + text
        end = len(whole) if last else max(_beginning(whole, self._forms), known)
        self._held = whole[end:]
        self._passed = _BETWEEN.sub("", whole[:end])[-self._longest :]
        return _masked(whole[:end], known, _pieces(whole, self._forms))


def _pieces(text: str, forms: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where pieces of these forms are, as spans of the text."""
    bare = _BETWEEN.sub("", text)
    starts: set[int] = set()
    for form in forms:
        size = min(PIECE, len(form))
        for first in range(len(form) - size + 1):
            piece, at = form[first : first + size], -1
            while (at := bare.find(piece, at + 1)) >= 0:
                starts.update(range(at, at + size))
    if starts:
        places = [place for place, letter in enumerate(text) if letter.isascii() and letter.isalnum()]
        begin = previous = -1
        for each in sorted(starts):
            if begin >= 0 and each != previous + 1:
                yield places[begin], places[previous] + 1
                begin = -1
            begin, previous = (each if begin < 0 else begin), each
        yield places[begin], places[previous] + 1


def _masked(text: str, start: int, spans: Iterator[tuple[int, int]]) -> str:
    """The text from `start`, with these spans masked; a span that began before it is masked from there."""
    found = [(max(a, start), min(b, len(text))) for a, b in spans if b > start and a < len(text)]
    edges = [(0, start), *found, (len(text), len(text))]
    return MASK.join(text[left[1] : right[0]] for left, right in pairwise(edges))


def _beginning(text: str, forms: Iterable[str]) -> int:
    """Where the end of the text that may be the beginning or middle of one of these forms begins."""
    bare = _BETWEEN.sub("", text)
    longest = 0
    for form in forms:
        size = HELD
        while size <= len(bare) and bare[-size:] in form:
            longest, size = max(longest, size), size + 1
    place = len(text)
    while longest and place:
        place -= 1
        longest -= text[place].isascii() and text[place].isalnum()
    return place
