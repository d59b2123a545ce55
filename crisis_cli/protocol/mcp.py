"""A server of the Model Context Protocol: JSON-RPC, one object a line, by which language models play.

The program owns dice, rules and state; the model chooses, and tells what the results say.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..columns import is_shown
from ..errors import CrisisError, Refused, Usage
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..engine.scene import Intent, Scene
    from ..play.desk import Desk
    from ..play.fight import Fight
    from ..play.results import Result
    from ..play.turns import Answer
    from .program import ReadLine

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The versions of the protocol that are spoken, the newest first."""
LONGEST = 1_000_000
"""The longest request, in bytes."""
LONGEST_TEXT, MOST_NAMES = 2_000, 100
"""The longest text of an argument, in characters, and the most names or options in one."""
PARSE, REQUEST, METHOD, PARAMETERS, INTERNAL = -32700, -32600, -32601, -32602, -32603
"""The codes of JSON-RPC errors."""
INSTRUCTIONS = (
    "A tabletop fight. The program owns dice, rules and state: never invent a roll, a number or an effect; tell only "
    "what results say. begin opens a fight; status and legal show it; do acts for the fighter whose turn it is, and do "
    "with next ends the turn; answer answers what waits (without a name as the fighter's doctrine would), and lets "
    "others act where nothing waits; end closes the fight. Refusals say what is legal."
)
OF_A_GM = ("force", "mod", "mod_damage")
"""Options with which a GM overrides the rules; a model does not."""
SEEN_ON_THE_MAP = ("range", "behind", "enemies")
"""Options with which a player says what the map says where fighters have positions."""
BESIDE_THE_RULES = ("next", "note", "leave", "yield")
"""What a model may do that is no action of the rules."""


class Wrong(Exception):
    """A request that cannot be answered: the code and the message of its JSON-RPC error."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


class Parameter(NamedTuple):
    """One argument of a tool."""

    name: str
    kind: str
    """Its type in JSON schema; `strings` is an array of them."""
    about: str
    usual: Any = None
    """Its value where it is not given; None where it has to be."""

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the argument."""
        return {**KINDS[self.kind], "description": self.about}


KINDS: dict[str, dict[str, Any]] = {
    "string": {"type": "string", "maxLength": LONGEST_TEXT},
    "integer": {"type": "integer", "minimum": 0},
    "boolean": {"type": "boolean"},
    "object": {"type": "object", "maxProperties": MOST_NAMES},
    "strings": {
        "type": "array",
        "items": {"type": "string", "maxLength": LONGEST_TEXT},
        "maxItems": MOST_NAMES,
    },
}
"""The JSON schema of each type of argument."""
FITS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT,
    "integer": lambda value: type(value) is int and value >= 0,
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict) and len(value) <= MOST_NAMES,
    "strings": lambda value: (
        isinstance(value, list) and len(value) <= MOST_NAMES and all(FITS["string"](word) for word in value)
    ),
}
"""Whether a value is of a type."""


