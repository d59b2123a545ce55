"""Attacks, throws and executions, and the damage they do (STEP-3, STEP-16 to STEP-33)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ...rules import (
    ATTACK_SAYS,
    Action,
    Alternative,
    Amount,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    attack_candidates,
    distance,
    has,
    increments,
    lacks,
    landed,
    lines_of,
    noticed,
    refuse,
    slug,
    unable,
    weapon_in_use,
)
from . import actions, sheet
from .actions import Dice, dice_of, rolled, skilled
from .sheet import LOWEST, UNIT, Weapon, is_area, is_dead

# What an attack is about


TRIED, GOT_AWAY = 1, 2


class TargetState(NamedTuple):
    """How a target is, as far as an attack can change it; its pools know the parts of what they change by."""

    health: int
    nonlethal: int
    durability: int
    great: bool = False
    """A hit of 13 wounds or more has struck (STEP-32)."""
    spared: bool = False
    """The last hit would have killed, and did not (STEP-33)."""
    marked: bool = False
    """A hit has got through, and inflicts what the weapon inflicts (STEP-30)."""
    dodged: int = 0
    """`TRIED` after a dodge (STEP-26), `GOT_AWAY` where it took the dodger a tile away."""
    wounded: bool = False
    """A lethal wound was dealt (STEP-36: a stable fighter is so no longer)."""


States = tuple[TargetState, ...]
"""How the targets are, in their order."""


class TargetSetup(NamedTuple):
    """A fighter that an attack can hurt, as far as the dice must know."""

    name: str
    state: TargetState
    dr: int = 0
    """Against the type of this damage (STEP-29)."""
    away: tuple[int, ...] = ()
    """Tiles from the centre of an area: aimed well, then for each direction of a miss (STEP-27)."""
    resists: Dice | None = None
    """The roll of a dodge (STEP-26), or the body roll of the survivor of an execution (STEP-16); None for neither."""

    def wounds(self, state: TargetState) -> int:
        """The wounds, lethal and not, that lead to another state."""
        return self.state.health - state.health + state.nonlethal - self.state.nonlethal


class DamageSetup(NamedTuple):
    """What every hit of an attack does."""

    who: str
    dice: Amount
    """Dice, and everything added."""
    extras: int = 1
    """What each extra adds: 1, doubled for an execution, 0 in an area (STEP-24, STEP-28)."""
    piercing: int = 0
    spare: bool | None = False
    """Whether to knock out in place of killing; None: the attacker's player is asked (STEP-33)."""
    most: int = 9999
    """More damage than this makes no difference to anyone."""


class Shot(NamedTuple):
    """One attack roll."""

    target: str
    """The fighter it is aimed at; empty for a place."""
    dice: Dice
    difficulty: int
    number: int = 0
    """Its place among the shots of the action, from 1; 0 where it is the only one."""
    keep: bool = True
    """Whether its success and its total are asked for afterwards."""

    @property
    def about(self) -> dict[str, object]:
        """What tells its rolls from those of other shots."""
        return {"against": self.target, "shot": self.number} if self.number else {}


class Area(NamedTuple):
    """Where an area attack reaches, and where a miss can land."""

    radius: int
    thins: bool
    """Explosive: a die fewer for each tile from the centre (STEP-25)."""
    landings: tuple[int, ...]
    """Where it goes off by the die of a miss, a d8 or with hexes a d6, 0 being its mark (STEP-27): the directions
    themselves or, for the odds of one target, of those that are equally far from it the first."""
    spots: tuple[tuple[float, float] | None, ...]
    """The places of the landings, None where they are not known."""
    off: int
    """Tiles by which a miss misses (STEP-27)."""


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    damage: DamageSetup
    shots: tuple[Shot, ...]
    targets: tuple[TargetSetup, ...]
    """Empty for the odds of the attack rolls by themselves."""
    burst: bool = False
    area: Area | None = None

    def at(self, shot: Shot) -> int:
        """Which of the targets a shot is aimed at."""
        return [one.name for one in self.targets].index(shot.target)


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int | None
    """Of the attack roll, where there is only one."""
    hits: int
    landing: int
    """Where an area attack went off: 0 at its mark, else the direction of its miss (STEP-27)."""
    tolls: States
    """How the targets are afterwards, in their order."""

    def then(self, success: bool, total: int, states: States, landing: int = 0) -> AttackResult:
        """The result with that of one more attack roll."""
        return AttackResult(self.success or success, total, self.hits + success, landing, states)


Progress = tuple[int, AttackResult]
"""How many attack rolls have been made, and what they came to."""

# What an attack roll must reach

MELEE = 1
"""STEP-3: melee range, in tiles."""
PARRY_LEAST = 2
"""STEP-3; also the Parry of the helpless (a reading of STEP-17)."""
PASSED = {"total": "none"}
"""STEP-22: total cover does not help against a foe who has come beside (a reading)."""
COVER_LEVELS = ("none", "light", "heavy", "total")
POSTURES = {"kneeling": (2, "light", 1), "prone": (4, "heavy", 2)}
"""STEP-17: what is added to melee attacks on a fighter in it, its cover against all others, and on its own shots."""


