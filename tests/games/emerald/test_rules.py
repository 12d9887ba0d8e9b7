"""Emerald, rule by rule in the order of the rulebook; E-01 to E-33 are in `docs/explanation/rulings/emerald.md`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from dracotheque import CHANCE, State
from dracotheque.engine.errors import DracothequeError
from dracotheque.games.emerald.rules import state as s
from tests.games.emerald.position_builder import (
    COLOUR_OF,
    CRESTS,
    GEMS,
    PLACES,
    START_PLACES,
    choices,
    dragon,
    hand,
    interpreted,
    names,
    play,
    put,
    refused,
    rod,
    situation,
    to_move,
    where,
)

NO_CARDS = dict.fromkeys(range(1, 10), "")
DICE = ("die: 1", "die: 2", "die: 3")


def dealt(players: int, **options: str) -> State:
    """Lay out a game, chance always bringing its first outcome."""
    state = interpreted(players, **options).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


# --- Set-up -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "setup.board")
def test_the_road_leads_from_five_start_places_over_six_fields_and_nine_caves_to_four_treasures() -> None:
    """E-29: nothing but their number tells the start places apart."""
    table = dealt(3).to_plain()
    assert len(table.crowd) == 5 + 6 + 9
    assert len(START_PLACES) == s.FIRST_FIELD
    assert s.FIRST_CAVE - s.FIRST_FIELD == 6
    assert s.CHAMBER - s.FIRST_CAVE == s.CAVES == 9
    assert table.treasures_left == 4
    assert sum(table.treasures) == 0
    assert (table.moved, table.ransomed, table.four_gems) == (s.NOWHERE, s.NOWHERE, 0)


@pytest.mark.rule("emerald", "setup.knights", "two.colours")
@pytest.mark.parametrize(
    ("players", "colours", "knights", "keep"), [(2, 4, 4, 0), (3, 3, 5, 3), (4, 4, 5, 4), (5, 5, 4, 0)]
)
def test_one_knight_of_each_colour_on_every_start_place(players: int, colours: int, knights: int, keep: int) -> None:
    """The keep stays empty with two or five players; knights not needed stay in the box."""
    state = dealt(players)
    for crest in CRESTS[:colours]:
        assert where(state, crest) == [*START_PLACES[:knights]] + ["box"] * (5 - knights)
    for crest in CRESTS[colours:]:
        assert where(state, crest) == ["box"] * 5
    table = state.to_plain()
    assert table.crowd == [colours] * 4 + [keep] + [0] * 15
    assert table.in_play == [knights] * colours + [0] * (5 - colours)


@pytest.mark.rule("emerald", "setup.cards")
def test_two_and_three_cards_alternate_so_that_two_gems_and_two_gold_are_left_over() -> None:
    table = dealt(4).to_plain()
    assert table.pile[: s.CAVES] == [2, 3, 2, 3, 2, 3, 2, 3, 2]
    assert table.pile[s.CAVES :] == [3, 2, 3, 2, 3, 2, 3, 2, 3]
    face_up = s.CAVES
    assert sum(table.unseen[: s.KINDS]) == 24 - face_up == sum(table.pile[: s.CAVES]) - face_up + 2
    assert sum(table.unseen[s.KINDS :]) == 25 - face_up == sum(table.pile[s.CAVES :]) - face_up + 2


@pytest.mark.rule("emerald", "setup.cards", "card.reveal")
def test_the_top_card_of_every_pile_is_turned_by_chance_from_the_cards_nobody_has_seen() -> None:
    state = interpreted(3, starts="1").new_initial_state()
    assert dict(state.chance_outcomes()) == {s.GEM + kind: 6 / 24 for kind in range(4)}
    for pile in range(2 * s.CAVES):
        assert state.to_plain().dealt == state.to_plain().turning == pile
        assert to_move(state) == "chance"
        sort = set(GEMS) if pile < s.CAVES else {f"gold {value}" for value in range(1, 6)}
        assert set(choices(state)) <= sort
        play(state, choices(state)[-1])
    # The last of each kind was taken while there was one: six turquoises and three garnets, five fives and four fours.
    assert state.to_plain().top == [3] * 6 + [2] * 3 + [4] * 5 + [3] * 4
    assert state.to_plain().unseen == [6, 6, 3, 0, 5, 5, 5, 1, 0]
    assert to_move(state) == "lion"


@pytest.mark.rule("emerald", "setup.cards")
def test_cards_are_drawn_by_how_many_are_left() -> None:
    state = play(interpreted(3, starts="1").new_initial_state(), "ruby", "ruby")
    assert dict(state.chance_outcomes()) == {s.GEM: 4 / 22, s.GEM + 1: 6 / 22, s.GEM + 2: 6 / 22, s.GEM + 3: 6 / 22}


@pytest.mark.rule("emerald", "setup.dragon")
def test_the_dragon_waits_on_cave_4_facing_the_plain_its_rod_beside_caves_1_to_4() -> None:
    state = dealt(5)
    assert dragon(state) == (4, "plain")
    assert rod(state) == 1


@pytest.mark.rule("emerald", "setup.first-player")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_lots_are_drawn_for_the_first_player(players: int) -> None:
    state = interpreted(players).new_initial_state()
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / players)) for seat in range(players)]
    for seat in range(players):
        begun = state.child(seat)
        while begun.is_chance_node():
            begun.apply_action(begun.legal_actions()[0])
        assert begun.current_player() == begun.to_plain().active == seat


@pytest.mark.rule("emerald", "setup.first-player")
@pytest.mark.parametrize(("players", "seat"), [(players, seat) for players in (2, 3, 4, 5) for seat in range(players)])
def test_the_table_may_name_the_first_player(players: int, seat: int) -> None:
    assert dealt(players, starts=str(seat + 1)).current_player() == seat


@pytest.mark.rule("emerald", "setup.first-player")
def test_nobody_starts_who_does_not_sit_at_the_table() -> None:
    with pytest.raises(DracothequeError, match="starts"):
        interpreted(3, starts="4")


# --- The turn ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "turn.order")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_turn_passes_clockwise(players: int) -> None:
    state = dealt(players, starts=str(players))
    order = [CRESTS[players - 1], *CRESTS[:players]]
    for crest in order:
        assert to_move(state) == crest
        state.apply_action(state.legal_actions()[0])
        play(state, "end turn")


@pytest.mark.rule("emerald", "turn.order")
def test_nobody_acts_out_of_turn() -> None:
    state = situation(active="tower")
    assert refused(state, "tower 1", by="lion") == "turn.order"
    assert state.legal_actions(0) == []


@pytest.mark.rule("emerald", "turn.order")
def test_nobody_acts_while_chance_decides() -> None:
    state = play(situation(knights={"lion": ["field 6"]}, piles=NO_CARDS), "field 6")
    assert to_move(state) == "chance"
    for crest in CRESTS[:3]:
        assert refused(state, "end turn", by=crest) == "turn.order"


@pytest.mark.rule("emerald", "turn.one-or-two")
def test_e01_at_least_one_knight_must_move() -> None:
    state = situation()
    assert "end turn" not in choices(state)
    assert refused(state, "end turn") == "turn.one-or-two"


@pytest.mark.rule("emerald", "turn.one-or-two", "option.second-move")
def test_e02_a_second_knight_may_move_or_stay() -> None:
    state = play(situation(), "tower 1")
    assert to_move(state) == "lion"
    others = ["tower 2", "tower 3", "tower 4", "keep"]
    assert choices(state) == [*others, "end turn"]
    assert to_move(play(state.clone(), "end turn")) == "tower"
    assert to_move(play(state.clone(), "tower 2")) == "tower"


@pytest.mark.rule("emerald", "turn.one-or-two")
def test_other_choices_wait_until_they_are_asked_for() -> None:
    state = situation(gold={"lion": [1]})
    for move in ("take the gem", "take the gold", "capture a yellow knight", "lose the knight", "bribe with gold 1"):
        assert refused(state, move) == "turn.one-or-two"


@pytest.mark.rule("emerald", "turn.same-knight")
def test_e03_the_knight_moved_first_does_not_move_again() -> None:
    state = play(situation(), "tower 1")
    assert refused(state, "field 3") == "turn.same-knight"


@pytest.mark.rule("emerald", "turn.same-knight")
def test_e03_a_fellow_on_the_space_reached_may_move() -> None:
    """Knights are told apart: one of the two on field 3 has moved, the other has not."""
    state = play(situation(knights={"lion": ["field 2", "field 3"]}), "field 2")
    play(state, "field 3")
    assert where(state, "lion")[-2:] == ["field 3", "field 5"]


@pytest.mark.rule("emerald", "turn.same-knight")
def test_the_next_turn_frees_every_knight() -> None:
    state = play(situation(2, knights={"lion": ["field 1"]}), "yellow knight, field 1", "end turn")
    play(state, "red knight, tower 1", "end turn")
    assert "yellow knight, field 2" in choices(state)


@pytest.mark.rule("emerald", "option.second-move")
def test_the_table_may_make_the_second_move_compulsory() -> None:
    state = play(situation(second_move="compulsory"), "tower 1")
    assert "end turn" not in choices(state)
    assert refused(state, "end turn") == "option.second-move"
    assert to_move(play(state, "tower 2")) == "tower"


@pytest.mark.rule("emerald", "option.second-move", "bribe.rests")
@pytest.mark.parametrize("second_move", ["optional", "compulsory"])
def test_e33_the_turn_ends_where_nobody_can_follow(second_move: str) -> None:
    """One of the two last knights has moved, the other was ransomed."""
    state = situation(
        knights={"lion": ["field 6", "cave 3", "nest", "nest", "nest"]},
        gold={"lion": [1]},
        piles=NO_CARDS,
        second_move=second_move,
    )
    play(state, "field 6", "die: 1", "bribe with gold 1")
    assert to_move(state) == "tower"


@pytest.mark.rule("emerald", "option.second-move", "two.one-colour")
def test_e33_two_players_even_a_compulsory_second_move_needs_a_knight_of_the_colour() -> None:
    state = situation(2, knights={"lion": ["field 1", "nest", "nest", "nest"]}, second_move="compulsory")
    assert to_move(play(state, "yellow knight, field 1")) == "tower"


# --- Moving -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "move.own-knight")
def test_only_own_knights_in_play_move() -> None:
    state = situation(knights={"lion": ["field 1", "chamber", "nest"], "tower": ["field 2"]})
    assert choices(state) == ["tower 4", "keep", "field 1"]
    assert refused(state, "field 2") == "move.own-knight"
    assert refused(state, "tower 1") == "move.own-knight"
    assert refused(state, "cave 9") == "move.own-knight"


@pytest.mark.rule("emerald", "move.own-knight")
def test_a_knight_leaves_the_space_it_stands_on_and_nobody_else_moves() -> None:
    state = situation(knights={"lion": ["field 1", "field 2"], "tower": ["field 1"]})
    play(state, "field 1")
    assert where(state, "lion") == ["tower 3", "tower 4", "keep", "field 2", "field 3"]
    assert where(state, "tower") == ["tower 2", "tower 3", "tower 4", "keep", "field 1"]
    assert state.to_plain().crowd[s.FIRST_FIELD : s.FIRST_FIELD + 4] == [1, 1, 1, 0]


@pytest.mark.rule("emerald", "move.distance")
@pytest.mark.parametrize("knights", range(1, 6))
def test_a_knight_walks_as_many_spaces_as_knights_stand_where_it_starts(knights: int) -> None:
    """Each player's knights count, and the knight itself: three on one space, three spaces."""
    own, others = (1, knights - 1) if knights < 5 else (2, 3)
    state = situation(knights={"lion": ["field 1"] * own, "tower": ["field 1"] * others})
    play(state, "field 1")
    assert where(state, "lion")[-1] == f"field {1 + knights}"


