from hardware.camera.decks import COLOURS, ICONS, RULESETS, SYMBOLS, all_cards


def test_each_ruleset_has_its_different_cards():
    # Four colours of numbers and actions, the wilds, and for power-grab the icons.
    sizes = {name: len(cards) for name, cards in RULESETS.items()}
    assert sizes == {
        "classic-108": 4 * 13 + 2,
        "classic-112": 4 * 13 + 3 + 3,
        "moomin": 4 * 13 + 3,
        "power-grab": 4 * 14 + 4 * 9 * 4 + 2,
        "color-powers": 4 * 12 + 4 + 2,
    }


def test_ids_are_spelt_as_in_the_record():
    ids = set(all_cards())
    assert {"red-7", "red-7:U", "green-draw-two", "red-draw-one", "wild-custom-3"} <= ids
    assert {"yellow-take-two-towers", "wild-power-blue", "wild-choose-power"} <= ids
    assert {"wild-take-tower", "wild-tales", "wild-shuffle", "blue-9:!"} <= ids
    assert "red-0:U" not in ids


def test_classes_point_into_the_lists():
    for card in all_cards().values():
        colour, symbol, icon = card.classes
        assert COLOURS[colour] == card.colour
        assert SYMBOLS[symbol] == card.symbol
        assert ICONS[icon] == card.icon


def test_colour_symbol_icon_and_number_tell_all_cards_apart():
    seen = {(c.colour, c.symbol, c.icon, c.number) for c in all_cards().values()}
    assert len(seen) == len(all_cards())


def test_a_character_has_its_colour_and_a_plain_wild_none():
    assert all_cards()["wild-power-green"].colour == "green"
    assert all_cards()["wild-choose-power"].colour == "none"
