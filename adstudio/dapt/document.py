"""A DAPT document as it is checked: its tree, its identifiers, and the findings that are collected."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from adstudio.core.rule_findings import Rule, RuleFinding
from adstudio.dapt.names import DAPT, IDENTIFIER, TTML
from adstudio.dapt.xml_tree import Element, Name

MAX_FINDINGS = 1000
_SHOWN = 40
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


def shown(text: str) -> str:
    """The start of a value, for a sentence."""
    flat = " ".join(text[: 4 * _SHOWN].split())
    return f"“{flat[:_SHOWN]}…”" if len(flat) > _SHOWN or len(text) > 4 * _SHOWN else f"“{flat}”"


def written(name: Name) -> str:
    """A name as it is customarily written, with its prefix."""
    return _PREFIXES.get(name[0], "") + name[1]


class Document:
    """The tree under its `tt`, with what all checks look up."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.findings: list[RuleFinding] = []

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
        """Add a finding; beyond `MAX_FINDINGS` they are dropped."""
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(RuleFinding(rule, what, at.line, advice))
