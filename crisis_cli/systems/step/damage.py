"""The dice of attacks, areas and damage, and what they change (STEP-18 to STEP-33)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ...rules import (
    ATTACK_SAYS,
    Action,
    Alternative,
    Amount,
    Changes,
    End,
    ExactOdds,
    Intent,
    Opponents,
    OutOfTurn,
    RuleTable,
    Says,
    Scene,
    Setup,
    has,
    lacks,
    landed,
    noticed,
)
from . import sheet
from .attacks import (
    DODGED,
    GOT_AWAY,
    TRIED,
    Area,
    AttackResult,
    AttackSetup,
    DamageSetup,
    Progress,
    Shot,
    States,
    TargetSetup,
    TargetState,
    attack_setup,
)
from .checks import AIM, OVERWATCH, DieAndBonus, extras, rolled
from .sheet import LOWEST, SPACE, TREATED

# The dice of attacks

ALL = 9999
"""More damage than any attack does."""
GREAT = 13
"""STEP-32: wounds of one hit that incapacitate by themselves."""


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """STEP-18: every attack roll, and the damage of every hit; dodges are declared before (STEP-26)."""
    if setup.areas:
        if len(setup.targets) > 1:
            together = f"what an area does to {len(setup.targets)} targets together takes too many branches"
            table.refuse_odds(together, "ask about each of them")
        targets = tuple(declare_dodge(table, setup, target) for target in setup.targets)
        setup = setup._replace(targets=targets)
    return table.ask(roll_attack, setup)


def roll_attack(table: RuleTable, setup: AttackSetup, most: int = ALL) -> AttackResult:
    """STEP-18, STEP-21: an attack with all dodges declared; in odds `most` is the damage that can change anything."""
    states, several = tuple(target.state for target in setup.targets), len(setup.shots) > 1
    if setup.burst and setup.targets:
        return fire_burst(table, setup, states, most)
    start = (0, AttackResult(False, 0, 0, 0, states))
    _, result = table.chain(len(setup.shots), go_off if setup.areas else shoot, start, setup, most)
    if setup.targets and setup.targets[0].resists and not setup.areas:
        state = table.ask(survive, setup.targets[0], result.tolls[0], bool(setup.damage.spare))
        result = result._replace(tolls=(state,))
    return result._replace(total=None) if several else result


def shoot(table: RuleTable, progress: Progress, setup: AttackSetup, most: int) -> Progress:
    """The next shot, and the damage of a hit."""
    fired, before = progress
    shot, states = setup.shots[fired], before.tolls
    success, total, harm = table.ask(shot_damage, shot, setup.damage, most)
    if success and states:
        states = strike(table, setup, states, setup.at(shot), harm)
    return fired + 1, before.then(success, total, states)


def strike(table: RuleTable, setup: AttackSetup, states: States, at: int, harm: int) -> States:
    """The states of the targets after a hit on one of them."""
    return (*states[:at], wound(table, setup.targets[at], states[at], harm, setup.damage), *states[at + 1 :])


def shot_damage(table: RuleTable, shot: Shot, setup: DamageSetup, most: int) -> tuple[bool, int, int]:
    """STEP-18, STEP-28: whether a shot hits, its total if it is the only one, and the damage of a hit."""
    success, total, earned = table.ask(attack_roll, shot, setup)
    target = shot.target if shot.number else ""
    harm = table.ask(damage_of, setup, most, 1, earned, target, shot.number) if success else 0
    return success, total, harm


def attack_roll(table: RuleTable, shot: Shot, setup: DamageSetup) -> tuple[bool, int, int]:
    """STEP-6, STEP-18: whether a shot hits, its total if it is the only one, and its extras (STEP-8)."""
    reached, total = rolled(table, "attack", shot.dice, shot.difficulty, 0, **shot.about)
    success = reached >= shot.difficulty
    earned = extras(total) if success and setup.extras else 0
    table.result(extras=earned or None)
    return success, 0 if shot.number else total, earned


def fire_burst(table: RuleTable, setup: AttackSetup, states: States, most: int) -> AttackResult:
    """STEP-21: all attack dice first, then damage hit by hit, summed on each target before armour."""
    _, scores = table.chain(len(setup.shots), fire, (0, ((0, 0),) * len(states)), setup, most)
    for at, (hits, earned) in enumerate(scores):
        if hits:
            harm = table.ask(damage_of, setup.damage, most, hits, earned, setup.targets[at].name)
            states = strike(table, setup, states, at, harm)
    hits = sum(hits for hits, _ in scores)
    return AttackResult(hits > 0, None, hits, 0, states)


Scores = tuple[int, tuple[tuple[int, int], ...]]
"""How many attack rolls of a burst were made, and for each target the hits and extras."""


def fire(table: RuleTable, before: Scores, setup: AttackSetup, most: int) -> Scores:
    """The next attack roll of a burst."""
    fired, scores = before
    at = setup.at(setup.shots[fired])
    success, _, earned = table.ask(attack_roll, setup.shots[fired], setup.damage)
    score = scores[at][0] + success, min(scores[at][1] + earned, most)
    return fired + 1, (*scores[:at], score, *scores[at + 1 :])


def survive(table: RuleTable, target: TargetSetup, state: TargetState, spares: bool) -> TargetState:
    """STEP-16: who survives an execution rolls body at or above the wounds, or dies (a reading); but for STEP-33."""
    wounds = target.wounds(state)
    if not wounds or state.health <= LOWEST or target.resists is None:
        return state
    reached, _ = rolled(table, "resist", target.resists, wounds, cause="the execution")
    if reached >= wounds or state.spared:
        return state
    health = table.plus(state.health, "executed", LOWEST - state.health, "STEP-16")
    health = spared_health(table, target.state, health) if spares else health
    return state._replace(health=health, spared=spares, wounded=True)


# The odds of each target alone


def attack_part(table: RuleTable, setup: AttackSetup, who: str, lives: bool) -> AttackResult:
    """The attack rolls by themselves or, of a target by its name, those that can hurt it."""
    if not who:
        rolls = setup._replace(targets=(), areas=(), damage=DamageSetup(setup.damage.who, Amount(), 0))
        return attack(table, rolls)
    tolls = (
        alone(table, setup, declare_dodge(table, setup, target)) if target.name == who else target.state
        for target in setup.targets
    )
    return AttackResult(False, None, 0, 0, tuple(tolls))


def alone(table: RuleTable, setup: AttackSetup, target: TargetSetup) -> TargetState:
    """What becomes of one target of an attack, its dodge declared; the total of no shot is looked at."""
    mine = (shot for shot in setup.shots if setup.areas or shot.target == target.name)
    shots = tuple(shot._replace(target=target.name, number=1) for shot in mine)
    most = max(max(other.state.health - LOWEST, GREAT) + other.dr for other in setup.targets)
    return table.ask(roll_attack, setup._replace(shots=shots, targets=(target,)), most).tolls[0]


# The dice of areas


def declare_dodge(table: RuleTable, setup: AttackSetup, target: TargetSetup) -> TargetSetup:
    """STEP-26: a target with its dodge, or without it, as it is declared before the attack is rolled."""
    if target.resists is None:
        return target
    ways = {"none": target._replace(resists=None), "dodge": target}
    choices = (
        Alternative(name, expected_wounds, (setup, way), counts="wounds") for name, way in ways.items()
    )
    return ways[table.choose(target.name, tuple(choices)).name]


def expected_wounds(table: RuleTable, setup: AttackSetup, target: TargetSetup) -> int:
    """STEP-26: the wounds that an attack on an area brings a target; what a dodge is weighed by."""
    return target.wounds(alone(table, setup, target))


def go_off(table: RuleTable, progress: Progress, setup: AttackSetup, most: int) -> Progress:
    """The next shot at an area, the nearest targets first; each dodges the first shot aimed near it (STEP-26)."""
    (fired, before), targets, hit = progress, setup.targets, setup.damage
    shot, area, states = setup.shots[fired], setup.areas[fired], list(before.tolls)
    dodgers = tuple(foe.resists for foe in targets if foe.resists and foe.dodges == fired)
    success, total, landing, escaped = table.ask(area_roll, shot, area, dodgers)
    tiles = [target.away[fired][landing] + (target.name in escaped) for target in targets]
    for at in sorted(range(len(targets)), key=tiles.__getitem__):
        target, state = targets[at], states[at]
        if target.resists and target.dodges == fired:
            state = state._replace(dodged=GOT_AWAY if target.name in escaped else TRIED)
        if target.away[fired][landing] <= area.radius < tiles[at]:
            state = graze(table, state, "dodged")
        elif tiles[at] <= area.radius:
            # STEP-25: one die fewer for each tile, at least one.
            fewer = min(tiles[at], hit.dice.many - 1) if area.thins and hit.dice.many else 0
            thinned = hit._replace(dice=hit.dice._replace(many=hit.dice.many - fewer)) if fewer else hit
            harm = table.ask(damage, thinned, most, target.name, shot.number)
            state = wound(table, target, state, harm, hit)
        states[at] = state
    return fired + 1, before.then(success, total, tuple(states), landing)


def area_roll(
    table: RuleTable, shot: Shot, area: Area, dodgers: tuple[DieAndBonus, ...]
) -> tuple[bool, int, int, tuple[str, ...]]:
    """STEP-23 to STEP-27: whether it hits, its total if it is the only shot, its landing, and who dodged it."""
    reached, total = rolled(table, "attack", shot.dice, shot.difficulty, 0, **shot.about)
    success = reached >= shot.difficulty
    escaped = tuple(dodger.who for dodger in dodgers if table.ask(dodge, dodger, reached, total))
    landing = 0 if success else table.ask(scatter, shot.dice.who, area)
    return success, 0 if shot.number else total, landing, escaped


def dodge(table: RuleTable, dodger: DieAndBonus, attack_reached: int, attack_total: int) -> bool:
    """STEP-26: whether athletics is strictly higher than the attack (a reading)."""
    reached, _ = rolled(table, "dodge", dodger, attack_total)
    table.result(success=reached > attack_reached)
    return reached > attack_reached


def scatter(table: RuleTable, who: str, area: Area) -> int:
    """STEP-27: where a miss goes off, by its direction: 1 straight back to the thrower."""
    sides = len(area.spots) - 1
    table.label("scatter", who, f"d{sides}")
    direction: int = table.die(sides)
    spot = area.spots[direction]
    table.result(total=direction, at=list(spot) if spot else None)
    return direction


# Damage


def damage(table: RuleTable, setup: DamageSetup, most: int, target: str = "", number: int = 0) -> int:
    """STEP-28: the weapon's damage before extras and armour, noted as that of a shot; it may be 0 or less."""
    dice = setup.dice
    if not dice.many:
        return min(dice.plus, most)
    table.label("damage", setup.who, dice.dice, against=target, shot=number or "")
    harm = table.ask(roll_damage, dice)
    table.result(total=harm)
    return min(harm, most)


