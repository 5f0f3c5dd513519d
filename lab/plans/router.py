"""Lays tracks on two layers, on a grid, by paths that negotiate for room, and widens supplies.

Every net is laid along the cheapest way, first without regard to others; a point that several want
gets dearer each round, until one net is left on each (McMurchie and Ebeling, "PathFinder", FPGA
1995). The result depends on nothing but the board.
"""

from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise

from lab.plans.circuit import GND, LOGIC, SENSORS, USB
from lab.plans.layout import GRID, Board

TRACK = 0.25
VIA = 0.6
VIA_DRILL = 0.3
CLEARANCE = 0.2
EDGE = 0.5
VIA_COST = 6.0
ROUNDS = 60
FREE, WALL = "", "#"
SUPPLIES = {GND, LOGIC, SENSORS, USB}
WIDTHS = (1.2, 1.0, 0.8, 0.6, 0.4)


@dataclass(frozen=True)
class Track:
    """A straight piece of copper; layer 0 is above."""

    net: str
    layer: int
    x1: float
    y1: float
    x2: float
    y2: float
    width: float = TRACK


@dataclass(frozen=True)
class Via:
    """A connection between the layers."""

    net: str
    x: float
    y: float


class NoWayError(Exception):
    """A net found no way, or the nets found no agreement."""


