"""`3d6`: three dice against a defence, paid for in action points (3D6-1 to 3D6-30)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import Usage
from ...rules import (
    ATTACK_SAYS,
    Action,
    Amount,
    Changes,
    Condition,
    Cost,
    DiceText,
    Either,
    ExactOdds,
    Fault,
    Field,
    Fighter,
    History,
    Initiative,
    Intent,
    MapOf,
    Modifiers,
    NamedTuple,
    OneOf,
    Opponents,
    OutputField,
    Pool,
    RuleChange,
    RuleTable,
    Says,
    Scene,
    Section,
    Setup,
    SheetRules,
    Space,
    Start,
    System,
    Text,
    Texts,
    Whole,
    aid_in_use,
    check_action,
    condition_action,
    draw_action,
    heal_action,
    increments,
    initiative_action,
    known_word,
    lacks,
    landed,
    move_action,
    noticed,
    out_of_sight,
    refuse,
    reload_action,
    sheet,
    supplies,
    target_distance,
    unable,
    weapon_in_use,
    within,
)

# The sheet

NAME = "3d6"
RANKS = {"terrible": -3, "poor": -2, "mediocre": -1, "fair": 0, "good": 1, "great": 2, "superb": 3}
"""3D6-1: the words for the modifiers."""
ABILITIES = ("might", "speed", "intelligence", "charisma")
SKILLS = {
    **dict.fromkeys(("athletics", "force", "melee", "heavy-weapons"), "might"),
    **dict.fromkeys(("acrobatics", "light-weapons", "stealth", "operate"), "speed"),
    **dict.fromkeys(("perception", "science", "engineering"), "intelligence"),
    **dict.fromkeys(("back-story", "oratory", "tactics", "command"), "charisma"),
}
"""3D6-2: the skills, and the ability each is used with."""
FIELDS = {"medicine": "science"}
"""3D6-2: names of fields, and the skill each is part of."""
WEAPON_SKILL = {"melee": "melee", "ranged": "light-weapons", "thrown": "light-weapons"}
"""3D6-4: the skill of a kind of weapon."""
AP_MOST = 6
"""3D6-10."""
HEALED = ("endurance", "health")
"""3D6-29: the pools that items restore, in the order of their dice."""
DRUNK = -2
"""3D6-15: once on every roll of a skill or an ability, and on both defences."""
Weapon = Mapping[str, Any]
"""A weapon as the sheet has it."""
UNARMED: Weapon = {"kind": "melee", "hit": 0, "damage": 0, "crit": 0, "ap": 2}
"""3D6-4: bare hands (a reading: damage 0 and might)."""

_rank = Whole(-3, 3, RANKS, signed=True)
_own_skill = Section(
    {
        "rank": Field(_rank, "the modifier, or its word", "3D6-2", 0),
        "ability": Field(OneOf(ABILITIES), "the ability it is used with", "3D6-2", required=True),
    }
)
_weapon = Section(
    {
        "kind": Field(OneOf(("melee", "ranged", "thrown")), "how it is used", "3D6-4", required=True),
        "skill": Field(Text(most=40), "the skill; by default the kind's", "3D6-4"),
        "ability": Field(OneOf(ABILITIES), "the ability of the attack roll; by default the skill's", "3D6-4"),
        "hit": Field(Whole(-20, 20, signed=True), "added to the attack roll", "3D6-4", 0),
        "damage": Field(DiceText(), "number or dice", "3D6-4", 0),
        "crit": Field(Whole(0, 100), "damage to Health for each six of a hit", "3D6-28", 0),
        "damage_ability": Field(OneOf((*ABILITIES, "none")), "ability added to the damage", "3D6-4"),
        "ap": Field(Whole(0, 60), "AP of an attack", "3D6-14", 2),
        "range": Field(Whole(1, 100_000), "increment in metres", "3D6-23"),
        "capacity": Field(Whole(1, 9999), "rounds it holds", "3D6-25"),
        "reload": Field(Whole(0, 60), "AP of reloading", "3D6-14", 2),
    }
)
_armour = Section(
    {
        "defence": Field(Whole(-20, 20, signed=True), "added to both defences", "3D6-19", 0),
        "dr": Field(Whole(0, 1000), "taken off damage while durability lasts", "3D6-25", 0),
        "durability": Field(Whole(0, 9999), "hits it can take", "3D6-25", 0),
    }
)
_heals = Section({pool: Field(DiceText(), f"{pool} restored", "3D6-29") for pool in HEALED})
_item = Section(
    {
        "heals": Field(_heals, "what it restores", "3D6-29"),
        "uses": Field(Whole(0, 9999), "how often it can be used", "3D6-29"),
        "ap": Field(Whole(0, 60), "AP of using it", "3D6-14", 2),
    }
)
_abilities = Section({name: Field(_rank, f"{name}, −3 to +3 or a rank", "3D6-1", 0) for name in ABILITIES})
ROLLS = ("attack", "damage", "melee-defence", "ranged-defence", "initiative", "check", "heal", "move")
SHEET = sheet(
    NAME,
    {
        "abilities": Field(_abilities, "the four abilities", "3D6-1", dict.fromkeys(ABILITIES, 0)),
        "skills": Field(
            MapOf(Either(_rank, _own_skill), lower=True), "skills; absent ones are 0", "3D6-2", {}
        ),
        "endurance": Field(Whole(1, 9999), "highest Endurance, if not 50 + 10 × might", "3D6-3"),
        "health": Field(Whole(1, 9999), "highest Health, if not 25 + 5 × might", "3D6-3"),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "3D6-4", {}),
        "armour": Field(_armour, "what is worn", "3D6-4", {"defence": 0, "dr": 0, "durability": 0}),
        "items": Field(MapOf(_item), "things carried, by name", "3D6-29", {}),
    },
    circumstance=(*ROLLS, "endurance", "health", *ABILITIES, *SKILLS),
    pools=("endurance", "health", "durability"),
    conditions=("drunk", "prone", "stunned", "hidden", "dead"),
)


def ability_of(values: Mapping[str, Any], skill: str) -> str:
    """The ability that a skill is used with (3D6-2); empty for what is no skill of the sheet."""
    own = values["skills"].get(skill)
    return own["ability"] if isinstance(own, dict) else SKILLS.get(skill, "")


def rank_of(fighter: Fighter, skill: str) -> int:
    """The modifier of a skill, 0 where the sheet has none (3D6-2)."""
    own = fighter.sheet["skills"].get(skill, 0)
    rank: int = own["rank"] if isinstance(own, dict) else own
    return rank


def faults(values: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong = Fault.of_skills(values["skills"], SKILLS, "{ rank = …, ability = … }")
    for name, weapon in values["weapons"].items():
        skill = weapon.get("skill", "").lower().replace("_", "-")
        if skill and not ability_of(values, skill):
            known = (*SKILLS, *values["skills"])
            wrong.append(Fault.unknown(("weapons", name, "skill"), "skill", skill, known))
    return wrong


def start(values: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (3D6-3, 3D6-10)."""
    might, more = values["abilities"]["might"], values["circumstance"]
    most = {"endurance": 50 + 10 * might, "health": 25 + 5 * might}
    pools = {name: max(1, values.get(name, value) + more.get(name, 0)) for name, value in most.items()}
    durability = values["armour"]["durability"]
    return Start.of(values, {**pools, "durability": durability, **supplies(values), "ap": (0, 0, AP_MOST)})


