"""Final Draft's FDX: XML with typed paragraphs; wrong types are corrected and reported.

The XML is read by the scanner for TTML: nothing external is loaded, and entity and type declarations are rejected.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import NamedTuple

from adstudio.screenplay.builder import Builder, Place
from adstudio.screenplay.fountain import read_fountain
from adstudio.screenplay.line_kinds import Cue, cue, heading, is_capitals, is_heading, numbered_heading, parenthetical
from adstudio.screenplay.parsed_screenplay import ScreenplayError
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.source import Source
from adstudio.subtitles.xml_scan import Element, Text, scan

_SPOKEN = frozenset(("character", "dialogue", "parenthetical", "singing", "lyrics", "lyric"))
_NOT_SEEN = frozenset(("cast list", "new act", "end of act", "note", "script note", "synopsis", "section"))
_ENOUGH_TO_TELL = 8


class Paragraph(NamedTuple):
    """One paragraph: its type in lower case, text, scene number, place, and whether it is the second of a dual pair.

    `struck`: text struck out, which is no part of `text`.
    """

    kind: str
    text: str
    number: str
    place: Place
    dual: bool = False
    struck: str = ""


def is_fdx(text: str) -> bool:
    """Whether a text is Final Draft XML."""
    return "<FinalDraft" in text[:5000]


def read_fdx(source: Source, name: str, builder: Builder) -> None:
    """Read an FDX file into a builder.

    Raises:
        ScreenplayError: for entity or type declarations, too many elements, or a file without a script.
    """
    try:
        scanned = scan(source.text)
    except SubtitleError as error:
        raise ScreenplayError(f"{name}: {error}") from None
    for fault in scanned.faults:
        builder.report_oddity(source.clean(fault.what), Place(source.line_of(fault.at)))
    root = next((element for element in scanned.roots if element.local == "finaldraft"), None)
    content = None if root is None else next((found for found in root.elements() if found.local == "content"), None)
    if root is None or content is None:
        raise ScreenplayError(f"{name}: this Final Draft file has no script in it: export it again from Final Draft")
    for page in (element for element in root.elements() if element.local == "titlepage"):
        _title_page(page, source, builder)
    paragraphs = list(_paragraphs(content, source, dual=False))
    if _is_untyped(paragraphs):
        shown = next(paragraph.kind for paragraph in paragraphs if paragraph.text.strip()).title() or "nothing"
        builder.report_oddity(
            f"every paragraph has the type {shown}: read by the form of the lines instead", _beginning(paragraphs)
        )
        _read_by_form(paragraphs, builder)
        return
    names = {_cue(paragraph.text).speaker for paragraph in paragraphs if paragraph.kind == "character"}
    _Reader(builder, frozenset(names)).read(paragraphs)


def _cue(text: str) -> Cue:
    name = " ".join(text.split())
    return cue(name, forced=True) or Cue(name)


def _beginning(paragraphs: list[Paragraph]) -> Place:
    """Where the script starts."""
    return paragraphs[0].place if paragraphs else Place(1)


def _paragraphs(parent: Element, source: Source, *, dual: bool) -> Iterator[Paragraph]:
    names = 0
    for element in parent.elements():
        if element.local != "paragraph":
            continue
        pair = next((inner for inner in element.elements() if inner.local == "dualdialogue"), None)
        if pair is not None:
            yield from _paragraphs(pair, source, dual=True)
            continue
        kind = source.clean(_attribute(element, "Type")).strip().lower()
        names += kind == "character"
        place = Place(source.line_of(element.start))
        yield Paragraph(
            *(kind, _text(element, source, struck=False), source.clean(_attribute(element, "Number")), place),
            *(dual and names > 1, _text(element, source, struck=True)),
        )


def _attribute(element: Element, name: str) -> str:
    found = element.get(name)
    return html.unescape(found.value) if found is not None else ""


def _text(paragraph: Element, source: Source, *, struck: bool) -> str:
    runs: list[str] = []
    for run in paragraph.elements():
        if run.local == "text" and ("strikeout" in _attribute(run, "Style").lower()) == struck:
            for piece in run.children:
                if isinstance(piece, Text):
                    raw = source.shown(piece.start, piece.end)
                    runs.append(raw if piece.literal else html.unescape(raw))
    return "".join(runs)


def _title_page(page: Element, source: Source, builder: Builder) -> None:
    lines: list[str] = []
    for content in page.elements():
        if content.local == "content":
            lines += [" ".join(paragraph.text.split()) for paragraph in _paragraphs(content, source, dual=False)]
    lines = [line for line in lines if line]
    if lines:
        builder.title_page.append(("Title", lines[0]))
    if lines[1:]:
        builder.title_page.append(("Text", "\n".join(lines[1:])))


def _is_untyped(paragraphs: list[Paragraph]) -> bool:
    """Whether all paragraphs have the same type although they differ, as in a script pasted from elsewhere."""
    written = [paragraph for paragraph in paragraphs if paragraph.text.strip()]
    if len(written) < _ENOUGH_TO_TELL or len({paragraph.kind for paragraph in written}) > 1:
        return False
    looks = sum(is_heading(paragraph.text.strip()) for paragraph in written)
    return written[0].kind not in _SPOKEN and looks > 0


def _read_by_form(paragraphs: list[Paragraph], builder: Builder) -> None:
    lines = [line for paragraph in paragraphs for line in paragraph.text.split("\n")]
    spaced = any(not paragraph.text.strip() for paragraph in paragraphs)
    if not spaced:
        # Without empty paragraphs between them, a name belongs to the next paragraph and all others are separate.
        lines = _spaced_by_names(lines)
    read_fountain("\n".join(lines), builder)


def _spaced_by_names(lines: list[str]) -> list[str]:
    spaced: list[str] = []
    after_name = False
    for line in lines:
        name = cue(line.strip()) is not None
        if not after_name:
            spaced.append("")
        spaced.append(line)
        after_name = name or (after_name and parenthetical(line) is not None)
    return spaced


class _Reader:
    """Reads paragraphs by type, and corrects types that cannot be right; `names` are all speaking characters."""

    def __init__(self, builder: Builder, names: frozenset[str]) -> None:
        self.builder = builder
        self.names = names

    def read(self, paragraphs: list[Paragraph]) -> None:
        for paragraph in paragraphs:
            self.builder.leave_out(paragraph.struck, paragraph.place)
            if text := paragraph.text.strip():
                self._paragraph(text, paragraph)
        self.builder.end_speech()

    def _paragraph(self, text: str, paragraph: Paragraph) -> None:
        match paragraph.kind:
            case "character":
                found = _cue(text)
                self.builder.cue(found._replace(dual=paragraph.dual or found.dual), paragraph.place)
            case "parenthetical":
                self._parenthetical(text, paragraph)
            case "dialogue":
                self._dialogue(text, paragraph)
            case "singing" | "lyrics" | "lyric":
                self.builder.add_speech(text, paragraph.place, lyrics=True)
            case "transition":
                self.builder.transition(text, paragraph.place)
            case "scene heading" | "slugline" | "scene":
                self._heading(text, paragraph)
            case "centered":
                self.builder.action(text.split("\n"), paragraph.place, centred=True)
            case "action" | "":
                self._action(text, paragraph)
            case "general" | "shot" | "act":
                self._not_action(text, paragraph)
            case kind if kind in _NOT_SEEN or kind.startswith("outline"):
                self.builder.end_speech()
            case _:
                self._unknown(text, paragraph)

    def _heading(self, text: str, paragraph: Paragraph) -> None:
        text = " ".join(text.split())
        found = numbered_heading(text) or heading(text)
        self.builder.heading(found.text, paragraph.number.strip() or found.number, paragraph.place)

    def _not_action(self, text: str, paragraph: Paragraph) -> None:
        first, _, rest = text.partition("\n")
        if numbered_heading(first.strip()) is not None and is_capitals(first):
            what = f"a scene heading has the type {paragraph.kind.title()}: read as a heading"
            self.builder.report_oddity(what, paragraph.place)
            self._heading(first, paragraph)
            text = rest
        self.builder.aside(text, paragraph.place)

    def _action(self, text: str, paragraph: Paragraph) -> None:
        lines = [line.strip() for line in text.split("\n")]
        first = lines[0]
        if numbered_heading(first) is not None and is_capitals(first):
            self.builder.report_oddity("a scene heading has the type Action: read as a heading", paragraph.place)
            self._heading(first, paragraph)
            lines = lines[1:]
            text = "\n".join(lines).strip()
            if text:
                self._action(text, paragraph)
            return
        name = cue(first) if len(lines) > 1 else None
        if name is not None and name.speaker in self.names:
            self.builder.report_oddity(
                f"a speech of “{name.speaker[:60]}” is in a paragraph of type Action", paragraph.place
            )
            self.builder.cue(name, paragraph.place)
            for line in lines[1:]:
                self._spoken(line, paragraph)
            self.builder.end_speech()
            return
        self.builder.action(lines, paragraph.place)

    def _spoken(self, line: str, paragraph: Paragraph) -> None:
        inside = parenthetical(line)
        if inside is not None:
            self.builder.parenthetical(inside)
        elif line:
            self.builder.add_speech(line, paragraph.place)

    def _unknown(self, text: str, paragraph: Paragraph) -> None:
        what = f"paragraphs of type “{paragraph.kind[:40]}” are unknown: read as action"
        if all(not oddity.what.endswith(what) for oddity in self.builder.oddities[-20:]):
            self.builder.report_oddity(what, paragraph.place)
        self._action(text, paragraph)

    def _parenthetical(self, text: str, paragraph: Paragraph) -> None:
        if not self.builder.in_speech:
            self.builder.report_oddity("a parenthetical outside a speech: read as action", paragraph.place)
            self.builder.action([text], paragraph.place)
            return
        inside = parenthetical(text)
        self.builder.parenthetical(text if inside is None else inside)

    def _dialogue(self, text: str, paragraph: Paragraph) -> None:
        if numbered_heading(text) is not None and is_capitals(text):
            self.builder.report_oddity("a scene heading has the type Dialogue: read as a heading", paragraph.place)
            self._heading(text, paragraph)
            return
        if not self.builder.in_speech:
            self.builder.report_oddity(
                "dialogue without a character name: read as a speech without a speaker", paragraph.place
            )
        self.builder.add_speech(text, paragraph.place)
