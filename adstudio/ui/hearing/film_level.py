"""The film's level while narration is heard along with it: as in the mix, at every moment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from adstudio.core.mix_settings import MixSettings
from adstudio.core.plan import Delivery
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.ui.picture.player import Player
from adstudio.ui.session.context import Context
from adstudio.ui.session.mix_choices import stored_mix

if TYPE_CHECKING:
    from adstudio.mix.duck import Breakpoint
    from adstudio.speech.sound import Sound

TICK_MS = 20
FADE_MS = 150
"""In which the film comes back where narration ends before its time."""


def mix_envelope(
    script: Script,
    deliveries: Sequence[Delivery],
    gap_at: Callable[[int], Span | None],
    settings: MixSettings,
) -> tuple[Breakpoint, ...]:
    """How far the film is down under these lines, as the mix has it."""
    # numpy comes with these, and the window is to be up before.
    from adstudio.mix.duck import envelope
    from adstudio.mix.lines import MixLine
    from adstudio.mix.preparing import dialogue_of

    lines: list[MixLine] = []
    for number, delivery in enumerate(deliveries, 1):
        place = script.eventuality_index.get(delivery.line)
        line = None if place is None else script.eventualities[place]
        lines.append(
            MixLine(
                id=delivery.element,
                number=number,
                start=delivery.start,
                length=delivery.end - delivery.start,
                load=_unheard,
                duck=None if line is None else line.duck,
                gap=gap_at(delivery.start),
                override=line is not None and line.pin.override,
            )
        )
    return envelope(lines, dialogue_of(script), settings, script.film.end)


def chosen_envelope(context: Context, deliveries: Sequence[Delivery]) -> tuple[Breakpoint, ...]:
    """How far the film is down under these lines of the open project, mixed as was chosen last."""
    script = context.session.script
    settings = stored_mix(context.preferences).settings(script)
    return mix_envelope(script, deliveries, context.session.current_plan.gap_at, settings)


def _unheard() -> Sound:
    raise AssertionError("only the level of the film is asked for")


def level_at(envelope: Sequence[Breakpoint], ms: float) -> float:
    """The film's level at a time in decibels, 0 or below: linear between breakpoints, 0 outside them."""
    place = bisect_right(envelope, ms, key=lambda point: point.ms)
    if place == 0 or place == len(envelope):
        return 0.0
    before, after = envelope[place - 1], envelope[place]
    share = (ms - before.ms) / (after.ms - before.ms)
    return (before.level + share * (after.level - before.level)) / 10


class FilmLevel(QObject):
    """Keeps the film at the level of an envelope while narration is audible."""

    def __init__(self, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._envelope: tuple[Breakpoint, ...] = ()
        self._audible = False
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._set)

    def set_envelope(self, envelope: tuple[Breakpoint, ...]) -> None:
        """Take over the levels of another plan."""
        self._envelope = envelope

    def set_audible(self, audible: bool) -> None:
        """Follow the envelope, or bring the film back."""
        if audible:
            self._audible = True
            self._set()
            if not self._timer.isActive():
                self._timer.start()
        elif self._audible:
            self._audible = False
            self._timer.stop()
            self._player.duck(0.0, FADE_MS)

    def _set(self) -> None:
        self._player.duck(level_at(self._envelope, self._player.now))
