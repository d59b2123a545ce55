"""`crisis play --protocol`: programs that play over JSON lines."""

from __future__ import annotations

import io
import json
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from conftest import PROGRAM, ROOT, Player, Sheets, needs_program, program_env, slow_but

from crisis_cli.cli import run
from crisis_cli.engine.journal import entry_record
from crisis_cli.protocol.json_lines import BadAnswer, number_taken
from crisis_cli.sheets import journal_file

SCRIPTS = ROOT / "tests" / "scripts"
Said = dict[str, Any]
FIGHTS = {
    "3d6": "jack --vs drone",
    "step": "vera --vs raider",
    "d100": "marshal --vs looter",
    "2d20": "cass --vs ghoul",
    "d6pool": "hagen --vs bandit",
}
SLOW = ("step", "2d20", "d6pool")
SYSTEMS = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in FIGHTS]


class Client:
    """A program at both ends of the line: what is written to it, it answers with a function."""

    def __init__(self, answer: Callable[[Said], Iterable[Said | str | bytes]]):
        self.answer = answer
        self.said: list[Said] = []
        self.partial = ""
        self.answers: list[str] = []

    def write(self, text: str) -> None:
        self.partial += text
        while "\n" in self.partial:
            line, self.partial = self.partial.split("\n", 1)
            said = json.loads(line)
            assert said["v"] == 1
            self.said.append(said)
            self.answers += [one if isinstance(one, str) else json.dumps(one) for one in self.answer(said)]

    def flush(self) -> None:
        """Nothing waits."""

    def readline(self, most: int = -1) -> str:
        if not self.answers:
            return ""
        line = self.answers.pop(0) + "\n"
        if 0 <= most < len(line):
            line, rest = line[:most], line[most:-1]
            self.answers.insert(0, rest)
        return line

    def of(self, kind: str) -> list[Said]:
        """All objects of a type."""
        return [one for one in self.said if one["type"] == kind]


def played(player: Player, line: str, answer: Callable[[Said], Iterable[Any]]) -> tuple[int, Client, str]:
    """The exit status of a crisis with a client, the client, and stderr."""
    client, err = Client(answer), io.StringIO()
    streams: Any = {"out": client, "stdin": client, "err": err}
    status = run(shlex.split(line), player.environment(is_interactive=False, **streams))
    return status, client, err.getvalue()


def default(said: Said) -> list[Said]:
    """The answers of the client that always takes the default."""
    return [{"id": said["id"], "take": "default"}] if said["type"] == "request" else []


def scripted(*answers: Any) -> Callable[[Said], list[Any]]:
    """A client that gives these answers, one for each request or error but `stale`, and then leaves."""
    left = iter(answers)

    def answer(said: Said) -> list[Any]:
        if said["type"] == "request" or (said["type"] == "error" and said["code"] != "stale"):
            return [one for one in (next(left, None),) if one is not None]
        return []

    return answer


def bare(player: Player) -> list[Said]:
    """The entries of the only journal, without reasons."""
    (path,) = player.here.glob("crisis*.jsonl")
    found = []
    for entry in journal_file.read(path, path.name).crisis.done:
        record = entry_record(entry)
        record["intent"]["options"] = {
            key: value for key, value in entry.intent.options.items() if key != "reason"
        }
        found.append(record)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 21))])
def test_the_default_is_what_automatic_play_does(tmp_path: Path, system: str, seed: int) -> None:
    asked, alone = Player(tmp_path / "asked"), Player(tmp_path / "alone")
    for one in (asked, alone):
        one.here.mkdir()
    line = f"play {FIGHTS[system]} --seed {seed} --rounds 4"
    status, client, err = played(asked, f"{line} --protocol --odds none", default)
    alone.ok(f"{line} --auto")
    assert (status, err) == (0, "")
    assert bare(asked) == bare(alone)
    assert len(client.of("entry")) == len(bare(alone))
    assert client.said[0]["type"] == "hello" and client.said[-1]["type"] == "end"