@pytest.mark.rule("emerald", "move.distance")
def test_e06_a_first_knight_that_joins_lengthens_the_second_ones_walk() -> None:
    state = situation(knights={"lion": ["field 1", "field 2"]})
    play(state, "field 1", "field 2")
    assert where(state, "lion")[-2:] == ["field 2", "field 4"]


@pytest.mark.rule("emerald", "move.distance")
def test_e06_a_first_knight_that_leaves_shortens_the_second_ones_walk() -> None:
    state = situation(knights={"lion": ["field 1", "field 1", "field 1"]})
    play(state, "field 1", "field 1")
    assert where(state, "lion")[-3:] == ["field 1", "field 3", "field 4"]


@pytest.mark.rule("emerald", "move.distance", "dragon.nest")
def test_e06_a_knight_captured_in_between_shortens_the_second_ones_walk() -> None:
    state = situation(knights={"lion": ["field 6", "cave 3"], "tower": ["cave 3", "cave 3"]}, piles=NO_CARDS)
    play(state, "field 6", "die: 1", "capture a red knight", "cave 3")
    assert where(state, "lion")[-2:] == ["cave 1", "cave 5"]


@pytest.mark.rule("emerald", "move.castle")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("start", range(5))
def test_e05_from_any_start_place_the_first_field_is_the_first_step(players: int, start: int) -> None:
    """E-04: each tower counts on its own, and no knight goes from one to another."""
    state = dealt(players, starts="1")
    colours = 4 if players == 2 else players
    if start == s.TOWERS and players in (2, 5):
        assert refused(state, choices(state)[0].replace("tower 1", "keep")) == "move.own-knight"
    else:
        state.apply_action(start)
        assert where(state, "lion").count(f"field {colours}") == 1
        assert where(state, "lion").count(START_PLACES[start]) == 0


@pytest.mark.rule("emerald", "move.castle", "move.distance")
def test_e04_a_tower_that_others_have_left_sends_its_last_knight_one_step() -> None:
    state = situation(knights={"tower": ["tower 1"] + ["field 6"] * 4, "star": ["field 6"] * 5})
    play(state, "tower 2", "tower 1")
    assert where(state, "lion")[-2:] == ["field 1", "field 2"]


@pytest.mark.rule("emerald", "move.forward")
@pytest.mark.parametrize("start", range(s.FIRST_FIELD, s.CHAMBER - 1))
def test_one_step_leads_to_the_next_space_also_from_field_6_to_cave_1(start: int) -> None:
    state = situation(knights={"lion": [PLACES[start]]}, piles=NO_CARDS, rod=1, dragon=1)
    play(state, PLACES[start])
    assert where(state, "lion")[-1] == PLACES[start + 1]


@pytest.mark.rule("emerald", "move.stacking")
def test_a_space_holds_any_number_of_knights() -> None:
    crowd = {crest: ["field 6"] * 4 for crest in CRESTS[1:]} | {"lion": ["field 5"] + ["field 6"] * 3}
    state = play(situation(5, knights=crowd), "field 5")
    assert where(state, "lion") == ["field 6"] * 4 + ["box"]
    assert state.to_plain().crowd[PLACES.index("field 6")] == 20


@pytest.mark.rule("emerald", "move.stacking")
@pytest.mark.parametrize(("start", "target"), [*itertools.combinations(range(s.FIRST_FIELD, s.FIRST_CAVE), 2)])
def test_knights_stay_in_the_order_of_their_places(start: int, target: int) -> None:
    """One knight overtakes fellows behind, on and before its target; the row stays sorted."""
    towers = [PLACES[start]] * (target - start - 1)
    places = [PLACES[start], *(PLACES[place] for place in range(s.FIRST_FIELD, s.FIRST_FIELD + 4))]
    here = places.count(PLACES[start])
    state = situation(knights={"lion": places, "tower": towers[here - 1 :]})
    state.apply_action(start)
    expected = sorted([*map(PLACES.index, places[1:]), start + max(target - start, here)])
    assert state.to_plain().knights[0] == expected


# --- The treasure chamber ---------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "chamber.enter")
@pytest.mark.parametrize(("start", "others"), [("cave 9", 0), ("cave 9", 3), ("cave 8", 1), ("cave 6", 5)])
def test_the_chamber_is_one_step_beyond_cave_9_and_steps_to_spare_are_dropped(start: str, others: int) -> None:
    state = situation(knights={"lion": [start], "tower": [start] * others})
    play(state, start)
    assert where(state, "lion") == ["tower 2", "tower 3", "tower 4", "keep", "chamber"]
    table = state.to_plain()
    assert table.in_play[0] == 4
    assert table.crowd[PLACES.index(start)] == others
    assert sum(table.crowd) == 14


@pytest.mark.rule("emerald", "chamber.enter")
def test_one_step_short_of_the_chamber_is_cave_9() -> None:
    state = play(situation(knights={"lion": ["cave 7", "cave 7"]}, piles=NO_CARDS), "cave 7")
    assert where(state, "lion")[-1] == "cave 9"
    assert state.to_plain().treasures_left == 4


@pytest.mark.rule("emerald", "chamber.enter", "dragon.wakes")
def test_e09_going_into_the_chamber_does_not_wake_the_dragon() -> None:
    state = situation(knights={"lion": ["cave 9"]}, dragon=9, rod=6)
    assert to_move(play(state, "cave 9")) == "tower"
    assert dragon(state) == (9, "plain")


@pytest.mark.rule("emerald", "chamber.treasure")
def test_a_treasure_card_for_the_knight_in_the_chamber_and_the_turn_ends() -> None:
    state = play(situation(active="tower", knights={"tower": ["cave 9"]}), "cave 9")
    assert state.to_plain().treasures == [0, 1, 0, 0, 0]
    assert state.to_plain().treasures_left == 3
    assert state.scores() == [0, 5, 0]
    assert to_move(state) == "star"


@pytest.mark.rule("emerald", "chamber.treasure")
def test_a_treasure_also_ends_the_turn_of_the_second_knight() -> None:
    state = situation(knights={"lion": ["field 1", "cave 9"]}, second_move="compulsory")
    assert to_move(play(state, "field 1", "cave 9")) == "tower"


# --- Cards ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "card.take")
def test_one_of_the_two_face_up_cards_must_be_taken() -> None:
    state = play(situation(knights={"lion": ["cave 5"]}, piles={6: "ruby+1 5+1"}), "cave 5")
    assert choices(state) == ["take the gem", "take the gold"]
    for move in ("end turn", "tower 2", "capture a yellow knight", "bribe with gold 1", "lose the knight"):
        assert refused(state, move) == "card.take"


@pytest.mark.rule("emerald", "card.take", "gold.laid-away")
def test_taking_the_gold() -> None:
    state = play(situation(knights={"lion": ["cave 5"]}, piles={6: "ruby+2 5"}), "cave 5", "take the gold")
    assert hand(state, "lion") == ([5], [])
    assert (state.to_plain().pile[5], state.to_plain().pile[s.CAVES + 5]) == (3, 0)
    assert hand(state, "tower") == hand(state, "star") == ([], [])


