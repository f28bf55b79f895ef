import { fieldsOf } from '../../json/fields.ts'

/**
 * The beginning of a session's file, as it was when it had so many records. Records are lines; in a
 * file that is one document (opencode), they are the parts of its messages; a message without parts
 * is one record.
 */
export function cutFile(text: string, records: number): string {
  const document = wholeDocument(text)
  if (document === undefined) return `${text.split('\n').slice(0, records).join('\n')}\n`
  let left = records
  const messages: unknown[] = []
  for (const message of document.messages) {
    const parts = fieldsOf(message)?.['parts']
    if (left <= 0) break
    if (!Array.isArray(parts)) {
      messages.push(message)
      left -= 1
      continue
    }
    const kept = parts.slice(0, left)
    left -= kept.length
    if (kept.length > 0) messages.push({ ...fieldsOf(message), parts: kept })
  }
  return JSON.stringify({ ...document, messages })
}

function wholeDocument(text: string): { messages: unknown[] } | undefined {
  try {
    const fields = fieldsOf(JSON.parse(text) as unknown)
    const messages = fields?.['messages']
    return Array.isArray(messages) ? { ...fields, messages } : undefined
  } catch {
    // Several records: one value to a line.
    return undefined
  }
}
