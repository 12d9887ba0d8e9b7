"""Bad input changes nothing: over 100,000 malformed messages, over HTTP and the socket.

Whatever is sent, the table stays byte for byte what it was, for every viewer and in the store; the answer says what
was wrong by a code that is known and, where a rule of the game forbids a choice, by a rule that the rulebook has.
"""

from __future__ import annotations

import copy
import json
import random
import socket
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks as openapi

from dracotheque import load_game
from dracotheque.engine.jit.cache import PACKAGE
from dracotheque.server.app import PAGE
from dracotheque.server.identity import COOKIE
from dracotheque.server.openapi import document
from dracotheque.server.routes import ENDPOINTS
from tests.server.guests import LINK, ME, OPEN, Guest, News, Server, serving
from tests.server.wire import BINARY, CLOSE, PING, Wire, command_frame, frame, handshake, once

CODES = set(tomllib.loads((PACKAGE / "tables/locale/en.toml").read_text("utf-8"))["refused"])
PERSONS = {"emerald": 2, "dragons-cave": 3, "gran": 3, "save-the-dragon": 2}
POSITIONS = 25
ACTIONS = range(-10, 301)
PLAN = {
    "wrong choices": sum(PERSONS.values()) * POSITIONS * 270,
    "junk": 8_000,
    "broken commands": 24_000,
    "broken commands over HTTP": 2_000,
    "others' commands": 3_000,
}
"""How many messages each kind has at least."""


def test_all_in_all_there_are_a_hundred_thousand() -> None:
    assert sum(PLAN.values()) >= 100_000


# --- A table that must not change -----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """A server and the file in which it keeps its tables."""
    database = tmp_path_factory.mktemp("fuzz") / "tables.db"
    with serving(database) as running:
        yield running, database


class Party:
    """The players of a table, each with a socket, a spectator, and a client without a cookie."""

    def __init__(self, place: tuple[Server, Path], game: str, *, begun: bool = True, **wishes: Any) -> None:
        """Create a table; where it has not begun, its last seat is reserved."""
        self.server, self.database = place
        self.game = game
        self.rules = set(load_game(game).rulebook().paragraphs)
        persons = PERSONS[game] - (not begun)
        self.guests = [Guest(self.server, f"Guest {number}") for number in range(persons)]
        self.watchers = [Guest(self.server, "Eve"), Guest(self.server)]
        seats = [ME, *[OPEN] * (persons - 1), *[LINK] * (not begun)]
        self.table = self.guests[0].open(game, *seats, **wishes)
        for guest in self.guests[1:]:
            guest.sit(self.table)
        self.wires = [Wire(self.server, self.table, guest) for guest in (*self.guests, *self.watchers)]
        self.read_news()

    def read_news(self) -> None:
        """Read what has been sent to all clients so far."""
        for wire in self.wires:
            wire.do("take-back", move_number=-1)
            wire.news.clear()

    def seen(self) -> list[bytes]:
        """The table as each client sees it."""
        path = f"/api/tables/{self.table}"
        return [guest.http.get(path).content for guest in (*self.guests, *self.watchers)]

    def stored(self) -> list[Any]:
        """The table's events as they are stored."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as store:
            rows = store.execute("SELECT number, event FROM events WHERE table_id = ? ORDER BY number", [self.table])
            return rows.fetchall()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Nothing here changes the table, reaches other clients, or fails inside the server."""
        before, log = (self.seen(), self.stored()), len(self.server.written())
        yield
        assert (self.seen(), self.stored()) == before
        for wire in self.wires:
            assert wire.do("take-back", move_number=-1)["revision"] == len(before[1])
            assert wire.news == []
        assert went_wrong(self.server.written()[log:]) == []

    def refused(self, wire: Wire, frames: list[bytes]) -> set[str]:
        """Send frames, see every one refused for a reason, and say for which ones."""
        return {self.reason(answer) for answer in wire.ask(frames)}

    def reason(self, answer: News) -> str:
        """See that a refusal says why, in all the ways it should."""
        assert answer["type"] == "rejected", answer
        return reason(answer["problem"], self.rules)

    def close(self) -> None:
        """Hang up."""
        for wire in self.wires:
            wire.raw.close()


