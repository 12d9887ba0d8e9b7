"""Learning to beat a bot that mixes in Dragon's Cave for two, knowing how it mixes: a measure of what it gives away.

The bot solves every round by what its network thinks of what follows, and draws lots. An adversary that knows the
mixtures takes in each round what brings most by networks of its own, one for when it leads the dwarves and one for when
it is the dragon; these learn from what came of it, so that it may plan for as many rounds as it likes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from dracotheque.engine.game import Game
from dracotheque.engine.value_network import MOST_SEATS
from dracotheque.games.dragons_cave.equilibrium.encoding import after_change
from dracotheque.games.dragons_cave.rules.state import KINDS
from dracotheque.training import network
from dracotheque.training.metrics import TrainingLog
from dracotheque.training.self_play import Device
from research.training import cave
from research.training.cave import (
    CARDS,
    Ahead,
    Club,
    Lesson,
    Rounds,
    Solved,
    Worth,
    ended,
    judged,
    solve,
    splits,
    targets,
)

LEADS, GUARDS = 0, 1  # what the adversary does, and which share of two is its own


def folders(place: Path) -> list[Path]:
    """Say where what was learned in either role is kept."""
    return [place / "leads", place / "guards"]


@dataclass(frozen=True)
class Plan(cave.Plan):
    """How long and how one learns."""

    rounds: int = 400
    rate: float = 1e-3
    whim: float = 0.3
    examined: int = 16_384
    """Games of an examination."""


class Best(NamedTuple):
    """What the adversary can have of a round, and how."""

    value: Any
    card: Any
    """What it lays where it leads: a card of a dwarf, or the Chest, the last."""
    niche: Any
    """Which card it waits for where it is the dragon."""
    split: Any
    """Coins in one fist: its own where it leads, the bot's where it is the dragon."""


def of_adversary(xp: Any, nets: list[network.Weights], ahead: Ahead, role: Any) -> Worth:
    """Say what all that may follow is worth to the adversary: roles stay where a card goes well, and change else."""
    tables, two = len(ahead.bank), xp.full(ahead.sight.shape[1], 2)
    share = xp.stack([network.shares(nets[each], ahead.sight, two, xp)[each] for each in (LEADS, GUARDS)])
    at, other = role[:, None], 1 - role
    won = (role == LEADS)[:, None]  # the end of a game is told from the side of who led
    well = share[at, ahead.column[:, :, 0]]
    met = after_change(share[other[:, None, None], ahead.column[:, :, 1:]] - 0.5)
    bank = after_change(share[other, share.shape[1] - tables + xp.arange(tables)] - 0.5)
    sides = [ended(xp, after, xp.nan) for after in (ahead.after[:, :, 0], ahead.after[:, :, 1:], ahead.bank)]
    over = [xp.where(side, each, 1 - each) for side, each in zip((won, won[:, :, None], won[:, 0]), sides, strict=True)]
    return Worth(*(xp.where(xp.isnan(end), worth, end) for end, worth in zip(over, (well, met, bank), strict=True)))


def best(xp: Any, ahead: Ahead, worth: Worth, bot: Solved, role: Any) -> Best:
    """Find the best reply to how the bot mixes."""
    tossed, leads = splits(xp, ahead.purse, worth.kept), role == LEADS
    split = xp.where(leads[:, None], tossed.argmax(2), bot.split)
    met = xp.take_along_axis(tossed, split[:, :, None], 2)[:, :, 0]
    # Leading the dwarves: every card against the dragon's chances to meet it.
    laid = xp.where(ahead.possible, (1 - bot.caught) * worth.well + bot.caught * met, -1)
    laid = xp.concatenate([laid, worth.bank[:, None]], 1)
    # As the dragon: what the cards bring if none is met, and what most is to be had by waiting for one.
    cards = xp.where(ahead.possible, bot.lay[:, :CARDS], 0)
    gain = cards * (met - worth.well)
    guarded = (cards * worth.well).sum(1) + bot.lay[:, CARDS] * worth.bank + xp.maximum(gain.max(1), 0)
    return Best(xp.where(leads, laid.max(1), guarded), laid.argmax(1), gain.argmax(1), split)


class Turn(NamedTuple):
    """What came of a step, as the adversary has it, and what its role was."""

    lesson: Lesson
    role: Any


