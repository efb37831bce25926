"""Reading a response that is not streamed: content type, bounded body, JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from adstudio.llm.faults import GarbledError
from adstudio.llm.json_fields import parsed

if TYPE_CHECKING:
    import httpx2

LARGEST_ERROR = 65_536
"""Bytes of an error body that are read."""


def kind_of(response: httpx2.Response) -> str:
    """The content type without parameters, "" if there is none."""
    return response.headers.get("content-type", "").split(";")[0].strip().lower()


async def bounded(response: httpx2.Response, most: int) -> bytes:
    """The response body, up to `most` bytes."""
    data = bytearray()
    async for block in response.aiter_bytes():
        data += block
        if len(data) > most:
            break
    return bytes(data[:most])


def json_object(data: bytes, place: str) -> dict[str, Any]:
    """The bytes parsed as a JSON object.

    Raises:
        GarbledError: if they are not one.
    """
    found = parsed(data)
    if not isinstance(found, dict):
        raise GarbledError(f"{place} sent a malformed response: check its address and any proxy in front of it")
    return cast("dict[str, Any]", found)
