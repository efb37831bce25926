"""A film and a small editor, for the tests of the picture and of the hearing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six seconds at 25 frames a second whose pictures say their number, with a tone."""
    from film_clips import make_clip

    return make_clip(tmp_path_factory.mktemp("clip") / "Gün ter – ä #1 %20 &.mp4")


@pytest.fixture
def edit(qtbot, tmp_path: Path) -> Iterator[Callable[..., object]]:
    """Opens small editors and ends them."""
    from small_editor import SmallEditor

    made: list[SmallEditor] = []

    def start(script=None, *, drawing: str = "auto", shown: bool = True) -> SmallEditor:
        editor = SmallEditor(script, tmp_path, drawing=drawing)
        made.append(editor)
        editor.resize(900, 600)
        if shown:
            editor.show()
            qtbot.waitExposed(editor)
        return editor

    yield start
    for editor in made:
        editor.shut_down()
        editor.close()
        editor.deleteLater()
