"""Dragon's Cave in words: everything has its name, every move is told by its rule, and no secret is told."""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from dracotheque import State, load_game
from dracotheque.engine import board_files
from dracotheque.engine.phrases import GameEvent, Phrase, with_plain_spaces
from dracotheque.engine.playthrough import tell
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.dragons_cave import GAME, text
from dracotheque.games.dragons_cave import names as names_module
from dracotheque.games.dragons_cave.board_files import pictures
from dracotheque.games.dragons_cave.rules import is_secret_choice
from dracotheque.games.dragons_cave.rules import state as s
from tests.games.narration_checks import told_game

# isort: off
from tests.games.dragons_cave.position_builder import (
    BARE, POOR, SHORT, Data, Evening, evenings, play, play_round, played, read_move, situation,
)  # fmt: skip

CAVES = {players: load_game("dragons-cave", players, interpreted=True) for players in (2, 3, 4)}
ENGLISH = CAVES[3].words("en")
MENAGERIE: Data = {
    "name": "The menagerie",
    "treasure": 30,
    "lair": 2,
    "path": ["bat 1", "mushroom 0", "cart 2", "bat 0", "rope 1", "barrel 1", "cart 0"],
    "kinds": {"bat": "#101010", "mushroom": "#202020", "cart": "#303030", "rope": "#404040", "barrel": "#505050"},
}
"""A cave with the pictures that the printed one does not show."""


# --- Names ------------------------------------------------------------------------------------------------------
def english(phrase: Phrase) -> str:
    """Say a phrase in English, with plain spaces."""
    return with_plain_spaces(ENGLISH.say(phrase))


def english_names(players: int, board: Data | None = None) -> list[str]:
    """Name every action in English."""
    game = load_game("dragons-cave", players, board=board, interpreted=True)
    return [english(text.action(game, 1, action)) for action in range(s.ACTIONS)]


def test_english_names_stay_as_they_are() -> None:
    two, three = english_names(2), english_names(3)
    kinds = ["pickaxe", "lantern", "rope", "barrel", "crystal"]
    assert three[: s.SECOND_DWARF] == [*kinds, "Chest"]
    assert two[: s.SECOND_DWARF] == [f"{card}, first dwarf" for card in [*kinds, "Chest"]]
    for names in (two, three):
        assert names[s.SECOND_DWARF : s.NICHE] == [f"{card}, second dwarf" for card in [*kinds, "Chest"]]
        assert names[s.NICHE : s.LEFT_FIST] == [f"{kind} niche" for kind in kinds]
        assert names[s.LEFT_FIST : s.HOLD + 3] == [
            "left fist",
            "right fist",
            "left fist: no coins",
            "left fist: 1 coin",
            "left fist: 2 coins",
        ]
        assert names[s.HOLD + 60] == "left fist: 60 coins"
    assert [english(text.outcome(CAVES[4], seat)) for seat in range(4)] == [
        "Yellow is the first dragon",
        "Red is the first dragon",
        "Purple is the first dragon",
        "Green is the first dragon",
    ]


def test_actions_are_named_after_the_pictures_of_the_board() -> None:
    names = english_names(3, MENAGERIE)
    assert names[0] == "bat"
    assert names[s.NICHE + 1] == "mushroom niche"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", [None, MENAGERIE])
def test_every_place_has_a_name_of_its_own(language: str, board: Data | None) -> None:
    game = load_game("dragons-cave", board=board, interpreted=True)
    say, places = game.words(language).say, len(game.board.path) + 1 + s.KINDS
    assert len({say(names_module.place(game.board, place)) for place in range(places)}) == places


def test_places_in_english() -> None:
    board = CAVES[3].board
    named = [english(names_module.place(board, place)) for place in (s.START, 8, 20, 21, 25)]
    assert named == ["start", "space 8 (rope)", "space 20 (crystal)", "pickaxe niche", "crystal niche"]


