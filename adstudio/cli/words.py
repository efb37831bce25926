"""`adstudio words`: when each word of a project's dialogue is spoken."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import print_lines, print_oddities, say, unsaved_changes, write_output
from adstudio.cli.project_film import film_to_hear
from adstudio.core.counts import percent
from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import json_bytes

if TYPE_CHECKING:
    from adstudio.characters.word_times import FoundWords
    from adstudio.core.script import Script


def words(
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    recognised: Annotated[
        Path | None,
        option(
            "FILE",
            "Words recognised by another program: CTM, or JSON with words (word, start and end in seconds).",
            "--recognised",
        ),
    ] = None,
    *,
    dry_run: Annotated[bool, flag("--dry-run", "Say what would be found, and change nothing.")] = False,
    anew: Annotated[bool, flag("--anew", "Look for words that are already known again, too.")] = False,
    as_json: Annotated[bool, flag("--json", "Print all words, with their times and confidence, as JSON.")] = False,
) -> None:
    """Find when each word of the dialogue is spoken, in the sound of the film.

    Cues whose times the sound contradicts are listed. Subtitles of several speakers change at their words. English
    needs pocketsphinx (adstudio[words]), other languages espeak-ng. What is not sure, as under loud music, is not
    known. With --recognised, another program’s words are used in their place. Exit code 1 if the sound, or that
    program’s file, does not say what the subtitles say.
    """
    from adstudio.characters.word_messages import (
        OTHER_SOUND,
        OTHER_WORDS,
        contradiction_message,
        words_json,
        words_summary,
    )
    from adstudio.characters.word_times import contradicted, split_at_words
    from adstudio.cli.saved_script import save_step
    from adstudio.editing.machine_steps import as_command
    from adstudio.editing.word_times import set_word_times
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=dry_run) as opened:
        if opened.recoverable:
            raise BadInputError(unsaved_changes(project))
        script = opened.saved_script
        found = _found(script, project, anew=anew) if recognised is None else _recognised(script, recognised)
        by_cue = {each.id: each for each in found.words}
        splits = split_at_words(script.cues, by_cue)
        step = None if found.other_sound else set_word_times(script, found.words, splits)
        if step is not None and not dry_run:
            save_step(opened, as_command(step))
    contradictions = list(contradicted(script.cues, by_cue))
    if as_json:
        write_output(json_bytes(words_json(script.film, found, contradictions, splits)), None)
    else:
        cues = {cue.id: cue for cue in script.cues}
        print_lines(
            f"{script.film.timecode(max(cues[each.cue].start, 0))} {contradiction_message(cues[each.cue], each)}"
            for each in contradictions
        )
    if found.other_sound:
        say(f"{project}: {OTHER_SOUND}" if recognised is None else f"{recognised} {OTHER_WORDS}")
        raise typer.Exit(1)
    say(f"{project}: {words_summary(found, len(splits), recognised=recognised is not None)}")
    if step is None or dry_run:
        say(f"{project}: nothing was changed" + (" (--dry-run)" if dry_run else ""))


def _found(script: Script, project: Path, *, anew: bool) -> FoundWords:
    from adstudio.characters.film_words import words_in_film
    from adstudio.cli.output import words as standard_error

    video = film_to_hear(script.film, project)
    track = script.film.media.sound_track if script.film.media else None
    known = {} if anew else script.words_by_cue
    with standard_error.status("finding words in the sound") as status:

        def show(share: float) -> None:
            status.update(f"finding words in the sound: {percent(share)}")

        return words_in_film(
            video, track, script.cues, script.film.language, known=known, end=script.film.end, on_share=show
        )


def _recognised(script: Script, file: Path) -> FoundWords:
    from adstudio.characters.recognised_words import words_as_recognised
    from adstudio.characters.turn_files import names_of, read_words

    read = read_words(file, script.film.end, names_of(script.film))
    print_oddities([(str(file), oddity) for oddity in read.oddities], "the others are alike")
    return words_as_recognised(script.cues, read.words, script.film.language)
