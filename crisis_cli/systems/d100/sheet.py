"""The sheet of `d100`, what follows from it, and checks against its ratings (D100-1 to D100-7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules import (
    DiceText,
    Fault,
    Field,
    Fighter,
    Flag,
    Intent,
    ListOf,
    MapOf,
    Modifiers,
    NamedTuple,
    OneOf,
    RuleTable,
    Scene,
    Section,
    Setup,
    Start,
    Whole,
    check_action,
    known_word,
    refuse,
    sheet,
    supplies,
)

# The sheet

NAME = "d100"
DISTANCES = Whole(0, 100_000)
"""What `--range` takes, in metres."""
RATINGS = ("strength", "dexterity", "perception", "combat")
"""D100-1: those that the rules roll; a sheet may list any others."""
OTHERS = ("medicine", "stealth")
"""D100-1: others that everyone may try, at 0 where the sheet does not list them."""
KINDS = ("melee", "pistol", "shotgun", "rifle", "thrown")
RANGES = {"pistol": 10, "shotgun": 10, "rifle": 25, "thrown": 10}
"""D100-2, in metres; that of things thrown is a reading."""
MODES = {"rifle": ("single", "semi", "auto"), "pistol": ("single",), "shotgun": ("single",)}
"""D100-2: how a firearm fires where the sheet does not say (pistol and shotgun are a reading)."""
UNARMED = {"kind": "melee", "damage": 0}
"""D100-17: bare hands add nothing to the roll of strength."""
OBJECT = {"kind": "thrown", "damage": 0}
"""D100-29: any object at hand."""
ANYTHING = "object"
"""D100-29: the name of that object."""

Weapon = Mapping[str, Any]
"""A weapon as the sheet has it."""

_weapon = Section(
    {
        "kind": Field(OneOf(KINDS), "what it is", "D100-2", required=True),
        "damage": Field(DiceText(), "dice or number: added to strength, or of each projectile", "D100-2", 0),
        "range": Field(Whole(1, 100_000), "metres; each further range is an Obstacle", "D100-19"),
        "modes": Field(ListOf(OneOf(("single", "semi", "auto")), 3), "how it can fire", "D100-18"),
        "capacity": Field(Whole(1, 9999), "shots it holds, or how many there are to throw", "D100-22"),
    }
)
_item = Section(
    {
        "aid": Field(Flag(), "whether it gives an Assist when wounds are treated", "D100-28", False),
        "uses": Field(Whole(0, 9999), "how often it can be used", "D100-28"),
    }
)
_ratings = Section(
    {name: Field(Whole(0, 100), f"{name}, 1 to 100", "D100-1", 0) for name in RATINGS}, rest=Whole(0, 100)
)
ROLLS = ("attack", "damage", "block", "dodge", "initiative", "check", "heal", "sneak", "notice", "move")
SHEET = sheet(
    NAME,
    {
        "health": Field(Whole(1, 9999), "highest Health", "D100-1", required=True),
        "armour": Field(Whole(0, 999), "comes off each projectile or blow", "D100-1", 0),
        "block": Field(DiceText(), "what a block rolls; absent: it cannot block", "D100-24"),
        "dodge": Field(DiceText(), "what a dodge rolls; absent: it cannot dodge", "D100-25"),
        "ratings": Field(
            _ratings, "what is rolled under; absent ones are 0", "D100-1", dict.fromkeys(RATINGS, 0)
        ),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "D100-2", {}),
        "items": Field(MapOf(_item), "things carried, by name", "D100-28", {}),
    },
    circumstance=(*ROLLS, "health", *RATINGS, *OTHERS),
    pools=("health",),
    conditions=("sneaking", "down"),
)


def rating_of(values: Mapping[str, Any], name: str) -> tuple[int, str]:
    """A rating and where it comes from; 0 where the sheet has none (D100-1), half perception for medicine (D100-28)."""
    ratings: Mapping[str, int] = values["ratings"]
    if name == "medicine" and name not in ratings:
        return ratings["perception"] // 2, "ratings.perception / 2"
    return ratings.get(name, 0), f"ratings.{name}"


def figures(fighter: Fighter) -> dict[str, int]:
    """D100-28: medicine, where it follows from another rating."""
    listed = "medicine" in fighter.sheet["ratings"]
    return {} if listed else {"medicine": rating_of(fighter.sheet, "medicine")[0]}


def die_of(rating: int) -> int:
    """The sides of the die that a rating gives, a tenth of it (D100-17, D100-28); a d1 is not rolled (a reading)."""
    return max(1, rating // 10)


def modes_of(weapon: Weapon) -> tuple[str, ...]:
    """How a weapon can fire (D100-2); nothing for what does not fire."""
    return tuple(weapon.get("modes") or MODES.get(weapon["kind"], ()))


def faults(values: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    return [
        Fault(("weapons", name, "modes"), f"the {weapon['kind']} weapon does not fire")
        for name, weapon in values["weapons"].items()
        if weapon["kind"] not in MODES and weapon.get("modes")
    ]


def start(values: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (D100-1), with a Small Action before the first turn (D100-12, a reading)."""
    health = max(1, values["health"] + values["circumstance"].get("health", 0))
    pools = {"health": health, **supplies(values), "actions": (0, 0, 1), "small-actions": (1, 0, 2)}
    return Start.of(values, pools)


