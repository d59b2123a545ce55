"""An asyncio front end: the loop of a terminal, desktop or web interface.

A fight is never in the middle of something: it waits for a request, or others are to act. So the loop needs no
callback. What takes time (doctrines decide in some milliseconds each) runs in a thread, and the interface stays alive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import crisis_cli as crisis

UNDO = "undo"
Ask = Callable[[crisis.Fight, Any], Awaitable[Any]]
"""Puts a request to the player; gives the answer, or `UNDO`."""
Show = Callable[[str], None]


async def play(fight: crisis.Fight, ask: Ask, show: Show) -> str:
    """Play a fight to its end; the side that won. It may be cancelled at any await: the fight stays whole."""
    while not fight.decided:
        request = fight.waiting
        try:
            if request is None:
                results = await asyncio.to_thread(fight.play_on)
            elif (answer := await ask(fight, request)) == UNDO:
                undone = await asyncio.to_thread(fight.undo, mine=True)
                show(f"({len(undone)} undone)")
                continue
            else:
                results = await asyncio.to_thread(fight.answer, answer)
        except crisis.CrisisError as error:
            show(f"{error.message}; {error.hint}" if error.hint else error.message)  # and the request stands
            continue
        for result in results:
            show(str(result))
    return fight.winner


async def ask_at_terminal(fight: crisis.Fight, request: Any) -> Any:
    """Number the possible answers; an empty line takes the usual one."""
    match request:
        case crisis.Act():
            answers = [(row.line, row) for row in fight.legal()]
        case crisis.Choose(options=options):
            answers = [(option.name, option.name) for option in options]
        case crisis.Respond(options=options):
            answers = [("pass", crisis.PASS), *((option.intent.action, option) for option in options)]
        case _:
            answers = []  # Faces: real dice are asked for only where the fight was begun with them
    labels = (f"{number} {label}" for number, (label, _) in enumerate(answers, 1))
    line = await asyncio.to_thread(input, f"{request.who}: {' · '.join(labels)}\n? ")
    if line.strip() == UNDO:
        return UNDO
    return answers[int(line) - 1][1] if line.strip().isdigit() and 0 < int(line) <= len(answers) else None


async def main() -> None:
    """Bruno, played at the terminal, against the marshal; `undo` goes back to before the last answer."""
    fight = crisis.begin("bruno", vs="marshal")
    print(fight.log[0])
    print(f"The {await play(fight, ask_at_terminal, print)} won.")


if __name__ == "__main__":
    asyncio.run(main())
