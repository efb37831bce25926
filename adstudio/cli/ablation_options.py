"""The options of `draft` and `solve` that leave out a part of planning, or score salience otherwise, for evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from adstudio.cli.options import flag, given_options, option
from adstudio.core.errors import BadInputError
from adstudio.drafting.ablation import METHODS, NO_ABLATION, ORACLES, Ablation, ReferenceLine, SalienceMethod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adstudio.core.timebase import FrameRate


@dataclass(frozen=True)
class AblationOptions:
    """What is left out of the plan, or put in its place."""

    TITLE: ClassVar[str] = "Ablations, for evaluation"

    no_grounding: Annotated[bool, flag("--no-grounding", "Lines may be spoken however far from their action.")] = False
    no_compression: Annotated[bool, flag("--no-compression", "Only full wordings are spoken.")] = False
    salience: Annotated[
        SalienceMethod | None, option("METHOD", f"Score the salience of all lines anew: {', '.join(METHODS)}.")
    ] = None
    reference: Annotated[
        list[Path] | None, option("FILE", "For the oracles: a reference AD that lines are scored against; repeatable.")
    ] = None
    seed: Annotated[int | None, option("N", "For whatever is random: equal seeds give equal plans (default: 0).")] = (
        None
    )

    @property
    def references(self) -> tuple[Path, ...]:
        """The files of references."""
        return tuple(self.reference or ())

    @property
    def changes(self) -> tuple[str, ...]:
        """Those that are given and change what is planned."""
        return tuple(name for name in given_options(self) if name not in ("--seed", "--reference"))

    def require(self, *, random: bool = False) -> None:
        """Check that options that need each other are given together; `random`: something else is random.

        Raises:
            BadInputError: otherwise.
        """
        oracle = self.salience in ORACLES
        if oracle and not self.references:
            raise BadInputError(
                f"--salience {self.salience} scores lines against a reference AD: give --reference FILE"
            )
        if self.references and not oracle:
            raise BadInputError(f"--reference only applies to --salience {' and '.join(sorted(ORACLES))}: leave it out")
        if self.seed is not None and self.salience != "random" and not random:
            raise BadInputError("--seed only applies to what is random (--salience random): leave it out")

    def ablation(self, rate: FrameRate, start: str = "", encoding: str | None = None) -> Ablation:
        """The ablation, its references read; `rate` and `start` are those of timecode in them.

        The `encoding` is theirs, where they say none themselves.

        Raises:
            BadInputError: for a reference that is no AD script.
            OutsideFailureError: if one cannot be read.
        """
        if not self.changes:
            return NO_ABLATION
        lines = tuple(line for path in self.references for line in _lines(path, rate, start, encoding))
        return Ablation(
            grounding=not self.no_grounding,
            compression=not self.no_compression,
            salience=self.salience,
            seed=self.seed or 0,
            reference=lines,
        )


def _lines(path: Path, rate: FrameRate, start: str, encoding: str | None) -> Iterator[ReferenceLine]:
    from adstudio.core.timebase import Span
    from adstudio.core.words import spoken_ms
    from adstudio.script_files.reading import MAX_BYTES, read_finished_script
    from adstudio.subtitles.decoding import recoded
    from adstudio.system.files import read_bounded

    data = recoded(read_bounded(path, MAX_BYTES, "reference"), str(path), encoding)
    script = read_finished_script(data, str(path), rate, start=start)
    for line in script.lines:
        end = line.start + spoken_ms(line.text, _WORDS_PER_MINUTE) if line.end is None else line.end
        yield ReferenceLine(Span(line.start, max(line.start, end)), line.text)


_WORDS_PER_MINUTE = 200
"""By which a line that has no end is timed."""
