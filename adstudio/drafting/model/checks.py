"""Checks a model's answer about an element: each wording, the times, the salience; each fault in plain words.

Nothing is taken on trust, whatever schema the server enforces. What cannot be used is left out or requested again; an
element is never lost, since its own words are a wording.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adstudio.core.words import count_words
from adstudio.drafting.candidates_file.element import tidy, unfit
from adstudio.drafting.candidates_file.findings import shown
from adstudio.drafting.model.response_schema import FULL, LONGEST, SALIENCE, SHORTER, TENTH_MS
from adstudio.drafting.text.language.names import NOTHING_KNOWN, Known, known_words, unknown_names
from adstudio.drafting.text.language.sentence_ends import sentences
from adstudio.llm.asides import aside_in

SNAP_MS = 1000
"""A time this near to a cut is moved to it: models see a picture per second, and time stamps every two."""
LEAST_MS = 1000
"""The length of an occurrence to which a model gave none."""
EXACT_BELOW = 15
"""Lines with fewer words may be one word off the wanted number; longer ones a tenth of their full words."""
NOT_SEEN = "taken as not seen"
TOO_FEW = 4
"""Lines with fewer words have no shorter wordings."""


@dataclass(frozen=True)
class Wanted:
    """An element in a request: its id in this part of the scene, its sentence, and its extract of the text."""

    id: str
    text: str
    extract: str

    @property
    def words(self) -> int:
        """How many words its sentence has."""
        return count_words(self.text)


@dataclass(frozen=True)
class Bad:
    """A wording to be rewritten: which (`r80`), in how many words, and why.

    `only_length`: nothing else is wrong with it; `faulty`: no describer would say so (`wording_faults`).
    """

    key: str
    words: int
    why: str
    only_length: bool = False
    faulty: bool = False


@dataclass(frozen=True)
class Checked:
    """An element with what can be used of its answer.

    `texts` are all wordings as received, `good` the valid ones, by key. Times are ms from the clip's start, salience is
    in thousandths; all three are None together. `notes` say what was wrong and how it was handled. `unusable` says
    what is wrong with times that were given; then there are none. `repaired` are the keys of wordings that were asked
    for again because no describer would say them.
    """

    wanted: Wanted
    texts: Mapping[str, str]
    good: Mapping[str, str]
    bad: tuple[Bad, ...] = ()
    start: int | None = None
    end: int | None = None
    salience: int | None = None
    notes: tuple[str, ...] = ()
    mended: bool = False
    unusable: str = ""
    repaired: frozenset[str] = frozenset()

    @property
    def words(self) -> int:
        """How many words the full wording has."""
        return count_words(self.full)

    @property
    def answered(self) -> bool:
        """Whether the model answered at all."""
        return bool(self.texts)

    @property
    def full(self) -> str:
        """The full wording."""
        return self.good[FULL]


@dataclass(frozen=True)
class Rules:
    """What answers are checked against: the clip's length (ms), its cuts from its start, known names, the language.

    `names` are the words of the people's names, which a full wording may use; `film` are the names in its texts.
    """

    length: int
    cuts: tuple[int, ...] = ()
    names: frozenset[str] = field(default_factory=frozenset[str])
    language: str = "en"
    film: Known = NOTHING_KNOWN

    @property
    def known(self) -> Known:
        """All known names."""
        return Known(self.film.names | self.names, self.film.ordinary)


def target(key: str, full_words: int) -> int:
    """How many words a compression of a line with `full_words` should have: at least one, halves rounded up."""
    rate = SHORTER[key]
    return max((2 * rate.numerator * full_words + rate.denominator) // (2 * rate.denominator), 1)


def check_all(
    wanted: Sequence[Wanted], found: Sequence[Mapping[str, Any]], rules: Rules
) -> tuple[tuple[Checked, ...], tuple[Wanted, ...], tuple[str, ...]]:
    """The answered elements, in the order of the request; the unanswered ones; and notes.

    Answers are matched by id, not by position; those with an unknown or repeated id are left out.
    """
    by_id = {each.id: each for each in wanted}
    answers: dict[str, Mapping[str, Any]] = {}
    notes: list[str] = []
    for answer in found:
        identity = answer.get("id")
        if not isinstance(identity, str) or identity not in by_id:
            notes.append(f"an answer for {shown(identity)}, which was not asked for, is left out")
        elif identity in answers:
            notes.append(f"a second answer for {identity} is left out")
        else:
            answers[identity] = answer
    order = [identity for identity in by_id if identity in answers]
    if list(answers) != order:
        notes.append("the answers were not in order")
    checked = [check(by_id[identity], answers[identity], rules) for identity in order]
    last = 0
    for place, each in enumerate(checked):
        if each.start is not None and each.start < last - 2 * SNAP_MS:
            what = "it is seen before what stands ahead of it in the text"
            checked[place] = replace(each, notes=(*each.notes, what))
        last = max(last, each.start or 0)
    return tuple(checked), tuple(each for each in wanted if each.id not in answers), tuple(notes)


def check(wanted: Wanted, answer: Mapping[str, Any], rules: Rules) -> Checked:
    """One element's answer."""
    texts = {key: tidy(text) for key in (FULL, *SHORTER) if isinstance(text := answer.get(key), str)}
    checked = Checked(wanted, texts, {})
    if unusable := _unusable(answer, rules.length):
        note = f"{unusable}: {NOT_SEEN}"
        return _worded(replace(checked, notes=(note,), mended=True, unusable=unusable), rules)
    return _worded(_placed(checked, answer, rules), rules)


