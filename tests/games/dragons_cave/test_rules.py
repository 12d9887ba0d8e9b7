"""Dragon's Cave, rule by rule in the order of the rulebook; D-01 to D-30 are the rulings on the publisher's text.

Unless a test says otherwise the cave is `CAVE`: four laps of pickaxe 0, lantern 1, rope 2, barrel 3 and crystal 5
coins (spaces 1 to 20), a lair that pays 4, and 44 coins.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest

from dracotheque import CHANCE, SIMULTANEOUS, TERMINAL, State
from dracotheque.engine.errors import DracothequeError, IllegalActionError
from dracotheque.games.dragons_cave.rules import state as s
from tests.games.dragons_cave.position_builder import (
    BARE,
    CARDS,
    CAVE,
    CRESTS,
    CROOKED,
    LONG,
    PICTURES,
    POOR,
    Data,
    asked,
    banked,
    cards_of,
    cave,
    choices,
    coins,
    dragon,
    interpreted,
    names,
    play,
    play_round,
    refused,
    seat_of,
    situation,
    where,
)

SIX_CARDS = "pickaxe lantern rope barrel crystal Chest"
COLOURS = ("Yellow", "Red", "Purple", "Green")
NICHES = [f"{picture} niche" for picture in PICTURES]
BOTH_FISTS = ["left fist", "right fist"]


def standing(state: State) -> list[str]:
    """Name where every dwarf of a game with three or four players stands."""
    return [where(state, crest) for crest in CRESTS[: state.game.players]]


def purses(state: State) -> list[int]:
    """Count the coins in every purse."""
    return state.to_plain().purse[: state.game.players]


# --- Set-up -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "setup.board")
def test_the_usual_cave_shows_five_pictures_four_times_over_and_a_lair_with_a_niche_for_each() -> None:
    board = interpreted(3, None).board
    assert len(board.path) == 20
    assert sorted(board.path) == sorted([*range(5)] * 4)
    assert board.kinds == PICTURES
    assert (board.treasure, board.lair, board.source) == (44, 4, "")


@pytest.mark.rule("dragons-cave", "setup.board")
def test_the_path_lies_on_the_table_space_by_space_and_the_lair_behind_it() -> None:
    table = interpreted(3).new_initial_state().to_plain()
    assert table.length == 20
    assert table.kind[1:21] == [0, 1, 2, 3, 4] * 4
    assert table.coins[:22] == [0, *[0, 1, 2, 3, 5] * 4, 4]
    assert set(table.kind[21:] + table.coins[22:]) == {0}


@pytest.mark.rule("dragons-cave", "setup.treasure", "setup.players")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d30_44_coins_whatever_the_number_of_players(players: int) -> None:
    """What a fourth or third player would have stays in the box."""
    for board in (None, CAVE):
        table = interpreted(players, board).new_initial_state().to_plain()
        assert table.treasure == 44
        assert table.purse == table.chest == [0, 0, 0, 0]


@pytest.mark.rule("dragons-cave", "setup.players", "two.dwarves")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_begins_outside_the_cave_with_six_cards_and_no_coin(players: int) -> None:
    state = situation(players)
    for crest in CRESTS[:players]:
        assert where(state, crest) == "start"
        assert cards_of(state, crest) == SIX_CARDS
        assert coins(state, crest) == banked(state, crest) == 0
    if players == 2:
        assert [where(state, crest, 2) for crest in ("lion", "tower")] == ["start", "start"]
    table = state.to_plain()
    assert table.card == [s.NO_CARD] * 4
    assert table.left == [s.NO_SPLIT] * 4
    assert table.due == [0, 0, 0, 0]
    assert (table.dragon, table.named, table.ended) == (s.KINDS, 0, 0)
    assert state.scores() == [0] * players


@pytest.mark.rule("dragons-cave", "setup.first-dragon")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d22_d25_lots_are_drawn_for_the_first_dragon(players: int) -> None:
    state = interpreted(players).new_initial_state()
    assert state.current_player() == CHANCE
    assert state.to_plain().phase == s.LOTS
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / players)) for seat in range(players)]
    assert choices(state, "chance") == [f"{colour} is the first dragon" for colour in COLOURS[:players]]
    for seat in range(players):
        begun = state.child(seat)
        assert dragon(begun) == CRESTS[seat]
        assert asked(begun) == [crest for crest in CRESTS[:players] if crest != CRESTS[seat]]


@pytest.mark.rule("dragons-cave", "setup.first-dragon")
@pytest.mark.parametrize(("players", "seat"), [(players, seat) for players in (2, 3, 4) for seat in range(players)])
def test_d22_the_table_may_name_the_first_dragon(players: int, seat: int) -> None:
    state = interpreted(players, CAVE, first_dragon=str(seat + 1)).new_initial_state()
    assert dragon(state) == CRESTS[seat]
    assert state.full_history() == []
    assert asked(state) == [crest for crest in CRESTS[:players] if crest != CRESTS[seat]]


@pytest.mark.rule("dragons-cave", "setup.first-dragon")
@pytest.mark.parametrize(("players", "named"), [(2, "3"), (3, "4"), (4, "5"), (3, "0"), (3, "youngest")])
def test_nobody_is_named_who_does_not_sit_at_the_table(players: int, named: str) -> None:
    with pytest.raises(DracothequeError, match="first_dragon"):
        interpreted(players, CAVE, first_dragon=named)


@pytest.mark.rule("dragons-cave", "setup.first-dragon")
def test_chance_decides_nothing_but_the_first_dragon() -> None:
    state = interpreted(2).new_initial_state()
    with pytest.raises(IllegalActionError, match="Chance cannot bring “Purple is the first dragon” here"):
        play_chance(state, 2)
    assert state.legal_actions(0) == state.legal_actions(1) == []
    state = situation(3)
    with pytest.raises(IllegalActionError, match="Chance has nothing to decide"):
        play_chance(state, 0)


def play_chance(state: State, outcome: int) -> None:
    """Let chance bring something."""
    state.apply_action(outcome, CHANCE)


def test_while_lots_are_drawn_players_wait() -> None:
    state = interpreted(3).new_initial_state()
    for seat, action in itertools.product(range(3), range(s.ACTIONS)):
        assert state.refusal(action, seat) in state.game.rulebook().paragraphs


@pytest.mark.rule("dragons-cave", "option.board")
def test_another_cave_is_played_by_its_own_pictures_coins_and_lair() -> None:
    """The crooked one begins with rope 3, rope 0, crystal 1, pickaxe 2, pickaxe 0, pickaxe 7, barrel 1, lantern 0."""
    state = situation(4, board=CROOKED)
    assert state.to_plain().treasure == 25
    play_round(state, "barrel", tower="rope", star="pickaxe", oak="lantern")
    assert standing(state) == ["start", "space 1", "space 4", "space 8"]
    assert purses(state) == [0, 3, 2, 0]
    play_round(state, "barrel", lion="crystal", star="rope", oak="pickaxe")
    assert standing(state) == ["space 3", "space 1", "space 9", "pickaxe niche"]
    assert purses(state) == [1, 3, 3, 6]
    assert state.to_plain().treasure == 12
    assert state.ending() == "end.lair"


@pytest.mark.rule("dragons-cave", "option.board", "move.ahead", "fright.back")
@pytest.mark.parametrize("board", [CAVE, CROOKED, LONG], ids=lambda board: board["name"])
def test_every_card_from_every_place_of_a_cave(board: Data) -> None:
    """The rules speak of the next space with that picture, never of laps."""
    pictures = [space.split()[0] for space in board["path"]]
    for number, card in itertools.product(range(len(pictures) + 1), PICTURES):
        here = f"space {number}" if number else "start"
        before = situation(3, board=board, at={"tower": here})
        play(before, f"tower: {card}", "star: Chest")
        led = play(before.clone(), f"lion: {other_than(card)} niche")
        following = [n for n, picture in enumerate(pictures, 1) if n > number and picture == card]
        assert where(led, "tower") == (f"space {following[0]}" if following else f"{card} niche")
        scared = play(before.clone(), f"lion: {card} niche")
        passed = [n for n, picture in enumerate(pictures, 1) if n < number and picture == card]
        assert where(scared, "tower") == (f"space {passed[-1]}" if passed else "start")


def other_than(card: str) -> str:
    """Name a niche with another picture."""
    return PICTURES[PICTURES.index(card) - 1]


# --- A round ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "round.roles")
@pytest.mark.parametrize("dragon_crest", CRESTS)
def test_d14_the_dragon_player_plays_no_card_and_nothing_of_theirs_changes(dragon_crest: str) -> None:
    others = [crest for crest in CRESTS if crest != dragon_crest]
    state = situation(
        4,
        dragon=dragon_crest,
        at={dragon_crest: "space 8"},
        purse={dragon_crest: 6},
        chest={dragon_crest: 2},
        hand={dragon_crest: "pickaxe lantern Chest"},
    )
    assert asked(state) == others
    assert choices(state, dragon_crest) == []
    for card in CARDS:
        assert refused(state, f"{dragon_crest}: {card}") == "round.roles"
    play_round(state, "rope", **dict.fromkeys(others, "rope"))
    assert where(state, dragon_crest) == "space 8"
    assert (coins(state, dragon_crest), banked(state, dragon_crest)) == (6, 2)
    assert cards_of(state, dragon_crest) == "pickaxe lantern Chest"


@pytest.mark.rule("dragons-cave", "round.roles")
def test_the_dragon_on_the_picture_its_own_dwarf_stands_on_frightens_only_the_others() -> None:
    state = situation(3, dragon="star", at={"star": "space 3", "lion": "space 3"}, purse={"star": 2})
    play_round(state, "rope", lion="rope", tower="pickaxe")
    assert standing(state) == ["start", "space 1", "space 3"]
    assert purses(state) == [0, 0, 2]


@pytest.mark.rule("dragons-cave", "card.seal")
def test_d04_every_dwarf_player_seals_a_card_then_the_dragon_is_placed_then_all_is_revealed() -> None:
    state = situation(4, dragon="star")
    assert state.current_player() == SIMULTANEOUS
    assert asked(state) == ["lion", "tower", "oak"]
    for crest in ("lion", "tower", "oak"):
        assert choices(state, crest) == list(CARDS)
        assert refused(state, "star: rope niche") == "dragon.place"
        play(state, f"{crest}: rope")
        assert standing(state) == ["start"] * 4
    assert state.current_player() == seat_of(state, "star")
    assert asked(state) == ["star"]
    play(state, "star: barrel niche")
    assert standing(state) == ["space 3", "space 3", "start", "space 3"]


@pytest.mark.rule("dragons-cave", "card.seal")
def test_cards_may_lie_in_any_order_and_a_card_that_lies_stays() -> None:
    ends = []
    for order in itertools.permutations(["tower", "star", "oak"]):
        state = situation(4)
        for number, crest in enumerate(order):
            assert asked(state) == [other for other in ("tower", "star", "oak") if other not in order[:number]]
            assert state.current_player() == SIMULTANEOUS
            play(state, f"{crest}: {PICTURES[seat_of(state, crest)]}")
            for card in CARDS:
                assert refused(state, f"{crest}: {card}") == "card.seal"
        ends.append(state.record())
    assert len(set(ends)) == 1


@pytest.mark.rule("dragons-cave", "card.seal")
def test_a_single_dwarf_player_with_a_choice_is_simply_to_move() -> None:
    state = situation(3, hand={"star": "Chest"})
    assert state.current_player() == seat_of(state, "tower")
    assert asked(state) == ["tower"]


@pytest.mark.rule("dragons-cave", "card.seal")
def test_all_choices_may_be_given_at_once() -> None:
    state = situation(4, dragon="tower")
    state.apply_actions([0, 99, 2, 5])
    assert state.to_plain().card == [0, s.NO_CARD, 2, s.CHEST]
    assert asked(state) == ["tower"]


@pytest.mark.rule("dragons-cave", "card.open")
def test_d13_a_played_card_lies_open_and_cannot_be_played_again() -> None:
    state = situation(3)
    play_round(state, "crystal", tower="rope", star="lantern")
    assert cards_of(state, "tower") == "pickaxe lantern barrel crystal Chest"
    assert cards_of(state, "star") == "pickaxe rope barrel crystal Chest"
    play_round(state, "crystal", lion="pickaxe", star="rope")
    assert cards_of(state, "star") == "pickaxe barrel crystal Chest"
    assert cards_of(state, "tower") == "pickaxe lantern barrel crystal Chest"
    play_round(state, "crystal", lion="rope", tower="pickaxe")
    assert cards_of(state, "lion") == "lantern barrel crystal Chest"
    play(state, "star: barrel")
    assert choices(state, "tower") == ["lantern", "barrel", "crystal", "Chest"]
    assert refused(state, "tower: pickaxe") == "card.open"
    assert refused(state, "tower: rope") == "card.open"
    for viewer in (-1, 0, 1, 2):  # everybody can tell which cards are left
        assert state.observation(viewer).hand == state.to_plain().hand


@pytest.mark.rule("dragons-cave", "card.open")
def test_a_sealed_card_is_still_counted_to_the_hand_until_it_is_turned() -> None:
    state = play(situation(3), "tower: rope")
    assert cards_of(state, "tower") == SIX_CARDS
    play(state, "star: rope")
    assert cards_of(state, "tower") == SIX_CARDS


@pytest.mark.rule("dragons-cave", "card.last-chest")
def test_d12_after_five_pictures_the_chest_is_laid_by_itself() -> None:
    state = situation(4, hand={"tower": "rope Chest", "oak": "Chest"}, purse={"oak": 3, "tower": 1})
    assert asked(state) == ["tower", "star"]
    assert state.to_plain().card[seat_of(state, "oak")] == s.CHEST
    for card in CARDS:
        assert refused(state, f"oak: {card}") == "card.last-chest"
    play_round(state, "crystal", tower="rope", star="lantern")
    assert (coins(state, "oak"), banked(state, "oak"), cards_of(state, "oak")) == (0, 3, SIX_CARDS)
    assert cards_of(state, "tower") == "Chest"
    assert dragon(state) == "tower"  # who is the dragon lays no card: the Chest stays in hand
    assert state.to_plain().card[seat_of(state, "tower")] == s.NO_CARD
    play_round(state, "crystal", lion="rope", star="rope", oak="rope")
    assert state.to_plain().card[seat_of(state, "tower")] == s.CHEST
    assert asked(state) == ["lion", "oak"]


@pytest.mark.rule("dragons-cave", "card.last-chest", "dragon.place")
def test_d12_where_nobody_has_a_choice_the_dragon_is_placed_all_the_same() -> None:
    state = situation(3, hand={"tower": "Chest", "star": "Chest"}, purse={"star": 4})
    assert asked(state) == ["lion"]
    assert state.current_player() == 0
    assert choices(state, "lion") == NICHES
    play(state, "lion: rope niche")
    assert (banked(state, "star"), cards_of(state, "star"), cards_of(state, "tower")) == (4, SIX_CARDS, SIX_CARDS)
    assert asked(state) == ["lion", "star"]
    assert dragon(state) == "tower"


@pytest.mark.rule("dragons-cave", "card.last-chest")
@pytest.mark.parametrize("card", PICTURES)
def test_one_picture_and_the_chest_are_a_choice(card: str) -> None:
    state = situation(3, hand={"tower": f"{card} Chest"})
    assert choices(state, "tower") == [card, "Chest"]


@pytest.mark.rule("dragons-cave", "dragon.place")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_dragon_may_be_put_into_any_niche_but_must_be_put_into_one(players: int) -> None:
    state = situation(players)
    for crest in CRESTS[1:players]:
        play(state, f"{crest}: Chest" + (", first dwarf" if players == 2 else ""))
    assert choices(state, "lion") == NICHES
    for number, niche in enumerate(NICHES):
        placed = play(state.clone(), f"lion: {niche}")
        assert placed.to_plain().dragon == number
        assert dragon(placed) == "tower"
    assert refused(state, "tower: rope niche") == "round.roles"


@pytest.mark.rule("dragons-cave", "dragon.place")
def test_the_dragon_may_stay_in_the_niche_it_sat_in() -> None:
    state = play_round(situation(3), "rope", tower="pickaxe", star="pickaxe")
    play_round(state, "rope", lion="lantern", star="lantern")
    assert state.to_plain().dragon == PICTURES.index("rope")


@pytest.mark.rule("dragons-cave", "dragon.place")
def test_the_dragon_is_not_placed_before_all_cards_lie() -> None:
    state = situation(3)
    assert refused(state, "lion: rope niche") == "dragon.place"
    play(state, "tower: rope")
    assert refused(state, "lion: rope niche") == "dragon.place"
    assert refused(state, "tower: rope niche") == "round.roles"


@pytest.mark.rule("dragons-cave", "reveal.order")
def test_d05_moves_coins_splits_chests_cards_and_then_the_next_dragon() -> None:
    state = situation(
        4,
        at={"tower": "space 8", "star": "space 4", "oak": "space 1"},
        purse={"tower": 4, "star": 2, "oak": 3},
        hand={"tower": "rope lantern Chest", "star": "crystal Chest", "oak": "barrel Chest"},
    )
    play_round(state, "rope", tower="rope", star="crystal", oak="Chest")
    # All have moved and collected; nobody has banked or taken cards back, and the dragon is still the same.
    assert standing(state) == ["start", "space 3", "space 5", "space 1"]
    assert purses(state) == [0, 4, 7, 3]
    assert state.to_plain().treasure == 30
    assert banked(state, "oak") == 0
    assert cards_of(state, "tower") == "lantern Chest"
    assert cards_of(state, "oak") == "barrel Chest"
    assert state.to_plain().phase == s.SPLIT
    play(state, "tower: left fist: 1 coin")
    assert (banked(state, "oak"), dragon(state)) == (0, "lion")
    play(state, "lion: right fist")
    assert purses(state) == [0, 1, 7, 0]
    assert banked(state, "oak") == 3
    assert [cards_of(state, crest) for crest in CRESTS] == [SIX_CARDS, SIX_CARDS, "Chest", SIX_CARDS]
    assert dragon(state) == "tower"
    assert state.to_plain().treasure == 33


@pytest.mark.rule("dragons-cave", "reveal.order", "coins.collect")
def test_d21_coins_won_back_by_the_dragon_come_too_late_for_this_round() -> None:
    state = situation(3, at={"tower": "space 4"}, purse={"tower": 9}, treasure=4)
    play_round(state, "rope", tower="rope", star="crystal")
    assert state.ending() == "coins.shortage"
    assert purses(state) == [0, 9, 4]


@pytest.mark.rule("dragons-cave", "reveal.order", "end.treasure")
def test_d05a_the_frightened_have_moved_when_the_treasure_runs_out() -> None:
    state = situation(
        4,
        at={"tower": "space 8", "oak": "space 9"},
        purse={"tower": 2, "oak": 5},
        hand={"tower": "rope Chest", "oak": "barrel Chest"},
        treasure=5,
    )
    play_round(state, "rope", tower="rope", star="crystal", oak="Chest")
    assert state.ending() == "end.treasure"
    assert standing(state) == ["start", "space 3", "space 5", "space 9"]
    assert purses(state) == [0, 2, 5, 5]
    assert state.to_plain().chest == [0, 0, 0, 0]  # no banking
    assert cards_of(state, "tower") == "Chest"  # no cards back
    assert cards_of(state, "oak") == "barrel Chest"
    assert dragon(state) == "lion"  # and the dragon does not pass
    assert asked(state) == []


# --- Moving -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "move.ahead")
@pytest.mark.parametrize(
    ("start", "card", "end"),
    [
        ("start", "pickaxe", "space 1"),
        ("start", "crystal", "space 5"),
        ("space 5", "pickaxe", "space 6"),
        ("space 5", "barrel", "space 9"),
        ("space 7", "crystal", "space 10"),
        ("space 14", "crystal", "space 15"),
    ],
)
def test_a_dwarf_goes_to_the_first_space_with_that_picture_ahead(start: str, card: str, end: str) -> None:
    state = situation(3, at={"tower": start})
    play_round(state, other_than(card), tower=card, star="Chest")
    assert where(state, "tower") == end


@pytest.mark.rule("dragons-cave", "move.ahead", "fright.back")
def test_d01_the_space_a_dwarf_stands_on_does_not_count() -> None:
    before = play(situation(3, at={"tower": "space 8"}), "tower: rope", "star: Chest")
    assert where(play(before.clone(), "lion: barrel niche"), "tower") == "space 13"
    assert where(play(before.clone(), "lion: rope niche"), "tower") == "space 3"


@pytest.mark.rule("dragons-cave", "move.together")
def test_any_number_of_dwarves_share_a_space_and_each_collects() -> None:
    state = situation(4, at={"tower": "space 4", "star": "space 6", "lion": "space 8"})
    play_round(state, "barrel", tower="rope", star="rope", oak="rope")
    assert standing(state) == ["space 8", "space 8", "space 8", "space 3"]
    assert purses(state) == [0, 2, 2, 2]
    play_round(state, "crystal", lion="barrel", star="barrel", oak="crystal")
    assert standing(state) == ["space 9", "space 8", "space 9", "start"]


@pytest.mark.rule("dragons-cave", "lair.enter")
@pytest.mark.parametrize(
    ("card", "end"),
    [
        ("pickaxe", "pickaxe niche"),
        ("lantern", "lantern niche"),
        ("rope", "rope niche"),
        ("barrel", "space 19"),
        ("crystal", "space 20"),
    ],
)
def test_d02_near_the_end_some_cards_lead_into_the_lair_and_others_to_a_later_space(card: str, end: str) -> None:
    state = situation(3, at={"tower": "space 18"})
    play_round(state, other_than(card), tower=card, star="Chest")
    assert where(state, "tower") == end
    assert state.is_terminal() == end.endswith("niche")
    assert coins(state, "tower") == {"barrel": 3, "crystal": 5}.get(card, 4)


@pytest.mark.rule("dragons-cave", "lair.enter", "lair.reward", "end.lair")
def test_d16_several_may_arrive_in_the_same_niche_too_and_each_is_paid() -> None:
    state = situation(4, at={"tower": "space 20", "star": "space 18", "oak": "space 17"}, purse={"oak": 1})
    play_round(state, "crystal", tower="rope", star="rope", oak="pickaxe")
    assert standing(state) == ["start", "rope niche", "rope niche", "pickaxe niche"]
    assert purses(state) == [0, 4, 4, 5]
    assert state.to_plain().treasure == 43 - 12
    assert state.ending() == "end.lair"


@pytest.mark.rule("dragons-cave", "fright.back")
@pytest.mark.parametrize(
    ("start", "card", "end"),
    [
        ("space 7", "crystal", "space 5"),
        ("space 20", "barrel", "space 19"),
        ("space 20", "crystal", "space 15"),
        ("space 2", "pickaxe", "space 1"),
        ("space 6", "pickaxe", "space 1"),
        ("space 1", "pickaxe", "start"),
        ("space 4", "crystal", "start"),
        ("space 3", "barrel", "start"),
    ],
)
def test_a_frightened_dwarf_goes_back_to_the_first_space_with_that_picture(start: str, card: str, end: str) -> None:
    state = situation(3, at={"tower": start})
    play_round(state, card, tower=card, star="Chest")
    assert where(state, "tower") == end
    assert coins(state, "tower") == 0
    assert state.to_plain().treasure == 44


@pytest.mark.rule("dragons-cave", "fright.back")
@pytest.mark.parametrize("card", PICTURES)
def test_d06_on_the_start_space_a_frightened_dwarf_stays(card: str) -> None:
    state = play_round(situation(3), card, tower=card, star="Chest")
    assert where(state, "tower") == "start"
    assert cards_of(state, "tower") == SIX_CARDS
    assert dragon(state) == "tower"


@pytest.mark.rule("dragons-cave", "lair.guarded")
@pytest.mark.parametrize(("card", "back"), [("pickaxe", "space 16"), ("rope", "space 18"), ("crystal", "space 15")])
def test_d03_who_would_enter_the_dragons_niche_is_frightened_like_any_other(card: str, back: str) -> None:
    state = situation(3, at={"tower": "space 20"}, purse={"tower": 3})
    play_round(state, card, tower=card, star="Chest")
    assert where(state, "tower") == back
    assert not state.is_terminal()
    assert choices(state, "tower")[-1] == "left fist: 3 coins"
    play(state, "tower: left fist: 3 coins", "lion: left fist")
    assert purses(state) == [0, 0, 0]
    assert not state.is_terminal()


# --- Coins ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "coins.collect")
@pytest.mark.parametrize(
    ("card", "shown"), [("pickaxe", 0), ("lantern", 1), ("rope", 2), ("barrel", 3), ("crystal", 5)]
)
def test_a_dwarf_takes_the_coins_its_space_shows_from_the_treasure(card: str, shown: int) -> None:
    state = situation(3, at={"tower": "space 5"}, purse={"tower": 7, "lion": 1}, chest={"tower": 2})
    play_round(state, other_than(card), tower=card, star="Chest")
    assert (coins(state, "tower"), banked(state, "tower")) == (7 + shown, 2)
    assert state.to_plain().treasure == 34 - shown


@pytest.mark.rule("dragons-cave", "coins.collect")
def test_the_frightened_chest_players_and_the_dragon_take_nothing() -> None:
    state = situation(4, at={"lion": "space 5", "tower": "space 6", "star": "space 5"})
    play_round(state, "crystal", tower="crystal", star="Chest", oak="pickaxe")
    assert purses(state) == [0, 0, 0, 0]
    assert where(state, "tower") == "space 5"
    assert state.to_plain().treasure == 44


@pytest.mark.rule("dragons-cave", "coins.collect")
def test_what_was_due_is_forgotten_when_the_next_round_begins() -> None:
    state = play_round(situation(3), "pickaxe", tower="crystal", star="barrel")
    assert state.to_plain().due == [0, 0, 0, 0]
    play_round(state, "pickaxe", lion="Chest", star="Chest")
    assert purses(state) == [0, 5, 0]
    assert banked(state, "star") == 3


@pytest.mark.rule("dragons-cave", "lair.reward")
def test_d17_the_lair_pays_four_coins_from_the_treasure_onto_the_purse() -> None:
    state = situation(3, at={"tower": "space 20"}, purse={"tower": 1}, chest={"tower": 6})
    play_round(state, "rope", tower="lantern", star="Chest")
    assert (coins(state, "tower"), banked(state, "tower")) == (5, 6)
    assert state.to_plain().treasure == 37 - 4
    assert state.scores() == [0, 11, 0]


@pytest.mark.rule("dragons-cave", "lair.reward")
def test_a_lair_that_pays_nothing_is_reached_all_the_same() -> None:
    state = situation(3, board=POOR, at={"tower": "space 15"})
    play_round(state, "rope", tower="lantern", star="Chest")
    assert where(state, "tower") == "lantern niche"
    assert purses(state) == [0, 0, 0]
    assert state.ending() == "end.lair"


@pytest.mark.rule("dragons-cave", "coins.shortage")
@pytest.mark.parametrize(
    ("treasure", "cards", "expected", "left"),
    [
        (7, {"tower": "crystal", "star": "barrel", "oak": "Chest"}, [0, 3, 3, 0], 1),
        (6, {"tower": "crystal", "star": "barrel", "oak": "pickaxe"}, [0, 3, 3, 0], 0),
        (5, {"tower": "crystal", "star": "lantern", "oak": "Chest"}, [0, 2, 2, 0], 1),  # 2 for a space that shows 1
        (7, {"tower": "crystal", "star": "lantern", "oak": "rope"}, [0, 2, 2, 2], 1),
        (2, {"tower": "crystal", "star": "lantern", "oak": "barrel"}, [0, 0, 0, 0], 2),
        (1, {"tower": "crystal", "star": "lantern", "oak": "Chest"}, [0, 0, 0, 0], 1),
        (4, {"tower": "crystal", "star": "pickaxe", "oak": "Chest"}, [0, 4, 0, 0], 0),
        (9, {"tower": "crystal", "star": "crystal", "oak": "Chest"}, [0, 4, 4, 0], 1),
    ],
)
def test_d20_too_few_coins_are_shared_equally_by_all_who_are_due_any(
    treasure: int, cards: dict[str, str], expected: list[int], left: int
) -> None:
    """Whatever each was due; what cannot be divided stays, and the game ends at once."""
    board = cave(CAVE["path"], treasure=treasure)
    nobodys = next(picture for picture in PICTURES if picture not in cards.values())
    state = play_round(situation(4, board=board), nobodys, **cards)
    assert purses(state) == expected
    assert state.to_plain().treasure == left
    assert state.ending() == "coins.shortage"
    assert state.is_terminal()


@pytest.mark.rule("dragons-cave", "coins.shortage", "lair.reward")
def test_d20_a_shortage_touches_the_lairs_reward_too() -> None:
    state = situation(4, at={"tower": "space 20", "star": "space 5"}, treasure=5)
    play_round(state, "pickaxe", tower="rope", star="lantern", oak="lantern")
    assert purses(state) == [0, 1, 1, 1]
    assert where(state, "tower") == "rope niche"
    assert state.to_plain().treasure == 2
    assert state.ending() == "coins.shortage"


@pytest.mark.rule("dragons-cave", "coins.shortage", "fright.back")
def test_d20_who_is_frightened_or_due_no_coin_has_no_share() -> None:
    state = situation(4, at={"tower": "space 10"}, purse={"tower": 3, "oak": 1}, treasure=4)
    play_round(state, "lantern", tower="lantern", star="crystal", oak="pickaxe")
    assert purses(state) == [0, 3, 4, 1]
    assert standing(state) == ["start", "space 7", "space 5", "space 1"]
    assert state.ending() == "coins.shortage"


@pytest.mark.rule("dragons-cave", "coins.shortage")
def test_a_treasure_that_is_just_enough_is_no_shortage() -> None:
    state = play_round(situation(3, treasure=9), "pickaxe", tower="crystal", star="barrel")
    assert purses(state) == [0, 5, 3]
    assert state.to_plain().treasure == 1
    assert not state.is_terminal()


# --- Frightened -------------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "fright.split")
@pytest.mark.parametrize("purse", [1, 2, 7, 44])
def test_d07_the_frightened_hide_all_coins_of_the_purse_in_two_fists(purse: int) -> None:
    state = situation(3, at={"tower": "space 8"}, purse={"tower": purse})
    if purse == 44:
        state = situation(3, at={"tower": "space 8"}, purse={"tower": purse}, treasure=1)
    play_round(state, "rope", tower="rope", star="pickaxe")
    words = ["no coins", "1 coin", *(f"{count} coins" for count in range(2, purse + 1))]
    assert choices(state, "tower") == [f"left fist: {count}" for count in words]
    assert asked(state) == ["tower"]
    assert state.current_player() == seat_of(state, "tower")


@pytest.mark.rule("dragons-cave", "fright.split", "fright.guess")
@pytest.mark.parametrize("left", range(4))
def test_d07_the_coins_of_the_chosen_fist_go_back_and_the_others_stay(left: int) -> None:
    state = situation(3, at={"tower": "space 8"}, purse={"tower": 3}, chest={"tower": 5})
    play_round(state, "rope", tower="rope", star="Chest")
    state.apply_action(s.HOLD + left)
    assert asked(state) == ["lion"]
    assert choices(state, "lion") == BOTH_FISTS
    chosen_left = play(state.clone(), "lion: left fist")
    assert (coins(chosen_left, "tower"), chosen_left.to_plain().treasure) == (3 - left, 36 + left)
    chosen_right = play(state.clone(), "lion: right fist")
    assert (coins(chosen_right, "tower"), chosen_right.to_plain().treasure) == (left, 39 - left)
    for after in (chosen_left, chosen_right):
        assert banked(after, "tower") == 5  # coins in the chest are not touched
        assert after.to_plain().left == [s.NO_SPLIT] * 4
        assert dragon(after) == "tower"


@pytest.mark.rule("dragons-cave", "fright.split")
def test_d07_an_empty_purse_is_skipped_even_with_a_full_chest() -> None:
    state = situation(3, at={"tower": "space 8"}, chest={"tower": 5})
    play_round(state, "rope", tower="rope", star="Chest")
    assert dragon(state) == "tower"
    assert asked(state) == ["lion", "star"]
    assert (where(state, "tower"), banked(state, "tower"), cards_of(state, "tower")) == ("space 3", 5, SIX_CARDS)


@pytest.mark.rule("dragons-cave", "fright.guess")
def test_d07_even_a_single_coin_is_guessed_at() -> None:
    state = situation(3, at={"tower": "space 8"}, purse={"tower": 1})
    play_round(state, "rope", tower="rope", star="Chest")
    play(state, "tower: left fist: no coins")
    assert choices(state, "lion") == BOTH_FISTS
    assert coins(play(state.clone(), "lion: left fist"), "tower") == 1
    assert coins(play(state.clone(), "lion: right fist"), "tower") == 0


@pytest.mark.rule("dragons-cave", "fright.split", "fright.guess")
@pytest.mark.parametrize("dragon_crest", CRESTS)
def test_d08_several_split_at_once_and_the_dragon_guesses_one_after_the_other_from_its_left(dragon_crest: str) -> None:
    first = CRESTS.index(dragon_crest)
    order = [CRESTS[(first + step) % 4] for step in (1, 2, 3)]
    state = situation(4, dragon=dragon_crest, purse=dict(zip(order, (4, 5, 6), strict=True)))
    play_round(state, "barrel", **dict.fromkeys(order, "barrel"))
    assert state.current_player() == SIMULTANEOUS
    assert asked(state) == [crest for crest in CRESTS if crest != dragon_crest]
    for number, crest in enumerate(reversed(order)):
        assert refused(state, f"{dragon_crest}: left fist") == "fright.split"
        play(state, f"{crest}: left fist: {3 - number} coin{'s' if number < 2 else ''}")
        assert refused(state, f"{crest}: left fist: no coins") == ("fright.guess" if number == 2 else "fright.split")
    for crest, fist, kept in zip(order, ("left", "right", "left"), (3, 2, 3), strict=True):
        assert state.to_plain().guessing == CRESTS.index(crest)
        assert asked(state) == [dragon_crest]
        assert state.current_player() == first
        play(state, f"{dragon_crest}: {fist} fist")
        assert coins(state, crest) == kept
    assert dragon(state) == order[0]
    assert state.to_plain().treasure == 44 - 8


@pytest.mark.rule("dragons-cave", "fright.split", "fright.guess")
@pytest.mark.parametrize("dragon_crest", CRESTS)
def test_d08_who_has_no_coins_is_passed_over_by_the_guessing_dragon(dragon_crest: str) -> None:
    first = CRESTS.index(dragon_crest)
    order = [CRESTS[(first + step) % 4] for step in (1, 2, 3)]
    state = situation(4, dragon=dragon_crest, purse={order[0]: 2, order[2]: 2})
    play_round(state, "barrel", **dict.fromkeys(order, "barrel"))
    assert sorted(asked(state)) == sorted([order[0], order[2]])
    assert state.current_player() == SIMULTANEOUS
    play(state, f"{order[2]}: left fist: 2 coins", f"{order[0]}: left fist: 1 coin")
    play(state, f"{dragon_crest}: left fist")
    assert state.to_plain().guessing == CRESTS.index(order[2])
    play(state, f"{dragon_crest}: right fist")
    assert [coins(state, crest) for crest in order] == [1, 0, 2]


@pytest.mark.rule("dragons-cave", "fright.cards")
def test_d09_the_frightened_take_all_cards_back_the_one_just_played_too() -> None:
    state = situation(4, hand={"tower": "rope Chest", "star": "rope Chest", "oak": "crystal pickaxe Chest"})
    play_round(state, "rope", tower="rope", star="rope", oak="crystal")
    assert cards_of(state, "tower") == cards_of(state, "star") == SIX_CARDS
    assert cards_of(state, "oak") == "pickaxe Chest"


@pytest.mark.rule("dragons-cave", "fright.cards")
def test_a_dragon_on_the_picture_of_an_open_card_frightens_nobody_with_it() -> None:
    """Only the card of this round counts, not those still lying from rounds before."""
    state = situation(3, at={"tower": "space 3"}, purse={"tower": 2}, hand={"tower": "barrel Chest"})
    play_round(state, "rope", tower="barrel", star="pickaxe")
    assert where(state, "tower") == "space 4"
    assert (coins(state, "tower"), cards_of(state, "tower")) == (5, "Chest")


# --- The Chest --------------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "chest.safe")
@pytest.mark.parametrize("niche", PICTURES)
def test_who_plays_the_chest_stays_where_they_are_and_cannot_be_frightened(niche: str) -> None:
    state = situation(3, at={"tower": "space 8"}, purse={"tower": 3})
    play_round(state, niche, tower="Chest", star="Chest")
    assert where(state, "tower") == "space 8"
    assert (coins(state, "tower"), banked(state, "tower")) == (0, 3)
    assert state.to_plain().treasure == 41
    assert dragon(state) == "tower"


@pytest.mark.rule("dragons-cave", "chest.bank")
def test_d11_all_coins_of_the_purse_go_into_the_chest_to_those_that_are_there() -> None:
    state = situation(3, purse={"tower": 9, "star": 4}, chest={"tower": 3, "star": 1})
    play_round(state, "rope", tower="Chest", star="pickaxe")
    assert (coins(state, "tower"), banked(state, "tower")) == (0, 12)
    assert (coins(state, "star"), banked(state, "star")) == (4, 1)
    assert state.scores() == [0, 12, 5]


@pytest.mark.rule("dragons-cave", "chest.bank")
def test_d11_the_chest_may_be_played_with_an_empty_purse() -> None:
    state = situation(3, hand={"tower": "rope barrel Chest"})
    play_round(state, "rope", tower="Chest", star="pickaxe")
    assert (coins(state, "tower"), banked(state, "tower"), cards_of(state, "tower")) == (0, 0, SIX_CARDS)


@pytest.mark.rule("dragons-cave", "chest.cards")
def test_d10_the_chest_itself_comes_back_and_can_be_played_again_at_once() -> None:
    state = situation(4, hand={"star": "pickaxe Chest"}, purse={"star": 2})
    play_round(state, "rope", tower="pickaxe", star="Chest", oak="pickaxe")
    assert cards_of(state, "star") == SIX_CARDS
    assert "Chest" in choices(state, "star")
    play_round(state, "rope", lion="pickaxe", star="Chest", oak="lantern")
    assert (banked(state, "star"), cards_of(state, "star")) == (2, SIX_CARDS)


@pytest.mark.rule("dragons-cave", "chest.closed")
def test_d15_everybody_saw_what_went_into_a_chest() -> None:
    """Looking in is not allowed, forgetting is not required: the table keeps the count for every viewer alike."""
    state = play_round(situation(3, purse={"tower": 5}), "rope", tower="Chest", star="pickaxe")
    assert state.to_plain().open_chests == 0
    assert [state.observation(viewer).chest for viewer in (-1, 0, 1, 2)] == [[0, 5, 0, 0]] * 4
    assert state.scores() == [0, 5, 0]


@pytest.mark.rule("dragons-cave", "option.open-chests")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d15_open_chests_change_nothing_else(players: int) -> None:
    closed = interpreted(players, CAVE, chests="closed").new_initial_state()
    opened = interpreted(players, CAVE, chests="open").new_initial_state()
    assert (closed.to_plain().open_chests, opened.to_plain().open_chests) == (0, 1)
    while not closed.is_terminal():
        seat = next((seat for seat in range(players) if closed.legal_actions(seat)), CHANCE)
        action = closed.legal_actions(seat)[closed.move_number() * 7 % len(closed.legal_actions(seat))]
        closed.apply_action(action, seat)
        opened.apply_action(action, seat)
        table = opened.to_plain()
        table.open_chests = 0
        assert table.bytes() == closed.record()
        assert opened.current_player() == closed.current_player()
    assert opened.winners() == closed.winners()


# --- The next round ---------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "round.pass")
@pytest.mark.parametrize("players", [3, 4])
def test_the_dragon_goes_clockwise_whatever_happened(players: int) -> None:
    state = situation(players, dragon=CRESTS[players - 1], purse={"lion": 1})
    for number, card in enumerate(["pickaxe", "lantern", "Chest", "rope", "rope", "Chest", "lantern", "barrel"]):
        expected = CRESTS[(players - 1 + number) % players]
        assert dragon(state) == expected
        others = [crest for crest in CRESTS[:players] if crest != expected]
        play_round(
            state, "crystal" if number % 2 else "barrel", **{crest: available(state, crest, card) for crest in others}
        )
        while state.to_plain().phase == s.SPLIT:
            state.apply_action(s.HOLD, seat_of(state, asked(state)[0]))
        while state.to_plain().phase == s.GUESS:
            state.apply_action(s.RIGHT_FIST)
    assert not state.is_terminal()


def available(state: State, crest: str, card: str) -> str:
    """Take the card, or the Chest when it lies open already."""
    return card if card in cards_of(state, crest).split() else "Chest"


@pytest.mark.rule("dragons-cave", "round.pass")
def test_a_new_round_begins_with_nothing_laid() -> None:
    state = play_round(situation(3), "rope", tower="pickaxe", star="lantern")
    table = state.to_plain()
    assert table.card == [s.NO_CARD] * 4
    assert table.phase == s.SEAL
    assert state.current_player() == SIMULTANEOUS
    assert asked(state) == ["lion", "star"]
    assert table.dragon == PICTURES.index("rope")  # it stays where it was until it is placed again


# --- End and score ----------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "end.lair")
def test_d16_the_round_in_which_a_dwarf_arrives_is_played_to_its_end() -> None:
    state = situation(
        4, at={"tower": "space 20", "star": "space 8"}, purse={"star": 5, "oak": 3}, hand={"oak": "rope Chest"}
    )
    play_round(state, "rope", tower="barrel", star="rope", oak="Chest")
    assert where(state, "tower") == "barrel niche"
    assert not state.is_terminal()
    play(state, "star: left fist: 2 coins")
    assert not state.is_terminal()
    play(state, "lion: right fist")
    assert state.ending() == "end.lair"
    assert purses(state) == [0, 4, 2, 0]
    assert (banked(state, "oak"), cards_of(state, "oak"), cards_of(state, "star")) == (3, SIX_CARDS, SIX_CARDS)
    assert state.scores() == [0, 4, 2, 3]
    assert state.winners() == [1]
    assert state.to_plain().treasure == 36 - 4 + 3


@pytest.mark.rule("dragons-cave", "end.lair")
@pytest.mark.parametrize(("place", "card", "over"), [("space 20", "crystal", True), ("space 19", "crystal", False)])
def test_the_last_space_of_the_path_is_not_yet_the_lair(place: str, card: str, over: bool) -> None:
    state = play_round(situation(3, at={"star": place}), "rope", tower="Chest", star=card)
    assert state.is_terminal() == over
    assert where(state, "star") == ("crystal niche" if over else "space 20")


@pytest.mark.rule("dragons-cave", "end.lair")
@pytest.mark.parametrize("crest", ["tower", "star", "oak"])
def test_any_dwarf_in_the_lair_ends_the_game(crest: str) -> None:
    state = situation(4, at={crest: "space 20"})
    play_round(state, "barrel", **dict.fromkeys(("tower", "star", "oak"), "rope"))
    assert where(state, crest) == "rope niche"
    assert state.ending() == "end.lair"
    assert state.winners() == [seat_of(state, crest)]


@pytest.mark.rule("dragons-cave", "end.treasure")
def test_d19_the_game_ends_at_once_with_the_last_coin() -> None:
    state = situation(4, at={"tower": "space 8"}, purse={"tower": 6}, treasure=8)
    play_round(state, "rope", tower="rope", star="barrel", oak="crystal")
    assert state.to_plain().treasure == 0
    assert state.ending() == "end.treasure"
    assert state.current_player() == TERMINAL
    assert purses(state) == [0, 6, 3, 5]  # the frightened do not split
    assert state.winners() == [1]


@pytest.mark.rule("dragons-cave", "end.treasure", "end.lair")
def test_d19_an_arrival_that_takes_the_last_coins_ends_the_game_at_once() -> None:
    state = situation(4, at={"tower": "space 20", "star": "space 8"}, purse={"star": 2, "oak": 1}, treasure=4)
    play_round(state, "rope", tower="barrel", star="rope", oak="Chest")
    assert state.ending() == "end.treasure"
    assert purses(state) == [0, 4, 2, 1]
    assert banked(state, "oak") == 0


@pytest.mark.rule("dragons-cave", "end.treasure")
def test_one_coin_left_is_a_treasure_still() -> None:
    state = play_round(situation(3, treasure=3), "rope", tower="pickaxe", star="lantern")
    assert state.to_plain().treasure == 2
    play_round(state, "rope", lion="lantern", star="pickaxe")
    assert state.to_plain().treasure == 1
    assert not state.is_terminal()
    play_round(state, "rope", lion="pickaxe", tower="Chest")
    assert not state.is_terminal()
    assert dragon(state) == "lion"


@pytest.mark.rule("dragons-cave", "end.over")
def test_after_the_end_nothing_is_played_any_more() -> None:
    ends = [
        play_round(situation(3, at={"tower": "space 20"}), "rope", tower="barrel", star="Chest"),
        play_round(situation(3, treasure=5), "rope", tower="crystal", star="Chest"),
        play_round(situation(3, treasure=4), "rope", tower="crystal", star="Chest"),
        play_round(
            situation(2, at={"tower": "rope niche"}, second={"tower": "space 20"}), "rope",
            tower="barrel, second dwarf",
        ),
    ]  # fmt: skip
    assert [state.ending() for state in ends] == ["end.lair", "end.treasure", "coins.shortage", "two.end"]
    for state in ends:
        assert state.to_plain().phase == s.OVER
        assert state.current_player() == TERMINAL
        assert asked(state) == []
        for crest in CRESTS[: state.game.players]:
            for name in names(state.game, 0):
                assert refused(state, f"{crest}: {name}") == "end.over"


@pytest.mark.rule("dragons-cave", "score.count")
def test_coins_of_purse_and_chest_count_the_same() -> None:
    state = situation(4, purse={"lion": 3, "tower": 5, "oak": 1}, chest={"lion": 4, "star": 6, "oak": 1})
    assert state.scores() == [7, 5, 6, 2]
    assert state.winners() == []
    assert state.returns() == [0, 0, 0, 0]
    assert state.ending() is None


def ended(players: int = 3, **position: dict[str, str] | dict[str, int]) -> State:
    """End a game by its last coin, taken by the tower from the space its dwarf already is one short of."""
    state = situation(players, treasure=1, **position)  # type: ignore[arg-type]
    rest = dict.fromkeys(CRESTS[2:players], "Chest")
    play_round(state, "rope", tower="lantern", **rest)
    assert state.ending() == "end.treasure"
    return state


@pytest.mark.rule("dragons-cave", "score.winner")
def test_most_coins_win_however_far_behind_the_dwarf_is() -> None:
    state = ended(at={"tower": "space 11", "star": "space 20"}, purse={"lion": 4, "star": 1}, chest={"star": 2})
    assert state.scores() == [4, 1, 3]
    assert state.winners() == [0]
    assert state.returns() == [1, -0.5, -0.5]


@pytest.mark.rule("dragons-cave", "score.winner")
@pytest.mark.parametrize(
    ("lion", "star", "winners"),
    [
        ("space 13", "space 14", [2]),
        ("space 14", "space 13", [0]),
        ("space 11", "start", [1]),  # the tower's dwarf goes to space 12
        ("space 12", "start", [0, 1]),
        ("space 12", "space 12", [0, 1, 2]),
        ("space 20", "space 19", [0]),
    ],
)
def test_d18_a_tie_goes_to_the_dwarf_nearest_to_the_lair(lion: str, star: str, winners: list[int]) -> None:
    state = ended(at={"lion": lion, "tower": "space 8", "star": star}, purse={"lion": 3, "tower": 2, "star": 3})
    assert state.scores() == [3, 3, 3]
    assert state.winners() == winners


@pytest.mark.rule("dragons-cave", "score.winner", "score.shared")
def test_d18_all_places_in_the_lair_are_equally_near() -> None:
    state = situation(4, at={"tower": "space 20", "star": "space 19", "lion": "space 20"}, purse={"lion": 4, "oak": 3})
    play_round(state, "rope", tower="crystal", star="pickaxe", oak="lantern")
    assert [where(state, crest) for crest in ("tower", "star")] == ["crystal niche", "pickaxe niche"]
    assert state.scores() == [4, 4, 4, 4]
    assert state.winners() == [1, 2]
    assert state.returns() == pytest.approx([-1 / 3, 1 / 3, 1 / 3, -1 / 3])


@pytest.mark.rule("dragons-cave", "score.winner")
def test_a_dwarf_in_the_lair_is_nearer_than_one_on_the_last_space() -> None:
    state = situation(3, at={"tower": "space 20", "lion": "space 20"}, purse={"lion": 4})
    play_round(state, "rope", tower="pickaxe", star="Chest")
    assert state.scores() == [4, 4, 0]
    assert state.winners() == [1]


@pytest.mark.rule("dragons-cave", "score.shared")
def test_who_is_level_in_coins_and_place_shares_the_victory() -> None:
    state = ended(at={"tower": "space 8", "star": "space 12"}, chest={"tower": 1, "star": 2}, purse={"lion": 1})
    assert state.scores() == [1, 2, 2]
    assert state.winners() == [1, 2]
    assert state.returns() == pytest.approx([-0.5, 0.25, 0.25])


@pytest.mark.rule("dragons-cave", "score.winner", "score.shared")
def test_a_game_without_a_coin_is_won_by_the_nearest() -> None:
    state = play_round(situation(3, board=BARE, at={"tower": "space 9"}), "rope", tower="pickaxe", star="Chest")
    assert state.ending() == "end.lair"
    assert state.scores() == [0, 0, 0]
    assert state.winners() == [1]


@pytest.mark.rule("dragons-cave", "score.winner")
def test_in_the_longest_cave_one_coin_outweighs_the_whole_way() -> None:
    state = situation(3, board=LONG, at={"tower": "space 40"}, purse={"lion": 2}, treasure=1)
    play_round(state, "rope", tower="pickaxe", star="Chest")
    assert state.ending() == "coins.shortage"
    assert (where(state, "tower"), state.scores(), state.winners()) == ("pickaxe niche", [2, 1, 0], [0])


# --- Two players ------------------------------------------------------------------------------------------------
BOTH_DWARVES = [f"{card}, {number} dwarf" for number in ("first", "second") for card in CARDS]


@pytest.mark.rule("dragons-cave", "two.dwarves")
def test_one_player_is_dragon_and_the_other_leads_two_dwarves() -> None:
    for crest, other in (("lion", "tower"), ("tower", "lion")):
        state = situation(2, dragon=crest)
        assert asked(state) == [other]
        assert state.current_player() == seat_of(state, other)
        assert choices(state, other) == BOTH_DWARVES
        for move in BOTH_DWARVES:
            assert refused(state, f"{crest}: {move}") == "round.roles"


@pytest.mark.rule("dragons-cave", "two.dwarves")
def test_both_dwarves_fill_one_purse_from_one_hand() -> None:
    state = play_round(situation(2), "rope", tower="barrel, second dwarf")
    play_round(state, "rope", tower="crystal, first dwarf")
    assert (where(state, "tower"), where(state, "tower", 2)) == ("space 5", "space 4")
    assert coins(state, "tower") == 8
    assert cards_of(state, "tower") == "pickaxe lantern rope Chest"
    assert refused(state, "tower: barrel, first dwarf") == "card.open"
    assert refused(state, "tower: crystal, second dwarf") == "card.open"


@pytest.mark.rule("dragons-cave", "two.dwarves")
@pytest.mark.parametrize("players", [3, 4])
def test_more_players_lead_one_dwarf_each(players: int) -> None:
    state = situation(players, hand={"tower": "rope Chest"})
    for card in CARDS:
        assert refused(state, f"tower: {card}, second dwarf") == "two.dwarves"


@pytest.mark.rule("dragons-cave", "two.name")
@pytest.mark.parametrize("crest", ["lion", "tower"])
@pytest.mark.parametrize(("word", "number", "other"), [("first", 1, 2), ("second", 2, 1)])
def test_d23_the_dwarf_is_named_openly_with_the_card_and_only_it_moves(
    crest: str, word: str, number: int, other: int
) -> None:
    rival = "tower" if crest == "lion" else "lion"
    state = situation(2, dragon=rival, at={crest: "space 8"}, second={crest: "space 8"})
    play(state, f"{crest}: rope, {word} dwarf")
    assert state.observation(-1).named == state.observation(seat_of(state, rival)).named == number - 1
    assert asked(state) == [rival]
    safe = play(state.clone(), f"{rival}: barrel niche")
    assert (where(safe, crest, number), where(safe, crest, other)) == ("space 13", "space 8")
    caught = play(state.clone(), f"{rival}: rope niche")
    assert (where(caught, crest, number), where(caught, crest, other)) == ("space 3", "space 8")
    for after in (safe, caught):
        assert (where(after, rival), where(after, rival, 2)) == ("start", "start")
        assert after.to_plain().named == 0


@pytest.mark.rule("dragons-cave", "two.name", "chest.safe")
@pytest.mark.parametrize("word", ["first", "second"])
def test_d23_with_the_chest_a_dwarf_is_named_too_and_neither_moves(word: str) -> None:
    state = situation(2, at={"tower": "space 3"}, second={"tower": "space 8"}, purse={"tower": 6})
    play_round(state, "rope", tower=f"Chest, {word} dwarf")
    assert (where(state, "tower"), where(state, "tower", 2)) == ("space 3", "space 8")
    assert (coins(state, "tower"), banked(state, "tower"), cards_of(state, "tower")) == (0, 6, SIX_CARDS)


@pytest.mark.rule("dragons-cave", "two.name", "card.last-chest")
def test_d12_with_two_players_the_last_chest_names_no_dwarf() -> None:
    state = situation(2, hand={"tower": "rope Chest"}, purse={"tower": 1})
    play_round(state, "barrel", tower="rope, second dwarf")
    assert asked(state) == ["lion"]
    assert state.to_plain().card == [s.NO_CARD, s.CHEST, s.NO_CARD, s.NO_CARD]
    assert state.to_plain().named == 0
    for move in BOTH_DWARVES:
        assert refused(state, f"tower: {move}") == "card.seal"
    play(state, "lion: rope niche")
    assert (banked(state, "tower"), dragon(state)) == (3, "tower")


@pytest.mark.rule("dragons-cave", "two.roles")
@pytest.mark.parametrize("first", ["lion", "tower"])
@pytest.mark.parametrize(
    ("card", "niche", "swap"), [("rope", "rope", True), ("Chest", "rope", True), ("rope", "barrel", False)]
)
def test_d24_roles_are_swapped_only_after_a_fright_or_a_chest(first: str, card: str, niche: str, swap: bool) -> None:
    other = "tower" if first == "lion" else "lion"
    state = play_round(situation(2, dragon=first), niche, **{other: f"{card}, first dwarf"})
    assert dragon(state) == (other if swap else first)
    assert asked(state) == [first if swap else other]


@pytest.mark.rule("dragons-cave", "two.roles", "fright.guess")
def test_d24_roles_are_swapped_after_the_guess() -> None:
    state = situation(2, second={"tower": "space 8"}, purse={"tower": 4})
    play_round(state, "rope", tower="rope, second dwarf")
    assert (dragon(state), asked(state)) == ("lion", ["tower"])
    play(state, "tower: left fist: 3 coins")
    assert (dragon(state), asked(state)) == ("lion", ["lion"])
    play(state, "lion: left fist")
    assert (coins(state, "tower"), where(state, "tower", 2)) == (1, "space 3")
    assert (dragon(state), asked(state)) == ("tower", ["lion"])


@pytest.mark.rule("dragons-cave", "two.roles", "two.home")
def test_d24_reaching_the_lair_keeps_the_roles() -> None:
    state = play_round(situation(2, second={"tower": "space 20"}), "rope", tower="barrel, second dwarf")
    assert where(state, "tower", 2) == "barrel niche"
    assert dragon(state) == "lion"
    assert cards_of(state, "tower") == "pickaxe lantern rope crystal Chest"


@pytest.mark.rule("dragons-cave", "two.roles", "fright.cards", "chest.cards")
def test_d28_every_spell_as_dwarf_player_begins_with_six_cards() -> None:
    state = situation(2)
    play_round(state, "rope", tower="pickaxe, first dwarf")
    play_round(state, "rope", tower="lantern, second dwarf")
    assert cards_of(state, "tower") == "rope barrel crystal Chest"
    play_round(state, "rope", tower="Chest, first dwarf")
    assert (dragon(state), cards_of(state, "tower"), cards_of(state, "lion")) == ("tower", SIX_CARDS, SIX_CARDS)
    play_round(state, "rope", lion="pickaxe, first dwarf")
    assert cards_of(state, "lion") == "lantern rope barrel crystal Chest"
    play_round(state, "rope", lion="rope, first dwarf")
    assert (dragon(state), cards_of(state, "tower"), cards_of(state, "lion")) == ("lion", SIX_CARDS, SIX_CARDS)


@pytest.mark.rule("dragons-cave", "two.home", "lair.reward")
@pytest.mark.parametrize(("home", "word", "still"), [("first", "first", "second"), ("second", "second", "first")])
def test_d26_a_dwarf_in_the_lair_is_paid_stays_there_and_cannot_be_named(home: str, word: str, still: str) -> None:
    at, second = ({"tower": "space 20"}, {}) if home == "first" else ({}, {"tower": "space 20"})
    state = situation(2, at=at, second=second)
    play_round(state, "rope", tower=f"barrel, {word} dwarf")
    assert where(state, "tower", 1 if home == "first" else 2) == "barrel niche"
    assert coins(state, "tower") == 4
    assert not state.is_terminal()
    left = ("pickaxe", "lantern", "rope", "crystal", "Chest")
    assert choices(state, "tower") == [f"{card}, {still} dwarf" for card in left]
    for card in CARDS:
        assert refused(state, f"tower: {card}, {home} dwarf") == "two.home"
    play_round(state, "rope", tower=f"rope, {still} dwarf")
    play(state, "tower: left fist: no coins", "lion: left fist")
    assert where(state, "tower", 1 if home == "first" else 2) == "barrel niche"
    assert dragon(state) == "tower"


@pytest.mark.rule("dragons-cave", "two.end")
@pytest.mark.parametrize("crest", ["lion", "tower"])
def test_d26_the_game_ends_when_both_dwarves_of_one_player_are_in_the_lair(crest: str) -> None:
    rival = "tower" if crest == "lion" else "lion"
    state = situation(2, dragon=rival, at={crest: "space 20", rival: "rope niche"}, second={crest: "space 18"})
    play_round(state, "crystal", **{crest: "rope, first dwarf"})
    assert not state.is_terminal()  # one dwarf of each player is home
    play_round(state, "crystal", **{crest: "lantern, second dwarf"})
    assert state.ending() == "two.end"
    assert (where(state, crest), where(state, crest, 2)) == ("rope niche", "lantern niche")
    assert coins(state, crest) == 8
    assert state.winners() == [seat_of(state, crest)]
    assert state.returns()[seat_of(state, crest)] == 1


@pytest.mark.rule("dragons-cave", "two.end", "score.winner")
def test_the_richest_wins_not_who_came_first() -> None:
    state = situation(
        2, at={"tower": "rope niche"}, second={"tower": "space 20"}, chest={"lion": 9}, purse={"tower": 4}
    )
    play_round(state, "rope", tower="barrel, second dwarf")
    assert (state.ending(), state.scores(), state.winners()) == ("two.end", [9, 8], [0])
    assert state.returns() == [1, -1]


@pytest.mark.rule("dragons-cave", "end.treasure", "coins.shortage")
@pytest.mark.parametrize(("treasure", "ending", "taken"), [(3, "end.treasure", 3), (2, "coins.shortage", 2)])
def test_d29_with_two_players_the_treasure_runs_out_as_always(treasure: int, ending: str, taken: int) -> None:
    state = situation(2, treasure=treasure, purse={"lion": 1})
    play_round(state, "rope", tower="barrel, second dwarf")
    assert (state.ending(), coins(state, "tower"), state.to_plain().treasure) == (ending, taken, 0)
    assert state.winners() == [1]


@pytest.mark.rule("dragons-cave", "two.tie")
@pytest.mark.parametrize(
    ("lion", "tower", "winners"),
    [
        (("space 9", "space 5"), ("space 13", "start"), [1]),  # 14 against 13 + 2
        (("space 9", "space 6"), ("space 13", "start"), [0, 1]),
        (("space 9", "space 7"), ("space 13", "start"), [0]),
        (("start", "space 17"), ("space 13", "start"), [0]),
        (("rope niche", "start"), ("space 18", "start"), [0]),  # 21 against 20
        (("pickaxe niche", "start"), ("space 19", "start"), [0, 1]),  # 21 against 19 + 2
        (("crystal niche", "start"), ("space 19", "start"), [0, 1]),
        (("space 20", "start"), ("space 19", "start"), [1]),
        (("space 1", "start"), ("crystal niche", "start"), [1]),
    ],
)
def test_d27_a_tie_goes_to_the_player_whose_two_dwarves_came_further_together(
    lion: tuple[str, str], tower: tuple[str, str], winners: list[int]
) -> None:
    """The tower's second dwarf takes the last coin on space 2."""
    state = situation(
        2,
        at={"lion": lion[0], "tower": tower[0]},
        second={"lion": lion[1], "tower": tower[1]},
        purse={"lion": 3, "tower": 2},
        treasure=1,
    )
    play_round(state, "rope", tower="lantern, second dwarf")
    assert state.scores() == [3, 3]
    assert state.winners() == winners


