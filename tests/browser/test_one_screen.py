"""Several people at one screen: nobody sees what another one chooses in secret, whatever happens in the game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from dracotheque.games.dragons_cave.rules import state as cave
from dracotheque.tables import protocol as m
from dracotheque.tables.snapshot import SPECTATOR, snapshot, table_prompt
from dracotheque.tables.table import Table, open_table, seat_views
from tests.browser.page_objects import Guests

GAMES = 500
GUEST = "0" * 32
OFTEN = 0.8
"""How often a card is laid that leads on: games are shorter where few chests are filled."""

ONE_SCREEN = """async (sent) => {
  const games = JSON.parse(sent);
  const { TablePage } = await import("/page/js/table-page.js");
  const anything = () => new Proxy(() => undefined, { get: (_, key) => (key === "then" ? undefined : anything()) });
  const [seen, leaks, repeated] = [{ covers: 0, secrets: 0, games: 0 }, [], []];

  /** A page that shows nothing but what it would offer now, at a table whose moments are known beforehand. */
  function sitDown({ first, moments }) {
    const page = new TablePage("t", { name: "", crest: "lion" });
    const table = { moment: 0, viewpoint: -1, moments, holder: null, taken: 0 };
    const promptFor = (viewpoint) => {
      const { prompts } = moments[table.moment];
      return prompts[viewpoint] ?? prompts[-1];
    };
    const snapshot = (viewpoint) => {
      const { revision, move_number, status } = moments[table.moment];
      const shown = { table: { ...first.table, status }, viewpoint, prompt: promptFor(viewpoint) };
      return { ...first, revision, move_number, ...shown };
    };
    const answer = {
      "set-viewpoint": ({ seat }) => {
        table.viewpoint = seat ?? -1;
        page.receive({ type: "snapshot", ...snapshot(table.viewpoint) });
      },
      move: () => {
        table.moment += 1;
        const { revision, move_number, status, record, kept } = moments[table.moment];
        const asked = promptFor(table.viewpoint);
        const prompt = kept.includes(table.viewpoint) ? { ...asked, choices: undefined } : asked;
        page.receive({ type: "update", revision, move_number, status, moves: record, prompt, result: null });
      },
    };
    page.game = { name: "dragons-cave", title: "", web: [] };
    page.layOut();
    for (const part of ["sidePanel", "hints"]) page[part] = anything();
    const quiet = { tell: nothing, ring: nothing, rest: nothing, svgBoard: { ...quietBoard } };
    const send = async (command, fields) => {
      answer[command](fields);
      return { revision: moments[table.moment].revision };
    };
    const sync = () => answer["set-viewpoint"]({ seat: table.viewpoint });
    Object.assign(page, quiet, { show: () => look(page, table), socket: { connected: true, send, sync } });
    page.receive({ type: "snapshot", ...snapshot(-1) });
    return { page, table };
  }
  const nothing = () => undefined;
  const quietBoard = {
    open: false, module: {}, show: async () => true, isOfFall: () => false,
    finish: nothing, clear: nothing, plan: nothing,
  };

  /** Whether a seat was given the screen, and from then to a moment nothing was asked in public. */
  const holds = (table, seat, until) => table.holder === seat
    && table.moments.slice(table.taken, until + 1).every(({ prompts }) => prompts[-1]?.secret);

  /** What can be seen now: choices of a seat that chooses in secret only if the screen was passed to it. */
  function look(page, table) {
    const { prompt, seats } = page.shown;
    const moment = table.moments.findIndex(({ move_number }) => move_number === page.shown.move_number);
    if (!page.cover && !page.turning && prompt?.secret && prompt.choices?.length && page.asked === page.viewpoint) {
      seen.secrets += 1;
      if (!holds(table, page.viewpoint, moment)) leaks.push([seen.games, moment, seats[page.viewpoint].name]);
    }
  }

  const settled = async (page) => {
    for (let turn = 0; turn < 8; turn += 1) await page.queue.run();
  };
  for (const game of games) {
    const { page, table } = sitDown(game);
    for (let turn = 0; turn < 6 * game.moments.length; turn += 1) {
      await settled(page);
      look(page, table);
      if (page.cover) {
        const { seat } = page.cover;
        if (holds(table, seat, table.moment)) repeated.push([seen.games, table.moment, page.name(seat)]);
        seen.covers += 1;
        Object.assign(table, { holder: seat, taken: table.moment });
        document.querySelector("dialog.sealed button").click();
      } else if (page.offered) await page.choose(page.shown.prompt.choices[0]);
      else if (page.shown.table.status === "over") break;
    }
    if (page.shown.table.status !== "over") throw new Error(`game ${seen.games} stands still at move ${table.moment}`);
    document.querySelectorAll("dialog").forEach((left) => left.remove());
    seen.games += 1;
  }
  return { ...seen, leaks: leaks.slice(0, 5), repeated: repeated.slice(0, 5) };
}"""
"""Plays games on the page's own code: its queue, and what decides who may look at the screen."""


