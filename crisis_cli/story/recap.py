"""The recap of a crisis in figures: harm, luck, the lead and its turning points, what was used up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..engine.journal import Crisis
from ..engine.sides import decided, victor
from ..engine.system import System
from ..render.closing import used_up
from ..render.jsontext import VERSION
from ..values import NamedTuple
from .chances import AttackOdds, CrisisOdds, is_attack
from .harm import Wound
from .lead import LeadGauge
from .luck import Law, Luck, of_hits, of_sum
from .walk import Step, sides, steps

TURNING_POINTS = 3
"""The largest changes of the lead that are listed, beside the falls of the player's side."""
CORE = ("set", "init", "join", "leave", "end", "event")
"""Entries that harm nobody: the GM's hand, who comes and goes, and events of an encounter."""


class Attack(NamedTuple):
    """One attack in force, with its odds if they are known."""

    who: str
    hit: bool
    harm: int
    """The life that the other side lost by it."""
    odds: AttackOdds | None


class AttackTotals(NamedTuple):
    """The attacks of a fighter or a side added up."""

    attacks: int
    hits: int
    harm: int
    hit_luck: Luck | None
    """None where there were no attacks with known odds."""
    harm_luck: Luck | None
    truncated: bool
    unknown: int
    """Attacks whose odds are not known; they count in no luck."""


class FighterRecap(NamedTuple):
    """What a fighter did and suffered."""

    name: str
    side: str
    tally: AttackTotals
    taken: int
    healed: int
    """What the fighter gave back to lives."""
    downed: tuple[str, ...]
    spent: Mapping[str, int]


class Lead(NamedTuple):
    """The lead of the player's side after an entry: its share of life left less that of the others, −1 to 1."""

    entry: int
    round: int
    lead: float


class TurningPoint(NamedTuple):
    """An entry that changed the lead."""

    step: Step
    change: float
    odds: AttackOdds | None
    downed: tuple[str, ...]
    """The fighters that it put out of the fight."""


class Recap(NamedTuple):
    """The recap of a crisis."""

    rounds: int
    is_decided: bool
    winner: str
    """The side that holds the field; empty where none does, or more than one."""
    fighters: tuple[FighterRecap, ...]
    sides: Mapping[str, AttackTotals]
    lead: tuple[Lead, ...]
    turning: tuple[TurningPoint, ...]
    """The largest changes of the lead, the largest first; every one that put down a fighter of the player's side, and
    the last that put down one of those who lost, is among them."""
    nobody: int
    """Harm that no action did: bleeding, poison, falls."""
    attacks: tuple[Attack, ...] = ()
    """Every attack, in order."""
    system: str = ""
    """The name of the rule system; empty for several fights added up."""

    def to_dict(self) -> dict[str, Any]:
        """The recap as `crisis log --recap --json` prints it; percentiles are 0 to 100, the lead −1 to 1."""
        return {
            "v": VERSION,
            "action": "recap",
            "recap": {
                "system": self.system,
                "rounds": self.rounds,
                "decided": self.is_decided,
                "winner": self.winner or None,
                "fighters": [
                    {
                        "name": one.name,
                        "side": one.side,
                        **tally_record(one.tally),
                        "taken": one.taken,
                        "healed": one.healed,
                        "downed": list(one.downed),
                        "spent": dict(one.spent),
                    }
                    for one in self.fighters
                ],
                "sides": {side: tally_record(one) for side, one in self.sides.items()},
                "lead": [one._asdict() for one in self.lead],
                "turning": list(_turning_records(self)),
                "wounds": self.nobody,
            },
        }


def recap(crisis: Crisis, system: System, odds: bool = True) -> Recap:
    """The recap of a crisis, open or ended, from its journal alone; without `odds` it knows no luck."""
    found = _Gathering(crisis, system, odds)
    for step in steps(crisis):
        found.add(step)
    return found.recap()