class Duel(Club):
    """Tables at which the adversary plays the bot."""

    def __init__(self, rounds: Rounds, tables: int, whim: float, seed: int) -> None:
        """Let the adversary lead first at every second table."""
        super().__init__(rounds, tables, whim, seed)
        self.role = self.first = self.xp.arange(tables) % 2

    def step(self, weights: network.Weights, nets: list[network.Weights]) -> Turn:
        """Play a round at every table."""
        xp, sight, role = self.xp, self.sight, self.role
        ahead = self.rounds.ahead(self.keys)
        bot = solve(xp, ahead, judged(xp, weights, ahead))
        worth = of_adversary(xp, nets, ahead, role)
        reply = best(xp, ahead, worth, bot, role)
        card, way, straight = self._drawn(ahead, bot, reply)
        then, changed, over = self.go_on(ahead, worth, card, way)
        self.role = xp.where(over, self.first, xp.where(changed, 1 - role, role))
        # Whoever leads next: what is counted is the adversary's share all along.
        return Turn(Lesson(sight, reply.value, then, xp.zeros(self.tables, bool), over, straight), role)

    def _drawn(self, ahead: Ahead, bot: Solved, reply: Best) -> tuple[Any, Any, Any]:
        """Draw a card and a way for every table, the bot by lot, the adversary its best; say where none had a whim."""
        xp, random, tables = self.xp, self.random, self.tables
        table, leads = xp.arange(tables), self.role == LEADS
        laid, _, straight = self.picked(ahead, bot)
        whim = random.random(tables) < self.whim
        card = xp.where(leads & ~whim, reply.card, laid)
        dwarf = xp.minimum(card, CARDS - 1)
        waits = xp.where(whim, 1 / KINDS, dwarf % KINDS == reply.niche % KINDS)
        met = random.random(tables) < xp.where(leads, bot.caught[table, dwarf], waits)
        split = reply.split[table, dwarf]
        lost = xp.where(random.random(tables) < 0.5, split, ahead.purse - split)
        return card, xp.where(met, 1 + lost, 0), straight & ~whim


def learn(
    game: Game,
    machine: Device,
    weights: network.Weights,
    plan: Plan,
    tell: Callable[[list[network.Weights], TrainingLog], None],
) -> None:
    """Learn to beat a bot that goes by some weights; `tell` hears at every examination what is known in either role."""
    xp = machine.xp
    rounds = Rounds(machine, game)
    known = network.as_columns(weights, xp)
    duel = Duel(rounds, plan.tables, plan.whim, plan.seed)
    learners = [network.Learner({name: each.copy() for name, each in known.items()}, xp) for _ in range(2)]
    curve = TrainingLog()
    for number in range(plan.rounds + 1):
        nets = [each.weights for each in learners]
        if number % plan.examine == 0 or number == plan.rounds:
            wins, error = examine(rounds, known, nets, plan)
            curve.rows.append({"round": float(number), "wins": wins, "error": error})
            tell(nets, curve)
        if number < plan.rounds:
            rate = network.slowed(plan.rate, plan.last_rate, number / plan.rounds)
            _learn(xp, learners, [duel.step(known, nets) for _ in range(plan.steps)], plan, rate)


def _learn(xp: Any, learners: list[network.Learner], turns: list[Turn], plan: Plan, rate: float) -> None:
    """Come nearer to what was found, each network where the adversary had its role."""
    lessons = [turn.lesson for turn in turns]
    wanted = xp.clip(xp.stack(targets(xp, lessons, plan.trace)), 0, 1)
    size = plan.tables // plan.blocks
    for block in range(plan.blocks):
        part = slice(block * size, (block + 1) * size)
        sight = xp.concatenate([lesson.sight[:, part] for lesson in lessons], 1)
        role = xp.concatenate([turn.role[part] for turn in turns])
        share = wanted[:, part].reshape(-1)
        for each, learner in enumerate(learners):
            mine = role == each
            target = xp.zeros((MOST_SEATS, int(mine.sum())), xp.float32)
            target[each], target[1 - each] = share[mine], 1 - share[mine]
            learner.learn(sight[:, mine], xp.full(target.shape[1], 2), target, rate)


def examine(
    rounds: Rounds, weights: network.Weights, nets: list[network.Weights], plan: Plan, most: int = 2_000
) -> tuple[float, float]:
    """Let the adversary play games without whims: how many it wins, and half the 95 % interval.

    A game that is not over after so many rounds counts half.
    """
    xp, duel = rounds.xp, Duel(rounds, plan.examined, 0.0, plan.seed + 1)
    won, open_games = xp.full(plan.examined, 0.5), xp.ones(plan.examined, bool)
    for _ in range(most):
        lesson, _ = duel.step(weights, nets)
        won = xp.where(open_games & lesson.over, lesson.then, won)
        open_games &= ~lesson.over
        if not bool(open_games.any()):
            break
    return float(won.mean()), float(1.96 * won.std() / plan.examined**0.5)
