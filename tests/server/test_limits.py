"""Limits of one guest: requests above them are rejected, and other guests are not affected."""

from __future__ import annotations

import contextlib
import json
import re
import select
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from dracotheque.server.identity import COOKIE
from dracotheque.server.rate_limits import Limits
from dracotheque.tables.manager import ManagerSettings
from tests.server.guests import ME, OPEN, PATIENCE, Guest, News, Seat, Server, serving
from tests.server.wire import Wire, command_frame, frame, once

LIMITS = Limits()
READABLE = b'{"name": "Ann"}'


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the usual limits."""
    with serving(tmp_path_factory.mktemp("strict") / "tables.db", rate=LIMITS.messages_a_second) as running:
        yield running


def two_at(server: Server, game: str = "emerald") -> tuple[Guest, Guest, str]:
    """Let two persons begin a game."""
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open(game, ME, OPEN)
    ben.sit(table)
    return ann, ben, table


def codes(answers: list[News]) -> list[str]:
    """Say why each command was refused."""
    return [answer["problem"]["code"] for answer in answers]


def statuses(server: Server, path: str, cookie: str = "") -> set[bytes]:
    """Ask for the same thing 400 times in one go, and say with which statuses that is answered."""
    request = f"GET {path} HTTP/1.1\r\nHost: here\r\nCookie: {COOKIE}={cookie}\r\n"
    answer = once(server, f"{request}\r\n".encode() * 399 + f"{request}Connection: close\r\n\r\n".encode())
    found = re.findall(rb"HTTP/1.1 (\d+)", answer)
    assert len(found) == 400
    return set(found)


# --- How long a message may be --------------------------------------------------------------------------------------
def test_a_message_has_up_to_four_kilobytes(server: Server) -> None:
    ann, _, table = two_at(server)
    shortest = b'{"type":"send-chat","seat":0,"text":"hello"}'
    with Wire(server, table, ann) as wire:
        fits, too_long = (frame(shortest.rjust(size)) for size in (LIMITS.message, LIMITS.message + 1))
        assert [answer["type"] for answer in wire.ask([fits, too_long, fits])] == ["ack", "rejected", "ack"]
        assert codes(wire.ask([too_long])) == ["too_long"]
        assert wire.do("send-chat", seat=0, text="x" * 280)["type"] == "ack"
        wire.send(frame(b" " * 65_537))
        assert wire.until_closed() == 1009


def test_a_body_has_up_to_64_kilobytes(server: Server) -> None:
    ann = Guest(server, "Ben")
    for size, status in ((LIMITS.body + 1, 413), (10 * LIMITS.body, 413), (LIMITS.body, 200)):
        answer = ann.http.post("/api/me", content=READABLE.rjust(size))
        assert answer.status_code == status
        assert ann.get("/api/me")["name"] == ("Ann" if status == 200 else "Ben")
    assert ann.http.post("/api/me", content=READABLE.rjust(LIMITS.body + 1)).json()["code"] == "too_long"


def test_a_body_whose_length_nobody_says_is_measured_too(server: Server) -> None:
    ann = Guest(server, "Ben")

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1_000
        yield READABLE

    assert ann.http.post("/api/me", content=pieces()).status_code == 413
    assert ann.get("/api/me")["name"] == "Ben"


# --- How often ------------------------------------------------------------------------------------------------------
def test_whoever_sends_too_much_waits_and_nobody_else_does(strict: Server) -> None:
    ann, ben, table = two_at(strict)
    with Wire(strict, table, ann) as fast, Wire(strict, table, ben) as slow, Wire(strict, table) as nobody:
        hurried = codes(fast.ask([command_frame("rematch")] * 400))
        assert hurried[: LIMITS.burst // 2] == ["not_over"] * (LIMITS.burst // 2)
        assert "too_fast" in hurried
        assert codes(slow.ask([command_frame("rematch")] * 10)) == ["not_over"] * 10
        assert ben.get("/api/me")["name"] == "Ben"
        assert b"429" in statuses(strict, "/api/me", ann.cookie)
        assert "too_fast" in codes(fast.ask([command_frame("rematch")] * 20))  # by whatever way they come
        assert "too_fast" in codes(nobody.ask([command_frame("rematch")] * 400))
        assert any(fast.do("send-chat", seat=0, text="sorry")["type"] == "ack" for _ in range(100_000))


def test_unreadable_messages_count_too(strict: Server) -> None:
    ann, _, table = two_at(strict)
    with Wire(strict, table, ann) as wire:
        assert set(codes(wire.ask([frame(b"{")] * 400))) == {"bad_message", "too_fast"}


def test_an_address_without_a_cookie_waits_too_and_nobody_else_does(strict: Server) -> None:
    ann = Guest(strict, "Ann")
    assert b"429" in statuses(strict, "/api/games/x/rules/x")
    assert ann.get("/api/me")["name"] == "Ann"


def test_one_address_makes_only_so_many_guests(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db", rate=LIMITS.messages_a_second) as running:
        guests = [Guest(running, f"Guest {number}") for number in range(8)]
        each = LIMITS.burst // 4  # far from what one of them may send
        cookies = [{"cookie": f"{COOKIE}={guest.cookie}"} for guest in guests for _ in range(each)]
        with httpx.Client(base_url=running.url) as jarless:
            answers = [jarless.post("/api/me/forget", headers=cookie) for cookie in cookies]
        refused = [answer.json()["code"] for answer in answers if answer.status_code != 200]
        assert set(refused) == {"too_fast"}
        assert len(answers) - len(refused) >= LIMITS.new_guests_a_minute - len(guests)
        assert all(guest.get("/api/me")["name"] for guest in guests)


# --- How many -------------------------------------------------------------------------------------------------------
def test_a_guest_sits_at_only_so_many_tables(server: Server) -> None:
    most = ManagerSettings().tables_a_guest
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    tables = [ann.open("emerald", ME, OPEN) for _ in range(most)]
    wish = {"game": "emerald", "seats": [ME, OPEN]}
    assert ann.post("/api/tables", wish, status=429)["code"] == "too_many_tables"
    assert len(ann.get("/api/me/tables")["tables"]) == most
    assert ben.open("emerald", ME, OPEN)
    ann.do(tables[0], "close")
    assert ann.open("emerald", ME, OPEN)
    assert ann.post("/api/tables", wish, status=429)["code"] == "too_many_tables"


def test_opening_many_tables_at_once_opens_no_more(server: Server) -> None:
    most, ann = ManagerSettings().tables_a_guest, Guest(server, "Ann")
    body = json.dumps({"game": "emerald", "seats": [ME, OPEN]})
    request = f"POST /api/tables HTTP/1.1\r\nHost: here\r\nCookie: {COOKIE}={ann.cookie}\r\nConnection: close\r\n"
    request += f"Content-Length: {len(body)}\r\n\r\n{body}"
    with ThreadPoolExecutor(most + 20) as many:
        answers = list(many.map(lambda _: once(server, request.encode()), range(most + 20)))
    assert Counter(answer.split(b" ", 2)[1] for answer in answers) == {b"200": most, b"429": 20}


def test_a_guest_has_only_so_many_sockets(server: Server) -> None:
    ann, ben, table = two_at(server)
    wires = [Wire(server, table, ann) for _ in range(LIMITS.sockets_a_guest)]
    try:
        with Wire(server, table, ann) as one_more:
            assert one_more.until_closed() == 4003
            assert [news["problem"]["code"] for news in one_more.news] == ["too_many_sockets"]
        assert {wire.do("rematch")["problem"]["code"] for wire in wires} == {"not_over"}
        with Wire(server, table, ben) as other:
            assert other.do("rematch")["problem"]["code"] == "not_over"
        wires.pop().raw.close()
        while True:  # until the server has noticed
            with Wire(server, table, ann) as again:
                again.receive()
                if again.news[0]["type"] == "snapshot":
                    break
    finally:
        for wire in wires:
            wire.raw.close()


# --- Those who do not read ------------------------------------------------------------------------------------------
def dropped(server: Server) -> float:
    """How many sockets of slow readers were closed so far."""
    figures = once(server, b"GET /metrics HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
    found = re.search(rb"^dracotheque_dropped_sockets_total (\S+)$", figures, re.MULTILINE)
    assert found
    return float(found[1])


def test_who_never_reads_is_let_go_and_the_others_play_on(server: Server) -> None:
    ann, ben, table = two_at(server)
    before, moves = dropped(server), 0
    with ann.socket(table) as first, ben.socket(table) as second, Wire(server, table, ann, buffer=4_096) as deaf:
        for _ in range(60):  # whole tables become long, and ann's sockets are sent one whenever she mutes someone
            first.do("send-chat", seat=0, text="🐉" * 280)
        while dropped(server) == before:
            for _ in range(20):
                assert first.do("mute", seat=1, on=True)["type"] == "ack"
            mover, other = (first, second) if first.choices() else (second, first)
            number = mover.choose(mover.choices()[0])["revision"]
            assert other.await_("update", until=lambda news, last=number: news["revision"] == last)
            moves += 1
        assert moves
        assert deaf.until_closed() in (1006, 4008)
        assert first.do("send-chat", seat=0, text="still here")["type"] == "ack"
        assert second.await_("chat", until=lambda news: news["text"] == "still here")


def shout(server: Server, deaf: Wire, other: Seat) -> None:
    """Ask for the whole table again and again without reading it, until that is too much; the other one plays on."""
    before = dropped(server)
    deaf.raw.settimeout(0.1)
    while dropped(server) == before:
        with contextlib.suppress(TimeoutError, ConnectionError):  # nobody listens any more
            deaf.send(*[command_frame("set-viewpoint", seat=0)] * 200)
        assert other.do("send-chat", seat=1, text="hello?")["type"] == "ack"


def test_who_only_shouts_is_let_go_and_the_others_play_on(server: Server) -> None:
    ann, ben, table = two_at(server)
    with ben.socket(table) as other, Wire(server, table, ann, buffer=4_096) as deaf:
        shout(server, deaf, other)


def test_who_never_reads_keeps_no_connection(server: Server) -> None:
    ann, ben, table = two_at(server)
    with ben.socket(table) as other, Wire(server, table, ann, buffer=4_096) as deaf:
        shout(server, deaf, other)
        gone = select.poll()
        gone.register(deaf.raw, 0)  # hearing that it was cut off takes no reading
        assert gone.poll(PATIENCE * 1000)


def test_a_head_has_an_end(server: Server) -> None:
    for beginning in (b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\nX", b"GET / HTTP/1.1\r\n"):
        answer = once(server, beginning + b"X: y\r\n" * 500_000)
        assert not answer or answer.startswith(b"HTTP/1.1 400 ")