def at_random(chance: random.Random) -> Callable[[Said], list[Said]]:
    """A client that takes any row or option, by number or by line, and throws its own dice."""

    def answer(said: Said) -> list[Said]:
        assert said["type"] != "error", said
        if said["type"] != "request":
            return []
        if said["kind"] == "dice":
            return [{"id": said["id"], "faces": [chance.randint(1, said["sides"])]}]
        rows = said.get("legal") or said["options"]
        row = chance.choice(rows)
        by_line = "line" in row and chance.random() < 0.3
        return [{"id": said["id"], **({"line": row["line"]} if by_line else {"take": row["n"]})}]

    return answer


@pytest.mark.parametrize("system", slow_but(FIGHTS, "3d6", "d100"))
@pytest.mark.parametrize(
    "seeds", [range(1, 2), pytest.param(range(2, 1001), marks=pytest.mark.long)], ids=str
)
def test_no_row_is_ever_refused(tmp_path: Path, system: str, seeds: range) -> None:
    for seed in seeds:
        crisis = Player(tmp_path / str(seed))
        crisis.here.mkdir()
        no_row_is_refused(crisis, system, seed)


def no_row_is_refused(crisis: Player, system: str, seed: int) -> None:
    """Play a fight of a client that takes any row."""
    chance = random.Random(seed)
    dice = chance.choice(("", "--mine", "--real-dice"))
    ask = chance.choice(("all", "players"))
    rounds = 1 if system in SLOW else 4
    line = f"play {FIGHTS[system]} --protocol --odds none --seed {seed} --rounds {rounds} --ask {ask} {dice}"
    status, client, err = played(crisis, line, at_random(chance))
    assert (status, err, client.said[-1]["type"]) == (0, "", "end"), seed


def test_a_request_lists_costs_and_exact_odds(crisis: Player, sheets: Sheets) -> None:
    _, client, _ = played(crisis, "play jack --vs drone --protocol --seed 7 --odds full", scripted())
    hello, opening, request = client.said
    assert hello == {
        "v": 1,
        "type": "hello",
        "protocol": 1,
        "program": hello["program"],
        "system": "3d6",
        "seed": 7,
        "file": "crisis.jsonl",
        "entries": 0,
    }
    assert (opening["type"], opening["action"]) == ("entry", "init")
    assert (request["id"], request["kind"], request["round"]) == (1, "act", 1)
    status = crisis.ok("status --json").record
    assert request["state"] == {
        key: value for key, value in status.items() if key not in ("v", "questions")
    }, "programs are asked everything"
    assert request["who"] == status["actor"]
    moves = [row for row in request["legal"] if row["action"] == "move" and "to" in row["options"]]
    assert moves and moves[0]["cost"]["ap"] >= 1 and "move --to X,Y" in request["open"]
    assert request["legal"][request["default"] - 1]["n"] == request["default"]
    assert request["legal"][-1]["line"] == "next"
    crisis.ok("set jack at 1,0")
    crisis.ok("set drone at 2,0")
    _, client, _ = played(crisis, "play --protocol", scripted())
    (request,) = client.of("request")
    attack = next(row for row in request["legal"] if row["action"] == "attack")
    odds = crisis.ok(f"odds {attack['line']} --json").record
    assert attack["odds"]["success"] == odds["success"] and "/" in odds["success"]["exact"]
    assert attack["odds"]["down"] == odds["down"]
    assert attack["cost"] == {"ap": 2}


def test_the_odds_of_a_request_count_reactions_when_the_crisis_has_just_been_opened(crisis: Player) -> None:
    line = "play hagen --vs revenant --apart 0 --protocol --seed 42 --odds full"
    _, client, _ = played(crisis, line, lambda said: [] if said.get("kind") == "act" else default(said))
    request = client.of("request")[-1]
    attack = next(row for row in request["legal"] if row["action"] == "attack" and row.get("odds"))
    odds = crisis.ok(f"odds {attack['line']} --json").record
    assert "mark:reacted" in attack["odds"]["begins"]["Revenant"]
    assert all(attack["odds"][key] == odds[key] for key in ("success", "down", "begins"))


