"""Rolled expressions on a line."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..notation.ast import Tally
    from ..notation.grammar import Notation
    from ..notation.pools import DicePool, Rolling, Row
    from ..notation.roll_result import RolledDice, RolledExpression
    from ..notation.rolled_die import RolledDie
    from ..notation.roller import Compiled
    from .style import Ink

    Tell = Callable[[Rolling, int], str]
    """Writes a roll, of which the total is given."""

SHORT = 100
"""Dice of a row at most of which the dropped are looked for one by one."""
SMALL = 100
"""Sides of a die at most whose faces are written before any is rolled."""
MARKED = 20
"""The same where each face may be a success."""
FACES = tuple(map(str, range(SMALL + 1)))
"""Faces as they are written, by their number."""


def teller(notation: Notation, compiled: Compiled, ink: Ink) -> Tell:
    """The function that writes rolls of an expression on a line each, without control characters.

    What is the same on every line is worked out here, once, and of each row how it is written most quickly.
    """
    tallies = [pool.dice.tally for pool in compiled.pools]
    if ink.color or not compiled.plain or any(tally.failures for tally in tallies):
        return lambda rolling, total: ink.clean(line(notation, compiled.result(rolling, total), ink))
    head, tail = (ink.clean(text) for text in _around(notation))
    rows = [row_teller(pool, ink) for pool in compiled.pools]
    counts = any(tally.successes for tally in tallies)
    minus = ink.clean("−")

    def written(rolling: Rolling, total: int) -> str:
        dice = "".join([f" {tell(row)}" for tell, row in zip(rows, rolling.rows)])  # noqa: B905 (as many)
        shown = f"{minus}{-total}" if total < 0 else f"{total}"
        if counts:
            shown += " success" if total == 1 else " successes"
        return f"{head}{dice} = {shown}{tail}"

    if len(rows) == 1 and not counts:
        # Nine lines of ten.
        (tell,) = rows

        def written_of_one(rolling: Rolling, total: int) -> str:
            return f"{head} {tell(rolling.rows[0])} = {total if total >= 0 else f'{minus}{-total}'}{tail}"

        return written_of_one
    return written


def row_teller(pool: DicePool, ink: Ink) -> Callable[[Row], str]:
    """The function that writes the rows of some dice, where no group drops them and nothing is coloured."""
    kind, tally, label = pool.kind, pool.dice.tally, ink.clean(pool.label)
    many = pool.count if isinstance(pool.count, int) else 0

    def die_by_die(row: Row) -> str:
        from ..notation.roll_result import RolledDice

        return ink.clean(_row(RolledDice(pool, row), ink))

    if not kind or not kind.as_shown or tally.sort:
        return die_by_die
    if kind.bursts:
        if tally.keeps or tally.successes:
            return die_by_die
        return lambda row: f"[{' '.join(_chains(row))}]{label}"
    if tally.keeps:
        if tally.successes or not 0 < many <= SHORT:
            return die_by_die
        start, stop = tally.window(many)
        return lambda row: f"[{' '.join(_dropped(row[1], start, stop))}]{label}"
    words: Callable[[int], str] = FACES.__getitem__ if kind.sides <= SMALL else str
    if tally.successes:
        words = _marked(tally, kind.sides)
    return lambda row: f"[{' '.join(map(words, row[1]))}]{label}"


def _marked(tally: Tally, sides: int) -> Callable[[int], str]:
    """The function that writes a face that may be a success, `5*`, or a critical one, `6**`."""

    def word(face: int) -> str:
        return f"{face}{'*' * tally.score(face)}"

    return tuple(map(word, range(sides + 1))).__getitem__ if sides <= MARKED else word


def _chains(row: Row) -> Iterable[str]:
    """Each die with those it set off: `6! 3`."""
    waves = row[2]
    if not waves:
        return map(str, row[1])
    from ..notation.roll_result import chained

    return ["! ".join(map(str, chain)) for chain in chained(waves, row[0].bursts)]


def _dropped(faces: list[int], start: int, stop: int) -> list[str]:
    """Faces, those in parentheses that are not in this part of the row sorted upwards; of equal ones the later."""
    shown = list(map(str, faces))
    ordered, backwards = sorted(faces), faces[::-1]
    for face in ordered[:start] + ordered[stop:]:
        place = backwards.index(face)
        backwards[place] = 0
        shown[~place] = f"({face})"
    return shown


def _around(notation: Notation) -> tuple[str, str]:
    """What stands before the dice, and after the total."""
    expression = notation.canonical.partition("#")[2] if notation.repeat else notation.canonical
    return f"{expression}:", f"  # {notation.comment}" if notation.comment else ""


def line(notation: Notation, roll: RolledExpression, ink: Ink) -> str:
    """A roll on one line: the expression, every die, the total."""
    head, tail = _around(notation)
    dice = "".join(f" {_row(thrown, ink)}" for thrown in roll.throws)
    return f"{head}{dice} = {_result(roll, ink)}{tail}"


def _result(roll: RolledExpression, ink: Ink) -> str:
    if roll.successes is None:
        effects = f", {how_many(roll.effects, 'effect')}" if roll.effects else ""
        return ink("bold", str(roll.total).replace("-", "−")) + effects
    said = how_many(roll.total, "success", "successes")
    failures = f" ({roll.successes} − {how_many(roll.failures, 'failure')})" if roll.failures else ""
    return ink("bold", said.replace("-", "−")) + failures


def how_many(number: int, one: str, several: str = "") -> str:
    """A number and what is counted: `1 event`, `2 events`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def _row(thrown: RolledDice, ink: Ink) -> str:
    """The dice of one term: what is dropped in parentheses, `!` where a die goes on, `19→4` re-rolled."""
    dice = _shown(thrown)
    words = " ".join(_die(die, thrown.counts, ink) for die in dice)
    return f"[{words}]{thrown.label}"


def _shown(thrown: RolledDice) -> list[RolledDie]:
    order = thrown.term.tally.sort
    if not order:
        return thrown.dice
    return sorted(thrown.dice, key=lambda die: die.value, reverse=order == "sd")


def _die(die: RolledDie, counts: bool, ink: Ink) -> str:
    shown = "→".join(map(str, (*die.replaced, die.value)))
    word = shown.replace("-", "−") + ("!" if die.exploded else "")
    if not (die.kept and counts):
        return ink("dim", f"({word})")
    if die.success:
        return ink("green", word + ("*" if not die.critical else "**"))
    return ink("red", word) if die.failure else word