# --- The catalogues ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_is_a_card_and_a_niche(language: str) -> None:
    entries = CAVES[3].words(language).entries
    assert len(pictures()) > s.KINDS
    for form in ("card", "picture"):
        named = {entries[f"{form}.{picture}"] for picture in pictures()}
        assert len(named) == len(pictures())


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_not_torn_from_what_they_count(language: str) -> None:
    torn = re.compile(r"\{(count|spaces|dwarves)\} | \{(number|space)\}")
    entries = CAVES[3].words(language).entries
    assert [key for key, entry in entries.items() if torn.search(entry) and not key.startswith("end.")] == []


# --- Whole games ------------------------------------------------------------------------------------------------
TABLES = [
    *((players, board, {}) for players in (2, 3, 4) for board in (None, MENAGERIE, SHORT, POOR)),
    *((players, SHORT, {"chests": "open", "first_dragon": "2"}) for players in (2, 3, 4)),
]
SEEDS = range(6)


@functools.cache
def told_games() -> list[tuple[State, list[GameEvent]]]:
    """Play games at every kind of table, and keep everything that was asked, foretold and told."""
    games = [
        load_game("dragons-cave", players, board=board, interpreted=True, **options)
        for players, board, options in TABLES
    ]
    return [told_game(game, seed) for game, seed in itertools.product(games, SEEDS)]


def close_calls() -> Iterator[GameEvent]:
    """Tell the endings that games played at random hardly ever come to."""
    yield from last_move(both_home(), "tower: rope niche")


def test_the_games_tell_every_rule() -> None:
    rulebook = CAVES[3].rulebook().paragraphs.keys()
    told = {event.rule for event in [*close_calls(), *itertools.chain(*(events for _, events in told_games()))]}
    assert told - {""} == rulebook


def test_no_word_is_unused() -> None:
    said = {key for event in close_calls() for key in keys_in(event.phrase) | keys_in(text.redact(event).phrase)}
    for board in [None, *board_files.names(GAME)]:
        said |= keys_in(text.board_name(load_game(GAME.name, board=board).board))
    for state, told in told_games():
        game = state.game
        said |= {key for event in told for key in keys_in(event.phrase)}
        named = [text.action(game, 0, action) for action in range(s.ACTIONS)]
        named += [text.outcome(game, outcome) for outcome in range(s.OUTCOMES)]
        named += [names_module.place(game.board, place) for place in range(len(game.board.path) + 2)]
        said |= {key for name in named for key in keys_in(name)}
    # The lobby says the promise, the terminal what is drawn, the score sheet what it counts, the page the result, the
    # board its pieces and what one chooses with, and who is not asked reads the `watch` phrases.
    parts = ("promise", "drawn.", "score.", "end.", "piece.", "table.", "watch", "log.")
    elsewhere = {key for key in ENGLISH.entries if key.startswith(parts)}
    assert said & ENGLISH.entries.keys() == ENGLISH.entries.keys() - elsewhere


def keys_in(said: object) -> set[str]:
    """List the entries that a phrase is said with."""
    if not isinstance(said, Phrase):
        return set()
    key = said.key
    if not ENGLISH.has(key):
        key += ".one" if said.gaps["count"] == 1 else ".many"
    return {key}.union(*(keys_in(gap) for gap in said.gaps.values()))


def test_everything_is_told_in_every_language() -> None:
    phrases = {repr(event.phrase): event for _, told in told_games() for event in told}
    for language, event in itertools.product(LANGUAGES, phrases.values()):
        sentence = CAVES[3].words(language).say(event.phrase)
        assert "{" not in sentence
        if event.rule:
            assert sentence[-1] in ".!?…"
            assert sentence[0].isupper() or sentence[0].isdigit()


def test_score_lines_add_up_to_the_scores() -> None:
    for state, told in told_games():
        lines = [event.phrase.gaps for event in told if event.rule == "score.count"]
        assert [line["purse"] + line["chest"] for line in lines] == state.scores()
        assert [line["coins"].gaps.get("count", 0) for line in lines] == state.scores()


# --- Secrets ----------------------------------------------------------------------------------------------------
def twins(evening: Evening) -> Iterator[tuple[State, State]]:
    """Play an evening; beside every state set one that looks the same to everybody, other cards and fists inside."""
    chance = random.Random(evening.seed)
    for state in played(evening):
        if not state.is_chance_node() and not state.is_terminal():
            yield state, state.resample_from_infostate(-1, chance)


