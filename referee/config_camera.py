"""Settings for tables with a camera, from the environment (``REFEREE_CAMERA_…``)."""

from collections.abc import Mapping

from referee.service.pile.prior import Prior


def prior_from_env(env: Mapping[str, str]) -> Prior:
    """When a camera is believed, and when the table is asked. Raises ValueError naming a bad one.

    ``REFEREE_CAMERA_CERTAIN`` and ``…_MENTION`` are probabilities, ``…_PATIENCE`` is a number of
    cards: see ``Prior``.
    """
    usual = Prior()
    patience = env.get("REFEREE_CAMERA_PATIENCE", str(usual.patience))
    if not patience.isdecimal():
        raise ValueError("REFEREE_CAMERA_PATIENCE must be a whole number")
    return Prior(
        certain=_share(env, "REFEREE_CAMERA_CERTAIN", usual.certain),
        mention=_share(env, "REFEREE_CAMERA_MENTION", usual.mention),
        patience=int(patience),
    )


def _share(env: Mapping[str, str], name: str, usual: float) -> float:
    try:
        value = float(env.get(name, usual))
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise ValueError(f"{name} must be a number above 0, and 1 at most")
    return value
