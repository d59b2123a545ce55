"""The turn order: scores, ties, and the place of fighters who join later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from ..dice.rule_table import RuleTable
from ..engine.changes import Changes
from ..engine.record import Modifier
from ..engine.scene import Fighter, Intent, Scene
from ..engine.system import Action, Requirement, Setup, refuse
from ..engine.system_check import require_function
from ..engine.turn_order import LineUp, Ordered, grouped, settled
from ..errors import RulebookMistake
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
    def dealt(
        deck: str,
        cards: tuple[str, ...],
        rule: str = "",
        *,
        hand: Callable[[Fighter], int] = lambda fighter: 1,
        shuffled_by: tuple[str, ...] = (),
        title: str = "Deal the turn order",
    ) -> Action:
        """The row of `init` for games that deal cards from a deck of `System.decks`: the last of `cards` acts first.

        `hand(fighter)` is how many cards a fighter is dealt, of which the best counts; `Scene.scores` has its place
        among `cards`. Cards stay out until too few are left, or until the deal after one of `shuffled_by` came.
        """

        def setup(scene: Scene, intent: Intent) -> Setup:
            hands = tuple([(name, hand(scene.fighters[name])) for name in grouped(scene, intent)])
            left, held = scene.left_in(deck, cards), tuple(cards[score] for score in scene.scores.values())
            came = any(card in shuffled_by for card in scene.dealt.get(deck, ()))
            is_shuffled = len(left) < sum(count for _, count in hands) or (came and not scene.order)
            if is_shuffled:
                left = tuple(card for card in cards if card not in held)
            if len(left) < sum(count for _, count in hands):
                refuse(intent, f"the deck {deck} has only {len(left)} cards left", rule, final=True)
            return Setup(Hands(hands, left, cards), carried=held if is_shuffled else None)

        def effects(changes: Changes, intent: Intent, setup: Setup, outcome: CardOrder) -> None:
            LineUp(rule, lambda new, other: False)(changes, intent, setup, Ordered(*outcome[:2]))
            if setup.carried is not None:
                changes.shuffle(deck, *setup.carried, rule=rule)
            changes.deal(deck, *outcome.cards, rule=rule)

        return Action(title, rule, setup, effects, deal_cards, window="table", targets="many")

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


class CardOrder(NamedTuple):
    """The result of dealing cards for the turn order."""

    order: tuple[str, ...]
    """Those who were dealt a card, first to act first."""
    scores: tuple[tuple[str, int], ...]
    """The place of each one's best card in the deck, by name."""
    cards: tuple[str, ...]
    """All cards that were dealt."""


class Hands(NamedTuple):
    """Who is dealt how many cards, and from which."""

    hands: tuple[tuple[str, int], ...]
    left: tuple[str, ...]
    """The cards that are left, the lowest first."""
    deck: tuple[str, ...]
    """All cards of the deck, the lowest first."""


MOST_DEALS = 3_000
"""Odds follow no more ways of dealing than this."""


def deal_cards(table: RuleTable, setup: Hands) -> CardOrder:
    """Cards one by one, none of them twice; the best of a fighter counts."""
    if len(setup.left) ** sum(count for _, count in setup.hands) > MOST_DEALS:
        # Simulated fights come to other cards each round, whose odds nobody would ask for again.
        table.refuse_odds("cards can be dealt in too many ways", "roll for it instead")
    left, out, places = setup.left, [], dict.fromkeys([name for name, _ in setup.hands], -1)
    for name, count in setup.hands:
        table.label("initiative", name)
        for _ in range(count):
            card = table.deal(left)
            left = tuple([other for other in left if other != card])
            out.append(card)
            places[name] = max(places[name], setup.deck.index(card))
        table.result(total=places[name])
    order = tuple(sorted(places, key=lambda name: -places[name]))
    return CardOrder(order, tuple([(name, places[name]) for name in order]), tuple(out))


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
    require_function(title, "initiative_of", initiative_of, "fighter")
    require_function(title, "score", score, "table", "initiative")
    if times:
        require_function(title, "rule of new rolls", again, "table", "initiative", "tied_with")

    def setup(scene: Scene, intent: Intent) -> Setup:
        initiatives: list[Initiative] = []
        lines: list[Modifier] = []
        for number, name in enumerate(grouped(scene, intent)):
            pair = initiative_of(scene.fighters[name])
            if not isinstance(pair[0], Initiative):
                said = f"the initiative of {name} is {pair!r}: write return Initiative(...), Modifiers(...)"
                raise RulebookMistake.in_function(initiative_of, said)
            one, found = pair
            if not number:
                before = found.total
                one = one._replace(bonus=one.bonus + found.asked(intent).total - before)
            lines += (line._replace(against=name) for line in found)
            initiatives.append(one)
        return Setup((tuple(initiatives), tuple(intent.get("order", ()))), tuple(lines))

    def order(table: RuleTable, field: Field) -> Ordered:
        initiatives, agreed = field
        scores = {one.name: table.ask(score, one) for one in initiatives}
        for name, total in scores.items():
            if not isinstance(total, int):
                said = f"the score of {name} is {total!r}: write return with a whole number"
                raise RulebookMistake.in_function(score, said)
        return Initiative.in_order(table, initiatives, scores, again, agreed, times)

    return Action(title, rule, setup, LineUp(rule, ahead), order, window="table", targets="many")
