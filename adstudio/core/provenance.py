"""Where a line comes from: what it was drafted from, and which models have worked on it since."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Self

UNNAMED_MODEL = "a model"
"""The name of a model whose server gives none."""
_LATEST = int(dt.datetime(9999, 12, 31, tzinfo=dt.UTC).timestamp())


@dataclass(frozen=True)
class ScreenplayLine:
    """A line of a screenplay file, by number; `page` is 0 if the file has no pages."""

    line: int
    page: int = 0


@dataclass(frozen=True)
class DescriptionLine:
    """A line of a prose description, by number, and the note that stands beside it there, in a table."""

    line: int
    note: str = ""


@dataclass(frozen=True)
class ModelTask:
    """What a model was asked to do: a prompt by name and version; a method without a prompt has version 0.

    `edited` identifies a project's own version of a prompt by the start of its hash; empty for the built-in one.
    """

    name: str
    version: int = 0
    edited: str = ""

    @property
    def key(self) -> str:
        """The task as stored with a request: `describe 1`, `describe 1 edited 3f9a01bc`, `embed`."""
        return (
            f"{self.name} {self.version}{f' edited {self.edited}' * bool(self.edited)}" if self.version else self.name
        )

    @classmethod
    def from_key(cls, key: str) -> Self:
        """The task with this stored key; any other text is taken as the task's name."""
        found = _KEY.fullmatch(key)
        return cls(key) if found is None else cls(found[1], int(found[2]), found[3] or "")


_KEY = re.compile(r"(\w+) (\d{1,8})(?: edited (\w+))?")


@dataclass(frozen=True)
class Contribution:
    """What one model did; `model` is empty if its server gave no name."""

    model: str
    tasks: tuple[ModelTask, ...]


@dataclass(frozen=True)
class ModelWork:
    """What models did, in the order of their first requests; `at` is when, in seconds since 1970, if known."""

    contributions: tuple[Contribution, ...]
    at: int | None

    def __post_init__(self) -> None:
        if self.at is not None and not 0 <= self.at <= _LATEST:
            raise ValueError("the time of a model's work is out of range")

    def has_task(self, name: str) -> bool:
        """Whether a task of that name was part of it."""
        return any(task.name == name for each in self.contributions for task in each.tasks)


@dataclass(frozen=True)
class FreeText:
    """Free text from an older file: shown as it is, never interpreted."""

    text: str


DraftSource = ScreenplayLine | DescriptionLine | ModelWork | FreeText
"""What a line can be drafted from."""


@dataclass(frozen=True)
class Provenance:
    """Where a line comes from."""

    drafted: DraftSource | None = None
    """What it was drafted from; None if unknown, as for prepared lines and the describer's own."""
    weighed: ModelWork | FreeText | None = None
    """The models that set its salience after drafting; None if the draft or a person did."""
    polished: ModelWork | FreeText | None = None
    """The models that reworded it as part of a plan."""
    held_by_polishing: bool = False
    """The program pinned it, because polishing another line would have dropped it from the plan."""

    @property
    def by_model(self) -> bool:
        """Whether a model drafted the line."""
        return isinstance(self.drafted, ModelWork)

    @property
    def note(self) -> str:
        """The note that the line was drafted with; another one is a person's."""
        return self.drafted.note if isinstance(self.drafted, DescriptionLine) else ""


UNKNOWN_PROVENANCE = Provenance()
"""The provenance of a line about which nothing is known."""


def provenance_text(provenance: Provenance) -> str:
    """The provenance in words: `screenplay, line 12; weighed by m, weigh 1, 2026-11-28 08:00 UTC`; empty if unknown."""
    parts = [
        "" if provenance.drafted is None else _source_text(provenance.drafted),
        "" if provenance.weighed is None else f"weighed by {_source_text(provenance.weighed)}",
        "" if provenance.polished is None else f"polished by {_source_text(provenance.polished)}",
        "locked when another line was polished" if provenance.held_by_polishing else "",
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
