"""Attacks, throws and executions (STEP-16, STEP-18 to STEP-33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from ...dice.distribution import Distribution, reduced
from ...engine.dice_amount import Amount
from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import in_hand
from ...rules.situational import circumstance, standing
from .areas import DODGED, NO_DODGE, Area, area_of, go_off, in_reach, prepared, stepped_away
from .defence import (
    POSTURE,
    Blow,
    Shot,
    Toll,
    Victim,
    apart,
    damage,
    difficulty,
    enough,
    hindered,
    hurt,
    is_close,
    ranged,
    suffered,
    victim_of,
)
from .rolls import extras, reached, roll, skilled, succeeds, total
from .sheet import LOWEST, UNARMED, WEAPON_SKILL, die_of, is_area, is_dead, spelled, split, worth

if TYPE_CHECKING:
    from ...dice.distribution import OddsTable


def weapon_in_use(
    scene: Scene, intent: Intent, kinds: tuple[str, ...] = (), *, quietly: bool = False
) -> tuple[str, Mapping[str, Any]]:
    """The name of the weapon and the weapon: as asked for, else in hand, else of these kinds on the sheet.

    In a crisis it must be in hand (STEP-16), unless `quietly`.
    """
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    name = intent.get("weapon") or ""
    if not name:
        fitting = [
            one for one in (*fighter.held, *weapons) if one in weapons and weapons[one]["kind"] in kinds
        ]
        first = fitting if kinds else [one for one in fighter.held if one in weapons]
        name = first[0] if first else "unarmed"
    if name == "unarmed":
        return name, UNARMED
    if not quietly:
        in_hand(scene, intent, name, "STEP-16")
    return name, weapons[name]


AIM, OVERWATCH = "aim", "overwatch"
"""Marks: +1 each on the next ranged attack; attacks in others' turns (STEP-16)."""


def aims(intent: Intent, name: str, weapon: Mapping[str, Any]) -> list[str]:
    """STEP-21: whom each shot is aimed at; spare shots go to the last."""
    targets, rof = list(intent.targets), weapon["rof"]
    shots: int = intent.get("shots", len(targets))
    burst = "burst" in weapon["tags"]
    if burst and intent.get("shots") is None and len(targets) > 1:
        shots = rof
    if shots < max(1, len(targets)):
        refuse(
            intent,
            f"{shots} shots are too few for {len(targets)} targets" if targets else f"{shots} shots are none",
            "STEP-21",
            "one shot or more for each target",
            final=True,
        )
    if shots > rof:
        refuse(intent, f"the {name} attacks {rof} times in one action, not {shots}", "STEP-21")
    if burst and shots not in (1, rof):
        refuse(intent, f"the {name} fires 1 shot or a burst of {rof}", "STEP-21", f"give --shots {rof}")
    return targets + targets[-1:] * (shots - len(targets))


def shots_at(
    scene: Scene, intent: Intent, targets: list[str], weapon: Mapping[str, Any], modifiers: list[Modifier]
) -> tuple[tuple[Shot, ...], list[Modifier]]:
    """The attack rolls, each further one harder than the one before (STEP-21).

    Aim and the circumstance of the command count for the first alone (STEP-16, ALL-6).
    """
    names = list(dict.fromkeys(targets))
    sides, _ = split(die_of(scene.fighters[intent.actor].sheet, skill_of(weapon)))
    aim = scene.fighters[intent.actor].marks.get(AIM, 0) if weapon["kind"] != "melee" else 0
    several = len(targets) > 1
    shots, found = [], []
    for number, target in enumerate(targets, start=1):
        own = []
        if number > 1 and weapon["rof_penalty"]:
            off = -weapon["rof_penalty"] * (number - 1)
            own.append(Modifier("attack", f"shot {number}", off, "STEP-21", "rate of fire", target, number))
        if number == 1:
            first = [Modifier("attack", "aim", aim, "STEP-16", "take-aim")] if aim else []
            first += circumstance(intent, "attack")
            own += [one._replace(against=target, shot=1 if several else 0) for one in first]
        bonus = total(modifiers, "attack", target) + sum(one.value for one in own)
        goal = total(modifiers, "difficulty", target)
        shots.append(Shot(names.index(target), sides, bonus, goal, number if several else 0, not several))
        found += own
    return tuple(shots), found


