"""Analyses of finished games, made one after the other in a thread; key moments are described by events."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor

from dracotheque.bots.analysis import ProbabilitySwing, analyse
from dracotheque.bots.levels import is_solved
from dracotheque.bots.win_probability import Estimate, is_ready
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.log import GameLog
from dracotheque.engine.phrases import GameEvent
from dracotheque.presentation.narration import seat_name
from dracotheque.tables.answers import Analysis, BetterAction, TurningPoint
from dracotheque.tables.errors import CommandError
from dracotheque.tables.snapshot import move_records
from dracotheque.tables.table import Table

MAX_EVENTS = 4  # of a key moment, unless something falls
RULES_AFTER_THE_END, NEXT = ("end.", "score."), "event.next"
MAX_KEPT, MAX_WAITING = 64, 16  # games whose analysis is kept, and games that may wait for theirs


# --- The queue ----------------------------------------------------------------------------------------------------
class AnalysisQueue:
    """Analyses finished games one after the other, and keeps the latest analyses."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        self.pool = ThreadPoolExecutor(1, "analysis")
        self.found: OrderedDict[str, Future[Analysis]] = OrderedDict()

    def stop(self) -> None:
        """Cancel the analyses that have not begun."""
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def on(self, table: Table) -> Analysis:
        """Return the analysis of a finished game; unless it is solved, an empty one until its rules are compiled."""
        if table.status != "over":
            raise CommandError("not_over")
        if not (is_solved(table.game) or is_ready(table.game)):
            return Analysis(False, [], [], [])
        known = self.found.get(table.id)
        if known is None or (known.done() and known.exception()):  # after an error it is tried again
            if sum(not each.done() for each in self.found.values()) >= MAX_WAITING:
                raise CommandError("busy")
            self.found[table.id] = self.pool.submit(analysis_of, table)
            while len(self.found) > MAX_KEPT:
                self.found.popitem(last=False)
        self.found.move_to_end(table.id)
        # A caller that is cancelled must not cancel the analysis for the others.
        return await asyncio.shield(asyncio.wrap_future(self.found[table.id]))


# --- The analysis ---------------------------------------------------------------------------------------------------
def analysis_of(table: Table) -> Analysis:
    """Return the analysis of a table's game: its key moments and everybody's chances of winning."""
    assert table.play is not None
    log = GameLog(table.game, [], table.play.state.full_history())
    found = analyse(log, int.from_bytes(table.seed[:7], "big"))
    moves, curve = [*found.moves], [*found.curve]
    if table.resigned is not None:  # a seat that resigned has no chance any more
        moves.append(moves[-1])
        curve.append(Estimate([float(seat != table.resigned) for seat in range(2)], [0.0, 0.0]))
    shares = [[round(each.shares[seat], 3) for each in curve] for seat in range(table.game.players)]
    return Analysis(True, moves, shares, [_turning_point(table, log, swing) for swing in found.swings], found.is_exact)


def _turning_point(table: Table, log: GameLog, swing: ProbabilitySwing) -> TurningPoint:
    """Return a swing with the events of its moves and a better action, where there clearly is one."""
    assert table.play is not None
    seat, better = swing.seat, swing.better
    records = move_records(table.play.before(swing.shown_from), log.moves[swing.shown_from : swing.move])
    return TurningPoint(
        swing.since,
        swing.move,
        swing.player,
        seat,
        round(swing.before.shares[seat], 3),
        round(swing.after.shares[seat], 3),
        _short([event for each in records for event in each.events], swing),
        BetterAction(log.game.text.action(log.game, seat, better.action), round(better.share, 3)) if better else None,
    )


def _short(events: list[GameEvent], swing: ProbabilitySwing) -> list[GameEvent]:
    """Leave out whose turn is next, the final scores, and of many events those that concern other seats."""
    events = [event for event in events if event.phrase.key != NEXT and not event.rule.startswith(RULES_AFTER_THE_END)]
    if len(events) > MAX_EVENTS and swing.player not in (swing.seat, CHANCE):
        concerned = (None, seat_name(swing.seat))
        events = [event for event in events if event is events[0] or event.phrase.gaps.get("seat") in concerned]
    falls = swing.move - swing.since > 1  # the last events of a fall have its results
    return events if falls else events[:MAX_EVENTS]
