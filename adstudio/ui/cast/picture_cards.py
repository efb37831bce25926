"""The pictures of a character, of which one is the portrait: seen, chosen and removed one by one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from adstudio.core.cast import Person, Portrait
from adstudio.core.film import Film
from adstudio.ui.faces.cards import Card, Cards
from adstudio.ui.widgets.formatting import timecode
from adstudio.ui.widgets.theme import UNIT

SIDE = 16 * UNIT
PORTRAIT = "Portrait"


class PictureCards(Cards):
    """All pictures of somebody, those of merged names last; the first of the own ones is the portrait."""

    preferred = Signal()
    """The current picture is to be the portrait."""
    unwanted = Signal()
    """The current picture is to go."""

    def __init__(self) -> None:
        super().__init__("Pictures of the character", side=SIDE, characters=8, lines=1)
        self.setAccessibleDescription("Return makes a picture the portrait; Delete removes it")
        self.setSelectionMode(Cards.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._person: Person | None = None
        self._pictures: tuple[Portrait, ...] = ()

    @property
    def picture(self) -> Portrait | None:
        """The current picture."""
        place = self.currentIndex().row()
        return self._pictures[place] if 0 <= place < len(self._pictures) else None

    @property
    def is_portrait(self) -> bool:
        """Whether the current picture is the portrait."""
        return self.picture is not None and self._person is not None and self.picture.image == self._person.face

    def show_person(self, person: Person | None, film: Film) -> None:
        """Show somebody's pictures; the one that was current stays so, and else the one in its place is."""
        same = person is not None and self._person is not None and person.id == self._person.id
        before, place = self.picture if same else None, self.currentIndex().row() if same else 0
        found = {each.image: each for each in (() if person is None else person.all_portraits)}
        self._person, self._pictures = person, tuple(found.values())
        images = list(found)
        if before is not None and before.image in images:
            place = images.index(before.image)
        place = max(min(place, len(images) - 1), 0)
        cards = [self._card(number, each, film) for number, each in enumerate(self._pictures)]
        self.show_cards(range(len(cards)), cards.__getitem__, [place])
        self.setFixedHeight(self.gridSize().height() + 2 * self.frameWidth() + 1)  # one row, and none of the next
        self.setVisible(len(cards) > 1)

    def _card(self, number: int, picture: Portrait, film: Film) -> Card:
        person = self._person
        first = person is not None and picture.image == person.face
        merged = () if person is None else person.merged
        names = [each.entry.name for each in merged if picture in each.entry.portraits]
        facts = (
            f"Picture {number + 1} of {len(self._pictures)}",
            "the portrait" if first else "",
            "" if picture.time is None else f"from the film at {timecode(film, picture.time)}",
            "" if picture.picture is None else f"from {picture.picture.path}",
            f"of {names[0]}" if names and person is not None and picture not in person.portraits else "",
        )
        return Card(picture.image, PORTRAIT if first else str(number + 1), ", ".join(filter(None, facts)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and Delete; the rest moves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.preferred.emit()
        elif event.key() == Qt.Key.Key_Delete and not event.modifiers():
            self.unwanted.emit()
        else:
            super().keyPressEvent(event)