def told_of(modifiers: list[Modifier], several: bool) -> tuple[Modifier, ...]:
    """The modifiers as the record wants them: whom they are against only where there are several targets."""
    return tuple(modifiers if several else (one._replace(against="") for one in modifiers))


def skill_of(weapon: Mapping[str, Any]) -> str:
    """STEP-4, STEP-18: the skill that a weapon is used with."""
    return spelled(weapon.get("skill", WEAPON_SKILL[weapon["kind"]]))


def attacking(fighter: Fighter, name: str, weapon: Mapping[str, Any]) -> list[Modifier]:
    """STEP-17, STEP-18: what the attacker adds to every attack roll of the action."""
    _, found = skilled(fighter, "attack", skill_of(weapon), "STEP-18")
    found += [Modifier("attack", "hit", weapon["hit"], "STEP-18", f"weapons.{name}")] if weapon["hit"] else []
    if weapon["kind"] != "melee":
        for posture, (_, _, worth_) in POSTURE.items():
            if fighter.has(posture):
                found.append(Modifier("attack", posture, worth_, "STEP-17", "condition"))
    return found


def blow_of(
    scene: Scene,
    intent: Intent,
    name: str,
    weapon: Mapping[str, Any],
    *,
    close: bool = False,
    single: bool = True,
    executing: bool = False,
) -> tuple[Blow, list[Modifier]]:
    """STEP-28: what a hit does; doublings add up, and multiply dice and flat parts of the weapon alone."""
    fighter = scene.fighters[intent.actor]
    base = worth(weapon["damage"], split(die_of(fighter.sheet, "body"))) or Amount()
    times = 1 + close + executing
    dice = base._replace(many=base.many * times, plus=base.plus * times)
    if single and "long-range" in weapon["tags"] and dice.many:
        dice = dice._replace(many=dice.many + 1)
    found = [Modifier("damage", "weapon", dice.plus, "STEP-28", f"weapons.{name}")] if dice.plus else []
    more = standing(fighter, "damage", "damage") + circumstance(intent, "damage", "mod_damage")
    dice = dice._replace(plus=dice.plus + total(more, "damage"))
    spare = bool(intent.get("spare"))
    asks = scene.open and fighter.player and not executing and "spare" not in intent.options
    return Blow(intent.actor, dice, 1 + executing, weapon["piercing"], spare, asks), found + more


def costs(name: str, weapon: Mapping[str, Any], shots: int) -> tuple[Cost, ...]:
    """STEP-16, STEP-21: the attack's AP, 1 more for each further shot; a round each (a reading)."""
    ap = Cost("ap", weapon["ap"] + (shots - 1) * weapon["rof_ap"], rule="STEP-21" if shots > 1 else "STEP-16")
    return (ap, Cost(f"ammo:{name}", shots, rule="STEP-21")) if "capacity" in weapon else (ap,)


def shoot(
    table: Any, state: tuple[int, int, int, Toll], shots: tuple[Shot, ...], victim: Victim, blow: Blow
) -> tuple[int, int, int, Toll]:
    """A rule: the next of some shots at one victim; the state is their number, hits, the total, the toll."""
    fired, hits, _, toll = state
    hit, reach, harm = table.ask(harmed, shots[fired], victim.name, blow)
    return fired + 1, hits + hit, reach, hurt(table, victim, toll, harm, blow) if hit else toll


def harmed(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int, int]:
    """A rule: whether a shot hits, its total where it is the only one, and the damage before armour."""
    hit, reach, earned = aimed(table, shot, target, blow)
    harm = table.ask(damage_of, blow, earned, target, shot.number) if hit else 0
    return hit, reach if shot.keep else 0, harm


def _harmed_law(odds_table: OddsTable, shot: Shot, target: str, blow: Blow) -> Distribution:
    """The extras only move the sum of the dice."""
    rolls = odds_table.of(roll, shot.sides)
    dice = odds_table.of(damage_of, blow, 0, target, shot.number)
    ways: dict[tuple[bool, int, int], int] = {}
    for natural, count in rolls:
        hit, reach, earned = _came_to(natural, shot, blow)
        kept = reach if shot.keep else 0
        moved = min(earned * blow.extras, blow.most)
        for harm, more in dice if hit else ((0, dice.total),):
            answer = (hit, kept, min(harm + moved, blow.most) if hit else 0)
            ways[answer] = ways.get(answer, 0) + count * more
    return reduced(ways, rolls.total * dice.total, rolls.truncated or dice.truncated)


