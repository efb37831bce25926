"""Approved lines that have changed: what became of them, in words, and putting them back as one step."""

from __future__ import annotations

from collections.abc import Mapping

from adstudio.core.script import Approval, Eventuality
from adstudio.editing.departures import Departure, Restoration, approved_text, restore
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import as_sentence, counted, duration, quoted_line


def restore_lines(session: Session, approved: Mapping[str, Approval]) -> None:
    """Have these lines spoken as approved again, as far as locks and gaps allow, and say how far that is."""
    there = {name: how for name, how in approved.items() if name in session.script.eventuality_index}
    if not there:
        return
    found = restore(session.script, session.gaps, session.current_plan.planner, there)
    names = {name: quoted_line(approved_text(session.script.eventuality(name), how)) for name, how in there.items()}
    session.edits.do(found.step)
    session.messages.say(_sentence(found, names))


def became(departure: Departure, line: Eventuality) -> str:
    """What has become of an approved line, as the end of a sentence about it."""
    if departure.delivery is None:
        return "is left out now"
    if departure.reworded:
        return f"is now spoken as {quoted_line(line.variants[departure.delivery.variant].text)}"
    return f"is now spoken {duration(abs(departure.by))} {'later' if departure.by > 0 else 'earlier'}"


def _sentence(found: Restoration, names: Mapping[str, str]) -> str:
    parts: list[str] = []
    if found.restored:
        is_one = len(found.restored) == 1
        parts.append(f"{counted(len(found.restored), 'line')} {'is' if is_one else 'are'} back and locked as accepted")
    if found.partly:
        parts.append(f"{_listed(found.partly, names)} could only be locked in, since there is no room as accepted")
    if found.failed:
        parts.append(
            f"there is no room for {_listed(found.failed, names)} as accepted: make room, or accept the change"
        )
    return as_sentence("; ".join(parts))


def _listed(lines: tuple[str, ...], names: Mapping[str, str]) -> str:
    return names[lines[0]] if len(lines) == 1 else counted(len(lines), "line")
