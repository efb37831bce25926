"""What a scripted server says where no script tells it: something of the form that was asked for, and embeddings."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from fake_embeddings import packed
from fake_server import Act

WIDTH = 64


def of_form(schema: dict[str, Any]) -> Any:
    """The simplest value that keeps a JSON schema, as far as such are asked for here."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return of_form(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            return {name: of_form(each) for name, each in schema.get("properties", {}).items()}
        case "array":
            first = [of_form(each) for each in schema.get("prefixItems", [])]
            more = max(schema.get("minItems", 0) - len(first), 0)
            return first + [of_form(schema.get("items") or {"type": "null"})] * more
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "string":
            return "A man parks."[: schema.get("maxLength", 12)]
        case "boolean":
            return True
        case _:
            return None


def embedded(body: dict[str, Any], model: str) -> Act:
    """The embeddings of texts, or of a conversation with a clip: things that share words or bytes lie near."""
    if "input" in body:
        given = [body["input"]] if isinstance(body["input"], str) else body["input"]
    else:
        talks = body["messages"]
        given = [json.dumps(talk) for talk in (talks if isinstance(talks[0], list) else [talks])]
    rows = [{"object": "embedding", "index": n, "embedding": packed(_vector(text))} for n, text in enumerate(given)]
    said = {"object": "list", "model": model, "data": rows, "usage": {"prompt_tokens": 7, "total_tokens": 7}}
    return Act(blocks=[json.dumps(said).encode()], kind="application/json")


def _vector(text: str) -> list[float]:
    vector = [0.0] * WIDTH
    for word in text.lower().split():
        digest = sha256(word.encode("utf-8", "surrogatepass")).digest()
        vector[digest[0] % WIDTH] += 1 if digest[1] % 4 else -1
    vector[0] += 0.1
    length = sum(each * each for each in vector) ** 0.5
    return [each / length for each in vector]
