"""The request to a model that plans a problem."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256

from adstudio.drafting.model.context import block, plain
from adstudio.drafting.model.prompts import Prompts
from adstudio.llm.messages import Limits, Message, Request, Text, Thinking
from adstudio.planning.engines.llm_scheduler import Material, answer_schema
from adstudio.planning.problem import Problem

STAGE = "schedule"
"""The name of these requests in the request store."""
DELIVERY_TOKENS = 40
"""Tokens of a delivery: an id, a start and the JSON around them; twice as many are allowed."""
DEADLINE = 900.0
"""The default deadline, in seconds."""
THINKING: Thinking = "high"
"""As in the paper, whose models all reason before they respond."""


def scheduling(
    problem: Problem,
    material: Material,
    wordings: Prompts,
    *,
    deadline: float = DEADLINE,
    thinking: Thinking = THINKING,
    bound: bool = True,
) -> Request:
    """The request for which candidates to speak and when; `bound`: the server enforces the JSON schema.

    `Material.choice` must not be empty.
    """
    schema = answer_schema(problem, material)
    parts = [
        block("CANDIDATES, in the order of what they tell", _rows(material.candidates)),
        block("GAPS", _rows(material.gaps)),
        block("CONDITIONS", map(plain, material.conditions)),
        wordings.schedule.text,
    ]
    if not bound:
        empty = json.dumps({"deliveries": [{"id": "", "start": 0}]})
        parts.append(f"The form, with an entry for each delivery:\n{empty}")
    text = "\n\n".join(parts)
    tokens = 2 * DELIVERY_TOKENS * len(problem.elements) + 1_000
    return Request(
        messages=(Message("user", (Text(text),)),),
        system=wordings.system.text,
        schema=schema,
        limits=Limits.of_answer(tokens, deadline=deadline),
        thinking=thinking,
        scene=sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16],
    )


def _rows(rows: Iterable[Mapping[str, object]]) -> list[str]:
    return [plain(json.dumps(row, ensure_ascii=False)) for row in rows]
