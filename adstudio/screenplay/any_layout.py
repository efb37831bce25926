"""Chooses between two readings of a laid-out text: by the usual rules, and by the file's own statistics.

Where both agree, the usual rules' is taken, which knows more of what is rare; where they differ, the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from adstudio.screenplay.builder import Builder, Place
from adstudio.screenplay.fitted_layout import Fitted, fitted, has_names
from adstudio.screenplay.layout import read_rows, without_title
from adstudio.screenplay.page_body import body_rows
from adstudio.screenplay.page_rows import Row, base_column
from adstudio.screenplay.parsed_screenplay import Action, ScreenplayError, Speech
from adstudio.screenplay.row_statistics import words_of

MOST_ROWS = 30_000
"""Rows of 500 pages; longer texts are read by the usual rules alone, since the statistics would take too long."""
_FEWEST_ROWS, _ROWS_TO_TELL = 8, 24
"""The rows of a text of which statistics may say something, and those of which they are better than the usual rules."""
_NAMES_TO_TELL = 4
_HALF = 0.5
_AGREES = 0.97
_AGREE_IN_PARAGRAPHS = 0.8
_MOST_UNSURE = 0.2
_SPEECHES_TO_TELL = 20
_HARDLY_EVER = 0.03
_SHOWN = 3
_LONGEST_SHOWN = 40


def read_any_layout(
    rows: list[Row],
    standard: float | None,
    usual: Callable[[Builder], None],
    new_builder: Callable[[], Builder],
    name: str,
    subtitles: Sequence[str] = (),
) -> Builder:
    """What the rows hold; `usual` reads them by the usual rules, `subtitles` are the texts of the film's subtitles.

    Raises:
        ScreenplayError: if too much of it may as well be speech as action, with the figures.
    """
    by_rules = new_builder()
    usual(by_rules)
    by_rules.end_scene()
    base = base_column(rows, standard)
    by_statistics = new_builder()
    body = without_title(body_rows(rows, base), base, by_statistics)
    if not _FEWEST_ROWS <= len(body) <= MOST_ROWS or not has_names(body):
        return by_rules
    found = fitted(body, base, subtitles)
    read_rows(list(found.rows), 0.0, by_statistics)
    by_statistics.end_scene()
    is_short = len(body) < _ROWS_TO_TELL or not has_names(body, at_least=_NAMES_TO_TELL)
    lost = _speakers(by_rules).total() < _HALF * _speakers(by_statistics).total()
    if _agree(by_rules, by_statistics) or (is_short and not lost):
        return by_rules
    _require_sure(found, name, subtitles)
    _report_unsure(found, by_statistics)
    by_statistics.title_page = by_statistics.title_page or by_rules.title_page
    return by_statistics


def _agree(first: Builder, second: Builder) -> bool:
    alike = all(_share(_words(first, kind), _words(second, kind)) >= _AGREES for kind in (Speech, Action))
    return (
        alike
        and _share(_speakers(first), _speakers(second)) >= _AGREES
        and _share(_paragraphs(first), _paragraphs(second)) >= _AGREE_IN_PARAGRAPHS
    )


def _paragraphs(builder: Builder) -> Counter[str]:
    return Counter(part.text for part in builder.parts() if isinstance(part, Action))


def _speakers(builder: Builder) -> Counter[str]:
    return Counter(part.speaker for part in builder.parts() if isinstance(part, Speech))


def _words(builder: Builder, kind: type[Action | Speech]) -> Counter[str]:
    return Counter(word for part in builder.parts() if isinstance(part, kind) for word in words_of(part.text))


def _share(first: Counter[str], second: Counter[str]) -> float:
    either = (first | second).total()
    return (first & second).total() / either if either else 1.0


def _require_sure(found: Fitted, name: str, subtitles: Sequence[str]) -> None:
    if len(found.unsure) <= _MOST_UNSURE * found.total:
        return
    more = "" if subtitles else ", or give the film’s subtitles, which show what is spoken"
    figures = f"{len(found.unsure):,} of {found.total:,} rows"
    raise ScreenplayError(
        f"{name} has {figures} that may be speech or action by their layout: save it as Fountain or FDX, or with an "
        f"empty line after each speech{more}"
    )


def _report_unsure(found: Fitted, builder: Builder) -> None:
    if found.names >= _SPEECHES_TO_TELL and found.resumed < _HARDLY_EVER * found.names:
        builder.report_oddity(
            f"action follows only {found.resumed:,} of {found.names:,} speeches: where the layout does not show that a "
            "speech ends, action is read as speech and not described; put an empty line after each speech",
            Place(0),
        )
    if not found.unsure:
        return
    shown = ", ".join(f"“{row.text.strip()[:_LONGEST_SHOWN]}”" for row in found.unsure[:_SHOWN])
    more = f" and {len(found.unsure) - _SHOWN:,} more" if len(found.unsure) > _SHOWN else ""
    figures = f"{len(found.unsure):,} of {found.total:,} rows"
    first = found.unsure[0].place
    builder.report_oddity(f"{figures} may be speech or action, so they are not described: {shown}{more}", first)
