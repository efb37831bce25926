"""An extended film as a mix like any other: all times are those of the longer film, whose sound is silent in pauses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adstudio.core.script import Cue
from adstudio.mix.film_sound import Block, FilmSound
from adstudio.mix.layout import BLOCK, PER_MS
from adstudio.mix.lines import MixLine
from adstudio.mix.pauses import NO_PAUSES, PauseMap
from adstudio.mix.request import MixRequest


def extended_request(request: MixRequest, pauses: PauseMap) -> MixRequest:
    """The request with its lines and dialogue at their extended times; extended lines are in their pauses."""
    script = request.script
    longer = replace(
        script,
        film=replace(script.film, end=script.film.end + pauses.total),
        cues=tuple(extended_cue(cue, pauses) for cue in script.cues),
        openings=tuple(replace(each, span=pauses.span(each.span)) for each in script.openings),
    )
    begins = {pause.line: pauses.begins(place) for place, pause in enumerate(pauses.pauses)}
    return replace(request, script=longer, lines=tuple(_moved(line, pauses, begins) for line in request.lines))


def extended_cue(cue: Cue, pauses: PauseMap) -> Cue:
    """A cue at its extended time; a reversed one stays as it is wrong."""
    start = pauses.starting(cue.start)
    return replace(cue, start=start, end=max(pauses.ending(cue.end), start) if cue.end >= cue.start else cue.end)


def _moved(line: MixLine, pauses: PauseMap, begins: dict[str, int]) -> MixLine:
    if line.extended:
        # Nothing sounds under it, and dialogue that the pause interrupts is not spoken then.
        return replace(line, start=begins[line.id], extended=False, gap=None, duck=0, override=True)
    gap = None if line.gap is None else pauses.span(line.gap)
    return replace(line, start=pauses.starting(line.start), gap=gap)


@dataclass(frozen=True)
class HeldSound(FilmSound):
    """A film's sound that is silent while the picture is held, faded out and in over `guard` milliseconds."""

    pauses: PauseMap = NO_PAUSES
    guard: int = 0

    @classmethod
    def of(cls, sound: FilmSound, pauses: PauseMap, guard: int) -> HeldSound:
        """This sound, held."""
        return cls(**vars(sound), pauses=pauses, guard=guard)

    def _placed(self) -> Generator[Block]:
        position = 0
        waiting = list(self.pauses.pauses)
        for piece in super()._placed():
            faded = piece * self._gains(position, piece.shape[1])
            begun = 0
            while waiting and waiting[0].at * PER_MS < position + piece.shape[1]:
                cut = max(waiting[0].at * PER_MS - position, begun)
                yield faded[:, begun:cut]
                begun = cut
                yield from _silence(self.layout.channels, waiting.pop(0).length * PER_MS)
            yield faded[:, begun:]
            position += piece.shape[1]

    def _gains(self, first: int, count: int) -> NDArray[np.float32]:
        """The factors of the film's samples from `first` on: down to 0 where the picture is held."""
        gains = np.ones(count, np.float32)
        length = self.guard * PER_MS
        near = slice(
            bisect_left(self.pauses.times, (first - length) / PER_MS),
            bisect_right(self.pauses.times, (first + count + length) / PER_MS),
        )
        for cut in self.pauses.times[near] if length else ():
            away = np.abs(np.arange(first, first + count) - cut * PER_MS + 0.5)
            gains *= (np.sin(np.minimum(away / length, 1) * np.pi / 2) ** 2).astype(np.float32)
        return gains


def _silence(channels: int, length: int) -> Generator[Block]:
    while length > 0:
        yield np.zeros((channels, min(length, BLOCK)), np.float32)
        length -= BLOCK