def unanswered(wanted: Wanted, why: str) -> Checked:
    """An element without an answer: its own words only, at an unknown time."""
    return Checked(wanted, {}, {FULL: wanted.text}, notes=(why,), mended=True)


def rewritten(checked: Checked, texts: Mapping[str, str], rules: Rules) -> Checked:
    """The element with rewritten wordings, unless they are worse than before."""
    best = dict(checked.texts)
    bad = {each.key: each for each in checked.bad}
    known = known_words(checked.full)
    for key, text in texts.items():
        new = tidy(text)
        why = _full_fault(new, checked.wanted, rules) if key == FULL else _fault(new, known, rules)
        if key not in bad or why:
            continue
        old, words = best.get(key, ""), bad[key].words
        sound = bool(old) and not bad[key].faulty and not _fault(old, known, rules)
        if not (sound and _off(old, words) <= _off(new, words)):
            best[key] = new
    repaired = checked.repaired | {each.key for each in checked.bad if each.faulty}
    return _worded(replace(checked, texts=best, repaired=repaired), rules)


def reworded(checked: Checked, texts: Mapping[str, str], rules: Rules) -> Checked:
    """The element with these wordings in place of its own, whatever they are, checked again."""
    return _worded(replace(checked, texts={**checked.texts, **texts}), rules)


def settled(checked: Checked) -> Checked:
    """The element as it stays without more requests: wordings only off in length are kept, others removed."""
    good = dict(checked.good)
    notes = list(checked.notes)
    full_words = count_words(checked.full)
    for bad in checked.bad:
        text = checked.texts.get(bad.key, "")
        usable = bad.only_length and 0 < count_words(text) < full_words and text not in good.values()
        notes.append(
            f"the wording at {float(SHORTER[bad.key])} {bad.why}: {'kept all the same' if usable else 'left out'}"
        )
        if usable:
            good[bad.key] = text
    return replace(checked, good=good, bad=(), notes=tuple(notes))


def _worded(checked: Checked, rules: Rules) -> Checked:
    """The wordings checked one by one, the shorter ones against the full one."""
    notes = list(checked.notes)
    full = checked.texts.get(FULL, "")
    why = _full_fault(full, checked.wanted, rules)
    if why:
        full = checked.wanted.text
        what = f"the full wording {why}: the description’s own words are taken"
        if what not in notes:
            notes.append(what)
    good, bad = {FULL: full}, list[Bad]()
    full_words = most = count_words(full)
    known = known_words(full)
    for key in SHORTER:
        wanted = target(key, full_words)
        if full_words < TOO_FEW or wanted >= most:
            continue  # leaves no room for a wording of its own
        text = checked.texts.get(key, "")
        if why := _fault(text, known, rules):
            bad.append(Bad(key, wanted, why))
        elif why := _length_fault(text, wanted, full_words, most):
            bad.append(Bad(key, wanted, why, only_length=True))
        else:
            good[key] = text
            most = count_words(text)
    return replace(checked, good=good, bad=tuple(bad), notes=tuple(notes))


