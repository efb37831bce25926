"""Whether subtitles are in step with the speech in their film, in a process of its own: two hours take it a second.

    python -m adstudio.media.subtitle_sync_worker

One line of JSON in: `{"activity": "/…/activity.bin"}`, or `{"data": "…"}` in base64 where that could not be kept, with
`"cues": [[start, end, kind, text]]` in ms. One line out, and it ends: `{"offset": ms, "ratio": "24/25", "sure": true,
"furthest": ms, "speech": [[start, end]]}`, the speech only where there are no cues; or `{"error": "one sentence"}`,
with `"damaged": true` where what was kept of the speech has to be found again. It ends too when its input closes.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO, cast

from adstudio.core.errors import AdstudioError
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.gaps.subtitle_sync import RATIOS, InStep, in_step
from adstudio.media.speech_activity import parse_activity, read_activity

MODULE = "adstudio.media.subtitle_sync_worker"
MAX_LINE = 64_000_000
"""Bytes of a request or an answer."""
NICENESS = 10
UNREADABLE = "what was found of the film’s speech cannot be read"


@dataclass(frozen=True)
class Compared:
    """How the subtitles lie to the speech; where there are none, when somebody speaks (`speech`).

    `found` is None where that could not be told, and `error` says why; `damaged`: the speech has to be found again.
    """

    found: InStep | None
    speech: tuple[Span, ...] = ()
    error: str = ""
    damaged: bool = False


def request_line(activity: Path | bytes, cues: Sequence[Cue]) -> bytes:
    """The line that asks how cues lie to a speech activity, by its file or its content."""
    of = {"activity": str(activity)} if isinstance(activity, Path) else {"data": base64.b64encode(activity).decode()}
    return _line({**of, "cues": [[cue.start, cue.end, cue.kind.value, cue.text] for cue in cues]})


def read_compared(line: bytes) -> Compared:
    """The answer in a line; whatever is in it, an answer comes of it, and never an exception."""
    try:
        found: Any = json.loads(line[:MAX_LINE])
        if "error" in found:
            return Compared(None, error=str(found["error"])[:500], damaged=found.get("damaged") is True)
        offset, furthest, ratio = _whole(found["offset"]), _whole(found["furthest"]), Fraction(str(found["ratio"]))
        if ratio not in RATIOS or type(found["sure"]) is not bool:
            return Compared(None, error=UNREADABLE)
        speech = tuple(Span(_whole(start), _whole(end)) for start, end in found["speech"])
        return Compared(InStep(offset, ratio, 0.0, 0.0, found["sure"], furthest), speech)
    except (AdstudioError, ValueError, KeyError, TypeError, AttributeError, RecursionError, ZeroDivisionError):
        return Compared(None, error=UNREADABLE)


def compared(line: bytes) -> bytes:
    """The answer line to a request line."""
    try:
        asked = cast("dict[str, Any]", json.loads(line))
        cues = [_cue(each) for each in asked["cues"]]
        kept = asked.get("activity")
        activity = parse_activity(base64.b64decode(asked["data"])) if kept is None else read_activity(Path(str(kept)))
    except AdstudioError as error:
        return _line({"error": str(error), "damaged": True})
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return _line({"error": f"the request cannot be read ({type(error).__name__})"})
    spans = activity.spans
    found = in_step(cues, spans, activity.duration)
    return _line(
        {
            "offset": found.offset_ms,
            "ratio": str(found.ratio),
            "sure": found.sure,
            "furthest": found.furthest_ms,
            "speech": [] if cues else [[span.start, span.end] for span in spans],
        }
    )


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer the one request; an input that ends without one gets no answer."""
    line = requests.readline(MAX_LINE)
    if line.endswith(b"\n"):
        answers.write(compared(line))
        answers.flush()


def main() -> None:
    """Answer what standard input asks."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        serve(sys.stdin.buffer, answers)


def _cue(told: list[Any]) -> Cue:
    start, end, kind, text = told
    return Cue("", _time(start), _time(end), str(text), kind=CueKind(kind))


def _time(value: object) -> int:
    time = _whole(value)
    if abs(time) > 2 * MAX_TIME_MS:
        raise ValueError(value)
    return time


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


if __name__ == "__main__":
    main()
