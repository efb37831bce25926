"""The requests about a span of film: its description, then its elements; both begin alike, for servers' caches.

Order, as models follow it best: who is who (a name, then a face), who else there is, the clip, what is said, and
behind all of it the task. Nothing is sent from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adstudio.characters.introductions import NameTimes
from adstudio.core.cast import Person
from adstudio.core.counts import counted
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.drafting.model.checks import Checked, Wanted, target
from adstudio.drafting.model.context import LONGEST_NAME, block, paragraphs, plain, subtitles
from adstudio.drafting.model.people_context import (
    RULE,
    SEEN_TITLE,
    UNNAMED_TITLE,
    SeenIn,
    not_yet_named,
    seen_in,
)
from adstudio.drafting.model.prompts import Prompts, listed_names, prompts
from adstudio.drafting.model.response_schema import FULL, SHORTER, elements_schema, repair_schema, spelled
from adstudio.llm.messages import Clip, Image, Limits, Part, Request, Text, Thinking, scene_key, user
from adstudio.llm.server_load import MOST_SLOTS
from adstudio.media.clips import ClipSettings
from adstudio.store.film_contents import FileState

DESCRIPTION_TOKENS = 4_096
ELEMENT_TOKENS = 400
"""Six wordings of some thirty tokens, and what stands around them; twice that is allowed for."""
LINE_TOKENS = 100


@dataclass(frozen=True)
class ModelOptions:
    """How a model is asked about a film: prompts, clips, limits; the one bundle of options from request to run."""

    prompts: Prompts = field(default_factory=prompts)
    clips: ClipSettings = field(default_factory=ClipSettings)
    thinking: Thinking = "off"
    temperature: float | None = None
    seed: int | None = None
    elements_at_once: int = 10
    at_once: int = MOST_SLOTS
    """Parts of scenes in progress at a time, at most; no more are than the server bears, and a few ahead."""
    repairs: int = 2
    """How often wordings are asked for again."""
    again: bool = False
    """Whether what was blocked or cut short is asked once more."""
    anew: bool = False
    """Whether to ignore stored answers and replace them."""
    most_micro_usd: int | None = None
    """What the film may cost over all runs, in millionths of a US dollar."""


@dataclass(frozen=True)
class FilmSeen:
    """What is known of a film: its file, what is said in it, the cuts, the people, the language of the lines.

    Nothing is sent of the file once it is no longer in its `state`, unless that is None.
    """

    video: Path
    end: int
    fingerprint: str = ""
    cues: tuple[Cue, ...] = ()
    cuts: tuple[int, ...] = ()
    people: tuple[Person, ...] = ()
    language: str = "en"
    gaps: tuple[Span, ...] = ()
    """Where a narrator can speak; a model is told of them that writes whole lines."""
    state: FileState | None = None
    names: NameTimes = field(default_factory=NameTimes)
    """From when on each of the people may be named."""
    seen: tuple[SeenIn, ...] = ()
    """Who is known to be seen where."""


def shown(film: FilmSeen, span: Span, clip: bytes, most_images: int) -> list[Part]:
    """The common start of requests about a span; people without a picture, or beyond a model's limit, by name."""
    parts: list[Part] = []
    with_face = [person for person in film.people if person.face][: max(most_images, 0)]
    for person in with_face:
        parts += [Text(block("PERSON", [plain(person.name, LONGEST_NAME)])), Image(person.face, person.mime)]
    others = [plain(person.name, LONGEST_NAME) for person in film.people if person not in with_face]
    if others:
        parts.append(Text(block("PEOPLE who may be seen too, of whom there is no picture", others)))
    parts.append(Clip(clip))
    if recognised := seen_in(film.seen, film.people, span):
        parts.append(Text(block(SEEN_TITLE, recognised)))
    if unnamed := not_yet_named(film.names, film.people, span):
        parts.append(Text(block(UNNAMED_TITLE, unnamed)))
    said = subtitles(film.cues, span)
    if said:
        parts.append(Text(block("SUBTITLES, in seconds from the beginning of the clip", said)))
    else:
        parts.append(Text("Nobody speaks in this clip, as far as is known."))
    return parts


def faces_left_out(film: FilmSeen, most_images: int) -> str:
    """Whose faces are left out because of the model's limit, without a full stop; empty if none are."""
    left = [person.name for person in film.people if person.face][max(most_images, 0) :]
    if not left:
        return ""
    named = listed_names(left)
    takes = "no picture" if most_images <= 0 else counted(most_images, "picture")
    return f"the model takes {takes} of people: it is told the names alone of {named}"


def describing(film: FilmSeen, span: Span, clip: bytes, way: ModelOptions, most_images: int) -> Request:
    """Ask for the description of a stretch."""
    task = way.prompts.describe.text + naming_rule(film, span) + in_language(film.language)
    parts = (*shown(film, span, clip, most_images), Text(task))
    return request_with(way, parts, _name(film, span), tokens=DESCRIPTION_TOKENS)


