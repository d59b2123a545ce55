"""What came of an action, and how a fight stands: values that a program can read, print and hand on."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .session import Session

if TYPE_CHECKING:
    from ..engine.record import Entry
    from ..engine.scene import Fighter, Scene
    from ..engine.system import System

WIDTH = 80
"""Columns of texts that a program prints."""


class Result(NamedTuple):
    """An action that was performed, and recorded where it is kept."""

    session: Session
    """The crisis after the action, and the events that followed from it."""
    entry: Entry
    seed: int | None
    """The seed of its dice; None where they follow from no seed."""

    @property
    def events(self) -> list[Result]:
        """The events of the encounter that followed from the action."""
        done = self.session.done
        return [self._replace(entry=entry) for entry in done[self.entry.number :]]

    @property
    def number(self) -> int:
        """The number of the entry in the log, from 1; 1 outside a crisis."""
        return self.entry.number

    @property
    def action(self) -> str:
        """What was done: `attack`, `next` …"""
        return self.entry.intent.action

    @property
    def actor(self) -> str:
        """The fighter who acted; empty for what nobody does."""
        return self.entry.intent.actor

    @property
    def targets(self) -> tuple[str, ...]:
        """The fighters it was aimed at."""
        return self.entry.intent.targets

    @property
    def success(self) -> bool | None:
        """Whether the action succeeded; None where it can neither succeed nor fail."""
        return self.entry.success

    @property
    def word(self) -> str:
        """The word for what came of the action: `hit`, `miss`, `done` …"""
        return self.entry.word or "done"

    @property
    def rolls(self) -> list[dict[str, Any]]:
        """Every roll with its faces, modifiers and numbers, as JSON has them."""
        rolls: list[dict[str, Any]] = self.to_dict()["rolls"]
        return rolls

    @property
    def effects(self) -> list[dict[str, Any]]:
        """Every change: who, what, was, now and the rule, as JSON has them."""
        effects: list[dict[str, Any]] = self.to_dict()["effects"]
        return effects

    @property
    def lines(self) -> list[str]:
        """What happened, as the command line tells it."""
        from ..render.style import Ink
        from ..render.text import entry_lines

        return entry_lines(self.entry, self.session.scene, self.session.system, Ink())

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"<Result {self.number}: {' '.join(filter(None, (self.actor, self.action)))}, {self.word}>"

    def to_dict(self, explain: bool = False) -> dict[str, Any]:
        """The action as `--json` prints it; with `explain` every modifier."""
        from ..render import data

        crisis, system = self.session.crisis, self.session.system
        record = data.entry(self.entry, system, self.seed, crisis is not None, explain)
        if crisis is None and not self.session.scene.fighters:
            # What the oracle says outside a fight belongs to no system.
            del record["system"]
        if self.entry.intent.action == "end":
            record |= data.outcome_so_far(crisis.last_scene if crisis else self.session.scene, system)
        return record

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class State:
    """How a crisis stands; it never changes."""

    def __init__(self, scene: Scene, system: System, seed: int, questions: str = ""):
        self._scene, self._system, self._questions = scene, system, questions
        self.seed = seed

    @property
    def round(self) -> int:
        """The number of the round; 0 before the first."""
        return self._scene.round

    @property
    def turn(self) -> str:
        """The fighter whose turn it is; empty before the first turn."""
        return self._scene.turn

    @property
    def acting(self) -> tuple[str, ...]:
        """The fighters who act now: several where a group acts together."""
        return tuple(self._scene.acting)

    @property
    def order(self) -> tuple[str, ...]:
        """The fighters in turn order."""
        return tuple(self._scene.order)

    @property
    def fighters(self) -> Mapping[str, Fighter]:
        """All fighters by their names: side, pools, conditions, position … Each call gives a copy."""
        from copy import deepcopy

        return deepcopy(dict(self._scene.fighters))

    @property
    def sides(self) -> dict[str, dict[str, int]]:
        """What each side shares, such as action points, by its name."""
        from ..engine.sides import pools

        return {side: dict(held) for side, held in pools(self._system, self._scene).items()}

    @property
    def unit(self) -> str:
        """The unit of positions and distances: `m`, `tile` …"""
        return self._system.space.unit

    @property
    def decided(self) -> bool:
        """Whether at most one side can still fight."""
        from ..engine.sides import decided

        return decided(self._system, self._scene)

    @property
    def winner(self) -> str:
        """The side that has won; empty while the fight goes on, and where none has."""
        from ..engine.sides import victor

        return victor(self._system, self._scene)

    @property
    def ended(self) -> bool:
        """Whether the crisis was ended."""
        return self._scene.over

    def to_dict(self, spoilers: bool = False) -> dict[str, Any]:
        """The state as `crisis status --json` prints it; with `spoilers` the events that are still to come."""
        from ..render import data

        return data.status(self._scene, self._system, self.seed, spoilers, self._questions)

    def __str__(self) -> str:
        from ..render.board import board
        from ..render.style import Ink

        return "\n".join(board(self._scene, self._system, Ink(), WIDTH))

    def __repr__(self) -> str:
        turn = f"round {self.round}, {self.turn}'s turn" if self.turn else "not begun"
        return f"<State of {', '.join(self.fighters)}: {turn}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Explained:
    """A result with every modifier and effect, and the rule of each."""

    def __init__(self, result: Result):
        self.result = result

    def to_dict(self) -> dict[str, Any]:
        """The explanation as `crisis explain --json` prints it."""
        from ..render import explaining

        session, entry = self.result.session, self.result.entry
        seed = session.crisis.seed if session.crisis else self.result.seed or 0
        return explaining.record(entry, session.system, seed, self._titles())

    def __str__(self) -> str:
        from ..render import explaining
        from ..render.style import Ink

        session, entry = self.result.session, self.result.entry
        lines = explaining.reasons(entry, session.scene, session.system, self._titles(), Ink(), WIDTH)
        return "\n".join(lines)

    def _titles(self) -> Mapping[str, str]:
        from .. import rulebooks

        return rulebooks.titles(self.result.session.system.name)
