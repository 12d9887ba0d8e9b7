"""Gran in words: everything has its name, and every move is told in order, each part by its rule."""

from __future__ import annotations

import functools
import itertools
import random
import re
from typing import Any

import pytest

from dracotheque import State, load_game
from dracotheque.engine import board_files
from dracotheque.engine.default_rules import is_secret_choice
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.phrases import GameEvent, Phrase
from dracotheque.engine.playthrough import tell
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games import gran
from dracotheque.games.gran import events as events_module
from dracotheque.games.gran import names as names_module
from dracotheque.games.gran import text
from dracotheque.games.gran.rules import mechanics
from dracotheque.games.gran.rules import state as s
from tests.games.narration_checks import told_game

Narration = list[tuple[str, str]]

ROWS, COLUMNS = {"t": "tirad", "u": "urgad", "w": "", "g": "galad", "e": "elgad"}, range(1, 13)
SYMBOLS = {
    "t5": "crystal", "t6": "dragon", "t8": "magic", "t11": "city",
    "u4": "city", "u7": "dragon", "u10": "sword",
    "g3": "crystal", "g5": "city", "g8": "magic", "g10": "dragon",
    "e1": "dragon", "e5": "city", "e9": "magic",
}  # fmt: skip
GRID: dict[str, Any] = {
    "name": "The grid",
    "start": "g3",
    "ring": "t5",
    "points": [
        f"{row}{column} {SYMBOLS.get(f'{row}{column}', 'black')} {kingdom} {column * 70} {y * 150}"
        if kingdom
        else f"{row}{column} white {column * 70} {y * 150}"
        for y, (row, kingdom) in enumerate(ROWS.items())
        for column in COLUMNS
    ],
    "lines": [
        *(" ".join(f"{row}{column}" for column in COLUMNS) for row in ROWS),
        *(" ".join(f"{row}{column}" for row in ROWS) for column in COLUMNS),
    ],
}
"""A map like a sheet of squared paper: the kingdoms are rows of twelve points, exile is the row in the middle."""

HOMES = ("w1", "w12", "e12", "e11", "t12", "u12")
GAME = load_game("gran", 3, board=GRID, interpreted=True)
USUAL = load_game("gran", interpreted=True)
ENGLISH = GAME.words("en")


# --- Situations -------------------------------------------------------------------------------------------------
def situation(
    players: int = 3,
    *,
    turn: str = "lion",
    at: dict[str, str] | None = None,
    ring: str = "t5",
    stones: str = "",
    amulets: dict[str, int] | None = None,
    seals: dict[str, str] | None = None,
    waiting: str = "",
    collared: str = "",
    **fields: Any,
) -> State:
    """Set a table up on the squared map: who stands where, what lies where; `ring` may be a knight that carries it."""
    game = load_game("gran", players, board=GRID, interpreted=True)
    state = game.new_initial_state()
    table, number = state.to_plain(), game.board.number
    seat = names_module.CRESTS.index(turn)
    homes = (
        dict(zip(names_module.CRESTS[:players], HOMES, strict=False))
        | dict.fromkeys(waiting.split(), "g3")
        | (at or {})
    )
    table.place[:players] = [number[homes[crest]] for crest in names_module.CRESTS[:players]]
    table.waiting = sum(1 << names_module.CRESTS.index(crest) for crest in waiting.split())
    table.collared = sum(1 << names_module.CRESTS.index(crest) for crest in collared.split())
    for crest, count in (amulets or {}).items():
        table.amulets[names_module.CRESTS.index(crest)] = count
    for crest, kingdoms in (seals or {}).items():
        table.seals[names_module.CRESTS.index(crest)] = sum(1 << "tuge".index(kingdom) for kingdom in kingdoms)
    carried = ring in names_module.CRESTS
    table.bearer = names_module.CRESTS.index(ring) if carried else s.NOBODY
    table.ring = s.NOWHERE if carried else number[ring]
    for point in stones.split():
        mechanics.put(table.stones, number[point])
    table.reserve = s.STONES - len(stones.split())
    table.active = table.to_move = seat
    table.origin = table.place[seat]
    table.phase = s.FIRST
    for name, value in fields.items():
        setattr(table, name, value)
    state._workspace.set_state(table.bytes())
    state._player = table.to_move
    return state


def read_move(state: State, move: str) -> tuple[int, int]:
    """Read a move such as “lion: T7” or “chance: the die shows 2”."""
    name, words = move.split(": ")
    if name == "chance":
        outcomes = range(state.game.max_chance_outcomes())
        return CHANCE, next(o for o in outcomes if state.action_to_string(o, CHANCE) == words)
    seat = names_module.CRESTS.index(name)
    return seat, next(a for a in range(s.ACTIONS) if state.action_to_string(a, seat) == words)


def play(state: State, *moves: str) -> State:
    """Carry moves out."""
    for move in moves:
        seat, action = read_move(state, move)
        state.apply_action(action, seat)
    return state


def last_move(state: State, *moves: str) -> list[GameEvent]:
    """Carry moves out, and tell the last one."""
    *first, last = moves
    before = play(state, *first).clone()
    play(state, last)
    return tell(before, *read_move(before, last), state)


