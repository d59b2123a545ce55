"""The table at which dice are really thrown: by a generator, from a list, or by the player.

A rule asks the table and never knows who answers. `Table` hands every question for a face
to its dice and every decision to its chooser, and remembers both in the order of asking.
"""

from __future__ import annotations

from ..errors import RulebookMistake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Rule(Protocol):
        """Asks the table whatever it needs and gives an outcome; everything else by argument."""

        def __call__(self, table: Any, *args: Any) -> Any: ...

    class DiceSource(Protocol):
        """Where faces come from."""

        def face(self, sides: int, throw: Throw) -> int:
            """The face, 1 to `sides`, of the next die of `throw`."""
            ...

    from .graded import Graded

    Grade = Callable[..., Any]
    """What the sum of an exploding die is worth: something that can be added up."""
    Chooser = Callable[[str, "tuple[Alternative, ...]"], "Alternative | Decided | None"]


class Throw:
    """The dice rolled under one label, with their faces in the order of rolling."""

    __slots__ = ("what", "who", "dice", "about", "faces", "reckoning", "given", "cards")

    def __init__(self, what: str, who: str, dice: str = "", about: dict[str, Any] | None = None):
        self.what = what
        self.who = who
        self.dice = dice
        self.about = about or {}
        self.faces: list[tuple[int, int]] = []
        """Pairs of (sides, face)."""
        self.reckoning: dict[str, Any] = {}
        """The result of the dice: total, target, success and others."""
        self.given = False
        """Whether faces of it were given or typed in, not thrown by the program."""
        self.cards: tuple[str, ...] = ()
        """The names of the faces of the next die, if it stands for cards that are drawn."""

    @property
    def spelled(self) -> str:
        """The dice in notation: as labelled, else gathered from the faces."""
        if self.dice or not self.faces:
            return self.dice
        counts: dict[int, int] = {}
        for sides, _ in self.faces:
            counts[sides] = counts.get(sides, 0) + 1
        return " + ".join(f"{count}d{sides}" for sides, count in counts.items())


class Alternative:
    """One way to answer a question (`RuleTable.choose`), with a rule that says how much harm it brings.

    The rule answers with the harm to the fighter who chooses, or with a tuple that begins with it. Doctrines and odds
    compare the expected harm.
    """

    __slots__ = (
        "name",
        "rule",
        "args",
        "cost",
        "spends",
        "gains",
        "deliberate",
        "pays",
        "leaves",
        "asks",
        "wears",
        "counts",
    )

    def __init__(
        self,
        name: str,
        rule: Rule,
        args: tuple[Any, ...] = (),
        cost: int = 0,
        spends: str = "",
        gains: str = "",
        deliberate: bool = False,
        pays: str = "",
        leaves: str = "",
        asks: str = "",
        wears: str = "",
        counts: str = "harm",
    ):
        self.name = name
        """Its name, as `--choose` takes it."""
        self.rule = rule
        """The sub-rule that is asked if it is taken: `table.ask(one.rule, *one.args)`."""
        self.args = args
        """The further arguments of that rule."""
        self.cost = cost
        """How many points it costs. Of alternatives with equal harm the cheaper one is taken. It is free unless
        `Action.choices` gives a `Charge` for it."""
        self.spends = spends
        """What the cost is spent from, as screens say it, where it saves a roll that failed: luck, a re-roll. If it is
        the key or the label of a pool, the conformance suite looks whether that pool pays. The harm is then 1 for a
        failure and 0 for a success. What takes something off harm has `pays`."""
        self.gains = gains
        """What is won where the harm is 0, as the question says it; empty: success."""
        self.deliberate = deliberate or bool(spends)
        """Whether only a player who is asked takes it; with `spends` always. Odds pass it over, and so do fighters
        that play themselves, unless it has `leaves`."""
        self.pays = pays
        """What the cost is paid from, as screens say it, where the rule answers with harm: actions of a turn to parry
        with, luck to soak a wound with. Of a pool as with `spends`. Fighters that play themselves take it where that
        helps; with `deliberate` only players do."""
        self.leaves = leaves
        """If the rule answers with what a foe has left, and not with harm: the name of that, such as "HP left".
        Fighters that play themselves take the alternative that leaves least."""
        self.asks = asks
        """In the first alternative: the question as a sentence; empty if the names of the alternatives say enough."""
        self.wears = wears
        """What is used up beside the harm, by its name on screens, such as "protection"; the answers of the rule then
        have a field `worn`."""
        self.counts = counts
        """What the harm counts, such as "wounds"."""


