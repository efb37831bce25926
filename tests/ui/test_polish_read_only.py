"""A project that was opened to read is not polished: no line could be kept in it, so none is sent."""

from __future__ import annotations

from pathlib import Path

from desks import small_script

from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.policy import Host, Policy
from adstudio.store.project import ProjectFile
from adstudio.ui.polish.polish_process import READ_ONLY, find_obstacle

HOUSE = SavedConnection("house", "vllm", "m", "http://127.0.0.1:1/v1")


def test_a_project_opened_to_read_is_not_polished(tmp_path: Path) -> None:
    path = tmp_path / "film.adproj"
    allowed = Policy("on premises", (Host("127.0.0.1", 1, plain=True),))
    with ProjectFile.create(path, small_script(), policy=allowed) as project:
        assert find_obstacle(project, HOUSE) is None
    with ProjectFile.open(path, read_only=True) as project:
        found = find_obstacle(project, HOUSE)
    assert found is not None
    assert found.sentence == READ_ONLY
