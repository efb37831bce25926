"""The window with the faces of the film: who is who, one step of undo for each answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

from adstudio.characters.faces import Face
from adstudio.characters.faces_clusters import NOBODY, FaceCluster, quality, spread
from adstudio.characters.faces_known import KnownFaces
from adstudio.characters.faces_shots import face_at
from adstudio.characters.faces_texts import cluster_name, remarks
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.cast import add_person
from adstudio.editing.change import one_step
from adstudio.editing.named_faces import FacePlace, name_faces, unname_faces
from adstudio.ui.background.timers import single_shot
from adstudio.ui.faces.cards import Card, Cards
from adstudio.ui.faces.film_faces import FilmFaces
from adstudio.ui.faces.portraits import PortraitTaking
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import button
from adstudio.ui.widgets.file_dialogs import ask
from adstudio.ui.widgets.form import beside, column, in_text_size, row
from adstudio.ui.widgets.formatting import as_sentence, counted, timecode
from adstudio.ui.widgets.text import heading, note, words
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.typed_pick import TypedPick

TITLE = "Faces in the film"
LABELS_OF_CLUSTER = 8
"""Faces of a cluster that a name is written down for, spread over the film; the others follow them."""
MOST_SHOWN = 400
"""Faces of a cluster that are shown, and clusters: the larger ones."""
MORE = "The {shown} that are seen most are shown, of {all}."
ABOUT = (
    "Choose a group and say who it is; groups with the same name become one. If some of its faces are somebody else’s, "
    "choose those and say whose they are."
)
NOTHING = "No faces have been looked for in this film yet."


class FacesDialog(QDialog):
    """Clusters on the left, the faces of the current one on the right, and what can be said of them below."""

    def __init__(self, context: Context, faces: FilmFaces, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._session, self._faces = context, context.session, faces
        self.setWindowTitle(TITLE)
        self.groups = Cards("Who is seen")
        self.members = Cards("Faces of the group", lines=1)
        self.state = note("State of the search")
        self.state.setWordWrap(True)
        self.search = button("F&ind faces", "Find faces", self._find)
        self.who = TypedPick("Who it is", "Name of the character")
        self.name = button("&Name", "Name", self._name)
        self.nobody = button("N&ot in the cast", "Not in the cast", lambda: self._say(None))
        self.unname = button("Remo&ve name", "Remove name", self._unname)
        self.portrait = button("Take as &portrait", "Take as portrait", self._take_portrait)
        self.delete = button("&Delete faces…", "Delete faces", self._delete)
        self._known: KnownFaces | None = None
        """What is shown; it lags behind `FilmFaces.known` while that is being put on show."""
        self._filling = False
        self._settled = ""
        """What the field of the name showed last of itself, or was taken from it; any other text is being typed."""
        self._taking: PortraitTaking | None = None
        self.who.edit.returnPressed.connect(self._name)
        self.groups.chosen_changed.connect(self._show_others)
        self.members.chosen_changed.connect(self._refresh)
        lists = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for title, cards in (("&Who is seen", self.groups), ("F&aces of the group", self.members)):
            side, label = QWidget(), heading(title)
            label.setBuddy(cards)
            side.setLayout(column(label, cards, spacing=UNIT, grows=cards))
            lists.addWidget(side)
        close = button("Close", "Close", self.close)
        said = beside(self.who, self.name, self.nobody, self.unname, stretch=True)
        more = row(self.search, self.portrait, self.delete, None, close, spacing=UNIT)
        layout = column(
            words(ABOUT, quiet=True, wrap=True), lists, self.state, said, more, spacing=2 * UNIT, grows=lists
        )
        layout.setContentsMargins(4 * UNIT, 4 * UNIT, 4 * UNIT, 4 * UNIT)
        self.setLayout(layout)
        self.resize(in_text_size(self, QSize(240, 160) * UNIT))
        # In an event of its own, after whoever else shows what has changed.
        self._soon = single_shot(self, 0, self._show)
        faces.changed.connect(self._soon.start)
        faces.progressed.connect(self._refresh)
        self._show()
        self.groups.setFocus()

    def _names(self) -> dict[str, str]:
        return {person.id: person.name for person in self._session.script.people}

    def _show(self) -> None:
        """The clusters as they are now. What was chosen stays chosen: groups by their best faces, and single faces."""
        best = {self._place(faces[0]) for faces in self._chosen_clusters()}
        single = {self._place(number) for number in self.members.chosen}
        known = self._known = self._faces.known
        names = self._names()
        shown: Sequence[FaceCluster] = ()
        keep: set[int] = set()
        if known is not None:
            shown = known.clusters.clusters[:MOST_SHOWN]
            places = (face_at(known.faces, *place) for place in best)
            found = {face for face in places if face is not None}
            keep = {number for number, cluster in enumerate(shown) if not found.isdisjoint(cluster.faces)}
        self._filling = True
        self.groups.show_cards(range(len(shown)), partial(self._group_card, names), keep or {0})
        self._filling = False
        self.who.offer(sorted(names.values(), key=str.casefold))
        if not keep or self.who.currentText() == self._settled:
            self._show_name()
        self._show_members(single)

    def _group_card(self, names: Mapping[str, str], number: int) -> Card:
        known = self._shown()
        faces = known.clusters.clusters[number].faces
        who, count = cluster_name(known, number, names), counted(len(faces), "face")
        at = timecode(self._session.script.film, min(known.faces.times[face] for face in faces))
        return Card(known.faces.faces[faces[0]].crop, f"{who}\n{count}", f"{who}, {count}, first at {at}")

    def _face_card(self, number: int) -> Card:
        face = self._face(number)
        at = timecode(self._session.script.film, face.time)
        return Card(face.crop, at, f"Face at {at}")

    def _show_others(self) -> None:
        """Other groups were chosen: their faces, and their name."""
        if not self._filling:
            self._show_name()
            self._show_members()

    def _show_name(self) -> None:
        """The name of the chosen groups, empty where they have none or several."""
        self._settled = self._names().get(self._person() or "", "")
        if self.who.currentText() != self._settled:
            self.who.setEditText(self._settled)

    def _chosen_clusters(self) -> list[tuple[int, ...]]:
        known = self._known
        if known is None:
            return []
        return [known.clusters.clusters[number].faces for number in self.groups.chosen]

    def _show_members(self, choose: Collection[FacePlace] = ()) -> None:
        """The faces of the chosen groups, those at these places chosen."""
        known = self._known
        if self._filling:
            return
        numbers: list[int] = []
        keep: list[int] = []
        if known is not None:
            numbers = sorted({number for faces in self._chosen_clusters() for number in faces[:MOST_SHOWN]})
            times = {time for time, _ in choose}
            keep = [n for n in numbers if known.faces.times[n] in times and self._place(n) in choose]
        self._filling = True
        self.members.show_cards(numbers, self._face_card, keep)
        self._filling = False
        self._refresh()

    def _refresh(self) -> None:
        """What is said of the search, and what can be done."""
        if self._filling:
            return
        known, busy = self._known, self._faces.busy
        complete = known is not None and known.faces.complete
        self.search.setText("&Stop" if busy else "F&ind faces" if not complete else "&Compare portraits")
        self.search.setAccessibleName(self.search.text().replace("&", ""))
        sentences = [self._faces.doing] if self._faces.doing else []
        person = self._session.script.person_by_id.get(self._person() or "")
        if person is not None and not person.all_portraits:
            sentences.append(f"“{person.name}” has no portrait yet: the best of these faces can be one.")
        end = self._session.script.film.end
        sentences += [as_sentence(each) for each in remarks(known, self._names(), end)] if known is not None else []
        groups = 0 if known is None else len(known.clusters.clusters)
        if groups > MOST_SHOWN:
            sentences.append(MORE.format(shown=MOST_SHOWN, all=f"{groups:,}"))
        if known is None and not busy:
            sentences.append(NOTHING)
        self.state.setText(" ".join(sentences))
        chosen = bool(self._chosen())
        for each in (self.name, self.nobody, self.who, self.unname):
            each.setEnabled(chosen)
        self.delete.setEnabled(chosen and not busy)
        self.portrait.setEnabled(len(self._chosen()) > 0 and self._person() is not None)

    def _chosen(self) -> list[int]:
        """The chosen faces of the group; without any, all of the chosen groups."""
        return self.members.chosen or [number for faces in self._chosen_clusters() for number in faces]

    def _person(self) -> str | None:
        """Who the chosen group is, where it is one person's."""
        known = self._known
        people = {known.person_of(number) for number in self.groups.chosen} if known is not None else set()
        only = next(iter(people)) if len(people) == 1 else None
        return only or None

    def _find(self) -> None:
        if self._faces.busy:
            self._faces.stop()
        else:
            self._faces.find()
        self._refresh()

    def _name(self) -> None:
        name = " ".join(self.who.currentText().split())
        if not name:
            self._session.messages.say("Type or choose the name of the character first.")
            self.who.setFocus()
            return
        self._say(name)

    def _say(self, name: str | None) -> None:
        """The chosen faces are somebody's, or nobody's; a new name is added to the cast in the same step."""
        places = self._places()

        def make(script: Script) -> Step | None:
            if name is None:
                return name_faces(script, self._session.edits.ids, places, None)
            person = script.person_named(name)
            if person is not None:
                return name_faces(script, self._session.edits.ids, places, person.id)
            added = add_person(script, name)
            if added is None:
                return None
            script = added.apply(script)
            new = script.person_named(name)
            named = name_faces(script, self._session.edits.ids, places, None if new is None else new.id)
            return one_step(f"Name {counted(len(places), 'face')} as “{name}”", [s for s in (added, named) if s])

        if self._session.edits.attempt(make, unchanged="These faces have that name already."):
            self._settled = self.who.currentText()
            who = "not in the cast" if name is None else f"“{name}”"
            self._session.messages.say(f"{counted(len(self._chosen()), 'face')} named as {who}.")

    def _unname(self) -> None:
        places = [self._place(number) for number in self._chosen()]
        if self._session.edits.attempt(
            lambda script: unname_faces(script, places), unchanged="These faces have no name."
        ):
            self._settled = self.who.currentText()
            self._session.messages.say("These faces have no name any more.")

    def _places(self) -> list[FacePlace]:
        """Of whole groups, the labelled ones and some spread over the film; else the chosen faces."""
        known = self._known
        if known is None:
            return []
        numbers = self.members.chosen
        if not numbers:
            for number in self.groups.chosen:
                cluster = known.clusters.clusters[number]
                numbers += [*sorted(cluster.labelled), *spread(cluster, known.faces.faces, LABELS_OF_CLUSTER)]
        return [self._place(number) for number in dict.fromkeys(numbers)]

    def _place(self, number: int) -> FacePlace:
        face = self._face(number)
        return face.time, face.box

    def _face(self, number: int) -> Face:
        return self._shown().faces.faces[number]

    def _shown(self) -> KnownFaces:
        if self._known is None:
            raise LookupError("there are no faces")
        return self._known

    def _take_portrait(self) -> None:
        """The best of the chosen faces becomes a portrait of its character, in one step, after a yes."""
        person, chosen = self._person(), self._chosen()
        if person and chosen and person != NOBODY:
            best = max((self._face(number) for number in chosen), key=quality)
            self._taking = PortraitTaking(self._context, self._faces, self)
            self._taking.take(person, best)

    def _delete(self) -> None:
        """Nothing of the chosen faces is left in the cache, nor what was said of them."""
        numbers = self._chosen()
        detail = (
            "Their pictures, what tells them apart and their names are deleted from this machine; only the "
            "names can be undone. Another search of the film would find them again."
        )
        if ask(self, f"Delete {counted(len(numbers), 'face')}?", detail, ("Delete",), careful=True) == 0:
            gone = [self._face(number) for number in numbers]
            self._session.edits.attempt(lambda script: unname_faces(script, [(face.time, face.box) for face in gone]))
            self._faces.forget_faces(gone)
