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
from dracotheque.engine.phrases import GameEvent, Phrase
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
def english_names(players: int, board: Data | None = None) -> list[str]:
    """Name every action in English."""
    game = load_game("dragons-cave", players, board=board, interpreted=True)
    return [ENGLISH.say(text.action(game, 1, action)) for action in range(s.ACTIONS)]


def test_english_names_stay_as_they_are() -> None:
    two, three = english_names(2), english_names(3)
    kinds = ["pickaxe", "lantern", "rope", "barrel", "crystal"]
    assert three[: s.SECOND_DWARF] == [f"lay the {card}" for card in [*kinds, "Chest"]]
    assert two[: s.SECOND_DWARF] == [f"lay the {card} for the first dwarf" for card in [*kinds, "Chest"]]
    for names in (two, three):
        assert names[s.SECOND_DWARF : s.NICHE] == [f"lay the {card} for the second dwarf" for card in [*kinds, "Chest"]]
        assert names[s.NICHE : s.LEFT_FIST] == [f"put the dragon into the {kind} niche" for kind in kinds]
        assert names[s.LEFT_FIST : s.HOLD + 3] == [
            "choose the left fist",
            "choose the right fist",
            "no coin in the left fist",
            "1 coin in the left fist",
            "2 coins in the left fist",
        ]
        assert names[s.HOLD + 60] == "60 coins in the left fist"
    assert [ENGLISH.say(text.outcome(CAVES[4], seat)) for seat in range(4)] == [
        "the Lion is the first dragon",
        "the Tower is the first dragon",
        "the Star is the first dragon",
        "the Oak is the first dragon",
    ]


def test_actions_are_named_after_the_pictures_of_the_board() -> None:
    names = english_names(3, MENAGERIE)
    assert names[0] == "lay the bat"
    assert names[s.NICHE + 1] == "put the dragon into the mushroom niche"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", [None, MENAGERIE])
def test_every_place_has_a_name_of_its_own(language: str, board: Data | None) -> None:
    game = load_game("dragons-cave", board=board, interpreted=True)
    say, places = game.words(language).say, len(game.board.path) + 1 + s.KINDS
    assert len({say(names_module.place(game.board, place)) for place in range(places)}) == places


def test_places_in_english() -> None:
    board = CAVES[3].board
    named = [ENGLISH.say(names_module.place(board, place)) for place in (s.START, 8, 20, 21, 25)]
    assert named == ["start space", "space 8 (rope)", "space 20 (crystal)", "pickaxe niche", "crystal niche"]


# --- The catalogues ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_is_a_card_and_a_niche(language: str) -> None:
    entries = CAVES[3].words(language).entries
    assert len(pictures()) > s.KINDS
    for form in ("card", "of"):
        named = {entries[f"{form}.{picture}"] for picture in pictures()}
        assert len(named) == len(pictures())


@pytest.mark.parametrize("language", ["fr", "it", "de"])
def test_numbers_are_not_torn_from_what_they_count(language: str) -> None:
    torn = re.compile(r"\{(count|spaces|dwarves)\} | \{(number|space)\}")
    entries = CAVES[3].words(language).entries
    assert [key for key, entry in entries.items() if torn.search(entry)] == []


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
    yield from last_move(both_home(), "tower: put the dragon into the rope niche")


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
    # The lobby says the promise, the terminal what is drawn, the score sheet what it counts, the page the result.
    elsewhere = {key for key in ENGLISH.entries if key.startswith(("promise", "drawn.", "score.", "end."))}
    assert said == ENGLISH.entries.keys() - elsewhere


def keys_in(said: object) -> set[str]:
    """List the entries that a phrase is said with."""
    if not isinstance(said, Phrase):
        return set()
    key = said.key
    if key not in ENGLISH.entries:
        key += ".one" if said.gaps["count"] == 1 else ".many"
    return {key}.union(*(keys_in(gap) for gap in said.gaps.values()))


