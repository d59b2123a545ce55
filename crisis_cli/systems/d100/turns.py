"""The turn order, Actions and Small Actions, and conditions (D100-8 to D100-13, D100-27)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...rules import (
    Action,
    Changes,
    Condition,
    Cost,
    End,
    Fighter,
    Initiative,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    refuse,
)
from .checks import rated, rolled

# The turn order

FIRST, BETWEEN, LAST = 100, 50, 0
"""Of two sides: the scores of those who succeeded, of the others' side, of those who failed (D100-8). Of more
the score of a side is the share of its members who succeeded, in percent (D100-9)."""


class Checker(NamedTuple):
    """A fighter who checks dexterity for a place in the turn order, and the copies that share the roll."""

    name: str
    side: str
    target: int
    members: tuple[str, ...]


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
    for option in ("surprise", "initiator"):
        if intent.get(option):
            what = f"there is no extra turn before the first: --{option} gives none"
            refuse(intent, what, "D100-8", f"leave out --{option}", code="unheeded_option")
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
            found = rated(fighter, "initiative", "dexterity", name)
            rolls.append(found if rolls else found.asked(intent))
            checkers.append(Checker(name, fighter.side, found.total, sharing))
    waiting = tuple(name for name in intent.targets if scene.fighters[name].side not in checks)
    means = tuple((side, sum(ratings), len(ratings)) for side, ratings in sides.items() if len(sides) > 2)
    dice = InitiativeSetup(tuple(checkers), waiting, means, tuple(intent.get("order", ())))
    return Setup(dice, Modifiers.lines_of(*rolls))


def initiative(table: RuleTable, setup: InitiativeSetup) -> InitiativeResult:
    """D100-8: success comes before the others, failure after them, in a group as agreed; D100-9: with more sides."""
    passed = [(one, rolled(table, "initiative", one.name, one.target)[0]) for one in setup.runners]
    if setup.means:
        groups = by_sides(table, setup, passed)
    else:
        first = [name for one, success in passed if success for name in one.members]
        last = [name for one, success in passed if not success for name in one.members]
        groups = [(first, FIRST), (list(setup.waiting), BETWEEN), (last, LAST)]
    places = {name: place for place, name in enumerate(setup.agreed)}
    for team, _ in groups:
        team.sort(key=lambda name: places.get(name, len(places)))
    scores = tuple((name, score) for team, score in groups for name in team)
    order = tuple(name for name, _ in scores)
    return InitiativeResult(order, scores, tuple(tuple(team) for team, _ in groups if team))


def by_sides(
    table: RuleTable, setup: InitiativeSetup, passed: Sequence[tuple[Checker, bool]]
) -> list[tuple[list[str], int]]:
    """D100-9: by the share of successes, then by mean dexterity, then by a roll-off (the ties are a reading)."""
    means = {side: Fraction(total, members) for side, total, members in setup.means}
    teams: dict[str, dict[str, bool]] = {}
    for one, success in passed:
        teams.setdefault(one.side, {}).update(dict.fromkeys(one.members, success))
    ranks = {side: (Fraction(sum(won.values()), len(won)), means[side]) for side, won in teams.items()}
    levels = sorted(ranks.values())
    places = {side: levels.index(rank) for side, rank in ranks.items()}
    # After twelve roll-offs, less likely than 1e-9, the order of naming settles it.
    placed = Initiative.in_order(
        table, tuple(Initiative(side, 0) for side in ranks), places, Initiative.roll_off(100), (), 12
    ).order
    scored = [(list(teams[side]), int(100 * ranks[side][0])) for side in placed]
    return [*scored, (list(setup.waiting), BETWEEN)]


def line_up(changes: Changes, intent: Intent, setup: Setup, result: InitiativeResult) -> None:
    """The groups in their order; newcomers come to their side's group of the same score, else into a new one
    behind those with as much (a reading of D100-8, D100-9)."""
    scene = changes.scene
    scores = dict(scene.scores)
    teams = [list(team) for team in scene.teams]
    for name, score in result.scores:
        side = scene.fighters[name].side
        same_side = (team for team in teams if scene.fighters[team[0]].side == side)
        mates = next((team for team in same_side if setup.dice.means or scores[team[0]] == score), None)
        if mates:
            mates.append(name)
            score = scores[mates[0]]
        else:
            behind = (at for at, team in enumerate(teams) if scores[team[0]] < score)
            teams.insert(next(behind, len(teams)), [name])
        scores[name] = score
    changes.assign("", "teams", tuple(tuple(team) for team in teams), "D100-8")
    changes.assign("", "order", tuple(name for team in teams for name in team), "D100-8")
    changes.assign("", "scores", scores, "D100-8")
    if intent.get("in_sequence"):
        changes.assign("", "in_sequence", True, "D100-8")


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
    changes.set(intent.actor, "actions", 1 * able, "D100-10")
    changes.set(intent.actor, "small-actions", 2 * able, "D100-10")


def end_turn(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D100-12: one Small Action is kept, of an Action unspent where there is no other (a reading, by D100-10)."""
    who = changes.fighter(intent.actor)
    left = who.pools["small-actions"] or who.pools["actions"] * TURNED
    changes.set(who.name, "actions", 0, "D100-12")
    changes.set(who.name, "small-actions", min(left, 1), "D100-12")
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
    set_off = (Cost("small-actions", rule="D100-11"),)
    return row._replace(
        costs=FULL, out=row.out._replace(costs=set_off, ready_rule="D100-11", ready_in_turn=True)
    )
