"""Whether subtitles are in step with the speech that is heard, and by what offset and drift they would be.

Every offset within a minute is tried, at 10 ms, for each ratio that comes of a film being played at another frame rate
than the one its subtitles were made for. What speaks for one is counted in nats (natural logarithm of how much more
likely what is heard is if the subtitles lie so than if they belong to another film), from three things: that speech is
heard within cues and not between them; that it begins where cues begin; and that it ends where they end, which tells
least, as subtitles stand on after the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import said_until

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP_MS = 10
"""The grid on which offsets are tried."""
FURTHEST_MS = 60_000
"""The largest offset that is tried; half of the film where that is less."""
IN_STEP_MS = 300
"""Cues that lie off by less are in step: that is how far subtitlers themselves let a cue begin before or after it is
said."""
FEWEST_CUES = 5
LONGEST_MS = 12 * 3600 * 1000
"""The longest film that is tried."""
ENOUGH = 14.0
"""Nats of evidence, what is likely beforehand included, from which it is no chance. Of 1,161 short films that were
given subtitles of a film's rhythm that were not theirs, none had more than 10.7."""
ENOUGH_STARTS = 8.0
"""Nats of it that the beginnings of cues must tell alone: two films may be alike in where much is said and where
little, but hardly in where each line begins."""
CLEAR = 5.0
"""Nats by which the next best place, more than a second off, must be worse."""
CLEAR_SHARE = 0.15
"""The same as a share of the evidence: lines of one length at one pace fit nearly as well one line later."""
APART_MS = 1000

USUAL_MS = 2000
"""Half of all offsets are about as small beforehand (a Cauchy distribution): the larger, the more must speak for it."""

RATIOS: dict[Fraction, float] = {
    Fraction(1): 0.0,
    Fraction(24, 25): -2.0,
    Fraction(25, 24): -2.0,
    Fraction(1000, 1001): -4.0,
    Fraction(1001, 1000): -4.0,
    Fraction(24000, 25025): -4.0,
    Fraction(25025, 24000): -4.0,
}
"""What times are multiplied by, and how likely that is beforehand (nats): subtitles for 25 frames a second over a film
at 24 and the reverse, and the same where 24 is 23.976."""

HEARD_IN_CUE, HEARD_BETWEEN = 0.8, 0.15
"""How often speech is heard within a cue, and between cues, of subtitles in step."""
INDEPENDENT_S = 2.0
"""Seconds of sound that tell as much as one independent observation."""
START_MS, END_MS = 80, 300
"""How far from where speech begins and ends the edges of cues usually are."""
AT_START, AT_END = 0.6, 0.3
"""The share of cues that begin where speech begins (the others follow without a pause), and of those that end so."""


DRIFTS: dict[Fraction, str] = {
    Fraction(24, 25): "made for a film at 24 frames a second that plays at 25",
    Fraction(25, 24): "made for a film at 25 frames a second that plays at 24",
    Fraction(1000, 1001): "made for a film at 23.976 frames a second that plays at 24",
    Fraction(1001, 1000): "made for a film at 24 frames a second that plays at 23.976",
    Fraction(24000, 25025): "made for a film at 23.976 frames a second that plays at 25",
    Fraction(25025, 24000): "made for a film at 25 frames a second that plays at 23.976",
}
"""What subtitles are whose times have to be multiplied by each ratio."""


