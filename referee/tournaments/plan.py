"""Rounds in which nobody meets twice, by construction instead of by search.

With m tables, m a prime or a prime power, the players stand in columns of m. In round r the player
in row i of column c goes to table i + c·r, counted in the field of m elements: two players of
different columns meet in one of the m rounds only. One more round seats each column by itself.
Eight tables of four have nine such rounds, four tables of four the five that are possible.
"""

from collections.abc import Callable, Sequence
from math import isqrt

# Polynomials of GF(2^e) that cannot be divided, as bits.
IRREDUCIBLE = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011}
Times = Callable[[int, int], int]


def planned_rounds(tables: int, size: int) -> list[list[list[int]]]:
    """Return rounds without repeated meetings, each a list of tables of places 0 to m·size - 1.

    Empty if there is no such plan for this number of tables.
    """
    field = _field(tables)
    if field is None or tables < size:
        return []
    plus, times = field
    rounds = []
    for r in range(tables):
        seated: list[list[int]] = [[] for _ in range(tables)]
        for column in range(size):
            for row in range(tables):
                seated[plus(row, times(column, r))].append(column * tables + row)
        rounds.append(seated)
    if tables % size == 0:
        places = range(tables * size)
        rounds.append([list(places[i : i + size]) for i in places[::size]])
    return rounds


def _field(m: int) -> tuple[Times, Times] | None:
    """Return plus and times of the field with m elements; None if it is not known here."""
    if m in IRREDUCIBLE:
        return lambda a, b: a ^ b, lambda a, b: _times_of_bits(a, b, m, IRREDUCIBLE[m])
    if _is_prime(m):
        return lambda a, b: (a + b) % m, lambda a, b: a * b % m
    root = isqrt(m)
    if root * root == m and _is_prime(root):
        return _squared_field(root)
    return None


def _squared_field(p: int) -> tuple[Times, Times]:
    """Return plus and times of pairs, where x·x is a number that has no root modulo p."""
    squares = {n * n % p for n in range(p)}
    square = next(n for n in range(p) if n not in squares)

    def plus(a: int, b: int) -> int:
        return (a // p + b // p) % p * p + (a + b) % p

    def times(a: int, b: int) -> int:
        (a1, a0), (b1, b0) = divmod(a, p), divmod(b, p)
        return (a1 * b0 + a0 * b1) % p * p + (a0 * b0 + square * a1 * b1) % p

    return plus, times


def _times_of_bits(a: int, b: int, m: int, polynomial: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & m:
            a ^= polynomial
        b >>= 1
    return product


def _is_prime(m: int) -> bool:
    return m > 1 and all(m % n for n in range(2, isqrt(m) + 1))


def filled(plan: Sequence[Sequence[int]], cells: Sequence[int | None]) -> list[list[int]]:
    """Return a planned round with the players in its places; places may be empty."""
    return [
        [player for place in one if place < len(cells) and (player := cells[place]) is not None]
        for one in plan
    ]
