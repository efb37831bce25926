"""A house's Word document, filled in: {{title}} and the like anywhere, one row of a table (or a few) for each line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy

from adstudio.core.errors import BadInputError, Oddity
from adstudio.delivery.columns import Cell, ScriptTable
from adstudio.delivery.document_head import DocumentHead
from adstudio.delivery.template_file import Template
from adstudio.delivery.templates.cleaning import cleaned, local_name, parsed_part, serialized, unpacked
from adstudio.delivery.templates.placeholders import (
    PLACEHOLDER,
    Filler,
    document_values,
    has_line_placeholder,
    line_values,
    no_line,
)
from adstudio.delivery.word_markup import Element, named, replace_by, run_content
from adstudio.system.office_package import packed

_BODY = "word/document.xml"
_FILLED = re.compile(r"word/(?:document|header\d*|footer\d*|footnotes|endnotes)\.xml\Z")
_OF_ONE_PLACE = {"bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "commentReference"}
"""Elements that a copy of a row must not have: their ids are of one place."""
_MOST_ELEMENTS = 5_000_000
"""Elements of all rows together."""


def fill_word_template(template: Template, table: ScriptTable, head: DocumentHead) -> tuple[bytes, tuple[Oddity, ...]]:
    """The document, and what of the template was taken out or left as it is.

    Raises:
        BadInputError: for a template that cannot be used.
        TimeError: for a start timecode that is not valid at the frame rate.
    """
    parts = unpacked(template.data, template.name)
    if _BODY not in parts:
        raise BadInputError(f"{template.name} is no Word document: choose one, saved as .docx")
    parts, oddities = cleaned(parts, template.name)
    rows = table.rows()
    filler, values = Filler(), document_values(head)
    for name in [name for name in parts if _FILLED.match(name)]:
        root = parsed_part(parts[name], template.name)
        block = _block(root, template.name) if name == _BODY else ()
        within = {paragraph for row in block for paragraph in row.iter(named("p"))}
        for paragraph in root.iter(named("p")):
            if paragraph not in within:
                _fill(paragraph, filler, values)
        if block:
            _repeat(block, rows, filler, values, template.name)
        parts[name] = serialized(root)
    return packed(parts), (*oddities, *filler.oddities(template.name))


def _block(root: Element, name: str) -> tuple[Element, ...]:
    """The rows, one below the other, that stand for a line.

    Raises:
        BadInputError: if there are none, or some in two places.
    """
    found: dict[Element, None] = {}
    for paragraph in root.iter(named("p")):
        if has_line_placeholder("".join(each.text or "" for each in _texts(paragraph))):
            row = next(paragraph.iterancestors(named("tr")), None)
            if row is not None:
                found[row] = None
    rows = tuple(found)
    if not rows:
        raise BadInputError(
            f"{name} has no row of a table with a placeholder of a line: write one, such as {{{{text}}}}, into the row"
            " that is to be repeated"
        )
    parent = rows[0].getparent()
    places = [parent.index(row) for row in rows if row.getparent() is parent]
    if len(places) != len(rows) or places[-1] - places[0] != len(rows) - 1:
        raise BadInputError(f"{name} has placeholders of a line in rows that are not together: keep them in one place")
    return rows


def _repeat(
    block: Sequence[Element],
    rows: Sequence[Mapping[str, Cell]],
    filler: Filler,
    values: Mapping[str, Cell],
    name: str,
) -> None:
    """Put the rows for each line in the place of the template's; for no line at all, once with nothing in them."""
    if sum(1 for row in block for _ in row.iter()) * len(rows) > _MOST_ELEMENTS:
        raise BadInputError(f"{name}: the row that is repeated has too much in it for {len(rows):,} lines")
    for row in block:
        _make_repeatable(row)
    first = block[0]
    for line in [line_values(row) for row in rows] or [no_line()]:
        for row in block:
            copy = deepcopy(row)
            for paragraph in copy.iter(named("p")):
                _fill(paragraph, filler, {**values, **line})
            first.addprevious(copy)
    for row in block:
        row.getparent().remove(row)


def _make_repeatable(row: Element) -> None:
    """Take out of a row what may be in a document only once."""
    for each in list(row.iter()):
        if not isinstance(each.tag, str):
            continue
        of_one_place = local_name(each) in _OF_ONE_PLACE
        identity = local_name(each) == "id" and local_name(each.getparent()) == "sdtPr"
        if (of_one_place or identity) and each.getparent() is not None:
            each.getparent().remove(each)
            continue
        for key in [key for key in each.attrib if key.rpartition("}")[2] in {"paraId", "textId"}]:
            del each.attrib[key]


def _fill(paragraph: Element, filler: Filler, values: Mapping[str, Cell]) -> None:
    """Fill the placeholders of a paragraph, each in the look of its first character: programs split them at will."""
    texts = list(_texts(paragraph))
    whole = "".join(each.text or "" for each in texts)
    found = list(PLACEHOLDER.finditer(whole))
    if not found:
        return
    replace = filler.replacement(values)
    filled = [(match.start(), match.end(), replace(match)) for match in found]
    at = number = 0
    for each in texts:
        start, end = at, at + len(each.text or "")
        at = end
        said, place = "", start
        while number < len(filled) and filled[number][0] < end:
            first, last, value = filled[number]
            said += whole[place : max(place, first)]
            said += value if first >= start else ""
            place = min(last, end)
            if last > end:
                break  # it goes on in the next text
            number += 1
        if place > start:
            replace_by(each, run_content(said + whole[place:end]))


def _texts(paragraph: Element) -> Iterator[Element]:
    """The texts of a paragraph itself, not those of a text box in it."""
    for each in paragraph.iter(named("t")):
        if next(each.iterancestors(named("p")), None) is paragraph:
            yield each
