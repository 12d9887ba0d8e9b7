"""Train a best response to an equilibrium bot of Dragon's Cave for two: a lower bound of its exploitability.

The bot solves every round by the values of its network, and samples from the solution. The adversary knows these
strategies and plays the best response in each round by networks of its own, one for leading the dwarves and one for
being the dragon; these learn from the outcomes, so that it can plan for any number of rounds.
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
    Rounds,
    SelfPlayTables,
    Solved,
    Transition,
    Values,
    network_values,
    solve,
    splits,
    targets,
    with_results,
)

LEADS, GUARDS = 0, 1  # the adversary's role, and the index of its share of two


def folders(place: Path) -> list[Path]:
    """Return the folders of the weights of both roles."""
    return [place / "leads", place / "guards"]


@dataclass(frozen=True)
class Plan(cave.Plan):
    """The parameters of the training."""

    rounds: int = 400
    rate: float = 1e-3
    whim: float = 0.3
    examined: int = 16_384
    """Games of an evaluation."""


class Best(NamedTuple):
    """The best response to a round: its value and its actions."""

    value: Any
    card: Any
    """Its card where it leads: of a dwarf, or the Chest, the last."""
    niche: Any
    """The card that it guards where it is the dragon."""
    split: Any
    """Coins in one fist: its own where it leads, the bot's where it is the dragon."""


def of_adversary(xp: Any, nets: list[network.Weights], ahead: Ahead, role: Any) -> Values:
    """Return the values of all that may follow, to the adversary: roles change unless a card succeeds."""
    tables, two = len(ahead.bank), xp.full(ahead.sight.shape[1], 2)
    share = xp.stack([network.shares(nets[each], ahead.sight, two, xp)[each] for each in (LEADS, GUARDS)])
    at, other = role[:, None], 1 - role
    won = (role == LEADS)[:, None]  # results are those of who led
    well = share[at, ahead.column[:, :, 0]]
    met = after_change(share[other[:, None, None], ahead.column[:, :, 1:]] - 0.5)
    bank = after_change(share[other, share.shape[1] - tables + xp.arange(tables)] - 0.5)
    sides = [with_results(xp, after, xp.nan) for after in (ahead.after[:, :, 0], ahead.after[:, :, 1:], ahead.bank)]
    over = [xp.where(side, each, 1 - each) for side, each in zip((won, won[:, :, None], won[:, 0]), sides, strict=True)]
    return Values(*(xp.where(xp.isnan(end), value, end) for end, value in zip(over, (well, met, bank), strict=True)))


def best(xp: Any, ahead: Ahead, values: Values, bot: Solved, role: Any) -> Best:
    """Return the best response to the bot's strategies."""
    split_values, leads = splits(xp, ahead.purse, values.kept), role == LEADS
    split = xp.where(leads[:, None], split_values.argmax(2), bot.split)
    met = xp.take_along_axis(split_values, split[:, :, None], 2)[:, :, 0]
    # Leading the dwarves: every card against the probability that the dragon catches it.
    laid = xp.where(ahead.possible, (1 - bot.caught) * values.well + bot.caught * met, -1)
    laid = xp.concatenate([laid, values.bank[:, None]], 1)
    # As the dragon: what the cards bring if none is caught, and the most to gain by guarding one.
    cards = xp.where(ahead.possible, bot.lay[:, :CARDS], 0)
    gain = cards * (met - values.well)
    guarded = (cards * values.well).sum(1) + bot.lay[:, CARDS] * values.bank + xp.maximum(gain.max(1), 0)
    return Best(xp.where(leads, laid.max(1), guarded), laid.argmax(1), gain.argmax(1), split)


class Turn(NamedTuple):
    """A transition with the adversary's values, and its role."""

    transition: Transition
    role: Any


class Duel(SelfPlayTables):
    """Games of the adversary against the bot."""

    def __init__(self, rounds: Rounds, tables: int, whim: float, seed: int) -> None:
        """Let the adversary lead first in every second game."""
        super().__init__(rounds, tables, whim, seed)
        self.role = self.first = self.xp.arange(tables) % 2

    def step(self, weights: network.Weights, nets: list[network.Weights]) -> Turn:
        """Play a round of every game."""
        xp, sight, role = self.xp, self.sight, self.role
        ahead = self.rounds.ahead(self.keys)
        bot = solve(xp, ahead, network_values(xp, weights, ahead))
        values = of_adversary(xp, nets, ahead, role)
        reply = best(xp, ahead, values, bot, role)
        card, outcome, straight = self._sample(ahead, bot, reply)
        then, changed, over = self.advance(ahead, values, card, outcome)
        self.role = xp.where(over, self.first, xp.where(changed, 1 - role, role))
        # The value is always the adversary's share, so no transition changes roles.
        return Turn(Transition(sight, reply.value, then, xp.zeros(self.tables, bool), over, straight), role)

    def _sample(self, ahead: Ahead, bot: Solved, reply: Best) -> tuple[Any, Any, Any]:
        """Sample a card and an outcome for every game; return where no choice was random."""
        xp, random, tables = self.xp, self.random, self.tables
        table, leads = xp.arange(tables), self.role == LEADS
        laid, _, straight = self.sampled(ahead, bot)
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
    device: Device,
    weights: network.Weights,
    plan: Plan,
    tell: Callable[[list[network.Weights], TrainingLog], None],
) -> None:
    """Train against a bot with some weights; `tell` gets the weights of both roles at every evaluation."""
    xp = device.xp
    rounds = Rounds(device, game)
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
            rate = network.learning_rate(plan.rate, plan.last_rate, number / plan.rounds)
            _learn(xp, learners, [duel.step(known, nets) for _ in range(plan.steps)], plan, rate)


def _learn(xp: Any, learners: list[network.Learner], turns: list[Turn], plan: Plan, rate: float) -> None:
    """Train each network on the targets of its role."""
    transitions = [turn.transition for turn in turns]
    wanted = xp.clip(xp.stack(targets(xp, transitions, plan.trace)), 0, 1)
    size = plan.tables // plan.blocks
    for block in range(plan.blocks):
        part = slice(block * size, (block + 1) * size)
        sight = xp.concatenate([transition.sight[:, part] for transition in transitions], 1)
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
    """Return the adversary's share of games without random choices, and half its 95 % interval.

    A game that is not over after `most` rounds counts half.
    """
    xp, duel = rounds.xp, Duel(rounds, plan.examined, 0.0, plan.seed + 1)
    won, open_games = xp.full(plan.examined, 0.5), xp.ones(plan.examined, bool)
    for _ in range(most):
        transition, _ = duel.step(weights, nets)
        won = xp.where(open_games & transition.over, transition.then, won)
        open_games &= ~transition.over
        if not bool(open_games.any()):
            break
    return float(won.mean()), float(1.96 * won.std() / plan.examined**0.5)
