"""Our own scripts in JSON: `adstudio-script/1`, and the generation file for the REFRAMED evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from adstudio.core.json_reading import Node, parse_json
from adstudio.core.script import MAX_LINES, Origin
from adstudio.script_files.finished import DEEPEST, FinishedLine, FinishedScript

FORMAT = "adstudio-script/1"
"""What our exported script says of itself (`delivery.json_script` writes it)."""
_ORIGINS = {origin.value: origin for origin in Origin}
_MOST_WORDS = 1_000
_NO_SCRIPT = "this is no exported script: export one with --format json or --format reframed"


def finished_json(data: bytes, name: str) -> FinishedScript:
    """The script in a JSON file.

    Its times are film time, whatever the start timecode. Members that are not known, as of a later version, are not
    used.

    Raises:
        JsonError: for anything but the two formats.
    """
    root = parse_json(data, name)
    if root.has("format"):
        return _script(root)
    value = root.value
    if not isinstance(value, dict):
        root.fail(_NO_SCRIPT)
    members = cast("Mapping[str, object]", value)
    if not members or not all(key.isdecimal() for key in members):
        root.fail(_NO_SCRIPT)
    if len(members) > MAX_LINES:
        root.fail(f"{len(members):,} lines; at most {MAX_LINES:,} can be read")
    lines = [_line(Node(each, key, name), int(key[:9])) for key, each in members.items()]
    return FinishedScript(tuple(lines))


def _script(root: Node) -> FinishedScript:
    said = _member(root, "format")
    if said.value != FORMAT:
        root.fail(f"its format is not {FORMAT}: it is no script, or one of a later version")
    film = _member(root, "film") if root.has("film") else None
    lines = [_line(each, place) for place, each in enumerate(_member(root, "lines").items(MAX_LINES), 1)]
    return FinishedScript(
        tuple(lines),
        language=_text(film, "language"),
        title=_text(film, "title"),
        start_timecode=_text(film, "start_timecode"),
    )


def _line(node: Node, place: int) -> FinishedLine:
    start, end = _member(node, "start").ms(0), _member(node, "end").ms(0)
    number = _member(node, "number").integer(0, 10**9) if node.has("number") else place
    return FinishedLine(
        _member(node, "text").text(empty=False),
        start,
        end,
        place,
        number=str(number),
        cue=_text(_child(node, "previous_dialogue"), "text"),
        notes=_text(node, "notes"),
        voice=_text(node, "voice"),
        pronunciation=_pronunciation(node),
        duck=_depth(node),
        origin=_ORIGINS.get(_text(node, "origin")),
        seen=_flag(node, "seen"),
        accepted=_flag(node, "accepted"),
    )


def _pronunciation(node: Node) -> str:
    """The words and how they are spoken, as a table has them."""
    if not node.has("pronunciation") or not isinstance(_member(node, "pronunciation").value, list):
        return _text(node, "pronunciation")
    entries: list[str] = []
    for each in _member(node, "pronunciation").items(_MOST_WORDS):
        spoken = _member(each, "spoken").text(empty=False)
        shown = f"/{spoken}/" if _flag(each, "phonemes") else spoken
        entries.append(f"{_member(each, 'word').text(empty=False)}: {shown}")
    return "; ".join(entries)


def _depth(node: Node) -> int | None:
    depth = _member(node, "duck") if node.has("duck") else None
    return None if depth is None or depth.is_null else min(round(abs(depth.number()) * 10), DEEPEST)


def _flag(node: Node, key: str) -> bool | None:
    value = _member(node, key).value if node.has(key) else None
    return value if isinstance(value, bool) else None


def _child(node: Node, key: str) -> Node | None:
    child = _member(node, key) if node.has(key) else None
    return child if child is not None and isinstance(child.value, dict) else None


def _text(node: Node | None, key: str) -> str:
    if node is None or not node.has(key):
        return ""
    found = _member(node, key)
    return "" if found.is_null or not isinstance(found.value, str) else found.text()


def _member(node: Node, key: str) -> Node:
    if not node.has(key):
        node.fail(f"missing key “{key}”")
    value = cast("Mapping[str, object]", node.value)
    return Node(value[key], f"{node.path}.{key}" if node.path else key, node.source)