setattr(harmed, "law", _harmed_law)  # noqa: B010


def _came_to(natural: int, shot: Shot, blow: Blow) -> tuple[bool, int, int]:
    """STEP-6, STEP-8: whether a natural roll hits, its total, its extras."""
    reach, hit = reached(natural, shot.bonus), succeeds(natural, shot.bonus, shot.difficulty)
    return hit, reach, extras(reach, not blow.extras) if hit else 0


def aimed(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int, int]:
    """STEP-18: an attack roll: whether it hits, its total, its extras (STEP-8)."""
    about = numbered(target, shot.number)
    table.label("attack", blow.who, f"d{shot.sides}", **about)
    natural = table.ask(roll, shot.sides)
    hit, reach, earned = _came_to(natural, shot, blow)
    table.result(total=reach, target=shot.difficulty, success=hit, **told(natural, earned))
    return hit, reach, earned


def numbered(target: str, number: int) -> dict[str, Any]:
    return {"against": target, "shot": number} if number else {}


def told(natural: int, earned: int) -> dict[str, Any]:
    return ({"extras": earned} if earned else {}) | ({} if natural else {"critical_failure": True})


def damage_of(table: Any, blow: Blow, earned: int, target: str, number: int) -> int:
    """A rule: the damage of one hit."""
    return damage(table, blow, earned, **numbered(target, number))


def finished(table: Any, victim: Victim, toll: Toll) -> Toll:
    """STEP-16: whoever survives an execution needs a body roll at or above its wounds, or dies (a reading)."""
    wounds = (victim.toll.health - toll.health) + (toll.nonlethal - victim.toll.nonlethal)
    if toll.health <= LOWEST:
        return toll
    sides, bonus = victim.body
    table.label("resist", victim.name, f"d{sides}")
    natural = table.ask(roll, sides)
    lives = succeeds(natural, bonus, wounds)
    table.result(total=reached(natural, bonus), target=wounds, success=lives, **told(natural, 0))
    return toll if lives else toll._replace(health=LOWEST, spared=False, wounded=True)


def aim_on(
    table: Any, state: tuple[int, int, int], shots: tuple[Shot, ...], target: str, blow: Blow
) -> tuple[int, int, int]:
    """A rule: the next attack roll of a burst; the state is their number, the hits and their extras."""
    fired, hits, earned = state
    hit, more = table.ask(won, shots[fired], target, blow)
    return fired + 1, hits + hit, earned + more


def count_on(table: Any, state: tuple[int, int], shots: tuple[Shot, ...], blow: Blow) -> tuple[int, int]:
    """A rule: the next attack roll of several, of which only the hits count; the state is their number and these."""
    fired, hits = state
    return fired + 1, hits + table.ask(won, shots[fired], "", blow._replace(extras=0))[0]


def won(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int]:
    """A rule: whether an attack roll hits, and its extras."""
    hit, _, earned = aimed(table, shot, target, blow)
    return hit, min(earned, blow.most)


def summed(table: Any, blow: Blow, hits: int, earned: int, target: str) -> int:
    """A rule: the damage of all hits of a burst on one target, their extras counted with the first."""
    plain = blow._replace(extras=0)
    first = damage(table, blow, earned, against=target)
    rest: int = table.times(hits - 1, again, plain, target)
    return min(blow.most, first + rest)


def _summed_law(odds_table: OddsTable, blow: Blow, hits: int, earned: int, target: str) -> Distribution:
    """The extras only move the sum of the dice."""
    dice = odds_table.sum(hits, again, (blow._replace(extras=0), target), 0)
    return dice.of(lambda harm: min(blow.most, harm + earned * blow.extras))


setattr(summed, "law", _summed_law)  # noqa: B010


def again(table: Any, blow: Blow, target: str) -> int:
    """A rule: the damage of one more hit of a burst."""
    return damage(table, blow, 0, against=target)


class Volley(NamedTuple):
    """All that the dice of an attack need to know."""

    blow: Blow
    shots: tuple[Shot, ...]
    victims: tuple[Victim, ...]
    burst: bool = False
    area: Area | None = None
    executed: bool = False
    harmless: bool = False
    """Only the attack rolls count: for the odds of hitting several targets."""


