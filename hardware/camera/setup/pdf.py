"""A page of PDF: rectangles, lines and Helvetica, in millimetres from the top left."""

import unicodedata
from typing import Protocol

POINT = 72 / 25.4  # points in a millimetre
# Widths of Helvetica's letters from the space to the tilde, in thousandths of its size.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    *(556,) * 10, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_OTHERS = {"ß": 611, "ø": 611, "Ø": 778, "æ": 889, "Æ": 1000, "“": 333, "”": 333, "–": 556}


class Canvas(Protocol):
    """What a mat is drawn on; millimetres from the top left, grey 0 black to 1 white."""

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """A filled rectangle."""

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, grey: float
    ) -> None:
        """A straight line with flat ends."""

    def text(self, x: float, y: float, size: float, text: str, grey: float) -> None:
        """A line of text, its middle at ``x`` and its base line at ``y``; ``size`` in mm."""


class PdfPage:
    """A document of one page. Printers are told not to scale it."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._width, self._height, self._title = width, height, title
        self._drawn: list[bytes] = []

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """A filled rectangle."""
        corner = f"{_points(x)} {_points(self._height - y - height)}"
        size = f"{_points(width)} {_points(height)}"
        self._draw(f"{_number(grey)} g {corner} {size} re f")

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, grey: float
    ) -> None:
        """A straight line with flat ends."""
        (x0, y0), (x1, y1) = start, end
        way = f"{_points(x0)} {_points(self._height - y0)} m "
        way += f"{_points(x1)} {_points(self._height - y1)} l S"
        self._draw(f"{_number(grey)} G {_points(width)} w {way}")

    def text(self, x: float, y: float, size: float, text: str, grey: float) -> None:
        """A line of text around ``x``, on the base line ``y``."""
        where = f"{_points(x - text_width(text, size) / 2)} {_points(self._height - y)}"
        begin = f"{_number(grey)} g BT /F1 {_points(size)} Tf {where} Td ("
        self._drawn.append(begin.encode() + _string(text) + b") Tj ET")

    def to_bytes(self) -> bytes:
        """The file."""
        content = b"\n".join(self._drawn)
        box = f"[0 0 {_points(self._width)} {_points(self._height)}]"
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /Contents 5 0 R "
            b"/Resources << /Font << /F1 4 0 R >> >> /MediaBox " + box.encode() + b" >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
            b"<< /Title (" + _string(self._title) + b") >>",
        ]
        out, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
        for number, thing in enumerate(objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%b\nendobj\n" % (number, thing)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        out += b"trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\n" % (len(objects) + 1)
        return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)

    def _draw(self, commands: str) -> None:
        self._drawn.append(commands.encode())


def text_width(text: str, size: float) -> float:
    """How long a line of Helvetica is, in the unit of its size."""
    return sum(_letter_width(letter) for letter in text) * size / 1000


def _letter_width(letter: str) -> int:
    if letter in _OTHERS:
        return _OTHERS[letter]
    plain = unicodedata.normalize("NFD", letter)[0]
    return _WIDTHS[ord(plain) - 32] if " " <= plain <= "~" else 556


def _string(text: str) -> bytes:
    data = text.encode("cp1252", "replace")  # which is WinAnsiEncoding
    return b"".join(b"\\" + bytes([c]) if c in b"()\\" else bytes([c]) for c in data)


def _points(millimetres: float) -> str:
    return _number(millimetres * POINT)


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
