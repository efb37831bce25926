"""What somebody's text tells of a film's scenes, found again in the lines that were drafted of it.

The command line and the editor tell a model the same: a description's scenes are not described once more, and a
screenplay's are told by the screenplay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adstudio.core.provenance import DescriptionLine, ModelWork
from adstudio.core.script import Eventuality, Script


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
        source = line.provenance.drafted
        described_by_model = isinstance(source, ModelWork) and source.has_task("describe")
        is_given = bool(source or script.film.screenplay) and not described_by_model
        if line.scene is not None and line.extract and is_given:
            pieces.setdefault(line.scene, []).append(line)
    texts = {scene: " ".join(line.extract for line in lines) for scene, lines in pieces.items()}
    described = {
        scene
        for scene, lines in pieces.items()
        if not script.film.screenplay or all(isinstance(line.provenance.drafted, DescriptionLine) for line in lines)
    }
    return GivenTexts(
        {scene: text for scene, text in texts.items() if scene not in described},
        {scene: text for scene, text in texts.items() if scene in described},
    )
