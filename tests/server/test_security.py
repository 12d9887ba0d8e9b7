"""Nobody else plays my seat: every command and every address, tried by whoever has no right to it."""

from __future__ import annotations

import asyncio
import base64
import gc
import hmac
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
import uvicorn
from starlette.requests import Request
from starlette.routing import Route
from websockets.exceptions import InvalidStatus

from dracotheque.presentation.narration import ALL_CRESTS as CRESTS
from dracotheque.server import identity as guests_module
from dracotheque.server.app import HEADERS, AppContext, make_app
from dracotheque.server.identity import COOKIE, TokenSigner, new_guest
from dracotheque.server.routes import ENDPOINTS
from dracotheque.server.runner import JsonLines, PlainLines, free_port, without_password
from dracotheque.tables.protocol import AnyCommand
from tests.server.guests import HATCHLING, LINK, ME, OPEN, PATIENCE, Guest, Server, serving

PUBLIC, FRIENDS = "https://play.example", "https://friends.example"


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a database of its own, as it runs behind a proxy that speaks HTTPS."""
    database = tmp_path_factory.mktemp("proxy") / "tables.db"
    with serving(database, "--public-url", PUBLIC, "--origin", FRIENDS) as running:
        yield running


# --- Who tries ------------------------------------------------------------------------------------------------------
def with_cookie(server: Server, cookie: str) -> Guest:
    """Come in with a cookie, whoever wrote it."""
    guest = Guest(server)
    guest.http.headers["cookie"] = f"{COOKIE}={cookie}"
    return guest


def forged(ann: Guest, ben: Guest, table: str) -> list[str]:
    """Cookies that look almost right."""
    guest, _, seal = ann.cookie.partition(".")
    other, _, other_seal = ben.cookie.partition(".")
    key = ann.post("/api/me/key")["path"].partition("#key=")[2]
    raw = base64.urlsafe_b64decode(seal + "==")
    flipped = [bytes([*raw[:at], raw[at] ^ 1 << bit, *raw[at + 1 :]]) for at in (0, 7, 15) for bit in (0, 5)]
    return [
        *(f"{guest}.{base64.urlsafe_b64encode(each).decode().rstrip('=')}" for each in flipped),
        *(f"{guest[:at]}{'0' if guest[at] != '0' else '1'}{guest[at + 1 :]}.{seal}" for at in (0, 16, 31)),
        f"{guest}.{other_seal}",
        f"{other}.{seal}",
        f"{seal}.{guest}",
        key,
        ann.invitation(table, 1),
        f"{guest}.{ann.invitation(table, 1)}",
        *["", ".", guest, f"{guest}.", f".{seal}", f"{guest}{seal}", f"{guest}.{seal}.", f"{guest}.{seal}A"],
        *[f"{guest.upper()}.{seal}", f"{guest}.{seal[:-1]}", f"{guest}.{seal.lower()}", f"{guest}.{seal}=="],
        *["x" * 4000, f"{guest}.{'A' * 4000}", f"{'a' * 4000}.{seal}", "é.ü", "%00.%00", "null.null", '";x'],
    ]


# --- What is tried ----------------------------------------------------------------------------------------------------
COMMANDS: dict[str, dict[str, Any]] = {
    "move": {"seat": 0, "prompt_id": 0, "action": 0},
    "set-client-seed": {"seat": 0, "client_seed": "eve"},
    "take-back": {"move_number": 0},
    "send-chat": {"seat": 0, "text": "I am Ann"},
    "mute": {"seat": 0},
    "assign-substitute": {"seat": 0},
    "resume-seat": {"seat": 0},
    "resign": {"seat": 0},
    "change-seat": {"seat": 0, "request": {"kind": "me"}},
    "leave": {"seat": 0},
    "start": {"level": "squire"},
    "close": {},
    "rematch": {},
    "set-viewpoint": {"seat": 0},
    "sync": {},
}
ONLY_MINE = {"mute"}
"""What concerns nobody but the one who asks: it changes nothing at the table."""
ONLY_THIS_SOCKET = {"sync"}
"""What shows a viewer again what that viewer may see; over HTTP it is no command."""
REFUSALS = {"not_your_seat", "not_seated", "host_only", "already_started", "unknown_command", "not_over", "not_started"}
UNDER_TABLE = {
    "", "/sit", "/invite", "/do", "/moves", "/log", "/dice", "/board.svg", "/refusal", "/hints", "/score", "/analysis",
    "/recording", "/action-values",
}  # fmt: skip


def test_these_are_all_commands_and_all_addresses() -> None:
    assert {kind.__struct_config__.tag for kind in get_args(AnyCommand)} == set(COMMANDS)
    paths = {endpoint.path for endpoint in ENDPOINTS if "{table}" in endpoint.path}
    assert paths == {"/api/tables/{table}" + path for path in UNDER_TABLE}, "whoever adds one says here who may use it"


@dataclass
class Tables:
    """Ann's tables with Ben: one that waits for someone, one being played and one that is over; Eve sits elsewhere."""

    server: Server
    ann: Guest
    ben: Guest
    eve: Guest
    waiting: str
    playing: str
    over: str

    def all(self) -> list[str]:
        """Every table."""
        return [self.waiting, self.playing, self.over]

    def seen(self) -> list[Any]:
        """What Ann and Ben see of everything."""
        return [guest.get(f"/api/tables/{table}") for table in self.all() for guest in (self.ann, self.ben)]


