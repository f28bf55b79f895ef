import type { Message } from 'throughline'

/**
 * A session made several times as long: each copy has its own paths and call ids, so that no engine
 * recognizes anything.
 */
export function grown(messages: readonly Message[], copies: number): readonly Message[] {
  if (copies === 1) return messages
  return Array.from({ length: copies }, (_, copy) =>
    copy === 0 ? messages : messages.map((message) => changed(message, `c${copy}`) as Message),
  ).flat()
}

/** The same value with `/` followed by the mark in every string, and the mark before every call id. */
function changed(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.replaceAll('/', `/${mark}/`)
  if (Array.isArray(value)) return value.map((item) => changed(item, mark))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      field === 'toolCallId' ? `${mark}-${String(item)}` : changed(item, mark),
    ]),
  )
}
