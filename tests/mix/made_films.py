"""Films made for tests of what is written: every part that a container can have, sounds at known times."""

from __future__ import annotations

import io
from fractions import Fraction

import av
import numpy as np
from av.stream import Disposition
from PIL import Image

RATE = 48_000
TITLE = "A film"


def make_film(
    path, form, *, video="libx264", sound="aac", subtitles=None, attachments=False, chapters=True, seconds=2,
    rotation=0, tracks=("Main",), size=(64, 48), rate=25, beeps=(), hidden_tag=None, pixel_format="yuv420p",
    subtitle_ms=700,
):  # fmt: skip
    """A film with a picture (None: without), sound tracks of these titles, and parts as asked for."""
    with av.open(str(path), "w", format=form) as out:
        out.metadata["title"] = TITLE
        if video:
            options = {"preset": "ultrafast"} if video == "libx264" else {}
            picture = out.add_stream(video, rate=rate, options=options)
            picture.width, picture.height, picture.pix_fmt = *size, pixel_format
            picture.metadata["language"] = "eng"
            if rotation:
                picture.set_display_rotation(rotation)
            if hidden_tag:
                picture.codec_context.codec_tag = hidden_tag
        sounds = []
        for number, title in enumerate(tracks):
            stream = out.add_stream(sound, rate=RATE, layout="stereo")
            stream.metadata.update(language="eng", title=title)
            stream.disposition = Disposition.default if number == 0 else Disposition.comment
            sounds.append(stream)
        if subtitles:
            text = out.add_mux_stream(subtitles)
            text.metadata.update(language="eng", title="English SDH")
            text.disposition = Disposition.hearing_impaired
        if attachments:
            out.add_attachment("f.ttf", "application/x-truetype-font", b"1234" * 10)
            out.add_attachment("cover.jpg", "image/jpeg", jpeg())
        if chapters:
            tick = Fraction(1, 1000)
            out.set_chapters(
                [
                    {"id": 1, "start": 0, "end": 1000, "time_base": tick, "metadata": {"title": "One"}},
                    {"id": 2, "start": 1000, "end": 2000, "time_base": tick, "metadata": {"title": "Two"}},
                ]
            )
        samples = np.tile(beeping(seconds, beeps).astype(np.float32), (2, 1))
        for second in range(int(np.ceil(seconds))):
            for number in range(second * rate, min((second + 1) * rate, round(seconds * rate))) if video else ():
                frame = av.VideoFrame.from_ndarray(shot(number, size), format="rgb24")
                frame.pts, frame.time_base = number, 1 / Fraction(rate)
                out.mux(picture.encode(frame))
            for stream in sounds:
                part = np.ascontiguousarray(samples[:, second * RATE : (second + 1) * RATE])
                frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="stereo")
                frame.sample_rate, frame.pts = RATE, second * RATE
                out.mux(stream.encode(frame))
        for stream in (*([picture] if video else []), *sounds):
            out.mux(stream.encode(None))
        if subtitles:
            packet = av.Packet(b"\0\5Hello" if subtitles == "mov_text" else b"Hello")
            packet.stream, packet.time_base = text, Fraction(1, 1000)
            packet.pts = packet.dts = 500
            packet.duration = subtitle_ms
            out.mux(packet)
    return path


def shot(number, size=(64, 48)):
    """The picture of a number: 16 squares that are its bits, the last one at the top left."""
    width, height = size
    bits = np.array([(number >> place & 1) * 200 + 25 for place in range(16)], np.uint8).reshape(4, 4)
    return np.repeat(np.kron(bits, np.ones((height // 4, width // 4), np.uint8))[:, :, None], 3, 2)


def number_of(picture):
    """The number in a picture that `shot` made."""
    grey = picture.to_ndarray(format="gray")
    height, width = grey.shape
    squares = grey.reshape(4, height // 4, 4, width // 4).mean(axis=(1, 3)).ravel()
    return sum(1 << place for place, value in enumerate(squares.tolist()) if value > 125)


def beeping(seconds, beeps, level=0.5):
    """Silence with 1 kHz in the stretches `beeps` (seconds)."""
    at = np.arange(round(seconds * RATE)) / RATE
    on = np.zeros(len(at), bool)
    for start, end in beeps:
        on |= (start <= at) & (at < end)
    return np.where(on, np.sin(2 * np.pi * 1000 * at) * level, 0)


def jpeg():
    data = io.BytesIO()
    Image.new("RGB", (32, 32), (200, 10, 10)).save(data, "JPEG")
    return data.getvalue()


def pieces(samples, channels=2, size=10_000):
    """Samples in blocks of so many channels."""
    for start in range(0, len(samples), size):
        yield np.tile(samples[start : start + size], (channels, 1)).astype(np.float32)


def sound_of(path, track=-1):
    """The samples of a sound track's first channel, from film time 0, as a player has them."""
    with av.open(str(path)) as film:
        stream = film.streams.audio[track]
        start = (film.start_time or 0) / 1_000_000
        resampler = av.AudioResampler("fltp", stream.layout.name, RATE)
        found = np.zeros(0, np.float32)
        for frame in film.decode(stream):
            at = round((float(frame.pts * frame.time_base) - start) * RATE)
            samples = np.concatenate([each.to_ndarray()[0] for each in resampler.resample(frame)] or [found[:0]])
            if at + len(samples) > len(found):
                found = np.concatenate((found, np.zeros(at + len(samples) - len(found), np.float32)))
            found[max(at, 0) : at + len(samples)] = samples[max(-at, 0) :]
    return found


def stretches(samples, level=0.05, apart=0.02):
    """Where sound is above a level, in seconds: starts and ends; what is less than `apart` seconds apart is joined."""
    loud = np.flatnonzero(np.abs(samples) > level)
    if not len(loud):
        return []
    breaks = np.flatnonzero(np.diff(loud) > apart * RATE)
    starts = [loud[0], *loud[breaks + 1].tolist()]
    ends = [*loud[breaks].tolist(), loud[-1]]
    return [(start / RATE, end / RATE) for start, end in zip(starts, ends, strict=True)]


def pictures_of(path):
    """The film times (s) of the pictures, and the pictures' numbers."""
    with av.open(str(path)) as film:
        start = (film.start_time or 0) / 1_000_000
        return [(float(each.pts * each.time_base) - start, number_of(each)) for each in film.decode(video=0)]
