"""A keyring in a file, named by FILE_KEYRING, for programs that a test runs: PYTHON_KEYRING_BACKEND names it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class Keyring(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def _kept(self) -> dict[str, str]:
        file = Path(os.environ["FILE_KEYRING"])
        return json.loads(file.read_text()) if file.exists() else {}

    def get_password(self, service: str, username: str) -> str | None:
        return self._kept().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        kept = self._kept() | {f"{service} {username}": password}
        Path(os.environ["FILE_KEYRING"]).write_text(json.dumps(kept))

    def delete_password(self, service: str, username: str) -> None:
        kept = {name: value for name, value in self._kept().items() if name != f"{service} {username}"}
        Path(os.environ["FILE_KEYRING"]).write_text(json.dumps(kept))
