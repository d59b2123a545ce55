"""`wilds`: frontier fights with exploding dice, a deck of cards and chips. An example of crisis-system(7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from crisis_cli.rules import (
    Action,
    Alternative,
    Amount,
    Changes,
    Charge,
    Condition,
    Cost,
    DiceText,
    Field,
    Fighter,
    Flag,
    Initiative,
    Intent,
    MapOf,
    Modifiers,
    OneOf,
    Opponents,
    OutputField,
    Pool,
    Rest,
    RollText,
    RuleTable,
    Says,
    Scene,
    Section,
    Setup,
    SheetRules,
    Space,
    Start,
    System,
    Texts,
    Whole,
    check_action,
    draw_action,
    known_word,
    move_action,
    refuse,
    reload_action,
    sheet,
    supplies,
    target_distance,
    weapon_in_use,
)

# The sheet

DICE = ("d4", "d6", "d8", "d10", "d12")
"""WILD-1: the dice of traits and skills, from the weakest to the strongest."""
TRAITS = ("agility", "wits", "spirit", "might", "vigour")
SKILLS = ("fighting", "shooting", "healing", "notice", "stealth", "riding", "tracking", "persuasion")
UNTRAINED = -2
"""WILD-1: a skill that is not on the sheet is a d4 with this."""
UNARMED: Mapping[str, Any] = {"kind": "melee", "reach": 1, "pierces": 0}
"""WILD-3: bare hands."""
COVER = {"none": 0, "light": -2, "heavy": -4}
"""WILD-8: what cover does to shots."""
SPACE = Space(unit="yd", moved="yards", range=Whole(0, 999), cover=OneOf(tuple(COVER)))

_weapon = Section(
    {
        "kind": Field(OneOf(("melee", "ranged")), "how it is used", "WILD-3", required=True),
        "damage": Field(DiceText(), "its dice; those of might come to a melee weapon", "WILD-3", required=True),
        "pierces": Field(Whole(0, 9), "armour that does not count", "WILD-9", 0),
        "reach": Field(Whole(1, 3), "how far a melee weapon reaches, in yards", "WILD-8", 1),
        "range": Field(Whole(1, 99), "short range in yards; medium is twice, long four times that", "WILD-8"),
        "capacity": Field(Whole(1, 99), "shots of a full weapon", "WILD-12"),
    }
)
_item = Section({"uses": Field(Whole(1, 99), "how often it can be used", "WILD-13")})
SHEET = sheet(
    "wilds",
    {
        "hero": Field(Flag(), "whether a wild die comes to its rolls, and it takes three wounds", "WILD-2", False),
        "traits": Field(
            Section({one: Field(OneOf(DICE), f"the die of {one}", "WILD-1", "d6") for one in TRAITS}),
            "the dice of the five traits",
            "WILD-1",
            dict.fromkeys(TRAITS, "d6"),
        ),
        "skills": Field(MapOf(OneOf(DICE), words=dict.fromkeys(SKILLS)), "dice of skills", "WILD-1", {}),
        "armour": Field(Whole(0, 9), "added to toughness", "WILD-9", 0),
        "pace": Field(Whole(0, 30), "yards a turn", "WILD-11", 6),
        "chips": Field(Whole(0, 9), "chips at the start of a crisis", "WILD-6", 0),
        "quick": Field(Flag(), "dealt two cards, of which the better counts", "WILD-5", False),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "WILD-3", {}),
        "items": Field(MapOf(_item), "things carried, by name", "WILD-13", {}),
    },
    circumstance=("attack", "damage", "parry", "toughness", "soak", "recovery", "check", *TRAITS, *SKILLS),
    pools=("wounds", "nights"),
    conditions=("out",),
)
POOLS = {
    "wounds": Pool("wounds", "WILD-10", counts_up=True),
    "chips": Pool("chips", "WILD-6", lasting=False, not_vital=True),
    "nights": Pool("nights of healing", "WILD-14", counts_up=True, not_vital=True, hidden_when_full=True),
    "action": Pool("actions", "WILD-11", lasting=False, spent=True, renewed=True),
    "move": Pool("moves", "WILD-11", lasting=False, spent=True, renewed=True),
    "ammo": Pool("rounds", "WILD-12", gear="weapons", refill="reload", board="{left} in the {thing}", full="capacity"),
    "uses": Pool("uses", "WILD-13", gear="items", full="uses", loose=True),
}
MOST_WOUNDS, NIGHTS = 3, 5
"""WILD-10: wounds that a hero can take and still stand. WILD-14: the nights after which vigour is rolled."""


def start(values: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (WILD-6, WILD-10)."""
    most = MOST_WOUNDS + 1 if values["hero"] else 1
    counts = {"wounds": (0, 0, most), "nights": (0, 0, NIGHTS), "chips": (values["chips"], 0, None)}
    return Start.of(values, {**supplies(values), **counts, "action": 1, "move": 1})


