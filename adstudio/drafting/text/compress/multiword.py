"""Runs of words that mean nothing in halves: "her arm in his", what a sign says, "hardly at all"."""

from __future__ import annotations

from adstudio.drafting.text.compress.words import Clause
from adstudio.drafting.text.language.grammar import word_set

_OPENERS = word_set("her his its their my our your the one both each")
_NOUNS = word_set("NN NNS NNP NNPS")
_BEFORE_THE_NOUN = word_set("DT PRP$ CD JJ NN NNS NNP NNPS VBN RB POS")
_FINITE = word_set("VBZ VBP VBD MD WDT WP WRB VB")
_GOES_ON = word_set("IN TO VBG VBN JJ RB RP DT PRP$")
_SAYING = word_set(
    "read say add spell write sign print announce state list line label note caption title letter word message "
    "headline inscription poster plaque tag inscribe"
)
_SHOWN_WITHOUT_MARKS = word_set("reads says spells read say spell")
_ALL_BUT = word_set("nothing nobody none all anything everything everyone")


_SOME = word_set("one two three some most all both half many few several none each")
_THEM = word_set("them us which whom it these those")
_PAIRS = (
    ["somewhere", "between"],
    ["all", "over"],
    ["full", "force"],
    ["full", "tilt"],
    ["brand", "new"],
    ["upside", "down"],
    ["inside", "out"],
    ["at", "least"],
    ["at", "most"],
    ["at", "first"],
    ["at", "last"],
    ["at", "once"],
)


def absolutes(clause: Clause) -> tuple[range, ...]:
    """Phrases set off by a comma that say how something is: her bag on her knees, one hand bare, his face a blank."""
    found: list[range] = []
    for at in range(1, len(clause.words)):
        if "," not in clause.after[at - 1]:
            continue
        end = next((to for to in range(at, len(clause.words) - 1) if clause.after[to]), len(clause.words) - 1)
        the_other = [word.text.lower() for word in clause.words[at : at + 2]] == ["the", "other"]
        if found and the_other and found[-1].stop == at:
            found[-1] = range(found[-1].start, end + 1)  # "one arm in plaster, the other round a teddy bear"
        elif _absolute(clause, at, end) or _some_of_them(clause, at, end) or _is_carried(clause, at, end):
            found.append(range(at, end + 1))
    return tuple(found)


def _some_of_them(clause: Clause, at: int, end: int) -> bool:
    """As in "one of them behind the seat"."""
    opens = at + 2 < end and clause.lower(at) in _SOME and clause.lower(at + 1) == "of"
    return opens and clause.lower(at + 2) in _THEM and clause.top(at + 3).tag in _GOES_ON


def _is_carried(clause: Clause, at: int, end: int) -> bool:
    """As in "cup and saucer in hand"."""
    return at + 1 < end and clause.lower(end - 1) == "in" and clause.lower(end) in {"hand", "hands", "tow"}


def _absolute(clause: Clause, at: int, end: int) -> bool:
    opener = clause.lower(at)
    referring = any(clause.top(word).tag in ("PRP", "PRP$") for word in range(at + 1, end + 1))
    bare = clause.top(at).tag in ("NNP", "NNPS") or (clause.top(at).tag in ("NN", "NNS") and referring)
    named = bare and at < end and clause.top(at + 1).tag == "IN"  # "fire in its jaws"
    if not named and opener not in _OPENERS and not (opener in ("a", "an") and referring):
        return False
    if any(clause.top(word).tag in _FINITE for word in range(at, end + 1)):
        return False
    noun = at
    while noun + 1 <= end and clause.top(noun + 1).tag in _BEFORE_THE_NOUN and clause.top(noun).tag not in _NOUNS:
        noun += 1
    while noun + 1 <= end and clause.top(noun + 1).tag in _NOUNS:
        noun += 1
    if noun == end:
        # "one hand bare": the parser takes the adjective for the noun.
        return clause.lower(at) in ("one", "both") and end - at >= 2 and clause.top(end).dep != "conj"
    listed = any(clause.top(word).dep == "conj" for word in range(at, noun + 1))
    owner = clause.top(noun).dep == "appos" and clause.lower(at) == "the"
    if owner and clause.lower(noun + 1) == "of":
        return False  # "the owner of the house"
    return clause.top(noun).tag in _NOUNS and clause.top(noun + 1).tag in _GOES_ON and not listed


