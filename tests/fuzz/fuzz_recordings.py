"""Throws damaged sound files at the reader of takes: `python tests/fuzz/fuzz_recordings.py --seconds 600 [--seed N]`.

What is allowed: a sentence (`RecordingError`), or at most ten minutes of one channel at 48 kHz that come back to the
last bit from how they are kept. Anything else ends the run with the file left in the working folder.
"""

from __future__ import annotations

import io
import random
import struct

import av
import numpy as np
from shared_main import damaged, fuzz, require

from adstudio.recording.file_numbers import file_number, natural_key
from adstudio.speech.takes import (
    MAX_TAKE_MS,
    SAMPLE_RATE,
    RecordingError,
    decoded_recording,
    encoded_recording,
    silence_around,
    used_part,
)

KINDS = {
    "wav": ("pcm_s16le", "pcm_s24le", "pcm_u8", "pcm_f32le", "pcm_f64le", "pcm_alaw", "adpcm_ima_wav"),
    "flac": ("flac",),
    "aiff": ("pcm_s16be",),
    "mp3": ("mp3",),
    "w64": ("pcm_s24le",),
    "mov": ("aac",),
}
TOKENS = (b"RIFF", b"data", b"fmt ", b"LIST", b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff", struct.pack("<I", 768_000))


def sound_file(ending: str, codec: str, rate: int, layout: str) -> bytes:
    target = io.BytesIO()
    with av.open(target, "w", format=ending) as file:
        stream = file.add_stream(codec, rate=rate)
        stream.codec_context.layout = layout
        form = stream.codec_context.codec.audio_formats[0].name
        channels = len(av.AudioLayout(layout).channels)
        noise = np.random.default_rng(1).standard_normal((channels, 4096)).astype(np.float32) * 0.2
        frame = av.AudioFrame.from_ndarray(noise, format="fltp", layout=layout)
        frame.sample_rate = rate
        fifo = av.AudioResampler(
            format=form, layout=layout, rate=rate, frame_size=stream.codec_context.frame_size or 1024
        )
        for part in (*fifo.resample(frame), *fifo.resample(None)):
            file.mux(stream.encode(part))
        file.mux(stream.encode(None))
    return target.getvalue()


def check(data: bytes, name: str) -> str:
    """What became of it."""
    str(file_number(name))
    natural_key(name)
    try:
        found = decoded_recording(data).sound
    except RecordingError as error:
        require("\n" not in str(error), "an error of more than one line")
        return "refused"
    require(found.rate == SAMPLE_RATE, "another rate")
    require(found.ms <= MAX_TAKE_MS + 1000, "too long")
    require(bool(np.isfinite(found.samples).all()), "samples that are not numbers")
    start, end = silence_around(found)
    require(0 <= start <= end <= found.ms, "trims outside the recording")
    used_part(found, start, end, -30)
    if found.ms < 5_000:
        kept = decoded_recording(encoded_recording(found)).sound
        require(len(kept.samples) == len(found.samples), "another length")
        require(bool(np.abs(kept.samples - np.clip(found.samples, -1, 1)).max(initial=0) <= 2**-23), "other samples")
    return "read"


if __name__ == "__main__":
    seeds = [
        (f"0001.{ending}", sound_file(ending, codec, rate, layout))
        for ending, codecs in KINDS.items()
        for codec in codecs
        for rate, layout in ((44_100, "stereo"), (8_000 if ending != "mov" else 48_000, "mono"))
    ]

    def case(chance: random.Random) -> tuple[str, bytes]:
        name, data = chance.choice(seeds)
        return name, damaged(data, TOKENS, chance)

    fuzz("fuzz_recordings", case, check)
