"""The statements of `postgres.py` in PostgreSQL's own SQL; those that SQLite understands too are in `sql.py`."""

from __future__ import annotations

from dracotheque.tables.storage import sql

CHANNEL = "dracotheque"
"""Where workers notify each other of new events."""

MIGRATIONS = [
    """
    CREATE TABLE tables (
        id text COLLATE "C" PRIMARY KEY,
        game text COLLATE "C" NOT NULL,
        players integer NOT NULL,
        seed bytea NOT NULL,
        created double precision NOT NULL,
        updated double precision NOT NULL,
        number integer NOT NULL,
        status text NOT NULL CHECK (status IN ('open', 'playing', 'over', 'closed')),
        listed boolean NOT NULL,
        free integer NOT NULL,
        asked integer NOT NULL,
        due double precision,
        moves integer NOT NULL,
        seats bytea NOT NULL
    -- Running tables are rewritten with every move: among a million finished ones they must be tidied up early.
    ) WITH (autovacuum_vacuum_scale_factor = 0.01);
    CREATE INDEX lobby ON tables (created DESC, id) WHERE listed AND free > 0 AND status IN ('open', 'playing');
    CREATE INDEX running ON tables (updated DESC, id) WHERE listed AND status = 'playing';
    CREATE INDEX due ON tables (due, id) WHERE due IS NOT NULL;

    CREATE TABLE events (
        table_id text COLLATE "C" NOT NULL,
        number integer NOT NULL,
        event bytea NOT NULL,
        PRIMARY KEY (table_id, number)
    );

    CREATE TABLE sitters (
        table_id text COLLATE "C" NOT NULL,
        guest text COLLATE "C" NOT NULL,
        done smallint NOT NULL,
        since double precision NOT NULL,
        PRIMARY KEY (table_id, guest)
    );
    CREATE INDEX tables_of ON sitters (guest, done, since DESC, table_id);

    CREATE TABLE guests (
        id text COLLATE "C" PRIMARY KEY,
        name text NOT NULL,
        crest text NOT NULL,
        created double precision NOT NULL,
        seen double precision
    );
    CREATE TABLE mutes (
        guest text COLLATE "C" NOT NULL,
        table_id text COLLATE "C" NOT NULL,
        seat integer NOT NULL,
        PRIMARY KEY (table_id, guest, seat)
    );
    CREATE TABLE secrets (name text PRIMARY KEY, secret bytea NOT NULL);
    """,
]

CREATE = f"""
    WITH made AS (
        INSERT INTO tables ({", ".join(sql.TABLE_COLUMNS)})
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING RETURNING id
    ), inserted AS (
        INSERT INTO events (table_id, number, event) SELECT id, 1, $15::bytea FROM made
    ), sat AS (
        INSERT INTO sitters (table_id, guest, done, since)
        SELECT id, guest, $16::smallint, $5::double precision FROM made, unnest($17::text[]) AS guest
    )
    SELECT pg_notify('{CHANNEL}', $18 || ' 1 ' || id) FROM made
"""
# One statement for all appends that wait, at most one of each table: one journey and one transaction. A transaction
# that notifies keeps others from committing until it is on the disk, so appends one by one would wait for each other.
# Where workers race for a number, the second waits for the first at the primary key of events, and then inserts and
# changes nothing; all insert in the order of ids, so that no two wait for each other.
APPEND = f"""
    WITH given AS (
        SELECT * FROM unnest(
            $1::text[], $2::integer[], $3::bytea[], $4::double precision[], $5::text[], $6::boolean[], $7::integer[],
            $8::integer[], $9::double precision[], $10::integer[], $11::smallint[], $12::bytea[], $13::jsonb[]
        ) AS given (table_id, number, event, at, status, listed, free, asked, due, moves, done, seats, guests)
    ), inserted AS (
        INSERT INTO events (table_id, number, event)
        SELECT table_id, given.number, event FROM given
        JOIN tables ON id = table_id AND tables.number = given.number - 1 ORDER BY table_id
        ON CONFLICT DO NOTHING RETURNING table_id
    ), added AS (
        SELECT given.* FROM given JOIN inserted USING (table_id)
    ), updated AS (
        UPDATE tables SET number = added.number, updated = at, status = added.status, listed = added.listed,
            free = added.free, asked = added.asked, due = added.due, moves = added.moves,
            seats = coalesce(added.seats, tables.seats)
        FROM added WHERE id = table_id
    ), further AS (
        UPDATE sitters SET done = added.done, since = at
        FROM added WHERE sitters.table_id = added.table_id AND guests IS NULL AND sitters.done <> added.done
    ), gone AS (
        DELETE FROM sitters USING added WHERE sitters.table_id = added.table_id AND NOT guests ? guest
    ), sat AS (
        INSERT INTO sitters (table_id, guest, done, since)
        SELECT table_id, guest, done, at FROM added, jsonb_array_elements_text(guests) AS guest
        ON CONFLICT (table_id, guest) DO UPDATE SET done = excluded.done, since = excluded.since
        WHERE sitters.done <> excluded.done
    )
    SELECT table_id, pg_notify('{CHANNEL}', $14 || ' ' || number || ' ' || table_id) FROM added
"""
EVENT = "SELECT event FROM events WHERE table_id = $1 AND number = $2"
SAW = """
    WITH known AS (
        SELECT id FROM guests WHERE id = ANY ($1::text[]) AND (seen IS NULL OR seen < $2) ORDER BY id FOR UPDATE
    )
    UPDATE guests SET seen = $2 FROM known WHERE guests.id = known.id
"""
LAST_SEEN = "SELECT id, seen FROM guests WHERE id = ANY ($1::text[]) AND seen IS NOT NULL"
NUMBERS = "SELECT id, number FROM tables WHERE id = ANY ($1::text[])"
LOAD = """
    SELECT seed, game, created, number,
        ARRAY(SELECT event FROM events WHERE table_id = id AND events.number > $2 ORDER BY events.number)
    FROM tables WHERE id = $1
"""
EXPORT_TABLES = f"""
    SELECT {", ".join(sql.TABLE_COLUMNS)},
        ARRAY(SELECT event FROM events WHERE table_id = id ORDER BY events.number) FROM tables
"""
KNOWN = """
    SELECT table_id, array_agg(event ORDER BY number) FROM events WHERE table_id = ANY ($1::text[]) GROUP BY table_id
"""
RESTORE_GUEST = "INSERT INTO guests (id, name, crest, created, seen) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING"
