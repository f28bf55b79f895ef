import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryDraft } from '../log/entry.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { coreHeadings } from '../facts/summary/sections/core-sections.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { human, step } from '../testing/generate/build.ts'
import { goodSummary } from '../testing/scripted/scripted-summarizer.ts'
import { drive } from '../testing/generate/drive.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { arbitrarySummarizer } from '../testing/generate/summarizer.ts'
import { arbitraryWindow } from '../testing/generate/window.ts'
import type { SummaryAnswer, SummaryRequest } from '../compaction/summary/with-model/summarizer.ts'
import {
  advanceCircuitBreaker,
  closedCircuitBreaker,
} from '../compaction/summary/with-model/circuit-breaker.ts'

const steps = (count: number, words: number): EntryDraft[] =>
  Array.from({ length: count }, (_, n) => step(`s${n}`, 'read', {}, 'text '.repeat(words))).flat()

describe('G6: a bad summary never replaces history', () => {
  it('whatever a summarizer answers, what stands in the context has its sections', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession(),
        arbitraryWindow,
        arbitrarySummarizer,
        async (drafts, context, summarizer) => {
          const { session } = await drive(drafts, { window: { context }, summarizer })
          for (const entry of await session.log()) {
            if (entry.kind !== 'checkpoint' || entry.metadata['rung'] === undefined) continue
            for (const heading of coreHeadings) expect(entry.summary).toContain(`## ${heading}`)
            // What was far too long is cut.
            expect(entry.summary.length).toBeLessThan(100_000)
          }
        },
      ),
      runs(60),
    )
  })

  it('a failed summary leaves the context as it was until the local one takes its place', async () => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 8_000 },
      summarizer: { name: 'broken', summarize: async () => Promise.reject(new Error('500')) },
    })
    await session.append(
      human('go'),
      ...Array.from({ length: 20 }, (_, n) =>
        step(`c${n}`, 'read', { path: `src/f${n}.ts` }, 'text '.repeat(600)),
      ).flat(),
    )
    const report = await session.compact()
    expect(report).toMatchObject({ action: 'summary', summarizer: 'local', rung: 'local' })
    expect(report.attempts.map(({ problems }) => problems)).toEqual(
      Array.from({ length: 4 }, () => ['the call failed: 500']),
    )
    expect(advanceCircuitBreaker(closedCircuitBreaker(), await session.log()).failures).toBe(1)
  })

  const bad = (request: SummaryRequest): Record<string, SummaryAnswer> => {
    const good = goodSummary(request)
    const empty = coreHeadings.map((heading) => `## ${heading}\n(none)`).join('\n\n')
    return {
      'a tool call': { text: good, finish: 'tool-calls' },
      'stopped by a filter': { text: good, finish: 'content-filter' },
      'an error': { text: good, finish: 'error' },
      empty: { text: ' \n', finish: 'stop' },
      'nothing but headings': { text: empty, finish: 'stop' },
      'no more than a nod': { text: 'badbadbad, I will go on.', finish: 'stop' },
      'a refusal': { text: 'I’m sorry, but I can’t help with that.', finish: 'stop' },
    }
  }

  it.each([
    'a tool call',
    'stopped by a filter',
    'an error',
    'empty',
    'nothing but headings',
    'no more than a nod',
    'a refusal',
  ])('an answer that is %s is not taken, and the local summary stands instead', async (name) => {
    const asked: SummaryRequest[] = []
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 24_000 },
      summarizer: {
        name: 'bad',
        summarize: async (request) => {
          asked.push(request)
          return bad(request)[name] as SummaryAnswer
        },
      },
    })
    await session.append(human('go'), ...steps(6, 3_000))
    const report = await session.compact()
    expect(asked).toHaveLength(2)
    expect(report).toMatchObject({ action: 'summary', summarizer: 'local' })
    for (const { problems } of report.attempts) expect(problems).not.toEqual([])
    const shown = JSON.stringify(session.messages())
    expect(shown).not.toContain('badbadbad')
    expect(shown).not.toContain('can’t help')
  })

  it.each<[string, (good: string) => SummaryAnswer]>([
    ['cut off', (good) => ({ text: good.slice(0, -20), finish: 'length' })],
    ['too long', (good) => ({ text: `${good}\n${'- more. '.repeat(30_000)}`, finish: 'stop' })],
    ['without most sections', () => ({ text: '## Goal\nRead it all.', finish: 'stop' })],
    ['in a fence', (good) => ({ text: `\`\`\`markdown\n${good}\n\`\`\``, finish: 'stop' })],
  ])(
    'an answer that is %s is completed: a partial summary is better than none',
    async (_, make) => {
      let asked = 0
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 24_000 },
        summarizer: {
          name: 'partial',
          summarize: async (request) => {
            asked += 1
            return make(goodSummary(request))
          },
        },
      })
      await session.append(human('go'), ...steps(6, 3_000))
      expect(await session.compact()).toMatchObject({ summarizer: 'partial', fits: true })
      expect(asked).toBe(1)
      const shown = JSON.stringify(session.messages())
      for (const heading of coreHeadings) expect(shown).toContain(`## ${heading}\\n`)
      expect(shown).not.toContain('```')
    },
  )

  const compactedBy = async (
    answer: (good: string) => string,
    drafts: readonly EntryDraft[],
    context: number,
  ): Promise<string> => {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context },
      summarizer: {
        name: 'own',
        summarize: async (request) => ({ text: answer(goodSummary(request)), finish: 'stop' }),
      },
    })
    await session.append(...drafts)
    expect(await session.compact()).toMatchObject({ summarizer: 'own', fits: true })
    const checkpoint = (await session.log()).findLast(({ kind }) => kind === 'checkpoint')
    return checkpoint?.kind === 'checkpoint' ? checkpoint.summary : ''
  }

  it('a section that an answer lacks is told by the record', async () => {
    const reads = Array.from({ length: 6 }, (_, n) =>
      step(`s${n}`, 'Read', { file_path: `src/part-${n}.ts` }, 'text '.repeat(3_000)),
    ).flat()
    const drafts = [human('go'), ...reads]
    const summary = await compactedBy(() => '## Goal\nRead it all.', drafts, 24_000)
    expect(summary).toContain('## Goal\nRead it all.')
    expect(summary).toContain('- src/part-0.ts (read) [3]')
  })

  it('a summary is no larger than what it replaces, however much room there is', async () => {
    const drafts = [
      human('go'),
      ...steps(30, 200),
      ...step('last', 'read', {}, 'text '.repeat(40_000)),
    ]
    // Each line says something else: what is said twice goes by itself.
    const more = Array.from({ length: 15_000 }, (_, at) => `- It took ${at} steps more.`).join('\n')
    const endless = (good: string): string => `${good}\n${more}`
    const summary = await compactedBy(endless, drafts, 200_000)
    expect(estimateTokens(summary)).toBeLessThan(30 * estimateTokens('text '.repeat(200)))
  })

  it.each([undefined, null, {}, { text: null }, { text: 5, finish: 'stop' }, 'text'])(
    'an answer that is none, %j, counts as a failure like any other',
    async (answer) => {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 8_000 },
        summarizer: { name: 'odd', summarize: async () => answer as SummaryAnswer },
      })
      await session.append(human('go'), ...steps(6, 600))
      const report = await session.compact()
      expect(report).toMatchObject({ action: 'summary', summarizer: 'local' })
      expect(report.attempts[0]?.problems).toEqual(['it had no text'])
    },
  )

  it('where no attempt is allowed none is made, and none has failed', async () => {
    for (const attempts of [0, -1]) {
      let calls = 0
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 8_000 },
        policy: { ...defaultPolicy, attempts },
        summarizer: {
          name: 'idle',
          summarize: async () => {
            calls += 1
            throw new Error('down')
          },
        },
      })
      await session.append(human('go'), ...steps(6, 600))
      expect((await session.compact()).summarizer).toBe('local')
      expect(calls).toBe(0)
      expect(advanceCircuitBreaker(closedCircuitBreaker(), await session.log()).failures).toBe(0)
    }
  })

  it.each(['C# notes', 'Next steps:', 'What *must* be done'])(
    'a good summary by a template with the section %j is taken',
    async (heading) => {
      const session = await openSession({
        store: memoryStore(),
        id: 'a',
        window: { context: 24_000 },
        template: { sections: [{ heading, guide: 'whatever' }] },
        summarizer: {
          name: 'good',
          summarize: async (request) => ({ text: goodSummary(request), finish: 'stop' }),
        },
      })
      await session.append(human('go'), ...steps(6, 3_000))
      expect((await session.compact()).summarizer).toBe('good')
    },
  )

  it('an aborted summary leaves the context as it was', async () => {
    const controller = new AbortController()
    let calls = 0
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 8_000 },
      summarizer: {
        name: 'hanging',
        summarize: async () => {
          calls += 1
          controller.abort()
          return new Promise(() => {})
        },
      },
    })
    await session.append(
      human('go'),
      ...Array.from({ length: 20 }, (_, n) =>
        step(`c${n}`, 'read', {}, 'text '.repeat(600)),
      ).flat(),
    )
    const before = JSON.stringify(session.messages())
    const compaction = session.compact({ signal: controller.signal })
    await expect(compaction).rejects.toThrow(/abort/i)
    // Whatever would still go on beside it.
    for (let turn = 0; turn < 100; turn++) await setImmediate()
    expect(calls).toBe(1)
    expect(JSON.stringify(session.messages())).toBe(before)
    expect((await session.log()).every(({ kind }) => kind === 'message')).toBe(true)
  })

  it('after three failures in a row ten compactions go straight to the local summarizer', async () => {
    let calls = 0
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 8_000 },
      summarizer: {
        name: 'broken',
        summarize: async () => {
          calls += 1
          throw new Error('down')
        },
      },
    })
    const asked: number[] = []
    for (let round = 0; round < 16; round++) {
      await session.append(
        human(`go ${round}`),
        ...Array.from({ length: 8 }, (_, n) =>
          step(`c${round}-${n}`, 'read', {}, 'text '.repeat(600)),
        ).flat(),
      )
      calls = 0
      await session.compact()
      asked.push(calls)
    }
    expect(asked).toEqual([4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0])
  })
})
