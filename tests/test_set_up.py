"""The set-up that the scripts share, on machines made of stand-ins: nothing here reaches apt, sudo, pip or a mirror."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

PYTHON = """#!/bin/sh
case "$*" in
  *_base_executable*) echo "$STANDINS/python3" ;;
  *"print(sys.version"*) echo "${STANDIN_VERSION:-3.11}" ;;
  *"import sys, pip"*) exit 0 ;;
  *"-m venv"*) echo venv >> "$LOG"; for last; do :; done; mkdir -p "$last/bin" && cp "$0" "$last/bin/python" ;;
  *"-m pip"*)
    for last; do :; done
    echo "pip $last" >> "$LOG"
    [ "$last" = packaging/apart.txt ] || env > "$LOG.environment"
    pwd > "$LOG.folder"
    sleep "${STANDIN_SECONDS:-0}"
    exit "${STANDIN_PIP:-0}" ;;
esac
"""
EXTRAS = "pip .[dev,eval,faces,gurobi,neural,words]"
APART = "pip packaging/apart.txt"
"""The packages that are installed without what they ask for."""

LIBRARIES = [
    *("libEGL.so.1", "libGL.so.1", "libOpenGL.so.0", "libglib-2.0.so.0", "libdbus-1.so.3", "libfontconfig.so.1"),
    *("libxkbcommon.so.0", "libxkbcommon-x11.so.0", "libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1"),
    *("libxcb-shape.so.0", "libmpv.so.2", "libportaudio.so.2", "libenchant-2.so.2"),
]
TOOLS = ("bash", "cat", "cp", "dirname", "env", "flock", "grep", "mkdir", "rm", "sed", "sha256sum", "sh", "sleep")


@dataclass
class Checkout:
    """A checkout whose path has a space and letters beyond ASCII, on a machine made of stand-ins."""

    root: Path
    standins: Path
    log: Path

    def program(self, name: str, text: str) -> None:
        path = self.standins / name
        path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        path.chmod(0o755)

    def libraries(self, *names: str) -> None:
        """These, and no other ones, are what the system has of those that a window needs."""
        lines = "".join(f"\\t{name} (libc6,x86-64) => /lib/{name}\\n" for name in names)
        self.program("ldconfig", f"[ \"$1\" = -p ] && printf '%s libs found\\n{lines}' {len(names)}")

    def start(self, kind: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["bash", "-c", f"source packaging/setup.sh && set_up {kind} && pwd"],
            cwd=self.root,
            env={"PATH": str(self.standins), "STANDINS": str(self.standins), "LOG": str(self.log), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def set_up(self, kind: str, **environment: str) -> tuple[int, str]:
        """Its exit code and what it said."""
        process = self.start(kind, **environment)
        _out, said = process.communicate(timeout=300)
        return process.returncode, said

    def done(self) -> list[str]:
        """What was asked of apt, venv and pip since the last look."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "ein Film für Märta"
    (root / "packaging").mkdir(parents=True)
    for name in ("setup.sh", "constraints.txt", "apart.txt"):
        shutil.copy(REPOSITORY / "packaging" / name, root / "packaging" / name)
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    standins = tmp_path / "standins"
    standins.mkdir()
    for name in TOOLS:
        (standins / name).symlink_to(str(shutil.which(name)))
    here = Checkout(root, standins, tmp_path / "log")
    (standins / "python3").write_text(PYTHON, "utf-8")
    (standins / "python3").chmod(0o755)
    for name in ("espeak-ng", "java", "shellcheck", "Xvfb", "xdotool"):
        here.program(name, "exit 0")
    here.libraries(*LIBRARIES)
    here.program("id", "echo 0")
    here.program("dpkg-query", 'case "$*" in *fonts-* | *hunspell-*) echo "install ok installed" ;; *) exit 1 ;; esac')
    here.program("apt-cache", 'echo "$2:"; echo "  Candidate: 1.0"')
    here.program(
        "apt-get", 'all=$*; case $all in *update) all=update ;; esac; echo "apt ${all##*recommends }" >> "$LOG"'
    )
    return here


def test_the_first_run_makes_the_environment_and_the_second_does_nothing(checkout: Checkout):
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART]
    assert checkout.set_up("demo") == (0, "")
    assert checkout.done() == []


