"""Secrets of a game from outside, whose text, board and prompts are all generic: as in `test_secrets`, byte for byte.

Two managers hold the same table, but other seats are dealt other cards, or lay other cards face down. Whoever must not
know that is sent and answered the same bytes until the cards are shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from dracotheque import GameDefinition, State
from dracotheque.engine import registry
from dracotheque.engine.default_text import DefaultText
from dracotheque.engine.phrases import GameEvent, phrase
from dracotheque.tables import board
from dracotheque.tables import protocol as m
from dracotheque.tables.fairness import Dice
from dracotheque.tables.game_in_progress import Position
from dracotheque.tables.manager import TableManager
from dracotheque.tables.snapshot import SPECTATOR
from tests.plugins import ROOT
from tests.server.test_secrets import Count, Side, compare, leak_everything, two_houses

PAIRS = 30
CARDS, VALUES = 3, 6
Deals = tuple[list[int], list[int]]


@pytest.fixture
def bluff(monkeypatch: pytest.MonkeyPatch) -> GameDefinition:
    """Register the game for one test."""
    monkeypatch.syspath_prepend(ROOT / "tests" / "hoard-bluff")
    game: GameDefinition = import_module("hoard_bluff").GAME
    monkeypatch.setattr(registry, "_games", {**registry.games(), game.name: game})
    return game


def two_deals(players: int, chance: Random) -> Deals:
    """Deal twice: seat 0 has the same cards, the other seats have different ones where they can."""
    deck = [value for value in range(VALUES) for _ in range(2)]
    first = chance.sample(deck, CARDS * players)
    rest = list(deck)
    for card in first[::players]:
        rest.remove(card)
    other = chance.sample(rest, len(rest))
    return first, [first[at] if at % players == 0 else other.pop() for at in range(CARDS * players)]


async def open_pair(houses: tuple[TableManager, TableManager], game: str, deals: Deals, chance: Random) -> list[Side]:
    """Begin one table in two houses, with another deal in each."""
    one, other = houses
    players = len(deals[0]) // CARDS
    guests = [chance.randbytes(16).hex() for _ in range(players)]
    seats = [m.SeatRequest("me"), *[m.SeatRequest("open")] * (players - 1)]
    table = await one.open(guests[0], m.CreateTable(game, seats), "Ann")
    for guest in guests[1:-1]:
        await one.sit(table, guest, m.TakeSeat(), "Ben", lambda seat: False)
    await other.store.restore([record async for record in one.store.export(table)])
    for house, deal in zip(houses, deals, strict=True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Dice, "outcome", dealing(iter(deal)))
            await house.sit(table, guests[-1], m.TakeSeat(), "Cem", lambda seat: False)
    return [await Side.watched(house, table, guests) for house in houses]


def dealing(cards: Iterator[int]) -> Callable[[Dice, State], int]:
    """Let chance bring certain cards."""
    return lambda dice, state: next(cards)


async def play_pairs(folder: Path, game: str) -> Count:
    """Compare what seat 0 and spectators are sent, until the last card of a round has to be laid."""
    count, chance = Count(), Random(5)
    async with two_houses(folder) as houses:
        for _ in range(PAIRS):
            players = chance.choice([2, 3])
            sides = await open_pair(houses, game, two_deals(players, chance), chance)
            await compare_all(sides, count)
            for seat in range(players - 1):
                for side in sides:
                    mine = side.state.legal_actions(seat)
                    await side.choose(seat, mine[0] if seat == 0 else chance.choice(mine))
                await compare_all(sides, count)
            for side in sides:
                await side.choose(players - 1, chance.choice(side.state.legal_actions(players - 1)))
            count.revealed += sides[0].heard[0][-1] != sides[1].heard[0][-1]
            count.pairs += 1
    return count


async def compare_all(sides: list[Side], count: Count) -> None:
    """Seat 0 and spectators have received the same, and are answered the same."""
    looks = [0, SPECTATOR]
    compare(sides, looks, count)
    for look in looks:
        answers = [await side.pry(look, 1) for side in sides]
        assert answers[0] == answers[1]
        count.answers += len(answers[0])


def test_other_cards_in_other_hands_look_the_same(bluff: GameDefinition, tmp_path: Path) -> None:
    count = asyncio.run(play_pairs(tmp_path, bluff.name))
    assert count.pairs == PAIRS
    assert count.answers > 20 * PAIRS
    assert count.revealed > PAIRS / 2, "what was different comes to light, so it would have been noticed"


def leak_into_news(patch: pytest.MonkeyPatch) -> None:
    """Tell what is chosen in secret as any other choice."""
    patch.setattr(DefaultText, "_choice", lambda text, before, seat, action, after: tattle(text, seat, action))


def tattle(text: DefaultText, seat: int, action: int) -> GameEvent:
    """Name an action."""
    return GameEvent("choose.secret", phrase("generic.chooses", seat=seat, action=text.rules.ACTION_NAMES[action]))


def leak_into_the_board(patch: pytest.MonkeyPatch) -> None:
    """Show everybody the holdings of each seat, whoever looks."""
    honest = board.make_board

    def told(position: Position, viewpoint: int) -> m.BoardState:
        made = honest(position, viewpoint)
        return m.BoardState(made.pieces, board.board_of(position.state.game, position.plain, viewpoint).holdings)

    patch.setattr(board, "make_board", told)


@pytest.mark.parametrize("leak", [leak_everything, leak_into_news, leak_into_the_board])
def test_a_leak_is_found(leak: Callable[[pytest.MonkeyPatch], None], bluff: GameDefinition, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        with pytest.raises(AssertionError):
            asyncio.run(play_pairs(tmp_path, bluff.name))
