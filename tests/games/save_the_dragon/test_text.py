"""Save the Dragon in words: everything has its name, and every move is told in order, each part by its rule."""

from __future__ import annotations

import functools
import itertools
import random
import re
from typing import Any

import pytest

from dracotheque import CHANCE, State, load_game
from dracotheque.engine.default_rules import is_secret_choice
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase
from dracotheque.engine.playthrough import PlaythroughMove, head, parse, tell
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.save_the_dragon import events as events_module
from dracotheque.games.save_the_dragon import names as names_module
from dracotheque.games.save_the_dragon import text
from dracotheque.games.save_the_dragon.rules import state as s
from tests.games.narration_checks import previews
from tests.games.save_the_dragon.position_builder import fall, interpreted, play, read_move, situation

Narration = list[tuple[str, str]]

GAME = interpreted()
ENGLISH = GAME.words("en")


# --- Telling ----------------------------------------------------------------------------------------------------
def said(events: list[GameEvent]) -> Narration:
    """Say events in English, each sentence after its rule."""
    return [(event.rule, ENGLISH.say(event.phrase)) for event in events]


def last_move(state: State, *moves: str) -> list[GameEvent]:
    """Carry moves out, and tell the last one."""
    *first, last = moves
    before = play(state, *first).clone()
    play(state, last)
    return tell(before, *read_move(last), state)


def narrate(state: State, *moves: str) -> Narration:
    """Carry moves out, and tell the last one in English; whose turn comes next is left away."""
    return [(rule, sentence) for rule, sentence in said(last_move(state, *moves)) if rule != "turn.order"]


def story(state: State, door: str, rock: str = "", **fates: str) -> list[GameEvent]:
    """Let a rock fall, and tell everything up to the next turn."""
    now = state.clone()
    fall(state, door, rock, **fates)
    found: list[GameEvent] = []
    for player, action in state.full_history()[len(now.full_history()) :]:
        after = now.child(action, player)
        found += tell(now, player, action, after)
        now = after
    return found


def fallen(state: State, door: str, rock: str = "", **fates: str) -> Narration:
    """Let a rock fall, and say in English what happened after it was let go and before the next turn."""
    (first, _), *between, (last, _) = said(story(state, door, rock, **fates))
    assert (first, last) == ("rock.throw", "turn.order")
    return between


def asked(state: State) -> tuple[str, str]:
    """Say in English what is asked now, after its rule."""
    question = text.prompt(state.to_plain())
    return question.rule, ENGLISH.say(question.phrase)


def foretold(state: State, move: str) -> str | None:
    """Say in English what a move would lead to."""
    seat, action = read_move(move)
    assert action in state.legal_actions(seat)
    preview = text.preview(state.observation(seat), seat, action)
    return preview and ENGLISH.say(preview)


# --- Names ------------------------------------------------------------------------------------------------------
def test_english_names_of_choices_stay_as_they_are() -> None:
    names = [ENGLISH.say(text.action(GAME, 0, action)) for action in range(s.ACTIONS)]
    assert names[:4] == ["move to a1", "move to b1", "move to c1", "move to a2"]
    assert names[s.SPOTS - 1 : s.SPOTS + 1] == ["move to c9", "move to a1 (1 token)"]
    assert names[3 * s.SPOTS] == "move to a1 (3 tokens)"
    assert names[s.THROUGH : s.PUT_SHIELD + 1] == [
        "door a: free the dragon!",
        "door b: free the dragon!",
        "door c: free the dragon!",
        "stay",
        "put the shield on a1",
    ]
    assert names[s.SHUT_DOOR - 1 :] == [
        "put the shield on c9",
        "close door a",
        "close door b",
        "close door c",
        "change nothing",
        "door a",
        "door b",
        "door c",
    ]


