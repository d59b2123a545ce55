"""Checks and contests (D100-3 to D100-7), and the turn order (D100-8, D100-9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from ...rules import (
    Action,
    Changes,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Runner,
    Scene,
    Setup,
    grouped,
    known_word,
    lines_of,
    no_effects,
    refuse,
    settled,
    tie,
)
from .sheet import OTHERS, RATINGS, rating_of

SIDES = 100
ASSIST = 10
"""D100-4: what an Assist adds to the rating, and an Obstacle takes off it."""
PLUS, MINUS = "[+]", "[−]"
"""D100-5: two dice, of which the lower or the higher counts."""
DICE = {0: "d100", 1: "2d100kl1", -1: "2d100kh1"}
"""D100-5: the dice without either, with [+], with [−]."""

# Before the dice


def rated(fighter: Fighter, roll: str, rating: str, against: str = "") -> Modifiers:
    """The rating that a roll goes under (D100-1), with the situational modifiers of the sheet (ALL-6)."""
    value, source = rating_of(fighter.sheet, rating)
    found = Modifiers(roll, "D100-1", against).base(rating, value, source=source)
    return found.situational(fighter, roll, rating)


def assist(found: Modifiers, name: str, rule: str, source: str = "", count: int = 1) -> Modifiers:
    """Add so many Assists to a roll, or Obstacles where `count` is negative (D100-4)."""
    word, many = "Assist" if count > 0 else "Obstacle", abs(count)
    return found.add(
        f"{many} {word}s, {name}" if many > 1 else f"{word}, {name}", ASSIST * count, rule, source
    )


def assist_asked(found: Modifiers, intent: Intent) -> Modifiers:
    """Add the Assists and Obstacles of the command (D100-4); Refused below 0."""
    for option, sign in (("assist", 1), ("obstacle", -1)):
        count = intent.get(option, 0)
        if count < 0:
            refuse(intent, f"--{option} is a number from 0", "D100-4", final=True)
        assist(found, "as asked", "D100-4", intent.get("why", "--" + option), sign * count)
    return found


def edge_asked(found: Modifiers, intent: Intent) -> Modifiers:
    """Add the [+] and [−] of the command (D100-5)."""
    found.edge(PLUS, bool(intent.get("plus")), "D100-5", "--plus")
    return found.edge(MINUS, -bool(intent.get("minus")), "D100-5", "--minus")


# The dice


def face_of(table: RuleTable, edge: int) -> int:
    """D100-5: one d100; with [+] the lower of two, with [−] the higher."""
    if not edge:
        return table.die(SIDES)
    return table.lowest(2, SIDES) if edge > 0 else table.highest(2, SIDES)


def rolled(table: RuleTable, what: str, who: str, target: int, edge: int = 0) -> tuple[bool, int]:
    """D100-3: success at or under the target, with the face; at 0 or less never, at 100 or more always (D100-6)."""
    table.label(what, who, DICE[edge])
    face = face_of(table, edge)
    table.result(total=face, target=target, success=face <= target, under=True)
    return face <= target, face


def succeeds(table: RuleTable, what: str, who: str, target: int, edge: int = 0) -> bool:
    """A rule: whether a check succeeds, and nothing else."""
    return rolled(table, what, who, target, edge)[0]


# A check


class CheckSetup(NamedTuple):
    """A check, alone or against another's."""

    who: str
    target: int
    edge: int
    """1 for [+], -1 for [−], else 0."""
    other: str = ""
    other_target: int = 0


