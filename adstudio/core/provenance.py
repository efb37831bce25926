"""Where a line comes from: what it was drafted from, and which models have worked on it since."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Self

UNNAMED_MODEL = "a model"
"""How a model is called whose server gives no name."""
_LATEST = int(dt.datetime(9999, 12, 31, tzinfo=dt.UTC).timestamp())


@dataclass(frozen=True)
class ScreenplayLine:
    """A line of a screenplay's file, by number; `page` is 0 where the file has no pages."""

    line: int
    page: int = 0


@dataclass(frozen=True)
class DescriptionLine:
    """A line of a prose description, by number."""

    line: int


@dataclass(frozen=True)
class ModelTask:
    """What a model was asked for: a prompt by its name and version; a method without a prompt has version 0.

    `edited` marks the project's own wording of a prompt, by the first letters of its hash; ours has none.
    """

    name: str
    version: int = 0
    edited: str = ""

    @property
    def key(self) -> str:
        """The task as it is stored with a request: `describe 1`, `describe 1 edited 3f9a01bc`, `embed`."""
        return (
            f"{self.name} {self.version}{f' edited {self.edited}' * bool(self.edited)}" if self.version else self.name
        )

    @classmethod
    def from_key(cls, key: str) -> Self:
        """The task of a stored key; one of another form is a task of that name."""
        found = _KEY.fullmatch(key)
        return cls(key) if found is None else cls(found[1], int(found[2]), found[3] or "")


_KEY = re.compile(r"(\w+) (\d{1,8})(?: edited (\w+))?")


@dataclass(frozen=True)
class Contribution:
    """What one model did; `model` is empty where its server gave no name."""

    model: str
    tasks: tuple[ModelTask, ...]


@dataclass(frozen=True)
class ModelWork:
    """What models did, in the order in which they were first asked; `at` is when, in seconds since 1970, if known."""

    contributions: tuple[Contribution, ...]
    at: int | None

    def __post_init__(self) -> None:
        if self.at is not None and not 0 <= self.at <= _LATEST:
            raise ValueError("that is no moment at which a model can have worked")

    def has_task(self, name: str) -> bool:
        """Whether a task of that name was part of it."""
        return any(task.name == name for each in self.contributions for task in each.tasks)


@dataclass(frozen=True)
class FreeText:
    """Words of somebody else's, from an older file: shown as they are, and never interpreted."""

    text: str


DraftSource = ScreenplayLine | DescriptionLine | ModelWork | FreeText
"""What a line can have been drafted from."""


@dataclass(frozen=True)
class Provenance:
    """Where a line comes from.

    `drafted`: None where nobody knows, as for lines of a candidates file or of a describer's own. `weighed`: which
    models set the salience after the draft; None where the draft or a person did. `polished`: which models reworded
    the line as part of a plan. `held_by_polishing`: its pin was set by the program, because the plan would have lost
    the line when another one was polished; nobody chose it.
    """

    drafted: DraftSource | None = None
    weighed: ModelWork | FreeText | None = None
    polished: ModelWork | FreeText | None = None
    held_by_polishing: bool = False

    @property
    def by_model(self) -> bool:
        """Whether a model drafted the line."""
        return isinstance(self.drafted, ModelWork)


UNKNOWN_PROVENANCE = Provenance()
"""Of a line of which nothing is known."""


def provenance_text(provenance: Provenance) -> str:
    """The provenance in words: `screenplay, line 12; weighed by m, weigh 1, 2026-11-28 08:00 UTC`; empty if unknown."""
    parts = [
        "" if provenance.drafted is None else _source_text(provenance.drafted),
        "" if provenance.weighed is None else f"weighed by {_source_text(provenance.weighed)}",
        "" if provenance.polished is None else f"polished by {_source_text(provenance.polished)}",
        "held by the polishing of another line" if provenance.held_by_polishing else "",
    ]
    return "; ".join(filter(None, parts))


def _source_text(source: DraftSource) -> str:
    match source:
        case ScreenplayLine(line, page):
            return f"screenplay, page {page}, line {line}" if page else f"screenplay, line {line}"
        case DescriptionLine(line):
            return f"description, line {line}"
        case FreeText(text):
            return text
        case ModelWork(contributions, at):
            models = ", then ".join(
                ", ".join((each.model or UNNAMED_MODEL, *(task.key for task in each.tasks))) for each in contributions
            )
            return models if at is None else f"{models}, {dt.datetime.fromtimestamp(at, dt.UTC):%Y-%m-%d %H:%M} UTC"
