"""Works on films and pictures in a process of its own: `python -m adstudio.media.worker` (see `messages`).

It ends within a fraction of a second when it is terminated, or when its input closes, as it does when the editor ends.
A crash in a decoder ends only this process.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from adstudio.core.errors import AdstudioError
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.gaps.subtitle_sync import estimate_sync
from adstudio.media.cache import SOUND, Kind, Source, cached, source_of, store, tidy
from adstudio.media.cached_data import CachedData
from adstudio.media.faces import picture
from adstudio.media.frames import LONGEST_SIDE, film_picture
from adstudio.media.messages import (
    PROTOCOL,
    Compared,
    CompareSubtitles,
    Event,
    FilmHashed,
    FilmProgress,
    GrabFrame,
    HashFilm,
    Image,
    ListSoundTracks,
    LoadImage,
    Probed,
    ProbeVideo,
    Processed,
    ProcessFilm,
    Request,
    SoundTracks,
    SpeechDataDamaged,
)
from adstudio.media.peaks import PEAKS
from adstudio.media.probe import probe
from adstudio.media.shots import SHOTS, Shots
from adstudio.media.sound_tracks import tracks_of
from adstudio.media.speech_activity import ACTIVITY
from adstudio.media.thumbnails import THUMBNAILS, make_thumbnails
from adstudio.store.film_contents import hash_film
from adstudio.system.worker import run_job

T = TypeVar("T")

REPORT_S = 0.1
"""Seconds from one report of progress to the next."""
PARTIAL_S = 0.5
"""Seconds until the first partial result is written; each next one takes half as long again to come."""
LONGEST_PARTIAL_S = 10.0
DATA: dict[Kind, CachedData[Any]] = {data.kind: data for data in (PEAKS, SHOTS, THUMBNAILS, ACTIVITY)}
OUT_OF_MEMORY = "there is not enough memory for this file: close other programs, or use a smaller copy"

Send = Callable[[Event], None]


def main() -> int:
    """Do what one request asks, and return the exit code."""
    return run_job(PROTOCOL, _work, out_of_memory=OUT_OF_MEMORY, background=True)


def _work(request: Request, send: Send) -> None:
    match request:
        case ProbeVideo(video):
            send(_probed(video, source_of(video)))
        case ListSoundTracks(video):
            send(SoundTracks(tracks_of(video)))
        case ProcessFilm(kind, video, fingerprint, track):
            send(FilmProgress(0.0))
            send(_processed(kind, video, source_of(video, fingerprint, track), send))
        case HashFilm(video):
            hash_film(video, lambda fraction: send(FilmProgress(fraction)))
            send(FilmHashed())
        case GrabFrame(video, at):
            send(Image(film_picture(video, min(max(at, 0), MAX_TIME_MS))))
        case LoadImage(path):
            send(Image(picture(path, LONGEST_SIDE)))
        case CompareSubtitles():
            send(compared(request))


def compared(request: CompareSubtitles) -> Compared | SpeechDataDamaged:
    """How cues match the speech in their film."""
    try:
        path = request.activity
        activity = ACTIVITY.parse(request.data) if path is None else ACTIVITY.read(path)
    except AdstudioError as error:
        return SpeechDataDamaged(str(error))
    found = estimate_sync(request.cues, activity.spans, activity.duration)
    return Compared(found, () if request.cues else tuple(activity.spans))


def _processed(kind: Kind, video: Path, source: Source, send: Send) -> Processed:
    data = DATA[kind].of_track(source.track if kind in SOUND else None)
    if kind is Kind.THUMBNAILS:
        data = replace(data, make=partial(make_thumbnails, shots=_shots(video, source, send)))
    return _make(data, video, source, send)[1]


def _probed(video: Path, source: Source) -> Probed:
    found = probe(video)
    # Links are kept as they are: the describer knows the film by that name.
    return Probed(found, found.media(os.path.normpath(video.absolute()), "", source.size, source.fingerprint))


def _shots(video: Path, source: Source, send: Send) -> Shots:
    """The film's shots, detected and cached first where they are not."""
    path = cached(Kind.SHOTS, source)
    if path is not None:
        with contextlib.suppress(AdstudioError):
            return SHOTS.read(path)
    return _make(SHOTS, video, source, send, partials=False)[0]


def _make(
    data: CachedData[T], video: Path, source: Source, send: Send, *, partials: bool = True
) -> tuple[T, Processed]:
    """Do the work, report progress, write partial results from time to time, and cache the result."""
    note = ""
    reported = time.monotonic()
    pause, due = PARTIAL_S, reported + PARTIAL_S
    stages = data.make(video)
    stage = next(stages)
    for stage in stages:
        now = time.monotonic()
        if now - reported < REPORT_S:
            continue
        partial = None
        if partials and now >= due and not note:
            partial, note = _cached(data.kind, source, data.encode(stage.take()), complete=False)
            pause = min(1.5 * pause, LONGEST_PARTIAL_S)
            due = time.monotonic() + pause
        send(FilmProgress(stage.fraction if stage.fraction >= 0 else None, partial))
        reported = now
    result = stage.take()
    content = data.encode(result)
    path, note = _cached(data.kind, source, content, complete=True)
    tidy(using=source)
    return result, Processed(path, None if path else content, note)


def _cached(kind: Kind, source: Source, content: bytes, *, complete: bool) -> tuple[Path | None, str]:
    """Where the content was cached, or None and a sentence that says why not."""
    try:
        return store(kind, source, content, complete=complete), ""
    except AdstudioError as error:
        return None, f"The film’s {kind.value} cannot be cached: {error}."


if __name__ == "__main__":
    sys.exit(main())
