"""Where a scene is, from its heading, for the line that opens it: INT. HALLWAY - DAY → In the hallway.

Only for places of which English says in one way where somebody is; a proper name of a place is left to the describer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from adstudio.drafting.text.language.grammar import Sentence, Word, word_set
from adstudio.drafting.text.language.people import PROPER
from adstudio.drafting.text.segment.elements import Element
from adstudio.drafting.text.segment.sentence_kind import SentenceKind

_IN = word_set(
    "kitchen bedroom bathroom hallway hall corridor office lobby classroom apartment flat bar pub restaurant café cafe"
    " diner garage elevator lift cell shop store library studio attic cellar basement barn garden park forest woods"
    " field yard cemetery graveyard courtyard alley tunnel cave tent ballroom gym warehouse courtroom lounge ward"
    " gallery closet nursery laboratory lab chapel stable greenhouse bathhouse parlour parlor pantry foyer"
    " cabin dormitory morgue sauna shed vault"
)
_ON = word_set(
    "roof rooftop beach bridge platform balcony terrace porch deck stairs staircase hillside pier dock stage landing"
    " jetty quay veranda lawn"
)
_TWO_WORDS = frozenset(
    f"{first} room"
    for first in word_set("living dining waiting hotel engine conference changing dressing hospital interrogation")
)
_OF_A_KIND = word_set("house shop store stage field")
"""What these are, the word before them says: a court house is no house."""
_WITHIN_NAMES = word_set("and or of the & n")
"""Before the last word they show a name: the Stop and Shop."""
_PLAYED = word_set("baseball football soccer rugby cricket hockey playing sports")
_BUILDINGS = word_set(
    "house apartment office church bar pub hospital school hotel shop store restaurant prison warehouse barn castle"
    " library café cafe diner chapel garage studio theatre theater cinema museum cottage"
)
_KIND = re.compile(r"^(?:\d+[A-Za-z]?[.)]?\s+)?(?P<kind>INT|EXT)\b\.?\s*(?![/\\.])(?P<rest>.+)$", re.IGNORECASE)
_ENDS = re.compile(r"\s+[-–—]+\s+|,|\(|\.\s|\s--|/")
_NUMBER = re.compile(r"\s+(?:#?\d+\w?|one|two|three|four|five)$", re.IGNORECASE)
_OWNER = re.compile(r"^(?P<owner>[^\W\d_]+)['’]s\s", re.IGNORECASE)
_SUBJECT_STARTS = (*PROPER, "DT", "PRP", "PRP$", "CD", "NN", "NNS")
_ALIKE = (
    frozenset({"hall", "hallway", "corridor"}),
    frozenset({"apartment", "flat"}),
    frozenset({"lobby", "foyer"}),
    frozenset({"roof", "rooftop"}),
    frozenset({"stairs", "staircase"}),
)
_WHERE = _IN | _ON | _BUILDINGS | word_set("place room home it this that here there")
_OPENINGS = 3
"""Lines of a scene in which where it is may be said anyway."""


def place_of(heading: str, names: Collection[str]) -> str:
    """Where somebody is in a scene with that heading: In the hallway; In Ruth's office; Outside the church; or ""."""
    found = _KIND.match(heading.strip())
    if found is None or re.match(r"[/\\]|\s*(?:INT|EXT)\b", found["rest"], re.IGNORECASE):
        return ""
    place = _NUMBER.sub("", _ENDS.split(found["rest"])[0].strip())
    words = place.lower().split()
    if not words or (len(words) > 1 and words[-2] in _WITHIN_NAMES):
        return ""
    noun = " ".join(words[-2:]) if " ".join(words[-2:]) in _TWO_WORDS else words[-1]
    kind = words[-2] if len(words) > 1 and noun in _OF_A_KIND and words[-2].isalpha() else ""
    owner = _OWNER.match(place)
    known = {name.lower(): name for name in names}
    whose = "the"
    if owner is not None and len(words) == 1 + len(noun.split()):
        name = known.get(owner["owner"].lower())
        if name is None:
            return ""
        whose = f"{name}'s"
    where = f"{kind} {noun}" if kind and kind not in map(str.lower, names) else noun
    if found["kind"].upper() == "EXT" and noun in _BUILDINGS:
        return f"Outside {whose} {where}"
    if noun in _IN or noun in _TWO_WORDS:
        return f"{'On' if kind in _PLAYED else 'In'} {whose} {where}"
    return f"On {whose} {where}" if noun in _ON else ""


def opening_line(elements: Sequence[Element], place: str) -> int | None:
    """The line that is to say where the scene is: its first; None where one of the first says so, or it cannot."""
    first = elements[:_OPENINGS]
    noun = place.rsplit(" ", 1)[-1].lower()
    nouns = next((alike for alike in _ALIKE if noun in alike), frozenset({noun}))
    if not place or any(each in element.text.lower() for each in nouns for element in first):
        return None
    said = next((number for number, element in enumerate(first) if element.kind is SentenceKind.SEEN), None)
    return said if said is not None and elements[said].complete else None


def with_place(text: str, line: Sequence[Sentence], place: str, names: Collection[str] = ()) -> str:
    """A line with the place before it; unchanged where it begins with a place or circumstances of its own.

    A word of `names` keeps its capital, whatever the parser takes it for.
    """
    if len(line) != 1 or not line[0].words:
        return text
    first = line[0].words[0]
    subjects = [word for word in line[0].words if word.dep in ("nsubj", "nsubjpass")]
    if not subjects or first.tag not in _SUBJECT_STARTS or _is_where(subjects[0]):
        return text
    # The line may begin with a name in place of its pronoun.
    named = first.tag in PROPER or first.text in names or not text.startswith(first.text) or first.text == "I"
    said = text if named and not text.startswith("The ") else text[0].lower() + text[1:]
    opening, whose, noun = place.split(" ", 2)
    if whose.removesuffix("'s") == said.split()[0].rstrip(","):
        whose = "the"
    return f"{opening} {whose} {noun}, {said}"


def _is_where(subject: Word) -> bool:
    """Whether what a line speaks of is itself a place, or may be: BAXTER’s place is dark; It is cold."""
    return subject.text.lower() in _WHERE or subject.lemma.lower() in _WHERE