def skilled(roll: str, rule: str, fighter: Fighter, skill: str, ability: str = "") -> Modifiers:
    """What a skill (3D6-2) and its ability (3D6-1), or an ability alone, add to a roll."""
    found = Modifiers(roll, rule)
    if skill in ABILITIES:
        ability = skill
    else:
        ability = ability or ability_of(fighter.sheet, skill)
        found.add(skill, rank_of(fighter, skill), source="skill").situational(fighter, skill)
    found.add(ability, fighter.sheet["abilities"][ability], source="ability")
    return found.situational(fighter, ability)


def drunk(found: Modifiers, fighter: Fighter) -> Modifiers:
    """3D6-15: what being drunk takes off a roll or a defence."""
    return found.add("drunk", DRUNK * fighter.has("drunk"), "3D6-15", "condition")


REACH = 2
"""3D6-19, 3D6-29: how far melee and treatment reach, in metres."""

# Checks

THREE_DICE = Amount(3, 6)
"""3D6-5: the dice of every check, and of the turn order (3D6-6)."""


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    who: str
    bonus: int
    difficulty: int
    other: str = ""
    other_bonus: int = 0


class CheckResult(NamedTuple):
    success: bool
    total: int
    against: int


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an ability; Usage without a difficulty (3D6-5: there is no default)."""
    mine = check_roll("check", scene.fighters[intent.actor], intent.get("skill", "")).asked(intent)
    other, skill = intent.get("vs") or ("", "")
    if other:
        theirs = check_roll("resist", scene.fighters[other], skill, other)
        found = other if skill == "stealth" and scene.fighters[other].has("hidden") else ""
        dice = CheckSetup(intent.actor, mine.total, 0, other, theirs.total)
        return Setup(dice, Modifiers.lines_of(mine, theirs), carried=found)
    if intent.get("difficulty") is None:
        needs = "a check in 3d6 needs its difficulty (3D6-5)"
        raise Usage(needs, hint="give --difficulty N, or --vs OTHER SKILL", code="missing_option")
    return Setup(CheckSetup(intent.actor, mine.total, intent.get("difficulty")), Modifiers.lines_of(mine))


def check_roll(roll: str, fighter: Fighter, word: str, against: str = "") -> Modifiers:
    """3D6-5: what a skill, a field or an ability adds to a check."""
    known = (*ABILITIES, *SKILLS, *FIELDS, *fighter.sheet["skills"])
    skill = known_word(fighter, word, known, "skill or ability", "3D6-2")
    skill = skill if skill in fighter.sheet["skills"] else FIELDS.get(skill, skill)
    found = Modifiers(roll, "3D6-5", against).extend(skilled(roll, "3D6-5", fighter, skill))
    return drunk(found.situational(fighter, "check"), fighter)


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """3D6-5: three dice and the bonus, at or above the difficulty; in a contest a tie goes to the active side."""
    table.label("check", setup.who, "3d6")
    total = THREE_DICE.thrown(table) + setup.bonus
    if not setup.other:
        success = total >= setup.difficulty
        table.result(total=total, target=setup.difficulty, success=success)
        return CheckResult(success, total, setup.difficulty)
    table.result(total=total)
    table.label("resist", setup.other, "3d6")
    resisted = THREE_DICE.thrown(table) + setup.other_bonus
    table.result(total=resisted)
    return CheckResult(total >= resisted, total, resisted)


def reveal_found(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """3D6-14: who wins a check against the stealth of someone hidden notices them, and so do all (a reading)."""
    if setup.carried and result.success:
        changes.end(setup.carried, "hidden", "3D6-14")


CHECK = check_action(
    "Roll a skill or an ability", "3D6-5", check_setup, check, ("difficulty", "vs"), reveal_found
)

# The turn order and action points


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """3D6-6: intelligence and speed; 3D6-7: ties by intelligence, then speed."""
    found = Modifiers("initiative", "3D6-6")
    intelligence, speed = (fighter.sheet["abilities"][ability] for ability in ("intelligence", "speed"))
    found.add("intelligence", intelligence, source="ability").add("speed", speed, source="ability")
    drunk(found.situational(fighter, "initiative", "intelligence", "speed"), fighter)
    return Initiative(fighter.name, found.total, (-intelligence, -speed)), found


def score(table: RuleTable, one: Initiative, tied_with: tuple[str, ...] = ()) -> int:
    """3D6-6: three dice and the bonus; 3D6-7: once more for a tie."""
    table.label("initiative", one.name, "3d6", tied_with=[*tied_with])
    total: int = THREE_DICE.thrown(table) + one.bonus
    table.result(total=total)
    return total


INIT = initiative_action("3D6-6", initiative_of, score)


ROUND_AP = 4
"""3D6-10: AP that a fighter gains every round."""


def gain_ap(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """3D6-8 to 3D6-10, 3D6-13, 3D6-17: all gain AP together; in the extra turn (3D6-9) only those who are in it."""
    scene = changes.scene
    for name, fighter in scene.fighters.items():
        waits = scene.is_extra_round and name not in scene.early
        if fighter.gone or fighter.has("stunned") or fighter.pools["health"] <= 0 or waits:
            continue
        gain, rule = (2, "3D6-13") if fighter.pools["endurance"] <= 0 else (ROUND_AP, "3D6-10")
        changes.adjust(name, "ap", changes.number(rule).add("renewed", gain))


# Conditions


CONDITIONS = {
    "dead": Condition(
        "dead",
        "3D6-27",
        when=lambda fighter: fighter.pools["health"] <= 0,
        defeated="dead",
        cannot_act=True,
        ends="{who} is alive again.",
    ),
    "stunned": Condition("stunned", "3D6-17", Scene.next_round_end, lasting=False, cannot_act=True),
    "drunk": Condition("drunk", "3D6-15", ends="{who} is sober again."),
    "prone": Condition("prone", "3D6-16", rest_ends=True, ends="{who} is on their feet again."),
    "hidden": Condition("hidden", "3D6-14", lasting=False, unseen=True, ends="{who} is seen again."),
}

# Attacks

AS_LISTED = (Cost("ap", 2, "ap", "3D6-14"),)
"""3D6-14: the AP that the sheet says for the weapon or item in use."""
COVER = {"none": 0, "light": 1, "heavy": 3}
"""3D6-21: added to the defence; nobody behind total cover can be hit."""
PENETRATED = {"total": "heavy", "heavy": "light", "light": "light", "none": "none"}
"""3D6-22: what cover is worth against shots that pass through it (heavy and light are readings)."""


class AttackSetup(NamedTuple):
    who: str
    bonus: int
    defence: int
    damage: Amount
    """Dice, and everything added."""
    crit: int
    """Damage to Health for each six; 0: no critical hits."""
    scatters: bool
    """Thrown: a miss lands somewhere."""


class AttackResult(NamedTuple):
    success: bool
    total: int
    criticals: int
    """Sixes of a hit, where the weapon has critical hits."""
    damage: int
    """Before armour."""
    scatter: int = 0
    """The direction die of a missed throw, 1 to 8; 0 where nothing scatters."""


UP = "stand up first: crisis act {who} stand-up"
on_foot = lacks("prone", "3D6-16", "{who} is prone and cannot attack in melee", hint=UP)
in_melee = within(REACH, "3D6-19", "melee", "move closer: crisis act {who} move toward {target}", "move")
LOOK = "look for them: crisis check SKILL --vs {who} stealth, or move beside them"
has_noticed = noticed("hidden", REACH, "3D6-14", LOOK)


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """3D6-18: an attack with the weapon in hand; 3D6-30: a throw, of a thrown weapon."""
    name, weapon = weapon_in_use(scene, intent, "3D6-14", UNARMED, throws="3D6-30")
    if weapon["kind"] == "melee":
        on_foot(scene, intent)
        in_melee(scene, intent)
    distance = target_distance(scene, intent)
    attack = attack_roll(scene, intent, name, weapon, distance)
    defence = defence_of(scene, intent, scene.fighters[intent.target], weapon)
    added = damage_of(intent, scene.fighters[intent.actor], name, weapon)
    dice, thrown = Amount.of(weapon["damage"])._replace(plus=added.total), weapon["kind"] == "thrown"
    setup = AttackSetup(intent.actor, attack.total, defence.total, dice, weapon["crit"], thrown)
    rounds = (Cost(f"ammo:{name}", rule="3D6-25"),) if "capacity" in weapon else ()
    return Setup(setup, Modifiers.lines_of(attack, defence, added), rounds, name, carried=(weapon, distance))


def attack_roll(scene: Scene, intent: Intent, name: str, weapon: Weapon, distance: int | None) -> Modifiers:
    """3D6-18: skill, ability and weapon; 3D6-23: range."""
    fighter = scene.fighters[intent.actor]
    skill = weapon.get("skill", WEAPON_SKILL[weapon["kind"]]).lower().replace("_", "-")
    found = skilled("attack", "3D6-18", fighter, skill, weapon.get("ability", ""))
    found.add("hit", weapon["hit"], source=f"weapons.{name}").situational(fighter, "attack")
    drunk(found, fighter)
    if weapon["kind"] != "melee":
        source = f"{distance} m at {weapon.get('range')} m an increment"
        found.add("range", -2 * increments(distance, weapon.get("range")), "3D6-23", source)
    return found.asked(intent)


def defence_of(scene: Scene, intent: Intent, target: Fighter, weapon: Weapon) -> Modifiers:
    """3D6-19 to 3D6-22: what the attack must reach; Refused behind total cover."""
    melee = weapon["kind"] == "melee"
    found = Modifiers("defence", "3D6-19" if melee else "3D6-20").base("base", 10)
    if melee:
        found.add("melee", rank_of(target, "melee"), source="skill")
    ability = "might" if melee else "speed"
    found.add(ability, target.sheet["abilities"][ability], source="ability")
    found.add("armour", target.sheet["armour"]["defence"], source="armour.defence")
    found.situational(target, "melee-defence" if melee else "ranged-defence")
    if melee:
        around = enemies_around(scene, intent, target)
        found.add(f"{around} enemies around", -2 * (around - 1), "3D6-19", "melee range")
    drunk(found, target)
    return found.cover(intent, target.name, COVER, *cover(scene, intent, target, weapon))


def derived(fighter: Fighter) -> dict[str, int]:
    """3D6-6, 3D6-19, 3D6-20: what is added to initiative, and both defences against a single enemy."""
    alone = Scene(NAME, {fighter.name: fighter})
    attacked = Intent("attack", fighter.name, (fighter.name,), {"enemies": 1})
    return {
        "initiative bonus": initiative_of(fighter)[0].bonus,
        "melee defence": defence_of(alone, attacked, fighter, {"kind": "melee"}).total,
        "ranged defence": defence_of(alone, attacked, fighter, {"kind": "ranged"}).total,
    }


def enemies_around(scene: Scene, intent: Intent, target: Fighter) -> int:
    """3D6-19: the target's enemies in melee range that can act, the attacker among them."""
    if (said := intent.get("enemies")) is not None:
        return max(1, int(said))
    others = (foe for foe in scene.foes(target.name) if foe.name != intent.actor)
    here = target.at
    near = (foe for foe in others if here and foe.at and Scene.between(foe.at, here) <= REACH)
    return 1 + sum(not unable(CONDITIONS, foe)[0] for foe in near)


