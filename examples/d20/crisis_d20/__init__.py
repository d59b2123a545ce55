"""`d20`: a fantasy fight with a twenty-sided die. A rulebook from outside crisis, and the example of crisis-system(7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from crisis_cli.rules import (
    Action,
    Amount,
    Changes,
    CommandOption,
    Condition,
    Cost,
    DiceText,
    End,
    Field,
    Fighter,
    Flag,
    Initiative,
    Intent,
    ListOf,
    MapOf,
    Modifiers,
    Number,
    OneOf,
    Opponents,
    OutputField,
    Pool,
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
    Unit,
    Whole,
    condition_action,
    draw_action,
    has,
    initiative_action,
    known_word,
    lacks,
    refuse,
    sheet,
    slug,
    supplies,
    target_distance,
    unable,
    weapon_in_use,
)

# Conditions

HELD, HELPLESS = ("grappled", "restrained", "paralysed", "stunned"), ("paralysed", "asleep", "unconscious")
"""D20-17: who is held cannot move; who is helpless is hit critically from beside."""
ADVANTAGES = {
    "prone": (-1, 0),
    "restrained": (-1, 1),
    "poisoned": (-1, 0),
    "frightened": (-1, 0),
    "blinded": (-1, 1),
    "invisible": (1, -1),
    "stunned": (0, 1),
    "paralysed": (0, 1),
    "asleep": (0, 1),
    "unconscious": (0, 1),
    "dodging": (0, -1),
}
"""D20-17: what a condition does to attacks of its owner, and to attacks on it: 1 is an advantage, -1 a disadvantage."""


def end_of_next_turn(scene: Scene, who: str) -> End | None:
    """D20-17: the end of the fighter's next turn."""
    return ("end-turn", scene.round + scene.acted(who)) if scene.open else None


def start_of_next_turn(scene: Scene, who: str) -> End | None:
    """D20-10: the start of the fighter's next turn."""
    return ("start-turn", scene.round + 1) if scene.open else None


def is_dead(fighter: Fighter) -> bool:
    """D20-16: three failed death saves."""
    return fighter.pools["failures"] >= 3


def is_down(fighter: Fighter) -> bool:
    """D20-16: no hit points, and not dead."""
    return fighter.pools["hp"] <= 0 and not is_dead(fighter)


def is_stable(fighter: Fighter) -> bool:
    """D20-16: down, and three death saves made."""
    return is_down(fighter) and fighter.pools["successes"] >= 3


CONDITIONS = {
    "dead": Condition("dead", "D20-16", when=is_dead, defeated="dead", cannot_act=True, ends="{who} is alive again."),
    "dying": Condition(
        "dying",
        "D20-16",
        when=lambda fighter: is_down(fighter) and not is_stable(fighter),
        defeated="dying",
        ends="{who} is no longer dying.",
    ),
    "stable": Condition("stable", "D20-16", when=is_stable, defeated="down"),
    "unconscious": Condition(
        "unconscious",
        "D20-17",
        when=is_down,
        cannot_act=True,
        brings=("prone",),
        clears=("dodging", "asleep", "invisible"),
        ends="{who} comes to.",
    ),
    "asleep": Condition("asleep", "D20-17", end_of_next_turn, lasting=False, cannot_act=True),
    "paralysed": Condition("paralysed", "D20-17", end_of_next_turn, lasting=False, cannot_act=True),
    "stunned": Condition("stunned", "D20-17", end_of_next_turn, lasting=False, cannot_act=True),
    "blinded": Condition("blinded", "D20-17", end_of_next_turn, lasting=False),
    "frightened": Condition("frightened", "D20-17", end_of_next_turn, lasting=False),
    "restrained": Condition("restrained", "D20-17"),
    "grappled": Condition("grappled", "D20-17", lasting=False),
    "poisoned": Condition("poisoned", "D20-17"),
    "invisible": Condition("invisible", "D20-17", ends="{who} can be seen again."),
    "prone": Condition("prone", "D20-17", ends="{who} is standing again."),
    "dodging": Condition("dodging", "D20-10", start_of_next_turn, lasting=False),
}
INFLICTED = ("asleep", "blinded", "frightened", "grappled", "paralysed", "poisoned", "prone", "restrained", "stunned")
"""D20-17: what weapons and spells may put on those they hit."""

# The sheet

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SKILLS = {
    "athletics": "strength",
    "acrobatics": "dexterity",
    "stealth": "dexterity",
    "investigation": "intelligence",
    "medicine": "wisdom",
    "perception": "wisdom",
    "intimidation": "charisma",
    "persuasion": "charisma",
}
"""D20-1: the skills, and the ability each is used with."""
TYPES = ("slashing", "piercing", "bludgeoning", "fire", "cold", "acid", "lightning", "poison", "necrotic", "force")
BESIDE = 5
"""D20-9: how far hands reach, in feet."""
UNARMED: Mapping[str, Any] = {"kind": "melee", "attack": 0, "damage": {"bludgeoning": 1}, "reach": BESIDE}
"""D20-3: bare hands."""
COVER = {"none": 0, "half": 2, "three-quarters": 5}
"""D20-9: added to armour class."""