def test_no_secret_is_shown_but_to_whom_the_screen_was_passed(guests: Guests) -> None:
    """In 500 games with everybody at one screen; nobody who holds the screen in secret has to take it again."""
    chance = Random(23)
    games = [list(_moments(2 + number % 3, chance)) for number in range(GAMES)]
    person = guests.come().at("/t/nowhere")
    person.find(".lonely").wait_for()
    sent = msgspec.json.encode([{"first": game[0].pop("first"), "moments": game} for game in games])
    seen: dict[str, Any] = person.page.evaluate(ONE_SCREEN, sent.decode())
    assert seen["games"] == GAMES
    assert seen["secrets"] >= seen["covers"] > 4 * GAMES
    assert seen["leaks"] == [], "secret choices without a cover: game, move, name"
    assert seen["repeated"] == [], "a second cover for the same player: game, move, name"


def _moments(players: int, chance: Random) -> Iterator[dict[str, Any]]:
    """Play a game at random in the small cave; yield what the server says of each moment, to every viewpoint."""
    seats = [m.SeatRequest("me"), *(m.SeatRequest("screen", name=f"Player {seat}") for seat in range(1, players))]
    opened = open_table(GUEST, m.CreateTable("dragons-cave", seats, board="small"), "Ann", "0" * 64, 0.0)
    table = Table("table-1", chance.randbytes(32)).apply(opened)
    table = table.apply(table.begin(0.0))
    first = plain(snapshot(table, SPECTATOR, seat_views(table, GUEST), host=True))
    yield {"first": first | {"board": None, "recent": []}, **_said(table)}
    while table.asked:
        assert table.play
        seat = table.asked[0]
        action = _choice(table.play.state.legal_actions(seat), chance)
        move = m.Move(seat=seat, prompt_id=table.play.asked_at[seat], action=action)
        table = table.apply(table.decide(GUEST, move, 0.0))
        yield _said(table) | {"record": [{"player": seat, "events": []}]}


def _choice(actions: list[int], chance: Random) -> int:
    """Choose at random; a Chest seldom."""
    without = [action for action in actions if action >= cave.NICHE or action % cave.SECOND_DWARF != cave.CHEST]
    return chance.choice(without if without and chance.random() < OFTEN else actions)


def _said(table: Table) -> dict[str, Any]:
    """Return the prompt of a moment for every viewpoint, each with one choice, and whose choices an update leaves out.

    Viewpoints that are not asked are told what a spectator is told.
    """
    asked = list(table.asked)
    prompts = {viewpoint: table_prompt(table, viewpoint) for viewpoint in (SPECTATOR, *asked)}
    for prompt in filter(None, prompts.values()):
        del prompt.choices[1:]
    kept = [seat for seat in asked if not getattr(table_prompt(table, seat, update=True), "choices", [])]
    return {
        "revision": table.revision,
        "move_number": table.moves,
        "status": table.status,
        "prompts": plain(prompts),
        "kept": kept,
    }


def plain(message: object) -> Any:
    """Return what the wire makes of a message."""
    return msgspec.to_builtins(message, str_keys=True)