def cover(scene: Scene, intent: Intent, target: Fighter, weapon: Weapon) -> tuple[str, str, str]:
    """The best cover of the target, its rule and its source; only the best counts (3D6-16, 3D6-21, 3D6-22)."""
    # Total cover does not help against a foe who has come beside (a reading).
    level, source, thin = scene.cover(target.name, intent.actor, REACH, said=intent.get("cover"))
    rule = "3D6-21"
    if (thin or intent.get("penetrable")) and weapon["kind"] == "ranged" and PENETRATED[level] != level:
        level, source, rule = PENETRATED[level], f"{source}, penetrable", "3D6-22"
    prone = target.has("prone") and weapon["kind"] != "melee" and not intent.get("behind")
    if prone and level not in ("heavy", "total"):
        return "heavy", "3D6-16", "prone, facing the attacker"
    return level, rule, source


def damage_of(intent: Intent, fighter: Fighter, name: str, weapon: Weapon) -> Modifiers:
    """3D6-24: all that is added to the weapon's dice."""
    ability = weapon.get("damage_ability", "might" if weapon["kind"] == "melee" else "none")
    found = Modifiers("damage", "3D6-24")
    found.add("weapon", Amount.of(weapon["damage"]).plus, source=f"weapons.{name}")
    found.add(ability, fighter.sheet["abilities"].get(ability, 0), source="ability")
    return found.situational(fighter, "damage").asked(intent, "mod_damage")


