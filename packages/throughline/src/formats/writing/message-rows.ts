import { mediumOf, isImage, type Medium } from '../../wires/media.ts'
import { momentOf } from './written-fields.ts'
import { partsOf } from '../../log/message.ts'
import type { Fields } from '../../json/fields.ts'
import type { TextPart, ToolCallPart, ToolOutput, ToolResultPart } from '../../log/message.ts'
import type { WrittenMessage } from './format-writer.ts'

/** Words, or an image or a file. */
export type Piece = string | Medium

/** What is known of a message beside its parts. */
export interface Said {
  /** Milliseconds since 1970, and the same as an ISO text. */
  at: number
  time: string
  human: boolean
  written: WrittenMessage
  called: boolean
  /** What a call of it gave. */
  outputOf: (call: ToolCallPart) => ToolOutput
}

/** What each kind of message becomes in a file: the rows of a writer's table. */
export interface MessageRows<Made> {
  user: (pieces: Piece[], said: Said) => Made[]
  reply: (parts: (TextPart | ToolCallPart)[], said: Said) => Made[]
  /** Missing where a reply holds the results of its calls. */
  result?: (result: ToolResultPart, said: Said) => Made[]
}

/** The messages in the order of the session, each by its row. */
export function recordsOf<Made>(
  messages: readonly WrittenMessage[],
  now: number,
  rows: MessageRows<Made>,
): Made[] {
  const outputs = new Map<string, ToolOutput>()
  for (const part of messages.flatMap(({ message }) => partsOf(message))) {
    if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
  }
  const outputOf = ({ toolCallId }: ToolCallPart): ToolOutput =>
    outputs.get(toolCallId) ?? { type: 'error-text', value: '' }
  return messages.flatMap((written) => {
    const { message, origin } = written
    const parts = partsOf(message)
    const at = momentOf(written.at, now)
    const said: Said = {
      at,
      time: new Date(at).toISOString(),
      human: origin === 'human',
      written,
      called: parts.some(({ type }) => type === 'tool-call'),
      outputOf,
    }
    if (message.role === 'tool') {
      return parts.flatMap((part) =>
        part.type === 'tool-result' ? (rows.result?.(part, said) ?? []) : [],
      )
    }
    if (message.role !== 'assistant') return rows.user(parts.flatMap(pieceOf), said)
    const own = parts.filter((part) => part.type === 'text' || part.type === 'tool-call')
    return rows.reply(own, said)
  })
}

/** A part of a user's message as a piece; calls and results are none. */
export function pieceOf(part: ReturnType<typeof partsOf>[number]): Piece[] {
  if (part.type === 'text') return [part.text]
  return part.type === 'image' || part.type === 'file' ? [mediumOf(part)] : []
}

/** How a reply ended, in the words of a client. */
export function endedBy<Word>(
  { called, written }: Said,
  words: { calls: Word; length: Word; stop: Word },
): Word {
  if (called) return words.calls
  return written.finish === 'length' ? words.length : words.stop
}

/** Whether it is in the file itself. */
export function isInline(piece: Piece): piece is Medium & { base64: string } {
  return typeof piece !== 'string' && piece.base64 !== undefined
}

export function isInlineImage(piece: Piece): piece is Medium & { base64: string } {
  return isInline(piece) && isImage(piece)
}

/** Records that each name the one before: clients follow that chain from its end. */
export function chained(
  records: readonly Fields[],
  newId: () => string,
  link: (record: Fields, own: string, parent: string | null) => Fields,
): Fields[] {
  let parent: string | null = null
  return records.map((record) => {
    const own = newId()
    const whole = link(record, own, parent)
    parent = own
    return whole
  })
}

/** One record a line. */
export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
