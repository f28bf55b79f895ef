import { describe, expect, test } from 'vitest'
import { chronological, type Chronological } from '../../log/order.ts'
import { advanceFacts, emptyFacts, factsOf } from '../facts-of.ts'
import { mostCharacters } from '../statements/candidates.ts'
import { isForgotten } from './forgotten.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'

const step = (at: number, said: string, tool: string, input: unknown): EntryDraft[] => {
  const call = { toolCallId: `call${at}`, toolName: tool }
  return [
    {
      kind: 'message',
      at,
      origin: 'model',
      finish: 'tool-calls',
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: said },
          { type: 'tool-call', ...call, input },
        ],
      },
    },
    {
      kind: 'message',
      at,
      origin: 'tool',
      message: {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'ok' } }],
      },
    },
  ]
}

const read = (at: number, path = `/repo/gen/m${at % 50}/file${at}.ts`): EntryDraft[] =>
  step(at, `I look at file${at} next.`, 'Read', { file_path: path })
const bash = (at: number, command = `mkdir folder_number_${at}x`): EntryDraft[] =>
  step(at, `Let me run number ${at}.`, 'Bash', { command })
const write = (at: number, path: string): EntryDraft[] =>
  step(at, `I write file${at} next.`, 'Write', { file_path: path, content: 'x' })
const end = (at: number, text: string): EntryDraft[] => [
  {
    kind: 'message',
    at,
    origin: 'human',
    message: { role: 'user', content: `Go on with part ${at} please.` },
  },
  {
    kind: 'message',
    at,
    origin: 'model',
    finish: 'stop',
    message: { role: 'assistant', content: text },
  },
]

function logOf(drafts: readonly EntryDraft[]): Chronological {
  return chronological(drafts.map((draft, index): Entry => ({ ...draft, seq: index + 1 })))
}

const many = (count: number, of: (at: number) => EntryDraft[]): EntryDraft[] =>
  Array.from({ length: count }, (_, at) => of(at)).flat()

const moved: EntryDraft = {
  kind: 'message',
  at: 0,
  origin: 'harness',
  message: { role: 'user', content: '<cwd>/repo</cwd>' },
}

describe('the facts of a session without end', () => {
  const long = logOf([
    moved,
    ...many(300, (at) => write(at, `/repo/src/written${at}.ts`)),
    ...end(300, 'The parser keeps its own table of offsets, because the lexer drops them.'),
    ...many(6, (at) => read(301 + at, '/repo/src/hot.ts')),
    ...many(7_000, (at) => (at % 2 === 0 ? read(1_000 + at) : bash(1_000 + at))),
  ])
  const facts = factsOf(long)

  test('hold no more names, files, commands and statements than a summary could use', () => {
    expect(facts.names.size).toBeLessThanOrEqual(7_200)
    expect(facts.files.size).toBeLessThanOrEqual(300 + 1_500)
    expect(facts.commands.size).toBeLessThanOrEqual(1_500)
    expect(facts.statements.length).toBeLessThanOrEqual(5_000)
  })

  test('hold every file that was changed, and what is used most', () => {
    for (let at = 0; at < 300; at++) {
      expect(facts.files.get(`src/written${at}.ts`)?.state).toBe('created')
    }
    expect(facts.files.get('src/hot.ts')?.reads).toBe(6)
    expect(
      facts.files.get('gen/m49/file7999.ts') ?? facts.files.get('gen/m48/file7998.ts'),
    ).toBeDefined()
  })

  test('hold what was found, and forget what only announced the next step', () => {
    expect(facts.statements.some(({ text }) => text.startsWith('The parser keeps'))).toBe(true)
    expect(facts.statements.some(({ text }) => text === 'I look at file1000 next.')).toBe(false)
    expect(facts.statements.at(-1)?.text).toBe('Let me run number 7999.')
  })

  test('know that a forgotten name was there', () => {
    expect(facts.files.has('gen/m0/file1000.ts')).toBe(false)
    for (const name of [
      'gen/m0/file1000.ts',
      'm0/file1000.ts',
      'file1000.ts',
      'x/gen/m0/file1000.ts',
    ]) {
      expect(isForgotten(facts, name)).toBe(true)
    }
    expect(isForgotten(facts, 'gen/m0/file1001.ts')).toBe(false)
    expect(isForgotten(facts, 'm1/file1000.ts')).toBe(false)
  })

  test('are the same however they were folded', () => {
    const folded = emptyFacts()
    for (let upTo = 1; upTo < long.length; upTo += 997) advanceFacts(folded, long, { upTo })
    advanceFacts(folded, long)
    expect(folded).toEqual(facts)
  })
})

test('a file that was read long ago and is written now was not created', () => {
  const log = logOf([
    moved,
    ...many(3_000, (at) => read(at)),
    ...write(3_000, '/repo/gen/m0/file0.ts'),
    ...write(3_001, '/repo/gen/m0/new.ts'),
  ])
  const facts = factsOf(log)
  expect(factsOf(log, { upTo: 6_001 }).files.has('gen/m0/file0.ts')).toBe(false)
  expect(facts.files.get('gen/m0/file0.ts')?.state).toBe('edited')
  expect(facts.files.get('gen/m0/new.ts')?.state).toBe('created')
})

test('a directory of forgotten files that is removed is told of', () => {
  const drafts = [moved, ...many(3_000, (at) => read(at))]
  const removed = factsOf(logOf([...drafts, ...bash(3_000, 'rm -rf /repo/gen')]))
  expect(removed.files.get('gen')?.state).toBe('deleted')
  expect([...removed.files.values()].every(({ state }) => state === 'deleted')).toBe(true)
  const renamed = factsOf(logOf([...drafts, ...bash(3_000, 'mv /repo/gen /repo/out')]))
  expect(renamed.files.get('gen')).toMatchObject({ state: 'renamed', to: 'out' })
})

test('of what was said, no more text is held than is read twice', () => {
  const text = 'The table of the parser holds one more row than the lexer says. '.repeat(40)
  const facts = factsOf(logOf(many(1_500, (at) => end(at, `${at}: ${text}`))))
  const characters = facts.statements.reduce((sum, { text }) => sum + text.length, 0)
  expect(characters).toBeLessThanOrEqual(2 * mostCharacters)
  expect(characters).toBeGreaterThan(mostCharacters / 2)
  expect(facts.statements.at(-1)?.text.startsWith('1499:')).toBe(true)
})

test('a fact that is touched again and again names its newest entries', () => {
  const facts = factsOf(logOf([moved, ...many(100, (at) => read(at, '/repo/a.ts'))]))
  const { seqs, reads } = facts.files.get('a.ts') ?? {}
  expect(reads).toBe(100)
  expect(seqs).toHaveLength(16)
  expect(seqs?.at(-1)).toBe(201)
})
