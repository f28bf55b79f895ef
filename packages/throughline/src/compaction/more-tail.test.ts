import { expect, it } from 'vitest'
import { closedCircuitBreaker } from './summary/with-model/circuit-breaker.ts'
import { compact } from './compact.ts'
import { defaultPolicy } from './policy.ts'
import { planInputFor } from '../session/once/plan-input.ts'
import { chronological } from '../log/order.ts'
import { assistant, human, logFrom, step } from '../testing/generate/build.ts'
import type { Entry, EntryDraft, Seq } from '../log/entry.ts'
import type { Drafts } from '../testing/generate/build.ts'

const output = (name: string): string => `${name}();\n`.repeat(400)

it('keeps more of the tail where a local summary leaves room', async () => {
  const log = logFrom([
    human('Find the slow loop.'),
    ...[...'abcdefghijkl'].map((name) =>
      step(name, 'Read', { file_path: `src/${name}.ts` }, output(name)),
    ),
  ])
  const policy = { ...defaultPolicy, keep: () => 6_000 }
  const input = {
    ...planInputFor(log, { window: { context: 200_000 }, policy }),
    trigger: 'manual',
  } as const
  let planned = 0
  const { drafts, report } = await compact(input, {
    now: 0,
    circuitBreaker: closedCircuitBreaker(),
    onPlan: (plan) => {
      if (plan.action === 'summarize') planned = plan.cut.tail.length
    },
  } as Parameters<typeof compact>[1])
  const [checkpoint] = drafts
  if (checkpoint?.kind !== 'checkpoint') throw new Error('nothing was compacted')
  const kept = checkpoint.tail.flatMap((item): Seq[] => (item.type === 'entry' ? [item.seq] : []))
  expect(kept.length).toBeGreaterThan(planned)
  expect(report.after).toBeLessThanOrEqual(6_000)
  // The oldest still go.
  expect(kept).not.toContain(2)
})

it('summarizes an earlier summary that takes more than may be kept, though all behind it fits', async () => {
  const earlier: EntryDraft = {
    kind: 'checkpoint',
    at: 0,
    base: 0,
    summary: `## Notes\n${'The parser reads one header after the other, from the end. '.repeat(220)}`,
    summarizer: 'claude-code',
    tail: [],
    continuation: null,
    metadata: {},
  }
  const log = logFrom([
    earlier,
    human('Find the slow loop.'),
    step('a', 'Read', { file_path: 'src/a.ts' }, 'x();\n'.repeat(60)),
    step('b', 'Read', { file_path: 'src/b.ts' }, output('b')),
  ])
  const policy = { ...defaultPolicy, keep: () => 3_000 }
  const planned = planInputFor(log, { window: { context: 200_000 }, policy })
  const { drafts, report } = await compact({ ...planned, trigger: 'manual' }, {
    now: 0,
    circuitBreaker: closedCircuitBreaker(),
  } as Parameters<typeof compact>[1])
  expect(drafts.map(({ kind }) => kind)).toEqual(['checkpoint'])
  expect(report.after).toBeLessThanOrEqual(3_000)
})

it('keeps older talk, too, in room that nothing else needs', async () => {
  const log = logFrom(
    Array.from({ length: 300 }, (_, at): Drafts[] => [
      human(`On day ${at} guest${at} came to room${at} and paid ${at} crowns, as she always does.`),
      assistant(`Guest${at} is in the book with ${at} crowns, and her room is swept.`),
    ]),
  )
  const keep = 9_000
  const policy = { ...defaultPolicy, keep: () => keep }
  const input = planInputFor(log, { window: { context: 200_000 }, policy })
  const { drafts, report } = await compact({ ...input, trigger: 'manual' }, {
    now: 0,
    circuitBreaker: closedCircuitBreaker(),
  } as Parameters<typeof compact>[1])
  const [checkpoint] = drafts
  if (checkpoint?.kind !== 'checkpoint') throw new Error('nothing was compacted')
  expect(checkpoint.tail.length).toBeGreaterThan(40)
  expect(report.after).toBeGreaterThan(keep * 0.9)
  expect(report.after).toBeLessThanOrEqual(keep)
})