class Tool(NamedTuple):
    """One thing that a model can ask for."""

    about: str
    run: Callable[..., dict[str, Any]]
    parameters: tuple[Parameter, ...] = ()
    changes: bool = False
    """Whether it changes the fight."""

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": {parameter.name: parameter.schema() for parameter in self.parameters},
            "required": [parameter.name for parameter in self.parameters if parameter.usual is None],
            "additionalProperties": False,
        }

    def arguments(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call, with what is usual filled in; Usage where they do not fit the schema."""
        known = [parameter.name for parameter in self.parameters]
        if strange := [name for name in said if name not in known]:
            raise Usage(
                f"no argument is called {strange[0][:40]!r}",
                hint=f"arguments: {', '.join(known) or 'none'}",
                code="unknown_option",
            )
        values = {}
        for parameter in self.parameters:
            value = said.get(parameter.name, parameter.usual)
            if value is None:
                raise Usage(
                    f"missing argument: {parameter.name}", hint=parameter.about, code="missing_argument"
                )
            if not FITS[parameter.kind](value):
                wanted = json.dumps(KINDS[parameter.kind])
                raise Usage(f"{parameter.name} does not fit", hint=f"it is: {wanted}", code="bad_value")
            is_list = parameter.kind == "strings"
            values[parameter.name] = [_plain(word) for word in value] if is_list else _plain(value)
        return values


class McpServer:
    """Answers the requests of a model about the fight in one journal.

    The model decides for the fighters of the player; doctrines decide for all others.
    """

    def __init__(self, desk: Desk, read_line: ReadLine, is_stopped: Callable[[], bool]):
        self.desk = desk
        self.read_line = read_line
        self.is_stopped = is_stopped
        """Whether a signal asks to stop: then others act no further."""
        self._fight: Fight | None = None
        self._happened: list[Result] = []
        """What the tool that runs has recorded, events aside."""
        who = Parameter("who", "string", "A fighter; by default the one whose turn it is.", "")
        aim = (
            Parameter("targets", "strings", "Fighters or things, by name.", []),
            Parameter("options", "object", "Options of the rules, such as weapon, range, cover or to.", {}),
        )
        self.tools = {
            "roll": Tool(
                "Roll dice in standard notation, such as 4d6kh3: the only source of random numbers.",
                self._roll,
                (Parameter("expression", "string", "Dice notation."),),
            ),
            "odds": Tool(
                "Show the exact odds of a dice expression, or of an action of the open fight.",
                self._odds,
                (
                    Parameter("expression", "string", "Dice notation; empty for an action.", ""),
                    Parameter("action", "string", "An action such as attack, or a line of legal.", ""),
                    *aim,
                ),
            ),
            "begin": Tool(
                "Open a fight; you decide for the players, their foes play by themselves.",
                self._begin,
                (
                    Parameter(
                        "players", "strings", "Sheets by name; in a campaign its party if there are none.", []
                    ),
                    Parameter("opponents", "strings", "Sheets by name; drone:2 means two of it.", []),
                    Parameter("encounter", "string", "An encounter to play instead of opponents.", ""),
                ),
                True,
            ),
            "legal": Tool(
                "List what a fighter can do now, each with its cost and its exact odds.", self._legal, (who,)
            ),
            "do": Tool(
                "Take one action for the fighter whose turn it is; next ends the turn, and others act.",
                self._do,
                (
                    Parameter(
                        "action",
                        "string",
                        "An action of the rules such as attack or move, a whole line of legal, next, or note.",
                    ),
                    *aim,
                ),
                True,
            ),
            "answer": Tool(
                "Answer what the fight waits for, by the name of an option; empty: as the fighter's doctrine would.",
                self._answer,
                (
                    Parameter(
                        "name",
                        "string",
                        "One of the options that wait; pass lets an action pass; faces of real dice as 4 6.",
                        "",
                    ),
                ),
                True,
            ),
            "undo": Tool(
                "Undo the last actions, dice and all, or go back to before your own last action.",
                self._undo,
                (Parameter("count", "integer", "How many actions; 0: back to before your own last one.", 0),),
                True,
            ),
            "status": Tool("Show the state of the fight, and what it waits for.", self._status),
            "explain": Tool(
                "Explain a result: every modifier and effect with its rule.",
                self._explain,
                (Parameter("number", "integer", "The number of an entry; 0 for the last result.", 0),),
            ),
            "oracle": Tool(
                "Ask the oracle a yes-or-no question, or what happens next: event; an open fight records the answer.",
                self._oracle,
                (
                    Parameter("question", "string", "The question."),
                    Parameter("odds", "string", "How likely yes is: even, likely, or a percentage.", "even"),
                ),
                True,
            ),
            "log": Tool(
                "Show what has happened: entries, or the whole fight as markdown or lonelog.",
                self._log,
                (
                    Parameter("form", "string", "markdown, lonelog, or empty for the entries.", ""),
                    Parameter("after", "integer", "Show the entries after the one of this number.", 0),
                ),
            ),
            "end": Tool(
                "End the fight: save the sheets, and archive the journal.",
                self._end,
                (
                    Parameter(
                        "save", "boolean", "Whether wounds and other changes are written to the sheets.", True
                    ),
                ),
                True,
            ),
        }

    # The protocol

    def answered(self, line: bytes) -> str | None:
        """The response to one line, as a line; None for a notification and an empty line."""
        if not line.strip():
            return None
        number: Any = None
        try:
            request = _parsed(line)
            number = _number(request)
            method, parameters = request.get("method"), request.get("params")
            if request.get("jsonrpc") != "2.0" or not isinstance(method, str):
                raise Wrong(REQUEST, 'a request has "jsonrpc": "2.0" and a method')
            if "id" not in request:
                return None
            if not isinstance(parameters, dict | None):
                raise Wrong(PARAMETERS, "params is an object")
            said = {"result": self._result(method, parameters or {})}
        except Wrong as wrong:
            said = {"error": {"code": wrong.code, "message": str(wrong)}}
        return json.dumps({"jsonrpc": "2.0", "id": number, **said}, allow_nan=False)

    def _result(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            wanted = parameters.get("protocolVersion")
            return {
                "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "crisis", "version": self.desk.world.program},
                "instructions": INSTRUCTIONS,
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {
                "tools": [
                    {
                        "name": name,
                        "description": tool.about,
                        "inputSchema": tool.schema(),
                        "annotations": {"readOnlyHint": not tool.changes, "openWorldHint": False},
                    }
                    for name, tool in self.tools.items()
                ]
            }
        if method != "tools/call":
            raise Wrong(METHOD, f"no method is called {method[:40]!r}")
        name, said = parameters.get("name"), parameters.get("arguments")
        if not isinstance(name, str) or name not in self.tools:
            raise Wrong(PARAMETERS, f"no tool is called {str(name)[:40]!r}")
        if not isinstance(said, dict | None):
            raise Wrong(PARAMETERS, "arguments is an object")
        try:
            return self._called(name, said or {})
        except Exception as failure:
            # The fight is read anew: in the journal are whole actions only.
            self._fight = None
            raise Wrong(INTERNAL, f"{type(failure).__name__}: {str(failure)[:200]}") from failure

    def _called(self, name: str, said: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool; what is refused is told with what is legal, and changes nothing."""
        self._happened.clear()
        is_error = False
        try:
            body = self.tools[name].run(**self.tools[name].arguments(said))
        except CrisisError as error:
            is_error, body = True, self._refusal(name, error)
        text = json.dumps(body, ensure_ascii=False, allow_nan=False)
        return {"content": [{"type": "text", "text": text}], "structuredContent": body, "isError": is_error}

    def _refusal(self, name: str, error: CrisisError) -> dict[str, Any]:
        """An error for a model: with what the fight waits for, what is legal, and what happened before it."""
        from ..play.requests import Act

        said = {"code": error.code, "message": error.message, "hint": error.hint}
        said |= {"rule": error.rule} if error.rule else {}
        about = {key: value for key, value in error.about.items() if key not in ("final", "legal")}
        body: dict[str, Any] = {"error": {**about, **said}}
        if self._happened:
            body |= self._told()
        if self._fight is not None and self.tools[name].changes:
            body["waiting"] = _waiting(self._fight)
            if name == "do" and isinstance(self._fight.waiting, Act):
                body["legal"] = [row.line for row in self._fight.legal()]
        return body

    # The fight

    def _open(self) -> Fight:
        """The open fight as it is in the journal, where another program may have played on; Refused if there is none.

        What waits for an answer is kept while nobody else has acted.
        """
        from ..play.dice import AUTOMATIC
        from ..play.fight import Fight
        from ..play.turns import PLAYER

        desk, fight = self.desk, self._fight
        if fight is not None:
            desk.caches.journal = fight.session.journal
        journal = desk.journals.active()
        if journal is None:
            if fight is not None and fight.session.journal is None:
                # A question is open that the turn order depends on: no journal is there before it is answered.
                return fight
            self._fight = None
            raise Refused(
                f"no fight is open ({desk.places.file})", hint="open one with begin", code="no_crisis"
            )
        crisis, session = journal.crisis, desk.open_session()
        if fight is not None and fight.session.crisis and fight.session.crisis.header == crisis.header:
            fight.go_on_from(desk, session)
            return fight
        dice = AUTOMATIC._replace(real=crisis.dice == "real", mine=crisis.dice == "mine")
        self._fight = Fight(desk, session, PLAYER, dice, self._happened.append)
        return self._fight

    def _seen(self, fight: Fight) -> dict[str, Any]:
        """What has happened, and what is waited for."""
        return {
            **self._told(),
            "waiting": _waiting(fight),
            "decided": fight.decided,
            "winner": fight.winner or None,
        }

    def _told(self) -> dict[str, Any]:
        """What the tool has recorded, events among it, as objects and as text."""
        results = [result for done in self._happened for result in (done, *done.events)]
        return {
            "happened": [result.to_dict() for result in results],
            "text": [text for result in results if (text := str(result))],
        }

    def _others_act(self, fight: Fight) -> dict[str, Any]:
        """What has happened, after others have acted until the fight waits for something."""
        try:
            fight.play_on(self._stops)
        except Refused as refusal:
            if refusal.code != "nobody_can_act":
                raise
            return {**self._seen(fight), "note": refusal.message}
        return self._seen(fight)

    def _stops(self, *next_action: object) -> bool:
        return self.is_stopped()

    def _intent(self, fight: Fight, action: str, targets: list[str], options: dict[str, Any]) -> Intent:
        """What an action in words does; CrisisError where it is none, is not possible, or only a GM may do it."""
        line = action
        if action == "note" and not options:
            # What follows in the line of a note is its text, quotes too.
            line = " ".join([action, "--", *targets])
        elif targets or options:
            line = shlex.join([action, *targets, *_typed(options)])
        if not line.strip():
            raise Usage("missing argument: action", hint="legal lists actions", code="missing_argument")
        intent = self.read_line(fight.session, line)
        if intent.action not in (*fight.session.system.actions, *BESIDE_THE_RULES):
            raise Usage(f"{intent.action} is for the GM", hint="legal lists actions", code="unknown_action")
        fighters = fight.scene.fighters
        if intent.action in ("leave", "yield") and not all(
            fight.plays.fighter(fighters[name]) for name in intent.targets
        ):
            raise Usage("the others leave as they decide", hint="name those you play", code="unknown_action")
        actor = fighters.get(intent.actor)
        told_by_the_map = SEEN_ON_THE_MAP if actor is not None and actor.at is not None else ()
        if overriding := [name for name in (*OF_A_GM, *told_by_the_map) if name in intent.options]:
            raise Usage(f"{overriding[0]} is for the GM", hint="leave it out", code="unknown_option")
        return intent

    # The tools

    def _roll(self, expression: str) -> dict[str, Any]:
        from ..api import roll

        rolled = roll(expression, seed=self.desk.world.fresh_seed())
        return {**rolled.to_dict(), "text": rolled.text}

    def _odds(
        self, expression: str, action: str, targets: list[str], options: dict[str, Any]
    ) -> dict[str, Any]:
        from ..api import odds
        from ..play.requests import Legal

        if bool(expression) == bool(action):
            raise Usage("odds takes an expression or an action", code="missing_argument")
        if expression:
            return odds(expression).to_dict()
        fight = self._open()
        intent = self._intent(fight, action, targets, options)
        return fight.chances(Legal(action, intent, {})).to_dict()

    def _begin(self, players: list[str], opponents: list[str], encounter: str) -> dict[str, Any]:
        from ..play.dice import AUTOMATIC
        from ..play.fight import Fight
        from ..play.opening import Opening, prepare
        from ..play.party import those_who_play
        from ..play.turns import PLAYER
        from ..sheets.store import copies

        desk = self.desk
        if not (opponents or encounter):
            raise Usage("a fight has opponents, or is an encounter", code="missing_argument")
        sheets, encounters = desk.shelves.sheets(), desk.shelves.encounters()
        for word in (*players, *opponents):
            sheets.require_near(copies(word)[0], desk.places.cwd)
        encounters.store.require_near(encounter, desk.places.cwd)
        who = those_who_play(desk, tuple(players), bool(opponents or encounter))
        prepared = prepare(desk, Opening(who, tuple(opponents), encounter, None), AUTOMATIC)
        fight = Fight(desk, prepared.session, PLAYER, AUTOMATIC, self._happened.append)
        fight.open(prepared)
        self._fight = fight
        return self._others_act(fight)

    def _legal(self, who: str) -> dict[str, Any]:
        from ..engine.ranking import odds_table_for
        from ..play.table import decision_policy
        from ..sheets.find_fighters import find_name
        from .offers import MOST, QUICK, odds_of, offers, summary

        fight = self._open()
        system, scene = fight.session.system, fight.scene
        name = find_name(scene, who) if who else scene.turn
        if not name:
            raise Refused("no turn has begun", hint="name a fighter", code="no_turn")
        table, rows = odds_table_for(decision_policy(fight.desk, fight.session)), []
        offered = [one for one in offers(system, scene, name) if one.intent.action != "next"]
        for number, offer in enumerate(offered[:MOST]):
            odds = odds_of(system, scene, offer.intent, table) if number < QUICK else None
            shown = summary(system, odds) if odds else {"success": None, "down": {}, "harm": {}}
            rows.append(
                {
                    "line": _line(scene, offer.intent),
                    "costs": dict(offer.costs),
                    "chance": shown["success"] and shown["success"]["p"],
                    "harm": shown["harm"],
                    "down": {fighter: chance["p"] for fighter, chance in shown["down"].items()},
                }
            )
        if name in scene.acting:
            rows.append({"line": "next", "costs": {}, "chance": None, "harm": {}, "down": {}})
        return {"who": name, "legal": rows, "more": len(offered) > MOST}

    def _do(self, action: str, targets: list[str], options: dict[str, Any]) -> dict[str, Any]:
        fight = self._open()
        if fight.waiting is None and not fight.decided and fight.scene.turn:
            raise Refused(
                f"it is {fight.scene.turn}'s turn",
                hint="answer without a name: others act",
                code="not_their_turn",
            )
        intent = self._intent(fight, action, targets, options)
        fight.perform(intent)
        return self._others_act(fight)

    def _answer(self, name: str) -> dict[str, Any]:
        fight = self._open()
        if fight.waiting is not None or fight.decided:
            fight.answer(_meant(fight, name), self._stops)
        return self._others_act(fight)

    def _undo(self, count: int) -> dict[str, Any]:
        fight = self._open()
        undone = fight.undo(count) if count else fight.undo(mine=True)
        return {
            "undone": [result.number for result in undone],
            "text": [text for result in undone if (text := str(result))],
            "waiting": _waiting(fight),
            "decided": fight.decided,
        }

    def _status(self) -> dict[str, Any]:
        fight = self._open()
        return {**fight.state.to_dict(), "waiting": _waiting(fight), "decided": fight.decided}

    def _explain(self, number: int) -> dict[str, Any]:
        explained = self._open().explain(number)
        return {**explained.to_dict(), "text": str(explained)}

    def _oracle(self, question: str, odds: str) -> dict[str, Any]:
        from ..play import oracle
        from ..play.dice import Dice
        from ..play.drawing import aside
        from ..play.requests import Act

        if self.desk.has_crisis() and not isinstance(self._open().waiting, Act | None):
            raise Refused("a question waits for its answer", hint="answer it first", code="waiting")
        session = aside(self.desk)
        asked = oracle.parse_question(self.desk, session, question.split(), odds)
        result = oracle.ask(self.desk, session, asked, Dice())
        return {**result.to_dict(), "text": str(result)}

    def _log(self, form: str, after: int) -> dict[str, Any]:
        fight = self._open()
        if form not in ("", "markdown", "lonelog"):
            raise Usage(f"no form is called {form[:40]!r}", hint="markdown, lonelog", code="bad_value")
        if form:
            return {"text": fight.export(form)}
        return {"entries": [result.to_dict() for result in fight.log if result.number > after]}

    def _end(self, save: bool) -> dict[str, Any]:
        fight = self._open()
        winner, ended = fight.winner or None, fight.end(save)
        self._fight = None
        return {"winner": winner, "journal": ended.archive, "sheets": ended.sheets}


def _waiting(fight: Fight) -> dict[str, Any] | None:
    """What a fight waits for, as an object; None where it waits for nothing."""
    from ..play.requests import PASS, Act, Choose, Respond

    request, scene = fight.waiting, fight.scene
    if request is None:
        return None
    if isinstance(request, Act):
        return {"kind": "act", "who": request.who, "round": request.round}
    if isinstance(request, Choose):
        options = [option.name for option in request.options]
        action = _line(scene, request.action)
        return {
            "kind": "choose",
            "who": request.who,
            "action": action,
            "options": options,
            "usual": request.usual,
        }
    if isinstance(request, Respond):
        lines = [_line(scene, response.intent) for response in request.options]
        action = _line(scene, request.action)
        usual = PASS if request.usual is None else _line(scene, request.usual.intent)
        return {
            "kind": "respond",
            "who": request.who,
            "actor": request.action.actor,
            "action": action,
            "options": [PASS, *lines],
            "usual": usual,
        }
    roll = request.roll
    shown = [face for _, face in roll.faces]
    return {"kind": "faces", "who": roll.who, "what": roll.what, "sides": request.sides, "faces": shown}


def _line(scene: Scene, intent: Intent) -> str:
    """An intent as it is typed, without the reasons of a doctrine."""
    from ..render.command_text import typed

    options = {key: value for key, value in intent.options.items() if key != "reason"}
    return "next" if intent.action == "next" else typed(scene, intent._replace(options=options))


def _meant(fight: Fight, name: str) -> Answer:
    """The answer that a name means; None for the usual one."""
    from ..play.requests import Act, Faces, Respond

    request = fight.waiting
    if not name:
        return None
    if isinstance(request, Act):
        raise Usage("an action is taken with do, not answered", hint="do, or answer without a name")
    if isinstance(request, Faces):
        words = name.replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
            raise Usage("the answer is the faces of the dice", hint="such as 4 6", code="wrong_dice")
        return [int(word) for word in words]
    if isinstance(request, Respond):
        for response in request.options:
            if _line(fight.scene, response.intent) == name:
                return response
    return name


def _plain(value: Any) -> Any:
    """An argument, which is one line if it is a text; Usage for control characters, which no line that is typed has."""
    if not isinstance(value, str):
        return value
    text = " ".join(value.split())
    if not all(is_shown(text, at) for at in range(len(text))):
        raise Usage("a text holds a control character", hint="leave it out", code="bad_value")
    return text


def _typed(options: Mapping[str, Any]) -> Sequence[str]:
    """Options as they are typed; Usage for a value that none takes."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        parts = value if isinstance(value, list) else [value]
        if len(parts) > MOST_NAMES or not all(
            isinstance(part, str | int | float) and len(str(part)) <= LONGEST_TEXT for part in parts
        ):
            raise Usage(f"{name[:40]} has a value that no option takes", code="bad_value")
        option = f"--{name.replace('_', '-')}"
        words.append(option if value is True else f"{option}={','.join(_plain(str(part)) for part in parts)}")
    return words


def _parsed(line: bytes) -> dict[str, Any]:
    """The object in a line; Wrong where it is none."""
    if len(line) > LONGEST:
        raise Wrong(REQUEST, f"a request has at most {LONGEST:,} bytes")
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=_no_number, parse_float=_finite)
        # Half a surrogate pair is no text, and cannot be written.
        json.dumps(request, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as wrong:
        raise Wrong(PARSE, "the line is not JSON in UTF-8") from wrong
    if not isinstance(request, dict):
        raise Wrong(REQUEST, "a request is an object")
    return request


def _no_number(word: str) -> float:
    """Raise ValueError for NaN and infinity, which JSON does not have."""
    raise ValueError(f"JSON has no {word}")


def _finite(digits: str) -> float:
    """A number; ValueError where it is too large for one."""
    number = float(digits)
    return _no_number(digits) if number - number != 0 else number


def _number(request: Mapping[str, Any]) -> str | int | float | None:
    """The id of a request, None for a notification; Wrong where it is neither a text nor a number."""
    number = request.get("id")
    if "id" in request and (isinstance(number, bool) or not isinstance(number, str | int | float)):
        raise Wrong(REQUEST, "an id is a text or a number")
    return number
