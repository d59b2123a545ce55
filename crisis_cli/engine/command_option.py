"""Options of the command line that only some systems have: rows that are read without the rulebook."""

from __future__ import annotations

from ..values import NamedTuple


class CommandOption(NamedTuple):
    """An option of the command line that some systems have."""

    name: str
    """The option without its dashes: "called-shot"."""
    kind: str
    """"flag", "whole", "text", "choice", "thing": a weapon or item of the actor; "names": fighters, `A,B`; or
    "answers": fighters, each with an action, `A=ACTION,B=ACTION`."""
    verbs: tuple[str, ...]
    """The verbs that take it: `attack`, `throw`, `heal`, `check`, `act`."""
    help: str
    """What `--help` says about it."""
    rule: str
    """The rule that it is about."""
    values: tuple[str, ...] = ()
    """The words that it accepts, if it is a "choice"."""
    instead: str = ""
    """The action that the verb turns into with it."""

    @property
    def key(self) -> str:
        """Its name as intents spell it."""
        return self.name.replace("-", "_")
