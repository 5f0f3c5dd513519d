"""The API's resources, in the order of the description."""

from referee.api.resources import (
    check,
    computers,
    devices,
    events,
    frames,
    games,
    groups,
    hosts,
    house_rules,
    languages,
    moves,
    operator,
    pairings,
    photos,
    records,
    rounds,
    rulesets,
    scores,
    seats,
    system,
    tables,
    timer,
    tokens,
    tournament_rounds,
    tournaments,
    webhooks,
)
from referee.api.spec import PREFIX

RESOURCES = (
    *(rulesets.blueprint, languages.blueprint, tables.blueprint, tokens.blueprint),
    *(hosts.blueprint, seats.blueprint, house_rules.blueprint, timer.blueprint),
    *(devices.devices, devices.observations, devices.open_questions, photos.blueprint),
    frames.blueprint,
    pairings.blueprint,
    computers.blueprint,
    *(rounds.custom_cards, rounds.rounds, moves.moves, moves.possible_moves, moves.corrections),
    *(games.blueprint, scores.blueprint, events.events, events.audit_trail),
    *(tournaments.blueprint, tournaments.tournament_players, tournaments.organisers),
    *(tournament_rounds.rounds, tournament_rounds.results),
    webhooks.blueprint,
    groups.blueprint,
    *(records.blueprint, check.blueprint, operator.blueprint),
)
BLUEPRINTS = ((system.blueprint, ""), *((resource, PREFIX) for resource in RESOURCES))