# The dice of an attack


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """3D6-18: three dice and the bonus, at or above the defence; 3D6-24: then the damage."""
    table.label("attack", setup.who, "3d6")
    faces, sixes = table.times(3, face_and_six, zero=(0, 0))
    total = faces + setup.bonus
    hit = total >= setup.defence
    criticals = sixes if hit and setup.crit else 0
    noted = {"criticals": criticals} if criticals else {}
    table.result(total=total, target=setup.defence, success=hit, **noted)
    if not hit:
        return AttackResult(False, total, 0, 0, table.ask(scatter, setup.who) if setup.scatters else 0)
    return AttackResult(True, total, criticals, table.ask(Amount.roll, "damage", setup.who, setup.damage))


def face_and_six(table: RuleTable) -> tuple[int, int]:
    """One die of an attack, and 1 if it is a six (3D6-28)."""
    face = table.die(6)
    return face, int(face == 6)


def scatter(table: RuleTable, who: str) -> int:
    """3D6-30: the direction in which a missed throw goes."""
    table.label("scatter", who, "d8")
    direction = table.die(8)
    table.result(total=direction)
    return direction


# What an attack changes


def hurt(changes: Changes, intent: Intent, setup: Setup, hit: AttackResult) -> None:
    """3D6-25 to 3D6-28: Endurance, or Health once that is gone, and the armour; 3D6-30: what is thrown is gone."""
    changes.end(intent.actor, "hidden", "3D6-14")
    if hit.success:
        wound(changes, intent.target, setup, hit)
    if setup.dice.scatters and not changes.pool(intent.actor, f"ammo:{setup.gear}"):
        changes.drop(intent.actor, setup.gear, "3D6-30")


