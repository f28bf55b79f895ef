import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { anthropicMessages } from './wires/anthropic-messages.ts'
import { bytesOverFour } from '../prompt-tokens.ts'
import { chatCompletions } from './wires/chat-completions.ts'
import { fieldsOf, nameOf } from '../../json/fields.ts'
import { gemini } from './wires/gemini.ts'
import { refusalOf, type ProviderRules } from './provider-rules.ts'
import { reply, replyError } from './reply.ts'
import { responses } from './wires/responses.ts'
import { sideAnswer } from './side-answer.ts'
import { wireAnswer } from './wire-answer.ts'
import type { ServedAnswer } from './served-answer.ts'
import type { ServedRequest } from './served-request.ts'
import type { Wire } from './wire.ts'

/**
 * The answers in order, or a function that makes one. When the list ends, the model has nothing
 * more to say.
 */
export type ProviderScript =
  | readonly ServedAnswer[]
  | ((request: ServedRequest) => ServedAnswer | Promise<ServedAnswer>)

/** The script of a provider, and the rules that it enforces. */
export interface ScriptedProviderOptions {
  script: ProviderScript
  /** The model name in its answers; `scripted` by default. */
  model?: string
  /** What it rejects by itself; nothing by default. */
  rules?: ProviderRules
}

/** A running provider; whoever starts it closes it. */
export interface ScriptedProvider {
  /** `http://127.0.0.1:<port>`: the base URL of every API. */
  readonly url: string
  /** All requests to a model, including rejected ones. */
  readonly requests: readonly ServedRequest[]
  close: () => Promise<void>
}

const wires: readonly Wire[] = [anthropicMessages, chatCompletions, responses, gemini]

/**
 * Starts a provider on a loopback port that answers by a script and remembers its requests. It
 * supports Anthropic Messages, Chat Completions, Responses and Gemini, with and without streaming,
 * whichever a client uses. An answer may be a fault: a rejection in the API's own words, a broken
 * connection, a stall, any usage.
 * @example
 * const provider = await startProvider({
 *   script: [{ refuses: 'rate-limit', retryAfter: 1 }, { text: 'Done.', usage: { input: 1e12 } }],
 *   rules: { window: 8_000, strict: true },
 * })
 * const model = createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: 'none' })('any')
 * // …
 * await provider.close()
 * @example
 * const provider = await startProvider({ script: [{ text: 'Done.' }] })
 * spawn('claude', ['-p', 'go'], { env: { ANTHROPIC_BASE_URL: provider.url, … } })
 */
export async function startProvider({
  script,
  model = 'scripted',
  rules = {},
}: ScriptedProviderOptions): Promise<ScriptedProvider> {
  const requests: ServedRequest[] = []

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET' } = incoming
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    const path = url.pathname
    const text = await textOf(incoming)
    const wire = method === 'POST' ? wires.find((one) => one.serves(path)) : undefined
    if (!wire) return sideAnswer(outgoing, { method, path, text, model })
    const body = fieldsOf(JSON.parse(text)) ?? {}
    const number = requests.length + 1
    const tokens = bytesOverFour(text)
    const refused = refusalOf({ body, tokens }, wire, rules)
    const request: ServedRequest = {
      number,
      wire: wire.name,
      path,
      // Gemini has it in the path.
      model: nameOf(body['model']) ?? /\/models\/([^/:]+):/.exec(path)?.[1] ?? model,
      tokens,
      body,
      said: wire.said(body),
      tools: wire.tools(body),
      ...(refused && { refused: refused.refuses }),
    }
    requests.push(request)
    const answer: ServedAnswer = refused ?? (await nextAnswer(script, request))
    const seal = wire.seal?.(body) ?? ''
    const said = wireAnswer(answer, { id: `${number}`, input: tokens, model, seal })
    const about = { tokens, window: rules.window ?? tokens - 1, problem: refused?.problem ?? '' }
    await reply(outgoing, { answer, said, wire, streams: wire.streams(body, url), about })
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => replyError(outgoing, error))
  })
  return { url: await listening(server), requests, close: () => closed(server) }
}

async function nextAnswer(script: ProviderScript, request: ServedRequest): Promise<ServedAnswer> {
  if (typeof script === 'function') return script(request)
  const answer = script[request.number - 1]
  if (answer) return answer
  throw new Error(`The script has ${script.length} answers, but this is request ${request.number}.`)
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address === 'object' && address) return `http://127.0.0.1:${address.port}`
  throw new Error('The provider is not listening on any port.')
}

async function closed(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}
