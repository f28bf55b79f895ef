import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../compaction/policy.ts'
import { compactLog } from '../session/once/compact-log.ts'
import { arbitraryCallLog } from '../testing/generate/call-log.ts'
import { arbitraryOddLog } from '../testing/generate/odd-log.ts'
import {
  assistant,
  baseBefore,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../testing/generate/build.ts'
import {
  corpusFiles,
  corpusIsHere,
  corpusMissing,
  readCorpusFile,
} from '../testing/generate/corpus.ts'
import { kinds, type Comparison, type ReportModel } from './model.ts'
import { reportOf, type ReportOptions } from './report-of.ts'
import { draftOf, type EntryDraft } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'

const window = { context: 200_000 }

function report(log: Chronological, options: Partial<ReportOptions> = {}): Promise<ReportModel> {
  const session = { log, facts: {}, name: 'made', format: 'throughline', skipped: 0 }
  return reportOf(session, { window, policy: defaultPolicy, windowFrom: 'made', ...options })
}

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)

/** What must hold of any report, whatever the session. */
function checkWhole(model: ReportModel, log: Chronological): void {
  const { requests, money } = model
  const answers = log.filter((e) => e.kind === 'message' && e.message.role === 'assistant')
  expect(requests.seq).toEqual(answers.map(({ seq }) => seq))
  for (const column of [requests.tokens, requests.at, requests.dollars, requests.counted]) {
    expect(column).toHaveLength(requests.seq.length)
  }
  requests.tokens.forEach((tokens, at) => {
    const parts = kinds.map((kind) => requests.kinds[kind][at] ?? NaN)
    expect(Math.abs(sum(parts) - tokens)).toBeLessThan(1)
    for (const part of parts) expect(part).toBeGreaterThanOrEqual(-1e-6)
  })
  for (const { times } of money.carried) expect(times).toBeLessThanOrEqual(requests.seq.length)
  const details = [...model.compactions, model.next].flatMap((each) =>
    'detail' in each && each.detail ? [each.detail] : [],
  )
  for (const detail of details) checkRows(detail)
  expect(model.entries.map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq))
  // Plain data: what JSON holds is all of it.
  expect(JSON.parse(JSON.stringify(model))).toEqual(model)
}

function checkRows({ rows, result }: Comparison): void {
  const stay = new Set(result.map(({ seq }) => seq))
  for (const { seq, fate, before, after } of rows) {
    if (fate === 'summarized' || fate === 'dropped') expect(after).toBe(0)
    else if (fate !== 'replaced') expect(stay).toContain(seq)
    if (fate === 'kept') expect(after).toBeLessThanOrEqual(before + 1e-6)
  }
}

describe('a report', () => {
  it('adds up, names every entry and is plain data, whatever the log', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(arbitraryCallLog(), arbitraryOddLog), async (drafts) => {
        const log = logFrom(drafts)
        checkWhole(await report(log), log)
      }),
      { numRuns: 60 },
    )
  })

  it('does not change what it reports on, and says the same again', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCallLog(), async (drafts) => {
        const log = logFrom(drafts)
        const before = JSON.stringify(log)
        expect(await report(log)).toEqual(await report(log))
        expect(JSON.stringify(log)).toBe(before)
      }),
      { numRuns: 20 },
    )
  })
})

const work = (from: number, to: number): EntryDraft[][] =>
  Array.from({ length: to - from }, (_, index) =>
    step(
      `c${from + index}`,
      'Read',
      { file_path: `/w/src/f${from + index}.ts` },
      'x y '.repeat(3000),
    ),
  )

describe('the requests', () => {
  it('have the size that the provider counted, and what it counted beside the file stays', async () => {
    const usage = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 5 } })
    const log = logFrom([human('go'), assistant('a', usage(9000)), human('more'), assistant('b')])
    const { requests, money } = await report(log)
    expect(requests.tokens[0]).toBe(9000)
    expect(requests.counted).toEqual([1, 0])
    expect(requests.kinds.fixed[1]).toBeCloseTo(requests.kinds.fixed[0] ?? 0)
    expect(requests.tokens[1]).toBeGreaterThan(9000)
    expect(requests.tokens[1]).toBeLessThan(9100)
    // Where usage is noted, an answer without it was never sent.
    expect(money).toMatchObject({ requests: 1, estimated: 0 })
  })

  it('tell what the file does not hold from what we count wrong', async () => {
    const counted = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 5 } })
    const log = logFrom([
      human('go'),
      assistant([call('1', 'Read', { path: 'a' })], counted(9000)),
      tool(result('1', 'Read', 'word '.repeat(10_000))),
      // The provider counts each word as one and a half.
      assistant('so', counted(9000 + 15_000)),
    ])
    const { fixed, results } = (await report(log)).requests.kinds
    expect(Math.abs((fixed[1] ?? 0) - (fixed[0] ?? 0))).toBeLessThan(50)
    expect(results[1]).toBeGreaterThan(14_000)
  })

  it('cost what their usage costs, and carry the price of what they repeat', async () => {
    const usage = { inputTokens: 100_000, outputTokens: 1000, cacheReadTokens: 80_000 }
    const big = 'word '.repeat(20_000)
    const log = logFrom([
      human('go'),
      assistant([call('1', 'Read', { path: 'big.md' })]),
      tool(result('1', 'Read', big)),
      assistant('so', { usage }),
      assistant('so', { usage }),
    ])
    const { money, requests } = await report(log, { prices: { input: 3, output: 15 } })
    const one = (20_000 * 3 + 80_000 * 0.3 + 1000 * 15) / 1_000_000
    expect(requests.dollars[1]).toBeCloseTo(one)
    expect(money.carried[0]).toMatchObject({ seq: 3, times: 2, what: 'Read big.md' })
    expect(sum(kinds.map((kind) => money.kinds[kind]))).toBeCloseTo(
      money.input.dollars + money.cacheRead.dollars + money.cacheWrite.dollars,
    )
  })

  it('have no price where the model has none', async () => {
    const { money } = await report(logFrom([human('go'), assistant('a', { model: 'nobody-1' })]))
    expect(money).toMatchObject({ dollars: null, unpriced: 1 })
  })
})