@settings(max_examples=15)
@given(evenings())
def test_no_question_and_no_preview_tells_a_secret(evening: Evening) -> None:
    for state, twin in twins(evening):
        table, other = state.to_plain(), twin.to_plain()
        assert text.prompt(table) == text.prompt(other)
        for seat in range(state.game.players):
            for action in state.legal_actions(seat):
                assert text.preview(table, seat, action) == text.preview(other, seat, action)


@settings(max_examples=15)
@given(evenings())
def test_no_event_tells_what_was_chosen_in_secret(evening: Evening) -> None:
    chance = random.Random(evening.seed)
    for state, twin in twins(evening):
        if is_secret_choice(state.to_plain()):
            for seat in range(state.game.players):
                for choices in openly_alike(state, seat):
                    one, another = chance.choice(choices), chance.choice(choices)
                    told_here = tell(state, seat, one, state.child(one, seat))
                    assert told_here == tell(twin, seat, another, twin.child(another, seat))


def openly_alike(state: State, seat: int) -> list[list[int]]:
    """Group a seat's secret choices by what everybody sees of them: the dwarf that a card is for."""
    second = s.SECOND_DWARF if state.to_plain().phase == s.SEAL else s.ACTIONS
    groups = itertools.groupby(state.legal_actions(seat), lambda action: action >= second)
    return [list(choices) for _, choices in groups]


def test_what_is_chosen_in_secret() -> None:
    state = situation(purse={"tower": 2})
    phases = {s.SEAL: True, s.PLACE: False, s.SPLIT: True, s.GUESS: False}
    seen: dict[int, bool] = {}
    for move in (
        "tower: rope",
        "star: barrel",
        "lion: rope niche",
        "tower: left fist: 1 coin",
        "lion: left fist",
    ):
        seen[state.to_plain().phase] = is_secret_choice(state.to_plain())
        play(state, move)
    assert seen == phases


# --- One move at a time -----------------------------------------------------------------------------------------
def last_move(state: State, *played_moves: str) -> list[GameEvent]:
    """Carry moves out, and tell the last one."""
    *first, last = played_moves
    play(state, *first)
    before = state.clone()
    play(state, last)
    return tell(before, *read_move(before, last), state)


def told(state: State, *played_moves: str) -> list[tuple[str, str]]:
    """Carry moves out, and tell the last one in English, each sentence after its rule."""
    return [(event.rule, english(event.phrase)) for event in last_move(state, *played_moves)]


def told_round(state: State, niche: str, **cards: str) -> list[tuple[str, str]]:
    """Lay cards, place the dragon, and tell what that brings to light."""
    laid = [f"{crest}: {card}" for crest, card in cards.items()]
    dragon = names_module.CRESTS[state.to_plain().dragon_seat]
    return told(state, *laid, f"{dragon}: {niche} niche")


def test_lots_open_the_game() -> None:
    state = CAVES[3].new_initial_state()
    assert told(state, "chance: Purple is the first dragon") == [
        (
            "setup.board",
            "The path has 20 spaces; the lair has five niches.",
        ),
        ("setup.treasure", "Treasure: 44 coins."),
        ("setup.players", "Everyone has a dwarf at the start, six cards, an empty purse and an empty chest."),
        ("setup.first-dragon", "Purple is the first dragon (random)."),
        ("round.roles", "The dwarf players each play a card; the dragon player plays none."),
    ]
    assert told(state, "tower: rope") == [("card.seal", "Red plays a card face down.")]


