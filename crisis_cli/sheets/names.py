"""Matching typed words to names: exact, in other spellings, by their beginning, in one word or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from ..columns import JOINERS
from ..engine.scene import Fighter, Scene
from ..engine.turn_order import sheet_of
from ..values import NamedTuple

Names = Mapping[str, Sequence[str]]
"""Each name with all its aliases, most important first: `{"Drone 1": ("Drone 1", "drone", "Drone")}`."""
OPTION = "-"
"""The first character of options; no name begins with it."""
SEPARATORS = ":,="
"""Characters that separate a name from the rest of a word: `cover:drone`, `jack,drone`, `drone=3,4`."""
SPACING = " -_"
"""Characters between the words of a name."""


class Match(NamedTuple):
    """The names that a typed word matches equally well."""

    names: tuple[str, ...] = ()
    is_whole: bool = False
    """Whether the word is a whole name, not only the beginning of one."""


def fold_case(name: str) -> str:
    """A name for comparison: case-folded, with accents in one normal form."""
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFC", name)
    return name.casefold()


@lru_cache(10_000)
def without_spacing(name: str) -> str:
    """A name for comparison without spaces and hyphens: `drone1` for `Drone 1`."""
    return "".join(sign for sign in fold_case(name) if sign not in SPACING + ":" + JOINERS)


SPELLINGS: tuple[Callable[[str], str], ...] = (str, fold_case, without_spacing)
"""How names are compared, the strictest first."""


def fighter_names(scene: Scene) -> Names:
    """The fighters of a scene with their aliases: the name, the file of the sheet, the name shared by copies."""
    return {name: (name, _stem(one), sheet_of(name)) for name, one in scene.fighters.items()}


def plain_names(things: Iterable[str]) -> Names:
    """Names without other aliases."""
    return {thing: (thing,) for thing in things}


def _stem(one: Fighter) -> str:
    return one.file.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]


def match_name(word: str, names: Names) -> Match:
    """The names that a word matches best: exact before other spellings, whole names before beginnings."""
    if not without_spacing(word):
        return Match()
    for weight in range(max(map(len, names.values()), default=0)):
        for spelling in SPELLINGS:
            wanted = spelling(word)
            fit = tuple(
                name
                for name, said in names.items()
                if len(said) > weight and spelling(said[weight]) == wanted
            )
            if fit:
                return Match(fit, is_whole=True)
    return Match(tuple(name for name, said in names.items() if any(_is_prefix(word, one) for one in said)))


def match_inner_word(word: str, names: Names) -> tuple[str, ...]:
    """The names of which any word is the word typed, else those of which any word begins with it: `ash` for Brother
    Ash."""
    wanted = fold_case(word)
    if not wanted.isalpha():
        return ()
    parts = {name: [part for one in aliases for part in _parts(one)] for name, aliases in names.items()}
    whole = tuple(name for name, words in parts.items() if wanted in words)
    return whole or tuple(
        name for name, words in parts.items() if any(part.startswith(wanted) for part in words)
    )


def _is_prefix(word: str, name: str) -> bool:
    """Whether each part of a word is the beginning of the same part of a name; numbers must be whole."""
    typed, parts = _parts(word), _parts(name)
    return len(typed) <= len(parts) and all(
        part == begun if begun.isdigit() else part.startswith(begun)
        for begun, part in zip(typed, parts, strict=False)
    )


@lru_cache(10_000)
def _parts(name: str) -> tuple[str, ...]:
    return tuple("".join(" " if sign in SPACING else sign for sign in fold_case(name)).split())


def join_words(words: Sequence[str], names: Names) -> list[str]:
    """The words of a command line with those that form one name joined: `attack`, `drone 1`.

    Words that are whole names by themselves stay separate.
    """
    longest = max((len(_parts(one)) for said in names.values() for one in said), default=1)
    matched = cache(lambda word: match_name(word, names))
    result: list[str] = []
    at = 0
    while at < len(words):
        many = next(
            (many for many in range(longest, 1, -1) if _is_one(words[at : at + many], many, names, matched)),
            1,
        )
        if many == 1 and words[at + 1 : at + 2] and words[at + 1].isdecimal():
            # A number that none of several copies has: no word of its own.
            many += len(matched(words[at]).names) > 1
        result.append(" ".join(words[at : at + many]))
        at += many
    return result


def _is_one(words: Sequence[str], many: int, names: Names, matched: Callable[[str], Match]) -> bool:
    """Whether `many` words form one name, apart from parts set off by separators at both ends; `matched` gives what a
    word matches among the names."""
    if len(words) < many or any(word.startswith(OPTION) for word in words[1:]):
        return False
    first, last = _after_separator(words[0]), _before_separator(words[-1])
    inner = [first, *words[1:-1], last]
    if first.startswith(OPTION) or any(not one or set(one) & set(SEPARATORS) for one in inner):
        return False
    matches = [matched(one) for one in inner]
    if all(one.is_whole for one in matches):
        return False
    word = " ".join(inner)
    match = matched(word)
    # Read part by part: `drone 1 2` is not Drone 12.
    fits = any(_is_prefix(word, one) for name in match.names for one in names[name])
    return fits and (match.is_whole or not matches[0].is_whole)


def _after_separator(word: str) -> str:
    return word[1 + max(word.rfind(sign) for sign in SEPARATORS) :]


def _before_separator(word: str) -> str:
    return word[: min((at for sign in SEPARATORS if (at := word.find(sign)) >= 0), default=len(word))]