@pytest.mark.rule("dragons-cave", "two.tie", "score.winner")
def test_in_the_longest_cave_one_coin_outweighs_the_way_of_two_dwarves() -> None:
    state = situation(
        2, board=LONG, at={"tower": "space 40"}, second={"tower": "space 40"}, purse={"lion": 2}, treasure=1
    )
    play_round(state, "rope", tower="pickaxe, second dwarf")
    assert (state.scores(), state.winners()) == ([2, 1], [0])


# --- Refusals: every reason, for every role, in every phase -----------------------------------------------------
LAY, LAY_SECOND, PLACE, FISTS, HOLD = range(6), range(6, 12), range(12, 17), range(17, 19), range(19, s.ACTIONS)


def reasons(state: State, crest: str) -> list[str | None]:
    """Let a crest try everything, and give the reasons against it; None for what is allowed."""
    seat, found = seat_of(state, crest), []
    for action in range(s.ACTIONS):
        before = state.record(), state.current_player(), state.history()
        if action in state.legal_actions(seat):
            assert state.refusal(action, seat) is None
            found.append(None)
            continue
        with pytest.raises(IllegalActionError) as caught:
            state.apply_action(action, seat)
        assert state.refusal(action, seat) == caught.value.rule
        assert (state.record(), state.current_player(), state.history()) == before
        found.append(caught.value.rule)
    return found


