"""Validating a file, whichever of the formats it is in."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.rule_findings import Findings, Rule, RuleFinding, by_line
from adstudio.core.script import Script
from adstudio.dapt.rules import SERIALIZATION
from adstudio.dapt.validator import check_dapt
from adstudio.script_files.reading import MAX_BYTES
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.formats import kind_by_signature, refuse_binary
from adstudio.system.files import read_bounded
from adstudio.system.office_package import is_office
from adstudio.validation.film import film_findings
from adstudio.validation.subrip import check_subrip
from adstudio.validation.text_file import check_control_characters
from adstudio.validation.webvtt import check_webvtt

Validator = Callable[[bytes, str], tuple[RuleFinding, ...]]
"""Checks the bytes of a file; its name is for messages."""

TITLES: Mapping[str, str] = {"dapt": "DAPT", "vtt": "WebVTT", "srt": "SRT"}
"""The formats by name, as people call them."""
_ENDINGS = {
    ".dapt": "dapt",
    ".ttml": "dapt",
    ".xml": "dapt",
    ".vtt": "vtt",
    ".webvtt": "vtt",
    ".srt": "srt",
    ".srtad": "srt",
}
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ARROW = re.compile(rb"\d[ \t]*-->[ \t]*\d")
_TIMES = re.compile(r"\d[ \t]*(?:-{1,3}>|=>|\u2192)|(?:-{1,3}>|=>|\u2192)[ \t]*\d")
"""What a cue has, however it is misspelt."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ROOT = re.compile(r"[^<]*(?:<[!?][^<]*)*<(?:!DOCTYPE\s+)?(?:[^\W\d][\w.-]{0,40}:)?tt[\s/>]")
_EVENT = re.compile(r"<(?:[^\W\d][\w.-]{0,40}:)?(?:div|p)[\s/>]")
_DATABASE = b"SQLite format 3\x00"
_HEAD = 20_000
_LINES = Rule("script:lines", "a script, not of its format: at least one line")


def _check_dapt(data: bytes, name: str) -> tuple[RuleFinding, ...]:
    """The rules of DAPT; control characters that XML can hold are advised against, since no voice speaks them."""
    findings = Findings()
    check_control_characters(data.decode("utf-8", "replace"), findings, advice=True)
    return by_line((*check_dapt(data, name), *findings.by_line()))


_VALIDATORS: Mapping[str, Validator] = {"dapt": _check_dapt, "vtt": check_webvtt, "srt": check_subrip}


class NoRulesError(BadInputError):
    """A script in a format that has no rules, so that only a film can stand against it."""

    option = "--against P.adproj"


@dataclass(frozen=True)
class Validation:
    """What came of it: the findings in the order of their lines, advice included.

    `form` is the format's name, empty for one that has no rules of its own here.
    """

    form: str
    findings: tuple[RuleFinding, ...]

    @property
    def valid(self) -> bool:
        """Whether no rule is broken."""
        return all(finding.advice for finding in self.findings)


def validate_file(path: Path, form: str | None = None) -> Validation:
    """Validate a file in a format of `TITLES`, or in the one that its name or content shows.

    Raises:
        BadInputError: for a file that is not there, too large, no text or in none of the formats.
        OutsideFailureError: if it cannot be read.
    """
    data = read_bounded(path, MAX_BYTES, "script file")
    chosen = form or form_of(data, path)
    return Validation(chosen, _findings(data, str(path), chosen))


def validate_against(path: Path, script: Script, form: str | None = None) -> Validation:
    """Validate a file as `validate_file` does, and against the film of a project: its length, its dialogue and gaps.

    A script in another format that can be imported is checked against the film alone.

    Raises:
        BadInputError, OutsideFailureError: as `validate_file` does, and for a file that holds no script.
    """
    data = read_bounded(path, MAX_BYTES, "script file")
    try:
        chosen = form or form_of(data, path)
    except NoRulesError:
        return Validation("", film_findings(data, str(path), script))
    found = (*_findings(data, str(path), chosen), *film_findings(data, str(path), script))
    return Validation(chosen, by_line(found))


def form_of(data: bytes, path: Path) -> str:
    """The format of a file, by its ending or else by how it begins.

    Raises:
        BadInputError: if it is none of `TITLES`.
    """
    if not data.strip():
        raise BadInputError(f"{path} is empty: there is no script in it")
    if data.startswith(_DATABASE):
        raise BadInputError(
            f"{path} is a project or another database, not a script file: a project’s script is checked by adstudio qc,"
            " and each file that is exported from it by adstudio validate"
        )
    if is_office(data):
        raise NoRulesError(f"{path} is a spreadsheet or a document: these are only checked against a film")
    named = _ENDINGS.get(path.suffix.lower())
    if named is not None:
        return named
    _require_text(data, str(path))
    head = data[:_HEAD]
    for mark in _BOMS:
        head = head.removeprefix(mark)
    head = head.replace(b"\0", b"").lstrip()
    if head.startswith(b"<"):
        return "dapt"
    if head.startswith(b"WEBVTT"):
        return "vtt"
    if _ARROW.search(head):
        return "srt"
    raise NoRulesError(
        f"{path} is none of {', '.join(TITLES.values())} (say with --format if it should be); another script is only"
        " checked against a film"
    )


def _findings(data: bytes, name: str, form: str) -> tuple[RuleFinding, ...]:
    """What a validator finds in a file that is of its format; that it has no line at all is advice.

    Raises:
        BadInputError: for a file that is nothing of the kind.
    """
    if not data.strip():
        raise BadInputError(f"{name} is empty: there is no script in it")
    text = _require_text(data, name).lstrip("\ufeff \t\r\n")
    if form == "dapt":
        alike, has_lines = _ROOT.match(_COMMENT.sub("", text[:_HEAD])), _EVENT.search(text)
        lacking = "its first element is not <tt>"
    else:
        has_lines = _TIMES.search(text)
        alike = has_lines or (form == "vtt" and text.startswith("WEBVTT"))
        lacking = "there are no times of cues in it"
    if not alike:
        raise BadInputError(f"{name} is not a script in {TITLES[form]}: {lacking}; check that it is the right file")
    found = _VALIDATORS[form](data, name)
    if has_lines or any(finding.rule is SERIALIZATION for finding in found):
        return found
    # Neither DAPT nor WebVTT demands one.
    return (RuleFinding(_LINES, "the script has no line: check that it was exported whole", advice=True), *found)


def _require_text(data: bytes, name: str) -> str:
    """The text of a file.

    Raises:
        BadInputError: for what is none.
    """
    kind = kind_by_signature(data)
    if kind:
        raise BadInputError(f"{name} is no script in {', '.join(TITLES.values())}, but {kind}")
    refuse_binary(data, name)
    return decode(data, name)[0].text