describe('a compaction', () => {
  const rule = 'Never touch config/prod.ts.'
  const before = [human(`${rule} Please read all.`), work(0, 6), human('And the second part.')]

  it('of a client tells by name what it forgot, and what still stands', async () => {
    const log = logFrom([
      before,
      {
        kind: 'checkpoint',
        at: 0,
        base: baseBefore,
        summary: 'We read f1.ts and src/f2.ts [1].\nThe user said: "And the second part."',
        summarizer: 'claude-code',
        tail: [],
        continuation: null,
        metadata: { trigger: 'auto', preTokens: 123_456 },
      },
      assistant('on it'),
    ])
    const { compactions, standing } = await report(log)
    const [made] = compactions
    expect(made).toMatchObject({
      by: 'claude-code',
      before: 123_456,
      trigger: 'auto',
      state: 'in force',
    })
    const { forgot, summary, rows } = made?.detail ?? ({} as Comparison)
    expect(forgot.rules.map(({ name }) => name)).toEqual([rule])
    const gone = forgot.read.map(({ name }) => name.replace('/w/', ''))
    expect(gone).toEqual(['src/f0.ts', 'src/f3.ts', 'src/f4.ts', 'src/f5.ts'])
    expect(forgot.requests.map(({ seq }) => seq)).toEqual([1])
    expect(summary[0]?.found.length).toBeGreaterThan(0)
    // A number in brackets is a ref in our summaries alone.
    expect(summary[0]?.refs).toEqual([])
    // What the summary names was summarized; the rest is gone but for the log.
    const fateOf = (seq: number) => rows.find((row) => row.seq === seq)?.fate
    expect(fateOf(5)).toBe('summarized')
    expect(fateOf(9)).toBe('dropped')
    expect(standing.rules).toMatchObject([{ in: false }])
  })

  it('that prunes and clips marks what it did to each message', async () => {
    const log = logFrom([
      before,
      {
        kind: 'prune',
        at: 0,
        base: 13,
        replacements: [
          { how: 'pruned', ref: '3.0', text: 'gone' },
          { how: 'clipped', ref: '5.0', text: 'x … y' },
        ],
        metadata: {},
      },
    ])
    const [pruning] = (await report(log)).compactions
    expect(pruning).toMatchObject({ kind: 'pruning', state: 'in force', by: '' })
    const fates = new Map(pruning?.detail?.rows.map(({ seq, fate }) => [seq, fate]))
    expect([2, 3, 5, 7].map((seq) => fates.get(seq))).toEqual(['kept', 'pruned', 'clipped', 'kept'])
    expect(pruning?.detail?.result.find(({ seq }) => seq === 3)).toMatchObject({ text: 'gone' })
  })

  it('that was undone says so, and nothing is forgotten any more', async () => {
    const { log } = await compactLog(logFrom(before), { window, trigger: 'manual', now: 1 })
    const newest = log.at(-1)?.seq ?? 0
    const undone = logFrom([
      ...log.map(draftOf),
      { kind: 'rewind', at: 2, to: newest - 1, resume: newest + 1 },
    ])
    const { compactions, rewinds, standing, entries } = await report(undone)
    expect(compactions.map(({ state }) => state)).toEqual(['undone'])
    expect(rewinds).toMatchObject([{ undid: newest }])
    expect(standing.rules.every((each) => each.in)).toBe(true)
    expect(entries[0]?.now).toBe('whole')
  })

  it('by our own summary cites the entries of its lines', async () => {
    const { log } = await compactLog(logFrom(before), { window, trigger: 'manual', now: 1 })
    const { compactions } = await report(log)
    const lines = compactions[0]?.detail?.summary ?? []
    expect(lines.some(({ refs }) => refs.includes('1'))).toBe(true)
    expect(compactions[0]?.detail?.forgot.rules).toEqual([])
  })

  it('that nobody has made is planned, and the log stays as it is', async () => {
    const { compactions, next } = await report(logFrom([before, work(6, 40)]))
    expect(compactions).toEqual([])
    expect(next).toMatchObject({ kind: 'summary', by: 'local' })
    if ('reason' in next) throw new Error('no plan')
    expect(next.after).toBeLessThan(next.before)
    expect(next.detail?.standing.rules).toMatchObject([{ text: rule, in: true }])
  })
})

describe.skipIf(!corpusIsHere)(corpusIsHere ? 'real sessions' : corpusMissing, () => {
  it.each(corpusFiles(['claude-code', 'codex', 'pi', 'opencode']))(
    'are reported whole: $format/$name',
    async (file) => {
      const { log, facts } = await readCorpusFile(file)
      const { model } = facts
      const found = await report(log, { ...(model !== undefined && { model }) })
      checkWhole(found, log)
      expect(found.money.dollars).toBeGreaterThan(0)
    },
  )
})
