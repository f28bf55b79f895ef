import { expect, test } from 'vitest'
import { memoryStore } from '../../../stores/memory.ts'
import { openSession } from '../../../session/session.ts'
import { readingOf } from '../../../facts/summary/reading.ts'
import { summarizeLocally } from './summarize-locally.ts'
import { emptyFacts } from '../../../facts/facts-of.ts'
import { readStatements } from '../../../facts/statements/read-statements.ts'
import type { StatementFact } from '../../../facts/facts.ts'

const statement = (seq: number): StatementFact => ({
  text: `The parser of module ${seq} drops the last byte. Its test says so.`,
  seq,
  source: 'remark',
})

test('each statement is read once, however many summaries are made', () => {
  const facts = { ...emptyFacts(), seq: 400 }
  facts.statements = Array.from({ length: 200 }, (_, at) => statement(at + 1))
  const counted: string[] = []
  const count = (text: string): number => {
    counted.push(text)
    return Math.ceil(text.length / 4)
  }
  const summary = (): string => summarizeLocally({ facts, budget: 500, count })
  const first = summary()
  const ofFirst = counted.filter((text) => text.startsWith('  The parser')).length
  counted.length = 0
  expect(summary()).toBe(first)
  expect(ofFirst).toBe(200)
  expect(counted.filter((text) => text.startsWith('  The parser'))).toEqual([])
  facts.statements.push(statement(300))
  summary()
  expect(counted.filter((text) => text.startsWith('  The parser'))).toHaveLength(1)
})

test('statements are ranked once for all summaries of one reading, and none is told beside itself', () => {
  const facts = { ...emptyFacts(), seq: 400 }
  facts.statements = [statement(1), statement(2)]
  let ranked = 0
  const count = (text: string): number => {
    if (text === '- [400] \n') ranked++
    return Math.ceil(text.length / 4)
  }
  const reading = readingOf(facts, undefined)
  const summary = (beside: string[]): string =>
    summarizeLocally({ facts, reading, budget: 500, count, beside })
  const whole = summary([])
  expect(whole).toContain('module 1')
  expect(whole).toContain('module 2')
  expect(summary([statement(1).text])).not.toContain('module 1')
  expect(summary([])).toBe(whole)
  expect(ranked).toBe(1)
})

test('a counter that throws leaves nothing half read', () => {
  const facts = [statement(1), statement(2)]
  let failing = true
  const count = (text: string): number => {
    if (failing && text.includes('module 2')) throw new Error('no tokenizer')
    return text.length
  }
  expect(() => readStatements(facts, count)).toThrow('no tokenizer')
  failing = false
  expect(readStatements(facts, count).statements).toHaveLength(2)
})

test('a session reads what is said as it comes, not when it compacts', async () => {
  const counted: string[] = []
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 1_000_000 },
    count: (text) => {
      counted.push(text)
      return Math.ceil(text.length / 4)
    },
  })
  for (let turn = 1; turn <= 300; turn++) {
    await session.say(`Go on with part ${turn}.`)
    const content = `The parser of module ${turn} works now.`
    await session.append({
      kind: 'message',
      at: turn,
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content },
    })
  }
  counted.length = 0
  await session.compact()
  const again = counted.filter((text) => text.startsWith('  The parser of module'))
  expect(again).toEqual([])
})

test('what is only announced is no discovery', () => {
  const facts = { ...emptyFacts(), seq: 400 }
  const said = (seq: number, text: string, source: StatementFact['source']): StatementFact => ({
    seq,
    text,
    source,
  })
  const plan = `I'll rewrite the parser of module 5 to read from the end.`
  facts.statements = [
    said(1, 'Port 3000 is taken.', 'remark'),
    said(6, 'Port 4000 is taken.', 'remark'),
    said(7, plan, 'remark'),
  ]
  const summary = summarizeLocally({
    facts,
    budget: 2_000,
    count: (text) => Math.ceil(text.length / 4),
  })
  expect(summary).toContain('Port 3000')
  expect(summary).toContain('Port 4000')
  const [, discoveries] = summary.split('## Discoveries')
  expect(discoveries).not.toContain('rewrite the parser')
})
