"""`adstudio preset`: the house rules that projects are planned by, under names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli.options import argument, flag, option, output_option
from adstudio.cli.output import print_lines, require_safe_target, say, write_output
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.presets.entry import Entry
    from adstudio.presets.preset import Preset


def preset(
    name: Annotated[str | None, argument("NAME|FILE", "A preset: its values, each with its source.")] = None,
    *,
    every: Annotated[bool, flag("--list", "List all presets, as without a name.")] = False,
    output: Annotated[Path | None, output_option("Write the preset to a file.")] = None,
    read: Annotated[
        Path | None, option("FILE", "Add a preset from a file to your own, under NAME or the file’s name.", "--import")
    ] = None,
    force: Annotated[bool, flag("--force", "With --import: replace your own preset of that name.")] = False,
    remove: Annotated[bool, flag("--remove", "Delete one of your own presets.")] = False,
) -> None:
    """List presets, show one with the source of each value, export it, or import and remove your own.

    A preset holds the rules of a house that a film is planned by: draft --preset NAME.
    """
    from adstudio.presets.library import preset_named, read_preset, remove_own, save_own

    if every + (output is not None) + (read is not None) + remove > 1:
        raise BadInputError("too many actions: use one of --list, --output, --import, --remove")
    if force and read is None:
        raise BadInputError("--force only applies to --import")
    if read is not None:
        found = read_preset(read)
        if name is not None:
            found = replace(found, name=name.strip(), title=name.strip())
        say(f"saved: {_summary(save_own(found, replacing=force))}")
        return
    if name is None or every:
        if output is not None or remove or name is not None:
            raise BadInputError(
                "--list lists all presets: leave out the name" if every else "no preset named: give one"
            )
        _list()
        return
    if remove:
        remove_own(name)
        say(f"removed: {name.strip()}")
        return
    found = preset_named(name)
    if output is None:
        print_lines(_lines(found))
        return
    from adstudio.presets.preset_file import preset_bytes

    require_safe_target(output)
    write_output(preset_bytes(found), output)


def _list() -> None:
    from adstudio.presets.library import own_presets, shipped_presets

    own = own_presets()
    print_lines(_summary(each) for each in (*shipped_presets(), *own.presets))
    for fault in own.faults:
        say(fault)


def _summary(preset: Preset) -> str:
    about = preset.about or ("" if preset.shipped else "your own")
    title = "" if preset.title == preset.name else preset.title
    return " · ".join(part for part in (preset.name, title, about) if part)


def _lines(preset: Preset) -> Iterator[str]:
    """What a preset says: a value a line, with its source."""
    from adstudio.presets.mix_keys import MIX_KEYS
    from adstudio.presets.preset import PLAN_KEYS
    from adstudio.presets.qc_keys import QC_KEYS

    yield _summary(preset)
    for key in PLAN_KEYS:
        yield f"{key.label}: {key.text(key.value(preset.settings))} ({preset.sources[key.name]})"
    sections = (
        ("mix", MIX_KEYS, preset.mix_settings, preset.mix),
        ("qc", QC_KEYS, preset.quality_settings, preset.qc),
    )
    for _, keys, settings, entries in sections:
        sources = {each.name: each.source for each in entries}
        for key in keys:
            if key.name in sources:
                yield f"{key.label}: {key.text(getattr(settings, key.name))} ({sources[key.name]})"
    for section, keys, _, entries in sections:
        known = {key.name for key in keys}
        for each in entries:
            if each.name not in known:
                yield f"{section}, {each.name}: {_value_text(each)} ({each.source})"


def _value_text(entry: Entry) -> str:
    values = entry.value if isinstance(entry.value, tuple) else (entry.value,)
    return ", ".join("none" if value is None else str(value) for value in values)
