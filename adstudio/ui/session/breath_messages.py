"""Messages about linked lines."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.core.counts import counted
from adstudio.core.fusions import wording_of
from adstudio.core.script import Eventuality
from adstudio.core.words import opening_words
from adstudio.delivery.joined_lines import link_state
from adstudio.delivery.line_numbers import line_numbers
from adstudio.editing.names import quoted_line
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import as_sentence


def breath_words(session: Session, line: Eventuality) -> str:
    """Which line a linked line is spoken with, or why it is not."""
    found = link_state(session.script, session.plan, session.gaps, line)
    if found.obstacle or found.before is None:
        return f"Linked with previous, but not spoken together: {found.obstacle}."
    before = wording_of(session.script, found.before)
    return f"Spoken together with {quoted_line('' if before is None else before.text)}."


def fused_words(session: Session, line: Eventuality) -> str:
    """With how many items an item is fused, in which line, and as what; empty where it is not."""
    spoken = session.plan.spoken_as(line.id)
    fused = None if spoken is None or not spoken.members else wording_of(session.script, spoken)
    if spoken is None or fused is None:
        return ""
    own = "Reword, lock, record or accept it, or review its scene, to make it a line of your own."
    number = line_numbers(session.script, session.plan, session.gaps).get(line.id, 0)
    said = as_sentence(f"“{opening_words(fused.text, len(fused.text))}”")
    return f"Line {number} says {counted(len(spoken.members), 'item')} as one: {said} {own}"


def breath_announcement(session: Session, identities: Iterable[str]) -> str:
    """The message after linking or unlinking lines: the first obstacle, if any."""
    lines = [session.script.eventuality(identity) for identity in identities]
    joined = [line for line in lines if line.joined]
    if not joined:
        return (
            "Unlinked: exported as a cue of its own." if len(lines) == 1 else "Unlinked: exported as cues of their own."
        )
    blocked = [line for line in joined if link_state(session.script, session.plan, session.gaps, line).obstacle]
    return breath_words(session, (blocked or joined)[0])
