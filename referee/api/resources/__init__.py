"""One module per resource, each with a blueprint."""

from referee.api.resources import (
    audit,
    check,
    choices,
    corrections,
    custom_cards,
    devices,
    events,
    languages,
    moves,
    observations,
    operator,
    photos,
    questions,
    records,
    rounds,
    rulesets,
    scores,
    system,
    tables,
    tokens,
)
from referee.api.spec import PREFIX

MODULES = (
    *(rulesets, languages, tables, tokens, devices, observations, questions, photos, custom_cards),
    *(rounds, moves, choices, corrections, scores, events, audit, records, check, operator),
)
BLUEPRINTS = ((system.blueprint, ""), *((module.blueprint, PREFIX) for module in MODULES))
