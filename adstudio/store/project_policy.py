"""The sharing policy of an open project: which one is in force for its film, and changes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.policy import Policy, PolicyChange, film_identity
from adstudio.store import layout, policies
from adstudio.store.codec import CodecError
from adstudio.store.database import OpenFile
from adstudio.store.film_contents import content_of_film


class ProjectPolicy:
    """The policies and the identity in an open file; `oddities` lists damage, by which nothing is allowed."""

    def __init__(self, file: OpenFile, films: Callable[[], tuple[Film, ...]]) -> None:
        """Read them; `films` gives the project's film, more than one while it is not settled which is, that one last.

        A policy must have been granted for all of them.
        """
        self._file, self._films = file, films
        self._stored, self.oddities = policies.read(file.path, file.connection)

    @property
    def identity(self) -> str:
        """The project's identity, in hexadecimal."""
        return self._stored.identity.hex()

    @property
    def changes(self) -> tuple[PolicyChange, ...]:
        """Every policy ever set, oldest first."""
        return self._stored.changes

    @property
    def current(self) -> Policy:
        """The policy in force."""
        policy = self._stored.policy.valid_for(*map(film_identity, self._films()))
        return policy.valid_for_content(self._film_content) if policy.content and policy.rule != "offline" else policy

    def set(self, policy: Policy) -> None:
        """Set the policy for the project's film.

        Raises:
            BadInputError: if it exceeds the limits of the format.
            OutsideFailureError: if the project is read-only, or it cannot be written; the policy is then unchanged.
        """
        self._file.require_editable()
        current = self.current
        if self._stored.sound and (policy, policy.lapsed) == (current, current.lapsed):
            return
        # Bound to the same content, as long as nobody knows that it is another.
        content = self._film_content or ("" if current.rule == "offline" else current.content)
        self._append(policy.granted_for(film_identity(self._films()[-1]), content))

    def bind(self) -> bool:
        """Bind the permission in force to the film's whole content if that has become known; whether it did.

        Raises:
            OutsideFailureError: if it cannot be written.
        """
        policy = self.current
        if self._file.read_only or policy.rule == "offline" or policy.content or not self._film_content:
            return False
        self._append(replace(policy, content=self._film_content))
        return True

    @property
    def _film_content(self) -> str:
        """The hash of the film's whole content where it is found now, empty if it is not known."""
        media = self._films()[-1].media
        return "" if media is None else content_of_film(media, self._file.path)

    def _append(self, given: Policy) -> None:
        try:
            with self._file.writing() as connection:
                stored = policies.append(connection, self._stored, PolicyChange(layout.now(), given))
        except CodecError as error:
            raise BadInputError(f"{self._file.path} cannot store this policy ({error})") from error
        self._stored = stored
