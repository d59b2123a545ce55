"""Asks the player at the terminal for a response to an opponent's action, before it takes effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from ..ai.resources import with_full_turn
from ..context import Context
from ..dice.distribution import OddsTable
from ..engine.action_odds import action_odds
from ..engine.legal_actions import of
from ..engine.ranking import losses, ranked
from ..engine.responses import Response, after, answered
from ..engine.scene import Intent, Scene
from ..engine.system import System, nothing
from ..errors import CrisisError
from ..play.requests import Respond
from ..play.session import Session
from ..play.table import decision_policy
from ..questions import BACK, question_line, typed_number
from ..render import decision
from ..render.charts import percent
from ..render.command_text import typed
from ..render.since import since

NO, NEVER = "no", "never"
"""The answers without a response; the second one is not asked again this round."""


def ask_response(
    context: Context, request: Respond, session: Session, unasked: set[tuple[int, str]]
) -> Response | None:
    """The response that the player chooses for a fighter; None for none.

    `unasked` are (round, fighter) pairs for which the player wants no more questions.
    """
    who, action, offered = request.who, request.action, request.options
    scene, system, output = session.scene, session.system, context.output
    muted = (scene.round, who)
    if muted in unasked:
        return None
    past = session.crisis.done if session.crisis else ()
    ink, width = output.ink, context.environment.width
    names = [
        NO,
        *(typed(scene, one.intent).removeprefix("act ").split(" --by")[0] for one in offered),
        NEVER,
    ]
    notes = [*_odds(context, session, action, offered), "not again this round"]
    wide = ink.widest(names) + 1
    rows = [
        f"  {number:>{len(str(len(names)))}}. {ink.padded(f'{name}:', wide)} {note}"
        for number, (name, note) in enumerate(zip(names, notes, strict=True), start=1)
    ]
    news = since(past, scene, system, ink, width, who, own_harm_only=True)
    question, waiting = question_line(f"{who} responds?", names), len(output.typed_ahead)
    most = output.rows_above((*news, *rows, question))
    shown = (*news, *decision.before(who, action, scene, system, None, ink, width, most), *rows)
    output.say(*shown, below=question)
    # What was typed where the rows asked whether they go on is the answer, and no line for the prompt.
    typed_at_rows = output.typed_ahead.pop() if len(output.typed_ahead) > waiting else None
    chosen = _read(context, question, names, typed_at_rows)
    if chosen == len(names) - 1:
        unasked.add(muted)
    return offered[chosen - 1] if 0 < chosen < len(names) - 1 else None


def _read(context: Context, question: str, names: list[str], first: str | None) -> int:
    """The place of the player's answer among the names; an empty answer is the first.

    `first` is an answer given already. KeyboardInterrupt if the player goes back: at the prompt of a game, the line
    that does so is run next.
    """
    while True:
        answer = (context.output.ask(question, names) if first is None else first).strip().lower()
        first = None
        if not answer or answer in ("n", NO):
            return 0
        if 1 <= (number := typed_number(answer)) <= len(names):
            return number - 1
        matching = [name for name in names if name == answer] or [
            name for name in names if name.startswith(answer)
        ]
        if len(matching) == 1:
            return names.index(matching[0])
        back = "undo" if answer in BACK else answer
        if back.split()[0] == "undo" and context.environment.at_prompt:
            context.output.typed_ahead.insert(0, back)
            raise KeyboardInterrupt
        goes_back = "b or undo takes the last action back, " if context.environment.at_prompt else ""
        context.output.say(
            f"one of {', '.join(names)}, or its number from 1 to {len(names)}; Enter takes {NO}, {goes_back}"
            "Ctrl-C stops before this action"
        )


def _odds(context: Context, session: Session, action: Intent, offered: Sequence[Response]) -> Iterator[str]:
    """What is to be expected of the action without a response, and of each response."""
    system, scene = session.system, session.scene
    table = OddsTable(decision_policy(context.desk, session))
    goes_on = action.action in system.actions
    yield unanswered(system, scene, action, table)
    for one in offered:
        row = system.actions[one.intent.action]
        if one.inside:
            # Without dice of its own, what is shown is the chance of the action that it answers.
            whose = "" if row.whole_rule is nothing else one.intent.actor
            yield chances(system, scene, answered(action, one), table, whose)
        elif row.whole_rule is not nothing:
            yield chances(system, scene, one.intent, table, one.intent.actor)
        else:
            then = after(system, scene, one.intent)
            known = chances(system, then, action, table) if goes_on else row.title
            yield f"then {known or f'{action.action} is not possible any more'}"


def unanswered(system: System, scene: Scene, action: Intent, table: OddsTable) -> str:
    """What is to be expected of an action without a response; of one without dice, such as a move or the end of a
    turn, what is to be expected of the best attack that the fighter can make after it."""
    row = system.actions.get(action.action)
    if row and (row.whole_rule is not nothing or action.targets):
        return chances(system, scene, action, table)
    who = action.actor
    with suppress(CrisisError):
        then = with_full_turn(system, after(system, scene, action) if row else scene, who, fresh=True)
        foes = {one.name for one in then.foes(who)}
        attacks = of(
            system, then, who, lambda intent: bool(intent.targets) and foes.issuperset(intent.targets)
        )
        best = next((one for one in ranked(system, then, who, table, attacks) if one.worth > 0), None)
        if best:
            said = typed(then, best.legal.intent).split(" --by")[0]
            return (
                f"{'then' if row else 'next turn'} {said}: {chances(system, then, best.legal.intent, table)}"
            )
    return f"{who} can harm nobody {'from there' if row else 'in the next turn from here'}"


def chances(system: System, scene: Scene, intent: Intent, table: OddsTable, by: str = "") -> str:
    """An intent's chance to succeed, who loses how much on average, and who may go down, as text."""
    try:
        odds = action_odds(system, scene, intent, table)
    except CrisisError:
        return ""
    parts = []
    if odds.success and by in ("", intent.actor):
        kind = system.actions[intent.action].targets
        parts.append(f"{percent(*odds.success)} to {'hit' if kind in ('one', 'many') else 'succeed'}")
    for who, lost in losses(system, odds).items():
        if round(lost, 1) > 0:
            parts.append(f"{who} loses {lost:.1f} on average")
    for who, pools in odds.effects.items():
        for kind in dict.fromkeys(pool.partition(":")[0] for pool in pools):
            used = -sum(change.mean() for pool, change in pools.items() if pool.partition(":")[0] == kind)
            if kind in system.pools and system.pools[kind].guards and round(used, 1) > 0:
                parts.append(f"{who} uses up {used:.1f} {system.pools[kind].label}")
    for who, (ways, total) in odds.down.items():
        if ways:
            parts.append(f"{who} goes down {percent(ways, total)}")
    return ", ".join(parts) or "nothing happens to anybody"
