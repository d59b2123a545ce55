"""The exact odds of an attack before its dice were rolled, with the choices that were made on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..dice.distribution import OddsTable
from ..dice.table import Alternative
from ..engine.action_odds import effects_of
from ..engine.consequences import foreseen
from ..engine.record import ATTACKS, Entry, RecordedChoice
from ..engine.scene import Scene
from ..engine.system import System
from ..engine.validate import prepare
from ..errors import CrisisError
from ..values import NamedTuple
from .harm import Lives
from .luck import merged
from .walk import Step

if TYPE_CHECKING:
    from ..dice.distribution import Policy

WIDEST = 20_000
"""Branches that the odds of one attack may take: a story tells of many."""


class AttackOdds(NamedTuple):
    """The odds of an attack."""

    hit: float
    harm: Mapping[int, float]
    """The law of the life that the other side loses."""
    down: Mapping[str, float]
    """For each fighter that it can put out of the fight, the chance of that."""
    truncated: bool
    """Whether a chain of dice was broken off, so that they are not quite exact."""


def is_attack(entry: Entry, scene: Scene, system: System) -> bool:
    """Whether an entry is an attack: rolled, with a weapon, at somebody of another side or at a place."""
    row = system.actions.get(entry.intent.action)
    actor = scene.fighters.get(entry.intent.actor)
    if row is None or actor is None or not entry.rolls or entry.success is None:
        return False
    if entry.intent.action not in ATTACKS and row.gear != "weapons":
        return False
    targets = [scene.fighters[name] for name in entry.intent.targets if name in scene.fighters]
    return any(one.side != actor.side for one in targets) or (
        not targets and entry.intent.get("at") is not None
    )


class CrisisOdds:
    """Gives the odds of the attacks of one crisis; what they have in common is worked out once."""

    def __init__(self, system: System):
        self.system = system
        self.lives = Lives(system)
        self._tables: dict[tuple[tuple[str, tuple[str, ...], str], ...], OddsTable] = {}

    def of(self, step: Step) -> AttackOdds | None:
        """The odds of an attack; None where today's rules do not allow it, or where they take too long."""
        try:
            return self._worked_out(step)
        except (CrisisError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            # An old journal may ask for what today's rules cannot do.
            return None

    def _worked_out(self, step: Step) -> AttackOdds:
        entry, scene = step.entry, step.before
        prepared = prepare(self.system, scene, entry.intent)
        # Of several targets each alone can be worked out: the one that is named first stands for all.
        table = self._table(entry.choices)
        hits, total = prepared.odds(table).chance(lambda answer: getattr(answer, "success", None) is True)
        chance_to_hit = hits / total
        apart = prepared.apart
        is_rough = len(entry.intent.targets) > 1 or len(apart) > 1
        who = entry.intent.target if entry.intent.target in apart else "".join(apart[:1])
        whole = prepared.odds(table, who, lives=True) if apart else table.of(prepared.rule, prepared.dice)
        _, total = whole.chance(lambda answer: True)
        harms: list[tuple[int, float]] = []
        down: dict[str, float] = {}
        up = {name for name, one in scene.fighters.items() if self.lives.vitality.is_standing(one)}
        side = scene.fighters[entry.intent.actor].side
        for changed, ways in effects_of(self.system, scene, entry.intent, prepared, whole):
            paid = prepared.payment.events
            events, after = foreseen(self.system, scene, paid + changed, entry.intent.targets)
            chance = ways / total
            harm = sum(
                wound.by
                for wound in self.lives.wounds(scene, events)
                if scene.fighters[wound.who].side != side
            )
            harms.append((harm, chance))
            for name in up & {event.who for event in events}:
                if scene.fighters[name].side != side and self.system.fallen(after.fighters[name]):
                    down[name] = down.get(name, 0.0) + chance
        return AttackOdds(chance_to_hit, merged(harms), down, whole.truncated or is_rough)

    def _table(self, choices: tuple[RecordedChoice, ...]) -> OddsTable:
        """The odds table on which everyone chooses what the record says they chose."""
        key = tuple((one.who, one.offered, one.taken) for one in choices)
        if key not in self._tables:
            self._tables[key] = OddsTable(_remembered(choices), WIDEST)
        return self._tables[key]


def _remembered(choices: tuple[RecordedChoice, ...]) -> Policy:
    """The policy that takes what the record took where the same was offered, else the first option: it is free."""
    taken = {(one.who, one.offered): one.taken for one in reversed(choices)}

    def choose(who: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
        name = taken.get((who, tuple(option.name for option in options)))
        return next((option for option in options if option.name == name), options[0])

    return choose
