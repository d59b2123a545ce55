"""What an attack is made with, and what it must reach (STEP-16 to STEP-36)."""

from __future__ import annotations

from ...rules import (
    Amount,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    Scene,
    Setup,
    increments,
    landed,
    refuse,
    slug,
    unable,
    weapon_in_use,
)
from . import sheet
from .checks import (
    AIM,
    COVER,
    DIFFICULTY,
    MOST_AROUND,
    DieAndBonus,
    able_within,
    dice_of,
    pace,
    perception,
    skilled,
)
from .sheet import CONDITIONS, LEVELS, SPACE, Weapon, die_of, is_area, is_dead

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
"""How the targets are before or after an attack, in their order."""


class TargetSetup(NamedTuple):
    """A fighter that an attack can hurt, as far as the dice must know."""

    name: str
    state: TargetState
    dr: int = 0
    """Against the type of this damage (STEP-29)."""
    away: tuple[tuple[int, ...], ...] = ()
    """For each shot at an area, tiles from where it goes off by landing (STEP-27); at most one beyond the radius."""
    dodges: int = 0
    """Which of the shots it can dodge: the first with a mark near enough (STEP-26)."""
    resists: DieAndBonus | None = None
    """The roll of a dodge (STEP-26), or the body roll of the survivor of an execution (STEP-16); None for neither."""

    def wounds(self, state: TargetState) -> int:
        """The wounds, lethal and not, that lead to another state."""
        return self.state.health - state.health + state.nonlethal - self.state.nonlethal


class DamageSetup(NamedTuple):
    who: str
    dice: Amount
    """Dice, and everything added."""
    extras: int = 1
    """What each extra adds: 1, doubled for an execution, 0 in an area (STEP-24, STEP-28)."""
    piercing: int = 0
    spare: bool | None = False
    """Whether to knock out in place of killing; None: the attacker's player is asked (STEP-33)."""


class Shot(NamedTuple):
    target: str
    """The fighter it is aimed at; empty for a place."""
    dice: DieAndBonus
    difficulty: int
    number: int = 0
    """Its place among the shots of the action, from 1; 0 where it is the only one."""

    @property
    def about(self) -> dict[str, object]:
        """What tells its rolls from those of other shots."""
        return {"against": self.target, "shot": self.number} if self.number else {}


class Area(NamedTuple):
    """Where an area attack reaches, and where a miss can land."""

    radius: int
    thins: bool
    """Explosive: a die fewer for each tile from the centre (STEP-25)."""
    spots: tuple[tuple[float, float] | None, ...]
    """Where it goes off: its mark, then by the die of a miss (STEP-27); None where places are not known."""
    off: int
    """Tiles by which a miss misses (STEP-27)."""


class AttackSetup(NamedTuple):
    damage: DamageSetup
    shots: tuple[Shot, ...]
    targets: tuple[TargetSetup, ...]
    burst: bool = False
    areas: tuple[Area, ...] = ()
    """For each shot the area that it strikes; empty for a weapon without."""

    def at(self, shot: Shot) -> int:
        """Which of the targets a shot is aimed at."""
        return [target.name for target in self.targets].index(shot.target)


class AttackResult(NamedTuple):
    success: bool
    total: int | None
    """Of the attack roll, where there is only one."""
    hits: int
    landing: int
    """Where the last shot at an area went off: 0 at its mark, else the direction of its miss (STEP-27)."""
    tolls: States
    landings: tuple[int, ...] = ()
    """The landings of all shots at areas; empty in the odds of one target."""

    def then(self, success: bool, total: int, states: States, landing: int | None = None) -> AttackResult:
        """The result with that of one more attack roll, and the landing of a shot at an area."""
        landings = self.landings if landing is None else (*self.landings, landing)
        return AttackResult(
            self.success or success, total, self.hits + success, landing or 0, states, landings
        )


Progress = tuple[int, AttackResult]
"""How many attack rolls have been made, and what they came to."""

# What an attack roll must reach

