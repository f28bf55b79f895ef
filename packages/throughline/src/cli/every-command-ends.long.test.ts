import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileOf } from '../testing/conformance/format-conformance.ts'
import { testIdentity } from '../testing/conformance/writer-conformance.ts'
import { corpusFiles } from '../testing/generate/corpus.ts'
import { full } from '../testing/generate/runs.ts'
import { apiWriters, harnesses } from '../formats/harnesses.ts'
import { mutated } from '../formats/testing/mutations.ts'
import { samples } from '../formats/testing/samples.ts'
import { claudeSession } from './testing/claude-session.ts'
import { onFile, onStore } from './testing/every-command.ts'
import { interrupted } from './testing/interrupted.ts'
import { sqliteStore } from '../stores/sqlite/index.ts'
import { newDirectory, newFile } from './testing/run-main.ts'
import type { Message } from '../log/message.ts'

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

const said = { role: 'user' as const, content: 'Mend it.' }
const done = { role: 'assistant' as const, content: 'Done.' }
const call = (toolCallId: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId, toolName: 'bash', input: { command: 'ls' } }],
})
const result = (toolCallId: string): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId, toolName: 'bash', output: { type: 'text', value: 'ok' } },
  ],
})

const odd: readonly (readonly Message[])[] = [
  [said, call('a'), done],
  [said, done, said, call('a')],
  [said, call('a'), call('b'), result('b'), result('a'), done],
  [said, result('a'), call('a'), done, said, done],
  [said, call('a'), result('a'), result('a'), done],
  [call('a'), said, result('a'), done],
]

const allWriters = [...harnesses.map(({ writer }) => writer), ...apiWriters]
const some = fc.sample(fc.constantFrom(...allWriters.map(({ name }) => name)), 2)
const writers = full ? allWriters : allWriters.filter(({ name }) => some.includes(name))

const origins = { user: 'human', assistant: 'model', tool: 'tool', system: 'harness' } as const

describe.each(writers)('sessions of $name', (writer) => {
  it(
    'with calls and results in odd places and times hang no command',
    { timeout: 3_600_000 },
    async () => {
      const files = odd.map((list, place) => {
        const messages = list.map((message, index) => ({
          message,
          origin: origins[message.role],
          at: place % 2 === 0 ? index : list.length - index,
        }))
        const { text } = writer.write({ messages, facts: {} }, testIdentity())
        return newFile(`odd-${place}.jsonl`, text)
      })
      expect(await runEvery(files)).toEqual({ failed: [] })
    },
  )
})

/** A real session whose last result is torn: the file holds the call alone. */
function torn(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n')
  const at = lines.findLastIndex((line) => /tool_result|_output"|toolResult|_complete"/.test(line))
  return lines
    .map((line, index) => (index === at ? line.slice(0, line.length / 2) : line))
    .join('\n')
}

const clients = [
  'claude-code',
  'codex',
  'copilot-cli',
  'gemini-cli',
  'openai-chat',
  'opencode',
  'openhands',
  'pi',
  'swe-agent',
]
const real = full ? corpusFiles(clients) : []

describe.skipIf(real.length === 0)('real sessions, where they are, in a full run', () => {
  it.each(real)(
    '$name, whole and with a torn result, hangs no command',
    { timeout: 3_600_000 },
    async ({ name, path }) => {
      expect(await runEvery([path, newFile(`torn-${name}`, torn(path))])).toEqual({ failed: [] })
    },
  )
})

const bin = fileURLToPath(new URL('../../bin/throughline.js', import.meta.url))
const canCount =
  existsSync('/proc/self/stat') && existsSync(new URL('../../dist/command.js', import.meta.url))

// Where in a command's life Ctrl-C is pressed: shares of the time that it takes.
const instants = full ? [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95] : [0.6]

describe.skipIf(!canCount)('Ctrl-C', () => {
  const folder = newDirectory()
  const text = claudeSession(full ? { turns: 923, steps: 12, lines: 10 } : { turns: 40 })
  const file = newFile('long.jsonl', text)
  const template = join(folder, 'template.db')
  const never = 2_000_000
  let rounds = 0

  const isOfStore = ([name, word]: readonly string[]): boolean =>
    name === 'search' || name === 'list' || word === 'imported'

  /** Calls a command with a store of its own, and presses Ctrl-C. */
  async function pressed(argv: readonly string[], at: number) {
    const cwd = join(folder, `round-${rounds++}`)
    mkdirSync(cwd)
    const store = join(cwd, 'sessions.db')
    if (isOfStore(argv)) copyFileSync(template, store)
    const env = { ...process.env, THROUGHLINE_STORE: store, HOME: cwd, USERPROFILE: cwd }
    return { ...(await interrupted(['--no-warnings', bin, ...argv], { at, env, cwd })), store }
  }

  const all = [...onFile(file, '.'), ...onStore('.')]
  const tried = full ? all : fc.sample(fc.constantFrom(...all), 2)

  /** A store with one long session; each call begins with a copy of it. */
  async function makeTemplate(): Promise<void> {
    if (existsSync(template)) return
    const { store } = await pressed(['import', file, '--as', 'imported'], never)
    copyFileSync(store, template)
  }

  async function newestIn(path: string): Promise<number | undefined> {
    using store = sqliteStore({ file: path })
    return (await store.sessions()).find(({ id }) => id === 'imported')?.newest
  }

  it('in a pin says whether it was written', { timeout: 3_600_000 }, async () => {
    await makeTemplate()
    const before = (await newestIn(template)) ?? 0
    const argv = ['pin', 'imported', 'Never deploy on a Friday.']
    const { lived } = await pressed(argv, never)
    for (const instant of [0.4, 0.6, 0.8]) {
      const { end, err, store } = await pressed(argv, lived * instant)
      const written = ((await newestIn(store)) ?? 0) - before
      // Nobody listens before it has started, nor behind its last word: there the signal ends it.
      expect([0, 130, 'SIGINT']).toContain(end)
      if (end === 0) expect(written).toBe(1)
      if (end !== 130) continue
      expect({ err, written }).toEqual({
        err: expect.stringContaining('interrupted; nothing was written'),
        written: 0,
      })
    }
  })

  it.each(tried.map((argv) => [argv.join(' ').replace(file, 'FILE'), argv] as const))(
    'ends %s with little more work',
    { timeout: 3_600_000 },
    async (_name, argv) => {
      if (isOfStore(argv)) await makeTemplate()
      const whole = await pressed(argv, never)
      expect([0, 1]).toContain(whole.end)
      for (const instant of instants) {
        const { end, err, after } = await pressed(argv, whole.lived * instant)
        expect({ [`at ${instant}`]: end, err }).toEqual({
          [`at ${instant}`]: expect.toSatisfy((code) => [whole.end, 130, 'SIGINT'].includes(code)),
          err: expect.not.stringMatching(/^\s+at /m),
        })
        // Processor time, which doesn't depend on who else uses the machine.
        expect({ [`at ${instant}`]: after }).toSatisfy(() => after <= 500)
      }
    },
  )
})