class Fired(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int | None
    """Of the attack roll, where there is only one."""
    hits: int
    landing: int
    """Where an area attack went off: 0 at its mark, else the direction of its miss (STEP-27)."""
    tolls: tuple[Toll, ...]
    """How the victims stand afterwards, in their order."""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def fire(table: Any, volley: Volley) -> Fired:
    """A rule, STEP-18: every attack roll, and the damage of every hit, from the first die to the last."""
    if volley.area is not None:
        if len(volley.victims) > MOST_AT_ONCE:
            table.refuse_odds(
                f"what an area does to {len(volley.victims)} victims together takes too many branches",
                "ask about each of them",
            )
        return _areas(table, volley)
    if volley.harmless:
        _, hits = table.chain(len(volley.shots), count_on, (0, 0), volley.shots, volley.blow)
        return Fired(hits > 0, None, hits, 0, tuple(one.toll for one in volley.victims))
    if volley.burst:
        return _burst(table, volley)
    tolls = [one.toll for one in volley.victims]
    hits, reach = 0, None
    single = len(volley.shots) == 1
    for at, shots in groupby(volley.shots, key=lambda shot: shot.at):
        mine = tuple(shots)
        state = table.chain(len(mine), shoot, (0, 0, 0, tolls[at]), mine, volley.victims[at], volley.blow)
        _, landed, reach, tolls[at] = state
        hits += landed
    if volley.executed and hits:
        tolls[0] = table.ask(finished, volley.victims[0], tolls[0])
    return Fired(hits > 0, reach if single else None, hits, 0, tuple(tolls))


def _burst(table: Any, volley: Volley) -> Fired:
    """STEP-21: all attack dice first, then damage hit by hit, summed on each target before armour."""
    shots = volley.shots
    tolls = [one.toll for one in volley.victims]
    got: dict[int, tuple[int, int]] = {}
    for at, some in groupby(shots, key=lambda shot: shot.at):
        mine = tuple(some)
        name = volley.victims[at].name
        _, hits, earned = table.chain(len(mine), aim_on, (0, 0, 0), mine, name, volley.blow)
        before = got.get(at, (0, 0))
        got[at] = (before[0] + hits, before[1] + earned)
    for at, (hits, earned) in got.items():
        if hits:
            victim = volley.victims[at]
            harm = table.ask(summed, volley.blow, hits, earned, victim.name)
            tolls[at] = hurt(table, victim, tolls[at], harm, volley.blow)
    count = sum(hits for hits, _ in got.values())
    return Fired(count > 0, None, count, 0, tuple(tolls))


def _areas(table: Any, volley: Volley) -> Fired:
    """STEP-23 to STEP-27: an attack on an area, or one after the other."""
    assert volley.area is not None
    victims = prepared(table, volley.victims, lambda alone: (peril, volley._replace(victims=alone)))
    tolls = tuple(one.toll for one in victims)
    hits, reach, landing = 0, None, 0
    for number, shot in enumerate(volley.shots):
        hit, reach, landing, tolls = go_off(
            table, shot, victims, tolls, volley.blow, volley.area, first=not number
        )
        hits += hit
    return Fired(hits > 0, reach if len(volley.shots) == 1 else None, hits, landing, tolls)


def peril(table: Any, volley: Volley) -> int:
    """A rule: the wounds that an attack on an area brings its only victim; what a dodge is weighed by."""
    before, after = volley.victims[0].toll, table.ask(fire, volley).tolls[0]
    wounds: int = before.health - after.health + after.nonlethal - before.nonlethal
    return wounds


MOST_AT_ONCE = 1
"""Victims of one area whose joint law is followed; beyond it each has a law of its own (Staked.views)."""


def attack_stake(scene: Scene, intent: Intent) -> Setup:
    """An attack by STEP-18, or a thrown weapon by STEP-23, refused where something forbids it."""
    kinds = ("thrown",) if intent.action == "throw" else ()
    name, weapon = weapon_in_use(scene, intent, kinds)
    if kinds and weapon["kind"] not in kinds:
        what = "nothing to throw" if name == "unarmed" else f"no way to throw the {name}"
        refuse(
            intent,
            f"{intent.actor} has {what}",
            "STEP-23",
            "a weapon of kind thrown can be thrown",
            final=True,
        )
    if is_area(weapon):
        return _area_stake(scene, intent, name, weapon)
    if intent.get("at") is not None:
        refuse(
            intent,
            f"the {name} needs a target, not a place",
            "STEP-25",
            "areas are aimed at places",
            final=True,
        )
    if intent.get("react") == "dodge":
        refuse(intent, "only attacks on an area can be dodged", "STEP-26", NO_DODGE, final=True)
    targets = aims(intent, name, weapon)
    modifiers = attacking(scene.fighters[intent.actor], name, weapon)
    for target in dict.fromkeys(targets):
        one = scene.fighters[target]
        alive(intent, one)
        modifiers += hindered(scene, intent, one, name, weapon)
        modifiers += difficulty(scene, intent, one, weapon["kind"] == "melee")
    shots, penalties = shots_at(scene, intent, targets, weapon, modifiers)
    names = list(dict.fromkeys(targets))
    victims = tuple(victim_of(scene.fighters[one], weapon["type"]) for one in names)
    close = is_close(scene, intent, names, weapon)
    blow, damaging = blow_of(scene, intent, name, weapon, close=close, single=len(shots) == 1)
    blow = blow._replace(most=enough(victims))
    volley = Volley(blow, shots, victims, burst="burst" in weapon["tags"] and len(shots) > 1)
    return Setup(
        volley,
        told_of(modifiers + penalties + damaging, len(names) > 1),
        costs(name, weapon, len(shots)),
        name,
        _views(volley) if len(victims) > 1 else (),
    )


def _area_stake(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> Setup:
    """STEP-23 to STEP-27: an attack on an area, aimed at a fighter or at a place."""
    fighter = scene.fighters[intent.actor]
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    modifiers = attacking(fighter, name, weapon)
    if target is not None:
        modifiers += hindered(scene, intent, target, name, weapon)
    else:
        modifiers += ranged(intent, apart(scene, intent, None), name, weapon, "")
    modifiers += difficulty(scene, intent, target, False)
    count = intent.get("shots", 1)
    if not 1 <= count <= weapon["rof"]:
        refuse(intent, f"the {name} attacks {weapon['rof']} times in one action, not {count}", "STEP-21")
    aimed = intent.target if target is not None else ""
    shots, penalties = shots_at(scene, intent, [aimed] * max(1, count), weapon, modifiers)
    blow, damaging = blow_of(scene, intent, name, weapon, single=count == 1)
    blow = blow._replace(extras=0)
    area = area_of(scene, intent, weapon, blow.worth)
    victims, dodging = in_reach(scene, intent, weapon, area)
    at = next((number for number, one in enumerate(victims) if one.name == aimed), -1)
    shots = tuple(shot._replace(at=at) for shot in shots)
    volley = Volley(blow._replace(most=enough(victims)), shots, victims, area=area)
    return Setup(
        volley,
        (*told_of(modifiers + penalties + damaging, False), *dodging),
        costs(name, weapon, len(shots)),
        name,
        _views(volley),
    )


def _views(volley: Volley) -> tuple[tuple[str, Volley], ...]:
    """For the odds: the attack rolls by themselves, and for each victim what becomes of it."""
    found = [("", volley._replace(victims=()) if volley.area else volley._replace(harmless=True))]
    for at, victim in enumerate(volley.victims):
        mine = volley.shots if volley.area else tuple(one for one in volley.shots if one.at == at)
        shots = tuple(one._replace(at=0, keep=False) for one in mine)
        area = volley.area._replace(blurred=True) if volley.area else None
        found.append((victim.name, volley._replace(shots=shots, victims=(victim,), area=area)))
    return tuple(found)


def alive(intent: Intent, target: Fighter) -> None:
    if is_dead(target):
        refuse(intent, f"{target.name} is dead already", "STEP-32")


def strike(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> Iterable[Event]:
    """What an attack changes: its victims, where dodgers stand, and the attacker (STEP-16, STEP-26 to STEP-33)."""
    name, weapon = weapon_in_use(scene, intent, ("thrown",) if intent.action == "throw" else (), quietly=True)
    yield from change(scene, intent.actor, "condition:hidden", False, "STEP-16")
    if weapon["kind"] != "melee":
        yield from change(scene, intent.actor, f"mark:{AIM}", 0, "STEP-16")
    for victim, toll in zip(volley.victims, fired.tolls, strict=False):
        yield from suffered(scene, victim.name, toll, weapon["inflicts"])
        if toll.dodged:
            yield from change(scene, victim.name, f"mark:{DODGED}", 1, "STEP-26")
            yield from stepped_away(scene, intent, victim.name, toll, volley.area, fired.landing)
    fighter = scene.fighters[intent.actor]
    if weapon["kind"] == "thrown" and fighter.pools.get(f"ammo:{name}", 1) <= len(volley.shots):
        left = tuple(one for one in fighter.held if one != name)
        yield from change(scene, intent.actor, "held", left, "STEP-23")


def landing(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> dict[str, Any]:
    """STEP-27: how far off its mark an area attack goes off, and where, if that is known."""
    area = volley.area
    if area is None:
        return {}
    spot = area.spots[fired.landing] if area.spots else None
    told: dict[str, Any] = {"at": spot} if spot else {}
    return told | ({"off": area.off, "unit": "tiles"} if fired.landing else {})


def bare(fired: Fired) -> Fired:
    """The outcome without what does nothing to pools and conditions."""
    tolls = tuple(toll._replace(dodged=1) if toll.dodged else toll for toll in fired.tolls)
    return Fired(fired.success, None, 0, 0, tolls)


def _offers(kinds: tuple[str, ...], action: str) -> Any:
    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] in kinds]
        if action == "attack" and not held:
            held = ["unarmed"]
        for name in held:
            rof = 1 if name == "unarmed" else weapons[name]["rof"]
            for foe in scene.foes(who):
                yield Intent(action, who, (foe.name,), {"weapon": name})
                if rof > 1:
                    yield Intent(action, who, (foe.name,), {"weapon": name, "shots": rof})

    return candidates


def on_watch(scene: Scene, intent: Intent) -> bool:
    """STEP-16: overwatch lets one attack in others' turns."""
    return bool(scene.fighters[intent.actor].marks.get(OVERWATCH))


def _row(title: str, rule: str, kinds: tuple[str, ...], action: str) -> Action:
    return Action(
        title,
        rule,
        attack_stake,
        strike,
        fire,
        gear="weapons",
        candidates=_offers(kinds, action),
        options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage", "shots", "at"),
        targets="many",
        outputs=landing,
        reactions=("dodge",),
        out_of_turn=on_watch,
        bare=bare,
    )


ATTACK = _row("Attack with the weapon in hand", "STEP-18", ("melee", "ranged", "heavy"), "attack")
THROW = _row("Throw a weapon", "STEP-23", ("thrown",), "throw")


def execute_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: an attack on someone helpless, with double damage; refused for anybody else."""
    name, weapon = weapon_in_use(scene, intent)
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    alive(intent, target)
    if not target.has("helpless"):
        refuse(
            intent,
            f"{target.name} is not helpless and cannot be executed",
            "STEP-16",
            hint=f"if it should be: crisis set {slug(target.name)} condition:helpless on",
        )
    if is_area(weapon):
        refuse(intent, f"the {name} strikes an area and executes nobody", "STEP-16", final=True)
    modifiers = attacking(fighter, name, weapon)
    modifiers += hindered(scene, intent, target, name, weapon)
    modifiers += difficulty(scene, intent, target, weapon["kind"] == "melee")
    shots, aim = shots_at(scene, intent, [target.name], weapon, modifiers)
    sides, resisting = skilled(target, "resist", "body", "STEP-16")
    victim = victim_of(target, weapon["type"])._replace(body=(sides, total(resisting, "resist")))
    close = is_close(scene, intent, (target.name,), weapon)
    blow, damaging = blow_of(scene, intent, name, weapon, close=close, executing=True)
    blow = blow._replace(most=enough((victim,)))
    return Setup(
        Volley(blow, shots, (victim,), executed=True),
        (*told_of(modifiers + aim + damaging, False), *resisting),
        costs(name, weapon, 1),
        name,
    )


def _executions(scene: Scene, who: str) -> Iterator[Intent]:
    for foe in scene.foes(who):
        if foe.has("helpless"):
            yield Intent("execute", who, (foe.name,))


EXECUTE = Action(
    "Kill someone helpless",
    "STEP-16",
    execute_stake,
    strike,
    fire,
    gear="weapons",
    candidates=_executions,
    targets="one",
    options=("weapon", "range", "cover", "penetrable", "behind", "mod_damage", "spare"),
    bare=ATTACK.bare,
)