MELEE = 1
"""STEP-3: melee range, in tiles."""
PARRY_LEAST = 2
"""STEP-3; also the Parry of the helpless (a reading of STEP-17)."""
PASSED = {"total": "none"}
"""STEP-22: total cover does not help against a foe who has come beside (a reading)."""
POSTURES = {"kneeling": (2, "light", 1), "prone": (4, "heavy", 2)}
"""STEP-17: what is added to melee attacks on a fighter in it, its cover against all others, and on its own shots."""


def parry(scene: Scene, intent: Intent, target: Fighter, against: str = "") -> Modifiers:
    """STEP-3, STEP-20: the numbers that make up the Parry of a target."""
    goal, weapons = Modifiers("difficulty", "STEP-3", against), target.sheet["weapons"]
    if target.has("helpless"):
        return goal.add("helpless", PARRY_LEAST, "STEP-17", "condition")
    if "parry" in target.sheet:
        goal.add("parry", target.sheet["parry"], source="sheet")
    else:
        goal.add("melee", sum(die_of(target.sheet, "melee")), source="skill")
        armed = any(weapons[name]["kind"] == "melee" for name in target.held if name in weapons)
        goal.add("no melee weapon in hand", 0 if armed else -2)
    goal.situational(target, "parry")
    if (around := intent.get("enemies")) is None:
        others = [foe for foe in scene.foes(target.name) if foe.name != intent.actor]
        around = 1 + able_within(scene, others, target.name, MELEE)
    further = min(MOST_AROUND, max(1, around) - 1)
    goal.add(f"{further + 1} enemies around", -further, source="melee range")
    return goal.at_least(PARRY_LEAST, "never below 2")


def derived(fighter: Fighter) -> dict[str, int]:
    """STEP-3: Pace, Parry against one enemy, and Perception without allies near."""
    alone, who = Scene(sheet.NAME, {fighter.name: fighter}), fighter.name
    guard = parry(alone, Intent("attack", who, (who,), {"enemies": 1}), fighter).total
    return {"pace": pace(fighter), "parry": guard, "perception": perception(alone, who)}


def cover(scene: Scene, intent: Intent, target: Fighter, kind: str) -> tuple[str, str]:
    """STEP-22: the best cover of a target from a weapon of this kind, and its source; only the best counts."""
    level, source, thin = intent.get("cover"), "--cover", False
    if level is None:
        level, source, thin = scene.cover(target.name, intent.actor, SPACE.beside, PASSED)
    if (thin or intent.get("penetrable")) and kind in ("ranged", "heavy") and level != "none":
        level, source = LEVELS[LEVELS.index(level) - 1], f"{source}, penetrable"
    for posture, (_, behind, _) in POSTURES.items() if kind != "melee" and not intent.get("behind") else ():
        if target.has(posture) and LEVELS.index(behind) > LEVELS.index(level):
            level, source = behind, f"{posture}, facing the attacker"
    return level, source


def tiles_to(scene: Scene, intent: Intent, target: Fighter | None) -> int | None:
    """Tiles to the target, or to the place aimed at: as said, else between the positions (ALL-4)."""
    said, place, here = intent.get("range"), intent.get("at"), scene.fighters[intent.actor].at
    if said is not None:
        return int(said)
    if place is not None:
        return None if here is None else Scene.between(here, place)
    return scene.distance(intent.actor, target.name) if target else None


def modifiers_at(
    scene: Scene, intent: Intent, target: Fighter | None, name: str, weapon: Weapon, against: str
) -> Modifiers:
    """What cover, posture and distance do to an attack roll at a target or a place (STEP-3, STEP-17 to STEP-22)."""
    added, tiles = Modifiers("attack", "STEP-22", against), tiles_to(scene, intent, target)
    melee, increment = weapon["kind"] == "melee", weapon.get("range")
    if target:
        level, source = cover(scene, intent, target, weapon["kind"])
        added.cover(intent, target.name, COVER, level, "STEP-22", source)
        for posture, (easier, _, _) in POSTURES.items() if melee else ():
            added.add(f"{posture} target", easier * target.has(posture), "STEP-17")
    far = f"{target.name if target else 'the place'} is {tiles} tiles away"
    goal = f"toward {slug(target.name)}" if target else "--to X,Y"
    closer = f"move closer: crisis act {slug(intent.actor)} move {goal}"
    if melee and tiles is not None and tiles > MELEE:
        far += f"; melee reaches {MELEE}"
        refuse(intent, far, "STEP-3", closer, code="out_of_reach", first="move")
    beyond = 0 if melee else increments(tiles, increment)
    if beyond >= 10:
        far += f"; the {name} reaches {10 * weapon['range']}"
        refuse(intent, far, "STEP-19", closer, code="out_of_reach")
    return added.add("range", -beyond, "STEP-19", f"{tiles} tiles at {increment} an increment")