def test_a_named_dragon_opens_the_game_with_the_first_card() -> None:
    game = load_game("dragons-cave", 2, board=MENAGERIE, interpreted=True, first_dragon="2")
    state = game.new_initial_state()
    before = state.clone()
    state.apply_action(0, 0)
    assert [(event.rule, english(event.phrase)) for event in tell(before, 0, 0, state)] == [
        ("option.board", "This game uses the cave “The menagerie”."),
        ("setup.board", "The path has 7 spaces; the lair has five niches."),
        ("setup.treasure", "Treasure: 30 coins."),
        (
            "two.dwarves",
            "Both players have two dwarves at the start, but only six cards, one purse and one chest.",
        ),
        ("setup.first-dragon", "Red is the first dragon."),
        ("round.roles", "The dwarf players each play a card; the dragon player plays none."),
        ("two.name", "Yellow plays a card face down for the first dwarf."),
    ]


def test_the_set_up_is_told_once() -> None:
    game = load_game("dragons-cave", 3, interpreted=True, first_dragon="1")
    state = game.new_initial_state()
    assert len(told(state, "tower: rope")) == 6
    assert len(told(state, "star: rope")) == 1


def test_a_round_in_which_everybody_gets_ahead() -> None:
    state = situation(4, at={"tower": "space 2", "star": "space 1", "oak": "space 1"})
    assert told_round(state, "crystal", tower="barrel", star="barrel", oak="pickaxe") == [
        ("dragon.place", "Yellow hides the dragon: crystal niche."),
        ("move.ahead", "Red: barrel → space 4."),
        ("move.ahead", "Purple: barrel → space 4."),
        ("move.ahead", "Green: pickaxe → space 6."),
        ("move.together", "Space 4 now has 2 dwarves."),
        ("coins.collect", "Red takes 3 coins."),
        ("coins.collect", "Purple takes 3 coins."),
        ("round.pass", "Red is the next dragon."),
    ]


def test_dwarves_that_only_stay_together_are_not_told_again() -> None:
    state = situation(at={"lion": "space 3", "tower": "space 3", "star": "space 1"})
    assert "move.together" not in dict(told_round(state, "crystal", tower="Chest", star="barrel"))


def test_frights_on_the_way_and_on_the_start_space() -> None:
    state = situation(4, at={"tower": "space 10", "star": "space 4"})
    assert told_round(state, "barrel", tower="barrel", star="barrel", oak="barrel")[1:4] == [
        (
            "fright.back",
            "Red: barrel – caught! Back to space 9.",
        ),
        (
            "fright.back",
            "Purple: barrel – caught! Back to the start.",
        ),
        (
            "fright.back",
            "Green: barrel – caught! Stays at the start.",
        ),
    ]


def test_frightened_players_split_and_the_dragon_guesses_from_its_left_on() -> None:
    state = situation(4, dragon="tower", at={"lion": "space 10", "star": "space 10"}, purse={"lion": 3, "star": 1})
    assert told_round(state, "rope", lion="rope", star="rope", oak="rope")[4:] == [
        ("move.together", "Space 8 now has 2 dwarves."),
        ("fright.split", "Purple splits 1 coin between two fists."),
        ("fright.split", "Green has an empty purse: nothing to lose."),
        ("fright.split", "Yellow splits 3 coins between two fists."),
    ]
    assert told(state, "lion: left fist: 2 coins") == [("fright.split", "Yellow holds out two closed fists.")]
    assert told(state, "star: left fist: no coins") == [("fright.split", "Purple holds out two closed fists.")]
    assert asked(state) == ("fright.guess", "Purple has 1 coin in two fists. Choose one.")
    assert told(state, "tower: left fist") == [
        ("fright.guess", "Purple opens the fists: left no coins, right 1 coin."),
        ("fright.guess", "Left fist: no coins lost, 1 coin kept."),
    ]
    assert told(state, "tower: left fist") == [
        ("fright.guess", "Yellow opens the fists: left 2 coins, right 1 coin."),
        ("fright.guess", "Left fist: 2 coins lost, 1 coin kept."),
        ("fright.cards", "Purple takes all cards back."),
        ("fright.cards", "Green takes all cards back."),
        ("fright.cards", "Yellow takes all cards back."),
        ("round.pass", "Purple is the next dragon."),
    ]


def test_the_right_fist_is_told_as_such() -> None:
    state = play_round(situation(at={"star": "space 8"}, purse={"star": 5}), "rope", tower="Chest", star="rope")
    assert told(state, "star: left fist: 1 coin", "lion: right fist")[1] == (
        "fright.guess",
        "Right fist: 4 coins lost, 1 coin kept.",
    )


