"""`d100`: at or under a rating, with Actions and Small Actions (D100-1 to D100-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from ...rules import (
    ATTACK_SAYS,
    Action,
    Alternative,
    Amount,
    Changes,
    Condition,
    Conversion,
    Cost,
    End,
    ExactOdds,
    Fighter,
    History,
    Initiative,
    Intent,
    Mark,
    Modifiers,
    NamedTuple,
    Opponents,
    OutcomeText,
    OutOfTurn,
    OutputField,
    Pool,
    RollText,
    RuleChange,
    RuleTable,
    Says,
    Scene,
    Setup,
    SheetRules,
    Space,
    System,
    Texts,
    aid_in_use,
    draw_action,
    heal_action,
    increments,
    lacks,
    move_action,
    ready_action,
    refuse,
    reload_action,
    slug,
    target_distance,
    weapon_in_use,
    within,
)
from .options import COMMAND_OPTIONS, SHOTS
from .sheet import (
    ANYTHING,
    CHECK,
    DISTANCES,
    HELP,
    KINDS,
    MINUS,
    NAME,
    OBJECT,
    PLUS,
    RANGES,
    SHEET,
    UNARMED,
    CheckResult,
    Weapon,
    assist,
    die_of,
    faults,
    figures,
    modes_of,
    rated,
    rolled,
    start,
    succeeds,
    with_asked,
)

# The turn order

FIRST, BETWEEN, LAST = 100, 50, 0
"""Of two sides: the scores of those who succeeded, of the others' side, of those who failed (D100-8). Of more
the score of a side is the share of its members who succeeded, in percent (D100-9)."""


class Checker(NamedTuple):
    """A fighter who checks dexterity for a place in the turn order."""

    name: str
    side: str
    target: int
    members: tuple[str, ...]
    """The fighter, and the copies that share the roll."""


class InitiativeSetup(NamedTuple):
    runners: tuple[Checker, ...]
    """Those who check, in the order named."""
    waiting: tuple[str, ...]
    """Of two sides the members of the one that does not check (D100-8)."""
    means: tuple[tuple[str, int, int], ...]
    """Of three sides or more each with the sum of its dexterities and of how many (D100-9); otherwise nothing."""
    agreed: tuple[str, ...] = ()
    """In which order members of a group are named, where they have agreed on one (`--order`)."""


class InitiativeResult(NamedTuple):
    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    teams: tuple[tuple[str, ...], ...]
    """The groups that act at the same time, first to act first."""


def initiative_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-8, D100-9: who checks, by how many sides there are; newcomers check like the side they join."""
    sides: dict[str, list[int]] = {}  # the dexterity of each member
    for fighter in (scene.fighters[name] for name in (*scene.order, *intent.targets)):
        if not fighter.gone:
            sides.setdefault(fighter.side, []).append(fighter.sheet["ratings"]["dexterity"])
    checks = set(sides) if len(sides) != 2 else {"players" if "players" in sides else next(iter(sides))}
    if len(sides) > 2:
        # Newcomers to a side that has its place need no check of their own.
        checks -= {scene.fighters[name].side for name in scene.order}
    rolls: list[Modifiers] = []
    checkers: list[Checker] = []
    for name, sharing in Initiative.grouped(scene, intent).items():
        fighter = scene.fighters[name]
        if fighter.side in checks:
            modifiers = rated(fighter, "initiative", "dexterity", name)
            rolls.append(modifiers if rolls else modifiers.asked(intent))
            checkers.append(Checker(name, fighter.side, modifiers.total, sharing))
    waiting = tuple(name for name in intent.targets if scene.fighters[name].side not in checks)
    means = tuple((side, sum(ratings), len(ratings)) for side, ratings in sides.items() if len(sides) > 2)
    dice = InitiativeSetup(tuple(checkers), waiting, means, tuple(intent.get("order", ())))
    return Setup(dice, Modifiers.lines_of(*rolls))