_damage = MapOf(DiceText(), words=dict.fromkeys(TYPES))
_weapon = Section(
    {
        "kind": Field(OneOf(("melee", "ranged", "thrown")), "how it is used", "D20-3", required=True),
        "ability": Field(OneOf(ABILITIES), "its ability, if not strength, or dexterity of ranged ones", "D20-3"),
        "attack": Field(Whole(-20, 20, signed=True), "added to the attack roll", "D20-3", 0),
        "damage": Field(_damage, "dice by type of damage; the ability is added to the first", "D20-3", required=True),
        "reach": Field(Whole(5, 100), "how far a melee weapon reaches, in feet", "D20-9", BESIDE),
        "range": Field(Whole(5, 9999), "normal range in feet", "D20-9"),
        "long": Field(Whole(5, 9999), "long range in feet", "D20-9"),
        "capacity": Field(Whole(1, 999), "shots, or pieces to throw", "D20-9"),
        "inflicts": Field(OneOf(INFLICTED), "a condition of those it hits", "D20-17"),
    }
)
_spell = Section(
    {
        "save": Field(OneOf(ABILITIES), "the ability that saves", "D20-15", required=True),
        "damage": Field(_damage, "dice by type of damage", "D20-15", {}),
        "half": Field(Flag(), "whether a save halves the damage, or avoids it", "D20-15", True),
        "inflicts": Field(OneOf(INFLICTED), "a condition of those who fail", "D20-17"),
        "range": Field(Whole(0, 9999), "range in feet", "D20-15", 60),
        "radius": Field(Whole(0, 200), "feet around the point aimed at; 0: one target", "D20-15", 0),
        "slots": Field(Whole(0, 9), "spell slots it takes", "D20-15", 1),
    }
)
_item = Section(
    {
        "heals": Field(DiceText(), "hit points restored", "D20-18"),
        "temporary": Field(DiceText(), "temporary hit points given", "D20-14"),
        "cures": Field(ListOf(OneOf(tuple(CONDITIONS))), "conditions it ends", "D20-18", []),
        "uses": Field(Whole(1, 99), "how often it can be used", "D20-18"),
    }
)
SHEET = sheet(
    "d20",
    {
        "abilities": Field(
            Section({one: Field(Whole(-5, 10, signed=True), f"{one} modifier", "D20-1", 0) for one in ABILITIES}),
            "the six ability modifiers",
            "D20-1",
            dict.fromkeys(ABILITIES, 0),
        ),
        "proficiency": Field(Whole(0, 9, signed=True), "added to what one is trained in", "D20-1", 2),
        "trained": Field(ListOf(OneOf((*ABILITIES, *SKILLS))), "saving throws and skills", "D20-1", []),
        "casting": Field(OneOf(ABILITIES), "the ability of spells", "D20-15", "intelligence"),
        "armour-class": Field(Whole(1, 40), "what an attack must reach", "D20-2", 10),
        "hp": Field(Whole(1, 999), "most hit points", "D20-4", 10),
        "speed": Field(Whole(0, 300), "feet a turn", "D20-11", 30),
        "slots": Field(Whole(0, 99), "spell slots", "D20-15", 0),
        "resists": Field(ListOf(OneOf(TYPES)), "damage that is halved", "D20-13", []),
        "vulnerable": Field(ListOf(OneOf(TYPES)), "damage that is doubled", "D20-13", []),
        "immune": Field(ListOf(OneOf(TYPES)), "damage that does nothing", "D20-13", []),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "D20-3", {}),
        "spells": Field(MapOf(_spell), "spells by name", "D20-15", {}),
        "items": Field(MapOf(_item), "things carried, by name", "D20-18", {}),
    },
    circumstance=("attack", "damage", "armour-class", "initiative", "save", "check", *ABILITIES, *SKILLS),
    pools=("hp", "temporary", "failures", "successes", "slots", "second-wind"),
    conditions=tuple(CONDITIONS),
)


def turn_pool(label: str, rule: str) -> Pool:
    """A pool that begins every turn anew."""
    return Pool(label, rule, lasting=False, spent=True, renewed=True)


POOLS = {
    "hp": Pool("HP", "D20-4"),
    "temporary": Pool("temporary HP", "D20-14", takes_harm=True),
    "failures": Pool("failed death saves", "D20-16", counts_up=True, hidden_when_full=True),
    "successes": Pool("death saves made", "D20-16", counts_up=True, hidden_when_full=True, not_vital=True),
    "slots": Pool("spell slots", "D20-15", not_vital=True),
    "second-wind": Pool("second wind", "D20-18", hidden_when_full=True, not_vital=True),
    "action": turn_pool("actions", "D20-10"),
    "bonus": turn_pool("bonus actions", "D20-10"),
    "movement": turn_pool("ft", "D20-11"),
    "ammo": Pool("pieces", "D20-9", gear="weapons", board="{left} of the {thing}", full="capacity"),
    "uses": Pool("uses", "D20-18", gear="items", full="uses", loose=True),
}