def reason(problem: News, rules: set[str]) -> str:
    """See that an error is one of ours: a known code, a sentence, a phrase, and a rule where one is broken."""
    code = problem["code"]
    assert code in CODES
    assert problem["text"]
    assert problem["phrase"][0] == f"refused.{code}"
    assert problem["rule"] in rules if code == "rule" else "rule" not in problem
    return code


def went_wrong(log: str) -> list[str]:
    """The lines of a log that tell of something gone wrong inside the server."""
    return [line for line in log.splitlines() if '"level": "error"' in line or "Traceback" in line]


@contextmanager
def party(place: tuple[Server, Path], game: str, **wishes: Any) -> Iterator[Party]:
    """People at a table, for a while."""
    found = Party(place, game, **wishes)
    try:
        yield found
    finally:
        found.close()


# --- Choices that the rules forbid ----------------------------------------------------------------------------------
@pytest.mark.parametrize("game", PERSONS)
def test_every_wrong_choice_in_many_positions(place: tuple[Server, Path], game: str) -> None:
    chance, positions, sent = random.Random(game), 0, 0
    while positions < POSITIONS:
        with party(place, game) as at:
            while positions < POSITIONS and (moved := try_every_choice(at, chance)):
                positions, sent = positions + 1, sent + moved
    assert sent >= PLAN["wrong choices"] * PERSONS[game] // sum(PERSONS.values())


def try_every_choice(at: Party, chance: random.Random) -> int:
    """Let every seat try whatever it may not choose, then go on; say how many choices that were, none after the end."""
    views = [guest.get(f"/api/tables/{at.table}") for guest in at.guests]
    if views[0]["table"]["status"] == "over":
        return 0
    legal, sent = [choices(view) for view in views], 0
    asked = [view["prompt"].get("prompt_id", 0) for view in views]
    with at.unchanged():
        for seat, wire in enumerate(at.wires[: len(at.guests)]):
            wrong = [action for action in ACTIONS if action not in legal[seat]]
            frames = [
                command_frame("move", seat=seat, prompt_id=asked[seat], action=action, id=action) for action in wrong
            ]
            assert at.refused(wire, frames) <= {"rule", "no_such_action"}
            sent += len(frames)
    seat = chance.choice([seat for seat, may in enumerate(legal) if may])
    move = {"seat": seat, "prompt_id": asked[seat], "action": chance.choice(legal[seat])}
    assert at.wires[seat].do("move", **move)["type"] == "ack"
    assert at.wires[seat].do("move", **move)["type"] == "rejected"
    at.read_news()
    return sent


def choices(view: News) -> list[int]:
    """The numbers of what a viewer may choose."""
    return [choice["action"] for choice in (view.get("prompt") or {}).get("choices", [])]


# --- What is no command at all --------------------------------------------------------------------------------------
NO_NUMBERS = (b"NaN", b"Infinity", b"-Infinity", b"nan")


