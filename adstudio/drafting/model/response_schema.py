"""The form in which a model answers: JSON schema with the ids pinned in order, whole numbers, and bounds on everything.

An id is an enumeration of one value, which all servers know (Gemini has no `const`). Texts are bound by their length
alone: with it xgrammar keeps out quotation marks, backslashes and line breaks by itself, whereas with a pattern it
passes over the length, and a pattern that bounds the length too took it seconds for one schema (xgrammar 0.2.8: 3 s in
place of 3 ms). Times come before texts, so that an element finds its place while it is still being written. What a
model gives is checked again, whatever was promised: control characters, for one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from adstudio.drafting.candidates_file.element import RATES

VERSION = 1
"""Raised whenever the form changes."""
LONGEST = 400
"""Characters of a wording."""
FULL = "full"
SHORTER: dict[str, Fraction] = {f"r{int(rate * 100)}": rate for rate in RATES}
"""The names of the compressions, by falling rate."""
TENTH_MS = 100
SALIENCE = 1000
"""Salience 1 in the form's own units; it lies strictly between 0 and this."""
_TEXT = {"type": "string", "minLength": 1, "maxLength": LONGEST}


def elements_schema(ids: Sequence[str], length: int) -> dict[str, Any]:
    """The form of an answer about these elements of a clip of `length` ms."""
    latest = -(-length // TENTH_MS)

    def element(identity: str) -> dict[str, Any]:
        return closed(
            {
                "id": {"type": "string", "enum": [identity]},
                "start": _number(0, latest),
                "end": _number(0, latest),
                "salience": _number(1, SALIENCE - 1),
                FULL: _TEXT,
                **dict.fromkeys(SHORTER, _TEXT),
            }
        )

    return one_of_each("elements", [element(identity) for identity in ids])


def spelled(schema: dict[str, Any]) -> str:
    """The form in words, for servers that cannot be bound to it: an answer that is empty but for its ids."""
    ((name, listed),) = schema["properties"].items()
    empty = [
        {
            key: value["enum"][0] if "enum" in value else 0 if "anyOf" in value else ""
            for key, value in item["properties"].items()
        }
        for item in listed["prefixItems"]
    ]
    return f"The form, to be filled in:\n{json.dumps({name: empty})}"


def repair_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The form of an answer with these wordings written again."""
    return one_of_each("lines", [closed({"id": {"type": "string", "enum": [each]}, "text": _TEXT}) for each in ids])


def one_of_each(name: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    """The form of a list, under a name, of one value of each of these forms in their order."""
    return closed({name: {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}})


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """The form of an object with these properties, all of them and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _number(least: int, most: int) -> dict[str, Any]:
    return {"anyOf": [{"type": "integer", "minimum": least, "maximum": most}, {"type": "null"}]}
