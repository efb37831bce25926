"""Whether subtitles are in sync with the speech in the audio, and which offset and drift would put them in sync.

Every offset within a minute is tried in steps of 10 ms, for each ratio that results from playing a film at another
frame rate than the one its subtitles were made for. The evidence for each is counted in nats: the log of how much more
likely the detected speech is if the subtitles lie there than if they belong to another film. It has three sources:
speech within cues and silence between them, speech onsets at cue starts, and speech ends at cue ends, which weigh least
because subtitles stay up after the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

from adstudio.core.counts import percent
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import spoken_until

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP_MS = 10
"""The resolution of offsets."""
MAX_OFFSET_MS = 60_000
"""The largest offset tried, or half of the film if less."""
IN_SYNC_MS = 300
"""Cues off by less count as in sync: subtitlers themselves start cues that much before or after the words."""
MIN_CUES = 5
MAX_DURATION_MS = 12 * 3600 * 1000
"""The longest film supported."""
MIN_EVIDENCE = 14.0
"""Nats of evidence, prior included, that rule out chance. Of 1,161 short films given the subtitles of another film with
a similar rhythm, none had more than 10.7."""
MIN_START_EVIDENCE = 8.0
"""Nats required from cue starts alone: two films may have dialogue in similar places, but hardly each line's start."""
MIN_MARGIN = 5.0
"""Nats by which the best offset must beat the best one more than a second away."""
MIN_MARGIN_SHARE = 0.15
"""The same as a share of the evidence, since equally long, evenly spaced lines fit almost as well one line later."""
APART_MS = 1000

MIN_CUES_OF_ANOTHER = 20
"""Fewer cues never tell that subtitles are another film's."""
HARDLY_ANY_SPEECH = 0.25
"""A cue lies where hardly anything is spoken if there is speech in less than this share of it."""
QUIET_OF_ANOTHER = 1 / 3
"""The least share of such cues, at any shift and drift, by which subtitles are another film's or cut's.

Only where the evidence speaks as much against the best shift as it must speak for one to be sure. Of right subtitles
0 to 5 % are quiet, and the evidence is 24 nats and more; both limits are met once a third to a half of the dialogue is
not detected, as under loud music. Subtitles of foreign passages alone have the evidence against them, but are not
quiet. Of another film's, 30 to 56 % are.
"""
QUIET_STEP_MS = 100
MOST_CUES_COUNTED = 1000
"""Of more cues every second, third, … is looked at."""

TYPICAL_OFFSET_MS = 2000
"""Scale of the prior on offsets (a Cauchy distribution; half of them are smaller): larger ones need more evidence."""

RATIOS: dict[Fraction, float] = {
    Fraction(1): 0.0,
    Fraction(24, 25): -2.0,
    Fraction(25, 24): -2.0,
    Fraction(1000, 1001): -4.0,
    Fraction(1001, 1000): -4.0,
    Fraction(24000, 25025): -4.0,
    Fraction(25025, 24000): -4.0,
}
"""Time ratios and their priors (nats): subtitles for 25 fps on a film at 24 fps and vice versa, or at 23.976 fps."""

SPEECH_IN_CUE, SPEECH_BETWEEN = 0.8, 0.15
"""How often there is speech within cues, and between them, when subtitles are in sync."""
INDEPENDENT_S = 2.0
"""Seconds of audio that count as one independent observation."""
START_MS, END_MS = 80, 300
"""The usual distance of cue edges from speech onsets and ends."""
AT_START, AT_END = 0.6, 0.3
"""The share of cues that start at a speech onset (others follow without a pause), and that end at a speech end."""


