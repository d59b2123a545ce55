"""`crisis mcp`: a server of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import random
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from conftest import JOURNAL_OF_NOW, NO_SKIPS, PROGRAM, Player, Sheets, needs_program, program_env, slow_but

from crisis_cli.cli import run
from crisis_cli.commands.reading import read_line
from crisis_cli.context import context_of
from crisis_cli.manual.markup import sections
from crisis_cli.protocol.mcp import LONGEST, VERSIONS, McpServer
from crisis_cli.sheets.files import confined

Said = dict[str, Any]
FIGHTS = {
    "3d6": (["jack", "ada"], ["drone:2"]),
    "step": (["vera", "moss"], ["raider:2"]),
    "d100": (["marshal", "ines"], ["looter:2"]),
    "2d20": (["cass", "doc"], ["ghoul:2"]),
    "d6pool": (["hagen", "tilda"], ["bandit:2"]),
}


class Model:
    """A language model at the other end: it calls tools of a server in this process."""

    def __init__(self, player: Player):
        self.player = player
        self.err = StringIO()
        context = context_of(player.environment(is_interactive=False, err=self.err))
        self.server = McpServer(context.desk, partial(read_line, context), lambda: False)
        self.places = context.desk.places

    def line(self, line: bytes) -> Said | None:
        """What is answered to a line; None for nothing."""
        with confined(self.places.cwd, self.places.may_be_written(), writer="crisis mcp", remedy="stay"):
            said = self.server.answered(line)
        if said is None:
            return None
        assert "\n" not in said and said.isascii()
        answer: Said = json.loads(said, parse_constant=pytest.fail)
        assert answer["jsonrpc"] == "2.0" and len({"result", "error"} & {*answer}) == 1
        return answer

    def request(self, method: str, params: Any = None) -> Said:
        """The response to a request."""
        request = {"jsonrpc": "2.0", "id": 7, "method": method} | (
            {} if params is None else {"params": params}
        )
        answer = self.line(json.dumps(request).encode())
        assert answer is not None and answer["id"] == 7
        return answer

    def called(self, tool: str, **arguments: Any) -> Said:
        """The result of a tool."""
        result: Said = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result

    def ok(self, tool: str, **arguments: Any) -> Said:
        """What a tool gives that does what it is asked for."""
        result = self.called(tool, **arguments)
        assert not result["isError"], result["structuredContent"]
        body: Said = result["structuredContent"]
        return body

    def refused(self, tool: str, **arguments: Any) -> Said:
        """What is said about a call that is refused, and records nothing."""
        before = self.player.files()
        result = self.called(tool, **arguments)
        assert result["isError"] and self.player.files() == before
        body: Said = result["structuredContent"]
        assert {"code", "message", "hint"} <= {*body["error"]}
        return body


@pytest.fixture
def model(crisis: Player, sheets: Sheets) -> Model:
    """A model in the folder of a player."""
    return Model(crisis)


@pytest.fixture
def fighting(model: Model) -> Model:
    """A model in its first turn, in a fight of Jack against two drones."""
    begun = model.ok("begin", players=["jack"], opponents=["drone:2"])
    assert begun["waiting"]["who"] == "Jack" and begun["happened"][0]["action"] == "init"
    return model


# The protocol


def test_it_initialises_and_lists_its_tools(model: Model) -> None:
    for wanted, spoken in ((VERSIONS[1], VERSIONS[1]), ("1999-01-01", VERSIONS[0]), ({}, VERSIONS[0])):
        result = model.request("initialize", {"protocolVersion": wanted})["result"]
        assert result["protocolVersion"] == spoken and result["serverInfo"]["name"] == "crisis"
    assert model.line(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') is None
    assert model.request("ping")["result"] == {}
    tools = {tool["name"]: tool for tool in model.request("tools/list")["result"]["tools"]}
    names = "roll odds begin legal do answer undo status explain oracle log end"
    assert [*tools] == names.split()
    for tool in tools.values():
        assert tool["description"].count(".") == 1 and tool["inputSchema"]["type"] == "object"
        assert all(one["description"] for one in tool["inputSchema"]["properties"].values())
        assert {*tool["inputSchema"]["required"]} <= {*tool["inputSchema"]["properties"]}
    assert not tools["do"]["annotations"]["readOnlyHint"] and tools["odds"]["annotations"]["readOnlyHint"]


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
HOSTILE: dict[str, tuple[bytes, int | None]] = {
    "nothing": (b"  \n", None),
    "words": (b"hello", -32700),
    "half": (b'{"jsonrpc": "2.0", "id": 1', -32700),
    "no UTF-8": (b'\xff\xfe{"id": 1}', -32700),
    "a zero byte": (b'\x00{"jsonrpc": "2.0", "id": 1, "method": "ping"}', -32700),
    "nested": (b"[" * 100_000 + b"]" * 100_000, -32700),
    "nested objects": (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, -32700),
    "huge": (b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"a" * LONGEST + b'"}', -32600),
    "half a surrogate pair": (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', -32700),
    "NaN": (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700),
    "infinity": (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": -Infinity}}', -32700),
    "too large a number": (b'{"jsonrpc": "2.0", "id": 1e999, "method": "ping"}', -32700),
    "too many digits": (b'{"jsonrpc": "2.0", "id": ' + b"9" * 10_000 + b', "method": "ping"}', -32700),
    "an array": (b"[]", -32600),
    "a batch": (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
    "a text": (b'"ping"', -32600),
    "null": (b"null", -32600),
    "an empty object": (b"{}", -32600),
    "no version": (b'{"id": 1, "method": "ping"}', -32600),
    "another version": (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
    "no method": (b'{"jsonrpc": "2.0", "id": 1}', -32600),
    "a number for a method": (b'{"jsonrpc": "2.0", "id": 1, "method": 4}', -32600),
    "a response": (b'{"jsonrpc": "2.0", "id": 1, "result": {}}', -32600),
    "null for an id": (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
    "an object for an id": (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
    "a boolean for an id": (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
    "an unknown method": (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', -32601),
    "a strange method": (b'{"jsonrpc": "2.0", "id": 1, "method": "\\u001b[2J\\u0000"}', -32601),
    "params in an array": (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}', -32602),
    "params as a text": (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "x"}', -32602),
    "no params": (json.dumps(CALL).encode(), -32602),
    "no name": (json.dumps({**CALL, "params": {"arguments": {}}}).encode(), -32602),
    "a number for a name": (json.dumps({**CALL, "params": {"name": 4}}).encode(), -32602),
    "an unknown tool": (json.dumps({**CALL, "params": {"name": "rm", "arguments": {}}}).encode(), -32602),
    "a method of the server": (json.dumps({**CALL, "params": {"name": "_end"}}).encode(), -32602),
    "arguments in an array": (
        json.dumps({**CALL, "params": {"name": "roll", "arguments": ["d6"]}}).encode(),
        -32602,
    ),
    "a notification": (b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}', None),
    "an unknown notification": (b'{"jsonrpc": "2.0", "method": "nonsense", "params": 4}', None),
    "a call without an id": (
        b'{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "end"}}',
        None,
    ),
}
"""Lines that no client should send, with the code of the error; None where nothing is answered."""


@pytest.mark.parametrize("what", HOSTILE)
def test_a_broken_request_gets_an_error_and_the_server_goes_on(fighting: Model, what: str) -> None:
    before = fighting.player.files()
    line, code = HOSTILE[what]
    answer = fighting.line(line)
    assert (answer and answer["error"]["code"]) == code
    if answer:
        assert len(answer["error"]["message"]) < 200 and answer["id"] in (1, None)
    assert fighting.player.files() == before
    assert fighting.ok("status")["waiting"]["who"] == "Jack"


@pytest.mark.parametrize("number", [0, -1, 2.5, "", "a", "é\n", 2**60])
def test_an_id_is_given_back_as_it_came(model: Model, number: Any) -> None:
    answer = model.line(json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}).encode())
    assert answer == {"jsonrpc": "2.0", "id": number, "result": {}}


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("roll", {}, "missing_argument"),
        ("roll", {"expression": None}, "missing_argument"),
        ("roll", {"expression": 6}, "bad_value"),
        ("roll", {"expression": ["d6"]}, "bad_value"),
        ("roll", {"expression": "d6", "seed": 4}, "unknown_option"),
        ("roll", {"expression": "9" * 3_000}, "bad_value"),
        ("roll", {"expression": "(" * 1_500}, "too_deep"),
        ("roll", {"expression": "@might"}, "unresolved_value"),
        ("odds", {}, "missing_argument"),
        ("odds", {"expression": "d6", "action": "attack"}, "missing_argument"),
        ("begin", {"players": "jack"}, "bad_value"),
        ("begin", {"players": [["jack"]]}, "bad_value"),
        ("begin", {"players": ["jack"] * 101}, "bad_value"),
        ("legal", {"who": "bob"}, "not_found"),
        ("legal", {"who": "\x1b[2J\x00"}, "bad_value"),
        ("oracle", {"question": "Is it \x00 dark?"}, "bad_value"),
        ("do", {"action": "note", "targets": ["\x1b[2J"]}, "bad_value"),
        ("do", {"action": "move", "options": {"why": "\x07"}}, "bad_value"),
        ("do", {"action": ""}, "missing_argument"),
        ("do", {"action": "attack", "targets": "drone-1"}, "bad_value"),
        ("do", {"action": "attack", "targets": ["bob"]}, "not_found"),
        ("do", {"action": "attack 'drone"}, "quote"),
        ("do", {"action": "sing"}, "unknown_command"),
        ("do", {"action": "undo"}, "unknown_command"),
        ("do", {"action": "end"}, "unknown_command"),
        ("do", {"action": "set jack health 100"}, "unknown_action"),
        ("do", {"action": "set", "targets": ["drone-1", "health", "0"]}, "unknown_action"),
        ("do", {"action": "join ada"}, "unknown_action"),
        ("do", {"action": "auto jack on"}, "unknown_action"),
        ("do", {"action": "next", "options": {"file": "other.jsonl"}}, "unknown_option"),
        ("do", {"action": "move", "options": {"to": [1e300, 2]}}, None),
        ("do", {"action": "move", "options": {"to": {"x": 1}}}, "bad_value"),
        ("do", {"action": "move", "options": {"to": [[1], 2]}}, "bad_value"),
        ("do", {"action": "move", "options": {"to": True}}, None),
        ("do", {"action": "attack", "targets": ["drone-1"], "options": {"range": "x"}}, None),
        ("do", {"action": "attack", "targets": ["drone-1"], "options": {"sword": 3}}, "unknown_option"),
        ("do", {"action": "attack", "targets": ["drone-1"], "options": {"weapon": 3}}, None),
        ("do", {"action": "attack", "targets": ["drone-1"], "options": {"force": True}}, "unknown_option"),
        ("do", {"action": "attack", "targets": ["drone-1"], "options": {"mod": 9}}, None),
        ("do", {"action": "attack drone-1 --dice 6,6,6"}, "conflicting_options"),
        ("do", {"action": "attack drone-1 --seed 4"}, "conflicting_options"),
        ("do", {"action": "attack drone-1 --dry-run"}, "unheeded_option"),
        ("do", {"action": "attack drone-1 --help"}, "bad_answer"),
        ("do", {"action": "next", "options": {"help": True}}, "bad_answer"),
        ("do", {"action": "leave", "targets": ["drone-1"]}, "unknown_action"),
        ("do", {"action": "attack", "options": {"": 1, "self": 2, "action": 3}}, None),
        ("answer", {"name": "dodge"}, None),
        ("answer", {"name": 4}, "bad_value"),
        ("undo", {"count": -1}, "bad_value"),
        ("undo", {"count": True}, "bad_value"),
        ("undo", {"count": 1.5}, "bad_value"),
        ("undo", {"count": 10**30}, "bad_value"),
        ("undo", {"count": 999}, "nothing_to_undo"),
        ("explain", {"number": 10**30}, "bad_value"),
        ("explain", {"number": 999}, "no_entry"),
        ("explain", {"number": "1"}, "bad_value"),
        ("oracle", {"question": " "}, "missing_argument"),
        ("oracle", {"question": "Is it dark?", "odds": "200%"}, None),
        ("log", {"form": "html"}, "bad_value"),
        ("log", {"form": "../../etc/passwd"}, "bad_value"),
        ("end", {"save": "yes"}, "bad_value"),
    ],
    ids=str,
)
def test_a_wrong_call_is_an_error_that_says_why(
    fighting: Model, tool: str, arguments: Said, code: str | None
) -> None:
    said = fighting.refused(tool, **arguments)
    assert code in (None, said["error"]["code"]), said
    assert len(json.dumps(said)) < 5_000
    assert fighting.ok("status")["waiting"] == {"kind": "act", "who": "Jack", "round": 1}


def test_an_exception_of_a_tool_is_an_internal_error_and_the_fight_unharmed(
    fighting: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fighting.player.files()
    for failure in (KeyError("x"), RecursionError(), MemoryError(), OSError("disk")):

        def fails(*words: Any, failure: Exception = failure, **more: Any) -> Any:
            raise failure

        with monkeypatch.context() as patch:
            patch.setattr("crisis_cli.play.turns.perform_once", fails)
            error = fighting.request("tools/call", {"name": "do", "arguments": {"action": "drop-prone"}})[
                "error"
            ]
        assert error["code"] == -32603 and type(failure).__name__ in error["message"]
        assert fighting.player.files() == before
        assert fighting.ok("status")["waiting"]["who"] == "Jack"
    assert fighting.ok("do", action="drop-prone")["happened"]


# The tools


def test_roll_and_odds_need_no_fight(model: Model) -> None:
    rolled = model.ok("roll", expression="4d6kh3")
    assert rolled["total"] and rolled["text"]
    assert model.ok("odds", expression="2d6")["mean"] == 7
    assert model.player.files().keys() == {f"characters/{stem}.toml" for stem in ("jack", "ada", "drone")}
    assert model.refused("odds", action="attack")["error"]["code"] == "no_crisis"
    for tool in ("legal", "status", "log", "end", "undo", "explain", "answer"):
        assert model.refused(tool)["error"]["code"] == "no_crisis", tool
    for question in ("Is it dark?", "event"):
        assert model.ok("oracle", question=question, odds="likely")["text"]
    assert not model.player.journal.exists()
    assert model.refused("begin", players=["jack"])["error"]["code"] == "missing_argument"


def test_a_fight_is_begun_once(fighting: Model) -> None:
    assert fighting.player.journal.exists()
    assert fighting.refused("begin", players=["jack"], opponents=["drone"])["error"]["code"] == "open"
    state = fighting.ok("status")
    assert [one["name"] for one in state["fighters"]] == ["Jack", "Drone 1", "Drone 2"]
    assert state["waiting"]["kind"] == "act" and not state["decided"]


def test_an_encounter_and_a_campaign_can_be_played(crisis: Player) -> None:
    crisis.ok("campaign new Here jack ada")
    model = Model(Player(crisis.here / "here"))
    begun = model.ok("begin", encounter="bridge")
    assert begun["happened"] and (model.player.here / "crisis.jsonl").exists()
    ended = model.ok("end")
    assert ended["journal"].startswith("journals") and (model.player.here / ended["journal"]).exists()
    assert model.player.ok("campaign --json").record["fights"]


@pytest.mark.parametrize("system", slow_but(FIGHTS, "3d6"))
def test_every_legal_line_has_odds_and_can_be_done(crisis: Player, system: str) -> None:
    model, chance = Model(crisis), random.Random(4)
    players, opponents = FIGHTS[system]
    seen = model.ok("begin", players=players, opponents=opponents)
    done = 0
    for _ in range(60):
        if seen["decided"] or done > 25:
            break
        if seen["waiting"] and seen["waiting"]["kind"] == "act":
            legal = model.ok("legal")
            assert legal["who"] == seen["waiting"]["who"] and legal["legal"][-1]["line"] == "next"
            attacks = [row for row in legal["legal"] if row["line"].startswith("attack")]
            assert not attacks or any(row["chance"] is not None for row in attacks)
            seen = model.ok("do", action=chance.choice(legal["legal"])["line"])
            done += 1
        else:
            options = (seen["waiting"] or {}).get("options", [""])
            seen = model.ok("answer", name=chance.choice(options))
    assert done > 3 and model.player.ok("verify").status == 0


def test_an_action_comes_as_words_or_as_a_line(fighting: Model) -> None:
    fighting.player.ok("set drone-1 at 1,0")
    fighting.player.ok("set jack at 0,0")
    for name, value in {"mod": 9, "mod-damage": 9, "force": True}.items():
        said = fighting.refused("do", action="attack", targets=["drone-1"], options={name: value})
        assert (said["error"]["code"], said["error"]["hint"]) == ("unknown_option", "leave it out")
    odds = fighting.ok("odds", action="attack", targets=["drone-1"], options={"weapon": "baton"})
    assert odds["success"] == fighting.player.ok("odds attack drone-1 --json").record["success"]
    hit = fighting.ok("do", action="attack", targets=["drone-1"], options={"weapon": "baton", "aim": None})
    assert hit["happened"][0]["action"] == "attack" and hit["text"]
    assert "attack" in fighting.ok("explain")["text"] or fighting.ok("explain")["rolls"]
    assert fighting.ok("explain", number=1)["action"]
    noted = fighting.ok("do", action="note", targets=["It\u2028rains;\n'really'."])
    assert noted["happened"][0]["action"] == "note"
    assert "It rains; 'really'." in fighting.ok("log", form="markdown")["text"]
    moved = fighting.ok("do", action="move", options={"to": [0, 1]})
    assert moved["happened"][0]["effects"][-1]["now"] == [0, 1]
    assert fighting.ok("oracle", question="Is it dark?")["number"] > moved["happened"][0]["number"]
    assert fighting.ok("status")["waiting"]["who"] == "Jack"
    log = fighting.ok("log")["entries"]
    assert fighting.ok("log", after=log[-2]["number"])["entries"] == log[-1:]


def test_undo_goes_back_by_actions_or_to_ones_own(fighting: Model) -> None:
    before = fighting.ok("status")
    assert fighting.ok("do", action="drop-prone")["happened"]
    passed = fighting.ok("do", action="next")
    assert len(passed["happened"]) > 1
    last = passed["happened"][-1]["number"]
    assert fighting.ok("undo", count=1)["undone"][0] == last
    assert fighting.ok("undo")["undone"][-1] > fighting.ok("undo")["undone"][-1]
    assert fighting.ok("status") == before
    assert fighting.player.ok("verify")


def test_others_act_where_nothing_waits(fighting: Model) -> None:
    fighting.ok("do", action="next")
    undone = fighting.ok("undo", count=1)
    assert undone["waiting"] is None
    assert fighting.refused("do", action="drop-prone")["error"]["code"] == "not_their_turn"
    assert fighting.ok("answer")["waiting"]["who"] == "Jack"


def test_a_refusal_says_what_is_legal(fighting: Model) -> None:
    fighting.player.ok("set drone-1 at 40,0")
    said = fighting.refused("do", action="attack", targets=["drone-1"])
    assert said["error"]["rule"] and said["error"]["hint"] is not None
    assert "next" in said["legal"] and said["waiting"]["who"] == "Jack"
    assert fighting.ok("do", action=said["legal"][0])


def question(model: Model) -> Said:
    """A question in the middle of an action: a raider shoots at Vera, who may react."""
    seen = model.ok("begin", players=["hagen"], opponents=["bandit:2"])
    for _ in range(20):
        if seen["waiting"] and seen["waiting"]["kind"] != "act":
            return seen
        seen = model.ok("do", action="next")
    raise AssertionError("nobody asked anything")


def test_a_question_waits_for_its_answer(crisis: Player) -> None:
    model = Model(crisis)
    asked = question(model)["waiting"]
    assert asked["options"] and asked["usual"] in asked["options"]
    assert model.ok("status")["waiting"] == asked, "looking at the fight forgets nothing"
    wrong = model.refused("answer", name="sing")
    assert wrong["waiting"] == asked
    assert model.refused("do", action="next")["error"]["code"] == "waiting"
    assert model.refused("oracle", question="Is it dark?")["error"]["code"] == "waiting"
    assert asked["actor"] and "reason" not in asked["action"]
    seen = model.ok("answer", name=asked["options"][0])
    while not seen["happened"]:
        seen = model.ok("answer", name=seen["waiting"]["options"][-1])
    assert model.player.ok("verify")


def test_an_opening_waits_for_its_answer(crisis: Player) -> None:
    crisis.seed = 0
    model = Model(crisis)
    asked = model.ok("begin", players=["hagen"], opponents=["bandit"])["waiting"]
    assert asked["kind"] == "choose" and not crisis.journal.exists()
    assert model.ok("status")["waiting"] == asked
    for tool, arguments in (("end", {}), ("do", {"action": "next"}), ("undo", {})):
        model.refused(tool, **arguments)
        assert model.ok("status")["waiting"] == asked
    seen = model.ok("answer", name=asked["usual"])
    while not seen["happened"]:
        seen = model.ok("answer", name=seen["waiting"]["usual"])
    assert seen["happened"][0]["action"] == "init" and crisis.ok("verify")


@pytest.mark.parametrize("call", [{"action": "next", "options": {"help": True}}, {"action": "attack --help"}])
def test_nothing_but_answers_is_printed(
    fighting: Model, call: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fighting.refused("do", **call)["error"]["code"] == "bad_answer"
    assert capsys.readouterr() == ("", "")


def test_what_the_map_says_a_model_does_not(crisis: Player) -> None:
    model = Model(crisis)
    model.ok("begin", players=["jack"], opponents=["drone"])
    for options in ({"range": 0}, {"range": 0, "behind": True}, {"range": 0, "enemies": 9}):
        said = model.refused("do", action="attack", targets=["drone"], options=options)
        assert (said["error"]["code"], said["error"]["hint"]) == ("unknown_option", "leave it out")


def test_what_another_program_does_is_noticed(crisis: Player) -> None:
    model = Model(crisis)
    asked = question(model)["waiting"]
    crisis.ok("note Somebody else was here.")
    assert model.ok("status")["waiting"] == asked, "the fight stands as it did"
    crisis.ok(f"set {asked['actor'].lower().replace(' ', '-')} at 9,9")
    assert model.ok("status")["waiting"] is None, "the question is forgotten"
    assert "Somebody else was here." in model.ok("log", form="markdown")["text"]
    assert model.ok("answer")["waiting"]
    crisis.ok("end --no-save --yes")
    assert model.refused("do", action="next")["error"]["code"] == "no_crisis"
    crisis.ok("init jack --vs drone --open --seed 3")
    assert [one["name"] for one in model.ok("status")["fighters"]] == ["Jack", "Drone"]
    crisis.journal.write_bytes(crisis.journal.read_bytes() + b'{"n": 2, "cut')
    assert model.ok("do", action="next") if model.ok("status")["waiting"] else model.ok("answer")
    assert "cut short" in model.err.getvalue()


def test_the_end_saves_the_sheets_or_not(fighting: Model, sheets: Sheets) -> None:
    fighting.player.ok("set jack health 12")
    ended = fighting.ok("end")
    assert ended == {"winner": None, "journal": JOURNAL_OF_NOW, "sheets": ended["sheets"]}
    assert sheets.state("jack") and len(ended["sheets"]) == 1
    assert fighting.refused("status")["error"]["code"] == "no_crisis"
    assert fighting.ok("begin", players=["jack"], opponents=["drone"])["happened"]
    state = sheets.text("jack")
    fighting.ok("end", save=False)
    assert sheets.text("jack") == state


def test_real_dice_are_asked_for(fight: Player) -> None:
    fight.ok("play --real-dice", answers=["quit"], terminal=True)
    model = Model(fight)
    fight.ok("set drone at 1,0")
    fight.ok("set jack at 0,0")
    asked = model.ok("do", action="attack drone")["waiting"]
    assert asked["kind"] == "faces" and asked["sides"] == 6
    assert model.refused("answer", name="seven")["error"]["code"] == "wrong_dice"
    assert model.refused("answer", name="7")["error"]["code"] == "wrong_dice"
    seen = model.ok("answer", name="6 4 3")
    while seen["waiting"]["kind"] == "faces":
        seen = model.ok("answer", name="1")
    assert seen["happened"][0]["rolls"][0]["faces"] == [6, 4, 3]


# Files


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    """A folder beside that of the server, which stays as it is."""
    folder = tmp_path / "outside"
    Sheets(folder / "characters").write("jack", SHEET)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    yield folder
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


SHEET = 'name = "Jack"\nsystem = "3d6"\n[skills]\nmelee = 2\n[weapons.baton]\nkind = "melee"\ndamage = 6\ncrit = 4\n'


@pytest.fixture
def inner(tmp_path: Path, outside: Path) -> Player:
    """A player in a folder beside the one outside."""
    (tmp_path / "inner").mkdir()
    return Player(tmp_path / "inner")


@pytest.mark.parametrize(
    "name", ["../outside/characters/jack.toml", "{outside}/characters/jack.toml", "/etc/passwd", "~/x.toml"]
)
def test_no_sheet_outside_is_read_by_its_path(inner: Player, outside: Path, name: str) -> None:
    model, name = Model(inner), name.format(outside=outside)
    for arguments in (
        {"players": [name], "opponents": ["drone"]},
        {"players": ["jack"], "opponents": [f"{name}:2"]},
        {"players": ["jack"], "encounter": name},
    ):
        assert model.refused("begin", **arguments)["error"]["code"] == "outside"
    assert not inner.files()


def test_sheets_outside_are_not_written(inner: Player, outside: Path) -> None:
    inner.env["CRISIS_CHARACTERS"] = str(outside / "characters")
    model = Model(inner)
    model.ok("begin", players=["jack"], opponents=["drone"])
    inner.ok("set jack health 12")
    said = model.refused("end")
    assert said["error"]["code"] == "outside" and "crisis mcp" in said["error"]["message"]
    assert model.ok("end", save=False)["sheets"] == []


def test_a_link_out_of_the_folder_is_not_followed(inner: Player, outside: Path) -> None:
    (inner.here / "characters").symlink_to(outside / "characters")
    model = Model(inner)
    model.ok("begin", players=["jack"], opponents=["drone"])
    inner.ok("set jack health 12")
    assert model.refused("end")["error"]["code"] == "outside"
    assert model.ok("end", save=False)["sheets"] == []


def test_a_file_that_is_no_journal_stays_as_it_is(inner: Player, outside: Path) -> None:
    (inner.here / "notes.txt").write_text("Dear diary\n", "utf-8")
    (inner.here / "link.jsonl").symlink_to(outside / "new.jsonl")
    for name in ("notes.txt", "link.jsonl"):
        inner.env["CRISIS_FILE"] = name
        assert Model(inner).refused("begin", players=["jack"], opponents=["drone"])
    assert (inner.here / "notes.txt").read_text("utf-8") == "Dear diary\n"


# Any calls


def any_call(chance: random.Random, model: Model) -> tuple[str, Said]:
    """A tool with arguments, valid or not."""
    tool = chance.choice((*["do"] * 6, *["answer"] * 4, *model.server.tools))
    if tool == "end" and chance.random() < 0.8:
        tool = "status"
    if tool == "do" and chance.random() < 0.7 and (fight := model.server._fight) is not None:
        rows = fight.legal(fight.scene.turn) if fight.scene.turn else []
        return tool, {"action": chance.choice([row.line for row in rows] + ["next"])}
    if tool == "answer" and chance.random() < 0.5:
        return tool, {}
    if tool == "begin" and chance.random() < 0.7:
        players, opponents = chance.choice([*FIGHTS.values()])
        return tool, {"players": players[: chance.randint(1, 2)], "opponents": opponents}
    words = (
        "jack",
        "drone-1",
        "attack",
        "move",
        "",
        "2d6",
        "pass",
        "none",
        "dodge",
        "../x.toml",
        "\x00",
        "é",
    )
    values: list[Callable[[], Any]] = [
        lambda: chance.choice(words),
        lambda: chance.randint(-3, 12),
        lambda: chance.choice((None, True, False, 1.5, 10**40)),
        lambda: [chance.choice(words) for _ in range(chance.randint(0, 3))],
        lambda: {chance.choice(("weapon", "to", "range", "aim", "x")): chance.choice((1, "a", [1, 2], None))},
    ]
    names = [parameter.name for parameter in model.server.tools[tool].parameters] + ["else"] * (
        chance.random() < 0.1
    )
    return tool, {name: chance.choice(values)() for name in names if chance.random() < 0.7}


@pytest.mark.parametrize(
    "seed",
    [
        1,
        pytest.param(2, marks=pytest.mark.slow),
        *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 41)),
    ],
)
def test_any_calls_end_in_a_journal_that_verifies(crisis: Player, seed: int) -> None:
    model, chance = Model(crisis), random.Random(seed)
    done = errors = 0
    for _ in range(300):
        tool, arguments = any_call(chance, model)
        before = crisis.files()
        answer = model.request("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, (tool, arguments, answer)
        result = answer["result"]
        done += not result["isError"]
        errors += result["isError"]
        if result["isError"] and "happened" not in result["structuredContent"]:
            assert crisis.files() == before, (tool, arguments, result)
    assert done > 30 and errors > 30
    for journal in crisis.here.glob("crisis*.jsonl"):
        crisis.ok("verify", journal.name)


# The process


class Process:
    """A server in a process of its own."""

    def __init__(self, here: Path, *words: str):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen([*PROGRAM, "mcp", *words], cwd=here, env=program_env(here), **pipes)  # type: ignore[call-overload]

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *failure: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, tool: str, **arguments: Any) -> None:
        """Call a tool, and do not wait for what it gives."""
        call = {**CALL, "params": {"name": tool, "arguments": arguments}}
        self.process.stdin.write(json.dumps(call).encode() + b"\n")
        self.process.stdin.flush()

    def call(self, tool: str, **arguments: Any) -> Said:
        """What a tool gives."""
        self.send(tool, **arguments)
        assert select.select([self.process.stdout], [], [], 60)[0], "it answers"
        body: Said = json.loads(self.process.stdout.readline())["result"]["structuredContent"]
        return body

    def ended(self) -> tuple[int, bytes, bytes]:
        """How it has ended, and what it still had to say."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


