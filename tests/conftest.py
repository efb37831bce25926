"""What all tests share: nothing written into the user's home, no thread or process left behind, the shared data."""

from __future__ import annotations

import faulthandler
import gc
import itertools
import multiprocessing.forkserver
import multiprocessing.resource_tracker
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key  # where its own limit reports to; it has no other name

ONE_IN = 4  # of so many costly cases of a flood one runs, without ADSTUDIO_HYPOTHESIS=full
EVERY_DAY = 5  # how many times fewer examples hypothesis tries than a test asks for, without ADSTUDIO_HYPOTHESIS=full
hypothesis.settings.register_profile("full", deadline=None)  # no test asserts how long something takes
# Every day the same examples, so that a run fails for what was changed; the full search goes on looking for others.
hypothesis.settings.register_profile(
    "every day", deadline=None, max_examples=100 // EVERY_DAY, derandomize=True, database=None
)
hypothesis.settings.load_profile("full" if os.environ.get("ADSTUDIO_HYPOTHESIS") == "full" else "every day")
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before any test file loads onnxruntime by itself
# Without compiled files each worker rewrites the asserts of every test, and each process compiles the program anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it runs in the background so, and each program that a test interrupts would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
for number in (signal.SIGTERM, *(getattr(signal, name, signal.SIGTERM) for name in ("SIGHUP", "SIGQUIT"))):
    if signal.getsignal(number) is signal.SIG_IGN:  # as `nohup` and a shell's background have it
        signal.signal(number, signal.SIG_DFL)

REPOSITORY = Path(__file__).resolve().parents[1]
PATIENCE = 60.0  # seconds for a thread or process that is just ending
COMMAND_LENGTH = 200
NAME_LENGTH = 26  # of a test's folder: a socket's path has room for a hundred characters
NUMBERS = itertools.count()


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Where the system lacks what the window needs, tests/ui skips its tests and all others run without pytest-qt."""
    try:
        import PySide6.QtWidgets  # noqa: F401 - whether it can be imported is the question
    except ImportError:
        pluginmanager.unregister(name="pytest-qt")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Spare the garbage collector the thousands of tests: it would go through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Thin out hypothesis's searches on every day, and share out the files among the workers of pytest-xdist."""
    if hypothesis.settings.get_current_profile_name() == "every day":
        for function in {item.function for item in items if isinstance(item, pytest.Function)}:
            # What `@settings` leaves on a test; it takes precedence over the profile.
            asked = getattr(function, "_hypothesis_internal_use_settings", None)
            if asked is not None:
                fewer = max(1, asked.max_examples // EVERY_DAY)
                function._hypothesis_internal_use_settings = hypothesis.settings(asked, max_examples=fewer)
        thin_floods(config, items)
    if hasattr(config, "workerinput"):
        for item in items:
            item.add_marker(pytest.mark.xdist_group(group_of(item)))
        items.sort(key=lambda item: (not uses_display(item), item.path.parent != REPOSITORY / "tests"))  # longest first


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test whose limit is longer than that of others is ended by force as much later than them."""
    limit = item.get_closest_marker("timeout")
    usual, by_force = (float(item.config.getini(name)) for name in ("timeout", "faulthandler_timeout"))
    if limit is not None and limit.args[0] > usual:
        stderr = item.config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(limit.args[0] + by_force - usual, file=stderr, exit=True)


def thin_floods(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run every fourth case only of each test that is marked as a flood of costly cases."""
    seen: Counter[tuple[Path, str]] = Counter()
    spared: list[pytest.Item] = []
    for item in items:
        if item.get_closest_marker("flood") is not None:
            name = (item.path, getattr(item, "originalname", item.name))
            if seen[name] % ONE_IN:
                spared.append(item)
            seen[name] += 1
    if spared:
        config.hook.pytest_deselected(items=spared)
        gone = set(spared)
        items[:] = [item for item in items if item not in gone]


def group_of(item: pytest.Item) -> str:
    """The name of the tests that one worker runs: a display has one pointer and one focus, METEOR takes long to read
    its tables, and a file may share costly fixtures."""
    if uses_display(item):
        return "display"
    if "java_scorer" in getattr(item, "fixturenames", ()):
        return "METEOR"
    return item.path.relative_to(REPOSITORY).as_posix()


def uses_display(item: pytest.Item) -> bool:
    """Whether a test runs programs on the virtual display."""
    return "xvfb" in getattr(item, "fixturenames", ())


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest's own, which looks through the folders of all tests before this one for the next number."""
    name = re.sub(r"\W", "_", request.node.name)[:NAME_LENGTH]
    folder = tmp_path_factory.getbasetemp() / f"{name}{next(NUMBERS)}"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("there is no mount command here")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("mounting is refused here (it needs root)")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.fixture(scope="session", autouse=True)
def _own_surroundings(tmp_path_factory: pytest.TempPathFactory):
    """A home of the tests' own, no display and no keyring, and the same language and plainness of output everywhere."""
    home = tmp_path_factory.mktemp("home")
    runtime = home / "run"
    runtime.mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LANGUAGE", "FORCE_COLOR", "CLICOLOR_FORCE", "PYTHONPATH", "PYTHONWARNINGS"):
            patch.delenv(name, raising=False)
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):  # windows are the tests' own too
            patch.delenv(name, raising=False)
        for name in [name for name in os.environ if name.startswith(("LC_", "QT_"))]:
            patch.delenv(name)
        patch.setenv("QT_QPA_PLATFORM", "offscreen")
        patch.setenv("LANG", "C.UTF-8")
        patch.setenv("NO_COLOR", "1")
        patch.setenv("COLUMNS", "100")
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        # Not detected: that would take the describer's own, or one that a test has defined.
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        for kind, folder in (
            ("CONFIG", ".config"),
            ("CACHE", ".cache"),
            ("DATA", ".local/share"),
            ("STATE", ".local/state"),
        ):
            patch.setenv(f"XDG_{kind}_HOME", str(home / folder))
        yield


