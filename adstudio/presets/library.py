"""The presets there are: those that travel with the program, and the user’s own in the configuration folder."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.settings import Settings
from adstudio.presets.preset import Preset, for_language, is_equivalent
from adstudio.presets.preset_file import MAX_BYTES, MAX_NAME_LENGTH, parse_preset, preset_bytes
from adstudio.system.files import read_bounded, reason, write_atomically
from adstudio.system.locations import resource, user_config

SHIPPED = ("house", "uk", "us", "streaming", "german", "french", "childrens", "paper")
"""The names of the presets that travel with the program."""
DEFAULT = "house"
"""The preset of a new project."""
WITHOUT_RULES = "paper"
"""The preset that asks nothing beyond the paper’s problem."""
MOST_OWN = 200
ENDING = ".json"
_NAME = re.compile(r"\w(?:[\w .()-]*[\w)])?")


class PresetExistsError(BadInputError):
    """The user has a preset of that name."""

    option = "--force"


@dataclass(frozen=True)
class OwnPresets:
    """The user’s own presets, and a sentence for each file among them that cannot be used."""

    presets: tuple[Preset, ...] = ()
    faults: tuple[str, ...] = ()


@cache
def shipped_presets() -> tuple[Preset, ...]:
    """The presets that travel with the program.

    Raises:
        AdstudioError: where the installation lacks one or it is damaged.
    """
    return tuple(replace(read_preset(resource("presets", f"{name}{ENDING}")), shipped=True) for name in SHIPPED)


def own_folder() -> Path:
    """Where the user’s own presets are, a file each."""
    return user_config("presets")


def own_presets() -> OwnPresets:
    """The user’s own presets, by name; where their folder cannot be read, that is the one fault."""
    folder = own_folder()
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ENDING) if folder.exists() else []
    except OSError as error:
        return OwnPresets(faults=(f"{folder} cannot be read: {reason(error)}",))
    presets: list[Preset] = []
    faults: list[str] = []
    for file in files[:MOST_OWN]:
        try:
            presets.append(read_preset(file))
        except AdstudioError as error:
            faults.append(str(error))
    if len(files) > MOST_OWN:
        faults.append(f"{folder} has {len(files):,} presets, of which the first {MOST_OWN} are listed: remove some")
    return OwnPresets(tuple(presets), tuple(faults))


def read_preset(file: Path) -> Preset:
    """The preset in a file, called as the file is.

    Raises:
        BadInputError: for a file that is not a preset of this version.
        OutsideFailureError: if it cannot be read.
    """
    return parse_preset(read_bounded(file, MAX_BYTES, "preset"), str(file), file.stem)


def preset_named(name: str) -> Preset:
    """The preset of that name, whatever its capitals; else the one in a file of that name.

    Raises:
        BadInputError: if there is none (the message lists the known ones), or it cannot be used.
        OutsideFailureError: if it cannot be read.
    """
    folded = name.strip().casefold()
    if folded in SHIPPED:
        return shipped_presets()[SHIPPED.index(folded)]
    # A file that is named as one needs no folder of own presets, which may not be readable.
    if Path(name).name != name or Path(name).is_file():
        return read_preset(Path(name))
    file = _own_file(name.strip())
    if file is not None:
        return read_preset(file)
    if name.lower().endswith(ENDING):
        return read_preset(Path(name))
    known = ", ".join((*SHIPPED, *(each.name for each in own_presets().presets)))
    raise BadInputError(f"there is no preset “{name[:80]}” (known: {known}): give one of these names, or a preset file")


def preset_of_settings(settings: Settings, language: str) -> Preset | None:
    """The preset that a project's settings are; None if they are none."""
    mine = for_language(settings, language)
    for presets in (shipped_presets, lambda: own_presets().presets):
        for each in presets():
            if is_equivalent(each.settings, mine):
                return each
    return None


def save_own(preset: Preset, *, replacing: bool = False) -> Preset:
    """Save a preset as one of the user’s own; an existing one of its name is only replaced if that is wanted.

    Raises:
        PresetExistsError: if one has that name.
        BadInputError: for a name that cannot be used, or a preset beyond the limits of its format.
        OutsideFailureError: if it cannot be written.
    """
    require_own_name(preset.name)
    existing = _own_file(preset.name)
    if existing is not None and not replacing:
        raise PresetExistsError(f"there is a preset “{existing.stem}” already: choose another name, or replace it")
    file = existing or own_folder() / f"{preset.name}{ENDING}"
    data = preset_bytes(preset)
    saved = parse_preset(data, str(file), file.stem)
    if existing is None and len(own_presets().presets) >= MOST_OWN:
        raise BadInputError(f"at most {MOST_OWN} presets can be saved: remove some")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutsideFailureError(f"{file.parent} cannot be created: {reason(error)}") from error
    write_atomically(file, data, replacing=replacing)
    return saved


def remove_own(name: str) -> None:
    """Delete one of the user’s own presets.

    Raises:
        BadInputError: if it is not one of them.
        OutsideFailureError: if it cannot be deleted.
    """
    if name.strip().casefold() in SHIPPED:
        raise BadInputError(f"“{name.strip()}” comes with adstudio and cannot be removed")
    file = _own_file(name.strip())
    if file is None:
        raise BadInputError(f"there is no preset “{name[:80]}” of your own")
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise OutsideFailureError(f"{file} cannot be deleted: {reason(error)}") from error


def require_own_name(name: str) -> None:
    """Check that one’s own preset can have this name; raises BadInputError if not."""
    if len(name) > MAX_NAME_LENGTH or not _NAME.fullmatch(name):
        raise BadInputError(
            f"“{name[:80]}” cannot be a preset’s name: use letters, digits, spaces (up to {MAX_NAME_LENGTH})"
        )
    if name.casefold() in SHIPPED:
        raise BadInputError(f"“{name}” is the name of a preset that comes with adstudio: choose another one")


def _own_file(name: str) -> Path | None:
    """The file of one’s own preset of that name, whatever its capitals; None if there is none."""
    folder = own_folder()
    try:
        files = list(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise OutsideFailureError(f"{folder} cannot be read: {reason(error)}") from error
    wanted = f"{name}{ENDING}".casefold()
    return next((file for file in files if file.name.casefold() == wanted), None)
