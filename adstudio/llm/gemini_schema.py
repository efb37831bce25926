"""JSON schemas in the subset that Gemini accepts: no constants, patterns or string lengths."""

from __future__ import annotations

from typing import Any, cast

_TAKEN = frozenset(
    (
        *("type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum"),
        *(
            "maximum",
            "anyOf",
            "oneOf",
            "properties",
            "additionalProperties",
            "required",
            "propertyOrdering",
            "$defs",
            "$ref",
        ),
    )
)
_NAMED = frozenset(("properties", "$defs"))
"""Keywords whose keys are names rather than keywords."""


def for_gemini(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema as far as Gemini supports it; the rest is checked when the response has arrived."""
    plain = dict(schema)
    if "const" in plain:
        plain["enum"] = [plain["const"]]
    for bound, word, step in (("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)):
        if isinstance(limit := plain.get(word), int):
            plain.setdefault(bound, limit + step)
    if "properties" in plain:
        plain.setdefault("propertyOrdering", list(plain["properties"]))
    return {word: _inside(word, value) for word, value in plain.items() if word in _TAKEN}


def _inside(word: str, value: Any) -> Any:  # noqa: ANN401 - whatever a schema holds
    if word in _NAMED and isinstance(value, dict):
        return {name: for_gemini(each) for name, each in cast("dict[str, dict[str, Any]]", value).items()}
    if word in ("enum", "required", "propertyOrdering", "type"):
        return value
    if isinstance(value, dict):
        return for_gemini(cast("dict[str, Any]", value))
    if isinstance(value, list):
        return [for_gemini(cast("dict[str, Any]", each)) if isinstance(each, dict) else each for each in value]  # pyright: ignore[reportUnknownVariableType]
    return value