BEGIN: Said = {"players": ["jack"], "opponents": ["drone:2"]}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=str)
@pytest.mark.parametrize("busy", [False, True])
def test_a_signal_ends_it_quietly_with_the_journal_whole(
    tmp_path: Path, program: Any, number: signal.Signals, busy: bool
) -> None:
    with Process(tmp_path) as server:
        server.call("begin", **BEGIN)
        if busy:
            for _ in range(20):
                server.send("do", action="next")
            time.sleep(0.05)
        server.process.send_signal(number)
        status, _, err = server.ended()
    assert (status, err) == (128 + number, b"")
    assert program("verify").returncode == 0 and program("status").returncode == 0


def test_it_ends_where_its_input_ends_and_where_nobody_reads(tmp_path: Path, program: Any) -> None:
    with Process(tmp_path) as server:
        server.call("begin", **BEGIN)
        assert server.ended() == (0, b"", b"")
    with Process(tmp_path) as server:
        server.call("status")
        server.process.stdout.close()
        server.send("do", action="next")
        server.send("do", action="next")
        assert server.process.wait(timeout=60) == 0
        assert server.process.stderr.read() == b""
    assert program("verify").returncode == 0


def test_only_answers_go_to_stdout_and_long_lines_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "characters").mkdir()
    (tmp_path / "characters" / "broken.toml").write_text("name = ", "utf-8")
    ping = b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}\n'
    with Process(tmp_path, "--file", "arena.jsonl") as server:
        assert server.call("begin", **BEGIN)["happened"]
        out, _ = server.process.communicate(b"\xff\n" + b"x" * 3_000_000 + b"\n" + ping + ping.strip(), 60)
    codes = [json.loads(line).get("error", {}).get("code") for line in out.splitlines()]
    assert codes == [-32700, -32600, None, None] and (tmp_path / "arena.jsonl").exists()
    assert server.process.returncode == 0


