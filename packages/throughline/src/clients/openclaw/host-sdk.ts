import { countOf, fieldsOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { AssembleCall, CompactAnswer, CompactCall, OpenClawCall } from './api.ts'

// The host resolves them for its plugins; elsewhere there is no such package.
const core = 'openclaw/plugin-sdk/core'
const transcripts = 'openclaw/plugin-sdk/session-transcript-runtime'

/**
 * What the memory plugins of the host have to say in the system prompt. The host leaves that to the
 * engine in its slot.
 */
export function memoryPrompt(): (call: AssembleCall) => string | undefined {
  let build: ((call: object) => unknown) | undefined
  import(/* @vite-ignore */ core).then(
    (loaded: unknown) => {
      const found = fieldsOf(loaded)?.['buildMemorySystemPromptAddition']
      if (typeof found === 'function') build = found as typeof build
    },
    () => undefined,
  )
  return ({ availableTools = new Set(), citationsMode, sessionKey }) =>
    textOf(build?.({ availableTools, citationsMode, agentSessionKey: sessionKey }))
}

/** Has the host compact by itself what it sends without asking us: its own transcript. */
export async function compactByHost(call: CompactCall): Promise<CompactAnswer> {
  const loaded: unknown = await import(/* @vite-ignore */ core)
  const compact = fieldsOf(loaded)?.['delegateCompactionToRuntime']
  if (typeof compact !== 'function') throw new Error('OpenClaw has no compaction of its own')
  return (compact as (call: CompactCall) => Promise<CompactAnswer>)(call)
}

type ReadPage = (request: object) => Promise<unknown>

/** All that a session holds before the turn that begins, also what the host does not show any more. */
export async function hostHistory({
  sessionId,
  sessionKey,
  sessionTarget,
}: OpenClawCall): Promise<Fields[]> {
  const loaded: unknown = await import(/* @vite-ignore */ transcripts)
  const read = fieldsOf(loaded)?.['readSessionTranscriptVisibleMessageDelta']
  if (typeof read !== 'function') return []
  return historyBy(read as ReadPage, { ...sessionTarget, sessionKey, sessionId })
}

const page = { maxMessages: 1_000, maxBytes: 8_000_000 }
// The host begins anew where its transcript was replaced in the meantime.
const attempts = 3

/**
 * Reads page after page by the host's cursor.
 * @throws if the host cannot read its transcript now.
 */
export async function historyBy(read: ReadPage, target: object): Promise<Fields[]> {
  let messages: Fields[] = []
  let asked: object = { ...target, ...page }
  for (let resets = 0; resets < attempts;) {
    const { kind, reason, cursor, entries, hasMore, requiredBytes } =
      fieldsOf(await read(asked)) ?? {}
    if (kind === 'missing') return []
    if (kind === 'reset') {
      resets += 1
      messages = []
    } else if (kind !== 'page') {
      throw new Error(`OpenClaw does not give its history: ${textOf(reason) ?? 'no reason'}`)
    }
    for (const { message } of objectsOf(entries)) messages.push(fieldsOf(message) ?? {})
    if (kind === 'page' && hasMore !== true) return messages
    const maxBytes = countOf(requiredBytes)
    asked = { ...asked, cursor, ...(maxBytes !== undefined && { maxBytes }) }
  }
  throw new Error('OpenClaw does not give its history: it is being replaced')
}
