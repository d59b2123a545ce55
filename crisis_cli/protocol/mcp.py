"""A server of the Model Context Protocol: JSON-RPC, one object a line, by which language models play.

The program owns dice, rules and state; the model chooses, and tells what the results say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any

from ..errors import CrisisError, Usage
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..play.fight import Fight
    from ..play.library import Library
    from ..play.results import Result

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The versions of the protocol that are spoken, the newest first."""
LONGEST = 1_000_000
"""The longest request, in characters."""
PARSE, REQUEST, METHOD, PARAMETERS, INTERNAL = -32700, -32600, -32601, -32602, -32603
"""The codes of JSON-RPC errors."""
INSTRUCTIONS = (
    "A tabletop fight. The program owns dice, rules and state: never invent a roll, a number or an effect; tell only "
    "what results say. begin opens a fight, status and legal show it, do acts for the fighter whose turn it is, answer "
    "answers what waits (without a name as the fighter's doctrine would), end closes it. Refusals say what is legal."
)


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


class Tool(NamedTuple):
    """One thing that a model can ask for."""

    about: str
    run: Callable[..., dict[str, Any]]
    parameters: tuple[Parameter, ...] = ()

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        properties = {}
        for one in self.parameters:
            several = {"type": "array", "items": {"type": "string"}}
            kind = several if one.kind == "strings" else {"type": one.kind}
            properties[one.name] = {**kind, "description": one.about}
        required = [one.name for one in self.parameters if one.usual is None]
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def arguments(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call, with what is usual filled in; Wrong where they do not fit the schema."""
        known = {one.name for one in self.parameters}
        if strange := [name for name in said if name not in known]:
            raise Wrong(
                PARAMETERS, f"no argument is called {strange[0][:40]!r}; there are: {', '.join(known)}"
            )
        values = {}
        for one in self.parameters:
            value = said.get(one.name, one.usual)
            if value is None:
                raise Wrong(PARAMETERS, f"missing argument: {one.name}")
            if not FITS[one.kind](value):
                raise Wrong(PARAMETERS, f"{one.name} is no {one.kind}: {str(value)[:40]}")
            values[one.name] = value
        return values


FITS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "strings": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
}
"""Whether a value is of a type."""


class McpServer:
    """Answers the requests of a model about the fight in one journal."""

    def __init__(self, library: Library, file: str):
        self.library = library
        self.file = file
        self._fight: Fight | None = None
        who = Parameter("who", "string", "A fighter; by default the one whose turn it is.", "")
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
                    Parameter("action", "string", "An action, such as attack.", ""),
                    Parameter("targets", "strings", "The fighters it is aimed at.", []),
                    Parameter("options", "object", "Options of the rules, such as weapon or cover.", {}),
                ),
            ),
            "begin": Tool(
                "Open a fight; you decide for the players, their foes play by themselves.",
                self._begin,
                (
                    Parameter("players", "strings", "Sheets by name; drone:2 means two of it.", []),
                    Parameter("opponents", "strings", "Sheets of the other side.", []),
                    Parameter("encounter", "string", "An encounter to play instead of opponents.", ""),
                ),
            ),
            "legal": Tool(
                "List what a fighter can do now, with costs and the exact chance of each.",
                self._legal,
                (who,),
            ),
            "do": Tool(
                "Take one action for the fighter whose turn it is; next ends the turn, and others act.",
                self._do,
                (
                    Parameter("action", "string", "An action of the rules, such as attack, move or next."),
                    Parameter("targets", "strings", "Fighters or things, as names.", []),
                    Parameter(
                        "options", "object", "Options of the rules, such as weapon, range or cover.", {}
                    ),
                ),
            ),
            "answer": Tool(
                "Answer what the fight waits for, by the name of an option; empty: as the doctrine would.",
                self._answer,
                (Parameter("name", "string", "One of the options that wait; pass lets an action pass.", ""),),
            ),
            "undo": Tool(
                "Undo the last actions, dice and all.",
                self._undo,
                (Parameter("count", "integer", "How many actions.", 1),),
            ),
            "status": Tool("Show the state of the fight.", self._status),
            "explain": Tool(
                "Explain a result: every modifier and effect with its rule.",
                self._explain,
                (Parameter("number", "integer", "The number of an entry; 0 for the last result.", 0),),
            ),
            "oracle": Tool(
                "Ask the oracle a yes-or-no question; the answer is recorded.",
                self._oracle,
                (
                    Parameter("question", "string", "The question."),
                    Parameter("odds", "string", "How likely yes is: even, likely, or a percentage.", "even"),
                ),
            ),
            "log": Tool(
                "Show what has happened: entries, or the whole fight told as markdown or lonelog.",
                self._log,
                (Parameter("form", "string", "markdown, lonelog, or empty for the entries.", ""),),
            ),
            "end": Tool(
                "End the fight: save the sheets, and archive the journal.",
                self._end,
                (Parameter("save", "boolean", "Whether the sheets are saved.", True),),
            ),
        }

    # The protocol

    def answered(self, line: str) -> dict[str, Any] | None:
        """The response to one line; None for a notification."""
        number: Any = None
        try:
            request = _parsed(line)
            number, method = request.get("id"), request["method"]
            parameters = request.get("params", {})
            if not isinstance(parameters, dict):
                raise Wrong(PARAMETERS, "params is an object")
            if "id" not in request:
                return None
            return {"jsonrpc": "2.0", "id": number, "result": self._result(method, parameters)}
        except Wrong as wrong:
            return {"jsonrpc": "2.0", "id": number, "error": {"code": wrong.code, "message": str(wrong)}}

    def _result(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            wanted = parameters.get("protocolVersion")
            return {
                "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "crisis", "version": self.library.version},
                "instructions": INSTRUCTIONS,
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {
                "tools": [
                    {"name": name, "description": tool.about, "inputSchema": tool.schema()}
                    for name, tool in self.tools.items()
                ]
            }
        if method != "tools/call":
            raise Wrong(METHOD, f"no method is called {method[:40]!r}")
        name, said = parameters.get("name"), parameters.get("arguments") or {}
        if not isinstance(name, str) or name not in self.tools:
            raise Wrong(PARAMETERS, f"no tool is called {str(name)[:40]!r}")
        if not isinstance(said, dict):
            raise Wrong(PARAMETERS, "arguments is an object")
        return self._called(self.tools[name], said)

    def _called(self, tool: Tool, said: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool; what is refused is told with what is legal, and changes nothing."""
        arguments, is_error = tool.arguments(said), False
        try:
            body = tool.run(**arguments)
        except CrisisError as error:
            is_error = True
            body = {
                "error": {"code": error.code, "message": error.message, "hint": error.hint, **error.about}
            }
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
            RecursionError,
        ) as failure:
            # A value of a kind that the rules do not expect: the server goes on.
            is_error = True
            body = {
                "error": {"code": "bad_value", "message": f"{type(failure).__name__}: {failure}", "hint": ""}
            }
        text = json.dumps(body, ensure_ascii=False, default=str)
        return {
            "content": [{"type": "text", "text": text}],
            "structuredContent": json.loads(text),
            "isError": is_error,
        }

    # The tools

    def _open(self) -> Fight:
        """The fight of this server, or the one that is open in its journal."""
        if self._fight is None or self._fight.ended:
            self._fight = self.library.resume(self.file)
        return self._fight

    def _seen(self, results: Iterable[Result]) -> dict[str, Any]:
        """What has happened, and what is waited for."""
        fight, several = self._open(), list(results)
        return {
            "happened": [one.to_dict() for one in several],
            "text": [str(one) for one in several if str(one)],
            "waiting": _waiting(fight),
            "decided": fight.decided,
            "winner": fight.winner or None,
        }

    def _roll(self, expression: str) -> dict[str, Any]:
        from ..api import roll

        return roll(expression).to_dict()

    def _odds(
        self, expression: str, action: str, targets: list[str], options: dict[str, Any]
    ) -> dict[str, Any]:
        from ..api import odds

        if bool(expression) == bool(action):
            raise Usage("odds takes an expression or an action", code="missing_argument")
        if expression:
            return odds(expression).to_dict()
        return self._open().chances(action, *targets, **options).to_dict()

    def _begin(self, players: list[str], opponents: list[str], encounter: str) -> dict[str, Any]:
        fight = self.library.begin(*players, vs=opponents, encounter=encounter, file=self.file)
        self._fight = fight
        opening = fight.log
        return self._seen([*opening, *fight.play_on()])

    def _legal(self, who: str) -> dict[str, Any]:
        fight, rows = self._open(), []
        for one in fight.legal(who):
            chance = None
            if one.intent.action != "next":
                try:
                    chance = fight.chances(one).success
                except CrisisError:
                    # Too wide, or nothing is rolled.
                    chance = None
            rows.append({"line": one.line, "costs": dict(one.costs), "chance": chance})
        return {"legal": rows}

    def _do(self, action: str, targets: list[str], options: dict[str, Any]) -> dict[str, Any]:
        fight = self._open()
        results = fight.next() if action == "next" else fight.do(action, *targets, **options)
        return self._seen([*results, *([] if fight.waiting else fight.play_on())])

    def _answer(self, name: str) -> dict[str, Any]:
        fight = self._open()
        return self._seen(fight.answer(_said(fight, name)))

    def _undo(self, count: int) -> dict[str, Any]:
        undone = self._open().undo(count)
        return {"undone": [one.number for one in undone], "text": [str(one) for one in undone if str(one)]}

    def _status(self) -> dict[str, Any]:
        fight = self._open()
        return {**fight.state.to_dict(), "waiting": _waiting(fight)}

    def _explain(self, number: int) -> dict[str, Any]:
        return self._open().explain(number).to_dict()

    def _oracle(self, question: str, odds: str) -> dict[str, Any]:
        return self._open().ask(question, odds).to_dict()

    def _log(self, form: str) -> dict[str, Any]:
        fight = self._open()
        if form:
            return {"text": fight.export(form)}
        return {"entries": [one.to_dict() for one in fight.log]}

    def _end(self, save: bool) -> dict[str, Any]:
        fight = self._open()
        ended, self._fight = fight.end(save), None
        return {"winner": fight.winner or None, "journal": ended.archive, "sheets": ended.sheets}