def parry(scene: Scene, intent: Intent, target: Fighter, against: str = "") -> Modifiers:
    """STEP-3, STEP-20: the numbers that make up the Parry of a target."""
    found = Modifiers("difficulty", "STEP-3", against)
    if target.has("helpless"):
        return found.add("helpless", PARRY_LEAST, "STEP-17", "condition")
    if "parry" in target.sheet:
        found.add("parry", target.sheet["parry"], source="sheet")
    else:
        found.add("melee", sum(sheet.die_of(target.sheet, "melee")), source="skill")
        weapons = target.sheet["weapons"]
        armed = any(weapons[one]["kind"] == "melee" for one in target.held if one in weapons)
        found.add("no melee weapon in hand", 0 if armed else -2)
    found.situational(target, "parry")
    if (around := intent.get("enemies")) is None:
        others = [foe for foe in scene.foes(target.name) if foe.name != intent.actor]
        around = 1 + actions.able_within(scene, others, target.name, MELEE)
    further = min(actions.MOST_AROUND, max(1, around) - 1)
    found.add(f"{further + 1} enemies around", -further, source="melee range")
    return found.at_least(PARRY_LEAST, "never below 2")


def derived(fighter: Fighter) -> dict[str, int]:
    """STEP-3: Pace, Parry against one enemy, and Perception without allies near."""
    alone = Scene(sheet.NAME, {fighter.name: fighter})
    attacked = Intent("attack", fighter.name, (fighter.name,), {"enemies": 1})
    return {
        "pace": actions.pace(fighter),
        "parry": parry(alone, attacked, fighter).total,
        "perception": actions.perception(alone, fighter.name),
    }


def cover(scene: Scene, intent: Intent, target: Fighter, kind: str) -> tuple[str, str]:
    """STEP-22: the best cover of a target from the actor (only the best counts), and its source; `kind` is that of the
    weapon: projectiles go through penetrable cover, posture covers against all but melee."""
    level, source = intent.get("cover"), "--cover"
    if level is None:
        level, source = scene.cover(target.name, intent.actor, UNIT.beside, PASSED), "cover"
    if intent.get("penetrable") and kind in ("ranged", "heavy") and level != "none":
        level, source = COVER_LEVELS[COVER_LEVELS.index(level) - 1], f"{source}, penetrable"
    if kind != "melee" and not intent.get("behind"):
        for posture, (_, behind, _) in POSTURES.items():
            if target.has(posture) and COVER_LEVELS.index(behind) > COVER_LEVELS.index(level):
                level, source = behind, f"{posture}, facing the attacker"
    return level, source


def tiles_to(scene: Scene, intent: Intent, target: Fighter | None) -> int | None:
    """Tiles to the target, or to the place aimed at: as said, else between the positions (ALL-4)."""
    said, place, here = intent.get("range"), intent.get("at"), scene.fighters[intent.actor].at
    if said is not None:
        return int(said)
    if place is not None:
        return None if here is None else distance(here, place)
    return scene.distance(intent.actor, target.name) if target else None


def modifiers_at(
    scene: Scene, intent: Intent, target: Fighter | None, name: str, weapon: Weapon, against: str
) -> Modifiers:
    """What cover, posture and distance do to an attack roll at a target or, for None, at a place (STEP-17, STEP-22);
    Refused behind total cover, out of reach (STEP-3) and out of range (STEP-19)."""
    found, tiles = Modifiers("attack", "STEP-22", against), tiles_to(scene, intent, target)
    if target:
        level, source = cover(scene, intent, target, weapon["kind"])
        found.cover(intent, target.name, actions.COVER, level, "STEP-22", source)
        for posture, (easier, _, _) in POSTURES.items() if weapon["kind"] == "melee" else ():
            found.add(f"{posture} target", easier * target.has(posture), "STEP-17")
    far = f"{target.name if target else 'the place'} is {tiles} tiles away"
    closer = f"move closer: crisis act {slug(intent.actor)} move --to X,Y"
    if weapon["kind"] == "melee":
        if tiles is not None and tiles > MELEE:
            refuse(intent, f"{far}; melee reaches {MELEE}", "STEP-3", closer, code="out_of_reach")
        return found
    beyond = increments(tiles, weapon.get("range"))
    if beyond >= 10:
        far += f"; the {name} reaches {10 * weapon['range']}"
        refuse(intent, far, "STEP-19", closer, code="out_of_reach")
    return found.add("range", -beyond, "STEP-19", f"{tiles} tiles at {weapon.get('range')} an increment")


# Before the dice