def narrate(state: State, *moves: str) -> Narration:
    """Carry moves out, and tell the last one in English, each sentence after its rule."""
    return [(event.rule, ENGLISH.say(event.phrase)) for event in last_move(state, *moves)]


def asked(state: State) -> tuple[str, str]:
    """Say in English what is asked now, after its rule."""
    question = text.prompt(state.to_plain())
    return question.rule, ENGLISH.say(question.phrase)


def foretold(state: State, move: str) -> str | None:
    """Say in English what a move would lead to."""
    seat, action = read_move(state, move)
    assert action in state.legal_actions(seat)
    preview = text.preview(state.observation(seat), seat, action)
    return preview and ENGLISH.say(preview)


# --- Names ------------------------------------------------------------------------------------------------------
def test_points_are_called_as_on_the_map() -> None:
    names = [ENGLISH.say(text.action(GAME, 0, action)) for action in range(s.ACTIONS)]
    assert names[:3] == ["T1", "T2", "T3"]
    assert names[59] == "E12"
    assert names[60] == "point 61 (not on this map)"
    assert names[s.STAY] == "stay"


def test_english_names_of_chances_stay_as_they_are() -> None:
    assert [ENGLISH.say(text.outcome(GAME, outcome)) for outcome in range(s.OUTCOMES)] == [
        *(f"{colour} starts" for colour in ("Yellow", "Red", "Purple", "Green", "Blue", "Silver")),
        *(f"the dragon card shows {strength}" for strength in s.STRENGTHS),
        *(f"the die shows {pips}" for pips in range(1, 7)),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", [None, *board_files.names(gran.GAME), GRID])
def test_every_choice_has_a_name_of_its_own(language: str, board: Any) -> None:
    game = load_game("gran", board=board, interpreted=True)
    say = game.words(language).say
    assert len({say(text.action(game, 0, action)) for action in range(s.ACTIONS)}) == s.ACTIONS


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_maps_have_names_in_every_language(language: str) -> None:
    ours = [load_game("gran", board=board, interpreted=True).board for board in [None, *board_files.names(gran.GAME)]]
    names = [text.board_name(board) for board in ours]
    assert len({USUAL.words(language).say(name) for name in names}) == len(ours)
    assert [ENGLISH.say(name) for name in names] == [board.name for board in ours]
    assert text.board_name(GAME.board) == "The grid"


def test_players_have_different_colours() -> None:
    for language in LANGUAGES:
        say = GAME.words(language).say
        assert len({say(names_module.crest(seat)) for seat in range(s.SEATS)}) == s.SEATS


def test_nothing_is_chosen_in_secret() -> None:
    assert not any(is_secret_choice(situation(phase=phase).to_plain()) for phase in (s.FIRST, s.EXILE, s.DROP, s.STONE))


# --- The catalogues ---------------------------------------------------------------------------------------------
ELSEWHERE = ("promise", "watch.", "log.", "drawn.", "picture.", "score.", "end.")
"""What the lobby, the log, the terminal, the drawing and the result on the page say."""


@pytest.mark.parametrize("language", ["fr", "it", "de"])
def test_numbers_are_not_torn_from_what_they_count(language: str) -> None:
    torn = re.compile(r"\{(points|percent)\} | \{(strength|pips|wanted)\}")
    words = GAME.words(language).entries
    entries = {key: entry for key, entry in words.items() if not key.startswith(ELSEWHERE)}
    counted = [key for key in entries if key.startswith(("amulets.", "seals."))]
    assert [key for key, entry in entries.items() if torn.search(entry)] == []
    assert [key for key in counted if "{count} " in entries[key]] == []


# --- Whole games ------------------------------------------------------------------------------------------------
TABLES: list[tuple[int, Any, dict[str, str]]] = [
    (3, None, {}),
    (3, GRID, {"seals": "four", "starts": "2"}),
    (4, "small", {}),
    (5, GRID, {"starts": "5"}),
    (6, GRID, {"seals": "two"}),
]
ONLY_REFUSED = {"move.no-return", "stone.block", "stone.ring", "attack.no-exile"}
"""Rules that keep a knight from something and make nothing happen: they are told as refusals."""


@functools.cache
def narrated_games() -> list[tuple[State, list[GameEvent]]]:
    """Play games at every kind of table, and keep everything that was asked, foretold and told."""
    games = [load_game("gran", players, board=board, interpreted=True, **options) for players, board, options in TABLES]
    return [told_game(game, seed) for seed, game in enumerate(games)]


@functools.cache
def rarities() -> list[GameEvent]:
    """Tell what games played at random hardly ever come to."""
    return [
        *last_move(all_shut_in(), "lion: U8"),
        *last_move(ring_given_up(), "star: stay"),
        *last_move(cornered(), "star: U12", "star: stay"),
        *last_move(ring_without_reach(), "lion: T10", "lion: T11", "lion: E6"),
        *last_move(dragon_without_way_out(), "chance: the die shows 4"),
        *last_move(situation(at={"lion": "u11"}), "lion: U10", "lion: stay"),
        *last_move(ring_walled_in(), "lion: U10", "lion: stay"),
        *last_move(ring_walled_in(at={"lion": "t9"}), "lion: T8", "lion: stay"),
        *last_move(situation(stones=SIXTEEN, at={"lion": "t9"}), "lion: T8", "lion: stay"),
        *last_move(situation(at={"lion": "g2"}, ring="lion", waiting="tower"), "lion: G3"),
        *last_move(attack_on_a_dragon(), "lion: T6"),
        *last_move(last_stone(), "lion: W5"),
    ]


def happened() -> list[GameEvent]:
    """Gather what was told about moves, without questions and previews."""
    events = [*rarities(), *itertools.chain.from_iterable(events for _, events in narrated_games())]
    return [event for event in events if event.phrase.key.startswith("event.")]


def test_the_games_tell_every_rule() -> None:
    rulebook = GAME.rulebook().paragraphs.keys()
    assert {event.rule for event in happened()} == rulebook - ONLY_REFUSED


def test_rules_that_only_forbid_are_told_as_refusals() -> None:
    def refused(state: State, move: str) -> str | None:
        seat, action = read_move(state, move)
        return state.refusal(action, seat)

    whites = " ".join(f"w{column}" for column in COLUMNS)
    assert {
        refused(play(situation(at={"lion": "t1"}), "lion: T2"), "lion: T1"),
        refused(situation(at={"lion": "t1"}, stones="t2"), "lion: T2"),
        refused(situation(at={"lion": "t8"}, ring="t1", stones="u1", phase=s.STONE), "lion: T2"),
        refused(situation(at={"lion": "t1", "tower": "t2"}, stones=whites), "lion: T2"),
    } == ONLY_REFUSED


def test_no_word_is_unused() -> None:
    said = {key for event in rarities() for key in keys_in(event.phrase)}
    for _, events in narrated_games():
        said |= {key for event in events for key in keys_in(event.phrase)}
    named = [text.action(USUAL, 0, action) for action in range(s.ACTIONS)]
    named += [text.outcome(USUAL, outcome) for outcome in range(s.OUTCOMES)]
    named += [name(seat) for seat in range(s.SEATS) for name in (names_module.crest, text.seat_name)]
    named += [
        text.board_name(load_game(gran.GAME.name, board=board).board) for board in (None, *board_files.names(gran.GAME))
    ]
    said |= {key for name in named for key in keys_in(name)}
    shared = {f"{kind}.{crest}" for kind in ("crest", "seat") for crest in names_module.CRESTS}
    assert said == {key for key in ENGLISH.entries if not key.startswith(ELSEWHERE)} | shared
    assert {key.replace("watch.", "question.") for key in ENGLISH.entries if key.startswith("watch.")} <= said


def keys_in(said: object) -> set[str]:
    """List the entries that a phrase is said with."""
    if not isinstance(said, Phrase):
        return set()
    key = said.key
    if not ENGLISH.has(key):
        key += ".one" if said.gaps["count"] == 1 else ".many"
    return {key}.union(*(keys_in(gap) for gap in said.gaps.values()))


def test_everything_is_told_in_every_language() -> None:
    everything = [*rarities(), *itertools.chain.from_iterable(events for _, events in narrated_games())]
    phrases = {repr(event.phrase): event for event in everything}
    for language, event in itertools.product(LANGUAGES, phrases.values()):
        sentence = GAME.words(language).say(event.phrase)
        assert "{" not in sentence
        if event.rule:
            assert sentence[-1] in ".!…"
            assert sentence[0].isupper() or sentence[0].isdigit()


@pytest.mark.parametrize("players", [3, 6])
def test_telling_a_move_carries_out_the_same_rules_as_playing_it(players: int) -> None:
    state, chance = load_game("gran", players, board=GRID, interpreted=True).new_initial_state(), random.Random(players)
    for _ in range(600):
        if state.is_terminal():
            break
        replayed = names_module._copy(state.to_plain())
        action = state.sample_chance(chance) if state.is_chance_node() else chance.choice(state.legal_actions())
        state.apply_action(action)
        assert list(events_module.carry_out(replayed, action))
        after = vars(state.to_plain())
        assert {name: value for name, value in vars(replayed).items() if after[name] != value} == {}


def test_a_move_is_told_without_touching_the_table() -> None:
    state = situation(at={"lion": "t7"})
    before, record = state.to_plain(), state.record()
    text.events(before, *read_move(state, "lion: T6"), play(state.clone(), "lion: T6").to_plain())
    assert before.bytes() == record


# --- Set-up and turns -------------------------------------------------------------------------------------------
SET_UP = [
    (
        "setup.map",
        "The map has 60 points: the kingdoms Tirad, Urgad, Galad and Elgad, and the white points of exile.",
    ),
    ("setup.knights", "All knights start on the start crystal (G3), with three amulets each."),
    ("setup.ring", "The ring is on the crystal ball (T5) in the kingdom of Tirad."),
    ("setup.stones", "Sixteen obstacles and the shackles are ready next to the map."),
    (
        "setup.cards",
        "The face-down pile has 24 dragon cards: two 0s, four 2s, six 3s, six 4s, four 5s and two 6s.",
    ),
]


def test_the_usual_map_needs_no_introduction() -> None:
    state = USUAL.new_initial_state()
    rules = [rule for rule, _ in narrate(state, "chance: Purple starts")]
    assert rules == [rule for rule, _ in SET_UP] + ["option.seals", "setup.first-player"]


def test_lots_open_the_game() -> None:
    state = GAME.new_initial_state()
    assert asked(state) == ("setup.first-player", "Drawing the first player…")
    assert narrate(state, "chance: Purple starts") == [
        ("option.board", "This game uses another map: “The grid”."),
        *SET_UP,
        ("option.seals", "The first player with 3 seals of different cities wins."),
        ("setup.first-player", "Purple starts (random)."),
    ]
    assert narrate(state, "star: G4") == [
        ("start.shared", "Purple leaves the start crystal and moves to G4."),
    ]


def test_a_named_player_opens_the_game_with_the_first_step() -> None:
    game = load_game("gran", 5, board=GRID, interpreted=True, starts="4", seals="four")
    state = game.new_initial_state()
    assert narrate(state, "oak: G4") == [
        ("option.board", "This game uses another map: “The grid”."),
        *SET_UP,
        ("option.seals", "In this game, the first player with 4 seals of different cities wins."),
        ("setup.first-player", "Green starts."),
        ("start.shared", "Green leaves the start crystal and moves to G4."),
    ]
    assert narrate(state, "oak: stay") == [
        ("move.lines", "Green stops here."),
        ("turn.order", "Blue’s turn."),
    ]
    assert len(narrate(state, "wave: G2")) == 1


def test_with_the_last_to_set_out_the_blue_crystal_becomes_a_point_like_others() -> None:
    state = situation(waiting="lion tower")
    assert narrate(state, "lion: G2", "lion: stay", "tower: G4") == [
        ("move.lines", "Red moves to G4."),
        (
            "crystal.plain",
            "All knights have set out. The start crystal (G3) now counts as a black point, but takes no obstacle.",
        ),
    ]
    assert narrate(state, "tower: stay", "star: E11", "star: stay", "lion: G3")[0] == (
        "move.lines",
        "Yellow moves to the start crystal (G3).",
    )


def test_collars_come_off_and_shut_in_knights_wait_by_themselves() -> None:
    state = situation(4, at={"tower": "t6", "star": "t1"}, stones="t2 u1", collared="tower")
    assert narrate(state, "lion: W2", "lion: stay") == [
        ("move.lines", "Yellow stops here."),
        ("dragon.collar", "Red takes the shackle off."),
        ("turn.blocked", "Purple can’t move and waits."),
        ("turn.order", "Green’s turn."),
    ]


def all_shut_in() -> State:
    """Let the Lion have to lay the stone with which nobody can move any more; the Star would need to fly too far."""
    return situation(
        at={"lion": "t8", "tower": "t1", "star": "e12"},
        ring="star",
        stones="t7 t9 t2 u1 e11 g12 e10 g11 w12",
        phase=s.STONE,
    )


def ring_given_up() -> State:
    """Let the Star end the fifth round in which nobody can walk to the ring."""
    return situation(
        turn="star", ring="t1", stones="t2 u1 t3", cut_off=s.PATIENCE - 1, phase=s.SECOND, origin=0,
    )  # fmt: skip


def test_when_nobody_can_get_to_the_ring_for_too_long_all_stones_go_back() -> None:
    assert narrate(ring_given_up(), "star: stay") == [
        ("move.lines", "Purple stops here."),
        ("ring.cut-off", "The ring was out of reach for five rounds: all obstacles are removed."),
        ("turn.order", "Yellow’s turn."),
    ]


def test_when_nobody_can_move_stones_give_way() -> None:
    assert narrate(all_shut_in(), "lion: U8") == [
        ("stone.place", "Yellow places an obstacle on U8 (6 left in the reserve)."),
        ("turn.blocked", "Red can’t move and waits."),
        ("turn.blocked", "Purple can’t move and waits."),
        ("turn.blocked", "Yellow can’t move and waits."),
        ("turn.blocked", "No one could move: one obstacle next to each knight is removed."),
        ("turn.blocked", "The obstacle on T2 goes back to the reserve."),
        ("turn.blocked", "The obstacle on T7 goes back to the reserve."),
        ("turn.blocked", "The obstacle on G12 goes back to the reserve."),
        ("turn.order", "Red’s turn."),
    ]


def cornered() -> State:
    """Let the Lion stand in a corner that the Tower and, after this move, the Star close; there is peace in a city."""
    return situation(turn="star", at={"lion": "t12", "tower": "t11", "star": "w12"})


def test_whoever_can_only_attack_has_to() -> None:
    assert narrate(cornered(), "star: U12", "star: stay") == [
        ("move.lines", "Purple stops here."),
        ("turn.order", "Yellow’s turn."),
        ("turn.must-move", "Yellow must move, although every move leads to a duel or an attack."),
    ]


# --- Moving -----------------------------------------------------------------------------------------------------
def test_symbols_do_nothing_in_passing() -> None:
    state = situation(at={"lion": "t10"})
    assert narrate(state, "lion: T11") == [("move.lines", "Yellow moves to the city of Tirad (T11).")]
    assert narrate(state, "lion: T12") == [
        ("move.symbols", "Yellow passes the city of Tirad (T11) without stopping."),
        ("move.lines", "Yellow moves on to T12."),
        ("turn.order", "Red’s turn."),
    ]


def test_a_crystal_is_passed_like_a_black_point() -> None:
    state = situation(at={"lion": "t4"}, ring="e7")
    assert narrate(state, "lion: T5", "lion: U5")[0] == ("move.lines", "Yellow moves on to U5.")


def test_a_dragon_cannot_be_passed_on_foot() -> None:
    assert narrate(situation(at={"lion": "t7"}), "lion: T6") == [
        ("move.lines", "Yellow moves to the dragon (T6)."),
        ("move.free", "Yellow can’t walk past a dragon and stops here."),
        ("dragon.duel", "Yellow fights the dragon."),
    ]


def test_the_ring_is_taken_in_passing_and_at_the_end() -> None:
    state = situation(at={"lion": "t4", "tower": "u4"})
    assert narrate(state.clone(), "lion: T5") == [
        ("move.lines", "Yellow moves to the crystal ball (T5)."),
        ("ring.take", "Yellow takes the ring and may fly on."),
    ]
    assert narrate(situation(at={"lion": "t3"}), "lion: T4", "lion: T5") == [
        ("move.lines", "Yellow moves on to the crystal ball (T5)."),
        ("ring.take", "Yellow takes the ring."),
        ("turn.order", "Red’s turn."),
    ]


@pytest.mark.parametrize(("ring", "flies", "rule"), [("lion", 0, "ring.flight"), ("e7", 1, "dragon.win")])
def test_bearers_and_winners_fly(ring: str, flies: int, rule: str) -> None:
    def flight(here: str, over: str, **others: Any) -> Narration:
        return narrate(situation(at={"lion": here, "tower": "t2"}, ring=ring, flies=flies, **others), f"lion: {over}")

    assert flight("t1", "T2") == [(rule, "Yellow flies to T2, over Red.")]
    assert flight("u1", "U2", stones="u2") == [(rule, "Yellow flies over the obstacle on U2.")]
    assert flight("t7", "T6") == [(rule, "Yellow flies to the dragon (T6).")]
    assert flight("g2", "G3", waiting="star") == [
        (
            "start.shared",
            "Yellow flies over the start crystal (G3), because knights are still waiting there.",
        )
    ]
    assert flight("t7", "T8") == [("move.lines", "Yellow moves to the magic stone (T8).")]


def test_whoever_flies_past_a_dragon_leaves_it_asleep() -> None:
    state = situation(at={"lion": "t7"}, ring="lion")
    assert narrate(state, "lion: T6", "lion: T5")[:2] == [
        ("move.symbols", "Yellow passes the dragon (T6) without stopping."),
        ("move.lines", "Yellow moves on to the crystal ball (T5)."),
    ]


def test_a_bearer_flies_over_an_occupied_city_without_delivering() -> None:
    state = situation(at={"lion": "u3", "tower": "u4"}, ring="lion")
    assert narrate(state, "lion: U4") == [
        (
            "city.peace",
            "Yellow flies over the city of Urgad (U4), because Red is there.",
        )
    ]
    assert asked(state) == ("city.peace", "You can’t stop here. Choose the next point.")
    assert narrate(state, "lion: U5") == [
        ("move.lines", "Yellow moves on to U5."),
        ("turn.order", "Red’s turn."),
    ]


# --- Attacks ----------------------------------------------------------------------------------------------------
def test_an_attack_on_the_bearer_from_the_first_point_on() -> None:
    state = situation(at={"lion": "t1", "tower": "t2"}, ring="tower")
    assert narrate(state, "lion: T2") == [
        ("move.lines", "Yellow moves to T2."),
        ("attack.cost", "Yellow attacks Red and pays an amulet (2 left)."),
        ("attack.ring", "Yellow now has the ring."),
        ("attack.stay", "Yellow stops here after the attack."),
    ]
    assert asked(state) == ("attack.exile", "Banish Red: choose a point of exile.")
    assert narrate(state, "lion: W7") == [
        ("attack.exile", "Yellow banishes Red to the point of exile W7."),
        ("turn.order", "Red’s turn."),
    ]


def test_an_attack_on_the_second_point_with_the_last_amulet() -> None:
    state = situation(at={"lion": "t1", "tower": "t3"}, amulets={"lion": 1})
    assert narrate(state, "lion: T2", "lion: T3") == [
        ("move.lines", "Yellow moves on to T3."),
        ("attack.cost", "Yellow attacks Red and pays an amulet (none left)."),
        ("amulet.none", "Yellow can’t fight or attack until a city gives an amulet back."),
    ]


def test_a_bearer_that_has_flown_to_a_knight_may_stay_and_attack() -> None:
    state = situation(at={"lion": "t1", "tower": "t2"}, ring="lion")
    assert narrate(state, "lion: T2", "lion: stay") == [
        ("move.lines", "Yellow stops here."),
        ("attack.cost", "Yellow attacks Red and pays an amulet (2 left)."),
    ]


def attack_on_a_dragon() -> State:
    """Let the Lion stand before a dragon with the Tower, collared, on it."""
    return situation(at={"lion": "t7", "tower": "t6"}, amulets={"lion": 2}, collared="tower")


def test_an_attack_on_a_dragon_frees_from_the_collar() -> None:
    state = attack_on_a_dragon()
    assert narrate(state, "lion: T6") == [
        ("move.lines", "Yellow moves to the dragon (T6)."),
        ("attack.cost", "Yellow attacks Red and pays an amulet (1 left)."),
        ("attack.dragon", "Red is freed and can move again next turn."),
        ("attack.stay", "Yellow stops here after the attack."),
    ]
    assert narrate(state, "lion: W4") == [
        ("attack.exile", "Yellow banishes Red to the point of exile W4."),
        ("attack.symbol", "Then comes the duel with the dragon."),
        ("dragon.duel", "Yellow fights the dragon."),
    ]


@pytest.mark.parametrize(
    ("here", "there", "symbol"), [("t9", "T8", "magic stone"), ("u11", "U10", "sword stone"), ("t4", "T5", "")]
)
def test_after_the_exile_the_symbol_works(here: str, there: str, symbol: str) -> None:
    state = situation(at={"lion": here, "tower": there.lower()}, ring="e7", stones="e2")
    now = narrate(state, f"lion: {there}", "lion: W4")
    assert [sentence for rule, sentence in now if rule == "attack.symbol"] == [
        f"Then the {name} takes effect." for name in [symbol] if name
    ]


# --- Dragons ----------------------------------------------------------------------------------------------------
def test_a_duel_that_is_won_brings_an_extra_move() -> None:
    state = play(situation(at={"lion": "t7"}), "lion: T6")
    assert asked(state) == ("dragon.duel", "Turning up a dragon card…")
    assert narrate(state, "chance: the dragon card shows 4") == [
        ("dragon.duel", "The dragon card shows strength 4."),
    ]
    assert asked(state) == ("dragon.duel", "The dragon has strength 4. Rolling the die…")
    assert narrate(state, "chance: the die shows 4") == [
        ("dragon.duel", "Yellow rolls 4 and wins the duel."),
        ("dragon.win", "Yellow gets a bonus move: one or two points, flying."),
    ]
    assert asked(state) == (
        "dragon.win",
        "Bonus move: fly one or two points, or stay.",
    )
    assert foretold(state, "lion: stay") == "ends your turn"
    assert narrate(state, "lion: stay") == [
        ("dragon.stay", "Yellow stays with the dragon and can leave next turn without a fight."),
        ("turn.order", "Red’s turn."),
    ]


def test_a_dragon_without_strength_and_the_last_card() -> None:
    state = situation(at={"lion": "t7"}, deck=[1, 0, 0, 0, 0, 0])
    assert narrate(state, "lion: T6", "chance: the dragon card shows 0") == [
        ("dragon.duel", "The dragon card shows strength 0: any roll wins."),
        ("dragon.deck", "That was the last dragon card. All 24 are shuffled again."),
    ]


def dragon_without_way_out() -> State:
    """Let the Lion fight a dragon in a corner with two rows of stones around it."""
    return situation(at={"lion": "e1"}, stones="e2 g1 e3 g2 w1", phase=s.DIE, to_move=CHANCE, strength=4)


def test_a_winner_without_any_way_stays() -> None:
    assert narrate(dragon_without_way_out(), "chance: the die shows 4") == [
        ("dragon.duel", "Yellow rolls 4 and wins the duel."),
        ("dragon.stay", "Yellow has nowhere to go and stays with the dragon."),
        ("turn.order", "Red’s turn."),
    ]


def test_a_lost_duel_costs_an_amulet_and_a_turn() -> None:
    state = situation(at={"lion": "t7"}, amulets={"lion": 1})
    assert narrate(state, "lion: T6", "chance: the dragon card shows 6", "chance: the die shows 5") == [
        ("dragon.duel", "Yellow rolls 5 and loses the duel."),
        ("dragon.lose", "Yellow loses an amulet (none left)."),
        ("amulet.none", "Yellow can’t fight or attack until a city gives an amulet back."),
        ("dragon.collar", "Yellow is shackled and misses a turn."),
        ("turn.order", "Red’s turn."),
    ]


def test_a_bearer_that_loses_lays_the_ring_down_before_the_collar() -> None:
    state = situation(at={"lion": "t7"}, ring="lion")
    moves = ("lion: T6", "lion: stay", "chance: the dragon card shows 3", "chance: the die shows 1")
    assert narrate(state, *moves) == [
        ("dragon.duel", "Yellow rolls 1 and loses the duel."),
        ("dragon.lose", "Yellow loses an amulet (2 left)."),
        ("dragon.ring-lost", "Yellow also loses the ring and must lay it down."),
    ]
    assert asked(state) == ("ring.drop", "Lay the ring outside the kingdom of Tirad.")
    assert foretold(state, "lion: G3") == "kingdom of Galad"
    assert narrate(state, "lion: G3") == [
        ("ring.drop", "Yellow lays the ring on the start crystal (G3), in the kingdom of Galad."),
        ("crystal.plain", "A crystal ball counts as a black point, so the ring may be laid there."),
        ("dragon.collar", "Yellow is shackled and misses a turn."),
        ("turn.order", "Red’s turn."),
    ]


# --- Cities -----------------------------------------------------------------------------------------------------
def test_a_city_gives_an_amulet_back() -> None:
    state = situation(at={"lion": "t10"}, amulets={"lion": 1})
    assert narrate(state, "lion: T11", "lion: stay") == [
        ("move.lines", "Yellow stops here."),
        ("city.amulets", "Yellow gets 1 amulet back."),
        ("turn.order", "Red’s turn."),
    ]
    assert narrate(situation(at={"lion": "t10"}), "lion: T11", "lion: stay")[1:] == [
        ("amulet.three", "Yellow has three amulets, the maximum."),
        ("turn.order", "Red’s turn."),
    ]


def test_the_ring_earns_a_seal() -> None:
    state = situation(at={"lion": "t10"}, ring="lion", amulets={"lion": 2}, seals={"lion": "u"})
    assert narrate(state, "lion: T11") == [
        ("move.lines", "Yellow moves to the city of Tirad (T11)."),
        ("city.deliver", "Yellow enters the city with the ring and stops."),
        ("city.seal", "Yellow earns the seal of Tirad: 2 of 3."),
        ("city.amulets", "Yellow gets 1 amulet back."),
        ("amulet.three", "Yellow has three amulets, the maximum."),
    ]
    assert narrate(state, "lion: E6") == [
        ("ring.drop", "Yellow lays the ring on E6, in the kingdom of Elgad."),
        ("turn.order", "Red’s turn."),
    ]


def test_a_city_of_ones_own_gives_no_second_seal() -> None:
    state = situation(at={"lion": "t9"}, ring="lion", amulets={"lion": 0}, seals={"lion": "t"})
    assert narrate(state, "lion: T10", "lion: T11") == [
        ("move.lines", "Yellow moves on to the city of Tirad (T11)."),
        (
            "city.owned",
            "Yellow already has the seal of Tirad and must lay the ring down again.",
        ),
        ("city.amulets", "Yellow gets 2 amulets back."),
    ]


def test_the_last_seal_ends_the_game() -> None:
    state = situation(at={"lion": "t10"}, ring="lion", amulets={"lion": 1}, seals={"lion": "ug", "star": "e"})
    assert foretold(state, "lion: T11") == "seal of Tirad: you win!"
    assert narrate(state, "lion: T11")[2:] == [
        ("city.seal", "Yellow earns the seal of Tirad: 3 of 3."),
        ("end.seals", "That was the last seal needed. The game is over."),
        ("score.count", "Yellow has 3 seals: Tirad, Urgad, Galad."),
        ("score.count", "Red has no seals."),
        ("score.count", "Purple has 1 seal: Elgad."),
        ("score.winner", "Yellow wins!"),
    ]
    assert asked(state) == ("end.seals", "Game over.")


def ring_without_reach() -> State:
    """Let the Lion fly into a city behind stones, while the others are shut in too."""
    return situation(at={"lion": "t9", "tower": "t1", "star": "e12"}, ring="lion", stones="t10 t12 u11 t2 u1 e11 g12")


def test_where_nobody_can_reach_anything_the_ring_may_lie_anywhere() -> None:
    assert narrate(ring_without_reach(), "lion: T10", "lion: T11", "lion: E6")[:2] == [
        ("ring.drop", "Yellow lays the ring on E6, in the kingdom of Elgad."),
        (
            "ring.reachable",
            "No knight can walk to a free point of another kingdom, so the ring may go on any of them.",
        ),
    ]


# --- Stones -----------------------------------------------------------------------------------------------------
SIXTEEN = "u1 u2 u3 u5 u6 u8 e2 e3 e4 e6 e7 e8 w2 w3 w4 w5"


def last_stone() -> State:
    """Let the Lion have to lay the last stone of the reserve."""
    return situation(at={"lion": "t8"}, stones=SIXTEEN.removesuffix(" w5"), phase=s.STONE)


def test_a_magic_stone_brings_a_stone() -> None:
    state = play(situation(at={"lion": "t9"}), "lion: T8", "lion: stay")
    assert asked(state) == ("stone.place", "Place an obstacle on a black or white point.")
    assert foretold(state, "lion: W5") == "point of exile"
    assert foretold(state, "lion: U5") == "kingdom of Urgad"
    assert narrate(state, "lion: W5") == [
        ("stone.place", "Yellow places an obstacle on W5 (15 left in the reserve)."),
        ("turn.order", "Red’s turn."),
    ]
    assert narrate(last_stone(), "lion: W5")[0] == (
        "stone.place",
        "Yellow places an obstacle on W5 (the reserve is empty).",
    )


def test_a_sword_stone_moves_a_stone() -> None:
    state = play(situation(at={"lion": "u11"}, stones="e2"), "lion: U10", "lion: stay")
    assert asked(state) == ("stone.lift", "Choose an obstacle to move.")
    assert foretold(state, "lion: E2") == "kingdom of Elgad"
    assert narrate(state, "lion: E2") == [("stone.lift", "Yellow picks up the obstacle on E2.")]
    assert asked(state) == ("stone.lift", "Place this obstacle on another point.")
    assert narrate(state, "lion: W5") == [
        ("stone.lift", "Yellow moves the obstacle to W5."),
        ("turn.order", "Red’s turn."),
    ]


def ring_walled_in(at: dict[str, str] | None = None) -> State:
    """Let the ring lie behind two rows of stones, and the Lion stand beside a symbol."""
    return situation(at=at or {"lion": "u11"}, ring="t1", stones="t2 u1 t3 u2 w1")


@pytest.mark.parametrize(
    ("state", "moves", "sentence"),
    [
        (situation(at={"lion": "u11"}), "U10", "The sword stone has no effect: there are no obstacles on the map."),
        (ring_walled_in(), "U10", "The sword stone has no effect: no obstacle may be moved."),
        (
            ring_walled_in({"lion": "t9"}),
            "T8",
            "The magic stone has no effect: there is nowhere to place an obstacle.",
        ),
        (
            situation(at={"lion": "t9"}, stones=SIXTEEN),
            "T8",
            "The magic stone has no effect: the reserve is empty.",
        ),
    ],
)
def test_symbols_that_can_do_nothing(state: State, moves: str, sentence: str) -> None:
    assert narrate(state, f"lion: {moves}", "lion: stay")[1:] == [
        ("stone.none", sentence),
        ("turn.order", "Red’s turn."),
    ]


# --- Before the choice ------------------------------------------------------------------------------------------
def test_questions_about_steps() -> None:
    assert asked(situation()) == ("move.lines", "Move one or two points.")
    state = situation(at={"lion": "u1"}, ring="lion", stones="u2")
    assert asked(state) == (
        "ring.flight",
        "Fly one or two points.",
    )
    assert asked(play(state.clone(), "lion: U2")) == (
        "stone.block",
        "You can’t stop here. Choose the next point.",
    )
    assert asked(play(state, "lion: T1")) == ("move.lines", "Choose a second point, or stay.")


def test_preview_of_plain_points() -> None:
    state = situation(at={"lion": "t3"})
    assert foretold(state, "lion: T4") is None
    play(state, "lion: T4")
    assert foretold(state, "lion: stay") is None
    assert foretold(state, "lion: T5") == "take the ring"


def test_preview_of_attacks_and_duels() -> None:
    state = situation(at={"lion": "t7", "tower": "u7", "star": "t6"}, ring="star")
    assert foretold(state, "lion: T6") == ("attack Purple (−1 amulet), take the ring; duel (58% to win)")
    assert foretold(state, "lion: U7") == "attack Red (−1 amulet); duel (58% to win)"
    hard = situation(at={"lion": "t7"}, deck=[0, 0, 0, 0, 0, 2])
    assert foretold(hard, "lion: T6") == "duel (17% to win)"
    easy = situation(at={"lion": "t7"}, deck=[1, 1, 0, 0, 0, 0])
    assert foretold(easy, "lion: T6") == "duel (92% to win)"


def test_preview_of_cities() -> None:
    poor = situation(at={"lion": "t10"}, amulets={"lion": 0})
    assert foretold(poor, "lion: T11") == "1 amulet back"
    assert foretold(play(poor, "lion: T11"), "lion: stay") == "1 amulet back"
    assert foretold(situation(at={"lion": "t10"}), "lion: T11") == "no amulets back"
    bearer = situation(at={"lion": "t10"}, ring="lion", amulets={"lion": 1})
    assert foretold(bearer, "lion: T11") == "seal of Tirad; 2 amulets back"
    owner = situation(at={"lion": "t10"}, ring="lion", amulets={"lion": 2}, seals={"lion": "t"})
    assert foretold(owner, "lion: T11") == "seal of Tirad already owned; 1 amulet back"


def test_preview_of_stones() -> None:
    assert foretold(situation(at={"lion": "t9"}), "lion: T8") == "place an obstacle"
    assert foretold(situation(at={"lion": "t9"}, stones=SIXTEEN), "lion: T8") == "magic stone: no effect"
    assert foretold(situation(at={"lion": "u11"}), "lion: U10") == "sword stone: no effect"
    assert foretold(situation(at={"lion": "u11"}, stones="e2"), "lion: U10") == "move an obstacle"


def test_preview_of_what_can_only_be_flown_over() -> None:
    state = situation(at={"lion": "u3", "tower": "u4"}, ring="lion", stones="u2")
    assert foretold(state, "lion: U4") == "can’t stop here"
    assert foretold(state, "lion: U2") == "can’t stop here"
    assert foretold(state, "lion: T3") is None


def test_the_point_of_exile_needs_no_preview() -> None:
    state = play(situation(at={"lion": "t1", "tower": "t2"}), "lion: T2")
    assert foretold(state, "lion: W7") is None
