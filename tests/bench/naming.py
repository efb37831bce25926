"""When drafts and human audio descriptions say names: before the film has said them, or after; and pronouns of nobody.

    .venv/bin/python tests/bench/naming.py [--lines NAME] [SCREENPLAY …]

Each draft is planned by the preset `house`, whose narration names people once the film has: without a cast (names as
the source has them) and with it (what the plan speaks before says what people are). Screenplays are planned in a
made-up film that tells them at an even pace, speech and action in turn. `prose` is their action as a description, with
the times of that film, and labels in its subtitles; of the sample film it is its description, and `prepared` are its
candidates. The sample film's cast is by hand; of the others it is collected as a draft does. Human rows are judged by
the same cast, or by the speakers that their captions name.

`named`: people of the cast whom the dialogue names. `says`: lines that say a name of the cast. `early`: of these, lines
that do before the film has, and their share. `describes`: lines that call somebody of the cast what they are.
`pronoun`: lines with a pronoun before anybody whom it could mean, in a hundred (`line_faults`). `worth`: salience times
seconds of what is spoken, compared with the draft without a cast.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fluency import HUMAN, SHARED, human

from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.cast_names import people_in
from adstudio.characters.cast_reading import collected_cast
from adstudio.characters.introductions import SPOKEN, NameTimes
from adstudio.core.cast import People, Person, Pronouns
from adstudio.core.film import Film
from adstudio.core.fusions import wording_of
from adstudio.core.naming import NamingPolicy
from adstudio.core.plan import Plan
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import clock
from adstudio.core.words import count_words
from adstudio.drafting.candidates_file.reading import read_candidates
from adstudio.drafting.naming import with_spoken_names
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.ground.prose import read_prose
from adstudio.drafting.text.line_faults import LineContext, LineFault, faults_of_lines
from adstudio.drafting.text.text_drafting import Drafted, Footage, from_prose, from_screenplay
from adstudio.gaps.gaps import gaps_of
from adstudio.media.shots import film_shots
from adstudio.planning.film.film_plan import plan_film
from adstudio.presets.library import preset_named
from adstudio.screenplay.file import read_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Speech
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample"
SAMPLE_CAST = (
    Person("nora", "Nora Vale", described_as="the woman in the mustard coat", pronouns=Pronouns.SHE),
    Person("tom", "Tom Finch", described_as="the clerk", pronouns=Pronouns.HE),
    Person("guard", "GUARD"),
    Person("announcer", "ANNOUNCER"),
)
CAPTIONS = {
    "plan9-trailer/descriptions.en.vtt": "plan9-trailer/captions.en.vtt",
    "ableplayer/blocks4all_descriptions_en.vtt": "ableplayer/blocks4all_captions_en.vtt",
    "ableplayer/deadline_descriptions_en.vtt": "ableplayer/deadline_captions_en.vtt",
}
SPEECH_MS, ACTION_MS = 330, 420
"""For each word."""


@dataclass(frozen=True)
class Row:
    """Spoken lines in the order of time, with start (ms) and scene; the cast and the dialogue they are judged by."""

    name: str
    lines: tuple[tuple[int, str, str], ...]
    people: People
    cues: tuple[Cue, ...]
    worth: float | None = None


def spoken(script: Script, plan: Plan) -> tuple[tuple[int, str, str], ...]:
    found = ((each, wording_of(script, each)) for each in plan.deliveries)
    return tuple(
        (each.start, wording.text, script.eventuality(each.lines[0]).scene or "") for each, wording in found if wording
    )


def plan_of(script: Script) -> Plan:
    return plan_film(script, gaps_of(script).gaps)


def drafts(name: str, made: Drafted, footage: Footage, people: People) -> list[Row]:
    script = Script(
        Film("bench", footage.end),
        settings=preset_named("house").settings,
        scenes=made.scenes,
        cues=made.cues,
        eventualities=made.eventualities,
        fusions=made.fusions,
    )
    cast = people or collected_cast(script, found=made.people).people
    script = script.with_changes(people=cast)
    plan = plan_of(script)
    named, named_plan = with_spoken_names(script, plan, plan_of)
    base = plan.objective or 1
    return [
        Row(f"{name}, without", spoken(script, plan), cast, script.cues, 1.0),
        Row(f"{name}, with cast", spoken(named, named_plan), cast, script.cues, (named_plan.objective or 0) / base),
    ]


def screenplay(path: Path, footage: Footage) -> Drafted:
    return from_screenplay(read_screenplay(path), footage, any_screenplay=True)


def prepared(footage: Footage) -> Drafted:
    read = read_candidates(SAMPLE / "candidates.json", film_end=footage.end)
    return Drafted(read.scenes, read.eventualities, footage.cues)


def prose_of(path: Path, folder: Path) -> tuple[Path, Footage]:
    """A screenplay's action as a description with times, and its film with labelled subtitles."""
    footage = made_up(path)
    lines: list[str] = []
    cues: list[Cue] = []
    at = 0
    for scene in read_screenplay(path).scenes:
        for part in scene.parts:
            words = count_words(part.text)
            if isinstance(part, Speech):
                cue = footage.cues[len(cues)]
                cues.append(replace(cue, speaker=next(iter(people_in(part.speaker)), None)))
                at = cue.end + 200
            elif isinstance(part, Action):
                lines.append(f"[{clock(at).partition('.')[0]}] {' '.join(part.text.split())}")
                at += words * ACTION_MS
    prose = folder / f"{path.stem}.description.txt"
    prose.write_text("\n\n".join(lines), "utf-8")
    return prose, replace(footage, cues=tuple(cues))