def from_screenplay(film: FilmSeen, span: Span, clip: bytes, way: ModelOptions, most_images: int, text: str) -> Request:
    """What takes the description's place where a screenplay tells the scene; the elements are asked for behind it."""
    task = f"{block('SCREENPLAY', paragraphs(text))}\n\n{way.prompts.screenplay.text}{naming_rule(film, span)}"
    task += in_language(film.language)
    parts = (*shown(film, span, clip, most_images), Text(task))
    return request_with(way, parts, _name(film, span), tokens=DESCRIPTION_TOKENS)


def about_elements(
    before: Request,
    description: str | None,
    wanted: Sequence[Wanted],
    of: Sequence[Wanted],
    span: Span,
    way: ModelOptions,
    *,
    bound: bool = True,
) -> Request:
    """Ask about some of a stretch's elements (`of`), behind its description, or behind the screenplay where it is None.

    All of them are listed each time, as salience is a comparison, and the beginning stays the same. `bound` says
    whether the server binds answers to a form; else the form is spelled out.
    """
    ids = [each.id for each in of]
    listed = block("ELEMENTS", [_element(each) for each in wanted])
    whole = "all of them" if len(of) == len(wanted) else f"these alone: {', '.join(ids)}"
    schema = elements_schema(ids, span.length)
    form = "" if bound else f"\n\n{spelled(schema)}"
    task = Text(f"{listed}\n\n{way.prompts.candidates.text}\n\nAnswer for {whole}.{form}")
    if description is None:
        message = before.messages[-1]
        messages = (*before.messages[:-1], user(*message.parts, task))
        asked = replace(before, messages=messages, schema=schema)
    else:
        asked = before.continued(description, task, schema=schema)
    return replace(asked, limits=Limits.of_answer(2 * ELEMENT_TOKENS * len(of) + 500))


def about_wordings(
    film: FilmSeen, span: Span, elements: Sequence[Checked], way: ModelOptions, *, bound: bool = True
) -> Request:
    """Ask for bad wordings to be written again, by text alone; the ids are those of `repair_id`."""
    lines: list[str] = []
    ids: list[str] = []
    for checked in elements:
        for bad in checked.bad:
            ids.append(repair_id(checked.wanted.id, bad.key))
            now = plain(checked.texts.get(bad.key, ""), 400)
            whole = plain(checked.good[FULL] if bad.key != FULL else checked.wanted.text, 400)
            lines.append(
                f"{ids[-1]} ({bad.words} words; it {bad.why}): {now or '(nothing)'} — of the full line: {whole}"
            )
    schema = repair_schema(ids)
    form = "" if bound else f"\n\n{spelled(schema)}"
    people = _people(film, span) if any(bad.key == FULL for checked in elements for bad in checked.bad) else ""
    task = f"{people}{block('LINES', lines)}\n\n{way.prompts.repair.text}{in_language(film.language)}{form}"
    return request_with(way, [Text(task)], _name(film, span), tokens=LINE_TOKENS * len(ids) + 500, schema=schema)


def _people(film: FilmSeen, span: Span) -> str:
    """The names that a full line may use in place of a pronoun, as a block; "" if nobody is known."""
    near = (cue.speaker for cue in film.cues if cue.speaker and Span(cue.start, cue.end).overlap(span))
    names = dict.fromkeys(plain(name, LONGEST_NAME) for name in (*(person.name for person in film.people), *near))
    return f"{block('PEOPLE who may be seen', list(names))}\n\n" if names else ""


def repair_id(element: str, key: str) -> str:
    """What a wording of an element is called where it is asked for again."""
    return f"{element}-{key}"


def _element(wanted: Wanted) -> str:
    count = wanted.words
    words = ", ".join(str(target(key, count)) for key in SHORTER)
    return f"{wanted.id} ({count} words; shorter: {words}): {plain(wanted.text, 2_000)}"


def naming_rule(film: FilmSeen, span: Span) -> str:
    """What a task says of people who may not be named yet; nothing where there are none."""
    return f"\n\n{RULE}" if not_yet_named(film.names, film.people, span) else ""


def in_language(language: str) -> str:
    """What a task says of the language that it is to be done in; nothing for English, in which it is written."""
    tag = language.lower()
    return "" if tag.split("-")[0] == "en" else f"\n\nWrite in the language with the code “{plain(tag, 20)}”."


def task_of(
    film: FilmSeen, span: Span, way: ModelOptions, parts: Sequence[Part], *, tokens: int, schema: dict[str, Any]
) -> Request:
    """A request about a span of film: its parts, the last of which is the task, and the language of the response."""
    language = in_language(film.language).strip()
    asked = (*parts, Text(language)) if language else parts
    return request_with(way, asked, _name(film, span), tokens=tokens, schema=schema)


def request_with(
    way: ModelOptions, parts: Sequence[Part], scene: str, *, tokens: int, schema: dict[str, Any] | None = None
) -> Request:
    """A request of these parts, as the options want it; `scene` names what it is about (`scene_key`)."""
    return Request(
        messages=(user(*parts),),
        system=way.prompts.system.text,
        schema=schema,
        limits=Limits.of_answer(tokens),
        thinking=way.thinking,
        temperature=way.temperature,
        seed=way.seed,
        scene=scene_key(scene),
    )


def _name(film: FilmSeen, span: Span) -> str:
    return f"{film.fingerprint} {film.video.name} {span.start} {span.end}"
