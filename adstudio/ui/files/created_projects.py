"""What came of the projects that were made in this session, for when they are opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adstudio.drafting.report import Report


@dataclass(frozen=True)
class CreatedProject:
    """The draft's report, and the name of the model that is to draft the lines; empty where none is."""

    report: Report | None = None
    model: str = ""


class CreatedProjects:
    """Keeps it by the project's file, and knows which of them have been open."""

    def __init__(self) -> None:
        self._by_path: dict[Path, CreatedProject] = {}
        self._opened: set[Path] = set()

    def keep(self, project: Path, created: CreatedProject) -> None:
        """What came of a project that was just made."""
        self._by_path[project] = created

    def opened(self, project: Path) -> tuple[CreatedProject, bool]:
        """What came of a project that is open now, and whether it is so for the first time."""
        fresh = project not in self._opened
        created = self._by_path.get(project, CreatedProject())
        if project in self._by_path:
            self._opened.add(project)
        return created, fresh