def test_answers_come_by_number_line_intent_and_name(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    answers = (
        {"id": 1, "line": "attack drone --weapon baton"},
        {"intent": {"action": "attack", "targets": ["Drone"], "options": {"mod": 2}}},
        {"take": "next"},
    )
    status, client, err = played(crisis, "play --protocol --ask jack", scripted(*answers))
    assert (status, err, client.of("error")) == (0, "", [])
    mine = [entry["action"] for entry in client.of("entry") if entry["actor"] == "Jack"]
    assert mine == ["attack", "attack", "next"]
    # The fighters not asked for have played, and it is Jack's turn again.
    assert client.said[-1]["type"] == "request" and client.said[-1]["who"] == "Jack"
    # The crisis stays open, and goes on.
    _, client, _ = played(crisis, "play --protocol", scripted({"do": "end"}))
    assert client.said[0]["entries"] > 4
    assert [one["type"] for one in client.said[-2:]] == ["entry", "end"]
    assert not crisis.journal.exists()


def test_undo_and_notes_at_any_request(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    answers = ({"take": 1}, {"do": "note", "text": "so\nfar"}, {"do": "undo"}, {"do": "undo"}, {"do": "undo"})
    _, client, _ = played(crisis, "play --protocol --ask players", scripted(*answers))
    assert [one["number"] for one in client.of("undone")] == [3, 2]
    assert [one["code"] for one in client.of("error")] == ["nothing_to_undo"]
    assert next(one for one in client.of("entry") if one["action"] == "note")["text"] == "so far"
    # An undo goes back to before one's own action, over what others have done since.
    _, client, _ = played(crisis, "play --protocol --ask players", scripted({"line": "next"}, {"do": "undo"}))
    assert len(client.of("undone")) == len(client.of("entry")) > 1


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("nonsense", "bad_answer"),
        ("[1]", "bad_answer"),
        ('{"id": 1, "take": ' + "[" * 9_000, "bad_answer"),
        ({"id": 1}, "bad_answer"),
        ({"id": 1, "take": 999}, "bad_answer"),
        ({"id": 1, "take": True}, "bad_answer"),
        ({"id": 1, "take": "fly"}, "bad_answer"),
        ({"id": 1, "do": "dance"}, "bad_answer"),
        ({"id": 1, "line": 4}, "bad_answer"),
        ({"id": 1, "line": "fly"}, "unknown_command"),
        ({"id": 1, "line": "status"}, "unknown_command"),
        ({"id": 1, "line": "undo"}, "unknown_command"),
        ({"id": 1, "line": "end"}, "unknown_command"),
        ({"id": 1, "line": "attack drone --file x.jsonl"}, "unknown_option"),
        ({"id": 1, "line": "attack drone --dice 6,6,6"}, "conflicting_options"),
        ({"id": 1, "line": "attack drone --help"}, "bad_answer"),
        ({"id": 1, "line": "attack bob"}, "not_found"),
        ({"id": 1, "line": "attack 'drone"}, "quote"),
        ({"id": 1, "line": "attack jack --by drone"}, "not_their_turn"),
        ({"id": 1, "intent": {"targets": ["Drone"]}}, "bad_answer"),
        ({"id": 1, "intent": {"action": "attack", "targets": "Drone"}}, "bad_answer"),
        ({"id": 1, "intent": {"action": "attack", "targets": ["Bob"]}}, "not_found"),
        ({"id": 1, "intent": {"action": "move", "options": {"to": 7}}}, "bad_answer"),
        ({"id": 1, "line": "note \ud800"}, "encoding"),
    ],
)
def test_a_bad_answer_is_an_error_and_the_request_stands(
    crisis: Player, sheets: Sheets, answer: Any, code: str
) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    before = crisis.journal.read_bytes()
    status, client, err = played(crisis, "play --protocol --ask jack", scripted(answer))
    (error,) = client.of("error")
    assert (error["code"], error["id"], error["again"]) == (code, 1, True) and error["message"]
    assert (status, err, crisis.journal.read_bytes()) == (0, "", before)
    _, client, _ = played(
        crisis, "play --protocol --ask jack", scripted(answer, {"id": 1, "take": "default"})
    )
    assert client.of("entry")


