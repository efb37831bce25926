"""What importing a script changes, in words: line by line, and summed up."""

from __future__ import annotations

from collections.abc import Iterator

from adstudio.core.counts import counted
from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.importing.comparing import FRAME_MS, Change, ImportDiff, LineChange
from adstudio.importing.effects import Effects
from adstudio.importing.service import Comparison

_QUOTED = 60
_ORDER = (Change.SAME, Change.NEW, Change.TEXT, Change.MOVED, Change.TEXT_AND_MOVED, Change.BROUGHT_IN)


def change_message(change: LineChange, film: Film) -> str:
    """What becomes of one line: `moved  00:00:05:12  “A boy plays piano.” (was at 00:00:04:00)`."""
    span, source = change.line.span, change.line.source
    where = film.timecode(span.start) if span is not None else f"line {source.line}, no time"
    sentence = f"{change.change.value}: {where} {_quoted(change.line.text)}"
    parts: list[str] = []
    if change.change in (Change.MOVED, Change.TEXT_AND_MOVED) and change.before is not None:
        parts.append(_was_at(film, change.before, span))
    if change.change in (Change.TEXT, Change.TEXT_AND_MOVED):
        parts.append(f"was {_quoted(change.before_text)}")
    return f"{sentence} ({', '.join(parts)})" if parts else sentence


def lacking_message(text: str, *, locked_out: bool) -> str:
    """That a line of the project is not in the script, and what becomes of it."""
    return f"not in the script: {_quoted(text)} ({'locked out' if locked_out else 'stays as it is'})"


def diff_messages(found: Comparison, before: Script, *, locked_out: bool) -> Iterator[str]:
    """What changes, line by line; lines that are the same are left out, unless they get a note or are accepted."""
    for change in found.diff.changes:
        further = further_message(change, before)
        if change.change is not Change.SAME:
            yield change_message(change, before.film)
        elif further:
            yield f"{change_message(change, before.film)} ({further})"
    for text in found.diff.lacking_texts:
        yield lacking_message(text, locked_out=locked_out)


def diff_summary(diff: ImportDiff) -> str:
    """All of it in numbers: “12 lines: 9 same, 2 new, 1 moved; 3 lines of the project are not in the script”."""
    lines = len(diff.changes)
    parts = [f"{number:,} {kind.value}" for kind in _ORDER if (number := diff.count(kind))]
    total = f"{counted(lines, 'line')}: {', '.join(parts)}"
    lacking = len(diff.lacking_texts)
    if not lacking:
        return total
    more = "1 line of the project is" if lacking == 1 else f"{lacking:,} lines of the project are"
    return f"{total}; {more} not in the script"


def import_summary(diff: ImportDiff, effects: Effects | None) -> str:
    """All of it in numbers, with what becomes of the lines: “…; 3 accepted, 2 locked”; None where nothing changes."""
    return f"{diff_summary(diff)}; {'nothing to change' if effects is None else _effects(effects)}"


def _effects(effects: Effects) -> str:
    counts = (
        (effects.accepted, "accepted"),
        (effects.locked, "locked"),
        (effects.unaccepted, "no longer accepted"),
        (effects.locked_out, "locked out"),
        (effects.noted, "with further notes"),
    )
    return ", ".join(f"{number:,} {what}" for number, what in counts if number) or "none accepted or locked"


def further_message(change: LineChange, script: Script) -> str:
    """What a line that is the same gets all the same: notes, and that it is accepted; empty for most."""
    names = change.elements if change.change is Change.SAME else ()
    accepted = bool(change.line.source.accepted) and any(not script.eventuality(name).accepted for name in names)
    notes = [f"note: {' / '.join(change.note.splitlines())}"] if names and change.note else []
    return ", ".join([*(["accepted"] if accepted else []), *notes])


def further_changes(diff: ImportDiff) -> Iterator[str]:
    """What importing changes beside lines: the pause between them, and the lexicon."""
    if diff.pause is not None:
        yield (
            f"pause between lines set to {diff.pause / 1000:g} s, as lines in the script follow each other so closely"
        )
    if words := len(diff.words):
        yield f"pronunciation of {counted(words, 'word')} added to the lexicon"


def _was_at(film: Film, before: Span, after: Span | None) -> str:
    if after is not None and abs(before.start - after.start) <= FRAME_MS:
        return f"was {before.length / 1000:.3f} s long, is {after.length / 1000:.3f} s"
    return f"was at {film.timecode(before.start)}"


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return f"“{words if len(words) <= _QUOTED else words[: _QUOTED - 1].rstrip() + '…'}”"
