"""The line between `crisis play --protocol` and a program: JSON objects out, answers in, each one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import IO, Any

from ..errors import CrisisError, Usage
from ..render.jsontext import VERSION, dumped

LONGEST = 64 * 1024
"""The longest answer, in bytes."""
TRIES = 3
"""How many bad answers in a row end the run, or with --lenient take the default."""
COMMENT = "#"
DEFAULT = "default"
"""What `take` says for the answer that a doctrine would give."""


class Left(Exception):
    """The program has closed its end."""


class Asked(Exception):
    """In place of an answer the program asks for something else: to undo, to note, or to end the crisis."""

    def __init__(self, what: str, answer: dict[str, Any]):
        super().__init__(what)
        self.what = what
        self.answer = answer


class BadAnswer(CrisisError):
    """An answer that cannot be used; the request stands."""

    status = 2
    code = "bad_answer"


class TooLong(BadAnswer):
    """An answer that is longer than any may be."""

    code = "too_long"


Read = Callable[[dict[str, Any]], Any]
"""Makes of an answer what is wanted; CrisisError where it says nothing of the kind."""


class Wire:
    """Sends objects and waits for answers."""

    def __init__(self, lines: Iterable[str], out: IO[str], lenient: bool):
        self.lines: Any = getattr(lines, "buffer", lines)
        self.out = out
        self.lenient = lenient
        self.number = 0
        """The id of the last request."""
        self.bad = 0
        """How many bad answers have come in a row."""
        self.is_open = False
        """Whether the crisis is open, so that notes, undo and the end can be asked for."""

    def send(self, kind: str, record: dict[str, Any]) -> None:
        """Send an object of a type."""
        said = {key: value for key, value in record.items() if key not in ("v", "type")}
        self.out.write(dumped({"v": VERSION, "type": kind, **said}) + "\n")
        self.out.flush()

    def refuse(self, error: CrisisError) -> None:
        """Send an error about the last request; the same may be answered again."""
        about = {key: value for key, value in error.about.items() if key not in ("final", "legal")}
        said = {"code": error.code, "message": error.message, "hint": error.hint}
        self.send("error", {"id": self.number, **said, **about, "again": True})

    def ask(self, request: dict[str, Any], read: Read, default: Any) -> Any:
        """Send a request and give what `read` makes of its answer; `default` where the answer takes that.

        Left at the end of input, Asked for an order in place of an answer; Usage after too many bad answers.
        """
        self.number += 1
        request = {"id": self.number, **request}
        self.send("request", request)
        while True:
            try:
                answer = self._parsed(self._line())
                if "do" in answer:
                    self.bad = 0
                    raise self._order(answer)
                if answer.get("id", self.number) != self.number:
                    self._stale(answer["id"], request)
                    continue
                found = default if answer.get("take") == DEFAULT else read(answer)
            except CrisisError as error:
                self.refuse(error)
                if self.count_bad(isinstance(error, TooLong)):
                    return default
                continue
            self.bad = 0
            return found

    def count_bad(self, at_once: bool = False) -> bool:
        """Count a bad answer; True where the default is to be taken now, Usage where the run ends."""
        self.bad += 1
        if self.bad < TRIES and not at_once:
            return False
        if not self.lenient:
            raise Usage(
                "an answer is longer than 64 kB" if at_once else f"{self.bad} bad answers in a row",
                hint="the crisis stays open: crisis play --protocol; to take the default: --lenient",
                code="bad_answers",
            )
        self.bad = 0
        return True

    def _stale(self, number: object, request: dict[str, Any]) -> None:
        """Say that an answer is for an earlier request, and send the present one once more."""
        said = {"code": "stale", "message": f"the request is {self.number}, not {number}", "hint": ""}
        self.send("error", {"id": self.number, **said, "again": True})
        self.send("request", request)

    def _line(self) -> str:
        """The next line that says something; Left at the end of input, BadAnswer for one that cannot be read."""
        while True:
            raw = limited_line(self.lines, LONGEST)
            if not raw:
                raise Left
            if len(raw) > LONGEST:
                raise TooLong("the answer is longer than 64 kB", hint="answer in one short line")
            try:
                line = (raw if isinstance(raw, str) else raw.decode("utf-8")).strip().removeprefix("\ufeff")
            except UnicodeDecodeError as wrong:
                raise BadAnswer(
                    "the answer is not UTF-8", hint="write JSON in UTF-8", code="encoding"
                ) from wrong
            if line and not line.startswith(COMMENT):
                return line

    def _parsed(self, line: str) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as wrong:
            raise BadAnswer("the answer is not JSON", hint='such as {"id": 1, "take": "default"}') from wrong
        if not isinstance(answer, dict):
            raise BadAnswer("the answer is not an object", hint='such as {"id": 1, "take": "default"}')
        return answer

    def _order(self, answer: dict[str, Any]) -> Asked:
        what = answer["do"]
        if what not in ("undo", "note", "end"):
            raise BadAnswer(f"there is nothing to do called {str(what)[:40]!r}", hint="undo, note or end")
        if not self.is_open:
            raise BadAnswer(
                f"the crisis is not open yet, so there is nothing to {what}", hint="answer the request"
            )
        return Asked(what, answer)


def limited_line(lines: Any, most: int) -> Any:
    """The next line of a stream, empty at its end; of one that is longer than `most` its beginning, and the rest is
    passed over."""
    line = rest = lines.readline(most + 1)
    if len(line) > most:
        newline = "\n" if isinstance(line, str) else b"\n"
        while rest and not rest.endswith(newline):
            rest = lines.readline(most)
    return line


def number_taken(answer: dict[str, Any], names: list[str]) -> int:
    """The place, from 0, of the row or option that `take` means by its number or name; BadAnswer if it means none."""
    take = answer.get("take")
    if isinstance(take, int) and not isinstance(take, bool) and 1 <= take <= len(names):
        return take - 1
    if isinstance(take, str) and take in names:
        return names.index(take)
    if "take" not in answer:
        raise BadAnswer("the answer takes nothing", hint=f'"take": a number from 1 to {len(names)}')
    raise BadAnswer(
        f"{json.dumps(take)[:40]} is none of the {len(names)} answers", hint="take a number of the request"
    )
