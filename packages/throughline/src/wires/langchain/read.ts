import { fieldsOf, listOf, type Fields, nameOf, objectsOf, textOf } from '../../json/fields.ts'
import { notes, readBlock } from './blocks.ts'
import { readText } from '../text-pieces.ts'
import { readResult } from './tool-results.ts'
import { restOf } from '../note.ts'
import type { Message, AssistantMessage, AssistantPart, ToolCallPart } from '../../log/message.ts'
import { type OlderCalls, olderForm } from '../older-calls.ts'
import type { Reading } from '../reading.ts'
import type { ToolNames } from '../tool-names.ts'
import { isSame } from '../../match/same.ts'
import { unknownSaid } from '../unknown-part.ts'

/** The fields of a message of LangChain as a message of ours. */
export function readMessage(
  fields: Fields,
  { names, older, reading }: { names: ToolNames; older: OlderCalls; reading: Reading },
  place: string,
): Message | undefined {
  const { type, content, id } = fields
  if (typeof content !== 'string' && !isList(content)) {
    const problem = 'the content is neither a text nor a list of blocks'
    reading.misfit({ place, problem, reason: 'empty' })
    return undefined
  }
  switch (type) {
    case 'ai':
      return readAnswer(fields, older)
    case 'tool':
    case 'function':
      return readResult(fields, names, older)
  }
  const rest = restOf(fields, [
    'content',
    'id',
    ...(type === 'human' || type === 'system' ? ['type'] : []),
  ])
  const noted = { messageId: id, rest }
  if (type === 'system') {
    return typeof content === 'string'
      ? { role: 'system', content, ...notes.with(noted) }
      : {
          role: 'system',
          content: blocksText(content),
          ...notes.with({ ...noted, blocks: content }),
        }
  }
  if (typeof content === 'string') return { role: 'user', content, ...notes.with(noted) }
  const parts = listOf(content).map((block) => readBlock(fieldsOf(block) ?? {}))
  return { role: 'user', content: parts, ...notes.with(noted) }
}

function isList(content: unknown): boolean {
  return Array.isArray(content) && content.every((block) => fieldsOf(block) !== undefined)
}

/** What the blocks of a system message say. */
export function blocksText(blocks: unknown): string {
  return listOf(blocks)
    .flatMap((block) => {
      const { text } = fieldsOf(block) ?? {}
      return typeof text === 'string' ? [text] : []
    })
    .join('\n\n')
}

/** An answer: its blocks, and the calls among them, next to them, or both. */
function readAnswer(fields: Fields, calls: OlderCalls): AssistantMessage {
  const { content, tool_calls, additional_kwargs } = fields
  const given = objectsOf(tool_calls)
  const known = new Map(given.map((call) => [nameOf(call['id']), call]))
  const parts: AssistantPart[] = []
  if (typeof content === 'string') {
    if (content !== '') parts.push({ type: 'text', text: content })
  } else {
    for (const block of objectsOf(content)) {
      const call = readCallBlock(block, known)
      if (call) known.delete(call.toolCallId)
      parts.push(
        call ??
          readText(block, notes) ??
          reasoning(block) ??
          unknownSaid(block, 'langchain', notes),
      )
    }
  }
  const unread = given.filter((call) => known.get(nameOf(call['id'])) === call)
  parts.push(...unread.flatMap((call) => readCall(call) ?? []))
  const older = fieldsOf(fieldsOf(additional_kwargs)?.['function_call'])
  if (older && given.length === 0) parts.push(olderCall(older, calls))
  const said = given.length === parts.filter(({ type }) => type === 'tool-call').length
  const message = restOf(fields, ['type', 'content', 'id', ...(said ? ['tool_calls'] : [])])
  const noted = notes.with({
    messageId: fields['id'],
    message,
    ...(Array.isArray(content) && { form: 'blocks' }),
    // If the calls are in another order among the blocks.
    ...(said &&
      !isSame(
        order(parts),
        given.map(({ id }) => id),
      ) && { order: given.map(({ id }) => id) }),
  })
  return typeof content === 'string' && parts.length === 1 && parts[0]?.type === 'text'
    ? { role: 'assistant', content, ...noted }
    : { role: 'assistant', content: parts, ...noted }
}

function order(parts: readonly AssistantPart[]): string[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
}

/** A call as it appears next to the content. */
function readCall(call: Fields): ToolCallPart | undefined {
  const toolCallId = nameOf(call['id'])
  const toolName = nameOf(call['name'])
  if (toolCallId === undefined || toolName === undefined) return undefined
  const noted = notes.with({ call: restOf(call, ['id', 'name', 'args']) ?? {} })
  return { type: 'tool-call', toolCallId, toolName, input: call['args'] ?? {}, ...noted }
}

const inputNames = ['args', 'input', 'arguments']

/** A call that is among the blocks and also next to them. */
function readCallBlock(
  block: Fields,
  known: ReadonlyMap<string | undefined, Fields>,
): ToolCallPart | undefined {
  const { type, id, name } = block
  const call = known.get(nameOf(id))
  if (!call || (type !== 'tool_use' && type !== 'tool_call') || call['name'] !== name)
    return undefined
  const part = readCall(call)
  const inputName = inputNames.find((one) => block[one] !== undefined)
  if (!part || inputName === undefined) return undefined
  const own = isSame(block[inputName], part.input) ? {} : { own: block[inputName] }
  const rest = restOf(block, ['id', 'name', inputName])
  return {
    ...part,
    ...notes.with({ ...notes.of(part), inputName, rest, ...own }),
  }
}

function olderCall(call: Fields, calls: OlderCalls): ToolCallPart {
  const toolName = nameOf(call['name']) ?? 'unknown'
  const input = call['arguments']
  return {
    type: 'tool-call',
    toolCallId: calls.next(),
    toolName,
    input,
    ...notes.with({ form: olderForm }),
  }
}

const reasoningTypes = new Set<unknown>(['reasoning', 'thinking', 'redacted_thinking'])

/** Kept whole: it is bound to what came before it, and is removed when that changes. */
function reasoning(block: Fields): AssistantPart | undefined {
  if (!reasoningTypes.has(block['type'])) return undefined
  const text = textOf(block['reasoning']) ?? textOf(block['thinking']) ?? ''
  return { type: 'reasoning', text, ...notes.with({ block }) }
}
