import { endedBy, recordsOf, type Said } from '../writing/message-rows.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { jsonDocument, noModel, providerOf } from '../writing/written-fields.ts'
import { urlOf, wordsFor, type Medium } from '../../wires/media.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, Identity, WrittenSession } from '../writing/format-writer.ts'
import type { ToolCallPart } from '../../log/message.ts'

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
  // The model of a reply that names none.
  const usual = used
    ? { providerID: used.provider, id: used.model }
    : modelRef(facts.model ?? made ?? noModel)
  const spoken = recordsOf<Fields>(messages, now, {
    // Only what a human says may come with files.
    user(pieces, { at: created, human }) {
      const files = pieces.filter((piece): piece is Medium => human && typeof piece !== 'string')
      const words = pieces.filter((piece) => !human || typeof piece === 'string').map(wordsFor)
      const attached = files.length > 0 && { files: files.map(fileFields) }
      const said = { type: human ? 'user' : 'synthetic', text: words.join('\n\n'), ...attached }
      return [{ ...said, time: { created } }]
    },
    reply(parts, said) {
      const { at: created, written } = said
      const model = written.model === undefined ? usual : modelRef(written.model)
      const content = parts.map((part) =>
        part.type === 'text' ? { type: 'text', text: part.text } : toolBlock(part, said),
      )
      const finish = endedBy(said, { calls: 'tool-calls', length: 'length', stop: 'stop' })
      const time = { created, completed: created }
      return [{ type: 'assistant', agent: 'build', model, content, finish, time }]
    },
  })
  const settled = { type: 'compaction', status: 'completed', reason: 'manual', recent: '' }
  const compaction = { ...settled, summary, model: usual, time: { created: now } }
  const all: Fields[] = summary === undefined ? spoken : [compaction, ...spoken]
  return all.map((message) => ({ id: `msg_${newId().replaceAll('-', '').slice(-26)}`, ...message }))
}

function modelRef(model: string): Fields {
  return { providerID: providerOf(model) ?? 'opencode', id: model }
}

function fileFields(medium: Medium): Fields {
  const { mediaType: mime, filename: name } = medium
  return { uri: urlOf(medium), mime, ...(name !== undefined && { name }) }
}

function toolBlock(call: ToolCallPart, { at, outputOf }: Said): Fields {
  const { toolCallId: id, toolName: name, input } = call
  const output = outputOf(call)
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