@pytest.mark.rule("emerald", "card.take", "gem.laid-open")
def test_taking_the_gem() -> None:
    state = situation(active="star", knights={"star": ["cave 5"]}, piles={6: "garnet 2+1"})
    play(state, "cave 5", "take the gem")
    assert hand(state, "star") == ([], ["garnet"])
    assert (state.to_plain().pile[5], state.to_plain().pile[s.CAVES + 5]) == (0, 2)
    assert state.to_plain().top[s.CAVES + 5] == 1
    assert hand(state, "lion") == hand(state, "tower") == ([], [])


@pytest.mark.rule("emerald", "card.take")
@pytest.mark.parametrize(("pile", "cards"), [("turquoise", ([], ["turquoise"])), ("3", ([3], []))])
def test_a_single_card_is_taken_without_a_question(pile: str, cards: tuple[list[int], list[str]]) -> None:
    state = play(situation(knights={"lion": ["cave 5"]}, piles={6: pile}), "cave 5")
    assert hand(state, "lion") == cards
    assert to_move(state) == "tower"


@pytest.mark.rule("emerald", "card.take")
@pytest.mark.parametrize(("start", "others"), [("cave 5", 0), ("field 6", 5)])
def test_only_the_cave_where_the_knight_stops_gives_a_card(start: str, others: int) -> None:
    state = situation(knights={"lion": [start], "tower": [start] * others}, dragon=1, rod=1)
    before = state.to_plain().pile
    play(state, start, "take the gold")
    assert [pile for pile, left in enumerate(state.to_plain().pile) if left < before[pile]] == [s.CAVES + 5]


@pytest.mark.rule("emerald", "card.reveal")
@pytest.mark.parametrize(("take", "turned", "pile"), [("gem", "emerald", 5), ("gold", "gold 5", s.CAVES + 5)])
def test_the_card_beneath_is_turned_and_chance_says_which(take: str, turned: str, pile: int) -> None:
    state = situation(knights={"lion": ["cave 5"]}, piles={6: "ruby+1 1+1"})
    play(state, "cave 5", f"take the {take}")
    assert to_move(state) == "chance"
    before = state.to_plain()
    assert before.pile[pile] == 1
    sort = slice(0, s.KINDS) if take == "gem" else slice(s.KINDS, None)
    unseen = before.unseen[sort]
    assert [probability * sum(unseen) for _, probability in state.chance_outcomes()] == pytest.approx(
        [count for count in unseen if count]
    )
    play(state, turned)
    after = state.to_plain()
    assert after.top[pile] == (GEMS.index("emerald") if take == "gem" else 4)
    assert sum(after.unseen) == sum(before.unseen) - 1
    assert after.pile == before.pile
    assert to_move(state) == "tower"


@pytest.mark.rule("emerald", "card.reveal")
@pytest.mark.parametrize("card", [*GEMS, *(f"gold {value}" for value in range(1, 6))])
def test_every_card_that_is_turned_lies_there_as_itself(card: str) -> None:
    state = situation(knights={"lion": ["cave 5"]}, piles={6: "ruby+1" if card in GEMS else "3+1"})
    play(state, "cave 5", card)
    pile, top = (5, GEMS.index(card)) if card in GEMS else (s.CAVES + 5, int(card[-1]) - 1)
    assert state.to_plain().top[pile] == top


@pytest.mark.rule("emerald", "card.reveal")
def test_under_the_last_card_nothing_is_turned() -> None:
    state = situation(knights={"lion": ["cave 5"]}, piles={6: "turquoise 1+2"})
    before = state.to_plain().unseen
    play(state, "cave 5", "take the gem")
    assert to_move(state) == "tower"
    assert state.to_plain().unseen == before
    assert state.to_plain().top[5] == 0  # so that equal tables are equal records


@pytest.mark.rule("emerald", "card.reveal")
def test_chance_cannot_turn_a_card_that_is_not_there() -> None:
    state = situation(knights={"lion": ["cave 5"]}, piles={6: "ruby+1"}, gems={"tower": ["ruby"] * 5})
    play(state, "cave 5")
    assert "ruby" not in choices(state)
    before = state.record()
    for outcome in ("ruby", "gold 1", "die: 1", "Yellow starts"):
        with pytest.raises(DracothequeError, match="Chance cannot bring"):
            play(state, outcome)
    assert state.record() == before


@pytest.mark.rule("emerald", "card.turn-ends")
@pytest.mark.parametrize("second_move", ["optional", "compulsory"])
def test_a_card_ends_the_turn_without_a_second_move(second_move: str) -> None:
    state = situation(knights={"lion": ["cave 5"]}, piles={6: "ruby 1"}, second_move=second_move)
    assert to_move(play(state, "cave 5", "take the gold")) == "tower"


@pytest.mark.rule("emerald", "card.turn-ends", "dragon.card-first")
def test_e08_the_end_of_the_turn_does_not_cancel_the_dragon() -> None:
    state = situation(knights={"lion": ["field 6"]}, piles={1: "ruby 1"})
    play(state, "field 6", "take the gem")
    assert choices(state) == list(DICE)
    assert to_move(play(state, "die: 1")) == "tower"
    assert rod(state) == 2


@pytest.mark.rule("emerald", "card.turn-ends")
def test_a_card_taken_last_turn_does_not_shorten_this_one() -> None:
    state = situation(2, active="tower", knights={"tower": ["cave 5"]}, piles={6: "ruby"})
    play(state, "red knight, cave 5", "yellow knight, tower 1")
    assert to_move(state) == "lion"


@pytest.mark.rule("emerald", "card.empty", "turn.one-or-two")
def test_e07_an_empty_cave_gives_nothing_and_the_turn_goes_on() -> None:
    state = play(situation(knights={"lion": ["cave 5"]}, piles={6: ""}), "cave 5")
    assert hand(state, "lion") == ([], [])
    assert to_move(state) == "lion"
    assert "end turn" in choices(state)
    assert to_move(play(state, "tower 2")) == "tower"


@pytest.mark.rule("emerald", "card.empty", "card.turn-ends")
def test_e07_the_second_knight_may_take_the_card() -> None:
    state = situation(knights={"lion": ["cave 5", "cave 7"]}, piles={6: "", 8: "5"})
    play(state, "cave 5", "cave 7")
    assert hand(state, "lion") == ([5], [])


@pytest.mark.rule("emerald", "gold.laid-away")
@pytest.mark.parametrize("viewer", [-1, 0, 1, 2])
def test_e28_everybody_saw_the_gold_being_taken_and_what_is_face_down_is_undecided(viewer: int) -> None:
    """Laid away is not secret: an attentive player remembers it, so an observation keeps it."""
    state = play(situation(knights={"lion": ["cave 5"]}, piles={6: "4"}), "cave 5")
    seen = state.observation(viewer)
    assert seen.gold[0] == [0, 0, 0, 1, 0]
    assert seen.bytes() == state.record()


@pytest.mark.rule("emerald", "option.open-gold")
def test_open_gold_changes_nothing_but_how_it_lies() -> None:
    tables = []
    for lies in ("face-down", "open"):
        game = interpreted(3, gold=lies)
        state = put(game.new_initial_state(), situation(knights={"lion": ["cave 5"]}, piles={6: "4"}).to_plain())
        tables.append(play(state, "cave 5").to_plain())
        tables[-1].open_gold = 0
        assert interpreted(3, gold=lies).new_initial_state().to_plain().open_gold == (lies == "open")
    assert tables[0].bytes() == tables[1].bytes()


@pytest.mark.rule("emerald", "gem.laid-open", "bribe.gold-only")
def test_a_gem_counts_one_point_and_does_not_interest_the_dragon() -> None:
    state = situation(knights={"lion": ["field 6"], "tower": ["cave 3"]}, piles=NO_CARDS, gems={"tower": ["ruby"]})
    assert state.scores() == [0, 1 + 4, 0]
    play(state, "field 6", "die: 1")
    assert where(state, "tower")[-1] == "nest"
    assert hand(state, "tower") == ([], ["ruby"])


@pytest.mark.rule("emerald", "bonus.four-gems")
def test_e22_the_first_to_own_four_kinds_takes_the_bonus_before_the_dragon_moves() -> None:
    state = situation(knights={"lion": ["field 6"]}, piles={1: "ruby+1"}, gems={"lion": GEMS[1:]})
    before = state.scores()[0]
    play(state, "field 6")
    assert to_move(state) == "chance"
    assert state.to_plain().four_gems == 1
    assert state.scores()[0] == before + 1 + 4 + 4  # the gem, the majority of rubies, the bonus


@pytest.mark.rule("emerald", "bonus.four-gems")
@pytest.mark.parametrize("missing", GEMS)
def test_three_kinds_are_not_enough(missing: str) -> None:
    others = [gem for gem in GEMS if gem != missing]
    state = situation(knights={"lion": ["cave 5"]}, piles={6: others[0]}, gems={"lion": others * 2})
    assert play(state, "cave 5").to_plain().four_gems == 0


@pytest.mark.rule("emerald", "bonus.four-gems")
@pytest.mark.parametrize("missing", GEMS)
def test_any_kind_may_be_the_fourth(missing: str) -> None:
    others = [gem for gem in GEMS if gem != missing]
    state = situation(active="star", knights={"star": ["cave 5"]}, piles={6: missing}, gems={"star": others})
    assert play(state, "cave 5").to_plain().four_gems == 3


