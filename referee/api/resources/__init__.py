"""The API's resources, in the order of the description."""

from referee.api.resources.clubs import tournament_rounds, tournaments, webhooks
from referee.api.resources.devices import computers, devices, frames, pairings, photos
from referee.api.resources.people import groups, hosts, seats, tables, tokens
from referee.api.resources.play import (
    check,
    events,
    house_rules,
    moves,
    records,
    rounds,
    scores,
    timer,
)
from referee.api.resources.reference import languages, operator, rulesets, system
from referee.api.spec import PREFIX

RESOURCES = (
    *(rulesets.blueprint, languages.blueprint, tables.blueprint, tokens.blueprint),
    *(hosts.blueprint, seats.blueprint, house_rules.blueprint, timer.blueprint),
    *(devices.devices, devices.observations, devices.open_questions, photos.blueprint),
    frames.blueprint,
    pairings.blueprint,
    computers.blueprint,
    *(rounds.custom_cards, rounds.rounds, moves.moves, moves.possible_moves, moves.corrections),
    *(scores.games, scores.scores, events.events, events.audit_trail),
    *(tournaments.blueprint, tournaments.tournament_players, tournaments.organisers),
    *(tournament_rounds.rounds, tournament_rounds.results),
    webhooks.blueprint,
    groups.blueprint,
    *(records.blueprint, check.blueprint, operator.blueprint),
)
BLUEPRINTS = ((system.blueprint, ""), *((resource, PREFIX) for resource in RESOURCES))
