"""The cue tones that can be switched on: at gaps, and at spoken lines."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from adstudio.core.timebase import Span
from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.hearing.cue_tones import GAP_HERTZ, LINE_HERTZ, CueTones
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.player import Player
from adstudio.ui.session.context import Context

CUES = {"hear.cues": ("hear/cues", GAP_HERTZ), "hear.line_cues": ("hear/line_cues", LINE_HERTZ)}
"""The actions that sound cue tones: the preference of each, and its pitches."""


class Cues(QObject):
    """Does these actions; `start_player` gives a player when one is needed, None where there can be none."""

    def __init__(
        self, context: Context, player: Player, start_player: Callable[[], AudioPlayer | None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._session, self._player = context, context.session, player
        self._start_player = start_player
        self.tones: dict[str, CueTones] = {}
        """Those that have been switched on, by their actions."""
        for name in CUES:
            toggle, is_on = (lambda name=name: self._toggle(name)), (lambda name=name: self._is_on(name))
            context.actions.connect(name, toggle, self._has_film, is_on)
        context.session.opened.connect(self._follow)
        context.session.current_plan.changed.connect(lambda _: self._follow())
        context.preferences.changed.connect(self._preference_changed)

    def close(self) -> None:
        """Be silent."""
        for tones in self.tones.values():
            tones.set_spans(())

    def _toggle(self, name: str) -> None:
        """Sound a tone where a gap, or a spoken line, begins and ends, or no longer."""
        self._context.preferences.store_flag(CUES[name][0], not self._is_on(name))

    def _preference_changed(self, changed: str) -> None:
        if any(changed == preference for preference, _ in CUES.values()):
            self._follow()

    def _follow(self) -> None:
        for name, (_, pitches) in CUES.items():
            self._context.actions[name].setChecked(self._is_on(name))
            wanted = self._is_on(name) and self._has_film()
            voice = self._start_player() if wanted and name not in self.tones else None
            if voice is not None:
                sound = SyncedSound(self._player, voice, self, correct=False)
                self.tones[name] = CueTones(self._player, sound, pitches, self)
            if name in self.tones:
                self.tones[name].set_spans(self._spans(name) if wanted else ())

    def _spans(self, name: str) -> tuple[Span, ...]:
        if name == "hear.cues":
            return self._session.gaps
        return tuple(delivery.span for delivery in self._session.plan.deliveries)

    def _is_on(self, name: str) -> bool:
        return self._context.preferences.flag(CUES[name][0], default=False)

    def _has_film(self) -> bool:
        return self._session.script.film.end > 0
