"""The endpoints of the HTTP API, in the order of its document."""

from dracotheque.server.routes import analysis, games, me, tables

ENDPOINTS = (*games.endpoints, *me.endpoints, *tables.endpoints, *analysis.endpoints)
