"""Voices as vectors: two stretches of speech by one person lie close together (GE2E, Wan et al. 2018).

The model is Resemblyzer's, run without torch. It is small enough for numpy: many stretches at once fill its matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adstudio.characters.mel_filters import mel_filters
from adstudio.characters.voice_weights import voice_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 16_000
SIZE = 256
"""Numbers of a vector."""
_WINDOW, _HOP = 400, 160
_BANDS = 40
FRAMES = 160
"""Frames of 10 ms that the model sees at once."""
_STEP = 77
"""Frames from one look to the next, as `rate=1.3` in Resemblyzer."""
_COVERED = 0.75
"""How much of the last look has to be sound."""
_LOUDNESS_DB = -30.0
_AT_ONCE = 64
SHORTEST_S = 0.25
"""Seconds of the shortest speech that tells a voice."""


class VoiceEncoder:
    """The model.

    Raises:
        OutsideFailureError: as `voice_weights`.
    """

    def __init__(self) -> None:
        weights = voice_weights()
        self._layers = [
            (
                weights[f"lstm.weight_ih_l{layer}"].T.copy(),
                weights[f"lstm.weight_hh_l{layer}"].T.copy(),
                weights[f"lstm.bias_ih_l{layer}"] + weights[f"lstm.bias_hh_l{layer}"],
            )
            for layer in range(3)
        ]
        self._linear = weights["linear.weight"].T.copy(), weights["linear.bias"]

    def voice(self, sound: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """The vector of a sound (±1, 16 kHz), of length 1; None for what is silent or too short.

        What is shorter than 1.6 s is repeated up to that length: padded with silence it would be another voice.
        """
        import numpy as np

        if len(sound) < SHORTEST_S * RATE:
            return None
        level = float(np.sqrt((sound.astype(np.float64) ** 2).mean()))
        if level < 1e-5:
            return None
        louder = max(10 ** (_LOUDNESS_DB / 20) / level, 1.0)
        least = FRAMES * _HOP
        if len(sound) < least:
            sound = np.tile(sound, -(-least // len(sound)))[:least]
        looks = self._looks(_bands(sound * np.float32(louder)), len(sound))
        mean = np.concatenate([self._run(looks[at : at + _AT_ONCE]) for at in range(0, len(looks), _AT_ONCE)]).mean(
            axis=0
        )
        length = float(np.linalg.norm(mean))
        return (mean / length).astype(np.float32) if length > 0 else None

    @staticmethod
    def _looks(bands: NDArray[np.float32], samples: int) -> NDArray[np.float32]:
        import numpy as np

        starts = list(range(0, max(1, len(bands) - FRAMES + _STEP + 1), _STEP))
        if len(starts) > 1 and samples - starts[-1] * _HOP < _COVERED * FRAMES * _HOP:
            starts.pop()
        padded = np.pad(bands, ((0, max(0, starts[-1] + FRAMES - len(bands))), (0, 0)))
        return np.stack([padded[start : start + FRAMES] for start in starts])

    def _run(self, looks: NDArray[np.float32]) -> NDArray[np.float32]:
        """One vector of length 1 for each look."""
        import numpy as np

        steps = looks.swapaxes(0, 1)
        for into, back, bias in self._layers:
            given = steps @ into + bias
            state = np.zeros((len(looks), SIZE), np.float32)
            memory = state
            outputs: list[NDArray[np.float32]] = []
            for step in given:
                gates = step + state @ back
                passed = _sigmoid(gates[:, : 2 * SIZE])
                memory = passed[:, SIZE:] * memory + passed[:, :SIZE] * np.tanh(gates[:, 2 * SIZE : 3 * SIZE])
                state = _sigmoid(gates[:, 3 * SIZE :]) * np.tanh(memory)
                outputs.append(state)
            steps = np.stack(outputs)
        matrix, bias = self._linear
        found = np.maximum(steps[-1] @ matrix + bias, 0)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return (found / np.maximum(lengths, 1e-9)).astype(np.float32)


def clusters(voices: Sequence[NDArray[np.float32]], distance: float) -> list[int]:
    """The number of the cluster of each voice: the two closest are joined until none are closer than `distance`.

    Distances are cosine distances, those between clusters the mean over their voices (average linkage). Clusters are
    numbered by their first voice.
    """
    import numpy as np

    if not voices:
        return []
    stacked = np.stack(voices)
    apart = (1 - stacked @ stacked.T).astype(np.float64)
    np.fill_diagonal(apart, np.inf)
    sizes = np.ones(len(voices))
    members = [[number] for number in range(len(voices))]
    nearest = apart.argmin(axis=1)
    while True:
        first = int(np.argmin(apart[np.arange(len(voices)), nearest]))
        second = int(nearest[first])
        if not apart[first, second] < distance:
            break
        joined = (sizes[first] * apart[first] + sizes[second] * apart[second]) / (sizes[first] + sizes[second])
        sizes[first] += sizes[second]
        members[first] += members[second]
        members[second] = []
        joined[[first, second]] = np.inf
        joined[~np.isfinite(apart[first]) & ~np.isfinite(apart[second])] = np.inf
        apart[first] = apart[:, first] = joined
        apart[second] = apart[:, second] = np.inf
        stale = np.flatnonzero((nearest == first) | (nearest == second))
        for row in {first, *stale.tolist()}:
            nearest[row] = apart[row].argmin()
        closer = apart[:, first] < apart[np.arange(len(voices)), nearest]
        nearest[closer] = first
    numbers = [0] * len(voices)
    for number, group in enumerate(sorted((group for group in members if group), key=min)):
        for voice in group:
            numbers[voice] = number
    return numbers


def _bands(sound: NDArray[np.float32]) -> NDArray[np.float32]:
    """The power in each band of each 10 ms, as librosa gives it: centred windows, silence beyond both ends."""
    import numpy as np

    padded = np.pad(sound, _WINDOW // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP]
    # A periodic window, as spectra use.
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW) / _WINDOW)).astype(np.float32)
    power = np.abs(np.fft.rfft(frames * window, _WINDOW)) ** 2
    return (power @ mel_filters(_BANDS, _WINDOW, RATE).T).astype(np.float32)


def _sigmoid(values: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    return np.float32(0.5) * (np.tanh(np.float32(0.5) * values) + np.float32(1))
