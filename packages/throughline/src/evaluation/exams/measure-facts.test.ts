import { describe, expect, it } from 'vitest'
import { cutFile } from './cut-file.ts'
import { handMade, human, says } from '../testing/hand-made.ts'
import { markText, measureFacts, pooledFacts } from './measure-facts.ts'
import { parseExam } from './exam.ts'
import type { Compactor } from '../throughline-compactor.ts'

const fact = (id: string, kind: string, key: string) => ({ id, kind, fact: key, keys: [[key]] })
const exam = parseExam(
  JSON.stringify({
    case: 'E1',
    session: 'here/one.jsonl',
    records: 2,
    facts: [fact('1', 'constraint', 'use pnpm'), fact('2', 'recall', 'port 8080')],
  }),
)
const session = handMade([human('Use pnpm.'), says('The server listens on port 8080.')])

/** It keeps only what the human said. */
const forgetful: Compactor = {
  name: 'forgetful',
  compact: async ({ log }) => ({ log, summary: '', messages: [human('Use pnpm.')] }),
}

describe('facts kept', () => {
  it('are counted by kind, and a fact that a compactor drops is missed by name', async () => {
    const [row] = await measureFacts(forgetful, [{ exam, session }], 100)
    expect(row?.kinds).toContainEqual({ kind: 'constraint', stated: 1, of: 1 })
    expect(row?.kinds).toContainEqual({ kind: 'recall', stated: 0, of: 1 })
    expect(row?.missed.map(({ id }) => id)).toEqual(['2'])
  })

  it('are pooled over sessions, with the worst beside the mean', () => {
    const whole = markText(exam, 'Use pnpm. It is port 8080.')
    const half = markText(exam, 'Use pnpm.')
    const pooled = pooledFacts([whole, half])
    expect(pooled).toMatchObject({ all: 0.75, worst: 0.5 })
    expect(pooled?.kinds).toContainEqual({ kind: 'recall', share: 0.5 })
    expect(pooledFacts([])).toBeUndefined()
  })
})

describe('an exam', () => {
  it.each([
    ['{}', /fields case, session, records and facts/],
    ['{"case":"E","session":"s","records":1,"facts":[]}', /has no facts/],
    [
      '{"case":"E","session":"s","records":1,"facts":[{"id":"1","fact":"f","kind":"odd"}]}',
      /Fact 1/,
    ],
    [
      '{"case":"E","session":"s","records":1,"facts":[{"id":"1","fact":"f","kind":"recall"}]}',
      /Fact 1 has no keys/,
    ],
  ])('that lacks something is refused: %s', (text, message) => {
    expect(() => parseExam(text)).toThrow(message)
  })
})

describe('a session before its exam', () => {
  it('has so many lines, or so many parts where it is one document', () => {
    expect(cutFile('{"a":1}\n{"a":2}\n{"a":3}\n', 2)).toBe('{"a":1}\n{"a":2}\n')
    const messages = [
      { id: 1, parts: ['a', 'b'] },
      { id: 2, parts: [] },
      { id: 3, parts: ['c', 'd'] },
    ]
    const cut: unknown = JSON.parse(cutFile(JSON.stringify({ info: 'x', messages }), 3))
    expect(cut).toEqual({
      info: 'x',
      messages: [
        { id: 1, parts: ['a', 'b'] },
        { id: 3, parts: ['c'] },
      ],
    })
  })

  it('has so many messages where they have no parts', () => {
    const messages = [{ content: 'a' }, { content: 'b' }]
    const cut: unknown = JSON.parse(cutFile(JSON.stringify({ messages }), 1))
    expect(cut).toEqual({ messages: [{ content: 'a' }] })
  })
})
