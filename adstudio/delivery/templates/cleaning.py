"""A house's office file, unpacked within bounds and freed of all that would reach beyond it.

A file with macros is refused. Links, fields and parts that an office program would follow, fetch or run are taken out,
and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from adstudio.core.errors import BadInputError, Oddity
from adstudio.delivery.templates.word_fields import drop_fields
from adstudio.delivery.word_markup import Element, etree, replace_by
from adstudio.system.office_package import PackageLimits, package_parts

LIMITS = PackageLimits(
    parts=2_000,
    part=40_000_000,
    unpacked=100_000_000,
    refusal="is too large unpacked for a template: leave out its pictures",
)
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]{0,20}:|//|\\\\", re.IGNORECASE)
"""How an address beyond the package begins."""
_MACROS = re.compile(r"vba(?:project|data)|macrosheets|activex", re.IGNORECASE)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT = b"http://purl.oclc.org/ooxml/"
_EMBEDDED = {"object", "control", "altChunk", "subDoc", "oleObjects", "controls", "oleObject", "mailMerge"}
"""Elements of Word and Excel that hold another program's content, or where to get it from."""
_OFFICE = "ml/2006/main}"
"""How the namespaces of Word and Excel end; parts of other programs have elements of the same names."""
_PICTURES = {"drawing", "pict", "object"}
_LONGEST_SHOWN = 60

Parts = dict[str, bytes]
"""The parts of a package by their names."""


def unpacked(data: bytes, name: str) -> Parts:
    """The parts of an office file (`package_parts`) that a template may be; `name` is the file's for messages.

    Raises:
        BadInputError: for other files, damaged ones, those with a password or macros, and those that are too large.
    """
    parts = dict(package_parts(data, name, LIMITS))
    if any(_MACROS.search(part) for part in parts) or b"macroEnabled" in parts.get("[Content_Types].xml", b""):
        raise BadInputError(f"{name} has macros, which are never run: save it without them")
    if any(
        _STRICT in content[:2_000] for part, content in parts.items() if part.endswith(("document.xml", "book.xml"))
    ):
        raise BadInputError(f"{name} is saved as “strict” Open XML: save it as an ordinary DOCX or XLSX")
    return parts


def cleaned(parts: Parts, name: str) -> tuple[Parts, tuple[Oddity, ...]]:
    """The parts without what reaches beyond them, and what that was.

    Raises:
        BadInputError: for a part that is no XML although it is named so.
    """
    found: dict[str, None] = {}
    result = dict(parts)
    for part in parts:
        if part.lower().endswith(".rels"):
            source = _source_of(part)
            roots = {each: parsed_part(result[each], name) for each in (part, source) if each in result}
            dropped = dict(_dropped_relations(roots[part]))
            if dropped and source in roots:
                _drop_references(roots[source], dropped)
            for each, root in roots.items():
                if dropped:
                    result[each] = serialized(root)
            found.update(dict.fromkeys(f"the template’s link to {_shown(target)}" for target in dropped.values()))
    for part, content in result.items():
        if part.lower().endswith(".xml"):
            root = parsed_part(content, name)
            gone = [*_drop_embedded(root), *_drop_addresses(root), *drop_fields(root)]
            if gone:
                result[part] = serialized(root)
                found.update(dict.fromkeys(gone))
    what = "was taken out, since nothing beyond a template is followed or run"
    return result, tuple(Oddity(f"{each} {what}") for each in found)


def parsed_part(content: bytes, name: str) -> Element:
    """A part's root.

    Raises:
        BadInputError: if it is damaged.
    """
    parser = etree().XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree().fromstring(content, parser)
    except (etree().XMLSyntaxError, ValueError) as error:
        raise BadInputError(f"{name} is damaged: save it anew in an office program") from error


def serialized(root: Element) -> bytes:
    """A part as office programs write it."""
    return etree().tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def local_name(of: Element) -> str:
    """The name of an element without its namespace; empty for comments."""
    return of.tag.rpartition("}")[2] if isinstance(of.tag, str) else ""


def _source_of(part: str) -> str:
    """The part that a part with relations is of: `word/_rels/document.xml.rels` is of `word/document.xml`."""
    path = PurePosixPath(part)
    return str(path.parent.parent / path.stem)


def _dropped_relations(root: Element) -> Iterator[tuple[str, str]]:
    """Take out the relations that lead beyond the package: their ids and addresses."""
    for relation in list(root):
        target = relation.get("Target", "")
        if relation.get("TargetMode", "").lower() == "external" or _OUTSIDE.match(target.strip()):
            root.remove(relation)
            yield relation.get("Id", ""), target


def _drop_references(root: Element, dropped: dict[str, str]) -> None:
    """Take out what refers to relations that are gone: of a text with a link the text stays."""
    for each in list(root.iter()):
        if not isinstance(each.tag, str):
            continue
        referring = [key for key, value in each.attrib.items() if f"{{{_RELATIONS}}}" in key and value in dropped]
        if not referring:
            continue
        if local_name(each) == "hyperlink" and len(each):
            replace_by(each, list(each))
        elif local_name(each).startswith("hlink"):
            each.getparent().remove(each)
        else:
            whole = next((up for up in each.iterancestors() if local_name(up) in _PICTURES), each)
            if whole.getparent() is not None:
                whole.getparent().remove(whole)


def _drop_embedded(root: Element) -> Iterator[str]:
    for each in [each for each in root.iter() if local_name(each) in _EMBEDDED and _OFFICE in each.tag]:
        if each.getparent() is not None:
            each.getparent().remove(each)
            kind = "mail merge" if local_name(each) == "mailMerge" else "embedded object"
            yield f"the template’s {kind}"


def _drop_addresses(root: Element) -> Iterator[str]:
    """Old drawings name addresses without a relation."""
    for each in root.iter():
        if not isinstance(each.tag, str) or "schemas-microsoft-com" not in each.tag:
            continue
        for key in [key for key in each.attrib if key.rpartition("}")[2] in {"src", "href", "althref"}]:
            if _OUTSIDE.match(each.attrib[key].strip()):
                yield f"the template’s link to {_shown(each.attrib.pop(key))}"


def _shown(target: str) -> str:
    return f"“{target[:_LONGEST_SHOWN]}{'…' if len(target) > _LONGEST_SHOWN else ''}”"
