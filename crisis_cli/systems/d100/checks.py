"""Checks and contests (D100-3 to D100-7), and the turn order (D100-8, D100-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from ...dice.distribution import Distribution, OddsTable
from ...engine.events import Event, change
from ...engine.kinds import guess
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, refuse
from ...engine.turn_order import grouped, leader_of, tie
from ...rules.situational import circumstance, standing
from .sheet import OTHERS, RATINGS, rating_of

# Checks and contests (D100-3 to D100-7), and what every roll of this system shares.

SIDES = 100
ASSIST, OBSTACLE = 10, -10
"""D100-4: each."""
DICE = {0: "d100", 1: "2d100kl1", -1: "2d100kh1"}
"""D100-5: nothing, [+], [−]."""


class TwoDice:
    """A rule: two d100, of which with [+] the lower counts, with [−] the higher (D100-5)."""

    def __call__(self, table: Any, edge: int) -> int:
        """The face that counts."""
        one: int = table.die(SIDES)
        other: int = table.die(SIDES)
        return min(one, other) if edge > 0 else max(one, other)

    def law(self, odds_table: OddsTable, edge: int) -> Distribution:
        """The same, counted: of two dice 2k − 1 pairs have k as the higher face."""
        faces = range(1, SIDES + 1)
        return Distribution(
            {face: 2 * (SIDES + 1 - face if edge > 0 else face) - 1 for face in faces}, SIDES * SIDES
        )


two_dice = TwoDice()


def face_of(table: Any, edge: int) -> int:
    """One d100, or the one of two that counts (D100-5)."""
    face: int = table.ask(two_dice, edge) if edge else table.die(SIDES)
    return face


def rolled(table: Any, what: str, who: str, target: int, edge: int = 0) -> tuple[bool, int]:
    """D100-3: at or under the target; so at 0 or less it never is, at 100 or more always (D100-6)."""
    table.label(what, who, DICE[edge])
    face = face_of(table, edge)
    table.result(total=face, target=target, success=face <= target, under=True)
    return face <= target, face


def succeeds(table: Any, what: str, who: str, target: int, edge: int = 0) -> bool:
    """A rule: whether a check succeeds, and nothing else."""
    return rolled(table, what, who, target, edge)[0]


def total(modifiers: Iterable[Modifier], roll: str) -> int:
    """The sum of the modifiers of one roll."""
    return sum(one.value for one in modifiers if one.roll == roll)


def rated(fighter: Fighter, roll: str, rating: str) -> list[Modifier]:
    """The rating that a roll goes under (D100-1), with standing modifiers (ALL-6)."""
    value, source = rating_of(fighter.sheet, rating)
    found = [Modifier(roll, rating, value, "D100-1", source)]
    return found + standing(fighter, roll, roll, rating)


def assist(roll: str, name: str, rule: str, source: str, count: int = 1) -> Modifier:
    """So many Assists (D100-4)."""
    return Modifier(
        roll, f"{count} Assists, {name}" if count > 1 else f"Assist, {name}", ASSIST * count, rule, source
    )


def obstacle(roll: str, name: str, rule: str, source: str, count: int = 1) -> Modifier:
    """So many Obstacles (D100-4)."""
    named = f"{count} Obstacles, {name}" if count > 1 else f"Obstacle, {name}"
    return Modifier(roll, named, OBSTACLE * count, rule, source)


def asked(intent: Intent, roll: str) -> list[Modifier]:
    """The Assists and Obstacles of the command (D100-4); Refused below 0."""
    found = []
    for option, give in (("assist", assist), ("obstacle", obstacle)):
        count = intent.get(option, 0)
        if count < 0:
            refuse(intent, f"--{option} is a number from 0", "D100-4", final=True)
        if count:
            found.append(give(roll, "as asked", "D100-4", intent.get("why", "--" + option), count))
    return found


def edge_of(intent: Intent, roll: str, *more: Modifier) -> tuple[int, list[Modifier]]:
    """D100-5: 1 for [+], −1 for [−], 0 where they cancel or there is none (one for one: a reading)."""
    found = list(more)
    for option, sign in (("plus", PLUS), ("minus", MINUS)):
        if intent.get(option):
            found.append(Modifier(roll, sign, 0, "D100-5", "--" + option))
    net = sum(1 if one.name.startswith(PLUS) else -1 for one in found)
    return (net > 0) - (net < 0), found


PLUS, MINUS = "[+]", "[−]"


class Contest(NamedTuple):
    """A check, alone or against another's."""

    who: str
    target: int
    edge: int
    other: str = ""
    other_target: int = 0


