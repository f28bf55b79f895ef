import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { nodeSqlite } from '../../stores/sqlite/connection/node-sqlite.ts'

interface ExportedSession {
  info: { id: string; directory?: string; parentID?: string; time?: Times } & object
  messages: readonly { info: object; parts: readonly object[] }[]
}

interface Times {
  created: number
  updated: number
}

// The columns that we read from the tables of opencode 1.18.
const tables = `
  CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT,
    slug TEXT, directory TEXT, title TEXT, version TEXT, revert TEXT,
    time_created INTEGER, time_updated INTEGER);
  CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT,
    time_created INTEGER, time_updated INTEGER, data TEXT);
  CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
    time_created INTEGER, time_updated INTEGER, data TEXT);`

/** Writes exported sessions into a database as opencode does. */
export function opencodeDatabase(file: string, sessions: readonly ExportedSession[]): void {
  mkdirSync(dirname(file), { recursive: true })
  const database = new (nodeSqlite().DatabaseSync)(file)
  database.exec(`${tables} BEGIN`)
  const add = (table: string, values: (string | number | null)[]): void => {
    const marks = values.map(() => '?').join()
    database.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(...values)
  }
  for (const { info, messages } of sessions) {
    const { id, directory = '/code', parentID = null, time = { created: 1, updated: 1 } } = info
    const revert = 'revert' in info ? JSON.stringify(info.revert) : null
    const { created, updated } = time
    add('session', [id, 'p', parentID, id, directory, 'T', '1.18', revert, created, updated])
    messages.forEach((message, index) => addMessage(add, id, message, index))
  }
  database.exec('COMMIT')
  database.close()
}

function addMessage(
  add: (table: string, values: (string | number | null)[]) => void,
  session: string,
  message: ExportedSession['messages'][number],
  index: number,
): void {
  const { id, sessionID: _, ...data } = message.info as { id: string; sessionID: string }
  add('message', [id, session, index, index, JSON.stringify(data)])
  message.parts.forEach((part, order) => {
    const number = `${index}`.padStart(6, '0') + `${order}`.padStart(4, '0')
    const { id: own, ...rest } = part as { id?: string }
    add('part', [own ?? `prt_${session}_${number}`, id, session, 0, 0, JSON.stringify(rest)])
  })
}
