"""The text of SRT and WebVTT cues as a viewer reads it: without tags, with decoded entities, otherwise unchanged.

Only existing tags are removed: “a < b and c > d”, “<MAN>” and “<3” are text. Every pattern runs in linear time.
"""

from __future__ import annotations

import html
import re

from adstudio.subtitles.parsed_file import Voice

_TAG = re.compile(
    r"<(?:(/?)(v|lang|c|i|b|u|s|em|strong|font|span|ruby|rt|rp|br|strike|tt)((?:[.\s/][^<>]*)?)|(\d+(?::\d+){1,2}[.,]\d+))>",
    re.IGNORECASE,
)
_OVERRIDE = re.compile(r"\{\\[^{}]*\}")
_EDGES = (" \n", "\n ", "\t", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def viewer_text(raw: str) -> tuple[str, tuple[Voice, ...]]:
    """A cue's text as a viewer reads it, lines joined by line feeds, and the speakers named by `<v>` tags."""
    if "<" not in raw and "&" not in raw and "{" not in raw:
        return trimmed(raw), ()
    raw = _OVERRIDE.sub("", raw)
    pieces: list[str] = []
    voices: list[tuple[str, int]] = []
    at = hidden = length = 0
    for match in _TAG.finditer(raw):
        if not hidden:
            pieces.append(decode_entities(raw[at : match.start()]))
            length += len(pieces[-1])
        at = match.end()
        closing, name, rest = match[1], (match[2] or "").lower(), match[3] or ""
        if name in ("rt", "rp"):
            hidden = 0 if closing else 1
        elif name == "br" and not hidden:
            pieces.append("\n")
            length += 1
        elif name == "v" and not closing:
            voices.append((_voice_name(rest), length))
    if not hidden:
        pieces.append(decode_entities(raw[at:]))
    # An entity can be a carriage return, which ends a line like any other.
    return _trimmed_with_voices("".join(pieces).replace("\r", "\n"), voices)


def decode_entities(text: str) -> str:
    """A text with entities such as `&amp;`, `&nbsp;` and `&#233;` decoded; other ampersands stay."""
    return _ENTITY.sub(lambda match: html.unescape(match[0]), text) if "&" in text else text


def _voice_name(rest: str) -> str:
    # In <v.loud.first Anna>, classes end at the first white space.
    _, _, name = rest.partition(" ") if not rest[:1].isspace() else ("", "", rest)
    return " ".join(decode_entities(name).split())


def trimmed(text: str) -> str:
    """A text without blank lines at its ends and without white space at the ends of its lines."""
    if "\n" not in text:
        return text.strip()
    if "\n\n" not in text and text.isascii() and not any(edge in text for edge in _EDGES):
        return text.strip()
    return "\n".join([line.strip() for line in text.split("\n")]).strip("\n")


def _trimmed_with_voices(text: str, voices: list[tuple[str, int]]) -> tuple[str, tuple[Voice, ...]]:
    """Like `trimmed`, with the voices' offsets adjusted."""
    if not voices:
        return trimmed(text), ()
    found: list[Voice] = []
    lines: list[str] = []
    at = length = taken = 0
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped or lines:
            lines.append(stripped)
        indent = len(line) - len(line.lstrip())
        while taken < len(voices) and voices[taken][1] <= at + len(line):
            name, place = voices[taken]
            taken += 1
            if name:
                found.append(Voice(name, length + min(max(0, place - at - indent), len(stripped))))
        at += len(line) + 1
        length += len(stripped) + 1 if lines else 0
    whole = "\n".join(lines).rstrip("\n")
    return whole, tuple(Voice(name, min(place, len(whole))) for name, place in found)
