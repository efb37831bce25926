"""The narration with its control track: a stereo file from which receivers mix, read back before it is there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adstudio.core.errors import OutsideFailureError
from adstudio.core.progress import OnProgress, Stage
from adstudio.mix.control_decoder import ControlReading, read_control_track
from adstudio.mix.control_track import MESSAGE_SAMPLES, control_signal, fade_bytes
from adstudio.mix.film_sound import Block, film_sound
from adstudio.mix.layout import MONO, STEREO
from adstudio.mix.mixing import OnFraction, Rendering, narrated
from adstudio.mix.preparing import Outcome, Prepared, dialogue_of, followed, prepare
from adstudio.mix.request import MixReport, MixRequest, Stop
from adstudio.mix.sound_files import origin_of
from adstudio.mix.wav import WavWriter
from adstudio.system.files import written_atomically

FULL = 1 << 15


def render_control(request: MixRequest, progress: OnProgress, stop: Stop) -> MixReport:
    """The narration in the first channel, as loud as in the mix, and its control track in the second.

    Raises:
        OutsideFailureError: also where what was written does not read back as the fades of the mix.
    """
    ready = prepare(request, progress, stop)
    fades = fade_bytes(ready.parts.duck, ready.parts.length, dialogue_of(request.script))
    with written_atomically(request.target) as temporary:
        outcome = _write(temporary, ready, fades, followed(Stage.MIXING, progress, stop))
        on_fraction = followed(Stage.READING_CONTROL_TRACK, progress, stop)
        reading = read_control_file(temporary, ready.parts.length, on_fraction)
        # A last message that the programme's end cuts cannot be read.
        whole = ready.parts.length // MESSAGE_SAMPLES
        if reading.faults or [each.message.fade for each in reading.messages] != fades[:whole]:
            raise OutsideFailureError(
                f"{request.target} was not written: its control track does not read back as it should; "
                "check the disk, and try again"
            )
    return ready.report([request.target], outcome)


def read_control_file(path: Path, length: int, on_fraction: OnFraction) -> ControlReading:
    """What the control track in a file's second channel says, in `length` samples.

    Raises:
        MediaError: where the file cannot be read.
    """
    with contextlib.closing(film_sound(path).blocks(length)) as blocks:
        return read_control_track(_second_channel(blocks, length, on_fraction))


def _second_channel(blocks: Iterator[Block], length: int, on_fraction: OnFraction) -> Iterator[NDArray[np.int16]]:
    done = 0
    for block in blocks:
        yield np.rint(block[-1] * FULL).clip(-FULL, FULL - 1).astype(np.int16)
        done += block.shape[1]
        on_fraction(done / length)


def _write(path: Path, ready: Prepared, fades: Sequence[int], on_fraction: OnFraction) -> Outcome:
    request = ready.request
    rendering = Rendering(MONO, request.settings.true_peak)
    film = request.script.film
    signal = control_signal(fades)
    waiting: NDArray[np.int16] = np.empty(0, np.int16)
    done = 0
    with (
        WavWriter(path, STEREO, request.bits, origin=origin_of(film), description=film.title) as file,
        contextlib.closing(narrated(ready.parts, ready.levels)) as unlimited,
    ):
        for block in rendering(unlimited):
            count = block.shape[1]
            while len(waiting) < count:
                waiting = np.concatenate((waiting, next(signal)))
            file.write(np.stack((block[0], waiting[:count] / np.float32(FULL)), dtype=np.float32))
            waiting = waiting[count:]
            done += count
            on_fraction(done / ready.parts.length)
    return Outcome(STEREO, rendering.loudness, rendering.true_peak, rendering.limited)