def test_at_a_terminal_it_says_what_it_is_for(crisis: Player) -> None:
    assert "crisis help mcp" in crisis.refused(2, "mcp").err


def test_no_script_starts_a_server(crisis: Player, program: Any) -> None:
    call = {**CALL, "params": {"name": "begin", "arguments": BEGIN}}
    done = program("run", "-", input=f"mcp --file ../elsewhere.jsonl\n{json.dumps(call)}\n")
    assert done.returncode == 2 and "a line cannot start a server" in done.stderr
    assert not (crisis.here.parent / "elsewhere.jsonl").exists()


def test_it_starts_without_what_only_fights_need(tmp_path: Path) -> None:
    """A client waits for the server to start: what tools need is loaded when they are called."""
    code = "import sys; from crisis_cli import cli; cli.run(['mcp']); print(*sys.modules, file=sys.stderr)"
    lines = "".join(
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}) + "\n"
        for method in ("initialize", "tools/list")
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=program_env(tmp_path),
        input=lines.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert len(done.stdout.splitlines()) == 2
    loaded = done.stderr.decode().split()
    late = ("prompt_toolkit", "crisis_cli.ai", "crisis_cli.play.fight", "crisis_cli.commands.reading", "mcp")
    assert "crisis_cli.protocol.mcp" in loaded and not {*late} & {*loaded}


