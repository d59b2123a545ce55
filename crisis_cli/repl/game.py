"""A crisis at the prompt: it runs the player's lines, and the automatic turns of all other fighters."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..commands.options import Report
from ..commands.parse_line import (
    CLEAR_WORDS,
    LEAVE_WORDS,
    LONGEST_LINE,
    UNTIL_MINE,
    check_first_word,
    has_own_paths,
    options_first,
    parse_line,
)
from ..context import Context
from ..engine.scene import Scene
from ..engine.sides import decided
from ..environment import Environment
from ..errors import Cancelled, CrisisError, NotationError, Usage
from ..play.dice import Dice
from ..play.results import Result
from ..play.session import Session
from ..render.command_text import at_prompt, typed
from ..render.reasons import BRIEF
from ..render.since import since
from ..render.summary import glance
from ..sheets.find_fighters import is_present
from ..sheets.names import fighter_names, join_words
from ..verbs import VERBS
from .completer import Completions
from .lines import Lines
from .prompt import Prompt
from .recall import LegalSuggestions
from .suggestions import Suggestions
from .toolbar import toolbar

if TYPE_CHECKING:
    from ..commands.terminal import Terminal
    from ..engine.system import Action
    from ..play.fight import Fight
    from .plain_words import Understood

LOOKING_BACK = ("undo", "redo", "rewind")
"""Verbs after which automatic turns pause, because the player is looking back."""
GOES_ON = [["auto", "--until-mine"], *(["auto", *words] for words in UNTIL_MINE)]
"""Lines with which paused automatic turns go on."""
ACTING = ("act", "attack", "throw", "heal", "check", "next", "auto")
"""Verbs with which somebody acts."""
NEWS_ROWS = 3
"""Lines of the field for what has happened since the player's last action, where there is room for them."""
PRINTED_ROWS = 100
"""Rows of the field if it is printed."""
SWITCH_INTERVAL = 0.0005
"""The thread switch interval in seconds: short, so that keys respond while odds are computed."""
HELP = (
    "Type an action for the fighter whose turn it is, then press Enter. An action",
    "needs its name and its target; Tab completes what is legal now, with chances:",
    "  attack drone   attack drone-2 --range 12   heal ada   move toward drone-1",
    "With one opponent the target may be left out; a is attack, pass is next. Plain",
    "words will do: shoot at the drone with the pistol, go to ada, heal ash.",
    "Every command of the shell works here, and:",
    "  ?                 list all actions: possible now, or why not",
    "  odds              rank the actions possible now, best first",
    "  attack 2   2      take line 2 of that ranking, or of ?",
    "  hint              propose one line; Enter runs it",
    "  odds attack drone show the exact odds of one action",
    "  odds drone attack ada   what an opponent may do in its own turn",
    "  explain           explain the last result, modifier by modifier",
    "  map status log    show the field, all fighters, the log",
    "  goal              show what wins and what loses, and how near it is",
    "  undo redo         undo or redo the last action; undo 3, redo 3",
    "  undo --mine       go back to before your own last action",
    "  rewind 4          go back to entry 4 of the log",
    "  note TEXT         add a note to the log",
    "  set WHO POOL VAL  GM override: set a value",
    "  auto              play this turn automatically; auto --until-mine: all turns",
    "  auto WHO on       let a fighter play automatically; auto WHO off: take it back",
    "  questions all     be asked everything; questions few, questions none",
    "  save              save the sheets now",
    "  clear             clear the screen",
    "  end               end the crisis and save the sheets",
    "  help VERB         show help on a command or an action, and its options",
    "Ctrl-C clears the line; Ctrl-D, quit, exit or q leave; crisis play resumes.",
    "F1 help  F2 odds  F3 map  F4 emacs or vi  F5 back  F6 redo  F7 log  F8 next",
    "F9 auto  F10 quit",
)
ADVISED = (
    "ambiguous",
    "bad_value",
    "extra_argument",
    "missing_argument",
    "not_found",
    "other_system",
    "unknown_command",
    "unknown_item",
    "unknown_thing",
    "unknown_weapon",
)
"""Codes of errors about the words of a line, whose hint names the line that was probably meant."""
RANK = "odds"
"""The line that ranks what is possible."""
BEST = "odds --top 1"
"""The line for a hint in the shell; at the prompt a hint is one line to run."""


def is_about_words(error: CrisisError) -> bool:
    """Whether an error is about the words of a line, which may mean another line."""
    return error.code in ADVISED or (isinstance(error, NotationError) and not error.hint)


