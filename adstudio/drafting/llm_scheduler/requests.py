"""The question to a model that plans a stretch of film."""

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
"""What the job store calls these asks."""
DELIVERY_TOKENS = 40
"""An id and a start, and what stands around them; twice that is allowed for."""
DEADLINE = 900.0
"""Seconds that an answer may take where nobody says otherwise."""
THINKING: Thinking = "high"
"""As in the paper: all of its models think before they answer."""


def scheduling(
    problem: Problem,
    material: Material,
    wordings: Prompts,
    *,
    deadline: float = DEADLINE,
    thinking: Thinking = THINKING,
    bound: bool = True,
) -> Request:
    """Ask which candidates are said and when; `bound` says whether the server binds answers to a form.

    There has to be a `Material.choice`.
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
