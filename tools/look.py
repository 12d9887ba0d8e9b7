"""Take pictures of every page, board and question at every size, by day and by night, for people to judge.

python tools/look.py [--quick] [--games emerald gran] [--only middle film] writes build/look/index.html.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from dracotheque.server.identity import COOKIE  # noqa: E402
from tests.browser.chromium import find  # noqa: E402
from tests.browser.page_objects import LIVELY, SETTLED, Guests, Person  # noqa: E402
from tests.server.guests import HATCHLING, LINK, ME, SQUIRE, Guest, Seat, Server, serving  # noqa: E402
from tools.look_index import Film, Shot, write_index, write_sheets  # noqa: E402

SIZES = ("1440x900", "1024x768", "768x1024", "390x844", "360x640")
THEMES = ("day", "night")
QUICK_SIZES, QUICK_THEMES = ("1440x900", "390x844"), ("day",)
FILM_SIZES = ("1440x900", "390x844")
FRAME_MS, LONGEST_FILM_MS = 300, 24_000
SELDOM = ("preview.ring", "preview.attack_ring", "preview.onward")  # what a choice says that leads to a rare question
TABLES = 16  # so many are played at most until every question has been asked
QUALITY = 86
MOUSE_FROM = 1280  # pixels of width; narrower screens are touched
LOBBY = ("lobby",)
BEFORE, MIDDLE, AFTER = (
    ("set-up", "waiting"),
    ("middle", "touched", "list", "log", "rules", "menu"),
    ("end", "analysis", "replay"),
)
SWITCH = """(theme) => {
  if (document.documentElement.dataset.theme !== theme) document.querySelector(".theme").click();
}"""
AS_USUAL = """(() => {
  localStorage.removeItem("dracotheque.theme");
  localStorage.setItem("dracotheque.choices", "board");
})()"""
KNOWS_THE_GOAL = "(game) => localStorage.setItem('dracotheque.goals', JSON.stringify([game]))"
BOARD_3D = "'dracotheque.stair'"
STILL = """async () => {
  await document.fonts.ready;
  const lasting = (motion) => motion.effect?.getComputedTiming().endTime === Infinity;
  for (const motion of document.getAnimations()) if (!lasting(motion)) try { motion.finish() } catch {}
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


@dataclass(frozen=True)
class Plan:
    """How a game is played for its pictures."""

    players: int
    questions: tuple[str, ...]
    """Every question a person can be asked."""
    turn: str
    """The question that begins a turn."""
    middle: int
    """After so many choices the game is in its middle."""
    others: tuple[tuple[int, dict[str, str]], ...] = ()
    """Players and options of the tables at which the other questions are asked."""
    boards: tuple[str, ...] = ()
    """Other boards of the same game."""

    @property
    def moments(self) -> tuple[str, ...]:
        """All that comes while it is played."""
        return (*self.questions, *MIDDLE, *self.boards, *AFTER, "first-turn", "film")


PLANS = {
    "emerald": Plan(
        3, ("first_move", "may_follow", "must_follow", "card", "victim", "ransom"), "first_move", 12,
        ((2, {"second_move": "compulsory"}), (4, {})),
    ),
    "dragons-cave": Plan(
        4, ("niche", "card", "split", "fist", "card_and_dwarf", "card_for_first", "card_for_second"), "card", 4,
        ((2, {}), (3, {})),
    ),
    "gran": Plan(
        4, ("first", "second", "onward", "stone", "lift", "lifted", "exile", "flight", "drop", "extra"), "first", 12,
        ((3, {}), (6, {})),
    ),
    "save-the-dragon": Plan(
        4, ("walk", "tokens", "door", "stuck", "change", "may_change", "throw"), "walk", 3,
        ((3, {"youngest": "everybody"}), (2, {})), ("in-3d",),
    ),
}  # fmt: skip


@dataclass
class Look:
    """What is wanted, and what has been taken."""

    folder: Path
    sizes: tuple[str, ...]
    themes: tuple[str, ...]
    only: tuple[str, ...]
    kind: str
    """`jpg`, or `png`, which is some four times larger and has every pixel."""
    shots: list[Shot] = field(default_factory=list)
    films: list[Film] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    done: set[tuple[str, str]] = field(default_factory=set)

    def wants(self, game: str, *moments: str) -> list[str]:
        """Name the moments of a game that are wanted and not taken yet."""
        return [each for each in moments if (game, each) not in self.done and (not self.only or each in self.only)]


def settle(person: Person) -> None:
    """Wait until the table shows the game as it is now, and asks or tells the result."""
    expect(person.find(".prompt-panel h2, .scores").first).to_be_attached()
    person.settle()


def photograph(person: Person, file: Path) -> None:
    """Write a picture of what is on the screen."""
    if file.suffix == ".png":
        person.page.screenshot(path=file)
    else:
        person.page.screenshot(path=file, type="jpeg", quality=QUALITY)


# --- Browsers ---------------------------------------------------------------------------------------------------
@contextmanager
def browsing() -> Iterator[Browser]:
    """Run the Chromium of this machine for a while; without one, end with what to do about it."""
    found = find()
    if not found:
        sys.exit("There is no Chromium. `python -m tests.browser.chromium` fetches one, and make test does so too.")
    # Chromium's sandbox does not work for root.
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        yield browser
        browser.close()


def screen(size: str) -> dict[str, Any]:
    """Return the settings of a browser of a size: a mouse where it is wide, fingers elsewhere."""
    width, height = map(int, size.split("x"))
    touched = {"has_touch": True, "is_mobile": True} if width < MOUSE_FROM else {}
    return {"viewport": {"width": width, "height": height}, "color_scheme": "light", **touched}


class Eyes:
    """The browsers, one of each size, that look at the same tables as one guest."""

    def __init__(self, look: Look, guests: Guests, server: Server) -> None:
        """Open them."""
        self.look, self.guests, self.server = look, guests, server
        self.people = {size: self.come(size) for size in look.sizes}

    def come(self, size: str, **settings: Any) -> Person:
        """Open a browser of a size that always begins as it is for most people: by day, choices on the board."""
        person = self.guests.come(choices="board", **{**screen(size), **settings})
        person.context.add_init_script(AS_USUAL)
        return person

    def take(
        self, game: str, moment: str, path: str, guest: Guest | None = None, prepare: Callable[[Person], None] = settle
    ) -> None:
        """Open an address in each size, do something there, and take it by day and by night."""
        began = time.monotonic()
        for size, person in self.people.items():
            if guest:
                person.context.add_cookies([{"name": COOKIE, "value": guest.cookie, "url": self.server.url}])
            try:
                prepare(person.at(path))
                for theme in self.look.themes:
                    person.page.evaluate(SWITCH, theme)
                    self.keep(person, Shot(game, moment, size, theme, self.look.kind))
            except (AssertionError, Error) as error:
                self.look.failed.append(f"{game}, {moment}, {size}")
                say(f"  {moment} at {size} went wrong: {str(error).strip().splitlines()[0]}")
            person.page.evaluate(KNOWS_THE_GOAL, game)
            person.at("/healthz")  # it need not draw what is played meanwhile
        self.look.done.add((game, moment))
        say(f"  {moment} ({time.monotonic() - began:.0f} s)")

    def keep(self, person: Person, shot: Shot) -> None:
        """Write a picture, when everything stands still."""
        person.page.evaluate(STILL)
        person.page.wait_for_timeout(150)  # what is drawn in 3D, and what grows after a change of its box
        file = self.look.folder / shot.file
        file.parent.mkdir(parents=True, exist_ok=True)
        photograph(person, file)
        self.look.shots.append(shot)


# --- Moments ----------------------------------------------------------------------------------------------------
def touch(person: Person) -> None:
    """Touch something that can be chosen; a mouse only points at it, since its click may choose."""
    settle(person)
    place = person.find(".board .place.may, .board-3d .places button").first
    if not place.count():
        return
    if person.page.evaluate("navigator.maxTouchPoints"):
        person.touch(place)
    else:
        place.hover(force=True)
    person.page.wait_for_timeout(300)


def unfold_choices(person: Person) -> None:
    """List all choices, where they are folded."""
    settle(person)
    if person.find(".bar-tools .all[aria-expanded=false]").count():
        person.find(".bar-tools .all").click()


def panel(tab: str) -> Callable[[Person], None]:
    """Return how a tab of the side panel is opened."""

    def open_it(person: Person) -> None:
        settle(person)
        person.open_panel(tab)

    return open_it


def open_in_3d(person: Person) -> None:
    """Open the table with the board in 3D, which nobody gets who wants no motion."""
    person.page.evaluate(f"localStorage.setItem({BOARD_3D}, 'solid')")
    person.page.reload()
    settle(person)
    expect(person.find(".board-3d canvas")).to_be_visible()
    person.page.evaluate(f"localStorage.removeItem({BOARD_3D})")
    person.page.wait_for_timeout(1_500)


def open_menu(person: Person) -> None:
    """Open the menu of the table."""
    settle(person)
    person.find(".tool.more").click()


def read_result(person: Person) -> None:
    """Wait for the result, and for the analysis of the game."""
    settle(person)
    expect(person.find(".analysis [role=status]")).to_have_count(0)


def open_analysis(person: Person) -> None:
    """Go to the analysis of a finished game."""
    read_result(person)
    person.find("#analysis").evaluate("section => section.scrollIntoView({ block: 'start', behavior: 'instant' })")


def open_replay(person: Person) -> None:
    """Open the replay of a finished game, and go to its middle."""
    settle(person)
    person.find("button.replay").click()
    person.find(".replaying input[type=range]").evaluate(
        "slider => { slider.value = slider.max / 2; slider.dispatchEvent(new Event('input')); }"
    )
    person.page.wait_for_timeout(700)


def open_set_up(game: str) -> Callable[[Person], None]:
    """Return how the dialog of a new game is opened."""

    def open_it(person: Person) -> None:
        expect(person.find(".list").first).to_be_visible()
        person.find(f".game-card.{game} .set-up").click()
        expect(person.find("dialog form")).to_be_visible()

    return open_it


DOING: dict[str, Callable[[Person], None]] = {
    "touched": touch,
    "list": unfold_choices,
    "log": panel("log"),
    "rules": panel("rules"),
    "menu": open_menu,
    "in-3d": open_in_3d,
    "end": read_result,
    "analysis": open_analysis,
    "replay": open_replay,
}


# --- Games ------------------------------------------------------------------------------------------------------
def look_at_lobby(eyes: Eyes) -> None:
    """Take the lobby of somebody who has begun a game."""
    if not eyes.look.wants("lobby", *LOBBY):
        return
    ann = Guest(eyes.server, "Ann")
    ann.open("emerald", ME, SQUIRE, SQUIRE)
    for moment in LOBBY:
        eyes.take("lobby", moment, "/", ann, lambda person: expect(person.find(".list").first).to_be_visible())


def look_at_game(eyes: Eyes, game: str) -> None:
    """Play tables of a game until all that is wanted of it has been taken."""
    look, plan = eyes.look, PLANS[game]
    ann = Guest(eyes.server, "Ann")
    if look.wants(game, "set-up"):
        eyes.take(game, "set-up", "/", ann, open_set_up(game))
    if look.wants(game, "waiting"):
        table = ann.open(game, ME, LINK, *[SQUIRE] * (plan.players - 2))
        seen = ".seat button.main"
        eyes.take(game, "waiting", f"/t/{table}", ann, lambda person: expect(person.find(seen)).to_be_visible())
    tables = [(plan.players, {}), *plan.others]
    for number in range(TABLES):
        if not look.wants(game, *plan.moments):
            return
        players, options = tables[number % len(tables)]
        bots = [HATCHLING if number else SQUIRE] * (players - 1)  # weaker ones let more happen to a player at random
        play_table(eyes, game, ann.open(game, ME, *bots, options=options), ann, number)
    if missing := look.wants(game, *plan.questions):
        say(f"  never asked at {TABLES} tables: {', '.join(missing)}")


def play_table(eyes: Eyes, game: str, table: str, ann: Guest, number: int) -> None:
    """Choose at random until a game is over, and take what is wanted when it comes."""
    look, plan, chance, path = eyes.look, PLANS[game], random.Random(number), f"/t/{table}"
    choices = 0
    with ann.socket(table) as seat:
        while not seat.result and look.wants(game, *plan.moments):
            if not seat.choices():
                seat.receive()
                continue
            question = (seat.prompt or {})["phrase"][0].removeprefix("question.")
            moments = [question if choices else "first-turn"]
            in_middle = choices >= plan.middle and question == plan.turn
            for moment in look.wants(game, *moments, *((*MIDDLE, *plan.boards) if in_middle else ())):
                eyes.take(game, moment, path, ann, DOING.get(moment, settle))
            if in_middle and look.wants(game, "film"):
                take_films(eyes, game, path, ann, seat, chance)
                look.done.add((game, "film"))
            elif seat.choices():
                seat.choose(pick(seat, chance))
            choices += 1
        is_over = bool(seat.result)
    for moment in look.wants(game, *AFTER) if is_over else ():
        eyes.take(game, moment, path, ann, DOING.get(moment, settle))


def pick(seat: Seat, chance: random.Random) -> int:
    """Choose at random, but rather what leads to questions that are seldom asked."""
    choices = (seat.prompt or {})["choices"]
    told = [choice["action"] for choice in choices if any(word in json.dumps(choice) for word in SELDOM)]
    return chance.choice(told or seat.choices())


# --- Films ------------------------------------------------------------------------------------------------------
def take_films(eyes: Eyes, game: str, path: str, ann: Guest, seat: Seat, chance: random.Random) -> None:
    """Film a round of my choices and the bots' at the usual pace, on a wide screen and on a phone."""
    for size in [each for each in eyes.look.sizes if each in FILM_SIZES] or eyes.look.sizes[:1]:
        if not seat.choices():
            return
        scheme = "light" if eyes.look.themes[0] == "day" else "dark"
        person = eyes.come(size, **LIVELY, pace="usual", color_scheme=scheme)
        person.context.add_cookies([{"name": COOKIE, "value": ann.cookie, "url": eyes.server.url}])
        settle(person.at(path))
        play_round(seat, chance)
        film = Film(game, size, tuple(frames(person, eyes.look, f"{game}/film-{size}")))
        eyes.look.films.append(film)
        say(f"  film {size} ({len(film.frames)} frames)")
        person.context.close()
        eyes.guests.contexts.remove(person.context)


def play_round(seat: Seat, chance: random.Random) -> None:
    """Choose at random until others have had their turns, and it is mine again."""
    others = False
    while not others and not seat.result:
        seat.choose(pick(seat, chance))
        while not seat.choices() and not seat.result:
            seat.receive()
            others |= any(each not in seat.mine for each in (seat.prompt or {}).get("seats", []))


def frames(person: Person, look: Look, name: str) -> Iterator[tuple[int, str]]:
    """Take a picture every so often until the board has come to rest, and one of that; yield time and file of each."""
    (look.folder / name).mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    shown, number, rests = 0, 0, False
    while not rests and shown < LONGEST_FILM_MS:
        person.page.wait_for_timeout(max(0, number * FRAME_MS - 1000 * (time.monotonic() - began)))
        rests = number > 2 and person.page.evaluate(SETTLED)
        shown = round(1000 * (time.monotonic() - began))
        file = f"{name}/{shown:05}.{look.kind}"
        photograph(person, look.folder / file)
        yield shown, file
        number = max(number + 1, shown // FRAME_MS)


# --- The command ------------------------------------------------------------------------------------------------
def main() -> None:
    """Take the pictures that were asked for, or all of them."""
    chosen = read_arguments()
    look = Look(
        chosen.output, tuple(chosen.sizes), tuple(chosen.themes), tuple(chosen.only), "png" if chosen.png else "jpg"
    )
    look.folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as kept,
        browsing() as browser,
        serving(Path(kept) / "tables.sqlite") as server,
    ):
        for game in (*([] if chosen.games else ["lobby"]), *(chosen.games or PLANS)):
            say(game)
            with Guests(browser, server) as guests:
                eyes = Eyes(look, guests, server)
                look_at_lobby(eyes) if game == "lobby" else look_at_game(eyes, game)
                report(guests.errors)
            publish(browser, look, game)
    say(f"{len(look.shots)} pictures in {time.monotonic() - began:.0f} s: open {look.folder / 'index.html'}")
    if look.failed:
        sys.exit("Not all could be taken: " + "; ".join(look.failed))


def publish(browser: Browser, look: Look, game: str) -> None:
    """Write the contact sheets of a game, and the index of all that has been taken by now."""
    shots = [shot for shot in look.shots if shot.game == game]
    look.sheets += write_sheets(browser, look.folder, shots, [film for film in look.films if film.game == game])
    write_index(look.folder, look.shots, look.films, look.sheets)


def read_arguments() -> argparse.Namespace:
    """Read the command line; --quick changes what is usual."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    moments = [*LOBBY, *BEFORE, "first-turn", *MIDDLE, "in-3d", "film", *AFTER]
    questions = "; ".join(f"{game}: {', '.join(plan.questions)}" for game, plan in PLANS.items())
    parser.add_argument("--games", nargs="+", choices=PLANS, default=[], metavar="GAME", help=", ".join(PLANS))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, metavar="SIZE", help=", ".join(SIZES))
    parser.add_argument("--themes", nargs="+", choices=THEMES, metavar="THEME", help=", ".join(THEMES))
    known = {*moments, *(each for plan in PLANS.values() for each in plan.questions)}
    what = f"moments ({', '.join(moments)}) or questions ({questions})"
    parser.add_argument("--only", nargs="+", choices=sorted(known), default=[], metavar="KIND", help=what)
    parser.add_argument("--quick", action="store_true", help="a desktop and a phone, by day")
    parser.add_argument("--png", action="store_true", help="every pixel as it is, in files four times larger")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "look", help="a folder, else build/look")
    chosen = parser.parse_args()
    chosen.sizes = chosen.sizes or (QUICK_SIZES if chosen.quick else SIZES)
    chosen.themes = chosen.themes or (QUICK_THEMES if chosen.quick else THEMES)
    return chosen


def report(errors: list[str]) -> None:
    """Say with what errors the page met; they are no reason to take no pictures."""
    for error in errors:
        say(f"  the page met with an error: {error}")
    errors.clear()


def say(line: str) -> None:
    """Tell how far it is."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
