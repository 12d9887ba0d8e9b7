"""The layout of every game's tensor: its parts tile the tensor, and each says what it is a picture of."""

from __future__ import annotations

import copy
import itertools
import re
from random import Random
from typing import Any

import pytest
from tools import tensor_tables

from dracotheque import TensorPart, load_game
from dracotheque.engine import registry
from dracotheque.engine.game import Game
from tests.engine import toy
from tests.test_docs import text

SEEN: dict[str, dict[str, str]] = {
    "emerald": {
        "to_move": "colours.to_move",
        "phase": "colours.captured colours.captured_moved phase",
        "second_move": "second_move",
        "active": "colours.active",
        "moves": "moves",
        "took": "took",
        "colour": "colours.moved colours.ransomed",
        "moved": "colours.moved",
        "victim": "colours.captured",
        "victim_moved": "colours.captured_moved",
        "dealt": "dealt",
        "dragon": "dragon",
        "facing": "faces_lair",
        "rod": "rod",
        "treasures_left": "treasures_left",
        "four_gems": "colours.four_gems",
        "knights": "colours.chamber colours.nest colours.road",
        "pile": "caves.gems caves.gold caves.top_gem caves.top_gold",
        "top": "caves.top_gem caves.top_gold",
        "unseen": "unseen_gems unseen_gold",
        "gems": "colours.gems",
        "gold": "colours.gold",
        "treasures": "colours.treasures",
        "ransomed": "colours.ransomed",
    },
    "dragons-cave": {
        "to_move": "seats.may_act",
        "phase": "phase seats.guessed seats.may_act",
        "dragon_seat": "seats.dragon seats.may_act",
        "dragon": "dragon",
        "named": "second_dwarf",
        "guessing": "seats.guessed",
        "treasure": "treasure",
        "hand": "seats.hand",
        "card": "seats.card seats.may_act",
        "left": "seats.left_fist seats.may_act seats.splits",
        "purse": "seats.purse",
        "chest": "seats.chest",
        "place": "dwarves.niche dwarves.progress dwarves.space",
    },
    "gran": {
        "stones": "points.stone",
        "to_move": "seats.may_act",
        "phase": "phase",
        "target": "seals_wanted",
        "active": "seats.active",
        "origin": "points.origin",
        "flies": "flies",
        "victim": "seats.attacked",
        "strength": "strength",
        "lifted": "points.lifted",
        "ring": "points.ring",
        "bearer": "seats.ring",
        "reserve": "reserve",
        "waiting": "seats.waiting",
        "collared": "seats.collar",
        "deck": "deck",
        "place": "points.knights",
        "amulets": "seats.amulets",
        "seals": "seats.seals",
        "cut_off": "cut_off",
    },
    "save-the-dragon": {
        "to_move": "seats.may_act",
        "phase": "phase",
        "youngest": "seats.youngest",
        "active": "seats.active",
        "die": "die",
        "shield": "shield",
        "shut": "shut",
        "step": "step",
        "down": "down",
        "above": "above",
        "lane": "lane",
        "course": "course",
        "hit": "seats.hit",
        "depth": "depth",
        "place": "seats.place",
        "fate": "seats.fate",
        "tokens": "seats.tokens",
    },
}
"""For each game the parts that each field of the record can change; a field that is not here changes none."""

RARE = {"emerald": ("ransomed", 3), "gran": ("cut_off", 2)}
"""What random games hardly ever come to."""


@pytest.mark.parametrize("name", registry.games())
def test_the_parts_tile_the_tensor(name: str) -> None:
    game = load_game(name, interpreted=True)
    at, parts = 0, game.observation_layout()
    for part in parts:
        assert (part.offset, part.length > 0) == (at, True), part
        at += part.length
    assert at == game.observation_tensor_size()
    assert len({part.name for part in parts}) == len(parts)
    assert all(part.meaning and re.fullmatch(r"[a-z_]+(\[\d+\]\.[a-z_]+)?", part.name) for part in parts)


def positions(name: str) -> list[Any]:
    """Return positions of random games of every number of players, with options drawn by lot."""
    definition, random, found = registry.games()[name], Random(1), []
    for players in range(definition.min_players, definition.max_players + 1):
        for _ in range(8):
            options: dict[str, Any] = {
                key: random.choice(each.known(players)) for key, each in definition.options.items()
            }
            state = load_game(name, players, interpreted=True, **options).new_initial_state()
            while not state.is_terminal() and state.move_number() < 600:
                if random.random() < 0.3:
                    found.append(state.to_plain())
                if state.is_chance_node():
                    state.apply_action(state.sample_chance(random))
                else:
                    seats = [seat for seat in range(players) if state.legal_actions(seat)]
                    seat = random.choice(seats)
                    state.apply_action(random.choice(state.legal_actions(seat)), seat)
            found.append(state.to_plain())
    return found


def numbers(game: Game, table: Any, viewer: int) -> list[float]:
    out = [0.0] * game.observation_tensor_size()
    game.rules.observation_tensor(table, viewer, out)
    return [float(number) for number in out]


def plain_name(part: TensorPart) -> str:
    return re.sub(r"\[\d+\]", "", part.name)


@pytest.mark.parametrize("name", registry.games())
def test_a_field_changes_its_own_parts_alone(name: str) -> None:
    """Fields of other positions are put into a position, one at a time."""
    game, random = load_game(name, interpreted=True), Random(2)
    part_at = [plain_name(part) for part in game.observation_layout() for _ in range(part.length)]
    tables = positions(name)
    for table in random.sample(tables, len(tables) // 5) if name in RARE else []:
        setattr(table, *RARE[name])
    changed: dict[str, set[str]] = {field: set() for field in game.runtime.fields}
    for one, other in itertools.product(random.sample(tables, 80), random.sample(tables, 40)):
        if one.players != other.players:
            continue
        viewer = random.randrange(-1, one.players)
        before = numbers(game, one, viewer)
        for field in changed:
            if (value := getattr(other, field)) == (kept := getattr(one, field)):
                continue
            setattr(one, field, copy.deepcopy(value))
            after = numbers(game, one, viewer)
            setattr(one, field, kept)
            changed[field] |= {part for part, a, b in zip(part_at, before, after, strict=True) if a != b}
    assert {field: " ".join(sorted(parts)) for field, parts in changed.items() if parts} == SEEN[name]
    touched = {part for parts in changed.values() for part in parts}
    assert set(part_at) - touched == {"players"}  # tables of as many players were compared


def test_a_game_that_declares_no_layout_has_one_part() -> None:
    game = Game(toy.GAME, 2, {}, interpreted=True)
    assert [part[:3] for part in game.observation_layout()] == [("observation", 0, 3)]


def test_the_tables_of_the_page_are_those_of_the_games() -> None:
    page = text("docs/reference/engine.md")
    assert tensor_tables.with_tables(page) == page