def sample_footage() -> Footage:
    return Footage(
        164_000, dialogue(read_subtitles(SAMPLE / "dialogue.sdh.srt")).cues, film_shots(SAMPLE / "film.mp4").cuts
    )


def made_up(path: Path) -> Footage:
    """A film that tells a screenplay at an even pace."""
    cues: list[Cue] = []
    cuts: list[int] = []
    at = 0
    for scene in read_screenplay(path).scenes:
        cuts.append(at)
        for part in scene.parts:
            words = count_words(part.text)
            if isinstance(part, Speech):
                cues.append(Cue(f"c{len(cues) + 1}", at, at + max(words * SPEECH_MS, 500), part.text))
                at = cues[-1].end + 200
            elif isinstance(part, Action):
                at += words * ACTION_MS
    return Footage(at + 1_000, tuple(cues), tuple(sorted({*cuts} - {0})))


def described_film(name: str) -> Row:
    lines = tuple((span.start, text, scene) for span, text, scene in human(SHARED / "film" / name, name).lines)
    captions = CAPTIONS.get(name, "")
    cues = dialogue(read_subtitles(SHARED / "film" / captions)).cues if captions else ()
    speakers = dict.fromkeys(cue.speaker for cue in cues if cue.speaker)
    return Row(f"human, {name[:30]}", lines, tuple(map(Person.named, speakers)), tuple(cues))


def figures(row: Row) -> list[str]:
    said = [cue.text for cue in row.cues if cue.kind in SPOKEN]
    cast = CastMentions(row.people, said, "en")
    times = NameTimes.of(row.people, row.cues, "en", NamingPolicy.ONCE_SAID)
    found = [(start, cast.mentions(text)) for start, text, _ in row.lines]
    names = sum(any(each.names and each.certain for each in of) for _, of in found)
    early = sum(any(times.too_early(each, start) for each in of) for start, of in found)
    roles = sum(any(not each.names and each.person is not None for each in of) for _, of in found)
    contexts: list[tuple[str, LineContext]] = []
    before: list[str] = []
    scene = None
    for _, text, at in row.lines:
        before = before if at == scene else []
        contexts.append((text, LineContext(before=tuple(before))))
        before, scene = [*before, text], at
    nobody = sum(LineFault.PRONOUN in each for each in faults_of_lines(contexts))
    count = max(1, len(row.lines))
    return [
        row.name,
        str(len(row.lines)),
        f"{len(times.introduced)} of {len(row.people)}",
        str(names),
        f"{early} ({early / max(1, names):.0%})",
        str(roles),
        f"{nobody} ({100 * nobody / count:.0f})",
        "–" if row.worth is None else f"{row.worth:.3f}",
    ]


def table(rows: Sequence[Row]) -> None:
    print("| | lines | named | says | early | describes | pronoun | worth |")
    for row in rows:
        print("| " + " | ".join(figures(row)) + " |")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("screenplays", nargs="*", type=Path, default=sorted((SHARED / "screenplay").glob("*.fountain")))
    asked.add_argument("--lines", default="", help="print the first lines of the rows whose name contains this")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stage_cache.folder = lambda: Path(folder)
        footage = sample_footage()
        rows = [
            *(
                Row(
                    f"sample, human, {name}",
                    tuple((span.start, text, "s1") for span, text, _ in human(SAMPLE / file, name).lines),
                    SAMPLE_CAST,
                    footage.cues,
                )
                for name, file in (("British", "reference-british.vtt"), ("American", "reference-american.vtt"))
            ),
            *drafts("sample", screenplay(SAMPLE / "screenplay.fountain", footage), footage, SAMPLE_CAST),
            *drafts("sample, prose", from_prose(read_prose(SAMPLE / "description.txt"), footage), footage, SAMPLE_CAST),
            *drafts("sample, prepared", prepared(footage), footage, SAMPLE_CAST),
            *(described_film(name) for name in HUMAN if (SHARED / "film" / name).exists()),
        ]
        for path in given.screenplays:
            footage = made_up(path)
            rows += drafts(path.stem, screenplay(path, footage), footage, ())
            prose, footage = prose_of(path, Path(folder))
            rows += drafts(f"{path.stem}, prose", from_prose(read_prose(prose), footage), footage, ())
        table(rows)
    for row in rows:
        if given.lines and given.lines in row.name:
            print(f"\n{row.name}")
            for start, text, _ in row.lines[:40]:
                print(f"{start / 1000:8.1f}  {text}")


if __name__ == "__main__":
    main()
