import { setTimeout as pause } from 'node:timers/promises'
import { fieldsOf, textOf } from '../../../../json/fields.ts'
import { sanitizeLine } from '../../../../log/sanitize.ts'
import { codeOf } from '../../../errors.ts'

/** A request to a server that answers in JSON. */
export interface JsonRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: unknown
  signal: AbortSignal | undefined
}

const tries = 3
// Longer than this, nobody waits for a summary that can be written without a model.
const longestPause = 20_000

/**
 * Sends a request, and again where the server is busy.
 * @throws Error whose message says in one line what the server said.
 */
export async function askJson(request: JsonRequest): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send(request)
    if (answer.ok) return answer.body
    const { status, retryAfter } = answer
    const busy = status === 429 || status >= 500
    const wait = retryAfter ?? 1000 * 2 ** (attempt - 1)
    if (!busy || attempt === tries || wait > longestPause) throw new Error(answer.message)
    await pause(wait, undefined, { ...(request.signal && { signal: request.signal }) })
  }
}

type Answer =
  | { ok: true; body: unknown }
  | { ok: false; status: number; retryAfter: number | undefined; message: string }

async function send({ url, headers, body, signal }: JsonRequest): Promise<Answer> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A key must not follow to another server.
      redirect: 'error',
      ...(signal && { signal }),
    })
    text = await response.text()
  } catch (error) {
    signal?.throwIfAborted()
    const reason = codeOf(error instanceof Error ? error.cause : error)
    throw new Error(`${hostOf(url)} does not answer (${sanitizeLine(reason).slice(0, 80)})`, {
      cause: error,
    })
  }
  const json = parsed(text)
  if (response.ok && json !== undefined) return { ok: true, body: json }
  const { status } = response
  const said = messageIn(json) ?? text.slice(0, 200)
  const message = `${hostOf(url)} answers ${status}: ${sanitizeLine(said).slice(0, 300)}`
  return { ok: false, status, retryAfter: waitOf(response.headers), message }
}

function hostOf(url: string): string {
  return new URL(url).host
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageIn(body: unknown): string | undefined {
  const error = fieldsOf(body)?.['error']
  return textOf(fieldsOf(error)?.['message']) ?? textOf(error)
}

function waitOf(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? NaN)
  if (milliseconds >= 0) return milliseconds
  const seconds = Number(headers.get('retry-after') ?? NaN)
  return seconds >= 0 ? seconds * 1000 : undefined
}
