"""The units of a sentence: words that stay or go together, each under its governor, as the knapsack wants them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from adstudio.drafting.text.compress import complements, deletions, lexicon
from adstudio.drafting.text.compress.film_colours import NO_COLOURS, ColouredThings
from adstudio.drafting.text.compress.knapsack import Group, Unit
from adstudio.drafting.text.compress.multiword import absolutes
from adstudio.drafting.text.compress.parse_sanity import in_doubt
from adstudio.drafting.text.compress.words import Clause

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj"))
_CARRIED = frozenset(("dobj", "prep", "prt", "attr", "acomp", "ccomp", "xcomp", "dative"))


@dataclass(frozen=True)
class Enumeration:
    """A list: its first member, the others in order, for each of them its conjunction or None.

    `together`: all go and stay as one. In a `movable` one the only conjunction stands before whichever member is now
    the last.
    """

    head: int
    members: tuple[int, ...]
    conjunctions: tuple[int | None, ...]
    together: bool

    @property
    def movable(self) -> bool:
        """Whether it is "a, b and c": more than two, and one conjunction before the last."""
        return len(self.members) > 1 and self.conjunctions[-1] is not None and not any(self.conjunctions[:-1])


def enumerations(clause: Clause) -> tuple[Enumeration, ...]:
    """The lists of a sentence, from left to right."""
    found: list[Enumeration] = []
    for head in range(len(clause.words)):
        if clause.top(head).dep == "conj" or not clause.below(head, "conj"):
            continue
        members: list[int] = []
        words: list[int] = []
        waiting = [head]
        while waiting:
            at = waiting.pop()
            words += clause.below(at, "cc")
            members += (under := clause.below(at, "conj"))
            waiting += under
        members.sort()
        marks: list[int | None] = [None] * len(members)
        for word in sorted(words):
            after = next((number for number, member in enumerate(members) if member > word), None)
            if after is not None:
                marks[after] = word
        found.append(Enumeration(head, tuple(members), tuple(marks), _together(clause, head, members, words)))
    return tuple(found)


def _together(clause: Clause, head: int, members: list[int], words: list[int]) -> bool:
    first = clause.top(head)
    kinds = {clause.top(member).pos for member in members}
    if any(clause.below(at, "preconj") for at in (head, *members)) or any(member < head for member in members):
        return True
    if any(clause.lower(word) not in {"and", "or", "but"} for word in words):
        return True
    if first.pos in lexicon.VERBAL:
        return not kinds <= lexicon.VERBAL or _shares_what_follows(clause, head, members)
    if first.pos in lexicon.NOMINAL:
        return not kinds <= lexicon.NOMINAL or _counted_together(clause, head)
    return first.pos != "ADP" or kinds != {"ADP"}


def _shares_what_follows(clause: Clause, head: int, members: list[int]) -> bool:
    """As in "opens and closes the door": without its second verb the first has lost the door."""
    follows = [child for child in clause.children[head] if child > head]
    bare = not any(clause.top(child).dep not in {"cc", "conj", "punct"} for child in follows)
    negated = clause.below(head, "neg")
    contrast = any(clause.lower(child) == "but" for child in follows)
    carries = any(clause.relations_below(member) & _CARRIED for member in members)
    return (bare and carries) or bool(negated and contrast)


def _counted_together(clause: Clause, head: int) -> bool:
    """The verb agrees with all of a subject, and "between a and b" and "each other" need both."""
    word, governor = clause.top(head), clause.words[head].head
    plural = word.tag in {"NNS", "NNPS"}
    if word.pos == "NUM":
        return True
    tags = {clause.sentence.words[token].tag for token in clause.words[governor].tokens}
    agrees = "VBZ" in tags or clause.words_below(governor) & {"is", "was", "has"}
    if word.dep in _SUBJECTS and (not plural or agrees):
        return True
    if word.dep == "attr" and not plural:
        return clause.lower(governor) not in {"is", "was"}
    if word.dep == "dobj" and clause.top(governor).lemma in lexicon.JOINING:
        return True
    if word.dep == "pobj" and clause.top(clause.words[governor].head).lemma in lexicon.TWO_OF:
        return True
    both = {"other", "together", "both"} & set(map(clause.lower, range(len(clause.words))))
    first, _, _ = clause.spans[head]
    alone = {clause.lower(near) for near in range(max(0, first - 2), head)} & lexicon.ONLY
    of_several = word.dep == "appos" and clause.top(governor).tag in {"NNS", "NNPS"}  # "her friends, Anna and Ben"
    return of_several or clause.lower(governor) == "between" or bool(both or alone)


# The figures are chosen by hand and read against the two hundred sentences; they are counted for a word alone, and a
# unit is worth what its words are. A verb in a list (a second thing that happens) stands above places, agents and
# circumstances, these above clauses that only describe, these above adjectives, adverbs and intensifiers.

_OWN = {"PROPN": 300, "VERB": 120, "NOUN": 120, "NUM": 100, "ADJ": 50, "PRON": 40}
_RELATION = {"agent": 420, "acl": 240, "relcl": 220, "advcl": 320, "appos": 200, "amod": 90, "npadvmod": 200}
_SECOND_EVENT, _SECOND_THING = 500, 330
_GOAL, _CIRCUMSTANCE, _OF_A_NOUN = 460, 400, 200
_INTENSIFIER, _MANNER, _OTHER_ADVERB = 50, 90, 140


def worth(clause: Clause, at: int) -> int:
    """A word's worth, in hundredths: its own and that of its relation, less the deeper it is in the tree."""
    word = clause.top(at)
    relation = _RELATION.get(word.dep, 0)
    text = word.text.lower()
    if word.dep == "prep":
        of_a_noun = clause.top(clause.words[at].head).pos in {"NOUN", "PROPN", "PRON", "NUM"}
        relation = _OF_A_NOUN if of_a_noun else _GOAL if text in lexicon.GOALS else _CIRCUMSTANCE
    elif word.dep == "advmod":
        relation = _INTENSIFIER if text in lexicon.INTENSIFIERS else _MANNER if text.endswith("ly") else _OTHER_ADVERB
    elif word.dep == "conj":
        relation = _SECOND_EVENT if word.pos in {"VERB", "AUX"} else _SECOND_THING
    return (_OWN.get(word.pos, 0) + relation) * 10 // (10 + clause.depth[at])


