"""What is said of lines that are spoken in one breath."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.core.script import Eventuality
from adstudio.delivery.joined_lines import breath_of
from adstudio.editing.names import quoted
from adstudio.ui.session.session import Session


def breath_words(session: Session, line: Eventuality) -> str:
    """How a line stands that is joined to the one before it: with whom it is spoken, or why it is not for now."""
    found = breath_of(session.script, session.plan, session.gaps, line)
    if found.hindrance or found.before is None:
        return f"Joined to the line before, but not spoken in one breath: {found.hindrance}."
    before = session.script.eventuality(found.before.element)
    return f"Spoken in one breath with {quoted(before.variants[found.before.variant].text)}."


def told_of(session: Session, identities: Iterable[str]) -> str:
    """What is said after lines were joined or parted: the first thing that hinders it, if anything does."""
    lines = [session.script.eventuality(identity) for identity in identities]
    joined = [line for line in lines if line.joined]
    if not joined:
        return "Spoken by itself again." if len(lines) == 1 else "Spoken by themselves again."
    hindered = [line for line in joined if breath_of(session.script, session.plan, session.gaps, line).hindrance]
    return breath_words(session, (hindered or joined)[0])
