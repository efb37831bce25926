"""What other settings, or another dialogue, do to the plan: worked out in a process of its own, ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from adstudio.core.plan import Plan
from adstudio.core.script import Cue, Script
from adstudio.core.settings import Settings
from adstudio.delivery.spoken_counts import spoken_counts
from adstudio.planning.film.plan_changes import PlanChanges, compare
from adstudio.planning.film.preview_worker import (
    PROTOCOL,
    Event,
    FilmSent,
    LinesSent,
    Preview,
    Previewed,
    Request,
    film_parts,
)
from adstudio.system.codec import CodecError
from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.widgets.formatting import counted, duration, quoted_line

PAUSE_MS = 150
"""Nothing is planned until the describer has paused for this long."""
PATIENCE_MS = 3_000
"""A process busy this long with settings that have changed since is ended."""
SHOWN_LINES = 3
"""Lines that are quoted_line, of those that go or come."""
WORKING = "Working out what this does to the plan…"
CRASHED = "What this does to the plan could not be worked out; see the log for details."
UNCHANGED = "The plan does not change."


class PlanPreview(QObject):
    """Says what other settings or another dialogue do to a film’s plan.

    `said` gives a sentence, empty where there is nothing to say.
    """

    said = Signal(str)

    def __init__(self, jobs: Jobs, script: Script, plan: Plan, parent: QObject) -> None:
        super().__init__(parent)
        self._script, self._plan = script, plan
        self._client = CompanionClient[Request, Event](jobs, self, PROTOCOL, CRASHED)
        self._client.ended.connect(self._start_over)
        self._parts: Iterator[FilmSent | LinesSent] | None = None
        """What of the film is still to be sent to the process; None before anything is."""
        self._wanted: Preview | None = None
        self._asked: Preview | None = None
        self._since = QElapsedTimer()
        self._pause = single_shot(self, PAUSE_MS, self._ask)

    @property
    def working(self) -> bool:
        """Whether an answer is awaited."""
        return self._asked is not None or self._pause.isActive()

    def show(self, settings: Settings, language: str, cues: tuple[Cue, ...] | None = None) -> None:
        """Say what these settings do, with these cues as the dialogue if they are given."""
        wanted = Preview(settings, language, cues)
        if self._wanted == wanted:
            return
        self._wanted = wanted
        if wanted == Preview(self._script.settings, self._script.film.language):
            self._pause.stop()
            self.said.emit("")
        else:
            self.said.emit(WORKING)
            self._pause.start(PAUSE_MS)

    def clear(self) -> None:
        """Say nothing, as where the settings cannot be taken."""
        self._wanted = None
        self._pause.stop()
        self.said.emit("")

    def close(self) -> None:
        """Work out nothing any more."""
        self._wanted = self._asked = None
        self._pause.stop()
        self._client.forget()
        self._start_over()

    def _start_over(self) -> None:
        """The process has ended: the next one has to be sent the film again."""
        self._parts = None

    def _ask(self) -> None:
        """Send a part of the film, or else what is wanted; parts are small so that the window never waits for one."""
        if self._asked is not None:
            if self._asked == self._wanted or self._since.elapsed() < PATIENCE_MS:
                self._pause.start(PAUSE_MS)
                return
            self._asked = None
            self._client.forget()
            self._start_over()
        wanted = self._wanted
        if wanted is None:
            return
        if self._parts is None:
            self._parts = film_parts(self._script, self._plan)
        part = next(self._parts, None)
        try:
            if part is not None:
                self._client.ask(part, self._received)
                self._pause.start(0)
                return
            self._asked = wanted
            self._since.start()
            self._client.ask(wanted, lambda answer: self._answered(wanted, answer))
        except CodecError as error:
            self._received(Failed(str(error)))

    def _received(self, answer: Event) -> None:
        if isinstance(answer, Failed):
            self._asked = None
            self._pause.stop()
            self.said.emit(CRASHED)

    def _answered(self, asked: Preview, answer: Event) -> None:
        self._asked = None
        if asked != self._wanted:
            return
        self._pause.stop()
        if isinstance(answer, Previewed):
            self.said.emit(effect_text(self._script, self._plan, answer.plan, answer.conflicts))
        else:
            self.said.emit(CRASHED)


def effect_text(script: Script, before: Plan, after: Plan, conflicts: int) -> str:
    """What another plan changes: lines, seconds, and which lines go and come."""
    changes = compare(before, after)
    if not changes and not conflicts:
        return UNCHANGED
    lines, were = (spoken_counts(script, plan).lines for plan in (after, before))
    spoken, was = _spoken(after), _spoken(before)
    said = [
        counted(lines, "line") if lines == were else f"{counted(lines, 'line')} instead of {were}",
        f"{duration(spoken)} spoken" if spoken == was else f"{duration(spoken)} spoken instead of {duration(was)}",
        *_counts(changes),
    ]
    accepted = sum(script.eventuality(name).accepted for name in changes.elements if name in script.eventuality_index)
    if accepted:
        said.append(f"{accepted} of these accepted")
    sentences = [", ".join(said) + "."]
    for what, names, plan in (("Out", changes.dropped, before), ("In", changes.added, after)):
        if names:
            sentences.append(f"{what}: {_named(script, plan, names)}.")
    if conflicts:
        sentences.append(f"{counted(conflicts, 'conflict')} with locks.")
    return " ".join(sentences)


def _counts(changes: PlanChanges) -> list[str]:
    groups: tuple[tuple[Sequence[object], str], ...] = (
        (changes.dropped, "out"),
        (changes.added, "in"),
        (changes.reworded, "reworded"),
        (changes.moved, "moved"),
    )
    return [f"{len(group)} {what}" for group, what in groups if group]


def _spoken(plan: Plan) -> int:
    return sum(delivery.end - delivery.start for delivery in plan.deliveries)


def _named(script: Script, plan: Plan, names: Sequence[str]) -> str:
    spoken = plan.by_line
    found = [
        quoted_line(script.eventuality(name).variants[spoken[name].variant].text)
        for name in names[:SHOWN_LINES]
        if name in script.eventuality_index
    ]
    more = len(names) - len(found)
    return ", ".join(found) + (f" and {more} more" if more else "")