def test_the_set_up_for_tests_serves_the_demo_too(checkout: Checkout):
    assert checkout.set_up("demo")[0] == 0
    assert checkout.set_up("test")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART, EXTRAS, APART]
    assert checkout.set_up("demo") == (0, "")
    assert checkout.set_up("test") == (0, "")
    assert checkout.done() == []


@pytest.mark.parametrize("name", ["pyproject.toml", "packaging/constraints.txt", "packaging/apart.txt"])
def test_a_changed_lock_is_installed_into_the_same_environment(checkout: Checkout, name: str):
    checkout.set_up("demo")
    checkout.done()
    with (checkout.root / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["pip .", APART]


def test_a_failed_installation_is_said_and_begun_afresh(checkout: Checkout):
    code, said = checkout.set_up("demo", STANDIN_PIP="1")
    assert code == 3
    assert "pip did not install" in said
    checkout.done()
    half_made = checkout.root / ".venv" / "half-made"
    half_made.touch()
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART]
    assert not half_made.exists()


def test_an_environment_whose_python_does_not_run_is_made_anew(checkout: Checkout):
    (checkout.root / ".venv" / "bin").mkdir(parents=True)
    (checkout.root / ".venv" / "bin" / "python").symlink_to("/nowhere/python3")
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART]


def test_an_environment_that_was_moved_is_made_anew(checkout: Checkout):
    checkout.set_up("demo")
    checkout.done()
    checkout.root = checkout.root.rename(checkout.root.parent / "moved")
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART]