def table_of(*groups: tuple[Iterable[int], str | None]) -> list[str | None]:
    """Write out which reason stands against which actions."""
    found: dict[int, str | None] = {action: rule for actions, rule in groups for action in actions}
    return [found[action] for action in range(s.ACTIONS)]


def sealing() -> State:
    """The lion is dragon; the tower's card lies, the star has only the Chest, the oak still has to lay one."""
    return play(situation(4, hand={"star": "Chest", "oak": "rope Chest"}), "tower: rope")


@pytest.mark.rule(
    "dragons-cave", "round.roles", "dragon.place", "reveal.order", "card.seal", "card.last-chest", "card.open"
)
def test_refusals_while_cards_are_sealed() -> None:
    state = sealing()
    late = ((FISTS, "reveal.order"), (HOLD, "reveal.order"))
    assert reasons(state, "lion") == table_of(
        (LAY, "round.roles"), (LAY_SECOND, "round.roles"), (PLACE, "dragon.place"), *late
    )
    assert reasons(state, "tower") == table_of(
        (LAY, "card.seal"), (LAY_SECOND, "card.seal"), (PLACE, "round.roles"), *late
    )
    assert reasons(state, "star") == table_of(
        (LAY, "card.last-chest"), (LAY_SECOND, "card.last-chest"), (PLACE, "round.roles"), *late
    )
    assert reasons(state, "oak") == table_of(
        (LAY, "card.open"), ((2, 5), None), (LAY_SECOND, "two.dwarves"), (PLACE, "round.roles"), *late
    )


