import {
  countOf,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { usageOf } from '../../formats/opencode/parts.ts'
import type { AskClient } from '../summary-calls.ts'
import type { OpencodeMessage } from './messages.ts'
import type { Window } from '../../tokens/window.ts'

type Answer = Promise<{ data?: unknown; error?: unknown }>
type Call = (options: {
  path?: Fields
  body?: Fields
  query?: Fields
  signal?: AbortSignal
}) => Answer

/** As much of the client that opencode 1 gives to its plugins as we use. */
export interface OpencodeClient {
  session: Record<'create' | 'delete' | 'messages' | 'prompt', Call> & { abort?: Call }
  config: Record<'providers', Call>
  tui?: Partial<Record<'showToast', Call>>
  /** The SDK's own way to what it has no method for. */
  _client?: { get?: (options: { url: string }) => Answer }
}

/** A model of opencode. */
export interface ModelName {
  providerID: string
  modelID: string
}

/** Every message of a session, also those before opencode's own compaction. */
export async function wholeSession(
  client: OpencodeClient,
  session: string,
): Promise<OpencodeMessage[]> {
  const { data, error } = await client.session.messages({ path: { id: session } })
  if (!Array.isArray(data)) throw new Error(`opencode does not give the session: ${said(error)}`)
  return objectsOf(data).flatMap((message) => {
    const info = fieldsOf(message['info'])
    return info ? [{ info, parts: objectsOf(message['parts']) }] : []
  })
}

/** The windows of all models, by `provider/model`. */
export async function windowsOf(client: OpencodeClient): Promise<Map<string, Window>> {
  const { data } = await client.config.providers({})
  const windows = new Map<string, Window>()
  for (const provider of objectsOf(fieldsOf(data)?.['providers'])) {
    for (const model of Object.values(fieldsOf(provider['models']) ?? {})) {
      const limit = fieldsOf(fieldsOf(model)?.['limit'])
      const [context, input, output] = ['context', 'input', 'output'].map((field) =>
        countOf(limit?.[field]),
      )
      if (!context) continue
      const window = { context, ...(input && { input }), ...(output && { output }) }
      windows.set(`${nameOf(provider['id'])}/${nameOf(fieldsOf(model)?.['id'])}`, window)
    }
  }
  return windows
}

/** opencode's version; `undefined` where it doesn't say. */
export async function versionOf(client: OpencodeClient): Promise<string | undefined> {
  const raw = client['_client']
  const answer = await raw?.get?.({ url: '/global/health' })
  return nameOf(fieldsOf(answer?.data)?.['version'])
}

/** The agent that opencode itself asks for summaries: it has no tools. */
const summaryAgent = 'compaction'

/**
 * Asks a model through opencode, in a session of its own below the user's, which is gone afterwards.
 * While it is there, `hidden` has it, with what to call where the model has called a tool in place of
 * an answer: opencode says that there is none, and would ask again for as long as the model tries.
 */
export function askInHiddenSession(
  client: OpencodeClient,
  { parent, model }: { parent: string; model: () => ModelName },
  hidden: Map<string, () => void>,
): AskClient {
  return async ({ system, prompt, signal }) => {
    const made = await client.session.create({
      body: { parentID: parent, title: 'Throughline: a summary' },
    })
    const id = nameOf(fieldsOf(made.data)?.['id'])
    if (id === undefined) throw new Error(`opencode makes no session: ${said(made.error)}`)
    const called = new AbortController()
    hidden.set(id, () => called.abort())
    const asked = AbortSignal.any([called.signal, ...(signal ? [signal] : [])])
    try {
      const { data, error } = await client.session.prompt({
        path: { id },
        body: {
          agent: summaryAgent,
          model: model(),
          // The user may have allowed tools to every agent.
          tools: { '*': false },
          system,
          parts: [{ type: 'text', text: prompt }],
        },
        signal: asked,
      })
      const info = fieldsOf(fieldsOf(data)?.['info'])
      if (!info || info['error']) throw answerError(error ?? info?.['error'])
      const parts = objectsOf(fieldsOf(data)?.['parts'])
      const usage = usageOf(info['tokens'])
      return {
        text: parts
          .flatMap((part) => (part['type'] === 'text' ? (textOf(part['text']) ?? '') : []))
          .join(''),
        finish: parts.some((part) => part['type'] === 'tool') ? 'tool-calls' : finishIn(info),
        ...(usage && { usage }),
      }
    } catch (error) {
      if (called.signal.aborted && !signal?.aborted) return { text: '', finish: 'tool-calls' }
      throw error
    } finally {
      // It would be written to its end, and paid for, for nobody.
      if (asked.aborted) await client.session.abort?.({ path: { id } }).catch(() => {})
      await client.session.delete({ path: { id } }).catch(() => {})
      hidden.delete(id)
    }
  }
}

function finishIn({ finish }: Fields): 'stop' | 'length' | 'other' {
  return finish === 'stop' || finish === 'length' ? finish : 'other'
}

/** Why opencode's model gave no answer, with what its provider said. */
export function answerError(error: unknown): Error {
  // A key that is missing or wrong has no status here.
  const isKey = fieldsOf(error)?.['name'] === 'ProviderAuthError'
  const cause = isKey ? { status: 401, error } : error
  return new Error(`no answer: ${said(error)}`, { cause })
}

function said(error: unknown): string {
  const fields = fieldsOf(error)
  const words = nameOf(fieldsOf(fields?.['data'])?.['message']) ?? nameOf(fields?.['message'])
  return words ?? nameOf(error) ?? listOf(error).join(', ')
}