NO_DODGE = "leave the dodge out: --react none"


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-18: an attack with the weapon in hand; STEP-23: a throw; STEP-16: an execution."""
    fighter, executing = scene.fighters[intent.actor], intent.action == "execute"
    name, weapon = weapon_in_use(scene, intent, "STEP-16", sheet.UNARMED, throws="STEP-23")
    if executing and is_area(weapon):
        message = f"the {name} strikes an area and executes nobody"
        refuse(intent, message, "STEP-16", final=True, code="wrong_item")
    aims = aims_of(scene, intent, name, weapon)
    names = tuple(dict.fromkeys(aims))
    always = skilled(fighter, "attack", sheet.weapon_skill(weapon), "STEP-18")
    always.add("hit", weapon["hit"], source=f"weapons.{name}")
    for posture, (_, _, steadier) in POSTURES.items() if weapon["kind"] != "melee" else ():
        always.add(posture, steadier * fighter.has(posture), "STEP-17", "condition")
    lines, numbers = [always], {}
    for one in names:
        target, against = scene.fighters.get(one), one if len(names) > 1 else ""
        at_it = modifiers_at(scene, intent, target, name, weapon, against)
        if target and weapon["kind"] == "melee" and not is_area(weapon):
            goal = parry(scene, intent, target, against)
        else:
            goal = Modifiers("difficulty", "STEP-19", against).base("base", actions.DIFFICULTY)
        lines += [at_it, goal]
        numbers[one] = always.total + at_it.total, goal.total
    hit, found = damage_setup(scene, intent, name, weapon, aims, executing)
    area = area_of(scene, intent, weapon, hit.dice) if is_area(weapon) else None
    more: list[Modifiers] = []
    if area:
        targets, more = in_reach(scene, intent, weapon, area)
    else:
        targets = tuple(target_setup(scene.fighters[one], weapon["type"]) for one in names)
    if executing:
        target = scene.fighters[intent.target]
        more = [skilled(target, "resist", "body", "STEP-16")]
        targets = (targets[0]._replace(resists=dice_of(target, "body", more[0])),)
    shots, own = shots_at(fighter, intent, weapon, aims, numbers)
    burst = "burst" in weapon["tags"] and len(shots) > 1
    dice = AttackSetup(hit, shots, targets, burst, area)
    ap = weapon["ap"] + (len(shots) - 1) * weapon["rof_ap"]
    costs = [Cost("ap", ap, rule="STEP-21" if len(shots) > 1 else "STEP-16")]
    if "capacity" in weapon:
        costs.append(Cost(f"ammo:{name}", len(shots), rule="STEP-21"))
    return Setup(dice, lines_of(*lines, *own, found, *more), tuple(costs), name, per_target(dice), weapon)


def aims_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> list[str]:
    """STEP-21: the target of each attack roll, empty for a place; spare shots go to the last. Refused for the dead
    (STEP-32), for a place where a target is needed, and for too few or too many shots."""
    area, burst, rof = is_area(weapon), "burst" in weapon["tags"], weapon["rof"]
    targets = [intent.target if intent.get("at") is None else ""] if area else list(intent.targets)
    if intent.get("at") is not None and not area:
        message = f"the {name} needs a target, not a place"
        refuse(intent, message, "STEP-25", "areas are aimed at places", final=True, code="wrong_target")
    if intent.get("react") == "dodge" and not area:
        message = "only attacks on an area can be dodged"
        refuse(intent, message, "STEP-26", NO_DODGE, final=True, code="cannot_react")
    shots: int = intent.get("shots", rof if burst and len(targets) > 1 else len(targets))
    if not area and shots < len(targets):
        message, hint = f"{shots} shots are too few for {', '.join(targets)}", "at least one for each target"
        refuse(intent, message, "STEP-21", hint, final=True, code="wrong_shots")
    if not 1 <= shots <= rof:
        message = f"the {name} attacks {rof} times in one action, not {shots}"
        refuse(intent, message, "STEP-21", code="wrong_shots")
    if burst and shots not in (1, rof):
        message = f"the {name} fires 1 shot or a burst of {rof}"
        refuse(intent, message, "STEP-21", f"give --shots {rof}", code="wrong_shots")
    for one in () if area else targets:
        if is_dead(scene.fighters[one]):
            refuse(intent, f"{one} is dead already", "STEP-32", code="already_dead")
    return targets + targets[-1:] * (shots - len(targets))


def shots_at(
    fighter: Fighter, intent: Intent, weapon: Weapon, aims: list[str], numbers: Mapping[str, tuple[int, int]]
) -> tuple[tuple[Shot, ...], list[Modifiers]]:
    """The attack rolls, each further one harder than the one before (STEP-21), and the modifiers of each alone: aim
    and the modifier of the command count for the first (STEP-16, ALL-6). `numbers`: bonus and difficulty by target."""
    sides, _ = sheet.die_of(fighter.sheet, sheet.weapon_skill(weapon))
    shots, found = [], []
    for number, aim in enumerate(aims, start=1):
        shown = number if len(aims) > 1 else 0
        own = Modifiers("attack", "STEP-21", aim if len(numbers) > 1 else "", shown)
        own.add(f"shot {number}", -weapon["rof_penalty"] * (number - 1), source="rate of fire")
        if number == 1:
            aiming = fighter.marks.get(actions.AIM, 0) if weapon["kind"] != "melee" else 0
            own.add("aim", aiming, "STEP-16", "take-aim").asked(intent)
        bonus, difficulty = numbers[aim]
        shots.append(Shot(aim, Dice(fighter.name, sides, bonus + own.total), difficulty, shown))
        found.append(own)
    return tuple(shots), found


def damage_setup(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, aims: list[str], executing: bool
) -> tuple[DamageSetup, Modifiers]:
    """STEP-28: what a hit does, and what is added to its dice. Doublings add up, and multiply only what the weapon has:
    an execution, and a close-range weapon that has all its targets within the first increment."""
    fighter, tags = scene.fighters[intent.actor], weapon["tags"]
    tiles = [tiles_to(scene, intent, scene.fighters.get(one)) for one in aims]
    far = is_area(weapon) or any(increments(one, weapon.get("range")) for one in tiles)
    base = sheet.damage_dice(weapon["damage"], sheet.die_of(fighter.sheet, "body")) or Amount()
    times = 1 + executing + ("close-range" in tags and not far)
    longer = len(aims) == 1 and "long-range" in tags and base.many > 0
    found = Modifiers("damage", "STEP-28").add("weapon", base.plus * times, source=f"weapons.{name}")
    plus = found.situational(fighter, "damage").asked(intent, "mod_damage").total
    dice = Amount(base.many * times + longer, base.sides, plus)
    extras = 0 if is_area(weapon) else 1 + executing
    asks = scene.open and fighter.player and not executing and "spare" not in intent.options
    spare = None if asks else bool(intent.get("spare"))
    return DamageSetup(intent.actor, dice, extras, weapon["piercing"], spare), found


def target_setup(fighter: Fighter, kind: str) -> TargetSetup:
    """A fighter as the target of damage of one type."""
    pools = fighter.pools
    state = TargetState(pools["health"], pools["nonlethal"], pools["durability"])
    return TargetSetup(fighter.name, state, fighter.sheet["armour"]["dr"].get(kind, 0))


def per_target(setup: AttackSetup) -> tuple[tuple[str, AttackSetup], ...]:
    """For the odds: the attack rolls by themselves, and for each target those that can hurt it."""
    hits = setup._replace(targets=(), damage=DamageSetup(setup.damage.who, Amount(), 0))
    return (("", hits), *((one.name, alone(setup, one)) for one in setup.targets))


def alone(setup: AttackSetup, target: TargetSetup) -> AttackSetup:
    """The attack for the odds of one target: totals and numbers of shots do not count, nor which way a miss goes, nor
    damage beyond what makes a difference."""
    area = setup.area
    if area:
        tiles = [min(one, area.radius + 1) for one in target.away]
        area = area._replace(landings=tuple(tiles.index(one) for one in tiles))
    mine = (one for one in setup.shots if area or one.target == target.name)
    shots = (one._replace(target=target.name, number=0, keep=False) for one in mine)
    most = max(max(one.state.health - LOWEST, GREAT) + one.dr for one in setup.targets)
    damage = setup.damage._replace(most=most)
    return setup._replace(damage=damage, shots=tuple(shots), targets=(target,), area=area)


# Areas, before the dice

DODGED = "dodged"
"""The mark of a fighter who has used the dodge of this round (STEP-26)."""


def area_of(scene: Scene, intent: Intent, weapon: Weapon, dice: Amount) -> Area:
    """STEP-25, STEP-27: how far the blast reaches, and where it goes off: at its mark or in some direction."""
    place, ways = intent.get("at"), 6 if intent.get("hex") else 8
    target = scene.fighters[intent.target] if intent.target and place is None else None
    off = increments(tiles_to(scene, intent, target), weapon.get("range")) + 1
    mark, here = place or (target.at if target else None), scene.fighters[intent.actor].at
    misses = (landed(here, mark, way, off, ways) for way in range(1, ways + 1))
    spots = (tuple(mark) if mark else None, *misses)
    radius = weapon.get("area", max(0, dice.many - 1))
    return Area(radius, "explosive" in weapon["tags"], tuple(range(ways + 1)), spots, off)


def in_reach(
    scene: Scene, intent: Intent, weapon: Weapon, area: Area
) -> tuple[tuple[TargetSetup, ...], list[Modifiers]]:
    """Everyone that this attack can hurt, in the order of the sheets, and the modifiers of their dodges. Where places
    are not known, all who are named share one, and off its mark the blast is so many tiles from them (STEP-27)."""
    targets: list[TargetSetup] = []
    dodges: list[Modifiers] = []
    reasons: dict[str, tuple[str, str]] = {}
    for name, fighter in scene.fighters.items():
        if fighter.gone or is_dead(fighter):
            continue
        away = tuple(tiles_from(intent, fighter, area, at) for at in area.landings)
        if min(away) > area.radius:
            continue
        target = target_setup(fighter, weapon["type"])._replace(away=away)
        reasons[name] = why, _ = no_dodge(scene, intent, fighter, away[0] <= area.radius)
        if not why or (intent.get("react") == "dodge" and intent.get("force")):
            dodges.append(skilled(fighter, "dodge", "athletics", "STEP-26", name))
            target = target._replace(resists=dice_of(fighter, "athletics", dodges[-1]))
        targets.append(target)
    concerned = [reasons[name] for name in intent.targets if name in reasons] or list(reasons.values())
    if intent.get("react") == "dodge" and all(why for why, _ in concerned):
        why, rule = concerned[0] if concerned else ("nobody in reach can dodge", "STEP-26")
        refuse(intent, why, rule, NO_DODGE, code="cannot_react")
    return tuple(targets), dodges


def tiles_from(intent: Intent, fighter: Fighter, area: Area, at: int) -> int:
    """Tiles between a fighter and the place where it goes off in one direction, 0 being its mark."""
    spot = area.spots[at]
    if spot is not None and fighter.at is not None:
        return distance(spot, fighter.at)
    out_of_reach = area.radius + 1
    return out_of_reach if fighter.name not in intent.targets else area.off if at else 0


def no_dodge(scene: Scene, intent: Intent, fighter: Fighter, reached: bool) -> tuple[str, str]:
    """STEP-26: why a fighter may not dodge this attack, and the rule; two empty words where it may: inside the radius
    round the mark, and not the attacker (both are readings)."""
    unfit, rule = unable(sheet.CONDITIONS, fighter)
    reasons = (
        (fighter.name == intent.actor, "is the attacker and cannot dodge", "STEP-26"),
        (not reached, "is not within the radius", "STEP-26"),
        (unfit, f"is {unfit} and cannot dodge", rule),
        (fighter.has("helpless"), "is helpless and cannot dodge", "STEP-17"),
        (scene.open and fighter.marks.get(DODGED), "has used this round's dodge", "STEP-26"),
    )
    return next(((f"{fighter.name} {why}", by) for holds, why, by in reasons if holds), ("", ""))


# The dice of attacks


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """STEP-18: every attack roll, and the damage of every hit; dodges are declared before (STEP-26)."""
    if setup.area:
        if len(setup.targets) > 1:
            together = f"what an area does to {len(setup.targets)} targets together takes too many branches"
            table.refuse_odds(together, "ask about each of them")
        targets = tuple(declare_dodge(table, setup, one) for one in setup.targets)
        setup = setup._replace(targets=targets)
    return table.ask(roll_attack, setup)


def roll_attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """STEP-18, STEP-21: an attack with all dodges declared."""
    result = AttackResult(False, 0, 0, 0, tuple(one.state for one in setup.targets))
    if setup.burst and setup.targets:
        result = fire_burst(table, setup, result.tolls)
    else:
        one_attack = go_off if setup.area else shoot
        _, result = table.chain(len(setup.shots), one_attack, (0, result), setup)
    if setup.targets and setup.targets[0].resists and not setup.area:
        result = result._replace(tolls=(table.ask(survive, setup.targets[0], result.tolls[0]),))
    return result if len(setup.shots) == 1 else result._replace(total=None)


def shoot(table: RuleTable, progress: Progress, setup: AttackSetup) -> Progress:
    """The next shot, and the damage of a hit."""
    fired, before = progress
    shot, states = setup.shots[fired], before.tolls
    success, total, harm = table.ask(shot_damage, shot, setup.damage)
    if success and states:
        states = strike(table, setup, states, setup.at(shot), harm)
    return fired + 1, before.then(success and shot.keep, total, states)


def strike(table: RuleTable, setup: AttackSetup, states: States, at: int, harm: int) -> States:
    """The states of the targets after a hit on one of them."""
    return (*states[:at], wound(table, setup.targets[at], states[at], harm, setup.damage), *states[at + 1 :])


def shot_damage(table: RuleTable, shot: Shot, setup: DamageSetup) -> tuple[bool, int, int]:
    """STEP-18, STEP-28: an attack roll and the damage of a hit: whether it hits, its total where it is asked for, and
    the damage."""
    success, total, earned = table.ask(attack_roll, shot, setup)
    target = shot.target if shot.number else ""
    return success, total, table.ask(damage_of, setup, 1, earned, target, shot.number) if success else 0


def attack_roll(table: RuleTable, shot: Shot, setup: DamageSetup) -> tuple[bool, int, int]:
    """STEP-6, STEP-18: the attack die and the bonus against the difficulty: whether it hits, its total where that is
    asked for, and its extras (STEP-8)."""
    reached, total = rolled(table, "attack", shot.dice, shot.difficulty, **shot.about)
    success = reached >= shot.difficulty
    earned = actions.extras(total) if success and setup.extras else 0
    table.result(extras=earned or None)
    return success, total if shot.keep and not shot.number else 0, earned


def fire_burst(table: RuleTable, setup: AttackSetup, states: States) -> AttackResult:
    """STEP-21: all attack dice first, then damage hit by hit, summed on each target before armour."""
    _, got = table.chain(len(setup.shots), fire, (0, ((0, 0),) * len(states)), setup)
    for at, (hits, earned) in enumerate(got):
        if hits:
            harm = table.ask(damage_of, setup.damage, hits, earned, setup.targets[at].name)
            states = strike(table, setup, states, at, harm)
    hits = sum(hits for hits, _ in got)
    return AttackResult(hits > 0, 0, hits, 0, states)


def fire(
    table: RuleTable, state: tuple[int, tuple[tuple[int, int], ...]], setup: AttackSetup
) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The next attack roll of a burst; the state: how many were made, and for each target the hits and extras."""
    fired, got = state
    at = setup.at(setup.shots[fired])
    success, _, earned = table.ask(attack_roll, setup.shots[fired], setup.damage)
    hits, extras = got[at]
    now = hits + success, extras + min(earned, setup.damage.most)
    return fired + 1, (*got[:at], now, *got[at + 1 :])


