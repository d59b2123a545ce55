"""`crisis play --protocol`: a program decides, over JSON lines on stdin and stdout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import IO, Any

from ..ai.vitality import Vitality
from ..dice.distribution import OddsTable
from ..dice.option_odds import option_odds
from ..dice.scripted import ZERO, number_of
from ..dice.table import Alternative, Throw
from ..engine.ranking import odds_table_for
from ..engine.record import RollRecord
from ..engine.responses import Response
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import rounds_played
from ..engine.system import System
from ..engine.validate import prepare
from ..errors import CrisisError, FileError, Refused, WrongDice
from ..play.desk import Desk
from ..play.dice import AUTOMATIC
from ..play.ending import is_over
from ..play.fight import Fight
from ..play.opening import PreparedOpening
from ..play.perform import with_events
from ..play.requests import PASS, Act, Choose, Faces, Request, Respond
from ..play.results import Result
from ..play.session import Session
from ..play.table import decision_policy
from ..play.turns import Answer, Plays
from ..render import data
from ..sheets.find_fighters import find_name
from ..story.command_line import command_line
from ..values import NamedTuple
from .json_lines import Asked, BadAnswer, Left, Wire, number_taken
from .offers import LEVELS, MOST, Offer, odds_of, offers, open_forms, row, summary

PROTOCOL = 1
"""The version of the protocol."""
ALL = "all"
ReadLine = Callable[[Session, str], Intent]
"""The intent of a line as typed at the prompt; CrisisError for one that is no action, or not possible."""


class Settings(NamedTuple):
    """How a program plays, as the options of `play --protocol` say."""

    ask: str = ALL
    """The fighters it decides for: `all`, or sides and names with commas."""
    odds: str = "quick"
    """How many rows of a request get odds: a key of `LEVELS`."""
    hide: bool = False
    """Whether what is in the pools of the other side is left out."""
    lenient: bool = False
    """Whether the default is taken after three bad answers."""
    rounds: int = 200
    """After so many rounds the fight ends, decided or not."""
    save: bool = False
    """Whether the sheets are saved at the end."""


class Program:
    """The program at the other end: it is asked for actions, reactions, choices and real dice."""

    def __init__(self, fight: Fight, wire: Wire, settings: Settings, read_line: ReadLine):
        self.fight = fight
        self.wire = wire
        self.settings = settings
        self.read_line = read_line
        self.vitality = Vitality(fight.session.system)
        self._odds_tables: dict[Any, OddsTable] = {}

    def odds_table(self, scene: Scene) -> OddsTable:
        """The odds worked out so far, for doctrines as they are now; while the crisis is opened nobody reacts yet."""
        fighters = tuple((name, one.player, one.doctrine) for name, one in scene.fighters.items())
        key = self.fight.session.journal is None, fighters
        if key not in self._odds_tables:
            self._odds_tables = {key: odds_table_for(decision_policy(self.fight.desk, self.fight.session))}
        return self._odds_tables[key]

    # What is sent

    def show(self, done: Result) -> None:
        """Send an entry that is recorded, and the events that followed from it."""
        for entry in with_events(done.session, done.entry):
            record = data.entry(entry, done.session.system, done.seed, True)
            if self.settings.hide:
                effects, scene = record["effects"], done.session.scene
                record["effects"] = [one for one in effects if not self._is_secret(scene, one)]
            self.wire.send("entry", record)

    def _is_secret(self, scene: Scene, effect: Mapping[str, Any]) -> bool:
        """Whether an effect gives away what is in a pool of a fighter on a side that the program does not play."""
        one = scene.fighters.get(effect["who"])
        return one is not None and one.side not in self._own_sides(scene) and effect["what"] in one.pools

    def _own_sides(self, scene: Scene) -> set[str]:
        return {one.side for one in scene.fighters.values() if self.fight.plays.fighter(one)}

    def state(self, scene: Scene, who: str) -> dict[str, Any]:
        """The state as `who` may know it."""
        session = self.fight.session
        status = data.status(scene, session.system, session.crisis.seed if session.crisis else 0)
        del status["v"]
        if self.settings.hide:
            own = scene.fighters[who].side
            status["fighters"] = [
                record if record["side"] == own else self._in_words(scene.fighters[record["name"]], record)
                for record in status["fighters"]
            ]
            # How much life a foe has left is shown in words alone.
            events = scene.encounter.triggers if scene.encounter else ()
            hurt = {event.number for event in events if event.hurt}
            status["goals"] = [
                goal | {"now": None} if goal["event"] in hurt else goal for goal in status["goals"]
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

    def ask(self, request: Request) -> Answer:
        """The answer of the program to what the fight waits for."""
        if isinstance(request, Act):
            return self._act(request)
        if isinstance(request, Choose):
            return self._choice(request)
        if isinstance(request, Respond):
            return self._response(request)
        return self._faces(request)

    def _act(self, asked: Act) -> Intent | None:
        """What a fighter does next in its turn; None as its doctrine would."""
        scene, system, who = self.fight.scene, self.fight.session.system, asked.who
        usual = self.fight.suggest()
        rows, more, default = self._rows(system, scene, who, usual)
        table, level = self.odds_table(scene), LEVELS[self.settings.odds]
        legal = [
            row(system, scene, at, one, table if at <= level else None)
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

        intent: Intent = self.wire.ask(request, read, usual)
        return None if intent is usual else intent

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
            line = command_line(self.fight.session.system, scene, intent)
        except (AttributeError, KeyError, LookupError, TypeError, ValueError) as wrong:
            raise BadAnswer("the options of the intent have values that none takes") from wrong
        return self._of_line(line)

    def _of_line(self, line: Any) -> Intent:
        """The intent of a line as typed at the prompt; CrisisError for one that is no action, or not possible."""
        if not isinstance(line, str):
            raise BadAnswer("the line is no text", hint='{"line": "attack drone"}')
        return self.read_line(self.fight.session, line)

    def _choice(self, asked: Choose) -> str:
        """The name of the option that the program takes in the middle of an action."""
        names = [one.name for one in asked.alternatives]
        request = {
            "kind": "choose",
            "who": asked.who,
            "what": asked.what,
            "action": _about(asked.action),
            "rolls": [data.roll(RollRecord.of(roll), ()) for roll in asked.rolls if roll.faces],
            "options": [self._option(at, one) for at, one in enumerate(asked.alternatives, start=1)],
            "default": names.index(asked.usual) + 1,
        }
        taken: str = self.wire.ask(request, lambda answer: names[number_taken(answer, names)], asked.usual)
        return taken

    def _response(self, asked: Respond) -> Response | str:
        """What the program lets a fighter do before an action."""
        scene, system = self.fight.scene, self.fight.session.system
        table = self.odds_table(scene)
        rows: list[dict[str, Any]] = [{"n": 1, "name": "none"}]
        for number, one in enumerate(asked.options, start=2):
            odds = odds_of(system, scene, one.intent, table) if not one.inside else None
            line = command_line(system, scene, one.intent)
            rows.append({"n": number, "name": line} | ({"odds": summary(system, odds)} if odds else {}))
        default = asked.options.index(asked.usual) + 1 if asked.usual else 0
        request = {
            "kind": "respond",
            "who": asked.who,
            "action": {
                **_about(asked.action),
                "line": command_line(system, scene, _without_reason(asked.action)),
            },
            "options": rows,
            "default": default + 1,
        }
        names = [one["name"] for one in rows]
        taken: int = self.wire.ask(request, lambda answer: number_taken(answer, names), default)
        return asked.options[taken - 1] if taken else PASS

    def _faces(self, asked: Faces) -> list[int]:
        """The faces of the next die of a roll, or of several."""
        sides = asked.sides
        request: dict[str, Any] = {
            "kind": "dice",
            "who": asked.who or None,
            "what": asked.what,
            "dice": asked.dice,
            "sides": sides,
            "faces": asked.faces,
        }
        if asked.roll.cards:
            request["cards"] = list(asked.roll.cards)
        faces: list[int] = self.wire.ask(
            request, lambda answer: _faces(answer, sides, asked.roll), [self.fight.desk.world.roll_die(sides)]
        )
        return faces

    def _option(self, number: int, one: Alternative) -> dict[str, Any]:
        odds = option_odds(one, self.odds_table(self.fight.scene))
        record: dict[str, Any] = {"n": number, "name": one.name, "cost": one.cost}
        record |= {"spends": one.spends} if one.spends else {}
        record |= {"pays": one.pays} if one.pays else {}
        return record | ({"harm": round(odds.harm, 6), "unhurt": round(odds.unhurt, 9)} if odds else {})


BADLY = 1 / 3
"""The share of life below which a fighter is badly hurt, where its pools are hidden."""


def _faces(answer: dict[str, Any], sides: int, roll: Throw) -> list[int]:
    """The faces of an answer; BadAnswer where they are no faces of that die."""
    faces = answer.get("faces")
    if roll.cards and isinstance(faces, list) and faces and isinstance(faces[0], str):
        try:
            return [number_of(faces[0], roll)]
        except WrongDice as wrong:
            raise BadAnswer(wrong.message, hint=wrong.hint, code="wrong_dice") from wrong
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


def _about(action: Intent) -> dict[str, Any]:
    """The action that is being carried out, as requests name it."""
    return {"action": action.action, "actor": action.actor or None, "targets": list(action.targets)}


def play(
    desk: Desk,
    lines: Iterable[str],
    out: IO[str],
    begins: PreparedOpening | None,
    settings: Settings,
    read_line: ReadLine,
) -> None:
    """Play a crisis with a program at the other end of two streams, until it ends or the program leaves.

    `begins` is the crisis that is opened; None goes on with the open one.
    """
    wire = Wire(lines, out, settings.lenient)
    session = begins.session if begins else desk.open_session()
    crisis = session.crisis
    words: set[str] = set()
    plays = Plays(
        lambda scene: _is_asked(scene.fighters[scene.turn], words), lambda one: _is_asked(one, words)
    )
    dice = AUTOMATIC
    if crisis:
        dice = dice._replace(real=crisis.dice == "real", mine=crisis.dice == "mine")
    elif begins:
        dice = dice._replace(real=begins.dice.real, mine=begins.dice.mine)
    fight = Fight(desk, session, plays, dice)
    program = Program(fight, wire, settings, read_line)
    fight.watch = program.show
    seed = crisis.seed if crisis else begins.dice.seed if begins else 0
    about = {"system": session.system.name, "seed": seed, "file": desk.places.file}
    greeting = {"program": desk.world.program, **about, "entries": len(fight.past)}
    wire.send("hello", {"protocol": PROTOCOL, **greeting})
    try:
        words |= _asked(session.scene, settings.ask)
        wire.is_open = begins is None
        if begins:
            fight.open(begins)
        _play_to_end(program)
    except Left:
        return
    winner, fight.watch = fight.winner or None, _nothing
    ended = fight.end(settings.save)
    program.show(ended.result)
    rounds = rounds_played(ended.result.session.scene)
    wire.send("end", {"winner": winner, "rounds": rounds, "file": ended.archive})


def _nothing(done: Result) -> None:
    """Show nothing."""


def _is_asked(one: Fighter, words: Collection[str]) -> bool:
    """Whether the program decides for a fighter: `all`, its side, or its name."""
    return ALL in words or one.side in words or one.name in words


def _asked(scene: Scene, said: str) -> set[str]:
    """What --ask says: `all`, sides, and the names of fighters."""
    sides = {one.side for one in scene.fighters.values()} | {"players", "opponents"}
    words = [word.strip() for word in said.split(",")]
    return {word if word == ALL or word in sides else find_name(scene, word) for word in words if word}


def _play_to_end(program: Program) -> None:
    """Play until the fight is over, or the program ends it."""
    fight, wire, is_last = program.fight, program.wire, False

    def stops(session: Session, intent: Intent) -> bool:
        nonlocal is_last
        is_last = is_over(fight.desk, session, intent, program.settings.rounds)
        return is_last

    while not fight.decided and not is_last:
        wire.is_open = fight.session.journal is not None
        try:
            request = fight.waiting
            if request is None:
                fight.play_on(stops)
                continue
            answer = program.ask(request)
        except Asked as order:
            if order.what == "end":
                return
            _carry_out(program, order)
            continue
        except Refused as refusal:
            if refusal.code != "nobody_can_act":
                raise
            return
        try:
            fight.answer(answer, stops)
        except Refused as refusal:
            if refusal.code == "nobody_can_act":
                return
            wire.refuse(refusal)
            wire.count_bad()
        except WrongDice as wrong:
            wire.refuse(BadAnswer(wrong.message, code="wrong_dice"))
            wire.count_bad()
        except FileError as error:
            if error.code != "moved" or fight.dice.real or fight.dice.mine:
                raise


def _carry_out(program: Program, order: Asked) -> None:
    """Do what was asked for in place of an answer: undo, or note something."""
    fight = program.fight
    try:
        if order.what == "undo":
            fight.take_back()
            for entry in fight.undo(mine=True):
                program.wire.send("undone", {"number": entry.number})
            return
        text = order.answer.get("text")
        intent = program.read_line(fight.session, f"note {text if isinstance(text, str) else ''}")
        fight.take_back()
        fight.perform(intent)
    except CrisisError as error:
        program.wire.refuse(error)
