"""Dialogue whose times count from a start timecode instead of the film's start: shifted, guessed, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import StartTimecode, clock

HOUR_MS = 3_600_000
LEADER_MS = 120_000
"""What precedes a programme's first frame, such as bars and a clock, and may have cues: up to two minutes."""
LATE_MS = 600_000
"""A start timecode from here on is subtracted where no words come before it: few films are silent for so long."""
MOST = 0.9
"""The share of spoken cues that an offset must bring into the film."""
MIN_FILM_MS = 60_000
"""A shorter clip may well have no dialogue."""
CREDITS_MS = 30_000
"""Before this, a few cues of many may be the subtitler's own credits."""
CREDITS = 2
LAST_MS = 24 * HOUR_MS
"""Timecode ends here."""
QUOTED = 40
"""Characters of the first words that a message quotes."""


@dataclass(frozen=True)
class StartGuess:
    """The full hour that times seem to count from (ms), and the first words with their film time then.

    The time is negative where words come in the leader before the hour.
    """

    offset: int
    words: str
    first_words: int

    @property
    def label(self) -> str:
        """The timecode of the first frame, by this guess."""
        return f"{clock(self.offset)[:8]}:00"

    def sentence(self, times: str = "its times") -> str:
        """What is guessed, and where the first words would fall, without a full stop."""
        ahead = f"{-self.first_words / 1000:g} s before its first frame"
        where = ahead if self.first_words < 0 else f"at {clock(self.first_words)[:8]}"
        return (
            f"{times} seem to count from {clock(self.offset)[:8]}, not from the start of the film "
            f"(a guess, by which the first words, “{self.words}”, would fall {where})"
        )


class StartOffsetError(BadInputError):
    """The dialogue lies outside the film, as its times seem to count from another start."""

    def __init__(self, guess: StartGuess, name: str) -> None:
        super().__init__(f"{guess.sentence(f'the times in {name}')}: give the timecode of the film’s first frame")
        self.guess = guess
        self.option = f"--start-timecode {guess.label}"


def shift_to_film_start(
    cues: Sequence[Cue], end: int | None, first: StartTimecode | None, name: str, *, by_guess: bool = False
) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
    """The cues, minus the start timecode if that brings them into the film, and notes saying so.

    `end` is the film's end (ms), None if known only from the cues; `name` is the file's name. Without a start timecode
    that fits, a full hour is guessed. Dialogue outside the film is refused, since narration would be spoken over the
    real one; `by_guess` subtracts a guessed hour instead, and only notes dialogue outside.

    Raises:
        StartOffsetError: if a full hour fits, unless `by_guess`.
        BadInputError: if no spoken cue lies in the film, unless `by_guess`; the message says what to do.
    """
    spoken = sorted(cue.start for cue in cues if cue.kind in (CueKind.SPEECH, CueKind.SUNG))
    if not spoken:
        return tuple(cues), ()
    inside = _share(spoken, 0, end)
    if first is not None and _share(spoken, first.clock_offset, end) >= MOST:
        late = first.clock_offset >= LATE_MS
        if inside < MOST or (late and _without_credits(spoken)[0] >= first.clock_offset - LEADER_MS):
            source = f"the film’s start timecode ({first.written})"
            return _moved(cues, first.clock_offset, f"its times count from {source}, which was subtracted")
    guess = _guess(cues, spoken, end)
    if guess is not None:
        if inside >= MOST:
            return tuple(cues), (Oddity(guess.sentence()),)
        if by_guess:
            return _moved(cues, guess.offset, f"{guess.sentence()}: {guess.label} was subtracted")
        raise StartOffsetError(guess, name)
    if inside == 0 and end is not None and end >= MIN_FILM_MS:
        outside = (
            f"the dialogue in {name} lies outside the film: it starts at {clock(spoken[0])[:8]} and the film "
            f"ends at {clock(end)[:8]}"
        )
        if by_guess:
            return tuple(cues), (Oddity(outside),)
        raise BadInputError(
            f"{outside}. Use the subtitles of this film, or shift them; if it has no dialogue, leave them out"
        )
    return tuple(cues), ()


def _share(spoken: Sequence[int], offset: int, end: int | None) -> float:
    """The share of times in a film that starts at an offset, or in the leader before an offset that is not 0.

    0 if none is in the film itself.
    """
    last = float("inf") if end is None else offset + end
    if not any(offset <= time < last for time in spoken):
        return 0.0
    leader = LEADER_MS if offset else 0
    return sum(offset - leader <= time < last for time in spoken) / len(spoken)


def _guess(cues: Sequence[Cue], spoken: Sequence[int], end: int | None) -> StartGuess | None:
    """A full hour that brings the dialogue into the film, or next to it."""
    time = _without_credits(spoken)[0]
    hour = (time + LEADER_MS) // HOUR_MS * HOUR_MS
    if not 0 < hour < LAST_MS or _share(spoken, hour, end) < MOST:
        return None
    words = next(" ".join(cue.text.split()) for cue in cues if cue.start == time and _is_spoken(cue))
    quote = words if len(words) <= QUOTED else words[: QUOTED - 1].rstrip() + "…"
    return StartGuess(hour, quote, time - hour)


def _without_credits(spoken: Sequence[int]) -> Sequence[int]:
    """Times without those of the subtitler's own credits, which stand at the start whatever the others count from."""
    early = sum(time < CREDITS_MS for time in spoken)
    return spoken[early:] if early <= min(CREDITS, len(spoken) // 20) else spoken


def _is_spoken(cue: Cue) -> bool:
    return cue.kind in (CueKind.SPEECH, CueKind.SUNG)


def _moved(cues: Sequence[Cue], offset: int, what: str) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
    moved = tuple(
        replace(cue, start=max(0, cue.start - offset), end=cue.end - offset)
        for cue in cues
        if max(cue.start, cue.end) > offset
    )
    starts = [cue.start for cue in moved if _is_spoken(cue)]
    notes = [Oddity(f"{what}; the first words are now at {clock(min(starts))[:8]}" if starts else what)]
    if len(moved) < len(cues):
        count = len(cues) - len(moved)
        cues_before = f"{count:,} cues" if count > 1 else "the cue"
        notes.append(Oddity(f"{cues_before} before the film’s first frame {'were' if count > 1 else 'was'} ignored"))
    return moved, tuple(notes)