class CheckResult(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    """The face that counted."""


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of any rating (D100-3), or an opposed one (D100-7)."""
    mine = rated(
        scene.fighters[intent.actor],
        "check",
        rating_named(scene, intent, intent.actor, intent.get("skill", "")),
    )
    edge_asked(assist_asked(mine, intent).asked(intent), intent)
    setup = CheckSetup(intent.actor, mine.total, mine.net_edge)
    other, word = intent.get("vs") or ("", "")
    if not other:
        return Setup(setup, lines_of(mine))
    rival = scene.fighters[other]
    theirs = rated(rival, "resist", rating_named(scene, intent, other, word), other)
    theirs.situational(rival, "check")
    return Setup(setup._replace(other=other, other_target=theirs.total), lines_of(mine, theirs))


def rating_named(scene: Scene, intent: Intent, who: str, word: str) -> str:
    """The rating that a word names, of the rules or of any sheet here (D100-1); forced, a word that names none."""
    here = (name for one in scene.fighters.values() for name in one.sheet["ratings"])
    known = (*RATINGS, *OTHERS, *here)
    forced = bool(intent.get("force"))
    return known_word(scene.fighters[who], word, known, "rating", "D100-1", forced=forced)


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """D100-3, and D100-7 where someone opposes: all failed rolls are worth the same."""
    success, face = rolled(table, "check", setup.who, setup.target, setup.edge)
    if setup.other:
        success = table.ask(prevails, face if success else 0, setup.other, setup.other_target)
    return CheckResult(success, face)


def prevails(table: RuleTable, mine: int, other: str, target: int) -> bool:
    """A rule, D100-7: whether a roll, 0 where it failed, beats the other's; where both fail or are equal it does not
    (a reading)."""
    success, face = rolled(table, "resist", other, target)
    return mine > (face if success else 0)


CHECK = Action(
    "Check a rating",
    "D100-3",
    check_setup,
    no_effects,
    check,
    words=("success", "failure"),
    window="any",
    options=("vs", "assist", "obstacle", "plus", "minus"),
    candidates=lambda scene, who: (),
    says="{actor} tries {skill}",
)

# The turn order

PLAYERS = "players"
FIRST, BETWEEN, LAST = 100, 50, 0
"""Of two sides: the scores of those who succeeded, of the others' side, of those who failed (D100-8). Of more
the score of a side is the share of its members who succeeded, in percent (D100-9)."""
TIES = 12
"""How often a roll-off is rolled again before the order of naming settles it: less likely than 1e-9."""


class Checker(NamedTuple):
    """A fighter who checks dexterity for a place in the turn order, and the copies that share the roll."""

    name: str
    side: str
    target: int
    members: tuple[str, ...]


class InitiativeSetup(NamedTuple):
    """What the dice of the turn order depend on."""

    runners: tuple[Checker, ...]
    """Those who check, in the order named."""
    waiting: tuple[str, ...]
    """Of two sides the members of the one that does not check (D100-8)."""
    means: tuple[tuple[str, Fraction], ...]
    """Of three sides or more each with its mean dexterity (D100-9); otherwise nothing."""
    agreed: tuple[str, ...] = ()
    """In which order members of a group are named, where they have agreed on one (`--order`)."""


class InitiativeResult(NamedTuple):
    """The groups that act at the same time, first to act first; with everyone's score."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    teams: tuple[tuple[str, ...], ...]


def initiative_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-8, D100-9: who checks, by how many sides there are; newcomers check like the side they join."""
    for option in ("surprise", "initiator"):
        if intent.get(option):
            refuse(intent, f"there is no extra turn before the first: --{option} gives none", "D100-8")
    sides: dict[str, list[str]] = {}
    for name in (*scene.order, *intent.targets):
        if not scene.fighters[name].gone:
            sides.setdefault(scene.fighters[name].side, []).append(name)
    checks = set(sides) if len(sides) != 2 else {PLAYERS if PLAYERS in sides else next(iter(sides))}
    if len(sides) > 2:
        # Newcomers to a side that has its place need no check of their own.
        checks -= {scene.fighters[name].side for name in scene.order}
    rolls: list[Modifiers] = []
    checkers: list[Checker] = []
    for name, sharing in grouped(scene, intent).items():
        fighter = scene.fighters[name]
        if fighter.side in checks:
            found = rated(fighter, "initiative", "dexterity", name)
            rolls.append(found if rolls else found.asked(intent))
            checkers.append(Checker(name, fighter.side, found.total, sharing))
    waiting = tuple(name for name in intent.targets if scene.fighters[name].side not in checks)
    means = tuple((side, mean_dexterity(scene, names)) for side, names in sides.items() if len(sides) > 2)
    dice = InitiativeSetup(tuple(checkers), waiting, means, tuple(intent.get("order", ())))
    return Setup(dice, lines_of(*rolls))


def mean_dexterity(scene: Scene, names: Sequence[str]) -> Fraction:
    """The mean dexterity of a side (D100-9)."""
    return Fraction(sum(scene.fighters[name].sheet["ratings"]["dexterity"] for name in names), len(names))


def initiative(table: RuleTable, setup: InitiativeSetup) -> InitiativeResult:
    """D100-8: a check of dexterity each, success before the others and failure after them; D100-9 with more sides."""
    passed = [(one, rolled(table, "initiative", one.name, one.target)[0]) for one in setup.runners]
    if setup.means:
        return by_sides(table, setup, passed)
    first = members(one for one, success in passed if success)
    last = members(one for one, success in passed if not success)
    return lined_up(setup, ((first, FIRST), (setup.waiting, BETWEEN), (last, LAST)))


def by_sides(
    table: RuleTable, setup: InitiativeSetup, passed: Sequence[tuple[Checker, bool]]
) -> InitiativeResult:
    """D100-9: by the share of successes, then by mean dexterity, then by a roll-off (the ties are a reading)."""
    means = dict(setup.means)
    results: dict[str, list[bool]] = {}
    for one, success in passed:
        results.setdefault(one.side, []).extend([success] * len(one.members))
    shares = {side: Fraction(sum(won), len(won)) for side, won in results.items()}

    def rank(side: str) -> tuple[Fraction, Fraction]:
        return (-shares[side], -means[side])

    placed: list[str] = []
    for _, equals in groupby(sorted(shares, key=rank), key=rank):
        placed += table.ask(settled, roll_off, tuple(Runner(side, 0) for side in equals), (), TIES)
    teams = (
        (members(one for one in setup.runners if one.side == side), int(100 * shares[side]))
        for side in placed
    )
    return lined_up(setup, (*teams, (setup.waiting, BETWEEN)))


def roll_off(table: RuleTable, side: Runner, tied_with: Sequence[str] = ()) -> int:
    """D100-9: a d100 for a side that is level with others, the higher first."""
    table.label("initiative", side.name, "d100", **tie(tied_with))
    face = table.die(SIDES)
    table.result(total=face)
    return face


def members(checkers: Iterable[Checker]) -> tuple[str, ...]:
    """All who share these rolls."""
    return tuple(name for one in checkers for name in one.members)


def lined_up(setup: InitiativeSetup, teams: Iterable[tuple[tuple[str, ...], int]]) -> InitiativeResult:
    """The groups with their scores; inside a group the order is as agreed."""

    def place(name: str) -> int:
        return setup.agreed.index(name) if name in setup.agreed else len(setup.agreed)

    placed = [(tuple(sorted(team, key=place)), score) for team, score in teams if team]
    scores = tuple((name, score) for team, score in placed for name in team)
    return InitiativeResult(tuple(name for name, _ in scores), scores, tuple(team for team, _ in placed))


def line_up(changes: Changes, intent: Intent, setup: Setup, result: InitiativeResult) -> None:
    """The groups in their order; newcomers come to their side's group of the same score, else into a new one
    behind those with as much (a reading of D100-8, D100-9)."""
    scene = changes.scene
    scores = dict(scene.scores)
    teams = [list(team) for team in scene.teams]
    for name, score in result.scores:
        scores[name] = score
        side = scene.fighters[name].side
        same_side = (team for team in teams if scene.fighters[team[0]].side == side)
        mates = next((team for team in same_side if setup.dice.means or scores[team[0]] == score), None)
        if mates:
            mates.append(name)
            scores[name] = scores[mates[0]]
        elif not scene.teams:
            teams.append([name])
        else:
            behind = (at for at, team in enumerate(teams) if scores[team[0]] < score)
            teams.insert(next(behind, len(teams)), [name])
    changes.put("", "teams", tuple(tuple(team) for team in teams), "D100-8")
    changes.put("", "order", tuple(name for team in teams for name in team), "D100-8")
    changes.put("", "scores", scores, "D100-8")
    if intent.get("in_sequence"):
        changes.put("", "in_sequence", True, "D100-8")


INIT = Action(
    "Check dexterity for the turn order",
    "D100-8",
    initiative_setup,
    line_up,
    initiative,
    window="table",
    targets="many",
    options=("in-sequence",),
)
