"""A page of HTML read strictly for tests: every element closed, and its tables as rows of cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}


@dataclass
class Element:
    """An element with its attributes and what is in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """This element and all in it, in order."""
        yield self
        for each in self.content:
            if isinstance(each, Element):
                yield from each.walk()

    def all(self, *tags: str) -> list[Element]:
        """The elements in it with one of these tags."""
        return [each for each in self.walk() if each.tag in tags]

    def one(self, identity: str) -> Element:
        """The element with this id."""
        (found,) = (each for each in self.walk() if each.attributes.get("id") == identity)
        return found

    @property
    def text(self) -> str:
        """All text in it, but not that of asides."""
        parts = (each if isinstance(each, str) else each.text for each in self.content)
        return "".join(parts)

    @property
    def heading(self) -> str:
        """The text on one line, without what is small beneath it."""
        return " ".join("".join(self._large()).split())

    def _large(self) -> Iterator[str]:
        for each in self.content:
            if isinstance(each, str):
                yield each
            elif each.attributes.get("class") not in {"aside", "aside whole", "ends"}:
                yield from each._large()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("root")
        self.open = [self.root]
        self.doctypes: list[str] = []

    def handle_decl(self, decl: str) -> None:
        self.doctypes.append(decl)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in <{tag}>"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> at {self.getpos()} closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def read_page(text: str) -> Element:
    """The document's root; a test fails where an element is not closed, or closed by another's tag."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.doctypes == ["doctype html"]
    assert [each.tag for each in reader.open] == ["root"], "something is not closed"
    return reader.root


def cells_of(table: Element) -> dict[tuple[str, ...], Element]:
    """The cells of a table's bodies by the headings of their group, if any, their row and their column."""
    (head,) = table.all("thead")
    columns = [each.heading for each in head.all("th")]
    found: dict[tuple[str, ...], Element] = {}
    group: tuple[str, ...] = ()
    for row in (row for body in table.all("tbody") for row in body.all("tr")):
        heading, *cells = row.all("th", "td")
        if heading.attributes["scope"] == "rowgroup":
            group = (heading.heading,)
            continue
        found |= {(*group, heading.heading, name): cell for name, cell in zip(columns[1:], cells, strict=True)}
    return found


def numbers_of(element: Element) -> list[tuple[float, str]]:
    """The numbers in it, as exact values and as they are shown."""
    return [(float(each.attributes["value"]), each.text) for each in element.all("data")]
