import { addNames, toolNames, type ToolNames } from '../tool-names.ts'
import { fieldsOf, listOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { byRole } from '../by-role.ts'
import { isFailed, outputWords, readSystem, systemContent } from '../text-pieces.ts'
import { isSame } from '../../match/same.ts'
import {
  notes,
  type LlamaIndexMessage,
  readSaid,
  readUserContent,
  writeContent,
} from './contents.ts'
import { oneByOne, wireOf, type Wire } from '../wire.ts'
import { partsOf, type AssistantPart, type Message } from '../../log/message.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf } from '../note.ts'
import type { Reading, Writing } from '../reading.ts'
import type { ToolResultPart } from '../../log/message.ts'

/** Messages of LlamaIndex: calls and their results are options of messages. */
export const llamaindexWire: Wire<LlamaIndexMessage> = wireOf({
  reader(reading, before) {
    const names = toolNames(before)
    return oneByOne('messages', before, (native, place) => {
      const fields = reading.fields(native, place)
      const message = fields && readMessage(fields, names, place, reading)
      if (!message) return []
      addNames(names, message)
      return [message]
    })
  },
  write: byRole(
    {
      system: (message) => {
        const { rest, role } = notes.of(message)
        return { role: role ?? 'system', content: systemContent(message, notes), ...fieldsOf(rest) }
      },
      user: (message, content) => {
        return { role: 'user', content, ...fieldsOf(notes.of(message)['rest']) }
      },
      userPart: writeContent,
      answer: (message, place, writing) => [writeAnswer(message, place, writing)],
      result: writeResult,
      noApproval: 'LlamaIndex has no message for an approval',
    },
    (fields) => fields as unknown as LlamaIndexMessage,
  ),
})

const standing: ReadonlySet<unknown> = new Set(['system', 'developer', 'memory'])

function readMessage(
  fields: Fields,
  names: ToolNames,
  place: string,
  reading: Reading,
): Message | undefined {
  const { role, content, options } = fields
  const isKnown = role === 'user' || role === 'assistant' || standing.has(role)
  if (!isKnown) {
    const problem = `the role ${JSON.stringify(role)} is unknown`
    reading.misfit({ place, problem, reason: 'unknown-record' })
    return undefined
  }
  const isList = Array.isArray(content) && objectsOf(content).length === content.length
  if (typeof content !== 'string' && !isList) {
    const problem = 'the content is neither a text nor a list of parts'
    reading.misfit({ place, problem, reason: 'empty' })
    return undefined
  }
  const result = resultOf(fields, names)
  if (result) return { role: 'tool', content: [result] }
  if (role === 'assistant') return readAnswer(fields)
  const rest = restOf(fields, ['role', 'content'])
  if (role !== 'user') {
    return readSystem(content, { rest, ...(role !== 'system' && { role }) }, notes)
  }
  if (typeof content === 'string') return { role, content, ...notes.with({ rest }) }
  return {
    role,
    content: objectsOf(content).map(readUserContent),
    ...notes.with({ rest, options }),
  }
}

/** The result of a call, which is in the user's role. */
function resultOf(fields: Fields, names: ToolNames): ToolResultPart | undefined {
  const { content, options } = fields
  const result = fieldsOf(fieldsOf(options)?.['toolResult'])
  const toolCallId = nameOf(result?.['id'])
  if (!result || toolCallId === undefined) return undefined
  const value = textOf(result['result'])
  const type = result['isError'] === true ? 'error-text' : 'text'
  return {
    type: 'tool-result',
    toolCallId,
    toolName: names.get(toolCallId) ?? 'unknown',
    output:
      value === undefined ? { type: 'json', value: result['result'] ?? null } : { type, value },
    ...notes.with({
      rest: restOf(fields, ['content', 'options']),
      options: restOf(fieldsOf(options) ?? {}, ['toolResult']),
      result: restOf(result, ['id', 'result']),
      absent: result['result'] === undefined ? true : undefined,
      // It usually says the same as the result.
      ...(!isSame(content, result['result']) && { content }),
    }),
  }
}

function readAnswer(fields: Fields): Message {
  const { content } = fields
  const options = fieldsOf(fields['options'])
  const given = listOf(options?.['toolCall'])
  const calls = given.map((call) => readCall(fieldsOf(call) ?? {}))
  const isWhole = calls.length > 0 && calls.every((call) => call !== undefined)
  const said: AssistantPart[] =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ type: 'text', text: content }]
      : objectsOf(content).map(readSaid)
  const noted = notes.with({
    rest: restOf(fields, ['role', 'content', 'options']),
    options: isWhole ? restOf(options ?? {}, ['toolCall']) : fields['options'],
    ...(Array.isArray(content) && { form: 'list' }),
  })
  const parts = [...said, ...(isWhole ? calls : [])]
  return typeof content === 'string' && parts.length === 1 && parts[0]?.type === 'text'
    ? { role: 'assistant', content, ...noted }
    : { role: 'assistant', content: parts, ...noted }
}