def test_everything_is_told_in_every_language() -> None:
    phrases = {repr(event.phrase): event for _, told in told_games() for event in told}
    for language, event in itertools.product(LANGUAGES, phrases.values()):
        sentence = CAVES[3].words(language).say(event.phrase)
        assert "{" not in sentence
        if event.rule:
            assert sentence[-1] in ".!"
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
        "tower: lay the rope",
        "star: lay the barrel",
        "lion: put the dragon into the rope niche",
        "tower: 1 coin in the left fist",
        "lion: choose the left fist",
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
    return [(event.rule, ENGLISH.say(event.phrase)) for event in last_move(state, *played_moves)]


def told_round(state: State, niche: str, **cards: str) -> list[tuple[str, str]]:
    """Lay cards, place the dragon, and tell what that brings to light."""
    laid = [f"{crest}: lay the {card}" for crest, card in cards.items()]
    dragon = names_module.CRESTS[state.to_plain().dragon_seat]
    return told(state, *laid, f"{dragon}: put the dragon into the {niche} niche")


def test_lots_open_the_game() -> None:
    state = CAVES[3].new_initial_state()
    assert told(state, "chance: the Star is the first dragon") == [
        (
            "setup.board",
            "The path into the cave has 20 spaces; behind the last one lies the lair with its five niches.",
        ),
        ("setup.treasure", "Beside the lair lies the dragon’s treasure: 44 coins."),
        ("setup.players", "Everyone has a dwarf on the start space, six cards, an empty purse and an empty chest."),
        ("setup.first-dragon", "The Star is drawn as the first dragon."),
        ("round.roles", "Whoever is the dragon plays no card; everyone else lays one."),
    ]
    assert told(state, "tower: lay the rope") == [("card.seal", "The Tower lays a card face down.")]


def test_a_named_dragon_opens_the_game_with_the_first_card() -> None:
    game = load_game("dragons-cave", 2, board=MENAGERIE, interpreted=True, first_dragon="2")
    state = game.new_initial_state()
    before = state.clone()
    state.apply_action(0, 0)
    assert [(event.rule, ENGLISH.say(event.phrase)) for event in tell(before, 0, 0, state)] == [
        ("option.board", "This game is played in another cave: “The menagerie”."),
        ("setup.board", "The path into the cave has 7 spaces; behind the last one lies the lair with its five niches."),
        ("setup.treasure", "Beside the lair lies the dragon’s treasure: 30 coins."),
        (
            "two.dwarves",
            "Both players have two dwarves on the start space, but only six cards, one purse and one chest each.",
        ),
        ("setup.first-dragon", "The Tower is the first dragon, as agreed."),
        ("round.roles", "Whoever is the dragon plays no card; everyone else lays one."),
        ("two.name", "The Lion lays a card face down, for the first dwarf."),
    ]


def test_the_set_up_is_told_once() -> None:
    game = load_game("dragons-cave", 3, interpreted=True, first_dragon="1")
    state = game.new_initial_state()
    assert len(told(state, "tower: lay the rope")) == 6
    assert len(told(state, "star: lay the rope")) == 1


def test_a_round_in_which_everybody_gets_ahead() -> None:
    state = situation(4, at={"tower": "space 2", "star": "space 1", "oak": "space 1"})
    assert told_round(state, "crystal", tower="barrel", star="barrel", oak="pickaxe") == [
        ("dragon.place", "The Lion puts the dragon into the crystal niche, and all cards are turned."),
        ("move.ahead", "The Tower turns up the barrel: the dwarf goes ahead to space 4."),
        ("move.ahead", "The Star turns up the barrel: the dwarf goes ahead to space 4."),
        ("move.ahead", "The Oak turns up the pickaxe: the dwarf goes ahead to space 6."),
        ("move.together", "2 dwarves now stand together on space 4."),
        ("coins.collect", "The Tower takes 3 coins."),
        ("coins.collect", "The Star takes 3 coins."),
        ("round.pass", "The Tower is the next dragon."),
    ]