def test_an_environment_made_by_hand_is_kept(checkout: Checkout):
    (checkout.root / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(checkout.standins / "python3", checkout.root / ".venv" / "bin" / "python")
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["pip .", APART]


def test_another_python_underneath_is_noticed(checkout: Checkout):
    checkout.set_up("demo")
    checkout.done()
    assert checkout.set_up("demo", STANDIN_VERSION="3.12")[0] == 0
    assert checkout.done() == ["pip .", APART]


def test_two_at_once_install_once(checkout: Checkout):
    both = [checkout.start("demo", STANDIN_SECONDS="0.5") for _ in range(2)]
    said = [process.communicate(timeout=300)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert checkout.done() == ["venv", "pip .", APART]
    assert sum("waiting" in text for text in said) <= 1


def test_settings_of_other_projects_do_not_reach_pip_but_its_sources_do(checkout: Checkout):
    noise = {
        "PYTHONPATH": "/elsewhere",
        "PYTHONHOME": "/elsewhere",
        "VIRTUAL_ENV": "/elsewhere",
        "PIP_TARGET": "/elsewhere",
        "PIP_USER": "1",
        "PIP_REQUIRE_VIRTUALENV": "1",
        "PIP_CONSTRAINT": "/elsewhere/constraints.txt",
        "PYTEST_ADDOPTS": "-x",
        "CDPATH": "/",
    }
    sources = {"PIP_INDEX_URL": "https://mirror.example/simple", "PIP_CERT": "/etc/certificate.pem"}
    assert checkout.set_up("demo", **noise, **sources)[0] == 0
    lines = Path(f"{checkout.log}.environment").read_text("utf-8").splitlines()
    environment = dict(line.split("=", 1) for line in lines if "=" in line)
    assert noise.keys() & environment.keys() == {"PIP_CONSTRAINT", "CDPATH"}
    assert environment["PIP_CONSTRAINT"] == "packaging/constraints.txt"
    assert sources.items() <= environment.items()
    assert Path(f"{checkout.log}.folder").read_text("utf-8").strip() == str(checkout.root)


def test_the_caller_stays_in_its_folder(checkout: Checkout):
    process = checkout.start("demo")
    out, _said = process.communicate(timeout=300)
    assert out.strip() == str(checkout.root)


def test_only_missing_packages_are_installed(checkout: Checkout):
    (checkout.standins / "espeak-ng").unlink()
    code, said = checkout.set_up("test")
    assert code == 0
    assert checkout.done() == ["apt update", "apt espeak-ng", "venv", EXTRAS, APART]
    assert "espeak-ng" in said


def test_a_package_that_dpkg_knows_needs_no_command(checkout: Checkout):
    (checkout.standins / "espeak-ng").unlink()
    checkout.program("dpkg-query", "echo 'install ok installed'")
    assert checkout.set_up("test")[0] == 0
    assert checkout.done() == ["venv", EXTRAS, APART]


def test_of_two_names_the_one_that_apt_knows_is_taken(checkout: Checkout):
    checkout.program(
        "apt-cache",
        'echo "$2:"; [ "$2" = new ] && echo "  Candidate: 1" || echo "  Candidate: (none)"\n'
        "sleep 0.1; echo '  Version table:' || exit 1",  # the real one says more, and fails where nobody listens
    )
    run = subprocess.run(
        ["bash", "-c", "source packaging/setup.sh; names_here 'old|new' 'new|old' 'old|older' plain"],
        cwd=checkout.root,
        env={"PATH": str(checkout.standins)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["new", "new", "old", "plain"]


@pytest.mark.parametrize(
    ("sudo", "expected"),
    [(None, "root or sudo"), ("exit 1", "sudo refused")],
    ids=["no sudo", "sudo says no"],
)
def test_without_the_right_to_install_the_names_are_told_and_nothing_is_made(
    checkout: Checkout, sudo: str | None, expected: str
):
    (checkout.standins / "espeak-ng").unlink()
    checkout.program("id", "echo 1000")
    if sudo is not None:
        checkout.program("sudo", sudo)
    code, said = checkout.set_up("test")
    assert code == 2
    assert expected in said
    assert said.rstrip().endswith("espeak-ng")
    assert checkout.done() == []
    assert not (checkout.root / ".venv").exists()


def test_an_ordinary_user_installs_by_sudo(checkout: Checkout):
    (checkout.standins / "espeak-ng").unlink()
    checkout.program("id", "echo 1000")
    checkout.program("sudo", 'echo "sudo $1" >> "$LOG"; exec "$@"')
    checkout.program("true", "exit 0")
    assert checkout.set_up("test")[0] == 0
    assert checkout.done() == [
        "sudo true",
        "sudo env",
        "apt update",
        "sudo env",
        "apt espeak-ng",
        "venv",
        EXTRAS,
        APART,
    ]


def test_without_apt_the_names_are_told(checkout: Checkout):
    (checkout.standins / "espeak-ng").unlink()
    (checkout.standins / "apt-get").unlink()
    code, said = checkout.set_up("test")
    assert code == 2
    assert said.rstrip().endswith("espeak-ng")


def test_a_failing_apt_is_said(checkout: Checkout):
    (checkout.standins / "espeak-ng").unlink()
    checkout.program("apt-get", "echo 'E: no route to the mirror' >&2; exit 100")
    code, said = checkout.set_up("test")
    assert code == 3
    assert "no route to the mirror" in said
    assert "apt-get did not install" in said


# What a window needs


def test_what_a_window_needs_is_installed_for_it_alone(checkout: Checkout):
    checkout.libraries("libEGL.so.1", "libmpv.so.3")
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART]
    checkout.program("apt-cache", '[ "$2" = libglib2.0-0 ] && echo "  Candidate: (none)" || echo "  Candidate: 1"')
    assert checkout.set_up("demo window picture")[0] == 0
    update, installed = checkout.done()
    assert update == "apt update"
    assert installed.split()[1:] == [
        *("libgl1", "libopengl0", "libglib2.0-0t64", "libdbus-1-3", "libfontconfig1", "libxkbcommon0"),
        *("libxkbcommon-x11-0", "libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0", "libmpv2"),
    ]


def test_what_is_needed_comes_first_and_the_lists_are_renewed_once(checkout: Checkout):
    checkout.libraries(*(name for name in LIBRARIES if name != "libmpv.so.2"))
    without_python = 'find_python() { [ ! -e installed ] || echo "$STANDINS/python3"; }'
    with (checkout.root / "packaging" / "setup.sh").open("a", encoding="utf-8") as file:
        file.write(without_python)
    checkout.program(
        "apt-get",
        "all=$*; case $all in *update) all=update ;; *python3*) echo > installed ;; esac\n"
        'echo "apt ${all##*recommends }" >> "$LOG"',
    )
    assert checkout.set_up("demo window picture")[0] == 0
    assert checkout.done() == ["apt update", "apt python3 python3-venv", "apt libmpv2", "venv", "pip .", APART]


def test_the_demo_goes_on_without_a_voice_and_says_so(checkout: Checkout):
    (checkout.standins / "espeak-ng").unlink()
    assert checkout.set_up("demo")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART]
    checkout.program("id", "echo 1000")
    code, said = checkout.set_up("demo window picture voice")
    assert code == 0
    assert "will not speak the lines, " in said
    assert said.rstrip().endswith(": espeak-ng")
    checkout.libraries(*(name for name in LIBRARIES if name != "libmpv.so.2"))
    code, said = checkout.set_up("demo window picture voice")
    assert code == 0
    assert "will not show the film or speak the lines, " in said
    checkout.libraries(*(name for name in LIBRARIES if name != "libenchant-2.so.2"))
    code, said = checkout.set_up("demo window spelling")
    assert code == 0
    assert "will not speak the lines or check the spelling, " in said
    assert said.rstrip().endswith(": libenchant-2-2")
    checkout.libraries(*(name for name in LIBRARIES if name != "libportaudio.so.2"))
    code, said = checkout.set_up("demo window booth")
    assert code == 0
    assert "record takes" in said
    assert said.rstrip().endswith(": libportaudio2")


def test_the_libmpv_of_older_systems_will_do(checkout: Checkout):
    checkout.libraries(*(name.replace("mpv.so.2", "mpv.so.1") for name in LIBRARIES))
    assert checkout.set_up("demo window picture")[0] == 0
    assert checkout.done() == ["venv", "pip .", APART]


@pytest.mark.parametrize(
    ("missing", "package", "expected"),
    [
        (
            "libxcb-cursor.so.0",
            "libxcb-cursor0",
            "going on without a window, for these system packages are missing, and ",
        ),
        ("libmpv.so.2", "libmpv2", "the window will not show the film, for these system packages are missing, and "),
    ],
)
@pytest.mark.parametrize(
    ("program", "text", "hindrance"),
    [("id", "echo 1000", "takes root or sudo"), ("apt-get", "exit 100", "apt-get did not install them")],
)
def test_a_demo_goes_on_without_a_window_and_says_so(
    checkout: Checkout, missing: str, package: str, expected: str, program: str, text: str, hindrance: str
):
    checkout.libraries(*(name for name in LIBRARIES if name != missing))
    checkout.program(program, text)
    code, said = checkout.set_up("demo window picture")
    assert code == 0
    assert expected in said
    assert hindrance in said
    assert f": {package}\n" in said
    assert checkout.done() == ["venv", "pip .", APART]


def test_the_tests_do_not_go_on_without_a_window(checkout: Checkout):
    checkout.libraries(*(name for name in LIBRARIES if name != "libmpv.so.2"))
    checkout.program("id", "echo 1000")
    code, said = checkout.set_up("test")
    assert code == 2
    assert "libmpv2" in said
    assert checkout.done() == []


DISPLAY = {"DISPLAY": ":0"}


@pytest.mark.parametrize(
    ("arguments", "environment", "libraries", "expected", "asked"),
    [
        ("--out x", {}, [], "demo --out x", False),
        ("--out x", DISPLAY, LIBRARIES, "demo --out x", False),
        ("--out x", {"WAYLAND_DISPLAY": "wayland-0"}, LIBRARIES[:-1], "demo --out x", True),
        ("--out x", DISPLAY, LIBRARIES[1:], "demo --headless --out x", True),
        ("--out x --headless", DISPLAY, [], "demo --out x --headless", False),
    ],
    ids=["no display", "all there", "no libmpv", "no window", "none wanted"],
)
def test_the_demo_opens_no_window_where_it_cannot(
    checkout: Checkout, arguments: str, environment: dict[str, str], libraries: list[str], expected: str, asked: bool
):
    shutil.copy(REPOSITORY / "packaging" / "demo.sh", checkout.root / "packaging")
    checkout.set_up("demo")
    checkout.libraries(*libraries)
    checkout.program("id", "echo 1000")
    checkout.program("adstudio", 'echo "$@"')
    shutil.move(checkout.standins / "adstudio", checkout.root / ".venv" / "bin")
    run = subprocess.run(
        ["bash", "packaging/demo.sh", *arguments.split()],
        cwd=checkout.root,
        env={"PATH": str(checkout.standins), "STANDINS": str(checkout.standins), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == expected
    assert ("root or sudo" in run.stderr) == asked
