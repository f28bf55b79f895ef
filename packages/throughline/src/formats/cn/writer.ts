import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isImage, mediumOf, urlOf, wordsFor, type Medium } from '../../wires/media.ts'
import { jsonDocument } from '../writing/written-fields.ts'
import { partsOf, type Message, type ToolOutput } from '../../log/message.ts'
import type { FormatWriter, WrittenSession } from '../writing/format-writer.ts'

type Fields = Record<string, unknown>

/** Writes a session that `cn --fork` accepts. */
export const cnWriter: FormatWriter = {
  name: 'cn',
  write(written, { session, directory }) {
    const document = {
      sessionId: session,
      title: written.title ?? 'Untitled Session',
      workspaceDirectory: directory,
      history: historyOf(written),
    }
    return { session, text: jsonDocument(document) }
  },
}

/** A call and its result stand together, in the item of the reply. */
function historyOf({ summary, messages }: WrittenSession): Fields[] {
  const outputs = new Map<string, ToolOutput>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
    }
  }
  // As a user's message: Continue itself lets the conversation begin with the model's word.
  const first = summary === undefined ? [] : [userItem(summary)]
  const rest = messages.flatMap(({ message, origin }) => {
    if (message.role === 'tool') return []
    if (message.role === 'assistant') return [replyItem(message, outputs)]
    const mark = origin !== 'human' && { throughline: { origin: 'harness' } }
    return [{ ...userItem(contentOf(message)), ...mark }]
  })
  return [...first, ...rest]
}

function userItem(content: string | Fields[]): Fields {
  return { message: { role: 'user', content }, contextItems: [], editorState: content }
}

function contentOf(message: Message): string | Fields[] {
  const content = partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [textBlock(part.text)]
    return part.type === 'image' || part.type === 'file' ? [block(mediumOf(part))] : []
  })
  const [only] = content
  const text = content.length === 1 && only?.['type'] === 'text' && only['text']
  return typeof text === 'string' ? text : content
}

function block(piece: string | Medium): Fields {
  if (typeof piece === 'string' || !isImage(piece)) return textBlock(wordsFor(piece))
  return { type: 'imageUrl', imageUrl: { url: urlOf(piece) } }
}

function textBlock(text: string): Fields {
  return { type: 'text', text }
}

function replyItem(message: Message, outputs: ReadonlyMap<string, ToolOutput>): Fields {
  const parts = partsOf(message)
  const content = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  const states = parts.flatMap((part): Fields[] => {
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName: name, input } = part
    const call = { name, arguments: JSON.stringify(input) }
    return [
      {
        toolCallId,
        toolCall: { id: toolCallId, type: 'function', function: call },
        ...stateOf(outputs.get(toolCallId)),
        parsedArgs: input,
      },
    ]
  })
  const calls = states.length > 0 && { toolCalls: states.map(({ toolCall }) => toolCall) }
  return {
    message: { role: 'assistant', content, ...calls },
    contextItems: [],
    ...(states.length > 0 && { toolCallStates: states }),
  }
}

/** Continue gives a model the words of a result, and tells whether it failed only to the human. */
function stateOf(output: ToolOutput | undefined): Fields {
  const content = outputPieces(output ?? { type: 'error-text', value: '' })
    .map(wordsFor)
    .filter((text) => text !== '')
    .join('\n')
  const status = output === undefined || isFailed(output) ? 'errored' : 'done'
  const description = 'Tool execution result'
  return { status, output: [{ content, name: 'Tool Result', description }] }
}
