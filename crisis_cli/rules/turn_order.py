"""The turn order: scores, ties, and the place of fighters who join later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from ..dice.rule_table import RuleTable
from ..engine.record import Modifier
from ..engine.scene import Fighter, Intent, Scene
from ..engine.system import Action, Requirement, Setup, refuse
from ..engine.turn_order import LineUp, Ordered, grouped, settled
from ..values import NamedTuple
from .modifiers import Modifiers


class Initiative(NamedTuple):
    """The values that decide a fighter's place in the turn order."""

    name: str
    """The name of the fighter."""
    bonus: int
    """What is added to its roll."""
    tie: tuple[int, ...] = ()
    """Settles equal scores, the smallest first."""
    dice: int = 0
    """What else the roll needs to know, as a number, such as the size of its die."""
    agrees: bool = True
    """Whether its side may agree on the order of equals (`--order`)."""

    @staticmethod
    def as_named(title: str = "Line up as named", rule: str = "") -> Action:
        """The row of `init` for games without initiative: everyone acts in the order in which they are named."""

        def nobody_rolls(table: RuleTable, one: Initiative, tied_with: tuple[str, ...] = ()) -> int:
            return 0

        return initiative_action(
            rule,
            lambda fighter: (Initiative(fighter.name, 0), Modifiers("initiative", rule)),
            nobody_rolls,
            times=0,
            title=title,
        )

    @staticmethod
    def no_extra_turn(rule: str) -> Requirement:
        """A requirement for `init`: nobody has an extra turn before the first (`--surprise`, `--initiator`)."""

        def requirement(scene: Scene, intent: Intent) -> None:
            for option in filter(intent.get, ("surprise", "initiator")):
                what = f"there is no extra turn before the first: --{option} gives none"
                refuse(intent, what, rule, f"leave out --{option}", code="unheeded_option")

        return requirement

    @staticmethod
    def grouped(scene: Scene, intent: Intent) -> Mapping[str, tuple[str, ...]]:
        """Who rolls, each with all fighters the roll counts for: everyone named, or with `group` the first of the
        copies of each sheet."""
        return grouped(scene, intent)

    @staticmethod
    def leader_of(scene: Scene, intent: Intent, name: str) -> str:
        """The name of the fighter whose roll counts for a fighter: its own, or that of the first copy of its sheet."""
        return next(leader for leader, names in grouped(scene, intent).items() if name in names)

    @staticmethod
    @cache
    def roll_off(sides: int) -> Callable[..., int]:
        """The rule of rolling one die, the higher first, to settle a tie: for `reroll` of `initiative_action`."""

        def roll(table: RuleTable, one: Initiative, tied_with: tuple[str, ...] = ()) -> int:
            table.label("initiative", one.name, f"d{sides}", tied_with=[*tied_with])
            face = table.die(sides)
            table.result(total=face)
            return face

        return roll

    @staticmethod
    def in_order(
        table: RuleTable,
        initiatives: tuple[Initiative, ...],
        scores: Mapping[str, int],
        again: Callable[..., int],
        agreed: tuple[str, ...],
        times: int,
    ) -> Ordered:
        """Those who rolled, the highest score first; equal scores are settled as `initiative_action` says, by new rolls
        of the rule `again`."""
        equals: dict[tuple[int, ...], list[Initiative]] = {}
        for one in initiatives:
            equals.setdefault((-scores[one.name], *one.tie), []).append(one)
        names: list[str] = []
        for place in sorted(equals):
            tied = equals[place]
            if len(tied) == 1:
                names.append(tied[0].name)
            else:
                names += table.ask(settled, again, tuple(tied), agreed if tied[0].agrees else (), times)
        return Ordered(tuple(names), tuple([(name, scores[name]) for name in names]))


Field = tuple[tuple[Initiative, ...], tuple[str, ...]]
"""Those who roll, and those named by `--order`."""


def initiative_action(
    rule: str,
    initiative_of: Callable[[Fighter], tuple[Initiative, Modifiers]],
    score: Callable[..., int],
    *,
    reroll: Callable[..., int] | None = None,
    times: int = 12,
    ahead: Callable[[Fighter, Fighter], bool] = lambda new, other: False,
    title: str = "Roll for the turn order",
) -> Action:
    """The row of `init`: the highest score acts first. `Initiative.tie` settles equal scores, then `--order`, then new
    rolls.

    `initiative_of(fighter)` gives what the roll of a fighter depends on, and its modifiers. `score(table, initiative,
    tied_with=())` is the rule of the roll; `tied_with` has the names of those it is tied with. `reroll` is the rule of
    new rolls, if that is another; after `times` new rolls the order of naming decides. A fighter who joins later comes
    after those with the same score, unless `ahead(newcomer, other)` is true.
    """
    again = reroll or score

    def setup(scene: Scene, intent: Intent) -> Setup:
        initiatives: list[Initiative] = []
        lines: list[Modifier] = []
        for number, name in enumerate(grouped(scene, intent)):
            one, found = initiative_of(scene.fighters[name])
            if not number:
                before = found.total
                one = one._replace(bonus=one.bonus + found.asked(intent).total - before)
            lines += (line._replace(against=name) for line in found)
            initiatives.append(one)
        return Setup((tuple(initiatives), tuple(intent.get("order", ()))), tuple(lines))

    def order(table: RuleTable, field: Field) -> Ordered:
        initiatives, agreed = field
        return Initiative.in_order(
            table, initiatives, {one.name: table.ask(score, one) for one in initiatives}, again, agreed, times
        )

    return Action(title, rule, setup, LineUp(rule, ahead), order, window="table", targets="many")
