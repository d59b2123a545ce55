"""Attacks, throws and executions (STEP-16, STEP-18 to STEP-33)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from ...rules import (
    Action,
    Amount,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    lines_of,
    refuse,
    slug,
    weapon_in_use,
)
from .areas import (
    DODGED,
    GOT_AWAY,
    NO_DODGE,
    TRIED,
    Area,
    Shot,
    area_of,
    declare_dodges,
    go_off,
    in_reach,
    seen_by,
    step_away,
)
from .defence import (
    POSTURES,
    DamageSetup,
    TargetSetup,
    TargetState,
    apply_hit,
    damage,
    difficulty,
    hindrance,
    is_close,
    most_damage,
    range_penalty,
    suffer,
    target_setup,
    tiles_to,
    with_extras,
)
from .rolls import critical, extras, roll, skilled, succeeds, total_of
from .sheet import LOWEST, UNARMED, WEAPON_SKILL, damage_dice, die_of, is_area, is_dead, spelled, split

AIM, OVERWATCH = "aim", "overwatch"
"""Marks: +1 each on the next ranged attack; attacks in others' turns (STEP-16)."""


MOST_AT_ONCE = 1
"""Targets of one area whose odds are worked out together; of more, for each alone (`per_target`)."""


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    damage: DamageSetup
    shots: tuple[Shot, ...]
    targets: tuple[TargetSetup, ...]
    """Empty for the odds of the attack rolls by themselves."""
    burst: bool = False
    area: Area | None = None
    executed: bool = False


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int | None
    """Of the attack roll, where there is only one."""
    hits: int
    landing: int
    """Where an area attack went off: 0 at its mark, else the direction of its miss (STEP-27)."""
    tolls: tuple[TargetState, ...]
    """How the targets are afterwards, in their order."""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


# Before the dice


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-18: an attack with the weapon in hand."""
    return _setup(scene, intent, *weapon_in_use(scene, intent, "STEP-16", UNARMED))


def throw_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-23: a thrown weapon, by default the one in hand."""
    name, weapon = weapon_in_use(scene, intent, "STEP-16", UNARMED, ("thrown",))
    if weapon["kind"] != "thrown":
        what = "nothing to throw" if name == "unarmed" else f"no way to throw the {name}"
        hint = "a weapon of kind thrown can be thrown"
        refuse(intent, f"{intent.actor} has {what}", "STEP-23", hint, final=True)
    return _setup(scene, intent, name, weapon)


