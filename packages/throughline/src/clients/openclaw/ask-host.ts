import { countOf, fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { tooLate, type AskClient } from '../summary-calls.ts'

/** How the host lets a plugin ask the user's own model, with the user's login. */
export interface HostModel {
  complete: (request: Fields) => Promise<unknown>
}

/** Asks the model of a session, for as long as the user has patience. */
export function askHost(
  model: () => HostModel | undefined,
  settings: () => { patience: number },
): AskClient {
  return async ({ system, prompt, maxTokens, signal: asked }) => {
    const host = model()
    if (!host) throw new Error('the host gives no model for this call')
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(tooLate), settings().patience)
    try {
      const answer = fieldsOf(
        await host.complete({
          systemPrompt: system,
          messages: [{ role: 'user', content: prompt }],
          maxTokens,
          purpose: 'throughline summary',
          signal: asked ? AbortSignal.any([asked, late.signal]) : late.signal,
        }),
      )
      const stop = answer?.['stopReason']
      if (stop === 'error' || stop === 'aborted') {
        late.signal.throwIfAborted()
        // The host has tried again by itself, and does not say what was refused: 400 is not asked again.
        throw Object.assign(new Error('the host’s model gave no answer'), { status: 400 })
      }
      const usage = fieldsOf(answer?.['usage'])
      const inputTokens = countOf(usage?.['inputTokens']) ?? 0
      const outputTokens = countOf(usage?.['outputTokens']) ?? 0
      return {
        text: textOf(answer?.['text']) ?? '',
        finish: stop === 'toolUse' ? 'tool-calls' : stop === 'length' ? 'length' : 'stop',
        ...(inputTokens > 0 && { usage: { inputTokens, outputTokens } }),
      }
    } finally {
      clearTimeout(timer)
    }
  }
}
