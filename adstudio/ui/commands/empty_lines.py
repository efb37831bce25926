"""A new line that never got words is removed when it is left, as if it had not been."""

from __future__ import annotations

from adstudio.core.steps import Insert, Replace
from adstudio.editing.lines import delete_lines
from adstudio.ui.session.selection import NOTHING, Selection
from adstudio.ui.session.session import Session


class EmptyLines:
    """Knows the lines that were begun since the project was opened, and removes those that are left empty.

    Escape in their text, another selection and saving all leave them. Words that are still being typed are taken first,
    because the fields were connected to the same signals before.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._begun: dict[str, Selection] = {}
        session.opened.connect(self._begun.clear)
        session.cursor.selection_changed.connect(self._left)
        session.flushed.connect(self._saving)
        session.edits.text_given_up.connect(self._given_up)

    def begin(self, identity: str, before: Selection) -> None:
        """A line was begun; `before` is what was selected then."""
        self._begun[identity] = before

    def _left(self) -> None:
        for identity in self._empty():
            if identity not in self._session.cursor.selection.lines():
                self._remove(identity)

    def _saving(self) -> None:
        for identity in self._empty():
            self._give_up(identity)

    def _given_up(self, identity: str) -> None:
        # In the inspector words may have been taken in a pause of typing: they are given up with the line.
        line = self._session.script.eventuality(identity)
        if identity in self._begun and len(line.variants) == 1:
            self._give_up(identity)

    def _give_up(self, identity: str) -> None:
        before = self._begun.get(identity, NOTHING)
        self._remove(identity)
        self._session.cursor.select_again(before)

    def _empty(self) -> list[str]:
        script = self._session.script
        there = (script.eventuality(identity) for identity in self._begun if identity in script.eventuality_index)
        return [line.id for line in there if not any(variant.text.strip() for variant in line.variants)]

    def _remove(self, identity: str) -> None:
        """Withdraw its insertion if nothing else was done since; else delete it."""
        document = self._session.edits.document
        inserts = [isinstance(step, Insert) and step.item.id == identity for step in document.past]
        since = document.past[inserts.index(True) + 1 :] if True in inserts else None
        if since is not None and all(isinstance(step, Replace) and step.old.id == identity for step in since):
            for _ in range(len(since) + 1):
                document.withdraw()
        else:
            self._session.edits.attempt(lambda script: delete_lines(script, (identity,)))
        self._session.messages.say("The line was empty and has been removed.")
