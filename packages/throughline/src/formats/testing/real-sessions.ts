import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { pairProblems } from '../../testing/conformance/format-conformance.ts'
import { full } from '../../testing/generate/runs.ts'
import { partsOf, type Part } from '../../log/message.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { readSession, type SessionRead } from '../reading/read-session.ts'
import type { Entry, EntryOf } from '../../log/entry.ts'

/** Real sessions lie outside the repository; where they are missing tests of them are skipped. */
const corpus = join(import.meta.dirname, '../../../../../../shared/corpus')
export const missing = existsSync(corpus) ? '' : ` (skipped: no corpus at ${corpus})`

/** The sessions of a folder: all of them in a full run, else the first and the last. */
export function samplesIn(folder: string): string[] {
  if (missing) return ['none']
  const names = readdirSync(join(corpus, folder)).sort()
  return full ? names : names.filter((_, index) => index === 0 || index === names.length - 1)
}

export function read(folder: string, name: string): Promise<SessionRead> {
  return readSession(createReadStream(join(corpus, folder, name)))
}

/** The records of JSON Lines as they are, read in another way than the code under test reads them. */
export function rawLines(folder: string, name: string): unknown[] {
  return readFileSync(join(corpus, folder, name), 'utf8')
    .replaceAll('}}{"timestamp"', '}}\n{"timestamp"')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown)
}

/** A JSON document as it is. */
export function rawDocument(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(corpus, folder, name), 'utf8'))
}

export function messages(log: Chronological): EntryOf<'message'>[] {
  return log.filter((entry) => entry.kind === 'message')
}

export function partCount(log: Chronological, type: Part['type'], role?: string): number {
  return messages(log)
    .filter(({ message }) => role === undefined || message.role === role)
    .flatMap(({ message }) => partsOf(message))
    .filter((part) => part.type === type).length
}

export function count(log: Chronological, kind: Entry['kind']): number {
  return log.filter((entry) => entry.kind === kind).length
}

export function expectWholePairs(log: Chronological): void {
  expect(pairProblems(log)).toEqual([])
  for (let length = 1; length < log.length; length += Math.ceil(log.length / 25)) {
    expect(pairProblems(chronological(log.slice(0, length)))).toEqual([])
  }
}

const madeByHarness =
  /^\s*(?:<(?!command-message)[a-z_-]+[ >]|\[Request interrupted|Caveat:|This session is being|Base directory|# AGENTS\.md|\S+ hook feedback)/

export function expectHumanWords(log: Chronological): void {
  for (const { message, origin, seq } of messages(log)) {
    if (origin !== 'human') continue
    const text = partsOf(message)
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
    expect(text, `entry ${seq}`).not.toMatch(madeByHarness)
    expect(text, `entry ${seq}`).not.toContain('<system-reminder>')
  }
}

/** What the corpus's own index says about a file: its messages and its compactions. */
export function indexed(name: string): { messages: number; compactions: number } {
  const rows = readFileSync(join(corpus, 'INDEX.md'), 'utf8').split('\n')
  const cells = rows.find((row) => row.includes(`/${name} `))?.split('|') ?? []
  const compactions = Number.parseInt(cells[8] ?? '', 10)
  return { messages: Number(cells[5]), compactions: Number.isNaN(compactions) ? 0 : compactions }
}
