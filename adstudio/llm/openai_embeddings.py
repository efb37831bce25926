"""Embeddings by the OpenAI protocol: of texts by any server, of clips by vLLM started as a pooling server.

An engine of vLLM writes or embeds, never both (`vllm serve … --runner pooling`): it is a connection of its own.
"""

from __future__ import annotations

from adstudio.llm.embedding_format import as_text
from adstudio.llm.json_fields import part
from adstudio.llm.messages import Ask
from adstudio.llm.openai_body import embeddings_body
from adstudio.llm.openai_protocol import OpenAIProvider, named_in, usage_of
from adstudio.llm.response import Gathering
from adstudio.llm.response_reading import bounded
from adstudio.llm.server_sent_events import json_object

LARGEST = 16_000_000
"""Bytes of the largest answer: 32 embeddings of 8,192 numbers, written out, are some 6 MB."""


class OpenAIEmbeddings(OpenAIProvider):
    """See `Provider`: an ask has a turn for each thing to embed, and its answer is what `vectors` reads."""

    @property
    def name(self) -> str:
        """Its kind and model, and that it embeds."""
        return f"{super().name} embeddings"

    async def _exchange(self, ask: Ask, gathering: Gathering) -> None:
        server = self._server
        body = embeddings_body(ask, server.model, self._capabilities, vllm=server.vllm, salt=server.salt)
        self._require_size(body.length)
        async with self._post("embeddings", body, ask.scene) as response:
            answer = json_object(await bounded(response, LARGEST), self._place)
        gathering.usage = usage_of(part(answer, "usage"))
        named_in(answer, gathering)
        for line in as_text(answer.get("data"), len(ask.turns), self._place).splitlines(keepends=True):
            gathering.text(line)
        gathering.end = "stop"
