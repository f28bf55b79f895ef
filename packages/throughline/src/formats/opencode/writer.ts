import type {
  FormatWriter,
  Identity,
  UsedModel,
  WrittenSession,
  WrittenMessage,
} from '../writing/format-writer.ts'
import { noModel, momentOf, providerOf } from '../writing/written-fields.ts'
import {
  partsOf,
  type ToolOutput,
  type AssistantMessage,
  type Message,
  type ToolCallPart,
} from '../../log/message.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { mediumOf, urlOf, type Medium } from '../../wires/media.ts'

/**
 * Writes the document that `opencode import` accepts: a compaction of opencode's own kind, then the
 * rest.
 */
export const opencodeWriter: FormatWriter = {
  name: 'opencode',
  write(session, identity) {
    const { now, directory } = identity
    const id = sessionId(identity)
    const info = {
      id,
      slug: id,
      // opencode inserts its own value here when it imports the session.
      projectID: 'global',
      directory,
      title: session.title ?? 'Compacted session',
      version: '1.18.33',
      time: { created: now, updated: now },
    }
    const messages = identified(saidIn(session, identity), identity)
    return { session: id, text: `${JSON.stringify({ info, messages }, null, 2)}\n` }
  },
}

/** The messages, each with its ids; opencode sorts by times first, so they never decrease. */
function identified(all: readonly Said[], identity: Identity): Fields[] {
  const nextId = ascendingIds(identity)
  const sessionID = sessionId(identity)
  let at = 0
  let parentID = ''
  return all.map(({ role, parts, info, ...said }) => {
    at = Math.max(at, said.at)
    const id = nextId('msg')
    if (role === 'user' || parentID === '') parentID = id
    const stamp = (part: Fields): Fields => {
      const whole = { ...part, id: nextId('prt'), sessionID, messageID: id }
      const { state } = part as { state?: { attachments?: Fields[] } }
      if (!state?.attachments) return whole
      return { ...whole, state: { ...state, attachments: state.attachments.map(stamp) } }
    }
    const time = role === 'user' ? { created: at } : { created: at, completed: at }
    const reply = role === 'assistant' && { parentID }
    return { info: { id, sessionID, role, time, ...reply, ...info }, parts: parts.map(stamp) }
  })
}

/** Makes an id after all previous ones, because opencode sorts by them. */
type NextId = (kind: 'msg' | 'prt') => string

/** Before the ids that opencode itself will make, however many are requested here. */
const ahead = 60_000
const perMillisecond = 4096n

function ascendingIds({ now, newId }: Identity): NextId {
  let time = BigInt(Math.max(0, now - ahead)) * perMillisecond
  return (kind) => {
    time += 1n
    const hex = BigInt.asUintN(48, time).toString(16).padStart(12, '0')
    return `${kind}_${hex}${newId().replaceAll('-', '').slice(-14)}`
  }
}

function sessionId({ session }: Identity): string {
  return `ses_${session.replaceAll('-', '').slice(0, 26)}`
}

/** A message that has no ids yet. */
interface Said {
  role: 'user' | 'assistant'
  /** Milliseconds since 1970. */
  at: number
  info: Fields
  parts: Fields[]
}

