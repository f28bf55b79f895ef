import { addNames, toolNames, type ToolNames } from '../../shapes/tool-names.ts'
import { countNatives, type Pair, type Shape } from '../../shapes/shape.ts'
import { fieldsOf, listOf, nameOf, type Fields } from '../../../json/fields.ts'
import { MessageConversionError } from '../../shapes/errors.ts'
import { notes } from './notes.ts'
import { partsText } from '../parts-text.ts'
import { plainFields } from '../../shapes/plain.ts'
import { readAssistant, writeAssistant } from './assistant.ts'
import { readResult, writeResult } from './tool-results.ts'
import { readUserPart, writeUserPart } from './user-parts.ts'
import { restOf } from '../../shapes/note.ts'
import type { Message, SystemMessage } from '../../../log/message.ts'
import type { ChatMessage } from './types.ts'

/** Chat Completions as it is, with nothing remembered. */
export const chatMessages: Shape<ChatMessage> = {
  read(natives, before = []) {
    const names = toolNames(before)
    const first = countNatives(before)
    return natives.map((native, index): Pair<ChatMessage> => {
      const place = `messages[${first + index}]`
      const message = readMessage(plainFields(native, place), names, place)
      addNames(names, message)
      return { natives: [native], messages: [message] }
    })
  },
  write: (messages) =>
    messages.map((message, index) => ({
      natives: writeMessage(message, `messages[${index}]`) as unknown as ChatMessage[],
      messages: [message],
    })),
}

function readMessage(native: Fields, names: ToolNames, place: string): Message {
  const { role, content } = native
  switch (role) {
    case 'system':
    case 'developer':
      if (isContent(content)) return readSystem(native, role)
      break
    case 'user':
      if (isContent(content)) return readUser(native, place)
      break
    case 'assistant':
      if (isContent(content ?? '')) return readAssistant(native, place)
      break
    case 'tool':
    case 'function': {
      const message = readResult(native, names)
      if (message) return message
      const problem = 'a result without content, or without the id of its call'
      throw new MessageConversionError({ place, problem })
    }
    default: {
      const problem = `the role ${JSON.stringify(role)} is unknown`
      throw new MessageConversionError({ place, problem })
    }
  }
  const problem = 'the content is neither a text nor a list of parts'
  throw new MessageConversionError({ place, problem })
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || Array.isArray(content)
}

function readSystem(native: Fields, role: 'system' | 'developer'): SystemMessage {
  const { content } = native
  const noted = {
    rest: restOf(native, ['role', 'content']),
    ...(role === 'developer' && { role }),
  }
  return typeof content === 'string'
    ? { role: 'system', content, ...notes.with(noted) }
    : { role: 'system', content: partsText(content), ...notes.with({ ...noted, parts: content }) }
}

function readUser(native: Fields, place: string): Message {
  const { content } = native
  const noted = notes.with({ rest: restOf(native, ['role', 'content']) })
  if (typeof content === 'string') return { role: 'user', content, ...noted }
  const parts = listOf(content).map((part, index) =>
    readUserPart(plainFields(part, `${place}.content[${index}]`)),
  )
  return { role: 'user', content: parts, ...noted }
}

function writeMessage(message: Message, place: string): Fields[] {
  const { rest, role, parts } = notes.of(message)
  switch (message.role) {
    case 'system': {
      const content = partsText(parts) === message.content ? (parts ?? '') : message.content
      return [{ role: nameOf(role) ?? 'system', content, ...fieldsOf(rest) }]
    }
    case 'user': {
      const content =
        typeof message.content === 'string'
          ? message.content
          : message.content.map((part, index) => writeUserPart(part, `${place}.content[${index}]`))
      return [{ role: 'user', content, ...fieldsOf(rest) }]
    }
    case 'assistant':
      return [writeAssistant(message, place)]
    case 'tool':
      return message.content.map((part, index) => {
        if (part.type === 'tool-result') return writeResult(part, `${place}.content[${index}]`)
        const problem = 'Chat Completions knows no approvals'
        throw new MessageConversionError({ place: `${place}.content[${index}]`, problem })
      })
  }
}
