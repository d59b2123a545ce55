"""A crisis at the prompt: the player's lines one after the other, and everyone else's turns between them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ..context import Context, Session
from ..engine.scene import Intent, Scene
from ..engine.sides import decided
from ..errors import CrisisError, Usage
from ..render.style import Ink
from ..render.summary import glance
from ..verbs import VERBS
from .completer import Completions
from .lines import LEAVING, elsewhere, known, options_first, spelled_out, verb_first, words_of
from .prompt import Prompt
from .suggestions import Outlook
from .toolbar import below

if TYPE_CHECKING:
    from ..ai.deciding import AutoPlayer
    from ..engine.record import Entry

BACK = ("undo", "redo", "rewind")
"""Verbs after which nobody acts by themselves: the player is looking back."""
HIGH = 100
"""Rows of a field that is printed."""
SWITCH = 0.0005
"""Seconds after which a thread that works lets another go on: keys are answered at once meanwhile."""
HELP = (
    "Type an action for the fighter whose turn it is, then press Enter. An action",
    "needs its name and its target; Tab completes what is legal now, with chances:",
    "  attack drone   attack drone-2 --range 12   heal ada   move --to 3,4   next",
    "Every command of the shell works here, and:",
    "  ?                 list all actions: possible now, or why not",
    "  odds              rank the actions possible now, best first",
    "  odds attack drone show the exact odds of one action",
    "  explain           explain the last result, modifier by modifier",
    "  map status log    show the field, all fighters, the log",
    "  undo redo         undo or redo the last action; undo 3, redo 3",
    "  rewind 4          go back to entry 4 of the log",
    "  note TEXT         add a note to the log",
    "  set WHO POOL VAL  GM override: set a value",
    "  auto              play this turn automatically; auto --until-mine: all turns",
    "  auto WHO on       let a fighter play automatically; auto WHO off: take it back",
    "  save              save the sheets now",
    "  end               end the crisis and save the sheets",
    "  help VERB         show help on a command and its options",
    "Ctrl-C clears the line, Ctrl-D leaves; crisis play resumes the crisis.",
    "F1 help  F2 odds  F3 map  F4 emacs or vi  F5 undo  F6 redo  F7 log  F8 next",
    "F9 auto  F10 leave",
)
PLAIN: dict[str, Any] = {"seed": None, "dice": None, "real_dice": False, "mine": False}


class Game:
    """One evening at the prompt."""

    def __init__(self, context: Context):
        context.ink = Ink(context.ink.color, context.ink.signs, prompt=True)
        self.context = context
        self.waiting = False
        """Whether those who act by themselves hold back."""
        self.ends = False
        """Whether the crisis has been ended here, by the player."""
        self.session: Session = context.open_session()
        self.autoplayer: AutoPlayer | None = None
        self._shown: Scene | None = None
        self._drawn: tuple[Scene | None, tuple[int, int], list[str]] = (None, (0, 0), [])
        self.outlook = Outlook(lambda: self.prompt.stir())
        self.prompt = Prompt(
            context.environment.env,
            context.ink.color,
            self.field,
            self.keys,
            Completions(lambda: self.context, lambda: self.scene, self.outlook),
            self.outlook.begin,
            context.data_dir,
        )

    @property
    def scene(self) -> Scene:
        """The scene as it is."""
        return self.session.scene

    def field(self, width: int, height: int) -> list[str]:
        """What stands above the prompt."""
        if self._drawn[0] is not self.scene or self._drawn[1] != (width, height):
            ink = self.context.ink
            lines = glance(self.scene, self.session.system, ink, width, height)
            self._drawn = (self.scene, (width, height), [ink.clean(line) for line in lines])
        return self._drawn[2]

    def keys(self) -> Any:
        """What stands below it."""
        return below(
            self.scene, self.session.system, self.context.ink, self.prompt.columns, self.prompt.is_vi
        )

    def play(self) -> int:
        """Play until the crisis ends or the player leaves; the exit status."""
        before, switch = self.context.environment, sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        self.context.environment = before._replace(ask=self.prompt.ask, at_prompt=True)
        try:
            while self.look():
                if self.acts_by_itself():
                    self.act()
                    continue
                self.show_if_dumb()
                try:
                    typed = self.prompt.read(self.context.ink.clean(self.mark))
                except KeyboardInterrupt:
                    continue
                except EOFError:
                    self.leave()
                    return 0
                if not self.enter(typed):
                    self.leave()
                    return 0
            return 0
        finally:
            self.context.environment = before
            sys.setswitchinterval(switch)

    def show_if_dumb(self) -> None:
        """Where a terminal cannot keep the field above the prompt it is printed, each time it has changed."""
        if self.prompt.dumb and self._shown is not self.scene:
            self._shown = self.scene
            self.context.say(
                *glance(self.scene, self.session.system, self.context.ink, self.prompt.columns, HIGH)
            )

    def look(self) -> bool:
        """See how the crisis is now; False where it has ended."""
        warned = self.context.warned
        self.context = self.context.for_next_command()
        # What was said already about the file is not said again for looking at it.
        self.context.warned = warned
        self.context.environment = self.context.environment._replace(width=self.prompt.columns)
        journal = self.context.active_journal()
        if journal is None:
            if not self.ends:
                self.context.say(
                    f"The crisis in {self.context.file} has been ended or moved by another program."
                )
            self.ends = True
            return False
        self.session = self.context.open_session()
        self.outlook.see(self.context, self.scene)
        return True

    @property
    def mark(self) -> str:
        """What stands before the line."""
        return self.context.ink("cyan", f"{self.scene.turn or 'crisis'} › ")

    def acts_by_itself(self) -> bool:
        """Whether it is the turn of someone whom the player does not play."""
        scene = self.scene
        if self.waiting or not scene.turn or decided(self.session.system, scene):
            return False
        return not self.is_mine()

    def act(self) -> None:
        """Everyone whom the player does not play takes their turns, until one of the player's own is next."""
        # What is not needed before the first prompt is loaded after it.
        from ..commands import autoplay, run_action

        def told(now: Session, entry: Entry, seed: int | None) -> None:
            run_action.show_entry(self.context, now, entry, seed, PLAIN)

        def until(now: Session, intent: Intent) -> bool:
            return any(now.scene.fighters[name].player for name in now.scene.acting)

        self.autoplayer = self.autoplayer or autoplay.make_autoplayer(self.context, self.session)
        try:
            with self.prompt.unechoed():
                autoplay.play_turns(self.context, self.session, self.autoplayer, PLAIN, told, until)
        except KeyboardInterrupt:
            self.holds("stopped by you")
        except CrisisError as refusal:
            self.holds(refusal.message)

    def looks_back(self) -> None:
        """Tell that nobody acts by themselves meanwhile, and how to come to what the player did last."""
        if self.look() and self.scene.turn and not self.is_mine():
            crisis = self.session.crisis
            mine = {name for name, one in self.scene.fighters.items() if one.player}
            last = [
                entry.number
                for entry in (crisis.done if crisis else ())
                if entry.number > 1 and entry.intent.actor in mine
            ]
            before = f"; to before your own last action: rewind {last[-1] - 1}" if last else ""
            self.holds(f"you are looking back{before}")

    def is_mine(self) -> bool:
        """Whether anyone whose turn it is is played by the player."""
        return any(self.scene.fighters[name].player for name in self.scene.acting)

    def holds(self, why: str) -> None:
        """Whoever's turn it is does not act until the player says so."""
        self.waiting = True
        # Some may have acted before.
        self.look()
        self.context.say(f"{self.scene.turn} waits: {why}. To go on: auto --until-mine")

    def enter(self, typed: str) -> bool:
        """Do what was typed, line by line, until one is refused; False where the player leaves."""
        pasted = [line for line in typed.splitlines() if line.strip()]
        for at, line in enumerate(pasted, start=1):
            if not self.look():
                if at > 1:
                    self.context.say(f"not run: {'; '.join(pasted[at - 1 :])}")
                break
            if not self.prompt.dumb:
                self.context.say(f"{self.mark}{line}")
            if line.strip().lower() in LEAVING:
                return False
            if not self.do(line):
                if at < len(pasted):
                    self.context.say(f"not run: {'; '.join(pasted[at:])}")
                break
        return True

    def do(self, line: str) -> bool:
        """Do one line; whether it was done."""
        # What is not needed before the first prompt is loaded after it.
        from ..cli import report_error, run

        try:
            actions = self.session.system.actions
            options, words = options_first(words_of(line, VERBS, actions))
            words = spelled_out(words, VERBS, actions) if options else verb_first(words, self.scene, actions)
            if words and words[0] == "play":
                raise Usage("this is the prompt already", hint="leave it with Ctrl-D")
            known(words, self.session.system)
        except CrisisError as wrong:
            report_error(wrong, self.context.environment, as_json=False)
            return False
        if words == ["help"]:
            self.context.say(*HELP)
            return True
        self.context.warned = []
        done, looked = run([*options, *words], context=self.context) in (0, 1), self.waiting
        if options or elsewhere(words):
            # Another journal or folder for this one line: the crisis at the prompt is as it was.
            return done
        self.waiting = any(word in BACK for word in words[:1])
        self.ends = done and words[:1] == ["end"]
        if done and self.waiting and not looked:
            self.looks_back()
        return done

    def leave(self) -> None:
        """The player goes; the crisis stays."""
        self.context.say(f"The crisis stays open in {self.context.file}; to go on: crisis play")