def test_a_late_answer_is_stale_and_the_request_is_sent_again(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    _, client, _ = played(
        crisis, "play --protocol --ask jack", scripted({"id": 1, "take": 1}, {"id": 1, "take": 1})
    )
    assert [one["code"] for one in client.of("error")] == ["stale"]
    assert client.said[-1] == client.said[-3] and client.said[-1]["id"] == 2


@pytest.mark.parametrize("bad", [["x", "x", "x"], ['{"take": "' + "x" * 70_000 + '"}']])
def test_bad_answers_end_the_run_or_take_the_default(crisis: Player, sheets: Sheets, bad: list[str]) -> None:
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    status, client, err = played(crisis, "play --protocol --ask jack", scripted(*bad))
    assert status == 2 and not client.of("entry") and "crisis play --protocol" in err
    status, client, err = played(crisis, "play --protocol --ask jack --lenient", scripted(*bad))
    assert status == 0 and client.of("entry")


def test_blank_lines_and_comments_are_skipped(crisis: Player, sheets: Sheets) -> None:
    first = iter(["# my move", "", "  ", '{"id": 1, "take": "default"}'])
    _, client, _ = played(crisis, "play jack --vs drone --protocol --seed 7", lambda said: list(first))
    assert not client.of("error") and len(client.of("entry")) == 2


def test_real_dice_are_asked_for(crisis: Player, sheets: Sheets) -> None:
    def answer(said: Said) -> list[Any]:
        if said["type"] != "request":
            return []
        if said["kind"] == "dice":
            return (
                [{"id": said["id"], "faces": [7]}, {"id": said["id"], "faces": [6, 5]}]
                if bad.pop()
                else [{"id": said["id"], "faces": [4]}]
            )
        return []

    bad = [False] * 30 + [True]
    status, client, err = played(crisis, "play jack --vs drone --protocol --real-dice --seed 1", answer)
    assert (status, err) == (0, "")
    assert [one["code"] for one in client.of("error")] == ["wrong_dice"]
    first = client.of("request")[0]
    assert (first["kind"], first["who"], first["what"], first["dice"]) == (
        "dice",
        "Jack",
        "initiative",
        "3d6",
    )
    (opening,) = client.of("entry")
    assert opening["rolls"][0]["faces"] == [6, 5, 4]
    # The dice stay the program's own when the crisis goes on.
    _, client, _ = played(crisis, "play --protocol", scripted({"line": "attack drone --force"}))
    assert client.said[-1]["kind"] in ("act", "dice")


def test_reactions_are_asked_and_the_default_is_the_doctrines(crisis: Player) -> None:
    crisis.ok("init marshal --vs looter --open --seed 3 --place marshal=0,0 looter=1,0")
    choices: list[Said] = []

    def answer(said: Said) -> list[Said]:
        if said["type"] == "request" and said["kind"] == "choose":
            choices.append(said)
            return [{"id": said["id"], "take": said["options"][0]["name"]}]
        if said["type"] == "request" and said["kind"] == "act":
            hits = [row for row in said["legal"] if row["action"] == "attack"]
            return [{"id": said["id"], "take": hits[0]["n"] if hits else "default"}]
        return []

    status, client, _ = played(crisis, "play --protocol --rounds 6", answer)
    assert status == 0 and choices
    one = choices[0]
    assert one["what"] == "reaction" and one["options"][0]["name"] == "none"
    assert one["action"]["action"] == "attack" and one["rolls"][0]["what"] == "attack"
    assert all("harm" in option for option in one["options"])
    taken = [choice for entry in client.of("entry") for choice in entry.get("choices", ())]
    assert {choice["taken"] for choice in taken} == {"none"}


def test_what_others_have_left_may_be_hidden(crisis: Player, sheets: Sheets) -> None:
    line = "play jack --vs drone --protocol --ask players --hide --rounds 2 --seed 7"
    _, client, _ = played(crisis, line, default)
    requests = client.of("request")
    for request in requests:
        jack, drone = request["state"]["fighters"]
        assert "pools" in jack and "pools" not in drone and "max" not in drone
        assert drone["looks"] in ("hale", "hurt", "badly hurt")
    assert not [
        effect
        for entry in client.of("entry")
        for effect in entry["effects"]
        if effect["who"] == "Drone" and effect["what"] in ("health", "endurance", "ap", "durability")
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("play --protocol", "no_crisis"),
        ("play jack --vs drone --protocol --auto", "conflicting_options"),
        ("play jack --vs drone --auto --lenient", "conflicting_options"),
        ("play jack --vs drone --protocol --dice 4", "conflicting_options"),
        ("play jack --vs drone --protocol --ask bob", "not_found"),
    ],
)
def test_what_cannot_be_is_refused(crisis: Player, sheets: Sheets, line: str, code: str) -> None:
    status, client, err = played(crisis, f"{line} --json", scripted())
    assert status in (2, 3, 4) and json.loads(err)["error"]["code"] == code
    assert not client.of("request")


