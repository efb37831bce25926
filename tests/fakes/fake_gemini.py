"""What Gemini's server sends."""

from __future__ import annotations

import json
from typing import Any

from fake_server import Act

USAGE = {
    "promptTokenCount": 9000,
    "candidatesTokenCount": 400,
    "thoughtsTokenCount": 100,
    "cachedContentTokenCount": 4000,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 600}, {"modality": "VIDEO", "tokenCount": 8400}],
}


def event(said: Any) -> bytes:
    return f"data: {json.dumps(said)}\r\n\r\n".encode()


def chunk(text: str = "", reason: str | None = None, *, thought: bool = False, **more: Any) -> bytes:
    candidate: dict[str, Any] = {"index": 0}
    if text:
        candidate["content"] = {"role": "model", "parts": [{"text": text} | ({"thought": True} if thought else {})]}
    if reason:
        candidate["finishReason"] = reason
    return event({"candidates": [candidate], "modelVersion": "gemini-x-001"} | more)


def answers(*texts: str, reason: str = "STOP", thoughts: tuple[str, ...] = (), usage: Any = USAGE) -> Act:
    blocks = [chunk(thought, thought=True) for thought in thoughts] + [chunk(text) for text in texts]
    return Act(blocks=[*blocks, chunk(reason=reason, usageMetadata=usage)])


def error(code: int, status: str, message: str, *details: Any) -> dict[str, Any]:
    return {"error": {"code": code, "status": status, "message": message, "details": list(details)}}


def retry_info(delay: str) -> dict[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


def quota(name: str) -> dict[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": name}]}