class Game:
    """One session at the prompt."""

    def __init__(self, context: Context, reasons: str = BRIEF, is_folded: bool = True):
        self.report = Report(reasons=reasons)
        self.is_folded = is_folded
        """Whether automatic turns are shown in brief."""
        context.output.ink = context.output.ink.replaced(prompt=True)
        self.context = context
        self.is_paused = False
        """Whether automatic turns are paused."""
        self.is_ended = False
        """Whether the player has ended the crisis here."""
        self.session: Session = context.desk.open_session()
        self.fight: Fight | None = None
        self.terminal: Terminal | None = None
        self.offered = ""
        """The line that Enter alone runs: the one that `hint` proposed last."""
        self._shown: Scene | None = None
        self._field_cache: tuple[Scene | None, tuple[int, int], list[str]] = (None, (0, 0), [])
        self.suggestions = Suggestions(lambda: self.prompt.redraw())
        self.prompt = Prompt(
            context.environment.env,
            context.output.ink.color,
            self.field,
            self.keys,
            Completions(lambda: self.context, lambda: self.scene, self.suggestions),
            LegalSuggestions(lambda: self.context, lambda: self.scene),
            self.suggestions.start,
            lambda: context.desk.places.data,
        )

    @property
    def scene(self) -> Scene:
        """The current scene."""
        return self.session.scene

    def field(self, width: int, height: int) -> list[str]:
        """The lines above the prompt."""
        if self._field_cache[0] is not self.scene or self._field_cache[1] != (width, height):
            lines = self.glance(width, height)
            self._field_cache = (
                self.scene,
                (width, height),
                [self.context.output.ink.clean(line) for line in lines],
            )
        return self._field_cache[2]

    def glance(self, width: int, height: int) -> list[str]:
        """The fight at a glance, with what has happened since the player's last action."""
        ink, crisis = self.context.output.ink, self.session.crisis
        bare = len(glance(self.scene, self.session.system, ink, width, height))
        most = max(1, min(NEWS_ROWS, (height - bare) // 3))
        news = since(crisis.done, self.scene, self.session.system, ink, width, most=most) if crisis else []
        return glance(self.scene, self.session.system, ink, width, height, news)

    def keys(self) -> Any:
        """The toolbar below the prompt."""
        return toolbar(
            self.scene, self.session.system, self.context.output.ink, self.prompt.columns, self.prompt.is_vi
        )

    def play(self) -> int:
        """Play until the crisis ends or the player leaves; the exit status."""
        before, switch = self.context.environment, sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self.renew(before._replace(ask=self.prompt.ask, at_prompt=True))
        crisis = self.session.crisis
        if crisis and len(crisis.done) > 1 and self.scene.turn:
            where = f"Round {self.scene.round}, {self.scene.turn}'s turn, after entry {len(crisis.done)}"
            self.context.output.say(self.context.output.ink("dim", f"{where}. What has happened so far: log"))
        try:
            while True:
                try:
                    if not self.play_next():
                        return 0
                except KeyboardInterrupt:
                    # Between two lines Ctrl-C discards at most the line that is being typed.
                    continue
        finally:
            self.renew(before)
            sys.setswitchinterval(switch)

    def play_next(self) -> bool:
        """Play the next automatic turns, or the next line of the player; False when the game is over or left."""
        if not self.refresh():
            return False
        if self.is_automatic_turn():
            self.play_automatic_turns()
            return True
        try:
            typed = self.next_line()
        except EOFError:
            self.leave()
            return False
        if not self.run_lines(typed):
            self.leave()
            return False
        return True

    def next_line(self) -> str:
        """The next line of the player: typed where a list asked whether it goes on, or else at the prompt."""
        if self.context.output.typed_ahead:
            return self.context.output.typed_ahead.pop(0)
        self.show_if_dumb()
        with self.context.environment.signals.ctrl_c_ignored():
            return self.prompt.read(self.context.output.ink.clean(self.prompt_text))

    def show_if_dumb(self) -> None:
        """Print the field after each change, on a terminal that cannot keep it above the prompt."""
        if self.prompt.is_dumb and self._shown is not self.scene:
            self._shown = self.scene
            self.context.output.say(*self.glance(self.prompt.columns, PRINTED_ROWS))

    def renew(self, environment: Environment) -> None:
        """Make the context anew for the next line; what was said about a file is not said again."""
        warned = self.context.output.warned
        self.context = self.context.for_line(environment)
        self.context.output.warned = warned

    def refresh(self) -> bool:
        """Read the current state of the crisis; False if it has ended."""
        self.renew(
            self.context.environment._replace(
                width=self.prompt.columns, height=self.prompt.rows_above, rows=self.prompt.rows
            )
        )
        if not self.is_ended and self.context.desk.journals.active() is None:
            self.context.output.say(
                f"The crisis in {self.context.desk.places.file} has been ended or moved by another program."
            )
            self.is_ended = True
        if self.is_ended:
            return False
        self.session = self.context.desk.open_session()
        self.suggestions.set_scene(self.context, self.scene)
        return True

    @property
    def prompt_text(self) -> str:
        """The text before the line."""
        is_over = decided(self.session.system, self.scene)
        return self.context.output.ink(
            "cyan", f"{'crisis' if is_over or not self.scene.turn else self.scene.turn} › "
        )

    def is_automatic_turn(self) -> bool:
        """Whether it is the turn of a fighter that plays automatically."""
        scene = self.scene
        if self.is_paused or not scene.turn or decided(self.session.system, scene):
            return False
        return not self.is_mine()

    def play_automatic_turns(self) -> None:
        """Play automatic turns until a fighter of the player is next."""
        # Imported late: not needed before the first prompt.
        from ..commands.terminal import Terminal
        from ..play.fight import Fight
        from ..play.turns import PLAYER
        from ..render.folded import Folded

        if self.fight is None or self.terminal is None:
            self.fight = Fight(self.context.desk, self.session, PLAYER, Dice(), self.show)
            self.terminal = Terminal(self.context, self.tell_rest)
            if self.is_folded:
                ink, width = self.context.output.ink, self.prompt.columns
                folded = Folded(self.scene, self.session.system, ink, width, self.report.reasons)
                self.report = self.report._replace(folded=folded)
        self.terminal.context = self.context
        self.fight.go_on_from(self.context.desk, self.session)
        try:
            with self.prompt.unechoed():
                self.terminal.carry(self.fight)
        except KeyboardInterrupt:
            self.fight.take_back()
            self.pause("you stopped the automatic turns")
        except CrisisError as refusal:
            self.fight.take_back()
            self.pause(refusal.message)

    def show(self, done: Result) -> None:
        """Print an action as it is recorded."""
        from ..commands import run_action

        run_action.show_entry(self.context, done, self.report)

    def tell_rest(self) -> None:
        """Print what was put off to the end of the round, before the player is asked something."""
        self.context.output.say(*self.report.rest())

    def pause_after_undo(self) -> None:
        """Pause automatic turns, and print how to get back to before the player's last action."""
        if self.refresh() and self.scene.turn and not self.is_mine():
            mine = {name for name, one in self.scene.fighters.items() if one.player}
            ours = (entry.number for entry in reversed(self.session.done[1:]) if entry.intent.actor in mine)
            last = next(ours, 0)
            before = f" (to before your own last action: rewind {last - 1})" if last else ""
            self.pause(f"you may want to go back further{before}")

    def is_mine(self) -> bool:
        """Whether the player controls a fighter whose turn it is."""
        return any(self.scene.fighters[name].player for name in self.scene.acting)

    @property
    def steps(self) -> int:
        """The number of entries in which somebody acted or something changed: a line that adds none of these, such as a
        note, leaves automatic turns paused."""
        return sum(bool(entry.intent.actor or entry.events) for entry in self.session.done)

    def pause(self, why: str) -> None:
        """Pause automatic turns until the player resumes them; `why` is printed."""
        self.is_paused = True
        # Some may have acted before.
        self.refresh()
        self.context.output.say(f"{self.scene.turn} waits: {why}. To go on: auto --until-mine")

    def run_lines(self, typed: str) -> bool:
        """Run what was typed, line by line, until one is refused; False if the player leaves."""
        pasted = [line for line in typed.splitlines() if line.strip()] or [self.offered]
        if not pasted[0]:
            return True
        for at, line in enumerate(pasted, start=1):
            if not self.refresh():
                if at > 1:
                    self.context.output.say(f"not run: {'; '.join(pasted[at - 1 :])}")
                break
            if not self.prompt.is_dumb:
                self.context.output.say(f"{self.prompt_text}{line}")
            if line.strip().lower() in LEAVE_WORDS:
                return False
            if line.strip().lower() in CLEAR_WORDS:
                self.prompt.clear()
                continue
            if not self.run_line(line):
                if at < len(pasted):
                    self.context.output.say(f"not run: {'; '.join(pasted[at:])}")
                break
        return True

    def run_line(self, line: str) -> bool:
        """Run one line; whether it succeeded."""
        # Imported late: not needed before the first prompt.
        from ..cli import exit_status, report_error

        self.offered = ""
        try:
            options, typed_words = options_first(parse_line(self.numbered(line), VERBS, self.actions))
            words = self.lines.as_typed_in_shell(typed_words, bool(options))
            if words and words[0] == "play":
                hint = "to play another crisis, end this one first: end; to leave: q"
                raise Usage("this is the prompt already", hint=hint, code="at_prompt")
        except CrisisError as wrong:
            report_error(wrong, self.context.environment, as_json=False)
            return False
        if words == ["help"]:
            self.context.output.say(*HELP)
            return True
        if self.is_paused and not self.is_mine() and words in GOES_ON:
            self.is_paused = False
            return True
        self.context.output.warned = []
        waited, steps = self.is_paused and not self.is_mine(), self.steps
        status = exit_status(lambda: self.run_words(options, words, typed_words), self.context.environment)
        done = status in (0, 1)
        if options or has_own_paths(words):
            # Another journal or folder for this one line: the crisis at the prompt is as it was.
            return done
        if words[:1] in (["end"], ["tend"]) and self.session.crisis:
            # What is open now may be another crisis, which has been played and left since the end of this one.
            journal = self.context.desk.journals.active()
            self.is_ended = journal is None or journal.crisis.header != self.session.crisis.header
        if done and words[:1] and words[0] in LOOKING_BACK:
            self.is_paused = True
            if not waited:
                self.pause_after_undo()
        elif done and self.is_paused:
            self.is_paused = not (self.refresh() and self.steps > steps)
        if (
            (not done or words[:1] == ["next"])
            and self.refresh()
            and decided(self.session.system, self.scene)
        ):
            self.context.output.say(
                f"The fight is decided. To end the crisis: {self.context.output.ink.way('end')}"
            )
        return done

    @property
    def lines(self) -> Lines:
        """What lines mean in the current scene."""
        return Lines(self.context, self.session, self.suggestions.legal_now)

    @property
    def actions(self) -> Mapping[str, Action]:
        """The actions of the system in play."""
        return self.session.system.actions

    def run_words(self, options: Sequence[str], words: Sequence[str], typed_words: Sequence[str]) -> int:
        """Run the words of a command, or where they cannot be read, the line that was meant; the exit status. An error
        about the words names that line."""
        import click

        from ..cli import run_command
        from ..click_errors import as_usage
        from .plain_words import LineReader

        try:
            who, *rest = join_words(words, fighter_names(self.scene)) or [""]
            said = rest if rest and is_present(self.scene, who) else words
            check_first_word(said, self.session.system, lambda: self.lines.meant_by(typed_words))
            if (
                words[:1]
                and words[0] in ACTING
                and {*words}.isdisjoint(("--list", "--help", "--dry-run"))
                and not self.may_act()
            ):
                return Cancelled.status
            # A line of the ranking: its number may also be that of a fighter.
            is_numbered = words[:1] in (["attack"], ["throw"]) and "".join(words[1:]).isdecimal()
            if is_numbered and (intent := self.lines.intent_of(" ".join(words))):
                self.tell(at_prompt(f"crisis {typed(self.scene, intent)}"))
            return run_command([*options, *words], self.context)
        except click.ClickException as wrong:
            error: CrisisError = as_usage(wrong)
        except CrisisError as wrong:
            error = wrong
        # `take` is a verb for the time between fights, but cover is taken in one.
        is_read_again = (is_about_words(error) or [*words[:2]] == ["take", "cover"]) and not options
        understood = LineReader(self.lines).understood(typed_words) if is_read_again else None
        if understood is None:
            try:
                LineReader(self.lines).check_target(typed_words)
            except CrisisError as misnamed:
                error = misnamed
            raise self.advised(error, typed_words)
        line = self.chosen(understood)
        if not line:
            return Usage.status
        if line == BEST:
            self.propose()
            return 0
        self.tell(line)
        # Words that are about nothing are read no second time.
        return self.run_words((), self.lines.words_of(line), ())

    def may_act(self) -> bool:
        """Whether the fight is open, or the player acts though it is decided; an answer that is neither yes nor no is a
        line for the prompt."""
        if not decided(self.session.system, self.scene):
            return True
        asked = "The fight is decided. Act all the same? y/[n]: "
        answer = self.context.output.ask(asked, ("yes", "no")).strip()
        if answer.lower() not in ("", "y", "yes", "n", "no"):
            self.context.output.typed_ahead.append(answer)
        return answer.lower() in ("y", "yes")

    def tell(self, line: str) -> None:
        """Print a line that is run though it was not typed so."""
        self.context.output.say(self.context.output.ink("dim", f"= {line}"))

    def propose(self) -> None:
        """Propose a line, with what speaks for it; Enter alone runs the line."""
        # Imported late: not needed before the first prompt.
        from ..play.weighing import ranking_by_plan
        from ..render import ranking

        scene, facts, plan = self.scene, "", []
        if decided(self.session.system, scene):
            self.offered, facts = "end", "the fight is decided"
        elif not self.is_mine():
            self.offered, facts = " ".join(GOES_ON[0]), f"{scene.turn} waits" if scene.turn else ""
        else:
            entries, plans = ranking_by_plan(self.context.desk, self.session, scene.turn)
            intent, facts = ranking.first_of(entries, scene.turn)
            self.offered = at_prompt(f"crisis {typed(scene, intent)}")
            plan = [ranking.plan_told(one.worth, one.words) for one in plans[:1]]
        why = f" ({facts})" if facts else ""
        ink = self.context.output.ink
        for line in (f"Enter runs it: {self.offered}{why}", *plan):
            self.context.output.say(*ink.wrapped(line, self.prompt.columns))

    def chosen(self, understood: Understood) -> str:
        """The line to run, after a question where it is not sure; empty for none. Any other answer is a line for the
        prompt."""
        from ..render.charts import whole_percent

        first, *others = understood.lines
        if not others and understood.is_sure:
            return first
        if not others:
            question, answers = f"{first}? [y] ", dict.fromkeys(("", "y", "yes"), first)
        else:
            chances = (f" {whole_percent(*chance)}" if chance[1] else "" for chance in understood.chances)
            choices = zip(understood.lines, understood.names, chances, strict=True)
            ordered = sorted(choices, key=lambda choice: self._place_in_ranking(choice[0]))
            rows = (f"{number} {name}{chance}" for number, (_, name, chance) in enumerate(ordered, start=1))
            question, answers = f"which: {', '.join(rows)}? ", {"": ""}
            for number, (line, name, _) in enumerate(ordered, start=1):
                answers |= {str(number): line, name: line}
        answer = self.context.output.ask(question, [*filter(None, answers)]).strip()
        if answer.lower() in answers or answer.lower() in ("n", "no"):
            return answers.get(answer.lower(), "")
        self.context.output.typed_ahead.append(answer)
        return ""

    def _place_in_ranking(self, line: str) -> int:
        """Where a list that was shown in this scene has the action of a line first; 0 where no list was."""
        ranking, intent = self.context.output.ranking, self.lines.intent_of(line)
        if intent is None or ranking.scene != self.scene:
            return 0
        alike = (
            at
            for at, one in enumerate(ranking.lines)
            if (one.action, one.targets) == (intent.action, intent.targets)
        )
        return next(alike, len(ranking.lines))

    def advised(self, error: CrisisError, typed_words: Sequence[str]) -> CrisisError:
        """An error about the words of a line, with the line that was probably meant in its hint."""
        if is_about_words(error) and "try: " not in error.hint:
            line = self.lines.meant_by(typed_words)
            also = "" if error.hint.startswith("options:") else error.hint
            error.hint = "; ".join(filter(None, (f"try: {line}" if line else "", also))) or error.hint
        return error

    def numbered(self, line: str) -> str:
        """The line, or where a number was typed alone, the line with that number in the list shown last.

        Usage where the list is another fighter's or of an earlier turn. If its line is not possible any more, or costs
        by now what no turn gives anew, it is the line that ranks what is possible, as without a list.
        """
        # Imported late: not needed before the first prompt.
        from ..commands.odds import line_of_ranking
        from .plain_words import LineReader

        number, ranking = line.strip(), self.context.output.ranking
        if not number.isdecimal() or len(line) > LONGEST_LINE:
            return line
        wanted = RANK
        if ranking.who:
            intent = line_of_ranking(self.scene, ranking, number, is_for_turn=True)
            wanted = at_prompt(f"crisis {typed(self.scene, intent)}")
            is_possible = wanted in self.actions or self.lines.is_possible(wanted)
            if not is_possible or (ranking.scene != self.scene and LineReader(self.lines).is_dear(wanted)):
                self.context.output.say("that ranking is out of date; now:")
                wanted = RANK
        if self.lines.is_possible(wanted):
            self.tell(wanted)
        return wanted

    def leave(self) -> None:
        """Print how to resume the crisis, which stays open."""
        self.context.output.say(
            f"The crisis stays open in {self.context.desk.places.file}; to go on: crisis play"
        )
