"""The functions that every game's rules have: each call goes to the rules of the state that it is given.

Interpreted, the state knows its rules; compiled (`jit.numba_dispatch`), the type of the record decides, at no cost.
"""

from __future__ import annotations

from typing import Any

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4
"""What `to_move` answers where it is no single seat's turn (OpenSpiel's numbers)."""

REFUSED, IMPOSSIBLE = 1000, 1999
"""What `jit.operations.step` answers to an illegal action (REFUSED + the rule's number) or an impossible outcome."""


def setup(game: Any) -> None:
    """Set up a new game; the record already has the number of players and the options."""
    game._rules.setup(game)


def to_move(game: Any) -> int:
    """Return whose choice is next: a seat, CHANCE, SIMULTANEOUS or TERMINAL."""
    return game._rules.to_move(game)


def may_act(game: Any, seat: int) -> bool:
    """Return whether a seat has a choice to make now."""
    return game._rules.may_act(game, seat)


def legal_actions(game: Any, seat: int, out: Any) -> int:
    """Write a seat's legal actions to `out`, in rising order, and say how many there are."""
    return game._rules.legal_actions(game, seat, out)


def chance_outcomes(game: Any, out: Any, weights: Any) -> int:
    """Write what chance may bring to `out` with whole-number weights, and say how many there are."""
    return game._rules.chance_outcomes(game, out, weights)


def refusal(game: Any, seat: int, action: int) -> int:
    """Return the number of the rule that forbids a seat this action, or 0."""
    return game._rules.refusal(game, seat, action)


def apply_action(game: Any, seat: int, action: int) -> None:
    """Carry out a legal action of a seat."""
    game._rules.apply_action(game, seat, action)


def apply_chance(game: Any, outcome: int) -> None:
    """Carry out what chance brought."""
    game._rules.apply_chance(game, outcome)


def play_chance(game: Any, workspace: Any) -> None:
    """Draw what chance brings from the workspace's stream, as `chance_outcomes` lists it, and carry it out."""
    game._rules.play_chance(game, workspace)


def sample_action(game: Any, seat: int, workspace: Any) -> int:
    """Draw one of the actions that `legal_actions` lists, each as likely, from the workspace's stream."""
    return game._rules.sample_action(game, seat, workspace)


def scores(game: Any, out: Any) -> None:
    """Write each seat's points to `out`."""
    game._rules.scores(game, out)


def winners(game: Any, points: Any, out: Any) -> None:
    """Write 1 for each seat that shares the victory to `out`, 0 for the others, given the points of all seats."""
    game._rules.winners(game, points, out)


def ending(game: Any) -> int:
    """Return how the game ended, as an index into the game's endings."""
    return game._rules.ending(game)


def observe(game: Any, viewer: int) -> None:
    """Remove from the state what a viewer (a seat, or -1 for a spectator) cannot know."""
    game._rules.observe(game, viewer)


def determinize(game: Any, viewer: int, stream: Any) -> None:
    """Fill in at random what an observation lacks."""
    game._rules.determinize(game, viewer, stream)


def observation_tensor(game: Any, viewer: int, out: Any) -> None:
    """Write a viewer's observation to `out` as numbers between 0 and 1, the viewer's seat first."""
    game._rules.observation_tensor(game, viewer, out)


def withdraw_sealed(game: Any, viewer: int) -> None:
    """Let others who have sealed what a viewer cannot know choose again, from what that viewer sees."""
    game._rules.withdraw_sealed(game, viewer)


def turn_seat(game: Any) -> int:
    """Return the seat whose turn it is, also while another seat has to choose."""
    return game._rules.turn_seat(game)


def action_heuristic(game: Any, seat: int, action: int) -> int:
    """Return how much a good player likes a legal choice, from 0 to 1,000,000, knowing only what the seat may know."""
    return game._rules.action_heuristic(game, seat, action)


def state_heuristic(game: Any, seat: int) -> int:
    """Return how well a seat stands, from 0 to 1,000, as far as that seat may know."""
    return game._rules.state_heuristic(game, seat)


def evaluate(game: Any, evaluator: Any, shares: Any) -> None:
    """Write the evaluator's expected share of the victory of each seat, in parts of a million.

    Only games with an `Evaluator` have this function.
    """
    game._rules.evaluate(game, evaluator, shares)


RULE_FUNCTIONS = (
    setup, to_move, may_act, legal_actions, chance_outcomes, refusal, apply_action, apply_chance, play_chance,
    sample_action, scores, winners, ending, observe, determinize, withdraw_sealed, observation_tensor, turn_seat,
    action_heuristic, state_heuristic, evaluate,
)  # fmt: skip