def roll_damage(table: RuleTable, dice: Amount) -> int:
    """STEP-28: dice that explode and never implode (a reading), and the flat part."""
    return table.exploding(dice.many, dice.sides, int) + dice.plus


def damage_of(
    table: RuleTable, setup: DamageSetup, most: int, hits: int, extras: int, target: str = "", number: int = 0
) -> int:
    """STEP-21, STEP-28: the damage of so many hits together; their extras are noted with the first of them."""
    harm: int = table.times(hits, damage, setup, most, target, number)
    added = extras * setup.extras
    if added and setup.dice.many:
        table.add_to(hits, added)
    return min(table.plus(min(harm, most), "extra", added, "STEP-28"), most)


def wound(
    table: RuleTable, target: TargetSetup, state: TargetState, harm: int, setup: DamageSetup
) -> TargetState:
    """The target after one hit of so much damage, extras included (STEP-29 to STEP-33)."""
    if state.health <= LOWEST:
        return state
    dr = target.dr if state.durability > 0 else 0
    worn = table.plus(state.durability, "blocked", -min(max(harm, 0), dr), "STEP-29")
    worn = table.plus(worn, "limit", max(0, -worn), "STEP-29")
    through = table.plus(harm, "armour", -dr, "STEP-29")
    through = table.plus(through, "piercing", min(setup.piercing, dr), "STEP-29")
    if harm <= 0 or through <= 0:
        return graze(table, state._replace(durability=worn), "stopped" if harm > 0 else "no damage")
    # Not a difference: that would lose the parts.
    health = state.health + -through
    spared = health <= LOWEST and knocks_out(table, setup, target.name)
    health = spared_health(table, state, health) if spared else health
    health = table.plus(health, "limit", max(0, LOWEST - health), "STEP-32")
    great = state.great or through >= GREAT
    return TargetState(health, state.nonlethal, worn, great, spared, True, state.dodged, True)