def survive(table: RuleTable, target: TargetSetup, state: TargetState) -> TargetState:
    """STEP-16: a target that survives an execution needs a body roll at or above its wounds, or dies (a reading)."""
    wounds = target.wounds(state)
    if not wounds or state.health <= LOWEST or target.resists is None:
        return state
    reached, _ = rolled(table, "resist", target.resists, wounds, cause="the execution")
    if reached >= wounds:
        return state
    health = table.plus(state.health, "executed", LOWEST - state.health, "STEP-16")
    return state._replace(health=health, spared=False, wounded=True)


# The dice of areas


def declare_dodge(table: RuleTable, setup: AttackSetup, target: TargetSetup) -> TargetSetup:
    """STEP-26: a target with its dodge, or without it, as it is declared before the attack is rolled."""
    if target.resists is None:
        return target
    ways = {"none": target._replace(resists=None), "dodge": target}
    alternatives = (Alternative(name, expected_wounds, (alone(setup, one),)) for name, one in ways.items())
    return ways[table.choose(target.name, tuple(alternatives)).name]


def expected_wounds(table: RuleTable, setup: AttackSetup) -> int:
    """STEP-26: the wounds that an attack on an area brings its only target; what a dodge is weighed by."""
    (target,) = setup.targets
    (state,) = table.ask(roll_attack, setup).tolls
    return target.wounds(state)


