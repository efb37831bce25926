"""Text embeddings from Gemini, through Google's client and our transport."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

from adstudio.llm import faults
from adstudio.llm.embedding_format import as_text
from adstudio.llm.gemini import GeminiProvider, client_chunks, contents_of
from adstudio.llm.messages import Request, Text
from adstudio.llm.response import ResponseBuilder

TASK = "SEMANTIC_SIMILARITY"
"""The embeddings are compared with one another."""


class GeminiEmbeddings(GeminiProvider):
    """See `Provider`: one message per text to embed; the response is in `embedding_format`."""

    @property
    def name(self) -> str:
        """Its kind and model, and that it embeds."""
        return f"{super().name} embeddings"

    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        self._permit()
        if not all(isinstance(part, Text) for message in request.messages for part in message.parts):
            raise faults.BadRequestError(f"{self._place} only embeds text")
        self._client()
        async with contextlib.aclosing(client_chunks(partial(self._opened, request), self._account)) as found:
            async for response in found:
                embeddings: list[Any] = response.embeddings or []
                rows: list[dict[str, Any]] = [{"embedding": each.values} for each in embeddings]
                text = as_text(rows, len(request.messages), self._place)
                for line in text.splitlines(keepends=True):
                    builder.text(line)
        builder.end = "stop"

    async def _opened(self, request: Request) -> Any:  # noqa: ANN401 - the client's own
        from google.genai import types

        options = types.HttpOptions(timeout=max(int(request.limits.deadline * 1000), 1))
        return _one(
            await self._client().aio.models.embed_content(
                model=self._account.model,
                contents=[*contents_of(request)],
                config=types.EmbedContentConfig(task_type=TASK, http_options=options),
            )
        )


async def _one(response: Any) -> AsyncGenerator[Any]:  # noqa: ANN401 - the client's own
    yield response