def spared_health(table: RuleTable, before: TargetState, health: int) -> int:
    """STEP-33: the Health of a spared target stops at 0, or where it was below that before the attack."""
    return table.plus(health, "spared", min(0, before.health) - health, "STEP-33")


def knocks_out(table: RuleTable, setup: DamageSetup, target: str) -> bool:
    """STEP-33: whether a target that would die is spared; its attacker's player decides where nothing is said."""
    if setup.spare is not None or target == setup.who:
        return bool(setup.spare)
    kill = Alternative("kill", no_harm, gains=f"{target} dies")
    spare = Alternative("spare", no_harm, gains=f"{target} is knocked out", deliberate=True)
    return table.choose(setup.who, (kill, spare)).name == "spare"


def no_harm(table: RuleTable) -> int:
    """What either choice of the attacker costs the attacker."""
    return 0


def graze(table: RuleTable, state: TargetState, why: str) -> TargetState:
    """STEP-30: a hit that comes to nothing, or a dodge out of the blast: one non-lethal wound, and nothing else."""
    if state.health <= LOWEST:
        return state
    return state._replace(nonlethal=table.plus(state.nonlethal, why, 1, "STEP-30"))


# What an attack changes


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """What an attack changes: its targets, where dodgers stand, and the attacker (STEP-16, STEP-26 to STEP-33)."""
    weapon, dice = setup.carried, setup.dice
    changes.end(intent.actor, "hidden", "STEP-16")
    if weapon["kind"] != "melee":
        changes.mark(intent.actor, AIM, 0, "STEP-16")
    # The odds of the attack rolls by themselves have no targets.
    for target, state in zip(dice.targets, result.tolls, strict=False):
        suffer(changes, target.name, state, weapon["inflicts"])
        if state.dodged:
            changes.mark(target.name, DODGED, 1, "STEP-26")
        if state.dodged == GOT_AWAY:
            # For odds every blast is taken to go off at its mark.
            landed_at = result.landings[target.dodges] if result.landings else 0
            step_away(changes, intent, target.name, dice.areas[target.dodges].spots[landed_at])
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
        changes.begin(name, condition, "STEP-30")
    for condition in ("incapacitated", "helpless") if state.spared else ():
        changes.begin(name, condition, "STEP-33", until=out_of_action(changes))
    if state.great and not state.spared:
        changes.begin(name, "incapacitated", "STEP-32", until=TREATED)


