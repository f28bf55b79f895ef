import { fieldsOf } from '../json/fields.ts'
import { sanitizeLine } from '../log/sanitize.ts'
import { partsOf, type Message, type ToolCallPart } from '../log/message.ts'
import { entryAt, type Chronological } from '../log/order.ts'
import type { Seq } from '../log/entry.ts'

// What a call is about, in the words that tools use for it; the first that it has.
const about = [
  'file_path',
  'filePath',
  'pattern',
  'query',
  'path',
  'absolute_path',
  'notebook_path',
  'command',
  'cmd',
  'url',
  'description',
  'prompt',
  'input',
] as const

const longest = 160

/** What a call is about, on one line: the path, the command, the words that it looks for. */
export function subjectOf(input: unknown): string {
  if (typeof input === 'string') return firstLine(input)
  const fields = fieldsOf(input)
  if (!fields) return ''
  for (const name of about) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return firstLine(value)
    if (Array.isArray(value) && value.length > 0) return firstLine(value.slice(0, 20).join(' '))
  }
  const text = Object.values(fields).find((value) => typeof value === 'string' && value !== '')
  return typeof text === 'string' ? firstLine(text) : ''
}

function firstLine(text: string): string {
  const line = sanitizeLine(text.slice(0, longest * 4))
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
}

type Calls = ReadonlyMap<string, Call>

interface Call {
  tool: string
  subject: string
  input: unknown
}

export function callsOf(log: Chronological): Calls {
  const calls = new Map<string, Call>()
  for (const entry of log) {
    if (entry.kind !== 'message') continue
    for (const part of partsOf(entry.message)) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, callOf(part))
    }
  }
  return calls
}

function callOf({ toolName, input }: ToolCallPart) {
  return { tool: toolName, subject: subjectOf(input), input }
}

/** What an entry is, in a few words: `Read src/a.ts`, `human: Fix the login page`. */
export function entryTitle(log: Chronological, seq: Seq, calls: Calls): string {
  const entry = entryAt(log, seq)
  if (entry?.kind === 'checkpoint') return 'summary'
  if (entry?.kind !== 'message') return entry?.kind ?? 'note'
  const { message, origin } = entry
  if (message.role === 'tool' || message.role === 'assistant') {
    const title = titleOfParts(message, calls)
    if (title !== '') return title
  }
  const who = message.role === 'assistant' ? 'model' : origin
  return `${who}: ${firstLine(textOf(message))}`
}

function titleOfParts(message: Message, calls: Calls): string {
  const titles: string[] = []
  for (const part of partsOf(message)) {
    if (part.type === 'tool-result') {
      const call = calls.get(part.toolCallId)
      titles.push(`${part.toolName} ${call?.subject ?? ''}`.trim())
    } else if (part.type === 'tool-call') {
      titles.push(`${part.toolName} ${subjectOf(part.input)}`.trim())
    }
  }
  const [first, ...more] = titles
  if (first === undefined) return ''
  return sanitizeLine(more.length === 0 ? first : `${first} and ${more.length} more`)
}

function textOf(message: Message): string {
  for (const part of partsOf(message)) {
    if ((part.type === 'text' || part.type === 'reasoning') && part.text.trim() !== '') {
      return part.text
    }
  }
  return ''
}
