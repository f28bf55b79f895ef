import { assistantParts, toolParts, userParts } from './read-parts.ts'
import { definedFields, type At } from './whole-part.ts'
import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { optionsOf } from './whole-part.ts'
import type { Message } from '../../log/message.ts'
import type { Reading } from '../reading.ts'

/**
 * A message of the SDK as ours: the very object where nothing has to be said otherwise, and none
 * where it is no message.
 */
export function readMessage(native: Fields, place: string, reading: Reading): Message[] {
  const at = { place, reading }
  const { role, content } = native
  switch (role) {
    case 'system':
      return [whole(native, textOf(content) ?? '', at)]
    case 'user':
      return [whole(native, typeof content === 'string' ? content : userParts(content, at), at)]
    case 'assistant':
      return [
        whole(native, typeof content === 'string' ? content : assistantParts(content, at), at),
      ]
    case 'tool':
      return [whole(native, toolParts(content, at), at)]
    default: {
      const problem = `the role ${JSON.stringify(role)} is unknown`
      reading.misfit({ place, problem, reason: 'unknown-record' })
      return []
    }
  }
}

function whole(native: Fields, content: unknown, { reading }: At): Message {
  const defined = definedFields(native)
  const { providerOptions } = defined
  const options = optionsOf(providerOptions, reading)
  if (content === defined['content'] && options === providerOptions) {
    return defined as unknown as Message
  }
  const { providerOptions: _, ...others } = defined
  const noted = fieldsOf(options) && { providerOptions: options }
  return { ...others, content, ...noted } as unknown as Message
}
