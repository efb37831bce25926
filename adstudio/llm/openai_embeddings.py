"""Embeddings over the OpenAI protocol: of text by any server, of clips by vLLM started as a pooling server.

A vLLM engine either generates or embeds (`vllm serve … --runner pooling`), so embeddings need their own connection.
"""

from __future__ import annotations

from adstudio.llm.embedding_format import as_text
from adstudio.llm.json_fields import part
from adstudio.llm.messages import Request
from adstudio.llm.openai_body import embeddings_body
from adstudio.llm.openai_protocol import OpenAIProvider, read_identity, usage_of
from adstudio.llm.response import ResponseBuilder
from adstudio.llm.response_reading import bounded, json_object

LARGEST = 16_000_000
"""Bytes of a response at most: 32 embeddings of 8,192 numbers, in decimal, are about 6 MB."""


class OpenAIEmbeddings(OpenAIProvider):
    """See `Provider`: one message per input to embed; the response is in `embedding_format`."""

    @property
    def name(self) -> str:
        """Its kind and model, and that it embeds."""
        return f"{super().name} embeddings"

    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        server = self._server
        body = embeddings_body(request, server.model, self._capabilities, vllm=server.vllm, salt=server.salt)
        self._require_size(body.length)
        async with self._post("embeddings", body, request.scene) as response:
            data = json_object(await bounded(response, LARGEST), self._place)
        builder.usage = usage_of(part(data, "usage"))
        read_identity(data, builder)
        for line in as_text(data.get("data"), len(request.messages), self._place).splitlines(keepends=True):
            builder.text(line)
        builder.end = "stop"
