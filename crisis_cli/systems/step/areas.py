"""Attacks on an area: who is in reach, dodges, scatter, damage that thins out with distance (STEP-24 to STEP-27)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...dice.distribution import Distribution, reduced
from ...dice.table import Alternative
from ...engine.dice_amount import Amount
from ...engine.events import Event, change
from ...engine.geometry import landed
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, distance
from ...engine.system import refuse
from ...rules.reach import increments
from .defence import Blow, Shot, Toll, Victim, apart, damage, grazed, hurt, victim_of
from .rolls import beats, reached, roll, skilled, succeeds, total
from .sheet import idle, is_dead

if TYPE_CHECKING:
    from ...dice.distribution import OddsTable

TRIED, GOT_AWAY = 1, 2
"""What a toll says of a dodge."""
DODGED = "dodged"
"""The mark of whoever has used the dodge of this round (STEP-26)."""


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
    blurred: bool = False
    """For the odds of a single victim: how far off it lands is all that is asked."""


def prepared(
    table: Any, victims: tuple[Victim, ...], alone: Callable[[tuple[Victim]], tuple[Any, Any]]
) -> tuple[Victim, ...]:
    """STEP-26: the victims with their dodges declared, before the attack is rolled.

    `alone` gives the rule, and its argument, that tells what becomes of one victim.
    """
    ready = []
    for victim in victims:
        if victim.dodge == "may":
            options = []
            for name, dodge in (("none", "no"), ("dodge", "does")):
                rule, stake = alone((victim._replace(dodge=dodge),))
                options.append(Alternative(name, rule, (stake,)))
            taken = table.choose(victim.name, tuple(options))
            victim = victim._replace(dodge="does" if taken.name == "dodge" else "no")
        ready.append(victim)
    return tuple(ready)


def go_off(
    table: Any,
    shot: Shot,
    victims: tuple[Victim, ...],
    tolls: tuple[Toll, ...],
    blow: Blow,
    area: Area,
    *,
    first: bool,
) -> tuple[bool, int, int, tuple[Toll, ...]]:
    """One attack on an area: whether it hits, its total, where it lands, and what becomes of the victims.

    Only the first can be dodged: once per round (STEP-26). Where a dodger ends up counts when all have gone
    off (a reading).
    """
    dodgers = tuple((one.name, *one.dodge_die) for one in victims if first and one.dodge == "does")
    target = victims[shot.at].name if 0 <= shot.at < len(victims) else ""
    if area.blurred:
        hit, reach, landing, away = table.ask(befallen, shot, victims[0], blow.who, area, dodgers)
    else:
        hit, reach, landing, away = table.ask(lobbed, shot, target, blow.who, area, dodgers)
    escaped = {name: got_away for (name, _, _), got_away in zip(dodgers, away, strict=True)}
    after = [
        toll._replace(dodged=GOT_AWAY if escaped[one.name] else TRIED) if one.name in escaped else toll
        for one, toll in zip(victims, tolls, strict=True)
    ]
    distances = [one.away[landing] for one in victims]
    for at in sorted(range(len(victims)), key=lambda at: distances[at] + escaped.get(victims[at].name, 0)):
        distance, victim = distances[at], victims[at]
        if distance > area.radius:
            continue
        if escaped.get(victim.name) and distance + 1 > area.radius:
            after[at] = grazed(after[at])
            continue
        left = _thinned(blow, area, distance + escaped.get(victim.name, 0))
        harm = table.ask(blast, left, victim.name, shot.number)
        after[at] = hurt(table, victim, after[at], harm, blow)
    return hit, reach, landing, tuple(after)


def _thinned(blow: Blow, area: Area, distance: int) -> Blow:
    """STEP-25: one die fewer for each tile, at least one."""
    worth: Amount = blow.worth
    if not area.thins or not worth.many:
        return blow
    return blow._replace(worth=worth._replace(many=max(1, worth.many - distance)))


def blast(table: Any, blow: Blow, name: str, number: int) -> int:
    """A rule: the damage to one creature in the area."""
    return damage(table, blow, 0, against=name, **({"shot": number} if number else {}))


def befallen(
    table: Any, shot: Shot, victim: Victim, who: str, area: Area, dodgers: tuple[tuple[str, int, int], ...]
) -> tuple[bool, int, int, tuple[bool, ...]]:
    """A rule: as `lobbed`, directions that land it equally far from the victim taken for one."""
    return _as_far(table.ask(lobbed, shot, victim.name, who, area, dodgers), victim, area)


def _as_far(
    answer: tuple[bool, int, int, tuple[bool, ...]], victim: Victim, area: Area
) -> tuple[bool, int, int, tuple[bool, ...]]:
    _, _, landing, away = answer
    distances = [min(one, area.radius + 1) for one in victim.away]
    return False, 0, distances.index(distances[landing]), away


def lobbed(
    table: Any, shot: Shot, target: str, who: str, area: Area, dodgers: tuple[tuple[str, int, int], ...]
) -> tuple[bool, int, int, tuple[bool, ...]]:
    """A rule: whether an area attack hits, its total, where it goes off, and who gets away."""
    return _lobbed(table, shot, target, who, area, dodgers)


def _lobbed_law(
    odds_table: OddsTable,
    shot: Shot,
    target: str,
    who: str,
    area: Area,
    dodgers: tuple[tuple[str, int, int], ...],
) -> Distribution:
    """The quick way for one dodger or none, as the odds of each victim want it; else by walking."""
    if len(dodgers) > 1:
        return odds_table.of(_lobbed, shot, target, who, area, dodgers)
    rolls = odds_table.of(roll, shot.sides)
    _, sides, bonus = dodgers[0] if dodgers else ("", shot.sides, 0)
    theirs = odds_table.of(roll, sides)
    ways: dict[tuple[bool, int, int, tuple[bool, ...]], int] = {}
    for natural, count in rolls:
        reach, hit = reached(natural, shot.bonus), succeeds(natural, shot.bonus, shot.difficulty)
        above = reach - bonus if natural else 0
        away = sum(more for mine, more in theirs if mine > 0 and mine > above) if dodgers else 0
        landings = ((0, area.directions),) if hit else ((one, 1) for one in range(1, area.directions + 1))
        kept = reach if shot.keep else 0
        for landing, even in landings:
            for got_away, more in ((True, away), (False, theirs.total - away)):
                if more:
                    answer = (hit, kept, landing, (got_away,) if dodgers else ())
                    ways[answer] = ways.get(answer, 0) + count * even * more
    return reduced(ways, rolls.total * area.directions * theirs.total, rolls.truncated or theirs.truncated)


setattr(lobbed, "law", _lobbed_law)  # noqa: B010


def _lobbed(
    table: Any, shot: Shot, target: str, who: str, area: Area, dodgers: tuple[tuple[str, int, int], ...]
) -> tuple[bool, int, int, tuple[bool, ...]]:
    """The attack die, the dodges, and where a miss lands (STEP-23, STEP-26, STEP-27)."""
    numbered = {"shot": shot.number, **({"against": target} if target else {})} if shot.number else {}
    table.label("attack", who, f"d{shot.sides}", **numbered)
    natural = table.ask(roll, shot.sides)
    reach, hit = reached(natural, shot.bonus), succeeds(natural, shot.bonus, shot.difficulty)
    table.result(
        total=reach,
        target=shot.difficulty,
        success=hit,
        **({} if natural else {"critical_failure": True}),
    )
    away = tuple(table.ask(dodged, name, sides, bonus, natural, shot.bonus) for name, sides, bonus in dodgers)
    landing = 0 if hit else table.ask(scatter, who, area)
    return hit, reach if shot.keep else 0, landing, away


def dodged(table: Any, name: str, sides: int, bonus: int, natural: int, attack_bonus: int) -> bool:
    """A rule, STEP-26: athletics against the attack's total, strictly higher (a reading)."""
    table.label("dodge", name, f"d{sides}")
    mine = table.ask(roll, sides)
    got_away = beats((mine, bonus), (natural, attack_bonus)) > 0
    table.result(
        total=reached(mine, bonus),
        target=reached(natural, attack_bonus),
        success=got_away,
        **({} if mine else {"critical_failure": True}),
    )
    return got_away


