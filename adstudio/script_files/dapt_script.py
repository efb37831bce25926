"""Finished AD scripts in DAPT."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from adstudio.core.counts import counted
from adstudio.core.errors import Oddity
from adstudio.core.mix_settings import MixSettings
from adstudio.dapt.reader import read_document
from adstudio.dapt.script import DaptScript, Duck, ScriptEvent
from adstudio.script_files.finished import FinishedLine, FinishedScript

_USUAL = MixSettings().duck_depth
"""The depth of lines that have none of their own."""
_NUMBERED = re.compile(r"[^\W\d_]+[\-_.]?0*(\d{1,6})")
"""An identifier that is a name and a number, such as ad12."""


def read_dapt(data: bytes, name: str) -> FinishedScript:
    """The lines of a DAPT document; the rules that it breaks are among the oddities.

    Raises:
        BadInputError: for what cannot be read safely as one; the message says why.
    """
    script, findings, odd = read_document(data, name)
    broken = [
        Oddity(f"{finding.what} ({finding.rule.clause})", finding.line) for finding in findings if not finding.advice
    ]
    # Without any mixing instruction, the film goes down as the project has it.
    mixed = any(event.duck is not None for event in script.events)
    lines = tuple(_line(event, mixed=mixed) for event in script.events if event.text.strip())
    oddities = (*broken, *odd, *_not_used(script))
    return FinishedScript(lines, oddities, script.language, script.title, script.origin)


def _line(event: ScriptEvent, *, mixed: bool) -> FinishedLine:
    number = _NUMBERED.fullmatch(event.id)
    return FinishedLine(
        event.text,
        event.start,
        event.end,
        event.line,
        number=number[1] if number else "",
        notes=event.description,
        voice=event.voice,
        pronunciation="; ".join(event.pronunciations),
        duck=_depth(event.duck) if mixed else None,
    )


def _depth(duck: Duck | None) -> int | None:
    """How far the film goes down where it does so at all, None as usual."""
    depth = 0 if duck is None else duck.depth
    return None if depth == _USUAL else depth


def _not_used(script: DaptScript) -> Iterator[Oddity]:
    """What a finished script has no place for, once each."""
    empty = [event for event in script.events if not event.text.strip()]
    if empty:
        yield Oddity(f"{_events(len(empty))} without a text, which may mark gaps, were left out", empty[0].line)
    recorded = [event for event in script.events if event.recording]
    if recorded:
        what = "refer to a recording, which is not read: import the folder of the recordings as takes"
        yield Oddity(f"{_events(len(recorded))} {what}", recorded[0].line)
    for kind, count in Counter(event.represents for event in script.events if event.text.strip()).items():
        if kind.startswith("audio"):
            yield Oddity(f"{_events(count)} with what is heard (daptm:represents is {kind}) were read as lines too")
        elif kind.startswith("visual.text"):
            yield Oddity(f"{_events(count)} with text on the screen ({kind}) were read like the others")


def _events(count: int) -> str:
    return counted(count, "event")
