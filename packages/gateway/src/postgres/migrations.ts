import { PostgresError } from './errors.ts'

export type Row = Record<string, unknown>

/** Runs one statement. `$schema` in it is the schema’s name. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<Row[]>

/**
 * What a version of the gateway does to a database. A step that was published never changes, and a
 * number of `needed` is the lowest version that may use what it leaves.
 */
export interface Steps {
  /** Whoever does not know one of these cannot use the database. */
  needed: readonly string[]
  /** Tables, and columns that have a default, which older versions live without: they go on. */
  added: readonly string[]
}

/** Of this version. */
export const ownSteps: Steps = {
  needed: [
    `
CREATE TABLE $schema.secret (one boolean PRIMARY KEY CHECK (one), bytes bytea NOT NULL);

CREATE TABLE $schema.sessions (
  id text COLLATE "C" PRIMARY KEY,
  world text COLLATE "C" NOT NULL,
  instructions text NOT NULL,
  model text NOT NULL,
  created bigint NOT NULL,
  used bigint NOT NULL,
  request bigint NOT NULL,
  heard jsonb
);
CREATE INDEX sessions_by_use ON $schema.sessions (used);
CREATE INDEX sessions_by_world ON $schema.sessions (world, used);

CREATE TABLE $schema.marks (
  world text COLLATE "C" NOT NULL,
  mark text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL REFERENCES $schema.sessions ON DELETE CASCADE,
  request bigint NOT NULL,
  kept boolean NOT NULL DEFAULT false,
  PRIMARY KEY (world, mark, session)
);
CREATE INDEX marks_by_session ON $schema.marks (session, request);

CREATE SEQUENCE $schema.writes;
CREATE TABLE $schema.logs (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  newest integer NOT NULL,
  at double precision NOT NULL,
  written bigint NOT NULL
);
CREATE INDEX logs_by_write ON $schema.logs (written);

CREATE TABLE $schema.entries (
  log bigint NOT NULL REFERENCES $schema.logs ON DELETE CASCADE,
  seq integer NOT NULL,
  kind text NOT NULL,
  at double precision NOT NULL,
  payload bytea NOT NULL,
  PRIMARY KEY (log, seq)
);
CREATE INDEX entries_by_kind ON $schema.entries (log, kind, seq) WHERE kind <> 'message';

CREATE TABLE $schema.spending (
  key text NOT NULL,
  day date NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (key, day)
);

-- The session goes on from its newest request to another one: one round trip, one row lock.
CREATE FUNCTION $schema.move(session_id text, from_mark text, new_marks text[], new_used bigint, remembered bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  own record;
BEGIN
  SELECT world, request INTO own FROM $schema.sessions WHERE id = session_id FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM 1 FROM $schema.marks
    WHERE world = own.world AND mark = from_mark AND session = session_id AND request = own.request;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO $schema.marks (world, mark, session, request)
    SELECT DISTINCT own.world, each, session_id, own.request + 1 FROM unnest(new_marks) AS each
    ON CONFLICT (world, mark, session) DO UPDATE SET request = excluded.request;
  UPDATE $schema.sessions SET request = own.request + 1, used = new_used WHERE id = session_id;
  DELETE FROM $schema.marks
    WHERE session = session_id AND NOT kept AND request <= own.request + 1 - remembered;
  RETURN true;
END $$;

-- All or nothing, on a condition. What the condition was checked against is returned; first_seq is
-- NULL if nothing was written.
CREATE FUNCTION $schema.append(
  log_id text, expected integer, held_seq integer, held_at double precision,
  kinds text[], ats double precision[], payloads bytea[],
  OUT newest_before integer, OUT held_now double precision, OUT first_seq integer
) LANGUAGE plpgsql AS $$
DECLARE
  own record;
  many integer := coalesce(array_length(kinds, 1), 0);
BEGIN
  IF many > 0 AND coalesce(expected, 0) = 0 AND held_seq IS NULL THEN
    INSERT INTO $schema.logs (id, newest, at, written) VALUES (log_id, 0, 0, 0) ON CONFLICT DO NOTHING;
  END IF;
  SELECT number, newest INTO own FROM $schema.logs WHERE id = log_id FOR UPDATE;
  newest_before := coalesce(own.newest, 0);
  IF held_seq IS NOT NULL THEN
    SELECT e.at INTO held_now FROM $schema.entries AS e WHERE e.log = own.number AND e.seq = held_seq;
    IF held_now IS NULL OR (held_at IS NOT NULL AND held_now <> held_at) THEN RETURN; END IF;
  END IF;
  IF expected IS NOT NULL AND expected <> newest_before THEN RETURN; END IF;
  IF many = 0 THEN RETURN; END IF;
  INSERT INTO $schema.entries (log, seq, kind, at, payload)
    SELECT own.number, newest_before + d.place, d.kind, d.at, d.payload
    FROM unnest(kinds, ats, payloads) WITH ORDINALITY AS d(kind, at, payload, place);
  UPDATE $schema.logs
    SET newest = newest_before + many, at = ats[many], written = nextval('$schema.writes')
    WHERE number = own.number;
  first_seq := newest_before + 1;
END $$;
`,
    `
CREATE TABLE $schema.hidden (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session text COLLATE "C" NOT NULL REFERENCES $schema.sessions ON DELETE CASCADE,
  after text COLLATE "C" NOT NULL,
  payload bytea NOT NULL,
  UNIQUE (session, after)
);
`,
  ],
  added: [
    `
CREATE TABLE $schema.windows (
  world text COLLATE "C" NOT NULL,
  base text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  context bigint NOT NULL,
  named boolean NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (world, base, model)
);
`,
    `
CREATE TABLE $schema.links (
  hash text COLLATE "C" PRIMARY KEY,
  session text COLLATE "C" NOT NULL REFERENCES $schema.sessions ON DELETE CASCADE,
  until bigint NOT NULL
);
CREATE INDEX links_by_session ON $schema.links (session);
`,
  ],
}