@pytest.mark.rule("emerald", "bonus.four-gems")
def test_the_bonus_is_given_once_and_stays() -> None:
    state = situation(
        knights={"lion": ["cave 5"]}, piles={6: "ruby"}, gems={"lion": GEMS[1:], "tower": GEMS}, four_gems="tower"
    )
    play(state, "cave 5")
    assert state.to_plain().four_gems == 2


@pytest.mark.rule("emerald", "bonus.four-gems", "gold.laid-away")
def test_gold_never_makes_the_fourth_kind() -> None:
    state = situation(knights={"lion": ["cave 5"]}, piles={6: "1"}, gems={"lion": GEMS[1:]})
    assert play(state, "cave 5").to_plain().four_gems == 0


# --- The dragon -------------------------------------------------------------------------------------------------
def step_onto(cave: int, *, dragon: int, rod: int) -> State:
    """Let a Lion knight walk one step onto a cave without cards."""
    start = PLACES[s.FIRST_CAVE + cave - 2]
    state = situation(knights={"lion": [start]}, piles=NO_CARDS, dragon=dragon, rod=rod)
    return play(state, start)


@pytest.mark.rule("emerald", "dragon.wakes")
@pytest.mark.parametrize("rod", range(1, 7))
@pytest.mark.parametrize("cave", range(1, 10))
def test_e09_the_dragon_wakes_beside_its_rod(rod: int, cave: int) -> None:
    awake = to_move(step_onto(cave, dragon=rod + 1, rod=rod)) == "chance"
    assert awake == (cave in (rod, rod + 1, rod + 2, rod + 3))


@pytest.mark.rule("emerald", "dragon.wakes", "dragon.off-rod")
def test_e09_e12_a_dragon_off_its_rod_wakes_on_its_own_cave_and_leaves_that_knight_in_peace() -> None:
    for die in DICE:
        state = step_onto(2, dragon=2, rod=3)
        assert to_move(state) == "chance"
        play(state, die)
        assert where(state, "lion")[-1] == "cave 2"
    assert to_move(step_onto(1, dragon=2, rod=3)) == "lion"


@pytest.mark.rule("emerald", "dragon.wakes")
def test_e09_passing_by_does_not_wake_it() -> None:
    state = situation(knights={"lion": ["field 6"], "tower": ["field 6"] * 4}, piles=NO_CARDS)
    assert to_move(play(state, "field 6")) == "lion"
    assert where(state, "lion")[-1] == "cave 5"


@pytest.mark.rule("emerald", "dragon.wakes", "rod.advances")
def test_e09_e17_the_dragon_may_wake_twice_in_a_turn_and_the_rod_moves_on_each_time() -> None:
    state = situation(knights={"lion": ["field 6", "cave 4"]}, piles=NO_CARDS)
    play(state, "field 6", "die: 1", "cave 4", "die: 1")
    assert rod(state) == 3
    assert to_move(state) == "tower"


@pytest.mark.rule("emerald", "dragon.card-first")
def test_e08_card_then_next_card_then_dragon_then_victim_then_ransom_then_rod() -> None:
    state = situation(
        knights={"lion": ["field 6"], "tower": ["cave 3"], "star": ["cave 3"]},
        piles={1: "ruby+1 1"},
        gold={"tower": [2]},
        gems={"lion": GEMS[1:]},
    )
    asked = [to_move(play(state, "field 6"))]
    for move in ("take the gem", "emerald", "die: 1", "capture a red knight"):
        assert rod(state) == 1
        asked.append(to_move(play(state, move)))
    assert asked == ["lion", "chance", "chance", "lion", "tower"]
    assert rod(state) == 1
    play(state, "bribe with gold 2")
    assert rod(state) == 2
    assert to_move(state) == "tower"
    assert choices(state)[0].startswith(("field", "cave", "tower", "keep"))


@pytest.mark.rule("emerald", "dragon.card-first")
def test_gold_just_taken_ransoms_the_very_knight_that_took_it() -> None:
    """The card comes first: the knight that woke the dragon pays with what it found."""
    state = situation(knights={"lion": ["cave 2"]}, piles={3: "4"})
    play(state, "cave 2", "die: 1")
    assert choices(state) == ["lose the knight", "bribe with gold 4"]


@pytest.mark.rule("emerald", "dragon.flight")
def test_the_die_shows_1_2_or_3_each_as_often() -> None:
    state = step_onto(1, dragon=4, rod=1)
    assert [state.action_to_string(outcome) for outcome, _ in state.chance_outcomes()] == list(DICE)
    assert [probability for _, probability in state.chance_outcomes()] == pytest.approx([1 / 3] * 3)


def flown(cave: int, facing: str, rod_at: int, die: int) -> tuple[int, str, int]:
    """Wake the dragon by a knight beside its rod, let it fly; say where it, its face and its rod are then."""
    start = PLACES[s.FIRST_CAVE + rod_at - 2]
    state = situation(knights={"lion": [start]}, piles=NO_CARDS, dragon=cave, facing=facing, rod=rod_at)
    play(state, start, DICE[die - 1])
    return (*dragon(state), rod(state))


@pytest.mark.rule("emerald", "dragon.flight")
@pytest.mark.parametrize("die", [1, 2])
def test_it_flies_as_far_as_the_die_says_the_way_it_faces(die: int) -> None:
    assert flown(4, "plain", 1, die)[0] == 4 - die
    assert flown(6, "lair", 6, die)[0] == 6 + die


@pytest.mark.rule("emerald", "dragon.turns")
def test_it_turns_at_the_end_of_its_rod_for_nothing_and_flies_on() -> None:
    """The rulebook's example: from cave 2 facing the plain, a 3 leads over cave 1 and back to cave 3."""
    assert flown(2, "plain", 1, 3)[:2] == (3, "lair")
    assert flown(3, "lair", 1, 3)[:2] == (2, "plain")


@pytest.mark.rule("emerald", "dragon.turns")
def test_e10_it_turns_where_its_flight_ends() -> None:
    assert flown(3, "lair", 1, 1) == (4, "plain", 2)
    assert flown(4, "plain", 1, 3) == (1, "lair", 2)
    assert flown(7, "lair", 6, 2) == (9, "plain", 6)


@pytest.mark.rule("emerald", "dragon.turns", "dragon.off-rod")
def test_e32_the_rod_sliding_on_does_not_turn_a_resting_dragon() -> None:
    assert flown(4, "plain", 1, 2) == (2, "plain", 2)


@pytest.mark.rule("emerald", "dragon.off-rod")
def test_e11_on_the_rearmost_cave_facing_the_plain_it_turns_before_it_flies() -> None:
    assert flown(2, "plain", 2, 1)[:2] == (3, "lair")
    assert flown(2, "plain", 2, 3)[:2] == (5, "plain")


@pytest.mark.rule("emerald", "dragon.off-rod")
@pytest.mark.parametrize(("die", "cave", "facing"), [(1, 2, "lair"), (2, 3, "lair"), (3, 4, "lair")])
def test_e11_e32_left_behind_it_flies_back_the_first_cave_costing_one(die: int, cave: int, facing: str) -> None:
    assert flown(1, "lair", 2, die)[:2] == (cave, facing)


def route(cave: int, facing: str, rod_at: int) -> Iterator[tuple[int, str]]:
    """Walk the dragon as the seeds say, in a way of its own: where it goes next and where it looks then."""
    ahead = {"lair": 1, "plain": -1}
    while True:
        if not rod_at <= cave + ahead[facing] <= rod_at + 3 and cave >= rod_at:
            facing = "plain" if facing == "lair" else "lair"
        if cave < rod_at:
            facing = "lair"
        cave += ahead[facing]
        at_end = (cave == rod_at and facing == "plain") or (cave == rod_at + 3 and facing == "lair")
        yield cave, {"lair": "plain", "plain": "lair"}[facing] if at_end else facing


def reachable() -> set[tuple[int, str, int]]:
    """Find every position of the dragon, its face and its rod that flights lead to."""
    found = {(4, "plain", 1)}
    waiting = list(found)
    while waiting:
        position = waiting.pop()
        new = {flown(*position, die) for die in (1, 2, 3)} - found
        found |= new
        waiting += new
    return found


@pytest.mark.rule("emerald", "dragon.flight", "dragon.turns", "dragon.off-rod", "rod.advances", "rod.stops")
def test_e11_all_28_positions_the_dragon_never_more_than_one_cave_off_its_rod() -> None:
    found = reachable()
    assert len(found) == 28
    for cave, _, rod_at in found:
        assert 1 <= cave <= 9
        assert rod_at - 1 <= cave <= rod_at + 3


@pytest.mark.rule("emerald", "dragon.flight", "dragon.turns", "dragon.off-rod", "rod.advances", "rod.stops")
def test_every_flight_follows_the_seeds() -> None:
    for cave, facing, rod_at in reachable():
        walk = route(cave, facing, rod_at)
        for die in (1, 2, 3):
            assert flown(cave, facing, rod_at, die) == (*next(walk), min(rod_at + 1, 6))


BOUNCES = [(3, "plain", 2), (5, "plain", 4), (6, "plain", 5), (7, "plain", 6), (8, "lair", 6)]


@pytest.mark.rule("emerald", "dragon.flight", "dragon.turns")
def test_e13_in_five_cases_it_comes_back_to_where_it_started() -> None:
    back = [(position, die) for position in reachable() for die in (1, 2, 3) if flown(*position, die)[0] == position[0]]
    assert sorted(back) == [(position, 2) for position in BOUNCES]


