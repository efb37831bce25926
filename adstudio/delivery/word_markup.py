"""WordprocessingML: the few elements that our documents and a house's templates are written in."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from adstudio.core.language_tags import primary_subtag
from adstudio.delivery.text import document_text

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_BREAKS = re.compile(r"([\n\t])")
RIGHT_TO_LEFT = frozenset({"ar", "ckb", "dv", "fa", "he", "iw", "ji", "ps", "sd", "ug", "ur", "yi"})
"""Languages that are written from right to left."""

LEFT_TO_RIGHT = "\u200e"
"""An invisible letter that runs from the left: it keeps marks and numbers beside it in order."""

Element = Any
"""An element of lxml, whose own types name it privately."""


@cache
def etree() -> Any:  # noqa: ANN401 - lxml has no types
    """lxml, imported by whoever first needs it."""
    return importlib.import_module("lxml.etree")


def named(name: str) -> str:
    """The full name of an element or attribute: `p` is a paragraph."""
    return f"{{{WORD}}}{name}"


def element(name: str, *children: Element, **attributes: str) -> Element:
    """An element of this name, with attributes of the same namespace."""
    built: Element = etree().Element(
        named(name), {named(each): value for each, value in attributes.items()}, nsmap={"w": WORD}
    )
    built.extend(children)
    return built


def replace_by(of: Element, others: Sequence[Element]) -> None:
    """Put elements in the place of one, such as its own children."""
    parent = of.getparent()
    place = parent.index(of)
    parent[place : place + 1] = others


def run_content(text: str) -> list[Element]:
    """What a run holds to say a text: its lines with breaks between them, and its tabs."""
    found: list[Element] = []
    for part in _BREAKS.split(document_text(text)):
        if part in {"\n", "\t"}:
            found.append(element("br" if part == "\n" else "tab"))
        elif part:
            said = element("t")
            said.set(_SPACE, "preserve")
            said.text = part
            found.append(said)
    return found


def is_right_to_left(language: str) -> bool:
    """Whether a language is written from right to left."""
    return primary_subtag(language) in RIGHT_TO_LEFT


def rightwards(text: str, *, leftwards: bool) -> str:
    """A text of ours, which runs from the left, as it is written among text that runs from the right."""
    mark = LEFT_TO_RIGHT if leftwards else ""
    return f"{mark}{text}{mark}" if text else ""


def parsed(markup: str) -> Element:
    """An element of ours from its markup, with `w` as the prefix of its namespace."""
    start, _, rest = markup.partition(">")
    slash = "/" if start.endswith("/") else ""
    return etree().fromstring(f'{start.removesuffix("/")} xmlns:w="{WORD}"{slash}>{rest}')
