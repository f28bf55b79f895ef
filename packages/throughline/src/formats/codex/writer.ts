import { mediumOf, urlOf, isImage, type Medium } from '../../wires/media.ts'
import {
  messageText,
  partsOf,
  type AssistantMessage,
  type Message,
  type ToolOutput,
} from '../../log/message.ts'
import { momentOf } from '../writing/written-fields.ts'
import type {
  FormatWriter,
  Identity,
  WrittenFile,
  WrittenMessage,
} from '../writing/format-writer.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'

/**
 * Writes a rollout that `codex resume` accepts: a compaction of Codex's own kind, then the rest.
 * Codex sends the items and shows the events.
 */
export const codexWriter: FormatWriter = {
  name: 'codex',
  write({ summary, messages, title }, identity) {
    const lines = [sessionLine(identity)]
    if (title !== undefined) lines.push(nameLine(title, identity))
    if (summary !== undefined) lines.push(compactedLine(summary, identity))
    for (const written of messages) lines.push(...messageLines(written, identity))
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    return { session: identity.session, text, ...(title !== undefined && listed(title, identity)) }
  },
}

function line(at: number, type: string, payload: Fields): Fields {
  return { timestamp: new Date(at).toISOString(), type, payload }
}

/** Without a provider: Codex refuses to continue with a provider other than its current one. */
function sessionLine({ session, now, directory }: Identity): Fields {
  return line(now, 'session_meta', {
    id: session,
    timestamp: new Date(now).toISOString(),
    cwd: directory,
    originator: 'throughline',
    cli_version: '0.169.0',
    source: 'cli',
  })
}

/** Its list of sessions shows the names that stand here, and else the first message that was kept. */
function listed(thread_name: string, { session: id, now }: Identity): Pick<WrittenFile, 'listed'> {
  const line = JSON.stringify({ id, thread_name, updated_at: new Date(now).toISOString() })
  // Beside the folder of its sessions, which are filed by year, month and day.
  return { listed: { path: '../../../../session_index.jsonl', line } }
}

function nameLine(thread_name: string, { session: thread_id, now }: Identity): Fields {
  return line(now, 'event_msg', { type: 'thread_name_updated', thread_id, thread_name })
}

function compactedLine(summary: string, { now }: Identity): Fields {
  const replacement_history = [userItem([inputBlock(summary)])]
  return line(now, 'compacted', { message: summary, replacement_history })
}

function messageLines({ message, origin, at }: WrittenMessage, { now }: Identity): Fields[] {
  const moment = momentOf(at, now)
  const item = (payload: Fields): Fields => line(moment, 'response_item', payload)
  const event = (payload: Fields): Fields => line(moment, 'event_msg', payload)
  if (message.role === 'assistant') return assistantPayloads(message, { item, event })
  if (message.role === 'tool') {
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-result') return []
      const output = writtenOutput(part.output)
      return [item({ type: 'function_call_output', call_id: part.toolCallId, output })]
    })
  }
  const user = item(userItem(userBlocks(message)))
  // Codex can mark it only by another role, which would have more authority than the harness
  // should.
  if (origin !== 'human') return [{ ...user, throughline: { origin: 'harness' } }]
  return [event(shownUser(message)), user]
}

type Lines = Record<'item' | 'event', (payload: Fields) => Fields>

function assistantPayloads(message: AssistantMessage, { item, event }: Lines): Fields[] {
  const parts = partsOf(message)
  // Text after which the model continues; only the last text of a turn is its answer.
  const goesOn = (index: number): boolean =>
    parts.some((part, at) => part.type === 'tool-call' || (part.type === 'text' && at > index))
  return parts.flatMap((part, index) => {
    if (part.type === 'tool-call') {
      const { toolName: name, toolCallId: call_id, input } = part
      return [item({ type: 'function_call', name, arguments: JSON.stringify(input), call_id })]
    }
    if (part.type !== 'text') return []
    const phase = goesOn(index) ? 'commentary' : 'final_answer'
    const content = [{ type: 'output_text', text: part.text }]
    return [
      event({ type: 'agent_message', message: part.text, phase }),
      item({ type: 'message', role: 'assistant', content, phase }),
    ]
  })
}

function userItem(content: Fields[]): Fields {
  return { type: 'message', role: 'user', content }
}

function userBlocks(message: Message): Fields[] {
  return partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [inputBlock(part.text)]
    return part.type === 'image' || part.type === 'file' ? [inputBlock(mediumOf(part))] : []
  })
}

/** Codex lists a session by its first such event. */
function shownUser(message: Message): Fields {
  const images = partsOf(message).flatMap((part) => {
    const medium = part.type === 'image' ? mediumOf(part) : ''
    return typeof medium === 'string' ? [] : [urlOf(medium)]
  })
  const shown = { message: messageText(message), images, local_images: [], text_elements: [] }
  return { type: 'user_message', ...shown }
}

type Fields = Record<string, unknown>

/** A block of a user's message or a tool's output: Codex accepts words and images. */
function inputBlock(piece: string | Medium): Fields {
  if (typeof piece === 'string') return { type: 'input_text', text: piece }
  if (isImage(piece)) return { type: 'input_image', image_url: urlOf(piece) }
  return { type: 'input_text', text: attachmentText(piece) }
}

/**
 * An output in the form of its item. A failure is marked in the envelope that Codex's own tools
 * use; a text that looks like such an envelope is wrapped in one, too.
 */
function writtenOutput(output: ToolOutput): string | Fields[] {
  const pieces = outputPieces(output)
  const failed = isFailed(output)
  if (!pieces.every((piece) => typeof piece === 'string')) {
    const blocks = pieces.map(inputBlock)
    return failed ? [inputBlock('[The call failed.]'), ...blocks] : blocks
  }
  const text = pieces.join('\n')
  if (!failed && !text.startsWith('{"output":')) return text
  return JSON.stringify({ output: text, metadata: { exit_code: failed ? 1 : 0 } })
}
