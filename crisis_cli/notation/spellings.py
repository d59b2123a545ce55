"""What an expression that was refused would be here: the spellings of other programs and books, and of slips.

`TABLE` has a row for each: a pattern, and the right spelling or several of them, computed from what was typed. Rows are
tried in order, each once, until the line can be read; a row that does not lead to a line that can be read is
left out. So no spelling is ever named that would be refused again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ..dice import LIMITS
from ..dice.distribution import OddsTable
from ..dice.effort import Effort
from ..errors import NotationError, TooWide
from .distribution import distribution_of
from .grammar import FUNCTIONS, Notation, Reader
from .mean import mean

LONGEST = 200
"""Characters of the longest line that is looked at."""
MOST_TRIED = 200
"""Lines tried for one that was refused."""
QUICK = 2e7
"""Estimated nanoseconds that the odds of a spelling may take."""


class Spelling(NamedTuple):
    """A line as it is written here."""

    text: str
    means: str = ""
    """What it does, where there is another one to choose from."""


Right = str | tuple[Spelling, ...]
"""What takes the place of what a pattern matched; of several spellings each is named."""


class SpellingRule(NamedTuple):
    """A foreign spelling, and how it is written here."""

    pattern: re.Pattern[str]
    right: str | Callable[[re.Match[str]], Right]
    """A template of `re`, or a function."""
    everywhere: bool = True
    """Whether it replaces all matches, or only the first."""


DIE = r"(?:\b|(?<=[x*]))\d*d(?:\d+|%|f|c|\{[^{}]*\})"
D20 = "d20"
MODIFIED = rf"{DIE}(?:[kd][hl]?\d+|[!<>=fp]\d*|ro?[<>=]*\d+){{0,8}}"
"""Dice with what may follow them."""
AFTER = r"(?:(?<=[\d%}!])|(?<=d[fc]))"
"""Behind dice."""
BEHIND = r"(?:(?<=[\d%}])|(?<=d[fc]))!?"
"""Behind dice that may already explode."""
TEST = r"(?:[<>]=?|=)"
SMALL = {
    word: str(number)
    for number, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight"), 1)
}
COUNT = rf"(?:\d+|{'|'.join(SMALL)})"
HIGH = r"(?:high(?:er|est)?|best|top|largest|greatest)"
LOW = r"(?:low(?:er|est)?|worst|least|smallest)"
DROP = r"(?:drop|discard|remove)"
NO_LABEL = (
    r"(?:(?:adv(?:antage)?|dis(?:adv(?:antage)?)?|keep(?:ing|s)?|take|use|pick|choose|select|ignor(?:e|es|ing)|only|"
    rf"{DROP}(?:s|ed|ping|ing)?|vs?|versus|against|times|of|on|at|per|each|every|all|any|once|until|except|without|[adt][cn]|"
    rf"{HIGH}|{LOW}|[kd][hl]|ie|min|max|c[sf]|ms|m[ia]|p[lh]|xo|rr|ea|count|target|difficulty|if|then|else|plus|minus|"
    r"and|or|mod(?:ulo)?|twice|thrice|half|up|down|under|over|below|above|most|than|equals?|between|more|less|fewer|"
    r"exactly|open|ended|wild|aces?|raises?|elven|accuracy|repeat|again|average|mean|median|middle|sum|total|unique|"
    r"distinct|pairs?|sets?|even|odd|bonus|penalty|boons?|banes?|luck|lucky|brutal|squared|cubed|power|flip|swap|"
    rf"capped|floor|ceil|abs|edge|setback|rote|specialty|hits|net|gwf|great|savage|nat|nine|ten|dozen|{'|'.join(SMALL)}|"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten)e?s|"
    r"(?!(?:pierc|slash|bludgeon|lightn|heal|bleed|burn)ing)[^\W\d_]+(?:ed|ing))\b|"
    r"explod|implod|re-?roll|penetrat|compound|sort|doubl|tripl|halv|divid|multipl|round(?!s\b)|crit|succe|fail|botch|match|"
    r"maxim|minim|empower|emphas|reliabl|natural|negativ|absolut|percent|reverse|invert)"
)
"""Words that may say what happens to the dice."""
DAMAGE = frozenset(
    (
        "acid",
        "bludgeoning",
        "cold",
        "fire",
        "force",
        "lightning",
        "necrotic",
        "piercing",
        "poison",
        "psychic",
        "radiant",
        "slashing",
        "thunder",
    )
)
"""Words that are labels, no values of a sheet."""
SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
TYPOGRAPHIC = str.maketrans(
    {
        **{chr(letter): chr(letter - 0xFEE0) for letter in range(0xFF01, 0xFF5F)},
        **dict.fromkeys(SPACES, " "),
        **dict.fromkeys("\u200b\u2060\ufeff", ""),
        **dict.fromkeys("‐‑‒–—―﹣−", "-"),
        **dict.fromkeys("✕✖⨉⨯", "×"),
        **dict.fromkeys("·⋅∙•∗", "*"),
        **dict.fromkeys("÷∕⁄", "/"),
        **dict.fromkeys("≥⩾", ">="),
        **dict.fromkeys("≤⩽", "<="),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("\u2018\u2019\u201a`", "'"),
    }
)
"""Signs as books and word processors set them, and as they are typed here."""


def hint(text: str, code: str) -> str:
    """The hint for a line that was refused with this code; empty if no spelling is known."""
    named = spellings(text, code)
    if not named:
        return ""
    several = len(named) > 1
    return "write " + ", or ".join(
        f"{one.text} ({one.means})" if several and one.means else one.text for one in named
    )


def spellings(text: str, code: str = "") -> list[Spelling]:
    """The right spellings of a refused line, the likeliest first; each can be read, and all differ."""
    if len(text) > LONGEST or not text.isprintable():
        return []
    tried = [MOST_TRIED]
    rules = (*TABLE, *BY_CODE.get(code, ()))
    named: dict[str, Spelling] = {}
    for one in _read_as(Spelling(text.strip()), rules, tried):
        named.setdefault(one.text, one)
    return list(named.values())


def _read_as(line: Spelling, rules: tuple[SpellingRule, ...], tried: list[int]) -> list[Spelling]:
    """The readable lines that the first rule which leads to any makes of a line; itself, if it can be read."""
    if squeezed := _readable(line.text):
        return [line._replace(text=squeezed)]
    tried[0] -= 1
    for at, rule in enumerate(rules):
        found = [
            one
            for changed in _changed(line, rule)
            if tried[0] > 0
            for one in _read_as(changed, rules[at + 1 :], tried)
        ]
        if found:
            return found
    return []


def _changed(line: Spelling, rule: SpellingRule) -> Iterator[Spelling]:
    """A line after a rule: one for each spelling that it gives; none where it does not apply."""
    body, sign, comment = line.text.partition(" # ")
    if not _has_dice(body):
        body, sign, comment = line.text, "", ""
    found = rule.pattern.search(body)
    if found is None:
        return
    right = rule.right if isinstance(rule.right, str) else rule.right(found)
    if isinstance(right, tuple):
        for one in right:
            text = body[: found.start()] + one.text + body[found.end() :]
            yield Spelling(text + sign + comment, line.means or one.means)
        return
    text = rule.pattern.sub(
        lambda match: match.expand(rule.right) if isinstance(rule.right, str) else str(rule.right(match)),
        body,
        count=0 if rule.everywhere else 1,
    )
    if text != body:
        yield line._replace(text=text + sign + comment)


def _read(text: str) -> Notation:
    """A line as read; NotationError, without a hint, where it cannot be."""
    return Reader(text, LIMITS).line()


def _readable(text: str) -> str:
    """A line as it is typed, without blanks that do not matter; empty if it cannot be read."""
    try:
        notation = _read(text)
    except NotationError:
        return ""
    comment = f" # {notation.comment}" if notation.comment else ""
    written = text[: text.index("#", text.index("#") + 1 if notation.repeat else 0)] if comment else text
    squeezed = re.sub(r"\s+(?![^\[\]]*\])", "", written) + comment
    return squeezed if _same(squeezed, notation) else text


def _same(text: str, notation: Notation) -> bool:
    try:
        return _read(text) == notation
    except NotationError:
        return False


def _number(word: str | None, default: str = "1") -> str:
    """A number written in digits or as a word."""
    return SMALL.get(word.lower(), word) if word else default


def _bare(text: str) -> str:
    """A text without round brackets around the whole of it."""
    inner = text.strip()
    depth = 0
    for at, letter in enumerate(inner):
        depth += (letter == "(") - (letter == ")")
        if not depth and at < len(inner) - 1:
            return inner
    return inner[1:-1].strip() if inner[:1] == "(" and inner[-1:] == ")" else inner


def _has_dice(text: str) -> bool:
    return re.search(DIE, text, re.IGNORECASE) is not None


# What the rows with a function make of a match.


def _times(match: re.Match[str]) -> Right:
    """`3d6×10`, a product; `6×3d6`, rolls repeated."""
    count, dice = match["count"], match["dice"]
    return (
        Spelling(f"{count}#{_bare(dice)}", f"rolls it {count} times"),
        Spelling(f"{count}*{dice}", f"rolls it once, times {count}"),
    )


def _repeated(match: re.Match[str]) -> str:
    """`6x3d6`, `(3d6)x6`, `6 4d6`: rolls repeated."""
    return f"{_number(match['count'])}#{_bare(match['dice'])}{match.groupdict().get('rest') or ''}"


def _sum_times(match: re.Match[str]) -> Right:
    """`2d6+3 x 2`: repeated, or multiplied."""
    count, dice = match["count"], match["dice"]
    return (
        Spelling(f"{count}#{dice}", f"rolls it {count} times"),
        Spelling(f"({dice})*{count}", f"rolls it once, times {count}"),
    )


def _crossed(match: re.Match[str]) -> Right:
    """`6d6x6`: dice that explode, repeated, or multiplied."""
    dice, number = match["dice"], match["number"]
    sides = re.search(r"d(\d+)$", dice, re.IGNORECASE)
    product = Spelling(f"{dice}*{number}", f"times {number}")
    repeated = Spelling(f"{number}#{dice}", f"rolls it {number} times")
    if sides and int(number) <= int(sides[1]):
        return Spelling(f"{dice}!={number}", f"explodes on {number}"), repeated, product
    return (product, repeated) if sides else (repeated, product)


def _in_front(match: re.Match[str]) -> Right:
    """`5 (1d6+2)`, an average with its dice; `16(d20+4)`, rolls repeated."""
    count, inner, rest = match["count"], match["dice"], match["rest"]
    if not _has_dice(inner):
        return f"{count}*({inner}){rest}"
    average = Spelling(f"{inner}{rest}", f"{count} is its average")
    repeated = Spelling(f"{count}#{inner}{rest}", f"rolls it {count} times")
    product = Spelling(f"{count}*({inner}){rest}", f"times {count}")
    if _floor_of_mean(inner) == int(count):
        return (average,) if match["gap"] else (average, repeated)
    return repeated, product


def _floor_of_mean(text: str) -> int | None:
    try:
        above, below = mean(_read(text), OddsTable(effort=Effort(QUICK)))
    except (NotationError, TooWide):
        return None
    return above // below


def _digits(match: re.Match[str]) -> Right:
    """`d66`: dice read as the digits of a number."""
    digits = match["digits"]
    die = f"d{digits[0]}"
    whole = "+".join(("100*", "10*", "")[3 - len(digits) + at] + die for at in range(len(digits)))
    least = "1" * len(digits)
    if re.search(r"[*/-]\s*$", match.string[: match.start()]) or re.match(
        r"\s*[*/]", match.string[match.end() :]
    ):
        whole = f"({whole})"
    return (
        Spelling(whole, f"{least} to {digits}, digit by digit"),
        Spelling(f"1d{digits}", f"a die of {digits} faces"),
    )


def _faces(match: re.Match[str]) -> str:
    """`d[0..9]`, `d{1..6}`: faces from one number to another."""
    low, high = int(match["low"]), int(match["high"])
    if not 0 <= high - low < 100:
        return match[0]
    return "d{" + ",".join(map(str, range(low, high + 1))) + "}"


def _advantage(match: re.Match[str]) -> str:
    """`1d20+5 adv`, `2d10dis`: two dice, of which one is kept."""
    keep = "kh1" if match["word"].lower().startswith("adv") else "kl1"
    text = f"{match['before']}{match['after']}".rstrip()
    if not text or text[0] in "+-":
        return f"2{D20}{keep}{text}"
    dice = list(re.finditer(r"(?<![\d)])(\d*)d(\d+|%)(?![\dk])", text, re.IGNORECASE))
    if len(dice) > 1:
        dice = [die for die in dice if die[2] == "20"]
    if len(dice) != 1 or dice[0][1] not in ("", "1", "2"):
        return match[0]
    return f"{text[: dice[0].start()]}2d{dice[0][2]}{keep}{text[dice[0].end() :]}"


def _kept(match: re.Match[str]) -> Right:
    """`keep 3`, `drop lowest`, `drop the two lowest`."""
    words = match.groupdict()
    if len(re.findall(DIE, match.string[: match.start()], re.IGNORECASE)) > 1:
        # It may be kept from all of them.
        return match[0]
    drops = re.match(f"{DROP}|-", words["verb"], re.IGNORECASE) is not None
    number = _number(words["first"] or words["second"])
    which = words["which"]
    if not (which or words["first"] or words["second"]):
        return match[0]
    if which is None and drops:
        return Spelling(f"dl{number}", "the lowest"), Spelling(f"dh{number}", "the highest")
    end = "l" if which and re.match(LOW, which, re.IGNORECASE) else "h"
    return f"{'d' if drops else 'k'}{end}{number}"


def _best_of(match: re.Match[str]) -> str:
    """`best 3 of 4d6`, `lowest of 2d20`."""
    end = "l" if re.match(LOW, match["which"], re.IGNORECASE) else "h"
    return f"{match['dice']}k{end}{_number(match['number'])}"


def _taken_off(match: re.Match[str]) -> str:
    """`-L`, `-2H`, `-L-H`: the lowest or the highest are dropped."""
    ends = re.findall(r"(\d*)(L+|H+)", match[0].upper())
    return "".join(f"d{letters[0].lower()}{number or len(letters)}" for number, letters in ends)


def _raised(match: re.Match[str]) -> str:
    """`4d6^3`: the highest are kept; more than there are dice, rolls repeated."""
    dice, number = match["dice"], match["number"]
    count = re.match(r"\d*", dice)
    few = int(number) <= int((count and count[0]) or 1)
    return f"{dice}kh{number}" if few else f"{number}#{dice}"


def _unlike(match: re.Match[str]) -> str:
    """`r!=3`: every other face."""
    how, number = match["how"], match["number"]
    return f"{how}<{number}{how}>{number}"


def _reroll_count(match: re.Match[str]) -> Right:
    """`r1=1`: once, on ones; or until there are none, and then counted."""
    how, times, test = match["how"], match["times"], match["test"]
    counted = Spelling(f"{how}={times}{test}", "re-rolls, then counts")
    return (Spelling(f"ro{test}", "one re-roll each"), counted) if times == "1" else (counted,)


def _rerolled(match: re.Match[str]) -> Right:
    """`reroll 1s`: once, or until there are none."""
    number = "1" if match["number"].lower() == "ones" else match["number"]
    if match["high"] and number != "1":
        return match[0]
    test = f"<={match['high']}" if match["high"] else f"={number}"
    once = Spelling(f"ro{test}", "one re-roll each")
    return (once,) if match["once"] else (Spelling(f"r{test}", "until none is left"), once)


def _margin(match: re.Match[str]) -> str:
    """`ms>30`: by how much it is above a number."""
    dice, number = match["dice"], match["number"]
    return f"{number}-{dice}" if match["test"] and match["test"].startswith("<") else f"{dice}-{number}"


def _marked(match: re.Match[str]) -> Right:
    """`cs6`, `cs>=5cf1`: dice that are counted."""
    dice, test, number = match["dice"], match["test"] or "=", match["number"]
    fails = ""
    if match["fails"]:
        fails = f"f{match['fail_test'] or '='}{match['fails']}"
    return f"{dice}{test}{number}{fails}"


def _decimal(match: re.Match[str]) -> str:
    """`1.5*2d6`: a fraction, and the whole rounded down."""
    if re.search(r"[(\[{][^)\]}]*\d,\d", match["sum"]):
        return match[0]

    def fraction(found: re.Match[str]) -> str:
        part = Fraction(f"{found[1] or 0}.{found[2]}")
        plain = str(part)
        return f"({plain})" if match["sum"][: found.start()].rstrip().endswith("/") else plain

    changed = re.sub(r"(?<![\w.])(\d*)[.,](\d+)(?![\w.])", fraction, match["sum"])
    return f"{match['repeat'] or ''}floor({changed.strip()})"


def _grouped(match: re.Match[str]) -> str:
    """`(2d6, 1d8)kh1`, `(1d6+1d8)kh1`, `(4d6)kh3`: what is kept of several totals, or of dice."""
    inner = match["inner"]
    parts = [part.strip() for part in inner.split("+")]
    if len(parts) > 1 and all(re.fullmatch(r"1?d[\d%]+", part, re.IGNORECASE) for part in parts):
        inner = ",".join(parts)
    if "," in inner:
        return f"{{{inner}}}"
    return inner if re.fullmatch(MODIFIED, inner.strip(), re.IGNORECASE) else match[0]


def _sheet_value(match: re.Match[str]) -> str:
    """`+ STR`, `+{dex}`: a value of a sheet."""
    word = match["word"]
    name = word.lower()
    if name in (*FUNCTIONS, *DAMAGE) or len(name) < 2 or re.search(rf"\d|^{NO_LABEL}", name):
        return match[0]
    return f"{match['sign']}@{name}"


def _labelled(match: re.Match[str]) -> str:
    """`2d6 fire`: one word behind dice is their label; any other is a comment, unless it may be a rule."""
    expression, words = match["sum"].rstrip(), match["words"].strip(' "')
    if _is_rule(words):
        return match[0]
    last = re.search(rf"(?:{MODIFIED}|\))$", expression, re.IGNORECASE)
    if last and re.fullmatch(r"[^\W\d_]+", words):
        return f"{expression}[{words}]"
    return f"{expression} # {words}"


def _is_rule(words: str) -> bool:
    """Whether words may say what happens to the dice: none of them, and no number, is left out of a roll."""
    return re.search(rf"\d|(?<![^\W_]){NO_LABEL}", words, re.IGNORECASE) is not None


def _headed(match: re.Match[str]) -> str:
    """`Attack 3d6+2`: words before dice are a comment, unless they may be a rule."""
    words = match["words"]
    return match[0] if _is_rule(words) else f"{match['sum']} # {words}"


def _two_fold(match: re.Match[str]) -> Right:
    """`8d6=5-6`, `1d20>=15+2`: a range of faces, or the number that is compared; or the result is calculated with."""
    how, test, sign = match["how"] or "", match["test"] or "", match["sign"]
    low, high = int(match["low"]), int(match["high"])
    calculated = Spelling(
        f"{how}{test}{low} {sign} {high}", f"{'adds' if sign == '+' else 'subtracts'} {high}"
    )
    if sign == "-" and low < high:
        if test not in ("", "=", ">="):
            return (calculated,)
        if low == 1:
            faces = f"{how}<={high}"
        elif how.startswith("!") or high - low > 9:
            return (calculated,)
        else:
            faces = "".join(f"{how}={face}" for face in range(low, high + 1))
        return Spelling(faces, f"{low} to {high}"), calculated
    if how:
        return (calculated,)
    number = low + high if sign == "+" else low - high
    return Spelling(f"{test}{number}", f"compares with {number}"), calculated


def _between(match: re.Match[str]) -> Right:
    """`1-6`, `2-12`: numbers from one to another."""
    low, high = int(match["low"]), int(match["high"])
    if low >= high:
        return match[0]
    alike = Spelling(f"1d{high}" if low == 1 else f"1d{high - low + 1}+{low - 1}", "each as likely")
    if low < 2 or high % low:
        return (alike,) if low else match[0]
    return Spelling(f"{low}d{high // low}", f"{low} dice"), alike


def _listed(match: re.Match[str]) -> str:
    """`r1,2`, `r[1,2]`: several faces."""
    return "".join(f"{match['how']}={face}" for face in re.findall(r"\d+", match["faces"]))


def _counted(match: re.Match[str]) -> Right:
    """`8d6 tn 5`, `3d6 at least 7`: dice that are counted, or the total."""
    dice, number = match["dice"], match["number"]
    test = "<=" if "most" in match["word"].lower() else ">="
    counted = Spelling(f"{dice}{test}{number}", "counts dice")
    total = f"{{{dice}}}{test}{number}"
    several = not re.match(r"1?d", dice, re.IGNORECASE)
    compared = () if _is_settled(total) else (Spelling(total, "compares the total"),)
    return (counted, *compared) if several else compared


def _is_settled(text: str) -> bool:
    """Whether a line can be read but always comes out alike."""
    try:
        return len(distribution_of(_read(text), OddsTable(effort=Effort(QUICK))).ways) == 1
    except TooWide:
        return False
    except NotationError as error:
        return error.code != "unresolved_value"


def _compared(match: re.Match[str]) -> Right:
    """`2d6+3>=10`, `1d20+5 vs 15`: the total is compared."""
    groups = match.groupdict()
    repeat, left = groups["repeat"] or "", groups["left"].strip()
    sign = groups.get("test") or ">="
    number = sum(int(part) for part in re.findall(r"[-+]?\d+", re.sub(r"\s", "", groups["number"])))
    right = f"{repeat}{{{left}}}{sign}{number}"
    # A comparison that always comes out alike is not what is meant.
    if _is_settled(right):
        return ()
    rest = groups.get("rest") or ""
    if not groups.get("test") and re.fullmatch(r"1?d(?:100|%)", left, re.IGNORECASE):
        under = f"{repeat}{{{left}}}<={number}"
        return Spelling(f"{right}{rest}", "at least"), Spelling(f"{under}{rest}", "at most")
    return f"{right}{rest}"


COUNTS = (("=", "counts that face"), (">=", "counts it and higher ones"))


def _dropped(match: re.Match[str]) -> Right:
    """`4d6d1`: either end."""
    dice, number = match["dice"], match["number"] or "1"
    count = re.match(r"\d*", dice)
    few = 0 < int(number) < int((count and count[0]) or 1)
    if not few or re.search(r"[<>=]\d+$", dice) or (dice[-1] in "cCfF" and not match["number"]):
        return match[0]
    return Spelling(f"{dice}dl{number}", "drops the lowest"), Spelling(
        f"{dice}dh{number}", "drops the highest"
    )


def _rule(
    pattern: str, right: str | Callable[[re.Match[str]], Right], everywhere: bool = True
) -> SpellingRule:
    return SpellingRule(re.compile(pattern, re.IGNORECASE), right, everywhere)


TABLE: tuple[SpellingRule, ...] = (
    # Typography.
    _rule(r".*[^\x00-\x7f×].*|.*`.*", lambda match: match[0].translate(TYPOGRAPHIC)),
    _rule(r"^(['\"])([^'\"]*)\1$", r"\2"),
    _rule(r"(?<=[\w)\]}%!])\s*[,.;:…]+$", ""),
    _rule(r"(?<!\d)½", "0.5"),
    _rule(r"(?<![\w.,({\[])\d{1,3}(?:,\d{3})+(?!\d)", lambda match: match[0].replace(",", "")),
    _rule(r"^(?P<count>\d+)\s*×\s*(?P<dice>.*)$", _times),
    _rule(r"×", "*"),
    # Commands of chat programs.
    _rule(
        r"^(?:[/!.$](?:gm|g|w|p)?r(?:oll)?|(?:please\s+)?(?:roll|throw|output|sum)\b)\s*(?=[\d(\[{@d+-]|adv|dis)",
        "",
    ),
    _rule(r"^\[\[?([^\[\]]*)\]?\]", r"\1"),
    _rule(r"\[\[([^\[\]]*)\]\]", r"(\1)"),
    _rule(r"^\[\[(.*)\]\]", r"\1"),
    # Numbers with a sign between them.
    _rule(r"^(?P<low>\d+)\s*-\s*(?P<high>\d+)$", _between),
    _rule(
        rf"(?P<how>ro?|f|cs|!+p?)?\s*(?P<test>{TEST}|(?<=[rofs]))\s*(?P<low>\d+)(?P<sign>[-+])(?P<high>\d+)(?![d\d])",
        _two_fold,
        False,
    ),
    # Comments.
    _rule(r"(?<=\S)//(?=[\d(])", "/"),
    _rule(r"\s*//\s*(?!\d*d[\d%])(?=.*[^\W\d_])", " # ", False),
    _rule(
        rf"(?:\s+(?:\\|--)\s+|\s*;\s*|\s+!(?:\s+|(?=[^\W\d_]{{3}})))(?=[^\W\d_])(?!{NO_LABEL}|d[\d%])",
        " # ",
        False,
    ),
    _rule(r"^(?P<count>\d+)\s*#\s*(?=[\d(d{@])", r"\g<count>#"),
    _rule(r"(?<=[^\s\d#])\s*#(?=[^\s#])|\s#(?=[^\W\d_])", " # ", False),
    _rule(rf'\s*"(?!{NO_LABEL})([^"]+)"$', r" # \1"),
    _rule(rf"^(?!{NO_LABEL})([^\W\d_][\w '-]*):\s*([^#]+)$", r"\2 # \1"),
    # Blanks, and words that say what a sign says.
    _rule(r"\bd\s+(?=\d)", "d"),
    _rule(rf"{AFTER}\s*(!+p?|c[sf]|ms|m[ia]|p[lh]|t|i?e|xo|rr|ra|ir)\s*({TEST}{{0,2}})\s*(?=\d)", r"\1\2"),
    _rule(r"\s+plus\s+(?=\d|d\d)", " + "),
    _rule(r"\s+minus\s+(?=\d|d\d)", " - "),
    _rule(r"(?<=[\d)%fc!])\s*\((?=[^\W\d_])([^\d(){}=<>*/+@]+)\)", r" \1"),
    # Dice.
    _rule(r"(?<![\w)])d(?P<digits>44|66|88|444|666|888)(?![\d\w])", _digits),
    _rule(r"d(0{2,3})(?!\d)", r"d1\1"),
    _rule(r"\b(\d+)\s*cd\b", r"\1dC"),
    _rule(r"d(?:fate|fudge)\b", "dF"),
    _rule(rf"\b({'|'.join(SMALL)})\s+(?=d\d)", lambda match: SMALL[match[1].lower()]),
    _rule(r"(df)\.2", "dF"),
    _rule(r"(df)\.1", "d{-1,0,0,0,0,1}"),
    _rule(r"d[\[{](?P<low>-?\d+)\s*(?:\.\.\.?|-)\s*(?P<high>-?\d+)[\]}]", _faces),
    _rule(r"d\[(\d+)\]", r"d\1"),
    _rule(r"d\[([-\d,\s]+)\]", r"d{\1}"),
    _rule(r"(?<![^\W_])(\d*)w(\d+)", r"\1d\2"),
    _rule(r"\b(\d+)d(?![\w{(%\[])", r"\1d6"),
    # Advantage.
    _rule(r"\[\s*((?:adv(?:antage)?|dis(?:adv(?:antage)?)?))\s*\]", r" \1"),
    _rule(
        r"^(?P<before>.*?)\s*\+?\s*(?:\b(?:with|at)\s+)?-{0,2}\(?(?P<word>adv(?:antage)?|dis(?:adv(?:antage)?)?)\b\)?"
        r"(?P<after>.*)$",
        _advantage,
    ),
    # Keeping and dropping.
    _rule(
        rf"\b(?P<which>{HIGH}|{LOW})(?:\s+(?P<number>{COUNT}))?\s+(?:(?:of|from|in)\s+)?(?P<dice>{DIE})",
        _best_of,
    ),
    _rule(rf"\b(?P<number>{COUNT})\s+(?P<which>{HIGH}|{LOW})\s+(?:of|from|in)\s+(?P<dice>{DIE})", _best_of),
    _rule(
        rf",?\s+(?P<verb>keep(?:ing)?|take|use|pick|choose|{DROP})\s*(?:(?:the|only)\s+)*(?P<first>{COUNT})?\s*(?:(?:the|dice)\s+)?"
        rf"(?P<which>{HIGH}|{LOW})?\s*(?P<second>{COUNT})?(?:\s+(?:die|dice|ones?))?(?![^\W_])",
        _kept,
    ),
    _rule(rf"(?<=\d)\s+(?P<verb>)(?P<which>{HIGH}|{LOW})\s*(?P<first>{COUNT})?(?P<second>)\b", _kept),
    _rule(r"(?<=\d)(?:\s*-\s*\d*(?:L+|H+))+\b", _taken_off),
    _rule(rf"(?<=\d)\s*(?P<verb>-)\s*(?P<which>{HIGH}|{LOW})(?P<first>)(?P<second>)\b", _kept),
    _rule(rf"(?P<dice>{DIE})\s*\^\s*(?P<number>\d+)", _raised),
    _rule(rf"({DIE})\s*v\s*(\d+)", r"\1kl\2"),
    _rule(rf"({DIE})\s*b(\d+)", r"\1kh\2"),
    _rule(r"(?<=[\d%])\s*p([lh])(\d+)", r"d\1\2"),
    _rule(r"\((?P<inner>[^()]*)\)(?=\s*[kd][hl]?\d)", _grouped),
    _rule(rf"(?<={{)\s*({DIE})\s*}}(?=\s*[kd][hl]?\d)", r"\1"),
    _rule(rf"{{(?={DIE}\s*[kd][hl]?\d)", ""),
    _rule(r"(?<=\d)\s*([hl])(\d+)\b", r"k\1\2"),
    _rule(rf"{AFTER}\s*k(?![^\W_]|\s*[<>=])", "kh1"),
    _rule(rf"{AFTER}\s*([kd][hl])(?![^\W_]|\s*[<>=])", r"\g<1>1"),
    _rule(rf"(?P<dice>{MODIFIED})\s*d(?P<number>\d*)(?![^\W_]|\s*[<>=]|[%({{])", _dropped, False),
    # Clamping.
    _rule(rf"{AFTER}\s*mi(\d+)", r"min\1"),
    _rule(rf"{AFTER}\s*ma(\d+)", r"max\1"),
    # Re-rolling.
    _rule(r"(?P<how>ro?)\s*\[?(?P<faces>\d+(?:\s*,\s*\d+)+)\]?", _listed),
    _rule(r"(?P<how>ro?)(?:!=|<>)(?P<number>\d+)", _unlike),
    _rule(rf"{AFTER}\s*rr(?P<number>\d+)", r"r=\g<number>"),
    _rule(rf"{AFTER}\s*rr(?=[<>=]|\s*$|\s*[-+*/)])", "r"),
    _rule(rf"(?P<how>ro?)(?P<times>\d+)(?P<test>{TEST}-?\d+)", _reroll_count),
    _rule(rf"{AFTER}\s*ir(\d+)", r"r<=\1"),
    _rule(
        rf"{AFTER},?\s+re-?roll(?:s|ing)?\s+(?P<number>\d+|ones)s?(?:-(?P<high>\d+))?(?P<once>\s+once)?\b",
        _rerolled,
    ),
    _rule(rf"{AFTER}\s*ra(\d+)", r"!=\1{1}"),
    # Exploding.
    _rule(r"(!!?p?)(\d+)", r"\1=\2"),
    _rule(rf"{AFTER}\s*xo({TEST}\d+)", r"!\1{1}"),
    _rule(rf"{AFTER}\s*xo(\d+)", r"!=\1{1}"),
    _rule(rf"{AFTER}\s*xo\b", "!{1}"),
    _rule(rf"{AFTER}\s*(?:x|i?e)({TEST}\d+)", r"!\1"),
    _rule(rf"(?P<dice>{MODIFIED})\s*x\s*(?P<number>\d+)(?!\s*d)\b", _crossed),
    _rule(rf"{AFTER}\s*i?e(\d+)", r"!=\1"),
    _rule(rf"{AFTER}(?:x|\s*i?e)\b", "!"),
    _rule(rf"{BEHIND}\s+penetrat(?:es|ing)\b", "!p"),
    _rule(rf"{BEHIND}\s+explod(?:e|es|ing)\s+once\b", "!{1}"),
    _rule(
        rf"{BEHIND}\s+explod(?:e|es|ing)(?:\s+on)?\s*(?P<number>\d+)(?:s|(?P<more>\+))?(?![\w-])",
        lambda match: f"!{'>' if match['more'] else ''}={match['number']}",
    ),
    _rule(rf"{BEHIND}\s+explod(?:e|es|ing)(?=\s*(?:[-+*/#,)]|$))", "!"),
    # Counting.
    _rule(
        rf"^(?P<dice>{DIE})\s*(?P<word>tn|difficulty|target|at\s+(?:least|most))\s*(?P<number>\d+)$", _counted
    ),
    _rule(
        rf"^(?P<dice>{DIE})\s*count\s*(?P<number>\d+)$",
        lambda match: tuple(
            Spelling(f"{match['dice']}{test}{match['number']}", said) for test, said in COUNTS
        ),
    ),
    _rule(r"(?<=\d)\s*s(\d+)\b", r">=\1"),
    _rule(rf"{AFTER}\s*c\[\s*({TEST}\s*-?\d+)\s*\]", r"\1"),
    _rule(rf"\b(1?d(?:20|100|%))\s*(?:c[sf]{TEST}?\d+)+", r"\1"),
    _rule(
        rf"(?P<dice>{DIE}(?:!+)?)\s*cs?(?P<test>{TEST})?(?P<number>\d+)"
        rf"(?:\s*cf(?P<fail_test>{TEST})?(?P<fails>\d+))?",
        _marked,
    ),
    _rule(rf"(?P<dice>{DIE})\s*ms?(?P<test>{TEST})?(?P<number>\d+)", _margin),
    _rule(rf"{AFTER}\s*t(\d+)", r">=\1"),
    _rule(rf"{AFTER}sf(?=[<>=\d])", "f"),
    _rule(rf"{AFTER}\s+(?:on\s+)?([2-9])\+(?=\s*$)", r">=\1"),
    _rule(r"===?", "="),
    _rule(r"=>", ">="),
    _rule(r"=<", "<="),
    _rule(r"<>(-?\d+)", r"<\1>\1"),
    # Values of a sheet.
    _rule(
        r"(?P<sign>\+|(?<![^\W\d_])-)\s*[{$%<]?(?P<word>(?!d\d|d%|df\b|dc\b|[lh]\b)[^\W\d_][\w.]*)[}%>]?(?!\s*\()"
        r"(?:\s+(?:mod|modifier|bonus)\b)?",
        _sheet_value,
    ),
    # Totals that are compared.
    _rule(
        r"^(?P<repeat>\d+#)?(?P<left>[^#]*?)\s*(?:(?<![^\W\d_])(?:vs?\.?|versus|against)(?![^\W\d_])|\b(?=[adt][cn]\s*\d))\s*"
        r"(?:[adt][cn]\s*)?(?P<number>\d+(?:\s*[-+]\s*\d+(?![\dd]))*)(?P<rest>(?!\s*[-+*/d]).*)$",
        _compared,
    ),
    _rule(
        rf"^(?P<repeat>\d+#)?(?P<left>[^#]*?(?:d[fc]|[^<>=!pfros\s]))\s*(?P<test>{TEST})\s*(?P<number>-?\d+)$",
        _compared,
    ),
    # Calculated with.
    _rule(rf"^({MODIFIED})\s+(?:times|multiplied\s+by)\s+(\d+)$", r"\1*\2"),
    _rule(rf"^({MODIFIED})\s+divided\s+by\s+(\d+)$", r"\1/\2"),
    _rule(rf"^({MODIFIED})\s+halved$", r"\1/2"),
    _rule(r"^([^#]*/\s*\d+),?\s+round(?:ed)?\s+up$", r"ceil(\1)"),
    _rule(rf"^({MODIFIED})\s+sorted$", r"\1s"),
    # Repeats.
    _rule(rf"^({MODIFIED})\s+twice$", r"2#\1"),
    _rule(r"^(?P<count>\d+)\s*x\s*(?P<dice>.*)$", _repeated),
    _rule(rf"^(?P<count>{COUNT})\s+(?:times|x|rolls?\s+of)\s+(?P<dice>.*)$", _repeated),
    _rule(r"^(?P<count>\d+)\s+(?P<dice>\d*d[\d%fc{].*)$", _repeated),
    _rule(r"^\((?P<dice>.*)\)\s*[x^]\s*(?P<count>\d+)\b(?P<rest>.*)$", _repeated),
    _rule(rf"^(?P<dice>.*?)[,\s]\s*(?P<count>{COUNT})\s+times$", _repeated),
    _rule(r"^(?P<dice>.*[-+].*?)\s*x\s*(?P<count>\d+)$", _sum_times),
    _rule(r"^(?P<count>\d+)(?P<gap>\s*)\((?P<dice>[^()]*(?:\([^()]*\)[^()]*)*)\)(?P<rest>.*)$", _in_front),
    # Numbers.
    _rule(r"^(?P<repeat>\d+#)?(?P<sum>[^#]*?(?<![\w.)\]}])\d*[.,]\d+(?![\w.])[^#]*)$", _decimal),
    # Words.
    _rule(
        rf"(?<=[\d)%fc!])\s+(?!{NO_LABEL})([^\W\d_]{{2,}}(?:\s+(?!{NO_LABEL})[^\W\d_]{{2,}})?)"
        r"(?=\s*(?:[-+*/]\s*[\d(d@]|[),]))",
        r"[\1]",
    ),
    _rule(
        rf"^(?P<sum>[^#]*?[\d)%fc!\]}}])[\s,:]*\s(?P<words>(?!{NO_LABEL})\"?[^\W\d_]{{2,}}(?![^\W_]|\()"
        r"(?:(?!\d*d\d|[-+*/<>=]\s*\d).)*)$",
        _labelled,
    ),
    _rule(r"^(?P<words>[^\W\d_]{3,}(?:\s+[^\W\d_]+)?)\s+(?P<sum>\d*d[\d%][^#]*)$", _headed),
)
"""Foreign spellings and how they are written here, in the order in which they are tried."""

BY_CODE: dict[str, tuple[SpellingRule, ...]] = {
    "no_sign": (_rule(r"((?<![d\d])\d+|\))\s*(?=[({]|@[^\W\d_])", r"\1*"),),
    "unexpected": (_rule(r"^(?P<dice>.*)\^(?P<count>\d+)$", _repeated),),
}
"""Slips that only the error tells from a foreign spelling, by its code."""
