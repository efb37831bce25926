"""A scanner for XML in subtitle files, valid or damaged, with the position of every part.

Nothing is ever loaded or expanded: document types with declarations are refused, and entities are those of XML and HTML
and numeric ones. Damage is repaired and reported: an unclosed element ends with its parent, a stray end tag is ignored.
One pass, linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adstudio.subtitles.errors import SubtitleError

MAX_DEPTH = 100
MAX_ELEMENTS = 500_000
MAX_PARTS = 2_000_000
"""Attributes and runs of text, which take many times the memory of what is written."""
_FAULTS_AT_MOST = 1000

# Local names are ASCII in every vocabulary read here, so that “<Иван>” is text; prefixes are the writer's choice.
NAME = r"(?:[^\W\d][\w.\-]*+:)?[A-Za-z_:][\w:.\-]*+"
_TAG = re.compile(rf"<(/?)({NAME})((?:[^<>\"']++|\"[^\"<]*\"|'[^'<]*')*+)>")
_ATTRIBUTE = re.compile(rf"(?<![\w:.\-])({NAME})\s*+=\s*+(?:\"([^\"<]*)\"|'([^'<]*)')")
_ANY_MARKUP = re.compile(rf"<(?:[/!?]|{NAME})")
_NAME_START = re.compile(rf"</?{NAME}")
_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"


class Attribute(NamedTuple):
    """An attribute's value as written, and its position in the text."""

    value: str
    start: int


class Text(NamedTuple):
    """A run of character data; `literal` in a CDATA section, where entities are not decoded."""

    start: int
    end: int
    literal: bool = False


class Scope(NamedTuple):
    """The namespaces declared in an element, and what is declared around it.

    A chain, since copies would take quadratic memory where every element declares something. The prefix of the default
    namespace is the empty string.
    """

    declared: Mapping[str, str]
    outer: Scope | None = None

    def get(self, prefix: str) -> str | None:
        """The URI of a prefix, as written; None if it is not declared."""
        scope: Scope | None = self
        while scope is not None:
            if prefix in scope.declared:
                return scope.declared[prefix]
            scope = scope.outer
        return None


class Element:
    """An element with its parts in order. `start` is its `<`, `scope` what is declared in it."""

    __slots__ = ("attributes", "children", "local", "name", "prefix", "scope", "start")

    def __init__(self, name: str, start: int, attributes: dict[str, Attribute], scope: Scope) -> None:
        self.name = name
        self.prefix, _, local = name.rpartition(":")
        self.local = local.lower()
        self.start = start
        self.attributes = attributes
        self.scope = scope
        self.children: list[Element | Text] = []

    @property
    def namespace(self) -> str | None:
        """The URI of its namespace as written; None if its prefix is not declared, or there is no default."""
        return self.scope.get(self.prefix)

    def get(self, local: str) -> Attribute | None:
        """The attribute with that local name and any prefix, preferably none."""
        found = self.attributes.get(local)
        if found is not None:
            return found
        for name, attribute in self.attributes.items():
            if name.rpartition(":")[2] == local and not name.startswith("xmlns:"):
                return attribute
        return None

    def elements(self) -> Iterator[Element]:
        """The child elements."""
        return (child for child in self.children if isinstance(child, Element))


class Fault(NamedTuple):
    """Damage in the text, at a character offset."""

    at: int
    what: str


class Scanned(NamedTuple):
    """The top-level elements, and the damage repaired."""

    roots: list[Element]
    faults: list[Fault]


