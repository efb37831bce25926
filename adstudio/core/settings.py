"""A project's planning settings, and how its gaps follow from the dialogue."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Scope(Enum):
    """Where a line may be spoken: anywhere in the film, or only within its scene."""

    FILM = "film"
    SCENE = "scene"


@dataclass(frozen=True)
class GapSettings:
    """How gaps follow from dialogue: margins and minimum length in milliseconds, and what else counts as speech.

    `word_edges`: cues count from their first word to their last, where it is known when these are spoken.
    """

    margin_before: int = 0
    margin_after: int = 0
    least: int = 1000
    keep_sound: bool = False
    keep_music: bool = False
    keep_sung: bool = True
    word_edges: bool = False


@dataclass(frozen=True, slots=True)
class Near:
    """How near to its action a line counts in full, and what it counts beyond.

    A delivery whose midpoint is at most `early` before or `late` after its occurrence's (ms) counts in full, one
    further off `far_gain` of that (millionths).
    """

    early: int
    late: int
    far_gain: int


@dataclass(frozen=True)
class Settings:
    """A project's planning settings: rates in words per minute, times in milliseconds, `max_share` in millionths.

    `delta_early` and `delta_late` replace `delta_max` on their side; `reach` is how many gaps a line may be away from
    those of its action. None leaves a line free of that limit, as the paper's problem does.
    """

    words_per_minute: int = 200
    rate_by_language: tuple[tuple[str, int], ...] = ()
    gaps: GapSettings = GapSettings()
    delta_max: int = 10_000
    min_pause: int = 0
    max_share: int = 1_000_000
    scope: Scope = Scope.FILM
    delta_early: int | None = None
    delta_late: int | None = None
    near: Near | None = None
    reach: int | None = None

    @property
    def early(self) -> int:
        """How far the middle of a line may be before that of its action, in milliseconds."""
        return self.delta_max if self.delta_early is None else self.delta_early

    @property
    def late(self) -> int:
        """How far the middle of a line may be after that of its action, in milliseconds."""
        return self.delta_max if self.delta_late is None else self.delta_late

    def rate_for(self, language: str) -> int:
        """A language's speaking rate, else that of its base language (`pt` for `pt-BR`), else the project's."""
        rates = {tag.lower(): rate for tag, rate in self.rate_by_language}
        tag = language.lower()
        return rates.get(tag) or rates.get(tag.split("-")[0]) or self.words_per_minute
