"""Clips made for tests: pictures of known shots at known times, tones at known times."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np

TICK = Fraction(1, 90_000)
WIDTH, HEIGHT = 128, 72


def even(rate, seconds, first=0):
    """Times in ticks of 1/90000 s, evenly spaced."""
    return [round((first + Fraction(n) / Fraction(rate)) / TICK) for n in range(round(Fraction(rate) * seconds))]


def tone(seconds, bursts, *, rate=48_000, channels=2, level=0.5, only_channel=None):
    """Silence with a 1 kHz sine of amplitude `level` in the stretches `bursts` (seconds); channels × samples."""
    at = np.arange(round(seconds * rate)) / rate
    on = np.zeros(len(at), bool)
    for start, end in bursts:
        on |= (start <= at) & (at < end)
    wave = (np.where(on, np.sin(2 * np.pi * 1000 * at), 0) * level).astype(np.float32)
    sound = np.tile(wave, (channels, 1))
    if only_channel is not None:
        sound[[n for n in range(channels) if n != only_channel]] = 0
    return sound


def picture(shot, number):
    """A picture of a shot: its own texture, swaying a little, in its own colour."""
    texture = np.random.default_rng(shot).integers(0, 80, (HEIGHT // 8, WIDTH // 8, 3)).repeat(8, 0).repeat(8, 1)
    colour = [(200, 40, 40), (30, 60, 180), (60, 170, 60), (180, 170, 30)][shot % 4]
    return np.clip(np.roll(texture, abs(number % 16 - 8), axis=1) + colour, 0, 255).astype(np.uint8)


def make_clip(
    path, times=(), cuts=(), *, sound=None, rate=25, codec="libx264", audio_codec=None, layout=None, gop=50, sound_at=0,
    sample_rate=48_000, form=None, options=None, rotation=None, pixel=None,
):  # fmt: skip
    """Pictures at `times` (ticks), a new shot at each of `cuts` (seconds), and sound (channels × samples)."""
    with av.open(str(path), "w", format=form, container_options=options or {}) as out:
        if len(times):
            video = out.add_stream(codec, rate=rate, options={"preset": "ultrafast"} if codec == "libx264" else {})
            video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
            video.codec_context.time_base, video.codec_context.gop_size = TICK, gop
            if rotation is not None:
                video.set_display_rotation(rotation)
            if pixel is not None:
                video.codec_context.sample_aspect_ratio = pixel
        if sound is not None:
            layout = layout or {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}[len(sound)]
            packed = audio_codec is not None and audio_codec.startswith("pcm")
            audio = out.add_stream(audio_codec or "aac", rate=sample_rate, layout=layout)
        for number, time in enumerate(times):
            shot = sum(round(Fraction(cut) / TICK) <= time for cut in cuts)
            frame = av.VideoFrame.from_ndarray(picture(shot, number), format="rgb24")
            frame.pts, frame.time_base = time, TICK
            out.mux(video.encode(frame))
        if len(times):
            out.mux(video.encode())
        if sound is not None:
            for start in range(0, sound.shape[1], 1024):
                part = np.ascontiguousarray(sound[:, start : start + 1024])
                if packed:
                    part = np.ascontiguousarray((part * 32767).astype(np.int16).T.reshape(1, -1))
                frame = av.AudioFrame.from_ndarray(part, format="s16" if packed else "fltp", layout=layout)
                frame.sample_rate = sample_rate
                at = sound_at(start) if callable(sound_at) else sound_at
                frame.pts, frame.time_base = start + round(at * sample_rate), Fraction(1, sample_rate)
                out.mux(audio.encode(frame))
            out.mux(audio.encode())
    return path


def make_tracks(path, tracks, *, codec="pcm_s16le", seconds=2, sample_rate=16_000):
    """A film with sound tracks: for each its metadata, its disposition (0 for none) and its samples (None: silence)."""
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        streams = []
        for metadata, disposition, _ in tracks:
            stream = out.add_stream(codec, rate=sample_rate, layout="mono")
            stream.metadata.update(metadata)
            stream.disposition = disposition
            streams.append(stream)
        for number in range(round(25 * seconds)):
            frame = av.VideoFrame.from_ndarray(picture(0, number), format="rgb24")
            frame.pts = number
            out.mux(video.encode(frame))
        out.mux(video.encode())
        for stream, (_, _, sound) in zip(streams, tracks, strict=True):
            samples = np.zeros(round(seconds * sample_rate)) if sound is None else sound
            for start in range(0, len(samples), 1024):
                part = np.rint(samples[start : start + 1024] * 32767).astype(np.int16).reshape(1, -1)
                frame = av.AudioFrame.from_ndarray(part, format="s16", layout="mono")
                frame.sample_rate, frame.pts = sample_rate, start
                out.mux(stream.encode(frame))
            out.mux(stream.encode())
    return path


def last_of(stages):
    """The complete result, the stages before it gone through."""
    *_, last = stages
    return last.take()