class _Scanner:
    """Builds the tree; `open` are the elements not closed yet."""

    def __init__(self, text: str, lone: frozenset[str]) -> None:
        self.text = text
        self.lone = lone
        self.root = Element("", 0, {}, Scope({"xml": _XML_NAMESPACE}))
        self.open: list[Element] = [self.root]
        self.faults: list[Fault] = []
        self.absent: set[str] = set()
        self.count = self.parts = 0
        self.too_deep = 0

    def scan(self) -> Scanned:
        text, at = self.text, 0
        while True:
            place = text.find("<", at)
            if place < 0:
                self._data(at, len(text))
                break
            self._data(at, place)
            at = self._markup(place)
        for element in reversed(self.open[1:]):
            self._fault(element.start, f"<{element.name}> is never closed")
        return Scanned(list(self.root.elements()), sorted(self.faults))

    def _data(self, start: int, end: int, *, literal: bool = False) -> None:
        if end > start and len(self.open) > 1:
            self.open[-1].children.append(Text(start, end, literal))
            self._count_part()

    def _count_part(self) -> None:
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise SubtitleError(f"there are more than {MAX_PARTS:,} attributes and runs of text: split the file")

    def _markup(self, at: int) -> int:
        text = self.text
        if text.startswith("<!--", at):
            return self._closed_by("-->", at, 4)[1]
        if text.startswith("<![CDATA[", at):
            stop, after = self._closed_by("]]>", at, 9)
            self._data(at + 9, stop, literal=True)
            return after
        if text.startswith("<?", at):
            return self._closed_by("?>", at, 2)[1]
        if text.startswith("<!", at):
            return self._declaration(at)
        match = _TAG.match(text, at)
        if match is None:
            self._fault(at, "this “<” does not start a tag")
            # A broken tag is skipped up to the next one; a bare sign is text.
            broken = _NAME_START.match(text, at) is not None
            following = _ANY_MARKUP.search(text, at + 1)
            stop = following.start() if following else len(text)
            if not broken:
                self._data(at, stop)
            return stop
        if match[1]:
            self._close(match[2], at)
        else:
            self._start(match)
        return match.end()

    def _fault(self, at: int, what: str) -> None:
        if len(self.faults) < _FAULTS_AT_MOST:
            self.faults.append(Fault(at, what))
        elif len(self.faults) == _FAULTS_AT_MOST:
            self.faults.append(Fault(at, "the XML is damaged in more places from here on"))

    def _closed_by(self, mark: str, at: int, skip: int) -> tuple[int, int]:
        """Where the content ends and where scanning continues; an unclosed opening hides only itself."""
        # A mark not found once is not searched for again, or many openings would take quadratic time.
        stop = -1 if mark in self.absent else self.text.find(mark, at + skip)
        if stop < 0:
            self.absent.add(mark)
            self._fault(at, f"“{self.text[at : at + skip]}” is never closed by “{mark}”")
            return at + skip, at + skip
        return stop, stop + len(mark)

    def _declaration(self, at: int) -> int:
        stop = self.text.find(">", at)
        stop = len(self.text) if stop < 0 else stop + 1
        declaration = self.text[at:stop]
        if "[" in declaration or declaration.startswith(("<!ENTITY", "<!ELEMENT", "<!ATTLIST", "<!NOTATION")):
            line = self.text.count("\n", 0, at) + 1
            raise SubtitleError(f"line {line} declares entities or a document type: remove the declaration")
        self._fault(at, "the document type was ignored (nothing is ever loaded for it)")
        return stop

    def _start(self, match: re.Match[str]) -> None:
        name, body = match[2], match[3]
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise SubtitleError(f"there are more than {MAX_ELEMENTS:,} elements: split the file")
        empty = body.endswith("/")
        attributes: dict[str, Attribute] = {}
        offset = match.start(3)
        for found in _ATTRIBUTE.finditer(body):
            group = 2 if found[2] is not None else 3
            attributes.setdefault(found[1], Attribute(found[group], offset + found.start(group)))
            self._count_part()
        outer = self.open[-1].scope
        element = Element(name, match.start(), attributes, _scope(attributes, outer) if "xmlns" in body else outer)
        if element.local in self.lone:
            self._end_lone(element)
        if len(self.open) > MAX_DEPTH:
            if not self.too_deep:
                self._fault(element.start, f"elements nested deeper than {MAX_DEPTH} were ignored")
            self.too_deep += not empty
            return
        self.open[-1].children.append(element)
        if not empty:
            self.open.append(element)

    def _end_lone(self, element: Element) -> None:
        """Close an open paragraph where the next starts, since those of one namespace cannot be nested."""
        for depth in range(len(self.open) - 1, 0, -1):
            other = self.open[depth]
            if other.local == element.local and other.namespace == element.namespace:
                del self.open[depth:]
                element.scope = _scope(element.attributes, self.open[-1].scope)
                self._fault(element.start, f"the <{element.local}> before this one is never closed")
                return

    def _close(self, name: str, at: int) -> None:
        for depth in range(len(self.open) - 1, 0, -1):
            if self.open[depth].name == name:
                for element in self.open[depth + 1 :]:
                    self._fault(element.start, f"<{element.name}> is never closed")
                del self.open[depth:]
                return
        if self.too_deep:
            self.too_deep -= 1
        else:
            self._fault(at, f"</{name}> has no start tag")


def _scope(attributes: Mapping[str, Attribute], outer: Scope) -> Scope:
    """The namespaces in scope of an element with these attributes."""
    declared = {
        name[6:]: attribute.value
        for name, attribute in attributes.items()
        if name == "xmlns" or (name.startswith("xmlns:") and name != "xmlns:")
    }
    return Scope(declared, outer) if declared else outer


def scan(text: str, lone: frozenset[str] = frozenset()) -> Scanned:
    """The elements of a text; those named in `lone` cannot be nested.

    Raises:
        SubtitleError: for declarations of entities or types, and beyond `MAX_ELEMENTS` or `MAX_PARTS`.
    """
    return _Scanner(text, lone).scan()
