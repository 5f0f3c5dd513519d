"""Random and mutated bytes into framing, link and positions.

``python -m tests.hardware.board.fuzz --bytes 1000000 --seed 1`` prints what it found, and exits
with 1 if a good frame was missed or a false one found, if the board's own deframer found others, or
if a frame held the byte 3. Whatever raises, fails.
"""

import argparse
import json
import sys
import time
from random import Random

from hardware.board.session.events import Connected, Taken
from hardware.board.session.watch import BoardWatch
from hardware.board.wire import messages as msg
from hardware.board.wire.framing import MARK, Deframer, encode
from hardware.firmware.referee_board import framing as board_framing
from tests.hardware.board.vectors import VECTORS

BOARD = bytes.fromhex("e6614c311b7f2a00")
GOLDEN = [bytes.fromhex(vector["packet"]) for vector in VECTORS["frames"]]


def any_packet(random):
    """A packet that is whole: mostly a message, half of these with any fields, else any bytes."""
    packet = random.choice(GOLDEN)
    match random.randrange(20):
        case 0:
            return packet[:1] + random.randbytes(random.randint(3, 199))
        case 1:
            return packet[: random.randint(4, len(packet))]
        case 2:
            return packet[:1] + random.randbytes(1) + packet[2:]
        case chosen if chosen < 11:
            return packet[:2] + random.randbytes(len(packet) - 2)
        case _:
            return packet


def mutated(frame, random):
    """The frame with a few bytes changed, lost, put in, doubled, or cut off."""
    data = bytearray(frame)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data))
        match random.randrange(5):
            case 0:
                data[at] ^= 1 << random.randrange(8)
            case 1:
                del data[at]
            case 2:
                data.insert(at, random.getrandbits(8))
            case 3:
                data[at:at] = data[at : at + random.randint(1, 20)]
            case 4:
                del data[at:]
        if not data:
            data = bytearray(b"\0")
    return bytes(data)


def noise(random):
    """Bytes of no meaning: any, few values, text, or none that is zero."""
    size = random.choice((1, 3, 20, 100, 400))
    match random.randrange(5):
        case 0:
            return random.randbytes(size)
        case 4:
            return bytes(random.choices((0, 1, 2, 3, 4, MARK, MARK), k=size))
        case 1:
            return bytes(random.choices((0, 0, 1, 2, 255), k=size))
        case 2:
            return b"Traceback (most recent call last):\r\n" * (1 + size // 37)
        case _:
            return bytes(random.choices(range(1, 256), k=size))


class Stream:
    """Pieces of garbage and good frames in turn, and what has to be found in them."""

    def __init__(self, size, seed):
        self.random = Random(seed)
        self.interrupts = 0  # bytes 3 in good frames
        self.size = size
        self.made = 0
        self.good = []  # one that has to be found
        self.known = set()  # and one that may be: a mutated frame may still hold its packet
        self.garbage = 0

    def pieces(self):
        random = self.random
        while self.made < self.size:
            packet = any_packet(random)
            self.known.add(packet)
            kind = random.random()
            if kind < 0.4:
                piece = encode(packet)
                self.good.append(packet)
                self.interrupts += piece.count(3)
            else:
                piece = noise(random) if kind < 0.7 else mutated(encode(packet), random)
                self.garbage += len(piece)
            self.made += len(piece)
            yield piece
        yield b"\0"

    def chunks(self):
        """The same, cut anew as reads would be."""
        held = bytearray()
        for piece in self.pieces():
            held += piece
            while len(held) > 500:
                size = self.random.choice((1, 2, 7, 64, 300))
                yield bytes(held[:size])
                del held[:size]
        yield bytes(held)


WRONG = ("missed", "false", "otherwise by the board", "bytes 3")


def fuzz(size, seed):
    """Run it; returns the figures. Those of ``WRONG`` have to be 0."""
    stream = Stream(size, seed)
    deframer, watch, on_board = Deframer(), BoardWatch({}), board_framing.Deframer()
    found, by_board, bodies, held, now = [], [], [], 0, 0.0
    watch.opened(now)
    begin = time.perf_counter()
    for chunk in stream.chunks():
        now += 0.01
        found += deframer.feed(chunk)
        by_board += on_board.feed(chunk)
        held = max(held, len(deframer._begun))
        bodies += watch.receive(chunk, now) + watch.poll(now)
        watch.outgoing(now)
        if stream.random.random() < 0.5:
            watch.kept()
    seconds = time.perf_counter() - begin
    json.dumps([bodies, watch.memory()])
    awaited = iter(found)
    missed = sum(not any(packet == other for other in awaited) for packet in stream.good)
    return {
        "bytes": stream.made,
        "of these garbage": stream.garbage,
        "good frames sent": len(stream.good),
        "missed": missed,
        "false": sum(packet not in stream.known for packet in found),
        "otherwise by the board": sum(one != two for one, two in zip(found, by_board, strict=False))
        + abs(len(found) - len(by_board)),
        "bytes 3": stream.interrupts,
        "found in mutated frames": len(found) - len(stream.good),
        **{f"dropped: {reason}": count for reason, count in deframer.dropped.items()},
        **{f"link: {name}": count for name, count in watch.link.counts.items()},
        "most bytes held": held,
        "observations": len(bodies),
        "kilobytes a second": round(stream.made / seconds / 1000),
        "works afterwards": int(works(watch.link.receive, seed)),
    }


def works(receive, seed):
    """Whether hello and snapshot are understood after all that."""
    boot = 1 + seed
    packets = (
        msg.Hello(BOARD, boot, (1, 0, 0), 1, 6, 3, 100),
        msg.Snapshot(100, 5, bytes(7)),
    )
    events = receive(b"".join(encode(msg.pack(message)) for message in packets), 1e9)
    return [type(event) for event in events] == [Connected, Taken]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    figures = fuzz(arguments.bytes, arguments.seed)
    width = max(map(len, figures))
    for name, figure in figures.items():
        sys.stdout.write(f"{name:{width}} {figure:>10,}\n")
    return 1 if any(map(figures.get, WRONG)) or not figures["works afterwards"] else 0


if __name__ == "__main__":
    sys.exit(main())
