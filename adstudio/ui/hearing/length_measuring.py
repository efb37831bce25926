"""Measures in the background how long the project's voice speaks its lines, and plans on what has become known.

A process of its own does the speaking, the wordings of the plan first. What it says is taken in while nobody types, a
batch at a time, and kept in the project.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from adstudio.core.errors import AdstudioError
from adstudio.core.narration import Narrator
from adstudio.editing.approval import approved_counted
from adstudio.editing.departures import Restoration
from adstudio.speech.measuring import (
    PROTOCOL,
    LengthsMeasured,
    MeasureLengths,
    MeasuringEvent,
    MeasuringFinished,
    ModelFitted,
    TextGroup,
)
from adstudio.speech.unmeasured import add_measured, unmeasured_texts
from adstudio.speech.voice_lengths import Manner, VoiceLengths, manner_of
from adstudio.system.codec import CodecError
from adstudio.system.worker import Failed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.formatting import as_sentence, counted

TITLE = "Measuring lengths"
CRASHED = "measuring stopped unexpectedly; see the log"
START_MS = 800
"""Without a change for this long, what is not measured yet is asked for."""
TAKE_MS = 1_000
"""What arrives is gathered for this long before the plan follows it."""

log = logging.getLogger(__name__)


class LengthMeasuring(QObject):
    """Follows the project: starts when there is something to measure, and stops with the project or its voice."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self.process = JobClient[MeasureLengths, MeasuringEvent](
            context.jobs, self, PROTOCOL, (MeasuringFinished,), JobTexts(CRASHED)
        )
        self.process.received.connect(self._received)
        self.process.ended.connect(self._ended)
        self._request: MeasureLengths | None = None
        self._arrived: list[LengthsMeasured | ModelFitted] = []
        self._count, self._total = 0, 0
        self._failed: set[tuple[Manner, str]] = set()
        self._halted: Narrator | None = None
        """The narrator with whom it was stopped, or failed: nothing is asked for until there is another."""
        self._checked: Narrator | None = None
        """The narrator whose engine was asked for its version since the project was opened."""
        self._unwritten = False
        self._start = single_shot(self, START_MS, self._begin)
        self._take = single_shot(self, TAKE_MS, self.take)
        session = context.session
        session.opened.connect(self._opened)
        session.closing.connect(self.close)
        session.flushed.connect(self._write)
        session.current_plan.changed.connect(lambda _: self._follow())
        session.idle.turn().connect(self._rested)
        session.lengths_held.connect(self._say_held)
        self._opened()

    @property
    def working(self) -> bool:
        """Whether there is anything to wait for."""
        return self.process.busy or bool(self._arrived) or self._start.isActive()

    def close(self) -> None:
        """Stop, and keep what is known so far; the next project starts anew."""
        self._stop()
        self._write()

    def take(self) -> None:
        """Plan on what has arrived, unless somebody is at work: then the next pause does."""
        if self._session.idle.is_idle:
            self._apply()

    def _opened(self) -> None:
        self._stop()
        self._arrived.clear()
        self._failed.clear()
        self._halted, self._checked, self._unwritten = None, None, False
        self._follow()

    def _follow(self) -> None:
        """The script or its plan has changed."""
        session = self._session
        narrator = session.script.narrator
        if self._request is not None and _lasts_otherwise(self._request.narrator, narrator):
            self._stop()
        can = session.project is not None and bool(narrator.voice.engine)
        if can and not self.process.busy and (self._halted is None or _lasts_otherwise(self._halted, narrator)):
            self._start.start()

    def _stop(self) -> None:
        self._start.stop()
        self._take.stop()
        self.process.forget()

    @property
    def _lengths(self) -> VoiceLengths:
        lengths = self._session.script.lengths
        return lengths if isinstance(lengths, VoiceLengths) else VoiceLengths()

    def _begin(self) -> None:
        session = self._session
        if not session.idle.is_idle:
            self._start.start()
            return
        self._apply()
        self._write()
        request = unmeasured_texts(session.script, session.plan, self._lengths, self._failed)
        self._halted = None
        if not request.groups and (self._checked is None or _lasts_otherwise(self._checked, request.narrator)):
            # Another version of the engine may be here than when the lengths were measured.
            request = replace(request, groups=(TextGroup(None, ()),))
        self._checked = request.narrator
        if not request.groups:
            return
        try:
            self.process.start(TITLE, request)
        except CodecError:
            log.warning("what is to be measured exceeds a limit", exc_info=True)
            self._halted = request.narrator
            return
        self._request, self._count, self._total = request, 0, sum(len(group.texts) for group in request.groups)
        self._report()

    def _report(self) -> None:
        if self._total and self._count:
            self.process.report(self._count / self._total, f"{self._count:,} of {counted(self._total, 'wording')}")
        else:
            self.process.report(None, "getting to know the voice")

    def _received(self, event: MeasuringEvent) -> None:
        if isinstance(event, LengthsMeasured | ModelFitted):
            self._arrived.append(event)
        if isinstance(event, LengthsMeasured):
            self._count += len(event.lengths)
            self._report()
        if not self._take.isActive():
            self._take.start()

    def _rested(self) -> None:
        if not self._take.isActive():
            self._apply()

    def _apply(self) -> None:
        """Take in everything that has arrived, in one change of the plan."""
        request, arrived = self._request, self._arrived
        if request is None or not arrived:
            return
        self._arrived = []
        lengths = add_measured(self._lengths, request, arrived, self._failed)
        if lengths != self._lengths:
            self._unwritten = True
            self._session.refresh_lengths(lengths)

    def _ended(self, answer: object) -> None:
        request = self._request
        if isinstance(answer, MeasuringFinished):
            self._apply()
            if answer.failed:
                texts = counted(answer.failed, "wording")
                self._session.messages.say(as_sentence(f"{texts} could not be measured: {answer.why}"))
            if request is None or not self._calibrated_in_vain(request):
                self._request = None
                self._start.start()
                return
        if isinstance(answer, Failed):
            self._session.messages.say(as_sentence(f"Lengths are predicted, not measured: {answer.message}"))
        # Stopped by hand, out of order or unpredictable: not again with the same voice.
        self._apply()
        self._halted = None if request is None else request.narrator
        self._request = None
        self._write()

    def _calibrated_in_vain(self, request: MeasureLengths) -> bool:
        """Whether nothing but a model was asked for, and there is none: there would be none the next time."""
        asked = not self._total and any(group.calibrate for group in request.groups)
        return asked and self._lengths.known(manner_of(request.narrator)).model is None

    def _write(self) -> None:
        """Keep what is known in the project."""
        project = self._session.project
        if not self._unwritten or project is None or project.read_only:
            return
        self._unwritten = False
        try:
            project.set_lengths(self._lengths.to_bytes())
        except AdstudioError as error:
            log.warning("measured lengths are not kept: %s", error)

    def _counted(self, names: Sequence[str]) -> str:
        """How many of these lines are accepted, and how many others in reviewed scenes."""
        accepted = sum(self._session.script.eventuality(name).accepted for name in names)
        return approved_counted(accepted, len(names) - accepted)

    def _say_held(self, held: Restoration) -> None:
        parts: list[str] = []
        if held.restored:
            are = "is" if len(held.restored) == 1 else "are"
            parts.append(
                f"{self._counted(held.restored)} {are} locked in place: measured lengths would have moved "
                f"{'it' if len(held.restored) == 1 else 'them'}"
            )
        rest = (*held.partly, *held.failed)
        if rest:
            parts.append(f"there is no room in place for {self._counted(rest)}: see Problems")
        if parts:
            self._session.messages.say(as_sentence("; ".join(parts)))


def _lasts_otherwise(one: Narrator, other: Narrator) -> bool:
    """Whether lengths differ between two narrators: in anything but the volume."""
    return replace(one, voice=replace(one.voice, volume=0)) != replace(other, voice=replace(other.voice, volume=0))
