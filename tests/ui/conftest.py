"""What the window's tests share: settings of their own, a display, the editor as a process, nothing of Qt left over."""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from display import Program, Screen, display, start
from left_over import left_at_last, left_over, warnings_of_qt

PATIENCE_MS = 180_000

try:
    import PySide6.QtWidgets  # noqa: F401 - whether it can be imported is the question
    from pytestqt.qtbot import QtBot
except ImportError as error:
    NO_WINDOW = f"Qt cannot be loaded ({error}); packaging/test.sh installs what the window needs"
else:
    NO_WINDOW = ""
    # A condition that is waited for comes, however busy the machine is; only what never comes takes so long.
    for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed, QtBot.waitActive):
        wait.__kwdefaults__["timeout"] = PATIENCE_MS

FAILED = pytest.StashKey[bool]()
BEFORE = pytest.StashKey[set[int]]()


class SkippedModule(pytest.Module):
    """A file of tests that cannot be imported here."""

    def collect(self) -> Iterator[pytest.Item]:
        pytest.skip(NO_WINDOW, allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    return SkippedModule.from_parent(parent, path=module_path) if NO_WINDOW else None


@pytest.fixture(scope="session")
def _settings_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that there are not yet; `mktemp` looks through those of all tests before for the next number."""
    folder = tmp_path_factory.mktemp("settings")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_settings(_settings_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch):
    """No test finds what another one, or the describer, has set."""
    from PySide6.QtCore import QSettings

    folder = next(_settings_folders)
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(folder))


@pytest.fixture(autouse=True)
def _no_key_held(request: pytest.FixtureRequest) -> Iterator[None]:
    """A modifier that a test's last click held is let go; Qt would hold it in the next test (for its selections)."""
    yield
    if "qapp" in request.fixturenames:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication, QWidget

        if QApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
            QTest.keyRelease(QWidget(), Qt.Key.Key_Control)


@pytest.fixture
def text_size(qapp) -> Iterator[None]:
    """What is set with `apply_text_size`, or as a preference, ends with the test."""
    from adstudio.ui.widgets.theme import SYSTEM_SIZE

    before = qapp.font(), qapp.property(SYSTEM_SIZE)
    qapp.setProperty(SYSTEM_SIZE, None)
    yield
    qapp.setFont(before[0])
    qapp.setProperty(SYSTEM_SIZE, before[1])


@pytest.fixture(scope="session")
def xvfb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A display of 1920 × 1200 in true colour, with software GL and without a window manager: its name, as `:7`."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed; packaging/test.sh installs it")
    with display(tmp_path_factory.mktemp("xvfb")) as name:
        yield name


@pytest.fixture
def screen(xvfb: str) -> Screen:
    """A hand on the display."""
    if shutil.which("xdotool") is None:
        pytest.skip("xdotool is not installed; packaging/test.sh installs it")
    return Screen(xvfb)


@pytest.fixture
def on_display(xvfb: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Program]]:
    """Starts Python with arguments on the display: `on_display("-c", text)`; environment by keyword."""
    folder = tmp_path_factory.mktemp("output")
    programs: list[Program] = []

    def run(*arguments: str | Path, **environment: str) -> Program:
        programs.append(start(xvfb, folder / f"{len(programs)}.txt", arguments, environment))
        return programs[-1]

    yield run
    for program in programs:
        program.stop()


@pytest.fixture
def run_editor(on_display: Callable[..., Program]) -> Callable[..., Program]:
    """Starts `adstudio` with arguments on the display: `run_editor("edit", project, LANG="de_DE.UTF-8")`."""

    def run(*arguments: str | Path, **environment: str) -> Program:
        return on_display("-m", "adstudio.cli.main", *arguments, **environment)

    return run


@pytest.fixture(autouse=True)
def _before(request: pytest.FixtureRequest):
    """Notes what fixtures of a wider scope than the test have made: that may stay."""
    request.node.stash[BEFORE] = set(left_over())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report: Any = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item):
    """Fails a test that leaves something of Qt over, and names it, or that makes Qt warn while it is put away."""
    ignored = [*item.config.getini("qt_log_ignore"), *(a for m in item.iter_markers("qt_log_ignore") for a in m.args)]
    with warnings_of_qt() as said:
        result = yield
    if item.stash.get(FAILED, False) or BEFORE not in item.stash:
        return result  # the frames of a failed test hold on to what it made
    said = [text for text in said if not any(re.search(pattern, text) for pattern in ignored)]
    if said:
        pytest.fail("Qt warned when the test was over: " + "; ".join(said), pytrace=False)
    left = left_at_last(item.stash[BEFORE])
    if left:
        pytest.fail("left over: " + "; ".join(left), pytrace=False)
    return result