class Decided:
    """An option that was taken, and how."""

    __slots__ = ("option", "harms", "asked", "holds")

    def __init__(
        self, option: Alternative, harms: dict[str, float] | None = None, asked: bool = True, holds: str = ""
    ):
        self.option = option
        self.harms = harms or {}
        """The expected harm to the chooser of every option compared, by its name; empty where none were."""
        self.asked = asked
        """Whether the player was asked, where a player decides; False where the answer did not matter."""
        self.holds = holds
        """The later decisions of the fight for which the answer holds too; empty for none."""


class Choice:
    """A decision as remembered."""

    __slots__ = ("who", "offered", "taken", "harms", "asked", "holds")

    def __init__(self, who: str, offered: tuple[str, ...], decided: Decided):
        self.who = who
        self.offered = offered
        self.taken = decided.option.name
        self.harms = decided.harms
        self.asked = decided.asked
        self.holds = decided.holds


def option_called(options: tuple[Alternative, ...], name: str) -> Alternative | None:
    """The option of a name, in whatever case it is typed; None where none has it."""
    return next((option for option in options if option.name.casefold() == name.casefold()), None)


def first(who: str, options: tuple[Alternative, ...]) -> Alternative:
    """The chooser that always takes the first option offered, which by custom is to do nothing."""
    return options[0]


