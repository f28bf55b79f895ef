import { DatabaseSync } from 'node:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findSessions } from './find/find-sessions.ts'
import { messageText } from '../log/message.ts'
import { newFolder, put } from './testing/temporary.ts'
import { previewSession } from './preview/preview-session.ts'
import { readFound } from './read-found.ts'
import { readSession } from '../formats/reading/read-session.ts'
import { surroundingsOf } from './find-program.ts'

const timestamp = '2026-11-27T20:00:00.000Z'
const header = { type: 'session', version: 4, id: 's1', timestamp, cwd: '/work' }

function said(id: string, parentId: string | null, role: string, text: string): object {
  const message = { role, content: [{ type: 'text', text }], timestamp: 1, stopReason: 'stop' }
  return { type: 'message', id, parentId, timestamp, message }
}

const entries = [
  header,
  said('a', null, 'user', 'Fix the login.'),
  { type: 'custom', customType: 'openclaw.cache-ttl', data: {}, id: 'b', parentId: 'a', timestamp },
  said('c', 'b', 'assistant', 'The login is fixed.'),
]

/** As OpenClaw keeps sessions since 2026.7.2: what is older is packed. */
function database(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const base = new DatabaseSync(file)
  base.exec(
    'CREATE TABLE session_windows (session_id TEXT, session_key TEXT, updated_at INTEGER);' +
      'CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB)',
  )
  const window = base.prepare('INSERT INTO session_windows VALUES (?, ?, ?)')
  window.run('s1', 'agent:main:main', 5)
  window.run('s2', 'agent:main:subagent:x', 6)
  const event = base.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?)')
  for (const [seq, entry] of entries.entries()) {
    const text = JSON.stringify(entry)
    const isPacked = seq === 1
    event.run('s1', seq, isPacked ? null : text, isPacked ? zstdCompressSync(text) : null)
  }
  base.close()
}

test('the sessions of OpenClaw are found in its databases and files, and read whole', async () => {
  const home = newFolder()
  database(join(home, '.openclaw/agents/main/agent/openclaw-agent.sqlite'))
  const lines = entries.map((entry) => JSON.stringify(entry)).join('\n')
  put(join(home, '.openclaw/agents/old/sessions/s0.jsonl'), lines, 1)
  const { sessions, unreadable } = await findSessions(surroundingsOf({ HOME: home }))
  expect(unreadable).toEqual([])
  expect(sessions.map(({ id, harness }) => [harness.prefix, id])).toEqual([
    ['openclaw', 's1'],
    ['openclaw', 's0'],
  ])
  for (const found of sessions) {
    const { log } = await readSession(readFound(found), { formats: [found.harness.format] })
    const texts = log.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
    expect(texts.map(messageText)).toEqual(['Fix the login.', 'The login is fixed.'])
    expect(await previewSession(found)).toMatchObject({ title: 'Fix the login.' })
  }
})