def test_the_verb_reads_and_answers(crisis: Player, sheets: Sheets) -> None:
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        {**CALL, "params": {"name": "begin", "arguments": {"players": ["jack"], "opponents": ["drone"]}}},
    ]
    out, stdin = StringIO(), BytesIO("".join(json.dumps(line) + "\n" for line in lines).encode())
    environment = crisis.environment(is_interactive=False, stdin=stdin, out=out)
    assert run(["mcp", "--file", "own.jsonl"], environment) == 0
    assert len(out.getvalue().splitlines()) == 2 and (crisis.here / "own.jsonl").exists()


def test_the_session_of_the_manual_can_be_pasted(tmp_path: Path, program: Any) -> None:
    needs_program("bash")
    text = sections("verbs")["mcp"]
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    config, *session = lines
    assert json.loads(config)["mcpServers"]["crisis"]["args"] == ["mcp"]
    for name in Model(Player(tmp_path)).server.tools:
        assert f"- {name} :: " in text, "every tool is described"
    known = f'crisis() {{ {shlex.join(PROGRAM)} "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", known + "\n".join(session)],
        cwd=tmp_path,
        env=program_env(tmp_path),
        capture_output=True,
        check=True,
        timeout=60,
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in said] == [1, 2, 3, 4, 5] and not done.stderr
    assert not any(one["result"].get("isError") for one in said)
    assert program("verify").returncode == 0


