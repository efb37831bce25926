"""Imports point one way: `ui`, `cli`, `batch` → services → `core`. The check reads syntax trees and imports nothing."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "adstudio"

TOP = {"ui", "cli", "batch"}
TOP_ARROWS = {("cli", "ui"), ("cli", "batch")}  # the command line starts the others
PURE = {"core", "planning"}

QT = {"PySide6", "PySide2", "PyQt6", "PyQt5", "shiboken6", "qtpy", "pytestqt"}
NETWORK = {
    *("aiohttp", "asyncio", "ftplib", "grpc", "http", "httpcore2", "httpx", "httpx2", "imaplib", "keyring", "nntplib"),
    *("openai", "poplib"),
    *("requests", "smtplib", "socket", "socketserver", "ssl", "telnetlib", "urllib.request", "urllib3", "vllm"),
    *("websockets", "xmlrpc", "google.genai"),
}
MEDIA = {
    *("PIL", "av", "cv2", "ffmpeg", "imageio", "librosa", "moviepy", "mpv", "onnxruntime", "piper", "pydub"),
    *("pyloudnorm", "pyttsx3", "scenedetect", "silero_vad", "sounddevice", "soundfile", "torch", "wave"),
}


@dataclass(frozen=True)
class Import:
    """One imported name, in full, and where it stands."""

    importer: str
    name: str
    file: Path
    line: int

    @property
    def place(self) -> str:
        return f"{self.file.name}:{self.line} ({self.importer} imports {self.name})"


def part_of(module: str) -> str:
    """The part of adstudio that a module belongs to: `adstudio.planning.engines.exact` is of `planning`."""
    names = module.split(".")
    return {"__main__": "cli"}.get(names[1], names[1]) if len(names) > 1 else "core"


@cache
def imports_of(package: Path) -> list[Import]:
    """Every import in the tree, at the top or inside a function, by statement or by `import_module("…")`."""
    modules = {module_name(package, file): file for file in sorted(package.rglob("*.py"))}
    return [
        Import(module, name, file, line)
        for module, file in modules.items()
        for name, line in names_in(ast.parse(file.read_text("utf-8")), module, file.name == "__init__.py", set(modules))
    ]


def module_name(package: Path, file: Path) -> str:
    parts = (package.name, *file.relative_to(package).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def names_in(tree: ast.Module, module: str, is_package: bool, modules: set[str]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    root = module.split(".", maxsplit=1)[0]
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [(name.name, node.lineno) for name in names]
            case ast.ImportFrom(module=source, names=names, level=level):
                if level:
                    parents = module.split(".")[: None if is_package and level == 1 else -(level - is_package)]
                    source = ".".join([*parents, source] if source else parents)
                # `from a import b` may name the module a.b: here it is one only where its file exists
                full = [f"{source}.{name.name}" for name in names]
                ours = is_of(source, {root})
                found += [(name if not ours or name in modules else source, node.lineno) for name in full]
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                found.append((name, node.lineno))
    return found


def is_of(name: str, libraries: set[str]) -> bool:
    return any(name == library or name.startswith(f"{library}.") for library in libraries)


def reached_from(start: str, arrows: set[tuple[str, str]]) -> set[str]:
    found, left = {start}, [start]
    while left:
        part = left.pop()
        following = {imported for importer, imported in arrows if importer == part} - found
        found |= following
        left += following
    return found


def faults(package: Path) -> list[str]:
    """What is wrong with the imports of this tree, a sentence each."""
    imports = imports_of(package)
    inside = [i for i in imports if is_of(i.name, {package.name})]
    between = {(i.importer, i.name) for i in inside}
    between |= {("the pure parts", i.importer) for i in imports if part_of(i.importer) in PURE}
    pure = reached_from("the pure parts", between)
    found: list[str] = []
    for i in inside:
        importer, imported = part_of(i.importer), part_of(i.name)
        if importer == imported:
            continue
        if importer == "core":
            found.append(f"core imports from core alone: {i.place}")
        elif imported in TOP and (importer, imported) not in TOP_ARROWS:
            found.append(f"nothing below imports from {imported}: {i.place}")
    for i in imports:
        part = part_of(i.importer)
        if part != "ui" and is_of(i.name, QT):
            found.append(f"Qt stays in ui: {i.place}")
        if i.importer in pure and is_of(i.name, NETWORK | MEDIA):
            found.append(f"{i.importer} is reached from core or planning, which use no network and no media: {i.place}")
    return [*found, *cycles(inside)]


def cycles(imports: list[Import]) -> list[str]:
    """Siblings that import each other in a circle, at every level: packages as a whole, and single modules."""
    siblings: dict[str, dict[str, set[str]]] = {}
    for each in imports:
        importer, imported = each.importer.split("."), each.name.split(".")
        level = next((n for n, (a, b) in enumerate(zip(importer, imported, strict=False)) if a != b), None)
        if level is not None:  # else a package imports its own child, or a child its package
            graph = siblings.setdefault(".".join(importer[:level]), {})
            graph.setdefault(importer[level], set()).add(imported[level])
    found: list[str] = []
    for parent, graph in sorted(siblings.items()):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as cycle:
            found.append(f"{parent} imports in a circle: {' ← '.join(cycle.args[1])}")
    return found


def test_the_arrows_point_one_way():
    assert imports_of(PACKAGE), "no import was found at all: the check looks in the wrong place"
    assert faults(PACKAGE) == []


SOUND = {
    "core/words.py": "import re\nfrom urllib.parse import quote",
    "core/script.py": "from adstudio.core.words import count",
    "planning/exact.py": "import numpy\nfrom ..core import script",
    "media/probe.py": "import av\nfrom adstudio.core.script import Film",
    "drafting/ground.py": "def ground():\n    from adstudio.media import probe",
    "ui/window.py": "from PySide6.QtWidgets import QWidget\nfrom adstudio.planning import exact",
    "ui/session.py": "",
    "ui/inspector/page.py": "from adstudio.ui.session import Session\nfrom ..table import cells",
    "ui/inspector/panel.py": "from . import page\nfrom adstudio.ui.inspector.page import Page",
    "ui/table/cells.py": "",
    "cli/main.py": "def edit():\n    from adstudio.ui.app.window import Window",
    "__main__.py": "from adstudio.cli.main import main",
}

BAD = {
    "core to a service": ("core/edits.py", "from adstudio.planning.engines.exact import solve", "core alone"),
    "core to a service, relative": ("core/edits.py", "from ..planning import exact", "core alone"),
    "core to a service, in a function": (
        "core/edits.py",
        "def f():\n    import adstudio.media.probe",
        "core alone",
    ),
    "core to a service, by its parent": ("core/edits.py", "from adstudio import media", "core alone"),
    "core to the network": ("core/edits.py", "import urllib.request", "no network"),
    "core to a service, for types": ("core/a.py", "if TYPE_CHECKING:\n    import adstudio.media", "core alone"),
    "planning to Qt": ("planning/gui.py", "from PySide6 import QtCore", "Qt stays in ui"),
    "planning to a media library": ("planning/wav.py", "import soundfile as sf", "no media"),
    "planning to the network by name": ("planning/n.py", "importlib.import_module('google.genai')", "no network"),
    "planning to the network from its parent": ("planning/n.py", "from google import genai", "no network"),
    "planning to media by way of a service": ("planning/n.py", "from adstudio.media import probe", "no media"),
    "a service to ui": ("media/show.py", "from adstudio.ui.app.window import Window", "from ui"),
    "a service to cli": ("media/show.py", "from adstudio.cli import main", "from cli"),
    "a service to batch": ("media/show.py", "from ..batch import run", "from batch"),
    "a service to Qt": ("media/show.py", "def f():\n    import PySide6.QtGui", "Qt stays in ui"),
    "cli to Qt": ("cli/edit.py", "import PySide6", "Qt stays in ui"),
    "ui to cli": ("ui/run.py", "from adstudio.cli import main", "from cli"),
    "a circle": ("media/back.py", "from adstudio.drafting import ground", "circle"),
}


def write(tmp_path: Path, files: dict[str, str]) -> Path:
    package = tmp_path / "adstudio"
    for name, text in files.items():
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / "__init__.py").touch()
        file.write_text(text, "utf-8")
    for part in ("batch", "ui", "cli"):
        (package / part).mkdir(exist_ok=True)
        (package / part / "__init__.py").touch()
    return package


def test_a_sound_tree_passes(tmp_path: Path):
    assert faults(write(tmp_path, SOUND)) == []


@pytest.mark.parametrize(("file", "text", "expected"), BAD.values(), ids=BAD.keys())
def test_a_turned_arrow_is_caught(tmp_path: Path, file: str, text: str, expected: str):
    found = faults(write(tmp_path, {**SOUND, file: text}))
    assert any(expected in fault for fault in found), found


def test_the_fault_names_file_and_line(tmp_path: Path):
    package = write(tmp_path, {**SOUND, "core/edits.py": "import re\n\nfrom adstudio.media import probe"})
    assert "edits.py:3" in faults(package)[0]


def test_models_are_run_in_one_place_that_keeps_them_silent():
    """onnxruntime tells its makers of each session unless it is told not to before it is loaded."""
    importers = {each.importer for each in imports_of(PACKAGE) if each.name.split(".")[0] == "onnxruntime"}
    assert importers == {"adstudio.system.onnx"}
