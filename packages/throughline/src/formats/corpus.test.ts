import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pairProblems } from '../testing/format-conformance.ts'
import { partsOf, type Part } from '../log/message.ts'
import { chronological, type Chronological } from '../log/order.ts'
import { readSession, type SessionRead } from './read-session.ts'
import type { Entry, EntryOf } from '../log/entry.ts'

/** Real sessions lie outside the repository; where they are missing these tests are skipped. */
const corpus = join(import.meta.dirname, '../../../../../shared/corpus')
const missing = existsSync(corpus) ? '' : ` (skipped: no corpus at ${corpus})`

function samples(folder: string): string[] {
  if (missing) return ['none']
  const names = readdirSync(join(corpus, folder)).sort()
  if (process.env['THROUGHLINE_FULL']) return names
  return names.filter((_, index) => index === 0 || index === names.length - 1)
}

interface Raw {
  type: string
  subtype?: string
  uuid?: string
  isCompactSummary?: boolean
  message?: { content: unknown }
  payload?: { type?: string; role?: string; content?: { text?: string }[] }
}

/** The records as they are, read in another way than the code under test reads them. */
function rawRecords(path: string): Raw[] {
  return readFileSync(path, 'utf8')
    .replaceAll('}}{"timestamp"', '}}\n{"timestamp"')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Raw)
}

function read(folder: string, name: string): Promise<SessionRead> {
  return readSession(createReadStream(join(corpus, folder, name)))
}

function messages(log: Chronological): EntryOf<'message'>[] {
  return log.filter((entry) => entry.kind === 'message')
}

function partCount(log: Chronological, type: Part['type'], role?: string): number {
  return messages(log)
    .filter(({ message }) => role === undefined || message.role === role)
    .flatMap(({ message }) => partsOf(message))
    .filter((part) => part.type === type).length
}

function count(log: Chronological, kind: Entry['kind']): number {
  return log.filter((entry) => entry.kind === kind).length
}

function expectWholePairs(log: Chronological): void {
  expect(pairProblems(log)).toEqual([])
  for (let length = 1; length < log.length; length += Math.ceil(log.length / 25)) {
    expect(pairProblems(chronological(log.slice(0, length)))).toEqual([])
  }
}

const madeByHarness =
  /^\s*(?:<(?!command-message)[a-z_-]+[ >]|\[Request interrupted|Caveat:|This session is being|Base directory|# AGENTS\.md|\S+ hook feedback)/

function expectHumanWords(log: Chronological): void {
  for (const { message, origin, seq } of messages(log)) {
    if (origin !== 'human') continue
    const text = partsOf(message)
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
    expect(text, `entry ${seq}`).not.toMatch(madeByHarness)
    expect(text, `entry ${seq}`).not.toContain('<system-reminder>')
  }
}

/** What the corpus's own index says of a file: its messages and its compactions. */
function indexed(name: string): { messages: number; compactions: number } {
  const rows = readFileSync(join(corpus, 'INDEX.md'), 'utf8').split('\n')
  const cells = rows.find((row) => row.includes(`/${name} `))?.split('|') ?? []
  const compactions = Number.parseInt(cells[8] ?? '', 10)
  return { messages: Number(cells[5]), compactions: Number.isNaN(compactions) ? 0 : compactions }
}

describe.skipIf(missing !== '')(`real Claude Code sessions${missing}`, () => {
  test.each(samples('claude-code'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('claude-code', name)
    const raw = rawRecords(join(corpus, 'claude-code', name))
    const spoken = raw.filter(({ type }) => type === 'user' || type === 'assistant')
    const index = indexed(name)
    expect(format).toBe('claude-code')
    expect(skipped).toEqual([])
    expect(spoken).toHaveLength(index.messages)
    expect(count(log, 'checkpoint') + count(log, 'prune')).toBe(index.compactions)
    expectWholePairs(log)
    expectHumanWords(log)

    const blocks = (kind: string): number =>
      spoken
        .flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []))
        .filter((block: { type?: string }) => block.type === kind).length
    expect(partCount(log, 'tool-call')).toBe(blocks('tool_use'))
    expect(partCount(log, 'tool-result')).toBe(blocks('tool_result'))
    expect(partCount(log, 'reasoning')).toBeGreaterThan(blocks('thinking') - 3)

    // Every record of the conversation is in an entry, summaries and cut-off replies apart.
    const given = new Set(
      log.flatMap((entry) => {
        const metadata = 'metadata' in entry ? entry.metadata : undefined
        return (metadata?.['source'] as { records?: string[] } | undefined)?.records ?? []
      }),
    )
    const left = spoken.filter(
      ({ uuid, isCompactSummary }) => !isCompactSummary && !given.has(uuid ?? ''),
    )
    expect(left.length).toBeLessThanOrEqual(2 * (facts.omitted?.['unfinished'] ?? 0))

    for (const { origin, usage } of messages(log)) {
      expect(usage !== undefined).toBe(origin === 'model')
    }
  })
})

describe.skipIf(missing !== '')(`real Codex sessions${missing}`, () => {
  test.each(samples('codex'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('codex', name)
    const raw = rawRecords(join(corpus, 'codex', name))
    const items = raw.filter(({ type }) => type === 'response_item')
    const kinds = (...wanted: string[]): number =>
      items.filter(({ payload }) => wanted.includes(payload?.type ?? '')).length
    expect(format).toBe('codex')
    expect(facts).toMatchObject({ window: 258_400, model: 'gpt-5.4' })
    expect(facts.system).toContain('You are Codex')
    expect(skipped.map(({ reason }) => reason)).toEqual(
      name.includes('019d6d29') ? ['two objects on one line; both read'] : [],
    )
    expectWholePairs(log)
    expectHumanWords(log)

    const humans = messages(log).filter(({ origin }) => origin === 'human')
    const typed = raw.filter(({ payload }) => payload?.type === 'user_message')
    expect(humans).toHaveLength(typed.length)
    const calls = kinds('function_call', 'custom_tool_call', 'web_search_call')
    expect(partCount(log, 'tool-call')).toBe(calls)
    expect(partCount(log, 'tool-result')).toBe(
      kinds('function_call_output', 'custom_tool_call_output', 'web_search_call'),
    )
    const answers = items.filter(({ payload }) => payload?.role === 'assistant')
    expect(partCount(log, 'text', 'assistant')).toBe(answers.length)

    const checkpoints = log.filter((entry) => entry.kind === 'checkpoint')
    expect(checkpoints).toHaveLength(indexed(name).compactions)
    for (const { tail } of checkpoints) expect(tail.length).toBeGreaterThan(3)
    const steps = messages(log).filter(({ origin }) => origin === 'model')
    const measured = steps.filter(({ usage }) => usage !== undefined)
    expect(measured.length).toBeGreaterThan(0.95 * steps.length)
  })
})