class Checked(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    """The face that counted."""

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def check_stake(scene: Scene, intent: Intent) -> Setup:
    """A check of any rating (D100-3); with `vs` an opposed one (D100-7)."""
    fighter = scene.fighters[intent.actor]
    skill = _known(scene, intent, fighter, intent.get("skill", ""))
    edge, edges = edge_of(intent, "check")
    modifiers = (
        rated(fighter, "check", skill) + asked(intent, "check") + circumstance(intent, "check") + edges
    )
    mine = Contest(intent.actor, total(modifiers, "check"), edge)
    other, other_skill = intent.get("vs") or ("", "")
    if not other:
        return Setup(mine, tuple(modifiers))
    rival = scene.fighters[other]
    against = rated(rival, "resist", _known(scene, intent, rival, other_skill)) + standing(
        rival, "resist", "check"
    )
    modifiers += [one._replace(against=other) for one in against]
    return Setup(mine._replace(other=other, other_target=total(against, "resist")), tuple(modifiers))


def _known(scene: Scene, intent: Intent, fighter: Fighter, skill: str) -> str:
    """The rating that a word names: one that the rules or any sheet here know (D100-1)."""
    skill = skill.lower().replace("_", "-").replace(" ", "-")
    here = [name for one in scene.fighters.values() for name in one.sheet["ratings"]]
    known = tuple(dict.fromkeys((*RATINGS, *OTHERS, *here)))
    if skill not in known:
        refuse(
            intent,
            f"{fighter.name} has no rating called {skill!r}{guess(skill, known)}",
            "D100-1",
            f"there are: {', '.join(known)}",
        )
    return skill


def check(table: Any, stake: Contest) -> Checked:
    """D100-3, and D100-7 where someone opposes."""
    success, face = rolled(table, "check", stake.who, stake.target, stake.edge)
    if stake.other:
        # All failed rolls are worth the same.
        success = table.ask(prevails, face if success else 0, stake.other, stake.other_target)
    return Checked(success, face)


def prevails(table: Any, mine: int, other: str, target: int) -> bool:
    """D100-7: whether a roll, 0 where it failed, beats the other's; where both fail or are equal it does not (a
    reading)."""
    success, face = rolled(table, "resist", other, target)
    return mine > (face if success else 0)


def no_effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Nothing changes."""
    return ()


CHECK = Action(
    "Check a rating",
    "D100-3",
    check_stake,
    no_effects,
    check,
    window="any",
    options=("vs", "assist", "obstacle", "plus", "minus"),
    candidates=lambda scene, who: (),
)

# The turn order (D100-8, D100-9): who checks dexterity, and the groups that act at the same time.

PLAYERS = "players"
FIRST, BETWEEN, LAST = 100, 50, 0
"""Of two sides: the scores of those who succeeded, of the others' side, of those who failed (D100-8). Of more
the score of a side is the share of its members who succeeded, in percent (D100-9)."""
TIES = 12
"""How often a roll-off is rolled again before the order of naming settles it: less likely than 1e-9."""


class Runner(NamedTuple):
    """Whoever checks dexterity for a place in the turn order, and the copies that share the roll."""

    name: str
    side: str
    target: int
    members: tuple[str, ...]


class Race(NamedTuple):
    """All that the dice need to know about who goes first."""

    runners: tuple[Runner, ...]
    """Those who check, in the order named."""
    waiting: tuple[str, ...]
    """Of two sides the members of the one that does not check (D100-8)."""
    means: tuple[tuple[str, Fraction], ...]
    """Of three sides or more each with its mean dexterity (D100-9); otherwise nothing."""
    agreed: tuple[str, ...] = ()
    """In which order members of a group are named, where they have agreed on one (`--order`)."""


class Lined(NamedTuple):
    """The groups, first to act first; with everyone's score."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    teams: tuple[tuple[str, ...], ...]


def init_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-8, D100-9: who checks, by how many sides there are; newcomers check like the side they join."""
    for option in ("surprise", "initiator"):
        if intent.get(option):
            refuse(intent, f"there is no extra turn before the first: --{option} gives none", "D100-8")
    sides: dict[str, list[str]] = {}
    for name in (*scene.order, *intent.targets):
        if not scene.fighters[name].gone:
            sides.setdefault(scene.fighters[name].side, []).append(name)
    checks = set(sides) if len(sides) != 2 else {PLAYERS if PLAYERS in sides else next(iter(sides))}
    modifiers: list[Modifier] = []
    runners = []
    if len(sides) > 2:
        # Newcomers to a side that has its place need no check of their own.
        checks -= {scene.fighters[name].side for name in scene.order}
    for number, name in enumerate(
        one for one in grouped(scene, intent) if scene.fighters[one].side in checks
    ):
        fighter = scene.fighters[name]
        found = rated(fighter, "initiative", "dexterity") + (
            circumstance(intent, "initiative") if not number else []
        )
        modifiers += [one._replace(against=name) for one in found]
        members = tuple(one for one in intent.targets if leader_of(scene, intent, one) == name)
        runners.append(Runner(name, fighter.side, total(found, "initiative"), members))
    waiting = tuple(name for name in intent.targets if scene.fighters[name].side not in checks)
    means = tuple((side, _mean(scene, names)) for side, names in sides.items()) if len(sides) > 2 else ()
    return Setup(Race(tuple(runners), waiting, means, tuple(intent.get("order", ()))), tuple(modifiers))


def _mean(scene: Scene, names: Sequence[str]) -> Fraction:
    return Fraction(sum(scene.fighters[name].sheet["ratings"]["dexterity"] for name in names), len(names))


def initiative(table: Any, race: Race) -> Lined:
    """D100-8: a check of dexterity each, success before the others and failure after them; D100-9 with more sides."""
    passed = [rolled(table, "initiative", one.name, one.target)[0] for one in race.runners]
    if race.means:
        return _by_sides(table, race, passed)
    first = _all_of(one for one, success in zip(race.runners, passed, strict=True) if success)
    last = _all_of(one for one, success in zip(race.runners, passed, strict=True) if not success)
    teams = ((first, FIRST), (race.waiting, BETWEEN), (last, LAST))
    return _lined(race, teams)


def _all_of(runners: Iterable[Runner]) -> tuple[str, ...]:
    return tuple(name for one in runners for name in one.members)


def _lined(race: Race, teams: Iterable[tuple[tuple[str, ...], int]]) -> Lined:
    def place(name: str) -> int:
        return race.agreed.index(name) if name in race.agreed else len(race.agreed)

    placed = [(tuple(sorted(team, key=place)), score) for team, score in teams if team]
    told = tuple((name, score) for team, score in placed for name in team)
    return Lined(tuple(name for name, _ in told), told, tuple(team for team, _ in placed))


def _by_sides(table: Any, race: Race, passed: Sequence[bool]) -> Lined:
    """D100-9: by the share of successes, then by mean dexterity, then by a roll-off (the ties are a reading)."""
    means = dict(race.means)
    won: dict[str, list[bool]] = {}
    for one, success in zip(race.runners, passed, strict=True):
        won.setdefault(one.side, []).extend([success] * len(one.members))
    shares = {side: Fraction(sum(all_), len(all_)) for side, all_ in won.items()}

    def rank(side: str) -> tuple[Fraction, Fraction]:
        return (-shares[side], -means[side])

    placed: list[str] = []
    for _, tied in groupby(sorted(shares, key=rank), key=rank):
        placed += _roll_off(table, list(tied))
    teams = [
        (_all_of(one for one in race.runners if one.side == side), int(100 * shares[side])) for side in placed
    ]
    return _lined(race, [*teams, (race.waiting, BETWEEN)])


def _roll_off(table: Any, tied: list[str], depth: int = 0) -> list[str]:
    """D100-9: a d100 each, higher first; those who are level again roll again."""
    if len(tied) == 1:
        return tied
    if depth == TIES:
        table.truncate()
        return tied
    faces: dict[str, int] = {}
    for side in tied:
        table.label("initiative", side, "d100", **tie([other for other in tied if other != side]))
        faces[side] = table.die(SIDES)
        table.result(total=faces[side])
    order: list[str] = []
    for face in sorted(set(faces.values()), reverse=True):
        order += _roll_off(table, [side for side in tied if faces[side] == face], depth + 1)
    return order


def line_up(scene: Scene, intent: Intent, race: Race, lined: Lined) -> Iterator[Event]:
    """The groups in their order; newcomers come to their side's group of the same score, else into a new one
    behind those with as much (a reading of D100-8, D100-9)."""
    scores = dict(scene.scores)
    teams = [list(team) for team in scene.teams]
    for name, score in lined.scores:
        scores[name] = score
        side = scene.fighters[name].side
        mates = [
            team
            for team in teams
            if scene.fighters[team[0]].side == side and (race.means or scores[team[0]] == score)
        ]
        if mates:
            mates[0].append(name)
            scores[name] = scores[mates[0][0]]
        elif not scene.teams:
            teams.append([name])
        else:
            teams.insert(
                next((at for at, team in enumerate(teams) if scores[team[0]] < score), len(teams)), [name]
            )
    order = tuple(name for team in teams for name in team)
    yield from change(scene, "", "teams", tuple(tuple(team) for team in teams), "D100-8")
    yield from change(scene, "", "order", order, "D100-8")
    yield from change(scene, "", "scores", scores, "D100-8")
    if intent.get("in_sequence"):
        yield from change(scene, "", "in_sequence", True, "D100-8")


INIT = Action(
    "Check dexterity for the turn order", "D100-8", init_setup, line_up, initiative, window="table", targets="many",
    options=("in-sequence",),
)  # fmt: skip
