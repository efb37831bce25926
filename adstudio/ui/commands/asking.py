"""The ask keys: each answers in a sentence; pressed again while that still holds, in detail."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.planning.live.explain import Reason
from adstudio.ui.commands import answers
from adstudio.ui.commands.answers import AskedAnswer
from adstudio.ui.session.context import Context
from adstudio.ui.session.reason_texts import NOT_IN_TIME, WORKING, reason_text

WHERE = "ask.where"
SAME_PLACE_MS = 5000
"""Film time that may pass, while it plays, until where one is has to be said anew."""


class AskCommands:
    """Connects the ask keys. `panel` names the panel that has the keyboard, `seen` who is seen at a film time."""

    def __init__(
        self, context: Context, is_open: Callable[[], bool], panel: Callable[[], str], seen: Callable[[int], str]
    ) -> None:
        self._session = context.session
        self._panel = panel
        self._asked = ""
        self._asked_at = 0
        self._line_awaited = ""
        """The line whose reason is still being worked out, after that has been said."""
        self._questions: dict[str, Callable[[], AskedAnswer]] = {
            WHERE: lambda: answers.where(self._session, self._panel(), seen(self._session.cursor.playhead)),
            "ask.why": lambda: answers.why(self._session),
            "ask.changed": lambda: answers.changed(self._session),
            "ask.conflicts": lambda: answers.conflicts(self._session),
        }
        for name in self._questions:
            context.actions.connect(name, lambda name=name: self.ask(name), is_open)
        self._session.cursor.selection_changed.connect(self._forget)
        current_plan = self._session.current_plan
        current_plan.changed.connect(lambda _: self._forget())
        current_plan.explained.connect(self._explained)
        current_plan.unexplained.connect(self._unexplained)

    def ask(self, name: str) -> None:
        """Answer in a sentence; asked again while that still holds, in detail, and then in a sentence again.

        However long it takes to hear the sentence: only another question, selection or plan makes it a first one.
        """
        at = self._session.cursor.playhead
        again = self._asked == name and (name != WHERE or abs(at - self._asked_at) < SAME_PLACE_MS)
        answer = self._questions[name]()
        self._asked, self._asked_at = "" if again else name, at
        self._session.messages.say((again and answer.detail) or answer.short)
        line = self._session.cursor.line
        self._line_awaited = line.id if line is not None and answer.short.endswith(WORKING) else ""

    def _forget(self) -> None:
        self._asked = self._line_awaited = ""

    def _explained(self, reason: Reason) -> None:
        if reason.element == self._line_awaited:
            self._line_awaited = ""
            self._session.messages.say(reason_text(self._session, reason.element, reason).short)

    def _unexplained(self, identity: str) -> None:
        if identity == self._line_awaited:
            self._line_awaited = ""
            self._session.messages.say(NOT_IN_TIME)
