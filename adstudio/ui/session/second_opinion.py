"""The second opinion: CP-SAT at work in a process of its own, on what the last step touched.

The plan that is shown never waits for it. An answer that belongs to an older state is dropped by the planner.
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject

from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.second_opinion import SceneRequest
from adstudio.planning.live.explain import Reason
from adstudio.planning.worker import PROTOCOL, Event, Solve, Solved, without_texts
from adstudio.ui.actions.actions import Actions
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.session.session import Session

CRASHED = "the solver crashed; see the log for details"
PAUSE_MS = 120
"""Nothing is asked until the describer has paused for this long."""
PATIENCE_MS = 1500
"""A process busy this long on an obsolete request is killed; starting another takes half a second."""


class SecondOpinion(QObject):
    """Asks what the outcome leaves open, one scene after the other, the latest state first."""

    def __init__(self, session: Session, jobs: Jobs, actions: Actions) -> None:
        super().__init__(session)
        self._session = session
        self._client = CompanionClient[Solve, Event](jobs, self, PROTOCOL, CRASHED)
        self._asked: SceneRequest | None = None
        self._explained: tuple[SceneRequest, Reason | None] | None = None
        self._since = QElapsedTimer()
        self._closed = False
        self._pause = single_shot(self, PAUSE_MS, self._ask)
        self._session.current_plan.changed.connect(lambda _: self._pause.start())
        self._session.current_plan.proved.connect(self._pause.start)
        self._session.opened.connect(self._pause.start)
        self._session.cursor.selection_changed.connect(self._pause.start)
        actions.connect("plan.again", self.again, lambda: self._session.project is not None)

    @property
    def working(self) -> bool:
        """Whether an answer is awaited."""
        return self._asked is not None or self._pause.isActive()

    def again(self) -> None:
        """Ask once more, also what failed or ran out of time."""
        self._forget()
        self._session.messages.say("Checking the plan again.")
        self._session.current_plan.plan_again()

    def close(self) -> None:
        """Ask nothing any more."""
        self._closed = True
        self._pause.stop()
        self._forget()

    def _ask(self) -> None:
        wanted = self._session.current_plan.outcome.open or self._questions()
        if self._closed or not wanted:
            return
        if self._asked is not None:
            if self._asked in wanted:
                return
            if self._since.elapsed() < PATIENCE_MS:
                self._pause.start()
                return
            self._forget()
        request = self._asked = wanted[0]
        self._since.restart()
        asked = Solve(without_texts(request.problem), request.backend, request.limit)
        self._client.ask(asked, lambda answer: self._answered(request, answer))

    def _forget(self) -> None:
        self._asked = None
        self._client.forget()

    def _questions(self) -> tuple[SceneRequest, ...]:
        """Why the current line is in or out, where finding out takes long; a known answer is emitted again."""
        line, planner = self._session.cursor.line, self._session.current_plan.planner
        if line is None:
            return ()
        reason = planner.reason(line.id)
        question = planner.question(line.id) if reason is not None and reason.open else None
        if question is None:
            return ()
        if self._explained is not None and self._explained[0] == question:
            if self._explained[1] is not None:
                self._session.current_plan.explained.emit(self._explained[1])
            else:
                self._session.current_plan.unexplained.emit(line.id)
            return ()
        return (question,)

    def _answered(self, request: SceneRequest, answer: Event) -> None:
        self._asked = None
        planner = self._session.current_plan.planner
        if request.about:
            self._explained = request, planner.explained(request, answer.plan) if isinstance(answer, Solved) else None
            self._pause.start()
        elif isinstance(answer, Solved):
            self._take(planner.accept(request, answer.plan))
        else:
            self._take(planner.refuse(request, answer.message))

    def _take(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self._session.current_plan.accept_outcome(outcome)
        self._pause.start()