@pytest.fixture(scope="module")
def tables(server: Server) -> Tables:
    """Sit down at some tables."""
    ann, ben, eve = Guest(server, "Ann"), Guest(server, "Ben"), Guest(server, "Eve")
    waiting = ann.open("emerald", ME, OPEN, LINK, LINK)
    ben.sit(waiting, seat=1)
    playing, over = (ann.open("emerald", ME, OPEN, options={"starts": "1"}) for _ in range(2))
    for table in (playing, over):
        ben.sit(table)
    ben.do(over, "resign", seat=1)
    eve.open("emerald", ME, HATCHLING)
    return Tables(server, ann, ben, eve, waiting, playing, over)


def try_everything(tables: Tables, intruder: Guest, *, is_somebody: bool) -> None:
    """Try every command over HTTP and every address; nothing may change, and nothing be shown that is not public."""
    before = tables.seen()
    for table in tables.all():
        for command, wishes in COMMANDS.items():
            answer = intruder.http.post(f"/api/tables/{table}/do", json={"type": command, **wishes})
            if is_somebody and command in ONLY_MINE:
                assert answer.status_code == 200
                continue
            assert answer.status_code in (403, 409), (command, answer.text)
            allowed = REFUSALS if is_somebody else {"not_seated"}
            assert answer.json()["code"] in allowed, (command, answer.text)
        assert intruder.post(f"/api/tables/{table}/invite", {"seat": 2}, 403)["code"] == "host_only"
        public = intruder.get(f"/api/tables/{table}")
        assert public["viewpoint"] == -1
        assert not public["table"].get("host")
        assert not any(seat.get("mine") for seat in public["seats"])
        assert not (public.get("prompt") or {}).get("choices")
    for seat in (0, 1):
        for path in (f"moves?seat={seat}", f"hints?seat={seat}", f"refusal?seat={seat}&place=5"):
            assert intruder.get(f"/api/tables/{tables.playing}/{path}", 403)["code"] == "not_your_seat"
    for path in ("log", "moves?open=true", "analysis"):
        assert intruder.get(f"/api/tables/{tables.playing}/{path}", 409)["code"] == "not_over"
    assert set(intruder.get(f"/api/tables/{tables.playing}/dice")) == {"table", "commitment", "client_seed"}
    assert tables.seen() == before


