"""Scripts in JSON: our own `adstudio-script/1`, the generation file for the REFRAMED evaluation, and plain lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from adstudio.core.errors import Oddity
from adstudio.core.json_reading import Node, parse_json
from adstudio.core.script import MAX_LINES, Origin
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.script_files.finished import DEEPEST, FinishedLine, FinishedScript
from adstudio.script_files.grids import lines_shown

FORMAT = "adstudio-script/1"
"""What our exported script says of itself (`delivery.json_script` writes it)."""
_ORIGINS = {origin.value: origin for origin in Origin}
_MOST_WORDS = 1_000
_NO_SCRIPT = "this is no exported script: export one with --format json or --format reframed"


def finished_json(data: bytes, name: str) -> FinishedScript:
    """The script in a JSON file.

    Its times are film time in seconds, whatever the start timecode, rounded to milliseconds. Members that are not
    known, as of a later version, are not used. What systems generate may lack ends, and have lines without a text,
    which are not used; in a list a text may be called `text_gen`.

    Raises:
        JsonError: for anything else.
    """
    root = parse_json(data, name)
    if root.has("format"):
        return _script(root)
    value = root.value
    if isinstance(value, list):
        generated = [(place, each) for place, each in enumerate(root.items(MAX_LINES), 1)]
        if not all(each.has("start") and each.has(_text_key(each)) for _, each in generated):
            root.fail(_NO_SCRIPT)
        return _generated(generated)
    if not isinstance(value, dict):
        root.fail(_NO_SCRIPT)
    members = cast("Mapping[str, object]", value)
    if not all(key.isdecimal() for key in members):
        root.fail(_NO_SCRIPT)
    if len(members) > MAX_LINES:
        root.fail(f"{len(members):,} lines; at most {MAX_LINES:,} can be read")
    return _generated([(int(key[:9]), Node(each, key, name)) for key, each in members.items()])


def _text_key(node: Node) -> str:
    return "text_gen" if node.has("text_gen") and not node.has("text") else "text"


def _generated(nodes: Sequence[tuple[int, Node]]) -> FinishedScript:
    """The script of lines with a start and a text, which may be empty, and most often an end."""
    lines: list[FinishedLine] = []
    empty: list[int] = []
    for place, node in nodes:
        text = _member(node, _text_key(node))
        if text.is_null or not text.text().strip():
            empty.append(place)
        else:
            lines.append(_line(node, place))
    what = f"lines have no text, so not used: {lines_shown(empty)}"
    return FinishedScript(tuple(lines), (Oddity(what, empty[0]),) if empty else ())


def _time(node: Node) -> int:
    """A time in seconds with any number of decimals, in milliseconds."""
    number = node.number()
    if not 0 <= number <= MAX_TIME_MS // 1000:
        node.fail(f"{number:.9g} s is not a time in a film")
    return round(number * 1000)


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
    end = _member(node, "end") if node.has("end") else None
    number = _member(node, "number").integer(0, 10**9) if node.has("number") else place
    return FinishedLine(
        _member(node, _text_key(node)).text(empty=False),
        _time(_member(node, "start")),
        None if end is None or end.is_null else _time(end),
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
