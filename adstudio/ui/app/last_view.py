"""Where the describer was in a project: playhead, selection and what of the film was in view; a picture of it too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject

from adstudio.core.errors import AdstudioError
from adstudio.ui.files.covers import store_cover
from adstudio.ui.session.context import Context
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.timeline import Timeline

PREFERENCE = "last views"


@dataclass(frozen=True)
class LastView:
    """`playhead` in ms, the `kind` of what is selected and its `ids`; the timeline's `left` edge and `scale`."""

    playhead: int = 0
    kind: str = Kind.NOTHING.value
    ids: tuple[str, ...] = ()
    left: float = 0.0
    scale: float = 0.0
    """Milliseconds a pixel; 0 where it is not known."""

    @property
    def selection(self) -> Selection:
        """What was selected; what exists no longer is left out by whoever selects it."""
        return Selection(Kind(self.kind), self.ids) if self.ids else Selection()


class LastViews(QObject):
    """Remembers each recent project's view when it is closed, and brings it back when it is opened."""

    def __init__(self, context: Context, timeline: Timeline) -> None:
        super().__init__(timeline)
        self._context, self._timeline = context, timeline
        context.session.closing.connect(self._store)
        context.session.opened.connect(self._restore)

    def _store(self) -> None:
        session, view = self._context.session, self._timeline.view
        project = session.project
        if project is None:
            return
        chosen = session.cursor.selection
        kind = chosen.kind if chosen.ids else Kind.NOTHING
        # Of several only the last: the next key would hit them all, out of sight.
        last = LastView(session.cursor.playhead, kind.value, chosen.ids[-1:], view.left, view.ms_per_px)
        store_view(self._context.preferences, project.path, last)
        thumbnails = self._timeline.films.data.thumbnails
        picture = thumbnails.at(last.playhead) if thumbnails is not None else None
        if picture is not None:
            try:
                store_cover(project.path, picture.jpeg, self._context.preferences.recent)
            except AdstudioError as error:
                session.messages.report(error)

    def _restore(self) -> None:
        session = self._context.session
        if session.project is None:
            return
        last = stored_view(self._context.preferences, session.project.path)
        if last is None:
            return
        session.cursor.select_again(last.selection)
        session.cursor.seek(last.playhead)
        # Last of all, as selecting and seeking scroll.
        if last.scale > 0:
            self._timeline.show_range(last.left, last.scale)


def store_view(preferences: Preferences, project: Path, last: LastView) -> None:
    """Remember a view; those of projects that are no longer recent are forgotten."""
    found = _stored(preferences)
    known = {str(path) for path in (*preferences.recent, project)}
    views = {name: view for name, view in found.items() if name in known}
    preferences.store(PREFERENCE, json.dumps({**views, str(project): asdict(last)}))


def stored_view(preferences: Preferences, project: Path) -> LastView | None:
    """A project's view; None where none is known, or it cannot be read."""
    found = _stored(preferences).get(str(project))
    if not isinstance(found, Mapping):
        return None
    try:
        given = cast("Mapping[str, object]", found)
        return LastView(
            int(cast("int", given["playhead"])),
            Kind(given["kind"]).value,
            tuple(str(each) for each in cast("list[object]", given["ids"])),
            float(cast("float", given["left"])),
            float(cast("float", given["scale"])),
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _stored(preferences: Preferences) -> dict[str, object]:
    try:
        found: object = json.loads(preferences.text(PREFERENCE, "{}"))
    except ValueError:
        return {}
    return dict(cast("Mapping[str, object]", found)) if isinstance(found, Mapping) else {}