@dataclass(frozen=True)
class Tree:
    """A sentence in units.

    `heads` are the governors after lists were laid flat; unit 0 is the one that always stays, `members` are the words
    of each unit; the conjunction of a `floating` list is in none of them.
    """

    clause: Clause
    heads: tuple[int, ...]
    units: tuple[Unit, ...]
    members: tuple[tuple[int, ...], ...]
    floating: tuple[Enumeration, ...]

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """For each word the first and the last of those under it."""
        first, last = list(range(len(self.heads))), list(range(len(self.heads)))
        for at in range(len(self.heads)):
            for above in _upwards(self.heads, at):
                first[above], last[above] = min(first[above], at), max(last[above], at)
        return tuple(zip(first, last, strict=True))

    def below(self, at: int, words: Iterable[int]) -> list[int]:
        """Those of the words that are under a word, or it itself."""
        return [word for word in words if word == at or at in _upwards(self.heads, word)]


def tree(clause: Clause, names: Collection[str], things: ColouredThings = NO_COLOURS) -> Tree:
    """The units of a sentence; with one unit only there is nothing to leave out."""
    return _Builder(clause, names, things).tree()


def _upwards(heads: Sequence[int], at: int) -> list[int]:
    way: list[int] = []
    while heads[at] != at:
        at = heads[at]
        way.append(at)
    return way


