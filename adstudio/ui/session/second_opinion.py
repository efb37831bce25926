"""The second opinion: CP-SAT at work in a process of its own, on what the last step touched.

The plan that is shown never waits for it. An answer that belongs to an older state is dropped by the planner.
"""

from __future__ import annotations

import logging

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.second_opinion import SceneRequest
from adstudio.planning.live.explain import Reason
from adstudio.planning.worker import read_answer, request_line
from adstudio.ui.background.jobs import python_command
from adstudio.ui.session.context import Desk

log = logging.getLogger(__name__)

PAUSE_MS = 120
"""The hand may go on for so long before anything is asked."""
PATIENCE_MS = 1500
"""A process that works so long on what nobody needs any more is ended; starting another takes half a second."""


class Opinions(QObject):
    """Asks what the outcome leaves open, one scene after the other, the latest state first."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.session)
        self._desk = desk
        self._session = desk.session
        self._worker = desk.jobs.worker(python_command("adstudio.planning.worker"))
        self._worker.line.connect(self._heard)
        self._worker.ended.connect(self._gone)
        self._asked: dict[int, SceneRequest] = {}
        self._told: tuple[SceneRequest, Reason | None] | None = None
        self._number = 0
        self._since = QElapsedTimer()
        self._closed = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self._session.changed.connect(lambda _: self._pause.start())
        self._session.proved.connect(self._pause.start)
        self._session.opened.connect(self._pause.start)
        self._session.selection_changed.connect(self._pause.start)
        desk.actions.connect("plan.again", self.again, lambda: self._session.project is not None)

    @property
    def working(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self._asked) or self._pause.isActive()

    def again(self) -> None:
        """Ask once more, also what failed or ran out of time."""
        self._worker.kill()
        self._asked.clear()
        self._session.plan_again()

    def close(self) -> None:
        """Ask nothing any more."""
        self._closed = True
        self._pause.stop()
        self._worker.kill()
        self._asked.clear()

    def _ask(self) -> None:
        wanted = self._session.outcome.open or self._questions()
        if self._closed or not wanted:
            return
        for number, request in tuple(self._asked.items()):
            if request in wanted:
                return
            if self._since.elapsed() < PATIENCE_MS:
                self._pause.start()
                return
            del self._asked[number]
            self._worker.kill()
        request = wanted[0]
        self._number += 1
        self._asked[self._number] = request
        self._since.restart()
        self._worker.ask(request_line(self._number, request.problem, request.backend, request.limit))

    def _questions(self) -> tuple[SceneRequest, ...]:
        """Why the line in hand is in or out, where only CP-SAT can tell; an answer that is known is told again."""
        line, planner = self._session.line, self._session.planner
        if line is None:
            return ()
        reason = planner.reason(line.id)
        question = planner.question(line.id) if reason is not None and reason.loss is None else None
        if question is None:
            return ()
        if self._told is not None and self._told[0] == question:
            if self._told[1] is not None:
                self._session.reason_told.emit(self._told[1])
            return ()
        return (question,)

    def _heard(self, line: bytes) -> None:
        answer = read_answer(line)
        request = None if answer.id is None else self._asked.pop(answer.id, None)
        if request is None:
            return
        planner = self._session.planner
        if request.about:
            self._told = request, None if answer.plan is None else planner.told(request, answer.plan)
            self._pause.start()
        elif answer.plan is None:
            self._take(planner.refuse(request, answer.error))
        else:
            self._take(planner.accept(request, answer.plan))

    def _gone(self, code: int, said: str) -> None:
        """The process ended by itself: what it was asked is not asked again, the rest goes to another."""
        asked, self._asked = tuple(self._asked.values()), {}
        log.error("the second opinion ended with %s: %s", code, said)
        for request in asked:
            if request.about:
                self._told = request, None
            self._take(self._session.planner.refuse(request, said or f"the process ended with {code}"))

    def _take(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self._session.accept_outcome(outcome)
        self._pause.start()
