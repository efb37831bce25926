"""The Hear menu: a line, its wordings, a gap over the picture, the plan along with the film, cue tones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from adstudio.core.fusions import wording_of
from adstudio.core.narration import Lexicon
from adstudio.core.script import Eventuality
from adstudio.editing.fusions import shown_line
from adstudio.ui.hearing.audio_player import AudioPlayers
from adstudio.ui.hearing.audition import Audition, Version, versions_of
from adstudio.ui.hearing.cues import Cues
from adstudio.ui.hearing.film_narration import wording
from adstudio.ui.hearing.gap_audition import GapAudition
from adstudio.ui.hearing.narration_rendering import HOLD, NarrationRendering
from adstudio.ui.hearing.plan_narration import FilmStart, PlanNarration
from adstudio.ui.hearing.speech_client import SpeechClient
from adstudio.ui.hearing.speech_reports import SpeechReports
from adstudio.ui.hearing.speech_requests import SpeechRequests
from adstudio.ui.picture.player import Player
from adstudio.ui.picture.transport import current_gap
from adstudio.ui.session.context import Context
from adstudio.ui.session.mix_choices import PREFERENCE as MIX
from adstudio.ui.session.voices import DEFAULT_ENGINE, DEFAULT_VOICE
from adstudio.ui.widgets.formatting import timecode


class Hearing(QObject):
    """Begins one thing after having ended the others. Without a voice a message says so, once."""

    spoken = Signal()
    """The voice has spoken a text."""

    def __init__(self, context: Context, player: Player) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self._player = player
        self._speaking = SpeechClient(context.jobs, self)
        self._speaking.spoken.connect(self.spoken)
        self.requests = SpeechRequests(context)
        self._reports = SpeechReports(context.session.messages)
        self._players = AudioPlayers(player.marshal, self._reports.say_once, self)
        self._audition = Audition(self.requests, self._speaking, self._players.start, self)
        self._audition.played.connect(context.session.messages.say)
        self._audition.said.connect(self._reports.say_ignored)
        self._audition.failed.connect(self._reports.say_failed)
        self._audition.failed.connect(lambda _: self._refresh())
        self._audition.over.connect(self._refresh)
        rendering = NarrationRendering(context, self.requests, self._speaking, self._reports)
        self.narration = PlanNarration(context, player, self.requests, rendering, self._players, self)
        self._film_start = FilmStart(player, self.narration, self)
        self._gap = GapAudition(context.session, player, self.narration, self._film_start, self)
        self._gap.over.connect(self._gap_over)
        self.cues = Cues(context, player, self._players.start, self)
        self._film_on = False
        self.others_busy: Callable[[], bool] = lambda: False
        """Whether something else plays that Stop is to end."""
        self._rendered_by = self.requests.speaker
        session, actions = context.session, context.actions
        actions.connect("hear.line", self.hear_line, lambda: session.cursor.line is not None)
        actions.connect("hear.variants", self.hear_variants, lambda: session.cursor.line is not None)
        actions.connect("hear.gap", self.hear_gap, lambda: bool(session.gaps))
        actions.connect("hear.here", self.hear_from_here, self._has_film)
        actions.connect("hear.film", self.toggle_film, self._has_film, lambda: self._film_on)
        actions.connect("hear.stop", self.stop, lambda: self.busy)
        session.opened.connect(self._opened)
        session.current_plan.changed.connect(self._plan_changed)
        context.preferences.changed.connect(self._preference_changed)
        player.changed.connect(self._film_changed)

    @property
    def busy(self) -> bool:
        """Whether there is anything to stop."""
        plays = self._audition.busy or self._gap.busy or self._plays_film or self.others_busy()
        return plays or bool(self._player.loop)

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
        first = script.eventuality(deliveries[0].line) if deliveries else next(iter(script.eventualities), None)
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
        script = self._session.script
        self._say_all(versions_of(script, shown_line(script, self._session.plan, line.id)))

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
        gap = current_gap(self._session, self._player.state.time)
        if gap is None:
            self._session.messages.say("There is no gap to hear.")
            return
        self._quiet()
        self._player.pause()
        self._gap.start(gap)
        self._refresh()

    def hear_from_here(self) -> None:
        """Play the film from the playhead with the plan along with it; where that is playing, pause."""
        player = self._player
        if self._plays_film and not self._gap.busy:
            self.stop()
            return
        self._quiet()
        player.pause()
        player.set_loop(None)
        if not self.narration.prepare():
            return
        self._film_on = True
        self.narration.start()
        at = timecode(self._session.script.film, player.state.time)
        self._session.messages.say(f"Playing from {at} with narration.")
        self._film_start.begin()
        self._refresh()

    def toggle_film(self) -> None:
        """Speak the plan along with the film, or no longer."""
        self._film_on = not self._film_on and self.narration.prepare()
        self._follow_film()
        self._refresh()

    def stop(self) -> None:
        """Stop speaking, or repeating a gap; the film pauses if it plays with narration or repeats."""
        if self._gap.busy or self._film_on or self._player.loop:
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
        self._players.close()
        self._speaking.close()

    @property
    def _plays_film(self) -> bool:
        """Whether the film plays with the plan, or is about to."""
        return self._film_on and (self._player.state.playing or self._film_start.waiting)

    def _planned(self, line: Eventuality) -> Version:
        """A line in the wording that is spoken."""
        spoken = self._session.plan.spoken_as(line.id)
        fused = wording_of(self._session.script, spoken) if spoken is not None and spoken.members else None
        variant = fused or line.variants[wording(line, spoken)]
        return Version(variant.text, line, variant.chosen_take)

    def _say_all(self, versions: list[Version]) -> None:
        self._quiet()
        self._player.pause()
        self._audition.start(versions)
        self._refresh()

    def _quiet(self) -> None:
        self._audition.stop()
        self._film_start.cancel()
        self._gap.leave()
        self.narration.stop()
        if self._speaking.busy:
            self._speaking.close()
            self.narration.forget()

    def _follow_film(self) -> None:
        """Narrate the whole plan or stop, unless a gap is being played."""
        if self._gap.busy:
            return
        if self._film_on:
            self.narration.start()
        else:
            self._film_start.cancel()
            self.narration.stop()

    def _gap_over(self) -> None:
        self._film_start.cancel()
        self._follow_film()
        self._refresh()

    def _film_changed(self, _state: object) -> None:
        self._context.actions["hear.stop"].setEnabled(self.busy)

    def _opened(self) -> None:
        self._film_on = False
        self._reports.forget()
        self._rendered_by = self.requests.speaker
        self._quiet()
        self._refresh()

    def _plan_changed(self, _news: object) -> None:
        speaker = self.requests.speaker
        if speaker != self._rendered_by:
            self._rendered_by = speaker
            self._reports.forget()
            self.narration.forget()
        else:
            self.narration.follow_plan()

    def _preference_changed(self, name: str) -> None:
        if name in {DEFAULT_ENGINE, DEFAULT_VOICE, HOLD, MIX}:
            self.narration.forget()

    def _has_film(self) -> bool:
        return self._session.script.film.end > 0

    def _refresh(self) -> None:
        actions = self._context.actions
        actions["hear.film"].setChecked(self._film_on)
        actions["hear.stop"].setEnabled(self.busy)
