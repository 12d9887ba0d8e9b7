"""Games that differ only in a secret send the same bytes to all clients that must not know it.

Two managers, or two servers, hold the same table with the same dice. At both everybody chooses alike, except that some
seats seal another card or split their coins otherwise. Until that is revealed no one else may receive one byte that
differs, whatever they ask for. Thousands of games are played with `TableManager` and SQLite; whole games with two
servers.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from dracotheque import State, load_game
from dracotheque.bots.player_view import player_view as bot_view
from dracotheque.engine.phrases import GameEvent, phrase
from dracotheque.engine.takeback import is_secret_choice
from dracotheque.games.dragons_cave.rules import state as s
from dracotheque.presentation.log_lines import LogLine
from dracotheque.server.identity import COOKIE
from dracotheque.server.routes.tables import listing
from dracotheque.tables import broadcast, manager, snapshot
from dracotheque.tables import protocol as m
from dracotheque.tables.broadcast import LiveTable, Viewer, snapshot_for
from dracotheque.tables.errors import CommandError
from dracotheque.tables.game_in_progress import Position
from dracotheque.tables.manager import ManagerSettings, TableManager
from dracotheque.tables.snapshot import SPECTATOR, move_list
from dracotheque.tables.storage.store import open_store
from tests.server.guests import ME, OPEN, PATIENCE, Guest, Server, serving, take_in

GAME = "dragons-cave"
PAIRS = 1_000
AT_ONCE = 24
WHOLE_GAMES = 12
encode = msgspec.json.Encoder().encode


# --- Choices of which some are made otherwise -----------------------------------------------------------------------
def unnoticed(choices: list[int], action: int) -> list[int]:
    """Return the choices that may replace a secret one unnoticed: with two players for the same dwarf."""
    for_dwarf = [other for other in choices if other // s.SECOND_DWARF == action // s.SECOND_DWARF]
    return [other for other in (for_dwarf if action < s.NICHE else choices) if other != action]


@dataclass(frozen=True)
class Sealing:
    """What every seat seals at one table and at its twin."""

    order: list[int]
    actions: dict[int, tuple[int, int]]

    @property
    def varied(self) -> set[int]:
        """The seats that seal something else at the twin."""
        return {seat for seat, (one, other) in self.actions.items() if one != other}


def sealing(state: State, asked: Sequence[int], chance: Random) -> Sealing:
    """Let some of those who are asked in secret, at least one if possible, choose otherwise at the twin."""
    order = chance.sample(asked, len(asked))
    chosen = {seat: chance.choice(state.legal_actions(seat)) for seat in order}
    instead = {seat: unnoticed(state.legal_actions(seat), action) for seat, action in chosen.items()}
    able = [seat for seat in order if instead[seat]]
    varied = able[: chance.randint(1, len(able))] if able else []
    others = {seat: chance.choice(instead[seat]) if seat in varied else chosen[seat] for seat in order}
    return Sealing(order, {seat: (chosen[seat], others[seat]) for seat in order})


# --- Thousands of games in two houses -------------------------------------------------------------------------------
@dataclass
class Side:
    """One of two tables that differ in secrets only, and all that was sent to each who looks at it."""

    house: TableManager
    room: LiveTable
    guests: list[str]
    viewers: dict[int, Viewer]
    heard: dict[int, list[bytes]]

    @classmethod
    async def watched(cls, house: TableManager, table: str, guests: list[str]) -> Side:
        """Let every seat and a spectator look at a table."""
        looks = [*range(len(guests)), SPECTATOR]
        heard: dict[int, list[bytes]] = {look: [] for look in looks}
        viewers: dict[int, Viewer] = {}
        for look in looks:
            guest = guests[look] if look >= 0 else ""
            _, viewers[look] = await house.watch(table, guest, heard[look].append)
            assert viewers[look].viewpoint == look
        return cls(house, await house.live_table(table), guests, viewers, heard)

    @property
    def state(self) -> State:
        """The game."""
        assert self.room.table.play is not None
        return self.room.table.play.state

    async def choose(self, seat: int, action: int) -> None:
        """Let a seat choose."""
        assert self.room.table.play is not None
        asked = self.room.table.play.asked_at[seat]
        await self.house.do(self.room.table.id, self.guests[seat], m.Move(seat=seat, prompt_id=asked, action=action))

    async def pry(self, look: int, secretive: int) -> list[bytes]:
        """Give everything that can be asked for from a seat, or by a spectator, while another has a secret."""
        table = self.room.table
        guest = self.viewers[look].guest
        listed = await self.house.store.tables_of(self.guests[secretive])
        answers = [
            encode(snapshot_for(self.room, self.viewers[look])),
            encode(move_list(table, look, 0, 1_000)),
            encode([listing(each, guest) for each in listed]),
            *[refusal(table.log), refusal(lambda: move_list(table, look, 0, 10, openly=True))],
        ]
        if look >= 0:
            seen = bot_view(self.state, look)
            answers += [seen.state.bytes(), encode(seen.legal_actions)]
        for wish in wrong_wishes(table.moves, look, secretive):
            answers.append(await self._refused(guest or "f" * 32, wish))
        return answers

    async def _refused(self, guest: str, wish: m.AnyCommand) -> bytes:
        """Ask for something that must not be done, and give the answer."""
        number = self.room.table.revision
        with pytest.raises(CommandError) as refused:
            await self.house.do(self.room.table.id, guest, wish)
        assert self.room.table.revision == number
        return encode(refused.value.problem)


def refusal(asked: Callable[[], object]) -> bytes:
    """Request what is available only after the end."""
    with pytest.raises(CommandError) as refused:
        asked()
    return encode(refused.value.problem)


def wrong_wishes(moves: int, look: int, secretive: int) -> list[m.AnyCommand]:
    """Things that are refused to a seat, or a spectator, whose secret it is not."""
    wishes: list[m.AnyCommand] = [
        m.Move(seat=secretive, prompt_id=moves, action=0),
        m.Move(seat=secretive, prompt_id=moves, action=s.HOLD),
        m.AssignSubstitute(seat=secretive),
        m.SendChat(seat=secretive, text="I have the rope"),
        m.Rematch(),
    ]
    if look >= 0:
        # Numbers no prompt bears: whatever is chosen, it is too late or forbidden.
        wishes += [
            m.Move(seat=look, prompt_id=-1, action=action) for action in (0, 5, 7, s.NICHE, s.LEFT_FIST, s.HOLD, 999)
        ]
    else:
        wishes.append(m.TakeBack(move_number=moves))
    return wishes


@asynccontextmanager
async def two_houses(folder: Path) -> AsyncIterator[tuple[TableManager, TableManager]]:
    """Open two houses whose clocks stand still, each with a file of its own."""
    opened: list[TableManager] = []
    folder.mkdir(exist_ok=True)
    try:
        for name in ("one", "other"):
            store = open_store(str(folder / f"{name}.db"))
            await store.start()
            opened.append(TableManager(store, ManagerSettings(tables_a_guest=1_000_000), clock=lambda: 1e9))
        yield opened[0], opened[1]
    finally:
        for each in opened:
            await each.stop()
            await each.store.close()


async def begun(house: TableManager, chance: Random, players: int) -> tuple[str, list[str]]:
    """Create a table for persons only, without spectators, and take all seats."""
    guests = [chance.randbytes(16).hex() for _ in range(players)]
    seats = [m.SeatRequest("me"), *[m.SeatRequest("open")] * (players - 1)]
    options = {"chests": chance.choice(["closed", "open"])}
    table = await house.open(guests[0], m.CreateTable(GAME, seats, options, listed=True), "Ann")
    for guest in guests[1:]:
        await house.sit(table, guest, m.TakeSeat(), "Ben", lambda seat: False)
    return table, guests


async def lead_to_a_secret(house: TableManager, table: str, guests: list[str], chance: Random, choices: int) -> bool:
    """Play at random for so many choices and on to the next secret one; False where the game ended first."""
    room = await house.live_table(table)
    while (play := room.table.play) and room.table.asked:
        seat = chance.choice(play.asked)
        ripe = choices <= 0 and is_secret_choice(play.state)
        if ripe and any(len(play.state.legal_actions(each)) > 1 for each in play.asked):
            return True
        action = chance.choice(play.state.legal_actions(seat))
        await house.do(table, guests[seat], m.Move(seat=seat, prompt_id=play.asked_at[seat], action=action))
        choices -= 1
    return False


@dataclass
class Count:
    """What came of playing many pairs of games."""

    pairs: int = 0
    answers: int = 0
    bytes: int = 0
    revealed: int = 0
    phases: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])


async def play_a_pair(one: TableManager, other: TableManager, chance: Random, count: Count) -> None:
    """Play a game and its twin up to a reveal, and compare everything others are sent or can ask for."""
    players = chance.choice([2, 3, 4])
    table, guests = await begun(one, chance, players)
    if not await lead_to_a_secret(one, table, guests, chance, chance.choice([0, 0, chance.randrange(50)])):
        return
    await other.store.restore([record async for record in one.store.export(table)])
    sides = [await Side.watched(house, table, guests) for house in (one, other)]
    play = sides[0].room.table.play
    assert play
    choices = sealing(play.state, play.asked, chance)
    if not choices.varied:
        return
    others = [look for look in sides[0].heard if look not in choices.varied]
    count.phases.add((players, sides[0].state.to_plain().phase))
    for seat in choices.order:
        for side, action in zip(sides, choices.actions[seat], strict=True):
            await side.choose(seat, action)
        compare(sides, others, count)
    secretive = min(choices.varied)
    for look in others:
        pried = [await side.pry(look, secretive) for side in sides]
        assert pried[0] == pried[1]
        count.answers += len(pried[0])
        count.bytes += sum(map(len, pried[0]))
    await reveal(sides, choices.varied, others, count, chance)
    count.pairs += 1
    for side in sides:
        for viewer in side.viewers.values():
            side.house.leave(side.room, viewer)
        del side.house.tables[table]


async def reveal(sides: list[Side], varied: set[int], others: list[int], count: Count, chance: Random) -> None:
    """Let the dragon go on: what it uncovers before the varied secrets is the same for all."""
    while True:
        known: Any = sides[0].state.to_plain()
        dragon = known.dragon_seat
        action = chance.choice(sides[0].state.legal_actions(dragon))
        for side in sides:
            await side.choose(dragon, action)
        if known.phase == s.PLACE or known.guessing in varied:
            break
        compare(sides, others, count)
    count.revealed += any(sides[0].heard[look] != sides[1].heard[look] for look in others)


def compare(sides: list[Side], others: list[int], count: Count) -> None:
    """Clients that must not know the difference have received the same bytes at both tables."""
    for look in others:
        assert sides[0].heard[look] == sides[1].heard[look], f"seat {look} can tell the tables apart"
    count.bytes += sum(len(sides[0].heard[look][-1]) for look in others)


async def play_pairs(folder: Path, pairs: int, seed: int) -> Count:
    """Play many pairs of games, some at a time."""
    count, chance = Count(), Random(seed)
    async with two_houses(folder) as (one, other):

        async def play_some(own: Random) -> None:
            while count.pairs < pairs:
                await play_a_pair(one, other, own, count)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(AT_ONCE, pairs)):
                group.create_task(play_some(Random(chance.random())))
    return count


def test_thousands_of_games_that_differ_in_secrets_look_the_same_to_everybody_else(tmp_path: Path) -> None:
    count = asyncio.run(play_pairs(tmp_path, PAIRS, seed=7))
    assert count.pairs >= PAIRS
    assert count.phases == {(players, phase) for players in (2, 3, 4) for phase in (s.SEAL, s.SPLIT)}
    assert count.answers > 20 * PAIRS
    assert count.revealed > PAIRS / 2, "what was different comes to light in the end, so it would have been noticed"


# --- The test above finds leaks ---------------------------------------------------------------------------------
def leak_everything(patch: pytest.MonkeyPatch) -> None:
    """Let every viewer observe the whole state."""
    patch.setattr(State, "observation", lambda state, viewer: state.to_plain())


def leak_one_field(patch: pytest.MonkeyPatch) -> None:
    """Show everybody purses as full as left fists are."""
    honest = Position.known

    def fists_too(position: Position, viewpoint: int) -> Any:
        known: Any = honest(position, viewpoint)
        split = [left <= s.MOST_COINS for left in position.plain.left]
        known.purse = [
            position.plain.left[seat] if split[seat] else purse for seat, purse in enumerate(position.plain.purse)
        ]
        return known

    patch.setattr(Position, "known", fists_too)


def leak_into_length(patch: pytest.MonkeyPatch) -> None:
    """Make every update longer by what was sealed."""
    honest = broadcast.updates

    def padded(table: Any, viewpoints: Any) -> dict[int, m.TableUpdate]:
        made = honest(table, viewpoints)
        sealed: Any = table.play.position.plain
        for update in made.values():
            update.moves[0].recording = " " * (sum(sealed.card) + sum(sealed.left))
        return made

    patch.setattr(broadcast, "updates", padded)


def leak_into_news(patch: pytest.MonkeyPatch) -> None:
    """Tell which card was laid face down."""
    scene = load_game("dragons-cave", interpreted=True).text
    honest = scene.events

    def tattle(before: Any, player: int, action: int, after: Any) -> list[GameEvent]:
        return [*honest(before, player, action, after), GameEvent("card.seal", phrase("card.rope", number=action))]

    patch.setattr(scene, "events", tattle)


def leak_into_lines(patch: pytest.MonkeyPatch) -> None:
    """Say in the log which card was laid face down."""
    honest = snapshot.lines_of

    def tattle(before: Position, events: list[GameEvent], after: Position) -> list[LogLine]:
        return [*honest(before, events, after), LogLine(0, [phrase("log.ahead", space=sum(after.plain.card))])]

    patch.setattr(snapshot, "lines_of", tattle)


def leak_into_refusals(patch: pytest.MonkeyPatch) -> None:
    """Say in a refusal what happened so far."""

    def blab(table: Any, guest: str, seat: int) -> None:
        if seat not in table.seats_of(guest):
            raise CommandError("not_your_seat", text=str(table.play.state.full_history()))

    patch.setattr(manager.Table, "_require_mine", blab)


def leak_into_lists(patch: pytest.MonkeyPatch) -> None:
    """Count moves in lists by what lies on the table."""
    honest = TableManager._row

    def telling(house: TableManager, table: Any) -> Any:
        card: Any = table.play.state.to_plain().card if table.play else []
        left: Any = table.play.state.to_plain().left if table.play else []
        return msgspec.structs.replace(honest(house, table), moves=sum(card) + sum(left))

    patch.setattr(TableManager, "_row", telling)


LEAKS = [
    leak_everything, leak_one_field, leak_into_length, leak_into_news, leak_into_lines, leak_into_refusals,
    leak_into_lists,
]  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        with pytest.raises(ExceptionGroup) as found:
            asyncio.run(play_pairs(tmp_path, 200, seed=3))  # the table's dice are new each time
    assert found.group_contains(AssertionError)


# --- Whole games at two servers -------------------------------------------------------------------------------------
class Wire:
    """A socket at a table of one of two servers, and everything that came through it."""

    def __init__(self, connection: ClientConnection) -> None:
        """Take a socket."""
        self.connection = connection
        self.raw: list[str] = []
        self.last: dict[str, Any] = {}
        """The last snapshot, kept up to date."""
        self.sent = 0

    async def receive(self) -> dict[str, Any]:
        """Read the next piece of news."""
        text = await asyncio.wait_for(self.connection.recv(), PATIENCE)
        assert isinstance(text, str)
        self.raw.append(text)
        news = json.loads(text)
        take_in(self.last, news)
        return news

    async def until(self, number: int) -> None:
        """Read until an event has come."""
        while self.last.get("revision", 0) < number:
            await self.receive()

    async def do(self, command: str, **wishes: Any) -> int:
        """Carry something out, and give the number of its event."""
        self.sent += 1
        await self.connection.send(json.dumps({"type": command, "id": self.sent, **wishes}))
        while True:
            news = await self.receive()
            if news["type"] in ("ack", "rejected"):
                assert news["type"] == "ack", news
                return news["revision"]

    @property
    def prompt(self) -> dict[str, Any]:
        """What has to be decided now."""
        return self.last.get("prompt") or {"seats": []}

    def choices(self) -> list[int]:
        """What may be chosen from here."""
        return [choice["action"] for choice in self.prompt.get("choices", [])]


@dataclass
class Twins:
    """One table at two servers: the sockets of every seat and of a spectator at both."""

    table: str
    urls: list[str]
    cookies: dict[int, str]
    wires: list[dict[int, Wire]]
    http: httpx.AsyncClient
    answers: list[bytes] = field(default_factory=list[bytes])

    async def do(self, seat: int, command: str, wishes: Sequence[dict[str, Any]], *, alike: bool = True) -> None:
        """Let a seat do something at both tables, and see that all others receive the same."""
        known = {look: len(wire.raw) for look, wire in self.wires[0].items()}
        numbers = [await wires[seat].do(command, **wish) for wires, wish in zip(self.wires, wishes, strict=True)]
        assert numbers[0] == numbers[1]
        for look in self.wires[0]:
            for wires in self.wires:
                await wires[look].until(numbers[0])
            one, other = (wires[look].raw[known[look] :] for wires in self.wires)
            assert len(one) == len(other) > 0
            if look != seat or alike:
                assert one == other, f"seat {look} can tell the tables apart"

    async def choose(self, seat: int, actions: Sequence[int]) -> None:
        """Let a seat choose, perhaps otherwise at each table."""
        asked = self.wires[0][seat].prompt.get("prompt_id", 0)
        wishes = [{"seat": seat, "prompt_id": asked, "action": action} for action in actions]
        await self.do(seat, "move", wishes, alike=actions[0] == actions[1])

    async def pry(self, secretive: int) -> None:
        """Let everybody else ask for everything, and see that both servers answer the same."""
        for look in self.wires[0]:
            if look != secretive:
                for request in [*self._looks(), *self._attempts(look, secretive)]:
                    answers = [await self._ask(url, look, *request) for url in self.urls]
                    assert answers[0] == answers[1], request
                    self.answers.append(answers[0][1])

    def _looks(self) -> list[tuple[str, Any]]:
        """Everything there is to look at."""
        of_table = ("", "/moves", "/dice", "/log", "/moves?open=true", "/analysis")
        return [*((f"/api/tables/{self.table}{path}", None) for path in of_table), ("/api/me/tables", None)]

    def _attempts(self, look: int, secretive: int) -> list[tuple[str, Any]]:
        """Everything there is to try, of which nothing works."""
        moves = self.wires[0][look].last["move_number"]
        return [
            (f"/api/tables/{self.table}/do", msgspec.to_builtins(wish)) for wish in wrong_wishes(moves, look, secretive)
        ]

    async def _ask(self, url: str, look: int, path: str, body: Any) -> tuple[int, bytes]:
        """Ask one server for something; of a list only the entry of this table, without the time of day."""
        headers = {"cookie": f"{COOKIE}={self.cookies[look]}"} if look in self.cookies else {}
        if body is None:
            answer = await self.http.get(url + path, headers=headers)
        else:
            answer = await self.http.post(url + path, json=body, headers=headers)
            assert 400 <= answer.status_code < 500
        if not path.endswith("/me/tables"):
            return answer.status_code, answer.content
        entries = [entry for entry in answer.json()["tables"] if entry["table"] == self.table]
        return answer.status_code, encode([entry | {"updated": 0} for entry in entries])


async def play_twins(twins: Twins, chance: Random) -> None:
    """Play a whole game at both servers; who chooses in secret chooses otherwise first, and takes that back."""
    watcher = twins.wires[0][SPECTATOR]
    while seats := watcher.prompt["seats"]:
        seat = chance.choice(seats)
        wire = twins.wires[0][seat]
        action = chance.choice(wire.choices())
        others = unnoticed(wire.choices(), action)
        if wire.prompt.get("secret") and others and chance.random() < 0.5:
            await twins.choose(seat, [action, chance.choice(others)])
            if chance.random() < 0.1:
                await twins.pry(seat)
            moves = watcher.last["move_number"]
            await twins.do(seat, "take-back", [{"move_number": moves}, {"move_number": moves}], alike=False)
        await twins.choose(seat, [action, action])
    assert watcher.last["result"]


async def sit_at(stack: AsyncExitStack, url: str, table: str, cookies: dict[int, str]) -> dict[int, Wire]:
    """Open a socket for every seat and for a spectator."""
    wires: dict[int, Wire] = {}
    for look in [*cookies, SPECTATOR]:
        headers = {"Cookie": f"{COOKIE}={cookies[look]}"} if look in cookies else {}
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/live?protocol=2"
        opening = connect(address, additional_headers=headers, max_size=None, proxy=None)
        wires[look] = Wire(await stack.enter_async_context(opening))
        await wires[look].receive()
        assert wires[look].last["viewpoint"] == look
    return wires


async def play_all_twins(servers: list[Server], tables: dict[str, list[Guest]]) -> list[tuple[str, bytes]]:
    """Play every table at both servers, some at a time; give the seeds, and what was received before the end."""
    waiting, played = list(tables), list[tuple[str, bytes]]()
    urls = [server.url for server in servers]

    async def play_some(chance: Random) -> None:
        while waiting:
            table = waiting.pop()
            cookies = {seat: guest.cookie for seat, guest in enumerate(tables[table])}
            async with AsyncExitStack() as stack, httpx.AsyncClient(timeout=PATIENCE) as http:
                wires = [await sit_at(stack, url, table, cookies) for url in urls]
                twins = Twins(table, urls, cookies, wires, http)
                await play_twins(twins, chance)
                raw = [text for side in wires for wire in side.values() for text in wire.raw]
                dice, same = [(await http.get(f"{url}/api/tables/{table}/dice")).json() for url in urls]
            assert dice == same
            assert dice["fair"] is True
            played.append((dice["seed"], b"\n".join([*twins.answers, *(text.encode() for text in raw)])))

    async with asyncio.TaskGroup() as group:
        for number in range(9):
            group.create_task(play_some(Random(number)))
    return played


def opened_tables(server: Server) -> dict[str, list[Guest]]:
    """Open tables for two, three and four."""
    guests = [Guest(server, name) for name in ("Ann", "Ben", "Cem", "Dot")]
    tables: dict[str, list[Guest]] = {}
    for number in range(WHOLE_GAMES):
        players = 2 + number % 3
        chests = "open" if number % 4 == 0 else "closed"
        table = guests[0].open(GAME, ME, *[OPEN] * (players - 1), options={"chests": chests})
        guests[0].do(table, "set-client-seed", seat=0, client_seed=f"l{number}")
        for guest in guests[1:players]:
            guest.sit(table)
        tables[table] = guests[:players]
    return tables


def counted(server: Server) -> list[str]:
    """The figures of a server, without times and what is open at the moment."""
    lines = httpx.get(f"{server.url}/metrics").text.splitlines()
    return sorted(line for line in lines if not re.match(r"#|.*(_seconds|_created|_sockets|_tables|thinking)", line))


def logged(server: Server) -> list[str]:
    """What a server wrote, without times, numbers of processes and of ports."""
    return sorted(re.sub(r"\d+", "0", line.partition('"level"')[2]) for line in server.written().splitlines()[1:])


def spellings(seed: str) -> list[bytes]:
    """The ways in which a seed might be written."""
    raw = bytes.fromhex(seed)
    plain, safe = base64.b64encode(raw).rstrip(b"="), base64.urlsafe_b64encode(raw).rstrip(b"=")
    return [seed.encode(), seed.upper().encode(), raw, plain, safe, str(list(raw)).encode()]


def test_whole_games_at_two_servers_look_the_same_to_everybody_else(tmp_path: Path) -> None:
    with serving(tmp_path / "one.db") as first:
        tables = opened_tables(first)
        assert first.stop() == 0
    shutil.copy(tmp_path / "one.db", tmp_path / "other.db")
    with serving(tmp_path / "one.db") as one, serving(tmp_path / "other.db") as other:
        played = asyncio.run(play_all_twins([one, other], tables))
        assert len(played) == WHOLE_GAMES
        assert counted(one) == counted(other)
        assert logged(one) == logged(other)
        written = (one.written() + other.written()).encode()
        cookies = {guest.cookie.encode() for guests in tables.values() for guest in guests}
    for seed, received in played:
        before_the_end = received + written
        assert not [spelled for spelled in spellings(seed) if spelled in before_the_end]
    personal = [*cookies, *(cookie.partition(b".")[0] for cookie in cookies), *map(str.encode, tables), b"Ann"]
    assert not [known for known in personal if known in written], "logs say nothing about anybody"
    received = b"".join(each for _, each in played)
    assert not [known for known in personal[: 2 * len(cookies)] if known in received], "guests are shown by name only"