def go_off(table: RuleTable, progress: Progress, setup: AttackSetup) -> Progress:
    """The next attack on an area: its roll, and what becomes of the targets, the nearest first. Only the first can be
    dodged: once per round (STEP-26). Where a dodger ends up counts when all have gone off (a reading)."""
    (fired, before), targets, hit, area = progress, setup.targets, setup.damage, setup.area
    assert area is not None
    shot, states = setup.shots[fired], before.tolls
    dodgers = () if fired else tuple(one.resists for one in targets if one.resists)
    success, total, landing, escaped = table.ask(area_roll, shot, area, dodgers)
    tiles = [one.away[landing] + (one.name in escaped) for one in targets]
    for at in sorted(range(len(targets)), key=tiles.__getitem__):
        target, state = targets[at], states[at]
        if target.resists and not fired:
            state = state._replace(dodged=GOT_AWAY if target.name in escaped else TRIED)
        if target.away[landing] <= area.radius < tiles[at]:
            state = graze(table, state, "dodged")
        elif tiles[at] <= area.radius:
            # STEP-25: one die fewer for each tile, at least one.
            fewer = min(tiles[at], hit.dice.many - 1) if area.thins and hit.dice.many else 0
            thinned = hit._replace(dice=hit.dice._replace(many=hit.dice.many - fewer)) if fewer else hit
            state = wound(table, target, state, table.ask(damage, thinned, target.name, shot.number), hit)
        states = (*states[:at], state, *states[at + 1 :])
    return fired + 1, before.then(success, total, states, landing)


