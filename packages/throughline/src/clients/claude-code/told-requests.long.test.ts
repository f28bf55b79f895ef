import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { callsIn, readClientRecords } from '../record.ts'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { fieldsOf, nameOf } from '../../json/fields.ts'
import { tookTooLong } from './question.ts'
import type { CompactQuestion, ModuleAnswer, WrittenByModel } from './question.ts'

const home = mkdtempSync(join(tmpdir(), 'throughline-told-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const session = claudeSession({ turns: 12, steps: 6 })
const folder = join(home, '.claude/projects/-w')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 's.jsonl'), session)
const handles = session
  .trimEnd()
  .split('\n')
  .flatMap((line) => nameOf(fieldsOf(JSON.parse(line))?.['uuid']) ?? [])

/** Lets the program make a compaction; `asked` looks at it while the client's model writes. */
async function compacted(
  data: string,
  question: CompactQuestion,
  { asked, written }: { asked: () => void; written: Omit<WrittenByModel, 'waited'> },
): Promise<void> {
  const program = [join(import.meta.dirname, 'program.ts'), 'module']
  const env = { ...process.env, HOME: home, USERPROFILE: home, XDG_DATA_HOME: data }
  const child = spawn(process.execPath, program, { env })
  child.stdin.end(JSON.stringify(question))
  for await (const line of createInterface(child.stdout)) {
    const said = JSON.parse(line) as ModuleAnswer
    if (!said || !('instructions' in said) || said.give === undefined) continue
    asked()
    writeFileSync(said.give, JSON.stringify({ waited: 0, ...written }))
  }
}

const summary = `1. Primary Request and Intent:\n   ${'The work is about the next step. '.repeat(80)}`
const usual = { version: '2.1.330', directory: '/w', session: 's', window: 100_000, handles }
// Nothing fits into it.
const small = { window: 1 }

test.each([
  ['used', { summary }, {}, ['used']],
  ['not good enough', { summary: 'No.' }, {}, ['rejected']],
  ['too late', { noSummary: tookTooLong }, {}, ['late']],
  ['without an answer', { noSummary: 'the API is overloaded' }, {}, ['failed']],
  ['used by the client itself, since ours could not be made', { summary }, small, ['used']],
  [
    'too late, so that the client asks again',
    { noSummary: tookTooLong },
    small,
    ['late', 'unknown'],
  ],
])('the request of Claude Code for a summary is told: %s', async (name, written, other, calls) => {
  const data = join(home, name)
  const told = () => callsIn(readClientRecords('claude-code', { XDG_DATA_HOME: data }))
  const asked = vi.fn(() => expect(told()).toEqual(['unknown']))
  await compacted(data, { ask: 'compact', ...usual, ...other }, { asked, written })
  expect(asked).toHaveBeenCalledOnce()
  expect(told()).toEqual(calls)
})

test('the request of Claude Code is told where we step aside before it', async () => {
  const data = join(home, 'aside')
  const asked = vi.fn()
  const question = { ask: 'compact' as const, ...usual, handles: ['gone'] }
  await compacted(data, question, { asked, written: {} })
  expect(asked).not.toHaveBeenCalled()
  expect(callsIn(readClientRecords('claude-code', { XDG_DATA_HOME: data }))).toEqual(['used'])
})
