"""Laws of sums: many like dice, or parts that have nothing to do with each other.

Like dice are a power of a polynomial. Fair dice have coefficients that follow from the few before
them; any other die follows J.C.P. Miller's recurrence, or is packed into one large integer,
coefficient by coefficient, and multiplied there; whichever is the least work.
"""

from __future__ import annotations

from math import gcd, lcm

from .distribution import Distribution, reduced
from .effort import WORDS, Effort


def certain(value: int) -> Distribution:
    """The distribution of a number that is always the same."""
    return Distribution({value: 1}, 1)


def shifted(distribution: Distribution, by: int, scale: int = 1) -> Distribution:
    """The distribution of a number multiplied, then added to."""
    if by == 0 and scale == 1:
        return distribution
    if scale == 0:
        return Distribution({by: 1}, 1, distribution.truncated)
    ways = {outcome * scale + by: count for outcome, count in distribution}
    return Distribution(ways, distribution.total, distribution.truncated)


def mixed(parts: list[tuple[int, Distribution]], total: int, truncated: bool, effort: Effort) -> Distribution:
    """The distribution of one of several distributions, each taken in its ways out of the total."""
    whole = 1
    for _, distribution in parts:
        effort.spend(dividing(whole.bit_length() + distribution.total.bit_length()))
        whole = lcm(whole, distribution.total)
    bits = whole.bit_length() + total.bit_length()
    ways: dict[int, int] = {}
    for share, distribution in parts:
        effort.spend(dividing(bits) + len(distribution.ways) * (300 + 3 * bits / WORDS))
        effort.fit(len(ways), bits)
        scale = share * (whole // distribution.total)
        for outcome, count in distribution:
            ways[outcome] = ways.get(outcome, 0) + count * scale
        truncated = truncated or distribution.truncated
    effort.hold(len(ways), bits)
    return lowered(ways, total * whole, truncated, effort)


def lowered(ways: dict[int, int], total: int, truncated: bool, effort: Effort) -> Distribution:
    """The distribution with its ways divided by what they have in common, the work for it counted."""
    effort.spend(len(ways) * 100)
    common = total
    for count in ways.values():
        if common == 1:
            break
        effort.spend(dividing(min(common.bit_length(), count.bit_length())) + total.bit_length() / WORDS)
        common = gcd(common, count)
    if common == 1:
        return Distribution(ways, total, truncated)
    shared = common.bit_length() / WORDS
    effort.spend(len(ways) * (100 + shared * max(total.bit_length() / WORDS - shared, 1)))
    return Distribution(
        {outcome: count // common for outcome, count in ways.items()}, total // common, truncated
    )


def convolved(left: Distribution, right: Distribution, effort: Effort) -> Distribution:
    """The distribution of the sum of two numbers that have nothing to do with each other."""
    if len(left.ways) == 1 or len(right.ways) == 1:
        one, many = (left, right) if len(left.ways) == 1 else (right, left)
        return Distribution(
            shifted(many, next(iter(one.ways))).ways, many.total, one.truncated or many.truncated
        )
    total = left.total * right.total
    truncated = left.truncated or right.truncated
    bits = total.bit_length()
    pairs = len(left.ways) * len(right.ways)
    one_by_one = pairs * (150 + bits / WORDS + crossing(left.total, right.total))
    low, slots = min(left.ways) + min(right.ways), span(left) + span(right) + 1
    together = slots * 250 + multiplying(slots * bits)
    effort.spend(min(one_by_one, together))
    if one_by_one <= together:
        ways: dict[int, int] = {}
        for other, other_ways in right:
            for outcome, count in left:
                score = outcome + other
                ways[score] = ways.get(score, 0) + count * other_ways
            effort.fit(len(ways), bits)
        effort.hold(len(ways), bits)
        return lowered(ways, total, truncated, effort)
    effort.hold(slots, bits)
    size = bits // 8 + 1
    product = packed(left, size) * packed(right, size)
    return lowered(listed(unpacked(product, size, slots), low), total, truncated, effort)


def span(distribution: Distribution) -> int:
    """How far the outcomes of a distribution lie apart."""
    distance: int = max(distribution.ways) - min(distribution.ways)
    return distance


def multiplying(bits: float) -> float:
    """Nanoseconds for multiplying two integers whose product has so many bits."""
    digits = bits / WORDS / 2 + 1
    return digits * digits if digits < 70 else 4_900 * (digits / 70) ** 1.6


def crossing(left: int, right: int) -> float:
    """Nanoseconds for multiplying two integers as large as these."""
    less, more = sorted((left.bit_length(), right.bit_length()))
    return more / max(less, 1) * multiplying(2 * less) / 2


def dividing(bits: float) -> float:
    """Nanoseconds for dividing an integer of so many bits, or for what two of them have in common."""
    digits = bits / WORDS + 1
    return 2 * digits * digits


def packed(distribution: Distribution, size: int) -> int:
    """The ways of a distribution in one integer, `size` bytes each, from the lowest outcome up."""
    low = min(distribution.ways)
    row = bytearray((span(distribution) + 1) * size)
    for outcome, count in distribution:
        place = (outcome - low) * size
        row[place : place + size] = count.to_bytes(size, "little")
    return int.from_bytes(row, "little")


def unpacked(number: int, size: int, slots: int) -> list[int]:
    """The integers of `size` bytes each that were packed into one."""
    row = number.to_bytes(slots * size, "little")
    return [int.from_bytes(row[place : place + size], "little") for place in range(0, slots * size, size)]


def listed(coefficients: list[int], low: int, stride: int = 1) -> dict[int, int]:
    """Ways by outcome from a list that begins at the lowest outcome; impossible outcomes are left out."""
    return {low + stride * place: ways for place, ways in enumerate(coefficients) if ways}


def power(distribution: Distribution, count: int, effort: Effort) -> Distribution:
    """The distribution of the sum of `count` numbers of one distribution."""
    if count == 0:
        return certain(0)
    if count == 1:
        return distribution
    distribution = reduced(distribution.ways, distribution.total, distribution.truncated)
    low = min(distribution.ways)
    stride = gcd(*(outcome - low for outcome in distribution.ways))
    if stride == 0:
        return Distribution({low * count: 1}, 1, distribution.truncated)
    degree = span(distribution) // stride
    slots, bits = degree * count + 1, distribution.total.bit_length() * count
    effort.spend(2 * multiplying(bits))
    total = distribution.total**count
    if len(distribution.ways) == degree + 1 == distribution.total:
        coefficients = fair_sum(count, degree + 1, effort)
    else:
        digits = distribution.total.bit_length() / WORDS
        miller = slots * len(distribution.ways) * (160 + (3 + digits) * bits / WORDS)
        together = slots * 250 + 2 * multiplying(slots * bits)
        doubling = _doubling(distribution, count)
        least = min(miller, together, doubling)
        if doubling == least:
            effort.spend(1_000)
            half = power(distribution, count // 2, effort)
            both = convolved(half, half, effort)
            return convolved(both, distribution, effort) if count % 2 else both
        effort.spend(least)
        effort.hold(slots, bits)
        if miller == least:
            coefficients = _miller(distribution, low, stride, count, slots)
        else:
            size = bits // 8 + 1
            thin = Distribution(
                {(outcome - low) // stride: ways for outcome, ways in distribution}, distribution.total
            )
            coefficients = unpacked(packed(thin, size) ** count, size, slots)
    # What no prime divides whole, no prime divides once it is raised to a power (Gauss).
    return Distribution(listed(coefficients, low * count, stride), total, distribution.truncated)


def _doubling(distribution: Distribution, count: int) -> float:
    """Nanoseconds for adding the distribution to itself by halving: best where outcomes lie far apart."""
    most = float(len(distribution.ways)) ** (count // 2) if count < 40 else float("inf")
    return most * most * 200


def fair_sum(count: int, sides: int, effort: Effort) -> list[int]:
    """The ways in which `count` fair dice show each sum, from the lowest up.

    With f = ((1 - x^s) / (1 - x))^n, the equation (1 - x)(1 - x^s) f' = n (1 - s x^(s-1) + (s-1) x^s) f
    gives each coefficient from three before it; the second half mirrors the first.
    """
    top = count * (sides - 1)
    bits = count * sides.bit_length()
    effort.spend((top / 2 + 1) * (800 + 7 * bits / WORDS))
    effort.hold(top // 2 + 1, bits)
    ways = [0] * (top + 1)
    ways[0] = 1
    first, second = sides * (count + 1), count * (sides - 1) + sides
    for place in range(1, top // 2 + 1):
        value = (place - 1 + count) * ways[place - 1]
        if place >= sides:
            value += (place - first) * ways[place - sides]
            if place > sides:
                value += (second - place + 1) * ways[place - sides - 1]
        ways[place] = value // place
    half = (top + 1) // 2
    ways[top + 1 - half :] = ways[half - 1 :: -1] if half else []
    return ways


def _miller(distribution: Distribution, low: int, stride: int, count: int, slots: int) -> list[int]:
    """The coefficients of a power: k a0 b_k = sum of (i (n + 1) - k) a_i b_(k-i)."""
    terms = sorted(((outcome - low) // stride, ways) for outcome, ways in distribution)[1:]
    base = distribution.ways[low]
    scaled = [(place, ways * (count + 1) * place, ways) for place, ways in terms]
    row = [0] * slots
    row[0] = base**count
    for place in range(1, slots):
        value = 0
        for back, weight, ways in scaled:
            if back > place:
                break
            value += (weight - place * ways) * row[place - back]
        row[place] = value // (place * base)
    return row