def initiative(table: RuleTable, setup: InitiativeSetup) -> InitiativeResult:
    """D100-8: success comes before the others, failure after them, in a group as agreed; D100-9: more sides."""
    passed = [
        (checker, rolled(table, "initiative", checker.name, checker.target)[0]) for checker in setup.runners
    ]
    if setup.means:
        groups = by_sides(table, setup, passed)
    else:
        first = [name for checker, success in passed if success for name in checker.members]
        last = [name for checker, success in passed if not success for name in checker.members]
        groups = [(first, FIRST), (list(setup.waiting), BETWEEN), (last, LAST)]
    for team, _ in groups:
        team.sort(key=lambda name: setup.agreed.index(name) if name in setup.agreed else len(setup.agreed))
    scores = tuple((name, score) for team, score in groups for name in team)
    order = tuple(name for name, _ in scores)
    return InitiativeResult(order, scores, tuple(tuple(team) for team, _ in groups if team))


def by_sides(
    table: RuleTable, setup: InitiativeSetup, passed: Sequence[tuple[Checker, bool]]
) -> list[tuple[list[str], int]]:
    """D100-9: by the share of successes, then by mean dexterity, then by a roll-off (the ties are a reading)."""
    means = {side: Fraction(total, members) for side, total, members in setup.means}
    teams: dict[str, dict[str, bool]] = {}
    for checker, success in passed:
        teams.setdefault(checker.side, {}).update(dict.fromkeys(checker.members, success))
    ranks = {side: (Fraction(sum(won.values()), len(won)), means[side]) for side, won in teams.items()}
    levels = sorted(ranks.values())
    places = {side: levels.index(rank) for side, rank in ranks.items()}
    # After twelve roll-offs, less likely than 1e-9, the order of naming settles it.
    placed = Initiative.in_order(
        table, tuple(Initiative(side, 0) for side in ranks), places, Initiative.roll_off(100), (), 12
    ).order
    scored = [([*teams[side]], int(100 * ranks[side][0])) for side in placed]
    return [*scored, ([*setup.waiting], BETWEEN)]


def line_up(changes: Changes, intent: Intent, setup: Setup, result: InitiativeResult) -> None:
    """The groups in their order; newcomers come to their side's group of the same score, else into a new one
    behind those with as much (a reading of D100-8, D100-9)."""
    fighters, scores = changes.scene.fighters, dict(changes.scene.scores)
    teams = [[*team] for team in changes.scene.teams]
    for name, score in result.scores:
        same_side = (team for team in teams if fighters[team[0]].side == fighters[name].side)
        mates = next((team for team in same_side if setup.dice.means or scores[team[0]] == score), None)
        if mates:
            mates.append(name)
            score = scores[mates[0]]
        else:
            behind = (at for at, team in enumerate(teams) if scores[team[0]] < score)
            teams.insert(next(behind, len(teams)), [name])
        scores[name] = score
    changes.assign("", "teams", tuple(tuple(team) for team in teams))
    changes.assign("", "order", tuple(name for team in teams for name in team))
    changes.assign("", "scores", scores)
    if intent.get("in_sequence"):
        changes.assign("", "in_sequence", True)


INIT = Action(
    "Check dexterity for the turn order",
    "D100-8",
    initiative_setup,
    line_up,
    initiative,
    window="table",
    targets="many",
    options=("in-sequence",),
    requires=(Initiative.no_extra_turn("D100-8"),),
)

# Conditions


def next_own_turn(scene: Scene, who: str) -> End | None:
    """D100-15: until the next own turn starts."""
    return ("start-turn", scene.round + 1) if scene.open else None


def is_down(fighter: Fighter) -> bool:
    """D100-27: at Health 0 a fighter is down; nobody dies by rule."""
    return fighter.pools["health"] <= 0


CONDITIONS = {
    "sneaking": Condition(
        "sneaking",
        "D100-15",
        next_own_turn,
        begins="{who} is sneaking, unseen.",
        ends="{who} no longer sneaks.",
    ),
    "down": Condition(
        "down", "D100-27", when=is_down, defeated="down", cannot_act=True, ends="{who} is up again."
    ),
}

# Actions and Small Actions

TURNED = 2
"""D100-10: Small Actions that an Action can be turned into."""
SMALL = (Cost("small-actions", rule="D100-13"),)
FULL = (Cost("actions", rule="D100-13"),)


