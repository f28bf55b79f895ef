import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { jsonDocument, momentOf, noModel, providerOf } from '../writing/written-fields.ts'
import { mediumOf, urlOf, wordsFor, type Medium } from '../../wires/media.ts'
import { partsOf, type Message, type ToolCallPart, type ToolOutput } from '../../log/message.ts'
import type {
  FormatWriter,
  Identity,
  WrittenMessage,
  WrittenSession,
} from '../writing/format-writer.ts'

type Fields = Record<string, unknown>

/**
 * Writes the document that `opencode session import` accepts: a compaction that is done, then the
 * rest. Nothing in it is unsettled, for that would be left out, and its ids are new, for a known one
 * would be refused.
 */
export const opencodeV2Writer: FormatWriter = {
  name: 'opencode-v2',
  write(written, identity) {
    const { now, directory, session } = identity
    const id = `ses_${session.replaceAll('-', '').slice(0, 26)}`
    const info = {
      id,
      // opencode inserts its own value here when it imports the session.
      projectID: 'global',
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      time: { created: now, updated: now },
      title: written.title ?? 'Compacted session',
      location: { directory },
    }
    const messages = messagesOf(written, identity)
    return { session: id, text: jsonDocument({ info, messages }) }
  },
}

function messagesOf(session: WrittenSession, { now, newId, model: used }: Identity): Fields[] {
  const { summary, messages, facts } = session
  const made = messages.findLast(({ model }) => model !== undefined)?.model
  const usual = used
    ? { providerID: used.provider, id: used.model }
    : modelRef(facts.model ?? made ?? noModel)
  const outputs = new Map<string, ToolOutput>()
  for (const part of messages.flatMap(({ message }) => partsOf(message))) {
    if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
  }
  const spoken = messages.flatMap((written) => messageOf(written, { now, outputs, usual }))
  const settled = { type: 'compaction', status: 'completed', reason: 'manual', recent: '' }
  const compaction = { ...settled, summary, model: usual, time: { created: now } }
  const all: Fields[] = summary === undefined ? spoken : [compaction, ...spoken]
  return all.map((message) => ({ id: `msg_${newId().replaceAll('-', '').slice(-26)}`, ...message }))
}

interface Around {
  now: number
  outputs: ReadonlyMap<string, ToolOutput>
  /** The model of a reply that names none. */
  usual: Fields
}

function messageOf(written: WrittenMessage, { now, outputs, usual }: Around): Fields[] {
  const { message, origin } = written
  const model = written.model === undefined ? usual : modelRef(written.model)
  const created = momentOf(written.at, now)
  if (message.role === 'tool') return []
  if (message.role !== 'assistant') return [{ ...userFields(message, origin), time: { created } }]
  const content = partsOf(message).flatMap((part): Fields[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    return part.type === 'tool-call' ? [toolBlock(part, outputs.get(part.toolCallId), created)] : []
  })
  const calls = content.some(({ type }) => type === 'tool')
  const finish = calls ? 'tool-calls' : written.finish === 'length' ? 'length' : 'stop'
  const time = { created, completed: created }
  return [{ type: 'assistant', agent: 'build', model, content, finish, time }]
}

function modelRef(model: string): Fields {
  return { providerID: providerOf(model) ?? 'opencode', id: model }
}

/** Only what a human says may come with files. */
function userFields(message: Message, origin: WrittenMessage['origin']): Fields {
  const human = origin === 'human'
  const pieces = partsOf(message).flatMap((part): (string | Medium)[] => {
    if (part.type === 'text') return [part.text]
    return part.type === 'image' || part.type === 'file' ? [mediumOf(part)] : []
  })
  const files = pieces.filter((piece): piece is Medium => human && typeof piece !== 'string')
  const words = pieces.filter((piece) => !human || typeof piece === 'string').map(wordsFor)
  const text = words.join('\n\n')
  if (!human) return { type: 'synthetic', text }
  return { type: 'user', text, ...(files.length > 0 && { files: files.map(fileFields) }) }
}

function fileFields(medium: Medium): Fields {
  const { mediaType: mime, filename: name } = medium
  return { uri: urlOf(medium), mime, ...(name !== undefined && { name }) }
}

const noOutput: ToolOutput = { type: 'error-text', value: '' }

function toolBlock(call: ToolCallPart, output = noOutput, at: number): Fields {
  const { toolCallId: id, toolName: name, input } = call
  const pieces = outputPieces(output)
  const content = pieces.map((piece) =>
    typeof piece === 'string'
      ? { type: 'text', text: piece }
      : { type: 'file', ...fileFields(piece) },
  )
  const given = content.length > 0 ? content : [{ type: 'text', text: '' }]
  const message = pieces.map(wordsFor).join('\n')
  const state = isFailed(output)
    ? { status: 'error', input, error: { type: 'unknown', message }, content: given }
    : { status: 'completed', input, content: given }
  return { type: 'tool', id, name, state, time: { created: at, ran: at, completed: at } }
}
