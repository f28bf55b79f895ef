import { listOf, objectsOf, fieldsOf, type Fields } from '../../json/fields.ts'
import { onlyText } from '../openai-chat/text-calls.ts'
import type { Ref, Replacement } from '../../log/entry.ts'

/**
 * The outputs that SWE-agent itself left out of its last request, and the words that it put
 * in their place. `results` tells where the output at a place of the history stands.
 */
export function elidedOutputs(
  record: Fields,
  history: readonly unknown[],
  results: ReadonlyMap<string, Ref>,
): Replacement[] {
  const step = fieldsOf(listOf(record['trajectory']).at(-1))
  const request = objectsOf(step?.['query'] ?? step?.['messages'])
  return request.flatMap((message, index) => {
    const ref = results.get(String(index))
    const original = fieldsOf(history[index])
    if (!ref || !original || original['role'] !== message['role']) return []
    const text = onlyText(message) ?? ''
    const elided = signs.some((sign) => text.includes(sign)) && text !== onlyText(original)
    return elided ? [{ how: 'pruned', ref, text }] : []
  })
}

const signs = ['Old environment output: (', 'Outdated window with ']
