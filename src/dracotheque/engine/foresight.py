"""A learned evaluation inside compiled code: a small network looks at a table and says everybody's share of victory.

It looks at what `observation_tensor` tells of the table, seen from the seat whose turn it is, and at everybody's
outlook. Two layers of neurons follow, then a number for every seat. All memory it needs is part of its `mind`.
"""

from __future__ import annotations

import math
from typing import Any

from dracotheque.engine.dispatch import outlook, tensor
from dracotheque.engine.kit import seats
from dracotheque.engine.mind import MOST_SEATS, NARROW, WIDE
from dracotheque.engine.rollout import CERTAIN
from dracotheque.engine.rule import compiled

SCALE = 100  # of the outlook, 0 to 1,000: small differences in it mean much


@compiled
def look(game: Any, viewer: int, sight: Any) -> None:
    """Write what the network sees into zeros: the observation from a seat on, then everybody's outlook."""
    tensor(game, viewer, sight)
    for place in range(seats(game)):
        sight[len(sight) - MOST_SEATS + place] = outlook(game, (viewer + place) % seats(game)) / SCALE


@compiled
def expect(game: Any, mind: Any, shares: Any) -> None:
    """Write what share of the victory the network expects for each seat, in parts of a million."""
    sight, viewer = mind.sight, game.active + 0
    for i in range(len(sight)):
        sight[i] = 0
    look(game, viewer, sight)
    total = think(mind, seats(game))
    for place in range(seats(game)):
        shares[(viewer + place) % seats(game)] = int(CERTAIN * mind.wide[place] / total)


@compiled
def think(mind: Any, count: int) -> float:
    """Think through what the network sees; leave in `wide` how so many seats stand to each other, and give the sum."""
    sight, wide, narrow = mind.sight, mind.wide, mind.narrow
    for j in range(WIDE):
        wide[j] = mind.first_bias[j]
    for i in range(len(sight)):  # most of what it sees is nothing
        if sight[i] != 0:
            for j in range(WIDE):
                wide[j] += sight[i] * mind.first[i][j]
    for j in range(NARROW):
        narrow[j] = mind.second_bias[j]
    for i in range(WIDE):
        if wide[i] > 0:
            for j in range(NARROW):
                narrow[j] += wide[i] * mind.second[i][j]
    total, most = 0.0, -1e9
    for place in range(count):
        answer = mind.third_bias[place] + mind.skip[0] * sight[len(sight) - MOST_SEATS + place]
        for i in range(NARROW):
            answer += max(narrow[i], 0) * mind.third[i][place]
        wide[place] = answer
        most = max(most, answer)
    for place in range(count):
        wide[place] = math.exp(wide[place] - most)
        total += wide[place]
    return total