def start_turn(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D100-10: an Action and two Small Actions, none for those who are down; what was kept is gone (D100-12)."""
    able = not is_down(changes.fighter(intent.actor))
    changes.set(intent.actor, "actions", 1 * able)
    changes.set(intent.actor, "small-actions", 2 * able)


def end_turn(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D100-12: one Small Action is kept, of an Action unspent where there is no other (a reading, by D100-10)."""
    who = changes.fighter(intent.actor)
    left = who.pools["small-actions"] or who.pools["actions"] * TURNED
    changes.set(who.name, "actions", 0)
    changes.set(who.name, "small-actions", min(left, 1))
    for mark, ends in who.marks.items():
        if mark.startswith("readied:"):
            changes.mark(who.name, mark, ends - 1, "D100-11")


PHASES = {
    "start-turn": Action(
        "Gain an Action and two Small Actions", "D100-10", effects=start_turn, window="table"
    ),
    "end-turn": Action("Keep a Small Action", "D100-12", effects=end_turn, window="table"),
}


def full_action(row: Action) -> Action:
    """The row with the cost of an Action (D100-13); readied, a Small Action sets it off, in turn or out (D100-11)."""
    out = OutOfTurn(costs=(Cost("small-actions", rule="D100-11"),), ready_rule="D100-11", ready_in_turn=True)
    return row._replace(costs=FULL, out=out)


# Attacks

REACH = 2
"""Arm's length, in metres: for melee attacks, treatment, and being noticed (D100-15, a reading)."""
CLOSE = ("melee", "thrown")
"""The kinds of weapon that strength adds to (D100-17, D100-29), and that can be answered (D100-23)."""
MOST_CHECKS = 3
"""D100-18: of automatic fire."""
FIREARM = ("mode", "checks", "stable")
"""Options that only firearms take."""


def as_thrown(weapon: Weapon) -> Weapon:
    """D100-29: a weapon when it is thrown; a firearm is an object like any other."""
    return {**weapon, "kind": "thrown"} if weapon.get("kind") in CLOSE else OBJECT


def fire_mode(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> tuple[str, int]:
    """D100-18: the mode asked for or usual, and the number of checks; "" and 1 for what does not fire. D100-22: too few
    shots are refused, with a mode that there are enough for (a reading)."""
    modes = modes_of(weapon)
    if not modes:
        for option in filter(intent.get, FIREARM):
            what = f"the {name} does not fire: --{option} means nothing"
            refuse(intent, what, "D100-18", final=True, code="unheeded_option")
        return "", 1
    usual = "semi" if weapon["kind"] == "rifle" and "semi" in modes else modes[0]
    mode, checks = intent.get("mode") or usual, intent.get("checks", 1)
    can = f"it fires {', '.join(modes)}"
    if mode not in modes:
        refuse(intent, f"the {name} does not fire {mode}", "D100-18", can, code="wrong_item")
    if "checks" in intent.options and mode != "auto":
        what = f"only automatic fire has several checks; this is {mode}"
        refuse(intent, what, "D100-18", can, final=True, code="conflicting_options")
    if not 1 <= checks <= MOST_CHECKS:
        what = f"automatic fire has 1 to {MOST_CHECKS} checks, not {checks}"
        refuse(intent, what, "D100-18", final=True, code="bad_value")
    pool, shots = f"ammo:{name}", checks * SHOTS[mode]
    if (left := scene.fighters[intent.actor].pools.get(pool, shots)) < shots:
        enough = (f"there are enough for --mode {other}" for other in modes if SHOTS[other] <= left)
        hint = next(enough, f"crisis act {slug(intent.actor)} reload {slug(name)}")
        what = f"the {name} of {intent.actor} has {left} shot{'s' * (left != 1)} left; {mode} takes {shots}"
        refuse(intent, what, "D100-22", hint, code="no_ammunition", pool=pool, has=left, needs=shots)
    return mode, checks


class DamageSetup(NamedTuple):
    strength: int
    """Sides of the die of strength; 0 for projectiles."""
    weapon: Amount
    """Of the weapon, everything else added."""
    armour: int


class DefenceSetup(NamedTuple):
    """What the target can do when the damage is known; what it cannot do is None."""

    who: str
    left: int = 0
    """Health that the attack can take, by which a reaction is weighed."""
    block: Amount | None = None
    dodge: Amount | None = None


class AttackSetup(NamedTuple):
    who: str
    targets: tuple[int, ...]
    """What each check must stay at or under."""
    advantage: int
    """1 for [+], -1 for [−], else 0."""
    shots: int
    """Projectiles, or melee attacks, of each check that succeeds."""
    damage: DamageSetup
    defence: DefenceSetup


class AttackResult(NamedTuple):
    success: bool
    total: int | None
    """The face that counted; None of several checks."""
    successes: int
    """Checks that succeeded."""
    harm: int
    """What reaches health."""
    reaction: str = ""


in_melee = within(
    REACH, "D100-17", "a blow", "go closer: crisis act {who} walk toward {target}, or run", "walk"
)


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-16, D100-29: an attack or a throw; refused where target, reach, mode or ammunition forbid it."""
    name, weapon = weapon_in_use(scene, intent, "D100-13", UNARMED, throws="D100-29", as_thrown=as_thrown)
    fighter, kind = scene.fighters[intent.actor], weapon["kind"]
    if kind == "melee":
        in_melee(scene, intent)
    mode, checks = fire_mode(scene, intent, name, weapon)
    surprise = "--surprise" if intent.get("surprise") else "sneaking" * fighter.has("sneaking")
    if intent.get("surprise") and kind not in CLOSE:
        refuse(intent, "surprise is of no use to a shot", "D100-21", code="unheeded_option")
    attack = rated(fighter, "attack", "combat")
    assist(attack, "single shot", "D100-18", "--mode single", count=mode == "single")
    assist(attack, "steady rest", "D100-20", "--stable", count=bool(intent.get("stable")))
    distance, reaches = target_distance(scene, intent), weapon.get("range", RANGES.get(kind))
    beyond = increments(distance, reaches) if kind != "melee" else 0
    assist(attack, "range", "D100-19", f"{distance} m at {reaches} m a range", count=-beyond)
    automatic = f"{MINUS} automatic fire", -(mode == "auto"), "D100-18", "--mode auto"
    surprised = f"{PLUS} surprise", int(bool(surprise) and kind == "melee"), "D100-21", surprise
    first = with_asked(attack, intent, automatic, surprised).total
    # Of several checks --mod is for the first alone (ALL-6).
    targets = (first, *[first - intent.get("mod", 0)] * (checks - 1))
    damage, added = damage_of(scene, intent, name, weapon)
    defence, reactions = defence_of(scene, intent, kind, bool(surprise))
    shots, lines = SHOTS.get(mode, 1), Modifiers.lines_of(attack, added, *reactions)
    dice = AttackSetup(intent.actor, targets, attack.net_advantage, shots, damage, defence)
    # A thrown firearm is one object, however many shots are in it.
    counted = "capacity" in weapon
    spent = (Cost(f"ammo:{name}", checks * shots, rule="D100-22"),) if counted else ()
    return Setup(dice, lines, spent, name, carried=(mode, kind, counted))


def damage_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> tuple[DamageSetup, Modifiers]:
    """The damage of a weapon (D100-17, D100-18, D100-29), armour known (D100-26), and its flat parts."""
    fighter, armour = scene.fighters[intent.actor], scene.fighters[intent.target].sheet["armour"]
    dice = Amount.of(weapon["damage"])
    if dice.sides == 1:
        dice = Amount(plus=dice.plus + dice.many)
    modifiers = Modifiers("damage", "D100-2").add("weapon", dice.plus, source=f"weapons.{name}")
    sides = die_of(fighter.sheet["ratings"]["strength"]) if weapon["kind"] in CLOSE else 0
    modifiers.add("strength", int(sides == 1), "D100-17", "d1")
    more = Modifiers("damage", "ALL-6").situational(fighter, "damage").asked(intent, "mod_damage")
    dice = dice._replace(plus=dice.plus + more.total)
    return DamageSetup(sides, dice, armour), modifiers.extend(more)


REACTIONS, COST = {"block": "D100-24", "dodge": "D100-25"}, 1
"""D100-23: what the target can do, by its rule, and the Small Actions that it takes."""


def defence_of(scene: Scene, intent: Intent, kind: str, unseen: bool) -> tuple[DefenceSetup, list[Modifiers]]:
    """D100-23: with what the target may answer this attack; Refused where `--react` names what it may not."""
    who, wanted = intent.target, intent.get("react", "none")
    target = scene.fighters[who]
    lacking = f"{who} has no Small Action {'left' if who in scene.acting else 'kept'}"
    reasons = (
        (kind not in CLOSE, "a shot can be neither blocked nor dodged", "D100-23"),
        (unseen, f"{who} is not aware of the attack", "D100-23"),
        (is_down(target), f"{who} is down", "D100-27"),
        (target.pools["small-actions"] + TURNED * target.pools["actions"] < COST, lacking, "D100-12"),
    )
    why, rule = next(((why, rule) for holds, why, rule in reasons if holds), ("", ""))
    if wanted in REACTIONS:
        without = "let it be: --react none"
        if why:
            refuse(intent, why, rule, without, code="cannot_react")
        if wanted not in target.sheet:
            what = f"{who} has no {wanted} rating"
            refuse(intent, what, "D100-1", without, final=True, code="cannot_react")
    dice: dict[str, Amount] = {}
    rolls: list[Modifiers] = []
    for reaction, rule in REACTIONS.items() if wanted in REACTIONS or not why else ():
        if reaction in target.sheet:
            rating = Amount.of(target.sheet[reaction])
            rolls.append(Modifiers(reaction, rule).add("rating", rating.plus, source=reaction))
            dice[reaction] = rating._replace(plus=rolls[-1].situational(target, reaction).total)
    return DefenceSetup(who, target.pools["health"], **dice), rolls


# The dice of an attack


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """D100-16: every check first, then the damage of each projectile, then the reaction (D100-23)."""
    who, targets, advantage, shots, *harm = setup
    face = None
    if len(targets) > 1:
        won = sum(table.ask(succeeds, "attack", who, target, advantage) for target in targets)
    else:
        won, face = rolled(table, "attack", who, targets[0], advantage)
    if not won:
        return AttackResult(False, face, 0, 0)
    return AttackResult(True, face, int(won), *table.ask(landed, won * shots, who, *harm))


def damage_roll(table: RuleTable, who: str, damage: DamageSetup) -> int:
    """A rule: what one projectile or melee attack does, armour taken off (D100-26); never below 0."""
    strength, weapon, armour = damage
    dice = " + ".join(part for part in (f"d{strength}" if strength > 1 else "", weapon.dice) if part)
    if dice:
        table.label("damage", who, dice)
    harm = table.die(strength) if strength > 1 else strength
    harm = max(0, harm + weapon.thrown(table))
    if dice:
        table.result(total=harm, **({} if strength else {"spot": spot(harm, weapon)}))
    return table.plus(harm, "armour", -min(harm, armour), "D100-26")


def spot(harm: int, weapon: Amount) -> str:
    """D100-18: where a projectile struck, by thirds of what it can do; said, and nothing more."""
    least, most = weapon.many + weapon.plus, weapon.many * weapon.sides + weapon.plus
    return ("a limb", "the body", "the head")[min(2, 3 * (harm - least) // max(1, most - least + 1))]


def landed(
    table: RuleTable, count: int, who: str, damage: DamageSetup, defence: DefenceSetup
) -> tuple[int, str]:
    """A rule: what is left of the harm of so many projectiles or melee attacks, armour taken off (D100-26), and the
    reaction that the target chooses. Against no harm nothing is spent (D100-24, a reading)."""
    harm = table.times(count, damage_roll, who, damage)
    target, left, *dice = defence
    lost = "Health lost"
    options = [Alternative("none", react, ("none", target, Amount(), left, harm), counts=lost)]
    for name, rating in zip(REACTIONS, dice, strict=True):
        if rating is not None:
            args = name, target, rating, left, harm
            options.append(Alternative(name, react, args, COST, pays="Small Action", counts=lost))
    chosen = table.choose(target, tuple(options)) if harm else options[0]
    _, through = table.ask(chosen.rule, *chosen.args)
    return through, "" if chosen.name == "none" else chosen.name


def react(table: RuleTable, name: str, who: str, dice: Amount, left: int, harm: int) -> tuple[int, int]:
    """A rule: the Health lost after a reaction, at most what is `left`, and the harm. D100-24: what a block rolls comes
    off, but at least 1 stays; D100-25: a dodge at or above what would reach health prevents all of it, else nothing."""
    if name != "none":
        table.label(name, who, dice.dice)
        roll = max(0, dice.thrown(table))
        if name == "block":
            stopped = min(roll, harm - 1)
            table.result(total=roll, stopped=stopped, left=harm - stopped)
            harm = table.plus(harm, "block", -stopped, "D100-24")
        else:
            table.result(total=roll, target=int(harm), success=roll >= harm)
            harm = 0 if roll >= harm else harm
    return min(left, harm), harm


# What an attack changes


def hurt(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """Sneaking ends (D100-15, a reading), the reaction is paid for (D100-23), of the Actions in the own turn where no
    Small Action is left (D100-10), health goes down (D100-27), and what is thrown leaves the hand unless there are more
    of it (D100-29)."""
    who = intent.target
    changes.end(intent.actor, "sneaking", "D100-15")
    if result.reaction:
        cost = changes.number("D100-23").add(result.reaction, -COST)
        if changes.pool(who, "small-actions") < COST:
            changes.adjust(who, "actions", changes.number("D100-10").add("turned", -1))
            cost.add("turned", TURNED, "D100-10")
        changes.adjust(who, "small-actions", cost)
    changes.adjust(who, "health", changes.number("D100-16").from_dice("damage", -result.harm))
    _, kind, counted = setup.carried
    if kind == "thrown" and not (counted and changes.pool(intent.actor, f"ammo:{setup.gear}")):
        changes.drop(intent.actor, setup.gear, "D100-29")


def outputs(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, Any]:
    """`mode`, how a firearm was fired; `past`, that a miss lands past the target (D100-29)."""
    mode, kind, _ = setup.carried
    return {"mode": mode} if mode else {"past": True} if kind == "thrown" and not result.success else {}


IN_HAND = Opponents.attacking("attack", *(kind for kind in KINDS if kind != "thrown"), bare_hands=True)
"""Every weapon in hand, at every foe; bare hands where it is no weapon."""


def mode_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every mode of what is in hand, at every foe."""
    weapons = scene.fighters[who].sheet["weapons"]
    for intent in IN_HAND.of("attack", scene, who):
        modes = modes_of(weapons.get(intent.get("weapon"), UNARMED))
        yield from (intent.plus(mode=mode) for mode in modes) if modes else (intent,)


OPTIONS = ("weapon", "range", "mod_damage", *HELP, "surprise", "in-sequence")
ATTACK = full_action(
    Action(
        "Attack one target with the weapon in hand",
        "D100-16",
        attack_setup,
        hurt,
        attack,
        gear="weapons",
        ai=Opponents(mode_candidates),
        targets="one",
        requires=(lacks("down", "D100-27", of="target", code="already_dead"),),
        says=Says({**ATTACK_SAYS, "": ATTACK_SAYS["ranged"]}, ("hit", "miss")),
        outputs=outputs,
        reactions=tuple(REACTIONS),
        odds=ExactOdds(lambda result: result._replace(total=None)),
        options=(*OPTIONS, *FIREARM),
    )
)
THROW = ATTACK._replace(
    title="Throw a weapon or an object at one target",
    rule_id="D100-29",
    ai=Opponents.attacking("throw", "thrown"),
    options=OPTIONS,
    says=Says(ATTACK_SAYS["thrown"], ("hit", "miss")),
)

# Treating wounds


class HealResult(NamedTuple):
    """What a treatment came to, before the patient's maximum."""

    success: bool
    total: int
    """The face that counted."""
    healed: int


in_reach = within(REACH, "D100-28", "treating")


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-28: medicine, an Assist for an aid, an Obstacle for treating oneself."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    unfit = "the {item} is no aid in treating wounds"
    item, used = aid_in_use(intent, fighter, lambda thing: thing["aid"], "D100-28", unfit)
    if patient.pools["health"] >= patient.full("health"):
        refuse(intent, f"{patient.name} is unhurt", "D100-28", code="condition_forbids")
    in_reach(scene, intent)
    modifiers = rated(fighter, "check", "medicine").situational(fighter, "heal")
    assist(modifiers, item, "D100-28", f"items.{item}", count=bool(item))
    assist(modifiers, "treating oneself", "D100-28", count=-(patient.name == fighter.name))
    with_asked(modifiers, intent)
    return Setup(
        (fighter.name, modifiers.total, modifiers.net_advantage), Modifiers.lines_of(modifiers), used, item
    )


def treat(table: RuleTable, setup: tuple[str, int, int]) -> HealResult:
    """D100-28: success restores d(rating after changes / 10), at least 1; a d1 is not rolled."""
    who, target, advantage = setup
    success, face = rolled(table, "check", who, target, advantage)
    dice = Amount(1, die_of(target)) if die_of(target) > 1 else Amount(plus=1)
    return HealResult(success, face, table.ask(Amount.roll, "heal", who, dice) if success else 0)


def restore(changes: Changes, intent: Intent, setup: Setup, result: HealResult) -> None:
    """D100-28: up to the maximum; at 1 or more those who were down are up again."""
    changes.adjust(intent.patient, "health", changes.number().from_dice("heal", result.healed))


HEAL = heal_action(
    "Treat wounds", "D100-28", heal_setup, restore, treat, FULL, ("item", *HELP), ("healed", "failure")
)

# Moving and sneaking


def walk_pace(fighter: Fighter, metres: int = 2) -> int:
    """D100-14: metres of a walk, in any direction; what is not used is not kept."""
    return max(0, Modifiers("move", "D100-14").base("base", metres).situational(fighter, "move").total)


def run_pace(fighter: Fighter) -> int:
    """D100-14: metres of a run, straight on: 5 and a tenth of dexterity."""
    return walk_pace(fighter, 5 + fighter.sheet["ratings"]["dexterity"] // 10)


Watcher = tuple[str, int, bool]
"""An opponent who could notice: the name, what to stay at or under, and whether it is within arm's length."""


def sneak_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-15: dexterity; those who could notice are the opponents able to act, or those of them who are named."""
    mine = with_asked(rated(scene.fighters[intent.actor], "sneak", "dexterity"), intent)
    rolls = [mine]
    watching: list[Watcher] = []
    for foe in scene.foes(intent.actor):
        if not is_down(foe) and (not intent.targets or foe.name in intent.targets):
            modifiers = rated(foe, "notice", "perception", foe.name)
            distance = scene.distance(intent.actor, foe.name)
            watching.append((foe.name, modifiers.total, distance is not None and distance <= REACH))
            rolls.append(modifiers)
    return Setup((intent.actor, mine.total, mine.net_advantage, tuple(watching)), Modifiers.lines_of(*rolls))


def sneak(table: RuleTable, setup: tuple[str, int, int, tuple[Watcher, ...]]) -> CheckResult:
    """D100-15: if the check fails, each opponent checks perception; one at arm's length once more either way.
    Success is not being noticed; any success of theirs and it is (a reading)."""
    who, target, advantage, watching = setup
    success, face = rolled(table, "sneak", who, target, advantage)
    return CheckResult(not table.ask(noticed, watching, success), face)


def noticed(table: RuleTable, watching: tuple[Watcher, ...], hidden: bool) -> bool:
    """A rule: whether any of these notices."""
    if not watching:
        return False
    (who, target, near), seen = watching[0], False
    for _ in range((not hidden) + near):
        seen = table.ask(succeeds, "notice", who, target) or seen
    # The others check as well, whatever this one sees.
    return table.ask(noticed, watching[1:], hidden) or seen


def hide(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """D100-15: sneaking until the next own turn, unless noticed."""
    changes.begin(intent.actor, "sneaking", "D100-15", result.success)


ON = "go part of the way, or run: crisis act {who} run --to X,Y"
READYABLE = ("attack", "throw", "reload", "run", "heal")
"""D100-11: what takes an Action."""
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "heal": full_action(HEAL),
    "walk": move_action("Walk, 2 m", "D100-14", walk_pace, SMALL, "{actor} walks", hint=ON),
    "run": full_action(
        move_action("Run straight on", "D100-14", run_pace, FULL, "{actor} runs", length=Scene.straight)
    ),
    "sneak": Action(
        "Sneak until the next own turn",
        "D100-15",
        sneak_setup,
        hide,
        sneak,
        costs=SMALL,
        targets="any",
        says=Says("{actor} sneaks along", ("unnoticed", "noticed")),
        options=HELP,
    ),
    "grab": Action("Grab something in reach", "D100-13", costs=SMALL, says=Says("{actor} grabs something")),
    "push": Action(
        "Push a button, or anything as quick", "D100-13", costs=SMALL, says=Says("{actor} pushes something")
    ),
    "draw": draw_action("D100-13", SMALL, "{actor} draws the {gear}"),
    "reload": full_action(reload_action("D100-13", FULL, loads="shots", says="{actor} reloads the {gear}")),
    "ready": ready_action(
        "Ready an action, for a Small Action to set off",
        "D100-11",
        READYABLE,
        FULL,
        # Until the end of the next own turn, after the one that is on.
        lasts=2,
        says="{actor} gets ready to {deed}",
    ),
}

# The rulebook

turn_pool = partial(Pool, rule="D100-10", lasting=False, spent=True, renewed=True)
SYSTEM = System(
    name=NAME,
    title="at or under a rating, Actions and Small Actions",
    sheet=SHEET,
    sheet_rules=SheetRules(check=faults, derived=figures, unlisted_weapons=(ANYTHING,)),
    start=start,
    pools={
        "health": Pool("Health", "D100-1"),
        "actions": turn_pool("Actions"),
        "small-actions": turn_pool("Small Actions", made_of=Conversion("actions", gives=TURNED)),
        "ammo": Pool.rounds("D100-22", "reload", "shots"),
        "uses": Pool("uses", "D100-28", gear="items", full="uses", loose=True),
    },
    conditions=CONDITIONS,
    # D100-11: it has an end of its own.
    marks={"readied": Mark("crisis", "ready to {what}")},
    actions=ACTIONS,
    phases=PHASES,
    says=Texts(
        outputs={
            "metres": OutputField("how far the actor moved, in metres"),
            "healed": OutputField("the Health that a treatment gives, before the patient's maximum"),
            "mode": OutputField("how a firearm was fired: `single`, `semi` or `auto`"),
            "harm": OutputField("the damage that reaches Health"),
        },
        rolls={
            "dodge": RollText("out of the way", "too late"),
            "block": RollText(stops="blocked", unit="damage"),
            "resist": RollText(title="{who} resists {cause}"),
        },
        words={"unnoticed": OutcomeText("unnoticed", True), "noticed": OutcomeText("noticed", False)},
    ),
    # D100-8: harm to the members of the acting group waits.
    simultaneous=frozenset({"health"}),
    command_options=COMMAND_OPTIONS,
    space=Space(reach=REACH, range=DISTANCES),
    history=History(
        (
            RuleChange(
                "D100-17",
                2,
                "a d1 is not rolled",
                touches=lambda was, now: (
                    any(sides == 1 for sides, _ in was.faces)
                    or (now is not None and was.rolls == now.rolls and was.modifiers != now.modifiers)
                ),
            ),
            RuleChange(
                "D100-23",
                2,
                "--react best looks only at the harm that can still be done",
                touches=lambda was, now: now is None or was.choices != now.choices,
            ),
            RuleChange(
                "D100-8",
                6,
                "harm that waits for the end of a group's turn counts in full",
                touches=lambda was, now: was.changed("pending"),
            ),
            RuleChange(
                "D100-11",
                6,
                "a Small Action sets off a readied action in one's own turn too",
                READYABLE,
                lambda was, now: now is not None and was.changed("actions") and not now.changed("actions"),
            ),
            RuleChange(
                "D100-29",
                6,
                "a thrown firearm leaves the hand",
                ("attack", "throw"),
                lambda was, now: now is not None and now.changed("held"),
            ),
            RuleChange("D100-14", 6, "a run is one straight line", ("run",), lambda was, now: was != now),
            RuleChange(
                "D100-23",
                6,
                "block and dodge are possible in one's own turn too",
                ("attack", "throw"),
                lambda was, now: now is not None and was.choices != now.choices,
            ),
        )
    ),
)
