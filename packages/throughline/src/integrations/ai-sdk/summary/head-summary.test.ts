import { describe, expect, test } from 'vitest'
import { SummaryFailedError } from '../../../compaction/errors.ts'
import { overflowError } from '../../../testing/overflow-errors.ts'
import { scriptedModel } from '../../../testing/scripted/scripted-model.ts'
import {
  plainSummary,
  readStep,
  summaryRequest,
} from '../../../testing/scripted/summary-request.ts'
import { modelSummarizer } from './model-summarizer.ts'
import type { ScriptedAnswer } from '../../../testing/scripted/scripted-answer.ts'

const good: ScriptedAnswer = { text: plainSummary }

describe('a head larger than the window', () => {
  const head = Array.from({ length: 30 }, (_, n) => readStep(`f${n}`, 'const a = 1\n'.repeat(60)))
  const large = summaryRequest({ head: [{ role: 'user', content: 'go' }, ...head.flat()] })

  function textOf(request: { prompt: readonly unknown[] } | undefined): string {
    return JSON.stringify(request?.prompt)
  }

  test('is read in parts, each of which updates the summary of those before', async () => {
    const model = scriptedModel({
      script: ({ number }) => ({ text: `${plainSummary}\nAfter part ${number}.` }),
      rules: { window: 8_000 },
    })
    const summarizer = modelSummarizer(model, { window: { context: 8_000 } })
    const { text, calls } = await summarizer.summarize(large, {})
    const count = model.requests.length
    expect(count).toBeGreaterThan(1)
    expect(calls).toHaveLength(count)
    expect(text).toContain(`After part ${count}.`)
    for (const [index, asked] of model.requests.entries()) {
      expect(textOf(asked)).toContain(`in ${count} parts, and this is part ${index + 1}`)
      expect(textOf(asked).includes('An earlier summary comes')).toBe(index > 0)
      if (index > 0) expect(textOf(asked)).toContain(`After part ${index}.`)
    }
    for (let n = 0; n < 30; n++) {
      const readers = model.requests.filter((asked) => textOf(asked).includes(`I look at f${n}.`))
      expect(readers).toHaveLength(1)
      expect(textOf(readers[0])).toContain(`f${n}.ts`)
    }
  })

  test('is not read at all where that would take too many requests', async () => {
    const model = scriptedModel({ script: [] })
    const options = { window: { context: 8_000 }, maxCalls: 2 }
    await expect(modelSummarizer(model, options).summarize(large, {})).rejects.toThrow(
      /would take \d requests, but only 2 are allowed/,
    )
    expect(model.requests).toEqual([])
    await expect(
      modelSummarizer(model, { window: { context: 1_500 } }).summarize(large, {}),
    ).rejects.toThrow('no room for the conversation')
  })

  test('ends with the first answer that is no summary', async () => {
    const model = scriptedModel({ script: [good, { text: 'I cannot help with that.' }] })
    const summarizer = modelSummarizer(model, { window: { context: 8_000 } })
    await expect(summarizer.summarize(large, {})).resolves.toMatchObject({
      text: 'I cannot help with that.',
    })
    expect(model.requests).toHaveLength(2)
  })

  test('is read in smaller parts where the provider says that it takes less', async () => {
    const model = scriptedModel({ script: () => good, rules: { window: 6_000 } })
    const summarizer = modelSummarizer(model, { window: { context: 100_000 } })
    const { calls } = await summarizer.summarize(large, {})
    expect(calls?.[0]).toEqual({ model: 'scripted', failed: true })
    expect(calls?.slice(1).every(({ failed }) => !failed)).toBe(true)
  })

  test('makes no more requests than allowed, whatever is refused', async () => {
    const script = (): ScriptedAnswer => ({
      error: overflowError('anthropic', { tokens: 10, limit: 5_000 }),
    })
    const small = scriptedModel({ script })
    const other = scriptedModel({ script })
    const summarizer = modelSummarizer(small, { fallback: other, maxCalls: 3 })
    await expect(summarizer.summarize(large, {})).rejects.toSatisfy((error) =>
      SummaryFailedError.isInstance(error),
    )
    expect(small.requests.length + other.requests.length).toBeLessThanOrEqual(3)
  })
})
