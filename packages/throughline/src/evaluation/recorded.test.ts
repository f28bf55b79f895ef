import { expect, test } from 'vitest'
import { byHarness, measureRecorded } from './recorded.ts'
import { chronological } from '../log/order.ts'
import { answers, calls, handMade, human, logOf } from './testing/hand-made.ts'
import type { Compactor } from './throughline-compactor.ts'
import type { Entry } from '../log/entry.ts'

const names = Array.from({ length: 12 }, (_, index) => `neededName${index}`)
const before = logOf([human(`Fix ${names.join(' ')}.`), human('Thank you. '.repeat(50))])
const checkpoint: Entry = {
  kind: 'checkpoint',
  seq: 3,
  at: 0,
  base: 2,
  summary: `They spoke of ${names.slice(0, 3).join(', ')}.`,
  summarizer: 'claude-code',
  tail: [],
  continuation: null,
  metadata: {},
}
const after = logOf([calls('Grep', { pattern: names.join('|') }), answers('found')])
const log = chronological([
  ...before,
  checkpoint,
  ...after.map((entry) => ({ ...entry, seq: entry.seq + 3 })),
])
const session = handMade([], { log, harness: 'claude-code' })

const keeping = (text: string): Compactor => ({
  name: 'written',
  compact: async ({ log }) => ({ log, summary: text, messages: [{ role: 'user', content: text }] }),
})

test('a recorded compaction and another one are asked for the same things', async () => {
  const [one, ...others] = await measureRecorded(keeping(names.join(' ')), [session], new Set())
  expect(others).toEqual([])
  expect(one).toMatchObject({ seq: 3, needed: 12, theirs: { held: 3 }, ours: { held: 12 } })
  expect(byHarness(one ? [one] : [])).toMatchObject([
    { harness: 'claude-code', few: false, theirs: { share: 0.25 }, ours: { share: 1 } },
  ])
})

test('who drops a name at that moment scores lower', async () => {
  const [all] = await measureRecorded(keeping(names.join(' ')), [session], new Set())
  const [fewer] = await measureRecorded(keeping(names.slice(1).join(' ')), [session], new Set())
  expect(fewer?.ours.held).toBe((all?.ours.held ?? 0) - 1)
})

test('a compactor is told how much the harness kept, and nothing of what came later', async () => {
  const asked: { keep: number; entries: number }[] = []
  const compactor: Compactor = {
    name: 'asked',
    compact: async ({ log, keep }) => {
      asked.push({ keep, entries: log.length })
      return { log, summary: '', messages: [] }
    },
  }
  const [one] = await measureRecorded(compactor, [session], new Set())
  expect(asked).toEqual([{ keep: one?.theirs.tokens, entries: 2 }])
})
