"""The Hear menu: a line, its wordings, a gap over the picture, the plan along with the film, cue tones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.core.errors import AdstudioError
from adstudio.core.narration import Lexicon
from adstudio.core.script import Eventuality
from adstudio.core.timebase import Span
from adstudio.speech.ignored import ignored_message
from adstudio.speech.messages import Answer, Placed, Rendered, Said
from adstudio.system.worker import Failed
from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.hearing.audition import Audition, Version, versions_of
from adstudio.ui.hearing.cues import Cues
from adstudio.ui.hearing.film_level import mix_envelope
from adstudio.ui.hearing.film_narration import (
    FASTEST_SPEECH,
    SLOWEST_SPEECH,
    FilmNarration,
    NarrationSegment,
    Sound,
    narration_in,
    narrations,
    wording,
)
from adstudio.ui.hearing.held_lines import HeldLines, held_lines
from adstudio.ui.hearing.speech_client import SpeechClient
from adstudio.ui.hearing.speech_requests import SpeechRequests
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.mpv_core import NO_SOUND, NoMpvError, has_sound
from adstudio.ui.picture.player import Player
from adstudio.ui.picture.transport import current_gap, with_a_second
from adstudio.ui.session.context import Context
from adstudio.ui.session.mix_choices import PREFERENCE as MIX
from adstudio.ui.session.mix_choices import stored_mix
from adstudio.ui.session.voices import DEFAULT_ENGINE, DEFAULT_VOICE
from adstudio.ui.widgets.formatting import as_sentence, timecode

if TYPE_CHECKING:
    from adstudio.mix.duck import Breakpoint

UNTIL_PICTURE_MS = 10
SILENT = "At this speed, narration is silent."


class Hearing(QObject):
    """Speaks lines. Players are started when first needed; without a voice a message says so, once."""

    spoken = Signal()
    """The voice has spoken a text."""

    def __init__(self, context: Context, player: Player) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self._player = player
        self._speaking = SpeechClient(context.jobs, self)
        self.requests = SpeechRequests(context)
        self._voices: list[AudioPlayer] = []
        self._audition = Audition(self.requests, self._speaking, self._new_voice, self)
        self._audition.played.connect(context.session.messages.say)
        self._audition.said.connect(self._report_ignored)
        self._audition.failed.connect(self._failed)
        self._audition.over.connect(self._refresh)
        self.film_narration: FilmNarration | None = None
        """The narration along with the film, once it was asked for."""
        self._held_lines: HeldLines | None = None
        self._film_on = self._starts_here = False
        self._gap: Span | None = None
        self._reported: set[str] = set()
        self._rendered_by = self.requests.speaker
        self._film_start = QTimer(self, interval=UNTIL_PICTURE_MS)
        self._film_start.timeout.connect(self._start_film)
        session, actions = context.session, context.actions
        actions.connect("hear.line", self.hear_line, lambda: session.cursor.line is not None)
        actions.connect("hear.variants", self.hear_variants, lambda: session.cursor.line is not None)
        actions.connect("hear.gap", self.hear_gap, lambda: bool(session.gaps))
        actions.connect("hear.here", self.hear_from_here, self._has_film)
        actions.connect("hear.film", self.toggle_film, self._has_film, lambda: self._film_on)
        self.cues = Cues(context, player, self._new_voice, self)
        actions.connect("hear.stop", self.stop, lambda: self.busy)
        session.opened.connect(self._opened)
        session.current_plan.changed.connect(self._plan_changed)
        context.preferences.changed.connect(self._preference_changed)
        player.moved.connect(self._film_moved)
        player.jumped.connect(self._film_jumped)
        player.changed.connect(self._film_changed)

    @property
    def busy(self) -> bool:
        """Whether there is anything to stop."""
        player = self._player
        plays = self._film_on and (player.state.playing or self._starts_here)
        return self._audition.busy or bool(self._gap or player.loop) or plays

    def hear_line(self) -> None:
        """Speak the selected line as it is planned."""
        line = self._session.cursor.line
        if line is None:
            self._session.messages.say("Select a line to hear it.")
        else:
            self._say_all([self._planned(line)])

    def try_voice(self) -> None:
        """Speak the selected line, else the first one, as the project's voice speaks it."""
        script, deliveries = self._session.script, self._session.plan.deliveries
        first = script.eventuality(deliveries[0].element) if deliveries else next(iter(script.eventualities), None)
        line = self._session.cursor.line or first
        if line is None:
            self._session.messages.say("There is no line to try the voice with.")
        else:
            self._say_all([replace(self._planned(line), take=None)])

    def hear_variants(self) -> None:
        """Speak the selected line's wordings, the longest first, each with all its takes."""
        line = self._session.cursor.line
        if line is None:
            self._session.messages.say("Select a line to hear its wordings.")
            return
        self._say_all(versions_of(self._session.script, line))

    def hear_text(self, text: str) -> None:
        """Speak a text that is in no line, such as a proposal."""
        self._say_all([Version(text)])

    def hear_pronounced(self, text: str, identity: str, lexicon: Lexicon) -> None:
        """Speak a text by another lexicon, in the voice of a line where one is named."""
        known = identity in self._session.script.eventuality_index
        line = self._session.script.eventuality(identity) if known else None
        self._say_all([Version(text, line, lexicon=lexicon)])

    def hear_gap(self) -> None:
        """Play a gap with a second of film around it, its narration over it."""
        session, player = self._session, self._player
        gap = current_gap(session, player.state.time)
        if gap is None:
            session.messages.say("There is no gap to hear.")
            return
        self._quiet()
        player.pause()
        player.seek(with_a_second(gap, session.script.film.end).start)
        self._gap = gap
        segment = self._gap_narration()
        said = f"Playing the gap at {timecode(session.script.film, gap.start)}"
        held = held_lines(session.script, self.requests.style, gap)
        session.messages.say(f"{said}." if segment.lines or held else f"{said}; nothing is spoken in it.")
        narration = self._get_film_narration() if segment.lines or held else None
        if narration is not None:
            self._follow_held(gap)
            narration.start((segment,) if segment.lines else (), self._envelope(gap))
            if not segment.lines:
                self._narration_ready()
        else:
            player.play()
        self._refresh()

    def hear_from_here(self) -> None:
        """Play the film from the playhead with the plan along with it; where that is playing, pause."""
        player = self._player
        if self._film_on and self._gap is None and (player.state.playing or self._starts_here):
            self.stop()
            return
        self._quiet()
        player.pause()
        player.set_loop(None)
        narration = self._get_film_narration()
        if narration is None:
            return
        self._film_on = self._starts_here = True
        self._follow_film()
        at = timecode(self._session.script.film, player.state.time)
        self._session.messages.say(f"Playing from {at} with narration.")
        self._narration_ready()
        self._refresh()

    def toggle_film(self) -> None:
        """Speak the plan along with the film, or no longer."""
        self._film_on = not self._film_on and self._get_film_narration() is not None
        self._follow_film()
        self._refresh()

    def stop(self) -> None:
        """Stop speaking, or repeating a gap; the film pauses if it plays with narration or repeats."""
        if self._gap or self._film_on or self._player.loop:
            self._player.pause()
        self._player.set_loop(None)
        self._quiet()
        self._follow_film()
        self._refresh()

    def close(self) -> None:
        """End every player and the speech process; a second call does no harm."""
        self._film_on = False
        self._quiet()
        self.cues.close()
        voices, self._voices = self._voices, []
        for voice in voices:
            voice.close()
        self._speaking.close()

    def _planned(self, line: Eventuality) -> Version:
        """A line in the wording that is spoken."""
        variant = line.variants[wording(line, self._session.plan.by_element.get(line.id))]
        return Version(variant.text, line, variant.chosen_take)

    def _say_all(self, versions: list[Version]) -> None:
        self._quiet()
        self._player.pause()
        self._audition.start(versions)
        self._refresh()

    # Narration along with the film

    def _gap_narration(self) -> NarrationSegment:
        session = self._session
        gap = self._gap or Span(0, 0)
        return narration_in(session.script, session.plan.deliveries, self._around(gap), self.requests.style, gap)

    def _render(self, segment: NarrationSegment, then: Callable[[Sound | None], None]) -> None:
        """Render a segment; where the picture is to wait for long lines, its last line is measured first."""
        span, last = segment.span, segment.lines[-1] if segment.lines else None

        def render(end: int, hold_at: int | None = None) -> None:
            speaker = self.requests.speaker

            def answered(answer: Answer) -> None:
                if speaker != self.requests.speaker:
                    self._render(segment, then)  # somebody else speaks by now
                elif isinstance(answer, Rendered):
                    self._report_ignored(answer)
                    then(Sound(answer.wav, hold_at, end))
                else:
                    self._failed(answer)
                    then(None)

            try:
                request = self.requests.render(Span(span.start, end), segment.lines)
            except AdstudioError as error:
                self._failed(Failed(as_sentence(str(error))))
                QTimer.singleShot(0, self, lambda: then(None))
                return
            self._speaking.ask(request, answered)

        gap = self._session.current_plan.gap_at(last.start) if last is not None and self._holds() else None
        if last is None or gap is None:
            render(span.end)
            return

        def measured(answer: Answer) -> None:
            end = last.start + answer.ms if isinstance(answer, Said) else span.end
            if end > gap.end:
                render(max(span.end, end), gap.end)
            else:
                render(span.end)

        try:
            self._speaking.ask(self.requests.say_placed(last), measured)
        except AdstudioError:
            render(span.end)  # fails as well, and says why

    def _envelope(self, gap: Span | None = None) -> tuple[Breakpoint, ...]:
        """How far the film is down at each time, as in the mix; for the lines of one gap, or for all."""
        session = self._session
        settings = stored_mix(self._context.preferences).settings(session.script)
        spoken = session.plan.deliveries
        if gap is not None:
            spoken = tuple(delivery for delivery in spoken if gap.start <= delivery.start < gap.end)
        return mix_envelope(session.script, spoken, session.current_plan.gap_at, settings)

    def _holds(self) -> bool:
        return self._context.preferences.flag("hear/hold", default=False)

    def _narrations(self) -> tuple[NarrationSegment, ...]:
        """The whole plan; where the picture is to wait at the end of a gap, no segment reaches over it."""
        session, gap_at = self._session, self._session.current_plan.gap_at
        holds = self._holds()
        return narrations(
            session.script,
            session.plan.deliveries,
            self.requests.style,
            lambda one, other: holds and gap_at(one.start) != gap_at(other.start),
        )

    def _follow_film(self) -> None:
        """Narrate the whole plan or stop, unless a gap is being played."""
        if self.film_narration is None or self._gap is not None:
            return
        if self._film_on:
            self.film_narration.start(self._narrations(), self._envelope())
            self._follow_held(None)
        else:
            self.film_narration.stop()
            self._end_held()

    def _follow_held(self, gap: Span | None) -> None:
        """Hold the picture for the extended lines of a gap, or for all."""
        if self._held_lines is not None:
            self._held_lines.set_lines(held_lines(self._session.script, self.requests.style, gap))

    def _end_held(self) -> None:
        if self._held_lines is not None:
            self._held_lines.set_lines(())

    def _say_held(self, line: Placed, then: Callable[[Path | None], None]) -> None:
        """Speak an extended line into a file."""

        def answered(answer: Answer) -> None:
            if isinstance(answer, Said):
                self._report_ignored(answer)
                then(answer.wav)
            else:
                self._failed(answer)
                then(None)

        try:
            self._speaking.ask(self.requests.say_placed(line), answered, soon=True)
        except AdstudioError as error:
            self._failed(Failed(as_sentence(str(error))))
            QTimer.singleShot(0, self, lambda: then(None))

    def _film_moved(self, ms: int) -> None:
        player = self._player
        if self._gap is None or not player.state.playing or player.loop is not None:
            return
        if ms >= self._around(self._gap).end:
            player.pause()
            self._end_gap()

    def _film_changed(self, _state: object) -> None:
        if self._player.state.playing:
            self._starts_here = False
        self._context.actions["hear.stop"].setEnabled(self.busy)

    def _film_jumped(self, ms: int) -> None:
        if self._gap is None:
            return
        around = self._around(self._gap)
        if not around.start <= ms <= around.end:
            self._end_gap()

    def _around(self, gap: Span) -> Span:
        return with_a_second(gap, self._session.script.film.end)

    def _end_gap(self) -> None:
        self._gap = None
        self._film_start.stop()
        if self.film_narration is not None:
            self.film_narration.stop()
        self._end_held()
        self._follow_film()
        self._refresh()

    def _narration_ready(self) -> None:
        """If all that is heard here is ready, film and voice start together as soon as the picture is there."""
        ready = self.film_narration is not None and self.film_narration.in_place
        if ready and (self._gap is not None or self._starts_here) and not self._player.state.playing:
            self._film_start.start()

    def _start_film(self) -> None:
        if not self._player.busy:
            self._film_start.stop()
            self._player.play()

    # Changes elsewhere

    def _opened(self) -> None:
        self._quiet()
        self._film_on = False
        self._reported.clear()
        self._rendered_by = self.requests.speaker
        self._follow_film()
        self._refresh()

    def _plan_changed(self, _news: object) -> None:
        speaker = self.requests.speaker
        if speaker != self._rendered_by:
            self._rendered_by = speaker
            self._reported.clear()
            self._forget_sounds()
            self._follow_film()
        if self.film_narration is not None and (self._gap is not None or self._film_on):
            segments = self._narrations() if self._gap is None else (self._gap_narration(),)
            self.film_narration.change(segments, self._envelope(self._gap))
            self._follow_held(self._gap)

    def _preference_changed(self, name: str) -> None:
        if name in {DEFAULT_ENGINE, DEFAULT_VOICE, "hear/hold", MIX} and self.film_narration is not None:
            self._forget_sounds()
            self._follow_film()

    # Made when first needed

    def _get_film_narration(self) -> FilmNarration | None:
        if self.film_narration is None:
            voices = [self._new_voice() for _ in range(3)]
            synced = [SyncedSound(self._player, voice, self) for voice in voices[1:] if voice is not None]
            if voices[0] is not None and len(synced) == 2:
                self._held_lines = HeldLines(self._player, voices[0], self._say_held, self._is_audible, self)
                self._held_lines.began.connect(self._picture_held)
                self.film_narration = FilmNarration(self._player, synced, self._render, self)
                self.film_narration.ready.connect(self._narration_ready)
                self.film_narration.too_fast.connect(lambda: self._session.messages.say(SILENT))
        return self.film_narration

    def _picture_held(self) -> None:
        if self.film_narration is not None:
            self.film_narration.wait()

    def _is_audible(self) -> bool:
        return SLOWEST_SPEECH <= self._player.state.pace <= FASTEST_SPEECH

    def _new_voice(self) -> AudioPlayer | None:
        try:
            voice = AudioPlayer(self._player.marshal, self)
        except NoMpvError:
            self._report_once("Nothing can be heard: libmpv is not installed.")
            return None
        if not has_sound():
            self._report_once(NO_SOUND)
        self._voices.append(voice)
        return voice

    def _failed(self, answer: object) -> None:
        self._report_once(answer.message if isinstance(answer, Failed) else "The voice gave no answer; try again.")
        self._refresh()

    def _report_ignored(self, answer: Said | Rendered) -> None:
        """Say what the voice could not be told, once each."""
        self.spoken.emit()
        for each in answer.ignored:
            self._report_once(as_sentence(ignored_message(each, answer.engine)))

    def _report_once(self, sentence: str) -> None:
        """Say what is wrong, once: it would be the same for each segment of the film."""
        if sentence not in self._reported:
            self._reported.add(sentence)
            self._session.messages.say(sentence)

    def _quiet(self) -> None:
        self._audition.stop()
        self._film_start.stop()
        self._starts_here = False
        self._gap = None
        if self.film_narration is not None:
            self.film_narration.stop()
        self._end_held()
        if self._speaking.busy:
            self._speaking.close()
            self._forget_sounds()

    def _forget_sounds(self) -> None:
        if self.film_narration is not None:
            self.film_narration.forget()
        if self._held_lines is not None:
            self._held_lines.forget()

    def _has_film(self) -> bool:
        return self._session.script.film.end > 0

    def _refresh(self) -> None:
        actions = self._context.actions
        actions["hear.film"].setChecked(self._film_on)
        actions["hear.stop"].setEnabled(self.busy)
