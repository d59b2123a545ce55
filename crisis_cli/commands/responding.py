"""Asks the player at the terminal for a response to an opponent's action, before it takes effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress

from ..context import Context
from ..engine.question_settings import ALWAYS, last_forgetting
from ..engine.responses import Response
from ..engine.scene import Scene
from ..play.asking import is_worth_asking, worth_weighing
from ..play.requests import Respond
from ..play.response_words import expected
from ..play.session import Session
from ..questions import BACK, question_line, typed_number
from ..render import decision
from ..render.command_text import typed
from ..render.since import since

NO, NEVER = "no", "never"
"""The answers without a response; the second one is not asked again this round."""


class Habits:
    """What the player at the prompt has said about responses that are still to come."""

    def __init__(self) -> None:
        self.muted: set[tuple[int, str]] = set()
        """(round, fighter) pairs for which the player wants no more questions."""
        self.always: dict[tuple[int, str], str] = {}
        """The answer for the rest of the fight, by the last entry that forgets such answers and by fighter."""


def ask_response(
    context: Context, request: Respond, session: Session, habits: Habits, tell_rest: Callable[[], None]
) -> Response | None:
    """The response that the player chooses for a fighter; None for none. `tell_rest` tells what was put off, before the
    player is asked."""
    who, action, desk = request.who, request.action, context.desk
    scene, system, output = session.scene, session.system, context.output
    past = session.done
    muted, always = (scene.round, who), (last_forgetting(past, who), who)
    offered = worth_weighing(session, request) if desk.is_sparing else request.options
    if muted in habits.muted or not offered:
        return None
    names = {_name(scene, one): one for one in offered}
    if (usual := habits.always.get(always)) in (NO, *names):
        return names.get(usual)
    nothing, *known = expected(desk, session, action, offered)
    worth = [not desk.is_sparing or is_worth_asking(session, who, nothing.odds, one.odds) for one in known]
    if not any(worth):
        desk.caches.leave_out(next(iter(names)))
        return None
    known = [nothing, *compress(known, worth)]
    ways: dict[str, Response | None] = {NO: None, **dict(compress(names.items(), worth)), NEVER: None}
    tell_rest()
    notes = dict(zip(ways, [*(one.words for one in known), "not again this round"], strict=True))
    groups = _grouped(scene, ways, notes)
    ink, width = output.ink, context.environment.width
    labels = [_label(names) for names in groups]
    wide = ink.widest(labels) + 1
    rows = [
        f"  {number:>{len(str(len(groups)))}}. {ink.padded(f'{label}:', wide)} {notes[names[0]]}"
        for number, (label, names) in enumerate(zip(labels, groups, strict=True), start=1)
    ]
    news = since(past, scene, system, ink, width, who, own_harm_only=True)
    question, waiting = question_line(f"{who} responds?", labels), len(output.typed_ahead)
    most = output.rows_above((*news, *rows, question))
    shown = (*news, *decision.before(who, action, scene, system, None, ink, width, most), *rows)
    output.say(*shown, below=question)
    # What was typed where the rows asked whether they go on is the answer, and no line for the prompt.
    typed_at_rows = output.typed_ahead.pop() if len(output.typed_ahead) > waiting else None
    chosen, is_for_good = _read(context, question, groups, typed_at_rows)
    if chosen == NEVER:
        habits.muted.add(muted)
    elif is_for_good:
        habits.always[always] = chosen
    return ways[chosen]


def _name(scene: Scene, response: Response) -> str:
    """A response as it is typed."""
    return typed(scene, response.intent).removeprefix("act ").split(" --by")[0]


def _grouped(scene: Scene, ways: Mapping[str, Response | None], notes: Mapping[str, str]) -> list[list[str]]:
    """The names of the ways by row: what is bought from several opponents and comes to the same is one row, in
    which the one who acts next stands first."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name, response in ways.items():
        is_bought = response is not None and not response.inside and bool(response.intent.targets)
        key = (response.intent.action, notes[name]) if response and is_bought else (name, "")
        groups.setdefault(key, []).append(name)
    turn = scene.order.index(scene.turn) if scene.turn in scene.order else 0

    def wait(name: str) -> int:
        response = ways[name]
        target = response.intent.target if response else ""
        return (scene.order.index(target) - turn - 1) % len(scene.order) if target in scene.order else 0

    return [sorted(names, key=wait) if len(names) > 1 else names for names in groups.values()]


def _label(names: Sequence[str]) -> str:
    """A row's name: `steal-action captain, bandit-1`."""
    first, *others = names
    return ", ".join([first, *(name.rpartition(" ")[2] for name in others)])


def _read(
    context: Context, question: str, groups: Sequence[Sequence[str]], first: str | None
) -> tuple[str, bool]:
    """The name that the player answers, and whether for the rest of the fight; an empty answer is the first.

    `first` is an answer given already. KeyboardInterrupt if the player goes back: at the prompt of a game, the line
    that does so is run next.
    """
    names = [name for group in groups for name in group]
    while True:
        line = (context.output.ask(question, names) if first is None else first).strip().lower()
        first, answer = None, line.removesuffix(ALWAYS).rstrip()
        is_for_good = line.endswith(ALWAYS)
        if not answer or answer in ("n", NO):
            return NO, is_for_good
        if 1 <= (number := typed_number(answer)) <= len(groups):
            return groups[number - 1][0], is_for_good
        matching = [name for name in names if name == answer] or [
            name for name in names if name.startswith(answer)
        ]
        if len(matching) == 1:
            return matching[0], is_for_good
        back = "undo" if answer in BACK else answer
        if back.split()[0] == "undo" and context.environment.at_prompt:
            context.output.typed_ahead.insert(0, back)
            raise KeyboardInterrupt
        goes_back = "b or undo takes the last action back, " if context.environment.at_prompt else ""
        context.output.say(
            f"one of {', '.join(names)}, or its number from 1 to {len(groups)}; Enter takes {NO}, {goes_back}"
            "Ctrl-C stops before this action"
        )
