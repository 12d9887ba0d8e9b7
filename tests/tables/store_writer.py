"""A process that writes to a store and prints what was acknowledged, for tests that kill it or let two of them race."""

from __future__ import annotations

import asyncio
import sys

from dracotheque.tables.storage.store import TableSummary, open_store

PLAYING = TableSummary("playing", listed=True, free=0, asked=1, due=None, moves=0)


async def write(url: str, run: str, *tables: str) -> None:
    """Append to all tables at once, for ever, and print each acknowledged event."""
    store = open_store(url)
    await store.start()
    numbers = await store.numbers(tables)

    async def fill(table: str) -> None:
        number = numbers[table]
        while True:
            number += 1
            event = f"{table} {number} {run}"
            if not await store.append(table, number, event.encode(), PLAYING, float(number)):
                sys.exit(f"nobody else writes, yet {event} was refused")
            print(event, flush=True)

    await asyncio.gather(*map(fill, tables))


async def race(url: str, run: str, table: str, last: str, times: str) -> None:
    """Append events 2 to last, each many times at once, and print those that won."""
    store = open_store(url)
    await store.start()
    for number in range(2, int(last) + 1):
        events = [f"{table} {number} {run}/{attempt}" for attempt in range(int(times))]
        wins = await asyncio.gather(
            *(store.append(table, number, event.encode(), PLAYING, float(number)) for event in events)
        )
        for event, won in zip(events, wins, strict=True):
            if won:
                print(event, flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run({"write": write, "race": race}[sys.argv[1]](*sys.argv[2:]))
