"""Reads a candidates file: the paper's JSON array (appendix “LLM processing”), or one such array per scene.

Each element is validated by itself: invalid ones are reported and skipped, the rest is used.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.json_reading import json_fault
from adstudio.core.script import Eventuality, Scene, Sequence
from adstudio.core.timebase import Span
from adstudio.drafting.candidates_file.element import Draft, ElementError, read_element, read_time, tidy, unfit
from adstudio.drafting.candidates_file.findings import Findings, Lines, Place, shortened, shown
from adstudio.drafting.candidates_file.json_walk import JsonWalk
from adstudio.system.files import read_bounded

LARGEST_FILE = 64_000_000
"""Bytes of a candidates file."""
MOST_ELEMENTS = 100_000
"""Elements in a candidates file, and scenes likewise."""
LONGEST_NAME = 200
"""Characters of a scene's id, title or sequence."""

_FORMS = "candidates are a JSON array of elements, or an object with “scenes”"
_START = re.compile(r'\[\s*+\{|\{\s*+"|\[\s*+\]')
_FENCE_BEFORE = re.compile(r"\s*+```[\w-]*+\s*+\Z")
_FENCE_AFTER = re.compile(r"\s*+```\s*+\Z")
_SCENE_KEYS = frozenset({"id", "start", "end", "elements", "title", "sequence"})


class CandidatesError(BadInputError):
    """An unusable candidates file."""


@dataclass(frozen=True)
class Candidates:
    """Scenes in chronological order, eventualities in textual order, both in film time; and oddities.

    `sequences` are those that scenes name, in order of first appearance.
    """

    scenes: tuple[Scene, ...]
    eventualities: tuple[Eventuality, ...]
    oddities: tuple[Oddity, ...]
    sequences: tuple[Sequence, ...] = ()


@dataclass
class _SceneDraft:
    place: Place
    entries: dict[str, object]
    elements: list[tuple[int, Draft]] = field(default_factory=list[tuple[int, Draft]])


def read_candidates(path: Path, *, film_end: int) -> Candidates:
    """The candidates in a file, for a film of `film_end` milliseconds.

    Raises:
        CandidatesError: for a file that is not JSON, is binary, or has no elements or too many.
        BadInputError: for a missing file, a folder, or a file larger than 64 MB.
        OutsideFailureError: if the file cannot be read.
    """
    return parse_candidates(read_bounded(path, LARGEST_FILE, "candidates file"), str(path), film_end=film_end)


def parse_candidates(data: bytes, name: str, *, film_end: int) -> Candidates:
    """The candidates in a file's bytes; `name` is used in messages.

    Raises:
        CandidatesError: as `read_candidates`.
    """
    text = _decoded(data, name)
    reading = _Reading(text, name)
    try:
        drafts, per_scene = reading.whole()
    except json.JSONDecodeError as error:
        raise CandidatesError(f"{json_fault(error, name)}; fix it there, or save the model’s response again") from None
    film = Span(0, film_end)
    findings = reading.findings
    scenes = list(_scenes(drafts, film, findings)) if per_scene else [(Scene("s1", film), drafts[0])]
    eventualities = tuple(_eventualities(scenes, findings))
    names = dict.fromkeys(scene.sequence for scene, _ in scenes if scene.sequence)
    return Candidates(
        scenes=tuple(scene for scene, _ in scenes),
        eventualities=eventualities,
        oddities=findings.oddities(),
        sequences=tuple(Sequence(title, title) for title in names),
    )


def _decoded(data: bytes, name: str) -> str:
    if len(data) > LARGEST_FILE:
        raise CandidatesError(f"{name} is larger than a candidates file can be ({LARGEST_FILE // 1_000_000} MB)")
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"a binary file; {_FORMS}" if b"\0" in data else "not text in UTF-8; save the file as UTF-8"
        raise CandidatesError(f"{name}, line {line}: this is {what}") from None
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise CandidatesError(f"{name}, line {line}: this is a binary file; {_FORMS}")
    return text