def wound(changes: Changes, who: str, setup: Setup, hit: AttackResult) -> None:
    """3D6-25 to 3D6-28: armour comes off the normal damage, and once off all critical damage (a reading)."""
    target = changes.fighter(who)
    armour = target.sheet["armour"]["dr"] if target.pools["durability"] > 0 else 0
    normal = changes.number("3D6-24").from_dice("damage", -hit.damage).absorb("armour", armour, "3D6-25")
    sixes = changes.number("3D6-28").add("critical damage", -setup.dice.crit * hit.criticals)
    critical = sixes.absorb("armour", armour, "3D6-25")
    rule = "3D6-28" if critical.total else "3D6-26"
    if target.pools["endurance"] > 0:
        changes.adjust(who, "endurance", normal, "3D6-26")
        changes.adjust(who, "health", critical, rule)
    else:
        changes.adjust(who, "health", normal.join(critical), rule)
    wear, rule = (2, "3D6-28") if hit.criticals else (1, "3D6-25")
    changes.adjust(who, "durability", changes.number(rule).add("wear", -wear))


def landing(scene: Scene, intent: Intent, setup: Setup, hit: AttackResult) -> Mapping[str, Any]:
    """3D6-30: how far off a missed throw lands, `off` metres, and `at` [x, y] where positions are known."""
    if not hit.scatter:
        return {}
    weapon, distance = setup.carried
    off = max(1, increments(distance, weapon.get("range")) + 1)
    place = landed(scene.fighters[intent.actor].at, scene.fighters[intent.target].at, hit.scatter, off)
    return {"off": off} | ({"at": place} if place else {})


