import { nameOf, type Fields } from '../../json/fields.ts'
import { listOf } from '../../json/fields.ts'
import { MessageConversionError } from '../errors.ts'
import { notes } from './notes.ts'
import { partsText } from '../parts-text.ts'
import { plainFields } from '../reading.ts'
import { readContent } from './contents.ts'
import { readModelItem } from './model-items.ts'
import { readResult } from './results.ts'
import { countNatives, type Pair } from '../wire.ts'
import { restOf } from '../note.ts'
import { toolNames } from '../tool-names.ts'
import type { AssistantPart, Message } from '../../log/message.ts'
import type { ResponsesItem } from './item.ts'

interface Answer {
  natives: ResponsesItem[]
  parts: AssistantPart[]
}

/** Items of the Responses API; those of the model that follow each other are one answer. */
export function readItems(
  natives: readonly ResponsesItem[],
  before: readonly Pair<ResponsesItem>[] = [],
): Pair<ResponsesItem>[] {
  const pairs: Pair<ResponsesItem>[] = []
  const names = toolNames(before)
  const first = countNatives(before)
  let answer: Answer = { natives: [], parts: [] }
  const endAnswer = (): void => {
    if (answer.natives.length === 0) return
    const { natives, parts } = answer
    pairs.push({ natives, messages: [{ role: 'assistant', content: parts }] })
    answer = { natives: [], parts: [] }
  }
  natives.forEach((native, index) => {
    const place = `input[${first + index}]`
    const item = plainFields(native, place)
    const message = readResult(item, names) ?? readSaid(item, place)
    if (message) {
      endAnswer()
      pairs.push({ natives: [native], messages: [message] })
      return
    }
    const parts = readModelItem(item)
    for (const part of parts) {
      if (part.type === 'tool-call') names.set(part.toolCallId, part.toolName)
    }
    answer.natives.push(native)
    answer.parts.push(...parts)
  })
  endAnswer()
  return pairs
}

/** What a provider or a developer sets for all that follows: it stands as a system prompt does. */
const standing: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_trigger',
  'configuration_update',
  'additional_tools',
])

/** What a user or a developer says; `undefined` for what the model does. */
function readSaid(item: Fields, place: string): Message | undefined {
  const { type, role, content } = item
  if (standing.has(type)) {
    return { role: 'system', content: JSON.stringify(item), ...notes.with({ form: 'item' }) }
  }
  if ((type ?? 'message') !== 'message' || role === 'assistant') return undefined
  if (role === undefined && content === undefined && nameOf(item['id'])) return undefined
  if (typeof content !== 'string' && !Array.isArray(content)) {
    const problem = 'the content is neither a text nor a list of parts'
    throw new MessageConversionError({ place, problem })
  }
  const noted = {
    rest: restOf(item, ['role', 'content', 'type']),
    ...(type !== 'message' && { untyped: type ?? true }),
  }
  switch (role) {
    case 'user': {
      if (typeof content === 'string') return { role, content, ...notes.with(noted) }
      const parts = listOf(content).map((part, index) =>
        readContent(plainFields(part, `${place}.content[${index}]`)),
      )
      return { role, content: parts, ...notes.with(noted) }
    }
    case 'system':
    case 'developer': {
      const named = { ...noted, ...(role === 'developer' && { role }) }
      return typeof content === 'string'
        ? { role: 'system', content, ...notes.with(named) }
        : {
            role: 'system',
            content: partsText(content),
            ...notes.with({ ...named, parts: content }),
          }
    }
  }
  const problem = `the role ${JSON.stringify(role)} is unknown`
  throw new MessageConversionError({ place, problem })
}
