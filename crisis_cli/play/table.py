"""The table of one action: who rolls, and who decides in the middle of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from ..errors import Usage
from .answers import Answers, Performed
from .desk import Desk
from .dice import Dice
from .session import Session

# What only some actions need is imported where it is used, so that help and errors come at once.
if TYPE_CHECKING:
    from ..dice.distribution import Policy
    from ..dice.table import Alternative, Chooser, Decided, DiceSource, Table
    from ..engine.scene import Fighter, Intent


def resolved(desk: Desk, session: Session, dice: Dice) -> Dice:
    """The dice with what is usual filled in, and a fresh seed for a one-off."""
    if dice.is_default:
        dice = dice._replace(real=desk.dice.real, mine=desk.dice.mine)
    if session.crisis or dice.results is not None or dice.seed is not None:
        return dice
    return dice._replace(seed=desk.world.fresh_seed())


def _fighters(session: Session, intent: Intent) -> Mapping[str, Fighter]:
    """The fighters by name whose players may be asked in an action: those of the scene, and those between fights that
    it brings."""
    from ..engine.rest import brought

    return {**session.scene.fighters, **brought(intent)}


FinishDice = Callable[[], None]
"""Checks, after the action, that nothing given for it is left over."""


def table(
    desk: Desk, dice: Dice, session: Session, intent: Intent, answers: Answers
) -> tuple[Table, int | None, FinishDice]:
    """The table of one action, its seed (None if no seed decides), and a check to call afterwards.

    The check raises WrongDice or WrongChoice where given results or choices are left over. Usage where a player would
    have to be asked, and there is none.
    """
    from ..dice.generator import Seeded
    from ..dice.scripted import GivenChoices, Mixed, Scripted
    from ..dice.table import Table
    from ..engine.perform import entry_dice

    react, fighters = intent.get("react"), _fighters(session, intent)
    player_fighters = {name for name, one in fighters.items() if one.player}
    has_answers = desk.has_player or answers.is_asked is not None
    if react == "ask" and not dice.choices:
        require_player(has_answers, "--react ask", "--react best")
    given = GivenChoices(dice.choices)
    decide = _chooser(desk, dice, session, intent, answers)

    def choose(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided | None:
        return given.take(options) or decide(who, options)

    if dice.results is not None:
        scripted = Scripted(dice.results)
        made = Table(scripted, choose)
        answers.performed = Performed(session, intent, made)
        return made, session.crisis.seed if session.crisis else None, both(scripted.finish, given.finish)
    seed, numbers = dice.seed, (0, 0)
    if session.crisis:
        seed = session.crisis.seed if seed is None else seed
        numbers = (session.crisis.counted, session.crisis.fresh)
    assert seed is not None
    source: DiceSource = Seeded(entry_dice(seed, *numbers).random)
    if dice.real or dice.mine:
        require_player(has_answers, "--real-dice" if dice.real else "--mine")
        source = answers if dice.real else Mixed(answers, source, player_fighters.__contains__)
    made = Table(source, choose)
    answers.performed = Performed(session, intent, made)
    return made, seed, both(answers.finish, given.finish)


def _chooser(desk: Desk, dice: Dice, session: Session, intent: Intent, answers: Answers) -> Chooser:
    """The function that decides in the middle of an action: by what was said, by doctrines, by whoever is asked."""
    react, fighters, asks_program = intent.get("react"), _fighters(session, intent), answers.is_asked

    def ask_player(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided:
        from ..dice.table import Decided
        from ..engine.record import RecordedChoice

        if react is not None or not desk.is_sparing:
            return answers.choose(who, options, options[0].name)
        from .asking import question

        made = answers.performed.table if answers.performed else None
        rolls, so_far = (made.throws, made.choices) if made else ((), ())
        asked = question(session, who, options, desk, intent, rolls, map(RecordedChoice.of, so_far))
        if not asked.is_asked:
            if asked.left_out:
                desk.caches.leave_out(asked.left_out)
            return Decided(asked.usual.option, asked=False, holds=asked.holds)
        answer = answers.choose(who, options, asked.usual.option.name)
        if isinstance(answer, Decided):
            return asked.answered(answer.option, is_always=True)
        return asked.answered(answer, is_always=False)

    @cache
    def usual() -> Chooser:
        """Imported with the first choice: most actions leave none."""
        from ..ai.choosing import chooser

        return chooser(
            react,
            desk.caches.odds_table,
            lambda who: not dice.is_automatic and fighters[who].player,
            ask_player if desk.has_player else None,
            (lambda who: desk.shelves.doctrine_of(fighters[who])) if session.scene.open else None,
        )

    def decide(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided | None:
        taken = usual()(who, options)
        if (
            react is not None
            or asks_program is None
            or who not in fighters
            or not asks_program(fighters[who])
        ):
            return taken
        return answers.decide(who, options, taken)

    return decide


def require_player(is_there: bool, option: str, answer: str = "--dice 4,5,1") -> None:
    """Raise Usage if there is no player to ask; `option` is what asks, `answer` an option that asks nobody."""
    if not is_there:
        raise Usage(
            f"{option} needs an answer, but there is no terminal",
            hint=f"give the answer in the command: {answer}",
            code="no_terminal",
        )


def both(first: FinishDice, second: FinishDice) -> FinishDice:
    """The check that makes two checks one after the other."""

    def finish() -> None:
        first()
        second()

    return finish


def decision_policy(
    desk: Desk, session: Session, react: str | None = None, is_automatic: bool = False
) -> Policy:
    """The policy by which exact odds decide for everyone: as they would decide if the action were performed.

    `is_automatic`: doctrines decide for the player's fighters too.
    """
    from ..ai.choosing import policy

    fighters = session.scene.fighters

    def doctrine_reaction(who: str) -> str:
        if fighters[who].player and not is_automatic:
            return ""
        return desk.shelves.doctrine_of(fighters[who]).react

    return policy(react, desk.has_player, doctrine_reaction if session.journal is not None else None)
