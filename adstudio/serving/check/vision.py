"""Checks 2 and 3: the model receives all frames of a clip, at the right times and in order."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from adstudio.core.timebase import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from PIL.Image import Image

    from adstudio.serving.check.client import Subject
    from adstudio.serving.check.findings import CheckResult

FRAMES = 40
"""More than the 32 frames that servers sample from a clip by default."""
SIZE = (320, 180)


def numbered_clip() -> bytes:
    """An MP4 of `FRAMES` frames, one per second; frame k shows the number k.

    Raises:
        MediaError: if this machine cannot encode video.
    """
    from adstudio.media.clips import make_clip

    with TemporaryDirectory(prefix="adstudio-check-") as folder:
        film = Path(folder) / "film.mp4"
        _film(film)
        data = b""
        for stage in make_clip(film, Span(0, FRAMES * 1000)):
            data = stage.take()
    return data


def distinct_copy(clip: bytes, number: int) -> bytes:
    """The same frames in different bytes, so that a server's cache treats it as another clip."""
    return clip + struct.pack(">I4sQ", 16, b"free", number)


def _film(file: Path) -> None:
    import av
    import numpy as np

    out = cast("Any", av.open(str(file), "w", format="mp4"))
    stream = out.add_stream("libx264", rate=Fraction(1), options={"preset": "ultrafast", "crf": "18"})
    stream.width, stream.height = SIZE
    stream.pix_fmt = "yuv420p"
    stream.thread_count = 1
    for number, picture in enumerate(_pictures()):
        frame = av.VideoFrame.from_ndarray(np.asarray(picture, dtype=np.uint8), format="rgb24")
        frame.pts, frame.time_base = number, Fraction(1)
        out.mux(stream.encode(frame))
    out.mux(stream.encode(None))
    out.close()


def _pictures() -> Iterator[Image]:
    from PIL import Image, ImageDraw

    for number in range(FRAMES):
        picture = Image.new("RGB", SIZE, (16, 24, 40))
        middle = (SIZE[0] / 2, SIZE[1] / 2)
        ImageDraw.Draw(picture).text(middle, str(number), fill="white", font_size=110, anchor="mm")
        yield picture


CHAT = "/v1/chat/completions"
OFF = {"chat_template_kwargs": {"enable_thinking": False}}
EXPECTED = tuple(0.5 + 2 * pair for pair in range(FRAMES // 2))
"""The model's prompt has a time stamp before each pair of frames: the midpoint of the two."""
ASKED_AT = 30.5
_MARKER = re.compile(r"<(\d+(?:\.\d+)?) ?seconds>")
_RUN = 4
"""A run of equal tokens shorter than that of any pair of frames."""


async def check_all_frames(subject: Subject) -> CheckResult:
    """Send the clip and inspect the prompt made of it: 20 time stamps from 0.5 to 38.5 seconds."""
    request = {
        "model": subject.model,
        "messages": [_question(subject.clip, "x")],
        "max_tokens": 1,
        "return_token_ids": True,
    }
    reply = await subject.client.post(CHAT, request | OFF)
    if reply.status != 200:
        mend = 'serve a model with video input and allow it: --limit-mm-per-prompt \'{"video":1,"image":24}\''
        return "failed", f"the clip is rejected: {reply.words}", mend
    ids: Any = reply.json.get("prompt_token_ids")
    if not isinstance(ids, list):
        return "untestable", "the clip is accepted, but the server does not return the prompt (return_token_ids)", ""
    tokens = cast("list[Any]", ids)
    detokenized = await subject.client.post("/detokenize", {"model": subject.model, "tokens": tokens})
    text = detokenized.json.get("prompt")
    if detokenized.status != 200 or not isinstance(text, str):
        return _by_runs(tokens)
    return _judged(tuple(float(at) for at in _MARKER.findall(text)))


async def incoherent(subject: Subject) -> str:
    """What the model replies when told to say yes, "" if it does. A model with random weights does not."""
    reply = await _answer(subject, {"role": "user", "content": "Answer with the one word: yes"})
    return "" if "yes" in reply.lower() else reply[:40] or "nothing"


async def check_frame_order(subject: Subject) -> CheckResult:
    """Ask which number is shown at 30.5 seconds."""
    if subject.incoherent:
        what = f"the model does not follow instructions (it replies “{subject.incoherent}”): its weights may be random"
        return "untestable", what, ""
    question = (
        f"Each picture of this clip shows a number. Which number is shown at {ASKED_AT} seconds? Only the number."
    )
    reply = await _answer(subject, _question(subject.clip, question))
    number = re.search(r"\d+", reply)
    if number is not None and int(number[0]) in {30, 31}:
        return "passed", f"at {ASKED_AT} s it sees number {number[0]}", ""
    mend = "see check 2; a small model may not be able to read numbers: try a larger one"
    return "failed", f"at {ASKED_AT} s it sees “{reply[:60]}” where 30 or 31 is shown", mend


def _judged(markers: tuple[float, ...]) -> CheckResult:
    shown = f"{len(markers)} time markers" + (f", {markers[0]:g} to {markers[-1]:g} s" if markers else "")
    if markers == EXPECTED:
        return "passed", f"{shown}: all {FRAMES} frames arrive, at the right times", ""
    if len(markers) < len(EXPECTED):
        mend = (
            'start vLLM with --media-io-kwargs \'{"video":{"num_frames":-1}}\' (as adstudio serve does), 0.30 or newer'
        )
        return "failed", f"{shown} instead of {len(EXPECTED)} up to 38.5 s: frames are dropped", mend
    mend = "do not resample clips: remove the server’s --mm-processor-kwargs; vLLM 0.32 or newer"
    return "failed", f"{shown} instead of 0.5, 2.5, … 38.5 s: times will be wrong", mend


def _by_runs(tokens: list[Any]) -> CheckResult:
    runs = [token for token, run in groupby(tokens) if sum(1 for _ in run) >= _RUN]
    most = max((runs.count(token) for token in set(runs)), default=0)
    if most == len(EXPECTED):
        return "passed", f"{most} pairs of frames arrive; their times are unknown (no /detokenize)", ""
    return "failed", f"{most} pairs of frames arrive instead of {len(EXPECTED)}", "start vLLM as adstudio serve does"


async def _answer(subject: Subject, message: dict[str, Any]) -> str:
    request = {"model": subject.model, "messages": [message], "max_tokens": 12, "temperature": 0}
    reply = await subject.client.post(CHAT, request | OFF)
    choices: Any = reply.json.get("choices")
    first: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else {}
    inner: Any = cast("dict[str, Any]", first).get("message") if isinstance(first, dict) else {}
    text: Any = cast("dict[str, Any]", inner).get("content") if isinstance(inner, dict) else ""
    return text.strip() if isinstance(text, str) else ""


def _question(clip: bytes, text: str) -> dict[str, Any]:
    url = f"data:video/mp4;base64,{b64encode(clip).decode()}"
    parts: list[dict[str, Any]] = [{"type": "video_url", "video_url": {"url": url}}, {"type": "text", "text": text}]
    return {"role": "user", "content": parts}
