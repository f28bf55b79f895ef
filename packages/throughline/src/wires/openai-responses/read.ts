import { addNames, toolNames } from '../tool-names.ts'
import { itemByItem, type Pair, type WireReader } from '../wire.ts'
import { listOf, nameOf, objectsOf, textOf, fieldsOf, type Fields } from '../../json/fields.ts'
import { notes, withItemId, isFunctionCall, readCall, type ResponsesItem } from './calls.ts'
import { readSystem } from '../text-pieces.ts'
import { readContent } from './contents.ts'
import { isResult, readResult } from './results.ts'
import { restOf } from '../note.ts'
import { isServed, readServed } from './served.ts'
import type { AssistantPart, Message, ReasoningPart } from '../../log/message.ts'
import { fieldsIn, type Reading } from '../reading.ts'
import { usageFrom } from '../usage.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** Reads items of the Responses API; those of the model that follow each other are one answer. */
export function itemReader(
  reading: Reading,
  before: readonly Pair<ResponsesItem>[],
): WireReader<ResponsesItem> {
  const names = toolNames(before)
  return itemByItem(before, (native, place) => {
    const item = reading.fields(native, place)
    if (!item) return undefined
    if (!isModels(item)) {
      return { message: isResult(item) ? readResult(item, names) : readSaid(item, place, reading) }
    }
    const parts = readModelItem(item, place, reading)
    addNames(names, { role: 'assistant', content: parts })
    // What is left out is not part of an answer either.
    return parts.length === 0 && !Array.isArray(item['content']) ? undefined : { parts }
  })
}

/**
 * What a provider or a developer sets for everything that follows: it is kept like a system prompt.
 */
const standing: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_trigger',
  'configuration_update',
  'additional_tools',
])

/** Whether the model, or the provider for it, put an item there. */
function isModels(item: Fields): boolean {
  const { type, role, content } = item
  if (standing.has(type) || isResult(item)) return false
  if ((type ?? 'message') !== 'message' || role === 'assistant') return true
  return role === undefined && content === undefined && nameOf(item['id']) !== undefined
}

/** What a user or a developer says. */
function readSaid(item: Fields, place: string, reading: Reading): Message | undefined {
  const { type, role, content } = item
  if (standing.has(type)) {
    return { role: 'system', content: JSON.stringify(item), ...notes.with({ form: 'item' }) }
  }
  if (role !== 'user' && role !== 'system' && role !== 'developer') {
    const problem = `the role ${JSON.stringify(role)} is unknown`
    reading.misfit({ place, problem, reason: 'unknown-record' })
    return undefined
  }
  if (typeof content !== 'string' && !Array.isArray(content)) {
    const problem = 'the content is neither a text nor a list of parts'
    reading.misfit({ place, problem, reason: 'empty' })
    return undefined
  }
  const noted = {
    rest: restOf(item, ['role', 'content', 'type']),
    ...(type !== 'message' && { untyped: type ?? true }),
  }
  if (role === 'user') {
    if (typeof content === 'string') return { role, content, ...notes.with(noted) }
    const parts = fieldsIn(content, `${place}.content`, reading).map(readContent)
    return { role, content: parts, ...notes.with(noted) }
  }
  const named = { ...noted, ...(role === 'developer' && { role }) }
  return readSystem(content, named, notes)
}

/** What an item from the model, or one that the provider itself inserted, means to us. */
function readModelItem(item: Fields, place: string, reading: Reading): AssistantPart[] {
  if (item['role'] === 'assistant') return readMessage(item) ?? [whole(item)]
  if (item['type'] === 'reasoning') return [readReasoning(item)]
  if (isFunctionCall(item)) return [readCall(item)]
  if (isServed(item)) return readServed(item)
  const type = nameOf(item['type'])
  const isNamed = ['id', 'call_id', 'encrypted_content'].some((name) => nameOf(item[name]))
  const problem = `an item of the type ${JSON.stringify(type)} is unknown`
  const reason = type?.endsWith('_output') ? 'result-without-call' : 'unknown-record'
  // Kinds that the API has added since are kept whole.
  return isNamed || reading.keeps({ place, problem, reason }) ? [whole(item)] : []
}

/** An item that we have no type for: a search by the provider, a reference, … */
function whole(item: Fields): AssistantPart {
  return {
    type: 'custom',
    kind: `openai.${nameOf(item['type']) ?? 'item'}`,
    ...notes.with({ part: item }),
  }
}

/** One part for each of its texts; the item's other fields are with the first. */
function readMessage(item: Fields): AssistantPart[] | undefined {
  const { content, id } = item
  const said = ['role', 'content', ...(typeof id === 'string' ? ['id'] : [])]
  const message = restOf(item, said) ?? {}
  if (typeof content === 'string') {
    const isPlain = Object.keys(message).join() === 'type' && message['type'] === 'message'
    const noted = notes.with(isPlain ? {} : { message, form: 'text' }, withItemId(id))
    return [{ type: 'text', text: content, ...noted }]
  }
  const parts: AssistantPart[] = []
  for (const part of objectsOf(content)) {
    const isRefusal = part['type'] === 'refusal'
    const text = textOf(part[isRefusal ? 'refusal' : 'text'])
    if (text === undefined) return undefined
    const rest = restOf(part, [isRefusal ? 'refusal' : 'text'])
    const noted = parts.length === 0 ? { message, form: 'parts', rest } : { joins: true, rest }
    parts.push({ type: 'text', text, ...notes.with(noted, withItemId(id)) })
  }
  return parts.length === 0 || parts.length < listOf(content).length ? undefined : parts
}

function readReasoning(item: Fields): ReasoningPart {
  const { id, encrypted_content: sealed } = item
  const texts = [...objectsOf(item['summary']), ...objectsOf(item['content'])]
  const text = texts.map((part) => textOf(part['text']) ?? '').join('\n\n')
  const said = [
    'type',
    ...(typeof id === 'string' ? ['id'] : []),
    ...(typeof sealed === 'string' ? ['encrypted_content'] : []),
  ]
  const openai = {
    ...(typeof id === 'string' && { itemId: id }),
    ...(typeof sealed === 'string' && { reasoningEncryptedContent: sealed }),
  }
  const bound = Object.keys(openai).length > 0 ? { openai } : {}
  return { type: 'reasoning', text, ...notes.with({ item: restOf(item, said) ?? {} }, bound) }
}

/** The usage of a response; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  return usageFrom({
    input: usage?.['input_tokens'],
    output: usage?.['output_tokens'],
    cacheRead: fieldsOf(usage?.['input_tokens_details'])?.['cached_tokens'],
  })
}

/** Why a response ended, if it wasn't simply complete. */
export function finishOf(response: Fields): FinishReason | undefined {
  const reason = textOf(fieldsOf(response['incomplete_details'])?.['reason'])
  if (reason === 'max_output_tokens') return 'length'
  if (reason === 'content_filter') return 'content-filter'
  switch (response['status']) {
    case 'failed':
      return 'error'
    case 'cancelled':
      return 'aborted'
    default:
      return undefined
  }
}