/** A session in opencode's messages: a reply contains its results. */
function saidIn(session: WrittenSession, { now, directory, model: used }: Identity): Said[] {
  const { summary, messages, facts } = session
  const made = messages.findLast(({ model }) => model !== undefined)?.model
  const { provider, model } = used ?? unused(facts.model ?? made ?? noModel)
  const usual = { modelID: model, providerID: provider }
  const outputs = outputsOf(messages)

  const user = (at: number, parts: Fields[]): Said => {
    const info = { agent: 'build', model: { providerID: provider, modelID: model } }
    return { role: 'user', at, info, parts }
  }
  const assistant = (at: number, parts: Fields[], info: Fields): Said => {
    const path = { cwd: directory, root: directory }
    const whole = { mode: 'build', agent: 'build', path, cost: 0, tokens: noTokens, ...info }
    return { role: 'assistant', at, info: whole, parts }
  }
  const said = (written: WrittenMessage): Said[] => {
    const { message, origin } = written
    const at = momentOf(written.at, now)
    if (message.role === 'tool') return []
    if (message.role !== 'assistant') return [user(at, userParts(message, origin !== 'human'))]
    const parts = replyParts(message, outputs, at)
    const by = written.model === undefined ? usual : madeBy(written.model)
    return [assistant(at, parts, { ...by, finish: finishOf(written) })]
  }
  const spoken = messages.flatMap(said)
  if (summary === undefined) return spoken
  const at = spoken[0]?.at ?? now
  const marked = { ...usual, mode: 'compaction', agent: 'compaction', summary: true }
  return [
    user(at, [{ type: 'compaction', auto: false }]),
    // Without a finish, opencode would compact again.
    assistant(at, [{ type: 'text', text: summary }], { ...marked, finish: 'stop' }),
    ...spoken,
  ]
}

const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function madeBy(name: string): Fields {
  const { provider, model } = unused(name)
  return { modelID: model, providerID: provider }
}

/** Whoever has not used opencode yet is asked for a login by the provider that made the model. */
function unused(model: string): UsedModel {
  return { provider: providerOf(model) ?? 'opencode', model }
}

function finishOf({ message, finish }: WrittenMessage): string {
  if (partsOf(message).some((part) => part.type === 'tool-call')) return 'tool-calls'
  return finish === 'length' ? 'length' : 'stop'
}

function outputsOf(messages: readonly WrittenMessage[]): Map<string, ToolOutput> {
  const outputs = new Map<string, ToolOutput>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
    }
  }
  return outputs
}

type Fields = Record<string, unknown>

/** The parts of a user's message; `synthetic` is opencode's name for text of its own. */
function userParts(message: Message, synthetic: boolean): Fields[] {
  const mark = synthetic && { synthetic }
  return partsOf(message).flatMap((part): Fields[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text, ...mark }]
    if (part.type !== 'image' && part.type !== 'file') return []
    const medium = mediumOf(part)
    if (isSent(medium)) return [filePart(medium)]
    return [{ type: 'text', text: wordsFor(medium), ...mark }]
  })
}

/** The parts of a reply, each call with its result. */
function replyParts(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolOutput>,
  at: number,
): Fields[] {
  return partsOf(message).flatMap((part): Fields[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    return part.type === 'tool-call' ? [toolPart(part, results.get(part.toolCallId), at)] : []
  })
}

const noOutput: ToolOutput = { type: 'error-text', value: '' }

function toolPart(call: ToolCallPart, output = noOutput, at: number): Fields {
  const { toolCallId: callID, toolName: tool, input } = call
  const time = { start: at, end: at }
  const pieces = outputPieces(output)
  if (isFailed(output)) {
    const error = pieces.map(wordsFor).join('\n')
    return { type: 'tool', tool, callID, state: { status: 'error', input, error, time } }
  }
  const attachments = pieces.filter(isSent).map(filePart)
  const text = pieces.filter((piece) => !isSent(piece)).map(wordsFor)
  const state = {
    status: 'completed',
    input,
    output: text.join('\n'),
    title: '',
    metadata: {},
    time,
    ...(attachments.length > 0 && { attachments }),
  }
  return { type: 'tool', tool, callID, state }
}

/** Whether opencode sends it to the model as it is; texts it would leave out. */
function isSent(piece: string | Medium): piece is Medium {
  return typeof piece !== 'string' && !piece.mediaType.startsWith('text/')
}

function filePart(medium: Medium): Fields {
  const { mediaType: mime, filename } = medium
  return { type: 'file', mime, url: urlOf(medium), ...(filename !== undefined && { filename }) }
}

function wordsFor(piece: string | Medium): string {
  return typeof piece === 'string' ? piece : attachmentText(piece)
}
