"""Endpoints of a guest: name and crest, the key for another device, own tables."""

from __future__ import annotations

from typing import Any

from dracotheque.server.http import EndpointList, RequestContext
from dracotheque.server.links import absolute_url, qr_code
from dracotheque.server.routes.tables import MAX_LISTED, listing
from dracotheque.tables import answers, protocol
from dracotheque.tables.errors import CommandError
from dracotheque.tables.storage.store import Guest
from dracotheque.tables.table import tidy

endpoints = EndpointList()


@endpoints.get("/api/me", answer=answers.Me)
async def me(caller: RequestContext) -> answers.Me:
    """Who I am here."""
    guest = await caller.service.store.guest(caller.guest) if caller.guest else None
    return answers.Me(guest.name if guest else "", guest.crest if guest else "", bool(caller.guest))


@endpoints.post("/api/me", body=protocol.Profile, answer=answers.Me)
async def call_me(caller: RequestContext, body: protocol.Profile) -> answers.Me:
    """Return how I am called and which crest I like; nothing else is asked of a guest."""
    name, guest = tidy(body.name), caller.ensure_guest()
    await caller.service.store.put_guest(Guest(guest, name, body.crest, caller.service.manager.clock()))
    return answers.Me(name, body.crest, True)


@endpoints.post("/api/me/key", answer=answers.MyKey)
async def my_key(caller: RequestContext) -> answers.MyKey:
    """The link that makes another device mine; the key stands behind the #, so that no server's log sees it."""
    path = f"/#key={caller.service.signer.key(caller.ensure_guest())}"
    link = absolute_url(caller, path)
    return answers.MyKey(path, link, qr_code(link))


@endpoints.post("/api/me/become", body=protocol.Key, answer=answers.Me)
async def become(caller: RequestContext, body: protocol.Key) -> Any:
    """Be on this device who I am on another."""
    guest = caller.service.signer.guest_with(body.key)
    if not guest:
        raise CommandError("bad_key")
    caller.guest, caller.fresh = guest, True
    return await me(caller)


@endpoints.post("/api/me/forget", answer=answers.Me)
async def forget(caller: RequestContext) -> Any:
    """Sign out on this device; my seats stay reserved for my key."""
    caller.guest = ""
    caller.ensure_guest()
    return await me(caller)


@endpoints.get("/api/me/tables", answer=answers.Listings)
async def my_tables(caller: RequestContext) -> answers.Listings:
    """My tables, those that wait for me first, with whose turn it is."""
    found = await caller.service.store.tables_of(caller.guest, MAX_LISTED) if caller.guest else []
    listed = [listing(each, caller.guest) for each in found]
    return answers.Listings(sorted(listed, key=lambda each: not each.my_turn))
