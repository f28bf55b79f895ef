import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { endedBy, recordsOf, type Piece, type Said } from '../writing/message-rows.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { jsonDocument, noModel, providerOf } from '../writing/written-fields.ts'
import { urlOf, type Medium } from '../../wires/media.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, Identity, UsedModel, WrittenSession } from '../writing/format-writer.ts'
import type { ToolCallPart } from '../../log/message.ts'

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
    const messages = identified(messagesIn(session, identity), identity)
    return { session: id, text: jsonDocument({ info, messages }) }
  },
}

/** A message that has no ids yet. */
interface Unnamed {
  role: 'user' | 'assistant'
  /** Milliseconds since 1970. */
  at: number
  info: Fields
  parts: Fields[]
}

/** The messages, each with its ids; opencode sorts by times first, so they never decrease. */
function identified(all: readonly Unnamed[], identity: Identity): Fields[] {
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

/** Before the ids that opencode itself will make, however many are requested here. */
const ahead = 60_000
const perMillisecond = 4096n

/** Makes ids each after all previous ones, because opencode sorts by them. */
function ascendingIds({ now, newId }: Identity): (kind: 'msg' | 'prt') => string {
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

/** A session in opencode's messages: a reply contains its results. */
function messagesIn(session: WrittenSession, { now, directory, model: used }: Identity): Unnamed[] {
  const { summary, messages, facts } = session
  const made = messages.findLast(({ model }) => model !== undefined)?.model
  const usual = used ?? unused(facts.model ?? made ?? noModel)
  const user = (at: number, parts: Fields[]): Unnamed => {
    const info = { agent: 'build', model: { providerID: usual.provider, modelID: usual.model } }
    return { role: 'user', at, info, parts }
  }
  const assistant = (at: number, parts: Fields[], by: UsedModel, info: Fields): Unnamed => {
    const path = { cwd: directory, root: directory }
    const whole = { mode: 'build', agent: 'build', path, cost: 0, tokens: noTokens }
    const model = { modelID: by.model, providerID: by.provider }
    return { role: 'assistant', at, info: { ...whole, ...model, ...info }, parts }
  }
  const spoken = recordsOf<Unnamed>(messages, now, {
    // `synthetic` is opencode's name for text of its own.
    user: (pieces, { at, human }) => [
      user(
        at,
        pieces.map((piece) => userPart(piece, !human)),
      ),
    ],
    reply(parts, said) {
      const { at, written } = said
      const blocks = parts.map((part) =>
        part.type === 'text' ? { type: 'text', text: part.text } : toolPart(part, said),
      )
      const finish = endedBy(said, { calls: 'tool-calls', length: 'length', stop: 'stop' })
      const by = written.model === undefined ? usual : unused(written.model)
      return [assistant(at, blocks, by, { finish })]
    },
  })
  if (summary === undefined) return spoken
  const at = spoken[0]?.at ?? now
  // Without a finish, opencode would compact again.
  const marked = { mode: 'compaction', agent: 'compaction', summary: true, finish: 'stop' }
  return [
    user(at, [{ type: 'compaction', auto: false }]),
    assistant(at, [{ type: 'text', text: summary }], usual, marked),
    ...spoken,
  ]
}

const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** Whoever has not used opencode yet is asked for a login by the provider that made the model. */
function unused(model: string): UsedModel {
  return { provider: providerOf(model) ?? 'opencode', model }
}

function userPart(piece: Piece, synthetic: boolean): Fields {
  if (isSent(piece)) return filePart(piece)
  return { type: 'text', text: wordsFor(piece), ...(synthetic && { synthetic }) }
}

function toolPart(call: ToolCallPart, { at, outputOf }: Said): Fields {
  const { toolCallId: callID, toolName: tool, input } = call
  const time = { start: at, end: at }
  const output = outputOf(call)
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
function isSent(piece: Piece): piece is Medium {
  return typeof piece !== 'string' && !piece.mediaType.startsWith('text/')
}

function filePart(medium: Medium): Fields {
  const { mediaType: mime, filename } = medium
  return { type: 'file', mime, url: urlOf(medium), ...(filename !== undefined && { filename }) }
}

function wordsFor(piece: Piece): string {
  return typeof piece === 'string' ? piece : attachmentText(piece)
}