DRIFTS: dict[Fraction, str] = {
    Fraction(24, 25): "timed for 24 fps while the film plays at 25 fps",
    Fraction(25, 24): "timed for 25 fps while the film plays at 24 fps",
    Fraction(1000, 1001): "timed for 23.976 fps while the film plays at 24 fps",
    Fraction(1001, 1000): "timed for 24 fps while the film plays at 23.976 fps",
    Fraction(24000, 25025): "timed for 23.976 fps while the film plays at 25 fps",
    Fraction(25025, 24000): "timed for 25 fps while the film plays at 23.976 fps",
}
"""What is wrong with subtitles whose times must be multiplied by each ratio."""


@dataclass(frozen=True)
class SyncEstimate:
    """The estimate: a cue's words are spoken at its time multiplied by `ratio` plus `offset_ms`.

    `agreement_before` and `agreement_after` are the overlap of speech and cues (0..1: twice the common time over the
    sum of both), unsynced and synced. `max_shift_ms` is the largest shift of a cue. Act on it only if it is `sure`:
    neither chance nor another film explains it, by `evidence` and `margin` (nats). `quiet` is the share of cues in
    which hardly anything is spoken, however they are shifted, counted only where the evidence is against every shift.
    """

    offset_ms: int
    ratio: Fraction
    agreement_before: float
    agreement_after: float
    sure: bool
    max_shift_ms: int = 0
    evidence: float = 0.0
    margin: float = 0.0
    quiet: float = 0.0

    @property
    def in_sync(self) -> bool:
        """Whether the subtitles are certainly in sync already."""
        return self.sure and self.max_shift_ms <= IN_SYNC_MS

    @property
    def needs_sync(self) -> bool:
        """Whether the subtitles are certainly out of sync, so that this estimate should be applied."""
        return self.sure and self.max_shift_ms > IN_SYNC_MS

    @property
    def of_another(self) -> bool:
        """Whether the subtitles are almost certainly those of another film or cut."""
        return self.quiet >= QUIET_OF_ANOTHER


def sync_text(found: SyncEstimate) -> str:
    """The estimate as a sentence without capital and full stop."""
    if found.in_sync:
        return "the subtitles are in sync with the audio"
    if found is UNKNOWN:
        return (
            f"cannot tell whether the subtitles are in sync: there are fewer than {MIN_CUES} dialogue cues, "
            "or hardly any speech in the audio"
        )
    if found.of_another:
        return (
            f"the subtitles hardly agree with what is spoken in the film: {percent(found.quiet)} of their cues lie "
            "where hardly anything is spoken, however they are shifted; they may be of another film or cut"
        )
    off = _offset_text(found)
    if found.needs_sync:
        return f"the subtitles are out of sync with the audio: they are {off}"
    perhaps = f"may be {off}" if found.max_shift_ms > IN_SYNC_MS else "probably are"
    return (
        f"cannot tell for sure whether the subtitles are in sync (they {perhaps}): watch a minute of the film with them"
    )


def _offset_text(found: SyncEstimate) -> str:
    """By how much the subtitles are off; film time is subtitle time times the ratio plus the offset."""
    late = f"{abs(found.offset_ms) / 1000:.2f} s too {'early' if found.offset_ms > 0 else 'late'}"
    drift = DRIFTS.get(found.ratio)
    if drift is None:
        return late
    return f"{drift}, and {late} at the start of the film" if found.offset_ms else drift


UNKNOWN = SyncEstimate(0, Fraction(1), 0.0, 0.0, sure=False)
"""The estimate if there is too little speech or too few cues."""


