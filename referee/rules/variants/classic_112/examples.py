"""The sheet's ten example rules for custom cards (S2)."""

from referee.rules.custom import CustomCard, Effect

EXAMPLES = (
    CustomCard(
        "The next player draws until a green card comes.",
        (Effect("draw_until_color", who="next", color="green"),),
    ),
    CustomCard(
        "Everybody else discards all their wilds.", (Effect("discard_wilds", who="others"),)
    ),
    CustomCard(
        "If the next player cannot play, they draw three.",
        (Effect("draw_if_cannot_play", who="next", count=3),),
    ),
    CustomCard("Take an extra turn.", (Effect("extra_turn"),)),
    CustomCard(
        "The next player draws or discards to exactly seven cards.",
        (Effect("hand_size", who="next", count=7),),
    ),
    CustomCard(
        "Everybody draws or discards to exactly three cards.",
        (Effect("hand_size", who="all", count=3),),
    ),
    CustomCard(
        "Everybody plays with an open hand until your next turn.",
        (Effect("open_hand", who="all"),),
    ),
    CustomCard(
        "Tell a joke: if nobody laughs draw four, else keep one card.",
        (
            Effect(
                "dare",
                who="self",
                text="Tell a joke. Did somebody laugh?",
                passed=(Effect("hand_size", who="self", count=1),),
                failed=(Effect("draw", who="self", count=4),),
            ),
        ),
    ),
    CustomCard(
        "The next player keeps their elbows straight until somebody calls UNO.",
        (Effect("ban", who="next", text="No bending of elbows."),),
    ),
    CustomCard(
        "The next player crows like a cock, or draws four.",
        (
            Effect(
                "dare",
                who="next",
                text="Crow like a cock. Was it convincing?",
                failed=(Effect("draw", who="next", count=4),),
            ),
        ),
    ),
)