def junk(chance: random.Random) -> bytes:
    """Make up a frame that is no command."""
    letters = '{}[]",:0123456789.eE-+ \\u\ttruefalsnl\u0000é🐉do'
    text = "".join(chance.choices(letters, k=chance.randrange(200)))
    number = "9" * chance.randrange(1, 4000)
    depth = chance.randrange(1, 1300)
    made: list[Callable[[], bytes]] = [
        lambda: frame(text.encode()),
        lambda: frame(chance.randbytes(chance.randrange(300)), BINARY),
        lambda: frame(b"[" * depth + b"]" * depth),
        lambda: frame(b'{"type":' * (depth // 2) + b"1" + b"}" * (depth // 2)),
        lambda: frame(b'{"type":"send-chat","seat":0,"text":' + b"[" * depth + b"]" * depth + b"}"),
        lambda: frame(number.encode()),
        lambda: frame(f'{{"type":"move","seat":{number},"prompt_id":0,"action":0}}'.encode()),
        lambda: frame(f'{{"type":"move","seat":0,"prompt_id":0,"action":1e{number[:4]}}}'.encode()),
        lambda: frame(b'{"type":"take-back","move_number":%s}' % chance.choice(NO_NUMBERS)),
        lambda: frame(b'{"type":"close","type":"start"}'),
        lambda: frame(b'{"type":"send-chat","seat":0,"seat":9,"text":"x"}'),
        lambda: frame(b'{"type":"send-chat","seat":0,"text":"\\ud83d"}'),
        lambda: frame(b'{"type":"send-chat","seat":0,"text":"\\udc00\\ud800"}'),
        lambda: frame(b'{"type":"send-chat","seat":0,"text":"' + b"x" * chance.randrange(4_097, 9_000) + b'"}'),
        lambda: frame(b"\xef\xbb\xbf" + b'{"type":"close"}'),
        lambda: frame(b'{"type":"close"}{"type":"close"}'),
        lambda: frame(b""),
        lambda: frame(b'{"type"', last=False) + frame(b"", 0, last=False) + frame(b"}", 0),
        lambda: frame(b"hello", PING) + frame(b"{"),
    ]
    return chance.choice(made)()


def test_junk_is_refused_and_the_socket_stays_usable(place: tuple[Server, Path]) -> None:
    chance = random.Random("junk")
    each = PLAN["junk"] // 16
    with party(place, "dragons-cave") as at, party(place, "emerald", begun=False) as waiting:
        for here in (at, waiting):
            for wire in (here.wires[0], here.wires[-1]):
                for _ in range(4):
                    with here.unchanged():
                        assert here.refused(wire, [junk(chance) for _ in range(each)]) <= {"bad_message", "too_long"}


SPOILT = {
    "no UTF-8": (frame(b'{"type":"send-chat","seat":0,"text":"\xff\xfe"}'), 1007),
    "half a letter": (frame(b'{"type":"close"\xc3', last=False) + frame(b"}", 0), 1007),
    "a surrogate in UTF-8": (frame(b'"\xed\xa0\x80"'), 1007),
    "too big": (frame(b" " * 70_000), 1009),
    "bigger than it comes": (frame(b"")[:1] + b"\xff" + b"\x7f" + b"\xff" * 7 + bytes(4), 1009),
    "too big in pieces": (frame(b" " * 60_000, last=False) + frame(b" " * 60_000, 0), 1009),
    "not masked": (frame(b'{"type":"close"}', masked=False), 1002),
    "an unknown kind": (frame(b"", 3), 1002),
    "reserved bits": (bytes([0xF1]) + frame(b"")[1:], 1002),
    "the rest of nothing": (frame(b"x", 0), 1002),
    "a message within a message": (frame(b"x", last=False) + frame(b"y"), 1002),
    "half a ping": (frame(b"", PING, last=False), 1002),
    "a long ping": (frame(b"x" * 200, PING), 1002),
    "goodbye in one byte": (frame(b"\x03", CLOSE), 1002),
    "goodbye for no reason": (frame(b"\x00\x01", CLOSE), 1002),
    "goodbye with broken words": (frame(b"\x03\xe8\xff", CLOSE), 1007),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_no_websocket_closes_that_socket_only(place: tuple[Server, Path], name: str) -> None:
    sent, code = SPOILT[name]
    with party(place, "emerald") as at, at.unchanged():
        for guest in (at.guests[0], None):
            with Wire(at.server, at.table, guest) as wire:
                wire.send(sent)
                assert wire.until_closed() == code


# --- Commands with something wrong ----------------------------------------------------------------------------------
COMMANDS: list[dict[str, Any]] = [
    {"type": "move", "seat": 0, "prompt_id": 1, "action": 3},
    {"type": "take-back", "move_number": 1},
    {"type": "send-chat", "seat": 0, "text": "hello"},
    {"type": "mute", "seat": 1, "on": True},
    {"type": "assign-substitute", "seat": 0, "level": "squire"},
    {"type": "resume-seat", "seat": 0},
    {"type": "resign", "seat": 0},
    {"type": "change-seat", "seat": 1, "request": {"kind": "bot", "name": "x", "level": "squire"}},
    {"type": "leave", "seat": 0},
    {"type": "start", "level": "squire"},
    {"type": "close"},
    {"type": "rematch"},
    {"type": "set-viewpoint", "seat": 0},
    {"type": "sync"},
]
WRONG: list[Any] = [None, True, False, 0.5, -1, 6, 10**30, "", "0", "x", [], [0], {}, {"a": 1}, "\u0000", "🐉" * 300]
MAY_BE = {
    "id": (0, -1, 6, 10**30),
    "prompt_id": (-1, 6, 10**30),
    "move_number": (-1, 6, 10**30),
    "action": (-1, 6, 10**30),
    "on": (True, False),
    "text": ("0", "x", "\u0000"),
    "name": ("", "0", "x", "\u0000"),
}
"""What is right for a field though it is wrong for others."""


NO_COMMANDS = ("", "MOVE", "update", "snapshot", "ack", "opened", "chosen", "set-viewpoint ")


def spoilt(chance: random.Random) -> bytes:
    """Take a command and spoil it, so that it cannot be understood in any way."""
    command = copy.deepcopy(chance.choice(COMMANDS))
    inside = command["request"] if "request" in command and chance.random() < 0.5 else command
    match chance.randrange(7):
        case 0:
            inside[chance.choice(["", "Seat", "guest", "by_bot", "__class__", "type ", "seats"])] = chance.choice(WRONG)
        case 1:
            command["type"] = chance.choice([*NO_COMMANDS, *WRONG])
        case 2:
            command.pop("type" if inside is command else "request")
        case 3:
            key = chance.choice([*(key for key in inside if key not in ("type", "request")), "id"])
            if inside is not command and key == "id":
                inside["level"] = "wizard"
            else:
                optional = command["type"] in ("set-viewpoint", "start") and key in ("seat", "level")
                right = (*MAY_BE.get(key, ()), *((None,) if optional else ()))
                inside[key] = chance.choice([wrong for wrong in WRONG if not is_one_of(wrong, right)])
        case 4:
            text = json.dumps(command)
            return text[: chance.randrange(1, len(text))].encode()
        case 5:
            return json.dumps(chance.choice([[command], json.dumps(command), {"command": command}])).encode()
        case _:
            return json.dumps(command).replace("}", ', "id": 1e5}', 1).encode() + b" " * chance.randrange(3)
    return json.dumps(command).encode()


def is_one_of(value: Any, values: tuple[Any, ...]) -> bool:
    """Whether a value is among others; true is not one here."""
    return any(type(value) is type(other) and value == other for other in values)


@pytest.mark.parametrize("begun", [True, False])
def test_broken_commands_are_refused(place: tuple[Server, Path], begun: bool) -> None:
    chance = random.Random(f"broken {begun}")
    each = PLAN["broken commands"] // 2 // 12
    with party(place, "gran", begun=begun) as at:
        for wire in (at.wires[0], at.wires[1], at.wires[-1]):
            for _ in range(4):
                with at.unchanged():
                    frames = [frame(spoilt(chance)) for _ in range(each)]
                    assert at.refused(wire, frames) <= {"bad_message", "too_long"}


def test_broken_commands_are_refused_over_http_too(place: tuple[Server, Path]) -> None:
    chance, each = random.Random("HTTP"), PLAN["broken commands over HTTP"] // 5
    with party(place, "emerald") as at:
        path = f"/api/tables/{at.table}/do"
        for _ in range(5):
            with at.unchanged():
                for _ in range(each):
                    answer = at.guests[0].http.post(path, content=spoilt(chance))
                    assert answer.status_code == 400
                    assert reason(answer.json(), at.rules) == "bad_message"


# --- Commands of somebody else --------------------------------------------------------------------------------------
def others_commands(persons: int, seat: int | None) -> list[dict[str, Any]]:
    """Valid commands that this client (none: a spectator) is not allowed to give."""
    others = [number for number in range(6) if number != seat]
    seated = [command | {"seat": other, "id": 7} for command in COMMANDS for other in others if "seat" in command]
    found = [command for command in seated if command["type"] != "mute" or command["seat"] >= persons]
    if seat is None:
        found += [{"type": "take-back", "move_number": moves} for moves in range(-1, 12)]
        found += [{"type": "rematch"}]
    if seat != 0:
        found += [{"type": "start"}, {"type": "start", "level": "dragon"}, {"type": "close"}]
        found += [{"type": "change-seat", "seat": number, "request": {"kind": "me"}} for number in range(6)]
    return found


@pytest.mark.parametrize("status", ["open", "playing", "over"])
def test_nobody_does_what_is_for_others(place: tuple[Server, Path], status: str) -> None:
    sent = 0
    with party(place, "emerald", begun=status != "open") as at:
        if status == "over":
            assert at.wires[0].do("resign", seat=0)["type"] == "ack"
            at.read_news()
        for number, wire in enumerate(at.wires):
            seat = number if number < len(at.guests) else None
            commands = others_commands(PERSONS["emerald"], seat) * 5
            if status == "open":  # the host may change a free seat
                commands = [command for command in commands if seat != 0 or command["type"] != "change-seat"]
            with at.unchanged():
                at.refused(wire, [frame(json.dumps(command).encode()) for command in commands])
            sent += len(commands)
            with at.unchanged():
                guest = (*at.guests, *at.watchers)[number]
                for command in commands[: len(commands) // 5]:
                    answer = guest.http.post(f"/api/tables/{at.table}/do", json=command)
                    assert 400 <= answer.status_code < 500
                    reason(answer.json(), at.rules)
                    sent += 1
    assert sent >= PLAN["others' commands"] // 3


def test_what_comes_too_early_or_too_late_is_refused(place: tuple[Server, Path]) -> None:
    with party(place, "gran") as at, at.unchanged():
        early = [
            {"type": "rematch"},
            {"type": "resume-seat", "seat": 0},
            {"type": "resign", "seat": 0},
            {"type": "close"},
        ]
        late = [
            {"type": "start"},
            {"type": "leave", "seat": 0},
            COMMANDS[7],
            {"type": "take-back", "move_number": 10**12},
        ]
        now = at.guests[0].get(f"/api/tables/{at.table}")["move_number"]
        moves = [COMMANDS[0] | {"prompt_id": moment} for moment in range(-20, 200) if moment != now]
        commands = [json.dumps(command).encode() for command in (*early, *late, *moves)]
        codes = at.refused(at.wires[0], [frame(command) for command in commands])
        assert codes >= {"not_over", "no_stand_in", "resign_needs_two", "others_play", "already_started", "too_late"}


# --- The OpenAPI document, by Schemathesis --------------------------------------------------------------------------
SCHEMA = schemathesis.openapi.from_dict(document(ENDPOINTS))
CHECKS: list[Any] = [
    not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_headers_conformance,
    openapi.response_schema_conformance,
    openapi.negative_data_rejection,
    openapi.unsupported_method,
    openapi.allow_header_conformance,
]


@pytest.fixture(scope="module")
def strangers_place(place: tuple[Server, Path]) -> Iterator[tuple[Guest, list[Party]]]:
    """A client without a seat at these tables: one that waits, one that plays, one that is over."""
    parties = [Party(place, "emerald", begun=False), Party(place, "dragons-cave"), Party(place, "emerald")]
    assert parties[2].wires[0].do("resign", seat=0)["type"] == "ack"
    yield Guest(place[0], "Stranger"), parties
    for each in parties:
        each.close()


@pytest.fixture
def stranger(strangers_place: tuple[Guest, list[Party]]) -> Iterator[tuple[Guest, list[Party]]]:
    """A client that sends any request, and changes nothing at others' tables."""
    _, parties = strangers_place
    for each in parties:
        each.read_news()
    with parties[0].unchanged(), parties[1].unchanged(), parties[2].unchanged():
        yield strangers_place


@SCHEMA.parametrize()
@settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_the_api_answers_as_its_document_says(case: Any, stranger: tuple[Guest, list[Party]]) -> None:
    guest, parties = stranger
    proper = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    size = len(repr((case.body, case.query, case.path_parameters)))
    known = {"table": parties[size % 3].table, "game": [*PERSONS, "tables"][size % 5], "language": "fr"}
    if proper and size % 7:
        case.path_parameters |= {name: known[name] for name in case.path_parameters or {}}
    if proper and isinstance(case.body, dict) and "game" in case.body:
        case.body["game"] = [*PERSONS][size % 4]
    answer = case.call(base_url=guest.url, cookies={COOKIE: guest.cookie})
    case.validate_response(answer, checks=CHECKS)
    if answer.status_code >= 400:
        reason(answer.json(), set())


# --- The log of a game, sent to be verified -------------------------------------------------------------------------
ODD: list[Any] = [*WRONG, "\ud800", 2**31, 2**64, 1e308, [None] * 300, "0:0:0000", "9" * 30 + ":1:0000", "x" * 3000]


def test_damaged_logs_are_refused(place: tuple[Server, Path]) -> None:
    chance = random.Random("logs")
    with party(place, "emerald") as at:
        for _ in range(8):
            views = [guest.get(f"/api/tables/{at.table}") for guest in at.guests]
            seat = next(seat for seat, view in enumerate(views) if choices(view))
            asked = views[seat]["prompt"]["prompt_id"]
            assert (
                at.wires[seat].do("move", seat=seat, prompt_id=asked, action=choices(views[seat])[0])["type"] == "ack"
            )
        assert at.wires[0].do("resign", seat=0)["type"] == "ack"
        at.read_news()
        whole = at.guests[0].get(f"/api/tables/{at.table}/log")
        assert at.guests[0].post("/api/verify", whole)["fair"] is True
        with at.unchanged():
            for _ in range(800):
                log = damaged(whole, chance)
                answer = at.guests[0].http.post("/api/verify", content=log)
                if answer.status_code != 200:
                    assert reason(answer.json(), at.rules) == "bad_message"
                    assert answer.status_code == 400


def damaged(log: Any, chance: random.Random) -> bytes:
    """Damage a log somewhere."""
    log = copy.deepcopy(log)
    holder = log if chance.random() < 0.6 else chance.choice([log["moves"], log["dice"], log["options"], log["seats"]])
    places: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    holder[chance.choice(places)] = copy.deepcopy(chance.choice(ODD))
    text = json.dumps(log).encode()
    return text if chance.random() < 0.8 else text[: chance.randrange(len(text))]


# --- What is no HTTP ------------------------------------------------------------------------------------------------
def request(target: bytes, *headers: bytes, method: bytes = b"GET", body: bytes = b"", host: bytes = b"here") -> bytes:
    """Write a request by hand, well or badly."""
    lines = [b"Host: " + host, b"Connection: close", *headers, *([b"Content-Length: %d" % len(body)] * bool(body))]
    return b"%s %s HTTP/1.1\r\n%s\r\n\r\n%s" % (method, target, b"\r\n".join(lines), body)


CHUNKED = b"Transfer-Encoding: chunked"
MALFORMED = {
    "noise": bytes(range(256)) + b"\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
    "no version": b"GET /api/me\r\n\r\n",
    "an unknown method": request(b"/api/me", method=b"STEAL"),
    "a tunnel": request(b"example.org:80", method=b"CONNECT"),
    "everything": request(b"*", method=b"OPTIONS"),
    "another server": request(b"http://example.org/api/me"),
    "half an address": request(b"http://[/api/me"),
    "a space in the path": request(b"/api/ me"),
    "no ASCII in the path": request(b"/api/tables/\xff\xfe"),
    "no UTF-8 in the path": request(b"/api/tables/%ff%fe%ed%a0%80"),
    "a zero in the path": request(b"/api/tables/%00"),
    "half an escape in the path": request(b"/api/tables/%2"),
    "a long path": request(b"/" + b"a" * 60_000),
    "a very long path": request(b"/" + b"a" * 300_000),
    "a long query": request(b"/api/tables?game=" + b"a" * 60_000),
    "many parameters": request(b"/api/tables?" + b"&".join(b"a%d=1" % number for number in range(5_000))),
    "the same parameter twice": request(b"/api/tables?game=a&game=b"),
    "a zero in the query": request(b"/api/tables?game=%00"),
    "a number of many digits": request(b"/api/tables/x/moves?first=" + b"9" * 5_000),
    "a long header": request(b"/api/me", b"X: " + b"a" * 500_000),
    "many headers": request(b"/api/me", *[b"X: a"] * 20_000),
    "a zero in a header": request(b"/api/me", b"X: a\x00b"),
    "a header without a name": request(b"/api/me", b": a"),
    "a header without a colon": request(b"/api/me", b"nothing"),
    "no host": b"GET /api/me HTTP/1.1\r\nConnection: close\r\n\r\n",
    "a strange host": request(b"/api/me/key", method=b"POST", host=b"["),
    "a host of strange letters": request(b"/api/me/key", method=b"POST", host=b"\xff\xe9:99999999"),
    "a long host": request(b"/api/me/key", method=b"POST", host=b"a" * 5_000),
    "a strange host to be sent elsewhere": request(b"/api/games/", host=b"["),
    "a broken cookie": request(b"/api/me", b'Cookie: dracotheque_guest="\\777\\000; ;=;\xff=\xfe'),
    "a long cookie": request(b"/api/me", b"Cookie: dracotheque_guest=" + b"a" * 60_000),
    "a foreign origin": request(b"/api/me", b"Origin: null", method=b"POST", body=b"{}"),
    "a length below zero": request(b"/api/me", b"Content-Length: -1", method=b"POST"),
    "a length of many digits": request(b"/api/me", b"Content-Length: " + b"9" * 40, method=b"POST"),
    "two lengths": request(b"/api/me", b"Content-Length: 3", method=b"POST", body=b"{}"),
    "a length and chunks": request(b"/api/me", CHUNKED, method=b"POST", body=b"0\r\n\r\n"),
    "chunks of no size": request(b"/api/me", CHUNKED, method=b"POST") + b"zz\r\nfoo\r\n",
    "a chunk of huge size": request(b"/api/me", CHUNKED, method=b"POST") + b"f" * 20 + b"\r\nfoo\r\n",
    "a chunk longer than it says": request(b"/api/me", CHUNKED, method=b"POST") + b"1\r\nfoofoo\r\n0\r\n\r\n",
    "an unknown coding": request(b"/api/me", b"Transfer-Encoding: dragon", method=b"POST") + b"{}",
    "compressed nonsense": request(b"/api/me", b"Content-Encoding: gzip", method=b"POST", body=b"\x1f\x8b\x00"),
    "no JSON": request(b"/api/me", method=b"POST", body=b"name=Ann"),
    "nothing": request(b"/api/me", method=b"POST"),
    "no UTF-8": request(b"/api/me", method=b"POST", body=b'{"name":"\xff"}'),
    "half a letter": request(b"/api/me/become", method=b"POST", body=b'{"key":"\\ud800.x"}'),
    "a deep list": request(b"/api/tables", method=b"POST", body=b"[" * 60_000),
    "a deep log": request(b"/api/verify", method=b"POST", body=b"[" * 200_000),
    "a log of a broken letter": request(
        b"/api/verify", method=b"POST", body=b'{"format":"dracotheque-game","version":"\\ud800"}'
    ),
    "a body that is too long": request(b"/api/me", method=b"POST", body=b" " * 100_000),
    "a log that is too long": request(b"/api/verify", method=b"POST", body=b" " * 300_000),
    "a range of nothing": request(b"/page/base.css", b"Range: bytes=abc"),
    "a range backwards": request(b"/page/base.css", b"Range: bytes=9-1"),
    "a range beyond the end": request(b"/", b"Range: bytes=" + b"9" * 30 + b"-"),
    "many ranges": request(b"/page/base.css", b"Range: bytes=" + b",".join([b"0-1"] * 2_000)),
    "a date that never was": request(b"/page/base.css", b"If-Modified-Since: Mon, 99 Foo 99999999999 99:99:99 +9"),
    "a socket nowhere": handshake("/nowhere"),
    "a socket to a page": handshake("/page/base.css"),
    "a socket by POST": handshake("/api/tables/x/live?protocol=2", method="POST"),
    "a socket without a key": request(b"/api/tables/x/live?protocol=2", b"Upgrade: websocket", b"Connection: Upgrade"),
    "a socket with a long path": handshake(f"/api/tables/{'x' * 9_000}/live"),
    "a socket with many headers": handshake("/api/tables/x/live?protocol=2", more="X: a\r\n" * 500),
    "a socket with a long header": handshake("/api/tables/x/live?protocol=2", more=f"X: {'a' * 9_000}\r\n"),
    "a socket of another time": handshake("/api/tables/x/live?protocol=2", more="Sec-WebSocket-Version: 99\r\n"),
    "a socket from elsewhere": handshake("/api/tables/x/live?protocol=2", more="Origin: https://example.org\r\n"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_requests_are_answered_or_hung_up_on(place: tuple[Server, Path], name: str) -> None:
    server, log = place[0], len(place[0].written())
    answer = once(server, MALFORMED[name])
    if answer:
        version, status, _ = answer.split(b" ", 2)
        assert version == b"HTTP/1.1"
        assert 200 <= int(status) < 500
    assert went_wrong(server.written()[log:]) == []
    assert once(server, request(b"/healthz")).startswith(b"HTTP/1.1 200 ")


def test_who_hangs_up_in_the_middle_breaks_nothing(place: tuple[Server, Path]) -> None:
    server, log = place[0], len(place[0].written())
    guest = Guest(server, "Ben")
    cookie = f"Cookie: {COOKIE}={guest.cookie}".encode()
    whole = request(b"/api/me", cookie, method=b"POST", body=b'{"name": "Ann"}')
    for end in range(1, len(whole)):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(whole[:end])
    assert guest.get("/api/me")["name"] == "Ben"
    assert went_wrong(server.written()[log:]) == []


OUTSIDE = [
    "/page/../app.py",
    "/page/%2e%2e/app.py",
    "/page/..%2fapp.py",
    "/page/..%5capp.py",
    "/page/js/../../app.py",
    "/page/js/%2e%2e/%2e%2e/app.py",
    "/page/....//app.py",
    "/page//etc/passwd",
    "/page/%2fetc/passwd",
    "/page/%00/../app.py",
    "/page/base.css%00.js",
    "/page/..",
    "/page/.",
    "/page/",
    "/page/js",
    "/page/js/",
    "/page/" + "a" * 300,
    "/page/" + "a/" * 3_000,
    "/page/" + "../" * 40 + "etc/passwd",
    "/page/file:///etc/passwd",
    "/page/~root",
    "/page/CON",
    "/page/\\..\\app.py",
    "/page/base.css/x",
    "/t/../../app.py/x",
]


@pytest.mark.parametrize("path", OUTSIDE, ids=range(len(OUTSIDE)))
def test_no_file_outside_the_page_is_given(place: tuple[Server, Path], path: str) -> None:
    answer = once(place[0], request(path.encode("latin-1")))
    assert answer.split(b" ", 2)[1] == b"404"
    assert b'"no_such_page"' in answer


def test_every_file_of_the_page_is_given_as_it_is(place: tuple[Server, Path]) -> None:
    files = [file for file in PAGE.rglob("*") if file.is_file()]
    assert files
    for file in files:
        answer = once(place[0], request(f"/page/{file.relative_to(PAGE).as_posix()}".encode()))
        assert answer.partition(b"\r\n\r\n")[2] == file.read_bytes()
