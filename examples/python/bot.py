"""A chat bot that plays fights: a message comes in, a text and buttons go out.

Each channel has a fight in a journal of its own, so a bot that was restarted goes on where it was. Give `Bot.reply`
to the library of your chat; `python bot.py FOLDER` tries it at a terminal, where a line is a message.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

import crisis_cli as crisis

HELP = (
    "begin WHO… vs WHO… · ACTION [TARGET] [OPTION=VALUE…], such as: move toward drone · undo · status · end,"
    " or the label of a button"
)
WALKS = ("move", "run", "walk", "sneak")
"""Actions that lead nowhere without a place: they are typed, and have no buttons."""


class Reply(NamedTuple):
    """What the bot answers."""

    text: str
    buttons: list[str]


class Bot:
    """The fights of all channels; journals and sheets are in one folder."""

    def __init__(self, folder: str):
        self.library = crisis.Library(folder)
        self.fights: dict[str, crisis.Fight] = {}

    def reply(self, channel: str, message: str) -> Reply:
        """Do what a message says; an error is an answer too, and the fight is as it was before."""
        try:
            text = self._done(channel, message.split())
        except crisis.CrisisError as error:
            text = f"{error.message} ({error.hint})" if error.hint else error.message
        fight = self.fights.get(channel)
        return Reply(text, list(_answers(fight)) if fight else [])

    def _done(self, channel: str, words: list[str]) -> str:
        match words:
            case [] | ["help"]:
                return HELP
            case ["begin", *who] if "vs" in who:
                at = who.index("vs")
                # Refused with the code `open` where the channel has a fight: nothing is overwritten.
                fight = self.library.begin(*who[:at], vs=who[at + 1 :], file=_journal(channel))
                self.fights[channel] = fight
                return _told(fight, fight.log + fight.play_on())
        fight = self._fight(channel)
        match words:
            case ["status"]:
                return str(fight.state)
            case ["undo"]:
                undone = fight.undo(mine=True)  # back to before the last thing that a player did
                return f"Undone: {len(undone)} entries. {_turn(fight)}"
            case ["end"]:
                ended = fight.end()
                del self.fights[channel]
                return f"The fight is over; sheets saved: {', '.join(ended.sheets) or 'none'}."
            case _:
                return _told(fight, _acted(fight, words) + fight.play_on())

    def _fight(self, channel: str) -> crisis.Fight:
        """The fight of a channel, read from its journal if the bot was restarted.

        A question that stood is not in the journal, because nothing of its action had happened: `play_on` leads to it
        again, with the same dice.
        """
        if channel not in self.fights:
            fight = self.library.resume(_journal(channel))
            fight.play_on()
            self.fights[channel] = fight
        return self.fights[channel]


def _journal(channel: str) -> str:
    return re.sub(r"\W", "", channel) + ".jsonl"


def _answers(fight: crisis.Fight) -> dict[str, object]:
    """The labels of the buttons under a message, and the answer that each gives."""
    match fight.waiting:
        case crisis.Act():
            return {row.line: row for row in fight.legal() if row.intent.action not in WALKS}
        case crisis.Choose(options=options):
            return {option.name: option.name for option in options}
        case crisis.Respond(options=options):
            responses = {f"{n} {option.intent.action}": option for n, option in enumerate(options, 1)}
            return {"pass": crisis.PASS, **responses}
        case _:
            return {}


def _acted(fight: crisis.Fight, words: list[str]) -> list[crisis.Result]:
    """A button, or else an action in words: `attack drone weapon=pistol`."""
    answers = _answers(fight)
    if (label := " ".join(words)) in answers:
        return fight.answer(answers[label])
    if words == ["next"]:
        return fight.next()
    options = dict(word.split("=", 1) for word in words if "=" in word)
    action, *targets = [word for word in words if "=" not in word] or [""]
    return fight.do(action, *targets, **options)


def _told(fight: crisis.Fight, results: list[crisis.Result]) -> str:
    lines = [str(result) for result in results]
    return "\n".join([line for line in lines if line] + [_turn(fight)])


def _turn(fight: crisis.Fight) -> str:
    """What the fight waits for, in words; the buttons say the rest."""
    match fight.waiting:
        case crisis.Act(who=who):
            return f"{who}, what do you do?"
        case crisis.Choose(who=who, action=action):
            return f"{who}, how do you meet the {action.action}?"
        case crisis.Respond(who=who, action=action):
            return f"{who}, do you respond to the {action.action}?"
        case _:
            return f"{fight.winner or 'nobody'} won; to save the sheets: end" if fight.decided else ""


def main() -> None:
    """A channel at the terminal."""
    bot = Bot(sys.argv[1] if len(sys.argv) > 1 else ".")
    print(HELP)
    for line in sys.stdin:
        text, buttons = bot.reply("terminal", line)
        print(text, *(f"  [{label}]" for label in buttons), sep="\n")


if __name__ == "__main__":
    main()