class _Gathering:
    """Adds up a crisis entry by entry."""

    def __init__(self, crisis: Crisis, system: System, odds: bool):
        self.crisis, self.system = crisis, system
        self.chances = CrisisOdds(system) if odds else None
        self.attacks: list[Attack] = []
        self.taken: dict[str, int] = {}
        self.healed: dict[str, int] = {}
        self.downed: dict[str, list[str]] = {}
        self.nobody = 0
        self.leads: list[Lead] = []
        self.turns: list[TurningPoint] = []
        self.gauge = LeadGauge(system, next(iter(sides(crisis)), ""))

    def add(self, step: Step) -> None:
        """Add an entry."""
        before = self.gauge.of(step.before)
        odds = None
        if step.entry.intent.action not in CORE:
            wounds = list(self.gauge.lives.wounds(step.after, step.entry.events))
            if is_attack(step.entry, step.before, self.system):
                odds = self.chances.of(step) if self.chances else None
                self._attack(step, wounds, odds)
            self._harm(step, wounds)
        after = self.gauge.of(step.after)
        self.leads.append(Lead(step.entry.number, step.round, after))
        if after != before:
            self.turns.append(TurningPoint(step, after - before, odds, self._downed(step)))

    def _attack(self, step: Step, wounds: Sequence[Wound], odds: AttackOdds | None) -> None:
        actor = step.before.fighters[step.entry.intent.actor]
        harm = sum(wound.by for wound in wounds if step.before.fighters[wound.who].side != actor.side)
        self.attacks.append(Attack(actor.name, bool(step.entry.success), harm, odds))

    def _harm(self, step: Step, wounds: Sequence[Wound]) -> None:
        actor = step.entry.intent.actor if step.entry.intent.action != "next" else ""
        for who, by in wounds:
            if by > 0:
                self.taken[who] = self.taken.get(who, 0) + by
                if not actor or step.after.fighters[who].side == step.after.fighters[actor].side:
                    self.nobody += by
            elif by < 0 and actor:
                self.healed[actor] = self.healed.get(actor, 0) - by
        if actor:
            self.downed.setdefault(actor, []).extend(self._downed(step))

    def _downed(self, step: Step) -> tuple[str, ...]:
        """The fighters that an entry put out of the fight, the actor left out."""
        fallen, before = self.system.fallen, step.before.fighters
        return tuple(
            name
            for name, one in step.after.fighters.items()
            if one is not before.get(name, one)
            and name != step.entry.intent.actor
            and fallen(one)
            and not fallen(before[name])
        )

    def _decisive(self, turns: Sequence[TurningPoint]) -> TurningPoint | None:
        """The last entry that put down a fighter of those who lost; None where nobody has won, or there is none."""
        winner = victor(self.system, self.crisis.last_scene)
        sign = 1 if winner == next(iter(sides(self.crisis)), "") else -1
        falls = [turn for turn in turns if turn.downed and turn.change * sign > 0]
        return falls[-1] if winner and falls else None

    def recap(self) -> Recap:
        """All of it."""
        crisis, system = self.crisis, self.system
        spent = used_up(crisis.done, crisis.scene, system)
        fighters = tuple(
            FighterRecap(
                name,
                side,
                tally([one for one in self.attacks if one.who == name]),
                self.taken.get(name, 0),
                self.healed.get(name, 0),
                tuple(self.downed.get(name, ())),
                spent.get(name, {}),
            )
            for side, names in sides(crisis).items()
            for name in names
        )
        of_side = {
            side: tally([one for one in self.attacks if one.who in names])
            for side, names in sides(crisis).items()
        }
        # What falls away with the end of the fight turns nothing any more.
        turns = [turn for turn in self.turns if turn.step.entry.intent.action != "end"]
        order = sorted(turns, key=lambda turn: (-abs(turn.change), turn.step.entry.number))
        few = order[:TURNING_POINTS]
        if (last := self._decisive(turns)) and last not in few:
            few[-1] = last
        own = {*next(iter(sides(crisis).values()), ())}
        turning = [turn for turn in order if turn in few or own & {*turn.downed}]
        return Recap(
            crisis.scene.round,
            decided(system, crisis.last_scene),
            victor(system, crisis.last_scene),
            fighters,
            of_side,
            tuple(self.leads),
            tuple(turning),
            self.nobody,
            tuple(self.attacks),
            system.name,
        )


def tally(attacks: Sequence[Attack]) -> AttackTotals:
    """Attacks added up, with the luck of those whose odds are known."""
    known = [(one, one.odds) for one in attacks if one.odds is not None]
    laws: list[Law] = [odds.harm for _, odds in known]
    return AttackTotals(
        len(attacks),
        sum(one.hit for one in attacks),
        sum(one.harm for one in attacks),
        of_hits([odds.hit for _, odds in known], sum(one.hit for one, _ in known)) if known else None,
        of_sum(laws, sum(one.harm for one, _ in known)) if known else None,
        any(odds.truncated for _, odds in known),
        len(attacks) - len(known),
    )


def tally_record(one: AttackTotals) -> dict[str, Any]:
    """The attacks of a fighter or a side added up, as JSON."""
    known: dict[str, Any] = {"attacks": one.attacks, "hits": one.hits}
    harm: dict[str, Any] = {"done": one.harm}
    if one.hit_luck:
        known |= _luck_record(one.hit_luck)
    if one.harm_luck:
        harm |= {**_luck_record(one.harm_luck), "truncated": one.truncated}
    return {**known, "harm": harm, **({"unknown": one.unknown} if one.unknown else {})}


def _luck_record(luck: Luck) -> dict[str, Any]:
    return {
        "expected": luck.expected,
        "sd": luck.deviation,
        "percentile": luck.percentile,
        "exact": luck.exact,
        "bound": luck.bound,
    }


def _turning_records(found: Recap) -> Iterator[dict[str, Any]]:
    for turn in found.turning:
        entry = turn.step.entry
        record: dict[str, Any] = {
            "entry": entry.number,
            "round": turn.step.round,
            "change": turn.change,
            "by": entry.intent.actor or None,
            "downed": list(turn.downed),
        }
        yield record | ({"p": turn.odds.hit} if turn.odds else {})