class Router:
    """Lays the tracks of a board.

    Args:
        board: The board; its pads are obstacles and goals.
    """

    def __init__(self, board: Board) -> None:
        self._columns = int(board.width / GRID) + 1
        self._rows = int(board.height / GRID) + 1
        self._layer = self._columns * self._rows
        self._pads = [pad for pad in board.pads() if pad.net]
        self._track_owner = [FREE] * (2 * self._layer)
        self._via_owner = [FREE] * self._layer
        self._history = [0.0] * (2 * self._layer)
        self._users: list[set[str]] = [set() for _ in range(2 * self._layer)]
        self._vias: list[set[str]] = [set() for _ in range(self._layer)]
        self._trees: dict[str, list[list[int]]] = {}
        self._block(board)

    def route(self) -> tuple[list[Track], list[Via]]:
        """Return all tracks and vias. Raises NoWayError."""
        goals: dict[str, list[set[int]]] = {}
        for pad in self._pads:
            node = self._nearest(pad.x, pad.y)
            goals.setdefault(pad.net, []).append(
                {node + layer * self._layer for layer in pad.layers}
            )
        nets = sorted((net for net in goals if len(goals[net]) > 1), key=lambda n: len(goals[n]))
        wanting = nets
        for turn in range(ROUNDS):
            pressure = 0.5 * 1.4 ** min(turn, 20)
            for net in wanting:
                self._remove(net)
                self._trees[net] = self._connect(net, goals[net], pressure)
                self._add(net)
            crowded = self._crowded()
            if not crowded:
                return self._copper()
            for node in crowded:
                self._history[node] += 1.0
            busy = {net for node in crowded for net in self._all_users(node)}
            wanting = [net for net in nets if net in busy]
        raise NoWayError(f"no agreement between {', '.join(wanting)}")

    def _nearest(self, x: float, y: float) -> int:
        return round(y / GRID) * self._columns + round(x / GRID)

    def _point(self, node: int) -> tuple[float, float]:
        row, column = divmod(node % self._layer, self._columns)
        return round(column * GRID, 4), round(row * GRID, 4)

    def _block(self, board: Board) -> None:
        """Note for each point whose track or via may be there."""
        for node in range(self._layer):
            x, y = self._point(node)
            inside = min(x, y, board.width - x, board.height - y)
            if inside < EDGE + TRACK / 2:
                self._track_owner[node] = self._track_owner[node + self._layer] = WALL
            if inside < EDGE + VIA / 2:
                self._via_owner[node] = WALL
        for pad in board.pads():
            bare = not pad.pad.name
            owner = pad.net or WALL
            reach = CLEARANCE + VIA / 2 + (0.1 if bare else 0)
            for node in self._around(pad.x, pad.y, pad.width / 2 + reach, pad.height / 2 + reach):
                apart = pad.distance(*self._point(node))
                if apart < CLEARANCE + TRACK / 2 + (0.1 if bare else 0) - 1e-6:
                    for layer in pad.layers:
                        self._claim(self._track_owner, node + layer * self._layer, owner)
                if apart < reach - 1e-6:
                    # No via in a surface pad: the solder would run away.
                    self._claim(self._via_owner, node, WALL if apart < VIA / 2 else owner)

    def _around(self, x: float, y: float, half_width: float, half_height: float) -> list[int]:
        left, right = int((x - half_width) / GRID), int((x + half_width) / GRID) + 1
        top, bottom = int((y - half_height) / GRID), int((y + half_height) / GRID) + 1
        return [
            row * self._columns + column
            for row in range(max(top, 0), min(bottom + 1, self._rows))
            for column in range(max(left, 0), min(right + 1, self._columns))
        ]

    @staticmethod
    def _claim(owners: list[str], node: int, owner: str) -> None:
        owners[node] = owner if owners[node] in (FREE, owner) else WALL

    def _connect(self, net: str, goals: list[set[int]], pressure: float) -> list[list[int]]:
        """Return paths that join all goals."""
        tree = set(goals[0])
        left = list(goals[1:])
        paths = []
        while left:
            wanted = {node: index for index, goal in enumerate(left) for node in goal}
            path = self._search(net, tree, wanted, pressure)
            paths.append(path)
            tree.update(path)
            del left[wanted[path[-1]]]
            left = [goal for goal in left if not goal & tree]
        return paths

    def _search(
        self, net: str, start: set[int], wanted: dict[int, int], pressure: float
    ) -> list[int]:
        """Return the cheapest path from one of ``start`` to one of ``wanted``."""
        columns, layer = self._columns, self._layer
        cells = [divmod(node % layer, columns) for node in wanted]
        top, bottom = min(row for row, _ in cells), max(row for row, _ in cells)
        first, last = min(column for _, column in cells), max(column for _, column in cells)
        best: dict[int, float] = dict.fromkeys(start, 0.0)
        came: dict[int, int] = {}
        heap = [(0.0, 0.0, node) for node in sorted(start)]
        while heap:
            _, cost, node = heappop(heap)
            if cost > best[node]:
                continue
            if node in wanted:
                path = [node]
                while path[-1] in came:
                    path.append(came[path[-1]])
                return path[::-1]
            flat = node % layer
            for step in (1, -1, columns, -columns):
                self._try(
                    net,
                    node,
                    node + step,
                    1.0,
                    pressure,
                    cost,
                    best,
                    came,
                    heap,
                    (top, bottom, first, last),
                )
            if self._via_owner[flat] in (FREE, net):
                other = (node + layer) % (2 * layer)
                crowd = sum(
                    len(self._vias[near] - {net})
                    for near in (flat - 1, flat + 1, flat - columns, flat + columns)
                    if 0 <= near < layer
                )
                crowd += len(self._users[node] - {net})
                price = VIA_COST + crowd * 3 * pressure
                self._try(
                    net,
                    node,
                    other,
                    price,
                    pressure,
                    cost,
                    best,
                    came,
                    heap,
                    (top, bottom, first, last),
                )
        raise NoWayError(f"no way for {net}")

    def _try(
        self,
        net: str,
        node: int,
        following: int,
        price: float,
        pressure: float,
        cost: float,
        best: dict[int, float],
        came: dict[int, int],
        heap: list[tuple[float, float, int]],
        box: tuple[int, int, int, int],
    ) -> None:
        if self._track_owner[following] not in (FREE, net):
            return
        row, column = divmod(following % self._layer, self._columns)
        # Above rather across, below rather along: so that the layers do not bar each other.
        along = abs(following - node) == 1
        if price == 1.0 and along == (following >= self._layer):
            price = 1.25
        others = len(self._users[following]) - (net in self._users[following])
        total = cost + price + self._history[following] + others * pressure
        if total < best.get(following, float("inf")):
            best[following] = total
            came[following] = node
            top, bottom, first, last = box
            rest = max(top - row, 0, row - bottom) + max(first - column, 0, column - last)
            heappush(heap, (total + rest, total, following))

    def _remove(self, net: str) -> None:
        for path in self._trees.pop(net, ()):
            for node in path:
                self._users[node].discard(net)
                self._vias[node % self._layer].discard(net)

    def _add(self, net: str) -> None:
        for path in self._trees[net]:
            for node in path:
                self._users[node].add(net)
            for here, there in pairwise(path):
                if abs(here - there) == self._layer:
                    self._vias[here % self._layer].add(net)

    def _crowded(self) -> list[int]:
        crowded = [node for node, users in enumerate(self._users) if len(users) > 1]
        for node, nets in enumerate(self._vias):
            for near in (node + 1, node + self._columns):
                if nets and near < self._layer and self._vias[near] - nets:
                    crowded += [node, near]
        return crowded

    def _all_users(self, node: int) -> set[str]:
        return self._users[node] | self._vias[node % self._layer]

    def _copper(self) -> tuple[list[Track], list[Via]]:
        """Return the paths as straight tracks, with a short one into each pad's middle."""
        tracks: list[Track] = []
        vias: dict[tuple[float, float], Via] = {}
        for net, paths in sorted(self._trees.items()):
            for path in paths:
                begin = 0
                for index in range(1, len(path)):
                    step = path[index] - path[index - 1]
                    if abs(step) == self._layer:
                        x, y = self._point(path[index])
                        vias[x, y] = Via(net, x, y)
                    last = index == len(path) - 1
                    if last or path[index + 1] - path[index] != step:
                        if abs(step) != self._layer:
                            (x1, y1), (x2, y2) = self._point(path[begin]), self._point(path[index])
                            tracks.append(Track(net, path[index] // self._layer, x1, y1, x2, y2))
                        begin = index
        for pad in self._pads:
            node = self._nearest(pad.x, pad.y)
            x, y = self._point(node)
            if abs(x - pad.x) > 1e-3 or abs(y - pad.y) > 1e-3:
                tracks += [
                    Track(pad.net, layer, pad.x, pad.y, x, y)
                    for layer in pad.layers
                    if pad.net in self._users[node + layer * self._layer]
                ]
        return sorted(set(tracks), key=lambda t: (t.net, t.layer, t.x1, t.y1, t.x2, t.y2)), [
            vias[key] for key in sorted(vias)
        ]


def apart(track: Track, x1: float, y1: float, x2: float, y2: float) -> float:
    """Return the least distance between two straight pieces, by their middles."""
    if _cross(track.x1, track.y1, track.x2, track.y2, x1, y1, x2, y2):
        return 0.0
    return min(
        _to_point(x1, y1, x2, y2, track.x1, track.y1),
        _to_point(x1, y1, x2, y2, track.x2, track.y2),
        _to_point(track.x1, track.y1, track.x2, track.y2, x1, y1),
        _to_point(track.x1, track.y1, track.x2, track.y2, x2, y2),
    )


def widen(board: Board, tracks: list[Track], vias: list[Via]) -> list[Track]:
    """Return the tracks, those of supplies as wide as their neighbours allow."""
    pads = board.pads()
    done = list(tracks)
    for index, track in enumerate(done):
        if track.net not in SUPPLIES:
            continue
        room = 2 * min(
            min(x, y, board.width - x, board.height - y) - EDGE
            for x, y in ((track.x1, track.y1), (track.x2, track.y2))
        )
        for other in done:
            if other.net != track.net and other.layer == track.layer:
                gap = apart(track, other.x1, other.y1, other.x2, other.y2)
                room = min(room, 2 * (gap - other.width / 2 - CLEARANCE))
        for via in vias:
            if via.net != track.net:
                gap = apart(track, via.x, via.y, via.x, via.y)
                room = min(room, 2 * (gap - VIA / 2 - CLEARANCE))
        for pad in pads:
            if pad.net != track.net and track.layer in pad.layers:
                # A pad as its two diagonals and its edges: near enough, and never too near.
                a, b = pad.width / 2, pad.height / 2
                corners = [(-a, -b), (a, -b), (a, b), (-a, b)]
                gap = min(
                    apart(track, pad.x + x1, pad.y + y1, pad.x + x2, pad.y + y2)
                    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
                )
                room = min(room, 2 * (gap - CLEARANCE - (0.1 if not pad.pad.name else 0)))
        width = next((width for width in WIDTHS if width <= room + 1e-6), TRACK)
        done[index] = replace(track, width=width)
    return done


def _to_point(x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> float:
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = 0.0 if length == 0 else ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
    along = min(max(along, 0.0), 1.0)
    return float(((x1 + along * (x2 - x1) - x) ** 2 + (y1 + along * (y2 - y1) - y) ** 2) ** 0.5)


def _cross(*p: float) -> bool:
    ax, ay, bx, by, cx, cy, dx, dy = p

    def side(px: float, py: float, qx: float, qy: float, rx: float, ry: float) -> float:
        return (qx - px) * (ry - py) - (qy - py) * (rx - px)

    return (
        side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0
        and side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
    )