def test_closed_chests_keep_their_amount_to_themselves() -> None:
    state = situation(purse={"tower": 7}, chest={"tower": 9})
    events = told_round(state, "rope", tower="Chest", star="Chest")
    assert events[1:] == [
        ("chest.safe", "Red: Chest, safe from the dragon."),
        ("chest.safe", "Purple: Chest, safe from the dragon."),
        ("chest.bank", "Red puts all coins into the chest."),
        ("chest.cards", "Red takes all cards back, the Chest too."),
        ("chest.bank", "Purple has an empty purse: nothing to save."),
        ("chest.cards", "Purple takes all cards back, the Chest too."),
        ("round.pass", "Red is the next dragon."),
    ]
    assert not any(character.isdigit() for _, sentence in events for character in sentence)


def test_open_chests_are_counted_aloud() -> None:
    state = situation(purse={"tower": 7}, chest={"tower": 9}, chests="open")
    assert told_round(state, "rope", tower="Chest", star="Chest")[3] == (
        "option.open-chests",
        "Red puts 7 coins into the open chest (16 coins in all).",
    )


def test_chests_are_filled_after_the_guess() -> None:
    state = situation(at={"star": "space 8"}, purse={"tower": 2, "star": 1})
    assert "chest.bank" not in dict(told_round(state, "rope", tower="Chest", star="rope"))
    events = told(state, "star: left fist: 1 coin", "lion: left fist")
    assert [rule for rule, _ in events[2:]] == ["chest.bank", "chest.cards", "fright.cards", "round.pass"]


def test_the_last_cards_of_a_hand() -> None:
    state = situation(4, hand={"tower": "rope barrel Chest", "star": "rope Chest"})
    assert told_round(state, "crystal", tower="barrel", star="rope", oak="rope")[-4:] == [
        ("coins.collect", "Green takes 2 coins."),
        ("card.open", "Red has only two cards left: rope and Chest."),
        ("round.pass", "Red is the next dragon."),
        ("card.last-chest", "Purple: only the Chest left, played automatically."),
    ]


def test_who_is_the_dragon_next_lays_no_last_chest() -> None:
    state = situation(hand={"tower": "rope Chest"})
    assert told_round(state, "crystal", tower="rope", star="rope")[-1] == (
        "round.pass",
        "Red is the next dragon.",
    )


def test_a_frightened_player_is_not_said_to_have_two_cards_left() -> None:
    state = situation(hand={"tower": "rope barrel Chest"})
    assert "card.open" not in dict(told_round(state, "rope", tower="rope", star="barrel"))


# --- Lair and treasure ------------------------------------------------------------------------------------------
def test_a_dwarf_in_the_lair_ends_the_game_after_the_round() -> None:
    state = situation(4, at={"tower": "space 19", "star": "space 16"}, purse={"star": 2, "tower": 1}, chest={"oak": 3})
    assert told_round(state, "lantern", tower="rope", star="lantern", oak="Chest") == [
        ("dragon.place", "Yellow hides the dragon: lantern niche."),
        ("lair.enter", "Red: rope → lair!"),
        (
            "fright.back",
            "Purple: lantern – caught! Back to space 12.",
        ),
        ("chest.safe", "Green: Chest, safe from the dragon."),
        ("lair.reward", "Red takes 4 coins for reaching the lair."),
        ("fright.split", "Purple splits 2 coins between two fists."),
        ("end.lair", "A dwarf is in the lair: this is the last round."),
    ]
    assert told(state, "star: left fist: 2 coins", "lion: right fist")[1:] == [
        ("fright.guess", "Right fist: no coins lost, 2 coins kept."),
        ("fright.cards", "Purple takes all cards back."),
        ("chest.bank", "Green has an empty purse: nothing to save."),
        ("chest.cards", "Green takes all cards back, the Chest too."),
        ("end.lair", "A dwarf is in the lair: the game ends with this round."),
        ("end.over", "Game over."),
        ("chest.closed", "Everyone opens the chests."),
        ("score.count", "Yellow: purse 0, chest 0 = no coins."),
        ("score.count", "Red: purse 5, chest 0 = 5 coins."),
        ("score.count", "Purple: purse 2, chest 0 = 2 coins."),
        ("score.count", "Green: purse 0, chest 3 = 3 coins."),
        ("score.winner", "Red wins with 5 coins!"),
    ]
    assert asked(state) == ("end.over", "Game over.")