def start(values: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (D20-4, D20-10)."""
    full = {"hp": values["hp"], "slots": values["slots"], "second-wind": 1, "action": 1, "bonus": 1}
    counts = {"temporary": (0, 0, None), "failures": (0, 0, 3), "successes": (0, 0, 3)}
    movement = (values["speed"], 0, 2 * values["speed"])
    return Start.of(values, {**full, **supplies(values), **counts, "movement": movement})


# The die


class Roll(NamedTuple):
    """A d20 that somebody rolls."""

    what: str
    who: str
    bonus: int
    advantage: int = 0
    """1: two dice, the higher counts; -1: the lower."""


def d20(table: RuleTable, advantage: int) -> int:
    """D20-6: the face that counts of one die, or of two."""
    return table.pool(2, 20)[max(advantage, 0)] if advantage else table.die(20)


def thrown(table: RuleTable, roll: Roll, **about: Any) -> int:
    """The face that counts of a labelled d20."""
    table.label(roll.what, roll.who, {1: "2d20kh1", -1: "2d20kl1"}.get(roll.advantage, "d20"), **about)
    return table.ask(d20, roll.advantage)


def tested(roll: str, rule: str, fighter: Fighter, word: str, against: str = "") -> Modifiers:
    """D20-5: what an ability or a skill adds to a check, a saving throw or initiative."""
    ability, saves = SKILLS.get(word, word), roll == "save"
    found = Modifiers(roll, rule, against).add(ability, fighter.sheet["abilities"][ability], source="ability")
    trained = word in fighter.sheet["trained"] and (saves or word in SKILLS)
    found.add("proficiency", fighter.sheet["proficiency"] * trained, source=word)
    found.situational(fighter, roll, ability, word)
    nimble = saves and ability == "dexterity"
    found.advantage("restrained", -(nimble and fighter.has("restrained")), "D20-17")
    found.advantage("dodging", +(nimble and fighter.has("dodging")), "D20-10")
    for condition in ("poisoned", "frightened"):
        found.advantage(condition, -(not saves and fighter.has(condition)), "D20-17")
    return found


def with_advantage(found: Modifiers, intent: Intent) -> Modifiers:
    """D20-6: what the command says: `--mod`, `--advantage`, `--disadvantage`."""
    found.asked(intent).advantage("advantage", +bool(intent.get("advantage")), "D20-6", "--advantage")
    return found.advantage("disadvantage", -bool(intent.get("disadvantage")), "D20-6", "--disadvantage")


# Damage


class Part(NamedTuple):
    """Damage of one type, and how much of it counts: 0, 1 (half), 2 or 4 (double) halves."""

    type: str
    amount: Amount
    halves: int


def parts_of(dice: Mapping[str, str | int], target: Fighter, plus: int = 0) -> tuple[Part, ...]:
    """D20-8, D20-13: the damage of a weapon or a spell on a target; `plus` goes to the first type."""
    sheet = target.sheet
    found: list[Part] = []
    for kind, text in dice.items():
        dose = Amount.of(text)
        halves = 2 // (1 + (kind in sheet["resists"])) * (1 + (kind in sheet["vulnerable"]))
        dose = dose._replace(plus=dose.plus + plus * (not found))
        found.append(Part(kind, dose, halves * (kind not in sheet["immune"])))
    return tuple(found)


def flat_damage(dice: Mapping[str, str | int], rule: str, source: str) -> list[Modifiers]:
    """D20-8: what a sheet adds to the dice of each type of damage."""
    return [
        Modifiers(f"{kind} damage", rule).add("flat", Amount.of(text).plus, source=source)
        for kind, text in dice.items()
        if Amount.of(text).many
    ]


def rolled(table: RuleTable, who: str, parts: tuple[Part, ...], times: int = 1) -> tuple[int, ...]:
    """D20-8: the damage of each type, before resistance; a critical hit rolls the dice twice."""
    doses = ((one.type, one.amount._replace(many=one.amount.many * times)) for one in parts)
    return tuple(table.ask(Amount.roll, f"{kind} damage", who, dose) for kind, dose in doses)


def harm_of(changes: Changes, parts: tuple[Part, ...], faces: tuple[int, ...], share: int = 1) -> Number:
    """D20-13, D20-15: damage as it reaches hit points, a save's share taken first, each rounded down."""
    saved = [points // share for points in faces]
    after = [points * one.halves // 2 for one, points in zip(parts, saved, strict=True)]
    number = changes.number("D20-8").from_dice("damage", -sum(faces))
    number.add("saved", sum(faces) - sum(saved), "D20-15")
    for one, before, left in zip(parts, saved, after, strict=True):
        number.add("vulnerable" if left > before else "resisted", before - left, "D20-13")
    return number


def hurt(changes: Changes, who: str, harm: Number, critical: bool = False) -> None:
    """D20-14: temporary hit points go first; D20-16: harm at 0 hit points is a failed death save."""
    fighter = changes.fighter(who)
    if not harm.total or is_dead(fighter):
        return
    shield, before = fighter.pools["temporary"], fighter.pools["hp"]
    changes.adjust(who, "temporary", harm.total, "D20-14")
    left = -harm.absorb("temporary HP", shield, "D20-14").total
    if not left:
        return
    changes.end(who, "asleep", "D20-17")
    changes.adjust(who, "hp", harm, "D20-4")
    if left - before >= fighter.full("hp"):
        changes.adjust(who, "failures", 3, "D20-16")
    elif before <= 0:
        changes.adjust(who, "successes", -3, "D20-16")
        changes.adjust(who, "failures", 1 + critical, "D20-16")


def inflict(changes: Changes, who: str, condition: str) -> None:
    """D20-17: a condition from a weapon or a spell, until it ends by itself."""
    if condition:
        changes.begin(who, condition, "D20-17", until=CONDITIONS[condition].until(changes.scene, who))


# Attacks


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    roll: Roll
    target: str
    armour_class: int
    parts: tuple[Part, ...]
    helpless: bool
    """Every hit is critical."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    criticals: int = 0
    damage: tuple[int, ...] = ()
    """By type, before resistance."""


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-7: an attack with the weapon in hand, or a throw; refused out of reach."""
    kinds = ("thrown",) if intent.action == "throw" else ()
    name, weapon = weapon_in_use(scene, intent, "D20-3", UNARMED, kinds)
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if kinds and weapon["kind"] != "thrown":
        refuse(intent, f"{fighter.name} cannot throw {name}", "D20-3", "a weapon of kind thrown can be", final=True)
    gap = target_distance(scene, intent)
    most = weapon["reach"] if weapon["kind"] == "melee" else weapon.get("long", weapon.get("range"))
    if gap is not None and most is not None and gap > most:
        closer = f"move closer: crisis act {slug(fighter.name)} move --to X,Y"
        refuse(intent, f"{target.name} is {gap} ft away; {name} reaches {most} ft", "D20-9", closer)
    attack = attack_roll(scene, intent, name, weapon, gap)
    armour = Modifiers("armour class", "D20-2", target.name).base("armour class", target.sheet["armour-class"])
    level, source, _ = scene.cover_between(target.name, fighter.name)
    level, source = (intent.get("cover"), "cover") if intent.get("cover") else (level, source)
    armour.situational(target, "armour-class").add(f"{level} cover", COVER[level], "D20-9", source)
    first = next(iter(weapon["damage"]), "no")
    damage = Modifiers(f"{first} damage", "D20-8").add(*ability_of(fighter, weapon), source="ability")
    damage.situational(fighter, "damage").asked(intent, "mod_damage")
    flat = flat_damage(weapon["damage"], "D20-8", f"weapons.{name}")
    helpless = (gap is None or gap <= BESIDE) and any(map(target.has, HELPLESS))
    parts = parts_of(weapon["damage"], target, damage.total)
    roll = Roll("attack", fighter.name, attack.total, attack.net_advantage)
    dice = AttackSetup(roll, target.name, armour.total, parts, helpless)
    pieces = (Cost(f"ammo:{name}", rule="D20-9"),) if "capacity" in weapon else ()
    return Setup(dice, Modifiers.lines_of(attack, armour, damage, *flat), pieces, name, carried=weapon)


def ability_of(fighter: Fighter, weapon: Mapping[str, Any]) -> tuple[str, int]:
    """D20-3: the ability of a weapon, and what it adds."""
    ability = weapon.get("ability", "dexterity" if weapon["kind"] == "ranged" else "strength")
    return ability, fighter.sheet["abilities"][ability]


def attack_roll(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any], gap: int | None) -> Modifiers:
    """D20-7: ability, proficiency and weapon; D20-6, D20-9, D20-17: advantages and disadvantages."""
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    ability, bonus = ability_of(fighter, weapon)
    found = Modifiers("attack", "D20-7", target.name).add(ability, bonus, source="ability")
    found.add("proficiency", fighter.sheet["proficiency"]).add(name, weapon["attack"], source=f"weapons.{name}")
    found.situational(fighter, "attack", ability)
    if weapon["kind"] != "melee":
        found.advantage("long range", -(gap is not None and gap > weapon.get("range", gap)), "D20-9", f"{gap} ft")
        found.advantage("an enemy beside", -crowded(scene, fighter.name), "D20-9")
    near = weapon["kind"] == "melee" and (gap is None or gap <= BESIDE)
    found.advantage("target prone", (1 if near else -1) * target.has("prone"), "D20-17")
    for condition, (own, others) in ADVANTAGES.items():
        found.advantage(condition, own * fighter.has(condition), "D20-17")
        found.advantage(f"target {condition}", others * target.has(condition), "D20-17")
    return with_advantage(found, intent)


def crowded(scene: Scene, who: str) -> bool:
    """D20-9: an enemy who can act stands beside the fighter."""
    gaps = (scene.distance(who, foe.name) for foe in scene.foes(who) if not unable(CONDITIONS, foe)[0])
    return any(gap is not None and gap <= BESIDE for gap in gaps)


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """D20-7: at or above the armour class; 20 always hits, critically, and 1 never does."""
    face = thrown(table, setup.roll, against=setup.target)
    total = face + setup.roll.bonus
    hit = face == 20 or (face > 1 and total >= setup.armour_class)
    critical = hit and (face == 20 or setup.helpless)
    table.result(total=total, target=setup.armour_class, success=hit, **({"criticals": 1} if critical else {}))
    if not hit:
        return AttackResult(False, total)
    return AttackResult(True, total, int(critical), rolled(table, setup.roll.who, setup.parts, 1 + critical))


def struck(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """D20-8: what a hit does; D20-9: the last piece is out of the hand; D20-17: attackers are seen."""
    changes.end(intent.actor, "invisible", "D20-17")
    if result.success:
        harm = harm_of(changes, setup.dice.parts, result.damage)
        hurt(changes, intent.target, harm, bool(result.criticals))
        inflict(changes, intent.target, setup.carried.get("inflicts", ""))
    thrower = changes.fighter(intent.actor)
    if setup.carried["kind"] == "thrown" and thrower.pools.get(f"ammo:{setup.gear}", 1) <= 1:
        changes.drop(thrower.name, setup.gear, "D20-9")


def target_lives(scene: Scene, intent: Intent) -> None:
    """D20-16: nobody attacks the dead."""
    if is_dead(scene.fighters[intent.target]):
        refuse(intent, f"{intent.target} is dead already", "D20-16")


# Spells


class Victim(NamedTuple):
    """Somebody a spell reaches."""

    save: Roll
    fails: bool
    """Whether it cannot save at all."""
    parts: tuple[Part, ...]


class SpellSetup(NamedTuple):
    """What the dice of a spell depend on."""

    who: str
    difficulty: int
    dice: tuple[Part, ...]
    victims: tuple[Victim, ...]


class SpellResult(NamedTuple):
    """What a spell came to."""

    damage: tuple[int, ...]
    """By type, before saves and resistance."""
    saved: tuple[bool, ...]
    """For each victim."""


def spell_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-15: a spell on a target, or on everyone near a point; refused out of range."""
    fighter = scene.fighters[intent.actor]
    spells: Mapping[str, Any] = fighter.sheet["spells"]
    name = intent.get("thing") or next(iter(spells), "")
    if name not in spells:
        refuse(intent, f"{fighter.name} knows no spell", "D20-15", final=True)
    spell = spells[name]
    hit = reached(scene, intent, spell, name)
    difficulty = Modifiers("difficulty", "D20-15").base("base", 8).add("proficiency", fighter.sheet["proficiency"])
    difficulty.add(fighter.sheet["casting"], fighter.sheet["abilities"][fighter.sheet["casting"]], source="ability")
    first = next(iter(spell["damage"]), "no")
    damage = Modifiers(f"{first} damage", "D20-15").asked(intent, "mod_damage")
    found, victims = [difficulty, damage, *flat_damage(spell["damage"], "D20-15", f"spells.{name}")], []
    for one in hit:
        save = tested("save", "D20-15", one, spell["save"], one.name)
        helpless = spell["save"] in ABILITIES[:2] and any(map(one.has, (*HELPLESS, "stunned")))
        parts = parts_of(spell["damage"], one, damage.total)
        victims.append(Victim(Roll("save", one.name, save.total, save.net_advantage), helpless, parts))
        found.append(save)
    dice = parts_of(spell["damage"], fighter, damage.total)
    whole = SpellSetup(fighter.name, difficulty.total, dice, tuple(victims))
    alone = [(one.save.who, whole._replace(victims=(one,))) for one in victims]
    apart = (*alone, ("", whole._replace(victims=()))) if len(victims) > 1 else ()
    slots = (Cost("slots", spell["slots"], rule="D20-15"),) if spell["slots"] else ()
    return Setup(whole, Modifiers.lines_of(*found), slots, name, apart, spell)


def reached(scene: Scene, intent: Intent, spell: Mapping[str, Any], name: str) -> tuple[Fighter, ...]:
    """D20-15: all living creatures that a spell reaches."""
    at, here = intent.get("at"), scene.fighters[intent.actor].at
    point = tuple(at) if at else scene.fighters[intent.target].at
    gap = intent.get("range", Scene.between(here, point) if here and point else None)
    if gap is not None and gap > spell["range"]:
        refuse(intent, f"that is {gap} ft away; {name} reaches {spell['range']} ft", "D20-15")
    if not spell["radius"] and (at or len(intent.targets) > 1):
        refuse(intent, f"{name} takes one target", "D20-15", final=True)
    named = dict.fromkeys(intent.targets)
    return tuple(
        one
        for one in scene.fighters.values()
        if not one.gone
        and not is_dead(one)
        and (
            one.name in named
            or (spell["radius"] and one.at and point and Scene.between(one.at, point) <= spell["radius"])
        )
    )


def cast(table: RuleTable, setup: SpellSetup) -> SpellResult:
    """D20-15: the damage once, then everyone's saving throw."""
    damage = rolled(table, setup.who, setup.dice)
    return SpellResult(damage, tuple(table.ask(saves, one.save, setup.difficulty, one.fails) for one in setup.victims))


def saves(table: RuleTable, roll: Roll, difficulty: int, fails: bool = False) -> bool:
    """D20-5: a d20 at or above a difficulty; the helpless fail without a roll."""
    if fails:
        return False
    total = thrown(table, roll) + roll.bonus
    table.result(total=total, target=difficulty, success=total >= difficulty)
    return total >= difficulty


def befell(changes: Changes, intent: Intent, setup: Setup, result: SpellResult) -> None:
    """D20-15: the whole damage, or half of it, or none."""
    changes.end(intent.actor, "invisible", "D20-17")
    for one, saved in zip(setup.dice.victims, result.saved, strict=True):
        if not saved or setup.carried["half"]:
            hurt(changes, one.save.who, harm_of(changes, one.parts, result.damage, 1 + saved))
        if not saved:
            inflict(changes, one.save.who, setup.carried.get("inflicts", ""))


def spells(scene: Scene, who: str) -> Iterator[Intent]:
    """Every spell on every enemy."""
    for name in scene.fighters[who].sheet["spells"]:
        yield from (Intent("cast", who, (foe.name,), {"thing": name}) for foe in scene.foes(who))


# Checks


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    roll: Roll
    difficulty: int
    other: Roll | None = None


class CheckResult(NamedTuple):
    """What a check came to."""

    success: bool
    total: int


USUAL = 10
"""D20-5: the difficulty where none is given."""


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-5: an ability or a skill, against a difficulty or somebody else's."""
    known = (*ABILITIES, *SKILLS)
    fighter = scene.fighters[intent.actor]
    skill = known_word(fighter, intent.get("skill", ""), known, "ability or skill", "D20-1")
    mine = with_advantage(tested("check", "D20-5", fighter, skill), intent)
    roll = Roll("check", fighter.name, mine.total, mine.net_advantage)
    if not intent.get("vs"):
        return Setup(CheckSetup(roll, intent.get("difficulty", USUAL)), Modifiers.lines_of(mine))
    other, word = intent.get("vs")
    word = known_word(scene.fighters[other], word, known, "ability or skill", "D20-1")
    theirs = tested("check", "D20-5", scene.fighters[other], word, other)
    resists = Roll("resist", other, theirs.total, theirs.net_advantage)
    return Setup(CheckSetup(roll, 0, resists), Modifiers.lines_of(mine, theirs))


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """D20-5: at or above the difficulty, or what the other rolls."""
    total, difficulty = thrown(table, setup.roll) + setup.roll.bonus, setup.difficulty
    if setup.other is None:
        table.result(total=total, target=difficulty, success=total >= difficulty)
        return CheckResult(total >= difficulty, total)
    table.result(total=total)
    difficulty = thrown(table, setup.other) + setup.other.bonus
    table.result(total=difficulty)
    return CheckResult(total >= difficulty, total)


# Healing and dying


class Dose(NamedTuple):
    """What an item gives."""

    who: str
    heals: Amount
    temporary: Amount


class Treated(NamedTuple):
    """What a treatment came to."""

    success: bool
    healed: int = 0
    temporary: int = 0

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.success else "failure"


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-18: an item with uses left, on oneself or somebody beside."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    items: Mapping[str, Any] = fighter.sheet["items"]
    left = (one for one in items if fighter.pools.get(f"uses:{one}", 1) > 0)
    name = intent.get("item") or intent.get("thing") or next(left, next(iter(items), ""))
    if name not in items:
        refuse(intent, f"{fighter.name} has nothing that heals", "D20-18", final=True)
    can_treat(scene, intent)
    item = items[name]
    extra = Modifiers("heal", "D20-18").asked(intent)
    heals, temporary = Amount.of(item.get("heals", 0)), Amount.of(item.get("temporary", 0))
    dose = Dose(patient.name, heals._replace(plus=heals.plus + extra.total), temporary)
    flat = [
        Modifiers(roll, "D20-18").add("flat", given.plus, source=f"items.{name}")
        for roll, given in (("heal", heals), ("temporary", temporary))
        if given.many
    ]
    used = (Cost(f"uses:{name}", rule="D20-18"),) if "uses" in item else ()
    return Setup(dose, Modifiers.lines_of(extra, *flat), used, name, carried=item["cures"])


def can_treat(scene: Scene, intent: Intent) -> None:
    """D20-18: refused for the dead, and for somebody out of reach."""
    patient = scene.fighters[intent.patient]
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "D20-18", final=True)
    gap = scene.distance(intent.actor, patient.name)
    if gap is not None and gap > BESIDE:
        refuse(intent, f"{patient.name} is {gap} ft away; hands reach {BESIDE} ft", "D20-18")


def second_wind_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-18: a ten-sided die and one."""
    found = Modifiers("heal", "D20-18").add("flat", 1)
    return Setup(Dose(intent.actor, Amount(1, 10, found.total), Amount()), Modifiers.lines_of(found), carried=())


def dose(table: RuleTable, setup: Dose) -> Treated:
    """D20-14, D20-18: hit points, then temporary ones."""
    healed = table.ask(Amount.roll, "heal", setup.who, setup.heals)
    return Treated(True, healed, table.ask(Amount.roll, "temporary", setup.who, setup.temporary))


def restore(changes: Changes, intent: Intent, setup: Setup, treated: Treated) -> None:
    """D20-18: hit points up to the most; D20-14: the better temporary ones count."""
    who = setup.dice.who
    recover(changes, who, treated.healed)
    changes.set(who, "temporary", max(treated.temporary, changes.pool(who, "temporary")), "D20-14")
    for condition in setup.carried:
        changes.end(who, condition, "D20-18")


def recover(changes: Changes, who: str, points: int) -> None:
    """D20-16: a creature with hit points again starts its death saves anew."""
    changes.adjust(who, "hp", points, "D20-18")
    if points:
        changes.adjust(who, "failures", -3, "D20-16")
        changes.adjust(who, "successes", -3, "D20-16")


def aid_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-18: medicine against 10."""
    can_treat(scene, intent)
    fighter = scene.fighters[intent.actor]
    found = with_advantage(tested("check", "D20-5", fighter, "medicine"), intent)
    return Setup(
        CheckSetup(Roll("check", fighter.name, found.total, found.net_advantage), USUAL), Modifiers.lines_of(found)
    )


def stabilise(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """D20-16: as good as three death saves."""
    changes.adjust(intent.target, "successes", 3 * result.success, "D20-18")


def escape_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-17: athletics or acrobatics, the better of them, against 12."""
    fighter = scene.fighters[intent.actor]
    both = (tested("check", "D20-5", fighter, skill) for skill in ("athletics", "acrobatics"))
    found = with_advantage(max(both, key=lambda one: one.total), intent)
    if not fighter.has("grappled") and not fighter.has("restrained"):
        refuse(intent, f"nothing holds {fighter.name}", "D20-17")
    return Setup(
        CheckSetup(Roll("check", fighter.name, found.total, found.net_advantage), 12), Modifiers.lines_of(found)
    )


def escaped(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """D20-17: free of everything that holds."""
    if result.success:
        changes.end(intent.actor, "grappled", "D20-17")
        changes.end(intent.actor, "restrained", "D20-17")


class DeathSave(NamedTuple):
    """What a death save came to."""

    face: int


def turn_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-16: a death save for the dying, nothing for others."""
    fighter = scene.fighters[intent.actor]
    return Setup(Roll("death save", fighter.name, 0) if fighter.has("dying") else None)


def death_save(table: RuleTable, roll: Roll | None) -> DeathSave | None:
    """D20-16: 10 or more is a success."""
    if roll is None:
        return None
    face = thrown(table, roll)
    table.result(success=face >= USUAL)
    return DeathSave(face)


def new_turn(changes: Changes, intent: Intent, setup: Setup, save: DeathSave | None) -> None:
    """D20-10, D20-11: what a turn begins with; D20-16: a death save, 1 counting twice, 20 getting up."""
    fighter = changes.fighter(intent.actor)
    speed = 0 if any(map(fighter.has, HELD)) else fighter.sheet["speed"]
    for pool, value in (("action", 1), ("bonus", 1), ("movement", speed)):
        changes.set(fighter.name, pool, value, "D20-10")
    if save is None:
        return
    if save.face == 20:
        recover(changes, fighter.name, 1)
    elif save.face >= USUAL:
        changes.adjust(fighter.name, "successes", 1, "D20-16")
    else:
        changes.adjust(fighter.name, "failures", 1 + (save.face == 1), "D20-16")


# Turns and movement


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """D20-10: what a fighter adds to initiative, and dexterity alone for ties."""
    found = tested("initiative", "D20-10", fighter, "dexterity")
    return Initiative(
        fighter.name, found.total, (-fighter.sheet["abilities"]["dexterity"],), found.net_advantage
    ), found


def score(table: RuleTable, one: Initiative, tied_with: tuple[str, ...] = ()) -> int:
    """D20-10: a d20 and the bonus."""
    advantage = one.dice if isinstance(one.dice, int) else 0
    total = thrown(table, Roll("initiative", one.name, one.bonus, advantage), tied_with=[*tied_with]) + one.bonus
    table.result(total=total)
    return total


def dash(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D20-11: the speed once more."""
    fighter = changes.fighter(intent.actor)
    changes.adjust(fighter.name, "movement", fighter.sheet["speed"], "D20-11")


def can_move(scene: Scene, intent: Intent) -> None:
    """D20-17: a held creature stays."""
    fighter = scene.fighters[intent.actor]
    held = next((one for one in HELD if fighter.has(one)), "")
    if held:
        refuse(intent, f"{fighter.name} is {held} and cannot move", "D20-17")


def move_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-11: feet are paid as they are gone, twice when prone."""
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    feet = scene.way(fighter.at, to) if fighter.at and to else 0
    return Setup(None, (), (Cost("movement", feet * (1 + fighter.has("prone")), rule="D20-11"),), carried=feet)


def move(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D20-11: to the place named."""
    if intent.get("to") is not None:
        changes.move(intent.actor, intent.get("to"), "D20-11")


# The rulebook

ACTION, BONUS = (Cost("action"),), (Cost("bonus"),)
ADVANTAGE_OPTIONS = ("advantage", "disadvantage")
ATTACK = Action(
    "Attack with the weapon in hand",
    "D20-7",
    attack_setup,
    struck,
    attack,
    costs=ACTION,
    gear="weapons",
    targets="one",
    requires=(target_lives,),
    ai=Opponents.attacking("attack", "melee", "ranged", bare_hands=True),
    effect_key=lambda result: result._replace(total=0),
    options=("weapon", "range", "cover", "mod_damage", *ADVANTAGE_OPTIONS),
    says=Says(
        {
            "": "{actor} attacks {target} with the {gear}",
            "ranged": "{actor} shoots at {target} with the {gear}",
            "thrown": "{actor} throws the {gear} at {target}",
            "unarmed": "{actor} goes for {target} with bare hands",
        }
    ),
)
ACTIONS = {
    "init": initiative_action("D20-10", initiative_of, score),
    "check": Action(
        "Roll an ability or a skill",
        "D20-5",
        check_setup,
        rule=check,
        window="any",
        ai=Opponents(lambda scene, who: ()),
        options=("difficulty", "vs", *ADVANTAGE_OPTIONS),
        says=Says("{actor} tries {skill}"),
    ),
    "attack": ATTACK,
    "throw": ATTACK._replace(title="Throw a weapon", ai=Opponents.attacking("throw", "thrown")),
    "cast": Action(
        "Cast a spell",
        "D20-15",
        spell_setup,
        befell,
        cast,
        costs=ACTION,
        gear="spells",
        targets="many",
        ai=Opponents(spells),
        options=("thing", "at", "range", "mod_damage"),
        says=Says("{actor} casts {gear} at {target}"),
    ),
    "heal": Action(
        "Use something that heals",
        "D20-18",
        heal_setup,
        restore,
        dose,
        costs=ACTION,
        gear="items",
        targets="patient",
        ai=Opponents.using("heal"),
        options=("item",),
        says=Says({"": "{actor} gives {target} the {gear}", "self": "{actor} uses the {gear}"}),
    ),
    "first-aid": Action(
        "Stabilise the dying",
        "D20-18",
        aid_setup,
        stabilise,
        check,
        costs=ACTION,
        targets="one",
        requires=(has("dying", "D20-18", of="target"),),
        ai=Opponents(
            lambda scene, who: (
                Intent("first-aid", who, (one.name,)) for one in scene.of_side(scene.fighters[who].side)
            )
        ),
        options=ADVANTAGE_OPTIONS,
        says=Says("{actor} tries to stabilise {target}"),
    ),
    "second-wind": Action(
        "Take a second wind",
        "D20-18",
        second_wind_setup,
        restore,
        dose,
        costs=(*BONUS, Cost("second-wind")),
        says=Says("{actor} takes a second wind"),
    ),
    "draw": draw_action("D20-10", BONUS, says="{actor} draws the {gear}"),
    "move": Action(
        "Move",
        "D20-11",
        move_setup,
        move,
        requires=(can_move,),
        options=("to",),
        outputs=lambda scene, intent, setup, outcome: {"feet": setup.carried},
        says=Says("{actor} moves"),
    ),
    "dash": Action(
        "Dash: the speed once more",
        "D20-11",
        effects=dash,
        costs=ACTION,
        requires=(can_move,),
        says=Says("{actor} dashes"),
    ),
    "dodge": Action(
        "Dodge until the next turn",
        "D20-10",
        effects=lambda changes, intent, setup, outcome: changes.begin(
            intent.actor, "dodging", "D20-10", until=start_of_next_turn(changes.scene, intent.actor)
        ),
        costs=ACTION,
        requires=(lacks("dodging", "D20-10"),),
        says=Says("{actor} dodges"),
    ),
    "stand-up": Action(
        "Stand up",
        "D20-11",
        lambda scene, intent: Setup(None, (), (Cost("movement", scene.fighters[intent.actor].sheet["speed"] // 2),)),
        requires=(has("prone", "D20-11"), can_move),
        sets={"prone": False},
        says=Says("{actor} gets up"),
    ),
    "drop-prone": condition_action("Drop prone", "D20-11", (), "{actor} drops to the ground", begins="prone"),
    "escape": Action(
        "Break free",
        "D20-17",
        escape_setup,
        escaped,
        check,
        costs=ACTION,
        options=ADVANTAGE_OPTIONS,
        says=Says("{actor} tries to break free"),
    ),
}
SYSTEM = System(
    name="d20",
    title="a twenty-sided die against armour class",
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    sheet_rules=SheetRules(derived=lambda fighter: {"initiative bonus": initiative_of(fighter)[0].bonus}),
    phases={"start-turn": Action("A new turn", "D20-10", turn_setup, new_turn, death_save, window="table")},
    says=Texts(
        outputs={
            "feet": OutputField("how far the actor moved, in feet"),
            "damage": OutputField("the damage by type, before saves and resistance"),
            "healed": OutputField("hit points restored"),
        },
        rolls={"death save": RollText("succeeds", "fails"), "save": RollText("saves", "does not save")},
    ),
    skills=(*ABILITIES, *SKILLS),
    command_options=(
        CommandOption(
            "advantage", "flag", ("attack", "throw", "check", "act"), "Roll two d20; the higher counts.", "D20-6"
        ),
        CommandOption(
            "disadvantage", "flag", ("attack", "throw", "check", "act"), "Roll two d20; the lower counts.", "D20-6"
        ),
        CommandOption(
            "stabilise", "flag", ("heal",), "Stabilise with medicine instead.", "D20-18", instead="first-aid"
        ),
    ),
    space=Space(unit=Unit("ft", "feet", 0.3, BESIDE, 5), range=Whole(0, 9999), cover=OneOf(tuple(COVER))),
    difficulty=Whole(1, 40),
)