target_lives = lacks("dead", "3D6-27", of="target", code="already_dead")
ATTACK = Action(
    "Attack one target with the weapon in hand",
    "3D6-18",
    attack_setup,
    hurt,
    attack,
    costs=AS_LISTED,
    gear="weapons",
    ai=Opponents.attacking("attack", "melee", "ranged", bare_hands=True),
    options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage"),
    requires=(target_lives, has_noticed),
    targets="one",
    says=Says({**ATTACK_SAYS, "": "{actor} attacks {target} with the {gear}"}, ("hit", "miss")),
    outputs=landing,
)
THROW = ATTACK._replace(
    title="Throw a weapon at one target",
    rule_id="3D6-30",
    ai=Opponents.attacking("throw", "thrown"),
    says=Says(ATTACK_SAYS["thrown"], ("hit", "miss")),
)

# Treatment and other uses of items


class Dose(NamedTuple):
    """What an item gives."""

    who: str
    item: str
    endurance: Amount
    health: Amount


class Treated(NamedTuple):
    """What a treatment came to, before the pools' maximum."""

    success: bool
    total: int
    endurance: int
    health: int

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.total else "done"


in_reach = within(REACH, "3D6-29", "treating")
patient_lives = lacks("dead", "3D6-29", "{who} is dead", of="target", code="already_dead", final=True)


