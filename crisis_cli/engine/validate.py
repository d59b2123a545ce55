"""Validation: what the rules allow and what it costs, checked before any roll."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import Refused, RulebookMistake, Usage
from ..values import NamedTuple
from .changes import Number
from .consequences import effects
from .cost import Payment, given_up, payment
from .events import Event
from .interrupts import Answer, InterruptedRule, answers_to, occupied, set_up
from .kinds import guess
from .phases import in_one
from .scene import GEAR_OPTIONS, UNARMED, Intent, Scene, slug
from .system import Action, System, refuse

if TYPE_CHECKING:
    from ..dice.distribution import Distribution, OddsTable
    from ..dice.table import Rule
    from .setup import Setup


class Prepared(NamedTuple):
    """An action that the rules allow, set up and ready to roll."""

    row: Action
    setup: Setup
    payment: Payment
    forced: tuple[str, ...] = ()
    interrupted: InterruptedRule | None = None
    """The rule of the action with the reactions of others between its phases; None where there are none."""

    @property
    def rule(self) -> Rule:
        """What the dice are asked for: `rule(table, dice)`."""
        return self.interrupted or self.row.whole_rule

    @property
    def dice(self) -> Any:
        """What that rule is given; an interrupted one knows everything itself."""
        return None if self.interrupted else self.setup.dice

    @property
    def apart(self) -> tuple[str, ...]:
        """The targets whose odds are worked out one by one (`ExactOdds.part`)."""
        row = self.row.odds
        return () if self.interrupted or not row.part else tuple(dict.fromkeys(row.targets(self.dice)))

    def odds(self, odds_table: OddsTable, who: str = "", lives: bool = False) -> Distribution:
        """The distribution of the outcome, or where targets are `apart` of what becomes of one of them, with `lives` of
        its pools alone; under no name that of all the rest. Where choices are given, all is followed together."""
        row = self.row.odds
        if row.part is None or self.interrupted or odds_table.follows_questions:
            return odds_table.of(self.rule, self.dice)
        return odds_table.of(row.part, row.unasked(self.payment.scene, self.dice), who, lives)

    def effect_key(self, outcome: Any) -> Any:
        """The outcome without what its effects do not look at."""
        return (self.interrupted or self.row.odds).effect_key(outcome)

    def effects(
        self,
        system: System,
        scene: Scene,
        intent: Intent,
        outcome: Any,
        number: type[Number] = Number,
        postponed: Container[tuple[str, str]] = (),
    ) -> tuple[Event, ...]:
        """What an outcome of the dice changes, costs aside; `number` and `postponed` are as for `effects`."""
        if self.interrupted:
            return self.interrupted.effects(self.setup, outcome, number, postponed)
        return effects(system, self.begun(scene), intent, self.row, self.setup, outcome, number, postponed)

    def begun(self, scene: Scene) -> Scene:
        """The scene that its effects begin with: with its costs paid."""
        return self.payment.scene


LATEST: list[tuple[System, Scene, Intent, Prepared]] = []
"""What was prepared last: what looks for legal actions asks about each of them again."""


def prepare(system: System, scene: Scene, intent: Intent) -> Prepared:
    """The action with its setup and its payment; Refused if the rules do not allow it."""
    for of_system, in_scene, meant, prepared in LATEST:
        if in_scene is scene and meant is intent and of_system is system:
            return prepared
    prepared = _prepared(system, scene, intent)
    LATEST[:] = [(system, scene, intent, prepared)]
    return prepared


def _prepared(system: System, scene: Scene, intent: Intent) -> Prepared:
    """What `prepare` gives, worked out anew."""
    row = row_of(system, intent.action)
    _known(system, scene, intent, row)
    if not intent.get("force"):
        _permitted(system, scene, intent, row)
        for requirement in row.requires:
            requirement(scene, intent)
        if scene.field is not None:
            _on_field(scene, intent, row)
        return _set_up(system, scene, intent, row)
    forced = tuple(_overridden(system, scene, intent, row))
    return _set_up(system, scene, intent, row)._replace(forced=forced)


def _first_setup(scene: Scene, intent: Intent, row: Action) -> Setup:
    """The setup of an action, or of its first phase; RulebookMistake, with the line of the function, if it is none, or
    odds could not look up its dice."""
    setup = row.first_setup(scene, intent)
    try:
        hash(setup.dice)
    except (AttributeError, TypeError) as error:
        said = (
            f"{row.title!r} has a setup that returns {type(setup).__name__}: write return Setup(dice, ...)"
            if isinstance(error, AttributeError)
            else f"{row.title!r} has Setup.dice that cannot be hashed ({error}): write tuples, NamedTuples, numbers "
            "and words, no list, dict or set"
        )
        raise RulebookMistake.in_function(row.phases[0].setup if row.phases else row.setup, said) from error
    return setup


def _set_up(system: System, scene: Scene, intent: Intent, row: Action) -> Prepared:
    """An action with everything set up, all phases and reactions before the first die; and what it costs.

    The first phase is set up before the costs are paid, the others afterwards.
    """
    if scene.encounter is not None:
        from .circumstances import in_circumstances

        scene = in_circumstances(system, scene, intent)
    found = answers_to(system, scene, intent) if row.window == "turn" else []
    answers = [one for one, _ in found]
    meant = occupied(intent, [one.intent.actor for one in answers]) if answers else intent
    setup = _first_setup(scene, meant, row)
    _reaction_price(system, scene, intent, row, setup)
    paid = payment(system, scene, intent, row, setup)
    first = setup
    if row.phases:
        setups = [setup]
        for phase in row.phases[1:]:
            setups.append(phase.setup(paid.scene, meant, tuple(setups)))
        setup = in_one(tuple(setups))
    if not answers:
        return Prepared(row, setup, paid)
    lines = tuple(
        line if line.against else line._replace(against=one.intent.actor)
        for one, theirs in (*found, (Answer(meant, row), setup))
        for line in theirs.modifiers
    )
    whole = setup._replace(modifiers=lines)
    return Prepared(
        row, whole, paid, interrupted=InterruptedRule(system, paid.scene, intent, row, first, answers)
    )


def _on_field(scene: Scene, intent: Intent, row: Action) -> None:
    """Refuse what the terrain does not allow."""
    if scene.field is not None:
        from .sight import check_field

        check_field(scene, scene.field, intent, row)


def _reaction_price(system: System, scene: Scene, intent: Intent, row: Action, setup: Setup) -> None:
    """Refuse out of turn what costs more than a reaction may."""
    reactions = system.reactions
    if reactions is None or not scene.open or intent.actor in scene.acting or row.window != "turn":
        return
    price = sum(cost.amount for cost in (*row.costs, *setup.costs) if cost.pool == reactions.pool)
    if price > reactions.price:
        what = f"a reaction is an action of {reactions.price}; {intent.action} takes {price} here"
        refuse(intent, what, reactions.rule, "wait for the fighter's own turn", code="too_dear")


def _known(system: System, scene: Scene, intent: Intent, row: Action) -> None:
    """Usage where an intent is about something that is not on the actor's sheet; Refused where someone has left."""
    named = [name for name in (*intent.targets, intent.actor) if name]
    for name in named:
        if name not in scene.fighters:
            raise Usage(
                f"no fighter here is called {name!r}",
                hint=f"fighters: {', '.join(scene.fighters)}",
                code="unknown_name",
            )
    gone = [name for name in named if scene.fighters[name].gone]
    if gone and row.window != "table":
        raise Refused(
            f"{gone[0]} has left the crisis",
            hint=f"bring it back: crisis join {slug(gone[0])}",
            final=True,
            code="gone",
        )
    if not intent.options:
        return
    gear = {**GEAR_OPTIONS, "thing": row.gear}
    for one in system.command_options:
        if one.key not in intent.options:
            continue
        if one.kind == "thing":
            gear[one.key] = row.gear
        if one.kind == "whole" and intent.get(one.key, 0) < 0:
            raise Refused(
                f"--{one.name} is a number from 0 ({one.rule})", rule=one.rule, final=True, code="bad_value"
            )
    for option, listed in gear.items():
        named = intent.get(option)
        if not named:
            continue
        things = scene.fighters[intent.actor].carried(listed) if intent.actor else {}
        if named not in (
            *things,
            UNARMED,
            *system.sheet_rules.single_things,
            *system.sheet_rules.unlisted_weapons,
        ):
            raise Usage(
                f"{intent.actor} has no weapon or item called {named!r}",
                hint=f"options: {', '.join(things) or 'nothing'}",
                code="unknown_item",
            )


