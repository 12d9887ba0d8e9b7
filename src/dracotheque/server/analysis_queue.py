"""Analyses of finished games: one after the other, beside everything else, told in the events of their moves."""

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
from dracotheque.tables.snapshot import tell
from dracotheque.tables.table import Table

FEW = 4  # sentences that are told at most, unless something falls
AFTERWARDS, NEXT = ("end.", "score."), "event.next"
KEPT, WAITING = 64, 16  # games: those whose analysis is kept, those that may wait for theirs


# --- Asking -------------------------------------------------------------------------------------------------------
class AnalysisQueue:
    """Analyses finished games one after the other; what was found is kept a while."""

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self.pool = ThreadPoolExecutor(1, "analysis")
        self.found: OrderedDict[str, Future[Analysis]] = OrderedDict()

    def stop(self) -> None:
        """Begin nothing more."""
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def on(self, table: Table) -> Analysis:
        """Return what mattered in a finished game; only what is solved can do without compiled rules."""
        if table.status != "over":
            raise CommandError("not_over")
        if not (is_solved(table.game) or is_ready(table.game)):
            return Analysis(False, [], [], [])
        known = self.found.get(table.id)
        if known is None or (known.done() and known.exception()):  # what went wrong once is tried again
            if sum(not each.done() for each in self.found.values()) >= WAITING:
                raise CommandError("busy")
            self.found[table.id] = self.pool.submit(analysis_of, table)
            while len(self.found) > KEPT:
                self.found.popitem(last=False)
        self.found.move_to_end(table.id)
        # Whoever does not wait for the answer must not take it from the others who do.
        return await asyncio.shield(asyncio.wrap_future(self.found[table.id]))


# --- Telling ------------------------------------------------------------------------------------------------------
def analysis_of(table: Table) -> Analysis:
    """Analyse the game of a table, and tell what changed the chances most."""
    assert table.play is not None
    log = GameLog(table.game, [], table.play.state.full_history())
    found = analyse(log, int.from_bytes(table.seed[:7], "big"))
    moves, curve = [*found.moves], [*found.curve]
    if table.resigned is not None:  # whoever gave up has no chance any more
        moves.append(moves[-1])
        curve.append(Estimate([float(seat != table.resigned) for seat in range(2)], [0.0, 0.0]))
    shares = [[round(each.shares[seat], 3) for each in curve] for seat in range(table.game.players)]
    return Analysis(True, moves, shares, [_told(table, log, swing) for swing in found.swings], found.is_exact)


def _told(table: Table, log: GameLog, swing: ProbabilitySwing) -> TurningPoint:
    """Tell a swing: what happened, what it changed, and what would have been better where that is clear."""
    assert table.play is not None
    seat, better = swing.seat, swing.better
    told = tell(table.play.before(swing.told_from), log.moves[swing.told_from : swing.move])
    return TurningPoint(
        swing.since,
        swing.move,
        swing.player,
        seat,
        round(swing.before.shares[seat], 3),
        round(swing.after.shares[seat], 3),
        _short([event for each in told for event in each.events], swing),
        BetterAction(log.game.text.action(log.game, seat, better.action), round(better.share, 3)) if better else None,
    )


def _short(events: list[GameEvent], swing: ProbabilitySwing) -> list[GameEvent]:
    """Leave away whose turn comes next, the score when all is over, and where much happened what concerns others."""
    told = [event for event in events if event.phrase.key != NEXT and not event.rule.startswith(AFTERWARDS)]
    if len(told) > FEW and swing.player not in (swing.seat, CHANCE):
        concerned = (None, seat_name(swing.seat))
        told = [event for event in told if event is told[0] or event.phrase.gaps.get("seat") in concerned]
    falls = swing.move - swing.since > 1  # what becomes of everybody is told last
    return told if falls else told[:FEW]