@pytest.mark.rule("emerald", "dragon.captures")
@pytest.mark.parametrize(("cave", "facing", "rod_at"), BOUNCES)
def test_e13_a_dragon_that_comes_back_captures_where_it_started(cave: int, facing: str, rod_at: int) -> None:
    start = PLACES[s.FIRST_CAVE + rod_at - 2]
    knights = {"lion": [start], "tower": [f"cave {cave}"]}
    state = situation(knights=knights, piles=NO_CARDS, dragon=cave, facing=facing, rod=rod_at)
    play(state, start, "die: 2")
    assert where(state, "tower")[-1] == "nest"


@pytest.mark.rule("emerald", "dragon.captures")
def test_a_knight_that_steps_onto_the_dragons_cave_is_captured_when_it_comes_back() -> None:
    """E-13 with the knight that woke it."""
    state = situation(knights={"lion": ["cave 2"]}, piles=NO_CARDS, dragon=3, facing="plain", rod=2)
    play(state, "cave 2", "die: 2")
    assert where(state, "lion")[-1] == "nest"


@pytest.mark.rule("emerald", "dragon.captures")
def test_it_captures_only_where_its_flight_ends() -> None:
    knights = {"lion": ["field 6"], "tower": ["cave 4", "cave 3", "cave 2"]}
    state = play(situation(knights=knights, piles=NO_CARDS), "field 6", "die: 2")
    assert where(state, "tower") == ["tower 4", "keep", "cave 3", "cave 4", "nest"]


@pytest.mark.rule("emerald", "dragon.captures", "rod.advances")
def test_where_no_knight_stands_nothing_happens_and_the_rod_moves_on_all_the_same() -> None:
    state = situation(knights={"lion": ["field 6"]}, piles=NO_CARDS)
    play(state, "field 6", "die: 1")
    assert sum(state.to_plain().in_play) == 15
    assert rod(state) == 2
    assert to_move(state) == "lion"


@pytest.mark.rule("emerald", "dragon.captures")
def test_a_lone_knight_is_captured_even_ones_own() -> None:
    state = situation(knights={"lion": ["field 6", "cave 3"]}, piles=NO_CARDS)
    play(state, "field 6", "die: 1")
    assert where(state, "lion") == ["tower 3", "tower 4", "keep", "cave 1", "nest"]


@pytest.mark.rule("emerald", "dragon.captures", "turn.same-knight")
def test_after_the_moved_knight_is_lost_all_others_may_follow() -> None:
    """The dragon takes the knight just moved: no knight is left that has moved."""
    state = situation(knights={"lion": ["cave 2", "field 1"]}, piles=NO_CARDS, dragon=4)
    play(state, "cave 2", "die: 1")
    assert where(state, "lion")[-1] == "nest"
    assert choices(state)[-2:] == ["field 1", "end turn"]
    assert state.to_plain().moved == s.NOWHERE


@pytest.mark.rule("emerald", "dragon.victim")
def test_e14_whoever_moved_the_dragon_chooses_any_knight_there_own_included() -> None:
    knights = {"lion": ["field 6", "cave 3"], "tower": ["cave 3"], "star": ["cave 3", "cave 3"]}
    state = play(situation(knights=knights, piles=NO_CARDS), "field 6", "die: 1")
    assert to_move(state) == "lion"
    assert choices(state) == ["capture a yellow knight", "capture a red knight", "capture a purple knight"]
    for crest in ("lion", "tower", "star"):
        taken = play(state.clone(), f"capture a {COLOUR_OF[crest]} knight")
        assert [where(taken, other).count("nest") for other in CRESTS[:3]] == [crest == c for c in CRESTS[:3]]


@pytest.mark.rule("emerald", "dragon.victim")
def test_only_a_knight_on_the_dragons_cave_may_be_chosen() -> None:
    knights = {"lion": ["field 6"], "tower": ["cave 3"], "star": ["cave 3"], "oak": ["cave 2"]}
    state = play(situation(4, knights=knights, piles=NO_CARDS), "field 6", "die: 1")
    for move in ("capture a yellow knight", "capture a green knight", "capture a blue knight", "end turn"):
        assert refused(state, move) == "dragon.victim"
    for move in ("capture the knight just moved", "lose the knight", "tower 2", "take the gem"):
        assert refused(state, move) == "dragon.victim"
    assert refused(state, "capture a red knight", by="tower") == "turn.order"


@pytest.mark.rule("emerald", "dragon.victim")
def test_e14_knights_of_one_other_colour_leave_no_choice() -> None:
    knights = {"lion": ["field 6"], "tower": ["cave 3", "cave 3"]}
    state = play(situation(knights=knights, piles=NO_CARDS), "field 6", "die: 1")
    assert where(state, "tower")[-2:] == ["cave 3", "nest"]
    assert to_move(state) == "lion"
    assert "end turn" in choices(state)


@pytest.mark.rule("emerald", "dragon.victim", "two.colours")
def test_e27_two_players_the_mover_chooses_among_the_opponents_two_colours() -> None:
    knights = {"lion": ["field 6"], "tower": ["cave 3"], "oak": ["cave 3"]}
    state = play(situation(2, knights=knights, piles=NO_CARDS), "yellow knight, field 6", "die: 1")
    assert choices(state) == ["capture a red knight", "capture a green knight"]
    play(state, "capture a green knight")
    assert where(state, "oak")[:4] == ["tower 2", "tower 3", "tower 4", "nest"]


def two_fellows(*, start: str = "cave 2", piles: str = "", **knights: list[str]) -> State:
    """Let a Lion knight join a fellow on cave 3, where the dragon lands; others stand there if named."""
    lions = [start, "cave 3"]
    state = situation(knights={"lion": lions, **knights}, piles=NO_CARDS | {3: piles}, dragon=4, rod=1)
    return play(state, start, "die: 1")


@pytest.mark.rule("emerald", "dragon.victim")
def test_e30_the_knight_just_moved_and_its_fellow_are_different_victims() -> None:
    state = two_fellows()
    assert choices(state) == ["capture a yellow knight", "capture the knight just moved"]


@pytest.mark.rule("emerald", "dragon.victim", "turn.same-knight")
def test_e30_when_the_fellow_goes_the_moved_knight_may_not_move_again() -> None:
    state = play(two_fellows(), "capture a yellow knight")
    assert where(state, "lion")[-2:] == ["cave 3", "nest"]
    assert refused(state, "cave 3") == "turn.same-knight"


@pytest.mark.rule("emerald", "dragon.victim", "turn.same-knight")
def test_e30_when_the_moved_knight_goes_its_fellow_may_still_move() -> None:
    state = play(two_fellows(), "capture the knight just moved")
    assert where(state, "lion")[-2:] == ["cave 3", "nest"]
    assert "cave 3" in choices(state)


@pytest.mark.rule("emerald", "dragon.victim")
def test_e30_strangers_on_the_cave_are_offered_beside_both() -> None:
    state = two_fellows(tower=["cave 3"])
    assert choices(state) == ["capture a yellow knight", "capture a red knight", "capture the knight just moved"]
    play(state, "capture a red knight")
    assert where(state, "lion")[-2:] == ["cave 3", "cave 3"]
    assert "cave 3" in choices(state)


@pytest.mark.rule("emerald", "dragon.victim", "card.turn-ends")
def test_e30_is_not_asked_where_a_card_has_ended_the_turn() -> None:
    state = two_fellows(piles="ruby")
    assert where(state, "lion")[-2:] == ["cave 3", "nest"]
    assert to_move(state) == "tower"


@pytest.mark.rule("emerald", "dragon.victim")
def test_e30_is_not_asked_after_the_second_move() -> None:
    state = situation(knights={"lion": ["field 1", "cave 2", "cave 3"]}, piles=NO_CARDS, dragon=4)
    play(state, "field 1", "cave 2", "die: 1")
    assert where(state, "lion")[-2:] == ["cave 3", "nest"]
    assert to_move(state) == "tower"


@pytest.mark.rule("emerald", "dragon.victim")
def test_e30_is_not_asked_where_the_moved_knight_stands_elsewhere() -> None:
    state = situation(knights={"lion": ["field 6", "cave 3", "cave 3"]}, piles=NO_CARDS)
    play(state, "field 6", "die: 1")
    assert where(state, "lion")[-3:] == ["cave 1", "cave 3", "nest"]
    assert choices(state)[-2:] == ["cave 3", "end turn"]


@pytest.mark.rule("emerald", "dragon.victim")
def test_e30_is_not_offered_where_the_moved_knight_has_no_fellow_there() -> None:
    state = situation(knights={"lion": ["cave 2"], "tower": ["cave 3"]}, piles=NO_CARDS)
    play(state, "cave 2", "die: 1")
    assert choices(state) == ["capture a yellow knight", "capture a red knight"]
    assert refused(state, "capture the knight just moved") == "dragon.victim"
    play(state, "capture a yellow knight")
    assert state.to_plain().moved == s.NOWHERE


@pytest.mark.rule("emerald", "dragon.victim", "two.one-colour")
def test_e30_two_players_the_other_own_colour_is_one_choice() -> None:
    knights = {"lion": ["cave 2", "cave 3"], "star": ["cave 3", "cave 3"]}
    state = play(situation(2, knights=knights, piles=NO_CARDS), "yellow knight, cave 2", "die: 1")
    assert choices(state) == ["capture a yellow knight", "capture a purple knight", "capture the knight just moved"]


