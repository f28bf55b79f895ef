import { addNames, type ToolNames } from '../tool-names.ts'
import { nameOf, type Fields } from '../../json/fields.ts'
import { notes } from './message.ts'
import { partsText } from '../text-pieces.ts'
import { readAssistant } from './read-answer.ts'
import { readResult } from './tool-results.ts'
import { readUserPart } from './user-parts.ts'
import { restOf } from '../note.ts'
import type { Message, SystemMessage, UserMessage } from '../../log/message.ts'
import type { OlderCalls } from '../older-calls.ts'
import type { Reading } from '../reading.ts'

/** What a message is read with. */
export interface Context {
  names: ToolNames
  older: OlderCalls
  reading: Reading
}

/** Converts a message of Chat Completions to ours; nothing if it isn't a message. */
export function readMessage(value: unknown, context: Context, place: string): Message[] {
  const { names, reading } = context
  const native = reading.fields(value, place)
  const message = native && messageOf(native, context, place)
  if (!message) return []
  addNames(names, message)
  return [message]
}

function messageOf(native: Fields, context: Context, place: string): Message | undefined {
  const { reading } = context
  const { role, content } = native
  switch (role) {
    case 'system':
    case 'developer':
      if (isContent(content)) return readSystem(native, role)
      break
    case 'user':
      if (isContent(content)) return readUser(native, context, place)
      break
    case 'assistant':
      if (isContent(content ?? '')) return readAssistant(native, context, place)
      break
    case 'tool':
    case 'function': {
      const id = role === 'tool' ? nameOf(native['tool_call_id']) : context.older.newest()
      const message = id === undefined ? undefined : readResult(native, id, context)
      if (message) return message
      const problem = 'a result without content, or without its call’s id'
      return misfit(reading, { place, problem, reason: 'result-without-call' })
    }
    default: {
      const problem = `the role ${JSON.stringify(role)} is unknown`
      return misfit(reading, { place, problem, reason: 'unknown-record' })
    }
  }
  const problem = 'the content is neither a text nor a list of parts'
  return misfit(reading, { place, problem, reason: 'empty' })
}

function misfit(reading: Reading, told: Parameters<Reading['misfit']>[0]): undefined {
  reading.misfit(told)
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

function readUser(native: Fields, { reading }: Context, place: string): UserMessage {
  const { content } = native
  const noted = notes.with({ rest: restOf(native, ['role', 'content']) })
  if (typeof content === 'string') return { role: 'user', content, ...noted }
  const given: readonly unknown[] = Array.isArray(content) ? content : []
  const parts = given.flatMap((part, index) => {
    const fields = reading.fields(part, `${place}.content[${index}]`)
    return fields ? [readUserPart(fields)] : []
  })
  return { role: 'user', content: parts, ...noted }
}
