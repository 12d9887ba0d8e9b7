"""Emerald in words: everything has its name, and every move is told by its rule."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import pytest

from dracotheque import State, load_game
from dracotheque.engine.dispatch import CHANCE, apply_action, apply_chance
from dracotheque.engine.phrases import GameEvent, Phrase, with_plain_spaces
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.emerald import names, text
from dracotheque.games.emerald.rules import state as s
from tests.games.narration_checks import told_game

EMERALD = load_game("emerald", interpreted=True)
ENGLISH = EMERALD.words("en")
FIELD_3, CAVE_1, CAVE_2, CAVE_3, CAVE_9 = s.FIRST_FIELD + 2, s.FIRST_CAVE, s.FIRST_CAVE + 1, s.FIRST_CAVE + 2, 19


def english(phrase: Phrase) -> str:
    """Say a phrase in English, with plain spaces."""
    return with_plain_spaces(ENGLISH.say(phrase))


# --- Names ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_and_colour_has_a_name_of_its_own(language: str) -> None:
    say = EMERALD.words(language).say
    assert len({say(names.place(place)) for place in range(s.CHAMBER)}) == s.CHAMBER
    assert len({say(names.crest(colour)) for colour in range(s.COLOURS)}) == s.COLOURS


def test_english_names_stay_as_they_are() -> None:
    games = [load_game("emerald", players, interpreted=True) for players in (2, 3)]
    two, three = ([english(text.action(game, 1, action)) for action in range(s.ACTIONS)] for game in games)
    assert two[FIELD_3] == "red knight, field 3"
    assert two[s.SECOND_COLOUR + 4] == "green knight, keep"
    assert three[FIELD_3] == "field 3"
    assert three[s.SECOND_COLOUR] == "second colour, tower 1"
    assert three[s.PASS :] == [
        "end turn",
        "take the gem",
        "take the gold",
        "capture a yellow knight",
        "capture a red knight",
        "capture a purple knight",
        "capture a green knight",
        "capture a blue knight",
        "capture the knight just moved",
        "lose the knight",
        "bribe with gold 1",
        "bribe with gold 2",
        "bribe with gold 3",
        "bribe with gold 4",
        "bribe with gold 5",
    ]
    assert [english(text.outcome(EMERALD, outcome)) for outcome in (0, 6, 8, 15)] == [
        "Yellow starts",
        "die: 2",
        "ruby",
        "gold 4",
    ]


# --- Whole games ------------------------------------------------------------------------------------------------
OPTIONS = [
    {},
    {"second_move": "compulsory", "gold": "open", "starts": "2"},
]


@functools.cache
def narrated_game(players: int, options: int) -> tuple[State, list[GameEvent]]:
    """Play a game at random, and keep everything that was asked, foretold and told."""
    return told_game(load_game("emerald", players, interpreted=True, **OPTIONS[options]), players)


GAMES = list(itertools.product([2, 3, 4, 5], range(len(OPTIONS))))


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_score_lines_add_up_to_the_scores(players: int, options: int) -> None:
    state, events = narrated_game(players, options)
    lines = [event.phrase.gaps for event in events if event.rule == "score.count"]
    assert [line["count"] for line in lines] == state.scores()
    assert [line["gold"] + line["treasures"] + line["gems"] + line["bonus"] for line in lines] == state.scores()


def test_the_games_tell_nearly_every_rule() -> None:
    rulebook = load_game("emerald", interpreted=True).rulebook().paragraphs.keys()
    rules = {event.rule for game in GAMES for event in narrated_game(*game)[1]} - {""}
    assert rules <= rulebook
    # The first two are never told: no knight of others and no way back is ever on offer. The third is rare.
    assert rulebook - rules <= {"move.own-knight", "move.forward", "score.shared"}


# --- One move at a time -----------------------------------------------------------------------------------------
def table(players: int = 3, **options: str) -> PlainState:
    """Lay out a game in which Yellow is about to begin."""
    state = load_game("emerald", players=players, interpreted=True, starts="1", **options).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state.to_plain()


def stand(game: PlainState, colour: int, *places: int) -> None:
    """Put the knights of a colour on the given places, the rest of them into the nest."""
    for place in game.knights[colour]:
        if place < s.CHAMBER:
            game.crowd[place] -= 1
    game.knights[colour] = sorted(places) + [s.NEST] * (s.KNIGHTS - len(places))
    game.in_play[colour] = len(places)
    for place in places:
        game.crowd[place] += 1


def awake(game: PlainState, dragon: int, rod: int, facing: int, moved: int) -> None:
    """Let a yellow knight have woken the dragon, which now waits for its die."""
    game.dragon, game.rod, game.facing = dragon - 1, rod - 1, facing
    game.moves, game.colour, game.moved = 1, 0, moved
    game.phase, game.to_move = s.DIE, CHANCE


def play(game: PlainState, action: int) -> list[GameEvent]:
    """Carry an action out, and tell it."""
    before = PlainState(game._dtype, game._rules)
    before.read(game.bytes())
    actor = game.to_move
    if actor == CHANCE:
        apply_chance(game, action)
    else:
        apply_action(game, actor, action)
    return text.events(before, actor, action, game)


def sentences(events: list[GameEvent]) -> list[tuple[str, str]]:
    """Say events in English, each after its rule."""
    return [(event.rule, english(event.phrase)) for event in events]


def keys(events: list[GameEvent]) -> list[str]:
    """Name what was told in short."""
    return [event.phrase.key.removeprefix("event.") for event in events]


def test_leaving_the_castle_for_a_second_knight_to_follow() -> None:
    assert sentences(play(table(), s.TOWERS)) == [
        ("move.castle", "Yellow leads a knight out of the castle: keep → field 3 (3 spaces)."),
        ("turn.one-or-two", "Yellow may move a second knight."),
    ]


def test_two_players_are_bound_to_one_colour() -> None:
    assert sentences(play(table(2, second_move="compulsory"), s.SECOND_COLOUR)) == [
        ("move.castle", "Yellow leads a purple knight out of the castle: tower 1 → field 4 (4 spaces)."),
        ("option.second-move", "Yellow must move a second knight."),
        ("two.one-colour", "Only purple knights move this turn."),
    ]


def test_second_knight_leaves_the_first_behind() -> None:
    game = table()
    stand(game, 0, FIELD_3, FIELD_3 + 2)
    stand(game, 1, FIELD_3, CAVE_9)
    assert keys(play(game, FIELD_3)) == ["road", "stacking", "may_follow"]
    assert sentences(play(game, FIELD_3 + 2)) == [
        ("move.distance", "Yellow moves a knight: field 5 → cave 1 (2 spaces)."),
        ("turn.same-knight", "The first knight stays: it has already moved this turn."),
    ]


def test_passing_the_second_move() -> None:
    game = table()
    play(game, 0)
    assert sentences(play(game, s.PASS)) == [
        ("turn.one-or-two", "Yellow ends the turn."),
        ("turn.order", "Red’s turn."),
    ]


def test_steps_to_spare_are_lost_in_the_chamber() -> None:
    game = table()
    stand(game, 0, 0, 1, CAVE_9)
    stand(game, 1, 0, CAVE_9)
    stand(game, 2, 0, CAVE_9)
    assert sentences(play(game, CAVE_9))[1:] == [
        ("chamber.enter", "The knight enters the treasure chamber; 2 spaces are left over."),
        ("chamber.treasure", "Yellow takes a treasure card (5 points). The turn ends."),
        ("turn.order", "Red’s turn."),
    ]


def test_dragon_turns_at_the_end_of_its_rod() -> None:
    game = table()
    awake(game, dragon=2, rod=1, facing=s.PLAINWARD, moved=CAVE_3 + 1)
    stand(game, 0, 0, 1, CAVE_3 + 1)
    narration = sentences(play(game, s.ROLL + 2))
    assert narration[:4] == [
        ("dragon.flight", "The die shows 3: the dragon flies past caves 1 and 2 to cave 3."),
        ("dragon.turns", "It turns at cave 1, the end of the track."),
        ("dragon.captures", "No knight is there."),
        ("rod.advances", "The track moves on: caves 2–5."),
    ]
    assert game.dragon == 2


def test_dragon_turns_where_its_flight_ends() -> None:
    game = table()
    awake(game, dragon=2, rod=1, facing=s.PLAINWARD, moved=FIELD_3)
    assert sentences(play(game, s.ROLL))[:2] == [
        ("dragon.flight", "The die shows 1: the dragon flies to cave 1."),
        ("dragon.turns", "It turns at cave 1, the end of the track."),
    ]


def test_dragon_left_behind_flies_back_to_its_rod() -> None:
    game = table()
    awake(game, dragon=1, rod=3, facing=s.LAIRWARD, moved=FIELD_3)
    assert sentences(play(game, s.ROLL + 1))[:2] == [
        ("dragon.off-rod", "The dragon turns back towards its track."),
        ("dragon.flight", "The die shows 2: the dragon flies past cave 2 to cave 3."),
    ]
    assert game.facing == s.LAIRWARD


def test_dragon_on_the_rearmost_cave_turns_as_it_sets_off() -> None:
    game = table()
    awake(game, dragon=2, rod=2, facing=s.PLAINWARD, moved=FIELD_3)
    assert sentences(play(game, s.ROLL + 2))[:3] == [
        ("dragon.off-rod", "The dragon turns back towards its track."),
        ("dragon.flight", "The die shows 3: the dragon flies past caves 3 and 4 to cave 5."),
        ("dragon.turns", "It turns at cave 5, the end of the track."),
    ]


def captured(*, gold: int) -> tuple[PlainState, list[GameEvent]]:
    """Let the dragon capture a lone red knight, whose owner holds a number of cards of gold 3."""
    game = table()
    stand(game, 0, 0, 1, CAVE_3)
    stand(game, 1, 0, 1, CAVE_2)
    game.gold[1][2] = gold
    awake(game, dragon=3, rod=1, facing=s.PLAINWARD, moved=CAVE_3)
    return game, play(game, s.ROLL)


def test_ransomed_knight_rests() -> None:
    game, narration = captured(gold=1)
    assert sentences(narration)[1:] == [
        ("dragon.captures", "It captures a red knight."),
        ("bribe.owner-decides", "Red decides: bribe the dragon or lose the knight."),
    ]
    assert english(text.prompt(game).phrase) == (
        "The dragon has caught your knight on cave 2. Bribe it or lose the knight."
    )
    assert sentences(play(game, s.PAY + 2)) == [
        ("bribe.gold-only", "Red bribes the dragon with gold 3, which leaves the game."),
        ("bribe.rests", "The knight rests on cave 2 until its owner’s next turn."),
        ("rod.advances", "The track moves on: caves 2–5."),
        ("turn.one-or-two", "Yellow may move a second knight."),
    ]


def test_knight_given_up_goes_to_the_nest() -> None:
    game, _ = captured(gold=2)
    assert sentences(play(game, s.SURRENDER))[:2] == [
        ("bribe.owner-decides", "Red gives the knight up."),
        ("dragon.nest", "The knight is lost to the nest."),
    ]


def test_without_gold_there_is_no_choice() -> None:
    _, narration = captured(gold=0)
    assert keys(narration) == ["flight.1", "captured", "no_gold", "nest", "rod_advances", "may_follow"]


def test_choosing_among_several_victims() -> None:
    game = table()
    stand(game, 0, 0, 1, CAVE_2, CAVE_2)
    stand(game, 1, 0, 1, CAVE_2)
    awake(game, dragon=3, rod=1, facing=s.PLAINWARD, moved=CAVE_2)
    assert sentences(play(game, s.ROLL))[-1] == ("dragon.victim", "Yellow chooses one of the 3 knights there.")
    assert sentences(play(game, s.CAPTURE_MOVED))[0] == (
        "dragon.victim",
        "Yellow chooses: the dragon captures the knight just moved.",
    )


def test_knights_of_one_colour_leave_no_choice_of_colour() -> None:
    game = table()
    stand(game, 0, 0, 1, CAVE_3)
    stand(game, 1, 0, 1, CAVE_2, CAVE_2)
    awake(game, dragon=3, rod=1, facing=s.PLAINWARD, moved=CAVE_3)
    assert sentences(play(game, s.ROLL))[1] == (
        "dragon.victim",
        "It captures a red knight; all knights there have that colour.",
    )


@pytest.mark.parametrize(
    ("options", "rule"), [({}, "turn.one-or-two"), ({"second_move": "compulsory"}, "option.second-move")]
)
def test_turn_ends_where_nobody_is_left_to_follow(options: dict[str, str], rule: str) -> None:
    game = table(**options)
    stand(game, 0, CAVE_2, CAVE_3)
    game.gold[0][0] = 1
    awake(game, dragon=3, rod=1, facing=s.PLAINWARD, moved=CAVE_3)
    play(game, s.ROLL)
    assert sentences(play(game, s.PAY))[-2:] == [
        (rule, "No other knight can move: the turn ends."),
        ("turn.order", "Red’s turn."),
    ]


def test_rod_reaches_its_last_stop_and_stays() -> None:
    game = table()
    awake(game, dragon=6, rod=5, facing=s.LAIRWARD, moved=FIELD_3)
    assert keys(play(game, s.ROLL)) == ["flight.1", "nobody", "rod_advances", "rod_stops", "may_follow"]
    awake(game, dragon=7, rod=6, facing=s.LAIRWARD, moved=FIELD_3)
    assert keys(play(game, s.ROLL)) == ["flight.1", "nobody", "rod_stays", "may_follow"]


def at_cave(game: PlainState, cave: int, **cards: int) -> None:
    """Let a yellow knight arrive next at a cave where the given cards lie."""
    stand(game, 0, 0, 1, s.FIRST_CAVE + cave - 2)
    for pile, kind in ((cave - 1, "gem"), (s.CAVES + cave - 1, "gold")):
        game.pile[pile] = int(kind in cards)
        game.top[pile] = cards.get(kind, 0)


def test_first_to_own_four_gems_wins_the_bonus() -> None:
    game = table()
    at_cave(game, 9, gem=0, gold=3)
    game.gems[0] = [0, 1, 2, 1]
    play(game, CAVE_9 - 1)
    assert english(text.prompt(game).phrase) == "Take the ruby or gold 4 at cave 9."
    assert sentences(play(game, s.TAKE_GEM)) == [
        ("card.take", "Yellow takes the ruby and leaves gold 4."),
        ("gem.laid-open", "Yellow now has 1 ruby."),
        ("bonus.four-gems", "Yellow has all four gems before anyone else: bonus card, 4 points!"),
        ("card.turn-ends", "The card ends the turn."),
        ("turn.order", "Red’s turn."),
    ]


def test_the_only_card_is_taken_before_the_dragon_wakes() -> None:
    game = table(gold="open")
    at_cave(game, 4, gold=2)
    game.gold[0][4] = 1
    assert sentences(play(game, CAVE_3))[1:] == [
        ("card.take", "Yellow takes gold 3, the only card."),
        ("option.open-gold", "Yellow keeps the gold face up and now has 8 in gold."),
        ("dragon.card-first", "After the card the dragon on cave 4 wakes."),
    ]


def test_an_empty_cave_still_wakes_the_dragon() -> None:
    game = table()
    at_cave(game, 2)
    assert sentences(play(game, CAVE_1))[1:] == [
        ("card.empty", "No card left at cave 2."),
        ("dragon.wakes", "Cave 2 is on the track: the dragon wakes."),
    ]


# --- The end ----------------------------------------------------------------------------------------------------
def last_treasure(players: int = 3) -> PlainState:
    """Lay out a game that Yellow is about to end."""
    game = table(players)
    stand(game, 0, 0, 1, CAVE_9)
    game.treasures_left = 1
    return game


def test_the_last_treasure_ends_the_game_at_once() -> None:
    game = last_treasure()
    game.gems[0] = [2, 1, 0, 0]
    game.gems[1] = [1, 1, 0, 0]
    game.gold[1][4] = 2
    assert sentences(play(game, CAVE_9))[2:] == [
        ("chamber.treasure", "Yellow takes a treasure card (5 points)."),
        ("end.treasures", "That was the last treasure card."),
        ("end.at-once", "Game over."),
        ("score.majorities", "Rubies: Yellow has the most (bonus card, 4 points)."),
        ("score.majorities", "Emeralds: tie, no bonus."),
        ("score.majorities", "Garnets: tie, no bonus."),
        ("score.majorities", "Turquoises: tie, no bonus."),
        ("score.count", "Yellow: gold 0, treasure 5, gems 3, bonus 4 = 12 points."),
        ("score.count", "Red: gold 10, treasure 0, gems 2, bonus 0 = 12 points."),
        ("score.count", "Purple: gold 0, treasure 0, gems 0, bonus 0 = 0 points."),
        ("score.winner", "Yellow wins with 12 points (tiebreak: treasure cards)!"),
    ]


def test_gems_break_a_tie_of_treasures() -> None:
    game = last_treasure()
    game.treasures[1] = 1
    game.gems[0] = game.gems[2] = [1, 0, 0, 0]
    game.gold[1][0] = 1
    assert sentences(play(game, CAVE_9))[-1] == ("score.winner", "Yellow wins with 6 points (tiebreak: gems)!")


def test_victory_is_shared_where_all_is_equal() -> None:
    game = last_treasure()
    game.treasures[1] = 1
    assert sentences(play(game, CAVE_9))[-2:] == [
        ("score.shared", "Yellow shares the victory (5 points)."),
        ("score.shared", "Red shares the victory (5 points)."),
    ]


def test_the_last_knight_ends_the_game_before_the_rod_moves() -> None:
    game = table()
    stand(game, 1, 0, CAVE_2)
    awake(game, dragon=3, rod=1, facing=s.PLAINWARD, moved=FIELD_3)
    assert sentences(play(game, s.ROLL))[3:6] == [
        ("dragon.nest", "The knight is lost to the nest."),
        ("end.last-knight", "Red has only one knight left."),
        ("end.at-once", "Game over."),
    ]
    assert text.prompt(game).rule == "end.at-once"


# --- Before the choice ------------------------------------------------------------------------------------------
def foretold(game: Any, action: int) -> str | None:
    """Say in English what an action leads to."""
    preview: Phrase | None = text.preview(game, game.to_move, action)
    return preview and english(preview)


def test_preview_of_a_move() -> None:
    game = table()
    at_cave(game, 2, gem=0, gold=3)
    assert foretold(game, 0) == "→ field 3 (3)"
    assert foretold(game, CAVE_1) == "→ cave 2 (1): ruby or gold 4; wakes the dragon"
    at_cave(game, 6, gem=1)
    assert foretold(game, CAVE_2 + 3) == "→ cave 6 (1): emerald"
    at_cave(game, 6)
    assert foretold(game, CAVE_2 + 3) == "→ cave 6 (1): no card"
    assert foretold(last_treasure(), CAVE_9) == "→ treasure chamber; ends the game"
    play(game, 0)
    assert foretold(game, s.PASS) is None


def test_preview_of_a_card() -> None:
    game = table()
    at_cave(game, 9, gem=0, gold=3)
    game.gems[0] = [2, 0, 1, 1]
    play(game, CAVE_9 - 1)
    assert foretold(game, s.TAKE_GEM) == "ruby; you will have 3"
    assert foretold(game, s.TAKE_GOLD) == "gold 4"
    game.gems[0] = [0, 1, 1, 1]
    assert foretold(game, s.TAKE_GEM) == "ruby: all four gems (bonus card)"


def test_preview_of_a_capture_and_a_ransom() -> None:
    game = table()
    stand(game, 0, 0, 1, CAVE_2)
    stand(game, 1, 0, CAVE_2)
    game.gold[0][1] = 2
    awake(game, dragon=3, rod=1, facing=s.PLAINWARD, moved=CAVE_2)
    play(game, s.ROLL)
    assert foretold(game, s.CAPTURE) == "Yellow has 2 gold cards for a bribe"
    assert foretold(game, s.CAPTURE + 1) == "Red: knight lost; ends the game"
    play(game, s.CAPTURE)
    assert foretold(game, s.SURRENDER) == "knight lost to the nest"
    assert foretold(game, s.PAY + 1) == "knight stays on cave 2 and rests"
