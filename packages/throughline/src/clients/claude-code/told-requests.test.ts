import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { callsIn, readClientRecords } from '../record.ts'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { fieldsOf, nameOf } from '../../json/fields.ts'
import { tookTooLong, type ModuleQuestion } from './question.ts'

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

/** What the program beside the module answers. */
function answered(data: string, question: ModuleQuestion): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const program = [join(import.meta.dirname, 'program.ts'), 'module']
    const env = { ...process.env, HOME: home, USERPROFILE: home, XDG_DATA_HOME: data }
    const child = execFile(process.execPath, program, { env }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    )
    child.stdin?.end(JSON.stringify(question))
  })
}

const summary = `1. Primary Request and Intent:\n   ${'The work is about the next step. '.repeat(80)}`
const model = { version: '2.1.330', directory: '/w', session: 's' }

test.each([
  ['used', { summary }, handles, ['used']],
  ['not good enough', { summary: 'No.' }, handles, ['rejected']],
  ['too late', { noSummary: tookTooLong }, handles, ['late']],
  ['without an answer', { noSummary: 'the API is overloaded' }, handles, ['failed']],
  ['used by the client itself, since ours could not be made', { summary }, ['gone'], ['used']],
  [
    'too late, so that the client asks again',
    { noSummary: tookTooLong },
    ['gone'],
    ['late', 'unknown'],
  ],
])('the request of Claude Code for a summary is told: %s', async (name, made, held, calls) => {
  const data = join(home, name)
  await answered(data, { ask: 'instructions', session: 's', directory: '/w' })
  const records = () => readClientRecords('claude-code', { XDG_DATA_HOME: data })
  expect(callsIn(records())).toEqual(['unknown'])
  const question = { ...model, window: 100_000, handles: held, waited: 0, ...made }
  await answered(data, { ask: 'compact', ...question })
  expect(callsIn(records())).toEqual(calls)
})
