"""What a character is called while the name may not be said: as the cast has it, or as a text introduces them.

“TOM FINCH, the clerk, writes” calls him the clerk; “NORA VALE, in a mustard coat, hurries along” shows the woman in the
mustard coat. English only, where nothing else is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adstudio.characters.mentions import Mention, mentions
from adstudio.characters.name_index import NameIndex, is_role
from adstudio.characters.name_lists import PERSON_NOUNS
from adstudio.core.cast import MAX_DESCRIBED_AS, People, Person, Pronouns

LONGEST_APPOSITION = 6
"""Words of a phrase that says what somebody is."""
_APPOSITION = re.compile(
    r"(?: \([^)]{1,30}\))?, (?:the|an?) ((?:[\w’'-]+ ){0,5}[\w’'-]+)(?=[,.;:!?–—]|$| whos?e?\b| –| —)"
)
_WEARING = re.compile(
    r"(?: \([^)]{1,30}\))?, (?:(?:dressed|wearing|clad) )?(?:in )?((?:an?|the) (?:[\w’'-]+ ){0,3}[\w’'-]+)"
    r"(?=[,.;:!?–—]| and\b| with\b| over\b| under\b)"
)
_IN = re.compile(r"(?: \([^)]{1,30}\))?, (?:in|wearing|dressed in|clad in) ")
_ENDS_HEAD = frozenset(
    {"in", "with", "who", "of", "at", "on", "from", "by", "whose", "that", "near", "behind", "under"}
)
_CHILD = re.compile(
    r"(?:\b(?:year-old|young|little|small|infant) (?:\w+ ){0,2}(?P<born>son|daughter)|\b(?P<child>boy|girl))"
    r"(?: named| called)?,? \Z",
    re.IGNORECASE,
)
_AGE = re.compile(r",? \(?(\d{1,2})(?:[),]| years)")
_CHILDREN = {"son": "the boy", "boy": "the boy", "daughter": "the girl", "girl": "the girl"}
_BEFORE = re.compile(
    r"(?P<article>an?|the) (?P<what>(?:[\w’'-]+ ){0,3}?(?P<noun>[a-z]+)"
    r"(?P<more> (?:of|in|with|from|wearing|carrying) [^,.;:!?–—()“”\"]{1,60}?)?)"
    r"(?P<joint>,? (?:named|called|by the name of)|, (?:whose name is|this is)|,| [–—]| --|(?= \()) ?\(?\Z",
    re.IGNORECASE,
)
"""What somebody is said to be right before the name: a boy of about ten, ODDO; a boy called ODDO."""
_ARTICLE = re.compile(r"\b(?:an?|the) ", re.IGNORECASE)
_AGED = re.compile(
    r",? \(?(?:(?:early|mid|late)[ -])?(?:\d{1,2}s?|teens|twenties|thirties|forties|fifties|sixties)\)?"
    r"(?=,|[.!?]|\)| [–—]| --|\Z)"
)
_LISTED = re.compile(r", (?:and|or) (?:[Aa]n?|[Tt]he|[A-Z]\w*)\b")
_LEADING = re.compile(
    r"(?:at|to|of|for|with|by|on|in|behind|beside|before|above|below|beneath|under|over|near|past|after|towards?|around"
    r"|round|against|between|opposite|like|without)\b",
    re.IGNORECASE,
)
_SENTENCE_BEFORE = re.compile(r"[.!?…]\s+")
_CLOSED_BY = {",": (",", ".", "!", "?", ""), "–": ("–", "."), "—": ("—", "."), "--": ("--", "."), "(": (")",)}
"""What follows a name, by what stands before it, where that sets it off."""
_OF_AGE = {Pronouns.HE: "the boy", Pronouns.SHE: "the girl"}
GROWN = 15
"""Years from which somebody is a man or a woman."""
_PEOPLE = {Pronouns.SHE: "the woman", Pronouns.HE: "the man"}
_VOWEL = re.compile(r"[aeiou]|hour|honest|heir", re.IGNORECASE)
_WITH = re.compile(r"\b(in|with|wearing) the (\w+)")
_LIKE_YOU = re.compile(r"uni|use|euro|one\b|once", re.IGNORECASE)


@dataclass(frozen=True)
class Description:
    """What is said in place of a name: in full the first time, its head alone afterwards."""

    full: str
    """With its definite article: the woman in the mustard coat."""
    is_whole: bool = False
    """Whether only all of it tells them from somebody else, so that it is said in full each time."""

    @property
    def head(self) -> str:
        """Without what only tells it from others: the woman."""
        words = self.full.split()
        if self.is_whole:
            return self.full
        end = next((at for at, word in enumerate(words) if at > 1 and word.lower() in _ENDS_HEAD), len(words))
        return " ".join(words[:end])

    @property
    def noun(self) -> str:
        """The last word of the head, which says what they are."""
        return self.head.split()[-1].lower()

    @property
    def is_general(self) -> bool:
        """Whether it says no more than that it is a man or a woman."""
        return self.full in _PEOPLE.values() or self.full in _CHILDREN.values()


def indefinite(phrase: str) -> str:
    """An English phrase as it is said of somebody who is not known yet: a clerk."""
    article, space, rest = phrase.partition(" ")
    if article.lower() != "the" or not space:
        return phrase
    return f"{_article(rest)} {_WITH.sub(lambda found: f'{found[1]} {_article(found[2])} {found[2]}', rest)}"


def _article(noun: str) -> str:
    return "an" if _VOWEL.match(noun) and not _LIKE_YOU.match(noun) else "a"


def descriptions(
    people: People, texts: Iterable[str], pronouns: Mapping[str, Pronouns] | None = None
) -> dict[str, Description]:
    """By id what each character is called instead of a name; nobody of whom nothing is known.

    `texts` introduce people, in order, as a screenplay's action does; `pronouns` are known besides the cast's own. Who
    is called by what they are needs no other description.
    """
    known = {person.id: Description(person.described_as) for person in people if person.described_as}
    waiting = {person.id: person for person in people if person.id not in known and not is_role(person.name)}
    index = NameIndex(people)
    for text in texts if waiting else ():
        for mention in mentions(text, index):
            person = waiting.get(mention.person or "")
            if person is not None and (found := _introduced(text, mention, _pronouns(person, pronouns))):
                known[person.id] = Description(found)
                del waiting[person.id]
    for person in waiting.values():
        if general := _PEOPLE.get(_pronouns(person, pronouns)):
            known[person.id] = Description(general)
    return known


def _pronouns(person: Person, pronouns: Mapping[str, Pronouns] | None) -> Pronouns:
    if person.pronouns is not Pronouns.UNKNOWN:
        return person.pronouns
    return (pronouns or {}).get(person.id, Pronouns.UNKNOWN)


def _introduced(text: str, mention: Mention, pronouns: Pronouns) -> str:
    """What a text says somebody is right before or after the name; empty if it does not."""
    if mention.possessive:
        return ""
    if (child := _CHILD.search(text[: mention.start])) is not None:
        return _CHILDREN[(child["born"] or child["child"]).lower()]
    before = apposition_before(text, mention)
    if before is not None and len(before.what) <= MAX_DESCRIBED_AS:
        return before.what
    age = _AGE.match(text, mention.end)
    if age is not None and int(age[1]) < GROWN and pronouns in _OF_AGE:
        return _OF_AGE[pronouns]
    return _said_after(text, mention, pronouns)


def _said_after(text: str, mention: Mention, pronouns: Pronouns) -> str:
    what = _APPOSITION.match(text, mention.end)
    if what is not None and len(what[1].split()) <= LONGEST_APPOSITION and not what[1][0].isupper():
        said = Description(f"the {what[1]}")
        # “Nak, the open door between them, …” is no door.
        if len(said.full) <= MAX_DESCRIBED_AS and said.noun in PERSON_NOUNS:
            return said.full
    worn = _WEARING.match(text, mention.end) if _IN.match(text, mention.end) else None
    general = _PEOPLE.get(pronouns)
    if worn is not None and general is not None:
        _, _, thing = worn[1].partition(" ")
        return f"{general} in the {thing}"
    return ""


@dataclass(frozen=True)
class Apposition:
    """A name that only follows what somebody is: where that ends (`until`), and where the name does, with the age.

    `what` is that with its definite article. `set_off`: a comma, a dash or a bracket after `end` belongs to the name.
    """

    until: int
    end: int
    what: str
    set_off: bool


def apposition_before(text: str, mention: Mention) -> Apposition | None:
    """How a text introduces somebody by what they are, before the name: A boy of about ten, ODDO, runs in.

    None where it does not, or may speak of two: Behind the clerk, Nora waits; a clerk, Nora, and a guard.
    """
    before = text[: mention.start]
    aged = _AGED.match(text, mention.end)
    end = mention.end if aged is None else aged.end()
    for article in reversed(list(_ARTICLE.finditer(before))):
        found = _BEFORE.match(before, article.start())
        if found is None or found["noun"].lower() not in PERSON_NOUNS:
            continue
        joint = found["joint"].strip() or "("
        opening = next((each for each in _CLOSED_BY if joint.startswith(each)), "")
        if mention.possessive or (opening and not is_set_off(text, article.start(), end, opening)):
            return None
        what = " ".join(word.lower() if word.isupper() else word for word in found["what"].split())
        return Apposition(found.end("what"), end, f"the {what}", bool(opening))
    return None


def is_set_off(text: str, start: int, end: int, opening: str = ",") -> bool:
    """Whether a name that ends at `end` is set off from what somebody is, which starts at `start`: the boy, Tom, waits.

    Not in “behind the boy, Tom, in a hat, waits” and “a boy, Tom, and a girl wait”, which may speak of two or more.
    """
    follows = text[end:].lstrip(" ")
    if not any(follows.startswith(each) if each else not follows for each in _CLOSED_BY[opening]):
        return False
    before = _SENTENCE_BEFORE.split(text[:start])[-1]
    words = before.split()
    leads = bool(words) and all(_LEADING.match(word) is not None for word in (words[0], words[-1]))
    return not leads and not (opening == "," and _LISTED.match(text, end))


def apposition_after(text: str, mention: Mention) -> int:
    """Where the phrase ends, with its commas, that says what somebody is right after the name; else the mention's end.

    “Tom Finch, the clerk, writes”: up to the space before “writes”.
    """
    what = _APPOSITION.match(text, mention.end)
    if what is None or mention.possessive:
        return mention.end
    return what.end() + (text[what.end() : what.end() + 1] == ",")
