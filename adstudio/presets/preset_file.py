"""`adstudio-preset/1`: strict reading, and writing (docs/formats.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from typing import cast

from adstudio.core.house_rules import house_fault
from adstudio.core.json_reading import Node, json_bytes, parse_json
from adstudio.core.setting_ranges import (
    GREATEST_DISTANCE,
    GREATEST_GAP,
    GREATEST_MARGIN,
    GREATEST_RATE,
    GREATEST_REACH,
    LEAST_RATE,
)
from adstudio.core.settings import Near, Scope
from adstudio.core.timebase import seconds
from adstudio.presets.entry import Entry, Scalar
from adstudio.presets.mix_keys import MIX_KEYS
from adstudio.presets.preset import PLAN_KEYS, PlanValue, Preset, plan_settings
from adstudio.presets.qc_keys import QC_KEYS
from adstudio.presets.section_keys import SectionKey

FORMAT = "adstudio-preset/1"
MAX_BYTES = 100_000
"""Bytes of a file."""
MAX_NAME_LENGTH = 60
"""Characters in a name or a title."""
_MAX_TEXT = 300
"""Characters in a source, in what a preset is about, and in a value of a later section."""
_MAX_ENTRIES = 100
_MAX_NUMBER = 10**9
_ENTRY_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")


def parse_preset(data: bytes, source: str, name: str) -> Preset:
    """Read a preset, which will be called `name`; `source` names the file in messages.

    Raises:
        JsonError: with the place and the error: another version, unknown or missing keys, values out of range, values
            without a source, rules that contradict each other.
    """
    root = parse_json(data, source)
    # Before its keys: those of another version would be called unknown.
    if root.has("format"):
        form = Node(cast("dict[str, object]", root.value)["format"], "format", source)
        if form.value != FORMAT:
            form.fail(f"expected “{FORMAT}”, not “{form.text()[:60]}”")
    top = root.members(("format", "title", "plan"), ("about", "mix", "qc"))
    plan = top["plan"].members([key.name for key in PLAN_KEYS])
    values: dict[str, PlanValue] = {}
    sources: dict[str, str] = {}
    for key in PLAN_KEYS:
        found = plan[key.name].members(("value", "source"))
        values[key.name] = _READERS[key.name](found["value"])
        sources[key.name] = _line(found["source"], _MAX_TEXT)
    settings = plan_settings(values)
    fault = house_fault(replace(settings, delta_early=settings.early, delta_late=settings.late))
    if fault is not None:
        plan[fault.key].fail(fault.sentence)
    return Preset(
        name=name,
        title=_line(top["title"], MAX_NAME_LENGTH),
        settings=settings,
        sources=sources,
        about=_line(top["about"], _MAX_TEXT) if "about" in top else "",
        mix=_checked_entries(top["mix"], MIX_KEYS) if "mix" in top else (),
        qc=_checked_entries(top["qc"], QC_KEYS) if "qc" in top else (),
    )


def preset_bytes(preset: Preset) -> bytes:
    """A preset in its file format; reading it gives an equal one."""
    found: dict[str, object] = {"format": FORMAT, "title": preset.title}
    if preset.about:
        found["about"] = preset.about
    found["plan"] = {
        key.name: {
            "value": _WRITERS.get(key.name, _same)(key.value(preset.settings)),
            "source": preset.sources[key.name],
        }
        for key in PLAN_KEYS
    }
    for section, entries in (("mix", preset.mix), ("qc", preset.qc)):
        if entries:
            found[section] = {each.name: {"value": each.value, "source": each.source} for each in entries}
    return json_bytes(found)


def _line(node: Node, at_most: int) -> str:
    text = node.text(at_most, empty=False)
    if not text.isprintable():
        node.fail("must be on one line, without control characters")
    return text


def _near(node: Node) -> Near | None:
    if node.is_null:
        return None
    found = node.members(("early", "late", "far_gain"))
    return Near(
        found["early"].ms(highest=GREATEST_DISTANCE),
        found["late"].ms(highest=GREATEST_DISTANCE),
        found["far_gain"].millionths(0, 1),
    )


def _scope(node: Node) -> Scope:
    names = [scope.value for scope in Scope]
    if node.value not in names:
        node.fail(f"expected {' or '.join(f'“{name}”' for name in names)}")
    return Scope(node.value)


def _checked_entries(node: Node, keys: Iterable[SectionKey]) -> tuple[Entry, ...]:
    """The values of a section; those that the program uses are checked."""
    entries = _entries(node)
    members = node.members((), [each.name for each in entries])
    for key in keys:
        if key.name in members:
            key.read(members[key.name].members(("value", "source"))["value"])
    return entries


def _entries(node: Node) -> tuple[Entry, ...]:
    """The values of a section: any name, a plain value and its source."""
    value = node.value
    names = list(cast("dict[str, object]", value)) if isinstance(value, dict) else []
    if len(names) > _MAX_ENTRIES:
        node.fail(f"{len(names):,} values; at most {_MAX_ENTRIES} are allowed")
    for name in names:
        if not _ENTRY_NAME.fullmatch(name):
            node.fail(f"“{name[:80]}” is not the name of a value: use a to z, digits and underscores, up to 60")
    entries: list[Entry] = []
    for name, each in node.members((), names).items():
        found = each.members(("value", "source"))
        value = found["value"]
        several = isinstance(value.value, list)
        scalars = tuple(_scalar(item) for item in value.items(_MAX_ENTRIES)) if several else _scalar(value)
        entries.append(Entry(name, scalars, _line(found["source"], _MAX_TEXT)))
    return tuple(entries)


def _scalar(node: Node) -> Scalar:
    value = node.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return node.text(_MAX_TEXT)
    number = node.number()
    if abs(number) > _MAX_NUMBER:
        node.fail(f"a number beyond {_MAX_NUMBER:,}")
    return int(number) if isinstance(value, int) or not isinstance(value, Decimal) else float(number)


def _same(value: PlanValue) -> object:
    return value


def _seconds_json(value: PlanValue) -> object:
    return seconds(value) if isinstance(value, int) else None


def _near_json(value: PlanValue) -> object:
    if not isinstance(value, Near):
        return None
    return {"early": seconds(value.early), "late": seconds(value.late), "far_gain": value.far_gain / 1_000_000}


_READERS: dict[str, Callable[[Node], PlanValue]] = {
    "margin_before": lambda node: node.ms(highest=GREATEST_MARGIN),
    "margin_after": lambda node: node.ms(highest=GREATEST_MARGIN),
    "least_gap": lambda node: node.ms(highest=GREATEST_GAP),
    "keep_sound": Node.boolean,
    "keep_music": Node.boolean,
    "keep_sung": Node.boolean,
    "words_per_minute": lambda node: node.integer(LEAST_RATE, GREATEST_RATE),
    "min_pause": lambda node: node.ms(highest=GREATEST_MARGIN),
    "max_share": lambda node: node.millionths(0, 1),
    "delta_early": lambda node: node.ms(highest=GREATEST_DISTANCE),
    "delta_late": lambda node: node.ms(highest=GREATEST_DISTANCE),
    "near": _near,
    "reach": lambda node: None if node.is_null else node.integer(0, GREATEST_REACH),
    "scope": _scope,
}
_WRITERS: dict[str, Callable[[PlanValue], object]] = {
    **dict.fromkeys(
        ("margin_before", "margin_after", "least_gap", "min_pause", "delta_early", "delta_late"), _seconds_json
    ),
    "max_share": lambda value: value / 1_000_000 if isinstance(value, int) else None,
    "near": _near_json,
    "scope": lambda value: value.value if isinstance(value, Scope) else None,
}
