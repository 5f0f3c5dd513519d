"""One module a resource; each has a blueprint."""

from flask_smorest import Blueprint

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

BLUEPRINTS: tuple[tuple[Blueprint, str], ...] = (
    (system.blueprint, ""),
    (rulesets.blueprint, PREFIX),
    (languages.blueprint, PREFIX),
    (tables.blueprint, PREFIX),
    (tokens.blueprint, PREFIX),
    (devices.blueprint, PREFIX),
    (observations.blueprint, PREFIX),
    (questions.blueprint, PREFIX),
    (photos.blueprint, PREFIX),
    (custom_cards.blueprint, PREFIX),
    (rounds.blueprint, PREFIX),
    (moves.blueprint, PREFIX),
    (choices.blueprint, PREFIX),
    (corrections.blueprint, PREFIX),
    (scores.blueprint, PREFIX),
    (events.blueprint, PREFIX),
    (audit.blueprint, PREFIX),
    (records.blueprint, PREFIX),
    (check.blueprint, PREFIX),
    (operator.blueprint, PREFIX),
)