@pytest.mark.parametrize(("chests", "chest"), [("open", {"tower": 3}), ("closed", {})])
def test_chests_that_are_open_or_empty_need_no_opening(chests: str, chest: dict[str, int]) -> None:
    state = situation(at={"tower": "space 20"}, chest=chest, chests=chests)
    assert "chest.closed" not in dict(told_round(state, "rope", tower="pickaxe", star="Chest"))


def test_no_hand_is_counted_when_the_game_ends() -> None:
    state = situation(at={"tower": "space 20"}, hand={"tower": "rope pickaxe Chest"})
    assert "card.open" not in dict(told_round(state, "crystal", tower="rope", star="rope"))


def test_a_guarded_niche() -> None:
    state = situation(at={"tower": "space 19"})
    assert told_round(state, "lantern", tower="lantern", star="Chest")[1] == (
        "lair.guarded",
        "Red: lantern – caught on the way into the lair! Back to space 17.",
    )


def test_a_lair_that_pays_nothing() -> None:
    state = situation(at={"tower": "space 10"}, board=BARE)
    rules = [rule for rule, _ in told_round(state, "crystal", tower="rope", star="pickaxe")]
    assert rules[:4] == ["dragon.place", "lair.enter", "move.ahead", "end.lair"]


def test_too_few_coins_are_shared() -> None:
    state = situation(4, at={"oak": "space 4"}, purse={"oak": 4}, treasure=5)
    assert told_round(state, "lantern", tower="crystal", star="rope", oak="lantern")[4:] == [
        (
            "coins.shortage",
            "Only 5 coins left: shared equally.",
        ),
        ("coins.shortage", "Red takes 2 coins."),
        ("coins.shortage", "Purple takes 2 coins."),
        ("coins.shortage", "Left in the treasure: 1 coin."),
        ("coins.shortage", "The game ends at once."),
        (
            "reveal.order",
            "Green loses no coins: the game ended first.",
        ),
        ("end.over", "Game over."),
        ("score.count", "Yellow: purse 0, chest 0 = no coins."),
        ("score.count", "Red: purse 2, chest 0 = 2 coins."),
        ("score.count", "Purple: purse 2, chest 0 = 2 coins."),
        ("score.count", "Green: purse 4, chest 0 = 4 coins."),
        ("score.winner", "Green wins with 4 coins!"),
    ]


def test_shares_of_nothing() -> None:
    state = situation(treasure=1)
    assert told_round(state, "lantern", tower="crystal", star="rope")[3:] == [
        (
            "coins.shortage",
            "Only 1 coin left: shared equally.",
        ),
        ("coins.shortage", "Red takes no coins."),
        ("coins.shortage", "Purple takes no coins."),
        ("coins.shortage", "Left in the treasure: 1 coin."),
        ("coins.shortage", "The game ends at once."),
        ("end.over", "Game over."),
        ("score.count", "Yellow: purse 0, chest 0 = no coins."),
        ("score.count", "Red: purse 0, chest 0 = no coins."),
        ("score.count", "Purple: purse 0, chest 0 = no coins."),
        ("score.winner", "Red wins with 0 coins (tiebreak: dwarf’s position)!"),
    ]


def test_the_last_coin_ends_the_game_at_once() -> None:
    state = situation(4, purse={"star": 1}, treasure=7)
    assert told_round(state, "lantern", tower="crystal", star="lantern", oak="rope")[4:8] == [
        ("coins.collect", "Red takes 5 coins."),
        ("coins.collect", "Green takes 2 coins."),
        ("end.treasure", "The treasure is empty: the game ends at once."),
        (
            "reveal.order",
            "Purple loses no coins: the game ended first.",
        ),
    ]