def try_the_socket(tables: Tables, intruder: Guest, *, is_somebody: bool) -> None:
    """Try every command over a table's socket."""
    cookie = intruder.http.headers.get("cookie", f"{COOKIE}={intruder.cookie}" if intruder.cookie else "")
    with Guest(tables.server).socket(tables.playing, Cookie=cookie) as socket:
        before = tables.seen()
        assert socket.view["viewpoint"] == -1
        for seat in (0, 1):
            for command, wishes in COMMANDS.items():
                if is_somebody and command in ONLY_MINE:
                    continue
                if command in ONLY_THIS_SOCKET:
                    assert socket.do(command)["type"] == "ack"
                    assert (socket.view["viewpoint"], socket.choices()) == (-1, [])
                    continue
                answer = socket.do(command, **wishes | ({"seat": seat} if "seat" in wishes else {}))
                assert answer["type"] == "rejected", command
                allowed = REFUSALS if is_somebody else {"not_seated", "not_your_seat"}
                assert answer["problem"]["code"] in allowed
                assert answer["revision"] == socket.view["revision"]
        assert tables.seen() == before


# None of these may do anything at a table of others, or see more than a spectator.
def test_nobody_does_anything_at_a_table_of_others(tables: Tables) -> None:
    nobody = Guest(tables.server)
    try_everything(tables, nobody, is_somebody=False)
    try_the_socket(tables, nobody, is_somebody=False)
    assert nobody.get("/api/me/tables") == {"tables": []}


def test_a_forged_cookie_is_nobodys(tables: Tables) -> None:
    for number, cookie in enumerate(forged(tables.ann, tables.ben, tables.waiting)):
        intruder = with_cookie(tables.server, cookie.encode("latin-1", "replace").decode("latin-1"))
        assert intruder.get("/api/me") == {"name": "", "crest": "", "guest": False}, cookie
        assert intruder.do(tables.playing, "move", 403, **COMMANDS["move"])["code"] == "not_seated"
        if number % 8 == 0:
            try_everything(tables, intruder, is_somebody=False)


def test_a_forged_cookie_is_nobodys_at_the_socket(tables: Tables) -> None:
    for cookie in forged(tables.ann, tables.ben, tables.waiting)[::4]:
        if len(cookie) < 1000:
            try_the_socket(tables, with_cookie(tables.server, cookie), is_somebody=False)


def test_a_guest_of_another_table_only_watches(tables: Tables) -> None:
    try_everything(tables, tables.eve, is_somebody=True)
    try_the_socket(tables, tables.eve, is_somebody=True)


def test_a_guest_of_another_database_is_nobody(tables: Tables, behind_proxy: Server) -> None:
    stranger = Guest(behind_proxy, "Ann")
    intruder = with_cookie(tables.server, stranger.cookie)
    assert intruder.get("/api/me")["guest"] is False
    try_everything(tables, intruder, is_somebody=False)
    key = stranger.post("/api/me/key")["path"].partition("#key=")[2]
    assert Guest(tables.server).post("/api/me/become", {"key": key}, 403)["code"] == "bad_key"


def test_the_right_cookie_among_wrong_ones_is_needed(tables: Tables) -> None:
    wrong = f"{COOKIE}_=x; x{COOKIE}={tables.ann.cookie}; {COOKIE}=x"
    intruder = Guest(tables.server)
    intruder.http.headers["cookie"] = wrong
    assert intruder.get("/api/me")["guest"] is False


def test_somebody_at_the_same_table_plays_only_the_own_seat(tables: Tables) -> None:
    before = tables.seen()
    own_seat = {"move", "send-chat", "assign-substitute", "resume-seat", "resign", "leave"}
    for command in own_seat:
        answer = tables.ben.do(tables.playing, command, 403, **COMMANDS[command])
        assert answer["code"] == "not_your_seat"
    for command in ("start", "close", "change-seat"):
        assert tables.ben.do(tables.waiting, command, 403, **COMMANDS[command])["code"] == "host_only"
    assert tables.ben.post(f"/api/tables/{tables.waiting}/invite", {"seat": 2}, 403)["code"] == "host_only"
    for path in ("moves?seat=0", "hints?seat=0", "refusal?seat=0&place=5"):
        assert tables.ben.get(f"/api/tables/{tables.playing}/{path}", 403)["code"] == "not_your_seat"
    with tables.ben.socket(tables.playing) as socket:
        assert socket.do("set-viewpoint", seat=0)["problem"]["code"] == "not_your_seat"
        assert socket.do("move", **COMMANDS["move"])["problem"]["code"] == "not_your_seat"
    assert tables.seen() == before


