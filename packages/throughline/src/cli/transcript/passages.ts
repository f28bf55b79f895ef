import { entryAt, type Chronological } from '../../log/order.ts'
import {
  messageText,
  outputText,
  partsOf,
  type Message,
  type Part,
  type ToolResultPart,
} from '../../log/message.ts'
import { ref as refOf } from '../../log/ref.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { renderContext } from '../../compaction/render/render.ts'
import { behindSummaryBlock, type SummaryRole } from '../../compaction/render/summary-block.ts'
import { sanitize, sanitizeLine } from '../../log/sanitize.ts'
import { paintFor } from '../terminal/colour.ts'
import type { Context } from '../../log/context/context.ts'
import type { EntryOf, Seq } from '../../log/entry.ts'
import type { Io } from '../io.ts'

/** One message, call or result in a context, safe to print. */
export interface Passage {
  kind: PassageKind
  /** The name of the tool, for a call and its result. */
  tool?: string
  /** The ref that reads it back, if readers see one. */
  ref?: string
  text: string
}

export type PassageKind =
  | 'summary'
  | 'system'
  | 'user'
  /** A harness's message in the user's place. */
  | 'harness'
  /** A text from the compaction to the model. */
  | 'note'
  | 'assistant'
  | 'thinking'
  | 'call'
  | 'result'
  | 'failure'

/** A context as a reader sees it, the summary first. */
export function passagesOf(
  context: Context,
  log: Chronological,
  summaryRole: SummaryRole,
): Passage[] {
  const { messages, seqs } = renderContext(context.items, summaryRole)
  return messages.flatMap((message, index) => {
    const seq = seqs[index] ?? 0
    if (index === 0 && context.items[0]?.type === 'summary') {
      return summaryPassages(context, behindSummaryBlock(messageText(message)))
    }
    return messagePassages(message, speaker(message, seq, context, log))
  })
}

function summaryPassages({ items }: Context, note: string): Passage[] {
  const [item] = items
  if (item?.type !== 'summary') return []
  const pinned = item.pins.length === 0 ? '' : `## Pinned\n${item.pins.join('\n')}\n\n`
  const passages: Passage[] = [{ kind: 'summary', text: tidy(pinned + item.summary) }]
  if (note !== '') passages.push({ kind: 'note', text: tidy(note) })
  return passages
}

function speaker(
  { role }: Message,
  seq: Seq,
  { checkpoint }: Context,
  log: Chronological,
): PassageKind {
  if (role === 'system') return 'system'
  if (role === 'assistant') return 'assistant'
  const entry = entryAt(log, seq)
  if (entry?.kind === 'message') return entry.origin === 'human' ? 'user' : 'harness'
  return checkpoint?.seq === seq && checkpoint.continuation?.of !== undefined ? 'user' : 'note'
}

/** A message of the log as a reader sees it, each part with its ref. */
export function entryPassages(entry: EntryOf<'message'>): Passage[] {
  const { seq, message } = entry
  const isText = typeof message.content === 'string'
  return partsOf(message).flatMap((part, index) => {
    const passage = partPassage(part, sayerOf(entry))
    return passage ? [{ ...passage, ref: isText ? refOf(seq) : refOf(seq, index) }] : []
  })
}

/** Who wrote a message of the log. */
export function sayerOf({ origin, message }: EntryOf<'message'>): PassageKind {
  return message.role === 'user' && origin === 'human' ? 'user' : roleKinds[message.role]
}

const roleKinds = {
  user: 'harness',
  system: 'system',
  assistant: 'assistant',
  tool: 'note',
} as const

function messagePassages(message: Message, kind: PassageKind): Passage[] {
  const passages: Passage[] = []
  for (const part of partsOf(message)) {
    const passage = partPassage(part, kind)
    if (passage && (passage.text !== '' || passage.tool !== undefined)) passages.push(passage)
  }
  return passages
}

/** One part; `undefined` if it has nothing for a reader. */
export function partPassage(part: Part, kind: PassageKind): Passage | undefined {
  switch (part.type) {
    case 'text':
      return { kind, text: tidy(part.text) }
    case 'reasoning':
      return { kind: 'thinking', text: tidy(part.text) }
    case 'image':
      return { kind, text: tidy(attachmentText({ mediaType: part.mediaType ?? 'image' })) }
    case 'file':
      return { kind, text: tidy(attachmentText(part)) }
    case 'tool-call':
      return { kind: 'call', tool: sanitizeLine(part.toolName), text: tidy(inputText(part.input)) }
    case 'tool-result':
      return resultPassage(part)
    default:
      return undefined
  }
}

function resultPassage({ toolName, output }: ToolResultPart): Passage {
  const media = output.type === 'content' ? output.value.filter((item) => item.type !== 'text') : []
  const text = [outputText(output), ...media.map(attachmentText)].join('\n')
  const failed = output.type.startsWith('error') || output.type === 'execution-denied'
  return { kind: failed ? 'failure' : 'result', tool: sanitizeLine(toolName), text: tidy(text) }
}

function tidy(text: string): string {
  return sanitize(text).trimEnd()
}

/** A transcript with colored headings, if colors are on. */
export function painted(text: string, { stdout, env }: Io): string {
  const paint = paintFor(stdout, env)
  return text.replace(/^=== .*$/gm, (heading) => paint('bold', heading))
}

/**
 * The input of a tool call for a reader: one `name: value` per line; a text of several lines
 * follows its name.
 */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return json(input)
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? indented(value) : json(value)}`)
    .join('\n')
}

function indented(value: string): string {
  return value.includes('\n') ? `\n${value.replace(/^/gm, '  ')}` : value
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