class Table:
    """Everything a rule may ask, answered one die at a time and remembered."""

    __slots__ = ("dice", "chooser", "throws", "choices", "parts", "spent")

    def __init__(self, dice: DiceSource, chooser: Chooser = first):
        self.dice = dice
        self.chooser = chooser
        self.throws: list[Throw] = []
        self.choices: list[Choice] = []
        self.parts: list[tuple[str, str, int, str, str, str]] = []
        """What the dice added to a number: the number, name, value, rule, source, target."""
        self.spent: list[tuple[str, str, int]] = []
        """What fighters have spent so far in the course of this: who, what by its name, and how much."""

    def label(self, what: str, who: str = "", dice: str = "", **about: Any) -> None:
        """Name the next dice: what the roll is, whose, and how it is spelled; what is empty in `about` is left out."""
        self.throws.append(
            Throw(what, who, dice, {key: value for key, value in about.items() if value not in ("", [])})
        )

    def result(self, **numbers: Any) -> None:
        """Record the result of the dice just labelled; a number that is None is left out."""
        self.throws[-1].reckoning.update({key: value for key, value in numbers.items() if value is not None})

    def note(self, name: str, values: list[int]) -> None:
        """Record the values of the dice just labelled; RulebookMistake where it has a note of that name."""
        throw = self.throws[-1]
        if name in throw.reckoning:
            raise RulebookMistake.at_caller(
                f"the roll {throw.what!r} has two results called {name!r}: write table.label(...) before each of them, "
                "or another note"
            )
        throw.reckoning[name] = values

    def add_to(self, back: int, added: int) -> None:
        """Add a number to the total of an earlier roll, the last being 1 `back`, and note it as `added`."""
        reckoning = self.throws[-back].reckoning
        reckoning.update(total=reckoning["total"] + added, added=added)

    def replace(self, count: int, rank: Callable[[int], int]) -> None:
        """Note that the next `count` dice replace those of this roll that rank highest, none of them twice.

        The record keeps their places as `replaced`; the faces that came for them are the last of the roll.
        """
        throw = self.throws[-1]
        replaced: list[int] = throw.reckoning.setdefault("replaced", [])
        first = len(throw.faces) - len(replaced)
        left = [at for at in range(first) if at not in replaced]
        replaced += sorted(left, key=lambda at: -rank(throw.faces[at][1]))[:count]

    def join(self, count: int, **numbers: Any) -> None:
        """Merge the last `count` rolls into one, and record their common result.

        Its `parts` tell which dice were which, under the `part` of each label; a throw labelled without one is
        the `pool`, and a pool alone has no parts.
        """
        thrown = self.throws[-count:]
        first = thrown[0]
        about = {key: value for key, value in first.about.items() if key != "part"}
        whole = Throw(first.what, first.who, " + ".join(one.dice for one in thrown if one.dice), about)
        whole.faces = [face for one in thrown for face in one.faces]
        whole.given = any(one.given for one in thrown)
        whole.reckoning = {**first.reckoning, **numbers}
        if "values" in first.reckoning:
            whole.reckoning["values"] = [each for one in thrown for each in one.reckoning["values"]]
        if count > 1 or "part" in first.about:
            whole.reckoning["parts"] = [
                {
                    "part": "pool",
                    **one.about,
                    "dice": one.dice,
                    "faces": [face for _, face in one.faces],
                    **one.reckoning,
                }
                for one in thrown
            ]
        self.throws[-count:] = [whole]

    def part(
        self, number: str, name: str, value: int, rule: str, source: str = "", against: str = ""
    ) -> None:
        """Note what the dice add to a number of the record, as a modifier of it, once; nothing where that is 0."""
        part = (number, name, value, rule, source, against)
        if value and part not in self.parts:
            self.parts.append(part)

    def plus(self, number: int, name: str, value: int, rule: str) -> int:
        """The number plus a value, which stays known as one of its parts; nothing is noted where that is 0."""
        from .itemized import Itemized

        whole = number if isinstance(number, Itemized) else Itemized(number)
        return whole.plus(name, value, rule) if value else number

    def die(self, sides: int) -> int:
        """One face of a die."""
        if not self.throws:
            self.throws.append(Throw("roll", ""))
        throw = self.throws[-1]
        face = self.dice.face(sides, throw)
        throw.faces.append((sides, face))
        return face

    def deal(self, cards: tuple[str, ...]) -> str:
        """One of the cards, whose name the record keeps."""
        if not self.throws:
            self.label("card")
        throw = self.throws[-1]
        throw.cards = cards
        card = cards[self.die(len(cards)) - 1]
        throw.reckoning.setdefault("cards", []).append(card)
        return card

    def ask(self, rule: Rule, *args: Any) -> Any:
        """The answer of a sub-rule whose details no longer matter."""
        return rule(self, *args)

    def times(self, count: int, rule: Rule, *args: Any, zero: Any = 0) -> Any:
        """The sum of `count` separate asks, tuples added by component; `zero` where there is none."""
        total = zero
        for _ in range(count):
            total = added(total, rule(self, *args))
        return total

    def chain(self, count: int, rule: Rule, state: Any, *args: Any) -> Any:
        """The state after `count` asks, each of which is given the state the one before left."""
        for _ in range(count):
            state = rule(self, state, *args)
        return state

    def highest(self, count: int, sides: int) -> int:
        """The highest of `count` faces."""
        return self.pool(count, sides)[-1]

    def lowest(self, count: int, sides: int) -> int:
        """The lowest of `count` faces."""
        return self.pool(count, sides)[0]

    def pool(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` faces, sorted."""
        return tuple(sorted(self.die(sides) for _ in range(count)))

    def exploding(
        self, count: int, sides: int, grade: Grade, *args: Any, zero: Any = 0, note: str = ""
    ) -> Any:
        """`count` dice that explode on their highest face: the grades of their sums added up, each
        `grade(value, *args)`; `zero` where there is none.

        `note` is the name under which the record keeps the sum of each die.
        """
        from .exploding import waves

        values = waves(self, count, sides)
        if note:
            self.note(note, values)
        total = zero
        for value in values:
            total = added(total, grade(value, *args))
        return total

    def reveal(self, dice: Graded, lowest: int, score: Callable[[int], int]) -> int:
        """Reveal graded dice: the sum of their `lowest` lowest scores."""
        return sum(sorted(score(value) for _, value in dice.shown)[:lowest])

    def choose(self, who: str, options: tuple[Alternative, ...]) -> Alternative:
        """The option that `who` takes; the rule then asks that option's own rule."""
        require_several(options)
        if len(options) == 1:
            return options[0]
        answer = self.chooser(who, options)
        if answer is None:
            # No one is asked, so there is nothing to remember.
            return options[0]
        decided = answer if isinstance(answer, Decided) else Decided(answer)
        taken = decided.option
        self.choices.append(Choice(who, tuple(option.name for option in options), decided))
        if taken.cost:
            self.spend(who, taken.spends or taken.pays, taken.cost)
        return taken

    def spend(self, who: str, what: str, count: int = 1) -> None:
        """Note that a fighter has spent something, named as in an `Alternative`, so that it is shown as gone."""
        self.spent.append((who, what, count))

    def refuse_odds(self, message: str, hint: str) -> None:
        """Say that exact odds of this would take too long: nothing, where dice are rolled."""

    def truncate(self) -> None:
        """Say that a chain of dice is broken off here though it could have gone on."""


def require_several(options: tuple[Alternative, ...]) -> None:
    """Raise RulebookMistake, with the line of the rulebook that is running, where `choose` is given no tuple."""
    if isinstance(options, Alternative):
        raise RulebookMistake.at_caller(
            "choose is given an Alternative: write (Alternative(...),), with the comma"
        )


def added(left: Any, right: Any) -> Any:
    """The sum of two scores: numbers, or tuples of numbers by component."""
    if isinstance(right, tuple):
        return tuple(map(int.__add__, left or (0,) * len(right), right))
    return left + right
