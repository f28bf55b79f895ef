import { randomBytes } from 'node:crypto'
import { connect, type ConnectionOptions } from './connection.ts'
import { ownSteps } from './migrations.ts'
import { findSession, firstMarks } from './find-session.ts'
import { isSealed, openSeal, sealBy, SealError, sealWith, type Seal } from '../encryption/seal.ts'
import type { OwnKeys } from '../encryption/own-key.ts'
import { postgresStore } from './postgres-store.ts'
import {
  mostHidden,
  rememberedRequests,
  tellingOfRedactions,
  type GatewayStore,
  type HeardAnswer,
  type Hidden,
  type Mark,
  type Page,
  rowOf,
} from '../store/gateway-store.ts'
import type { Exchange } from '../tools/tool-wire.ts'

/** Where a team's gateways keep their state. */
export interface PostgresGatewayStoreOptions extends ConnectionOptions {
  /** Encrypts what is stored; by default nothing does. */
  seal?: Seal
  /**
   * Where no seal is named: a store that is new is encrypted with the first of these, and one that is
   * encrypted is read with them. One that was begun without encryption stays as it is.
   */
  ownKeys?: OwnKeys | undefined
}

/**
 * A gateway's store for a team: any number of replicas on one Postgres. Its tables are made at the
 * first call; where Postgres does not answer, every call fails and says so, and works again when it
 * does.
 * `steps` are those of another version, for tests of roll-outs.
 * @example
 * const store = postgresGatewayStore({ url: 'postgres://user:password@host/database' })
 */