/** Runs statements together: all of them take effect, or none. */
export type Transaction = <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>

/**
 * Prepares a database, once, however many processes begin at the same time. What a newer version has
 * only added is left as it is. Each step is a transaction of its own: with a lock on one table it waits for
 * none that others hold, who use the database meanwhile.
 * @throws PostgresError if a newer version has made of it what this one cannot use.
 */
export async function migrate(
  transaction: Transaction,
  schema: string,
  steps = ownSteps,
): Promise<void> {
  // Where all is done, nothing is created: a server's role need not be allowed to.
  if (isDone(await transaction((query) => stepsDone(query, schema)), steps)) return
  while (!(await transaction((query) => goOn(query, schema, steps))));
}

/** Takes the next step. Says whether there was none. */
async function goOn(query: Query, schema: string, steps: Steps): Promise<boolean> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`throughline ${schema}`])
  const done = await stepsDone(query, schema)
  if (done.needed > steps.needed.length) {
    const problem = `step ${done.needed} of ${steps.needed.length}`
    throw new PostgresError({ failure: 'newer', problem })
  }
  if (isDone(done, steps)) return true
  if (done.needed === 0) await query('CREATE SCHEMA IF NOT EXISTS $schema')
  const isNeeded = done.needed < steps.needed.length
  await (isNeeded
    ? run(query, 'migrations', { steps: steps.needed, done: done.needed })
    : run(query, 'additions', { steps: steps.added, done: done.added }))
  return false
}

function isDone(done: Done, { needed, added }: Steps): boolean {
  return done.needed === needed.length && done.added >= added.length
}

async function run(
  query: Query,
  table: Table,
  { steps, done }: { steps: readonly string[]; done: number },
): Promise<void> {
  await query(
    `CREATE TABLE IF NOT EXISTS $schema.${table} (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`,
  )
  await query(steps[done] as string)
  await query(`INSERT INTO $schema.${table} (number) VALUES ($1)`, [done + 1])
}

/** Whose greatest number is the lowest version that may use the database; and what was added. */
type Table = 'migrations' | 'additions'

type Done = Record<keyof Steps, number>

// The catalog is read as a table: what a session remembers of it may be older than the lock.
const tableOf =
  'SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2'

async function stepsDone(query: Query, schema: string): Promise<Done> {
  const newestIn = async (table: Table): Promise<number> => {
    const [exists] = await query(tableOf, [schema, table])
    if (!exists) return 0
    const [done] = await query(`SELECT coalesce(max(number), 0) AS number FROM $schema.${table}`)
    return Number(done?.['number'])
  }
  return { needed: await newestIn('migrations'), added: await newestIn('additions') }
}