def test_bytes_that_are_no_text_are_a_bad_answer(program: Any, tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "play", "jack", "--vs", "drone", "--protocol", "--seed", "7", "--odds", "none"],
        cwd=tmp_path,
        env=program_env(tmp_path),
        input=b'\xff\xfe\n{"take": "default"}\n{"take"',
        capture_output=True,
        timeout=60,
        check=False,
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and [one["code"] for one in said if one["type"] == "error"] == [
        "encoding",
        "bad_answer",
    ]
    assert sum(one["type"] == "entry" for one in said) == 2
    assert program("status").returncode == 0


def client_run(command: list[str], here: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A client in another language, playing a whole fight."""
    crisis = f"{sys.executable} -m crisis_cli"
    return subprocess.run(
        command,
        cwd=here,
        env={**program_env(here), "CRISIS": crisis, **env},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_client_in_shell_plays_a_whole_fight(tmp_path: Path, system: str) -> None:
    needs_program("jq")
    words = shlex.split(f"{FIGHTS[system]} --seed 2 --rounds 3")
    done = client_run(["sh", str(SCRIPTS / "client.sh"), *words], tmp_path, SAID=str(tmp_path / "said"))
    assert (done.returncode, done.stderr) == (0, "")
    last = json.loads((tmp_path / "said").read_text("utf-8").splitlines()[-1])
    assert last["type"] == "end" and (tmp_path / last["file"]).exists()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_client_in_node_plays_a_whole_fight(tmp_path: Path, system: str) -> None:
    needs_program("node")
    words = shlex.split(f"{FIGHTS[system]} --seed 2 --rounds 3")
    done = client_run(["node", str(SCRIPTS / "client.mjs"), *words], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["asked"]["act"] > 1


def test_the_example_of_the_manual_plays(tmp_path: Path) -> None:
    text = (ROOT / "crisis_cli" / "manual" / "text" / "protocol.md").read_text("utf-8")
    example = re.search(r"^    import json.*?(?=\n\n)", text, re.S | re.M)
    assert example is not None
    lines = [line[4:] for line in example[0].splitlines()]
    assert len(lines) <= 21
    source = "\n".join(lines).replace('"crisis", "play"', f'*{[*PROGRAM]!r}, "play"')
    done = client_run(
        [sys.executable, "-c", source, *["jack", "--vs", "drone", "--seed", "7", "--rounds", "3"]], tmp_path
    )
    assert done.returncode == 0 and re.fullmatch(r"(players|opponents|None) \d\n", done.stdout), done


def test_orders_before_the_crisis_is_open_are_refused(tmp_path: Path) -> None:
    shown = subprocess.run(
        [*PROGRAM, *shlex.split("play jack --vs drone --protocol --real-dice")],
        cwd=tmp_path,
        env=program_env(tmp_path),
        input='{"do": "undo"}\n',
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (shown.returncode, shown.stderr) == (0, "")
    assert '"code": "bad_answer"' in shown.stdout and "not open yet" in shown.stdout


def test_an_answer_that_is_not_among_those_offered_is_named_as_json() -> None:
    with pytest.raises(BadAnswer, match=r"^true is none of the 2 answers"):
        number_taken({"take": True}, ["yes", "no"])
