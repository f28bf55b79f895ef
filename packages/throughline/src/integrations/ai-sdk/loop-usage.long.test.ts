import { describe, expect, test } from 'vitest'
import { agent } from '../../testing/generate/agent.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { bytesOverFour, type CountText } from '../../testing/prompt-tokens.ts'
import type { ScriptedAnswer } from '../../testing/scripted/scripted-answer.ts'

const files = 60

/** Reads files of 1,000 tokens through a window of 16,000, with the usage that a provider says. */
async function compactionsWith(
  usage: (tokens: number, number: number) => ScriptedAnswer['usage'],
  modelCount: CountText = bytesOverFour,
): Promise<{ compactions: number; tightest: number }> {
  const { session, run, events } = await agent({
    script: ({ number, tokens }) => {
      const said = usage(tokens, number)
      const answer: ScriptedAnswer =
        number > files
          ? { text: 'Done.' }
          : { calls: [{ name: 'read', input: { path: `file-${number}`, tokens: 1_000 } }] }
      return said === undefined ? answer : { ...answer, usage: said }
    },
    window: { context: 16_000 },
    rules: { window: 16_000 },
    modelCount,
    summarizer: scriptedSummarizer('good'),
  })
  await session.say('Read all files.')
  await expect(run()).resolves.toEqual({ reason: 'finished', steps: files + 1 })
  const steps: number[] = []
  let step = 0
  for (const event of events) {
    if (event.type === 'step-finished') step = event.step
    if (event.type === 'compaction-finished') steps.push(step)
  }
  const gaps = steps.slice(1).map((at, index) => at - (steps[index] as number))
  return { compactions: steps.length, tightest: Math.min(...gaps) }
}

describe('the usage that a provider reports', () => {
  test('of the right size compacts every few steps', async () => {
    const { compactions, tightest } = await compactionsWith(() => undefined)
    expect(compactions).toBeGreaterThan(1)
    expect(tightest).toBeGreaterThan(2)
  })

  test.each<{ what: string; usage: (tokens: number, number: number) => ScriptedAnswer['usage'] }>([
    { what: 'none', usage: () => 'none' },
    { what: 'zero', usage: () => ({ input: 0, output: 0 }) },
    { what: 'a trillion', usage: () => ({ input: 1e12, output: 1e12 }) },
    { what: 'no number', usage: () => ({ input: Number.NaN, output: Number.NaN }) },
    { what: 'less than nothing', usage: () => ({ input: -5_000, output: -1 }) },
    { what: 'infinite', usage: () => ({ input: Infinity, output: Infinity }) },
    { what: 'one token', usage: () => ({ input: 1, output: 1 }) },
    { what: 'nonsense that changes', usage: (_, n) => ({ input: n % 2 ? 1e12 : 1, output: 0 }) },
  ])('being $what is no reason to compact more often, or never', async ({ usage }) => {
    const { compactions, tightest } = await compactionsWith(usage)
    expect(compactions).toBeGreaterThan(0)
    expect(tightest).toBeGreaterThan(2)
  })

  test.each([3, 2, 0.5])(
    'of a model that counts %d times as many tokens is learned',
    async (factor) => {
      const count = (text: string): number => Math.ceil(bytesOverFour(text) * factor)
      const { compactions, tightest } = await compactionsWith(() => undefined, count)
      expect(compactions).toBeGreaterThan(0)
      expect(tightest).toBeGreaterThan(1)
    },
  )

  test.each([12_100, 15_840, 20_000, 60_000])(
    'being %d tokens for every request, however small, lets the run come to its end',
    async (input) => {
      const { compactions, tightest } = await compactionsWith(() => ({ input }))
      expect(tightest).toBeGreaterThan(1)
      expect(compactions).toBeLessThan(files / 2)
    },
  )

  test.each([0.99, 2, 10, 1e6])(
    'of %d windows right after a compaction does not compact again and again',
    async (windows) => {
      let justCompacted = false
      const { session, run, events } = await agent({
        script: ({ tokens, number }) => {
          const input = justCompacted ? 16_000 * windows : tokens
          justCompacted = false
          if (number > files) return { text: 'Done.' }
          const calls = [{ name: 'read', input: { path: `file-${number}`, tokens: 1_000 } }]
          return { usage: { input }, calls }
        },
        window: { context: 16_000 },
        summarizer: scriptedSummarizer('good'),
        onEvent: ({ type }) => {
          if (type === 'compaction-finished') justCompacted = true
        },
      })
      await session.say('Read all files.')
      await expect(run()).resolves.toMatchObject({ reason: 'finished' })
      const kinds = events
        .map(({ type }) => type)
        .filter((type) => /^(step-started|comp.*fin)/.test(type))
      const text = kinds.map((type) => (type === 'step-started' ? '.' : 'C')).join('')
      expect(text).toMatch(/C/)
      // It may be believed once: it could be true. Never again and again.
      expect(text).not.toMatch(/C\.?C\.?C/)
    },
  )
})
