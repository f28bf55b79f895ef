import { errorWords } from '../../../json/error-words.ts'
import { overflowOf } from '../../overflow/overflow.ts'

/**
 * What a provider refuses however often it is asked: the key, the model, a request of this size, or
 * the request itself. `certificate`: the server cannot prove who it is, so nothing is sent to it.
 * `proxy`: a proxy on the way wants a name and a password. `money`: the account has none left.
 */
export type Refused = 'key' | 'model' | 'certificate' | 'proxy' | 'money' | 'size' | 'request'

// Google answers a wrong key with 400; DeepSeek, Mistral and OpenRouter so answer a wrong model.
const keyWords = /\bapi[ _]key not valid\b|\bapi_key_invalid\b|\b(?:invalid|incorrect) api key\b/i
const modelWords =
  /\bmodel[ _]not[ _](?:found|exist)\b|\binvalid_model\b|\binvalid model\b|\bis not a valid model\b/i
// OpenAI says so with 429, Anthropic with 400. Google's "exceeded your current quota" passes.
const moneyWords = /\binsufficient_quota\b|\bcredit balance is too low\b/i
// As Node and Bun say it.
const certificateWords =
  /\b(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_INVALID)\b/
// Bedrock has sent its throttling as 400.
const busyWords = /throttl|too many requests|rate[ _-]?limit/i

// A time-out, a conflict, and what comes too early or too often: later it may be another matter.
export const passing: ReadonlySet<number> = new Set([408, 409, 425, 429])

// Nothing was refused: no request was sent.
const withoutKey: ReadonlySet<string> = new Set(['AI_LoadAPIKeyError'])
const withoutModel: ReadonlySet<string> = new Set(['AI_NoSuchModelError'])

/**
 * Whether a provider would answer the same to the same request: there is no use in asking again.
 * @example
 * refusedIn(Object.assign(new Error('invalid x-api-key'), { status: 401 })) // 'key'
 */
export function refusedIn(error: unknown): Refused | undefined {
  const name = error instanceof Error ? error.name : ''
  if (withoutKey.has(name)) return 'key'
  if (withoutModel.has(name)) return 'model'
  if (isProxyRefusal(error)) return 'proxy'
  if (overflowOf(error)) return 'size'
  for (const { statuses, text } of errorWords(error)) {
    if (certificateWords.test(text)) return 'certificate'
    const status = statuses.find((each) => each >= 400)
    if (status === undefined || status >= 500) continue
    if (status === 402 || moneyWords.test(text)) return 'money'
    if (status === 401 || status === 403) return 'key'
    if (status === 404) return 'model'
    if (status === 400 && keyWords.test(text)) return 'key'
    if (status === 400 && modelWords.test(text)) return 'model'
    if (!passing.has(status) && !busyWords.test(text)) return 'request'
  }
  return undefined
}

/** Whether a proxy wants a name and a password: 407, of which Node's `fetch` makes an error without words. */
export function isProxyRefusal(error: unknown): boolean {
  if (errorWords(error).some(({ statuses }) => statuses.find((each) => each >= 400) === 407)) {
    return true
  }
  const [last, before] = causesOf(error).toReversed()
  return (
    last?.message === '' &&
    !('code' in last) &&
    before !== undefined &&
    failedFetch.test(before.message)
  )
}

// The first is Node's, the other is what the AI SDK makes of it.
const failedFetch = /^(?:fetch failed|Cannot connect to API: )$/

/** An error and those inside it, the innermost last. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let one = error; one instanceof Error && causes.length < 10;) {
    causes.push(one)
    one = 'lastError' in one ? one.lastError : one.cause
  }
  return causes
}

/** The same where only other settings help: another request would be refused as well. */
export function refusedAlways(error: unknown): Refused | undefined {
  const refused = refusedIn(error)
  return refused === 'size' || refused === 'request' ? undefined : refused
}
