"""The present state of a device, folded from what it saw: one observation that tells it all.

A board reports changes alone. Where the server did not take one of them, the rest would be read as
if that had not happened, so the state as a whole is told again. A camera tells it itself
(``hardware.observation.Reteller``): what lies on the pile is more than its observations say.
"""

from collections.abc import Iterable, Mapping
from typing import Any

Body = Mapping[str, Any]


def merged(state: Body, bodies: Iterable[Body], memory: Body) -> Body:
    """Return the state after further observations; empty until there is any to tell.

    ``memory``: the device's, which names the powers of its set: it may be another one by now.
    """
    for body in bodies:
        if body.get("kind") == "powers":
            state = _with_powers(state, body)
    names = (memory.get("positions") or {}).get("names")
    powers = state.get("powers", {})
    if names is None or powers.keys() <= set(names):
        return state
    conflicts = state.get("conflicts", {})
    return {
        **state,
        "powers": {power: at for power, at in powers.items() if power in names},
        "conflicts": {power: places for power, places in conflicts.items() if power in names},
    }


def _with_powers(state: Body, body: Body) -> Body:
    powers = body.get("powers", {})
    kept = {p: places for p, places in state.get("conflicts", {}).items() if p not in powers}
    conflicts = {**kept, **body.get("conflicts", {})}
    after: dict[str, Any] = {"kind": "powers", "powers": {**state.get("powers", {}), **powers}}
    if conflicts:
        after["conflicts"] = conflicts
    # An empty list says that no sensor is broken any more.
    faults = body.get("faults", state.get("faults"))
    if faults is not None:
        after["faults"] = faults
    return after