def test_dwarves_that_only_stay_together_are_not_told_again() -> None:
    state = situation(at={"lion": "space 3", "tower": "space 3", "star": "space 1"})
    assert "move.together" not in dict(told_round(state, "crystal", tower="Chest", star="barrel"))


def test_frights_on_the_way_and_on_the_start_space() -> None:
    state = situation(4, at={"tower": "space 10", "star": "space 4"})
    assert told_round(state, "barrel", tower="barrel", star="barrel", oak="barrel")[1:4] == [
        (
            "fright.back",
            "The Tower turns up the barrel, and there sits the dragon: the dwarf is frightened "
            "and runs back to space 9.",
        ),
        (
            "fright.back",
            "The Star turns up the barrel, and there sits the dragon: the dwarf is frightened "
            "and runs back to the start space.",
        ),
        (
            "fright.back",
            "The Oak turns up the barrel, and there sits the dragon: the dwarf is frightened "
            "and stays on the start space.",
        ),
    ]


def test_frightened_players_split_and_the_dragon_guesses_from_its_left_on() -> None:
    state = situation(4, dragon="tower", at={"lion": "space 10", "star": "space 10"}, purse={"lion": 3, "star": 1})
    assert told_round(state, "rope", lion="rope", star="rope", oak="rope")[4:] == [
        ("move.together", "2 dwarves now stand together on space 8."),
        ("fright.split", "The Star has to split 1 coin between two fists."),
        ("fright.split", "The Oak has an empty purse, so there is nothing to lose."),
        ("fright.split", "The Lion has to split 3 coins between two fists."),
    ]
    assert told(state, "lion: 2 coins in the left fist") == [("fright.split", "The Lion holds out two closed fists.")]
    assert told(state, "star: no coin in the left fist") == [("fright.split", "The Star holds out two closed fists.")]
    assert asked(state) == ("fright.guess", "The Star holds out two fists with 1 coin in all: choose one.")
    assert told(state, "tower: choose the left fist") == [
        ("fright.guess", "The Star opens the fists: no coin in the left one, 1 coin in the right one."),
        ("fright.guess", "The dragon chose the left one: no coin for the treasure, 1 coin for the purse."),
    ]
    assert told(state, "tower: choose the left fist") == [
        ("fright.guess", "The Lion opens the fists: 2 coins in the left one, 1 coin in the right one."),
        ("fright.guess", "The dragon chose the left one: 2 coins for the treasure, 1 coin for the purse."),
        ("fright.cards", "The Star takes all cards back into hand."),
        ("fright.cards", "The Oak takes all cards back into hand."),
        ("fright.cards", "The Lion takes all cards back into hand."),
        ("round.pass", "The Star is the next dragon."),
    ]


def test_the_right_fist_is_told_as_such() -> None:
    state = play_round(situation(at={"star": "space 8"}, purse={"star": 5}), "rope", tower="Chest", star="rope")
    assert told(state, "star: 1 coin in the left fist", "lion: choose the right fist")[1] == (
        "fright.guess",
        "The dragon chose the right one: 4 coins for the treasure, 1 coin for the purse.",
    )


def test_closed_chests_keep_their_amount_to_themselves() -> None:
    state = situation(purse={"tower": 7}, chest={"tower": 9})
    events = told_round(state, "rope", tower="Chest", star="Chest")
    assert events[1:] == [
        ("chest.safe", "The Tower turns up the Chest: no step, but no danger either."),
        ("chest.safe", "The Star turns up the Chest: no step, but no danger either."),
        ("chest.bank", "The Tower puts all the coins of the purse into the chest."),
        ("chest.cards", "The Tower takes all cards back into hand, the Chest too."),
        ("chest.bank", "The Star has an empty purse and puts nothing into the chest."),
        ("chest.cards", "The Star takes all cards back into hand, the Chest too."),
        ("round.pass", "The Tower is the next dragon."),
    ]
    assert not any(character.isdigit() for _, sentence in events for character in sentence)