# Only my own last choice is mine to take back.
def test_the_choice_of_another_is_not_mine_to_take_back(server: Server) -> None:
    ann, ben = Guest(server), Guest(server)
    table = ann.open("emerald", ME, OPEN, options={"starts": "1"})
    ben.sit(table)
    with ann.socket(table) as first:
        first.choose(first.choices()[0])
        before = ann.get(f"/api/tables/{table}")
        moves = before["move_number"]
        assert ben.do(table, "take-back", 409, move_number=moves)["code"] == "nothing_to_take_back"
        assert Guest(server, "Eve").do(table, "take-back", 403, move_number=moves)["code"] == "not_seated"
        assert Guest(server).do(table, "take-back", 403, move_number=moves)["code"] == "not_seated"
        assert ann.get(f"/api/tables/{table}") == before


# --- Seats ------------------------------------------------------------------------------------------------------------
# A seat is given once, to whom it is meant for.
def test_an_invitation_is_for_one_seat_of_one_table(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table, other = ann.open("emerald", ME, LINK, LINK), ann.open("emerald", ME, LINK, LINK)
    first, second = ann.invitation(table, 1), ann.invitation(table, 2)
    assert len({first, second, ann.invitation(other, 1), ann.invitation(other, 2)}) == 4
    assert ann.invitation(table, 1) == first
    for wrong in (second, ann.invitation(other, 1), first.swapcase(), first + "A", first[1:], "é" * 22, ""):
        assert ben.sit(table, 403, seat=1, invitation=wrong)["code"] == "invitation_needed"
    assert ben.sit(table, 409, seat=0, invitation=ann.invitation(table, 0))["code"] == "seat_taken"
    view = ben.sit(table, invitation=second)
    assert [seat.get("mine", False) for seat in view["seats"]] == [False, False, True]
    assert Guest(server).sit(table, 409, invitation=second)["code"] == "seat_taken"


def test_an_invitation_does_not_open_a_game_that_has_begun(server: Server) -> None:
    ann, ben = Guest(server), Guest(server)
    table = ann.open("emerald", ME, LINK)
    invitation = ann.invitation(table, 1)
    ben.sit(table, invitation=invitation)
    before = ben.get(f"/api/tables/{table}")
    for guest in (Guest(server), ann):
        assert guest.sit(table, 409, seat=1, invitation=invitation)["code"] == "already_started"
    assert ben.get(f"/api/tables/{table}") == before


def test_the_host_does_not_take_the_seat_of_another_person(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, LINK, OPEN)
    ben.sit(table, invitation=ann.invitation(table, 1))
    before = ben.get(f"/api/tables/{table}")
    for kind in ("me", "screen", "link", "bot", "open"):
        refused = ann.do(table, "change-seat", 409, seat=1, request={"kind": kind})
        assert refused["code"] == "seat_taken"
    refused = ann.sit(table, 409, seat=1, invitation=ann.invitation(table, 1))
    assert refused["code"] in ("seat_taken", "seated_already")
    assert ann.do(table, "leave", 403, seat=1)["code"] == "not_your_seat"
    assert ben.get(f"/api/tables/{table}") == before
    ann.do(table, "start", level="hatchling")
    for command in ("move", "send-chat", "assign-substitute", "resume-seat", "resign"):
        refused = ann.do(table, command, 403, **COMMANDS[command] | {"seat": 1})
        assert refused["code"] == "not_your_seat"
    assert ann.do(table, "close", 409)["code"] == "others_play"
    assert ann.do(table, "change-seat", 409, seat=1, request={"kind": "me"})["code"] == "already_started"


def test_whoever_offers_a_rematch_does_not_take_the_seats_of_the_others(tables: Tables) -> None:
    tables.ann.do(tables.over, "rematch")
    again = tables.ann.get(f"/api/tables/{tables.over}")["table"]["rematch"]
    for wish in ({"kind": "me"}, {"kind": "open"}):
        assert tables.ann.do(again, "change-seat", 409, seat=0, request=wish)["code"] == "seat_taken"
    assert tables.eve.sit(again, 409, seat=0)["code"] == "seat_taken"
    assert tables.ben.sit(again)["table"]["status"] == "playing"


# Whoever has got up sees what a spectator sees, also through a socket that stays open.
@pytest.mark.parametrize("by_host", [False, True])
def test_who_got_up_does_not_see_the_next_ones_secrets(server: Server, by_host: bool) -> None:
    host, dragon, dwarf = Guest(server, "Ann"), Guest(server, "Ben"), Guest(server, "Cem")
    seats = [OPEN, ME] if by_host else [ME, OPEN]
    mine = 1 if by_host else 0
    table = host.open("dragons-cave", *seats, OPEN, options={"first_dragon": "3"})
    with host.socket(table) as gone, Guest(server).socket(table) as watcher:
        assert gone.view["viewpoint"] == mine
        if by_host:
            host.do(table, "change-seat", seat=mine, request={"kind": "open"})
        else:
            host.do(table, "leave", seat=mine)
        for seat, guest in ((mine, dwarf), (1 - mine, Guest(server)), (2, dragon)):
            guest.sit(table, seat=seat)
        with dwarf.socket(table) as now:
            card = now.choices()[2]
            now.choose(card)
            assert now.board
            assert now.board["pieces"][f"card-{CRESTS[mine]}"]["kind"].startswith("peek-")
            number = now.news[-1]["revision"]
        for spectator in (gone, watcher):
            spectator.await_("update", until=lambda news: news["revision"] == number)
            assert spectator.board
            assert spectator.board["pieces"][f"card-{CRESTS[mine]}"]["kind"] == "card-back"
            assert not spectator.choices()
        assert gone.raw[-1] == watcher.raw[-1]
        assert gone.do("set-viewpoint", seat=mine)["problem"]["code"] == "not_your_seat"


def test_who_lost_the_seat_of_a_rematch_to_a_bot_does_not_look_from_it(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("dragons-cave", ME, OPEN)
    ben.sit(table)
    ben.do(table, "resign", seat=1)
    ann.do(table, "rematch")
    again = ann.get(f"/api/tables/{table}")["table"]["rematch"]
    with ben.socket(again) as hesitant:
        assert hesitant.view["viewpoint"] == 0
        ann.do(again, "start", level="hatchling")
        view = hesitant.await_("snapshot", until=lambda news: news["table"]["status"] != "open")
        assert view["viewpoint"] == -1
        assert not hesitant.choices()


# --- Cookies, keys and invitations ------------------------------------------------------------------------------------
def set_cookie(url: str, **headers: str) -> list[str]:
    """The cookie a server sets for a newcomer, part by part."""
    answer = httpx.post(f"{url}/api/me", json={"name": "Ann"}, headers=headers)
    assert answer.status_code == 200
    return answer.headers["set-cookie"].split("; ")


# No script reads it, no other site sends it along, and behind HTTPS it never travels in the open.
def test_the_flags_of_the_cookie(server: Server, behind_proxy: Server) -> None:
    name, *flags = set_cookie(server.url)
    assert name.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} < set(flags)
    assert "Secure" not in flags
    assert not [flag for flag in flags if flag.startswith("Domain")], "for this host only, not those under it"
    assert "Secure" in set_cookie(behind_proxy.url)


def test_looking_around_sets_no_cookie(server: Server) -> None:
    stranger = Guest(server)
    for path in ("/api/me", "/api/me/tables", "/api/tables", "/api/running", "/api/games", "/", "/healthz"):
        assert "set-cookie" not in stranger.http.get(path).headers


def test_the_cookie_is_not_repeated_in_any_answer(tables: Tables) -> None:
    for path in ("/api/me", "/api/me/tables", f"/api/tables/{tables.playing}", f"/api/tables/{tables.over}/log"):
        text = tables.ann.http.get(path).text
        assert tables.ann.cookie.partition(".")[0] not in text
        assert tables.ben.cookie.partition(".")[0] not in text


def test_forgetting_makes_somebody_new(server: Server) -> None:
    ann = Guest(server, "Ann")
    table, cookie = ann.open("emerald", ME, OPEN), ann.cookie
    ann.post("/api/me/forget")
    assert ann.cookie not in ("", cookie)
    assert ann.do(table, "close", 403)["code"] == "host_only"


# 128 bits each, compared in constant time, and none is good for another.
def test_every_secret_has_128_bits(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("emerald", ME, LINK)
    key = ann.post("/api/me/key")["path"].partition("#key=")[2]
    guest, _, seal = ann.cookie.partition(".")
    assert len(bytes.fromhex(guest)) * 8 >= 128
    for sealed in (seal, key.partition(".")[2], ann.invitation(table, 1)):
        assert len(base64.urlsafe_b64decode(sealed + "==")) * 8 >= 128
    assert key.partition(".")[2] != seal


def test_no_secret_comes_twice() -> None:
    seals = TokenSigner(bytes(32))
    guests = [new_guest() for _ in range(500)]
    written = [seals.cookie(guest) for guest in guests] + [seals.key(guest) for guest in guests]
    written += [seals.invitation(f"table{number}", seat) for number in range(500) for seat in range(6)]
    assert len({each.partition(".")[2] or each for each in written}) == len(written)
    assert TokenSigner(bytes(31) + b"x").cookie(guests[0]) != seals.cookie(guests[0])


def test_secrets_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def noted(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return real(one, other)

    real = hmac.compare_digest
    monkeypatch.setattr(guests_module.hmac, "compare_digest", noted)
    seals, guest = TokenSigner(bytes(32)), new_guest()
    wrong = f"{guest}.{'A' * 22}"
    assert seals.guest(seals.cookie(guest)) == guest
    assert seals.guest_with(seals.key(guest)) == guest
    assert seals.invites(seals.invitation("t", 1), "t", 1)
    assert not seals.guest(wrong)
    assert not seals.guest_with(wrong)
    assert not seals.invites("A" * 22, "t", 1)
    assert len(compared) == 6
    assert all(len(one) == len(other) == 22 for one, other in compared)


def test_a_key_works_and_a_cookie_is_none(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("emerald", ME, OPEN)
    key = ann.post("/api/me/key")["path"].partition("#key=")[2]
    guest, _, seal = ann.cookie.partition(".")
    for wrong in (ann.cookie, f"{guest}.{seal}", f"{guest}.{ann.invitation(table, 0)}", guest, seal, key[33:]):
        assert Guest(server).post("/api/me/become", {"key": wrong}, 403)["code"] == "bad_key"
    phone = Guest(server)
    assert phone.post("/api/me/become", {"key": key})["name"] == "Ann"
    assert phone.cookie == ann.cookie
    phone.do(table, "close")


def test_whoever_is_nobody_is_given_a_key_to_nobody_else(tables: Tables) -> None:
    key = Guest(tables.server).post("/api/me/key")["path"].partition("#key=")[2]
    assert key.partition(".")[0] not in (tables.ann.cookie[:32], tables.ben.cookie[:32])


def test_secrets_stand_behind_the_number_sign_only(server: Server, behind_proxy: Server) -> None:
    for running, base in ((server, server.url), (behind_proxy, PUBLIC)):
        ann = with_cookie(running, Guest(running, "Ann").cookie)  # as a proxy passes it on
        table = ann.open("emerald", ME, LINK)
        invitation = ann.post(f"/api/tables/{table}/invite", {"seat": 1})
        key = ann.post("/api/me/key")
        assert invitation["link"].partition("#")[0] == f"{base}/t/{table}"
        assert key["link"].partition("#")[0] == f"{base}/"
        assert invitation["link"].endswith(invitation["path"])
        assert key["link"].endswith(key["path"])


def test_no_address_takes_a_secret(server: Server) -> None:
    paths = httpx.get(f"{server.url}/api").json()["paths"]
    names = {
        parameter["name"]
        for methods in paths.values()
        for operation in methods.values()
        for parameter in operation.get("parameters", [])
    }
    known = {"table", "game", "language", "first", "seat", "open", "move", "since", "lang", "width", "night", "place"}
    assert names <= known, "a secret in an address ends up in logs: take it in the body"
    assert "table" in names


# --- Origin -----------------------------------------------------------------------------------------------------------
FOREIGN = [
    *[
        "null",
        "",
        "http://evil.example",
        "https://evil.example:443",
        "http://[",
        "://",
        "http://",
        "file://",
        "x" * 999,
    ],
    *["http://127.0.0.1", "http://127.0.0.1:1", "http://localhost.evil.example", f"{PUBLIC}.evil.example"],
    *[f"{PUBLIC}/", f"{PUBLIC}:444", "http://play.example.", "https://evil.example/#https://play.example"],
]


def post_from(server: Server, origin: str | None, **headers: str) -> int:
    """Ask for a change from a page of some origin."""
    sent = headers if origin is None else {"origin": origin, **headers}
    return httpx.post(f"{server.url}/api/me", json={"name": "Ann"}, headers=sent).status_code


# A page of another site changes nothing and opens no socket.
def test_only_our_own_pages_change_anything(server: Server, behind_proxy: Server) -> None:
    host = f"127.0.0.1:{server.port}"
    for origin in (*FOREIGN, f"http://{host}.evil.example", f"http://x@{host}", f"{host}", f"ftp://{host}"):
        assert post_from(server, origin) == 403, origin
        assert post_from(behind_proxy, origin) == 403, origin
    for origin in (PUBLIC, FRIENDS):
        assert post_from(server, origin) == 403
        assert post_from(behind_proxy, origin) == 200
    assert post_from(server, "null", host="") == 403
    assert post_from(server, None) == 200
    assert post_from(server, f"http://{host}") == 200
    assert post_from(server, "https://play.example", host="play.example") == 200, "a proxy may speak HTTPS for us"


def test_every_change_asks_for_the_origin(tables: Tables) -> None:
    before = tables.seen()
    for endpoint in ENDPOINTS:
        if endpoint.method == "POST":
            path = endpoint.path.format(table=tables.playing)
            answer = tables.ann.http.post(path, json={}, headers={"origin": "http://evil.example"})
            assert answer.json()["code"] == "bad_origin", path
    assert tables.seen() == before


def test_only_our_own_pages_open_sockets(tables: Tables, behind_proxy: Server) -> None:
    for origin in FOREIGN:
        with pytest.raises(InvalidStatus) as refused:
            tables.ann.socket(tables.playing, Origin=origin)
        assert refused.value.response.status_code == 403, origin
    with tables.ann.socket(tables.playing, Origin=tables.server.url) as own:
        assert own.view["viewpoint"] == 0
        assert own.mine == [0]
    guest = Guest(behind_proxy, "Ann")
    table = guest.open("emerald", ME, OPEN)
    for origin in (PUBLIC, FRIENDS):
        with guest.socket(table, Origin=origin) as welcome:
            assert welcome.mine == [0]


# --- Headers ----------------------------------------------------------------------------------------------------------
def assert_safe(answer: httpx.Response) -> None:
    """Every header is there, once, as it should be."""
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value], (answer.request.url, name)
    assert "server" not in answer.headers


# Browsers are told what they may do with an answer, whatever it is.
def test_what_the_safe_headers_say() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert "script-src" not in policy
    assert HEADERS["referrer-policy"] == "no-referrer", "an address with a table is not passed on"
    assert HEADERS["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *[("/", 200), ("/t/any", 200), ("/api", 200), ("/api/games", 200), ("/healthz", 200), ("/metrics", 200)],
        *[("/sw.js", 200), ("/page/index.html", 200), ("/page/none.js", 404), ("/page/../app.py", 404), ("/page", 307)],
        *[("/page/%2e%2e/app.py", 404), ("/page/..%2fapp.py", 404), ("/none", 404), ("/api/none", 404)],
        *[("/api/tables/none", 404), ("/api/tables?game=1&x=2", 400), ("/api/me/key", 405)],
    ],
)
def test_safe_headers_on_every_kind_of_answer(server: Server, path: str, status: int) -> None:
    for method in ("GET", "HEAD"):
        answer = httpx.request(method, f"{server.url}{path}")
        assert answer.status_code == status
        assert_safe(answer)


def test_safe_headers_on_refusals(tables: Tables) -> None:
    http, do = tables.eve.http, f"/api/tables/{tables.playing}/do"
    answers = [
        *[http.post(do, content=b"{"), http.post(do, content=b"\xff"), http.post(do, content=b"x" * 100_000)],
        *[http.post(do, json={"type": "resign", "seat": 0}), http.post(do, json={}, headers={"origin": "null"})],
        *[http.put(do), http.options(do), http.delete("/api/me"), http.get(f"/api/tables/{tables.over}/log")],
    ]
    assert [answer.status_code for answer in answers] == [400, 400, 413, 403, 403, 405, 405, 405, 200]
    for answer in answers:
        assert_safe(answer)


def test_answers_with_secrets_are_kept_by_no_cache(tables: Tables) -> None:
    for path in ("/api/me", "/api/me/tables", f"/api/tables/{tables.playing}"):
        assert tables.ann.http.get(path).headers["cache-control"] == "no-store"
    assert tables.ann.http.post("/api/me/key").headers["cache-control"] == "no-store"


def test_a_failure_of_ours_has_safe_headers_and_tells_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secret = "the seed is 5eed5eed"

    async def fail(request: Request) -> None:
        raise RuntimeError(secret)

    app = make_app(AppContext(str(tmp_path / "tables.db")))
    app.router.routes.insert(0, Route("/fail", fail))
    config = uvicorn.Config(app, port=free_port(0), log_config=None, access_log=False, server_header=False)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{config.port}", timeout=PATIENCE) as http:
            while not running.started:
                assert thread.is_alive()
            answer = http.get("/fail")
    finally:
        running.should_exit = True
        thread.join(PATIENCE)
    assert answer.status_code == 500
    assert answer.json()["code"] == "failed"
    assert "5eed" not in answer.text
    assert_safe(answer)
    failures = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert_no_seed_written(failures)
    assert {json.loads(JsonLines().format(record))["error"] for record in failures} == {"RuntimeError"}


# --- What is written down ---------------------------------------------------------------------------------------------
def assert_no_seed_written(records: list[logging.LogRecord]) -> None:
    """No form of the log has the text of an error."""
    assert records
    for record in records:
        for form in (JsonLines(), PlainLines()):
            assert "5eed" not in form.format(record)


# Logs say where something failed, not what it was about; files with secrets are for their owner.
def test_a_failure_beside_any_request_is_logged_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    async def think() -> None:
        raise RuntimeError("the seed is 5eed5eed")

    async def forget_a_task() -> None:
        task = asyncio.ensure_future(think())
        await asyncio.wait([task])
        del task
        gc.collect()

    asyncio.run(forget_a_task())
    assert "5eed" in caplog.text
    assert_no_seed_written(caplog.records)


@pytest.mark.parametrize(
    "url",
    [
        *["postgresql://ann:5eed@host/games", "postgres://ann:5%2Feed5eed@host:5432/games"],
        *["postgresql:///games?user=ann&password=5eed", "postgresql://host/games?sslpassword=5eed#5eed"],
    ],
)
def test_the_password_of_the_database_is_not_shown(url: str) -> None:
    assert "eed" not in without_password(url)
    assert without_password(url).endswith("/games")


def test_files_with_secrets_are_for_their_owner(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    with serving(database) as running:
        Guest(running, "Ann").open("emerald", ME, OPEN)
    for command in ("export", "backup"):
        arguments = [command, str(tmp_path / command), "--database", str(database)]
        old = os.umask(0o022)
        try:
            subprocess.run([sys.executable, "-m", "dracotheque", *arguments], check=True, capture_output=True)
        finally:
            os.umask(old)
    for path in tmp_path.iterdir():
        assert path.stat().st_mode & 0o077 == 0, f"others may read {path.name}"