# The official client


def test_the_official_client_plays(tmp_path: Path) -> None:
    if importlib.util.find_spec("mcp") is None:
        (pytest.fail if os.environ.get(NO_SKIPS) else pytest.skip)("not installed: mcp")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def played() -> None:
        about = StdioServerParameters(
            command=sys.executable, args=["-m", "crisis_cli", "mcp"], env=program_env(tmp_path), cwd=tmp_path
        )
        async with stdio_client(about) as (read, write), ClientSession(read, write) as session:
            begun = await session.initialize()
            assert begun.server_info.name == "crisis" and begun.instructions
            tools = (await session.list_tools()).tools
            assert len(tools) == 12 and all(tool.description for tool in tools)
            rolled: Any = await session.call_tool("roll", {"expression": "3d6"})
            assert 3 <= rolled.structured_content["total"] <= 18 and not rolled.is_error
            seen: Any = await session.call_tool("begin", BEGIN)
            for _ in range(10):
                if seen.structured_content["decided"]:
                    break
                seen = await session.call_tool("answer", {})
                assert not seen.is_error, seen
            refused: Any = await session.call_tool("do", {"action": "set jack health 100"})
            assert refused.is_error and refused.structured_content["error"]["code"] == "unknown_action"
            assert (await session.call_tool("end", {"save": False})).structured_content["journal"]

    asyncio.run(played())
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]
