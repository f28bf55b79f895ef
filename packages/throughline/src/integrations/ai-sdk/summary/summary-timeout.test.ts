import { expect, it } from 'vitest'
import { askForSummary, type Sent } from './summary-model.ts'
import { scriptedModel } from '../../../testing/scripted/scripted-model.ts'
import type { SummaryCalls, SummarySettings } from './summary-model.ts'

const newCalls = (): SummaryCalls => ({ made: [], most: 8, signal: undefined })

function prompt(sent: Sent, settings: SummarySettings): Parameters<typeof askForSummary>[1] {
  const messages = [{ role: 'user' as const, content: 'Sum it up.' }]
  return { sent, messages, maxOutputTokens: 100, settings }
}

it.each<Sent>(['whole', 'streamed'])(
  'a request for a summary that gets no answer is given up when its time is over: %s',
  async (sent) => {
    const model = scriptedModel({ script: [{ hangs: 'before' }] })
    const calls = newCalls()
    await expect(askForSummary({ model }, prompt(sent, { timeout: 10 }), calls)).rejects.toThrow()
    expect(calls.made).toEqual([{ model: 'scripted', failed: true }])
  },
)

it.each<Sent>(['whole', 'streamed'])(
  'a request for a summary has an end even where nobody set one: %s',
  async (sent) => {
    const model = scriptedModel({ script: [{ text: 'Well.' }] })
    await askForSummary({ model }, prompt(sent, {}), newCalls())
    expect(model.requests[0]?.abortSignal).toBeInstanceOf(AbortSignal)
  },
)
