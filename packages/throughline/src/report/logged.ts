import { outputText, partsOf, type Part } from '../log/message.ts'
import { subjectOf } from './subject.ts'
import type { Entry, Metadata, Seq } from '../log/entry.ts'
import type { LoggedEntry, LoggedPart, LoggedWhat } from './model.ts'

// The rest of a longer part is read in its session.
const longestPart = 60_000

/** How people see an entry: whose it is, and its parts as texts. */
export function logged(
  entry: Entry,
  { tokens, now }: Pick<LoggedEntry, 'tokens' | 'now'>,
): LoggedEntry {
  const { seq, at } = entry
  const shared = { seq, at, tokens, now }
  if (entry.kind === 'message') {
    return {
      ...shared,
      what: whatOf(entry.message.role, entry.origin, entry.metadata),
      parts: partsOf(entry.message).flatMap(partsShown),
      ...(entry.model !== undefined && { model: entry.model }),
    }
  }
  return { ...shared, what: kindOf(entry), parts: [textPart('text', textOf(entry))] }
}

function whatOf(role: string, origin: LoggedWhat, metadata: Metadata | undefined): LoggedWhat {
  if (metadata?.compaction_continue === true) return 'synthetic'
  if (role === 'system') return 'system'
  return role === 'assistant' ? 'model' : role === 'tool' ? 'tool' : origin
}

function kindOf({ kind }: Exclude<Entry, { kind: 'message' }>): LoggedWhat {
  return kind === 'observation' ? 'note' : kind
}

function partsShown(part: Part): LoggedPart[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [textPart('text', part.text)]
    case 'reasoning':
      return part.text === '' ? [] : [textPart('thinking', part.text)]
    case 'tool-call': {
      const { toolCallId: id, toolName: tool, input } = part
      return [{ type: 'call', id, tool, subject: subjectOf(input), ...cutText(callText(input)) }]
    }
    case 'tool-result': {
      const { toolCallId: id, toolName: tool, output } = part
      const failed = output.type.startsWith('error') || output.type === 'execution-denied'
      const media =
        output.type === 'content' ? output.value.filter(({ text }) => text === undefined) : []
      return [
        { type: 'result', id, tool, ...cutText(outputText(output)), ...(failed && { failed }) },
        ...media.map((medium) => mediaPart(medium.mediaType ?? medium.type, medium.data)),
      ]
    }
    case 'image':
      return [mediaPart(part.mediaType ?? 'image', part.image)]
    case 'file':
      return [mediaPart([part.mediaType, part.filename].filter(Boolean).join(' '), part.data)]
    default:
      return [{ type: 'media', text: `(${part.type})` }]
  }
}

function textPart(type: 'text' | 'thinking', text: string): LoggedPart {
  return { type, ...cutText(text) }
}

function mediaPart(what: string, data: unknown): LoggedPart {
  const bytes = typeof data === 'string' ? Math.round((data.length * 3) / 4) : undefined
  const size = bytes === undefined ? '' : `, ${Math.ceil(bytes / 1000)} kB`
  return { type: 'media', text: `[${what}${size}]` }
}

function cutText(text: string): { text: string; cut?: number } {
  if (text.length <= longestPart) return { text: text.toWellFormed() }
  return { text: text.slice(0, longestPart).toWellFormed(), cut: text.length - longestPart }
}

/** A tool's input: its one text as it is, several as `name: value`. */
function callText(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return json(input)
  return Object.entries(input)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : json(value)
      return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`
    })
    .join('\n')
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 1) ?? ''
}

function textOf(entry: Exclude<Entry, { kind: 'message' }>): string {
  switch (entry.kind) {
    case 'checkpoint':
      return entry.summary
    case 'prune':
      return entry.replacements.map(({ ref, how }) => `${ref} ${how}`).join('\n')
    case 'pin':
      return entry.text
    case 'unpin':
      return `Pin ${entry.pin} is taken back.`
    case 'rewind':
      return undoneBy(entry) === undefined
        ? `Back to entry ${entry.to}.`
        : `Undoes entry ${undoneBy(entry)}.`
    case 'observation': {
      const { observation } = entry
      return observation.type === 'note'
        ? `${observation.name}: ${json(observation.data)}`
        : `${observation.type}: ${json({ ...observation, type: undefined })}`
    }
  }
}

/** The compaction that a rewind undid, leaving what came after it. */
export function undoneBy({ to, resume }: { to: Seq; resume?: Seq }): Seq | undefined {
  return resume === to + 2 ? to + 1 : undefined
}
