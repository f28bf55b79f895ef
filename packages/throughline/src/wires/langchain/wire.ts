import { addNames, toolNames, type ToolNames } from '../tool-names.ts'
import { countNatives, type Pair, type Shape } from '../wire.ts'
import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { MessageConversionError } from '../errors.ts'
import { notes } from './notes.ts'
import { readAnswer } from './read-answer.ts'
import { readBlock, writeBlock } from './blocks.ts'
import { fieldsRead, readFields, writeFields } from './message-fields.ts'
import { readResult, writeResult } from './tool-results.ts'
import { remembering, type RememberingWire } from '../twins.ts'
import { restOf } from '../note.ts'
import { writeAnswer } from './write-answer.ts'
import type { BaseMessage } from '@langchain/core/messages'
import type { Message } from '../../log/message.ts'

/** Messages of LangChain as they are, with nothing remembered. */
export const langchainMessages: Shape<BaseMessage> = {
  read(natives, before = []) {
    const names = toolNames(before)
    const first = countNatives(before)
    return natives.map((native, index): Pair<BaseMessage> => {
      const place = `messages[${first + index}]`
      const message = readMessage(readFields(native, place), names, place)
      addNames(names, message)
      return { natives: [native], messages: [message] }
    })
  },
  fieldsRead,
  write: (messages) =>
    messages.map((message, index) => ({
      natives: fieldsToWrite(message, `messages[${index}]`).map(writeFields),
      messages: [message],
    })),
}

/** Messages of LangChain, with what has been read and written in this process remembered. */
export const langchainShape: RememberingWire<BaseMessage> = remembering(langchainMessages)

function readMessage(fields: Fields, names: ToolNames, place: string): Message {
  const { type, content, id } = fields
  if (typeof content !== 'string' && !isList(content)) {
    const problem = 'the content is neither a text nor a list of blocks'
    throw new MessageConversionError({ place, problem })
  }
  switch (type) {
    case 'ai':
      return readAnswer(fields)
    case 'tool':
    case 'function':
      return readResult(fields, names)
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

function blocksText(blocks: unknown): string {
  return listOf(blocks)
    .flatMap((block) => {
      const { text } = fieldsOf(block) ?? {}
      return typeof text === 'string' ? [text] : []
    })
    .join('\n\n')
}

/** Results are a message each. */
function fieldsToWrite(message: Message, place: string): Fields[] {
  const { messageId, rest, blocks } = notes.of(message)
  const named = messageId !== undefined && { id: messageId }
  switch (message.role) {
    case 'assistant':
      return [writeAnswer(message, place)]
    case 'system': {
      const content =
        Array.isArray(blocks) && blocksText(blocks) === message.content ? blocks : message.content
      return [{ type: 'system', content, ...named, ...fieldsOf(rest) }]
    }
    case 'user': {
      const content =
        typeof message.content === 'string'
          ? message.content
          : message.content.map((part, index) => writeBlock(part, `${place}.content[${index}]`))
      return [{ type: 'human', content, ...named, ...fieldsOf(rest) }]
    }
    case 'tool':
      return message.content.map((part, index) => {
        const at = `${place}.content[${index}]`
        if (part.type === 'tool-result') return { ...writeResult(part, at), ...named }
        const problem = 'LangChain asks for approvals in another way: there is no such message'
        throw new MessageConversionError({ place: at, problem })
      })
  }
}
