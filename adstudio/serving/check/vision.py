"""Checks 2 and 3: all pictures of a clip come to the model, at their times, in their order."""

from __future__ import annotations

import re
from base64 import b64encode
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from adstudio.serving.check.test_clip import FRAMES

if TYPE_CHECKING:
    from adstudio.serving.check.client import Subject
    from adstudio.serving.check.findings import Seen

CHAT = "/v1/chat/completions"
OFF = {"chat_template_kwargs": {"enable_thinking": False}}
EXPECTED = tuple(0.5 + 2 * pair for pair in range(FRAMES // 2))
"""The model is told the time before each pair of pictures: the middle between the two."""
ASKED_AT = 30.5
_MARKER = re.compile(r"<(\d+(?:\.\d+)?) ?seconds>")
_RUN = 4
"""Fewer equal tokens in a row than a pair of pictures ever takes."""


async def clip_whole(subject: Subject) -> Seen:
    """Send the clip and look at what became of it in the prompt: 20 markers from 0.5 to 38.5 seconds."""
    request = {
        "model": subject.model,
        "messages": [_question(subject.clip, "x")],
        "max_tokens": 1,
        "return_token_ids": True,
    }
    said = await subject.wire.post(CHAT, request | OFF)
    if said.status != 200:
        mend = 'serve a model that can be shown video, and let it: --limit-mm-per-prompt \'{"video":1,"image":24}\''
        return "failed", f"the clip is not taken: {said.words}", mend
    ids: Any = said.json.get("prompt_token_ids")
    if not isinstance(ids, list):
        return "untestable", "the clip is taken, but what became of it is not told (return_token_ids)", ""
    tokens = cast("list[Any]", ids)
    told = await subject.wire.post("/detokenize", {"model": subject.model, "tokens": tokens})
    text = told.json.get("prompt")
    if told.status != 200 or not isinstance(text, str):
        return _by_runs(tokens)
    return _judged(tuple(float(at) for at in _MARKER.findall(text)))


async def senseless(subject: Subject) -> str:
    """What the model answers when it is told to say yes; empty where it does. Random weights do not."""
    said = await _answer(subject, {"role": "user", "content": "Answer with the one word: yes"})
    return "" if "yes" in said.lower() else said[:40] or "nothing"


async def number_shown(subject: Subject) -> Seen:
    """Ask which number is painted in the picture at half past thirty seconds."""
    if subject.senseless:
        said = subject.senseless
        return "untestable", f"the model does not do what it is told (it says “{said}”): its weights may be random", ""
    question = (
        f"Each picture of this clip shows a number. Which number is shown at {ASKED_AT} seconds? Only the number."
    )
    said = await _answer(subject, _question(subject.clip, question))
    number = re.search(r"\d+", said)
    if number is not None and int(number[0]) in {30, 31}:
        return "passed", f"at {ASKED_AT} s it sees number {number[0]}", ""
    mend = "look at 2; a model this small may not read numbers: try a larger one"
    return "failed", f"at {ASKED_AT} s it sees “{said[:60]}” where 30 or 31 is shown", mend


def _judged(markers: tuple[float, ...]) -> Seen:
    shown = f"{len(markers)} time markers" + (f", {markers[0]:g} to {markers[-1]:g} s" if markers else "")
    if markers == EXPECTED:
        return "passed", f"{shown}: each of the {FRAMES} pictures comes, at its time", ""
    if len(markers) < len(EXPECTED):
        mend = (
            'start vLLM with --media-io-kwargs \'{"video":{"num_frames":-1}}\' (as adstudio serve does), 0.30 or newer'
        )
        return "failed", f"{shown} where {len(EXPECTED)} to 38.5 s are due: the clip is cut", mend
    mend = "leave sampling to the clip: no --mm-processor-kwargs of the server’s own; vLLM 0.32 or newer"
    return "failed", f"{shown} where 0.5, 2.5, … 38.5 s are due: times will be wrong", mend


def _by_runs(tokens: list[Any]) -> Seen:
    runs = [token for token, run in groupby(tokens) if sum(1 for _ in run) >= _RUN]
    most = max((runs.count(token) for token in set(runs)), default=0)
    if most == len(EXPECTED):
        return "passed", f"{most} pairs of pictures come; their times are not told (no /detokenize)", ""
    return "failed", f"{most} pairs of pictures come where {len(EXPECTED)} are due", "start vLLM as adstudio serve does"


async def _answer(subject: Subject, message: dict[str, Any]) -> str:
    request = {"model": subject.model, "messages": [message], "max_tokens": 12, "temperature": 0}
    said = await subject.wire.post(CHAT, request | OFF)
    choices: Any = said.json.get("choices")
    first: Any = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else {}
    inner: Any = cast("dict[str, Any]", first).get("message") if isinstance(first, dict) else {}
    text: Any = cast("dict[str, Any]", inner).get("content") if isinstance(inner, dict) else ""
    return text.strip() if isinstance(text, str) else ""


def _question(clip: bytes, text: str) -> dict[str, Any]:
    url = f"data:video/mp4;base64,{b64encode(clip).decode()}"
    parts: list[dict[str, Any]] = [{"type": "video_url", "video_url": {"url": url}}, {"type": "text", "text": text}]
    return {"role": "user", "content": parts}
