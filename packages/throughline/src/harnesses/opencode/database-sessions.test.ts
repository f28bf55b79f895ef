import { expect, test } from 'vitest'
import { databaseEnds } from '../preview/database-ends.ts'
import { databaseSessions } from './database-sessions.ts'
import { harnesses } from '../../formats/harnesses.ts'
import { join } from 'node:path'
import { messageText } from '../../log/message.ts'
import { newFolder } from '../testing/temporary.ts'
import { nodeSqlite } from '../../stores/sqlite/connection/node-sqlite.ts'
import { opencodeDatabase } from '../testing/opencode-database.ts'
import { readFound } from '../read-found.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import { surroundingsOf } from '../find-program.ts'
import type { DatabaseSession } from '../found-session.ts'

const old = {
  info: { id: 'ses_old', time: { created: 1, updated: 2 } },
  messages: [
    {
      info: { id: 'msg_old', sessionID: 'ses_old', role: 'user', time: { created: 1 } },
      parts: [{ type: 'text', text: 'Before.' }],
    },
  ],
}

// The columns of opencode 2.2 that we read; some sequence numbers are missing in real ones too.
const tables = `
  CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER,
    time_created INTEGER, time_updated INTEGER, data TEXT);`
const newTables = `
  CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT,
    title TEXT, version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
  INSERT INTO session_v2 VALUES ('ses_new', 'p', NULL, '/code', 'T', '2.2.0', NULL, 5, 9);
  INSERT INTO session_v2 VALUES ('ses_sub', 'p', 'ses_new', '/code', 'T', '2.2.0', NULL, 5, 9);
  INSERT INTO session_message VALUES ('msg_z', 'ses_new', 'user', 3, 6, 6, '{"text":"First."}');
  INSERT INTO session_message VALUES ('msg_a', 'ses_new', 'assistant', 7, 5, 5,
    '{"content":[{"type":"text","text":"Second."}],"model":{"id":"gpt-x"},"time":{"created":7}}');
  INSERT INTO session_message VALUES ('msg_m', 'ses_new', 'user', 9, 5, 5, 'torn');`

/** The sessions in a database that version 1 made, and then these statements. */
async function found(statements: string): Promise<DatabaseSession[]> {
  const home = newFolder()
  const file = join(home, '.local/share/opencode/opencode.db')
  opencodeDatabase(file, [old])
  const database = new (nodeSqlite().DatabaseSync)(file)
  database.exec(statements)
  database.close()
  const opencode = harnesses.find(({ name }) => name === 'opencode')
  if (!opencode) throw new Error('no opencode')
  const all: DatabaseSession[] = []
  const surroundings = surroundingsOf({ HOME: home })
  for await (const some of databaseSessions(opencode, surroundings, () => undefined)) {
    all.push(...some)
  }
  return all
}

test('a database of version 2 is read by its own count, beside the tables of version 1', async () => {
  const sessions = await found(tables + newTables)
  expect(sessions.map(({ harness, id, at }) => [harness.name, id, at])).toEqual([
    ['opencode-v2', 'ses_new', 9],
  ])
  const [session] = sessions
  if (!session) throw new Error('no session')
  const { format, facts, log } = await readSession(readFound(session))
  expect(format).toBe('opencode-v2')
  expect(facts).toMatchObject({
    id: 'ses_new',
    directory: '/code',
    model: 'gpt-x',
    omitted: { damaged: 1 },
  })
  expect(log.map((entry) => entry.kind === 'message' && messageText(entry.message))).toEqual([
    'First.',
    'Second.',
  ])
  expect(log.map(({ at }) => at)).toEqual([6, 7])
  expect((await databaseEnds(session)).first).toMatchObject({ facts: { title: 'T' } })
})

test('one table of version 2 alone is still version 1, which has it too', async () => {
  const sessions = await found(tables)
  expect(sessions.map(({ harness, id }) => [harness.name, id])).toEqual([['opencode', 'ses_old']])
})
