"""Has narration spoken into files for the preview: segments of the plan, and the extended lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer

from adstudio.core.errors import AdstudioError
from adstudio.core.timebase import Span
from adstudio.speech.messages import Answer, Placed, Rendered, Said
from adstudio.ui.hearing.film_narration import NarrationSegment, Sound
from adstudio.ui.hearing.speech_client import SpeechClient
from adstudio.ui.hearing.speech_reports import SpeechReports
from adstudio.ui.hearing.speech_requests import SpeechRequests
from adstudio.ui.session.context import Context

HOLD = "hear/hold"
"""The preference whether the picture waits at the end of a gap for a line that is longer."""


class NarrationRendering:
    """Whoever asks gets an answer later, never at once: None for what cannot be spoken, which is reported."""

    def __init__(
        self, context: Context, requests: SpeechRequests, speaking: SpeechClient, reports: SpeechReports
    ) -> None:
        self._current_plan, self._preferences = context.session.current_plan, context.preferences
        self._requests, self._speaking, self._reports = requests, speaking, reports

    @property
    def holds(self) -> bool:
        """Whether the picture waits at the end of a gap for a line that is longer."""
        return self._preferences.flag(HOLD, default=False)

    def render(self, segment: NarrationSegment, then: Callable[[Sound | None], None]) -> None:
        """Render a segment; where the picture is to wait for long lines, its last line is measured first."""
        span, last = segment.span, segment.lines[-1] if segment.lines else None
        gap = self._current_plan.gap_at(last.start) if last is not None and self.holds else None
        if last is None or gap is None:
            self._render_to(segment, span.end, None, then)
            return

        def measured(answer: Answer) -> None:
            end = last.start + answer.ms if isinstance(answer, Said) else span.end
            if end > gap.end:
                self._render_to(segment, max(span.end, end), gap.end, then)
            else:
                self._render_to(segment, span.end, None, then)

        try:
            self._speaking.ask(self._requests.say_placed(last), measured)
        except AdstudioError:
            self._render_to(segment, span.end, None, then)  # fails as well, and says why

    def say_held(self, line: Placed, then: Callable[[Path | None], None]) -> None:
        """Speak an extended line."""

        def answered(answer: Answer) -> None:
            if isinstance(answer, Said):
                self._reports.say_ignored(answer)
                then(answer.wav)
            else:
                self._reports.say_failed(answer)
                then(None)

        try:
            self._speaking.ask(self._requests.say_placed(line), answered, soon=True)
        except AdstudioError as error:
            self._give_up(error, then)

    def _render_to(
        self, segment: NarrationSegment, end: int, hold_at: int | None, then: Callable[[Sound | None], None]
    ) -> None:
        speaker = self._requests.speaker

        def answered(answer: Answer) -> None:
            if speaker != self._requests.speaker:
                self.render(segment, then)  # somebody else speaks by now
            elif isinstance(answer, Rendered):
                self._reports.say_ignored(answer)
                then(Sound(answer.wav, hold_at, end))
            else:
                self._reports.say_failed(answer)
                then(None)

        try:
            self._speaking.ask(self._requests.render(Span(segment.span.start, end), segment.lines), answered)
        except AdstudioError as error:
            self._give_up(error, then)

    def _give_up(self, error: AdstudioError, then: Callable[[None], None]) -> None:
        self._reports.say_failed(error)
        QTimer.singleShot(0, self._speaking, lambda: then(None))
