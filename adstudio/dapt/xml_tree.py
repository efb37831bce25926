"""A strict XML reader that cannot be made to load or expand anything, and that keeps the line of every element.

It is built on Expat, which checks that XML 1.0 and its namespaces are well-formed. It stops at a document type
declaration, before anything in it is read, and at limits on depth and size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from xml.parsers import expat

MAX_DEPTH = 100
MAX_ELEMENTS = 300_000
MAX_ATTRIBUTES = 1_000_000
MAX_VALUE = 8_000_000
"""Characters of an attribute's value, which may be a sound as an address."""
_SEPARATOR = "\x1f"
"""Between a namespace and a local name; XML allows it nowhere."""

WHITE_SPACE = re.compile(r"[ \t\r\n]+")
"""What XML calls white space; all other spaces are text."""

Name = tuple[str, str]
"""A namespace's URI and a local name; the URI is empty where there is no namespace."""


class XmlProblem(Enum):
    """Why a text could not be read as XML."""

    NOT_WELL_FORMED = "not well-formed"
    DOCUMENT_TYPE = "document type"
    TOO_LARGE = "too large"


class XmlError(Exception):
    """A text that cannot be read as XML: a sentence without its full stop, and the line, from 1."""

    def __init__(self, problem: XmlProblem, what: str, line: int) -> None:
        super().__init__(what)
        self.problem = problem
        self.what = what
        self.line = line


class Element:
    """An element with its children and character data in order. `line` is where its start tag begins, from 1."""

    __slots__ = ("attributes", "children", "line", "local", "namespace", "parent")

    def __init__(self, name: Name, attributes: dict[Name, str], parent: Element | None, line: int) -> None:
        self.namespace, self.local = name
        self.attributes = attributes
        self.parent = parent
        self.line = line
        self.children: list[Element | str] = []

    @property
    def name(self) -> Name:
        """Its namespace and local name."""
        return self.namespace, self.local

    def get(self, name: Name) -> str | None:
        """An attribute's value."""
        return self.attributes.get(name)

    def inherited(self, name: Name) -> str | None:
        """The value of the nearest element, itself included, that has an attribute."""
        element: Element | None = self
        while element is not None:
            if name in element.attributes:
                return element.attributes[name]
            element = element.parent
        return None

    def elements(self, name: Name | None = None) -> Iterator[Element]:
        """The child elements, or those of a name."""
        for child in self.children:
            if isinstance(child, Element) and (name is None or child.name == name):
                yield child

    def everything(self) -> Iterator[Element]:
        """Itself and all elements in it, in the order of the document."""
        waiting: list[Element] = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed([*element.elements()]))

    def words(self) -> str:
        """All character data in it, with white space as single blanks."""
        found: list[str] = []
        waiting: list[Element | str] = [self]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                found.append(part)
            else:
                waiting += reversed(part.children)
        return WHITE_SPACE.sub(" ", "".join(found)).strip(" ")


class XmlDeclaration:
    """What the XML declaration says; empty where it is silent, or there is none."""

    def __init__(self) -> None:
        self.version = ""
        self.encoding = ""


class _Builder:
    """Builds the tree from Expat's events."""

    def __init__(self) -> None:
        # The text is given in UTF-8, whatever it declares.
        self.parser = expat.ParserCreate("utf-8", _SEPARATOR)
        self.parser.buffer_text = True
        self.parser.buffer_size = 1 << 16
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.XmlDeclHandler = self._declare
        self.parser.StartDoctypeDeclHandler = self._document_type
        self.declaration = XmlDeclaration()
        self.root: Element | None = None
        self.open: Element | None = None
        self.text: list[str] = []
        self.depth = self.elements = self.attributes = 0

    def build(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)  # noqa: FBT003 - it takes no name
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code).replace("XML or text", "XML or a text")
            raise XmlError(XmlProblem.NOT_WELL_FORMED, f"the XML is not well-formed ({what})", error.lineno) from None
        if self.root is None:
            raise XmlError(XmlProblem.NOT_WELL_FORMED, "the XML is not well-formed (no element found)", 1)
        return self.root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._end_text()
        self.depth += 1
        self.elements += 1
        self.attributes += len(attributes)
        line = self.parser.CurrentLineNumber
        if self.depth > MAX_DEPTH:
            raise XmlError(XmlProblem.TOO_LARGE, f"elements are nested more than {MAX_DEPTH} deep", line)
        if self.elements > MAX_ELEMENTS or self.attributes > MAX_ATTRIBUTES:
            what = f"there are more than {MAX_ELEMENTS:,} elements or {MAX_ATTRIBUTES:,} attributes"
            raise XmlError(XmlProblem.TOO_LARGE, what, line)
        if any(len(value) > MAX_VALUE for value in attributes.values()):
            raise XmlError(XmlProblem.TOO_LARGE, f"an attribute has more than {MAX_VALUE:,} characters", line)
        named = {_name(key): value for key, value in attributes.items()}
        element = Element(_name(name), named, self.open, line)
        if self.open is None:
            self.root = element
        else:
            self.open.children.append(element)
        self.open = element

    def _end(self, _name_of_it: str) -> None:
        self._end_text()
        self.depth -= 1
        self.open = self.open.parent if self.open is not None else None

    def _data(self, text: str) -> None:
        # Joined once, since adding to a long text again and again takes quadratic time.
        self.text.append(text)

    def _end_text(self) -> None:
        if self.text and self.open is not None:
            self.open.children.append("".join(self.text))
        self.text.clear()

    def _declare(self, version: str, encoding: str | None, _standalone: int) -> None:
        self.declaration.version = version
        self.declaration.encoding = encoding or ""

    def _document_type(self, _named: str, system: str | None, _public: str | None, internal: object) -> None:
        holds = "entity or other declarations" if internal else f"a reference to “{(system or '')[:80]}”"
        what = f"there is a document type declaration with {holds}: remove it (nothing of it was read)"
        raise XmlError(XmlProblem.DOCUMENT_TYPE, what, self.parser.CurrentLineNumber)


def _name(text: str) -> Name:
    namespace, separator, local = text.rpartition(_SEPARATOR)
    return (namespace, local) if separator else ("", text)


def parse(data: bytes) -> tuple[Element, XmlDeclaration]:
    """The root element of a document in UTF-8, and its declaration.

    Raises:
        XmlError: if it is not well-formed, has a document type, or is nested or divided beyond the limits.
    """
    builder = _Builder()
    return builder.build(data), builder.declaration