def test_open_chests_are_counted_aloud() -> None:
    state = situation(purse={"tower": 7}, chest={"tower": 9}, chests="open")
    assert told_round(state, "rope", tower="Chest", star="Chest")[3] == (
        "option.open-chests",
        "The Tower puts 7 coins into the open chest, which now holds 16 coins.",
    )


def test_chests_are_filled_after_the_guess() -> None:
    state = situation(at={"star": "space 8"}, purse={"tower": 2, "star": 1})
    assert "chest.bank" not in dict(told_round(state, "rope", tower="Chest", star="rope"))
    events = told(state, "star: 1 coin in the left fist", "lion: choose the left fist")
    assert [rule for rule, _ in events[2:]] == ["chest.bank", "chest.cards", "fright.cards", "round.pass"]


def test_the_last_cards_of_a_hand() -> None:
    state = situation(4, hand={"tower": "rope barrel Chest", "star": "rope Chest"})
    assert told_round(state, "crystal", tower="barrel", star="rope", oak="rope")[-4:] == [
        ("coins.collect", "The Oak takes 2 coins."),
        ("card.open", "The Tower has only two cards left in hand: the rope and the Chest."),
        ("round.pass", "The Tower is the next dragon."),
        ("card.last-chest", "The Star has only the Chest left: it is laid by itself."),
    ]


def test_who_is_the_dragon_next_lays_no_last_chest() -> None:
    state = situation(hand={"tower": "rope Chest"})
    assert told_round(state, "crystal", tower="rope", star="rope")[-1] == (
        "round.pass",
        "The Tower is the next dragon.",
    )


def test_a_frightened_player_is_not_said_to_have_two_cards_left() -> None:
    state = situation(hand={"tower": "rope barrel Chest"})
    assert "card.open" not in dict(told_round(state, "rope", tower="rope", star="barrel"))


# --- Lair and treasure ------------------------------------------------------------------------------------------
def test_a_dwarf_in_the_lair_ends_the_game_after_the_round() -> None:
    state = situation(4, at={"tower": "space 19", "star": "space 16"}, purse={"star": 2, "tower": 1}, chest={"oak": 3})
    assert told_round(state, "lantern", tower="rope", star="lantern", oak="Chest") == [
        ("dragon.place", "The Lion puts the dragon into the lantern niche, and all cards are turned."),
        ("lair.enter", "The Tower turns up the rope: the dwarf goes ahead into the lair, to the rope niche."),
        (
            "fright.back",
            "The Star turns up the lantern, and there sits the dragon: the dwarf is frightened "
            "and runs back to space 12.",
        ),
        ("chest.safe", "The Oak turns up the Chest: no step, but no danger either."),
        ("lair.reward", "The Tower takes 4 coins for reaching the lair."),
        ("fright.split", "The Star has to split 2 coins between two fists."),
        ("end.lair", "A dwarf is in the lair: this round is the last, but it is played to its end."),
    ]
    assert told(state, "star: 2 coins in the left fist", "lion: choose the right fist")[1:] == [
        ("fright.guess", "The dragon chose the right one: no coin for the treasure, 2 coins for the purse."),
        ("fright.cards", "The Star takes all cards back into hand."),
        ("chest.bank", "The Oak has an empty purse and puts nothing into the chest."),
        ("chest.cards", "The Oak takes all cards back into hand, the Chest too."),
        ("end.lair", "A dwarf is in the lair: the game ends with this round."),
        ("end.over", "Nothing more is played: the coins are counted."),
        ("chest.closed", "The chests, closed until now, are opened."),
        ("score.count", "The Lion: 0 in the purse, 0 in the chest; no coin in all."),
        ("score.count", "The Tower: 5 in the purse, 0 in the chest; 5 coins in all."),
        ("score.count", "The Star: 2 in the purse, 0 in the chest; 2 coins in all."),
        ("score.count", "The Oak: 0 in the purse, 3 in the chest; 3 coins in all."),
        ("score.winner", "The Tower wins with 5 coins."),
    ]
    assert asked(state) == ("end.over", "The game is over.")


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
        "The Tower turns up the lantern, which leads into the lair, but the dragon guards that niche: "
        "the dwarf is frightened and runs back to space 17.",
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
            "7 coins are due, but the treasure has only 5 coins: all who are due any take the same share.",
        ),
        ("coins.shortage", "The Tower takes 2 coins."),
        ("coins.shortage", "The Star takes 2 coins."),
        ("coins.shortage", "The rest, 1 coin, stays in the treasure."),
        ("coins.shortage", "With that, the game ends at once."),
        (
            "reveal.order",
            "The Oak keeps the whole purse in spite of the fright: the game ended before any coins were split.",
        ),
        ("end.over", "Nothing more is played: the coins are counted."),
        ("score.count", "The Lion: 0 in the purse, 0 in the chest; no coin in all."),
        ("score.count", "The Tower: 2 in the purse, 0 in the chest; 2 coins in all."),
        ("score.count", "The Star: 2 in the purse, 0 in the chest; 2 coins in all."),
        ("score.count", "The Oak: 4 in the purse, 0 in the chest; 4 coins in all."),
        ("score.winner", "The Oak wins with 4 coins."),
    ]