@pytest.mark.rule("emerald", "dragon.nest")
def test_a_captured_knight_goes_to_the_nest_and_earns_no_treasure() -> None:
    state = situation(knights={"lion": ["field 6"], "tower": ["cave 3"]}, piles=NO_CARDS)
    play(state, "field 6", "die: 1")
    table = state.to_plain()
    assert where(state, "tower")[-1] == "nest"
    assert table.in_play == [5, 4, 5, 0, 0]
    assert table.crowd[PLACES.index("cave 3")] == 0
    assert (table.treasures_left, sum(table.treasures)) == (4, 0)


# --- The ransom -------------------------------------------------------------------------------------------------
def held(gold: list[int], **more: object) -> State:
    """Let the Lion's move end with the dragon holding a Tower knight on cave 3, whose owner has this gold."""
    knights = {"lion": ["field 6"], "tower": ["cave 3"]}
    state = situation(knights=knights, piles=NO_CARDS, gold={"tower": gold, "lion": [1, 1]}, **more)  # type: ignore[arg-type]
    return play(state, "field 6", "die: 1")


@pytest.mark.rule("emerald", "bribe.owner-decides")
def test_e15_the_owner_decides_out_of_turn() -> None:
    state = held([2, 5])
    assert to_move(state) == "tower"
    assert choices(state) == ["lose the knight", "bribe with gold 2", "bribe with gold 5"]
    assert refused(state, "lose the knight", by="lion") == "turn.order"
    for move in ("end turn", "tower 2", "take the gold", "capture a yellow knight"):
        assert refused(state, move) == "bribe.owner-decides"


@pytest.mark.rule("emerald", "bribe.owner-decides", "dragon.nest")
def test_e15_the_owner_may_give_the_knight_up_and_keep_the_gold() -> None:
    state = play(held([2, 5]), "lose the knight")
    assert where(state, "tower")[-1] == "nest"
    assert hand(state, "tower")[0] == [2, 5]
    assert to_move(state) == "lion"
    assert rod(state) == 2


@pytest.mark.rule("emerald", "bribe.owner-decides")
def test_e15_without_gold_there_is_nothing_to_decide() -> None:
    """The mover's gold does not help the owner."""
    state = held([])
    assert where(state, "tower")[-1] == "nest"
    assert to_move(state) == "lion"


@pytest.mark.rule("emerald", "bribe.gold-only")
@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_e15_any_single_gold_card_of_the_owners_choice_will_do(value: int) -> None:
    state = held([1, 2, 3, 4, 5])
    unseen, piles = state.to_plain().unseen, state.to_plain().pile
    play(state, f"bribe with gold {value}")
    assert hand(state, "tower")[0] == [other for other in range(1, 6) if other != value]
    assert hand(state, "lion")[0] == [1, 1]
    assert where(state, "tower")[-1] == "cave 3"
    assert state.to_plain().in_play[1] == 5
    assert (state.to_plain().unseen, state.to_plain().pile) == (unseen, piles)


@pytest.mark.rule("emerald", "bribe.gold-only")
@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_one_single_card_of_any_value_raises_the_question(value: int) -> None:
    state = held([value])
    assert choices(state) == ["lose the knight", f"bribe with gold {value}"]
    for other in {1, 2, 3, 4, 5} - {value}:
        assert refused(state, f"bribe with gold {other}") == "bribe.gold-only"


@pytest.mark.rule("emerald", "bribe.gold-only")
def test_gems_treasures_and_bonus_cards_do_not_tempt_the_dragon() -> None:
    state = held([], gems={"tower": GEMS}, treasures={"tower": 2}, four_gems="tower")
    assert where(state, "tower")[-1] == "nest"
    assert hand(state, "tower") == ([], list(GEMS))
    assert (state.to_plain().treasures[1], state.to_plain().four_gems) == (2, 2)


@pytest.mark.rule("emerald", "bribe.gold-only")
@pytest.mark.parametrize("viewer", [-1, 0, 1, 2])
def test_e31_everyone_sees_which_card_was_paid(viewer: int) -> None:
    state = play(held([2, 5]), "bribe with gold 5")
    assert state.observation(viewer).gold[1] == [0, 1, 0, 0, 0]


@pytest.mark.rule("emerald", "bribe.owner-decides", "two.colours")
@pytest.mark.parametrize(("crest", "owner"), [("tower", "tower"), ("oak", "tower"), ("star", "lion")])
def test_e26_two_players_gold_belongs_to_the_player_not_to_a_colour(crest: str, owner: str) -> None:
    knights = {"lion": ["field 6"], crest: ["cave 3"]}
    state = situation(2, knights=knights, piles=NO_CARDS, gold={"lion": [3], "tower": [4]})
    play(state, "yellow knight, field 6", "die: 1")
    assert to_move(state) == owner
    play(state, choices(state)[-1])
    assert hand(state, owner)[0] == []