# Before the dice

NO_DODGE = "leave the dodge out: --react none"


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-18: an attack with the weapon in hand; STEP-23: a throw; STEP-16: an execution."""
    executing = intent.action == "execute"
    name, weapon = weapon_in_use(scene, intent, "STEP-16", sheet.UNARMED, throws="STEP-23")
    if executing and is_area(weapon):
        message = f"the {name} strikes an area and executes nobody"
        refuse(intent, message, "STEP-16", final=True, code="wrong_item")
    aims = aims_of(scene, intent, name, weapon)
    shots, lines = shots_at(scene, intent, name, weapon, aims)
    hit, added = damage_setup(scene, intent, name, weapon, aims)
    areas: tuple[Area, ...] = ()
    resists: list[Modifiers] = []
    if is_area(weapon):
        areas = tuple(area_of(scene, intent, weapon, hit.dice, aim) for aim in aims)
        targets, resists = in_reach(scene, intent, weapon, name, aims, areas)
    else:
        targets = tuple(target_setup(scene.fighters[aim], weapon["type"]) for aim in dict.fromkeys(aims))
    if executing:
        target = scene.fighters[intent.target]
        resists = [skilled(target, "resist", "body", "STEP-16")]
        targets = (targets[0]._replace(resists=dice_of(target, "body", resists[0])),)
    further = len(shots) - 1
    dice = AttackSetup(hit, shots, targets, further > 0 and "burst" in weapon["tags"], areas)
    rule = "STEP-21" if further else "STEP-16"
    costs = [Cost("ap", weapon["ap"] + further * weapon["rof_ap"], rule=rule)]
    if "capacity" in weapon:
        costs.append(Cost(f"ammo:{name}", len(shots), rule="STEP-21"))
    return Setup(dice, Modifiers.lines_of(*lines, added, *resists), tuple(costs), name, weapon)


def aims_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> list[str]:
    """STEP-21: the target of each attack roll, empty for a place; spare shots go to the last."""
    area, burst, rof = is_area(weapon), "burst" in weapon["tags"], weapon["rof"]
    targets = list(intent.targets) if intent.get("at") is None else [""]
    if intent.get("at") is not None and not area:
        message = f"the {name} needs a target, not a place"
        refuse(intent, message, "STEP-25", "areas are aimed at places", final=True, code="wrong_target")
    if intent.get("react") == "dodge" and not area:
        message = "only attacks on an area can be dodged"
        refuse(intent, message, "STEP-26", NO_DODGE, final=True, code="cannot_react")
    most = rof if burst and len(targets) > 1 else min(rof, len(targets)) if area else len(targets)
    shots: int = intent.get("shots", most)
    # Who is named again is to be attacked again; who is named once may stand in a blast.
    again = any(target in targets[:at] for at, target in enumerate(targets) if at >= shots)
    wanted = len(targets) if again else shots
    if (not area and shots < len(targets)) or shots < wanted <= rof:
        message, hint = f"{shots} shots are too few for {', '.join(targets)}", "at least one for each target"
        refuse(intent, message, "STEP-21", hint, final=True, code="wrong_shots")
    if not 1 <= wanted <= rof:
        message = f"the {name} attacks {rof} times in one action, not {wanted}"
        refuse(intent, message, "STEP-21", code="wrong_shots")
    if burst and shots not in (1, rof):
        message = f"the {name} fires 1 shot or a burst of {rof}"
        refuse(intent, message, "STEP-21", f"give --shots {rof}", code="wrong_shots")
    for target in () if area else targets:
        if is_dead(scene.fighters[target]):
            refuse(intent, f"{target} is dead already", "STEP-32", code="already_dead")
    return targets[:shots] + targets[-1:] * (shots - len(targets))


def shots_at(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, aims: list[str]
) -> tuple[tuple[Shot, ...], list[Modifiers]]:
    """The attack rolls, each further one harder than the one before (STEP-21), and all their modifiers."""
    fighter, skill, melee = (
        scene.fighters[intent.actor],
        sheet.weapon_skill(weapon),
        weapon["kind"] == "melee",
    )
    always = skilled(fighter, "attack", skill, "STEP-18").add("hit", weapon["hit"], source=f"weapons.{name}")
    for posture, (_, _, steadier) in POSTURES.items() if not melee else ():
        always.add(posture, steadier * fighter.has(posture), "STEP-17", "condition")
    lines, shots, numbers, several = [always], [], {}, len(set(aims)) > 1
    for aim in dict.fromkeys(aims):
        target, against = scene.fighters.get(aim), aim if several else ""
        at_it = modifiers_at(scene, intent, target, name, weapon, against)
        goal = Modifiers("difficulty", "STEP-19", against).base("base", DIFFICULTY)
        if target and melee and not is_area(weapon):
            goal = parry(scene, intent, target, against)
        lines += [at_it, goal]
        numbers[aim] = always.total + at_it.total, goal.total
    for number, aim in enumerate(aims, start=1):
        shown = number if len(aims) > 1 else 0
        added = Modifiers("attack", "STEP-21", aim if several else "", shown)
        added.add(f"shot {number}", -weapon["rof_penalty"] * (number - 1), source="rate of fire")
        if number == 1:
            added.add("aim", fighter.marks.get(AIM, 0) * (not melee), "STEP-16", "take-aim").asked(intent)
        bonus, difficulty = numbers[aim]
        dice = dice_of(fighter, skill, added)._replace(bonus=bonus + added.total)
        shots.append(Shot(aim, dice, difficulty, shown))
        lines.append(added)
    return tuple(shots), lines


def damage_setup(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, aims: list[str]
) -> tuple[DamageSetup, Modifiers]:
    """STEP-28: what a hit does, and what is added to its dice; doublings add up, of what the weapon has."""
    fighter, tags, executing = scene.fighters[intent.actor], weapon["tags"], intent.action == "execute"
    tiles = [tiles_to(scene, intent, scene.fighters.get(aim)) for aim in aims]
    far = is_area(weapon) or any(increments(distance, weapon.get("range")) for distance in tiles)
    base = sheet.damage_dice(weapon["damage"], die_of(fighter.sheet, "body")) or Amount()
    times = 1 + executing + ("close-range" in tags and not far)
    longer = len(aims) == 1 and "long-range" in tags and base.many > 0
    added = Modifiers("damage", "STEP-28").add("weapon", base.plus * times, source=f"weapons.{name}")
    plus = added.situational(fighter, "damage").asked(intent, "mod_damage").total
    dice = Amount(base.many * times + longer, base.sides, plus)
    extras = 0 if is_area(weapon) else 1 + executing
    asks = scene.asks(intent.actor) and not executing and "spare" not in intent.options
    spare = None if asks else bool(intent.get("spare"))
    return DamageSetup(intent.actor, dice, extras, weapon["piercing"], spare), added


def target_setup(fighter: Fighter, kind: str) -> TargetSetup:
    """A fighter as the target of damage of one type."""
    pools = fighter.pools
    state = TargetState(pools["health"], pools["nonlethal"], pools["durability"])
    return TargetSetup(fighter.name, state, fighter.sheet["armour"]["dr"].get(kind, 0))


# Areas, before the dice

DODGED = "dodged"
"""The mark of a fighter who has used the dodge of this round (STEP-26)."""


def area_of(scene: Scene, intent: Intent, weapon: Weapon, dice: Amount, aim: str) -> Area:
    """STEP-25, STEP-27: how far a blast reaches, and where it goes off when aimed at a fighter, or "" a place."""
    target, ways = scene.fighters.get(aim), 6 if intent.get("hex") else 8
    off = increments(tiles_to(scene, intent, target), weapon.get("range")) + 1
    mark, here = target.at if target else intent.get("at"), scene.fighters[intent.actor].at
    misses = (landed(here, mark, way, off, ways) for way in range(1, ways + 1))
    radius = weapon.get("area", max(0, dice.many - 1))
    return Area(radius, "explosive" in weapon["tags"], (tuple(mark) if mark else None, *misses), off)


def in_reach(
    scene: Scene, intent: Intent, weapon: Weapon, name: str, aims: list[str], areas: tuple[Area, ...]
) -> tuple[tuple[TargetSetup, ...], list[Modifiers]]:
    """The targets that shots at an area can hurt, and the modifiers of their dodges (STEP-21, STEP-25, STEP-26)."""
    targets: list[TargetSetup] = []
    dodges: list[Modifiers] = []
    reasons: dict[str, tuple[str, str]] = {}
    reached, dodging, radius = {*aims}, intent.get("react") == "dodge", areas[0].radius
    for who, fighter in scene.fighters.items():
        if fighter.gone or is_dead(fighter):
            continue
        away = tuple(
            tiles_from(scene, intent, fighter, area, aim, aims) for area, aim in zip(areas, aims, strict=True)
        )
        if min(min(tiles) for tiles in away) > radius:
            continue
        near = [number for number, tiles in enumerate(away) if tiles[0] <= radius]
        reached |= {who} if near else set()
        target = target_setup(fighter, weapon["type"])._replace(away=away, dodges=near[0] if near else 0)
        reasons[who] = why, _ = no_dodge(scene, intent, fighter, bool(near))
        if not why or (dodging and intent.get("force")):
            dodges.append(skilled(fighter, "dodge", "athletics", "STEP-26", who))
            target = target._replace(resists=dice_of(fighter, "athletics", dodges[-1]))
        targets.append(target)
    for who in (who for who in intent.targets if who not in reached):
        at = " and ".join(aim or "the place" for aim in dict.fromkeys(aims))
        far = f"{who} is out of reach: the {name} goes off at {at} and reaches {radius} tiles"
        refuse(intent, far, "STEP-25", f"leave {slug(who)} out", code="out_of_reach")
    concerned = [reasons[who] for who in intent.targets if who in reasons] or list(reasons.values())
    if dodging and all(why for why, _ in concerned):
        why, rule = concerned[0] if concerned else ("nobody in reach can dodge", "STEP-26")
        refuse(intent, why, rule, NO_DODGE, code="cannot_react")
    return tuple(targets), dodges


def tiles_from(
    scene: Scene, intent: Intent, fighter: Fighter, area: Area, aim: str, aims: list[str]
) -> tuple[int, ...]:
    """STEP-25, STEP-27: tiles between a fighter and each place where a shot can go off, one beyond the radius at most.

    Without positions, who is named without a shot stands where the last is aimed; a miss hits nobody else (a reading).
    """
    beyond, tiles = area.radius + 1, []
    mark = fighter.name if fighter.name in aims else aims[-1] if fighter.name in intent.targets else None
    for landing, spot in enumerate(area.spots):
        if spot is None or fighter.at is None:
            tiles.append(beyond if mark != aim else area.off if landing else 0)
        else:
            is_open = scene.field is None or scene.field.sees(spot, fighter.at)
            tiles.append(min(Scene.between(spot, fighter.at), beyond) if is_open else beyond)
    return tuple(tiles)


def no_dodge(scene: Scene, intent: Intent, fighter: Fighter, reached: bool) -> tuple[str, str]:
    """STEP-26: why a fighter may not dodge, and the rule; else two empty words (who may: readings)."""
    unfit, rule = unable(CONDITIONS, fighter)
    reasons = (
        (fighter.name == intent.actor, "is the attacker and cannot dodge", "STEP-26"),
        (not reached, "is not within the radius", "STEP-26"),
        (unfit, f"is {unfit} and cannot dodge", rule),
        (fighter.has("helpless"), "is helpless and cannot dodge", "STEP-17"),
        (scene.open and fighter.marks.get(DODGED), "has used this round's dodge", "STEP-26"),
    )
    return next(((f"{fighter.name} {why}", by) for holds, why, by in reasons if holds), ("", ""))
