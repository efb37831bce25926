"""What was chosen last in the Export dialog: the format, its options and the columns of each format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from adstudio.core.errors import BadInputError
from adstudio.delivery.columns import COLUMNS
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions, Option, Separator
from adstudio.ui.session.preferences import Preferences

PREFERENCE = "export"
OPTIONS = "export options"


def store_choices(
    preferences: Preferences, name: str, options: ExportOptions, columns: Mapping[str, tuple[str, ...]]
) -> None:
    """Remember a format, its options and the columns of each, but not that lines are left out."""
    _, before = stored_choices(preferences)
    having = FORMATS[name].options
    separator = options.separator if Option.SEPARATOR in having else before.separator
    from_timecode = options.from_timecode if Option.FROM_TIMECODE in having else before.from_timecode
    preferences.store(PREFERENCE, name)
    chosen = {"from_timecode": from_timecode, "separator": separator.value, "columns": dict(columns)}
    preferences.store(OPTIONS, json.dumps(chosen))


def stored_choices(preferences: Preferences) -> tuple[str, ExportOptions]:
    """The format and the options chosen last; the defaults for what cannot be read."""
    name = preferences.text(PREFERENCE, "srt")
    try:
        found = cast("dict[str, object]", json.loads(preferences.text(OPTIONS, "{}")))
        options = ExportOptions(
            from_timecode=bool(found.get("from_timecode")),
            separator=Separator(found.get("separator", ",")),
        )
    except (ValueError, TypeError, AttributeError, BadInputError):
        options = ExportOptions()
    return (name if name in FORMATS else "srt"), options


def stored_columns(preferences: Preferences) -> dict[str, tuple[str, ...]]:
    """The columns of each format that were chosen last; a list of old is of the CSV."""
    try:
        found = cast("dict[str, object]", json.loads(preferences.text(OPTIONS, "{}"))).get("columns", {})
        by_form = cast("dict[str, list[str]]", {"csv": found} if isinstance(found, list) else found)
        chosen = {form: tuple(name for name in columns if name in COLUMNS) for form, columns in by_form.items()}
    except (ValueError, TypeError, AttributeError):
        return {}
    return {form: columns for form, columns in chosen.items() if columns}
