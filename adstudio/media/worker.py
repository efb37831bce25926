"""Work on a film in a process of its own: `python -m adstudio.media.worker VERB -- VIDEO`.

The verbs are peaks, shots, thumbnails, activity and probe.

It says how far it is in lines of JSON (see `messages`) and ends within a fraction of a second when it is terminated,
or when the pipe at its standard input closes, as it does when the editor is gone. What crashes in a decoder takes
nothing with it but this process.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar, cast

from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.core.script import Media
from adstudio.media.cache import Kind, Source, cached, keep, source_of, tidy
from adstudio.media.messages import DOING, VERBS, Done, Failed, Message, Probed, Progress, Verb, write_message
from adstudio.media.peaks import encode_peaks, make_peaks
from adstudio.media.probe import probe
from adstudio.media.processing import Stage
from adstudio.media.shots import Shots, encode_shots, make_shots, read_shots
from adstudio.media.speech_activity import encode_activity, make_activity
from adstudio.media.thumbnails import encode_thumbnails, make_thumbnails
from adstudio.system.child_process import leash, voice

T = TypeVar("T")

TELL_S = 0.1
"""Seconds from one word of progress to the next."""
PARTIAL_S = 0.5
"""Seconds until the first partial result is written; each next one takes half as long again to come."""
LONGEST_PARTIAL_S = 10.0
NICENESS = 10
STOPPED = 130

Say = Callable[[Message], None]


def main(given: Sequence[str] | None = None) -> int:
    """Do one piece of work; the exit code is 0, that of the failure, or 130 where it was stopped."""
    parser = argparse.ArgumentParser(prog="adstudio.media.worker", allow_abbrev=False)
    parser.add_argument("verb", choices=VERBS)
    parser.add_argument("video", type=Path)
    parser.add_argument("--fingerprint", default="")
    options = parser.parse_args(given)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        with leash(_end), voice() as write:

            def say(message: Message) -> None:
                write(write_message(message))

            return _run(cast("Verb", options.verb), options.video, options.fingerprint, say)
    except (KeyboardInterrupt, BrokenPipeError):
        return STOPPED


def _run(verb: Verb, video: Path, fingerprint: str, say: Say) -> int:
    say(Progress(0.0, DOING[verb]))
    try:
        source = source_of(video, fingerprint)
        say(_result(verb, video, source, say))
    except AdstudioError as error:
        say(Failed(str(error)))
        return error.exit_code
    except MemoryError:
        say(Failed(f"{video} needs more memory than is free: close other programs, or use a smaller copy of the film"))
        return OutsideFailureError.exit_code
    except ImportError as error:
        say(Failed(f"a part of the program is missing ({error.name}): install the program again"))
        return OutsideFailureError.exit_code
    return 0


def _result(verb: Verb, video: Path, source: Source, say: Say) -> Done:
    match verb:
        case "probe":
            return Done(probed=_probed(video, source))
        case "peaks":
            return _make(Kind.PEAKS, source, make_peaks(video), encode_peaks, say)[1]
        case "shots":
            return _make(Kind.SHOTS, source, make_shots(video), encode_shots, say)[1]
        case "thumbnails":
            shots = _shots(video, source, say)
            return _make(Kind.THUMBNAILS, source, make_thumbnails(video, shots), encode_thumbnails, say)[1]
        case "activity":
            return _make(Kind.ACTIVITY, source, make_activity(video), encode_activity, say)[1]


def _probed(video: Path, source: Source) -> Probed:
    found = probe(video)
    media = Media(
        # Links are kept as they are: the describer knows the film by that name.
        path=os.path.normpath(video.absolute()),
        relative_path="",
        size=source.size,
        fingerprint=source.fingerprint,
        duration=found.duration,
        rate=found.rate,
        variable_rate=found.variable_rate,
        has_audio=found.has_audio,
        width=found.width,
        height=found.height,
    )
    return Probed(found, media)


def _shots(video: Path, source: Source, say: Say) -> Shots:
    """The film's shots, found and kept first where they are not."""
    path = cached(Kind.SHOTS, source)
    if path is not None:
        with contextlib.suppress(AdstudioError):
            return read_shots(path)
    return _make(Kind.SHOTS, source, make_shots(video), encode_shots, say, partials=False)[0]


def _make(
    kind: Kind,
    source: Source,
    stages: Iterator[Stage[T]],
    encode: Callable[[T], bytes],
    say: Say,
    *,
    partials: bool = True,
) -> tuple[T, Done]:
    """Do the work, tell how far it is, write what there is from time to time, and keep the result."""
    what, note = DOING[kind.value], ""
    told = time.monotonic()
    pause, due = PARTIAL_S, told + PARTIAL_S
    stage = next(stages)
    for stage in stages:
        now = time.monotonic()
        if now - told < TELL_S:
            continue
        partial = None
        if partials and now >= due and not note:
            partial, note = _kept(kind, source, encode(stage.take()), complete=False)
            pause = min(1.5 * pause, LONGEST_PARTIAL_S)
            due = time.monotonic() + pause
        say(Progress(stage.fraction, what, partial))
        told = now
    result = stage.take()
    content = encode(result)
    path, note = _kept(kind, source, content, complete=True)
    tidy(using=source)
    return result, Done(path, None if path else content, note)


def _kept(kind: Kind, source: Source, content: bytes, *, complete: bool) -> tuple[Path | None, str]:
    """Where the content was kept; or nowhere, and a sentence that says why."""
    try:
        return keep(kind, source, content, complete=complete), ""
    except AdstudioError as error:
        return None, f"The film’s {kind.value} cannot be kept for the next time: {error}."


def _end() -> None:
    """The editor is gone. No exception, which could be swallowed on its way; a temporary is tidied up later."""
    os._exit(STOPPED)


if __name__ == "__main__":
    sys.exit(main())
