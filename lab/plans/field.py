"""The field of a cylindrical magnet, exactly, on its axis and beside it.

Beside the axis after Derby and Olbert, "Cylindrical magnets and ideal solenoids", American Journal
of Physics 78, 229 (2010), with Bulirsch's elliptic integral. On the axis it is the formula that
makers publish, as at https://www.supermagnete.de/eng/faq/flux.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def on_axis(remanence: float, radius: float, thickness: float, gap: float) -> float:
    """Return the flux density in tesla, ``gap`` before the pole's face, on the magnet's axis.

    Args:
        remanence: In tesla.
        radius: Of the magnet; all lengths in one unit.
        thickness: Of the magnet.
        gap: From the face of the magnet.
    """
    far = gap + thickness
    return float(remanence / 2 * (far / np.hypot(radius, far) - gap / np.hypot(radius, gap)))


def anywhere(
    remanence: Floats, radius: Floats, thickness: Floats, gap: Floats, beside: Floats
) -> tuple[Floats, Floats]:
    """Return axial and radial flux density in tesla at distances ``beside`` the axis.

    The arguments are as in ``on_axis``, as arrays of one shape.
    """
    gamma = (radius - beside) / (radius + beside)
    ones = np.ones_like(gap)
    axial, radial = np.zeros_like(gap), np.zeros_like(gap)
    for sign, height in ((1, gap + thickness), (-1, gap)):
        whole = np.hypot(height, beside + radius)
        k = np.hypot(height, radius - beside) / whole
        axial += sign * height / whole * _integral(k, gamma**2, ones, gamma)
        radial += sign * radius / whole * _integral(k, ones, ones, -ones)
    return remanence / np.pi * radius / (radius + beside) * axial, remanence / np.pi * radial


def _integral(k: Floats, p: Floats, c: Floats, s: Floats) -> Floats:
    """Return Bulirsch's complete elliptic integral, for positive ``p``."""
    product, root = k, np.sqrt(p)
    s = s / root
    kept, c = c, c + s / root
    g = k / root
    s = 2 * (s + kept * g)
    root = root + g
    g = np.ones_like(k)
    mean = g + k
    while np.any(np.abs(g - k) > 1e-9 * g):
        k = 2 * np.sqrt(product)
        product = k * mean
        kept, c = c, c + s / root
        g = product / root
        s = 2 * (s + kept * g)
        root = root + g
        g, mean = mean, mean + k
    return np.asarray(np.pi / 2 * (s + c * mean) / (mean * (mean + root)))