def test_shares_of_nothing() -> None:
    state = situation(treasure=1)
    assert told_round(state, "lantern", tower="crystal", star="rope")[3:] == [
        (
            "coins.shortage",
            "7 coins are due, but the treasure has only 1 coin: all who are due any take the same share.",
        ),
        ("coins.shortage", "The Tower takes no coin."),
        ("coins.shortage", "The Star takes no coin."),
        ("coins.shortage", "The rest, 1 coin, stays in the treasure."),
        ("coins.shortage", "With that, the game ends at once."),
        ("end.over", "Nothing more is played: the coins are counted."),
        ("score.count", "The Lion: 0 in the purse, 0 in the chest; no coin in all."),
        ("score.count", "The Tower: 0 in the purse, 0 in the chest; no coin in all."),
        ("score.count", "The Star: 0 in the purse, 0 in the chest; no coin in all."),
        ("score.winner", "The Tower wins with 0 coins: the dwarf nearest to the lair breaks the tie."),
    ]


def test_the_last_coin_ends_the_game_at_once() -> None:
    state = situation(4, purse={"star": 1}, treasure=7)
    assert told_round(state, "lantern", tower="crystal", star="lantern", oak="rope")[4:8] == [
        ("coins.collect", "The Tower takes 5 coins."),
        ("coins.collect", "The Oak takes 2 coins."),
        ("end.treasure", "That was the last coin of the treasure: the game ends at once."),
        (
            "reveal.order",
            "The Star keeps the whole purse in spite of the fright: the game ended before any coins were split.",
        ),
    ]


def test_several_share_the_victory() -> None:
    state = situation(at={"tower": "space 20", "star": "space 20"})
    assert told_round(state, "crystal", tower="rope", star="pickaxe")[-2:] == [
        ("score.shared", "The Tower shares the victory, with 4 coins."),
        ("score.shared", "The Star shares the victory, with 4 coins."),
    ]


def test_the_dwarf_nearer_to_the_lair_breaks_the_tie() -> None:
    state = situation(at={"tower": "space 20", "star": "space 20", "lion": "space 19"}, purse={"lion": 4, "star": 3})
    assert told_round(state, "crystal", tower="rope", star="Chest")[-1] == (
        "score.winner",
        "The Tower wins with 4 coins: the dwarf nearest to the lair breaks the tie.",
    )


