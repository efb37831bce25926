"""A permission is this user's own: forged, given by a colleague or taken from elsewhere, it allows nothing."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import fail
from example_scripts import MEDIA, SCRIPT

from adstudio.core.policy import OFFLINE, Consent, Host, Lapse, Policy
from adstudio.llm.faults import NotAllowedError
from adstudio.llm.policy_enforcement import permit
from adstudio.store import layout
from adstudio.store.codec import encode
from adstudio.store.project import ProjectFile
from adstudio.system import keyring_access

HOUSE = Policy("on premises", (Host("gpu.house", 8000),))
CLOUD = Policy("cloud", (), Consent("gemini", frozenset(("text", "clips")), "2026-11-28T06:00:00Z"))
pytestmark = pytest.mark.attack(2)


@pytest.fixture(autouse=True)
def become(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Be another user of this name, with a home of their own."""

    def now_be(name: str) -> None:
        keyring_access.user_secret.cache_clear()
        monkeypatch.setattr(keyring_access, "user_data", lambda file: tmp_path / "homes" / name / file)

    now_be("describer")
    yield now_be
    keyring_access.user_secret.cache_clear()


def append_row(path: Path, data: bytes, code: bytes = b"") -> None:
    """Append a policy as this program would, all sums included."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        identity, last, chain = connection.execute("SELECT identity, last, last_sum FROM identity").fetchone()
        total = layout.digest("policy", chain, last + 1, 5, data)
        connection.execute("INSERT INTO policy VALUES (?, 5, ?, ?, ?)", (last + 1, data, total, code))
        head = (identity, last + 1, total)
        connection.execute(
            "UPDATE identity SET last = ?, last_sum = ?, sum = ?", (*head[1:], layout.digest("identity", *head))
        )


def codes(path: Path) -> list[tuple[bytes, bytes]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT policy, code FROM policy ORDER BY seq").fetchall()


def require_withheld(path: Path) -> None:
    for read_only in (True, False):
        with ProjectFile.open(path, read_only=read_only) as project:
            assert project.oddities == ()
            assert project.policy.lapse is Lapse.OTHER_USER
            assert (project.policy.rule, project.policy.on_premises_hosts) == ("offline", ())
            with pytest.raises(NotAllowedError, match="not confirmed by you, but by somebody else"):
                permit(project.policy, "https", "gpu.house", 8000)


def require_granted(path: Path) -> None:
    with ProjectFile.open(path) as project:
        assert (project.policy, project.policy.lapse) == (HOUSE, None)
        permit(project.policy, "https", "gpu.house", 8000)


def test_a_forged_permission_allows_nothing(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    append_row(path, encode(HOUSE.granted_for(MEDIA.fingerprint)))
    require_withheld(path)


@pytest.mark.parametrize("length", [1, 31, 32, 64])
def test_a_guessed_code_allows_nothing(path: Path, length: int) -> None:
    ProjectFile.create(path, SCRIPT).close()
    append_row(path, encode(HOUSE.granted_for(MEDIA.fingerprint)), bytes(length))
    require_withheld(path)


def test_a_permission_that_was_taken_back_cannot_be_put_in_force_again(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as project:
        project.set_policy(OFFLINE)
    append_row(path, *codes(path)[0])
    require_withheld(path)


def test_a_permission_of_another_project_allows_nothing(path: Path) -> None:
    other = path.with_name("other.adproj")
    ProjectFile.create(other, SCRIPT, policy=HOUSE).close()
    ProjectFile.create(path, SCRIPT).close()
    append_row(path, *codes(other)[0])
    require_withheld(path)


def test_a_permission_widened_by_hand_allows_nothing(path: Path) -> None:
    ProjectFile.create(path, SCRIPT, policy=HOUSE).close()
    (_, code), *_ = codes(path)
    append_row(path, encode(CLOUD.granted_for(MEDIA.fingerprint)), code)
    with ProjectFile.open(path) as project:
        assert project.policy.lapse is Lapse.OTHER_USER


def test_a_colleagues_permission_is_named_and_has_to_be_given_again(path: Path, become) -> None:
    ProjectFile.create(path, SCRIPT, policy=HOUSE).close()
    become("colleague")
    require_withheld(path)
    with ProjectFile.open(path) as project:
        assert project.policies[-1].policy == HOUSE, "what was allowed there can be shown"
        copy = path.with_name("copy.adproj")
        ProjectFile.create(copy, SCRIPT, like=project).close()
    require_withheld(copy)
    with ProjectFile.open(path) as project:
        project.document(on_failure=fail)
        project.set_policy(HOUSE)
    require_granted(path)
    become("describer")
    require_withheld(path)


def test_a_renamed_moved_restored_and_copied_project_is_still_its_users(path: Path, tmp_path: Path) -> None:
    ProjectFile.create(path, SCRIPT, policy=HOUSE).close()
    earlier = path.read_bytes()
    renamed = path.rename(path.with_name("renamed.adproj"))
    require_granted(renamed)
    (tmp_path / "elsewhere").mkdir()
    moved = Path(shutil.move(renamed, tmp_path / "elsewhere" / "film.adproj"))
    require_granted(moved)
    moved.write_bytes(earlier)
    require_granted(moved)
    with ProjectFile.open(moved) as project:
        ProjectFile.create(path, SCRIPT, like=project).close()
    require_granted(path)


def test_of_another_film_the_users_own_permission_allows_nothing(path: Path) -> None:
    other = replace(SCRIPT.film, media=replace(MEDIA, fingerprint="blake2b:11"))
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as project:
        copy = path.with_name("copy.adproj")
        ProjectFile.create(copy, SCRIPT.with_changes(film=other), like=project).close()
    with ProjectFile.open(copy) as project:
        assert project.policy.lapse is Lapse.OTHER_FILM


def test_the_secret_is_one_for_all_time_and_closed_to_others(tmp_path: Path) -> None:
    first = keyring_access.user_secret()
    file = tmp_path / "homes" / "describer" / "permissions.key"
    assert file.stat().st_mode & 0o077 == 0
    keyring_access.user_secret.cache_clear()
    assert keyring_access.user_secret() == first
    assert len(first) == 32


def test_a_damaged_secret_keeps_no_project_from_opening(path: Path, tmp_path: Path) -> None:
    ProjectFile.create(path, SCRIPT, policy=HOUSE).close()
    (tmp_path / "homes" / "describer" / "permissions.key").write_text("rubbish")
    keyring_access.user_secret.cache_clear()
    with ProjectFile.open(path) as project:
        assert project.policy.lapse is Lapse.NO_KEYRING
        assert project.policy.rule == "offline"


class _Backend:
    """A keyring that works, or is locked."""

    def __init__(self, *, locked: bool = False) -> None:
        self.entries: dict[tuple[str, str], str] = {}
        self.locked = locked

    def get_password(self, service: str, name: str) -> str | None:
        self._require_open()
        return self.entries.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        self._require_open()
        self.entries[service, name] = value

    def _require_open(self) -> None:
        from keyring.errors import KeyringLocked

        if self.locked:
            raise KeyringLocked


def test_where_there_is_a_keyring_the_secret_is_nowhere_else(path: Path, tmp_path: Path, monkeypatch) -> None:
    import keyring

    backend = _Backend()
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    ProjectFile.create(path, SCRIPT, policy=HOUSE).close()
    assert list(backend.entries) == [("adstudio", "permissions")]
    assert not (tmp_path / "homes").exists()
    require_granted(path)
    backend.locked = True
    keyring_access.user_secret.cache_clear()
    with ProjectFile.open(path) as project:
        assert project.policy.lapse is Lapse.NO_KEYRING
        with pytest.raises(NotAllowedError, match="keyring is locked"):
            permit(project.policy, "https", "gpu.house", 8000)
    assert not (tmp_path / "homes").exists(), "a locked keyring is no reason for a second secret"
