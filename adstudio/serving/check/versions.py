"""Check 1: which vLLM, which model, how long its context is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from adstudio.serving.check.client import Said, Wire
from adstudio.serving.vllm_program import BETTER, LEAST, version_of

if TYPE_CHECKING:
    from adstudio.serving.check.findings import Seen

ROOMY = 24_000
"""Tokens of a scene of three minutes with its faces and its answer."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the check found: `model` is empty where there is none to ask; `context` 0 where it is not told."""

    seen: Seen
    model: str = ""
    context: int = 0


async def versions(wire: Wire) -> Found:
    """Ask for the models, then for the version; refuse what is older than 0.30.

    Raises:
        UnreachableError, UntrustedError: where there is no server.
    """
    listed = await wire.get("/v1/models")
    if listed.status in {401, 403}:
        mend = "give the key that the server’s keeper gave you: adstudio connect NAME --key, or --key-file"
        return Found(("failed", f"the key is refused ({listed.words})", mend))
    rows = _rows(listed)
    if listed.status != 200 or not rows:
        mend = "give the address of vLLM’s front, as https://gpu.example:8000"
        if listed.status == 503:
            mend = "wait until the model is loaded, which takes minutes, and check again"
        return Found(("failed", f"it lists no models ({listed.words})", mend))
    wanted = wire.place.model
    row = next((row for row in rows if row["id"] == wanted), None if wanted else rows[0])
    if row is None:
        names = ", ".join(str(each["id"]) for each in rows[:5])
        return Found(("failed", f"it has no model {wanted}, but {names}", "name that one in the connection"))
    length: Any = row.get("max_model_len")
    context = length if isinstance(length, int) and length > 0 else 0
    told = await wire.get("/version")
    return Found(_judged(told, str(row["id"]), context), str(row["id"]), context)


def _judged(told: Said, model: str, context: int) -> Seen:
    said = told.json.get("version")
    what = f"{model}, " + (f"{context:,} tokens" if context else "context not told")
    if context and context < ROOMY:
        what += " (a scene of three minutes with faces takes up to about 24,000: longer ones are asked in parts)"
    if told.status != 200 or not isinstance(said, str) or version_of(said) == (0, 0):
        return "untestable", f"{what}; its version is not told: no vLLM, or a proxy keeps it", ""
    if version_of(said) < LEAST:
        why = f"vLLM {said} can be brought down by one bad request (CVE-2026-105757, -105758); {what}"
        return "failed", why, "install vLLM 0.32 or newer"
    if version_of(said) < BETTER:
        return "passed", f"vLLM {said}: better 0.32 or newer, a request can hang this one (CVE-2026-115911); {what}", ""
    return "passed", f"vLLM {said}; {what}", ""


def _rows(listed: Said) -> list[dict[str, Any]]:
    data: Any = listed.json.get("data")
    if not isinstance(data, list):
        return []
    rows = cast("list[Any]", data)
    return [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]  # pyright: ignore[reportUnknownMemberType]
