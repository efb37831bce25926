"""A film's sound for the speech detector: mono at 16 kHz, in film time, evaluated while it streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adstudio.core.timebase import MAX_TIME_MS
from adstudio.media.silero import FRAME, FRAME_MS, SAMPLE_RATE, Silero
from adstudio.media.sound_runs import SoundRun

if TYPE_CHECKING:
    import numpy as np
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler
    from numpy.typing import NDArray

BLOCK = 125 * FRAME
"""Samples that are judged at a time: 4 s. The detector forgets all that came before where nobody speaks in them.

In long music it comes to hear music only, and no voice over it: of an announcer of 1937 behind forty seconds of an
orchestra it found nothing, and nearly all after it had forgotten.
"""
NOBODY = 0.35
"""The probability under which nobody speaks."""
LONGEST_HOLE = 2 * SAMPLE_RATE
"""Samples of silence behind which the detector begins anew; a longer hole is not listened to."""
OUT_OF_PHASE = 4.0
"""How many times louder the difference of two channels is than their sum where one is taken to be turned over."""
WEIGHTS = {"FC": 1.0, "FL": 0.5, "FR": 0.5, "DL": 0.5, "DR": 0.5, "FLC": 0.5, "FRC": 0.5}
"""Channels that carry dialogue, and how much of it; those at the back and the bass do not."""


class SpeechMeter:
    """Computes speech probabilities from a stream of audio frames."""

    def __init__(self, most: int) -> None:
        """`most`: frames of 32 ms that are judged; what comes after them is ignored."""
        import numpy as np

        self._model = Silero()
        self._judged = [np.zeros(0, np.uint8)]
        self._count = 0
        self._most = most
        self._pending: list[NDArray[np.float32]] = []
        self._waiting = 0
        self._resampler: AudioResampler | None = None
        self._end = 0.0
        self._late = 0

    @property
    def end_ms(self) -> int:
        """Film time up to which the sound was judged."""
        return min(max(round(self._end * 1000), 0), self._count * FRAME_MS)

    def probabilities(self) -> NDArray[np.uint8]:
        """What was judged so far, up to `end_ms`."""
        import numpy as np

        return np.concatenate(self._judged)[: -(-self.end_ms // FRAME_MS)]

    def add(self, run: SoundRun) -> int:
        """Take in a run; returns `end_ms`."""
        import numpy as np
        from av.audio.frame import AudioFrame

        if not run.follows:
            self._take(None)
            self._begin(run.start)
        voice = mixed(run.samples, run.channels)
        frame = AudioFrame.from_ndarray(voice[np.newaxis], format="fltp", layout="mono")
        frame.sample_rate = run.rate
        self._take(frame)
        self._end = max(self._end, run.end)
        return self.end_ms

    def finish(self) -> None:
        """Judge what is left."""
        self._take(None)
        self._judge_rest()

    def _begin(self, at: float) -> None:
        """Silence up to where a stretch of sound begins; where it begins earlier, it is heard from here on."""
        import numpy as np
        from av.audio.resampler import AudioResampler

        self._resampler = AudioResampler(format="fltp", layout="mono", rate=SAMPLE_RATE)
        self._late = 0
        hole = min(round(at * SAMPLE_RATE), MAX_TIME_MS * SAMPLE_RATE // 1000) - self._count * FRAME - self._waiting
        if hole > LONGEST_HOLE:
            rest = self._judge_rest()
            self._model.reset()
            skipped = (hole - rest) // FRAME
            self._append(np.zeros(min(skipped, self._most - self._count), np.uint8))
            hole -= rest + skipped * FRAME
        if hole > 0:
            self._put(np.zeros(hole, np.float32))
        self._late = max(-hole, 0)

    def _take(self, frame: AudioFrame | None) -> None:
        """Resample a frame, or what the resampler still holds."""
        if self._resampler is None:
            return
        for each in self._resampler.resample(frame):
            values: NDArray[np.float32] = each.to_ndarray()[0]
            passed = min(self._late, len(values))
            self._late -= passed
            self._put(values[passed:])

    def _put(self, values: NDArray[np.float32]) -> None:
        self._pending.append(values)
        self._waiting += len(values)
        if self._waiting >= BLOCK:
            self._judge()

    def _judge_rest(self) -> int:
        """Judge all there is, with silence up to a whole frame; returns the samples of that silence."""
        import numpy as np

        rest = -self._waiting % FRAME
        self._put(np.zeros(rest, np.float32))
        self._judge(everything=True)
        return rest

    def _judge(self, *, everything: bool = False) -> None:
        """Judge as many whole blocks as there are, or all whole frames."""
        import numpy as np

        samples = np.concatenate(self._pending) if self._pending else np.zeros(0, np.float32)
        whole = len(samples) // FRAME * FRAME if everything else len(samples) // BLOCK * BLOCK
        self._pending, self._waiting = [samples[whole:]], len(samples) - whole
        for first in range(0, whole, BLOCK):
            if self._count >= self._most:
                return
            speech = self._model.probabilities(samples[first : min(first + BLOCK, whole)])
            self._append(np.rint(np.nan_to_num(speech).clip(0, 1) * 255).astype(np.uint8))
            if speech.max() < NOBODY:
                self._model.reset()

    def _append(self, judged: NDArray[np.uint8]) -> None:
        self._judged.append(judged[: self._most - self._count])
        self._count += len(self._judged[-1])


def mixed(samples: NDArray[Any], names: tuple[str, ...]) -> NDArray[np.float32]:
    """One channel (±1) of several, so that dialogue is heard in it.

    The front channels, the centre most. Two of which one is turned over (out of phase) would cancel in their sum: they
    are subtracted. Channels of unknown places are taken alike.
    """
    import numpy as np

    channels = _full_scale(samples)
    if len(channels) == 1:
        return channels[0]
    weights = np.array([WEIGHTS.get(name, 0.0) for name in names], np.float32)
    if len(weights) != len(channels) or not weights.any():
        weights = np.full(len(channels), 1 / len(channels), np.float32)
    weighted = channels * weights[:, np.newaxis]
    together = weighted.sum(axis=0)
    if np.count_nonzero(weights) != 2:
        return together
    first, second = weighted[weights > 0]
    apart = first - second
    return apart if np.vdot(apart, apart) > OUT_OF_PHASE * np.vdot(together, together) else together


def _full_scale(samples: NDArray[Any]) -> NDArray[np.float32]:
    import numpy as np

    values = samples.astype(np.float32)
    match samples.dtype.kind:
        case "u":
            return (values - np.float32(128)) / np.float32(128)
        case "i":
            return values / np.float32(1 << (8 * samples.dtype.itemsize - 1))
        case _:
            np.nan_to_num(values, copy=False, nan=0.0, posinf=1.0, neginf=-1.0)
            return values.clip(-1, 1)
