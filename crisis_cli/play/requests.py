"""What a fight waits for: an action, a choice in the middle of one, a response before one, faces of real dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ..values import NamedTuple

if TYPE_CHECKING:
    from ..dice.option_odds import OptionOdds
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


class Option:
    """One answer to `Choose`: its name, what it costs, and what comes of it."""

    def __init__(self, alternative: Alternative):
        self._alternative = alternative

    @property
    def name(self) -> str:
        """The name by which it is chosen."""
        return self._alternative.name

    @property
    def cost(self) -> int:
        """What it costs the fighter."""
        return self._alternative.cost

    @property
    def spends(self) -> str:
        """What lasts and would be spent on it, by its name; empty for nothing."""
        return self._alternative.spends

    @property
    def pays(self) -> str:
        """What the cost is paid in, where it takes something off harm; empty for nothing."""
        return self._alternative.pays

    @property
    def harm(self) -> float | None:
        """The harm to the fighter to be expected, in points; None where that takes too long to work out."""
        return self._odds.harm if self._odds else None

    @property
    def unhurt(self) -> float | None:
        """The chance of no harm at all, 0 to 1; None where that takes too long to work out."""
        return self._odds.unhurt if self._odds else None

    @cached_property
    def _odds(self) -> OptionOdds | None:
        from ..dice.distribution import OddsTable
        from ..dice.option_odds import option_odds

        return option_odds(self._alternative, OddsTable())

    def __repr__(self) -> str:
        return f"<Option {self.name}>"


class Choose(NamedTuple):
    """A decision in the middle of an action."""

    who: str
    action: Intent
    what: str
    """`reaction`, `spend` or `option`."""
    alternatives: tuple[Alternative, ...]
    """The options as rules."""
    usual: str
    """The name of the option that is taken where nothing is said."""
    rolls: tuple[Throw, ...] = ()
    """The rolls of the action so far."""
    spent: tuple[tuple[str, str, int], ...] = ()
    """What has been spent in it so far: (fighter, what, how many)."""

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen."""
        return tuple(map(Option, self.alternatives))


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
    action: Intent | None = None
    """The action that the roll is part of; None for a bare roll."""
    rolls: tuple[Throw, ...] = ()
    """The rolls of the action so far, this one last."""
    choices: tuple[str, ...] = ()
    """The names of the options that were taken in the action so far."""

    @property
    def who(self) -> str:
        """The fighter whose roll it is; empty for nobody's."""
        return self.roll.who

    @property
    def what(self) -> str:
        """What the roll is for."""
        return self.roll.what

    @property
    def dice(self) -> str:
        """All dice of the roll, as they are written: `2d6`."""
        return self.roll.spelled or f"d{self.sides}"

    @property
    def faces(self) -> list[int]:
        """The faces of the roll so far."""
        return [face for _, face in self.roll.faces]


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