class _Builder:
    """Takes the bonds of a sentence together."""

    def __init__(self, clause: Clause, names: Collection[str], things: ColouredThings) -> None:
        self._clause = clause
        self._heads = [word.head for word in clause.words]
        everyone = range(len(clause.words))
        self._lists = enumerations(clause)
        self._floating: list[Enumeration] = []
        self._needed: list[tuple[int, ...]] = []
        if in_doubt(clause):
            self._deletable = [deletions.can_be_deleted_safely(clause, at) for at in everyone]
        else:
            self._deletable = [deletions.can_be_deleted(clause, at) for at in everyone]
            self._chains_of_phrases()
            self._places_of_objects()
            for found in self._lists:
                self._flatten(found)
            self._tied_to_neighbours()
            self._free_absolutes()
        self._make_undeletable(deletions.undeletable(clause, names))
        for at in deletions.colours(clause, things):
            self._deletable[at] = False
        for run, stays in deletions.blocks(clause):
            self._join(run)
            if stays:
                self._make_undeletable(run)
        for at in everyone:
            for named in complements.antecedents(clause, at):
                self._keep_antecedent(named, at)
            if at and {":", "–", "—", "-"} & set(clause.after[at - 1]):
                self._keep_antecedent(at - 1, at)
            if at and clause.top(at).tag in {"WDT", "WP", "WP$"} and clause.lower(at) in lexicon.RELATIVES:
                self._keep_antecedent(at - 1, at)
        self._floating = [found for found in self._floating if self._conjunction_floats(found)]

    def _chains_of_phrases(self) -> None:
        """As in "huddle around a fire in a drum": whose place the last one is, is unclear, so it is dropped first."""
        clause = self._clause
        for place in range(1, len(self._heads)):
            whither = clause.lower(place) in lexicon.WHITHER
            if clause.top(place).dep != "prep" or clause.after[place - 1] or whither or not self._deletable[place]:
                continue
            if clause.spans[place][0] == place and (before := self._phrase_before(place)) is not None:
                self._heads[place] = before

    def _phrase_before(self, place: int) -> int | None:
        """The topmost of the phrase that ends before a word and is not above it, if it could be left out."""
        above = (place, *_upwards(self._heads, place))
        at = place - 1
        if at in above:
            return None
        while self._heads[at] not in above:
            at = self._heads[at]
        phrase = any(self._clause.top(word).pos in lexicon.NOMINAL for word in range(at, place))
        return at if phrase and self._deletable[at] else None

    def _places_of_objects(self) -> None:
        """As in "puts the case on the seat": the parser may hang the place on the case."""
        for verb in range(len(self._heads)):
            for thing in self._clause.below(verb, "dobj") if self._clause.top(verb).pos == "VERB" else ():
                for place in self._clause.below(thing, "prep"):
                    if place > thing and self._deletable[place] and self._heads[place] == thing:
                        self._heads[place] = verb
            places = tuple(at for at in complements.place_complements(self._clause, verb) if self._heads[at] == verb)
            places += tuple(
                at
                for at, head in enumerate(self._heads)
                if head == verb
                and self._clause.words[at].head != verb
                and self._clause.top(verb).lemma.lower() in lexicon.PLACE_VERBS
            )
            if places and all(self._deletable[at] for at in places):
                self._needed.append(tuple(sorted(set(places))))
            elif not places and (rest := self._rest(verb)) and all(self._deletable[at] for at in rest):
                self._needed.append(rest)
            adjectives = complements.informative_modifiers(self._clause, verb)
            if adjectives and all(self._deletable[at] for at in adjectives):
                self._needed.append(adjectives)

    def _free_absolutes(self) -> None:
        """They may be left out as a whole, whatever the parser takes them for."""
        for run in absolutes(self._clause):
            top = next((at for at in run if self._clause.words[at].head not in run), run[0])
            if self._clause.spans[top] == (run[0], run[-1], True):
                self._deletable[top] = True

    def _rest(self, verb: int) -> tuple[int, ...]:
        return tuple(at for at in complements.rest_of_bare(self._clause, verb) if self._heads[at] == verb)

    def _flatten(self, found: Enumeration) -> None:
        for member, conjunction in zip(found.members, found.conjunctions, strict=True):
            whole = self._clause.spans[member][2]
            self._heads[member] = found.head
            self._deletable[member] = not found.together and whole
            if conjunction is not None:
                self._heads[conjunction] = member
                self._deletable[conjunction] = False
        if found.movable and not found.together:
            self._floating.append(found)

    def _conjunction_floats(self, found: Enumeration) -> bool:
        """Whether "and" may wander: all members are free to go; with one that stays, "and" stays with the list."""
        if all(self._deletable[member] for member in found.members):
            return True
        for member in found.members:
            self._deletable[member] = False
        return False

    def _tied_to_neighbours(self) -> None:
        clause = self._clause
        for at in range(len(self._heads)):
            word = clause.top(at)
            below = clause.children[at]
            compared = word.tag in {"JJR", "RBR"} or clause.words_below(at) & lexicon.COMPARISONS
            for child in below:
                dep = clause.top(child).dep
                small_clause = dep in {"acl", "prep", "amod", "advmod"} and child > at and self._is_scene_of_with(at)
                seen = (
                    dep == "acl"
                    and word.dep == "dobj"
                    and clause.top(clause.words[at].head).lemma in lexicon.PERCEPTION
                )
                if (compared and child > at and dep != "conj") or small_clause or seen:
                    self._deletable[child] = False

    def _is_scene_of_with(self, at: int) -> bool:
        """As in "with a cat on his lap", "with arms folded": what follows the noun is the point of it."""
        head = self._clause.words[at].head
        return (
            self._clause.top(at).dep == "pobj"
            and self._clause.lower(head) == "with"
            and bool(self._clause.below(at, "acl"))
        )

    def _make_undeletable(self, words: Iterable[int]) -> None:
        for word in words:
            for at in (word, *_upwards(self._heads, word)):
                self._deletable[at] = False

    def _join(self, run: range) -> None:
        depth = {at: len(_upwards(self._heads, at)) for at in run}
        top = min(run, key=lambda at: (depth[at], at))
        for word in run:
            way = [word, *_upwards(self._heads, word)]
            if top in way:
                for at in way[: way.index(top)]:
                    self._deletable[at] = False
            else:
                self._make_undeletable((word, top))

    def _keep_antecedent(self, named: int, pronoun: int) -> None:
        """A pronoun's antecedent stays at least as long as the pronoun."""
        above_pronoun = (pronoun, *_upwards(self._heads, pronoun))
        for at in (named, *_upwards(self._heads, named)):
            if at in above_pronoun:
                return
            member = next((other for other in above_pronoun if self._clause.top(other).dep == "conj"), None)
            if member is not None and self._clause.top(at).dep == "conj" and self._heads[member] == self._heads[at]:
                self._heads[member] = at  # "takes out a key and slips it into her pocket": the one only with the other
                return
            self._deletable[at] = False

    def tree(self) -> Tree:
        wandering = {found.conjunctions[-1] for found in self._floating}
        order = sorted(range(len(self._heads)), key=lambda at: len(_upwards(self._heads, at)))
        unit_of: dict[int, int] = {}
        members: list[list[int]] = []
        for at in order:
            if at in wandering:
                continue
            if self._deletable[at] or not members:
                unit_of[at] = len(members)
                members.append([])
            else:
                unit_of[at] = unit_of[self._heads[at]]
            members[unit_of[at]].append(at)
        groups: list[list[Group]] = [[] for _ in members]
        grouped: set[int] = set()
        for found in self._floating:
            free = [at for at in found.members if self._heads[at] == found.head]
            groups[unit_of[found.head]].append(Group(tuple(unit_of[at] for at in free), words=1))
            grouped.update(free)
        for places in self._needed:
            if all(self._deletable[at] for at in places):
                groups[unit_of[self._heads[places[0]]]].append(Group(tuple(unit_of[at] for at in places), needed=True))
                grouped.update(places)
        for at in order:
            if at in unit_of and self._deletable[at] and at not in grouped and at != order[0]:
                groups[unit_of[self._heads[at]]].append(Group((unit_of[at],)))
        units = tuple(
            Unit(len(words), sum(worth(self._clause, at) for at in words), tuple(own))
            for words, own in zip(members, groups, strict=True)
        )
        return Tree(
            self._clause,
            tuple(self._heads),
            units,
            tuple(tuple(sorted(words)) for words in members),
            tuple(self._floating),
        )
