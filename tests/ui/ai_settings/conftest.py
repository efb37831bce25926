"""What the tests of the pages about models share: a context with its own place for settings, logs and keys."""

from __future__ import annotations

import os

import pytest
from desks import desk_on

pytest.importorskip("httpx2", reason="httpx2 is not installed")


@pytest.fixture(autouse=True)
def _own_places(tmp_path, monkeypatch):
    """Neither connections nor the log of others, and no key of theirs."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in [name for name in os.environ if name.startswith("ADSTUDIO_KEY_")]:
        monkeypatch.delenv(name)
    yield
    for name in [name for name in os.environ if name.startswith("ADSTUDIO_KEY_")]:
        del os.environ[name]


@pytest.fixture
def context(qtbot, tmp_path):
    """A context with a small film open."""
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def keyring_of(monkeypatch):
    """Puts another keyring in the place of the system's, here and not in processes that are started."""
    keyring = pytest.importorskip("keyring", reason="keyring is not installed")
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


@pytest.fixture
def said(context):
    """The sentences that the describer is told."""
    heard: list[str] = []
    context.session.messages.said.connect(heard.append)
    return heard
