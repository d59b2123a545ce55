"""What a fight waits for: an action, a choice in the middle of one, a response before one, faces of real dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..values import NamedTuple

if TYPE_CHECKING:
    from ..dice.table import Alternative, Throw
    from ..engine.responses import Response
    from ..engine.scene import Intent
    from .session import Session


class Act(NamedTuple):
    """The turn of a fighter that somebody decides for."""

    who: str
    round: int


class Legal(NamedTuple):
    """Something that a fighter can do now."""

    line: str
    """The action as it is typed at the prompt."""
    intent: Intent
    costs: Mapping[str, int]
    """What it costs the fighter, by pool."""


class Choose(NamedTuple):
    """A decision in the middle of an action."""

    who: str
    action: Intent
    options: tuple[Alternative, ...]
    usual: str
    """The name of the option that is taken where nothing is said."""
    rolls: tuple[Throw, ...] = ()
    """The rolls of the action so far."""
    spent: tuple[tuple[str, str, int], ...] = ()
    """What has been spent in it so far: (fighter, what, how many)."""


class Respond(NamedTuple):
    """What a fighter may do before somebody else's action takes effect."""

    who: str
    action: Intent
    options: tuple[Response, ...]
    usual: Response | None
    """The response that is given where nothing is said; None: the action is let pass."""


class Faces(NamedTuple):
    """The next faces of real dice: one, or several of the same roll."""

    sides: int
    roll: Throw
    """The roll so far, with whose it is and what for."""


PASS = "pass"
"""The answer to `Respond` that lets the action pass."""
Request = Act | Choose | Respond | Faces


class Waiting(Exception):
    """An action cannot go on before a request is answered; nothing of it has happened yet."""

    def __init__(self, request: Choose | Faces, session: Session | None = None):
        super().__init__(request)
        self.request = request
        self.session = session
        """Where the action is performed; None for a bare roll."""
