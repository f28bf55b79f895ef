import { countOf, fieldsOf, nameOf, objectsOf, textOf } from '../../json/fields.ts'
import type { AskClient } from '../summary-calls.ts'
import type { PiContext } from './api.ts'
import type { Usage } from '../../log/entry.ts'

/** Asks the session's model through pi, with the user's login. */
export function askPi(context: () => PiContext): AskClient {
  return async ({ system, prompt, maxTokens, signal }) => {
    const { model, modelRegistry } = context()
    if (!model) throw new Error('no model is chosen')
    const message = {
      role: 'user',
      content: [{ type: 'text', text: prompt }],
      timestamp: Date.now(),
    }
    const answer = fieldsOf(
      await modelRegistry.complete(
        model,
        { systemPrompt: system, messages: [message] },
        { maxTokens, cacheRetention: 'none', ...(signal && { signal }) },
      ),
    )
    const stop = answer?.['stopReason']
    if (stop === 'error' || stop === 'aborted') {
      const message = nameOf(answer?.['errorMessage']) ?? 'the model gave no answer'
      // pi tells of a refusal in words alone, which begin with its status.
      const [, status] = /^(\d{3})\b/.exec(message) ?? []
      throw Object.assign(new Error(message), status !== undefined && { status: Number(status) })
    }
    const parts = objectsOf(answer?.['content'])
    const usage = usageOf(answer?.['usage'])
    return {
      text: parts
        .map((part) => (part['type'] === 'text' ? (textOf(part['text']) ?? '') : ''))
        .join(''),
      finish:
        stop === 'toolUse' ? 'tool-calls' : stop === 'stop' || stop === 'length' ? stop : 'other',
      ...(usage && { usage }),
    }
  }
}

function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const [input = 0, output = 0, read = 0, written = 0] = [
    'input',
    'output',
    'cacheRead',
    'cacheWrite',
  ].map((field) => countOf(usage?.[field]))
  if (input + read + written === 0) return undefined
  return { inputTokens: input + read + written, outputTokens: output }
}
