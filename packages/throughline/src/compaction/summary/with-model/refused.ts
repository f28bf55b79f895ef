import { errorWords } from '../../../json/error-words.ts'

/** What a provider refuses whenever it is asked: it takes no key such as this, or has no such model. */
export type Refused = 'key' | 'model'

// Google answers a wrong key with 400; DeepSeek, Mistral and OpenRouter so answer a wrong model.
const keyWords = /\bapi[ _]key not valid\b|\bapi_key_invalid\b|\b(?:invalid|incorrect) api key\b/i
const modelWords =
  /\bmodel[ _]not[ _](?:found|exist)\b|\binvalid_model\b|\binvalid model\b|\bis not a valid model\b/i

// Nothing was refused: no request was sent.
const withoutKey: ReadonlySet<string> = new Set(['AI_LoadAPIKeyError'])
const withoutModel: ReadonlySet<string> = new Set(['AI_NoSuchModelError'])

/**
 * Whether a provider would answer the same to any other request: there is no use in asking again.
 * @example
 * refusedIn(Object.assign(new Error('invalid x-api-key'), { status: 401 })) // 'key'
 */
export function refusedIn(error: unknown): Refused | undefined {
  const name = error instanceof Error ? error.name : ''
  if (withoutKey.has(name)) return 'key'
  if (withoutModel.has(name)) return 'model'
  for (const { statuses, text } of errorWords(error)) {
    const status = statuses.find((each) => each >= 400)
    if (status === 401 || status === 403) return 'key'
    if (status === 404) return 'model'
    if (status === 400 && keyWords.test(text)) return 'key'
    if (status === 400 && modelWords.test(text)) return 'model'
  }
  return undefined
}