def scatter(table: Any, who: str, area: Area) -> int:
    """A rule, STEP-27: the direction of a miss, 1 straight back to the thrower."""
    table.label("scatter", who, f"d{area.directions}")
    direction: int = table.die(area.directions)
    spot = area.spots[direction] if area.spots else None
    table.result(total=direction, **({"at": list(spot)} if spot else {}))
    return direction


NO_DODGE = "leave the dodge out: --react none"
FAR = 1_000_000
"""Tiles to where nobody is hit."""


def area_of(scene: Scene, intent: Intent, weapon: Mapping[str, Any], worth: Amount) -> Area:
    """STEP-25, STEP-27: how far the blast reaches, and where it goes off: at its mark or in some direction."""
    radius = weapon.get("area", max(0, worth.many - 1))
    directions = 6 if intent.get("hex") else 8
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    off = max(1, increments(apart(scene, intent, target), weapon.get("range")) + 1)
    mark = intent.get("at") or (target.at if target else None)
    mark = tuple(mark) if mark else None
    here = scene.fighters[intent.actor].at
    spots = (mark, *(landed(here, mark, at, off, directions) for at in range(1, directions + 1)))
    return Area(radius, "explosive" in weapon["tags"], directions, spots if mark else (), off)


def in_reach(
    scene: Scene, intent: Intent, weapon: Mapping[str, Any], area: Area
) -> tuple[tuple[Victim, ...], list[Modifier]]:
    """Everyone whom this attack can hurt, in the order of the sheets, and the modifiers of their dodges.

    Where it is not known who stands where, all who are named share the place; off its mark the blast is so
    many tiles from them, and nobody else is hit (STEP-27).
    """
    asked = intent.get("react") == "dodge"
    victims: list[Victim] = []
    modifiers: list[Modifier] = []
    reasons: dict[str, tuple[str, str]] = {}
    for name, fighter in scene.fighters.items():
        if fighter.gone or is_dead(fighter):
            continue
        away = tuple(_away(intent, fighter, area, at) for at in range(area.directions + 1))
        if min(away) > area.radius:
            continue
        victim = victim_of(fighter, weapon["type"])._replace(away=away)
        why, rule = barred(scene, intent, fighter, away[0] <= area.radius)
        reasons[name] = why, rule
        if not why or (asked and intent.get("force")):
            sides, found = skilled(fighter, "dodge", "athletics", "STEP-26")
            found = [one._replace(against=name) for one in found]
            modifiers += found
            victim = victim._replace(dodge="may", dodge_die=(sides, total(found, "dodge", name)))
        victims.append(victim)
    if asked:
        _dodge_refused(intent, reasons)
    return tuple(victims), modifiers


