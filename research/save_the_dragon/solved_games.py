"""Games of the Oracle against everybody: every choice in them, and what it costs against the best one."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

from dracotheque.bots import make_bot
from dracotheque.bots.player_view import Bot, PlayerView, player_view
from dracotheque.engine.registry import load_game
from dracotheque.games.save_the_dragon.rules.state import CHANGE, THROW, WALK
from dracotheque.games.save_the_dragon.tablebase.bot import TablebaseBot
from dracotheque.simulation.progress import bar
from research.shared.study import Store

RIVALS = ("oracle", "dragon", "knight", "squire")
QUESTIONS = {WALK: "a walk", CHANGE: "shield or door", THROW: "the rock"}
BLOCK = 25  # pairs of games that are kept together


class Chosen(NamedTuple):
    """A choice: what was asked, what it costs against the best one, and the whole position."""

    phase: int
    cost: float
    action: int
    seat: int
    places: tuple[int, int]
    tokens: tuple[int, int]
    shield: int
    shut: int
    die: int

    @property
    def mine(self) -> int:
        """The place of who chooses."""
        return self.places[self.seat]

    @property
    def theirs(self) -> int:
        """The place of the other."""
        return self.places[1 - self.seat]


class Pair(NamedTuple):
    """Two games, the Oracle once on either seat: how many it won, how many who began did, and what both chose."""

    won: int
    begun: int
    turns: int
    oracle: list[Chosen]
    rival: list[Chosen]

    @classmethod
    def read(cls, kept: Any) -> Pair:
        """Read a pair as it was kept."""
        won, begun, turns, oracle, rival = kept
        return cls(won, begun, turns, [chosen(each) for each in oracle], [chosen(each) for each in rival])


def chosen(kept: Any) -> Chosen:
    """Read a choice as it was kept."""
    phase, cost, action, seat, places, tokens, shield, shut, die = kept
    return Chosen(phase, cost, action, seat, tuple(places), tuple(tokens), shield, shut, die)


# --- Playing --------------------------------------------------------------------------------------------------------
def play(job: tuple[str, int]) -> Pair:
    """Play a pair of games, each with dice of its own."""
    rival, number = job
    game = load_game("save-the-dragon", players=2)
    won, begun, turns, oracle, others = 0, 0, 0, list[Chosen](), list[Chosen]()
    for seat in range(2):
        seed = 2 * number + seat
        bots = [make_bot("oracle" if each == seat else rival, 2 * seed + each, game) for each in range(2)]
        winner, first, found = one_game(bots, random.Random(seed))
        won, begun = won + (winner == seat), begun + (winner == first)
        turns += sum(each.phase == WALK for each, _ in found)
        oracle += [each for each, free in found if free and each.seat == seat]
        others += [each for each, free in found if free and each.seat != seat]
    return Pair(won, begun, turns, oracle, others)


def one_game(bots: Sequence[Bot], chance: random.Random) -> tuple[int, int, list[tuple[Chosen, bool]]]:
    """Play a game: who won, who began, and every choice, with whether there was another."""
    state, judge = load_game("save-the-dragon", players=2).new_initial_state(), TablebaseBot(0)
    found = list[tuple[Chosen, bool]]()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        shown = player_view(state, state.current_player())
        action = bots[shown.seat].choose(shown)
        found.append((noted(judge, shown, action), len(shown.legal_actions) > 1))
        state.apply_action(action)
    return state.winners()[0], found[0][0].seat, found


def noted(judge: TablebaseBot, shown: PlayerView, action: int) -> Chosen:
    """Note a choice and what it costs."""
    at, chances = shown.state, judge.values(shown)
    return Chosen(
        at.phase, round(max(chances.values()) - chances[action], 6), action, shown.seat,
        tuple(at.place[:2]), tuple(at.tokens[:2]), at.shield, at.shut, at.die,
    )  # fmt: skip


def measured(store: Store, games: int, processes: int) -> dict[str, list[Pair]]:
    """Play against every rival what has not been played yet, and keep it block by block."""
    blocks = [(rival, first) for rival in RIVALS for first in range(0, games // 2, BLOCK)]
    missing = [block for block in blocks if name(block) not in store.done]
    with ProcessPoolExecutor(processes) as pool, bar(len(missing) * BLOCK, "pairs of games") as tell:
        for rival, first in missing:
            with store.timed():
                pairs = list(pool.map(play, [(rival, number) for number in range(first, first + BLOCK)]))
            store.keep(name((rival, first)), pairs)
            tell(BLOCK)
    found = {rival: list[Pair]() for rival in RIVALS}
    for rival, first in blocks:
        found[rival] += map(Pair.read, store.done[name((rival, first))])
    return found


def name(block: tuple[str, int]) -> str:
    """Say which games a block has."""
    return f"{block[0]} from {block[1]}"


# --- Means with their intervals ---------------------------------------------------------------------------------------
def ratio(parts: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """A mean over everything in independent parts, given as (sum, count), and half its 95 % interval."""
    total, count = sum(part for part, _ in parts), sum(number for _, number in parts)
    mean = total / count
    spread = sum((part - mean * number) ** 2 for part, number in parts)
    return mean, 1.96 * math.sqrt(spread) / count


def cost(pairs: Iterable[Pair], phases: Iterable[int] = tuple(QUESTIONS)) -> tuple[float, float]:
    """The mean cost of a rival's choices, and half its interval."""
    wanted = set(phases)
    sums = [[each.cost for each in pair.rival if each.phase in wanted] for pair in pairs]
    return ratio([(sum(found), len(found)) for found in sums])


def points(mean: float, half: float, digits: int = 2) -> str:
    """Write a mean as points of 100 with its interval."""
    return f"{100 * mean:.{digits}f} ± {100 * half:.{digits}f}"