def out_of_action(changes: Changes) -> End:
    """STEP-33, STEP-36: the end of the ten rounds that a spared or a stabilised fighter is down."""
    return ("end-round", changes.scene.round + 10)


def step_away(changes: Changes, intent: Intent, name: str, spot: tuple[float, float] | None) -> None:
    """STEP-26: a dodger goes one tile straight away from the blast; from its centre, away from the attacker."""
    at, here = changes.fighter(name).at, changes.fighter(intent.actor).at
    if at is None or spot is None:
        return
    origin = next((place for place in (spot, here or at) if tuple(place) != tuple(at)), (at[0], at[1] - 1))
    ways, field = 6 if intent.get("hex") else 8, changes.scene.field
    to = landed(origin, at, ways // 2 + 1, 1, ways)
    if to is not None and (field is None or not field.at(to).stops_move):
        changes.move(name, to, "STEP-26")


def landing(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, Any]:
    """STEP-27: `off` tiles from its mark the last shot at an area went off, and `at` [x, y] if positions are known."""
    if not setup.dice.areas:
        return {}
    area = setup.dice.areas[-1]
    spot = area.spots[result.landing]
    place: dict[str, Any] = {"at": spot} if spot else {}
    return place | ({"off": area.off, "unit": "tiles"} if result.landing else {})


def candidates(action: str, *kinds: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """An attack on every foe with every weapon of these kinds in hand, with one shot and with all it has."""
    offered = Opponents.attacking(action, *kinds, bare_hands=action == "attack")

    def attacks(scene: Scene, who: str) -> Iterator[Intent]:
        for intent in offered.of(action, scene, who):
            yield intent
            weapon = scene.fighters[who].sheet["weapons"].get(intent.get("weapon"), sheet.UNARMED)
            if weapon["rof"] > 1:
                yield intent.plus(shots=weapon["rof"])

    return attacks


def executions(scene: Scene, who: str) -> Iterator[Intent]:
    """An execution of every helpless foe."""
    return (Intent("execute", who, (foe.name,)) for foe in scene.foes(who) if foe.has("helpless"))


LOOK = "look for them: crisis check search --vs {who} stealth, or move beside them"
ATTACK = Action(
    "Attack with the weapon in hand",
    "STEP-18",
    attack_setup,
    attack_effects,
    attack,
    gear="weapons",
    ai=Opponents(candidates("attack", "melee", "ranged", "heavy")),
    options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage", "shots", "at"),
    targets="many",
    requires=(noticed("hidden", SPACE.beside, "STEP-16", LOOK),),
    says=Says({**ATTACK_SAYS, "heavy": ATTACK_SAYS["ranged"]}, ("hit", "miss")),
    outputs=landing,
    reactions=("dodge",),
    # STEP-16: overwatch lets one attack in others' turns.
    out=OutOfTurn(allowed=lambda scene, intent: OVERWATCH in scene.fighters[intent.actor].marks),
    odds=ExactOdds(
        effect_key=lambda result: result._replace(total=None, hits=0, landing=0, landings=()),
        targets=lambda setup: (target.name for target in setup.targets),
        part=attack_part,
    ),
)
THROW = ATTACK._replace(
    title="Throw a weapon",
    rule_id="STEP-23",
    ai=Opponents(candidates("throw", "thrown")),
    says=Says(ATTACK_SAYS["thrown"], ("hit", "miss")),
)
TRIES = "{actor} tries to kill {target} with "
EXECUTE = ATTACK._replace(
    title="Kill someone helpless",
    rule_id="STEP-16",
    ai=Opponents(executions),
    options=("weapon", "range", "cover", "penetrable", "behind", "mod_damage", "spare"),
    targets="one",
    requires=(
        *ATTACK.requires,
        lacks("dead", "STEP-32", "{who} is dead already", of="target", code="already_dead"),
        has("helpless", "STEP-16", of="target", hint="change it: crisis set {who} condition:helpless on"),
    ),
    reactions=(),
    out=OutOfTurn(),
    says=Says({"": TRIES + "the {gear}", "unarmed": TRIES + "bare hands"}, ("hit", "miss")),
)