def _away(intent: Intent, fighter: Fighter, area: Area, at: int) -> int:
    """Tiles between a fighter and the place where it goes off in one direction, 0 being its mark."""
    spot = area.spots[at] if area.spots else None
    if spot is not None and fighter.at is not None:
        return distance(spot, fighter.at)
    if fighter.name not in intent.targets:
        return FAR
    return area.off if at else 0


def barred(scene: Scene, intent: Intent, fighter: Fighter, reached: bool) -> tuple[str, str]:
    """STEP-26: why a fighter may not dodge this attack, and the rule; two empty words where it may.

    In reach is whoever is inside the radius round the mark; not the attacker (both are readings).
    """
    why, rule = idle(fighter)
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


def _dodge_refused(intent: Intent, reasons: Mapping[str, tuple[str, str]]) -> None:
    """STEP-26: a dodge asked for is refused where none of those aimed at may; at a place, nobody in reach."""
    concerned = [name for name in intent.targets if name in reasons] or list(reasons)
    if any(not reasons[name][0] for name in concerned):
        return
    why, rule = reasons[concerned[0]] if concerned else ("nobody in reach can dodge", "STEP-26")
    refuse(intent, why, rule, NO_DODGE)


def stepped_away(
    scene: Scene, intent: Intent, name: str, toll: Toll, area: Area | None, landing: int
) -> Iterable[Event]:
    """STEP-26: the new place of a dodger, one tile straight away from where it went off.

    From the very centre that is away from the attacker, and where that is no direction either, north.
    """
    fighter, here = scene.fighters[name], scene.fighters[intent.actor].at
    spot = area.spots[landing] if area is not None and area.spots else None
    if toll.dodged != GOT_AWAY or fighter.at is None or spot is None:
        return ()
    east, north = fighter.at[0] - spot[0], fighter.at[1] - spot[1]
    if not east and not north and here is not None:
        east, north = fighter.at[0] - here[0], fighter.at[1] - here[1]
    if not east and not north:
        north = 1.0
    length = (east * east + north * north) ** 0.5
    to = tuple(_tile(here + by / length) for here, by in zip(fighter.at, (east, north), strict=True))
    return change(scene, name, "at", to, "STEP-26")


def _tile(part: float) -> float:
    short = round(part, 2)
    return int(short) if short == int(short) else short
