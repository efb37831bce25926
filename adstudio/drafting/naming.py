"""What a draft calls people, by the cast, the house and what dialogue says when.

It is worded by the plan of the draft. A later plan words nothing anew, since wordings are the describer's from then on:
where it brings a name before the film says it, the quality check N1 names the line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adstudio.characters.cast_collecting import collected
from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.cast_sources import in_cues
from adstudio.characters.described_as import descriptions
from adstudio.characters.introductions import SPOKEN, NameTimes
from adstudio.characters.people_in_texts import pronouns_of, with_full_names
from adstudio.core.language_tags import primary_subtag
from adstudio.core.naming import NamingPolicy
from adstudio.core.plan import Plan
from adstudio.core.script import Rules, Script
from adstudio.drafting.model.events import SceneDraft
from adstudio.drafting.text.wording.spoken_names import Naming, can_be_reworded, named_and_planned, named_by_action
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
        NameTimes.of(people, script.cues, language, _policy(script)),
        descriptions(people, texts, pronouns_of(people, texts, dialogue)),
    )


def with_spoken_names(script: Script, plan: Plan, planning: Callable[[Script], Plan]) -> tuple[Script, Plan]:
    """A draft with names where they may be said and descriptions before, and its plan (`named_and_planned`).

    Raises:
        AdstudioError: if the installation is damaged.
    """
    if not _may_name_later(script) or not any(map(can_be_reworded, script.eventualities)):
        return script, plan
    return named_and_planned(script, plan, naming_of_draft(script), planning)


def scene_naming(script: Script) -> Callable[[SceneDraft], SceneDraft]:
    """What gives a drafted scene of a film its names where they may be said, before there is a plan for it.

    Raises:
        AdstudioError: if the installation is damaged.
    """
    if not _may_name_later(script):
        return lambda draft: draft
    naming = naming_of_draft(script)

    def named(draft: SceneDraft) -> SceneDraft:
        own = script.with_changes(eventualities=draft.lines, fusions=draft.fusions, rules=Rules())
        said = named_by_action(own, naming)
        return draft if said is own else replace(draft, lines=said.eventualities, fusions=said.fusions)

    return named


def _may_name_later(script: Script) -> bool:
    """Whether somebody is known whose name the house may keep back, in a language in which that can be worded."""
    known = bool(script.people) or any(cue.speaker for cue in script.cues)
    return known and primary_subtag(script.film.language) == "en" and _policy(script) is NamingPolicy.ONCE_SAID


def _policy(script: Script) -> NamingPolicy:
    return naming_of_project(script.settings, script.film.language).policy
