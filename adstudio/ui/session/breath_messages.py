"""Messages about linked lines."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.core.script import Eventuality
from adstudio.delivery.joined_lines import link_state
from adstudio.editing.names import quoted
from adstudio.ui.session.session import Session


def breath_words(session: Session, line: Eventuality) -> str:
    """Which line a linked line is spoken with, or why it is not."""
    found = link_state(session.script, session.plan, session.gaps, line)
    if found.obstacle or found.before is None:
        return f"Linked with previous, but not spoken together: {found.obstacle}."
    before = session.script.eventuality(found.before.element)
    return f"Spoken together with {quoted(before.variants[found.before.variant].text)}."


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
