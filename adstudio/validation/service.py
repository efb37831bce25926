"""Validating a file, whichever of the formats it is in."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.rule_findings import RuleFinding
from adstudio.core.script import Script
from adstudio.dapt.reader import MAX_BYTES
from adstudio.dapt.validator import check_dapt
from adstudio.subtitles.formats import refuse_binary
from adstudio.system.files import read_bounded
from adstudio.validation.film import film_findings
from adstudio.validation.findings import Findings
from adstudio.validation.subrip import check_subrip
from adstudio.validation.text_file import check_control_characters
from adstudio.validation.webvtt import check_webvtt


def _check_dapt(data: bytes, name: str) -> tuple[RuleFinding, ...]:
    """The rules of DAPT, and control characters, most of which XML cannot hold."""
    findings = Findings()
    check_control_characters(data.decode("utf-8", "replace"), findings)
    found = (*check_dapt(data, name), *findings.by_line())
    return tuple(sorted(found, key=lambda finding: finding.line or 0))


Validator = Callable[[bytes, str], tuple[RuleFinding, ...]]
"""Checks the bytes of a file; its name is for messages."""

TITLES: Mapping[str, str] = {"dapt": "DAPT", "vtt": "WebVTT", "srt": "SRT"}
"""The formats by name, as people call them."""
_VALIDATORS: Mapping[str, Validator] = {"dapt": _check_dapt, "vtt": check_webvtt, "srt": check_subrip}
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
_HEAD = 20_000


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
    return Validation(chosen, _VALIDATORS[chosen](data, str(path)))


def validate_against(path: Path, script: Script, form: str | None = None) -> Validation:
    """Validate a file as `validate_file` does, and against the film of a project: its length, its dialogue and gaps.

    A script in another format that can be imported is checked against the film alone.

    Raises:
        BadInputError, OutsideFailureError: as `validate_file` does, and for a file that holds no script.
    """
    data = read_bounded(path, MAX_BYTES, "script file")
    try:
        chosen = form or form_of(data, path)
    except BadInputError:
        return Validation("", film_findings(data, str(path), script))
    found = (*_VALIDATORS[chosen](data, str(path)), *film_findings(data, str(path), script))
    return Validation(chosen, tuple(sorted(found, key=lambda finding: finding.line or 0)))


def form_of(data: bytes, path: Path) -> str:
    """The format of a file, by its ending or else by how it begins.

    Raises:
        BadInputError: if it is none of `TITLES`.
    """
    named = _ENDINGS.get(path.suffix.lower())
    if named is not None:
        return named
    refuse_binary(data, str(path))
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
    raise BadInputError(f"{path} is none of {', '.join(TITLES.values())}: say what it should be with --format")