@dataclass(frozen=True)
class InStep:
    """What was found: a cue's time multiplied by `ratio` and then moved by `offset_ms` is when it is heard.

    `agreement_before` and `_after` are the shares (0..1) of speech and cues that lie over each other, as they stand and
    as they would (twice what is common, over the sum of both). `furthest_ms` is by how much a cue is off at most.
    `sure`: no chance and no other film; only then is it to be acted on. `evidence` and `margin` (nats) say why.
    """

    offset_ms: int
    ratio: Fraction
    agreement_before: float
    agreement_after: float
    sure: bool
    furthest_ms: int = 0
    evidence: float = 0.0
    margin: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether the subtitles are in step as they stand, for sure."""
        return self.sure and self.furthest_ms <= IN_STEP_MS

    @property
    def mends(self) -> bool:
        """Whether they are out of step, for sure, and this is the fix."""
        return self.sure and self.furthest_ms > IN_STEP_MS


def verdict(found: InStep) -> str:
    """What was found, for a person: a sentence without its stop that begins with a small letter."""
    if found.holds:
        return "the subtitles are in step with the speech that is heard"
    if found is UNKNOWN:
        return (
            "whether the subtitles are in step with the speech cannot be told: there are fewer than "
            f"{FEWEST_CUES} cues of speech, or hardly any speech is heard"
        )
    off = _off(found)
    if found.mends:
        return f"the subtitles are out of step with the speech that is heard: they are {off}"
    perhaps = f"they may be {off}" if found.furthest_ms > IN_STEP_MS else "they may well be"
    return (
        "whether the subtitles are in step with the speech cannot be told for sure, as too little fits, or several "
        f"places fit alike ({perhaps}): watch a minute of the film with them"
    )


def _off(found: InStep) -> str:
    """By how much: a film time is that of the subtitles times the ratio plus the offset."""
    late = f"{abs(found.offset_ms) / 1000:.2f} s too {'early' if found.offset_ms > 0 else 'late'}"
    drift = DRIFTS.get(found.ratio)
    if drift is None:
        return late
    return f"{drift}, and {late} at the film’s start" if found.offset_ms else drift


UNKNOWN = InStep(0, Fraction(1), 0.0, 0.0, sure=False)
"""Too little is said, heard or written to tell anything."""


def in_step(cues: Sequence[Cue], speech: Sequence[Span], duration: int) -> InStep:
    """How cues lie to the `speech` heard in a film whose sound lasts `duration` ms.

    Only cues of speech count. Where there are fewer than five, or hardly any speech, nothing is known.
    """
    said = [Span(cue.start, said_until(cue)) for cue in cues if cue.kind is CueKind.SPEECH]
    said = [span for span in said if span.start >= -LONGEST_MS and span.end <= LONGEST_MS]
    if len(said) < FEWEST_CUES or not speech or not 0 < duration <= LONGEST_MS:
        return UNKNOWN
    heard = _Heard(speech, duration)
    tries = [_Try(ratio, prior, heard.evidence(_scaled(said, ratio)) + prior) for ratio, prior in RATIOS.items()]
    best = max(tries, key=lambda each: float(each.nats.max()))
    place = int(best.nats.argmax())
    offset = heard.offsets[place]
    first, last = min(span.start for span in said), max(span.end for span in said)
    margin = float(best.nats[place]) - max(_elsewhere(each, best.ratio, offset, (first, last), heard) for each in tries)
    evidence = float(best.nats[place])
    moved = [Span(span.start + offset, span.end + offset) for span in _scaled(said, best.ratio)]
    before, after = heard.agreement(said), heard.agreement(moved)
    return InStep(
        offset_ms=offset,
        ratio=best.ratio,
        agreement_before=before,
        agreement_after=after,
        sure=evidence >= ENOUGH
        and heard.starts(moved) >= ENOUGH_STARTS
        and margin >= max(CLEAR, CLEAR_SHARE * evidence)
        and after >= before - 0.02,
        furthest_ms=max(abs(new.start - old.start) for new, old in zip(moved, said, strict=True)),
        evidence=evidence,
        margin=margin,
    )


@dataclass(frozen=True)
class _Try:
    ratio: Fraction
    prior: float
    nats: NDArray[np.float64]


def _elsewhere(tried: _Try, ratio: Fraction, offset: int, ends: tuple[int, int], heard: _Heard) -> float:
    """The most evidence for any place that puts the first or the last cue more than a second from where it is put."""
    import numpy as np

    offsets = np.array(heard.offsets)
    apart = np.zeros(len(offsets), np.bool_)
    for time in ends:
        apart |= np.abs(offsets + float(time * tried.ratio) - float(time * ratio) - offset) > APART_MS
    return float(tried.nats[apart].max(initial=-np.inf))


class _Heard:
    """What is heard in a film, as evidence for where cues lie."""

    def __init__(self, speech: Sequence[Span], duration: int) -> None:
        import numpy as np

        self._length = -(-duration // STEP_MS)
        self._speech = _occupied(speech, self._length)
        share = min(max(float(self._speech.mean()), 0.02), 0.98)
        rate = max(len(speech) / (duration / 1000), 0.01)
        weight = STEP_MS / 1000 / INDEPENDENT_S
        within, between = (_likelier(chance, share) * weight for chance in (HEARD_IN_CUE, HEARD_BETWEEN))
        self._within: NDArray[np.float64] = self._speech * (within[0] - within[1]) + within[1]
        self._between: NDArray[np.float64] = self._speech * (between[0] - between[1]) + between[1]
        self._starts = _nearness([span.start for span in speech], self._length, rate, spread=START_MS, share=AT_START)
        self._ends = _nearness([span.end for span in speech], self._length, rate, spread=END_MS, share=AT_END)
        self._reach = min(FURTHEST_MS, duration // 2) // STEP_MS
        self.offsets = [place * STEP_MS for place in range(-self._reach, self._reach + 1)]
        self._prior: NDArray[np.float64] = -np.log1p((np.array(self.offsets) / USUAL_MS) ** 2)
        # Cues may begin before the film does: the grid begins as much earlier as they are ever moved.
        self._early = FURTHEST_MS // STEP_MS
        self._last = duration + FURTHEST_MS
        # So much that what is moved over one end of the grid never meets what is at the other.
        self._size = 1 << (self._length + 3 * self._early + self._reach + 2).bit_length()
        self._nothing = float(self._within.min()), log(1 - AT_START), log(1 - AT_END)
        fields = (self._within - self._between, self._starts, self._ends)
        self._fields = [
            np.fft.rfft(field - nothing, self._size) for field, nothing in zip(fields, self._nothing, strict=True)
        ]

    def evidence(self, cues: Sequence[Span]) -> NDArray[np.float64]:
        """The evidence for each offset. What lies outside the film counts as if nothing were heard there."""
        import numpy as np

        near = [span for span in cues if span.start >= -FURTHEST_MS and span.end <= self._last]
        early = self._early * STEP_MS
        trains = (
            _occupied([Span(span.start + early, span.end + early) for span in near], self._length + 2 * self._early),
            _train([span.start + early for span in near], self._length + 2 * self._early),
            _train([span.end + early for span in near], self._length + 2 * self._early),
        )
        told = sum(span.length for span in cues) / STEP_MS, len(cues), len(cues)
        base = float(self._between.sum()) + sum(
            count * nothing for count, nothing in zip(told, self._nothing, strict=True)
        )
        total = np.zeros(self._size // 2 + 1, np.complex128)
        for field, train in zip(self._fields, trains, strict=True):
            total += field * np.conj(np.fft.rfft(train, self._size))
        found = np.fft.irfft(total, self._size)
        return (
            found[np.arange(-self._reach - self._early, self._reach - self._early + 1) % self._size]
            + base
            + self._prior
        )

    def starts(self, cues: Sequence[Span]) -> float:
        """The evidence of the beginnings of cues that lie so, alone."""
        places = [round(span.start / STEP_MS) for span in cues]
        inside = [place for place in places if 0 <= place < self._length]
        return float(self._starts[inside].sum()) + (len(places) - len(inside)) * self._nothing[1]

    def agreement(self, cues: Sequence[Span]) -> float:
        """Twice what speech and cues share, over the sum of both."""
        inside = _occupied(cues, self._length)
        outside = sum(max(0, span.end - max(span.start, self._length * STEP_MS)) for span in cues) / STEP_MS
        both = float(self._speech.sum() + inside.sum()) + outside
        return 2 * float((self._speech * inside).sum()) / both if both else 0.0


def _likelier(chance: float, share: float) -> NDArray[np.float64]:
    """How much likelier (nats) speech, and no speech, is at this chance than by its share in the whole film."""
    import numpy as np

    return np.array([log(chance / share), log((1 - chance) / (1 - share))])


def _nearness(times: Sequence[int], length: int, rate: float, *, spread: int, share: float) -> NDArray[np.float64]:
    """What it tells (nats) if a cue's edge lies at each place, from how near speech begins or ends.

    `share` of the edges lie by one of the `times`, within about `spread` ms (two-sided exponential); the others lie
    anywhere, as all would by chance, where `rate` times are heard in a second.
    """
    import numpy as np

    near = np.zeros(length)
    reach = 8 * spread // STEP_MS
    kernel = np.exp(-np.abs(np.arange(-reach, reach + 1)) * STEP_MS / spread) * (1000 / (2 * spread))
    for time in times:
        middle = round(time / STEP_MS)
        first, last = max(0, middle - reach), min(length, middle + reach + 1)
        if first < last:
            here = near[first:last]
            np.maximum(here, kernel[first - middle + reach : last - middle + reach], out=here)
    return np.log((1 - share) + share * near / rate)


def _scaled(spans: Sequence[Span], ratio: Fraction) -> list[Span]:
    return [Span(round(span.start * ratio), round(span.end * ratio)) for span in spans]


def _occupied(spans: Sequence[Span], length: int) -> NDArray[np.float64]:
    import numpy as np

    found = np.zeros(length)
    for span in spans:
        found[max(0, round(span.start / STEP_MS)) : max(0, round(span.end / STEP_MS))] = 1
    return found


def _train(times: Sequence[int], length: int) -> NDArray[np.float64]:
    import numpy as np

    found = np.zeros(length)
    np.add.at(found, np.array([round(time / STEP_MS) for time in times], np.int64).clip(0, length - 1), 1)
    return found