def area_roll(
    table: RuleTable, shot: Shot, area: Area, dodgers: tuple[Dice, ...]
) -> tuple[bool, int, int, tuple[str, ...]]:
    """STEP-23, STEP-26, STEP-27: whether the attack hits, its total, its landing, and the dodgers who got away."""
    reached, total = rolled(table, "attack", shot.dice, shot.difficulty, **shot.about)
    success = reached >= shot.difficulty
    escaped = tuple(one.who for one in dodgers if table.ask(dodge, one, reached, total))
    landing = 0 if success else table.ask(scatter, shot.dice.who, area)
    shown = total if shot.keep and not shot.number else 0
    return success and shot.keep, shown, landing, escaped


def dodge(table: RuleTable, dodger: Dice, attack_reached: int, attack_total: int) -> bool:
    """STEP-26: whether athletics is strictly higher than the attack (a reading)."""
    table.label("dodge", dodger.who, f"d{dodger.sides}")
    natural = table.ask(actions.roll, dodger.sides)
    got_away = actions.reach(natural, dodger.bonus) > attack_reached
    total, critical = max(1, natural) + dodger.bonus, None if natural else True
    table.result(total=total, target=attack_total, success=got_away, critical_failure=critical)
    return got_away


def scatter(table: RuleTable, who: str, area: Area) -> int:
    """STEP-27: where a miss goes off, by its direction: 1 straight back to the thrower."""
    sides = len(area.landings) - 1
    table.label("scatter", who, f"d{sides}")
    direction: int = table.die(sides)
    spot = area.spots[direction]
    table.result(total=direction, at=list(spot) if spot else None)
    return area.landings[direction]


