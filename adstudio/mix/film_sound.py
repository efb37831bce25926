"""The film's sound from film time 0 to the programme's end: 48 kHz in blocks, in a layout that can be delivered."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from adstudio.media.opening import film_start, film_time, only, opened, sounds
from adstudio.media.sound_tracks import SoundTrack, chosen_track, sound_stream, sound_tracks
from adstudio.mix.layout import BLOCK, MONO, RATE, STEREO, UNMAPPED, Layout, layout_for

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler

Block = NDArray[np.float32]
"""Samples, a row for each channel; full scale is 1."""

BREAK = 0.02
"""Seconds by which a frame's time may be off the end of the one before and still follow it: jitter is no hole."""
LOUDEST = 8.0
"""What a sample of a film counts at most (18 dB above full scale): damage is no louder."""


@dataclass(frozen=True)
class FilmSound:
    """A film's sound track, and the layout that it is rendered in.

    `tracks` are all that the film has, `used` is the one of them that is rendered; where there is none the film is
    silent. `source` is FFmpeg's name of the layout that it is in.
    """

    video: Path | None = None
    layout: Layout = STEREO
    source: str = STEREO.name
    tracks: tuple[SoundTrack, ...] = ()
    used: SoundTrack | None = None

    @property
    def is_mapped(self) -> bool:
        """Whether the channels are others than those of the film."""
        return self.used is not None and self.source not in (*UNMAPPED, f"{self.layout.channels} channels")

    def blocks(self, length: int) -> Generator[Block]:
        """The sound in blocks of a second, in all `length` samples; silence where the film has none.

        Raises:
            MediaError: if the film cannot be read.
        """
        left = length
        pieces = self._placed()
        # Lent to the caller, who is done with it when the next one is asked for; the film is closed with the generator.
        with contextlib.closing(pieces):
            blocks = _cut(pieces, self.layout.channels)
            while left > 0:
                block = next(blocks, None)
                if block is None:
                    block = np.zeros((self.layout.channels, min(left, BLOCK)), np.float32)
                yield block[:, :left]
                left -= block.shape[1]

    def _placed(self) -> Generator[Block]:
        """The track from film time 0 on, with silence where it has holes, in pieces of any length."""
        if self.video is None or self.used is None:
            return
        written = skipped = 0
        with opened(self.video) as container:
            stream = sound_stream(container, self.used.number)
            if stream is None:
                return
            only(container, stream)
            for at, samples in _runs(sounds(container, stream), float(film_start(container)), self.layout):
                if at is not None:
                    # A new run: where it begins before the one before has ended, it is heard from there on.
                    late = written - at
                    while late < 0:
                        hole = min(-late, BLOCK)
                        yield np.zeros((self.layout.channels, hole), np.float32)
                        written, late = written + hole, late + hole
                    skipped = max(late, 0)
                passed = min(skipped, samples.shape[1])
                skipped -= passed
                if passed < samples.shape[1]:
                    yield samples[:, passed:]
                    written += samples.shape[1] - passed


def film_sound(video: Path | None, track: int | None = None) -> FilmSound:
    """The sound of a film's track, counted from 1; by default of the one that most probably has the dialogue.

    Raises:
        MediaError: if the film cannot be read or has no such track.
    """
    if video is None:
        return FilmSound()
    with opened(video) as container:
        tracks = sound_tracks(container)
        used = chosen_track(tracks, track, video)
        if used is None:
            return FilmSound(video)
        stream = container.streams.audio[used.number - 1]
        layout = stream.layout
        # A header may know neither channels nor codec: the first sound does.
        first = next(sounds(container, stream), None) if layout.nb_channels == 0 else None
        layout = layout if first is None else first.layout
        names = [channel.name for channel in layout.channels]
        return FilmSound(video, layout_for(names), MONO.name if len(names) == 1 else layout.name, tracks, used)


def _runs(frames: Iterator[AudioFrame], film: float, layout: Layout) -> Iterator[tuple[int | None, Block]]:
    """Resampled sound; with the first of each run of frames that follow one another, the sample that it begins at."""
    from av.audio.resampler import AudioResampler

    resampler: AudioResampler | None = None
    form: tuple[Any, ...] = ()
    end = 0.0
    begins: int | None = None
    run, count = 0.0, 0
    for frame in frames:
        if not frame.samples or not frame.sample_rate:
            continue
        at = film_time(frame, film)
        at = end if at is None else at
        now = (frame.format.name, frame.layout.name, frame.sample_rate)
        if now != form or abs(at - end) > BREAK:
            for block in _resampled(resampler, None):
                yield begins, block
                begins = None
            plain = now == ("fltp", layout.name, RATE)
            resampler = None if plain else AudioResampler(format="fltp", layout=layout.name, rate=RATE)
            form, begins, run, count = now, round(at * RATE), at, 0
        count += frame.samples
        end = run + count / frame.sample_rate
        for block in _resampled(resampler, frame):
            yield begins, block
            begins = None
    for block in _resampled(resampler, None):
        yield begins, block
        begins = None


def _resampled(resampler: AudioResampler | None, frame: AudioFrame | None) -> Iterator[Block]:
    """A frame at the rate and in the layout of the render, or what the resampler still holds."""
    same = [] if frame is None else [frame]
    for each in same if resampler is None else resampler.resample(frame):
        if each.samples:
            yield cast("Block", each.to_ndarray())


def _cut(pieces: Iterator[Block], channels: int) -> Generator[Block]:
    """Pieces as blocks of a second, sound: samples that are no numbers are silent."""
    waiting: list[Block] = []
    count = 0
    for piece in pieces:
        waiting.append(piece)
        count += piece.shape[1]
        while count >= BLOCK:
            whole = np.concatenate(waiting, axis=1)
            yield _sound(whole[:, :BLOCK])
            waiting, count = [whole[:, BLOCK:]], count - BLOCK
    if count:
        yield _sound(np.concatenate([*waiting, np.zeros((channels, BLOCK - count), np.float32)], axis=1))


def _sound(block: Block) -> Block:
    return np.nan_to_num(block, nan=0.0, posinf=0.0, neginf=0.0).clip(-LOUDEST, LOUDEST)
