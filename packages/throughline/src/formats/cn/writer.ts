import { isFailed, outputWords } from '../../wires/text-pieces.ts'
import { isImage, urlOf, wordsFor } from '../../wires/media.ts'
import { jsonDocument } from '../writing/written-fields.ts'
import { recordsOf, type Piece } from '../writing/message-rows.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, WrittenSession } from '../writing/format-writer.ts'
import type { ToolCallPart, ToolOutput } from '../../log/message.ts'

/** Writes a session that `cn --fork` accepts. */
export const cnWriter: FormatWriter = {
  name: 'cn',
  write(written, { session, now, directory }) {
    const document = {
      sessionId: session,
      title: written.title ?? 'Untitled Session',
      workspaceDirectory: directory,
      history: historyOf(written, now),
    }
    return { session, text: jsonDocument(document) }
  },
}

/** A call and its result stand together, in the item of the reply. */
function historyOf({ summary, messages }: WrittenSession, now: number): Fields[] {
  const said = recordsOf<Fields>(messages, now, {
    user(pieces, { human }) {
      const mark = !human && { throughline: { origin: 'harness' } }
      return [{ ...userItem(contentOf(pieces)), ...mark }]
    },
    reply(parts, { outputOf }) {
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      const states = parts.flatMap((part) =>
        part.type === 'tool-call' ? [stateOf(part, outputOf(part))] : [],
      )
      const toolCalls = states.map(({ toolCall }) => toolCall)
      const message = { role: 'assistant', content: texts.join('\n\n') }
      if (states.length === 0) return [{ message, contextItems: [] }]
      return [{ message: { ...message, toolCalls }, contextItems: [], toolCallStates: states }]
    },
  })
  // As a user's message: Continue itself lets the conversation begin with the model's word.
  return summary === undefined ? said : [userItem(summary), ...said]
}

function userItem(content: string | Fields[]): Fields {
  return { message: { role: 'user', content }, contextItems: [], editorState: content }
}

function contentOf(pieces: readonly Piece[]): string | Fields[] {
  const content = pieces.map((piece) =>
    typeof piece === 'string' || !isImage(piece)
      ? { type: 'text', text: wordsFor(piece) }
      : { type: 'imageUrl', imageUrl: { url: urlOf(piece) } },
  )
  const [only] = content
  return content.length === 1 && only && 'text' in only ? (only.text ?? '') : content
}

/** Continue gives a model the words of a result, and tells whether it failed only to the human. */
function stateOf({ toolCallId, toolName: name, input }: ToolCallPart, output: ToolOutput): Fields {
  const called = { name, arguments: JSON.stringify(input) }
  const description = 'Tool execution result'
  return {
    toolCallId,
    toolCall: { id: toolCallId, type: 'function', function: called },
    status: isFailed(output) ? 'errored' : 'done',
    output: [{ content: outputWords(output), name: 'Tool Result', description }],
    parsedArgs: input,
  }
}
