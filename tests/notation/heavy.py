"""Expressions that ask for much: for the tests of limits."""

from __future__ import annotations

from random import Random

NUMBERS = (
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    9,
    10,
    12,
    20,
    30,
    50,
    64,
    100,
    200,
    300,
    500,
    999,
    1000,
    2000,
    5000,
    9999,
    10_000,
)
HUGE = (10_001, 65_536, 99_999, 200_000, 1_000_000, 10_000_000, 2_147_483_648, 999_999_999, 10**12)
SIGNS = ("", ">=", "<=", ">", "<", "=")


def expression(random: Random, depth: int = 2) -> str:
    """A random expression, most of them more than anyone needs."""
    kind = random.random()
    if depth == 0 or kind < 0.55:
        return _dice(random, depth)
    if kind < 0.7:
        sign = random.choice("++-*/")
        parts = (expression(random, depth - 1) for _ in range(_count(random)))
        return f"({sign.join(parts)})"
    if kind < 0.75:
        return "+".join([expression(random, depth - 1)] * random.choice((2, 3, 10, 40)))[:3_000].rstrip("+")
    if kind < 0.85:
        word = random.choice(("floor", "ceil", "round", "abs", "min", "max"))
        parts = (
            expression(random, depth - 1) for _ in range(_count(random) if word in ("min", "max") else 1)
        )
        return f"{word}({','.join(parts)})"
    if random.random() < 0.5:
        parts = (expression(random, depth - 1) for _ in range(_count(random)))
    else:
        parts = iter([expression(random, depth - 1)] * random.choice((2, 5, 20, 100)))
    return f"{{{','.join(parts)}}}{_tally(random)}"


def _count(random: Random) -> int:
    return random.choice((2, 2, 3, 4, 6, 12))


def _number(random: Random) -> int:
    return random.choice(HUGE if random.random() < 0.06 else NUMBERS)


def _dice(random: Random, depth: int) -> str:
    if random.random() < 0.08:
        return str(_number(random))
    count = f"({expression(random, depth - 1)})" if depth and random.random() < 0.08 else str(_number(random))
    kind = random.random()
    if kind < 0.07 and depth:
        sides = f"({expression(random, depth - 1)})"
    elif kind < 0.17:
        sides = "{" + ",".join(str(_face(random)) for _ in range(random.choice((2, 3, 4, 6, 40)))) + "}"
    else:
        sides = random.choice(("F", "C", "%")) if kind < 0.23 else str(_number(random))
    modifiers = ""
    if random.random() < 0.35:
        modifiers += random.choice(("!", "!", "!!", "!p", "!!p")) + _test(random)
        if random.random() < 0.2:
            modifiers += f"{{{_number(random)}}}"
    if random.random() < 0.15:
        modifiers += random.choice(("r", "ro")) + (_test(random) or "1")
    if random.random() < 0.1:
        modifiers += random.choice(("min", "max")) + str(_number(random))
    return f"{count}d{sides}{modifiers}{_tally(random)}"


def _face(random: Random) -> int:
    return random.choice((0, 1, -1, 2, 3, 5, 10, 50, 900, 12345, 10**12))


def _test(random: Random) -> str:
    sign = random.choice(SIGNS)
    return f"{sign}{_number(random)}" if sign else ""


def _tally(random: Random) -> str:
    report = ""
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        report += random.choice(("kh", "kl", "dh", "dl")) + str(_number(random))
    if random.random() < 0.2:
        report += random.choice(SIGNS[1:]) + str(_number(random))
        if random.random() < 0.3:
            report += f"f={_number(random)}"
    return report