# The dice of damage

GREAT = 13
"""STEP-32: wounds of one hit that incapacitate by themselves."""


def damage(table: RuleTable, setup: DamageSetup, target: str = "", number: int = 0) -> int:
    """STEP-28: the weapon's damage before extras and armour, which may be 0 or less; noted as that against `target`, by
    the shot of this `number`."""
    dice = setup.dice
    if not dice.many:
        return min(dice.plus, setup.most)
    table.label("damage", setup.who, dice.dice, against=target, shot=number or "")
    harm = table.ask(roll_damage, dice)
    table.result(total=harm)
    return min(harm, setup.most)


def roll_damage(table: RuleTable, dice: Amount) -> int:
    """STEP-28: dice that explode and never implode (a reading), and the flat part."""
    return table.exploding(dice.many, dice.sides, int) + dice.plus


def damage_of(
    table: RuleTable, setup: DamageSetup, hits: int, extras: int, target: str = "", number: int = 0
) -> int:
    """STEP-21, STEP-28: the damage of so many hits together; their extras are noted with the first of them."""
    harm, added = table.ask(roll_hits, setup, hits, target, number), extras * setup.extras
    if added and setup.dice.many:
        table.add_to(hits, added)
    return min(table.plus(harm, "extra", added, "STEP-28"), setup.most)


def roll_hits(table: RuleTable, setup: DamageSetup, hits: int, target: str, number: int) -> int:
    """STEP-21: the damage of so many hits, without extras."""
    harm: int = table.times(hits, damage, setup, target, number)
    return min(harm, setup.most)


def wound(
    table: RuleTable, target: TargetSetup, state: TargetState, harm: int, setup: DamageSetup
) -> TargetState:
    """The target after one hit of so much damage, extras included (STEP-29 to STEP-33)."""
    if state.health <= LOWEST:
        return state
    dr = target.dr if state.durability > 0 else 0
    blocked = min(max(harm, 0), dr)
    worn = table.plus(state.durability, "blocked", -blocked, "STEP-29")
    worn = table.plus(worn, "limit", max(0, -worn), "STEP-29")
    through = table.plus(harm, "armour", -dr, "STEP-29")
    through = table.plus(through, "piercing", min(setup.piercing, dr), "STEP-29")
    if harm <= 0 or through <= 0:
        return graze(table, state._replace(durability=worn), "stopped" if harm > 0 else "no damage")
    # Not a difference: that would lose the parts.
    health = state.health + -through
    spared = health <= LOWEST and knocks_out(table, setup, target.name)
    if spared:
        health = table.plus(health, "spared", min(0, state.health) - health, "STEP-33")
    health = table.plus(health, "limit", max(0, LOWEST - health), "STEP-32")
    great = state.great or through >= GREAT
    return TargetState(health, state.nonlethal, worn, great, spared, True, state.dodged, True)


def knocks_out(table: RuleTable, setup: DamageSetup, target: str) -> bool:
    """STEP-33: whether a target that would die is spared; its attacker's player decides where nothing is said."""
    if setup.spare is not None or target == setup.who:
        return bool(setup.spare)
    kill = Alternative("kill", no_harm, gains=f"{target} dies")
    spare = Alternative("spare", no_harm, gains=f"{target} is knocked out", willed=True)
    return table.choose(setup.who, (kill, spare)).name == "spare"


def no_harm(table: RuleTable) -> int:
    """What either choice of the attacker costs the attacker."""
    return 0


def graze(table: RuleTable, state: TargetState, why: str) -> TargetState:
    """STEP-30: a hit that comes to nothing, or a dodge out of the blast: one non-lethal wound, and nothing else."""
    if state.health <= LOWEST:
        return state
    return state._replace(nonlethal=table.plus(state.nonlethal, why, 1, "STEP-30"))


# After the dice


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """What an attack changes: its targets, where dodgers stand, and the attacker (STEP-16, STEP-26 to STEP-33)."""
    weapon, dice = setup.known, setup.dice
    changes.end(intent.actor, "hidden", "STEP-16")
    if weapon["kind"] != "melee":
        changes.mark(intent.actor, actions.AIM, 0, "STEP-16")
    # The odds of the attack rolls by themselves have no targets.
    for target, state in zip(dice.targets, result.tolls, strict=False):
        suffer(changes, target.name, state, weapon["inflicts"])
        if state.dodged:
            changes.mark(target.name, DODGED, 1, "STEP-26")
        if state.dodged == GOT_AWAY:
            step_away(changes, intent, target.name, dice.area.spots[result.landing])
    if weapon["kind"] == "thrown" and not changes.pool(intent.actor, f"ammo:{setup.gear}"):
        changes.drop(intent.actor, setup.gear, "STEP-23")