class _Reading:
    """Reads one file."""

    def __init__(self, text: str, name: str) -> None:
        self.findings = Findings()
        self._text = text
        self._name = name
        self._lines = Lines(text)
        self._walk = JsonWalk(text)
        self._elements = self._objects = 0

    def whole(self) -> tuple[list[_SceneDraft], bool]:
        """The drafts of all scenes, and whether the file has its own scenes."""
        walk = self._walk
        if walk.peek() not in tuple("[{"):
            found = _START.search(self._text)
            walk.position = found.start() if found else walk.position
        opening = walk.peek()
        if not opening:
            raise CandidatesError(f"{self._name} is empty; {_FORMS}")
        before = self._text[: walk.position]
        if opening == "[":
            scene = _SceneDraft(self._place(""), {})
            self._read_elements(scene, "")
            drafts, per_scene = [scene], False
        elif opening == "{":
            drafts, per_scene = self._read_scenes(), True
        else:
            walk.value()
            raise CandidatesError(f"{self._name} has no elements; {_FORMS}")
        self._check_surroundings(before, self._text[walk.position :])
        if self._elements and not self._objects:
            raise CandidatesError(f"{self._name} has a list, but not of elements; {_FORMS}")
        if not self._elements:
            self.findings.report_file("there are no elements in the file")
        return drafts, per_scene

    def _read_scenes(self) -> list[_SceneDraft]:
        drafts: list[_SceneDraft] | None = None
        for key in self._walk.entries():
            if key == "scenes" and self._walk.peek() == "[" and drafts is None:
                drafts = []
                for number, _ in enumerate(self._walk.items()):
                    self._read_scene(f"scenes[{number}]", drafts)
            else:
                self._pass_over(key, self._place("the file"))
        if drafts is None:
            raise CandidatesError(f"{self._name} has no list of “scenes”; {_FORMS}")
        return drafts

    def _read_scene(self, path: str, drafts: list[_SceneDraft]) -> None:
        if len(drafts) >= MOST_ELEMENTS:
            raise CandidatesError(f"{self._name} has more than {MOST_ELEMENTS:,} scenes")
        scene = _SceneDraft(self._place(path), {})
        if self._walk.peek() != "{":
            self.findings.report(scene.place, f"{shown(self._walk.value())} is not a scene: skipped")
            return
        listed = False
        for key in self._walk.entries():
            if key == "elements" and self._walk.peek() == "[" and not listed:
                listed = True
                self._read_elements(scene, f"{path}.")
            elif key in _SCENE_KEYS and key not in scene.entries:
                scene.entries[key] = self._walk.value()
            else:
                self._pass_over(key, scene.place)
        if not listed:
            self.findings.report(scene.place, "there is no list of “elements”")
        drafts.append(scene)

    def _read_elements(self, scene: _SceneDraft, path: str) -> None:
        for number, _ in enumerate(self._walk.items()):
            self._elements += 1
            if self._elements > MOST_ELEMENTS:
                raise CandidatesError(f"{self._name} has more than {MOST_ELEMENTS:,} elements; split it by scenes")
            place = self._place(f"{path}elements[{number}]")
            value = self._walk.value()
            self._objects += isinstance(value, dict)
            for key in self._walk.repeated_keys:
                self.findings.report_shared(f"the key “{shortened(key)}” is repeated, the last value counts", place)
            draft = read_element(value, place, self.findings)
            if draft is not None:
                scene.elements.append((number + 1, draft))

    def _pass_over(self, key: str, place: Place) -> None:
        self._walk.value()
        self.findings.report_shared(f"the key “{shortened(key)}” is unknown or repeated and ignored", place)

    def _place(self, path: str) -> Place:
        self._walk.peek()
        return Place(path, self._lines.of(self._walk.position))

    def _check_surroundings(self, before: str, after: str) -> None:
        if _START.search(after):
            line = self._lines.of(self._walk.position)
            raise CandidatesError(f"{self._name} has a second JSON text after line {line}; keep only one of them")
        if not (before + after).strip():
            return
        if _FENCE_BEFORE.match(before) and _FENCE_AFTER.match(after):
            self.findings.report_file("the JSON is inside a Markdown code fence, which is ignored")
        else:
            self.findings.report_file("there is other text around the JSON, which is ignored")