@pytest.mark.rule("dragons-cave", "round.roles", "dragon.place", "reveal.order", "card.seal")
def test_refusals_while_the_dragon_is_placed() -> None:
    state = play(sealing(), "oak: rope")
    late = ((FISTS, "reveal.order"), (HOLD, "reveal.order"))
    assert reasons(state, "lion") == table_of(
        (LAY, "round.roles"),
        (LAY_SECOND, "round.roles"),
        (PLACE, None),
        (FISTS, "dragon.place"),
        (HOLD, "dragon.place"),
    )
    for crest in ("tower", "star", "oak"):
        assert reasons(state, crest) == table_of(
            (LAY, "card.seal"), (LAY_SECOND, "card.seal"), (PLACE, "round.roles"), *late
        )


@pytest.mark.rule("dragons-cave", "fright.split", "fright.guess")
def test_refusals_while_coins_are_split_and_fists_are_guessed() -> None:
    state = situation(4, purse={"tower": 2, "star": 3, "oak": 4}, at={"tower": "space 4"})
    play_round(state, "rope", tower="rope", star="rope", oak="Chest")
    nothing = table_of((range(s.ACTIONS), "fright.split"))
    splits = table_of((range(s.ACTIONS), "fright.split"), (range(19, 22), None))
    assert [reasons(state, crest) for crest in CRESTS] == [
        nothing,
        splits,
        table_of((range(s.ACTIONS), "fright.split"), (range(19, 23), None)),
        nothing,
    ]
    play(state, "star: left fist: 3 coins")
    assert [reasons(state, crest) for crest in CRESTS] == [nothing, splits, nothing, nothing]
    play(state, "tower: left fist: no coins")
    nothing = table_of((range(s.ACTIONS), "fright.guess"))
    for _ in range(2):
        assert reasons(state, "lion") == table_of((range(s.ACTIONS), "fright.guess"), (FISTS, None))
        assert [reasons(state, crest) for crest in CRESTS[1:]] == [nothing] * 3
        play(state, "lion: right fist")
    assert state.to_plain().phase == s.SEAL