# --- Two players ------------------------------------------------------------------------------------------------
def test_two_players_keep_their_roles_until_a_fright_or_a_chest() -> None:
    state = situation(2, second={"tower": "space 2"})
    assert told(state, "tower: lay the rope for the second dwarf") == [
        ("two.name", "The Tower lays a card face down, for the second dwarf."),
    ]
    assert told(state, "lion: put the dragon into the crystal niche") == [
        ("dragon.place", "The Lion puts the dragon into the crystal niche, and the card is turned."),
        ("move.ahead", "The Tower turns up the rope: the second dwarf goes ahead to space 3."),
        ("coins.collect", "The Tower takes 2 coins."),
        ("two.roles", "The Lion stays the dragon: no fright, no Chest."),
    ]
    events = told_round(state, "barrel", tower="barrel for the first dwarf")
    assert events[1] == (
        "fright.back",
        "The Tower turns up the barrel, and there sits the dragon: "
        "the first dwarf is frightened and stays on the start space.",
    )
    assert told(state, "tower: no coin in the left fist", "lion: choose the left fist")[2:] == [
        ("fright.cards", "The Tower takes all cards back into hand."),
        ("two.roles", "The Tower is now the dragon: after a fright the roles are swapped."),
    ]
    assert told_round(state, "barrel", lion="Chest for the second dwarf")[1:] == [
        ("chest.safe", "The Lion turns up the Chest: no step, but no danger either."),
        ("chest.bank", "The Lion has an empty purse and puts nothing into the chest."),
        ("chest.cards", "The Lion takes all cards back into hand, the Chest too."),
        ("two.roles", "The Lion is now the dragon: after a Chest the roles are swapped."),
    ]


def test_the_first_of_two_dwarves_to_arrive_stays_at_home() -> None:
    state = situation(2, at={"tower": "space 20"}, second={"tower": "space 20"})
    assert asked(state) == ("two.name", "Lay a card face down for one of your dwarves.")
    assert told_round(state, "crystal", tower="rope for the second dwarf")[1:] == [
        ("lair.enter", "The Tower turns up the rope: the second dwarf goes ahead into the lair, to the rope niche."),
        ("lair.reward", "The Tower takes 4 coins for reaching the lair."),
        ("two.home", "The Tower has one dwarf in the lair: it stays there, and the other one goes on alone."),
        ("two.roles", "The Lion stays the dragon: no fright, no Chest."),
    ]
    assert asked(state) == (
        "two.home",
        "Lay one of your cards face down, for your first dwarf; the second one is already in the lair.",
    )
    assert told_round(state, "crystal", tower="barrel for the first dwarf")[3:5] == [
        ("two.end", "The Tower has both dwarves in the lair: that ends the game."),
        ("end.over", "Nothing more is played: the coins are counted."),
    ]


def test_the_second_dwarf_goes_on_when_the_first_is_home() -> None:
    state = situation(2, at={"tower": "rope niche"})
    assert asked(state) == (
        "two.home",
        "Lay one of your cards face down, for your second dwarf; the first one is already in the lair.",
    )


def both_home() -> State:
    """Let the Lion have laid a card that brings its second dwarf home, and level with the Tower in coins."""
    state = situation(
        2,
        dragon="tower",
        at={"lion": "rope niche", "tower": "crystal niche"},
        second={"lion": "space 20", "tower": "space 20"},
        purse={"tower": 4},
    )
    return play(state, "lion: lay the pickaxe for the second dwarf")


def test_the_way_of_both_dwarves_breaks_a_tie_of_two() -> None:
    assert told(both_home(), "tower: put the dragon into the rope niche")[-1] == (
        "two.tie",
        "The Lion wins with 4 coins: the way both dwarves have come breaks the tie.",
    )


# --- Before the choice ------------------------------------------------------------------------------------------
def asked(state: State) -> tuple[str, str]:
    """Say in English what is asked now, after its rule."""
    question = text.prompt(state.to_plain())
    return question.rule, ENGLISH.say(question.phrase)


def foretold(state: State, move: str) -> str | None:
    """Say in English what a move would lead to, as far as its player can see."""
    seat, action = read_move(state, move)
    assert action in state.legal_actions(seat)
    preview = text.preview(state.observation(seat), seat, action)
    return preview and ENGLISH.say(preview)