def estimate_sync(cues: Sequence[Cue], speech: Sequence[Span], duration: int) -> SyncEstimate:
    """Compares cues with the `speech` detected in audio of `duration` ms.

    Only speech cues count; with fewer than `MIN_CUES` of them, or no speech, the result is `UNKNOWN`.
    """
    said = [Span(cue.start, spoken_until(cue)) for cue in cues if cue.kind is CueKind.SPEECH]
    said = [span for span in said if span.start >= -MAX_DURATION_MS and span.end <= MAX_DURATION_MS]
    if len(said) < MIN_CUES or not speech or not 0 < duration <= MAX_DURATION_MS:
        return UNKNOWN
    audio = _SpeechEvidence(speech, duration)
    tries = [_Try(ratio, prior, audio.evidence(_scaled(said, ratio)) + prior) for ratio, prior in RATIOS.items()]
    best = max(tries, key=lambda each: float(each.nats.max()))
    place = int(best.nats.argmax())
    offset = audio.offsets[place]
    first, last = min(span.start for span in said), max(span.end for span in said)
    margin = float(best.nats[place]) - max(
        _best_elsewhere(each, best.ratio, offset, (first, last), audio) for each in tries
    )
    evidence = float(best.nats[place])
    moved = [Span(span.start + offset, span.end + offset) for span in _scaled(said, best.ratio)]
    before, after = audio.agreement(said), audio.agreement(moved)
    return SyncEstimate(
        offset_ms=offset,
        ratio=best.ratio,
        agreement_before=before,
        agreement_after=after,
        sure=evidence >= MIN_EVIDENCE
        and audio.starts(moved) >= MIN_START_EVIDENCE
        and margin >= max(MIN_MARGIN, MIN_MARGIN_SHARE * evidence)
        and after >= before - 0.02,
        max_shift_ms=max(abs(new.start - old.start) for new, old in zip(moved, said, strict=True)),
        evidence=evidence,
        margin=margin,
        quiet=_quiet(said, evidence, audio, duration),
    )


