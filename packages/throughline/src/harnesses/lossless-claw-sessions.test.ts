import { DatabaseSync } from 'node:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findSessions } from './find/find-sessions.ts'
import { messageText } from '../log/message.ts'
import { newFolder } from './testing/temporary.ts'
import { previewSession } from './preview/preview-session.ts'
import { readFound } from './read-found.ts'
import { readSession } from '../formats/reading/read-session.ts'
import { surroundingsOf } from './find-program.ts'

const at = '2026-11-27 20:00:00'

/** The tables as version 1.0.0-beta.4 makes them, with the columns that are read. */
function database(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const base = new DatabaseSync(file)
  base.exec(`
    CREATE TABLE conversations (conversation_id INTEGER, session_id TEXT, created_at TEXT, updated_at TEXT);
    CREATE TABLE messages (message_id INTEGER, conversation_id INTEGER, seq INTEGER, role TEXT, content TEXT, created_at TEXT);
    CREATE TABLE message_parts (message_id INTEGER, ordinal INTEGER, text_content TEXT, tool_call_id TEXT, tool_name TEXT, metadata TEXT);
    CREATE TABLE summaries (summary_id TEXT, conversation_id INTEGER, content TEXT);
    CREATE TABLE context_items (conversation_id INTEGER, ordinal INTEGER, item_type TEXT, message_id INTEGER, summary_id TEXT);
    INSERT INTO conversations VALUES (1, 's1', '${at}', '${at}');
    INSERT INTO summaries VALUES ('a', 1, 'The login was looked at.'), ('b', 1, 'It uses a token.');
    INSERT INTO context_items VALUES (1, 0, 'summary', NULL, 'a'), (1, 1, 'summary', NULL, 'b'), (1, 2, 'message', 14, NULL);`)
  const message = base.prepare('INSERT INTO messages VALUES (?, 1, ?, ?, ?, ?)')
  const part = base.prepare('INSERT INTO message_parts VALUES (?, ?, ?, ?, ?, ?)')
  const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'login.ts' } }
  const rows: [string, string, object[]][] = [
    ['user', 'Fix the login. Never push.', [{ originalRole: 'user' }]],
    [
      'assistant',
      'I read it.',
      [
        { originalRole: 'assistant', raw: { type: 'text', text: 'I read it.' } },
        { originalRole: 'assistant', raw: call },
      ],
    ],
    [
      'tool',
      'const token = 1',
      [{ originalRole: 'toolResult', toolCallId: 'c1', toolName: 'read', isError: false }],
    ],
    ['assistant', 'The login is fixed.', []],
  ]
  for (const [index, [role, text, about]] of rows.entries()) {
    message.run(11 + index, index + 1, role, text, at)
    for (const [ordinal, each] of about.entries()) {
      part.run(11 + index, ordinal, text, null, null, JSON.stringify(each))
    }
  }
  base.close()
}

test('what lossless-claw has kept is read whole, with its summaries as an earlier summary', async () => {
  const home = newFolder()
  database(join(home, '.openclaw/lcm.db'))
  const { sessions, unreadable } = await findSessions(surroundingsOf({ HOME: home }))
  expect(unreadable).toEqual([])
  expect(sessions.map(({ id, harness }) => [harness.prefix, id])).toEqual([['lossless-claw', '1']])
  const [found] = sessions
  if (!found) return
  const { log } = await readSession(readFound(found), { formats: [found.harness.format] })
  const said = log.flatMap((entry) => (entry.kind === 'message' ? [entry] : []))
  expect(said.map(({ origin }) => origin)).toEqual(['human', 'model', 'tool', 'model'])
  expect(said.map(({ message }) => messageText(message))).toEqual([
    'Fix the login. Never push.',
    'I read it.',
    'const token = 1',
    'The login is fixed.',
  ])
  const checkpoint = log.find(({ kind }) => kind === 'checkpoint')
  expect(checkpoint).toMatchObject({
    summary: expect.stringContaining('The login was looked at.\n\nIt uses a token.'),
  })
  expect(await previewSession(found)).toMatchObject({ title: 'Fix the login. Never push.' })
})
