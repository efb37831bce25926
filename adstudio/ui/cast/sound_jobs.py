"""Words and speakers found in the film's sound in the background, each result one step."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from adstudio.characters.sound_messages import (
    PROTOCOL,
    ListenForSpeakers,
    ListenForWords,
    SoundEvent,
    SoundProgress,
    SoundRequest,
    SpeakersNamed,
    WordsHaveTimes,
)
from adstudio.characters.word_messages import OTHER_SOUND, words_summary
from adstudio.characters.word_times import contradicted, spoken
from adstudio.core.counts import counted
from adstudio.editing.speakers import NAME_SPEAKERS, set_speakers
from adstudio.editing.word_times import FIND_WORDS, set_word_times
from adstudio.store.media import locate_source
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader

CRASHED = "Listening to the film’s dialogue crashed. The rest of the editor is not affected."
LISTENING = "listening to the dialogue"
NOBODY = "Nobody could be named: name a cue of each voice under Edit › Who speaks, and try again."


class SoundJobs(QObject):
    """The two jobs behind Edit › Find words in the sound, and Find speakers by voice."""

    def __init__(self, context: Context, films: FilmLoader) -> None:
        super().__init__(context.session)
        self._session, self._films = context.session, films
        self.client = JobClient[SoundRequest, SoundEvent](
            context.jobs, self, PROTOCOL, (WordsHaveTimes, SpeakersNamed), JobTexts(CRASHED)
        )
        self.client.received.connect(self._report)
        self.client.ended.connect(self._take)
        context.session.opened.connect(self.client.forget)
        context.actions.connect("edit.find_words", self.find_words, self._can_listen)
        context.actions.connect("edit.find_speakers", self.find_speakers, self._can_listen)
        films.finished.connect(context.actions.refresh)

    def find_words(self) -> None:
        """Find when each word is spoken; what is known is not looked for again."""
        script, source = self._session.script, self._films.source
        if source is None:
            return
        known = tuple(script.words_by_cue.values())
        request = ListenForWords(source[0], self._track, script.film.language, script.cues, known, script.film.end)
        self.client.start(FIND_WORDS, request)

    def find_speakers(self) -> None:
        """Find who speaks, by the names that are known and by the voices."""
        script, source = self._session.script, self._films.source
        if source is None:
            return
        written, project = script.film.screenplay, self._session.project
        screenplay = None if written is None or project is None else locate_source(written, project.path)
        people = tuple(replace(person, portraits=(), merged=()) for person in script.people)
        words = tuple(script.words_by_cue.values())
        request = ListenForSpeakers(source[0], self._track, script.cues, words, people, screenplay)
        self.client.start(NAME_SPEAKERS, request)

    @property
    def _track(self) -> int | None:
        media = self._session.script.film.media
        return None if media is None else media.sound_track

    def _can_listen(self) -> bool:
        media = self._session.script.film.media if self._session.project is not None else None
        if media is None or not media.has_audio or self._films.source is None or self.client.busy:
            return False
        return any(spoken(cue) for cue in self._session.script.cues)

    def _report(self, event: SoundProgress) -> None:
        self.client.report(event.fraction, LISTENING)

    def _take(self, answer: WordsHaveTimes | SpeakersNamed | Failed | None) -> None:
        match answer:
            case Failed(message):
                self._session.messages.say(message)
            case WordsHaveTimes():
                self._take_words(answer)
            case SpeakersNamed():
                self._take_speakers(answer)
            case None:
                pass

    def _take_words(self, answer: WordsHaveTimes) -> None:
        found, messages = answer.found, self._session.messages
        if found.other_sound:
            messages.say(f"Nothing was changed: {OTHER_SOUND}.")
            return
        splits = {name: (start, end) for name, start, end in answer.splits}
        self._session.edits.attempt(lambda script: set_word_times(script, found.words, splits))
        script = self._session.script
        wrong = sum(1 for _ in contradicted(script.cues, script.words_by_cue))
        listed = f"; {counted(wrong, 'cue')} contradicted by the sound, listed under Problems" if wrong else ""
        messages.say(f"{words_summary(found, len(splits))}{listed}.")

    def _take_speakers(self, answer: SpeakersNamed) -> None:
        messages = self._session.messages
        names = {
            each.cue: (each.speaker, each.source, each.confidence)
            for each in answer.named
            if each.source is not None and each.confidence is not None
        }
        remark = f" {answer.remark}." if answer.remark else ""
        if not answer.named:
            messages.say(NOBODY + remark)
            return
        self._session.edits.attempt(lambda script: set_speakers(script, names))
        said = [cue for cue in self._session.script.cues if spoken(cue)]
        known = sum(cue.speaker is not None for cue in said)
        have, are = ("has" if known == 1 else "have"), ("is" if len(said) - known == 1 else "are")
        cues = counted(len(said), "cue")
        messages.say(f"{known:,} of {cues} {have} a speaker; {len(said) - known:,} {are} unknown.{remark}")
