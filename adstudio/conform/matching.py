"""The time map of a new cut, from the sound and the dialogue of both; another film is recognised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from adstudio.conform.evidence import SoundMatch, TextMatch
from adstudio.conform.runs import Bounds, disjoint, filled
from adstudio.conform.text_runs import match_text
from adstudio.conform.time_map import Piece, TimeMap, time_map
from adstudio.core.counts import percent
from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue
from adstudio.core.timebase import Span

if TYPE_CHECKING:
    from adstudio.media.peaks import Peaks

LEAST_SOUND = 0.15
"""The share of the shorter cut whose sound both have, from which it is the same film: title music alone is less."""
ENOUGH_SOUND = 0.3
"""From this share on, the sound alone decides what the dialogue does not say."""
LEAST_WORDS = 0.1
"""The share of the shorter dialogue that matches, from which it is the same film."""
FEW_CUES = 10
"""Fewer cues do not show for sure where the cuts are, nor the speed: all of the film is unsure then."""
LEAST_ADDED_MS = 1000
"""Film of which only the dialogue is in both is taken from so much on."""
MOST_OFF_MS = 1000
"""Dialogue that is later or earlier than in the film's sound by more is not that of the film."""
INCOMPARABLE = "the two cuts cannot be compared: that takes the sound of both, or the dialogue of both"


class OtherFilmError(BadInputError):
    """The new cut seems to be another film."""

    def __init__(self, text: TextMatch | None, sound: SoundMatch | None) -> None:
        found: list[str] = []
        if text is not None:
            found.append(
                f"{percent(text.share)} of the dialogue matches ({text.matched:,} of {text.old_words:,} words)"
            )
        if sound is not None:
            found.append(f"{percent(sound.share)} of the sound matches ({sound.shared / 1000:.1f} s)")
        super().__init__(f"this seems to be another film, not a new cut of the project’s: {' and '.join(found)}")


@dataclass(frozen=True)
class CutMatch:
    """How a new cut goes with the former one, and what shows it: dialogue, sound, or both (None: not compared)."""

    time_map: TimeMap
    text: TextMatch | None = None
    sound: SoundMatch | None = None

    @property
    def has_other_words(self) -> bool:
        """Whether the new dialogue says nothing of the former: another language, or another film."""
        return self.text is not None and self.text.share < LEAST_WORDS

    @property
    def dialogue_off(self) -> int | None:
        """By how much (ms) most of the new dialogue is later than the time map has it; None where it is in step."""
        if self.text is None or self.has_other_words:
            return None
        late: list[tuple[int, int]] = []
        for run in self.text.runs:
            middle = run.old.doubled_midpoint // 2
            at = self.time_map.at(middle)
            late.append((run.old.length, 0 if at is None else round(middle * self.text.ratio + run.offset) - at))
        off = [(length, by) for length, by in late if abs(by) > MOST_OFF_MS]
        return max(off)[1] if 2 * sum(length for length, _ in off) > sum(length for length, _ in late) else None


@dataclass(frozen=True)
class Cut:
    """What is known of a cut: its dialogue, its length in milliseconds (None: unknown), and its sound."""

    cues: tuple[Cue, ...]
    end: int | None
    peaks: Peaks | None = None


def match_cuts(old: Cut, new: Cut, changes: Sequence[int] = ()) -> CutMatch:
    """The time map from the former cut (of known length) to the new one; `changes`: where its scenes change (ms).

    Sound decides where there is sound on both sides, as it is exact to a frame; dialogue adds what sound does not show,
    and decides alone without it.

    Raises:
        OtherFilmError: if it is another film.
        BadInputError: if neither sound nor dialogue is known of both, or for more dialogue than one film can have.
    """
    text = match_text(old.cues, new.cues) if old.cues and new.cues else None
    text = None if text is not None and not min(text.old_words, text.new_words) else text
    sound = None
    if old.peaks is not None and new.peaks is not None and min(old.peaks.duration, new.peaks.duration) > 0:
        from adstudio.conform.sound_match import match_sound

        sound = match_sound(old.peaks, new.peaks, changes)
    if text is None and sound is None:
        raise BadInputError(INCOMPARABLE)
    same_words = text is not None and text.share >= LEAST_WORDS and len(text.runs) > 0
    if sound is not None and sound.share >= (ENOUGH_SOUND if same_words else LEAST_SOUND):
        return CutMatch(_by_sound(old, new, sound, text if same_words else None), text, sound)
    if text is None or not same_words:
        raise OtherFilmError(text, sound)
    return CutMatch(_by_text(old, new, text, changes), text, sound)


def _by_text(old: Cut, new: Cut, text: TextMatch, changes: Sequence[int]) -> TimeMap:
    end = _end(old)
    new_end = new.end
    if new_end is None:
        last = max(text.runs, key=lambda run: run.old.end)
        new_end = max(round(end * text.ratio + last.offset), *(cue.end for cue in new.cues))
    found = filled(text.runs, text.ratio, Bounds(end, new_end, text.only_old, text.only_new, tuple(sorted(changes))))
    return found if text.cues >= FEW_CUES else replace(found, unsure=(Span(0, end),))


def _by_sound(old: Cut, new: Cut, sound: SoundMatch, text: TextMatch | None) -> TimeMap:
    end, new_end = _end(old), new.end or sound.new_length
    pieces = [*sound.pieces]
    unsure = [*sound.unsure]
    if text is not None and text.ratio == sound.ratio:
        for run in text.runs:
            for piece in _outside(run.piece(sound.ratio), sound.pieces, sound.ratio):
                pieces.append(piece)
                unsure.append(piece.old)
    return time_map(disjoint(pieces, sound.ratio, end, new_end), end, new_end, sound.ratio, unsure)


def _outside(piece: Piece, others: Sequence[Piece], ratio: Fraction) -> list[Piece]:
    """The parts of a piece that no other one covers in either cut."""
    left = [piece]
    for other in others:
        back = Span(*(round((time - piece.new.start) / ratio) + piece.old.start for time in _ends(other.new)))
        for taken in (other.old, back):
            left = [part for each in left for part in _without(each, taken, ratio)]
    return [part for part in left if part.old.length >= LEAST_ADDED_MS]


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _without(piece: Piece, taken: Span, ratio: Fraction) -> list[Piece]:
    if taken.end <= piece.old.start or piece.old.end <= taken.start:
        return [piece]
    found: list[Piece] = []
    for start, end in ((piece.old.start, taken.start), (taken.end, piece.old.end)):
        if end > start:
            new = Span(*(piece.new.start + round((time - piece.old.start) * ratio) for time in (start, end)))
            found.append(replace(piece, old=Span(start, end), new=new))
    return found


def _end(cut: Cut) -> int:
    return cut.end if cut.end is not None else max((cue.end for cue in cut.cues), default=0)
