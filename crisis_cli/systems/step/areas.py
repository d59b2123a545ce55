"""Attacks on an area: who is in reach, dodges, scatter, damage that thins out with distance (STEP-24 to STEP-27)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...rules import (
    Alternative,
    Amount,
    Changes,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    distance,
    increments,
    landed,
    refuse,
    unable,
)
from .defence import DamageSetup, TargetSetup, TargetState, apply_hit, damage, graze, target_setup, tiles_to
from .rolls import compare, critical, roll, skilled, succeeds, total_of
from .sheet import CONDITIONS, is_dead

TRIED, GOT_AWAY = 1, 2
"""What the state of a target says of its dodge."""
DODGED = "dodged"
"""The mark of a fighter who has used the dodge of this round (STEP-26)."""
NO_DODGE = "leave the dodge out: --react none"
FAR = 1_000_000
"""Tiles to where nobody is hit."""


class Shot(NamedTuple):
    """One attack roll."""

    at: int
    """Which of the targets it is aimed at; −1 for a place."""
    sides: int
    bonus: int
    difficulty: int
    number: int = 0
    """Its place among the shots of the action, from 1; 0 where it is the only one."""
    keep: bool = True
    """Whether its total is asked for afterwards."""


class Area(NamedTuple):
    """Where an area attack reaches, and where a miss can land."""

    radius: int
    thins: bool
    """Explosive: a die fewer for each tile from the centre (STEP-25)."""
    directions: int = 8
    """The die of a miss: a d8, with hexes a d6 (STEP-27)."""
    spots: tuple[tuple[float, float] | None, ...] = ()
    """Where it goes off: at its mark, then for each direction; nowhere known: empty."""
    off: int = 1
    """Tiles by which a miss misses (STEP-27)."""
    alike: tuple[int, ...] = ()
    """For the odds of one target, where nothing else is asked for: for each landing the first as far from it."""


class AreaRoll(NamedTuple):
    """What an attack roll on an area came to."""

    success: bool
    total: int
    landing: int
    """Where it goes off: 0 at its mark, else the direction of the miss (STEP-27)."""
    escaped: tuple[bool, ...]
    """For each dodger, whether it got away (STEP-26)."""


Dodger = tuple[str, int, int]
"""Name, sides and modifiers of a dodge."""

# Before the dice


def area_of(scene: Scene, intent: Intent, weapon: Mapping[str, Any], dice: Amount) -> Area:
    """STEP-25, STEP-27: how far the blast reaches, and where it goes off: at its mark or in some direction."""
    radius = weapon.get("area", max(0, dice.many - 1))
    directions = 6 if intent.get("hex") else 8
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    off = max(1, increments(tiles_to(scene, intent, target), weapon.get("range")) + 1)
    mark = intent.get("at") or (target.at if target else None)
    mark = tuple(mark) if mark else None
    here = scene.fighters[intent.actor].at
    spots = (mark, *(landed(here, mark, at, off, directions) for at in range(1, directions + 1)))
    return Area(radius, "explosive" in weapon["tags"], directions, spots if mark else (), off)


def in_reach(
    scene: Scene, intent: Intent, weapon: Mapping[str, Any], area: Area
) -> tuple[tuple[TargetSetup, ...], tuple[Modifiers, ...]]:
    """Everyone whom this attack can hurt, in the order of the sheets, and the modifiers of their dodges.

    Where it is not known who stands where, all who are named share the place; off its mark the blast is so
    many tiles from them, and nobody else is hit (STEP-27).
    """
    asked = intent.get("react") == "dodge"
    targets: list[TargetSetup] = []
    dodges: list[Modifiers] = []
    reasons: dict[str, tuple[str, str]] = {}
    for name, fighter in scene.fighters.items():
        if fighter.gone or is_dead(fighter):
            continue
        away = tuple(_away(intent, fighter, area, at) for at in range(area.directions + 1))
        if min(away) > area.radius:
            continue
        target = target_setup(fighter, weapon["type"])._replace(away=away)
        reasons[name] = why, _ = no_dodge(scene, intent, fighter, away[0] <= area.radius)
        if not why or (asked and intent.get("force")):
            sides, found = skilled(fighter, "dodge", "athletics", "STEP-26", name)
            dodges.append(found)
            target = target._replace(dodge="may", dodge_die=(sides, found.total))
        targets.append(target)
    if asked:
        _must_dodge(intent, reasons)
    return tuple(targets), tuple(dodges)


def _away(intent: Intent, fighter: Fighter, area: Area, at: int) -> int:
    """Tiles between a fighter and the place where it goes off in one direction, 0 being its mark."""
    spot = area.spots[at] if area.spots else None
    if spot is not None and fighter.at is not None:
        return distance(spot, fighter.at)
    if fighter.name not in intent.targets:
        return FAR
    return area.off if at else 0


def no_dodge(scene: Scene, intent: Intent, fighter: Fighter, reached: bool) -> tuple[str, str]:
    """STEP-26: why a fighter may not dodge this attack, and the rule; two empty words where it may.

    Only a fighter inside the radius round the mark may, and not the attacker (both are readings).
    """
    why, rule = unable(CONDITIONS, fighter)
    if fighter.name == intent.actor:
        return f"{fighter.name} is the attacker and cannot dodge", "STEP-26"
    if not reached:
        return f"{fighter.name} is not within the radius", "STEP-26"
    if why:
        return f"{fighter.name} is {why} and cannot dodge", rule
    if fighter.has("helpless"):
        return f"{fighter.name} is helpless and cannot dodge", "STEP-17"
    if scene.open and fighter.marks.get(DODGED):
        return f"{fighter.name} has used this round's dodge", "STEP-26"
    return "", ""


def _must_dodge(intent: Intent, reasons: Mapping[str, tuple[str, str]]) -> None:
    """STEP-26: refuse a dodge asked for where none of the named targets may; at a place, nobody in reach."""
    concerned = [name for name in intent.targets if name in reasons] or list(reasons)
    if any(not reasons[name][0] for name in concerned):
        return
    why, rule = reasons[concerned[0]] if concerned else ("nobody in reach can dodge", "STEP-26")
    refuse(intent, why, rule, NO_DODGE)


def seen_by(target: TargetSetup, area: Area) -> Area:
    """The area for the odds of one target: landings that are equally far from it count as one."""
    tiles = [min(one, area.radius + 1) for one in target.away]
    return area._replace(alike=tuple(tiles.index(one) for one in tiles))


# The dice


def declare_dodges(
    table: RuleTable,
    targets: tuple[TargetSetup, ...],
    alone: Callable[[tuple[TargetSetup]], tuple[Callable[..., int], Any]],
) -> tuple[TargetSetup, ...]:
    """STEP-26: the targets with their dodges declared, before the attack is rolled.

    `alone` gives the rule, and its argument, for the wounds of a single target.
    """
    ready = []
    for target in targets:
        if target.dodge == "may":
            alternatives = []
            for name, dodge in (("none", "no"), ("dodge", "does")):
                rule, setup = alone((target._replace(dodge=dodge),))
                alternatives.append(Alternative(name, rule, (setup,)))
            taken = table.choose(target.name, tuple(alternatives))
            target = target._replace(dodge="does" if taken.name == "dodge" else "no")
        ready.append(target)
    return tuple(ready)


def go_off(
    table: RuleTable,
    shot: Shot,
    targets: tuple[TargetSetup, ...],
    states: tuple[TargetState, ...],
    setup: DamageSetup,
    area: Area,
    *,
    first: bool,
) -> tuple[AreaRoll, tuple[TargetState, ...]]:
    """One attack on an area: its roll, and what becomes of the targets.

    Only the first can be dodged: once per round (STEP-26). Where a dodger ends up counts when all have gone
    off (a reading).
    """
    dodgers = tuple((one.name, *one.dodge_die) for one in targets if first and one.dodge == "does")
    aimed_at = targets[shot.at].name if 0 <= shot.at < len(targets) else ""
    rolled = table.ask(area_roll, shot, aimed_at, setup.who, area, dodgers)
    escaped = {name: got_away for (name, _, _), got_away in zip(dodgers, rolled.escaped, strict=True)}
    after = [
        state._replace(dodged=GOT_AWAY if escaped[one.name] else TRIED) if one.name in escaped else state
        for one, state in zip(targets, states, strict=True)
    ]
    tiles = [one.away[rolled.landing] for one in targets]
    for at in sorted(range(len(targets)), key=lambda at: tiles[at] + escaped.get(targets[at].name, 0)):
        target, got_away = targets[at], escaped.get(targets[at].name, False)
        if tiles[at] > area.radius:
            continue
        if got_away and tiles[at] + 1 > area.radius:
            after[at] = graze(after[at])
            continue
        thinned = thin_out(setup, area, tiles[at] + got_away)
        harm = table.ask(damage, thinned, target.name, shot.number)
        after[at] = apply_hit(table, target, after[at], harm, setup)
    return rolled, tuple(after)


def thin_out(setup: DamageSetup, area: Area, tiles: int) -> DamageSetup:
    """STEP-25: one die fewer for each tile, at least one."""
    if not area.thins or not setup.dice.many:
        return setup
    return setup._replace(dice=setup.dice._replace(many=max(1, setup.dice.many - tiles)))


def area_roll(
    table: RuleTable, shot: Shot, target: str, who: str, area: Area, dodgers: tuple[Dodger, ...]
) -> AreaRoll:
    """The attack die, the dodges, and where a miss lands (STEP-23, STEP-26, STEP-27)."""
    about = {"shot": shot.number, **({"against": target} if target else {})} if shot.number else {}
    table.label("attack", who, f"d{shot.sides}", **about)
    natural = table.ask(roll, shot.sides)
    total, success = total_of(natural, shot.bonus), succeeds(natural, shot.bonus, shot.difficulty)
    table.result(total=total, target=shot.difficulty, success=success, **critical(natural))
    escaped = tuple(dodge(table, dodger, natural, shot.bonus) for dodger in dodgers)
    landing = 0 if success else table.ask(scatter, who, area)
    if area.alike:
        return AreaRoll(False, 0, landing, escaped)
    return AreaRoll(success, total if shot.keep else 0, landing, escaped)


def dodge(table: RuleTable, dodger: Dodger, natural: int, attack_bonus: int) -> bool:
    """STEP-26: athletics against the attack's total, strictly higher (a reading)."""
    name, sides, bonus = dodger
    table.label("dodge", name, f"d{sides}")
    return table.ask(outrun, sides, bonus, natural, attack_bonus)


