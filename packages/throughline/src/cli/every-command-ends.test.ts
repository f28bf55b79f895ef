import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileOf } from '../testing/conformance/format-conformance.ts'
import { full } from '../testing/generate/runs.ts'
import { mutated } from '../formats/testing/mutations.ts'
import { samples } from '../formats/testing/samples.ts'
import { newFile } from './testing/run-main.ts'

const program = join(import.meta.dirname, 'testing/run-every-command.ts')

// A command on a session of a few kilobytes takes milliseconds. A machine as busy as this has hung.
const patience = 90_000

/** Runs every command on these files; says which one did not end, and which ones failed with a stack. */
async function runEvery(files: readonly string[]): Promise<{ hung?: string; failed: string[] }> {
  const child = spawn(process.execPath, ['--no-warnings', program, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed: string[] = []
  let last = 'its start'
  let hung: string | undefined
  const watchdog = setInterval(() => {
    if (Date.now() - heard < patience) return
    hung = last
    child.kill('SIGKILL')
  }, 1_000)
  let heard = Date.now()
  for await (const line of createInterface({ input: child.stdout })) {
    heard = Date.now()
    if (line.startsWith('FAILED')) failed.push(line)
    else last = line
  }
  clearInterval(watchdog)
  const code =
    child.exitCode ?? (await new Promise<number | null>((done) => child.on('exit', done)))
  if (code !== 0 && hung === undefined) failed.push(`the process ended with ${code} at ${last}`)
  return { ...(hung !== undefined && { hung }), failed }
}

const one = fc.sample(fc.constantFrom(...samples.map(({ name }) => name)), full ? 1 : 4)
const chosen = full ? samples : samples.filter(({ name }) => one.includes(name))

describe.each(chosen)('damaged sessions of $name', ({ format, records }) => {
  it('hang no command, and show nobody a stack', { timeout: 3_600_000 }, async () => {
    const damaged = fc.sample(mutated(records), full ? 25 : 2)
    const torn = damaged.map((each) => fileOf(format, each.slice(0, -1)))
    const texts = [...damaged.map((each) => fileOf(format, each)), ...torn]
    const files = texts.map((text, at) => newFile(`damaged-${at}.jsonl`, text))
    expect(await runEvery(files)).toEqual({ failed: [] })
  })
})

it('calls and results in odd places hang no command', async () => {
  const call = (id: string) => ({
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }],
  })
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' })
  const said = { role: 'user', content: 'Mend it.' }
  const done = { role: 'assistant', content: 'Done.' }
  const sessions = [
    [said, call('a'), done],
    [said, call('a'), call('b'), result('b'), result('a'), done],
    [said, result('a'), call('a'), done, said, done],
    [said, call('a'), result('a'), result('a'), done],
    [call('a'), said, result('a'), done],
  ]
  const files = sessions.map((messages, at) => newFile(`odd-${at}.json`, JSON.stringify(messages)))
  expect(await runEvery(files)).toEqual({ failed: [] })
})