def suffer(changes: Changes, name: str, state: TargetState, inflicts: Iterable[str]) -> None:
    """What an attack changes for a target: pools, and the conditions that a hit brings (STEP-29 to STEP-33)."""
    rule = "STEP-33" if state.spared else "STEP-32"
    for pool, by_rule in (("health", rule), ("nonlethal", "STEP-30"), ("durability", "STEP-29")):
        if change := getattr(state, pool) + -changes.pool(name, pool):
            changes.adjust(name, pool, changes.number("STEP-28").from_dice("damage", change), by_rule)
    if state.spared:
        changes.begin(name, "stable", "STEP-33")
    elif state.wounded:
        changes.end(name, "stable", "STEP-36")
    if state.health <= LOWEST:
        return
    for condition in inflicts if state.marked else ():
        until = sheet.CONDITIONS[condition].until(changes.scene, name)
        changes.begin(name, condition, "STEP-30", until=until)
    if state.great or state.spared:
        changes.begin(name, "incapacitated", rule, until=sheet.TREATED)
    if state.spared:
        changes.begin(name, "helpless", rule, until=sheet.TREATED)


def step_away(changes: Changes, intent: Intent, name: str, spot: tuple[float, float] | None) -> None:
    """STEP-26: a dodger goes one tile straight away from where it went off; from the very centre away from the
    attacker, and where that is no direction either, north."""
    at, here = changes.fighter(name).at, changes.fighter(intent.actor).at
    if at is None or spot is None:
        return
    origin = next((one for one in (spot, here or at) if tuple(one) != tuple(at)), (at[0], at[1] - 1))
    east, north = at[0] - origin[0], at[1] - origin[1]
    length = (east * east + north * north) ** 0.5
    to = (round(at[0] + east / length, 2), round(at[1] + north / length, 2))
    changes.move(name, [int(part) if part == int(part) else part for part in to], "STEP-26")


def landing(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, Any]:
    """STEP-27: `off` tiles from its mark an area attack goes off, and `at` [x, y] where positions are known."""
    if setup.dice.area is None:
        return {}
    spot = setup.dice.area.spots[result.landing]
    place: dict[str, Any] = {"at": spot} if spot else {}
    return place | ({"off": setup.dice.area.off, "unit": "tiles"} if result.landing else {})


def candidates(action: str, *kinds: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """An attack on every foe with every weapon of these kinds in hand, with one shot and with all it has."""
    offered = attack_candidates(action, *kinds, bare_hands=action == "attack")

    def found(scene: Scene, who: str) -> Iterator[Intent]:
        for intent in offered(scene, who):
            yield intent
            rof = scene.fighters[who].sheet["weapons"].get(intent.get("weapon"), sheet.UNARMED)["rof"]
            if rof > 1:
                yield intent.plus(shots=rof)

    return found


LOOK = "look for them: crisis check search --vs {who} stealth, or move beside them"
ATTACK = Action(
    "Attack with the weapon in hand",
    "STEP-18",
    attack_setup,
    attack_effects,
    attack,
    gear="weapons",
    candidates=candidates("attack", "melee", "ranged", "heavy"),
    options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage", "shots", "at"),
    targets="many",
    requires=(noticed("hidden", UNIT.beside, "STEP-16", LOOK),),
    words=("hit", "miss"),
    outputs=landing,
    reactions=("dodge",),
    # STEP-16: overwatch lets one attack in others' turns.
    out_of_turn=lambda scene, intent: actions.OVERWATCH in scene.fighters[intent.actor].marks,
    effect_key=lambda result: result._replace(total=None, hits=0, landing=0),
    says={**ATTACK_SAYS, "heavy": ATTACK_SAYS["ranged"]},
)
THROW = ATTACK._replace(
    title="Throw a weapon",
    rule_id="STEP-23",
    candidates=candidates("throw", "thrown"),
    says=ATTACK_SAYS["thrown"],
)
EXECUTE = ATTACK._replace(
    title="Kill someone helpless",
    rule_id="STEP-16",
    candidates=lambda scene, who: (
        Intent("execute", who, (foe.name,)) for foe in scene.foes(who) if foe.has("helpless")
    ),
    options=("weapon", "range", "cover", "penetrable", "behind", "mod_damage", "spare"),
    targets="one",
    requires=(
        *ATTACK.requires,
        lacks("dead", "STEP-32", "{who} is dead already", of="target", code="already_dead"),
        has("helpless", "STEP-16", of="target", hint="change it: crisis set {who} condition:helpless on"),
    ),
    reactions=(),
    out_of_turn=lambda scene, intent: False,
    says={
        "": "{actor} tries to kill {target} with the {gear}",
        "unarmed": "{actor} tries to kill {target} with bare hands",
    },
)
ACTIONS = {"attack": ATTACK, "throw": THROW, "execute": EXECUTE}
