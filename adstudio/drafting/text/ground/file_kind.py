"""Whether a text is a description in prose, or something else that was given by mistake."""

from __future__ import annotations

import json
import re

from adstudio.screenplay.parsed_screenplay import Action, ScreenplayError, Speech

_ARROW_LINE = re.compile(
    r"^\s*(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{2,3}[ \t]*-->[ \t]*(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{2,3}[^\n]*$", re.MULTILINE
)
_NUMBER_LINE = re.compile(r"^\s*\d+\s*$", re.MULTILINE)
_JSON = re.compile(r"\s*(?:```\w*\s*)?(?:\{\s*[\"}]|\[\s*[{\[\]])")
_HEADINGS = re.compile(r"^\s*(?:INT|EXT|EST|I/E|INT\.?/EXT)[. ]", re.MULTILINE | re.IGNORECASE)
_TIMES = re.compile(r"^\W{0,6}\d{1,2}:[0-5]\d", re.MULTILINE)
_PART = 300_000
"""Characters examined: a file's beginning shows what it is."""
_SPEECHES_WITH_HEADINGS = 2
_SPEECHES = 4
_TIMED_LINES = 3
"""This many lines with a time make it a description, whatever its capitals suggest."""


def other_kind(text: str) -> str:
    """What a text seems to be and how to use it, as a clause; "" for prose."""
    start = text[:2000].lstrip("\ufeff \t\r\n")
    if _holds_subtitles(text[:_PART], start.lower()):
        return (
            "a subtitle file: give it as --subtitles, or, if it is a finished audio description, import it (adstudio "
            "import; in the window, Import script); to draft from a description, put each time before its text"
        )
    if markup := _markup(start.lower(), text.rstrip().endswith(">")):
        return markup
    if _JSON.match(start) and (_is_json(text) or not re.match(r"\s*\[\s*\[", start)):
        return "JSON: candidates are given as --candidates"
    return "a screenplay: give it as --screenplay" if _is_screenplay(text[:_PART]) else ""


def _holds_subtitles(text: str, start: str) -> bool:
    if start.startswith(("webvtt", "[script info]")) or "<tt " in start or "<tt>" in start:
        return True
    arrows = _ARROW_LINE.findall(text)
    return bool(arrows) and len(_NUMBER_LINE.findall(text)) * 2 >= len(arrows)


def _markup(start: str, closed: bool) -> str:
    if "<finaldraft" in start:
        return "a Final Draft screenplay: give it as --screenplay"
    if start.startswith(("<!doctype html", "<html")):
        return "a web page: copy its text into a plain text file"
    if start.startswith(("<?xml", "<!doctype")) or (closed and re.match(r"<[a-z][\w:.-]*(?:\s[^<>]*)?>", start)):
        return "an XML file: give the description as plain text (.txt)"
    return ""


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _is_screenplay(text: str) -> bool:
    """Whether it has dialogue in screenplay format: a name on its own line, and the speech below."""
    from adstudio.screenplay.file import parse_screenplay

    if len(_TIMES.findall(text)) >= _TIMED_LINES:
        return False
    try:
        read = parse_screenplay(text.encode(), "description.txt")
    except ScreenplayError:
        return False
    parts = [part for scene in read.scenes for part in scene.parts]
    speakers = [part.speaker for part in parts if isinstance(part, Speech) and part.speaker and part.text]
    if _HEADINGS.search(text):
        return len(speakers) >= _SPEECHES_WITH_HEADINGS
    actions = sum(isinstance(part, Action) for part in parts)
    # Headings in capitals look like names, but they do not recur.
    return len(speakers) >= max(_SPEECHES, actions // 4) and len(set(speakers)) <= len(speakers) * 2 // 3
