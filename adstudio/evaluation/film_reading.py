"""A film to be evaluated from its files: dialogue, end and sequences, references and systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import MAX_TIME_MS, RATES, clock
from adstudio.evaluation.film_checks import (
    other_dialogue_note,
    outside_oddities,
    require_names,
    require_one_language,
    require_one_time_base,
    same_notes,
    size_oddities,
    times_notes,
)
from adstudio.evaluation.material import EvaluatedFilm, FilmSequence, SequenceSource, Transcript
from adstudio.evaluation.plan_files import is_plan_file, plan_file_transcript, read_plan_file
from adstudio.evaluation.reading import (
    OpenedProject,
    ReadScript,
    is_project,
    moved_plan,
    open_project,
    plan_transcript,
    read_script,
)
from adstudio.evaluation.request import FilmFiles, ScriptFile
from adstudio.evaluation.sequence_files import covering, project_sequences, read_sequences
from adstudio.importing.findings import ScriptTimesError, TimeFault

_AFTER_DIALOGUE_MS = 600_000
"""A film whose end is not known may go on for so long after its last cue when its scripts' times are checked."""


class NoSubtitlesError(BadInputError):
    """Nothing says where the gaps are."""

    option = "--subtitles FILE, or --without-dialogue"


@dataclass(frozen=True)
class ReadFilm:
    """A film ready to be evaluated, as values and as a script without lines, for whoever plans in its gaps.

    `notes` are for the report; `oddities` are those of the files, by their names. `projects` are the systems that are
    projects, by name, and `plans` those that are plans in files, with the scripts that they are of.
    """

    film: EvaluatedFilm
    script: Script
    notes: tuple[str, ...] = ()
    oddities: tuple[tuple[str, Oddity], ...] = ()
    projects: dict[str, OpenedProject] = field(default_factory=dict[str, OpenedProject])
    plans: dict[str, OpenedProject] = field(default_factory=dict[str, OpenedProject])


def read_film(files: FilmFiles, language: str = "") -> ReadFilm:
    """Read all files of a film; `language` is the tag of its ADs, empty where it is to be guessed.

    Raises:
        BadInputError: for a file that cannot be used, or files that do not go together.
        OutsideFailureError: if one cannot be read.
    """
    require_names(files)
    return _Reader(files, language).read()