# Checks

PLUS, MINUS = "[+]", "[−]"
"""D100-5: two dice, of which the lower or the higher counts."""
HELP = ("assist", "obstacle", "plus", "minus")
"""D100-4, D100-5: the options of every check."""


def rated(fighter: Fighter, roll: str, rating: str, against: str = "") -> Modifiers:
    """The rating that a roll goes under (D100-1), with the situational modifiers of the sheet (ALL-6)."""
    value, source = rating_of(fighter.sheet, rating)
    modifiers = Modifiers(roll, "D100-1", against).base(rating, value, source=source)
    return modifiers.situational(fighter, roll, rating)


def assist(modifiers: Modifiers, name: str, rule: str, source: str = "", count: int = 1) -> Modifiers:
    """Add so many Assists to a roll, 10 each, or Obstacles where `count` is negative (D100-4)."""
    word, many = "Assist" if count > 0 else "Obstacle", abs(count)
    words = f"{many} {word}s, {name}" if many > 1 else f"{word}, {name}"
    return modifiers.add(words, 10 * count, rule, source)


def with_asked(modifiers: Modifiers, intent: Intent, *advantages: tuple[str, int, str, str]) -> Modifiers:
    """Add what the command says of a check: Assists and Obstacles (D100-4), `--mod` (ALL-6), and after the other
    `advantages` its [+] and [−] (D100-5)."""
    for option, sign in (("assist", 1), ("obstacle", -1)):
        count = intent.get(option, 0)
        if count < 0:
            refuse(intent, f"--{option} is a number from 0", "D100-4", final=True, code="bad_value")
        assist(modifiers, "as asked", "D100-4", intent.get("why", "--" + option), sign * count)
    modifiers.asked(intent)
    plus, minus = bool(intent.get("plus")), -bool(intent.get("minus"))
    for advantage in (*advantages, (PLUS, plus, "D100-5", "--plus"), (MINUS, minus, "D100-5", "--minus")):
        modifiers.advantage(*advantage)
    return modifiers


def rolled(
    table: RuleTable, what: str, who: str, target: int, advantage: int = 0, cause: str = ""
) -> tuple[bool, int]:
    """D100-3: success at or under the target, with the face; at 0 or less never, at 100 or more always (D100-6).
    D100-5: `advantage` is 1 for [+], where the lower of two dice counts, and -1 for [−], where the higher does."""
    table.label(what, who, {0: "d100", 1: "2d100kl1", -1: "2d100kh1"}[advantage], cause=cause)
    face = table.die(100) if not advantage else (table.lowest if advantage > 0 else table.highest)(2, 100)
    table.result(total=face, target=target, success=face <= target, under=True)
    return face <= target, face


def succeeds(table: RuleTable, what: str, who: str, target: int, advantage: int = 0) -> bool:
    """A rule: whether a check succeeds, and nothing else."""
    return rolled(table, what, who, target, advantage)[0]


class CheckResult(NamedTuple):
    success: bool
    total: int
    """The face that counted."""


Check = tuple[str, str, int, int, str]
"""One roll under a rating, as `rolled` takes it: what it is, who rolls, the target, the advantage, what it resists."""


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of any rating (D100-3), or an opposed one (D100-7)."""
    fighter, (other, word) = scene.fighters[intent.actor], intent.get("vs") or ("", "")
    rating = rating_named(scene, intent, fighter, intent.get("skill", ""))
    mine = with_asked(rated(fighter, "check", rating), intent)
    active: Check = ("check", fighter.name, mine.total, mine.net_advantage, "")
    if not other:
        return Setup((active, None), Modifiers.lines_of(mine))
    rival = scene.fighters[other]
    theirs = rated(rival, "resist", rating_named(scene, intent, rival, word), other)
    theirs.situational(rival, "check")
    against: Check = ("resist", other, theirs.total, 0, f"{fighter.name}’s {rating}")
    return Setup((active, against), Modifiers.lines_of(mine, theirs))


def rating_named(scene: Scene, intent: Intent, fighter: Fighter, word: str) -> str:
    """The rating that a word names, of the rules or of any sheet here (D100-1); forced, a word that names none."""
    here = (name for other in scene.fighters.values() for name in other.sheet["ratings"])
    known = (*RATINGS, *OTHERS, *here)
    return known_word(fighter, word, known, "rating", "D100-1", forced=bool(intent.get("force")))


def check(table: RuleTable, setup: tuple[Check, Check | None]) -> CheckResult:
    """D100-3, and D100-7 where someone opposes: all failed rolls are worth the same."""
    active, against = setup
    success, face = rolled(table, *active)
    if against:
        resists, theirs = rolled(table, *against)
        # Where both fail or are equal it does not prevail (a reading).
        success = success and face > (theirs if resists else 0)
    return CheckResult(success, face)


CHECK = check_action("Check a rating", "D100-3", check_setup, check, options=("vs", *HELP))