function readCall(call: Fields): Extract<AssistantPart, { type: 'tool-call' }> | undefined {
  const toolCallId = nameOf(call['id'])
  const toolName = nameOf(call['name'])
  if (toolCallId === undefined || toolName === undefined) return undefined
  // In a stream, a call's input is a text.
  const { input, ...given } = readArguments(call['input'])
  const rest = restOf(call, ['id', 'name', 'input'])
  const isText = typeof call['input'] === 'string' && { isText: true }
  const noted = notes.with({ ...given, ...isText, rest })
  return { type: 'tool-call', toolCallId, toolName, input, ...noted }
}

function writeAnswer(message: Message, place: string, writing: Writing): Fields {
  const { rest, options, form } = notes.of(message)
  const calls: Fields[] = []
  const blocks: Fields[] = []
  partsOf(message).forEach((part, index) => {
    if (part.type === 'tool-call' && !part.providerExecuted) {
      const { toolCallId: id, toolName: name, input } = part
      const noted = notes.of(part)
      const given = noted['isText'] === true ? noted : { given: 'plain', ...noted }
      const { arguments: said } = writeArguments(input, given)
      const read = said === undefined ? {} : { input: said }
      calls.push({ id, name, ...read, ...fieldsOf(noted['rest']) })
    } else blocks.push(...writeContent(part, `${place}.content[${index}]`, writing))
  })
  const isText =
    form !== 'list' && blocks.every((block) => Object.keys(block).join() === 'type,text')
  const content = isText ? blocks.map(({ text }) => text).join('\n\n') : blocks
  const others = calls.length > 0 ? { ...fieldsOf(options), toolCall: calls } : options
  return {
    role: 'assistant',
    content,
    ...(others !== undefined && { options: others }),
    ...fieldsOf(rest),
  }
}

function writeResult({ toolCallId: id, output, ...part }: ToolResultPart): Fields {
  const { rest, options, result: noted, content, absent } = notes.of(part)
  const given = output.type === 'json' && absent !== true && noted !== undefined
  const result = given ? output.value : outputWords(output)
  const said = content !== undefined && !wasChanged(content, result) ? content : result
  return {
    ...(rest === undefined && { role: 'user' }),
    ...fieldsOf(rest),
    content: typeof said === 'string' || Array.isArray(said) ? said : outputWords(output),
    options: {
      ...fieldsOf(options),
      toolResult: {
        id,
        ...(absent !== true && { result }),
        isError: isFailed(output),
        ...fieldsOf(noted),
      },
    },
  }
}

/** A result that was made smaller: what stood beside it would say it all again. */
function wasChanged(content: unknown, result: unknown): boolean {
  const size = (value: unknown): number => (JSON.stringify(value) ?? '').length
  return typeof result === 'string' && size(result) < size(content) / 2
}