def test_english_names_of_chances_stay_as_they_are() -> None:
    names = [ENGLISH.say(text.outcome(GAME, outcome)) for outcome in range(s.OUTCOMES)]
    assert names[: s.NOTCHED + 1] == [
        *(f"{colour} starts" for colour in ("Yellow", "Red", "Purple", "Green")),
        *(f"door {door} is closed" for door in "abc"),
        "the shield is on a1",
    ]
    assert names[s.ROLL :] == [
        *(f"the movement die shows {steps}" for steps in (1, 2, 3)),
        "the action die shows the boulder",
        "the action die shows the shield and the door",
        *(f"the boulder rolls down lane {lane}" for lane in "abc"),
        "the boulder stops",
        "the pawn stays on its feet",
        "the pawn falls over on its own step",
        "the pawn falls 1 step",
        *(f"the pawn falls {steps} steps" for steps in range(2, 9)),
        "the pawn falls to the bottom",
        *(f"the pawn falls into lane {lane}" for lane in "abc"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_and_every_chance_has_a_name_of_its_own(language: str) -> None:
    say = GAME.words(language).say
    assert len({say(text.action(GAME, 0, action)) for action in range(s.ACTIONS)}) == s.ACTIONS
    assert len({say(text.outcome(GAME, outcome)) for outcome in range(s.OUTCOMES)}) == s.OUTCOMES
    assert len({say(names_module.crest(seat)) for seat in range(s.SEATS)}) == s.SEATS


def test_what_is_named_can_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRACOTHEQUE_INTERPRETED", "1")
    game = interpreted(4)
    actions = [PlaythroughMove(seat, action) for seat in range(4) for action in range(s.ACTIONS)]
    attempts = actions + [PlaythroughMove(CHANCE, outcome) for outcome in range(s.OUTCOMES)]
    assert parse("\n".join([head(game), *(line(game, attempt) for attempt in attempts)]))[1] == attempts


def line(game: Game, attempt: PlaythroughMove) -> str:
    """Write a move as it stands in a playthrough."""
    if attempt.player == CHANCE:
        return f"chance: {ENGLISH.say(text.outcome(game, attempt.action))}"
    return f"{names_module.CRESTS[attempt.player]}: {ENGLISH.say(text.action(game, attempt.player, attempt.action))}"


def test_nothing_is_chosen_in_secret() -> None:
    assert not is_secret_choice(situation(die=1).to_plain())
    assert not is_secret_choice(situation(action="rock").to_plain())


# --- The catalogues ---------------------------------------------------------------------------------------------
ELSEWHERE = ("promise", "watch.", "log.", "drawn.", "picture.", "score.", "end.", "stair.")
"""What the lobby, the log, the text view, the drawing and the page say."""


def own_words(language: str) -> dict[str, str]:
    """Return the entries of this catalogue."""
    entries = GAME.words(language).entries
    return {key: entry for key, entry in entries.items() if not key.startswith(ELSEWHERE)}


@pytest.mark.parametrize("language", ["fr", "it", "de"])
def test_names_and_numbers_are_not_torn_from_what_they_belong_to(language: str) -> None:
    torn = re.compile(r"\{count\} |\w \{(spot|step|lane|door|open|die)\}| \(\{spot\}\)")
    assert [key for key, entry in own_words(language).items() if torn.search(entry)] == []


# --- Whole games ------------------------------------------------------------------------------------------------
TABLES: list[tuple[int, dict[str, str]]] = [
    (2, {}),
    (2, {"youngest": "everybody", "starts": "2"}),
    (3, {"youngest": "3"}),
    (4, {"starts": "4"}),
    (4, {"youngest": "1"}),
]


@functools.cache
def narrated_games() -> list[tuple[State, list[GameEvent]]]:
    """Play games at every kind of table, and keep everything that was asked, foretold and told."""
    games = [load_game("save-the-dragon", players, interpreted=True, **options) for players, options in TABLES]
    return [narrated_game(game, seed) for seed, game in enumerate(games)]


def narrated_game(game: Game, seed: int) -> tuple[State, list[GameEvent]]:
    """Play a game to its end; only what a falling rock does to nobody may go untold."""
    state, chance = game.new_initial_state(), random.Random(seed)
    events: list[GameEvent] = []
    while not state.is_terminal():
        events += [text.prompt(state.to_plain()), *previews(state)]
        before, player = state.clone(), state.current_player()
        state.apply_action(state.sample_chance(chance) if player == CHANCE else chance.choice(state.legal_actions()))
        happened = tell(before, *state.full_history()[-1], state)
        assert happened or before.to_plain().phase in (s.LANE, s.FATE)
        events += happened
    return state, [*events, text.prompt(state.to_plain())]


@functools.cache
def rarities() -> list[GameEvent]:
    """Tell what games played at random may not come to: whatever the rock does, it does here."""
    rich = {"at": {"lion": "b8"}, "shut": "a", "die": 1, "tokens": {"lion": 3}}
    stuck = situation(3, at=walled_in_at_the_bottom(), shield="c1", die=1)
    return [
        *[text.prompt(situation(die=1, tokens={"lion": tokens}).to_plain()) for tokens in (0, 1, 2)],
        *[text.prompt(state.to_plain()) for state in (walled_in(), situation(**rich))],
        *previews(situation(**rich)),
        *previews(situation(at={"lion": "b8"}, die=2)),
        *previews(situation(at={"lion": "b2"}, shield="b5", die=1)),
        *previews(situation(at={"lion": "b3", "tower": "b7"}, shield="b5", action="rock")),
        *previews(situation(3, at={"lion": "b3", "tower": "b2", "star": "c9"}, action="change")),
        *last_move(walled_in(), "lion: stay"),
        *last_move(stuck, "lion: stay"),
        *last_move(situation(at={"lion": "a9"}, shut="c", die=3), "lion: c9"),
        *last_move(situation(at={"lion": "c8", "tower": "b9"}, shield="b8", shut="c", die=2), "lion: c9"),
        *last_move(situation(at={"lion": "b3"}, shield="b4", die=3, tokens={"lion": 1}), "lion: b5 +1"),
        *last_move(situation(at={"lion": "b2", "tower": "b3"}, die=1, tokens={"lion": 3}), "lion: b5 +2"),
        *last_move(situation(**rich), "lion: door b"),
        *last_move(situation(at={"tower": "b9"}, action="change"), "lion: shut b"),
        *last_move(situation(action="change", youngest="1"), "lion: leave it"),
        *story(crowded(), "b", lion="b1"),
        *story(crowded(shield="c4", tower="a4", star="b4"), "b", lion="b4"),
        *story(situation(at={"lion": "b7", "tower": "b4"}, action="rock"), "b", lion="b4"),
        *story(situation(at={"lion": "b7", "tower": "b6"}, action="rock"), "b", lion="b4", tower="b3"),
        *story(situation(at={"lion": "b4"}, tokens={"lion": 3}, action="rock"), "b", lion="floor"),
        *story(situation(at={"lion": "b4"}, action="rock"), "b", "bbbc", lion="b4"),
        *story(situation(at={"lion": "b4"}, action="rock"), "b", "bb-", lion="b3"),
        *story(situation(at={"lion": "b4"}, shield="b5", action="rock"), "b"),
        *story(situation(at={"lion": "b4"}, shield="b5", action="rock"), "b", "bbbb-"),
        *story(situation(at={"lion": "b4"}, shield="b5", action="rock"), "b", "bbbbc"),
        *story(situation(at={"lion": "b4"}, shield="b9", action="rock"), "b", "c"),
        *story(situation(at={"lion": "b9"}, action="rock"), "b", "c"),
        *story(situation(at={"lion": "b4"}, action="rock"), "b"),
        *story(situation(at={"lion": "b4"}, action="rock"), "b", "bbbbbc"),
        *story(situation(action="rock"), "b"),
    ]


def everything() -> list[GameEvent]:
    """Gather all that was asked, foretold and told."""
    return [*rarities(), *itertools.chain.from_iterable(events for _, events in narrated_games())]


def test_the_games_tell_every_rule() -> None:
    happened = {event.rule for event in everything() if event.phrase.key.startswith("event.")}
    assert happened == GAME.rulebook().paragraphs.keys()


def test_no_word_is_unused() -> None:
    used = {key for event in everything() for key in keys_in(event.phrase)}
    named = [text.action(GAME, 0, action) for action in range(s.ACTIONS)]
    named += [text.outcome(GAME, outcome) for outcome in range(s.OUTCOMES)]
    named += [name(seat) for seat in range(s.SEATS) for name in (names_module.crest, text.seat_name)]
    shared = {f"{kind}.{crest}" for kind in ("crest", "seat") for crest in names_module.CRESTS}
    assert used | {key for name in named for key in keys_in(name)} == own_words("en").keys() | shared
    assert {key.replace("watch.", "question.") for key in ENGLISH.entries if key.startswith("watch.")} <= used


def keys_in(part: object) -> set[str]:
    """List the entries that a phrase is said with."""
    if not isinstance(part, Phrase):
        return set()
    key = part.key
    if not ENGLISH.has(key):
        key += ".one" if part.gaps["count"] == 1 else ".many"
    return {key}.union(*(keys_in(gap) for gap in part.gaps.values()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_told_in_every_language(language: str) -> None:
    say, english = GAME.words(language).say, own_words("en")
    assert own_words(language).keys() == english.keys()
    for event in {repr(event.phrase): event for event in everything()}.values():
        sentence = say(event.phrase)
        assert "{" not in sentence
        if event.rule:
            assert sentence[-1] in ".!…"
            assert sentence[0].isupper()


@pytest.mark.parametrize("players", [2, 4])
def test_telling_a_move_carries_out_the_same_rules_as_playing_it(players: int) -> None:
    state, chance = interpreted(players, "everybody").new_initial_state(), random.Random(players)
    while not state.is_terminal():
        replayed = names_module._copy(state.to_plain())
        action = state.sample_chance(chance) if state.is_chance_node() else chance.choice(state.legal_actions())
        state.apply_action(action)
        list(events_module.carry_out(replayed, action))
        after = vars(state.to_plain())
        assert {name: value for name, value in vars(replayed).items() if after[name] != value} == {}


def test_a_move_is_told_without_touching_the_table() -> None:
    state = situation(at={"lion": "b2", "tower": "b3"}, die=2)
    before, record = state.to_plain(), state.record()
    text.events(before, *read_move("lion: b4"), play(state.clone(), "lion: b4").to_plain())
    assert before.bytes() == record


def test_the_winner_alone_has_a_point() -> None:
    for state, events in narrated_games():
        counted = [event.phrase.key == "event.count" for event in events if event.rule == "score.count"]
        assert counted == [bool(points) for points in state.scores()]


# --- Set-up and dice --------------------------------------------------------------------------------------------
def test_set_up_with_lots() -> None:
    state = interpreted(3).new_initial_state()
    assert asked(state) == ("setup.door", "Setting up…")
    assert narrate(state, "chance: shut b") == [
        (
            "setup.stairs",
            "The staircase has nine steps of three spaces, a1 to c9, and three doors at the top.",
        ),
        (
            "setup.pawns",
            "All pawns start at the bottom, one space away from a1, b1 and c1.",
        ),
        ("setup.door", "Door b is closed."),
    ]
    assert asked(state) == ("setup.shield", "Setting up…")
    assert narrate(state, "chance: shield c5") == [("setup.shield", "The shield is on c5.")]
    assert asked(state) == ("setup.first-player", "Drawing the first player…")
    assert narrate(state, "chance: first star") == [("setup.first-player", "Purple starts (random).")]
    assert asked(state) == ("turn.die", "Rolling the movement die…")
    assert narrate(state, "chance: die 2") == [("turn.die", "Purple rolls 2.")]


def test_set_up_as_agreed() -> None:
    state = interpreted(2, "everybody", "2").new_initial_state()
    assert narrate(state, "chance: shut b", "chance: shield c5")[1:] == [
        ("option.youngest", "In this game, everyone may leave shield and door as they are."),
        ("setup.first-player", "Red starts."),
    ]
    state = interpreted(2, "1").new_initial_state()
    assert narrate(state, "chance: shut b", "chance: shield c5", "chance: first tower") == [
        ("option.youngest", "Yellow may leave shield and door as they are."),
        ("setup.first-player", "Red starts (random)."),
    ]


def test_set_up_with_several_of_the_youngest() -> None:
    state = interpreted(4, "2+4", "1").new_initial_state()
    assert narrate(state, "chance: shut b", "chance: shield c5")[1:-1] == [
        ("option.youngest", "Red may leave shield and door as they are."),
        ("option.youngest", "Green may leave shield and door as they are."),
    ]


def test_whose_turn_comes_next() -> None:
    assert said(last_move(situation(at={"lion": "b2"}, die=3), "lion: b5")) == [
        ("move.steps", "Yellow moves from b2 to b5."),
        ("turn.order", "Red’s turn."),
    ]


def test_the_action_die() -> None:
    state = play(situation(at={"lion": "b2"}, die=1), "lion: b3")
    assert asked(state) == ("turn.action", "Rolling the action die…")
    assert narrate(state.clone(), "chance: action rock") == [
        ("turn.action", "Yellow rolls the action die: the boulder!")
    ]
    assert narrate(state, "chance: action change") == [
        ("turn.action", "Yellow rolls the action die: shield and door."),
        ("change.must", "Yellow must move the shield or close another door."),
    ]
    young = play(situation(at={"lion": "b2"}, die=1, youngest="everybody"), "lion: b3")
    assert narrate(young, "chance: action change") == [("turn.action", "Yellow rolls the action die: shield and door.")]


# --- Walks ------------------------------------------------------------------------------------------------------
def walled_in() -> State:
    """The first pawn is in the corner below the closed door, and the shield is next to it."""
    return situation(at={"lion": "a9"}, shield="b9", shut="a", die=2)


def walled_in_at_the_bottom() -> dict[str, str]:
    """Two others stand on the lowest stair."""
    return {"tower": "a1", "star": "b1"}


def test_a_walk_from_the_floor() -> None:
    assert narrate(situation(die=1), "lion: b1") == [("move.steps", "Yellow moves from the bottom to b1.")]


def test_tokens_that_are_spent() -> None:
    state = situation(at={"lion": "b2"}, tokens={"lion": 3}, die=1)
    assert narrate(state.clone(), "lion: b4 +1") == [
        ("move.steps", "Yellow moves from b2 to b4."),
        ("token.spend", "Yellow spends 1 token (2 left)."),
    ]
    assert narrate(state.clone(), "lion: b5 +2")[1] == ("token.spend", "Yellow spends 2 tokens (1 left).")
    assert narrate(state, "lion: b6 +3")[1] == ("token.spend", "Yellow spends 3 tokens (none left).")


def test_pawns_that_are_passed_whichever_way_it_was() -> None:
    state = situation(at={"lion": "b2", "tower": "b3"}, die=2)
    assert narrate(state.clone(), "lion: b4") == [
        ("move.steps", "Yellow moves from b2 to b4."),
        ("move.pass", "Yellow passes Red on b3."),
    ]
    assert narrate(state, "lion: a3") == [("move.steps", "Yellow moves from b2 to a3.")]


def test_the_way_round_the_shield() -> None:
    state = situation(at={"lion": "b3"}, shield="b4", die=3, tokens={"lion": 1})
    assert narrate(state.clone(), "lion: b5 +1")[2:] == [("move.shield", "Yellow goes around the shield on b4.")]
    assert narrate(state, "lion: a5") == [("move.steps", "Yellow moves from b3 to a5.")]


def test_a_walk_that_the_shield_cuts_short() -> None:
    state = situation(at={"lion": "c8", "tower": "b9"}, shield="b8", shut="c", die=2)
    assert narrate(state, "lion: c9") == [
        ("move.steps", "Yellow moves from c8 to c9."),
        ("move.full", "Yellow can move only 1 space instead of 2."),
        ("move.shield", "Yellow can’t get past the shield on b8."),
        ("door.shut", "Yellow is now below door c, which is closed."),
    ]


def test_a_win_that_is_declined_by_a_walk_that_cannot_turn_back() -> None:
    assert narrate(situation(at={"lion": "a9"}, shut="c", die=3), "lion: c9") == [
        ("move.steps", "Yellow moves from a9 to c9."),
        ("move.full", "Yellow can move only 2 spaces instead of 3."),
        ("move.no-return", "Yellow may not enter a space twice."),
        (
            "move.decline",
            "Yellow chooses not to win yet.",
        ),
        ("door.shut", "Yellow is now below door c, which is closed."),
    ]


def test_a_win_for_which_tokens_would_be_needed_is_not_declined() -> None:
    state = situation(at={"lion": "b8"}, shut="a", die=1, tokens={"lion": 1})
    assert narrate(state, "lion: b9") == [("move.steps", "Yellow moves from b8 to b9.")]


def test_nowhere_to_go() -> None:
    assert narrate(walled_in(), "lion: stay") == [
        ("move.stuck", "Yellow can’t move and stays on a9."),
        ("move.shield", "Yellow can’t get past the shield on b9."),
    ]
    assert narrate(situation(3, at=walled_in_at_the_bottom(), shield="c1", die=1), "lion: stay")[0] == (
        "move.stuck",
        "Yellow can’t move and stays at the bottom.",
    )


def test_the_dragon_is_free() -> None:
    state = situation(3, at={"lion": "b8"}, shut="a", die=1, tokens={"lion": 2})
    assert said(last_move(state, "lion: door b")) == [
        ("move.door", "Yellow goes from b8 through door b to the dragon!"),
        ("token.spend", "Yellow spends 1 token (1 left)."),
        ("end.door", "The dragon is free. The game is over."),
        ("score.count", "Yellow is with the dragon: 1 point."),
        ("score.count", "Red has no points."),
        ("score.count", "Purple has no points."),
        ("score.winner", "Yellow frees the dragon and wins!"),
    ]
    assert asked(state) == ("end.door", "Game over.")


# --- Shield and door --------------------------------------------------------------------------------------------
def test_shield_and_door_are_moved() -> None:
    state = situation(at={"tower": "b9"}, shut="a", action="change")
    assert narrate(state.clone(), "lion: shield c3") == [("change.shield", "Yellow puts the shield on c3.")]
    assert narrate(state.clone(), "lion: shut c") == [("change.door", "Yellow closes door c; door a opens.")]
    assert narrate(state, "lion: shut b") == [("change.door", "Yellow closes door b and keeps Red out; door a opens.")]


def test_who_shuts_the_door_before_the_own_pawn_keeps_nobody_out() -> None:
    state = situation(at={"lion": "b9"}, shut="a", action="change")
    assert narrate(state, "lion: shut b") == [("change.door", "Yellow closes door b; door a opens.")]


def test_the_youngest_leave_everything_where_it_is() -> None:
    state = situation(action="change", youngest="everybody")
    assert narrate(state, "lion: leave it") == [("option.youngest", "Yellow changes nothing.")]


# --- The rock ---------------------------------------------------------------------------------------------------
def crowded(shield: str = "c1", tower: str = "a1", star: str = "b1") -> State:
    """On a stair there is no room left; the Lion stands above it."""
    return situation(3, at={"lion": "b7", "tower": tower, "star": star}, shield=shield, action="rock")


def test_a_rock_that_nobody_has_to_fear() -> None:
    assert said(last_move(situation(action="rock"), "lion: throw b")) == [
        ("rock.throw", "Yellow releases the boulder through door b."),
        ("rock.fall", "The boulder rolls to the bottom: the stairs are empty."),
        ("turn.order", "Red’s turn."),
    ]


def test_a_rock_that_rolls_straight_on_past_everybody_is_not_told() -> None:
    state = situation(3, at={"tower": "c4", "star": "a2"}, action="rock")
    assert fallen(state, "b") == [("rock.fall", "The boulder rolls to the bottom.")]


def test_a_rock_that_leaves_its_lane_just_before_a_pawn() -> None:
    state = situation(at={"tower": "b4", "lion": "a5"}, action="rock")
    assert fallen(state, "b", "bbbbbc") == [
        ("rock.fall", "The boulder bounces into lane c at step 4."),
        ("rock.pawn", "The boulder just misses Red on b4."),
        ("rock.fall", "The boulder rolls to the bottom."),
    ]


def test_a_rock_that_left_its_lane_nobody_knows_where_missed_nobody_narrowly() -> None:
    state = situation(at={"tower": "b4"}, action="rock")
    assert fallen(state, "b", "bbbbbc") == [
        ("rock.fall", "The boulder bounces into lane c at step 4."),
        ("rock.fall", "The boulder rolls to the bottom."),
    ]


def test_a_pawn_that_is_swept_to_the_floor() -> None:
    state = situation(at={"tower": "b4"}, tokens={"tower": 1}, action="rock")
    assert fallen(state, "b", tower="floor") == [
        ("rock.pawn", "The boulder hits Red on b4."),
        ("rock.pawn", "Red falls to the bottom."),
        ("rock.fall", "The boulder rolls to the bottom."),
        ("token.earn", "Red gets a token (now 2)."),
    ]


def test_nobody_gets_a_fourth_token() -> None:
    state = situation(at={"tower": "b4"}, tokens={"tower": 3}, action="rock")
    assert fallen(state, "b", tower="floor")[-1] == (
        "token.three",
        "Red already has three tokens.",
    )


def test_the_rock_changes_lanes() -> None:
    state = situation(at={"tower": "a6", "lion": "c2"}, action="rock")
    assert fallen(state, "b", "bbba", tower="b3") == [
        ("rock.fall", "The boulder bounces into lane a at step 6."),
        ("rock.pawn", "The boulder hits Red on a6."),
        ("rock.pawn", "Red falls to b3."),
        ("rock.fall", "The boulder rolls to the bottom."),
        ("right.own", "Red gets up on b3."),
    ]


def test_pawns_that_stand_in_the_way_and_beside_it() -> None:
    state = situation(at={"tower": "b6", "lion": "c5"}, action="rock")
    assert fallen(state, "b", lion="c5") == [
        ("rock.pawn", "Red stands firm on b6, right in the boulder’s way."),
        ("rock.pawn", "The boulder bounces and knocks Yellow over on c5."),
        ("rock.pawn", "Yellow falls over on c5."),
        ("rock.fall", "The boulder rolls to the bottom."),
        ("right.own", "Yellow gets up and stays on c5."),
    ]


def test_the_shield_turns_the_rock_aside_and_shelters() -> None:
    state = situation(at={"tower": "b4", "lion": "b2", "star": "a6"}, players=3, shield="b5", action="rock")
    assert fallen(state.clone(), "b", "bbbbc")[:2] == [
        ("rock.shield", "The shield on b5 turns the boulder aside into lane c."),
        ("rock.shield", "Red is safe on b4, behind the shield."),
    ]
    further = situation(at={"tower": "b4", "lion": "b2"}, shield="b5", action="rock")
    assert fallen(further.clone(), "b", "bbbbc")[0] == (
        "rock.shield",
        "The boulder reaches the shield on b5 and rolls on in lane c.",
    )
    assert fallen(further, "c", "ccccb")[:2] == [
        ("rock.shield", "The boulder jumps over the shield on b5."),
        ("rock.pawn", "Red stands firm on b4, right in the boulder’s way."),
    ]
    assert fallen(state.clone(), "b", tower="floor")[:2] == [
        ("rock.shield", "The boulder jumps over the shield on b5."),
        ("rock.pawn", "The boulder hits Red on b4."),
    ]
    assert fallen(state, "b", "bbbb-") == [
        ("rock.shield", "The shield on b5 stops the boulder."),
    ]


def test_a_pawn_may_topple_although_the_rock_is_gone() -> None:
    state = situation(at={"tower": "b8", "lion": "b4"}, action="rock")
    assert fallen(state, "b", "bb-", tower="b5", lion="floor") == [
        ("rock.pawn", "The boulder hits Red on b8."),
        ("rock.pawn", "Red falls to b5."),
        ("rock.gone", "The boulder stops at step 4 and is removed."),
        ("rock.pawn", "Yellow falls over on b4, although the boulder stopped higher up."),
        ("rock.pawn", "Yellow falls to the bottom."),
        ("right.own", "Red gets up on b5."),
        ("token.earn", "Yellow gets a token (now 1)."),
    ]


# --- Righting pawns ---------------------------------------------------------------------------------------------
def righted(state: State, door: str, **fates: str) -> Narration:
    """Let a rock fall, and say what follows when it has come down."""
    happened = fallen(state, door, **fates)
    return happened[happened.index(("rock.fall", "The boulder rolls to the bottom.")) + 1 :]


def test_pawns_get_up_from_the_top_down() -> None:
    state = situation(4, at={"lion": "b9", "tower": "b8", "star": "b7", "oak": "b3"}, action="rock")
    assert righted(state, "b", lion="b2", tower="a4", star="b7", oak="floor") == [
        ("right.order", "Fallen pawns get up, starting from the top step."),
        ("right.own", "Purple gets up and stays on b7."),
        ("right.own", "Red gets up on a4."),
        ("right.own", "Yellow gets up on b2."),
        ("token.earn", "Green gets a token (now 1)."),
    ]


def test_a_pawn_gets_up_beside_a_spot_that_is_taken() -> None:
    state = situation(at={"lion": "b7", "tower": "b4"}, action="rock")
    assert righted(state, "b", lion="b4") == [("right.step", "Yellow gets up on a4, because b4 is taken.")]


def test_a_pawn_gets_up_on_a_lower_stair_where_there_is_room() -> None:
    assert righted(crowded(tower="a4", star="b4", shield="c4"), "b", lion="b4") == [
        ("right.below", "Yellow gets up on b3, because step 4 is full.")
    ]
    assert righted(crowded(), "b", lion="b1") == [
        ("right.below", "Yellow goes to the bottom, because there is no free space from step 1 down."),
        ("token.earn", "Yellow gets a token (now 1)."),
    ]


# --- Before the choice ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fields", "question"),
    [
        ({"die": 2}, ("move.steps", "Move 2 spaces: choose where.")),
        (
            {"die": 1, "tokens": {"lion": 1}},
            ("token.spend", "Move 1 space. Your token adds one."),
        ),
        (
            {"die": 1, "tokens": {"lion": 2}},
            ("token.spend", "Move 1 space. Each token adds one."),
        ),
        ({"at": {"lion": "b8"}, "die": 2}, ("move.door", "Move 2 spaces: a door is in reach!")),
        (
            {"at": {"lion": "a9"}, "shield": "b9", "die": 2},
            ("move.stuck", "No move possible: stay."),
        ),
        ({"action": "change"}, ("change.must", "Move the shield or close another door.")),
        (
            {"action": "change", "youngest": "1"},
            ("option.youngest", "Move the shield or a door, or change nothing."),
        ),
        ({"action": "rock"}, ("rock.throw", "Release the boulder: choose a door.")),
    ],
)
def test_questions_to_players(fields: dict[str, Any], question: tuple[str, str]) -> None:
    assert asked(situation(**fields)) == question


def test_questions_to_chance_while_the_rock_falls() -> None:
    state = play(situation(at={"lion": "b9"}, action="rock"), "lion: throw b")
    assert asked(state) == ("rock.fall", "The boulder is rolling…")
    assert asked(play(state, "chance: rock b")) == ("rock.pawn", "The boulder is rolling…")
    assert asked(play(state, "chance: fate 2")) == (
        "rock.pawn",
        "The boulder is rolling…",
    )


def test_preview_of_walks() -> None:
    state = situation(at={"lion": "b8"}, shield="a5", shut="a", die=2)
    assert foretold(state, "lion: c9") == "below door c (open)"
    assert foretold(state, "lion: a9") == "below door a (closed)"
    assert foretold(state, "lion: door b") == "you win!"
    rich = situation(at={"lion": "b8"}, shut="a", die=1, tokens={"lion": 3})
    assert foretold(rich, "lion: door b") == "you win! (1 token)"
    assert foretold(rich, "lion: door c") == "you win! (2 tokens)"
    low = situation(at={"lion": "b2"}, shield="b5", die=1)
    assert foretold(low, "lion: b3") == "behind the shield"
    assert foretold(low, "lion: a2") is None
    assert foretold(walled_in(), "lion: stay") is None


def test_preview_of_shield_and_door() -> None:
    state = situation(3, at={"lion": "b3", "tower": "b2", "star": "c9"}, action="change", youngest="1")
    assert foretold(state, "lion: shield b4") == "shields Yellow (b3), Red (b2)"
    assert foretold(state, "lion: shield b5") == "shields Yellow (b3)"
    assert foretold(state, "lion: shield b6") is None
    assert foretold(state, "lion: shut b") == "door a opens"
    assert foretold(state, "lion: shut c") == "door a opens; blocks Purple (c9)"
    assert foretold(state, "lion: leave it") is None


def test_preview_of_the_rock() -> None:
    state = situation(3, at={"lion": "b3", "tower": "b7"}, shield="b5", action="rock")
    assert foretold(state, "lion: throw b") == "in this lane, from the top: Red (b7), shield (b5), Yellow (b3)"
    assert foretold(state, "lion: throw c") == "no one in this lane"
