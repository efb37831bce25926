"""What a server of the OpenAI protocol sends, vLLM above all."""

from __future__ import annotations

import json
from typing import Any

from fake_server import Act

USAGE = {
    "prompt_tokens": 900,
    "completion_tokens": 50,
    "prompt_tokens_details": {"cached_tokens": 300},
    "completion_tokens_details": {"reasoning_tokens": 20},
}


def event(said: Any) -> bytes:
    return f"data: {json.dumps(said)}\n\n".encode()


def delta(text: str = "", reason: str | None = None, **more: Any) -> bytes:
    return event(
        {
            "object": "chat.completion.chunk",
            "model": "tiny-1",
            "choices": [{"index": 0, "delta": ({"content": text} if text else {}) | more, "finish_reason": reason}],
        }
    )


def pieces(*texts: str, reason: str = "stop", thoughts: tuple[str, ...] = ()) -> list[bytes]:
    return [
        *[delta(reasoning=thought) for thought in thoughts],
        *[delta(text) for text in texts],
        delta(reason=reason),
        event({"model": "tiny-1", "choices": [], "usage": USAGE}),
        b"data: [DONE]\n\n",
    ]


def answers(*texts: str, **how: Any) -> Act:
    return Act(blocks=pieces(*texts, **how))
