import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { startPostgres } from './start-postgres.ts'

/** Where tests find a Postgres, or why there is none. */
export type TestPostgres = { url: string } | { missing: string }

let one: Promise<TestPostgres> | undefined

/**
 * The Postgres of this process, started once: the one that `DATABASE_URL` names, or one of our own.
 */
export function testPostgres(): Promise<TestPostgres> {
  const named = process.env['DATABASE_URL']
  one ??= named ? Promise.resolve({ url: named }) : started()
  return one
}

async function started(): Promise<TestPostgres> {
  try {
    const { url } = await startPostgres()
    return { url }
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) }
  }
}

/** The URL, or '' where there is no Postgres, which is said. */
export function skipsWithout(postgres: TestPostgres): string {
  if ('url' in postgres) return postgres.url
  console.warn(`There is no Postgres here, so its tests are skipped. ${postgres.missing}`)
  return ''
}

/** A schema that nobody else has. */
export function newSchema(): string {
  return `test_${randomUUID().replaceAll('-', '')}`
}

/** Takes everything out of a schema. */
export async function emptySchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = ['sessions', 'marks', 'logs', 'entries', 'secret', 'hidden', 'windows', 'links']
  const names = tables.map((table) => `${pg.escapeIdentifier(schema)}.${table}`)
  await client.query(`TRUNCATE ${names.join(', ')}`).finally(() => client.end())
}

export async function dropSchemas(url: string, schemas: readonly string[]): Promise<void> {
  if (url === '') return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const schema of schemas) {
    await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`)
  }
  await client.end()
}