def written(clause: Clause) -> tuple[range, ...]:
    """What is read, said or written in the sentence: all of it is the point."""
    found: list[range] = []
    last = len(clause.words) - 1
    for at in range(last):
        if ":" in clause.after[at] and any(clause.top(word).lemma.lower() in _SAYING for word in range(at + 1)):
            found.append(range(at + 1, last + 1))
        shown = clause.lower(at) in _SHOWN_WITHOUT_MARKS and not clause.after[at]
        if shown and clause.words[at + 1].text[:1].isupper():
            ends = (to for to in range(at + 1, last) if clause.after[to])
            goes_on = (to for to in ends if "," not in clause.after[to] or not clause.words[to + 1].text[:1].isupper())
            found.append(range(at, next(goes_on, last) + 1))  # "signs that read Ashford, Rye, Hastings"
    return tuple(found)


def announced(clause: Clause) -> tuple[range, ...]:
    """What a word before a colon leads up to, both together: "then: a crash"."""
    last = len(clause.words) - 1
    return tuple(range(at, last + 1) for at in range(last) if ":" in clause.after[at] and clause.top(at).tag == "RB")


def after_colon(clause: Clause) -> tuple[range, ...]:
    """What follows a colon and has commas of its own: one hand gloved, the other bare."""
    last = len(clause.words) - 1
    return tuple(
        range(at + 1, last + 1)
        for at in range(last)
        if ":" in clause.after[at] and any(clause.after[word] for word in range(at + 1, last))
    )


def idioms(clause: Clause) -> tuple[range, ...]:
    """Hardly at all; nothing but water; all but the last page; on to the bed."""
    found: list[range] = []
    texts = [clause.lower(at) for at in range(len(clause.words))]
    for at in range(len(texts) - 1):
        if texts[at : at + 2] == ["at", "all"] and at:
            found.append(range(at - 1, at + 2))
        if texts[at : at + 2] == ["on", "to"] and clause.top(at).dep == "prt" and not clause.after[at]:
            end = next((to for to in range(at + 2, len(texts)) if clause.top(to).dep == "pobj"), at + 1)
            found.append(range(at, end + 1))  # "sinks on to the bed" is no sinking on
        if texts[at : at + 2] in _PAIRS or (texts[at] == "half" and clause.top(at + 1).dep == "amod"):
            found.append(range(at, at + 2))
        set_off = at > 0 and clause.after[at - 1] and texts[at : at + 2] == ["up", "to"]
        if set_off and texts[at + 2 : at + 3] and clause.top(at + 2).tag == "PRP$":
            end = next((to for to in range(at + 2, len(texts) - 1) if clause.after[to]), len(texts) - 1)
            found.append(range(at, end + 1))  # "up to her elbows in suds"
        if texts[at : at + 3] in (["come", "and", "go"], ["comes", "and", "goes"]):
            found.append(range(at, at + 3))
        if texts[at : at + 2] == ["in", "the"] and texts[at + 2 : at + 3] in (["eye"], ["eyes"], ["face"]):
            found.append(range(at, at + 3))  # "looks her in the eye"
        if texts[at : at + 4] == ["for", "the", "time", "being"]:
            found.append(range(at, at + 4))
        if texts[at] in _ALL_BUT and texts[at + 1] == "but":
            end = next((to for to in range(at + 1, len(texts) - 1) if clause.after[to]), len(texts) - 1)
            found.append(range(at, end + 1))
    return tuple(found)