it('takes for more of the tail only what the words of the human leave', async () => {
  const words = Array.from(
    { length: 11 },
    (_, at) =>
      `In module ${at} ${'the reader waits for a lock that the writer holds, and the other way round; '.repeat(4)}so look at it.`,
  )
  const log = logFrom(
    words.flatMap((text, at): Drafts[] => [
      human(text),
      step(`r${at}`, 'Read', { file_path: `src/module${at}.ts` }, output(`wait${at}`)),
    ]),
  )
  const policy = { ...defaultPolicy, keep: () => 6_000 }
  const input = planInputFor(log, { window: { context: 200_000 }, policy })
  const { drafts } = await compact({ ...input, trigger: 'manual' }, {
    now: 0,
    circuitBreaker: closedCircuitBreaker(),
  } as Parameters<typeof compact>[1])
  const [checkpoint] = drafts
  if (checkpoint?.kind !== 'checkpoint') throw new Error('nothing was compacted')
  const kept = new Set(
    checkpoint.tail.flatMap((item): Seq[] => (item.type === 'entry' ? [item.seq] : [])),
  )
  const said = log.filter(({ seq }) => kept.has(seq)).map((entry) => JSON.stringify(entry))
  const stands = [checkpoint.summary, ...said].join('\n')
  const cut = words.filter((text) => !stands.includes(text))
  expect(cut).toEqual([])
})

it('gives up nothing of the tail where a summary stands and nothing presses', async () => {
  let log = logFrom(
    Array.from({ length: 100 }, (_, at): Drafts[] => [
      human(`Why does the module area${at} fail?`),
      step(`r${at}`, 'Read', { file_path: `src/area${at}.ts` }, output(`area${at}`)),
      assistant(`The module area${at} fails because its registry number ${at * 7} is taken.`),
    ]),
  )
  const policy = { ...defaultPolicy, keep: () => 4_000 }
  for (let round = 0; round < 8; round++) {
    const input = planInputFor(log, { window: { context: 200_000 }, policy })
    const { drafts, report } = await compact({ ...input, trigger: 'manual' }, {
      now: 0,
      circuitBreaker: closedCircuitBreaker(),
    } as Parameters<typeof compact>[1])
    expect(report.rung ?? '', `round ${round}`).not.toMatch(/-tail$/)
    const said = logFrom([human(`Go on with ${round}.`), assistant(`Done with ${round}.`)])
    const more = [...drafts, ...said].map((entry, at) => ({ ...entry, seq: log.length + at + 1 }))
    log = chronological([...log, ...(more as Entry[])])
  }
})

it('leaves the summary most of what is kept, however long the request is', async () => {
  const request = Array.from({ length: 400 }, (_, at) => `Rule of style ${at} has its reason.`)
  const log = logFrom([
    human(`Mend the parser.\n${request.join('\n')}`),
    ...[...'abcdefghijkl'].map((name) =>
      step(name, 'Read', { file_path: `src/${name}.ts` }, output(name)),
    ),
  ])
  for (const keep of [3_000, 4_000, 6_000, 9_000]) {
    const policy = { ...defaultPolicy, keep: () => keep }
    const input = planInputFor(log, { window: { context: 200_000 }, policy })
    let budget = 0
    await compact({ ...input, trigger: 'manual' }, {
      now: 0,
      circuitBreaker: closedCircuitBreaker(),
      onPlan: (plan) => {
        if (plan.action === 'summarize') budget = plan.cut.summaryBudget
      },
    } as Parameters<typeof compact>[1])
    expect(budget, `${keep} kept`).toBeGreaterThan(keep * 0.4)
  }
})
