"""The words every game answers to: each call goes to the rules of the game whose state it is given.

Interpreted, the state knows its rules; compiled, the record's type decides while compiling (`native`), at no cost.
"""

from __future__ import annotations

from typing import Any

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4
"""What `to_move` answers where it is no single seat's turn (OpenSpiel's numbers)."""

REFUSED, IMPOSSIBLE = 1000, 1999
"""What `entry.step` answers to an illegal action (REFUSED + the rule's number) or an impossible outcome."""


def setup(game: Any) -> None:
    """Lay out a new game; the number of players and the options already stand in the record."""
    game._rules.setup(game)


def to_move(game: Any) -> int:
    """Say whose choice is next: a seat, CHANCE, SIMULTANEOUS or TERMINAL."""
    return game._rules.to_move(game)


def may_act(game: Any, seat: int) -> bool:
    """Say whether a seat has a choice to make now."""
    return game._rules.may_act(game, seat)


def legal_actions(game: Any, seat: int, out: Any) -> int:
    """Write a seat's legal actions to `out`, in rising order, and say how many there are."""
    return game._rules.legal_actions(game, seat, out)


def chance_outcomes(game: Any, out: Any, weights: Any) -> int:
    """Write what chance may bring to `out` with whole-number weights, and say how many there are."""
    return game._rules.chance_outcomes(game, out, weights)


def refusal(game: Any, seat: int, action: int) -> int:
    """Give the number of the rule that forbids a seat this action, or 0."""
    return game._rules.refusal(game, seat, action)


def apply(game: Any, seat: int, action: int) -> None:
    """Carry out a legal action of a seat."""
    game._rules.apply(game, seat, action)


def resolve(game: Any, outcome: int) -> None:
    """Carry out what chance brought."""
    game._rules.resolve(game, outcome)


def happen(game: Any, desk: Any) -> None:
    """Draw what chance brings from the desk's stream, as `chance_outcomes` lists it, and carry it out."""
    game._rules.happen(game, desk)


def choose(game: Any, seat: int, desk: Any) -> int:
    """Draw one of the actions that `legal_actions` lists, each as likely, from the desk's stream."""
    return game._rules.choose(game, seat, desk)


def scores(game: Any, out: Any) -> None:
    """Write each seat's points to `out`."""
    game._rules.scores(game, out)


def winners(game: Any, points: Any, out: Any) -> None:
    """Write 1 for each seat that shares the victory to `out`, 0 for the others, given everybody's points."""
    game._rules.winners(game, points, out)


def ending(game: Any) -> int:
    """Say how the game ended, as an index into the game's endings."""
    return game._rules.ending(game)


def observe(game: Any, viewer: int) -> None:
    """Remove from the state what a viewer (a seat, or -1 for a spectator) cannot know."""
    game._rules.observe(game, viewer)


def imagine(game: Any, viewer: int, stream: Any) -> None:
    """Fill in at random what an observation lacks."""
    game._rules.imagine(game, viewer, stream)


def tensor(game: Any, viewer: int, out: Any) -> None:
    """Write a viewer's observation to `out` as numbers between 0 and 1, the viewer's seat first."""
    game._rules.tensor(game, viewer, out)


def reopen(game: Any, viewer: int) -> None:
    """Let others who have sealed what a viewer cannot know choose again, from what that viewer sees."""
    game._rules.reopen(game, viewer)


def worth(game: Any, seat: int, action: int) -> int:
    """Say how much a good player likes a legal choice, from 0 to 1,000,000, knowing only what the seat may know."""
    return game._rules.worth(game, seat, action)


def outlook(game: Any, seat: int) -> int:
    """Say how well a seat stands, from 0 to 1,000, as far as that seat may know."""
    return game._rules.outlook(game, seat)


def expect(game: Any, mind: Any, shares: Any) -> None:
    """Write what share of the victory each seat may expect, in parts of a million, as what was learned or solved says.

    Only games with a `Mind` answer to this word.
    """
    game._rules.expect(game, mind, shares)


WORDS = (
    setup, to_move, may_act, legal_actions, chance_outcomes, refusal, apply, resolve,
    happen, choose, scores, winners, ending, observe, imagine, reopen, tensor, worth, outlook, expect,
)  # fmt: skip