@pytest.mark.rule("emerald", "bribe.rests")
def test_e16_an_own_ransomed_knight_rests_this_turn() -> None:
    state = situation(knights={"lion": ["field 6", "cave 3"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "field 6", "die: 1", "bribe with gold 1")
    assert "cave 3" not in choices(state)
    assert refused(state, "cave 3") == "bribe.rests"
    assert refused(state, "cave 1") == "turn.same-knight"
    assert "tower 3" in choices(state)


@pytest.mark.rule("emerald", "bribe.rests")
def test_e16_the_ransomed_knight_moves_in_its_owners_next_turn() -> None:
    state = situation(2, knights={"lion": ["field 6", "cave 3"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "yellow knight, field 6", "die: 1", "bribe with gold 1", "end turn")
    play(state, "red knight, tower 1", "end turn")
    assert "yellow knight, cave 3" in choices(state)


@pytest.mark.rule("emerald", "bribe.rests")
def test_e16_a_knight_ransomed_out_of_turn_moves_when_its_owners_turn_comes() -> None:
    state = play(held([1]), "bribe with gold 1", "end turn")
    assert to_move(state) == "tower"
    assert "cave 3" in choices(state)


@pytest.mark.rule("emerald", "bribe.rests")
def test_e16_a_fellow_beside_the_ransomed_knight_may_move() -> None:
    state = situation(knights={"lion": ["field 6", "cave 3", "cave 3"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "field 6", "die: 1", "bribe with gold 1", "cave 3")
    assert where(state, "lion")[-3:] == ["cave 1", "cave 3", "cave 5"]


@pytest.mark.rule("emerald", "bribe.rests", "turn.same-knight")
def test_e16_e30_the_moved_knight_and_its_ransomed_fellow_both_rest() -> None:
    state = situation(knights={"lion": ["cave 2", "cave 3"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "cave 2", "die: 1", "capture a yellow knight", "bribe with gold 1")
    assert refused(state, "cave 3") in ("turn.same-knight", "bribe.rests")
    assert choices(state) == [
        "tower 3",
        "tower 4",
        "keep",
        "end turn",
    ]


@pytest.mark.rule("emerald", "bribe.rests", "turn.same-knight")
def test_e16_e30_a_third_fellow_beside_them_may_move() -> None:
    state = situation(knights={"lion": ["cave 2", "cave 3", "cave 3"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "cave 2", "die: 1", "capture a yellow knight", "bribe with gold 1", "cave 3")
    assert where(state, "lion")[-3:] == ["cave 3", "cave 3", "cave 6"]


@pytest.mark.rule("emerald", "bribe.rests", "turn.same-knight")
def test_e30_the_moved_knight_ransomed_leaves_its_fellow_free() -> None:
    state = situation(knights={"lion": ["cave 2", "cave 3"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "cave 2", "die: 1", "capture the knight just moved", "bribe with gold 1")
    play(state, "cave 3")
    assert where(state, "lion")[-2:] == ["cave 3", "cave 5"]


@pytest.mark.rule("emerald", "bribe.rests")
def test_the_moved_knight_alone_and_ransomed_rests_as_moved() -> None:
    state = situation(knights={"lion": ["cave 2"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "cave 2", "die: 1", "bribe with gold 1")
    assert refused(state, "cave 3") == "turn.same-knight"
    assert state.to_plain().ransomed == s.NOWHERE


@pytest.mark.rule("emerald", "bribe.rests", "two.one-colour")
def test_two_players_a_ransomed_knight_of_the_other_own_colour_keeps_nobody_from_following() -> None:
    knights = {"lion": ["field 6", "cave 3", "nest", "nest"], "star": ["cave 3"]}
    state = situation(2, knights=knights, piles=NO_CARDS, gold={"lion": [1]})
    play(state, "yellow knight, field 6", "die: 1", "capture a purple knight", "bribe with gold 1")
    assert choices(state) == ["yellow knight, cave 3", "end turn"]
    assert refused(state, "purple knight, cave 3") == "two.one-colour"


@pytest.mark.rule("emerald", "bribe.rests", "turn.order")
def test_a_strangers_ransom_does_not_rest_the_movers_knights() -> None:
    state = situation(knights={"lion": ["field 6", "cave 3"], "tower": ["cave 3"]}, piles=NO_CARDS, gold={"tower": [1]})
    play(state, "field 6", "die: 1", "capture a red knight", "bribe with gold 1")
    assert to_move(state) == "lion"
    assert "cave 3" in choices(state)


# --- The rod ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "rod.advances", "rod.stops")
@pytest.mark.parametrize("at", range(1, 7))
def test_e17_after_every_flight_the_rod_moves_on_until_caves_6_to_9(at: int) -> None:
    assert flown(at + 1, "lair", at, 1)[2] == min(at + 1, 6)


@pytest.mark.rule("emerald", "rod.advances")
def test_without_a_flight_the_rod_stays() -> None:
    state = play(situation(knights={"lion": ["cave 5"]}, piles={6: ""}), "cave 5", "end turn")
    assert rod(state) == 1


@pytest.mark.rule("emerald", "rod.advances")
@pytest.mark.parametrize("answer", ["bribe with gold 1", "lose the knight"])
def test_e17_the_rod_moves_on_after_capture_and_ransom_alike(answer: str) -> None:
    state = held([1])
    assert rod(state) == 1
    assert rod(play(state, answer)) == 2


# --- End --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "end.treasures", "end.at-once")
def test_the_last_treasure_ends_the_game_at_once() -> None:
    state = situation(knights={"lion": ["cave 9", "chamber"], "tower": ["chamber"], "star": ["chamber"]})
    play(state, "cave 9")
    assert state.is_terminal()
    assert state.ending() == "end.treasures"
    assert state.to_plain().treasures == [2, 1, 1, 0, 0]


@pytest.mark.rule("emerald", "end.treasures")
@pytest.mark.parametrize("home", [0, 1, 2])
def test_the_game_goes_on_while_a_treasure_is_left(home: int) -> None:
    state = situation(knights={"lion": ["cave 9"], "tower": ["chamber"] * home})
    assert not play(state, "cave 9").is_terminal()


@pytest.mark.rule("emerald", "end.last-knight", "end.at-once")
def test_e21_the_loss_of_the_last_but_one_knight_ends_the_game_and_the_rod_stays() -> None:
    knights = {"lion": ["field 6"], "tower": ["field 1", "cave 3", "nest", "nest", "nest"]}
    state = play(situation(knights=knights, piles=NO_CARDS), "field 6", "die: 1")
    assert state.is_terminal()
    assert state.ending() == "end.last-knight"
    assert rod(state) == 1
    assert where(state, "tower")[1:] == ["nest"] * 4


@pytest.mark.rule("emerald", "end.last-knight", "end.at-once", "bribe.owner-decides")
def test_the_owner_may_end_the_game_by_giving_the_knight_up_or_go_on_by_paying() -> None:
    knights = {"lion": ["field 6"], "tower": ["field 1", "cave 3", "nest", "nest", "nest"]}
    state = situation(knights=knights, piles=NO_CARDS, gold={"tower": [4]})
    play(state, "field 6", "die: 1")
    assert play(state.clone(), "lose the knight").is_terminal()
    assert to_move(play(state, "bribe with gold 4")) == "lion"


@pytest.mark.rule("emerald", "end.last-knight")
def test_e18_knights_in_the_chamber_are_out_of_play() -> None:
    knights = {"lion": ["field 1", "cave 9", "chamber", "nest", "nest"]}
    state = play(situation(knights=knights), "cave 9")
    assert state.is_terminal()
    assert state.ending() == "end.last-knight"
    assert state.to_plain().treasures_left == 2


@pytest.mark.rule("emerald", "end.last-knight")
def test_with_two_knights_left_the_game_goes_on() -> None:
    knights = {"lion": ["field 1", "field 2", "cave 9", "nest", "nest"]}
    assert to_move(play(situation(knights=knights), "cave 9")) == "tower"


@pytest.mark.rule("emerald", "end.treasures", "end.last-knight")
def test_e21_both_endings_together_are_one_end() -> None:
    knights = {"lion": ["field 1", "cave 9", "chamber", "chamber", "chamber"]}
    state = play(situation(knights=knights), "cave 9")
    assert state.is_terminal()
    assert state.to_plain().treasures == [4, 0, 0, 0, 0]


@pytest.mark.rule("emerald", "end.last-knight", "two.colours")
@pytest.mark.parametrize(("active", "first", "second"), [("lion", "lion", "star"), ("tower", "tower", "oak")])
def test_e19_two_players_count_both_colours_together(active: str, first: str, second: str) -> None:
    """One knight of a colour, or none at all, does not end the game while the player has two."""
    left = {first: ["cave 9", "nest", "nest", "nest"], second: ["field 1", "field 2", "nest", "nest"]}
    state = play(situation(2, active=active, knights=left), f"{COLOUR_OF[first]} knight, cave 9")
    assert not state.is_terminal()
    left[second][1] = "nest"
    state = play(situation(2, active=active, knights=left), f"{COLOUR_OF[first]} knight, cave 9")
    assert state.ending() == "end.last-knight"


@pytest.mark.rule("emerald", "end.last-knight", "two.colours")
@pytest.mark.parametrize("crest", ["tower", "oak"])
def test_e19_two_players_a_capture_counts_for_the_owner_of_the_colour(crest: str) -> None:
    other = "oak" if crest == "tower" else "tower"
    knights = {"lion": ["field 6"], crest: ["cave 3", "nest", "nest", "nest"], other: ["field 1", *["nest"] * 3]}
    state = situation(2, knights=knights, piles=NO_CARDS)
    play(state, "yellow knight, field 6", "die: 1")
    assert state.ending() == "end.last-knight"


@pytest.mark.rule("emerald", "end.at-once")
def test_after_the_end_nobody_moves() -> None:
    state = situation(knights={"lion": ["cave 9", "chamber"], "tower": ["chamber"], "star": ["chamber"]})
    play(state, "cave 9")
    for crest in CRESTS[:3]:
        assert refused(state, "tower 3", by=crest) == "end.at-once"
        assert state.legal_actions(CRESTS.index(crest)) == []


@pytest.mark.rule("emerald", "end.at-once")
def test_e21_no_second_move_after_the_end() -> None:
    knights = {"lion": ["field 6", "cave 1"], "tower": ["field 1", "cave 3", "nest", "nest", "nest"]}
    state = situation(knights=knights, piles=NO_CARDS, second_move="compulsory")
    play(state, "field 6", "die: 1")
    assert state.is_terminal()
    assert where(state, "lion")[-2:] == ["cave 1", "cave 1"]


@pytest.mark.rule("emerald", "turn.one-or-two", "chamber.enter")
@pytest.mark.parametrize("place", range(s.CHAMBER))
def test_e20_a_knight_can_move_from_everywhere(place: int) -> None:
    state = situation(knights={"lion": [PLACES[place]] * 5, "tower": [PLACES[place]] * 5, "star": ["nest"] * 3})
    assert state.legal_actions() == [place]
    state.apply_action(place)


# --- Score ------------------------------------------------------------------------------------------------------
def ended(players: int = 3, **hands: object) -> State:
    """Lay out a game that has just ended."""
    state = situation(players, piles=NO_CARDS, **hands)  # type: ignore[arg-type]
    table = state.to_plain()
    table.phase, table.to_move = s.OVER, -4
    return put(state, table)


@pytest.mark.rule("emerald", "score.majorities")
@pytest.mark.parametrize("kind", GEMS)
@pytest.mark.parametrize("crest", ["lion", "tower", "star"])
def test_most_of_a_kind_earns_its_bonus_card(kind: str, crest: str) -> None:
    gems = {other: [kind] for other in ("lion", "tower", "star")} | {crest: [kind] * 2}
    assert situation(gems=gems).scores() == [6 if other == crest else 1 for other in ("lion", "tower", "star")]


@pytest.mark.rule("emerald", "score.majorities")
@pytest.mark.parametrize(
    ("held", "scores"),
    [
        ((0, 0, 0), [0, 0, 0]),  # E-23: nobody owns one
        ((2, 2, 0), [2, 2, 0]),
        ((2, 0, 2), [2, 0, 2]),
        ((0, 2, 2), [0, 2, 2]),
        ((2, 2, 2), [2, 2, 2]),
        ((1, 1, 2), [1, 1, 6]),
        ((2, 1, 1), [6, 1, 1]),
        ((1, 2, 1), [1, 6, 1]),
        ((0, 0, 1), [0, 0, 5]),
    ],
)
def test_e23_a_tie_gives_nobody_the_bonus(held: tuple[int, int, int], scores: list[int]) -> None:
    gems = {crest: ["garnet"] * count for crest, count in zip(CRESTS, held, strict=False)}
    assert situation(gems=gems).scores() == scores


@pytest.mark.rule("emerald", "score.majorities")
def test_one_player_may_win_several_majorities() -> None:
    assert situation(5, gems={"wave": GEMS, "lion": ["ruby"]}).scores() == [1, 0, 0, 0, 4 + 3 * 4]


@pytest.mark.rule("emerald", "score.count")
def test_gold_counts_its_value_treasures_five_gems_one_bonus_cards_four() -> None:
    assert situation(gold={"tower": [1, 2, 3, 4, 5, 5]}).scores() == [0, 20, 0]
    assert situation(treasures={"star": 3}).scores() == [0, 0, 15]
    assert situation(gems={"lion": ["ruby", "ruby"], "tower": ["ruby", "ruby"]}).scores() == [2, 2, 0]
    assert situation(four_gems="star").scores() == [0, 0, 4]
    assert situation(four_gems="lion").scores() == [4, 0, 0]


PUBLISHED = {
    "gold": {"lion": [5, 5, 4, 3], "tower": [5, 5, 4, 4, 3, 3], "star": [4, 3, 2, 2, 1]},
    "gems": {
        "lion": ["ruby"] * 4 + ["emerald"] * 3 + ["garnet", "turquoise"],
        "star": ["ruby", "emerald"] + ["garnet"] * 3 + ["turquoise"] * 4,
    },
    "treasures": {"lion": 1, "tower": 2, "star": 1},
    "four_gems": "lion",
}


@pytest.mark.rule("emerald", "score.count", "score.majorities", "score.winner")
def test_e25_a_published_session() -> None:
    """17 gold, 9 gems, 3 bonus cards, 1 treasure; 24, 0, 0, 2; 12, 9, 2, 1: 43, 34 and 34 points."""
    state = ended(**PUBLISHED)
    assert [sum(hand(state, crest)[0]) for crest in CRESTS[:3]] == [17, 24, 12]
    assert [len(hand(state, crest)[1]) for crest in CRESTS[:3]] == [9, 0, 9]
    assert state.scores() == [43, 34, 34]
    assert state.winners() == [0]


@pytest.mark.rule("emerald", "score.winner")
def test_e25_at_34_points_each_the_second_treasure_decides() -> None:
    """The published session among the other two: more treasures beat more gems."""
    table = ended(**PUBLISHED).to_plain()
    flags = [0, 0, 0]
    table._rules.winners(table, [0, 34, 34], flags)
    assert flags == [0, 1, 0]


@pytest.mark.rule("emerald", "score.winner")
@pytest.mark.parametrize("seat", range(5))
def test_most_points_win(seat: int) -> None:
    state = ended(5, gold={crest: [2 + (other == seat)] for other, crest in enumerate(CRESTS)})
    assert state.winners() == [seat]
    assert state.returns() == [1.0 if other == seat else -0.25 for other in range(5)]


@pytest.mark.rule("emerald", "score.winner")
def test_points_come_before_treasures_and_treasures_before_gems() -> None:
    one_more_point = ended(gold={"lion": [5, 5, 1]}, treasures={"tower": 2})
    assert (one_more_point.scores(), one_more_point.winners()) == ([11, 10, 0], [0])
    more_treasures = ended(gold={"lion": [5], "tower": []}, treasures={"tower": 1})
    assert (more_treasures.scores(), more_treasures.winners()) == ([5, 5, 0], [1])
    gems = {crest: ["ruby", "ruby", "ruby", "emerald", "emerald"] for crest in ("lion", "star")}
    treasures_against_gems = ended(gems=gems, treasures={"tower": 1})
    assert (treasures_against_gems.scores(), treasures_against_gems.winners()) == ([5, 5, 5], [1])


@pytest.mark.rule("emerald", "score.winner")
def test_at_equal_points_and_treasures_more_gems_win() -> None:
    state = ended(gold={"lion": [2]}, gems={"tower": ["ruby"] * 2, "star": ["ruby"] * 2}, treasures={})
    assert (state.scores(), state.winners()) == ([2, 2, 2], [1, 2])
    state = ended(gold={"lion": [1]}, gems={"lion": ["ruby"], "tower": ["ruby", "emerald"], "star": ["emerald"]})
    assert (state.scores(), state.winners()) == ([2, 2, 1], [1])


@pytest.mark.rule("emerald", "score.winner", "score.shared")
def test_a_tie_among_the_losers_changes_nothing() -> None:
    assert ended(gold={"lion": [1], "tower": [1], "star": [2]}).winners() == [2]


@pytest.mark.rule("emerald", "score.shared")
def test_e24_who_is_level_on_points_treasures_and_gems_shares_the_victory() -> None:
    state = ended(gold={"lion": [4], "tower": [1, 3], "star": [3]})
    assert state.winners() == [0, 1]
    assert state.returns() == pytest.approx([0.25, 0.25, -0.5])


@pytest.mark.rule("emerald", "score.shared")
def test_e24_all_may_share_even_with_nothing() -> None:
    state = ended(4)
    assert state.winners() == [0, 1, 2, 3]
    assert state.returns() == pytest.approx([0] * 4)


# --- Two players ------------------------------------------------------------------------------------------------
@pytest.mark.rule("emerald", "two.colours")
def test_two_players_lead_two_colours_each() -> None:
    state = situation(2)
    towers = [f"tower {n}" for n in range(1, 5)]
    assert choices(state) == [f"{COLOUR_OF[crest]} knight, {tower}" for crest in ("lion", "star") for tower in towers]
    state = situation(2, active="tower")
    assert choices(state) == [f"{COLOUR_OF[crest]} knight, {tower}" for crest in ("tower", "oak") for tower in towers]


@pytest.mark.rule("emerald", "two.colours")
def test_two_players_each_colours_knights_move_as_their_own() -> None:
    state = play(situation(2, active="tower"), "green knight, tower 3")
    assert where(state, "oak") == ["tower 1", "tower 2", "tower 4", "field 4", "box"]
    assert where(state, "tower") == ["tower 1", "tower 2", "tower 3", "tower 4", "box"]


@pytest.mark.rule("emerald", "two.colours", "chamber.treasure", "card.take")
@pytest.mark.parametrize("crest", ["tower", "oak"])
def test_e26_two_players_cards_belong_to_the_player(crest: str) -> None:
    state = situation(2, active="tower", knights={crest: ["cave 9"]})
    assert play(state, f"{COLOUR_OF[crest]} knight, cave 9").to_plain().treasures == [0, 1, 0, 0, 0]
    state = situation(2, active="tower", knights={crest: ["cave 5"]}, piles={6: "5"})
    assert hand(play(state, f"{COLOUR_OF[crest]} knight, cave 5"), "tower") == ([5], [])


@pytest.mark.rule("emerald", "two.colours")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_more_players_lead_one_colour(players: int) -> None:
    state = situation(players)
    for start in ("tower 1", "keep", "field 1", "cave 9"):
        assert refused(state, f"second colour, {start}") == "two.colours"


@pytest.mark.rule("emerald", "two.one-colour")
@pytest.mark.parametrize(("first", "other"), [("lion", "star"), ("star", "lion")])
def test_e26_two_players_the_first_knight_settles_the_colour(first: str, other: str) -> None:
    state = play(situation(2), f"{COLOUR_OF[first]} knight, tower 1")
    assert choices(state) == [f"{COLOUR_OF[first]} knight, tower {n}" for n in (2, 3, 4)] + ["end turn"]
    assert refused(state, f"{COLOUR_OF[other]} knight, tower 2") == "two.one-colour"


@pytest.mark.rule("emerald", "two.one-colour")
def test_e26_two_players_a_colours_only_knight_moves_alone() -> None:
    state = situation(2, knights={"star": ["field 1", "nest", "nest", "nest"]})
    assert to_move(play(state, "purple knight, field 1")) == "tower"


@pytest.mark.rule("emerald", "two.one-colour", "dragon.captures")
def test_two_players_the_last_knight_of_the_colour_follows_when_the_first_was_captured() -> None:
    state = situation(2, knights={"lion": ["cave 2", "field 1", "nest", "nest"]}, piles=NO_CARDS)
    play(state, "yellow knight, cave 2", "die: 1")
    assert choices(state) == ["yellow knight, field 1", "end turn"]


@pytest.mark.rule("emerald", "two.one-colour")
def test_two_players_the_next_turn_is_free_to_choose_the_other_colour() -> None:
    state = play(situation(2), "yellow knight, tower 1", "end turn", "red knight, tower 1", "end turn")
    assert "purple knight, tower 1" in choices(state)


# --- Refusals ---------------------------------------------------------------------------------------------------
def provoked() -> Iterator[tuple[str, State, str, str | None]]:
    """Give a position and an attempt for every reason there is to refuse one."""
    second = play(situation(), "tower 1")
    compelled = play(situation(second_move="compulsory"), "tower 1")
    card = play(situation(knights={"lion": ["cave 5"]}), "cave 5")
    victim = situation(knights={"lion": ["field 6"], "tower": ["cave 3"], "star": ["cave 3"]}, piles=NO_CARDS)
    play(victim, "field 6", "die: 1")
    over = situation(knights={"lion": ["cave 9", "chamber"], "tower": ["chamber"], "star": ["chamber"]})
    ransomed = situation(knights={"lion": ["field 6", "cave 3"]}, piles=NO_CARDS, gold={"lion": [1]})
    play(ransomed, "field 6", "die: 1", "bribe with gold 1")
    yield "end.at-once", play(over, "cave 9"), "end turn", "lion"
    yield "turn.order", situation(), "tower 1", "star"
    yield "turn.one-or-two", situation(), "end turn", None
    yield "turn.same-knight", second, "field 3", None
    yield "option.second-move", compelled, "end turn", None
    yield "move.own-knight", situation(), "field 1", None
    yield "card.take", card, "end turn", None
    yield "dragon.victim", victim, "capture a yellow knight", None
    yield "bribe.owner-decides", held([1]), "end turn", None
    yield "bribe.gold-only", held([1]), "bribe with gold 2", None
    yield "bribe.rests", ransomed, "cave 3", None
    yield "two.colours", situation(), "second colour, tower 1", None
    yield "two.one-colour", play(situation(2), "yellow knight, tower 1"), "purple knight, tower 1", None


def test_every_refusal_can_be_provoked_and_changes_nothing() -> None:
    found = [rule for rule, *_ in provoked()]
    assert sorted(found) == sorted(s.REFUSALS[1:])
    for rule, state, move, by in provoked():
        assert refused(state, move, by) == rule
        seat = state.current_player() if by is None else CRESTS.index(by)
        why = state.refusal_text(names(state.game.players, seat)[move], seat)
        assert why == state.game.rulebook()[rule].sentence


def test_chance_is_not_a_player() -> None:
    with pytest.raises(DracothequeError, match="Chance has nothing to decide"):
        situation().apply_action(0, CHANCE)
