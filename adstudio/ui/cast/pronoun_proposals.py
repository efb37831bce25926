"""The pronouns that texts show of people of whom nobody has said them, and in which words: proposed, never set."""

from __future__ import annotations

from dataclasses import replace

from adstudio.characters.introductions import SPOKEN
from adstudio.characters.people_in_texts import ShownPronouns, proposed_pronouns
from adstudio.core.language_tags import primary_subtag
from adstudio.core.provenance import UNKNOWN_PROVENANCE, provenance_text
from adstudio.core.script import Script
from adstudio.ui.widgets.formatting import quoted

MOST_QUOTED = 12
"""Words of a sentence."""


class PronounProposals:
    """Found when somebody is looked at, and again once people, lines or cues are others."""

    def __init__(self) -> None:
        self._state: tuple[object, ...] = ()
        self._found: dict[str, ShownPronouns] = {}

    def of(self, script: Script, person: str) -> ShownPronouns | None:
        """What is shown of somebody (id); None where that is nothing sure, or known. In English films."""
        state = script.people, script.eventualities, script.cues
        if not self._state or not all(a is b for a, b in zip(self._state, state, strict=True)):
            english = primary_subtag(script.film.language) == "en"
            places: dict[str, int] = {}
            for place, line in enumerate(script.eventualities):
                for text in (line.extract, line.variants[0].text):
                    places.setdefault(text, place)  # it counts once, however many items it gave
            dialogue = [cue.text for cue in script.cues if cue.kind in SPOKEN]
            self._state = state
            found = proposed_pronouns(script.people, [*places], dialogue) if english else {}
            lines = [*places.values()]
            self._found = {
                name: each if each.text is None else each._replace(text=lines[each.text])
                for name, each in found.items()
            }
        return self._found.get(person)


def shown_by(script: Script, found: ShownPronouns) -> str:
    """The sentence that shows pronouns, and where it stands."""
    said = quoted(found.sentence, MOST_QUOTED)
    if found.text is None:
        return f"{said}, in the dialogue"
    line = script.eventualities[found.text]
    source = provenance_text(replace(UNKNOWN_PROVENANCE, drafted=line.provenance.drafted))
    return f"{said}, {source}" if source else said
