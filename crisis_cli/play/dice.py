"""Where the dice of an action come from, and what is kept of it."""

from __future__ import annotations

from ..errors import Usage
from ..values import NamedTuple


class Dice(NamedTuple):
    """Where the dice and the choices of an action come from."""

    seed: int | None = None
    results: tuple[int | str, ...] | None = None
    """Given faces and names of cards, in order."""
    real: bool = False
    """Whether all faces are asked for."""
    mine: bool = False
    """Whether the faces of the players' side are asked for."""
    is_automatic: bool = False
    """Whether doctrines decide for the players' fighters too, where no program is asked."""
    choices: tuple[str, ...] = ()
    """The answers to the questions of the action, in order; those without one are decided as if nobody were asked."""

    @property
    def is_default(self) -> bool:
        """Whether nothing says where the results come from."""
        return self.results is None and self.seed is None and not self.real and not self.mine

    def checked(self) -> Dice:
        """The dice; Usage where they come from two places."""
        sources = {"--dice": self.results is not None, "--real-dice": self.real, "--mine": self.mine}
        named = [option for option, is_named in sources.items() if is_named]
        if len(named) > 1:
            raise Usage(f"{' and '.join(named)} cannot go together", code="conflicting_options")
        return self


AUTOMATIC = Dice(is_automatic=True)
"""Doctrines decide for everybody."""


class Keep(NamedTuple):
    """What is kept of an action."""

    is_dry: bool = False
    """Whether nothing is: its result is only shown."""
    saves: bool = False
    """Whether a one-off writes its effects to the sheets."""
    has_responses: bool = True
    """Whether automatic fighters respond to it."""


KEPT = Keep()