def _waiting(fight: Fight) -> dict[str, Any] | None:
    """What a fight waits for, as an object; None where it waits for nothing."""
    from ..play.requests import Act, Choose, Respond
    from ..render.command_text import typed

    request = fight.waiting
    if isinstance(request, Act):
        return {"kind": "act", "who": request.who}
    if isinstance(request, Choose):
        options = [one.name for one in request.options]
        return {"kind": "choose", "who": request.who, "options": options, "usual": request.usual}
    if isinstance(request, Respond):
        lines = [typed(fight.scene, one.intent) for one in request.options]
        against = typed(fight.scene, request.action)
        return {"kind": "respond", "who": request.who, "action": against, "options": ["pass", *lines]}
    return None if request is None else {"kind": "faces", "who": request.roll.who, "sides": request.sides}


def _said(fight: Fight, name: str) -> Any:
    """The answer that a name means; None for the usual one."""
    from ..play.requests import Act, Respond
    from ..render.command_text import typed

    request = fight.waiting
    if not name:
        return None
    if isinstance(request, Act):
        raise Usage("an action is taken with do, not answered", hint="do, or answer without a name")
    if isinstance(request, Respond) and name != "pass":
        for one in request.options:
            if typed(fight.scene, one.intent) == name:
                return one
    return name


def _parsed(line: str) -> dict[str, Any]:
    """The request in a line; Wrong where it is none."""
    if len(line) > LONGEST:
        raise Wrong(REQUEST, f"a request has at most {LONGEST:,} characters")
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        raise Wrong(PARSE, "the line is not JSON") from wrong
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        raise Wrong(REQUEST, "a request is an object with a method")
    return request


def serve(lines: Iterable[str], out: IO[str], library: Library, file: str) -> None:
    """Answer requests until the input ends."""
    server = McpServer(library, file)
    for line in lines:
        if line.strip():
            response = server.answered(line)
            if response is not None:
                out.write(json.dumps(response, ensure_ascii=False) + "\n")
                out.flush()