def _overridden(system: System, scene: Scene, intent: Intent, row: Action) -> Iterator[str]:
    """What would have been refused or given up, had the GM not forced it: for the log (ALL-7)."""
    meek = intent._replace(options={key: value for key, value in intent.options.items() if key != "force"})
    checks: tuple[Callable[[], object], ...] = (
        lambda: _permitted(system, scene, meek, row),
        *(partial(requirement, scene, meek) for requirement in row.requires),
        lambda: _on_field(scene, meek, row),
        lambda: payment(system, scene, meek, row, _first_setup(scene, intent, row)),
        lambda: set_up(row, scene, meek),
        lambda: _reaction_price(system, scene, meek, row, _first_setup(scene, intent, row)),
    )
    for tried in checks:
        try:
            tried()
        except Refused as refusal:
            if refusal.about.get("final"):
                raise
            yield refusal.message
    yield from given_up(system, scene, meek, row, _first_setup(scene, intent, row).gear)


def row_of(system: System, action: str) -> Action:
    """The row of an action; Usage with the rows there are where there is none."""
    row = system.actions.get(action)
    if row is None:
        raise Usage(
            f"{system.name} has no action called {action!r}{guess(action, system.actions)}",
            hint=f"actions: {', '.join(one for one, row in system.actions.items() if row.window != 'table')}",
            code="unknown_action",
        )
    return row


