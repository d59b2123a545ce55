"""Asks the player at the terminal for a response to an opponent's action, before it takes effect."""

from __future__ import annotations

from ..context import Context
from ..engine.responses import Response
from ..play.requests import Respond
from ..play.response_words import expected
from ..play.session import Session
from ..questions import BACK, question_line, typed_number
from ..render import decision
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
    names = [NO, *(typed(scene, one.intent).removeprefix("act ").split(" --by")[0] for one in offered), NEVER]
    notes = [*expected(context.desk, session, action, offered), "not again this round"]
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
