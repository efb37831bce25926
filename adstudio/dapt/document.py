"""A DAPT document as it is checked: its tree, its identifiers, and the findings that are collected."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from adstudio.core.rule_findings import Findings, Rule
from adstudio.dapt.names import DAPT, IDENTIFIER, TTML
from adstudio.dapt.xml_tree import Element, Name

_PREFIXES = {
    "http://www.w3.org/ns/ttml": "",
    "http://www.w3.org/ns/ttml#parameter": "ttp:",
    "http://www.w3.org/ns/ttml#styling": "tts:",
    "http://www.w3.org/ns/ttml#audio": "tta:",
    "http://www.w3.org/ns/ttml#metadata": "ttm:",
    "http://www.w3.org/XML/1998/namespace": "xml:",
    "urn:ebu:tt:metadata": "ebuttm:",
    DAPT: "daptm:",
    "": "",
}


def written(name: Name) -> str:
    """A name as it is customarily written, with its prefix."""
    return _PREFIXES.get(name[0], "") + name[1]


class Document:
    """The tree under its `tt`, with what all checks look up."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.findings = Findings()

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """All elements, in the order of the document."""
        return tuple(self.root.everything())

    @cached_property
    def by_id(self) -> dict[str, Element]:
        """The first element with each identifier."""
        found: dict[str, Element] = {}
        for element in self.elements:
            identifier = element.get(IDENTIFIER)
            if identifier is not None:
                found.setdefault(identifier, element)
        return found

    @cached_property
    def events(self) -> tuple[Element, ...]:
        """The Script Events: each `div` with an identifier that holds no other `div`."""
        return tuple(
            each
            for each in self.elements
            if each.name == (TTML, "div") and IDENTIFIER in each.attributes and not any(each.elements((TTML, "div")))
        )

    @cached_property
    def resources(self) -> frozenset[Element]:
        """What is embedded under `/tt/head/resources`."""
        return frozenset(
            each
            for head in self.root.elements((TTML, "head"))
            for group in head.elements((TTML, "resources"))
            for each in group.elements()
        )

    def head_metadata(self) -> Iterator[Element]:
        """The `metadata` elements of the head."""
        for head in self.root.elements((TTML, "head")):
            yield from head.elements((TTML, "metadata"))

    def add(self, rule: Rule, what: str, at: Element, *, advice: bool = False) -> None:
        """Add a finding at an element."""
        self.findings.add(rule, what, at.line, advice=advice)
