"""What a line of dice means: for the fast path, the verbs `roll` and `odds`, the prompt and scripts."""

from __future__ import annotations

from ..dice import LIMITS, Limits
from ..errors import NotationError, Usage
from .grammar import Notation, Reader, RecordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNS = ("+", "-", "−")


def parse(text: str, limits: Limits = LIMITS) -> Notation:
    """The line as read; NotationError, which points at the character, where it cannot be."""
    return _read(Reader, text, limits)


def parse_recorded(text: str) -> Notation:
    """A line that a journal holds: it was rolled once, so that what is refused by now as misleading stays readable."""
    return _read(RecordReader, text, LIMITS)


def _read(reader: type[Reader], text: str, limits: Limits) -> Notation:
    try:
        return reader(text, limits).line()
    except NotationError as error:
        error.text = text[: limits.length]
        error.look = _right_spelling
        raise


def _right_spelling(error: NotationError) -> str:
    """The hint that names the right spelling; empty if none is known."""
    # Loaded only where a hint is shown: it needs regular expressions.
    from .spellings import hint

    return hint(error.text, error.code)


def expressions(
    words: Sequence[str], limits: Limits = LIMITS, verb: str = "roll", from_shell: bool = True
) -> list[str]:
    """The expressions to roll, one after the other.

    Several words are several expressions where each can stand alone. Else they are one, which a shell must not split:
    it is refused there, with the quotes that it needs. NotationError for what cannot be read at all.
    """
    if len(words) < 2:
        return list(words)
    cut = wrong = None
    for at, word in enumerate(words):
        try:
            alone = not parse(word, limits).is_number and word not in ("d1", "D1")
            alone = alone and not (at and word.startswith(SIGNS))
        except NotationError as error:
            alone, wrong = False, wrong or (error if _looks_like_dice(word) else None)
        cut = cut or ("" if alone else word)
    if not cut:
        return list(words)
    whole = " ".join(words)
    try:
        parse(whole, limits)
    except NotationError:
        if wrong and all(map(_looks_like_dice, words)):
            raise wrong from None
        raise
    if not from_shell:
        return [whole]
    from shlex import quote

    raise Usage(
        f"{cut!r} is not a complete expression",
        hint=f"quote it: crisis {verb} {quote(whole)}",
        code="extra_argument",
    )


def _looks_like_dice(word: str) -> bool:
    """Whether a word begins with a number of dice and a die: `4d6x6`, not `dc15`."""
    count, d, sides = word.lower().partition("d")
    return bool(d) and (not count or count.isdigit()) and sides[:1] in tuple("0123456789%({")
