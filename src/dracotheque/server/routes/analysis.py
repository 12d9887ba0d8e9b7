"""Endpoints that explain a game: refusals, hints, exact values, scores, the analysis, the log and its dice."""

from __future__ import annotations

import functools
from typing import Annotated
from urllib.parse import quote

from msgspec import Meta, Struct
from starlette.responses import Response

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.log import loads
from dracotheque.presentation.score_rows import score_rows
from dracotheque.server.http import EndpointList, RequestContext, read
from dracotheque.server.routes.tables import Count, visible_table
from dracotheque.tables import answers, board, exact_values, hints
from dracotheque.tables.errors import CommandError
from dracotheque.tables.fairness import FairnessVerdict, verify
from dracotheque.tables.snapshot import state_after
from dracotheque.tables.table import Table

endpoints = EndpointList()


class RefusalQuery(Struct, forbid_unknown_fields=True):
    """The place at which a choice is not possible."""

    place: Annotated[str, Meta(max_length=40)]
    seat: Annotated[int, Meta(ge=0, le=5)]


@endpoints.get("/api/tables/{table}/refusal", query=RefusalQuery, answer=answers.Refusal)
async def refusal(caller: RequestContext, table: str, query: RefusalQuery) -> answers.Refusal:
    """By which rule nothing can be chosen at a place now."""
    found, seat = await visible_table(caller, table, query.seat)
    return answers.Refusal(board.refusal(state_after(found, None), seat, query.place))


class HintsQuery(Struct, forbid_unknown_fields=True):
    """Which of my seats has to choose."""

    seat: Annotated[int, Meta(ge=0, le=5)]


@endpoints.get("/api/tables/{table}/hints", query=HintsQuery, answer=answers.Hints)
async def hints_for(caller: RequestContext, table: str, query: HintsQuery) -> answers.Hints:
    """Hints before a choice; what looks good only alone with bots."""
    found, seat = await visible_table(caller, table, query.seat)
    state = state_after(found, None)
    return await caller.service.in_thread(functools.partial(hints.hints, state, seat, advised=found.practice))


class ActionValuesQuery(Struct, forbid_unknown_fields=True):
    """After how many moves of a finished game."""

    move: Count | None = None


@endpoints.get("/api/tables/{table}/action-values", query=ActionValuesQuery, answer=answers.ActionValues)
async def action_values(caller: RequestContext, table: str, query: ActionValuesQuery) -> answers.ActionValues:
    """How often each choice wins, where perfect play is known: mine while alone with bots; all after the game."""
    found = (await caller.service.manager.live_table(table)).table
    return await caller.service.in_thread(exact_values.action_values, found, caller.guest, query.move)


@endpoints.get("/api/tables/{table}/score", answer=answers.ScoreSheet)
async def score(caller: RequestContext, table: str) -> answers.ScoreSheet:
    """The score of a finished game, row by row as the rulebook adds it up."""
    found = (await caller.service.manager.live_table(table)).table
    if found.status != "over" or found.play is None:
        raise CommandError("not_over")
    return answers.ScoreSheet(score_rows(found.game, found.play.position.plain))


@endpoints.get("/api/tables/{table}/analysis", answer=answers.Analysis)
async def analysis(caller: RequestContext, table: str) -> answers.Analysis:
    """The key moments of a finished game, and each player's chance of winning from move to move."""
    return await caller.service.analyses.on((await caller.service.manager.live_table(table)).table)


@endpoints.get("/api/tables/{table}/log", media="application/json")
async def download(caller: RequestContext, table: str) -> Response:
    """The log of a finished game, for `dracotheque replay` and `dracotheque verify`."""
    found = (await caller.service.manager.live_table(table)).table
    text = found.log().dumps()
    name = quote(f"{found.opened.game}-{table}.json")
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, media_type="application/json", headers=headers)


@endpoints.get("/api/tables/{table}/dice", answer=answers.FairnessReport)
async def dice(caller: RequestContext, table: str) -> answers.FairnessReport:
    """What a table has promised about its dice, and once it is over whether that was kept."""
    found: Table = (await caller.service.manager.live_table(table)).table
    if found.status != "over":
        return answers.FairnessReport(table, found.opened.commitment, found.client_seed)
    return fairness_report(await caller.service.in_thread(verify, found.log()))


def fairness_report(verdict: FairnessVerdict) -> answers.FairnessReport:
    """Return the report of a verdict."""
    record = verdict.dice
    return answers.FairnessReport(
        record.table,
        record.commitment,
        record.client_seeds,
        record.seed or "",
        verdict.fair,
        verdict.draws,
        verdict.text(),
    )


@endpoints.post("/api/verify", answer=answers.FairnessReport)
async def verify_file(caller: RequestContext) -> answers.FairnessReport:
    """Check the dice of any downloaded log."""
    data = await read(caller.request, caller.service.limits.body * 4)
    try:
        return fairness_report(await caller.service.in_thread(lambda: verify(loads(data.decode()))))
    except (DracothequeError, UnicodeDecodeError) as error:
        why = str(error).encode("utf-8", "backslashreplace").decode()  # a log may have lone surrogates
        raise CommandError("bad_message", why=why) from error