@dataclass
class _Reader:
    files: FilmFiles
    language: str
    notes: list[str] = field(default_factory=list[str])
    oddities: list[tuple[str, Oddity]] = field(default_factory=list[tuple[str, Oddity]])
    projects: dict[ScriptFile, OpenedProject] = field(default_factory=dict[ScriptFile, OpenedProject])
    plans: dict[str, OpenedProject] = field(default_factory=dict[str, OpenedProject])

    def read(self) -> ReadFilm:
        files = self.files
        for each in (*files.systems, *files.references):
            if is_project(each.path):
                self.projects[each] = open_project(each.path)
                self._report(each.path, self.projects[each].oddities)
        project = next((each for each in files.systems if each in self.projects), None)
        base = None if project is None else self.projects[project].script
        end = self._end(base)
        cues = self._dialogue(base, end)
        if project is not None and base is not None and files.subtitles is not None:
            note = other_dialogue_note(files.subtitles, cues, project.path, base.cues)
            self.notes += [note] if note else []
        last = max((max(cue.start, cue.end) for cue in cues), default=0)
        known = base.film if base is not None else None
        script = Script(
            film=Film(
                title=files.name,
                end=end or (last + _AFTER_DIALOGUE_MS if cues else MAX_TIME_MS),
                language=self.language or (known.language if known else "en"),
                frame_rate=files.frame_rate or (known.frame_rate if known else RATES["25"]),
                start_timecode=files.start_timecode or (known.start_timecode if known else ""),
            ),
            cues=cues,
        )
        references = [(each, self._reference(each, script)) for each in files.references]
        systems = [(each, self._system(each, script)) for each in files.systems]
        language = self.language or require_one_language([*references, *systems])
        require_one_time_base(references)
        self.notes += times_notes(references, systems)
        transcripts = [[read.transcript for _, read in scripts] for scripts in (references, systems)]
        if end is None:
            end = max((last, *_ends(transcripts)))
            self.notes.append(
                f"its length is not known, so it is taken to end with the last that is said ({clock(end)})"
            )
        for each, read in (*references, *systems):
            self._report(each.path, outside_oddities(read, end))
        sequences, source = self._sequences(base, end)
        film = EvaluatedFilm(
            name=files.name,
            end=end,
            dialogue=cues,
            references=tuple(transcripts[0]),
            systems=tuple(transcripts[1]),
            sequences=sequences,
            sequence_source=source,
            language=language,
        )
        self.notes += same_notes(film)
        self._report(files.name, size_oddities(film))
        script = script.with_changes(film=replace(script.film, end=end, language=language or script.film.language))
        projects = {each.name: project for each, project in self.projects.items() if each in files.systems}
        return ReadFilm(film, script, tuple(self.notes), tuple(self.oddities), projects, self.plans)

    def _report(self, path: object, oddities: Iterable[Oddity]) -> None:
        self.oddities += [(str(path), each) for each in oddities]

    def _reference(self, source: ScriptFile, film: Script) -> ReadScript:
        rate = film.film.frame_rate
        project = self.projects.get(source)
        if project is not None:
            plan = plan_transcript(source.name, project.script, project.plan)
            return ReadScript(moved_plan(plan, source, rate), language=project.script.film.language)
        if source in self.files.systems and is_plan_file(source.path):
            base = next((self.projects[each].script for each in self.files.systems if each in self.projects), None)
            script, plan = read_plan_file(source.path, base, film)
            if not any(each.text for each in plan.deliveries):  # lines from a pool are of no item
                self.plans[source.name] = OpenedProject(script, plan)
            planned = plan_file_transcript(source.name, source.path, script, plan)
            return ReadScript(moved_plan(planned, source, rate), language=film.film.language)
        found = read_script(source, film, self.files.name, self.files.encoding)
        self._report(source.path, found.oddities)
        return found

    def _system(self, source: ScriptFile, film: Script) -> ReadScript:
        """As `_reference`, but how much of a system lies over dialogue says nothing of its time base: it is noted."""
        try:
            return self._reference(source, film)
        except ScriptTimesError as error:
            if error.fix.fault is not TimeFault.SPEED:
                raise
            self.notes.append(f"{error} ({error.option})")
        return self._reference(replace(source, speed=film.film.frame_rate), film)

    def _end(self, base: Script | None) -> int | None:
        if self.files.end is not None:
            return self.files.end
        if self.files.video is not None:
            from adstudio.media.probe import probe

            return probe(self.files.video).duration
        return None if base is None else base.film.end

    def _dialogue(self, base: Script | None, end: int | None) -> tuple[Cue, ...]:
        from adstudio.drafting.film_time import dialogue_in_film
        from adstudio.subtitles.dialogue import dialogue, require_dialogue
        from adstudio.subtitles.reading import read_subtitles

        path = self.files.subtitles
        if path is None:
            if base is not None:
                return base.cues
            if self.files.without_dialogue:
                return ()
            raise NoSubtitlesError(
                f"nothing says when there is dialogue in {self.files.name}: give its subtitles, or a project as a"
                " system, or confirm that it has no dialogue"
            )
        read = read_subtitles(path, encoding=self.files.encoding)
        spoken = dialogue(read)
        if not self.files.without_dialogue:
            require_dialogue(spoken, path)
        cues, shifted = dialogue_in_film(
            *(spoken.cues, path, None, end), rate=self.files.frame_rate, start_timecode=self.files.start_timecode
        )
        self._report(path, (*read.oddities, *spoken.oddities, *shifted))
        return cues

    def _sequences(self, base: Script | None, end: int) -> tuple[tuple[FilmSequence, ...], SequenceSource]:
        path = self.files.sequences
        if path is not None:
            rate = self.files.frame_rate or RATES["25"]
            found, source = read_sequences(path, rate, self.files.encoding), SequenceSource.FILE
        elif base is not None:
            found, source = project_sequences(base)
            path = next(each.path for each in self.files.systems if each in self.projects)
        else:
            found, source = (), SequenceSource.FILM
        whole, notes = covering(found, end)
        self._report(path, map(Oddity, notes))
        return whole, source


def _ends(transcripts: Sequence[Sequence[Transcript]]) -> list[int]:
    return [line.span.end for each in transcripts for transcript in each for line in transcript.descriptions]