@pytest.mark.rule("dragons-cave", "two.home", "card.open", "round.roles", "dragon.place", "reveal.order")
def test_refusals_with_two_players() -> None:
    late = ((FISTS, "reveal.order"), (HOLD, "reveal.order"))
    hand = {"tower": "rope barrel Chest"}
    first_home = situation(2, at={"tower": "lantern niche"}, hand=hand)
    assert reasons(first_home, "tower") == table_of(
        (LAY, "two.home"), (LAY_SECOND, "card.open"), ((8, 9, 11), None), (PLACE, "round.roles"), *late
    )
    second_home = situation(2, second={"tower": "pickaxe niche"}, hand=hand)
    assert reasons(second_home, "tower") == table_of(
        (LAY, "card.open"), ((2, 3, 5), None), (LAY_SECOND, "two.home"), (PLACE, "round.roles"), *late
    )
    nobody_home = situation(2, hand=hand, at={"tower": "space 20", "lion": "rope niche"}, second={"tower": "space 20"})
    assert reasons(nobody_home, "tower") == table_of(
        (LAY, "card.open"),
        ((2, 3, 5), None),
        (LAY_SECOND, "card.open"),
        ((8, 9, 11), None),
        (PLACE, "round.roles"),
        *late,
    )
    assert reasons(nobody_home, "lion") == table_of(
        (LAY, "round.roles"), (LAY_SECOND, "round.roles"), (PLACE, "dragon.place"), *late
    )
    play(nobody_home, "tower: rope, second dwarf")
    assert reasons(nobody_home, "lion") == table_of(
        (LAY, "round.roles"),
        (LAY_SECOND, "round.roles"),
        (PLACE, None),
        (FISTS, "dragon.place"),
        (HOLD, "dragon.place"),
    )
    assert reasons(nobody_home, "tower") == table_of(
        (LAY, "card.seal"), (LAY_SECOND, "card.seal"), (PLACE, "round.roles"), *late
    )


def test_every_refusal_of_the_game_is_proven_above() -> None:
    proven = {"end.over"}  # test_after_the_end_nothing_is_played_any_more
    for state in (sealing(), situation(2, at={"tower": "rope niche"})):
        for crest in CRESTS[: state.game.players]:
            proven |= {rule for rule in reasons(state, crest) if rule}
    proven |= {"fright.split", "fright.guess"}  # test_refusals_while_coins_are_split_and_fists_are_guessed
    assert proven == set(s.REFUSALS) - {""}
    assert s.REFUSALS[s.GAME_OVER] == "end.over"
