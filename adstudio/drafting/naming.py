"""What a draft from a screenplay calls people, by the cast, the house and what dialogue says when."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.characters.cast_collecting import collected
from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.cast_sources import in_cues
from adstudio.characters.described_as import descriptions
from adstudio.characters.introductions import SPOKEN, NameTimes
from adstudio.characters.people_in_texts import pronouns_of, with_full_names
from adstudio.core.plan import Plan
from adstudio.core.provenance import ScreenplayLine
from adstudio.core.script import Script
from adstudio.drafting.text.wording.spoken_names import Naming, named_and_planned
from adstudio.presets.naming import naming_of_project


def naming_of_draft(script: Script) -> Naming:
    """Who may be named when in a draft, and what is said before.

    Where the project has no cast, its people are the speakers of its cues.

    Raises:
        AdstudioError: if the installation is damaged.
    """
    language = script.film.language
    texts = tuple(dict.fromkeys(line.extract for line in script.eventualities if line.extract))
    dialogue = tuple(cue.text for cue in script.cues if cue.kind in SPOKEN)
    people = with_full_names(script.people or collected((), in_cues(script.cues)).people, texts)
    return Naming(
        CastMentions(people, (*dialogue, *texts), language),
        NameTimes.of(people, script.cues, language, naming_of_project(script.settings, language).policy),
        descriptions(people, texts, pronouns_of(people, texts, dialogue)),
    )


def with_spoken_names(script: Script, plan: Plan, planning: Callable[[Script], Plan]) -> tuple[Script, Plan]:
    """A draft with names where they may be said and descriptions before, and its plan (`named_and_planned`).

    Raises:
        AdstudioError: if the installation is damaged.
    """
    if not any(isinstance(line.provenance.drafted, ScreenplayLine) for line in script.eventualities):
        return script, plan
    return named_and_planned(script, plan, naming_of_draft(script), planning)
