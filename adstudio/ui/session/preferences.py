"""What the program remembers of the describer's choices between sessions; nothing about a film is stored here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from adstudio.ui.widgets.theme import TEXT_SIZES, Look

MOST_RECENT = 12
LEAST_LIMIT, GREATEST_LIMIT = 1, 600
BACKENDS = ("auto", "exact", "cpsat", "gurobi")


class Preferences(QObject):
    """Typed access to the settings file; a value that makes no sense reads as its default."""

    changed = Signal(str)  # the name of what changed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "adstudio", "adstudio", self)

    def text(self, name: str, default: str = "") -> str:
        """A text that was stored under a name."""
        value = self._settings.value(name, default)
        return value if isinstance(value, str) else default

    def store(self, name: str, value: str) -> None:
        """Remember a text under a name, and tell."""
        if self.text(name) != value:
            self._settings.setValue(name, value)
            self.changed.emit(name)

    def flag(self, name: str, *, default: bool) -> bool:
        """Something that is on or off."""
        return self.text(name, "on" if default else "off") == "on"

    def store_flag(self, name: str, value: bool) -> None:
        """Remember whether something is on."""
        self.store(name, "on" if value else "off")

    @property
    def look(self) -> Look:
        """The theme."""
        name = self.text("look", Look.SYSTEM.value)
        return Look(name) if name in {look.value for look in Look} else Look.SYSTEM

    @property
    def text_size(self) -> int:
        """The size of text in hundredths of the system's."""
        name = self.text("text_size", "100")
        return int(name) if name in {str(size) for size in TEXT_SIZES} else 100

    @property
    def backend(self) -> str:
        """The engine that plans: auto, exact, cpsat or gurobi."""
        name = self.text("backend", "auto")
        return name if name in BACKENDS else "auto"

    @property
    def limit(self) -> float:
        """Seconds that the second opinion may take for a scene."""
        try:
            return min(GREATEST_LIMIT, max(LEAST_LIMIT, float(self.text("limit", "10"))))
        except ValueError:
            return 10.0

    @property
    def recent(self) -> tuple[Path, ...]:
        """The projects opened last, the newest first."""
        return tuple(Path(name) for name in _texts(_parsed(self.text("recent"))))

    def remember(self, project: Path) -> None:
        """A project was opened."""
        paths = [str(project), *(str(path) for path in self.recent if path != project)]
        self.store("recent", json.dumps(paths[:MOST_RECENT]))

    def forget(self, project: Path) -> None:
        """A project is no longer wanted in the list."""
        self.store("recent", json.dumps([str(path) for path in self.recent if path != project]))

    @property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """The describer's own keys by action."""
        found = _parsed(self.text("keys"))
        pairs = cast("dict[object, object]", found).items() if isinstance(found, dict) else ()
        return {str(name): tuple(_texts(keys)) for name, keys in pairs}

    def store_keys(self, keys: dict[str, tuple[str, ...]]) -> None:
        """Remember the describer's own keys."""
        self.store("keys", json.dumps(keys))

    def arrangement(self, name: str) -> QByteArray:
        """Where the panels of a layout were left; empty where it never was used."""
        return QByteArray.fromBase64(self.text(f"arrangement/{name}").encode("ascii", "ignore"))

    def store_arrangement(self, name: str, state: QByteArray) -> None:
        """Remember where the panels stand."""
        self.store(f"arrangement/{name}", bytes(state.toBase64().data()).decode("ascii"))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _texts(found: object) -> list[str]:
    return [item for item in cast("list[object]", found) if isinstance(item, str)] if isinstance(found, list) else []