def _setup(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> Setup:
    if is_area(weapon):
        return _area_setup(scene, intent, name, weapon)
    if intent.get("at") is not None:
        hint = "areas are aimed at places"
        refuse(intent, f"the {name} needs a target, not a place", "STEP-25", hint, final=True)
    if intent.get("react") == "dodge":
        refuse(intent, "only attacks on an area can be dodged", "STEP-26", NO_DODGE, final=True)
    aims = shot_targets(intent, name, weapon)
    names = tuple(dict.fromkeys(aims))
    always = attack_modifiers(scene.fighters[intent.actor], name, weapon)
    lines, rolls = [always], {}
    for one in names:
        target, against = scene.fighters[one], one if len(names) > 1 else ""
        target_lives(intent, target)
        at_it = hindrance(scene, intent, target, name, weapon, against)
        goal = difficulty(scene, intent, target, weapon["kind"] == "melee", against)
        lines += [at_it, goal]
        rolls[one] = always.total + at_it.total, goal.total
    shots, own = shots_at(scene, intent, aims, weapon, rolls, len(names) > 1)
    targets = tuple(target_setup(scene.fighters[one], weapon["type"]) for one in names)
    times = 1 + is_close(scene, intent, names, weapon)
    hit, found = damage_setup(scene, intent, name, weapon, times, single=len(shots) == 1)
    dice = AttackSetup(
        hit._replace(most=most_damage(targets)),
        shots,
        targets,
        burst="burst" in weapon["tags"] and len(shots) > 1,
    )
    modifiers = lines_of(*lines, *own, found)
    return Setup(dice, modifiers, prices(name, weapon, len(shots)), name, per_target(dice), weapon)


def _area_setup(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> Setup:
    """STEP-23 to STEP-27: an attack on an area, aimed at a fighter or at a place."""
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    always = attack_modifiers(scene.fighters[intent.actor], name, weapon)
    if target is not None:
        at_it = hindrance(scene, intent, target, name, weapon)
    else:
        at_it = range_penalty(intent, tiles_to(scene, intent, None), name, weapon, "")
    goal = difficulty(scene, intent, target, False)
    count = intent.get("shots", 1)
    if not 1 <= count <= weapon["rof"]:
        refuse(intent, f"the {name} attacks {weapon['rof']} times in one action, not {count}", "STEP-21")
    aim = target.name if target is not None else ""
    rolls = {aim: (always.total + at_it.total, goal.total)}
    shots, own = shots_at(scene, intent, [aim] * max(1, count), weapon, rolls)
    hit, found = damage_setup(scene, intent, name, weapon, single=count == 1)
    area = area_of(scene, intent, weapon, hit.dice)
    targets, dodges = in_reach(scene, intent, weapon, area)
    at = next((number for number, one in enumerate(targets) if one.name == aim), -1)
    dice = AttackSetup(
        hit._replace(extras=0, most=most_damage(targets)),
        tuple(shot._replace(at=at) for shot in shots),
        targets,
        area=area,
    )
    modifiers = lines_of(always, at_it, goal, *own, found, *dodges)
    return Setup(dice, modifiers, prices(name, weapon, len(shots)), name, per_target(dice), weapon)


def execute_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: an attack on a helpless target, with double damage."""
    name, weapon = weapon_in_use(scene, intent, "STEP-16", UNARMED)
    target = scene.fighters[intent.target]
    target_lives(intent, target)
    if not target.has("helpless"):
        hint = f"if it should be: crisis set {slug(target.name)} condition:helpless on"
        refuse(intent, f"{target.name} is not helpless and cannot be executed", "STEP-16", hint=hint)
    if is_area(weapon):
        refuse(intent, f"the {name} strikes an area and executes nobody", "STEP-16", final=True)
    always = attack_modifiers(scene.fighters[intent.actor], name, weapon)
    at_it = hindrance(scene, intent, target, name, weapon)
    goal = difficulty(scene, intent, target, weapon["kind"] == "melee")
    rolls = {target.name: (always.total + at_it.total, goal.total)}
    shots, own = shots_at(scene, intent, [target.name], weapon, rolls)
    sides, resisting = skilled(target, "resist", "body", "STEP-16")
    victim = target_setup(target, weapon["type"])._replace(body=(sides, resisting.total))
    times = 2 + is_close(scene, intent, (target.name,), weapon)
    hit, found = damage_setup(scene, intent, name, weapon, times, executing=True)
    dice = AttackSetup(hit._replace(most=most_damage((victim,))), shots, (victim,), executed=True)
    modifiers = lines_of(always, at_it, goal, *own, found, resisting)
    return Setup(dice, modifiers, prices(name, weapon, 1), name, per_target(dice), weapon)


def target_lives(intent: Intent, target: Fighter) -> None:
    """STEP-32: nobody attacks the dead."""
    if is_dead(target):
        refuse(intent, f"{target.name} is dead already", "STEP-32")


def shot_targets(intent: Intent, name: str, weapon: Mapping[str, Any]) -> list[str]:
    """STEP-21: the target of each shot; spare shots go to the last."""
    targets, rof = list(intent.targets), weapon["rof"]
    shots: int = intent.get("shots", len(targets))
    burst = "burst" in weapon["tags"]
    if burst and intent.get("shots") is None and len(targets) > 1:
        shots = rof
    if shots < max(1, len(targets)):
        few = (
            f"{shots} shots are too few for {len(targets)} targets" if targets else f"{shots} shots are none"
        )
        refuse(intent, few, "STEP-21", "one shot or more for each target", final=True)
    if shots > rof:
        refuse(intent, f"the {name} attacks {rof} times in one action, not {shots}", "STEP-21")
    if burst and shots not in (1, rof):
        refuse(intent, f"the {name} fires 1 shot or a burst of {rof}", "STEP-21", f"give --shots {rof}")
    return targets + targets[-1:] * (shots - len(targets))


def weapon_skill(weapon: Mapping[str, Any]) -> str:
    """STEP-4, STEP-18: the skill that a weapon is used with."""
    return spelled(weapon.get("skill", WEAPON_SKILL[weapon["kind"]]))


def attack_modifiers(fighter: Fighter, name: str, weapon: Mapping[str, Any]) -> Modifiers:
    """STEP-17, STEP-18: what the attacker adds to every attack roll of the action."""
    _, found = skilled(fighter, "attack", weapon_skill(weapon), "STEP-18")
    found.add("hit", weapon["hit"], source=f"weapons.{name}")
    if weapon["kind"] != "melee":
        for posture, worth in POSTURES.items():
            found.add(posture, worth.shots * fighter.has(posture), "STEP-17", "condition")
    return found


def shots_at(
    scene: Scene,
    intent: Intent,
    targets: list[str],
    weapon: Mapping[str, Any],
    rolls: Mapping[str, tuple[int, int]],
    several: bool = False,
) -> tuple[tuple[Shot, ...], list[Modifiers]]:
    """The attack rolls, each further one harder than the one before (STEP-21), and the modifiers of each alone.

    `rolls` gives the bonus and the difficulty against each target; with `several` targets the modifiers name
    theirs. Aim and the modifier of the command count for the first roll alone (STEP-16, ALL-6).
    """
    fighter, names = scene.fighters[intent.actor], list(rolls)
    sides, _ = split(die_of(fighter.sheet, weapon_skill(weapon)))
    shots, found = [], []
    for number, target in enumerate(targets, start=1):
        own = Modifiers("attack", "STEP-21", target if several else "", number if len(targets) > 1 else 0)
        own.add(f"shot {number}", -weapon["rof_penalty"] * (number - 1), source="rate of fire")
        if number == 1:
            aim = fighter.marks.get(AIM, 0) if weapon["kind"] != "melee" else 0
            own.add("aim", aim, "STEP-16", "take-aim").asked(intent)
        bonus, goal = rolls[target]
        alone = len(targets) == 1
        at = names.index(target)
        shots.append(Shot(at, sides, bonus + own.total, goal, 0 if alone else number, alone))
        found.append(own)
    return tuple(shots), found


def damage_setup(
    scene: Scene,
    intent: Intent,
    name: str,
    weapon: Mapping[str, Any],
    times: int = 1,
    *,
    single: bool = True,
    executing: bool = False,
) -> tuple[DamageSetup, Modifiers]:
    """STEP-28: what a hit does, and what is added to its dice.

    Doublings add up to so many `times`, and multiply dice and flat parts of the weapon alone.
    """
    fighter = scene.fighters[intent.actor]
    base = damage_dice(weapon["damage"], split(die_of(fighter.sheet, "body"))) or Amount()
    dice = base._replace(many=base.many * times, plus=base.plus * times)
    if single and "long-range" in weapon["tags"] and dice.many:
        dice = dice._replace(many=dice.many + 1)
    found = Modifiers("damage", "STEP-28").add("weapon", dice.plus, source=f"weapons.{name}")
    dice = dice._replace(plus=found.situational(fighter, "damage").asked(intent, "mod_damage").total)
    asks = scene.open and fighter.player and not executing and "spare" not in intent.options
    spare = bool(intent.get("spare"))
    return DamageSetup(intent.actor, dice, 1 + executing, weapon["piercing"], spare, asks), found


def prices(name: str, weapon: Mapping[str, Any], shots: int) -> tuple[Cost, ...]:
    """STEP-16, STEP-21: the attack's AP, 1 more for each further shot; a round each (a reading)."""
    ap = Cost("ap", weapon["ap"] + (shots - 1) * weapon["rof_ap"], rule="STEP-21" if shots > 1 else "STEP-16")
    return (ap, Cost(f"ammo:{name}", shots, rule="STEP-21")) if "capacity" in weapon else (ap,)


def per_target(setup: AttackSetup) -> tuple[tuple[str, AttackSetup], ...]:
    """For the odds: the attack rolls by themselves, and for each target those that can hurt it."""
    found = [("", setup._replace(targets=()))]
    for at, target in enumerate(setup.targets):
        area = seen_by(target, setup.area) if setup.area else None
        shots = tuple(one._replace(at=0, number=0, keep=False) for one in setup.shots if area or one.at == at)
        found.append((target.name, setup._replace(shots=shots, targets=(target,), area=area)))
    return tuple(found)


# The dice


class ShotResult(NamedTuple):
    """What one attack roll came to."""

    success: bool
    total: int
    """0 where nobody asks for it."""
    extras: int = 0
    harm: int = 0
    """Before armour."""


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """STEP-18: every attack roll, and the damage of every hit."""
    shots = setup.shots
    if setup.area is not None:
        return _attack_area(table, setup, setup.area)
    states = [one.state for one in setup.targets]
    hits, total = 0, 0
    if not setup.targets:
        _, hits, total = table.chain(len(shots), count_hits, (0, 0, 0), shots, setup.damage)
    elif setup.burst:
        hits = _fire_burst(table, setup, states)
    else:
        for at, group in groupby(shots, key=lambda shot: shot.at):
            mine = tuple(group)
            start = (0, 0, 0, states[at])
            end = table.chain(len(mine), shoot, start, mine, setup.targets[at], setup.damage)
            _, landed, total, states[at] = end
            hits += landed
    if setup.executed and hits and states:
        states[0] = table.ask(survive, setup.targets[0], states[0])
    return AttackResult(hits > 0, total if len(shots) == 1 else None, hits, 0, tuple(states))


def count_hits(
    table: RuleTable, state: tuple[int, int, int], shots: tuple[Shot, ...], setup: DamageSetup
) -> tuple[int, int, int]:
    """The next of several attack rolls of which only the hits count; the state: their number, hits, the total."""
    fired, hits, _ = state
    rolled = table.ask(attack_roll, shots[fired], "", setup)
    return fired + 1, hits + rolled.success, rolled.total


def shoot(
    table: RuleTable,
    state: tuple[int, int, int, TargetState],
    shots: tuple[Shot, ...],
    target: TargetSetup,
    setup: DamageSetup,
) -> tuple[int, int, int, TargetState]:
    """The next of some shots at one target; the state: their number, hits, the total, the target's."""
    fired, hits, _, target_state = state
    rolled = table.ask(shot_damage, shots[fired], target.name, setup)
    if rolled.success:
        target_state = apply_hit(table, target, target_state, rolled.harm, setup)
    return fired + 1, hits + rolled.success, rolled.total, target_state


def shot_damage(table: RuleTable, shot: Shot, target: str, setup: DamageSetup) -> ShotResult:
    """STEP-18, STEP-28: an attack roll, and the damage of a hit."""
    rolled = table.ask(attack_roll, shot, target, setup)
    if not rolled.success:
        return rolled
    against = target if shot.number else ""
    harm = table.ask(damage, setup, against, shot.number)
    return ShotResult(True, rolled.total, 0, with_extras(table, setup, harm, rolled.extras))


def attack_roll(table: RuleTable, shot: Shot, target: str, setup: DamageSetup) -> ShotResult:
    """STEP-6, STEP-18: the attack die and the bonus, at or above the difficulty; STEP-8: its extras."""
    about = {"against": target, "shot": shot.number} if shot.number else {}
    table.label("attack", setup.who, f"d{shot.sides}", **about)
    natural = table.ask(roll, shot.sides)
    total, success = total_of(natural, shot.bonus), succeeds(natural, shot.bonus, shot.difficulty)
    earned = extras(total) if success and setup.extras else 0
    noted = {"extras": earned} if earned else {}
    table.result(total=total, target=shot.difficulty, success=success, **noted, **critical(natural))
    return ShotResult(success, total if shot.keep else 0, earned)


def _fire_burst(table: RuleTable, setup: AttackSetup, states: list[TargetState]) -> int:
    """STEP-21: all attack dice first, then damage hit by hit, summed on each target before armour; the hits."""
    got: dict[int, tuple[int, int]] = {}
    for at, group in groupby(setup.shots, key=lambda shot: shot.at):
        mine = tuple(group)
        target = setup.targets[at].name
        _, hits, earned = table.chain(len(mine), burst_roll, (0, 0, 0), mine, target, setup.damage)
        before = got.get(at, (0, 0))
        got[at] = (before[0] + hits, before[1] + earned)
    for at, (hits, earned) in got.items():
        if hits:
            harm = table.ask(burst_damage, setup.damage, hits, earned, setup.targets[at].name)
            states[at] = apply_hit(table, setup.targets[at], states[at], harm, setup.damage)
    return sum(hits for hits, _ in got.values())


def burst_roll(
    table: RuleTable, state: tuple[int, int, int], shots: tuple[Shot, ...], target: str, setup: DamageSetup
) -> tuple[int, int, int]:
    """The next attack roll of a burst; the state: their number, the hits, and their extras."""
    fired, hits, earned = state
    rolled = table.ask(attack_roll, shots[fired], target, setup)
    return fired + 1, hits + rolled.success, earned + min(rolled.extras, setup.most)


def burst_damage(table: RuleTable, setup: DamageSetup, hits: int, earned: int, target: str) -> int:
    """STEP-21: the damage of all hits of a burst on one target; its extras count with the first."""
    harm: int = table.times(hits, damage, setup, target)
    return with_extras(table, setup, harm, earned, hits)


def survive(table: RuleTable, target: TargetSetup, state: TargetState) -> TargetState:
    """STEP-16: a target that survives an execution needs a body roll at or above its wounds, or dies (a reading)."""
    if state.health <= LOWEST:
        return state
    wounds, (sides, bonus) = target.wounds(state), target.body
    table.label("resist", target.name, f"d{sides}")
    natural = table.ask(roll, sides)
    lives = succeeds(natural, bonus, wounds)
    table.result(total=total_of(natural, bonus), target=wounds, success=lives, **critical(natural))
    return state if lives else state._replace(health=LOWEST, spared=False, wounded=True)


def _attack_area(table: RuleTable, setup: AttackSetup, area: Area) -> AttackResult:
    """STEP-23 to STEP-27: an attack on an area, or one after the other."""
    if len(setup.targets) > MOST_AT_ONCE:
        together = f"what an area does to {len(setup.targets)} victims together"
        table.refuse_odds(f"{together} takes too many branches", "ask about each of them")
    targets = declare_dodges(
        table, setup.targets, lambda alone: (expected_wounds, setup._replace(targets=alone))
    )
    states = tuple(one.state for one in targets)
    hits, total, landing = 0, 0, 0
    for number, shot in enumerate(setup.shots):
        rolled, states = go_off(table, shot, targets, states, setup.damage, area, first=not number)
        hits, total, landing = hits + rolled.success, rolled.total, rolled.landing
    return AttackResult(hits > 0, total if len(setup.shots) == 1 else None, hits, landing, states)


def expected_wounds(table: RuleTable, setup: AttackSetup) -> int:
    """STEP-26: the wounds that an attack on an area brings its only target; what a dodge is weighed by."""
    (target,) = setup.targets
    shots = tuple(one._replace(at=0, number=0, keep=False) for one in setup.shots)
    assert setup.area is not None
    alone = setup._replace(shots=shots, area=seen_by(target, setup.area))
    (state,) = table.ask(attack, alone).tolls
    return target.wounds(state)


# After the dice


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """What an attack changes: its targets, where dodgers stand, and the attacker (STEP-16, STEP-26 to STEP-33)."""
    weapon, dice = setup.known, setup.dice
    changes.end(intent.actor, "hidden", "STEP-16")
    if weapon["kind"] != "melee":
        changes.mark(intent.actor, AIM, 0, "STEP-16")
    for target, state in zip(dice.targets, result.tolls, strict=False):
        suffer(changes, target.name, state, weapon["inflicts"])
        if state.dodged:
            changes.mark(target.name, DODGED, 1, "STEP-26")
        if state.dodged == GOT_AWAY:
            step_away(changes, intent, target.name, dice.area, result.landing)
    if weapon["kind"] == "thrown" and not changes.pool(intent.actor, f"ammo:{setup.gear}"):
        held = changes.fighter(intent.actor).held
        changes.hold(intent.actor, (one for one in held if one != setup.gear), "STEP-23")


def landing(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, Any]:
    """STEP-27: `off` tiles from its mark an area attack goes off, and `at` [x, y] where positions are known."""
    area = setup.dice.area
    if area is None:
        return {}
    spot = area.spots[result.landing] if area.spots else None
    place: dict[str, Any] = {"at": spot} if spot else {}
    return place | ({"off": area.off, "unit": "tiles"} if result.landing else {})


def what_changes(result: AttackResult) -> AttackResult:
    """The result without what does nothing to pools and conditions."""
    states = tuple(one._replace(dodged=TRIED) if one.dodged else one for one in result.tolls)
    return AttackResult(result.success, None, 0, 0, states)


def candidates(action: str, *kinds: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """An attack on every foe with every weapon of these kinds in hand, with one shot and with all it has."""

    def found(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] in kinds]
        for name in held or (["unarmed"] if action == "attack" else []):
            rof = 1 if name == "unarmed" else weapons[name]["rof"]
            for foe in scene.foes(who):
                yield Intent(action, who, (foe.name,), {"weapon": name})
                if rof > 1:
                    yield Intent(action, who, (foe.name,), {"weapon": name, "shots": rof})

    return found


def helpless_foes(scene: Scene, who: str) -> Iterator[Intent]:
    """The execution of every helpless foe."""
    return (Intent("execute", who, (foe.name,)) for foe in scene.foes(who) if foe.has("helpless"))


def on_overwatch(scene: Scene, intent: Intent) -> bool:
    """STEP-16: overwatch lets one attack in others' turns."""
    return bool(scene.fighters[intent.actor].marks.get(OVERWATCH))


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
    outputs=landing,
    reactions=("dodge",),
    out_of_turn=on_overwatch,
    bare=what_changes,
    says={
        "melee": "{actor} swings the {gear} at {target}",
        "ranged": "{actor} fires the {gear} at {target}",
        "heavy": "{actor} fires the {gear} at {target}",
        "thrown": "{actor} throws the {gear} at {target}",
        "unarmed": "{actor} goes for {target} with bare hands",
    },
)
THROW = ATTACK._replace(
    title="Throw a weapon",
    rule_id="STEP-23",
    setup=throw_setup,
    candidates=candidates("throw", "thrown"),
    says="{actor} throws the {gear} at {target}",
)
EXECUTE = Action(
    "Kill someone helpless",
    "STEP-16",
    execute_setup,
    attack_effects,
    attack,
    gear="weapons",
    candidates=helpless_foes,
    options=("weapon", "range", "cover", "penetrable", "behind", "mod_damage", "spare"),
    targets="one",
    bare=what_changes,
    says={
        "": "{actor} means to finish {target} with the {gear}",
        "unarmed": "{actor} means to finish {target} with bare hands",
    },
)
