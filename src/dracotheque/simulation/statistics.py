"""Statistics of deals: shares of wins with their intervals, and ratings (Plackett–Luce)."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np

from dracotheque.simulation.simulate import Z95, wilson

Array = np.ndarray[Any, Any]

MEAN = 1500  # the mean rating of a field
SAMPLES = 200  # bootstrap samples behind the interval of a rating
HALF_A_TIE = 0.5  # games
SURE = 2 * Z95**2  # virtual games that lift a bot without a win to about the upper end of Wilson's interval
ROUNDS, CLOSE = 20_000, 1e-9  # when the fit of strengths ends


# --- Shares of wins ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval; None where nothing is known to that side."""

    value: float
    low: float | None
    high: float | None

    def times(self, scale: float) -> Estimate:
        """The same in another measure."""
        low, high = (None if end is None else end * scale for end in (self.low, self.high))
        return Estimate(self.value * scale, low, high)

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {key: None if end is None else round(end, 6) for key, end in asdict(self).items()}


@dataclass(frozen=True)
class Tally:
    """Wins in arrays: a line-up is a set of names that play together, in any order."""

    tables: Array
    """How many of each name each line-up has."""
    played: Array
    """In how many seatings of a deal each line-up plays."""
    won: Array
    """What each name won at each table in each deal; a shared victory counts in parts."""
    alone: Array
    """The same without shared victories."""


def share_over_deals(won: Array, played: Array) -> Estimate:
    """The share won of what was played, deal by deal, with its interval.

    Games of a deal share their dice, so only deals are independent: the standard error is the one over deals. Where
    every deal went the same way, it is zero and says nothing; Wilson's interval of as many games as deals stands in.
    """
    deals, total = len(won), float(played.sum())
    if total == 0:
        return Estimate(0.0, 0.0, 1.0)
    share = float(won.sum()) / total
    spread = won - share * played
    if deals < 2 or not np.abs(spread).max() > 1e-9:
        return Estimate(share, *wilson(share * deals, deals))
    error = sqrt(float((spread**2).sum()) * deals / (deals - 1)) / total
    return Estimate(share, max(share - Z95 * error, 0.0), min(share + Z95 * error, 1.0))


# --- Rating --------------------------------------------------------------------------------------------------------
def ratings(counted: Tally) -> list[tuple[Estimate, str]]:
    """Rate every name, with a bootstrap over deals; where a name won nothing, or all, only one end is known."""
    deals = len(counted.won)
    total = counted.won.sum(0)
    values = _on_scale(strengths(counted.tables, total[None]))[0]
    lots = np.random.default_rng(1).multinomial(deals, np.full(deals, 1 / deals), SAMPLES)
    samples = _on_scale(strengths(counted.tables, np.tensordot(lots, counted.won, 1)))
    lows, highs = np.percentile(samples, (2.5, 97.5), axis=0)
    bounds = _on_scale(strengths(counted.tables, total[None], SURE))[0]
    found: list[tuple[Estimate, str]] = []
    for name, value in enumerate(values):
        bound = _bound(counted.tables, total, name)
        if bound:
            end = float(bounds[name])
            found.append((Estimate(end, None, end) if bound == "<" else Estimate(end, end, None), bound))
        elif deals < 2:
            found.append((Estimate(float(value), None, None), ""))
        else:
            found.append((Estimate(float(value), float(lows[name]), float(highs[name])), ""))
    return found


def _bound(tables: Array, won: Array, name: int) -> str:
    """Return whether a name won nothing, or everything, where it met others."""
    met = (tables[:, name] > 0) & ((tables > 0).sum(1) > 1)
    mine, games = won[met, name].sum(), won[met].sum()
    if games == 0:
        return ""
    return "<" if mine == 0 else ">" if mine > games - 1e-9 else ""


def _on_scale(strength: Array) -> Array:
    """Convert strengths to ratings: ten times as strong is 400 more, and the mean of the field is 1500."""
    rating = 400 * np.log10(strength)
    return rating - rating.mean(1, keepdims=True) + MEAN


def strengths(tables: Array, won: Array, ties: float = HALF_A_TIE) -> Array:
    """Fit Plackett–Luce strengths g to first places: P(i wins) = g_i / the sum of g at the table.

    `won` has a sample, a table and a name as axes; Hunter's MM iteration fits all samples at once. Where the results
    leave a strength without limit – a bot that never won, or a group that never lost to the others – half a virtual
    tie is added between each pair of names, so that every strength stays finite; elsewhere nothing is added.
    """
    names = tables.shape[1]
    mixed = (tables > 0).sum(1) > 1  # a table of one name has no information
    tables, won = tables[mixed], won[:, mixed]
    virtual = np.where(_comparable(tables, won), 0.0, ties)[:, None]
    couples = np.array([[n in couple for n in range(names)] for couple in itertools.combinations(range(names), 2)])
    couples = couples.reshape(-1, names).astype(float)
    wins = won.sum(1) + virtual * (names - 1) / 2
    games = np.hstack([won.sum(2), virtual * np.ones(len(couples))])
    tables = np.vstack([tables, couples])
    strength = np.ones_like(wins)
    for _ in range(ROUNDS if names > 1 else 0):
        better = wins / ((games / (strength @ tables.T)) @ tables)
        better /= np.exp(np.log(better).mean(1, keepdims=True))
        change = np.abs(np.log(better / strength)).max()
        strength = better
        if change < CLOSE:
            break
    return strength


def _comparable(tables: Array, won: Array) -> Array:
    """Say for each sample whether a chain of wins leads from every name to every other, as a finite fit needs."""
    names = tables.shape[1]
    beat = np.einsum("stn,tm->snm", won, (tables > 0).astype(float)) > 0
    reached = beat | np.eye(names, dtype=bool)
    for _ in range(names.bit_length()):
        reached = np.matmul(reached.astype(int), reached.astype(int)) > 0
    return reached.all((1, 2))
