import { fieldsOf, listOf, nameOf, textOf, countOf, type Fields } from '../../json/fields.ts'
import { outputOf, plainOutput, wholePart, type At } from './whole-part.ts'
import { unknownPart, unknownSaid } from '../unknown-part.ts'
import { notesUnder } from '../note.ts'
import { usageFrom } from '../usage.ts'
import type { AssistantPart, ToolPart, UserPart } from '../../log/message.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'
import type { Misfit } from '../reading.ts'

/**
 * The usage of a step, in the SDK's words or in those of its providers: `inputTokens` includes
 * cached tokens. `undefined` if nothing was counted, or if a value is not a count.
 */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const input = fieldsOf(usage?.['inputTokens'])
  const output = fieldsOf(usage?.['outputTokens'])?.['total'] ?? usage?.['outputTokens']
  const details = fieldsOf(usage?.['inputTokenDetails'])
  return usageFrom({
    input: countOf(input?.['total'] ?? usage?.['inputTokens']) ?? sumOf(details),
    output,
    cacheRead: details?.['cacheReadTokens'] ?? input?.['cacheRead'] ?? usage?.['cachedInputTokens'],
    cacheWrite: details?.['cacheWriteTokens'] ?? input?.['cacheWrite'],
  })
}

/** The total input if a provider only reports its parts. */
function sumOf(details: Fields | undefined): number | undefined {
  const counts = [
    details?.['noCacheTokens'],
    details?.['cacheReadTokens'],
    details?.['cacheWriteTokens'],
  ]
    .map(countOf)
    .filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

const finishes: ReadonlySet<string> = new Set<FinishReason>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
])

export function finishOf(reason: unknown): FinishReason | undefined {
  const name = nameOf(fieldsOf(reason)?.['unified']) ?? nameOf(reason)
  return name !== undefined && isFinish(name) ? name : undefined
}

function isFinish(name: string): name is FinishReason {
  return finishes.has(name)
}

/**
 * A message of the AI SDK, as far as Throughline looks at it: a `ModelMessage`, or a `UIMessage`
 * with parts in the place of the content.
 */
export interface AiSdkMessage {
  role: string
}

/** What we say of the SDK's messages ourselves: its own shape is ours. */
export const notes = notesUnder('ai-sdk')

export function userParts(content: unknown, at: At): UserPart[] {
  return partsIn<UserPart>(content, at, (part) => {
    const known =
      textPart<UserPart>(part, at) ?? imagePart(part, at) ?? filePart<UserPart>(part, at)
    if (known || !nameOf(part['type'])) return known
    return {
      ...unknownPart(part, notes),
      ...notes.with({ form: 'json', part: wholePart(part, at) }),
    }
  })
}

export function assistantParts(content: unknown, at: At): AssistantPart[] {
  return partsIn<AssistantPart>(content, at, (part) => {
    switch (part['type']) {
      case 'text':
        return textPart(part, at)
      case 'reasoning':
        return as(typeof part['text'] === 'string' ? part : { ...part, text: '' }, at)
      case 'file':
        return filePart(part, at)
      case 'reasoning-file':
        return isThere(part['data']) && nameOf(part['mediaType']) ? as(part, at) : undefined
      case 'tool-call':
        return callPart(part, at)
      case 'tool-result':
        return resultPart(part, at)
      case 'tool-approval-request':
        return nameOf(part['approvalId']) && nameOf(part['toolCallId']) ? as(part, at) : undefined
      case 'custom':
        return nameOf(part['kind'])?.includes('.') ? as(part, at) : undefined
      default:
        return nameOf(part['type']) ? unknownSaid(wholePart(part, at), 'ai-sdk', notes) : undefined
    }
  })
}

export function toolParts(content: unknown, at: At): ToolPart[] {
  return partsIn<ToolPart>(content, at, (part) => {
    if (part['type'] === 'tool-result') return resultPart(part, at)
    return part['type'] === 'tool-approval-response' ? approvalResponse(part, at) : undefined
  })
}

