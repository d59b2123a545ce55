"""What real dice have to show, found by running the rule of an action with faces that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from ..dice.distribution import OddsTable
from ..dice.rule_table import RuleTable
from ..dice.table import Alternative, Table, Throw, option_called
from ..errors import Refused
from ..values import NamedTuple
from .consequences import harm_put_off
from .events import apply_all
from .perform import perform
from .scene import Intent, Scene
from .system import System
from .validate import Prepared, prepare

MOST_RUNS = 1_000
"""How often a rule is run at most for one question."""
LONGEST_CHAIN = 3
"""How often a die that is rolled on is followed; what is rarer changes no percent."""
DAMAGE = "damage"
"""The purpose of rolls of damage."""
MOST_SUM = 120
"""The highest sum of dice of damage for which the least sum that is enough is looked for."""
PLAIN = 2
"""The face of dice that are not asked about: none explodes on it, and none is rolled again."""


class Needed(NamedTuple):
    """What the dice of a roll have to show for a success."""

    number: int
    """What they must show in all, or each of them, itself counted."""
    plus: int
    """What is added to them."""
    chance: Fraction | None
    """How likely that is; None where it would take too long to work out."""
    most: int
    """The highest face of a die."""
    each: bool = False
    """Whether dice are counted one by one, and not added up."""
    successes: int = 1
    """How many of them are needed, where they are counted."""
    double: int = 0
    """Up to which face a die counts twice; 0: none does."""
    complication: int = 0
    """From which face on a die brings a complication; 0: none does."""
    has_criticals: bool = False
    """Whether each highest face of a hit is a critical."""


class Felling(NamedTuple):
    """What dice of damage have to show in all to put a fighter out of the fight."""

    dice: tuple[str, ...]
    """The dice of each roll."""
    plus: tuple[int, ...]
    """What is added to each of them, where that stands not in its dice."""
    number: int
    """The least sum of all faces; 0: it cannot be said by a sum."""
    who: str


class _Over(Exception):
    """The next roll has begun, or the first one goes on beyond the faces for it."""


class _Source:
    """Gives the faces of the first roll from a list, then `PLAIN` ones; _Over where another roll begins."""

    def __init__(self, faces: Sequence[int], is_open: bool = False):
        self.faces = faces
        self.is_open = is_open
        """Whether the roll may not go on beyond the list."""
        self.throw: Throw | None = None

    def face(self, sides: int, throw: Throw) -> int:
        """The next face."""
        at = len(throw.faces)
        if (self.throw not in (None, throw)) or (self.is_open and at >= len(self.faces)):
            raise _Over
        self.throw = throw
        return min(sides, self.faces[at] if at < len(self.faces) else PLAIN)


def needed(system: System, scene: Scene, intent: Intent, roll: Throw) -> Needed | None:
    """What the first roll of an action must show; None where no number can be named."""
    try:
        prepared = prepare(system, scene, intent)
    except Refused:
        return None
    plain = _first_roll(prepared, ())
    if plain is None or plain.what != roll.what or plain.reckoning.get("target") is None:
        return None
    return _counted(prepared, plain) if "successes" in plain.reckoning else _summed(prepared, plain)


def _first_roll(prepared: Prepared, faces: Sequence[int], is_open: bool = False) -> Throw | None:
    """The first roll with these faces; None where it goes on beyond them though `is_open`, or has no dice."""
    source = _Source(faces, is_open)
    table = Table(source)
    try:
        prepared.rule(table, prepared.dice)
    except _Over:
        if is_open and not table.throws[0].reckoning:
            return None
    # Parts that were thrown apart may be one roll now.
    return table.throws[0] if table.throws and table.throws[0].faces else None


def _size(roll: Throw) -> tuple[int, int]:
    """How many dice a roll has, and of how many sides."""
    return len(roll.faces), roll.faces[0][0]


def _summed(prepared: Prepared, plain: Throw) -> Needed | None:
    """What dice that are added up, or of which one counts, must show."""
    (count, sides), reckoning = _size(plain), plain.reckoning
    if "total" not in reckoning:
        return None
    # With equal faces the one that counts is known.
    kept = PLAIN if "k" in plain.dice else count * PLAIN
    plus = reckoning["total"] - kept
    number = reckoning["target"] - (0 if reckoning.get("under") else plus)
    best = _first_roll(prepared, (sides,) * count)
    criticals = bool(best and best.reckoning.get("criticals"))
    return Needed(
        number, plus, _chance(prepared, plain), sides, has_criticals=criticals and not reckoning.get("under")
    )


def _chance(prepared: Prepared, plain: Throw) -> Fraction | None:
    """How likely the first roll is a success; None where there are too many faces to try."""
    size, sides = _size(plain)

    def succeeds(table: RuleTable) -> bool:
        if "k" in plain.dice:
            face = (table.lowest if "kl" in plain.dice else table.highest)(size, sides)
            return _is_success(_first_roll(prepared, (face,) * size))
        faces = tuple(table.die(sides) for _ in range(size))
        while (roll := _first_roll(prepared, faces, is_open=len(faces) < size + LONGEST_CHAIN)) is None:
            faces += (table.die(sides),)
        return _is_success(roll)

    if "k" not in plain.dice and sides**size > MOST_RUNS:
        return None
    return Fraction(*OddsTable().of(succeeds).chance(bool))


def _is_success(roll: Throw | None) -> bool:
    return roll is not None and bool(roll.reckoning.get("success"))


def _counted(prepared: Prepared, plain: Throw) -> Needed:
    """What each of the dice that are counted one by one must show."""
    (count, sides), target = _size(plain), plain.reckoning["target"]
    is_under, wanted = bool(plain.reckoning.get("under")), plain.reckoning.get("difficulty", 1)
    rolls = {face: _first_roll(prepared, (face,)) for face in range(1, sides + 1)}
    own = plain.reckoning["successes"] // count
    worths = {
        face: roll.reckoning["successes"] - plain.reckoning["successes"] + own
        for face, roll in rolls.items()
        if roll is not None and not (is_under and len(roll.faces) > count)
    }
    # A die that is rolled again brings what this roll alone does not tell, and so does a sum of several faces.
    is_whole = plain.reckoning.get("success") is not None
    is_known = is_whole and len(worths) == sides and (is_under or target <= sides + 1)
    chance = None
    if is_known:
        law = OddsTable().sum(count, lambda table: worths[table.die(sides)], (), 0)
        chance = Fraction(*law.chance(lambda successes: successes >= wanted))
    return Needed(
        target,
        0,
        chance,
        sides,
        True,
        wanted,
        max((face for face, worth in worths.items() if is_under and worth > 1), default=0),
        min(
            (face for face, roll in rolls.items() if roll and roll.reckoning.get("complications")), default=0
        ),
    )


class _Thrown:
    """Gives the faces of an action that are known, then those of its damage from a list, then `PLAIN` ones."""

    def __init__(self, known: Iterable[int], damage: Sequence[int] = ()):
        self.known, self.damage = list(known), list(damage)
        self.sides: list[int] = []
        """The sides of the dice of damage."""

    def face(self, sides: int, throw: Throw) -> int:
        """The next face."""
        if self.known:
            return self.known.pop(0)
        if throw.what != DAMAGE:
            return min(sides, PLAIN)
        self.sides.append(sides)
        return min(sides, self.damage.pop(0) if self.damage else PLAIN)


def target_of_later(
    system: System, scene: Scene, intent: Intent, rolls: Sequence[Throw], choices: Sequence[str]
) -> Mapping[str, Any]:
    """What the last of the rolls of an action is reckoned by, once it is thrown; nothing where that is not known."""
    *before, now = rolls
    source, names = _Thrown(face for roll in before for _, face in roll.faces), list(choices)
    table = Table(source, partial(_taken, names))
    perform(system, scene, intent, table)
    later = table.throws[len(before)] if len(table.throws) > len(before) else now
    return later.reckoning if (later.what, later.who) == (now.what, now.who) else {}


def _taken(names: list[str], _: str, options: tuple[Alternative, ...]) -> Alternative:
    """The option of the next name, which is used up; the first option where no name is left."""
    return (option_called(options, names.pop(0)) if names else None) or options[0]


def felling(
    system: System, scene: Scene, intent: Intent, rolls: Sequence[Throw], choices: Sequence[str]
) -> Felling | None:
    """What the dice of damage must show in all to put the target out of the fight; None for any other roll.

    `rolls` are those of the action so far, the last to be thrown now; `choices` are the options taken in it.
    """
    *before, now = rolls
    if now.what != DAMAGE or any(roll.what == DAMAGE for roll in before):
        return None
    who = str(now.about.get("against", "")) or intent.target
    known = [face for roll in before for _, face in roll.faces]
    if who not in scene.fighters or system.fallen(scene.fighters[who]):
        return None

    def tried(faces: Sequence[int]) -> tuple[list[Throw], list[int], bool]:
        source = _Thrown(known, faces)
        table = Table(source, partial(_taken, list(choices)))
        entry = perform(system, scene, intent, table)
        after = harm_put_off(system, apply_all(scene, entry.events))[1]
        return table.throws, source.sides, bool(system.fallen(after.fighters[who]))

    throws, sides, _ = tried(())
    harm = [roll for roll in throws if roll.what == DAMAGE and roll.faces]
    if not harm or any(roll.about.get("against", who) != who for roll in harm) or sum(sides) > MOST_SUM:
        return None
    dice = tuple(roll.spelled for roll in harm)
    plus = tuple(
        0 if "C" in roll.dice else roll.reckoning["total"] - sum(face for _, face in roll.faces)
        for roll in harm
    )
    # A die that goes on, or shows something else than a number, has no sum.
    tops = [side - 1 if len(tried(sides)[1]) > len(sides) else side for side in sides]
    has_sum = not any("C" in spelled for spelled in dice)
    for number in range(len(sides), sum(tops) + 1) if has_sum else ():
        falls = {tried(_faces(number, tops, is_even))[2] for is_even in (False, True)}
        if True in falls:
            # Where it depends on which dice show how much, no sum can be named.
            return Felling(dice, plus, 0 if False in falls else number, who)
    return Felling(dice, plus, 0, who)


def _faces(number: int, tops: Sequence[int], is_even: bool) -> list[int]:
    """Faces of a sum: as even as possible, or else as much as possible on the first dice."""
    faces = [1] * len(tops)
    for _ in range(number - len(tops)):
        lower = [place for place, top in enumerate(tops) if faces[place] < top]
        faces[min(lower, key=faces.__getitem__) if is_even else lower[0]] += 1
    return faces
