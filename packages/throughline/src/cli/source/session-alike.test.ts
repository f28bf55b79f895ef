import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { harnessHome } from '../testing/harness-home.ts'
import { runMain } from '../testing/run-main.ts'

const one = '2c81bdfa-7b77-41fd-ac15-888071ce4122'
const other = '2c81bdfa-0000-4000-8000-000000000002'
const { home, env } = harnessHome()
const folder = join(home, '.gemini', 'tmp', 'project', 'chats')
mkdirSync(folder, { recursive: true })

/** As Gemini CLI names its files: by the time and the beginning of the id alone. */
function put(time: string, id: string, day: number, said?: string): string {
  const timestamp = '2026-01-01T00:00:00.000Z'
  const header = { sessionId: id, projectHash: 'f', startTime: timestamp, kind: 'main' }
  const text = said ?? '<session_context>\nHere.\n</session_context>'
  const message = { id: 'm', timestamp, type: 'user', content: [{ text }] }
  const file = join(folder, `session-2026-01-${time}-${id.slice(0, 8)}.jsonl`)
  writeFileSync(file, [header, message].map((record) => `${JSON.stringify(record)}\n`).join(''))
  utimesSync(file, day, day)
  return file
}

put('01T00-00', one, 1, 'Fix it.')
// What resuming leaves behind beside the session, with its id and nothing said.
put('02T00-00', one, 2)
put('03T00-00', one, 3)

async function inspected(word: string): Promise<{ code: number; out: string; err: string }> {
  return runMain(['report', '--fill', word], { env })
}

it('the same session in several files is the newest in which something was said', async () => {
  for (const word of [one, '2c81bdfa', '2c81bdfa-7b', `gemini:${one}`]) {
    const { code, out, err } = await inspected(word)
    expect({ word, code, err }).toEqual({ word, code: 0, err: '' })
    expect(out).toContain('Fix it.')
  }
})

it('sessions whose files have the same name are told apart by their whole ids and files', async () => {
  const file = put('04T00-00', other, 4, 'Another.')
  const { code, err } = await inspected('2c81bdfa')
  expect(code).toBe(1)
  expect(err).toContain(`gemini:${other} (${file}), gemini:${one} (`)
  const { out } = await inspected(other)
  expect(out).toContain('Another.')
})
