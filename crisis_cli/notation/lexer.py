"""A line of text walked from left to right: characters, numbers, words, and what is wrong with them."""

from __future__ import annotations

from ..columns import is_shown
from ..dice import LARGEST
from ..errors import NotationError
from .ast import is_name_character

DIGITS = frozenset("0123456789")
SPACES = frozenset(" \t\r\n")
RULE_LABELS = frozenset({"adv", "advantage", "dis", "disadv", "disadvantage"})
"""Words in brackets that would change the roll elsewhere."""
ONLY_AFTER_DICE = frozenset("kKdD!rRmM<>=fFcCsS")


class Lexer:
    """A place in a text; blanks between pieces are skipped."""

    __slots__ = ("text", "at")

    def __init__(self, text: str):
        self.text = text
        self.at = 0

    def peek(self) -> str:
        """The next character that is not a blank, every minus sign as a hyphen; empty at the end."""
        text, at = self.text, self.at
        while at < len(text) and text[at] in SPACES:
            at += 1
        self.at = at
        letter = text[at : at + 1]
        return "-" if letter == "−" else letter

    def follows(self, piece: str) -> bool:
        """Whether these characters come next, whatever their case."""
        self.peek()
        return self.text[self.at : self.at + len(piece)].lower() == piece

    def take(self) -> str:
        """The next character, passed."""
        letter = self.peek()
        self.at += 1
        return letter

    def accept(self, piece: str) -> bool:
        """Pass these characters if they come next."""
        found = self.follows(piece)
        if found:
            self.at += len(piece)
        return found

    def expect(self, letter: str) -> None:
        """Pass this character; NotationError where another comes."""
        if self.peek() != letter:
            raise self.unexpected()
        self.at += 1

    def close(self, closing: str, opened: int) -> None:
        """Pass a closing bracket; NotationError, pointing at the opening one, where the text ends."""
        if not self.peek():
            raise self.fault(f"this bracket is never closed: add {closing}", "unclosed", at=opened)
        self.expect(closing)

    def number(self, largest: int = LARGEST) -> int:
        """A whole number written in digits."""
        self.peek()
        start = end = self.at
        while self.text[end : end + 1] in DIGITS:
            end += 1
        if end == start:
            raise self.unexpected("a number")
        digits = self.text[start:end].lstrip("0") or "0"
        if len(digits) > len(str(largest)) or int(digits) > largest:
            raise self.fault("too large a number", "number_too_large", hint=f"at most {largest:,}")
        self.at = end
        return int(digits)

    def signed_number(self) -> int:
        """A whole number, with or without a minus before it."""
        negative = self.peek() == "-"
        self.at += negative
        return -self.number() if negative else self.number()

    def word(self) -> str:
        """A run of letters, in lower case."""
        self.peek()
        start = self.at
        while self.text[self.at : self.at + 1].isalpha():
            self.at += 1
        return self.text[start : self.at].lower()

    def name(self, opened: int) -> str:
        """The name of a sheet value: letters, digits, `_` and `.`, or anything in `{…}`."""
        if self.text[self.at : self.at + 1] == "{":
            name = self._until("}", self.at).strip()
        else:
            start = self.at
            while is_name_character(self.text[self.at : self.at + 1]):
                self.at += 1
            name = self.text[start : self.at]
        if not name:
            raise self.fault("@ needs the name of a sheet value", "no_name", at=opened, hint="write @might")
        return name

    def label(self) -> str:
        """The words in `[…]`."""
        at = self.at
        label = self._until("]", at).strip()
        if not label:
            raise self.fault("an empty label", "no_label", at=at, hint="write a word in it, as in 3d6[fire]")
        if label.casefold() in RULE_LABELS or not label.strip("0123456789,+-–<>= "):
            self.misread(f"{label} is no label", "no_label", at=at, hint="a label is a word, as in 3d6[fire]")
        return label

    def _until(self, closing: str, opened: int) -> str:
        end = self.text.find(closing, opened)
        if end < 0:
            raise self.fault(f"this bracket is never closed: add {closing}", "unclosed", at=opened)
        words = self.text[opened + 1 : end]
        for place, letter in enumerate(words):
            if not is_shown(words, place) or letter in "[{":
                raise self.fault(
                    f"{printable(letter)} cannot stand here", "unexpected", at=opened + 1 + place
                )
        self.at = end + 1
        return words

    def fault(self, message: str, code: str, *, at: int | None = None, hint: str = "") -> NotationError:
        """An error at the place reached, or at another."""
        return NotationError(message, self.at if at is None else at, code=code, hint=hint)

    def misread(self, message: str, code: str, at: int, hint: str = "") -> None:
        """Refuse what can be read, but hardly means what it says."""
        raise self.fault(message, code, at=at, hint=hint)

    def unexpected(self, wanted: str = "a number or dice") -> NotationError:
        """The error for a character that is not allowed here."""
        letter = self.peek()
        if not letter:
            return self.fault(f"{wanted} is missing at the end", "unfinished", hint="as in 3d6+2")
        if letter in ")}]":
            return self.fault(f"{letter} closes a bracket that was not opened", "unopened")
        ended = self.text[: self.at].rstrip()[-1:]
        complete = ended.isalnum() or ended in (")", "}", "]", "!")
        if complete and letter == ".":
            return self.fault("only whole numbers are read", "not_whole")
        if complete and (letter in DIGITS or letter in ("(", "@", "{")):
            return self.fault(f"nothing joins {printable(letter)} to what stands before it", "no_sign")
        if complete and letter in ONLY_AFTER_DICE:
            return self.fault(f"{printable(letter)} cannot stand here", "not_after_dice")
        return self.fault(f"{printable(letter)} cannot stand here: {wanted} is missing", "unexpected")


def printable(letter: str) -> str:
    """A character fit for a message."""
    return letter if letter.isprintable() else f"U+{ord(letter):04X}"