def outrun(table: RuleTable, sides: int, bonus: int, natural: int, attack_bonus: int) -> bool:
    """STEP-26: the roll of a dodge, whether it is higher than the attack roll."""
    mine = table.ask(roll, sides)
    got_away = compare((mine, bonus), (natural, attack_bonus)) > 0
    total, target = total_of(mine, bonus), total_of(natural, attack_bonus)
    table.result(total=total, target=target, success=got_away, **critical(mine))
    return got_away


def scatter(table: RuleTable, who: str, area: Area) -> int:
    """STEP-27: the direction of a miss, 1 straight back to the thrower."""
    table.label("scatter", who, f"d{area.directions}")
    direction: int = table.die(area.directions)
    spot = area.spots[direction] if area.spots else None
    table.result(total=direction, **({"at": list(spot)} if spot else {}))
    return area.alike[direction] if area.alike else direction


# After the dice


def step_away(changes: Changes, intent: Intent, name: str, area: Area | None, landing: int) -> None:
    """STEP-26: a dodger goes one tile straight away from where it went off.

    From the very centre that is away from the attacker, and where that is no direction either, north.
    """
    at, here = changes.fighter(name).at, changes.fighter(intent.actor).at
    spot = area.spots[landing] if area is not None and area.spots else None
    if at is None or spot is None:
        return
    east, north = at[0] - spot[0], at[1] - spot[1]
    if not east and not north and here is not None:
        east, north = at[0] - here[0], at[1] - here[1]
    if not east and not north:
        north = 1.0
    length = (east * east + north * north) ** 0.5
    changes.move(name, (_tile(at[0] + east / length), _tile(at[1] + north / length)), "STEP-26")


def _tile(part: float) -> float:
    short = round(part, 2)
    return int(short) if short == int(short) else short
