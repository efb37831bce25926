"""Check 1: vLLM's version, the model, and its context length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from adstudio.serving.check.client import CheckClient, Reply
from adstudio.serving.vllm_program import BETTER, LEAST, version_of

if TYPE_CHECKING:
    from adstudio.serving.check.findings import CheckResult

ROOMY = 24_000
"""Tokens of a three-minute scene with faces, response included."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the check found: `model` is "" if there is none, `context` 0 if it is not reported."""

    seen: CheckResult
    model: str = ""
    context: int = 0


async def versions(client: CheckClient) -> Found:
    """Get the models and the version; reject versions older than 0.30.

    Raises:
        UnreachableError, UntrustedError: if there is no server.
    """
    listed = await client.get("/v1/models")
    if listed.status in {401, 403}:
        mend = "set the key that the server’s administrator gave you: adstudio connect NAME --key, or --key-file"
        return Found(("failed", f"the key is rejected ({listed.words})", mend))
    rows = _rows(listed)
    if listed.status != 200 or not rows:
        mend = "give the server’s address, like https://gpu.example:8000"
        if listed.status == 503:
            mend = "wait a few minutes until the model is loaded, and check again"
        return Found(("failed", f"it lists no models ({listed.words})", mend))
    wanted = client.server.model
    row = next((row for row in rows if row["id"] == wanted), None if wanted else rows[0])
    if row is None:
        names = ", ".join(str(each["id"]) for each in rows[:5])
        return Found(("failed", f"it has {names}, but no model {wanted}", "choose one of these in the connection"))
    length: Any = row.get("max_model_len")
    context = length if isinstance(length, int) and length > 0 else 0
    version_reply = await client.get("/version")
    return Found(_judged(version_reply, str(row["id"]), context), str(row["id"]), context)


def _judged(version_reply: Reply, model: str, context: int) -> CheckResult:
    reply = version_reply.json.get("version")
    what = f"{model}, " + (f"{context:,} tokens" if context else "context length not reported")
    if context and context < ROOMY:
        what += " (a three-minute scene with faces takes up to about 24,000: longer scenes are split)"
    if version_reply.status != 200 or not isinstance(reply, str) or version_of(reply) == (0, 0):
        return "untestable", f"{what}; no version reported: not vLLM, or hidden by a proxy", ""
    if version_of(reply) < LEAST:
        why = f"vLLM {reply} can be crashed by one bad request (CVE-2026-105757, -105758); {what}"
        return "failed", why, "install vLLM 0.32 or newer"
    if version_of(reply) < BETTER:
        return (
            "passed",
            f"vLLM {reply}: a request can hang it (CVE-2026-115911), 0.32 or newer is better; {what}",
            "",
        )
    return "passed", f"vLLM {reply}; {what}", ""


def _rows(listed: Reply) -> list[dict[str, Any]]:
    data: Any = listed.json.get("data")
    if not isinstance(data, list):
        return []
    rows = cast("list[Any]", data)
    return [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]  # pyright: ignore[reportUnknownMemberType]
