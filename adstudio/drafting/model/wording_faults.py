"""Wordings of a model that no describer would say: each is asked for again once, and then settled.

What `line_faults` finds in a wording makes it bad, as a wrong length does. If it is still faulty when it has been
written again, a shorter wording is left out; in place of a full one the description's own words are taken if they have
fewer faults, and one that is faulty all the same has no salience. An element is never lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adstudio.drafting.model.checks import Bad, Checked, Rules, reworded, target
from adstudio.drafting.model.response_schema import FULL, SHORTER
from adstudio.drafting.text.line_faults import LineContext, LineFault, faults_of_lines

Faults = Mapping[str, Mapping[str, tuple[LineFault, ...]]]
"""The faults of wordings, by element and key; `OWN` stands for the description's own words."""
OWN = "own"


def with_faults(elements: Sequence[Checked], rules: Rules, *, begins: bool = True) -> list[Checked]:
    """The answered elements, in textual order, whose faulty wordings are bad, unless they were asked for again.

    `begins` says that they begin a scene; behind another part of it, people may have been named.
    """
    found = _faults(elements, rules, begins=begins)
    return [_marked(each, found.get(each.wanted.id, {})) for each in elements]


def without_faults(elements: Sequence[Checked], rules: Rules, *, begins: bool = True) -> list[Checked]:
    """The elements with what is to be said in place of wordings that are still faulty, and notes about them.

    A full wording that is faulty all the same weighs nothing, as in drafts without a model: it stays an item that a
    describer can raise.
    """
    found = _faults(elements, rules, begins=begins)
    own = [_with_better_words(each, found.get(each.wanted.id, {}), rules) for each in elements]
    found = _faults(own, rules, begins=begins)
    return [_settled(each, found.get(each.wanted.id, {})) for each in own]


def _faults(elements: Sequence[Checked], rules: Rules, *, begins: bool) -> Faults:
    keys: list[tuple[str, str]] = []
    lines: list[tuple[str, LineContext]] = []
    before: tuple[str, ...] = ()
    for each in elements:
        texts = {FULL: each.full, OWN: each.wanted.text}
        texts |= {key: each.texts[key] for key in SHORTER if key in each.good or _only_length(each, key)}
        for key, text in texts.items() if each.answered else ():
            keys.append((each.wanted.id, key))
            lines.append((text, LineContext(rules.language, before)))
        before = (*before, each.full)
    found: dict[str, dict[str, tuple[LineFault, ...]]] = {}
    for (identity, key), faults in zip(keys, faults_of_lines(lines), strict=True):
        hidden = () if begins else (LineFault.PRONOUN,)
        found.setdefault(identity, {})[key] = tuple(fault for fault in faults if fault not in hidden)
    return found


def _only_length(checked: Checked, key: str) -> bool:
    return any(bad.key == key and bad.only_length for bad in checked.bad)


def _marked(checked: Checked, faults: Mapping[str, tuple[LineFault, ...]]) -> Checked:
    """The element with its faulty wordings among the bad ones, in the order of their lengths."""
    bad = {each.key: each for each in checked.bad}
    for key in (FULL, *SHORTER):
        if not faults.get(key) or key in checked.repaired:
            continue
        length = bad.get(key)
        aim = checked.wanted.words if key == FULL else target(key, checked.words)
        why = " and ".join(filter(None, [length.why if length else "", said(faults[key])]))
        bad[key] = Bad(key, length.words if length else aim, why, faulty=True)
    ordered = tuple(bad[key] for key in (FULL, *SHORTER) if key in bad)
    good = {key: text for key, text in checked.good.items() if key == FULL or key not in bad}
    return replace(checked, bad=ordered, good=good)


def _with_better_words(checked: Checked, faults: Mapping[str, tuple[LineFault, ...]], rules: Rules) -> Checked:
    """The element in the description's own words, if those have fewer faults than its full wording."""
    if len(faults.get(OWN, ())) >= len(faults.get(FULL, ())):
        return checked
    note = f"the full wording {said(faults[FULL])}: the description’s own words are taken"
    return reworded(replace(checked, notes=(*checked.notes, note)), {FULL: checked.wanted.text}, rules)


def _settled(checked: Checked, faults: Mapping[str, tuple[LineFault, ...]]) -> Checked:
    notes = list(checked.notes)
    good, bad = dict(checked.good), {each.key: each for each in checked.bad}
    bad.pop(FULL, None)
    for key, found in faults.items():
        if not found or key == OWN:
            continue
        if key == FULL:
            outcome = "kept all the same" if _is_speakable(found) else "not spoken unless you raise its salience"
            notes.append(f"the full wording {said(found)}: {outcome}")
            continue
        own = tuple(fault for fault in found if fault not in faults.get(FULL, ()))
        if own:  # what is wrong with the full wording too is no reason to have no shorter one
            bad.pop(key, None)
            good.pop(key, None)
            notes.append(f"the wording at {float(SHORTER[key])} {said(own)}: left out")
    salience = checked.salience
    if salience is not None and salience > 0 and not _is_speakable(faults.get(FULL, ())):
        salience = 0
    return replace(checked, good=good, bad=tuple(bad.values()), notes=tuple(notes), salience=salience)


def _is_speakable(faults: Sequence[LineFault]) -> bool:
    return all(fault is LineFault.SAME_NAME for fault in faults)


def said(faults: Sequence[LineFault]) -> str:
    """The faults as the end of a sentence: speaks of the camera and is not in the present tense."""
    return " and ".join(fault.value for fault in faults)
