"""`crisis play --protocol`: a program decides, over JSON lines on stdin and stdout."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..ai.deciding import Decision
from ..ai.vitality import Vitality
from ..commands import autofight, autoplay, run_action
from ..context import Context
from ..dice.distribution import OddsTable
from ..dice.option_odds import option_odds
from ..dice.scripted import ZERO
from ..dice.table import Alternative, Decided, Roll
from ..engine.ranking import odds_table_for
from ..engine.record import EVENT, Entry, RollRecord
from ..engine.responses import Response, answered, responses
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import rounds_played, victor
from ..engine.system import System
from ..engine.validate import prepare
from ..errors import CrisisError, Refused, Usage
from ..play.session import Session
from ..render import data
from ..sheets.find_fighters import find_name
from ..story.command_line import command_line
from .lines import as_command, has_own_paths, parse_line, verb_first
from .offers import LEVELS, MOST, Offer, odds_of, offers, open_forms, row, summary
from .wire import Asked, BadAnswer, Left, Wire, number_taken

if TYPE_CHECKING:
    from ..dice.table import Chooser

PROTOCOL = 1
"""The version of the protocol."""
ALL = "all"
TABLE_VERBS = ("next", "note", "set", "join", "leave", "auto", "attack", "throw", "heal", "check", "act")
"""Verbs that a line of an answer may begin with, beside the actions of the system."""
OWN_DICE = ("seed", "dice", "choose", "real_dice", "mine")
"""Options that say where dice and choices come from: not for answers, which are asked for both."""


class Program:
    """The program at the other end: it is asked for actions, reactions, choices and real dice."""

    def __init__(self, context: Context, wire: Wire, given: Mapping[str, Any], words: Collection[str]):
        self.context = context
        self.wire = wire
        self.words = words
        """The fighters it plays: `all`, names of sides, names of fighters."""
        self.odds_level: str = given["odds"]
        self.hides: bool = given["hide"]
        self.options = {
            **given,
            "seed": None,
            "dice": None,
            "choose": None,
            "order": None,
            "automatic": True,
            "as_json": True,
        }
        self.intent = Intent("")
        """The action that is being carried out."""
        self.is_own = False
        """Whether that action is an answer of the program."""
        self.session = context.desk.open_session()
        self.autoplayer = autoplay.make_autoplayer(context, self.session)
        self.vitality = Vitality(self.session.system)
        self.responder = ProgramResponder(self)
        self._odds_tables: dict[Any, OddsTable] = {}

    def asks_for(self, one: Fighter) -> bool:
        """Whether the program decides for a fighter."""
        return ALL in self.words or one.side in self.words or one.name in self.words

    def odds_table(self, scene: Scene) -> OddsTable:
        """The odds worked out so far, for doctrines as they are now."""
        key = tuple((name, one.player, one.doctrine) for name, one in scene.fighters.items())
        if key not in self._odds_tables:
            self._odds_tables = {key: odds_table_for(self.context.decision_policy(self.session))}
        return self._odds_tables[key]

    def since_own(self, done: Sequence[Entry]) -> list[Entry]:
        """The program's last action, note or setting and all after it, the last first; empty if there is none."""
        fighters = self.session.scene.fighters
        for at in range(len(done) - 1, 0, -1):
            actor = fighters.get(done[at].intent.actor)
            if done[at].intent.action == EVENT:
                continue
            if actor is None or self.asks_for(actor):
                return list(reversed(done[at:]))
        return []

    # What is sent

    def show(self, session: Session, entry: Entry, seed: int | None) -> None:
        """Send an entry that is recorded."""
        self.session = session
        for one in run_action.with_events(session, entry):
            self._send(session, one, seed)

    def _send(self, session: Session, entry: Entry, seed: int | None) -> None:
        record = data.entry(entry, session.system, seed, True)
        if self.hides:
            record["effects"] = [one for one in record["effects"] if not self._is_secret(session.scene, one)]
        self.wire.send("entry", record)

    def _is_secret(self, scene: Scene, effect: Mapping[str, Any]) -> bool:
        """Whether an effect gives away what is in a pool of a fighter on a side that the program does not play."""
        one = scene.fighters.get(effect["who"])
        return one is not None and one.side not in self._own_sides(scene) and effect["what"] in one.pools

    def _own_sides(self, scene: Scene) -> set[str]:
        return {one.side for one in scene.fighters.values() if self.asks_for(one)}

    def state(self, scene: Scene, who: str) -> dict[str, Any]:
        """The state as `who` may know it."""
        status = data.status(
            scene, self.session.system, self.session.crisis.seed if self.session.crisis else 0
        )
        del status["v"]
        if self.hides:
            own = scene.fighters[who].side
            status["fighters"] = [
                record if record["side"] == own else self._in_words(scene.fighters[record["name"]], record)
                for record in status["fighters"]
            ]
        return status

    def _in_words(self, one: Fighter, record: dict[str, Any]) -> dict[str, Any]:
        """A fighter's record with a word in place of its pools."""
        shares = [
            1 - lost / size
            for pool, size, lost in self.vitality.points(one)
            if self.vitality.is_vital(one, pool)
        ]
        least = min(shares, default=1.0)
        word = "hale" if least >= 1 else "hurt" if least >= BADLY else "badly hurt"
        return {key: value for key, value in record.items() if key not in ("pools", "max")} | {"looks": word}

    # What is asked

    def decide(self, scene: Scene, who: str, past: Sequence[Entry] = ()) -> Decision:
        """What a fighter does next in its turn: by its doctrine, or as the program says."""
        usual = self.autoplayer.decide(scene, who, past)
        self.is_own = self.asks_for(scene.fighters[who])
        if not self.is_own:
            return usual
        system = self.session.system
        rows, more, default = self._rows(system, scene, who, usual.intent)
        table = self.odds_table(scene)
        legal = [
            row(system, scene, at, one, table if at <= LEVELS[self.odds_level] else None)
            for at, one in enumerate(rows, start=1)
        ]
        request = {
            "kind": "act",
            "who": who,
            "round": scene.round,
            "state": self.state(scene, who),
            "legal": legal,
            **({"more": True} if more else {}),
            "open": open_forms(system, scene, who),
            "default": default + 1,
        }

        def read(answer: dict[str, Any]) -> Intent:
            if "line" in answer:
                return self._of_line(answer["line"])
            if "intent" in answer:
                return self._of_intent(scene, who, answer["intent"])
            return rows[number_taken(answer, [one["line"] for one in legal])].intent

        intent = self.wire.ask(request, read, usual.intent)
        return Decision(intent, {}) if intent is not usual.intent else usual

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry] = ()) -> Intent | None:
        """What a fighter that the program does not play does before an action takes effect."""
        usual = self.autoplayer.respond(scene, action, past)
        return None if usual is None or self.asks_for(scene.fighters[usual.actor]) else usual

    def _rows(self, system: System, scene: Scene, who: str, usual: Intent) -> tuple[list[Offer], bool, int]:
        """The rows of a request for an action, whether there are more, and the place of the usual one among them."""
        found, bare = list(offers(system, scene, who)), _without_reason(usual)
        at = next((at for at, one in enumerate(found) if one.intent == bare), -1)
        usual_row = (
            found.pop(at)._replace(intent=usual) if at >= 0 else Offer(usual, _costs(system, scene, usual))
        )
        rows = [*found[:at], usual_row, *found[at:]] if at >= 0 else [usual_row, *found]
        place = max(at, 0)
        if place >= MOST:
            rows, place = [usual_row, *rows[:place], *rows[place + 1 :]], 0
        return rows[:MOST], len(rows) > MOST, place

    def _of_intent(self, scene: Scene, who: str, said: Any) -> Intent:
        """The intent of an answer, read as the line that would say it; CrisisError where none would."""
        if not isinstance(said, dict) or not isinstance(said.get("action"), str):
            raise BadAnswer("the intent names no action", hint='{"action": "attack", "targets": ["Drone"]}')
        targets, options = said.get("targets", []), said.get("options", {})
        actor = said.get("actor", who)
        names = [actor, *targets] if isinstance(targets, list) else [None]
        if not all(isinstance(name, str) for name in names) or not isinstance(options, dict):
            raise BadAnswer("targets are a list of names, options an object", hint='{"targets": ["Drone"]}')
        found = tuple(find_name(scene, str(one)) for one in targets)
        intent = Intent(said["action"], find_name(scene, actor), found, options)
        try:
            line = command_line(self.session.system, scene, intent)
        except (AttributeError, KeyError, LookupError, TypeError, ValueError) as wrong:
            raise BadAnswer("the options of the intent have values that none takes") from wrong
        return self._of_line(line)

    def _of_line(self, line: Any) -> Intent:
        """The intent of a line as typed at the prompt; CrisisError for one that is no action, or not possible."""
        from ..cli import cli
        from ..click_errors import as_usage

        if not isinstance(line, str):
            raise BadAnswer("the line is no text", hint='{"line": "attack drone"}')
        system, scene = self.session.system, self.session.scene
        known = {*system.actions}
        words = verb_first(as_command(parse_line(line, TABLE_VERBS, known), TABLE_VERBS, known), scene, known)
        if not words or words[0] not in TABLE_VERBS:
            raise BadAnswer(
                f"{(words or [''])[0]!r} is neither an action nor a verb that acts",
                hint=f"actions: {', '.join(known)}",
                code="unknown_command",
            )
        if has_own_paths(words):
            raise BadAnswer("a line has no --file and no --characters of its own", code="unknown_option")
        found: list[tuple[Intent, Mapping[str, Any]]] = []
        # What a command prints, help for one, is no part of the protocol.
        silent = self.context.environment._replace(out=io.StringIO(), err=io.StringIO(), is_interactive=False)
        own = self.context.for_line(silent)
        own.intent_handler = lambda context, session, intent, options: found.append((intent, options))
        try:
            cli.main(words, "crisis", standalone_mode=False, obj=own)
        except click.exceptions.Exit:
            pass
        except click.ClickException as error:
            raise as_usage(error) from error
        if not found:
            raise BadAnswer("the line does nothing", hint="an action and its options: attack drone")
        intent, options = found[0]
        if any(options.get(key) for key in OWN_DICE):
            raise BadAnswer(
                "a line gives no dice and no choices: they are asked for", code="conflicting_options"
            )
        if intent.action in system.actions:
            prepare(system, scene, intent)
        return intent

    def choosing(
        self, automatic: Chooser, react: str | None, throws: Callable[[], Sequence[Roll]]
    ) -> Chooser:
        """The chooser of one action that asks the program, where it plays the fighter who chooses."""

        def choose(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided | None:
            usual = automatic(who, options)
            one = self.session.scene.fighters.get(who)
            if react is not None or one is None or not self.asks_for(one):
                return usual
            preferred = usual.option if isinstance(usual, Decided) else usual or options[0]
            taken = self._choice(who, options, preferred, throws())
            # The default leaves the record that automatic play does.
            return usual if taken is preferred else taken

        return choose

    def _choice(
        self, who: str, options: tuple[Alternative, ...], preferred: Alternative, throws: Sequence[Roll]
    ) -> Alternative:
        system, scene = self.session.system, self.session.scene
        action = system.actions.get(self.intent.action)
        reactions = action.reactions if action else ()
        names = [one.name for one in options]
        spends = any(one.spends or one.gains for one in options)
        rolls = [data.roll(RollRecord.of(throw), ()) for throw in throws if throw.faces]
        request = {
            "kind": "choose",
            "who": who,
            "what": "reaction" if {*names} & {*reactions} else "spend" if spends else "option",
            "action": self.action_now(),
            "rolls": rolls,
            "options": [self._option(at, one, scene) for at, one in enumerate(options, start=1)],
            "default": options.index(preferred) + 1,
        }
        taken: Alternative = self.wire.ask(
            request, lambda answer: options[number_taken(answer, names)], preferred
        )
        return taken

    def _option(self, number: int, one: Alternative, scene: Scene) -> dict[str, Any]:
        odds = option_odds(one, self.odds_table(scene))
        record: dict[str, Any] = {"n": number, "name": one.name, "cost": one.cost}
        record |= {"spends": one.spends} if one.spends else {}
        record |= {"pays": one.pays} if one.pays else {}
        return record | ({"harm": round(odds.harm, 6), "unhurt": round(odds.unhurt, 9)} if odds else {})

    def action_now(self) -> dict[str, Any]:
        """The action that is being carried out."""
        intent = _without_reason(self.intent)
        return {"action": intent.action, "actor": intent.actor or None, "targets": list(intent.targets)}


BADLY = 1 / 3
"""The share of life below which a fighter is badly hurt, where its pools are hidden."""


def _faces(answer: dict[str, Any], sides: int) -> list[int]:
    """The faces of an answer; BadAnswer where they are no faces of that die."""
    faces = answer.get("faces")
    if not isinstance(faces, list) or not faces:
        raise BadAnswer("the answer has no faces", hint='{"faces": [4]}')
    least = 0 if sides in ZERO else 1
    if not all(type(face) is int and least <= face <= sides for face in faces[:1]):
        raise BadAnswer(
            f"{str(faces[0])[:20]} is not on a d{sides}",
            hint=f"a d{sides} shows 1 to {sides}",
            code="wrong_dice",
        )
    if not all(type(face) is int and face >= 0 for face in faces):
        raise BadAnswer("faces are whole numbers", code="wrong_dice")
    return faces


def _without_reason(intent: Intent) -> Intent:
    return intent._replace(options={key: value for key, value in intent.options.items() if key != "reason"})


def _costs(system: System, scene: Scene, intent: Intent) -> tuple[tuple[str, int], ...]:
    """What an intent costs its actor; nothing for what the table itself does."""
    if intent.action not in system.actions:
        return ()
    events = prepare(system, scene, intent).payment.events
    return tuple(
        (one.what, one.was - one.now)
        for one in events
        if one.who == intent.actor and one.what in system.pools
    )


class ProgramQuestions:
    """Asks the program for the faces of real dice, in place of a player at a terminal."""

    def __init__(self, wire: Wire, roll_die: Callable[[int], int]):
        self.wire = wire
        self.roll_die = roll_die

    def ask_results(self, sides: int, throw: Roll) -> list[int]:
        """The faces of the next die of a roll, or of several."""
        request = {
            "kind": "dice",
            "who": throw.who or None,
            "what": throw.what,
            "dice": throw.spelled or f"d{sides}",
            "sides": sides,
            "faces": [face for _, face in throw.faces],
        }
        found: list[int] = self.wire.ask(
            request, lambda answer: _faces(answer, sides), [self.roll_die(sides)]
        )
        return found

    def reject_results(self, why: str) -> None:
        """Say that faces were not accepted; they are asked for again."""
        self.wire.refuse(BadAnswer(why, code="wrong_dice"))
        self.wire.count_bad()


class ProgramResponder:
    """Asks the program what its fighters do before somebody's action takes effect."""

    def __init__(self, program: Program):
        self.program = program
        self._places: dict[str, Any] = {}
        """Where each fighter was when its last action was answered or let pass."""

    def __call__(self, session: Session, action: Intent) -> tuple[Session, Intent | None]:
        """The session after a response, and None: the action is decided anew; or the action as it goes on."""
        program, fighters = self.program, session.scene.fighters
        program.session, program.intent = session, action
        if action.actor not in fighters:
            return session, action
        mover = fighters[action.actor]
        past = session.crisis.done if session.crisis else ()
        usual = program.autoplayer.respond(session.scene, action, past)
        stays = action.action == "next" and self._places.get(mover.name, mover.at) == mover.at
        for who in [
            name for name, one in fighters.items() if program.asks_for(one) and one.side != mover.side
        ]:
            if stays and (usual is None or usual.actor != who):
                continue
            response = self._answer(session, program.intent, who, usual)
            if response is None:
                continue
            if response.inside:
                program.intent = answered(program.intent, response)
                continue
            entry, seed, session = run_action.perform_and_record(
                program.context, session, response.intent, program.options
            )
            program.show(session, entry, seed)
            return session, None
        self._places[mover.name] = mover.at
        return session, program.intent

    def _answer(self, session: Session, action: Intent, who: str, usual: Intent | None) -> Response | None:
        """What the program lets a fighter do before an action; by default what its doctrine would."""
        scene, system = session.scene, session.system
        past = session.crisis.done if session.crisis else ()
        offered = list(responses(system, scene, action, who, past))
        if not offered:
            return None
        table = self.program.odds_table(scene)
        rows: list[dict[str, Any]] = [{"n": 1, "name": "none"}]
        for number, one in enumerate(offered, start=2):
            odds = odds_of(system, scene, one.intent, table) if not one.inside else None
            line = command_line(system, scene, one.intent)
            rows.append({"n": number, "name": line} | ({"odds": summary(system, odds)} if odds else {}))
        default = next((at for at, one in enumerate(offered, start=1) if one.intent == usual), 0)
        request = {
            "kind": "respond",
            "who": who,
            "action": {
                **self.program.action_now(),
                "line": command_line(system, scene, _without_reason(action)),
            },
            "options": rows,
            "default": default + 1,
        }
        names = [one["name"] for one in rows]
        taken = self.program.wire.ask(request, lambda answer: number_taken(answer, names), default)
        return offered[taken - 1] if taken else None


Start = Callable[[], tuple[Session, dict[str, Any]]]
"""Opens or resumes a crisis; gives the session and the options that hold in it."""


def play(
    context: Context, start: Start, opens: str, given: Mapping[str, Any], rounds: int, save: bool
) -> int:
    """Play a crisis with a program at stdin and stdout until it ends or the program leaves; the exit status.

    `opens` is the system of a crisis that `start` opens, empty where it resumes one.
    """
    environment = context.environment
    if environment.stdin is None:
        raise Usage(
            "no answers come from stdin",
            hint="a program gives them, through a pipe: crisis-protocol(5)",
            code="no_terminal",
        )
    wire = Wire(environment.stdin, environment.out, given["lenient"])
    context.has_program = True
    context.questions = ProgramQuestions(wire, context.roll_die)  # type: ignore[assignment]
    with autoplay.report_interrupt(context, "crisis play --protocol"):
        try:
            if opens:
                _greet(context, wire, opens, given["seed"], 0)
            session, held = start()
            wire.is_open = True
            assert session.journal is not None
            crisis = session.journal.crisis
            if not opens:
                _greet(context, wire, session.system.name, crisis.seed, len(crisis.done))
            owners = {"real_dice": crisis.dice == "real", "mine": crisis.dice == "mine"}
            program = Program(context, wire, {**given, **held, **owners}, _asked(session.scene, given["ask"]))
            context.choosing = program.choosing
            if opens:
                program.show(session, crisis.done[0], crisis.seed)
            while not _played(program, rounds):
                pass
        except Left:
            return 0
        _end(program, save)
    return 0


def _greet(context: Context, wire: Wire, system: str, seed: int, entries: int) -> None:
    """Send who is there, and how many entries are in force already."""
    about = {"system": system, "seed": seed, "file": context.desk.places.file, "entries": entries}
    wire.send("hello", {"protocol": PROTOCOL, "program": context.desk.world.program, **about})


def _asked(scene: Scene, said: str) -> set[str]:
    """What --ask says: `all`, sides, and the names of fighters."""
    sides = {one.side for one in scene.fighters.values()} | {"players", "opponents"}
    words = [word.strip() for word in said.split(",")]
    return {word if word == ALL or word in sides else find_name(scene, word) for word in words if word}


def _played(program: Program, rounds: int) -> bool:
    """Play turns; whether the fight is over, False after an order or a refusal, with which it goes on."""
    context = program.context
    session = program.session = context.desk.open_session()

    def should_stop(now: Session, intent: Intent) -> bool:
        program.session, program.intent = now, intent
        return autofight.is_last_round_over(context, now, intent, rounds)

    try:
        autoplay.play_turns(
            context, session, program, program.options, program.show, should_stop, program.responder
        )
    except Asked as order:
        return _carry_out(program, order)
    except Refused as refusal:
        if refusal.code == "nobody_can_act":
            return True
        if not program.is_own:
            raise
        program.wire.refuse(refusal)
        program.wire.count_bad()
        return False
    return True


def _carry_out(program: Program, order: Asked) -> bool:
    """Do what was asked for in place of an answer; whether that ends the fight."""
    context = program.context
    session = program.session = context.desk.open_session()
    journal = session.journal
    assert journal is not None
    if order.what == "end":
        return True
    if order.what == "undo":
        undone = program.since_own(journal.crisis.done)
        if not undone:
            program.wire.refuse(Refused("there is nothing to undo", code="nothing_to_undo"))
            return False
        journal.with_undo(len(undone))
        for entry in undone:
            program.wire.send("undone", {"number": entry.number})
        return False
    text = order.answer.get("text")
    try:
        intent = program._of_line(f"note {text if isinstance(text, str) else ''}")
    except CrisisError as error:
        program.wire.refuse(error)
        return False
    entry, seed, session = run_action.perform_and_record(context, session, intent, program.options)
    program.show(session, entry, seed)
    return False


def _end(program: Program, save: bool) -> None:
    """End the crisis, and send its end."""
    context = program.context
    session = context.desk.open_session()
    intent = Intent("end", "", (), {"save": save})
    entry, seed, ended = run_action.perform_and_record(context, session, intent, program.options)
    name = autofight.finish_journal(context, ended)
    program.show(ended, entry, seed)
    winner = victor(session.system, session.scene) or None
    program.wire.send("end", {"winner": winner, "rounds": rounds_played(ended.scene), "file": name})