export function postgresGatewayStore(
  { seal: named, ownKeys, ...options }: PostgresGatewayStoreOptions,
  steps = ownSteps,
): GatewayStore {
  const connection = connect(options, steps)
  const { query, transaction, state, close } = connection

  let used: Seal | undefined = named ?? (ownKeys ? undefined : openSeal)
  // Whoever has not asked for the secret has nothing to store, and nothing to read.
  const seal = sealBy(() => {
    if (!used) throw new SealError('key')
    return used
  })
  const storedSecret = async (ask = query): Promise<Uint8Array | undefined> =>
    (await ask('SELECT bytes FROM $schema.secret'))[0]?.['bytes'] as Uint8Array | undefined

  /** The secret that the first replica makes: the others wait for it, so that only one makes a key. */
  const firstSecret = (): Promise<Uint8Array> =>
    transaction(async (within) => {
      await within('LOCK TABLE $schema.secret IN SHARE ROW EXCLUSIVE MODE')
      const before = await storedSecret(within)
      if (before) return before
      const first = used ?? sealWith(ownKeys?.make() ?? [])
      const made = first.sealed(randomBytes(32), 'secret')
      await within('INSERT INTO $schema.secret VALUES (true, $1)', [made])
      return made
    })

  const show = async (id: string): Promise<void> => {
    await query('DELETE FROM $schema.hidden WHERE session = $1', [id])
  }

  /** Sealed for its place, so that a fork's copies are sealed anew. */
  async function hide(id: string, { after, exchange }: Hidden): Promise<void> {
    const payload = seal.sealed(Buffer.from(JSON.stringify(exchange)), `${id} ${after}`)
    await query(
      `WITH before AS (DELETE FROM $schema.hidden AS h USING (
         SELECT number FROM $schema.hidden WHERE session = $1 ORDER BY number DESC OFFSET $4
       ) AS old WHERE h.number = old.number)
       INSERT INTO $schema.hidden (session, after, payload)
       SELECT id, $2, $3 FROM $schema.sessions WHERE id = $1
       ON CONFLICT (session, after) DO UPDATE SET payload = excluded.payload`,
      [id, after, payload, mostHidden - 1],
    )
  }

  async function hidden(id: string): Promise<Hidden[]> {
    const rows = await query(
      'SELECT after, payload FROM $schema.hidden WHERE session = $1 ORDER BY number',
      [id],
    )
    return rows.map((row) => {
      const after = row['after'] as Mark
      const opened = seal.opened(row['payload'] as Uint8Array, `${id} ${after}`)
      return { after, exchange: JSON.parse(opened.toString('utf8')) as Exchange }
    })
  }

  return {
    logs: tellingOfRedactions(postgresStore(connection, seal), show),
    hide,
    hidden,
    async copyHidden(from, as) {
      for (const one of await hidden(from)) await hide(as, one)
    },
    async secret() {
      const stored = (await storedSecret()) ?? (await firstSecret())
      const found = used ?? (isSealed(stored) ? sealWith(ownKeys?.read() ?? []) : openSeal)
      const secret = found.opened(stored, 'secret')
      // Kept only if it is the right one: the key may be brought later.
      used = found
      // It is never made anew, so that nothing else would take it to a new key.
      if (!seal.isCurrent(stored)) {
        await query('UPDATE $schema.secret SET bytes = $1 WHERE bytes = $2', [
          seal.sealed(secret, 'secret'),
          stored,
        ])
      }
      return secret
    },
    async find(world, marks) {
      // Nearly always it is one of the newest.
      const near = marks.slice(0, firstMarks)
      const found = near.length > 0 && (await findSession(query, world, near))
      if (found) return found
      const far = marks.slice(firstMarks)
      return far.length === 0 ? undefined : findSession(query, world, far)
    },
    async begin({ id, world, instructions, model, created, used }, { marks }) {
      await query(
        `WITH begun AS (
           INSERT INTO $schema.sessions (id, world, instructions, model, created, used, request)
           VALUES ($1, $2, $3, $4, $5, $6, 1) ON CONFLICT DO NOTHING RETURNING id
         )
         INSERT INTO $schema.marks (world, mark, session, request)
         SELECT DISTINCT $2, mark, begun.id, 1 FROM begun, unnest($7::text[]) AS mark`,
        [id, world, instructions, model, created, used, marks],
      )
    },
    async move(id, from, { marks, at }) {
      const values = [id, from, marks, at, rememberedRequests]
      const [row] = await query('SELECT $schema.move($1, $2, $3, $4, $5) AS moved', values)
      return row?.['moved'] === true
    },
    async keep(id, marks) {
      await query(
        'UPDATE $schema.marks SET kept = true WHERE session = $1 AND mark = ANY($2) AND world = (SELECT world FROM $schema.sessions WHERE id = $1)',
        [id, marks],
      )
    },
    async heard(id, answer) {
      await query('UPDATE $schema.sessions SET heard = $2 WHERE id = $1', [
        id,
        JSON.stringify(answer),
      ])
    },
    async heardOf(id, to) {
      const [row] = await query(
        "SELECT heard FROM $schema.sessions WHERE id = $1 AND heard ->> 'to' = $2",
        [id, to],
      )
      return row?.['heard'] as HeardAnswer | undefined
    },
    async link(id, { hash, until }) {
      await query(
        'INSERT INTO $schema.links (hash, session, until) SELECT $2, id, $3 FROM $schema.sessions WHERE id = $1',
        [id, hash, until],
      )
    },
    async linked(hash, now) {
      const [row] = await query(
        'WITH old AS (DELETE FROM $schema.links WHERE until <= $2) SELECT session FROM $schema.links WHERE hash = $1 AND until > $2',
        [hash, now],
      )
      return row && String(row['session'])
    },
    async unlink(id) {
      await query('DELETE FROM $schema.links WHERE session = $1', [id])
    },
    async spend(budget, period, amount) {
      const [row] = await query(
        'INSERT INTO $schema.spending AS s (key, day, tokens) VALUES ($1, $2, $3) ON CONFLICT (key, day) DO UPDATE SET tokens = s.tokens + excluded.tokens RETURNING tokens',
        [spendingKey(budget, period), period.slice(0, dayLength), amount],
      )
      return Number(row?.['tokens'])
    },
    async learn(world, { base, model }, learned) {
      if (!learned) {
        await query('DELETE FROM $schema.windows WHERE world = $1 AND base = $2 AND model = $3', [
          world,
          base,
          model,
        ])
        return
      }
      await query(
        'INSERT INTO $schema.windows (world, base, model, context, named, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (world, base, model) DO UPDATE SET context = excluded.context, named = excluded.named, at = excluded.at',
        [world, base, model, learned.context, learned.isNamed, learned.at],
      )
    },
    async learned(world) {
      const rows = await query(
        'SELECT * FROM $schema.windows WHERE world = $1 ORDER BY at DESC LIMIT 200',
        [world],
      )
      return rows.map(({ base, model, context, named, at }) => ({
        base: String(base),
        model: String(model),
        context: Number(context),
        isNamed: named === true,
        at: Number(at),
      }))
    },
    async forgetCaller({ worlds, budgets, today }) {
      await query('DELETE FROM $schema.windows WHERE $1::text[] IS NULL OR world = ANY($1)', [
        worlds ?? null,
      ])
      await query('DELETE FROM $schema.spending WHERE starts_with(key, $1) AND day < $2::date', [
        budgets,
        today,
      ])
    },
    async newest(id) {
      const [row] = await query('SELECT newest FROM $schema.logs WHERE id = $1', [id])
      return Number(row?.['newest'] ?? 0)
    },
    async session(id) {
      const [row] = await query('SELECT * FROM $schema.sessions WHERE id = $1', [id])
      return row && rowOf(row)
    },
    async sessions(worlds, { most, after } = endless) {
      const rows = await query(
        `SELECT * FROM $schema.sessions
         WHERE ($1::text[] IS NULL OR world = ANY($1)) AND ($2::bigint IS NULL OR (used, id) < ($2, $3))
         ORDER BY used DESC, id DESC LIMIT $4`,
        [worlds ?? null, after?.used ?? null, after?.id ?? null, most],
      )
      return rows.map(rowOf)
    },
    async remove(id) {
      await transaction(async (within) => {
        await within('DELETE FROM $schema.sessions WHERE id = $1', [id])
        await within('DELETE FROM $schema.logs WHERE id = $1', [id])
      })
    },
    async removeUnused(before, kept = 0) {
      await query('DELETE FROM $schema.windows WHERE at < $1', [before])
      await query("DELETE FROM $schema.spending WHERE day < now() - interval '2 days'")
      for (let removed = 0; ;) {
        const [row] = await query(removeSome, [before, few, kept])
        const count = Number(row?.['count'])
        removed += count
        if (count === 0) return removed
      }
    },
    async ping() {
      await query('SELECT 1')
    },
    state,
    close,
  }
}

const endless: Page = { most: 2 ** 31 }

// A row has a day; a minute of it stands in its key.
const dayLength = '2026-11-22'.length

function spendingKey(budget: string, period: string): string {
  return period.length === dayLength ? budget : `${budget} ${period.slice(dayLength)}`
}

// As many as are deleted well within a statement's time.
const few = 50

// Replicas that clean up at the same time share the work: each skips what another one has taken.
const removeSome = `
WITH old AS (
  SELECT id FROM $schema.sessions WHERE used < least($1::bigint, (extract(epoch FROM now()) * 1000)::bigint - $3::bigint)
    ORDER BY used LIMIT $2 FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM $schema.sessions WHERE id IN (SELECT id FROM old) RETURNING id
), emptied AS (
  DELETE FROM $schema.logs WHERE id IN (SELECT id FROM gone)
)
SELECT count(*) FROM gone`
