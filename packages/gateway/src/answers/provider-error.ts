import { fieldsOf, listOf, textOf, type Fields } from '../body/json.ts'

/** What a provider itself says of an error, in the form in which errors are read. */
export type ProviderError = Fields

const texts = ['message', 'type', 'code', 'status', 'error_type', 'error_code', 'detail']
// No error says it further inside.
const deepest = 4
const mostErrors = 20

/** The error in the body of an answer. What is no JSON is all of it the error. */
export function errorInBody(status: number, body: string): ProviderError {
  let said: unknown
  try {
    said = JSON.parse(body)
  } catch {
    said = body
  }
  return { statusCode: status, error: ownWords(said) }
}

/**
 * Of an error, or an event that is one, only the fields in which providers say what is wrong. Beside
 * them they repeat what was sent: its metadata, its tools, all of it.
 */
export function ownWords(said: unknown, depth = 0): unknown {
  if (typeof said === 'string') return said
  const [first] = listOf(said)
  const fields = fieldsOf(first ?? said)
  if (!fields || depth > deepest) return undefined
  const own: Record<string, unknown> = {}
  for (const name of texts) {
    const value = fields[name]
    if (typeof value === 'string' || typeof value === 'number') own[name] = value
  }
  // llama.cpp.
  if (typeof fields['n_ctx'] === 'number') own['n_ctx'] = fields['n_ctx']
  own['error'] = ownWords(fields['error'], depth + 1)
  // Cloudflare.
  own['errors'] = listOf(fields['errors']).slice(0, mostErrors).map((one) => ownWords(one, depth + 1)) // prettier-ignore
  // OpenRouter repeats the words of the provider behind it; the metadata of a request are elsewhere.
  const raw = depth > 0 && textOf(fieldsOf(fields['metadata'])?.['raw'])
  if (raw) own['raw'] = rawWords(raw, depth + 1)
  return own
}

function rawWords(raw: string, depth: number): unknown {
  try {
    return ownWords(JSON.parse(raw), depth)
  } catch {
    return raw
  }
}
