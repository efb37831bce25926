"""A context with project files, in a window that is never shown, with small films and answers to its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desks import desk_on
from small_films import SRT, make_clip

ODD_NAME = "Gün ter – ä/日本/#1 %20 &"
"""A folder and a name that trip up whoever takes paths for addresses or ASCII."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = (tmp_path / ODD_NAME).parent
    made.mkdir(parents=True)
    return made


@pytest.fixture
def odd(folder: Path) -> Callable[[str], Path]:
    """A file of the odd name with an ending: `odd(".mp4")`."""
    return lambda ending: folder / f"{Path(ODD_NAME).name}{ending}"


@pytest.fixture
def srt(odd) -> Path:
    path = odd(".de.srt")
    path.write_bytes(SRT.encode("cp1252"))
    return path


@pytest.fixture
def context(qapp, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[object]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with desk_on(folder) as made:
        yield made


@pytest.fixture
def files(context):
    from adstudio.ui.files.project_files import ProjectFiles

    return ProjectFiles(context, context.session.parent())


class Asked:
    """Answers the questions of the program in the order given, and keeps what was asked and told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from adstudio.ui.app import program_dialogs
        from adstudio.ui.files import (
            export,
            open_project,
            relink,
        )
        from adstudio.ui.files import project_files as files
        from adstudio.ui.widgets import file_dialogs

        self.answers: list[object] = []
        self.asked: list[str] = []
        self.told: list[str] = []
        for module in (file_dialogs, export, files, open_project, program_dialogs, relink):
            for name in ("ask", "ask_open", "ask_save", "ask_replace"):
                if hasattr(module, name):
                    monkeypatch.setattr(module, name, self._answer)
            if hasattr(module, "tell"):
                monkeypatch.setattr(module, "tell", lambda _, sentence: self.told.append(sentence))

    def _answer(self, _window: object, text: object, *more: object, **_: object) -> object:
        self.asked.append(" ".join(str(each) for each in (text, *more)))
        assert self.answers, f"nobody answers {self.asked[-1]}"
        return self.answers.pop(0)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


@pytest.fixture
def said(context) -> list[str]:
    heard: list[str] = []
    context.session.messages.said.connect(heard.append)
    return heard


@pytest.fixture
def clip(odd) -> Path:
    """Two seconds of film at 24000/1001 frames a second, without sound."""
    return make_clip(odd(".mp4"), 48)
