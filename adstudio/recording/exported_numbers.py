"""The numbers that lines had in a script when it was exported as JSON, as a studio knows them."""

from __future__ import annotations

from adstudio.core.json_reading import Node, parse_json
from adstudio.core.script import Script
from adstudio.delivery.json_script import FORMAT
from adstudio.recording.importing import LinePlace, extended_places

_MOST = 1_000_000


def exported_numbers(data: bytes, source: str, script: Script) -> tuple[LinePlace, ...]:
    """The wordings that an exported script (`adstudio-script/1`) has, by its numbers; `source` names it in messages.

    What has been deleted since has no place; a fused line has one if the script has it as a line of its own
    (`editing.fusions.as_own`). Extended lines, which no script has, follow as they are now.

    Raises:
        JsonError: if it is no such script.
    """
    root = parse_json(data, source)
    if not root.has("format") or root.members(("format",), ("film", "lines"))["format"].value != FORMAT:
        root.fail("this is no exported script: export it with --format json")
    found: list[LinePlace] = []
    last = 0
    for line in root.members(("format", "lines"), ("film",))["lines"].items(_MOST):
        last = _member(line, "number").integer(1, _MOST)
        for part in (line, *(_member(line, "joined").items(_MOST) if line.has("joined") else ())):
            element = _member(part, "element")
            if element.is_null:
                continue
            name, is_fused = element.text(), part.has("members")
            if is_fused:
                name = next((each.text() for each in _member(part, "members").items(_MOST)), name)
            if name not in script.eventuality_index:
                continue
            variants, variant = script.eventuality(name).variants, _member(part, "variant").integer(0, _MOST)
            # The first item of a fused line has that line's wordings only while it is spoken so.
            if is_fused and variant < len(variants) and variants[variant].text not in _member(line, "text").text():
                continue
            if variant < len(variants):
                found.append(LinePlace(last, name, variant, variants[variant].text))
    exported = {place.line for place in found}
    return (*found, *(place for place in extended_places(script, last + 1) if place.line not in exported))


def _member(node: Node, key: str) -> Node:
    if not node.has(key):
        node.fail(f"missing key “{key}”")
    value: dict[str, object] = node.value  # pyright: ignore[reportAssignmentType] - it is an object, as it has a key
    return Node(value[key], f"{node.path}.{key}", node.source)