def test_questions() -> None:
    assert asked(CAVES[3].new_initial_state()) == (
        "setup.first-dragon",
        "Who is the first dragon? Lots are drawn.",
    )
    state = situation(purse={"tower": 1})
    assert asked(state) == ("card.seal", "Lay one of your cards face down.")
    play(state, "tower: lay the rope", "star: lay the rope")
    assert asked(state) == ("dragon.place", "Put the dragon into one of the five niches.")
    play(state, "lion: put the dragon into the rope niche")
    assert asked(state) == ("fright.split", "Split the coins of your purse between your two fists.")


def test_preview_of_a_card() -> None:
    state = situation(at={"tower": "space 8", "star": "space 20"}, purse={"tower": 1})
    assert foretold(state, "tower: lay the pickaxe") == "to space 11: no coin; if frightened, back to space 6"
    assert foretold(state, "tower: lay the rope") == "to space 13: 2 coins; if frightened, back to space 3"
    assert foretold(state, "tower: lay the Chest") == "1 coin safe in the chest; all cards back in hand"
    assert foretold(state, "star: lay the Chest") == "no coin to put into the chest; all cards back in hand"
    assert foretold(state, "star: lay the crystal") == (
        "into the lair: 4 coins; ends the game after this round; if frightened, back to space 15"
    )


def test_preview_of_a_card_on_the_first_spaces() -> None:
    state = situation(at={"tower": "space 4"})
    assert foretold(state, "tower: lay the crystal") == "to space 5: 5 coins; if frightened, back to the start space"
    assert foretold(state, "star: lay the crystal") == "to space 5: 5 coins; if frightened, it stays put"


@pytest.mark.parametrize("treasure", [4, 5])
def test_preview_of_the_last_coins(treasure: int) -> None:
    state = situation(at={"tower": "space 6"}, treasure=treasure)
    assert foretold(state, "tower: lay the crystal") == (
        "to space 10: the treasure runs out, which ends the game at once; if frightened, back to space 5"
    )
    assert foretold(state, "tower: lay the barrel") == "to space 9: 3 coins; if frightened, back to space 4"


def test_preview_for_two_players() -> None:
    state = situation(2, at={"tower": "space 20"}, second={"tower": "space 18"}, purse={"tower": 3})
    assert foretold(state, "tower: lay the rope for the first dwarf") == (
        "into the lair: 4 coins; if frightened, back to space 18"
    )
    assert foretold(state, "tower: lay the barrel for the second dwarf") == (
        "to space 19: 3 coins; if frightened, back to space 14"
    )
    assert foretold(state, "tower: lay the Chest for the second dwarf") == (
        "3 coins safe in the chest; all cards back in hand; the roles are swapped"
    )
    play_round(state, "crystal", tower="rope for the first dwarf")
    assert foretold(state, "tower: lay the pickaxe for the second dwarf") == (
        "into the lair: 4 coins; ends the game after this round; if frightened, back to space 16"
    )


def test_preview_of_a_niche() -> None:
    state = situation(
        4,
        dragon="star",
        hand={"lion": "rope barrel Chest", "tower": "Chest", "oak": "pickaxe rope Chest"},
        purse={"lion": 1, "tower": 9},
    )
    play(state, "lion: lay the rope", "oak: lay the Chest")
    assert foretold(state, "star: put the dragon into the rope niche") == "could frighten: Oak (no coin), Lion (1 coin)"
    assert foretold(state, "star: put the dragon into the barrel niche") == "could frighten: Lion (1 coin)"
    assert foretold(state, "star: put the dragon into the crystal niche") == "can frighten nobody"


def test_preview_of_fists() -> None:
    state = play_round(situation(purse={"tower": 3}), "rope", tower="rope", star="Chest")
    assert foretold(state, "tower: no coin in the left fist") == "3 coins in the right one"
    assert foretold(state, "tower: 3 coins in the left fist") == "no coin in the right one"
    play(state, "tower: 3 coins in the left fist")
    assert foretold(state, "lion: choose the left fist") is None
    assert foretold(state, "lion: choose the right fist") is None
