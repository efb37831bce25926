"""How narration is mixed: the preset and the changes to it that were chosen last, in the mix dialog and for hearing."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import cast

from adstudio.core.errors import AdstudioError
from adstudio.core.mix_settings import MixSettings
from adstudio.core.script import Script
from adstudio.presets.library import DEFAULT, preset_named, preset_of_settings
from adstudio.presets.mix_keys import MIX_KEYS
from adstudio.presets.preset import Preset
from adstudio.ui.session.preferences import Preferences

PREFERENCE = "mix"
BITS = (16, 24)


@dataclass(frozen=True)
class MixChoices:
    """What was chosen last.

    `preset` is a preset's name, empty for the one that the project's settings are. `changes` are fields of
    `MixSettings` that are otherwise than in the preset. `kind` is the value of a `MixKind`.
    """

    preset: str = ""
    changes: tuple[tuple[str, int | None], ...] = ()
    kind: str = "mix"
    bits: int = 24

    def settings(self, script: Script) -> MixSettings:
        """How a script's narration is mixed."""
        return replace(self.preset_for(script).mix_settings, **dict(self.changes))

    def preset_for(self, script: Script) -> Preset:
        """The chosen preset; that of the project where none was chosen, or the chosen one has gone."""
        try:
            if self.preset:
                return preset_named(self.preset)
        except AdstudioError:
            pass
        return project_preset(script)


def project_preset(script: Script) -> Preset:
    """The preset that a project's settings are, else the usual one."""
    return preset_of_settings(script.settings, script.film.language) or preset_named(DEFAULT)


def stored_mix(preferences: Preferences) -> MixChoices:
    """What was chosen last; the defaults for what cannot be read."""
    usual = MixChoices()
    try:
        found = cast("dict[str, object]", json.loads(preferences.text(PREFERENCE, "{}")))
        changes = cast("dict[str, object]", found.get("changes", {}))
        preset, kind, bits = (found.get(name, getattr(usual, name)) for name in ("preset", "kind", "bits"))
        wanted = {key.name: changes[key.name] for key in MIX_KEYS if key.name in changes}
    except (ValueError, TypeError, AttributeError):
        return usual
    possible = tuple(
        (key.name, cast("int | None", value))
        for key in MIX_KEYS
        for value in (wanted.get(key.name, ""),)
        if (value is None and key.without) or (type(value) is int and key.least <= value <= key.greatest)
    )
    return MixChoices(
        preset if isinstance(preset, str) else "",
        possible,
        kind if isinstance(kind, str) else usual.kind,
        bits if bits in BITS and isinstance(bits, int) else usual.bits,
    )


def store_mix(preferences: Preferences, choices: MixChoices) -> None:
    """Remember what was chosen."""
    text = {
        "preset": choices.preset,
        "changes": dict(choices.changes),
        "kind": choices.kind,
        "bits": choices.bits,
    }
    preferences.store(PREFERENCE, json.dumps(text))