def _quiet(said: Sequence[Span], evidence: float, audio: _SpeechEvidence, duration: int) -> float:
    """The share of cues in which hardly anything is spoken, at the shift and drift at which it is least.

    0 where the evidence is not against every shift. Cues past the end of the sound, which may be an excerpt, do not
    count.
    """
    inside = [span for span in said if span.end > 0 and span.start < duration]
    if len(inside) < MIN_CUES_OF_ANOTHER:
        return 0.0
    if len(inside) < len(said):
        evidence = max(float((audio.evidence(_scaled(inside, ratio)) + prior).max()) for ratio, prior in RATIOS.items())
    if evidence > -MIN_EVIDENCE:
        return 0.0
    counted = inside[:: -(-len(inside) // MOST_CUES_COUNTED)]
    return min(audio.quiet_share(_scaled(counted, ratio)) for ratio in RATIOS)


@dataclass(frozen=True)
class _Try:
    ratio: Fraction
    prior: float
    nats: NDArray[np.float64]


def _best_elsewhere(tried: _Try, ratio: Fraction, offset: int, ends: tuple[int, int], audio: _SpeechEvidence) -> float:
    """The most evidence for any offset that moves the first or last cue to more than a second from the best one."""
    import numpy as np

    offsets = np.array(audio.offsets)
    apart = np.zeros(len(offsets), np.bool_)
    for time in ends:
        apart |= np.abs(offsets + float(time * tried.ratio) - float(time * ratio) - offset) > APART_MS
    return float(tried.nats[apart].max(initial=-np.inf))


class _SpeechEvidence:
    """The speech in a film's audio, as evidence for the position of cues."""

    def __init__(self, speech: Sequence[Span], duration: int) -> None:
        import numpy as np

        self._length = -(-duration // STEP_MS)
        self._speech = _occupied(speech, self._length)
        share = min(max(float(self._speech.mean()), 0.02), 0.98)
        rate = max(len(speech) / (duration / 1000), 0.01)
        weight = STEP_MS / 1000 / INDEPENDENT_S
        within, between = (_log_ratios(chance, share) * weight for chance in (SPEECH_IN_CUE, SPEECH_BETWEEN))
        self._within: NDArray[np.float64] = self._speech * (within[0] - within[1]) + within[1]
        self._between: NDArray[np.float64] = self._speech * (between[0] - between[1]) + between[1]
        self._starts = _nearness([span.start for span in speech], self._length, rate, spread=START_MS, share=AT_START)
        self._ends = _nearness([span.end for span in speech], self._length, rate, spread=END_MS, share=AT_END)
        self._reach = min(MAX_OFFSET_MS, duration // 2) // STEP_MS
        self.offsets = [place * STEP_MS for place in range(-self._reach, self._reach + 1)]
        self._prior: NDArray[np.float64] = -np.log1p((np.array(self.offsets) / TYPICAL_OFFSET_MS) ** 2)
        # Cues may start before the film: the grid starts earlier by the largest offset.
        self._early = MAX_OFFSET_MS // STEP_MS
        self._last = duration + MAX_OFFSET_MS
        # Large enough that the circular correlation never wraps around.
        self._size = 1 << (self._length + 3 * self._early + self._reach + 2).bit_length()
        self._nothing = float(self._within.min()), log(1 - AT_START), log(1 - AT_END)
        fields = (self._within - self._between, self._starts, self._ends)
        self._fields = [
            np.fft.rfft(field - nothing, self._size) for field, nothing in zip(fields, self._nothing, strict=True)
        ]

    def evidence(self, cues: Sequence[Span]) -> NDArray[np.float64]:
        """The evidence for each offset; outside the film there is no speech."""
        import numpy as np

        near = [span for span in cues if span.start >= -MAX_OFFSET_MS and span.end <= self._last]
        early = self._early * STEP_MS
        trains = (
            _occupied([Span(span.start + early, span.end + early) for span in near], self._length + 2 * self._early),
            _train([span.start + early for span in near], self._length + 2 * self._early),
            _train([span.end + early for span in near], self._length + 2 * self._early),
        )
        counts = sum(span.length for span in cues) / STEP_MS, len(cues), len(cues)
        base = float(self._between.sum()) + sum(
            count * nothing for count, nothing in zip(counts, self._nothing, strict=True)
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
        """The evidence from the starts of cues at these times."""
        places = [round(span.start / STEP_MS) for span in cues]
        inside = [place for place in places if 0 <= place < self._length]
        return float(self._starts[inside].sum()) + (len(places) - len(inside)) * self._nothing[1]

    def quiet_share(self, cues: Sequence[Span]) -> float:
        """The share of cues in which hardly anything is spoken, at the offset at which it is least."""
        import numpy as np

        spoken = np.concatenate([[0.0], np.cumsum(self._speech)])
        starts = np.array([span.start / STEP_MS for span in cues])
        ends = np.array([span.end / STEP_MS for span in cues])
        least = HARDLY_ANY_SPEECH * (ends - starts)
        shares: list[float] = []
        for offset in self.offsets[:: QUIET_STEP_MS // STEP_MS]:
            first, last = (
                (times + offset / STEP_MS).round().clip(0, self._length).astype(np.int64) for times in (starts, ends)
            )
            shares.append(float((spoken[last] - spoken[first] < least).mean()))
        return min(shares)

    def agreement(self, cues: Sequence[Span]) -> float:
        """The overlap of speech and cues: twice their common time over the sum of both."""
        inside = _occupied(cues, self._length)
        outside = sum(max(0, span.end - max(span.start, self._length * STEP_MS)) for span in cues) / STEP_MS
        both = float(self._speech.sum() + inside.sum()) + outside
        return 2 * float((self._speech * inside).sum()) / both if both else 0.0


def _log_ratios(chance: float, share: float) -> NDArray[np.float64]:
    """How much likelier (nats) speech, and its absence, are at this chance than by speech's share of the film."""
    import numpy as np

    return np.array([log(chance / share), log((1 - chance) / (1 - share))])


def _nearness(times: Sequence[int], length: int, rate: float, *, spread: int, share: float) -> NDArray[np.float64]:
    """The evidence (nats) of a cue edge at each position, from its distance to speech onsets or ends.

    A `share` of the edges lies near one of the `times`, within about `spread` ms (two-sided exponential); the others
    lie anywhere, as all would by chance, with `rate` times per second.
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