def test_several_share_the_victory() -> None:
    state = situation(at={"tower": "space 20", "star": "space 20"})
    assert told_round(state, "crystal", tower="rope", star="pickaxe")[-2:] == [
        ("score.shared", "Red shares the victory (4 coins)."),
        ("score.shared", "Purple shares the victory (4 coins)."),
    ]


def test_the_dwarf_nearer_to_the_lair_breaks_the_tie() -> None:
    state = situation(at={"tower": "space 20", "star": "space 20", "lion": "space 19"}, purse={"lion": 4, "star": 3})
    assert told_round(state, "crystal", tower="rope", star="Chest")[-1] == (
        "score.winner",
        "Red wins with 4 coins (tiebreak: dwarf’s position)!",
    )


# --- Two players ------------------------------------------------------------------------------------------------
def test_two_players_keep_their_roles_until_a_fright_or_a_chest() -> None:
    state = situation(2, second={"tower": "space 2"})
    assert told(state, "tower: rope, second dwarf") == [
        ("two.name", "Red plays a card face down for the second dwarf."),
    ]
    assert told(state, "lion: crystal niche") == [
        ("dragon.place", "Yellow hides the dragon: crystal niche."),
        ("move.ahead", "Red: rope (second dwarf) → space 3."),
        ("coins.collect", "Red takes 2 coins."),
        ("two.roles", "Yellow stays the dragon."),
    ]
    events = told_round(state, "barrel", tower="barrel, first dwarf")
    assert events[1] == (
        "fright.back",
        "Red: barrel (first dwarf) – caught! Stays at the start.",
    )
    assert told(state, "tower: left fist: no coins", "lion: left fist")[2:] == [
        ("fright.cards", "Red takes all cards back."),
        ("two.roles", "Roles swap: Red is the dragon."),
    ]
    assert told_round(state, "barrel", lion="Chest, second dwarf")[1:] == [
        ("chest.safe", "Yellow: Chest, safe from the dragon."),
        ("chest.bank", "Yellow has an empty purse: nothing to save."),
        ("chest.cards", "Yellow takes all cards back, the Chest too."),
        ("two.roles", "Roles swap: Yellow is the dragon."),
    ]


def test_the_first_of_two_dwarves_to_arrive_stays_at_home() -> None:
    state = situation(2, at={"tower": "space 20"}, second={"tower": "space 20"})
    assert asked(state) == ("two.name", "Choose a card for one of your dwarves.")
    assert told_round(state, "crystal", tower="rope, second dwarf")[1:] == [
        ("lair.enter", "Red: rope (second dwarf) → lair!"),
        ("lair.reward", "Red takes 4 coins for reaching the lair."),
        ("two.home", "Red has one dwarf in the lair; the other goes on alone."),
        ("two.roles", "Yellow stays the dragon."),
    ]
    assert asked(state) == (
        "two.home",
        "Choose a card for your first dwarf.",
    )
    assert told_round(state, "crystal", tower="barrel, first dwarf")[3:5] == [
        ("two.end", "Red has both dwarves in the lair: the game ends."),
        ("end.over", "Game over."),
    ]


def test_the_second_dwarf_goes_on_when_the_first_is_home() -> None:
    state = situation(2, at={"tower": "rope niche"})
    assert asked(state) == (
        "two.home",
        "Choose a card for your second dwarf.",
    )


def both_home() -> State:
    """Let Yellow have laid a card that brings its second dwarf home, and level with Red in coins."""
    state = situation(
        2,
        dragon="tower",
        at={"lion": "rope niche", "tower": "crystal niche"},
        second={"lion": "space 20", "tower": "space 20"},
        purse={"tower": 4},
    )
    return play(state, "lion: pickaxe, second dwarf")


def test_the_way_of_both_dwarves_breaks_a_tie_of_two() -> None:
    assert told(both_home(), "tower: rope niche")[-1] == (
        "two.tie",
        "Yellow wins with 4 coins (tiebreak: both dwarves’ positions)!",
    )


