"""What is asked of the speech process for a line of the open project: its voice, its pronunciations and its take."""

from __future__ import annotations

from adstudio.core.narration import Lexicon, Narrator, Take, VoiceSettings
from adstudio.core.script import Eventuality
from adstudio.core.timebase import Span
from adstudio.speech.engine import Style
from adstudio.speech.messages import FindPeaks, Placed, Render, Say
from adstudio.speech.style import resolved_voice
from adstudio.ui.session.context import Context
from adstudio.ui.session.recording_folder import RecordingFolder
from adstudio.ui.session.voices import speaking_voice


class SpeechRequests:
    """Makes requests; recordings of takes are written into a folder that lasts as long as this."""

    def __init__(self, context: Context) -> None:
        self._session, self._preferences = context.session, context.preferences
        self._recordings = RecordingFolder(context.session)

    @property
    def speaker(self) -> tuple[VoiceSettings, Narrator]:
        """All that decides how lines sound that have nothing of their own."""
        return self._voice, self._session.script.narrator

    def say(self, text: str, line: Eventuality | None, take: Take | None = None, lexicon: Lexicon | None = None) -> Say:
        """Speak a text, which may be no line's, or play a take of it; by the project's lexicon unless one is given.

        Raises:
            AdstudioError: where the take's recording cannot be had.
        """
        engine, language, own = self._narrator()
        return Say(
            text,
            self.style(line),
            engine,
            language,
            own if lexicon is None else lexicon,
            take,
            self._recordings.with_recordings((take,)),
        )

    def say_placed(self, line: Placed) -> Say:
        """What is heard of a line of a segment, by itself; raises as `say` does."""
        return Say(line.text, line.style, *self._narrator(), line.take, self._recordings.with_recordings((line.take,)))

    def render(self, span: Span, lines: tuple[Placed, ...]) -> Render:
        """The lines of a segment as one sound; raises as `say` does."""
        return Render(span, lines, *self._narrator(), self._recordings.with_recordings(line.take for line in lines))

    def peaks(self, lines: tuple[Placed, ...]) -> FindPeaks:
        """The waveforms of lines that have been spoken or recorded; raises as `say` does."""
        return FindPeaks(lines, *self._narrator(), self._recordings.with_recordings(line.take for line in lines))

    def style(self, line: Eventuality | None) -> Style:
        """How a line is spoken."""
        voice, rate = self._voice, self._session.script.narrator.rate
        return resolved_voice(voice, rate, None if line is None else line.voice)[1]

    @property
    def _voice(self) -> VoiceSettings:
        """Who speaks; in a project without a voice, the one of the preferences."""
        return speaking_voice(self._session.script, self._preferences)

    def _narrator(self) -> tuple[str, str, Lexicon]:
        """Who speaks: the engine's name, the language, and how words are pronounced."""
        script = self._session.script
        return self._voice.engine, script.film.language, script.lexicon
