"""Office files (Open XML: DOCX, XLSX) as ZIP packages of parts: unpacked within limits, and packed without a moment."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adstudio.core.errors import BadInputError

_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_XML = (".xml", ".rels")
_DRAWING = ".vml"
_DECLARATION = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_CORE = "docProps/core.xml"
_MOMENT = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(</dcterms:)")
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that ZIP has."""


@dataclass(frozen=True)
class PackageLimits:
    """How large a package may be: its parts, and the bytes of one and of all of them unpacked."""

    parts: int
    part: int
    unpacked: int
    refusal: str
    """What is said of a larger one, behind its name."""


def is_office(data: bytes) -> bool:
    """Whether it is an office file by its first bytes: a package, or one of before 2007."""
    return data.startswith((_ZIP, _OLE))


def package_parts(
    data: bytes, name: str, limits: PackageLimits, *, xml_only: bool = False
) -> Iterator[tuple[str, bytes]]:
    """The name and the content of each part; no XML among them declares entities. `name` is the file's for messages.

    `xml_only`: other parts are named, but not unpacked: their contents are empty.

    Raises:
        BadInputError: for other files, damaged ones, those with a password, and those that are too large.
    """
    if data.startswith(_OLE):
        raise BadInputError(
            f"{name} is of an old Office version, or protected by a password: save it as DOCX or XLSX without one"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            yield from _parts(package, name, limits, xml_only=xml_only)
    except BadInputError:
        raise
    except Exception as error:  # zipfile raises whatever a damaged package leads to
        raise BadInputError(
            f"{name} is damaged, or protected by a password: open it in an office program, and save it anew"
        ) from error


def packed(parts: Mapping[str, bytes]) -> bytes:
    """A package of these parts by their names: the same bytes for the same parts."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name, _EARLIEST), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def repacked(data: bytes, day: dt.date) -> bytes:
    """A library's package with a day in place of the moments of writing, so that the same content is the same bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    moment = f"{day.isoformat()}T00:00:00Z".encode()
    return packed(parts | {_CORE: _MOMENT.sub(rb"\g<1>" + moment + rb"\g<2>", parts[_CORE])})


def _parts(
    package: zipfile.ZipFile, name: str, limits: PackageLimits, *, xml_only: bool
) -> Iterator[tuple[str, bytes]]:
    found = package.infolist()
    too_large = BadInputError(f"{name} {limits.refusal}")
    if len(found) > limits.parts or sum(part.file_size for part in found) > limits.unpacked:
        raise too_large
    if len({part.filename for part in found}) != len(found):
        raise BadInputError(f"{name} is damaged (it holds two parts of one name): save it anew")
    total = 0
    for part in found:
        if part.is_dir():
            continue
        ending, content = part.filename.lower(), b""
        if not xml_only or ending.endswith(_XML):
            with package.open(part) as stream:
                # The directory's sizes may lie.
                content = stream.read(limits.part + 1)
        total += len(content)
        if len(content) > limits.part or total > limits.unpacked:
            raise too_large
        # In UTF-16 too, which no office program writes.
        if ending.endswith((*_XML, _DRAWING)) and _DECLARATION.search(content.replace(b"\0", b"")):
            raise BadInputError(
                f"{name} declares a document type or entities, which no office program does, so it was not read: open"
                " it in an office program, and save it anew"
            )
        yield part.filename, content