/** Reads parts one by one; the content itself, where all of them are as they were. */
function partsIn<Part>(content: unknown, at: At, read: (part: Fields) => Part | undefined): Part[] {
  const listed = listOf(content)
  const parts = listed.flatMap((value, index): Part[] => {
    const fields = fieldsOf(value)
    const part = fields && read(fields)
    if (part !== undefined) return [part]
    const misfit = unknownIn(`${at.place}.content[${index}]`, value)
    return at.reading.keeps(misfit) ? [value as Part] : []
  })
  const isSame = parts.length === listed.length && parts.every((part, at) => part === listed[at])
  return isSame && Array.isArray(content) ? (content as Part[]) : parts
}

export function unknownIn(place: string, left: unknown): Misfit {
  const problem = `a part of the type ${JSON.stringify(fieldsOf(left)?.['type'])} is unknown here`
  return { place, problem, reason: 'unknown-part', left }
}

/** A part of which all is checked that has to be. */
function as<Part>(part: Fields, at: At): Part {
  return wholePart(part, at) as unknown as Part
}

function textPart<Part>(part: Fields, at: At): Part | undefined {
  return part['type'] === 'text' && typeof part['text'] === 'string' ? as(part, at) : undefined
}

function imagePart(part: Fields, at: At): UserPart | undefined {
  return part['type'] === 'image' && isThere(part['image'])
    ? as(withMediaType(part), at)
    : undefined
}

function filePart<Part>(part: Fields, at: At): Part | undefined {
  const typed = withMediaType(part)
  if (part['type'] !== 'file' || !isThere(part['data'])) return undefined
  if (!nameOf(typed['mediaType'])) return undefined
  const { filename, ...unnamed } = typed
  return as(filename === undefined || nameOf(filename) ? typed : unnamed, at)
}

/** An empty medium is one too. */
function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** `mediaType` since version 5, `mimeType` before. */
function withMediaType(part: Fields): Fields {
  const older = nameOf(part['mimeType'])
  if (nameOf(part['mediaType']) || (part['mediaType'] === undefined && !older)) return part
  const { mediaType: _, ...others } = part
  return older ? { ...others, mediaType: older } : others
}

/** A call; `input` since version 5, `args` before. */
function callPart(part: Fields, at: At): AssistantPart | undefined {
  if (!nameOf(part['toolCallId']) || !nameOf(part['toolName'])) return undefined
  const { args, providerExecuted: ran, ...others } = part
  const isOdd = ran !== undefined && typeof ran !== 'boolean'
  if (part['input'] !== undefined && args === undefined && !isOdd) return as(part, at)
  // The SDK says nothing where a store says null.
  const input = part['input'] === undefined ? (args ?? null) : part['input']
  return as({ ...others, input, ...(ran === true && { providerExecuted: ran }) }, at)
}

/** A result; `output` since version 5, `result` before. */
function resultPart<Part>(part: Fields, at: At): Part | undefined {
  if (!nameOf(part['toolCallId'])) return undefined
  const output = fieldsOf(part['output'])
  const { result, isError, ...others } = part
  const read = output
    ? outputOf(output, at)
    : plainOutput(at.reading.value(result), isError === true)
  const named = nameOf(part['toolName']) !== undefined
  if (read === output && named && result === undefined && isError === undefined) {
    return as(part, at)
  }
  return as({ ...others, ...(!named && { toolName: 'unknown' }), output: read }, at)
}

function approvalResponse(part: Fields, at: At): ToolPart | undefined {
  if (!nameOf(part['approvalId'])) return undefined
  const { reason, ...others } = part
  const isPlain = typeof part['approved'] === 'boolean'
  if (isPlain && (reason === undefined || typeof reason === 'string')) return as(part, at)
  const told = textOf(reason) === undefined ? {} : { reason }
  return as({ ...others, approved: part['approved'] === true, ...told }, at)
}
