"""Fetches the waveforms of spoken lines for the timeline: as the voice has spoken them, or as they were recorded.

Nothing is spoken for them. Lines are asked for while the user is idle, some at a time, in a process of their own that
ends when all is known.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from operator import is_
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from adstudio.core.errors import AdstudioError
from adstudio.core.fusions import line_of
from adstudio.core.narration import LengthSource, Narrator, VoiceSettings
from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality
from adstudio.speech.messages import CRASHED, PROTOCOL, Answer, PeaksFound, Placed, Request
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.hearing.speech_requests import SpeechRequests
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_data import FilmData, LineWave

if TYPE_CHECKING:
    from adstudio.ui.timeline.sorted_spans import TimeRange

log = logging.getLogger(__name__)

AT_ONCE = 100
"""Lines in one request."""


class NarrationWaves(QObject):
    """Keeps the waveforms of a film's data those of the current plan."""

    changed = Signal(object)
    """The time ranges whose waveforms are others now."""

    def __init__(self, context: Context, requests: SpeechRequests, data: FilmData, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._requests, self._data = context.session, requests, data
        self._client = CompanionClient[Request, Answer](context.jobs, self, PROTOCOL, CRASHED)
        self._speaker: tuple[VoiceSettings, Narrator] | None = None
        self._asked: set[Placed] = set()
        """Lines that are asked for, or of which nothing was known when they were."""
        self._seen: tuple[object, ...] | None = None
        self._has_spoken = False
        context.session.opened.connect(self.forget)
        context.session.closing.connect(self.close)
        context.session.current_plan.changed.connect(lambda _: self._follow_speaker())
        context.session.idle.turn().connect(self._renew)

    def follow_speech(self) -> None:
        """Lines have been spoken since, even where the project has no voice: ask anew for those not known."""
        self._has_spoken = True
        self._asked.clear()
        self._seen = None
        self._session.idle.begin()

    def forget(self) -> None:
        """Another project: nothing is known."""
        self.close()
        self._has_spoken = False
        self._drop(tuple(self._data.waves))

    def close(self) -> None:
        """Stop asking."""
        self._client.forget()
        self._asked.clear()
        self._seen = None

    def _follow_speaker(self) -> None:
        """Somebody else speaks: nothing is known."""
        if self._requests.speaker != self._speaker:
            self._speaker = self._requests.speaker
            self.close()
            self._drop(tuple(self._data.waves))

    def _drop_stale(self) -> None:
        """Forget lines that are spoken otherwise now, or not at all; of another text, none is painted meanwhile."""
        plan, known = self._session.plan, self._data.waves
        self._drop(tuple(each for each in known if self._spoken(plan.spoken_as(each)) != known[each].source))

    def _drop(self, lines: tuple[str, ...]) -> None:
        for each in lines:
            del self._data.waves[each]
        self._tell(lines)

    def _tell(self, lines: tuple[str, ...]) -> None:
        plan = self._session.plan.by_line
        spans: list[TimeRange] = [(plan[each].start, plan[each].end) for each in lines if each in plan]
        if spans:
            self.changed.emit(sorted(spans))

    def _renew(self) -> None:
        """Ask for what may be known by now."""
        session = self._session
        seen = session.plan, session.script.lengths, session.script.eventualities
        if session.project is None or (self._seen is not None and all(map(is_, self._seen, seen))):
            return
        self._drop_stale()
        self._seen = seen
        wanted = [
            (delivery.line, placed)
            for delivery in session.plan.deliveries
            if delivery.line not in self._data.waves
            and self._may_be_known(delivery)
            and (placed := self._spoken(delivery)) is not None
            and placed not in self._asked
        ]
        self._ask(wanted)

    def _may_be_known(self, delivery: Delivery) -> bool:
        """Whether it was recorded or measured, or anything was heard of a project without a voice."""
        line = self._line(delivery)
        if line is None:
            return False
        source = self._session.script.length(line.variants[delivery.variant], line.voice)[1]
        return self._has_spoken or source in (LengthSource.MEASURED, LengthSource.TAKE)

    def _ask(self, wanted: list[tuple[str, Placed]]) -> None:
        for first in range(0, len(wanted), AT_ONCE):
            some = wanted[first : first + AT_ONCE]
            try:
                request = self._requests.peaks(tuple(placed for _, placed in some))
            except AdstudioError as error:
                log.warning("waveforms of lines are missing: %s", error)
                continue
            self._asked.update(placed for _, placed in some)
            self._client.ask(request, self._take_answer(some))

    def _take_answer(self, asked: list[tuple[str, Placed]]) -> Callable[[Answer], None]:
        def take(answer: Answer) -> None:
            if not isinstance(answer, PeaksFound):
                log.info("no waveforms of lines: %s", answer)
                self._client.forget()
                return
            found: list[str] = []
            plan = self._session.plan
            for (line, placed), digits in zip(asked, answer.peaks, strict=False):
                if digits and self._spoken(plan.spoken_as(line)) == placed:
                    self._data.waves[line] = LineWave(placed.text, placed, bytes.fromhex(digits))
                    found.append(line)
            if not self._client.busy:
                self._client.forget()
            self._tell(tuple(found))

        return take

    def _line(self, delivery: Delivery) -> Eventuality | None:
        script = self._session.script
        if delivery.members and delivery.element in script.fusion_by_id:
            return line_of(script, script.fusion_by_id[delivery.element])
        place = script.eventuality_index.get(delivery.element)
        return None if place is None else script.eventualities[place]

    def _spoken(self, delivery: Delivery | None) -> Placed | None:
        """What is spoken of a line, wherever; None where it is not in the plan, or no line."""
        line = None if delivery is None else self._line(delivery)
        if delivery is None or line is None or delivery.text is not None:
            return None
        variant = line.variants[delivery.variant]
        return Placed(variant.text, 0, self._requests.style(line), variant.chosen_take)