def use_setup(scene: Scene, intent: Intent) -> Setup:
    """3D6-29: an item with uses left, on oneself or someone in reach; refused for the dead."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    name, used = item_in_use(intent, fighter)
    patient_lives(scene, intent)
    in_reach(scene, intent)
    if not fighter.pools.get(f"uses:{name}", 1):
        what = f"the {name} of {fighter.name} is used up"
        refuse(intent, what, "3D6-29", "use something else", code="used_up")
    item = fighter.sheet["items"][name]
    heals, useful = item.get("heals", {}), restores(item, patient)
    dose = {pool: Amount.of(heals.get(pool, 0)) if useful else Amount() for pool in HEALED}
    rolls: list[Modifiers] = []
    for pool in (pool for pool in HEALED if dose[pool].many):
        found = Modifiers("heal", "3D6-29", pool=pool).add("item", dose[pool].plus, source=f"items.{name}")
        if not rolls:
            found.situational(fighter, "heal").asked(intent)
        rolls.append(found)
        dose[pool] = dose[pool]._replace(plus=found.total)
    return Setup(
        Dose(fighter.name, name, **dose),
        Modifiers.lines_of(*rolls),
        used if useful or not heals else (),
        name,
    )


def restores(item: Mapping[str, Any], patient: Fighter) -> bool:
    """Whether an item gives a patient anything back: of a pool that is full it gives nothing (3D6-29)."""
    return any(patient.pools[pool] < patient.full(pool) for pool in item.get("heals", ()))


def item_in_use(intent: Intent, fighter: Fighter) -> tuple[str, tuple[Cost, ...]]:
    """The item asked for, and what it costs; else the first that heals and is not used up, or the only one to use."""
    items, heals = fighter.sheet["items"], intent.action == "heal"
    named = heals or intent.get("item") or len(items) == 1
    unfit, carried = "the {item} heals nothing", f"{fighter.name} carries {', '.join(items) or 'nothing'}"
    found = aid_in_use(intent, fighter, lambda item: item.get("heals") or not heals, "3D6-29", unfit)
    if not (named and found[0]):
        used_up = [name for name, item in items.items() if heals and item.get("heals")]
        if used_up:
            carried = f"used up: {', '.join(used_up)}"
        what = f"{fighter.name} has nothing that heals" if heals else "say what to use: --item ITEM"
        refuse(
            intent, what, "3D6-29", carried, final=True, code="wrong_item" if heals else "missing_argument"
        )
    return found


def use(table: RuleTable, dose: Dose) -> Treated:
    """3D6-29: what the item gives, Endurance before Health."""
    endurance = table.ask(Amount.roll, "heal", dose.who, dose.endurance, "endurance")
    health = table.ask(Amount.roll, "heal", dose.who, dose.health, "health")
    return Treated(True, endurance + health, endurance, health)


def restore(changes: Changes, intent: Intent, setup: Setup, treated: Treated) -> None:
    """3D6-29: never above the maximum."""
    for pool in HEALED:
        changes.adjust(intent.patient, pool, changes.number().from_dice("heal", getattr(treated, pool)))


HEAL = heal_action(
    "Treat wounds with an item", "3D6-29", use_setup, restore, use, AS_LISTED, ("item",)
)._replace(ai=Opponents.using("heal", restores))
USE_ITEM = HEAL._replace(
    title="Use an item",
    # What heals is offered as `heal`.
    ai=Opponents.using("use-item", lambda item, patient: not item.get("heals")),
    says=Says({"": "{actor} uses the {gear} on {target}", "self": "{actor} uses the {gear}"}),
)

# Movement, posture, things in hand


def pace(fighter: Fighter) -> int:
    """3D6-14: metres of one move, speed + 5; a sneak goes half of that (a reading: speed / 2 + 5 would be another)."""
    found = Modifiers("move", "3D6-14").base("base", 5).add("speed", fighter.sheet["abilities"]["speed"])
    return max(0, found.situational(fighter, "move").total)


ON = "go part of the way, and on with the next AP"
ONE, TWO, THREE = (Cost("ap", 1),), (Cost("ap", 2),), (Cost("ap", 3),)
UNSEEN = out_of_sight(REACH, "3D6-14", lambda foe: bool(unable(CONDITIONS, foe)[0]))
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "heal": HEAL,
    "use-item": USE_ITEM,
    "draw": draw_action("3D6-14", ONE, "{actor} draws the {gear}"),
    "hide": condition_action(
        "Hide where nobody looks", "3D6-14", THREE, "{actor} hides", begins="hidden"
    )._replace(
        ai=Opponents(considered=False), requires=(lacks("hidden", "3D6-14"), UNSEEN), options=("cover",)
    ),
    "move": move_action("Move", "3D6-14", pace, ONE, "{actor} moves", hint=ON),
    "sneak": move_action(
        "Move unheard", "3D6-14", lambda one: pace(one) // 2, ONE, "{actor} sneaks along", hint=ON
    ),
    "stand-up": condition_action("Stand up", "3D6-14", TWO, "{actor} gets up", ends="prone"),
    "drop-prone": condition_action(
        "Drop to the ground", "3D6-14", ONE, "{actor} drops to the ground", begins="prone"
    ),
    "reload": reload_action(
        "3D6-14", (Cost("ap", 2, "reload"),), loads="rounds", says="{actor} reloads the {gear}"
    ),
}

# The rulebook

HIDING = "nobody hides in plain view, and nobody attacks who is hidden and not noticed"
SYSTEM = System(
    name=NAME,
    title="three dice and action points",
    sheet=SHEET,
    sheet_rules=SheetRules(check=faults, derived=derived),
    start=start,
    pools={
        "endurance": Pool("Endurance", "3D6-3"),
        "health": Pool("Health", "3D6-3"),
        "durability": Pool("armour", "3D6-25", not_vital=True),
        "ap": Pool("AP", "3D6-11", lasting=False, spent=True, long="3D6-12", gain=ROUND_AP),
        "ammo": Pool.rounds("3D6-25", "reload"),
        "uses": Pool("uses", "3D6-29", gear="items", full="uses", loose=True),
    },
    conditions=CONDITIONS,
    actions=ACTIONS,
    phases={
        "start-round": Action(
            "All gain AP", "3D6-10", effects=gain_ap, window="table", odds=ExactOdds(by_fighter=True)
        )
    },
    says=Texts(
        outputs={
            "at": OutputField("where a thing landed that missed, `[x, y]`"),
            "off": OutputField("how far from its target it landed"),
            "metres": OutputField("how far the actor moved, in metres"),
            "criticals": OutputField("how many sixes a hit had, with a weapon that has critical hits"),
            "damage": OutputField("the damage before armour"),
        }
    ),
    skills=(*SKILLS, *FIELDS),
    space=Space(range=Whole(0, 100_000), cover=OneOf(("none", "light", "heavy", "total"))),
    difficulty=Whole(-99, 99),
    history=History(
        (
            RuleChange(
                "3D6-29", 2, "a spent item is refused, also where the patient is unhurt", ("heal", "use-item")
            ),
            RuleChange(
                "3D6-29",
                6,
                "what an item adds to its dice is a modifier of the roll",
                ("heal", "use-item"),
                lambda was, now: now is not None and was.modifiers != now.modifiers,
            ),
            RuleChange("3D6-14", 3, HIDING, ("hide", "attack", "throw"), lambda was, now: now is None),
            RuleChange(
                "3D6-12",
                6,
                "a long action that the GM allows beside another one does not end that one",
                touches=lambda was, now: bool(was.intent.get("force")),
            ),
            RuleChange(
                "3D6-10", 6, "who joins before their turn of a round has the AP of that round", ("join",)
            ),
            RuleChange(
                "3D6-14", 3, HIDING, ("check",), lambda was, now: now is not None and now.events != was.events
            ),
        )
    ),
)
