import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed, outputPieces } from '../writing/output-pieces.ts'
import { mediumOf, urlOf, type Medium } from '../writing/media.ts'
import {
  partsOf,
  type AssistantMessage,
  type Message,
  type ToolCallPart,
  type ToolOutput,
} from '../../log/message.ts'

export type Fields = Record<string, unknown>

/** The parts of what the user gives; `synthetic` is what opencode calls words of its own. */
export function userParts(message: Message, synthetic: boolean): Fields[] {
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
export function replyParts(
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
