"""Rounds with house rules, told by a camera alone."""

from random import Random

import pytest

from bench.table.rounds import PostingCamera, Trial, play
from referee.demo.http.server_process import ServerProcess
from referee.demo.rounds.camera_table import SEEN, CameraGame, CameraTable
from referee.demo.rounds.game import Plan
from referee.rules.presets import PARTY, preset_options
from tests.table.conftest import FAULTS, Unseen
from tests.table.told_pile import ToldPile

SMALL = (640, 360)
# A round of 25 cards.
SEED, PLAYERS = 56, 4


@pytest.mark.parametrize("sides", [True, False])
def test_a_party_s_round_is_told_by_the_camera(server: ServerProcess, sides: bool) -> None:
    plan = Plan("classic-112", PLAYERS, SEED, 1, SEEN, 2, PARTY)
    table = CameraTable(
        server.url, plan.ruleset, plan.names, {**preset_options(PARTY), "target": 1}
    )
    camera = PostingCamera(server.url, table.id, table.register_camera())
    pile = ToldPile(PLAYERS, camera.post, Random(SEED), sides=sides)
    table.watch(pile, Random(f"people/{SEED}"))
    # It fails if a ruling, a hand's count or a score is wrong.
    outcome = CameraGame(plan, Unseen(), table).play()
    ruled = {rule: count for (_, rule), count in outcome.rulings.items()}
    assert ruled["house.stacking"] >= 2
    assert ruled["house.jump-in"] >= 1
    assert ruled["house.seven"] >= 1
    counts = table.tally.counts
    assert not any(counts[fault] for fault in FAULTS), table.tally.troubles
    assert counts["right"] + counts["asked"] == counts["placed"]
    # Without sides whoever jumps in or stacks has to say so.
    most = 1 if sides else 2 * (ruled["house.jump-in"] + ruled["house.stacking"])
    assert counts["asked"] <= most, table.tally.troubles


@pytest.mark.soak
@pytest.mark.parametrize(
    ("ruleset", "seed", "house", "reader", "size", "players"),
    [
        ("classic-108", 4, "S2", "oracle", SMALL, 3),
        ("classic-108", 22, "J1", "oracle", SMALL, 3),
        ("classic-108", 8, "Z1", "oracle", SMALL, 3),
        ("classic-112", SEED, PARTY, "networks", (1280, 720), PLAYERS),
    ],
    ids=["stacking", "jump-in", "seven-zero", "party"],
)
def test_a_rendered_round_is_followed_to_the_right_scores(
    server: ServerProcess,
    ruleset: str,
    seed: int,
    house: str,
    reader: str,
    size: tuple[int, int],
    players: int,
) -> None:
    result = play(Trial(ruleset, seed, reader, players, size, house=house), server.url)
    counts = result.counts
    assert not result.failure
    assert counts["right"] + counts["asked"] == counts["placed"] >= 20
    faults = [fault for fault in FAULTS if fault != "invented"]
    assert not any(counts[fault] for fault in faults), result.troubles
    # A hand that laid nothing may have laid the very card on top, where anybody may do so.
    assert counts["asked"] + counts["invented"] <= 3, result.troubles
