"""An evaluation as one page of HTML: self-contained, without a script, and written as a stream.

The templates are in `resources/evaluation`. They escape every text; where no element isolates a text, as in titles and
labels, the marks that would turn the direction of what follows are left out.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from adstudio.core.control_characters import without_control_characters
from adstudio.core.timebase import Span, clock
from adstudio.evaluation.messages import mark, p_value, per_cent, score, signed
from adstudio.evaluation.plots import plain
from adstudio.evaluation.report_page import ReportPage
from adstudio.evaluation.results import Evaluation, SequenceFacts
from adstudio.evaluation.run_comparison import RunComparison
from adstudio.system.files import read_bounded, written_atomically
from adstudio.system.locations import resource

_MAX_STYLE_BYTES = 100_000


def write_html(
    evaluation: Evaluation, path: Path, base: str | None = None, compared: RunComparison | None = None
) -> None:
    """Write the page to a file, piece by piece, and whole or not at all.

    Args:
        evaluation: what was found.
        path: the file.
        base: the system that others are compared with (default: the first).
        compared: an earlier run beside this one.

    Raises:
        BadInputError, OutsideFailureError: where it cannot be written.
    """
    with written_atomically(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(html_pieces(evaluation, base, compared))


def html_pieces(
    evaluation: Evaluation, base: str | None = None, compared: RunComparison | None = None
) -> Iterator[str]:
    """The page, piece by piece."""
    style = read_bounded(resource("evaluation", "report.css"), _MAX_STYLE_BYTES, "style sheet").decode()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    page = ReportPage.of(evaluation, base, compared)
    template = _environment().get_template("report.html")
    return template.generate(page=page, style=Markup(style), style_hash=f"sha256-{digest}")  # noqa: S704 - our own


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resource("evaluation")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    environment.filters.update(_FILTERS)  # pyright: ignore[reportUnknownMemberType] - Jinja leaves it open
    return environment


def _printable(value: object) -> object:
    """A value as it is printed: HTML knows no control characters, and UTF-8 no halves of characters."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return without_control_characters(value)
    return value


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f} s"


def _times(span: Span) -> str:
    return f"{clock(span.start)} to {clock(span.end)}"


def _proof(facts: SequenceFacts) -> str:
    """How long the proof took; nothing where that was not measured."""
    if facts.seconds_to_proof is None:
        return ""
    taken = f"{facts.seconds_to_proof:.2f} s"
    return f"proven after {taken}" if facts.proven else f"not proven after {taken}"


_FILTERS = {
    "capital": _capital,
    "clock": clock,
    "exact": repr,
    "mark": mark,
    "p_value": p_value,
    "per_cent": per_cent,
    "plain": plain,
    "proof": _proof,
    "score": score,
    "seconds": _seconds,
    "signed": signed,
    "times": _times,
}