@pytest.fixture(autouse=True)
def _own_secret() -> Iterator[None]:
    """No secret of a home that the test before may have had."""
    yield
    found = sys.modules.get("adstudio.system.keyring_access")
    if found is not None:
        found.user_secret.cache_clear()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of films, subtitles and papers beside the checkout; a test that needs it is skipped without it."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared data is not beside this checkout")
    return folder


def running_threads() -> set[threading.Thread]:
    """The threads that would keep the program from ending."""
    return {thread for thread in threading.enumerate() if not thread.daemon}


def running_children() -> dict[int, str]:
    """The command of each child process that has not ended, without those that Python keeps for itself."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return {}  # none at all, as nearly always
    own = {
        getattr(multiprocessing.resource_tracker._resource_tracker, "_pid", None),
        getattr(multiprocessing.forkserver._forkserver, "_forkserver_pid", None),
    }
    found: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state not in "ZX" and int(folder.name) not in own:
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                found[int(folder.name)] = command[:COMMAND_LENGTH] or "(no command)"
        except OSError:
            continue  # ended meanwhile
    return found


@pytest.fixture(autouse=True)
def _nothing_left_running():
    """Fails a test that leaves a thread or a process running, and names it."""
    threads = running_threads()
    children = running_children()
    yield
    deadline = time.monotonic() + PATIENCE
    while True:
        left = [f"thread {thread.name!r}" for thread in running_threads() - threads]
        left += [f"process {pid} ({command})" for pid, command in running_children().items() if pid not in children]
        if not left:
            return
        if time.monotonic() > deadline:
            pytest.fail("left running: " + "; ".join(left), pytrace=False)
        time.sleep(0.02)


@pytest.fixture(scope="session")
def sample_film(tmp_path_factory: pytest.TempPathFactory):
    """The sample film and its companion files, in a folder of the tests' own."""
    from adstudio.sample_film import copy_sample_film

    return copy_sample_film(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def sample_folder(sample_film) -> Path:
    """The folder of the sample film."""
    return sample_film.film.parent
