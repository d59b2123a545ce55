"""Checks against a rating (D100-3 to D100-7)."""

from __future__ import annotations

from ...rules import (
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    check_action,
    known_word,
    refuse,
)
from .sheet import OTHERS, RATINGS, rating_of

# Checks

PLUS, MINUS = "[+]", "[−]"
"""D100-5: two dice, of which the lower or the higher counts."""
HELP = ("assist", "obstacle", "plus", "minus")
"""D100-4, D100-5: the options of every check."""


def rated(fighter: Fighter, roll: str, rating: str, against: str = "") -> Modifiers:
    """The rating that a roll goes under (D100-1), with the situational modifiers of the sheet (ALL-6)."""
    value, source = rating_of(fighter.sheet, rating)
    found = Modifiers(roll, "D100-1", against).base(rating, value, source=source)
    return found.situational(fighter, roll, rating)


def assist(found: Modifiers, name: str, rule: str, source: str = "", count: int = 1) -> Modifiers:
    """Add so many Assists to a roll, 10 each, or Obstacles where `count` is negative (D100-4)."""
    word, many = "Assist" if count > 0 else "Obstacle", abs(count)
    words = f"{many} {word}s, {name}" if many > 1 else f"{word}, {name}"
    return found.add(words, 10 * count, rule, source)


def assist_asked(found: Modifiers, intent: Intent) -> Modifiers:
    """Add the Assists and Obstacles of the command (D100-4); Refused below 0."""
    for option, sign in (("assist", 1), ("obstacle", -1)):
        count = intent.get(option, 0)
        if count < 0:
            refuse(intent, f"--{option} is a number from 0", "D100-4", final=True, code="bad_value")
        assist(found, "as asked", "D100-4", intent.get("why", "--" + option), sign * count)
    return found


def advantage_asked(found: Modifiers, intent: Intent) -> Modifiers:
    """Add the [+] and [−] of the command (D100-5)."""
    found.advantage(PLUS, bool(intent.get("plus")), "D100-5", "--plus")
    return found.advantage(MINUS, -bool(intent.get("minus")), "D100-5", "--minus")


def all_asked(found: Modifiers, intent: Intent) -> Modifiers:
    """Add all that the command says of a check: Assists, Obstacles, `--mod`, [+] and [−]."""
    return advantage_asked(assist_asked(found, intent).asked(intent), intent)


def rolled(
    table: RuleTable, what: str, who: str, target: int, advantage: int = 0, cause: str = ""
) -> tuple[bool, int]:
    """D100-3: success at or under the target, with the face; at 0 or less never, at 100 or more always (D100-6).
    D100-5: `advantage` is 1 for [+], where the lower of two dice counts, and -1 for [−], where the higher does."""
    table.label(what, who, {0: "d100", 1: "2d100kl1", -1: "2d100kh1"}[advantage], cause=cause)
    face = (
        table.die(100) if not advantage else table.lowest(2, 100) if advantage > 0 else table.highest(2, 100)
    )
    table.result(total=face, target=target, success=face <= target, under=True)
    return face <= target, face


def succeeds(table: RuleTable, what: str, who: str, target: int, advantage: int = 0) -> bool:
    """A rule: whether a check succeeds, and nothing else."""
    return rolled(table, what, who, target, advantage)[0]


Check = tuple[str, str, int, int, str]
"""One roll under a rating, as `rolled` takes it: what it is, who rolls, the target, the advantage, what it resists."""


class CheckResult(NamedTuple):
    success: bool
    total: int
    """The face that counted."""


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of any rating (D100-3), or an opposed one (D100-7)."""
    fighter, (other, word) = scene.fighters[intent.actor], intent.get("vs") or ("", "")
    rating = rating_named(scene, intent, fighter, intent.get("skill", ""))
    mine = all_asked(rated(fighter, "check", rating), intent)
    own: Check = ("check", fighter.name, mine.total, mine.net_advantage, "")
    if not other:
        return Setup((own, None), Modifiers.lines_of(mine))
    rival = scene.fighters[other]
    theirs = rated(rival, "resist", rating_named(scene, intent, rival, word), other)
    theirs.situational(rival, "check")
    against: Check = ("resist", other, theirs.total, 0, f"{fighter.name}’s {rating}")
    return Setup((own, against), Modifiers.lines_of(mine, theirs))


def rating_named(scene: Scene, intent: Intent, fighter: Fighter, word: str) -> str:
    """The rating that a word names, of the rules or of any sheet here (D100-1); forced, a word that names none."""
    here = (name for one in scene.fighters.values() for name in one.sheet["ratings"])
    forced = bool(intent.get("force"))
    return known_word(fighter, word, (*RATINGS, *OTHERS, *here), "rating", "D100-1", forced=forced)


def check(table: RuleTable, setup: tuple[Check, Check | None]) -> CheckResult:
    """D100-3, and D100-7 where someone opposes: all failed rolls are worth the same."""
    own, against = setup
    success, face = rolled(table, *own)
    if against:
        resists, theirs = rolled(table, *against)
        # Where both fail or are equal it does not prevail (a reading).
        success = success and face > (theirs if resists else 0)
    return CheckResult(success, face)


CHECK = check_action("Check a rating", "D100-3", check_setup, check, options=("vs", *HELP))
