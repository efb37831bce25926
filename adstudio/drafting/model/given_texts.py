"""What somebody's text tells of a film's scenes, found again in the lines that were drafted of it.

The command line and the editor tell a model the same: a description's scenes are not described once more, and a
screenplay's are told by the screenplay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from adstudio.core.provenance import PROMPTED, drafted_from
from adstudio.core.script import Eventuality, Script

_BY_A_MODEL = re.compile(rf"{PROMPTED}describe \d+( edited \w+)?,(.*) UTC$")


@dataclass(frozen=True)
class GivenTexts:
    """By scene (id): what a screenplay tells, and what a description in prose does; a scene is in one of them at most.

    A screenplay's text is of what was meant to be filmed, so that a model looks which of it there is; a description is
    of the film itself and stands in the place of the model's own.
    """

    screenplay: Mapping[str, str] = field(default_factory=dict[str, str])
    description: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def by_scene(self) -> dict[str, str]:
        """Either."""
        return {**self.description, **self.screenplay}


def given_texts(script: Script) -> GivenTexts:
    """What was given of each scene, by its lines: those of candidates, and those that a model described, tell nothing.

    In a film with a screenplay a scene is told by a description only where all its lines are of one.
    """
    pieces: dict[str, list[Eventuality]] = {}
    for line in script.eventualities:
        if line.scene is not None and line.extract and _is_given(script, line):
            pieces.setdefault(line.scene, []).append(line)
    texts = {scene: " ".join(line.extract for line in lines) for scene, lines in pieces.items()}
    described = {
        scene
        for scene, lines in pieces.items()
        if not script.film.screenplay or all(_is_prose(line.source) for line in lines)
    }
    return GivenTexts(
        {scene: text for scene, text in texts.items() if scene not in described},
        {scene: text for scene, text in texts.items() if scene in described},
    )


def _is_given(script: Script, line: Eventuality) -> bool:
    source = drafted_from(line.source)
    return bool(source or script.film.screenplay) and not _BY_A_MODEL.search(source)


def _is_prose(source: str) -> bool:
    return drafted_from(source).startswith("description, ")