def _full_fault(text: str, wanted: Wanted, rules: Rules) -> str:
    # It may say who “the man” is, if known; shorter wordings name nobody whom it does not.
    why = _fault(text, known_words(wanted.text, wanted.extract) | rules.names, rules)
    if not why and count_words(text) > 2 * wanted.words + 3:
        return f"has {count_words(text)} words for an element of {wanted.words}"
    return why


def _fault(text: str, known: Collection[str], rules: Rules) -> str:
    """What is wrong with a wording apart from its length; `known` are the words that its names may consist of."""
    if not text:
        return "is missing"
    if why := no_line(text):
        return why
    if sentences(text, rules.language) > 1:
        return "is more than one sentence"
    named = unknown_names(text, known, rules.language, rules.known)
    if named:
        return f"names {shown(named[0])}, which the description does not"
    return ""


def no_line(text: str) -> str:
    """Why a text cannot be a line of narration, whatever it is about, as the end of a sentence; "" if it can."""
    if len(text) > LONGEST:
        return f"is longer than {LONGEST} characters"
    if unfit(text) or not count_words(text):
        return "is no text"
    return aside_in(text) or ""


def _length_fault(text: str, wanted: int, full_words: int, most: int) -> str:
    count = count_words(text)
    allowed = 1 if full_words < EXACT_BELOW else full_words // 10
    if abs(count - wanted) > allowed:
        return f"has {count} words where {wanted} are asked for"
    if count >= most:
        return f"has {count} words, as many as a longer wording"
    return ""


def _off(text: str, wanted: int) -> int:
    return abs(count_words(text) - wanted)


def _unusable(answer: Mapping[str, Any], length: int) -> str:
    """What is wrong with times and salience in a clip of `length` ms; "" if they are valid, or none is given."""
    given = {key: answer.get(key) for key in ("start", "end", "salience")}
    missing = [key for key, value in given.items() if value is None]
    if len(missing) == len(given):
        return ""
    wrong = next((key for key, value in given.items() if value is not None and not _is_count(value)), None)
    if wrong is not None:
        return f"the {wrong} {_said(given[wrong])} is no whole number"
    if missing:
        return f"there is no {' and no '.join(missing)}"
    start, end = int(given["start"] or 0), int(given["end"] or 0)
    if start > end:
        return "it ends before it starts"
    return "it starts behind the end of the clip" if start * TENTH_MS >= length else ""


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _placed(checked: Checked, answer: Mapping[str, Any], rules: Rules) -> Checked:
    """The element with usable times and salience, or none, and what was corrected in them."""
    given = [answer.get(key) for key in ("start", "end", "salience")]
    if None in given:
        return replace(checked, notes=("the model does not see it in the clip",))
    start, end, salience = (int(value or 0) for value in given)
    start, end = start * TENTH_MS, end * TENTH_MS
    notes: list[str] = []
    if end > rules.length + TENTH_MS:
        notes.append("it runs past the end of the clip: cut there")
    if not 0 < salience < SALIENCE:
        notes.append(f"the salience {salience} is not between 0 and {SALIENCE}: moved there")
        salience = min(max(salience, 1), SALIENCE - 1)
    end = min(end, rules.length)
    if start == end:
        notes.append("the occurrence had no length")
        end = min(start + LEAST_MS, rules.length)
    start, end = _snapped(start, end, rules.cuts)
    return replace(checked, start=start, end=end, salience=salience, notes=tuple(notes), mended=bool(notes))


def _said(value: object) -> str:
    return str(value) if type(value) is int else shown(value)


def _snapped(start: int, end: int, cuts: Sequence[int]) -> tuple[int, int]:
    """Both ends moved to a cut that is near enough, unless nothing is left between them."""
    near_start = min(cuts, key=lambda cut: abs(cut - start), default=start)
    near_end = min(cuts, key=lambda cut: abs(cut - end), default=end)
    new_start = near_start if abs(near_start - start) <= SNAP_MS else start
    new_end = near_end if abs(near_end - end) <= SNAP_MS else end
    return (new_start, new_end) if new_start < new_end else (start, end)
