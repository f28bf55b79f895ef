import { countOf, fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The tokens of one step; opencode counts cached input and reasoning apart. */
export function usageOf(value: unknown): Usage | undefined {
  const tokens = fieldsOf(value)
  const cache = fieldsOf(tokens?.['cache'])
  const read = countOf(cache?.['read']) ?? 0
  const written = countOf(cache?.['write']) ?? 0
  const inputTokens = (countOf(tokens?.['input']) ?? 0) + read + written
  if (inputTokens === 0) return undefined
  return {
    inputTokens,
    outputTokens: (countOf(tokens?.['output']) ?? 0) + (countOf(tokens?.['reasoning']) ?? 0),
    cacheReadTokens: read,
    cacheWriteTokens: written,
  }
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool-calls', 'tool-calls'],
  ['length', 'length'],
  ['content-filter', 'content-filter'],
  ['error', 'error'],
  ['other', 'other'],
  ['unknown', 'other'],
])

export function finishOf(reason: unknown): FinishReason | undefined {
  return finishes.get(reason)
}

/** Whether the human stopped this message. */
export function isAborted(info: Fields): boolean {
  return nameOf(fieldsOf(info['error'])?.['name']) === 'MessageAbortedError'
}
