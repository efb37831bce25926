"""The text of a TTML paragraph as a viewer reads it: white space, line breaks, ruby, and who speaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from adstudio.subtitles.markup import decode_entities, trimmed
from adstudio.subtitles.parsed_file import Voice
from adstudio.subtitles.source import Source
from adstudio.subtitles.ttml_display import Styles
from adstudio.subtitles.ttml_namespaces import Vocabulary, attribute
from adstudio.subtitles.ttml_timing import in_seq
from adstudio.subtitles.xml_scan import Element, Text

_SPACE = re.compile(r"[ \t\r\n]+")
_NEWLINE = re.compile(r"\r\n|\r")
_SPACES = re.compile(r" {2,}")
_NO_TEXT = frozenset({"metadata", "set", "animate", "audio", "image", "source", "data", "style", "region"})
_NOT_BASE = frozenset({"text", "textContainer", "delimiter"})


class TextReader:
    """Reads the text of paragraphs, without ruby text, metadata and what is not displayed."""

    def __init__(self, source: Source, styles: Styles, is_content: Callable[[Element], bool]) -> None:
        self._source = source
        self._styles = styles
        self._is_content = is_content

    def read(
        self,
        element: Element,
        agents: Mapping[str, str],
        *,
        preserve: bool,
        visible: bool = True,
        without: Sequence[Element] = (),
    ) -> tuple[str, tuple[Voice, ...]]:
        """An element's text as a viewer reads it, except for the elements in `without`, and its spans' speakers.

        `preserve` and `visible` are what holds for the element's own text.
        """
        skipped = {id(span) for span in without}
        pieces: list[str] = []
        voices: list[tuple[str, int]] = []
        state = _State(preserve, visible, in_seq(element))
        waiting: list[tuple[Element | Text, _State]] = [(child, state) for child in reversed(element.children)]
        any_preserved = preserve
        while waiting:
            part, state = waiting.pop()
            if isinstance(part, Text):
                # In a sequence, bare text lasts for no time.
                if state.visible and not state.in_seq:
                    pieces.append(self._run(part, state.preserve))
            elif part.local == "br" and self._is_content(part):
                pieces.append("\n")
            elif id(part) not in skipped and self.shows(part):
                state = _State(
                    preserved(part, inherited=state.preserve),
                    self._styles.visible(part, inherited=state.visible),
                    in_seq(part),
                )
                any_preserved = any_preserved or state.preserve
                agent = attribute(part, "agent", Vocabulary.METADATA)
                if agent is not None and agents.get(agent.value.strip()):
                    voices.append((agents[agent.value.strip()], len(pieces)))
                waiting += [(child, state) for child in reversed(part.children)]
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

    def shows(self, element: Element) -> bool:
        """Whether the text inside an element of a paragraph is part of its text, unless it is invisible."""
        return (
            element.local not in _NO_TEXT
            and self._is_content(element)
            and self._styles.value(element, "ruby") not in _NOT_BASE
            and not self._styles.removed(element)
        )


class _State(NamedTuple):
    preserve: bool
    visible: bool
    in_seq: bool


def preserved(element: Element, *, inherited: bool) -> bool:
    """Whether white space is preserved in an element."""
    space = element.attributes.get("xml:space")
    return space.value.strip() == "preserve" if space else inherited


def _joined(pieces: list[str]) -> str:
    """Pieces joined, with single spaces and none at the ends of lines."""
    return trimmed(_SPACES.sub(" ", "".join(pieces)))
