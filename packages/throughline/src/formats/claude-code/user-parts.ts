import {
  jsonOf,
  objectsOf,
  textOf,
  type Fields,
  fieldsOf,
  listOf,
  nameOf,
} from '../../json/fields.ts'
import { mediaPart } from './media.ts'
import { saidInParts } from '../conversation/user-messages.ts'
import { textParts, wholeParts } from './origin.ts'
import { refusalWords } from './reply.ts'
import { toolOutput } from './tool-output.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** A user record's content: the results of tools, and everything else next to them. */
export interface UserContent {
  results: Fields[]
  parts: OriginPart[]
}

export function userContent(
  content: unknown,
  harness: boolean,
  tools: ReadonlyMap<string, string>,
): UserContent {
  if (typeof content === 'string') return { results: [], parts: textParts(content, harness) }
  const results: Fields[] = []
  const parts: OriginPart[] = []
  for (const block of objectsOf(content)) {
    if (block['type'] === 'tool_result') {
      results.push(block)
      const toolName = tools.get(nameOf(block['tool_use_id']) ?? '') ?? 'unknown'
      const words = refusalWords({ toolName, output: toolOutput(block) })
      if (words) parts.push({ origin: 'human', part: { type: 'text', text: words } })
    } else for (const part of blockParts(block, harness)) parts.push(part)
  }
  return { results, parts: harness ? parts : saidInParts(parts) }
}

function blockParts(block: Fields, harness: boolean): OriginPart[] {
  const origin = harness ? 'harness' : 'human'
  switch (block['type']) {
    case 'text':
      return wholeParts(textOf(block['text']) ?? '', harness)
    case 'image':
    case 'document': {
      const part = mediaPart(block)
      return part ? [{ origin, part }] : []
    }
    default: {
      const text = jsonOf(block)
      return text === undefined ? [] : [{ origin: 'harness', part: { type: 'text', text } }]
    }
  }
}

/**
 * Texts that were typed while the model worked. Some versions record no message when such a text is
 * delivered in the middle of a turn; then the queue's own records are the only trace of what the
 * human said.
 */
export interface Queued {
  waiting: string[]
  /** Delivered, and not yet seen as a separate record. */
  taken: string[]
  /** Seen as a separate record before the queue reported its delivery. */
  seen: string[]
}

const most = 100

export function newQueued(): Queued {
  return { waiting: [], taken: [], seen: [] }
}

/** Processes one `queue-operation` record. */
export function queueOperation(queued: Queued, record: Fields): void {
  const content = textOf(record['content'])
  switch (record['operation']) {
    case 'enqueue':
      queued.waiting = [...queued.waiting, content ?? ''].slice(-most)
      return
    case 'remove':
      return handOver(queued)
    case 'dequeue':
      // A text that is sent between two turns gets its own record.
      queued.waiting.shift()
      return
    case 'popAll':
      queued.waiting = content === undefined ? [] : without(queued.waiting, content)
  }
}

function handOver(queued: Queued): void {
  const known = queued.waiting.find((text) => queued.seen.includes(text))
  if (known !== undefined) {
    queued.waiting = without(queued.waiting, known)
    queued.seen = without(queued.seen, known)
    return
  }
  const text = queued.waiting.shift()
  if (text !== undefined && text.trim() !== '') queued.taken.push(text)
}

/** Notes that a separate record contains this text. */
export function sawQueued(queued: Queued, text: string): void {
  if (queued.taken.length > most) return
  if (queued.taken.includes(text)) queued.taken = without(queued.taken, text)
  else if (queued.waiting.includes(text)) queued.seen = [...queued.seen, text].slice(-most)
}

/** The texts that no separate record will contain anymore. */
export function takeQueued(queued: Queued): string[] {
  if (queued.taken.length === 0) return []
  const { taken } = queued
  queued.taken = []
  return taken
}

function without(texts: readonly string[], text: string): string[] {
  const index = texts.indexOf(text)
  return index < 0 ? [...texts] : texts.toSpliced(index, 1)
}

/** What an `attachment` record gave the model to read; nothing for records that only inform. */
export function attachmentParts(record: Fields): OriginPart[] {
  const attachment = fieldsOf(record['attachment'])
  switch (attachment?.['type']) {
    case 'queued_command':
      return queuedCommand(attachment)
    case 'file':
      return file(attachment)
    case 'directory':
      return contents(attachment['path'], attachment['content'])
    case 'nested_memory':
      return contents(attachment['path'], fieldsOf(attachment['content'])?.['content'])
    case 'edited_text_file':
      return editedFile(attachment)
    case 'hook_additional_context':
      return harnessText(joined(attachment['content']))
    default:
      return []
  }
}

/** The words of a queued command, if that is what the record holds. */
export function queuedText(record: Fields): string | undefined {
  const attachment = fieldsOf(record['attachment'])
  return attachment?.['type'] === 'queued_command' ? textOf(attachment['prompt']) : undefined
}

function queuedCommand(attachment: Fields): OriginPart[] {
  const kind = fieldsOf(attachment['origin'])?.['kind']
  const typed = kind === 'human' || (kind === undefined && attachment['commandMode'] === 'prompt')
  return userContent(attachment['prompt'], !typed, new Map()).parts
}

function file(attachment: Fields): OriginPart[] {
  const content = fieldsOf(attachment['content'])
  const inner = fieldsOf(content?.['file'])
  const path = inner?.['filePath'] ?? attachment['filename']
  const image = nameOf(inner?.['base64'])
  if (content?.['type'] !== 'image' || !image) return contents(path, inner?.['content'])
  const mediaType = nameOf(inner?.['type'])
  const part = { type: 'image' as const, image, ...(mediaType && { mediaType }) }
  return [...harnessText(`Contents of ${nameOf(path) ?? 'an image'}:`), { origin: 'harness', part }]
}

function editedFile(attachment: Fields): OriginPart[] {
  const snippet = textOf(attachment['snippet'])
  if (snippet === undefined) return []
  const filename = nameOf(attachment['filename']) ?? 'a file'
  return harnessText(`${filename} was changed outside the conversation:\n${snippet}`)
}

function contents(path: unknown, content: unknown): OriginPart[] {
  const text = textOf(content)
  return text === undefined ? [] : harnessText(`Contents of ${nameOf(path) ?? 'a file'}:\n${text}`)
}

function harnessText(text: string): OriginPart[] {
  return textParts(text, true)
}

function joined(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .flatMap((item) => textOf(item) ?? [])
    .join('\n')
}