def sides_of(die: str) -> int:
    """The sides of a die on a sheet."""
    return int(die[1:])


def parry(fighter: Fighter) -> int:
    """WILD-7: what a blow at the fighter must reach."""
    die = fighter.sheet["skills"].get("fighting")
    return 2 + (sides_of(die) // 2 if die else 0)


def toughness(fighter: Fighter) -> int:
    """WILD-9: what damage must reach, without armour."""
    return 2 + sides_of(fighter.sheet["traits"]["vigour"]) // 2


# Conditions


def is_out(fighter: Fighter) -> bool:
    """WILD-10: as many wounds as the fighter can take."""
    return fighter.pools["wounds"] >= fighter.full("wounds")


CONDITIONS = {
    "out": Condition(
        "out of the fight",
        "WILD-10",
        when=is_out,
        defeated="down",
        cannot_act=True,
        clears=("rattled",),
        ends="{who} is on their feet again.",
    ),
    "rattled": Condition("rattled", "WILD-10", lasting=False, cannot_act=True, ends="{who} is calm again."),
}

# The deck

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = (*map(str, range(2, 11)), "knave", "queen", "king", "ace")
JOKERS = ("black joker", "red joker")
CARDS = (*(f"{rank} of {suit}" for rank in RANKS for suit in SUITS), *JOKERS)
"""WILD-5: the cards, the last one acts first."""
DECKS = {"cards": CARDS}


def has_joker(scene: Scene, who: str) -> bool:
    """WILD-5: whether the fighter acts on a joker in this round."""
    return scene.scores.get(who, 0) >= len(CARDS) - len(JOKERS)


# Trait rolls


class TraitRoll(NamedTuple):
    """A die that somebody rolls, with a wild die beside it or without."""

    what: str
    who: str
    sides: int
    is_wild: bool
    bonus: int


class Tried(NamedTuple):
    """What a trait roll came to."""

    success: bool
    raises: int = 0


def face_value(value: int) -> int:
    """WILD-2: what an exploding die counts."""
    return value


def best(table: RuleTable, roll: TraitRoll) -> int:
    """WILD-2: the trait die, or the wild die if that is higher."""
    table.label(roll.what, roll.who, f"d{roll.sides}!")
    value = table.exploding(1, roll.sides, face_value)
    if roll.is_wild:
        table.label("wild die", roll.who, "d6!")
        value = max(value, table.exploding(1, 6, face_value))
        table.join(2)
    return value


def tried(table: RuleTable, roll: TraitRoll, target: int, most: int) -> Tried:
    """WILD-4: at or above the target it succeeds, with a raise for each 4 beyond; more than `most` raises count no
    more."""
    total = table.ask(best, roll) + roll.bonus
    success = total >= target
    raises = min(max(0, total - target) // 4, most)
    table.result(total=total, target=target, success=success, **({"raises": raises} if raises else {}))
    return Tried(success, raises)


def lines_for(scene: Scene, who: str, roll: str, trait: str, rule: str, against: str = "") -> Modifiers:
    """WILD-4, WILD-5, WILD-10: what is added to a trait roll, wounds and cards included."""
    fighter = scene.fighters[who]
    found = Modifiers(roll, rule, against)
    if trait in SKILLS and trait not in fighter.sheet["skills"]:
        found.add("untrained", UNTRAINED, "WILD-1", trait)
    found.add("wounds", -min(MOST_WOUNDS, fighter.pools["wounds"]), "WILD-10", "wounds")
    found.add("joker", 2 * has_joker(scene, who), "WILD-5", "card")
    return found.situational(fighter, roll, trait)


def roll_of(fighter: Fighter, what: str, trait: str, lines: Modifiers) -> TraitRoll:
    """WILD-1, WILD-2: the roll of a trait or a skill."""
    die = fighter.sheet["traits"].get(trait) or fighter.sheet["skills"].get(trait, "d4")
    return TraitRoll(what, fighter.name, sides_of(die), fighter.sheet["hero"], lines.total)


# Chips


def fails(table: RuleTable, *args: Any) -> tuple[int, int]:
    """WILD-6: the roll stays as it fell."""
    return 1, 0


def again(table: RuleTable, roll: TraitRoll, target: int, most: int) -> tuple[int, int]:
    """WILD-6: the roll once more: 1 for a failure, and the raises."""
    second = tried(table, roll, target, most)
    return int(not second.success), second.raises


def with_chips(table: RuleTable, roll: TraitRoll, target: int, most: int, chips: int) -> tuple[Tried, int]:
    """WILD-6: a roll, and new ones for a chip each while it fails; gives the chips that were spent."""
    result, spent = tried(table, roll, target, most), 0
    while not result.success and spent < chips:
        args = (roll, target, most)
        taken = table.choose(
            roll.who, (Alternative("keep", fails, args), Alternative("reroll", again, args, 1, "chip"))
        )
        if not taken.cost:
            break
        failed, raises = table.ask(taken.rule, *taken.args)
        result, spent = Tried(not failed, raises), spent + 1
    return result, spent


# Attacks


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    roll: TraitRoll
    target: str
    need: int
    chips: int
    dice: tuple[Amount, ...]
    bonus: int
    toughness: int
    is_rattled: bool
    soak: TraitRoll | None
    """The roll by which the target may soak wounds; None without a chip."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    raises: int = 0
    wounds: int = 0
    rattles: bool = False
    spent: int = 0
    """Chips of the attacker."""
    soaked: bool = False
    """Whether the target has paid a chip."""


def added_up(table: RuleTable, dice: tuple[Amount, ...]) -> int:
    """WILD-9: exploding dice of several sizes; asked for size by size, so that odds keep nothing but the sums."""
    if not dice:
        return 0
    *others, last = dice
    return table.ask(added_up, tuple(others)) + table.exploding(last.many, last.sides, face_value)


def damage(table: RuleTable, who: str, dice: tuple[Amount, ...], bonus: int, target: str) -> int:
    """WILD-9: damage dice explode too."""
    table.label("damage", who, " + ".join(f"{one.dice}!" for one in dice), against=target)
    total = bonus + table.ask(added_up, dice)
    table.result(total=total)
    return total


def harm(table: RuleTable, setup: AttackSetup, raises: int) -> tuple[bool, int]:
    """WILD-9, WILD-10: whether damage rattles, and the wounds: one for each 4 beyond toughness."""
    dice = (*setup.dice, Amount(1, 6)) if raises else setup.dice
    beyond = damage(table, setup.roll.who, dice, setup.bonus, setup.target) - setup.toughness
    if beyond < 0:
        return False, 0
    return True, max(min(beyond // 4, MOST_WOUNDS + 1), int(setup.is_rattled))


def bear(table: RuleTable, roll: TraitRoll, wounds: int) -> tuple[int, int]:
    """WILD-6: the wounds are taken."""
    return 1, wounds


def soak(table: RuleTable, roll: TraitRoll, wounds: int) -> tuple[int, int]:
    """WILD-6: vigour against 4: a success soaks a wound, and each raise another one."""
    result = tried(table, roll, 4, MOST_WOUNDS)
    left = max(0, wounds - result.success - result.raises)
    return int(left > 0), left


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """WILD-7 to WILD-10: the roll, the damage of a hit, and what the target soaks of it."""
    (success, raises), spent = with_chips(table, setup.roll, setup.need, 1, setup.chips)
    if not success:
        return AttackResult(False, spent=spent)
    rattles, wounds = table.ask(harm, setup, raises)
    if not wounds or setup.soak is None:
        return AttackResult(True, raises, wounds, rattles, spent)
    args = (setup.soak, wounds)
    ways = (Alternative("bear", bear, args), Alternative("soak", soak, args, 1, "chip", gains="no wound"))
    taken = table.choose(setup.target, ways)
    _, left = table.ask(taken.rule, *taken.args)
    return AttackResult(True, raises, left, left > 0, spent, bool(taken.cost))


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """WILD-7, WILD-8: a blow against parry, a shot against 4; refused out of reach."""
    name, weapon = weapon_in_use(scene, intent, "WILD-3", UNARMED)
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    is_blow, gap = weapon["kind"] == "melee", target_distance(scene, intent)
    skill = "fighting" if is_blow else "shooting"
    lines = lines_for(scene, fighter.name, "attack", skill, "WILD-7", target.name)
    if gap is not None and gap > (weapon["reach"] if is_blow else 4 * weapon.get("range", gap)):
        refuse(intent, f"{target.name} is {gap} yd away, too far for the {name}", "WILD-8", "move closer")
    if not is_blow:
        short = weapon.get("range", gap)
        far = gap is not None and (gap > short) + (gap > 2 * short)
        lines.add("range", -2 * far, "WILD-8", f"{gap} yd")
        level = intent.get("cover") or scene.cover_between(target.name, fighter.name).level
        lines.add(f"{level} cover", COVER[level], "WILD-8", "cover")
    lines.asked(intent)
    guard = Modifiers("parry", "WILD-7", target.name)
    guard.base("parry" if is_blow else "shot", parry(target) if is_blow else 4, source="fighting")
    if is_blow:
        guard.situational(target, "parry")
    hits = Modifiers("damage", "WILD-9", target.name)
    hits.add("joker", 2 * has_joker(scene, fighter.name), "WILD-5", "card")
    given = Amount.of(weapon.get("damage", 0))
    hits.add("flat", given.plus, source=f"weapons.{name}").situational(fighter, "damage").asked(intent, "mod_damage")
    tough = Modifiers("toughness", "WILD-9", target.name).base("toughness", toughness(target), source="vigour")
    tough.add("armour", max(0, target.sheet["armour"] - weapon["pierces"]), source="armour")
    tough.situational(target, "toughness")
    might = (Amount(1, sides_of(fighter.sheet["traits"]["might"])),) if is_blow else ()
    dice = (*might, given._replace(plus=0)) if given.many else might
    luck = lines_for(scene, target.name, "soak", "vigour", "WILD-6", target.name)
    setup = AttackSetup(
        roll_of(fighter, "attack", skill, lines),
        target.name,
        guard.total,
        fighter.pools["chips"],
        dice,
        hits.total,
        tough.total,
        target.has("rattled"),
        roll_of(target, "soak", "vigour", luck) if target.pools["chips"] and target.sheet["hero"] else None,
    )
    shots = (Cost(f"ammo:{name}", rule="WILD-12"),) if "capacity" in weapon else ()
    shown = (lines, guard, hits, tough, *((luck,) if setup.soak else ()))
    return Setup(setup, Modifiers.lines_of(*shown), shots, name)


def struck(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """WILD-10: wounds, and a rattled target."""
    if result.wounds:
        changes.adjust(intent.target, "wounds", changes.number("WILD-10").add("wounds", result.wounds), "WILD-10")
    if result.rattles and not is_out(changes.fighter(intent.target)):
        changes.begin(intent.target, "rattled", "WILD-10")


def attack_charges(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult | None) -> Iterable[Charge]:
    """WILD-6: the chips that were spent on an attack, on both sides."""
    if outcome is not None and outcome.spent:
        yield Charge(intent.actor, (Cost("chips", outcome.spent, rule="WILD-6"),))
    if outcome is not None and outcome.soaked:
        yield Charge(intent.target, (Cost("chips", rule="WILD-6"),))


def target_stands(scene: Scene, intent: Intent) -> None:
    """WILD-10: nobody attacks who is out already."""
    if is_out(scene.fighters[intent.target]):
        refuse(intent, f"{intent.target} is out already", "WILD-10")


# Checks and healing


class CheckSetup(NamedTuple):
    """A trait roll against a number."""

    roll: TraitRoll
    need: int
    chips: int


class CheckResult(NamedTuple):
    """What it came to."""

    success: bool
    raises: int
    spent: int


def setup_of(scene: Scene, intent: Intent, what: str, trait: str, need: int, rule: str) -> Setup:
    """A trait roll of the actor, with chips for new ones."""
    fighter = scene.fighters[intent.actor]
    lines = lines_for(scene, fighter.name, what, trait, rule).asked(intent)
    return Setup(CheckSetup(roll_of(fighter, what, trait, lines), need, fighter.pools["chips"]), tuple(lines))


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """WILD-4: a trait or a skill against 4, or the number of `--difficulty`."""
    fighter = scene.fighters[intent.actor]
    trait = known_word(fighter, intent.get("skill") or "notice", (*TRAITS, *SKILLS), "trait", "WILD-1")
    return setup_of(scene, intent, "check", trait, intent.get("difficulty") or 4, "WILD-4")


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """WILD-4, WILD-6: a trait roll."""
    (success, raises), spent = with_chips(table, setup.roll, setup.need, 9, setup.chips)
    return CheckResult(success, raises, spent)


def check_charges(scene: Scene, intent: Intent, setup: Setup, outcome: CheckResult | None) -> Iterable[Charge]:
    """WILD-6: the chips that were spent on a check."""
    if outcome is not None and outcome.spent:
        yield Charge(intent.actor, (Cost("chips", outcome.spent, rule="WILD-6"),))


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """WILD-13: healing against 4; the wounds of the patient make it harder."""
    patient, fighter = scene.fighters[intent.patient], scene.fighters[intent.actor]
    if not patient.pools["wounds"]:
        refuse(intent, f"{patient.name} has no wounds", "WILD-13", final=True)
    gap = scene.distance(fighter.name, patient.name)
    if gap is not None and gap > 1:
        refuse(intent, f"{patient.name} is {gap} yd away", "WILD-13", "move closer")
    lines = lines_for(scene, fighter.name, "healing", "healing", "WILD-13")
    if patient is not fighter:
        lines.add("patient's wounds", -min(MOST_WOUNDS, patient.pools["wounds"]), "WILD-13", patient.name)
    item = next((name for name in fighter.sheet["items"] if fighter.pools.get(f"uses:{name}")), "")
    roll = roll_of(fighter, "healing", "healing", lines.asked(intent))
    costs = (Cost(f"uses:{item}", rule="WILD-13"),) if item else ()
    if not item:
        refuse(intent, f"{fighter.name} has nothing to dress wounds with", "WILD-13")
    return Setup(CheckSetup(roll, 4, fighter.pools["chips"]), tuple(lines), costs, item)


def healed(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """WILD-13: one wound less, two with a raise."""
    if result.success:
        changes.adjust(intent.patient, "wounds", -1 - (result.raises > 0), "WILD-13")


# Turns and rest


class RecoverySetup(NamedTuple):
    """The roll of somebody who is rattled."""

    roll: TraitRoll
    has_chip: bool


class Recovery(NamedTuple):
    """What it came to."""

    success: bool
    spent: int = 0


def turn_setup(scene: Scene, intent: Intent) -> Setup:
    """WILD-10: who is rattled rolls spirit when the turn starts."""
    fighter = scene.fighters[intent.actor]
    if not fighter.has("rattled") or is_out(fighter):
        return Setup(None)
    lines = lines_for(scene, fighter.name, "recovery", "spirit", "WILD-10", fighter.name)
    roll = roll_of(fighter, "recovery", "spirit", lines)
    return Setup(RecoverySetup(roll, fighter.pools["chips"] > 0), tuple(lines))


def calm(table: RuleTable) -> tuple[int, int]:
    """WILD-6: a chip calms at once."""
    return 0, 1


def recovery(table: RuleTable, setup: RecoverySetup | None) -> Recovery | None:
    """WILD-10: spirit against 4; WILD-6: a chip makes it a success."""
    if setup is None:
        return None
    success = tried(table, setup.roll, 4, 0).success
    if success or not setup.has_chip:
        return Recovery(success)
    ways = (Alternative("keep", fails), Alternative("calm", calm, (), 1, "chip"))
    taken = table.choose(setup.roll.who, ways)
    return Recovery(bool(taken.cost), taken.cost)


def new_turn(changes: Changes, intent: Intent, setup: Setup, result: Recovery | None) -> None:
    """WILD-10, WILD-11: calm again, an action and a move."""
    for pool in ("action", "move"):
        changes.set(intent.actor, pool, 1, "WILD-11")
    if result is not None:
        changes.adjust(intent.actor, "chips", -result.spent, "WILD-6")
    if result is not None and result.success:
        changes.end(intent.actor, "rattled", "WILD-10")


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """WILD-14: vigour, rolled after every fifth night."""
    fighter = scene.fighters[intent.actor]
    if scene.open:
        refuse(intent, "nobody sleeps in a fight", "WILD-14")
    if not fighter.pools["wounds"] or fighter.pools["nights"] + 1 < NIGHTS:
        return Setup(None)
    lines = lines_for(scene, fighter.name, "rest", "vigour", "WILD-14", fighter.name)
    return Setup(roll_of(fighter, "rest", "vigour", lines), tuple(lines))


def slept(table: RuleTable, roll: TraitRoll | None) -> Tried | None:
    """WILD-14: vigour against 4."""
    return None if roll is None else tried(table, roll, 4, 1)


def rested(changes: Changes, intent: Intent, setup: Setup, result: Tried | None) -> None:
    """WILD-14: a night more, or wounds that heal."""
    who = intent.actor
    nights = changes.pool(who, "nights") + 1 if changes.pool(who, "wounds") else 0
    changes.set(who, "nights", nights % NIGHTS, "WILD-14")
    if result is not None and result.success:
        changes.adjust(who, "wounds", -1 - result.raises, "WILD-14")


# The rulebook

ACTION = (Cost("action"),)
ACTIONS = {
    "init": Initiative.dealt(
        "cards", CARDS, "WILD-5", hand=lambda fighter: 1 + fighter.sheet["quick"], shuffled_by=JOKERS
    ),
    "attack": Action(
        "Attack with the weapon in hand",
        "WILD-7",
        attack_setup,
        struck,
        attack,
        costs=ACTION,
        gear="weapons",
        targets="one",
        requires=(target_stands,),
        ai=Opponents.attacking("attack", "melee", "ranged", bare_hands=True),
        options=("weapon", "range", "cover", "mod_damage"),
        choices=attack_charges,
        says=Says(
            {
                "": "{actor} strikes at {target} with the {gear}",
                "ranged": "{actor} shoots at {target} with the {gear}",
                "unarmed": "{actor} goes for {target} with bare hands",
            }
        ),
    ),
    "check": check_action("Try a trait or a skill", "WILD-4", check_setup, check, ("difficulty",))._replace(
        choices=check_charges
    ),
    "heal": Action(
        "Dress wounds",
        "WILD-13",
        heal_setup,
        healed,
        check,
        costs=ACTION,
        gear="items",
        targets="patient",
        ai=Opponents.treating("heal", lambda patient: patient.pools["wounds"] > 0),
        choices=check_charges,
        says=Says(
            {"": "{actor} dresses wounds of {target}", "self": "{actor} dresses their own wounds"},
            ("success", "failure"),
        ),
    ),
    "draw": draw_action("WILD-12", ACTION, says="{actor} draws the {gear}"),
    "reload": reload_action("WILD-12", ACTION, loads="rounds", says="{actor} reloads the {gear}"),
    "move": move_action(
        "Move", "WILD-11", lambda fighter: fighter.sheet["pace"], (Cost("move"),), "{actor} moves", space=SPACE
    ),
    "rest": Action(
        "Sleep",
        "WILD-14",
        rest_setup,
        rested,
        slept,
        window="any",
        ai=Opponents(considered=False),
        says=Says("{actor} sleeps", ("heals", "does not heal")),
    ),
}
SYSTEM = System(
    name="wilds",
    title="exploding dice, a deck of cards and chips",
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    order_each_round=True,
    decks=DECKS,
    phases={"start-turn": Action("A new turn", "WILD-11", turn_setup, new_turn, recovery, window="table")},
    sheet_rules=SheetRules(derived=lambda fighter: {"parry": parry(fighter), "toughness": toughness(fighter)}),
    says=Texts(
        outputs={"yards": OutputField("how far the actor moved, in yards")},
        rolls={"soak": RollText("soaks", "soaks nothing"), "recovery": RollText("is calm again", "stays rattled")},
        counted=("raises",),
    ),
    skills=(*TRAITS, *SKILLS),
    space=SPACE,
    rest=Rest("rest", hours=8),
    difficulty=Whole(1, 40),
)
