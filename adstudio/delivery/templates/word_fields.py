"""Fields of a Word document that fetch or start something when they are updated: taken out, while their texts stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from adstudio.delivery.word_markup import Element, named, replace_by

FETCHING = frozenset({
    *("DATABASE", "DDE", "DDEAUTO", "EMBED", "HYPERLINK", "IMPORT", "INCLUDE", "INCLUDEPICTURE", "INCLUDETEXT"),
    *("LINK", "MACROBUTTON", "PRINT", "RD"),
})  # fmt: skip
"""Their names; what is not in this list asks for nothing beyond the document. A link within it is kept."""


@dataclass
class _Open:
    """A field that has begun: its marks, and what it is to do as far as it is read."""

    marks: list[Element] = field(default_factory=list[Element])
    code: str = ""


def drop_fields(root: Element) -> Iterator[str]:
    """Take out the fields that would fetch something: what each was, as the subject of a sentence."""
    for each in list(root.iter(named("fldSimple"))):
        name = _fetching(each.get(named("instr"), ""))
        if name and each.getparent() is not None:
            replace_by(each, [child for child in each if child.tag != named("fldData")])
            yield f"the template’s field {name}"
    opened: list[_Open] = []
    for each in list(root.iter(named("fldChar"), named("instrText"))):
        if each.tag == named("instrText"):
            if opened:
                opened[-1].code += each.text or ""
                opened[-1].marks.append(each)
            continue
        kind = each.get(named("fldCharType"))
        if kind == "begin":
            opened.append(_Open())
        if not opened:
            continue
        opened[-1].marks.append(each)
        if kind == "end":
            done = opened.pop()
            if name := _fetching(done.code):
                _remove(done.marks)
                yield f"the template’s field {name}"
    for unfinished in opened:
        if name := _fetching(unfinished.code):
            _remove(unfinished.marks)
            yield f"the template’s field {name}"


def _fetching(code: str) -> str:
    """The name of a field that fetches something; empty for others."""
    words = [*code.split(), "", ""]
    name = words[0].upper().strip('\\"“”')
    within = name == "HYPERLINK" and words[1].lower() == "\\l"
    return name if name in FETCHING and not within else ""


def _remove(marks: list[Element]) -> None:
    for mark in marks:
        if mark.getparent() is not None:
            mark.getparent().remove(mark)
