"""Checks in the background whether the subtitles are in sync with the speech in the film, and offers a fix.

Speech is detected once, by a job like that of the waveform and after it, and cached with it. Another process compares
the cues with it, again whenever they have changed. Nothing is moved unless the describer says so.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.editing.cues import cues_from_speech, retime_cues
from adstudio.gaps.subtitle_sync import DRIFTS, IN_SYNC_MS, SyncEstimate
from adstudio.media import cache
from adstudio.media.messages import (
    ACTIVITY,
    PROTOCOL,
    Compared,
    CompareSubtitles,
    Event,
    Processed,
    ProcessFilm,
    Request,
    SpeechDataDamaged,
    crashed,
)
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import CompanionClient, JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.widgets.formatting import counted, duration


def late_sentence(found: SyncEstimate) -> str:
    """By how much the subtitles are off; a cue's time times the ratio, plus the offset, is the film's."""
    drift = DRIFTS.get(found.ratio)
    off = f"{duration(abs(found.offset_ms))} {'early' if found.offset_ms > 0 else 'late'}"
    if drift is None:
        return f"The subtitles are {off} against the speech in the film."
    start = f", and {off} at its start" if abs(found.offset_ms) >= 50 else ""
    return f"The subtitles drift against the speech in the film: they were {drift}{start}."


def detected_sentence(count: int) -> str:
    """That there is speech but no dialogue."""
    return f"The project has no subtitles, but speech was detected in {counted(count, 'place')} in the film."


def moved_sentence(count: int, found: SyncEstimate, undo: str) -> str:
    """What was done, and how to undo it."""
    way = f"{duration(abs(found.offset_ms))} {'later' if found.offset_ms > 0 else 'earlier'}"
    return f"Moved {counted(count, 'cue')} {way if found.ratio == 1 else 'into sync'}; {undo} takes that back."


log = logging.getLogger(__name__)

TITLE = "Speech in the film"


@dataclass(frozen=True)
class SyncOffer:
    """What was found, in a sentence, and its fix: cues synced, or detected speech taken where there are no cues."""

    sentence: str
    button: str
    found: SyncEstimate | None = None
    speech: tuple[Span, ...] = ()


class SyncMonitor(QObject):
    """Follows the session and the film; `offer` is what could be fixed now."""

    changed = Signal()
    """There is another offer, or none any more."""

    def __init__(self, context: Context, films: FilmLoader) -> None:
        super().__init__(context.session)
        self._context, self._session, self._films = context, context.session, films
        doing = ACTIVITY[cache.Kind.ACTIVITY]
        self._detection = JobClient[Request, Event](
            context.jobs, self, PROTOCOL, (Processed,), JobTexts(crashed(doing))
        )
        self._detection.received.connect(lambda event: self._detection.report(event.fraction, doing))
        self._detection.ended.connect(self._detected)
        # No task that anybody has to see: it takes a second.
        self._comparison = CompanionClient[Request, Event](context.jobs, self, PROTOCOL, crashed("comparing it"))
        self._comparison.ended.connect(self._comparison_ended)
        self._source: tuple[Path, cache.Source] | None = None
        self._activity: Path | bytes | None = None
        self._redetect = False
        self._asked: tuple[Cue, ...] | None = None
        self._compared_cues: tuple[Cue, ...] | None = None
        self.offer: SyncOffer | None = None
        """What is wrong now and can be fixed; None where all is well, nothing is known, or it was dismissed."""
        self._settled: list[SyncEstimate] = []
        self._speech_settled = False
        films.finished.connect(self._detect)
        self._session.opened.connect(self._forget)
        self._session.idle.became_idle.connect(self._compare)
        self._session.current_plan.changed.connect(lambda _: self._cues_changed())
        context.actions.connect("gap.in_step", self.fix, lambda: self.offer is not None)

    @property
    def working(self) -> bool:
        """Whether a detection or a comparison is running."""
        return self._detection.busy or self._asked is not None

    def fix(self) -> None:
        """Do what is offered, as one step."""
        offer, session = self.offer, self._session
        if offer is None:
            return
        self.dismiss()
        found = offer.found
        if found is None:
            if session.edits.attempt(lambda script: cues_from_speech(script, session.edits.ids, offer.speech)):
                taken = counted(len(offer.speech), "stretch", "stretches")
                session.messages.say(f"Took {taken} of speech as dialogue.")
        elif session.edits.attempt(lambda script: retime_cues(script, found.offset_ms, found.ratio)):
            undo = self._context.actions["edit.undo"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            session.messages.say(moved_sentence(len(session.script.cues), found, undo or "Undo"))

    def dismiss(self) -> None:
        """Leave everything as it is, and do not offer it again."""
        if self.offer is None:
            return
        if self.offer.found is None:
            self._speech_settled = True
        else:
            self._settled.append(self.offer.found)
        self._show(None)

    # The film's speech

    def _forget(self) -> None:
        self._detection.forget()
        if self._asked is not None:
            self._comparison.forget()
        self._source = self._activity = self._asked = self._compared_cues = None
        self._redetect = self._speech_settled = False
        self._settled.clear()
        self._show(None)

    def _detect(self) -> None:
        """Take what was cached of the film's speech, or detect it."""
        source, media = self._films.source, self._session.script.film.media
        if source != self._source:
            self._forget()
            self._source = source
        if source is None or media is None or not media.has_audio or self._detection.busy:
            return
        cached_activity = cache.cached(cache.Kind.ACTIVITY, source[1])
        if cached_activity is not None and not self._redetect:
            self._activity = cached_activity
            self._compare()
            return
        self._detection.start(TITLE, ProcessFilm(cache.Kind.ACTIVITY, source[0], media.fingerprint, source[1].track))

    def _detected(self, answer: Processed | Failed | None) -> None:
        match answer:
            case Processed(path, data):
                self._activity = path if path is not None else data
            case Failed(message):
                self._session.messages.say(message)
            case None:
                pass
        self._compare()

    # Comparing the cues with it

    def _compare(self) -> None:
        """Compare the cues if they have changed and no comparison is running."""
        cues = self._session.script.cues
        if self._activity is None or self._asked is not None or self._session.project is None:
            return
        if cues is not self._compared_cues:
            self._asked = cues
            activity = self._activity
            cached = isinstance(activity, Path)
            request = CompareSubtitles(cues, activity) if cached else CompareSubtitles(cues, None, activity)
            self._comparison.ask(request, self._compared)

    def _cues_changed(self) -> None:
        if self.offer is not None and self._session.script.cues is not self._compared_cues:
            self._show(None)

    def _compared(self, answer: Event) -> None:
        self._compared_cues = self._asked
        match answer:
            case Compared(found, speech):
                if self._session.script.cues is self._compared_cues:
                    self._show(self._offered(found, speech))
            case SpeechDataDamaged(message):
                log.warning("what was cached of the film’s speech is damaged: %s", message)
                if not self._redetect:
                    self._redetect, self._activity, self._compared_cues = True, None, None
            case _:
                log.warning("the subtitles could not be compared with the speech: %s", answer)

    def _comparison_ended(self) -> None:
        """The process has ended; where it crashed, it is not asked the same again."""
        if self._asked is None:
            return
        asked, self._asked = self._asked, None
        if self._redetect and self._activity is None and not self._detection.busy:
            self._detect()
            return
        self._compared_cues = asked
        self._compare()

    def _offered(self, found: SyncEstimate, speech: tuple[Span, ...]) -> SyncOffer | None:
        if not self._session.script.cues:
            within = tuple(span for span in speech if span.start < self._session.script.film.end)
            if not within or self._speech_settled:
                return None
            return SyncOffer(detected_sentence(len(within)), "Use the detected speech as dialogue", speech=within)
        if not found.needs_sync or any(_same(found, each) for each in self._settled):
            return None
        return SyncOffer(late_sentence(found), "Sync subtitles to audio", found)

    def _show(self, offer: SyncOffer | None) -> None:
        if offer == self.offer:
            return
        self.offer = offer
        self.changed.emit()
        self._context.actions.refresh()
        if offer is not None:
            self._session.messages.say(offer.sentence)


def _same(one: SyncEstimate, other: SyncEstimate) -> bool:
    return one.ratio == other.ratio and abs(one.offset_ms - other.offset_ms) <= IN_SYNC_MS