# --- Before the choice ------------------------------------------------------------------------------------------
def asked(state: State) -> tuple[str, str]:
    """Say in English what is asked now, after its rule."""
    question = text.prompt(state.to_plain())
    return question.rule, english(question.phrase)


def foretold(state: State, move: str) -> str | None:
    """Say in English what a move would lead to, as far as its player can see."""
    seat, action = read_move(state, move)
    assert action in state.legal_actions(seat)
    preview = text.preview(state.observation(seat), seat, action)
    return preview and english(preview)


def test_questions() -> None:
    assert asked(CAVES[3].new_initial_state()) == (
        "setup.first-dragon",
        "Drawing the first dragon…",
    )
    state = situation(purse={"tower": 1})
    assert asked(state) == ("card.seal", "Choose a card to play face down.")
    play(state, "tower: rope", "star: rope")
    assert asked(state) == ("dragon.place", "Where does the dragon hide?")
    play(state, "lion: rope niche")
    assert asked(state) == ("fright.split", "Split your coins between two fists.")


def test_preview_of_a_card() -> None:
    state = situation(at={"tower": "space 8", "star": "space 20"}, purse={"tower": 1})
    assert foretold(state, "tower: pickaxe") == "space 11, no coins; if caught, back to 6"
    assert foretold(state, "tower: rope") == "space 13, +2 coins; if caught, back to 3"
    assert foretold(state, "tower: Chest") == "1 coin safe; all cards back in hand"
    assert foretold(state, "star: Chest") == "no coins to save; all cards back in hand"
    assert foretold(state, "star: crystal") == ("lair, +4 coins; last round; if caught, back to 15")


def test_preview_of_a_card_on_the_first_spaces() -> None:
    state = situation(at={"tower": "space 4"})
    assert foretold(state, "tower: crystal") == "space 5, +5 coins; if caught, back to start"
    assert foretold(state, "star: crystal") == "space 5, +5 coins; if caught, stays put"


@pytest.mark.parametrize("treasure", [4, 5])
def test_preview_of_the_last_coins(treasure: int) -> None:
    state = situation(at={"tower": "space 6"}, treasure=treasure)
    assert foretold(state, "tower: crystal") == ("space 10: last coins, ends the game; if caught, back to 5")
    assert foretold(state, "tower: barrel") == "space 9, +3 coins; if caught, back to 4"


def test_preview_for_two_players() -> None:
    state = situation(2, at={"tower": "space 20"}, second={"tower": "space 18"}, purse={"tower": 3})
    assert foretold(state, "tower: rope, first dwarf") == ("lair, +4 coins; if caught, back to 18")
    assert foretold(state, "tower: barrel, second dwarf") == ("space 19, +3 coins; if caught, back to 14")
    assert foretold(state, "tower: Chest, second dwarf") == ("3 coins safe; all cards back in hand; roles swap")
    play_round(state, "crystal", tower="rope, first dwarf")
    assert foretold(state, "tower: pickaxe, second dwarf") == ("lair, +4 coins; last round; if caught, back to 16")


def test_preview_of_a_niche() -> None:
    state = situation(
        4,
        dragon="star",
        hand={"lion": "rope barrel Chest", "tower": "Chest", "oak": "pickaxe rope Chest"},
        purse={"lion": 1, "tower": 9},
    )
    play(state, "lion: rope", "oak: Chest")
    assert foretold(state, "star: rope niche") == "can catch: Green (no coins), Yellow (1 coin)"
    assert foretold(state, "star: barrel niche") == "can catch: Yellow (1 coin)"
    assert foretold(state, "star: crystal niche") == "can’t catch anyone"


def test_preview_of_fists() -> None:
    state = play_round(situation(purse={"tower": 3}), "rope", tower="rope", star="Chest")
    assert foretold(state, "tower: left fist: no coins") == "right fist: 3 coins"
    assert foretold(state, "tower: left fist: 3 coins") == "right fist: no coins"
    play(state, "tower: left fist: 3 coins")
    assert foretold(state, "lion: left fist") is None
    assert foretold(state, "lion: right fist") is None