UNREACTIVE = ("none", "best", "ask")
"""What `--react` may say of any attack."""


def _permitted(system: System, scene: Scene, intent: Intent, row: Action) -> None:
    _several(system, intent, row)
    react = intent.get("react", "none")
    if react not in (*UNREACTIVE, *row.reactions):
        answers = ", ".join(row.reactions) or "nothing"
        raise Refused(
            f"{intent.action} in {system.name} cannot be answered with {react} ({row.rule_id})",
            hint=f"possible reactions: {answers}",
            rule=row.rule_id,
            code="unknown_reaction",
        )
    if row.window == "table":
        return
    fighter = scene.fighters[intent.actor]
    if row.targets in ("one", "many", "ally") and intent.actor in intent.targets:
        raise Refused(
            f"{intent.actor} cannot {intent.action} itself",
            hint="to do it anyway: --force",
            code="own_target",
        )
    if row.targets == "ally" and scene.fighters[intent.target].side != fighter.side:
        raise Refused(
            f"{intent.target} is no ally of {intent.actor} ({row.rule_id})",
            rule=row.rule_id,
            code="wrong_target",
        )
    if fighter.yielded:
        hint = f"if it fights on: crisis set {slug(fighter.name)} yielded off"
        raise Refused(f"{fighter.name} has surrendered", hint=hint, code="yielded")
    why, rule = system.idle(fighter)
    if why:
        raise Refused(
            f"{fighter.name} is {why} and cannot act ({rule})",
            hint="end the turn: crisis next" if scene.open else "",
            rule=rule,
            code="condition_forbids",
        )
    check_turn(system, scene, intent)


def check_turn(system: System, scene: Scene, intent: Intent) -> None:
    """Refused if the action is one of its actor's own turn, and that turn has not come."""
    row, fighter = row_of(system, intent.action), scene.fighters[intent.actor]
    if (
        scene.open
        and row.window == "turn"
        and intent.actor not in scene.acting
        and not row.is_released(scene, intent)
        and not (system.reactions and system.reactions.may(scene, fighter))
    ):
        turn = f"it is {scene.turn}'s turn" if scene.turn else "no turn has begun"
        raise Refused(
            f"{turn}, not {fighter.name}'s; {intent.action} is only possible in its own turn ({row.rule_id})",
            hint="end the turn: crisis next; to override: --force",
            rule=row.rule_id,
            code="not_their_turn",
        )


def _several(system: System, intent: Intent, row: Action) -> None:
    most = {"none": 0, "one": 1, "ally": 1, "patient": 1}.get(row.targets, len(intent.targets))
    if len(intent.targets) > most:
        what = "takes no target" if not most else "takes one target"
        raise Refused(
            f"{intent.action} in {system.name} {what}, not {len(intent.targets)} ({row.rule_id})",
            hint="name one target per action" if most else "",
            rule=row.rule_id,
            final=True,
            code="wrong_targets",
        )
    if row.targets in ("one", "many", "ally") and not intent.targets and intent.get("at") is None:
        raise Refused(
            f"{intent.action} needs a target ({row.rule_id})",
            rule=row.rule_id,
            final=True,
            code="missing_target",
        )
