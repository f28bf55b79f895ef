import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isImage, urlOf } from '../../wires/media.ts'
import { jsonLines, recordsOf, type Piece } from '../writing/message-rows.ts'
import { messageText, type ToolOutput } from '../../log/message.ts'
import type { Fields } from '../../json/fields.ts'
import type {
  FormatWriter,
  Identity,
  WrittenFile,
  WrittenMessage,
} from '../writing/format-writer.ts'

/**
 * Writes a rollout that `codex resume` accepts: a compaction of Codex's own kind, then the rest.
 * Codex sends the items and shows the events.
 */
export const codexWriter: FormatWriter = {
  name: 'codex',
  lines: true,
  write({ summary, messages, title }, identity) {
    const lines = [
      sessionLine(identity),
      ...(title === undefined ? [] : [nameLine(title, identity)]),
      ...(summary === undefined ? [] : [compactedLine(summary, identity)]),
      ...messageLines(messages, identity.now),
    ]
    const { session } = identity
    return { session, text: jsonLines(lines), ...(title !== undefined && listed(title, identity)) }
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

function messageLines(messages: readonly WrittenMessage[], now: number): Fields[] {
  const item = (at: number, payload: Fields): Fields => line(at, 'response_item', payload)
  const event = (at: number, payload: Fields): Fields => line(at, 'event_msg', payload)
  return recordsOf<Fields>(messages, now, {
    user(pieces, { at, human, written }) {
      const user = item(at, userItem(pieces.map(inputBlock)))
      // Codex can mark it only by another role, which would have more authority than the harness
      // should.
      if (!human) return [{ ...user, throughline: { origin: 'harness' } }]
      return [user, event(at, shownUser(messageText(written.message), pieces))]
    },
    result({ toolCallId, output }, { at }) {
      const given = { call_id: toolCallId, output: writtenOutput(output) }
      return [item(at, { type: 'function_call_output', ...given })]
    },
    reply: (parts, { at, called }) =>
      parts.flatMap((part, index) => {
        if (part.type === 'tool-call') {
          const { toolName: name, toolCallId: call_id, input } = part
          const said = { name, arguments: JSON.stringify(input), call_id }
          return [item(at, { type: 'function_call', ...said })]
        }
        // Text after which the model continues; only the last text of a turn is its answer.
        const last = !called && index === parts.length - 1
        const phase = last ? 'final_answer' : 'commentary'
        const content = [{ type: 'output_text', text: part.text }]
        return [
          event(at, { type: 'agent_message', message: part.text, phase }),
          item(at, { type: 'message', role: 'assistant', content, phase }),
        ]
      }),
  })
}

function userItem(content: Fields[]): Fields {
  return { type: 'message', role: 'user', content }
}

/** Codex lists a session by its first such event. */
function shownUser(message: string, pieces: readonly Piece[]): Fields {
  const images = pieces.flatMap((piece) =>
    typeof piece !== 'string' && piece.mediaType.startsWith('image/') ? [urlOf(piece)] : [],
  )
  return { type: 'user_message', message, images, local_images: [], text_elements: [] }
}

/** A block of a user's message or a tool's output: Codex accepts words and images. */
function inputBlock(piece: Piece): Fields {
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
