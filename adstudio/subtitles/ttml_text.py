"""The text of a TTML paragraph as a viewer reads it: white space, line breaks, ruby, and who speaks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from adstudio.subtitles.markup import decode_entities, trimmed
from adstudio.subtitles.parsed_file import Voice
from adstudio.subtitles.source import Source
from adstudio.subtitles.xml_scan import Element, Text

_SPACE = re.compile(r"[ \t\r\n]+")
_NEWLINE = re.compile(r"\r\n|\r")
_SPACES = re.compile(r" {2,}")
_NO_TEXT = frozenset({"metadata", "set", "audio", "animate"})
_NOT_BASE = frozenset({"text", "textContainer", "delimiter"})
_CHAIN = 10


class Styles:
    """The styles and regions of a head, as far as they concern ruby and visibility."""

    def __init__(self, text: str) -> None:
        self._styles: dict[str, Element] = {}
        # Most documents use none of these, so that no element need be checked.
        self._used = frozenset(name for name in ("ruby", "display", "visibility") if name in text)

    def add(self, style: Element) -> None:
        """Add a style under its id."""
        identity = style.attributes.get("xml:id") or style.attributes.get("id")
        if identity:
            self._styles.setdefault(identity.value.strip(), style)

    def value(self, element: Element, name: str) -> str:
        """A style's value on an element or in the styles that it references; the last reference wins."""
        if name not in self._used:
            return ""
        visited: set[int] = set()
        waiting = [element]
        while waiting and len(visited) <= _CHAIN:
            current = waiting.pop()
            if id(current) in visited:
                continue
            visited.add(id(current))
            attribute = current.get(name)
            if attribute is not None:
                return attribute.value.strip()
            references = current.attributes.get("style")
            names = references.value.split()[:_CHAIN] if references else []
            waiting += [self._styles[name] for name in names if name in self._styles]
        return ""

    def hidden(self, element: Element) -> bool:
        """Whether an element is never shown."""
        return self.value(element, "display") == "none" or self.value(element, "visibility") == "hidden"


class TextReader:
    """Reads the text of paragraphs, without ruby text, metadata and what is not displayed."""

    def __init__(self, source: Source, styles: Styles, prefix: str) -> None:
        self._source = source
        self._styles = styles
        self._prefix = prefix

    def read(
        self, element: Element, preserve: bool, agents: Mapping[str, str], without: Sequence[Element] = ()
    ) -> tuple[str, tuple[Voice, ...]]:
        """An element's text as a viewer reads it, except for the elements in `without`, and its spans' speakers."""
        skipped = {id(span) for span in without}
        pieces: list[str] = []
        voices: list[tuple[str, int]] = []
        waiting: list[tuple[Element | Text, bool]] = [(child, preserve) for child in reversed(element.children)]
        any_preserved = preserve
        while waiting:
            part, preserved = waiting.pop()
            if isinstance(part, Text):
                pieces.append(self._run(part, preserved))
            elif part.local == "br" and part.prefix == self._prefix:
                pieces.append("\n")
            elif id(part) not in skipped and self._visible(part):
                space = part.attributes.get("xml:space")
                preserved = space.value.strip() == "preserve" if space else preserved
                any_preserved = any_preserved or preserved
                agent = part.get("agent")
                if agent is not None and agents.get(agent.value.strip()):
                    voices.append((agents[agent.value.strip()], len(pieces)))
                waiting += [(child, preserved) for child in reversed(part.children)]
        if not any_preserved:
            text = _joined(pieces)
            return text, tuple(Voice(name, len(_joined(pieces[:at]))) for name, at in voices[:20])
        text = trimmed("".join(pieces))
        return text, tuple(Voice(name, len(trimmed("".join(pieces[:at])))) for name, at in voices[:20])

    def _run(self, run: Text, preserve: bool) -> str:
        text = self._source.shown(run.start, run.end)
        text = _NEWLINE.sub("\n", text) if preserve else _SPACE.sub(" ", text)
        # White space first: a line feed written as an entity is intended.
        return text if run.literal else decode_entities(text)

    def _visible(self, element: Element) -> bool:
        return (
            element.prefix == self._prefix
            and element.local not in _NO_TEXT
            and self._styles.value(element, "ruby") not in _NOT_BASE
            and not self._styles.hidden(element)
        )


def _joined(pieces: list[str]) -> str:
    """Pieces joined, with single spaces and none at the ends of lines."""
    return trimmed(_SPACES.sub(" ", "".join(pieces)))