def _scenes(drafts: Iterable[_SceneDraft], film: Span, findings: Findings) -> Iterator[tuple[Scene, _SceneDraft]]:
    """Valid scenes in chronological order."""
    placed: list[tuple[Scene, _SceneDraft]] = []
    taken: set[str] = set()
    for number, draft in enumerate(drafts, start=1):
        span = _scene_span(draft, film, findings)
        if span is None:
            continue
        wanted = _scene_name(draft, "id", findings) or f"s{number}"
        identity = _unused(wanted, taken)
        if identity != wanted:
            findings.report(
                draft.place, f"the id {shown(wanted)} is already used: this scene becomes {shown(identity)}"
            )
        title, sequence = (_scene_name(draft, key, findings) for key in ("title", "sequence"))
        placed.append((Scene(identity, span, title, sequence or None), draft))
    ordered = sorted(placed, key=lambda pair: pair[0].span)
    for (earlier, _), (later, draft) in pairwise(ordered):
        if later.span.start < earlier.span.end:
            findings.report_shared("the scene starts before the previous one ends", draft.place)
    if ordered != placed:
        findings.report_file("the scenes are not in chronological order: they and their elements are sorted")
    yield from ordered


def _scene_span(draft: _SceneDraft, film: Span, findings: Findings) -> Span | None:
    lost = f"skipped with its {len(draft.elements)} elements"
    times: list[int] = []
    for key in ("start", "end"):
        try:
            times.append(read_time(draft.entries[key]))
        except KeyError:
            findings.report(draft.place, f"{key} is missing: {lost}")
            return None
        except ElementError as error:
            findings.report(draft.place, f"{key} {error}: {lost}")
            return None
    start, end = times
    if end <= start:
        findings.report(draft.place, f"the scene ends ({end / 1000} s) before it starts ({start / 1000} s): {lost}")
        return None
    if start >= film.end:
        findings.report(draft.place, f"the scene starts past the film’s end: {lost}")
        return None
    if end > film.end:
        findings.report(draft.place, "the scene runs past the film’s end: cut there")
    return Span(start, min(end, film.end))


def _scene_name(draft: _SceneDraft, key: str, findings: Findings) -> str:
    value = draft.entries.get(key)
    if value is None:
        return ""
    text = tidy(value) if isinstance(value, str) else ""
    if not text or len(text) > LONGEST_NAME or unfit(text):
        findings.report(draft.place, f"the {key} {shown(value)} is invalid: ignored")
        return ""
    return text


def _eventualities(scenes: list[tuple[Scene, _SceneDraft]], findings: Findings) -> Iterator[Eventuality]:
    chosen = {draft.identity for _, scene in scenes for _, draft in scene.elements if draft.identity}
    given: set[str] = set()
    for scene, scene_draft in scenes:
        for number, draft in scene_draft.elements:
            try:
                occurrence = _in_film(draft, scene.span, findings)
            except ElementError as error:
                findings.report(draft.place, f"{error}: skipped")
                continue
            identity = draft.identity
            if identity is None or identity in given:
                identity = _unused(f"{scene.id}-e{number:02d}", given, chosen)
                if draft.identity:
                    what = f"the id {shown(draft.identity)} is already used: this element becomes {shown(identity)}"
                    findings.report(draft.place, what)
            given.add(identity)
            yield Eventuality(
                identity,
                draft.variants,
                occurrence,
                draft.salience,
                scene=scene.id,
                extract=draft.extract,
            )


def _in_film(draft: Draft, scene: Span, findings: Findings) -> Span | None:
    if draft.occurrence is None:
        return None
    start, end = (scene.start + time for time in (draft.occurrence.start, draft.occurrence.end))
    if start >= scene.end:
        raise ElementError("the occurrence starts after its scene or the film has ended")
    if end > scene.end:
        findings.report(draft.place, "the occurrence runs past the end of its scene or the film: cut there")
    return Span(start, min(end, scene.end))


def _unused(wanted: str, taken: set[str], reserved: Container[str] = ()) -> str:
    """An unused id like `wanted`, marked as used."""
    name, number = wanted, 1
    while name in taken or name in reserved:
        number += 1
        name = f"{wanted}-{number}"
    taken.add(name)
    return name
