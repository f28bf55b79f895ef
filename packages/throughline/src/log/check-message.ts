import { fieldsOf, listOf, type Fields } from '../json/fields.ts'
import { InvalidEntryError } from './invalid-entry-error.ts'

/** What a message of each role may hold. */
const mayHold = {
  system: 'a text',
  user: 'a text or a list of parts',
  assistant: 'a text or a list of parts',
  tool: 'a list of results',
}

const outputs: ReadonlySet<string> = new Set([
  'text',
  'json',
  'error-text',
  'error-json',
  'execution-denied',
  'content',
])

/**
 * Checks the messages that a host hands over: what is read of them has the type that it is read as.
 * @throws InvalidEntryError, whose `field` names the message and what of it: `messages[3].content[0].text`
 */
export function checkMessages(messages: readonly unknown[]): void {
  checkIsList(messages)
  // A hole in a list is found, too.
  for (const [index, message] of messages.entries()) checkMessage(message, `messages[${index}]`)
}

/** @throws InvalidEntryError */
export function checkIsList(messages: unknown): void {
  if (Array.isArray(messages)) return
  throw new InvalidEntryError({ field: 'messages', value: messages, expected: 'a list' })
}

/**
 * The same for one message.
 * @throws InvalidEntryError
 */
export function checkMessage(message: unknown, place: string): void {
  const fields = fieldsOf(message)
  if (!fields) {
    const expected = "a message such as { role: 'user', content: 'Hello.' }"
    throw new InvalidEntryError({ field: place, value: message, expected })
  }
  const { role, content } = fields
  if (!isRole(role)) {
    const expected = oneOf(Object.keys(mayHold))
    throw new InvalidEntryError({ field: `${place}.role`, value: role, expected })
  }
  if (typeof content === 'string' && role !== 'tool') return
  if (role === 'system' || !Array.isArray(content)) {
    const expected = mayHold[role]
    throw new InvalidEntryError({ field: `${place}.content`, value: content, expected })
  }
  for (const [index, part] of listOf(content).entries()) {
    checkPart(part, `${place}.content[${index}]`)
  }
}

function checkPart(part: unknown, place: string): void {
  const fields = fieldsOf(part)
  if (!fields) {
    const expected = "a part such as { type: 'text', text: 'Hello.' }"
    throw new InvalidEntryError({ field: place, value: part, expected })
  }
  texts(fields, ['type'], place)
  texts(fields, textsIn[String(fields['type'])] ?? [], place)
  if (fields['type'] === 'tool-result') checkOutput(fields['output'], `${place}.output`)
}

function isRole(role: unknown): role is keyof typeof mayHold {
  return typeof role === 'string' && Object.hasOwn(mayHold, role)
}

function oneOf(names: Iterable<string>): string {
  return `one of ${[...names].map((each) => `'${each}'`).join(', ')}`
}

/** What is read as a text of each kind of part. */
const textsIn: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  reasoning: ['text'],
  'tool-call': ['toolCallId', 'toolName'],
  'tool-result': ['toolCallId', 'toolName'],
  'tool-approval-request': ['approvalId', 'toolCallId'],
  'tool-approval-response': ['approvalId'],
}

function checkOutput(output: unknown, place: string): void {
  const fields = fieldsOf(output)
  if (!fields) {
    const expected = "the tool’s output, such as { type: 'text', value: 'Done.' }"
    throw new InvalidEntryError({ field: place, value: output, expected })
  }
  const { type, value } = fields
  if (typeof type !== 'string' || !outputs.has(type)) {
    throw new InvalidEntryError({ field: `${place}.type`, value: type, expected: oneOf(outputs) })
  }
  if (type === 'text' || type === 'error-text') texts(fields, ['value'], place)
  if (type !== 'content') return
  if (!Array.isArray(value)) {
    throw new InvalidEntryError({ field: `${place}.value`, value, expected: 'a list of parts' })
  }
  for (const [index, part] of listOf(value).entries()) {
    const inner = fieldsOf(part)
    const field = `${place}.value[${index}]`
    if (!inner) throw new InvalidEntryError({ field, value: part, expected: 'a part with a type' })
    texts(inner, inner['type'] === 'text' ? ['type', 'text'] : ['type'], field)
  }
}

function texts(fields: Fields, names: readonly string[], place: string): void {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string') continue
    throw new InvalidEntryError({ field: `${place}.${name}`, value, expected: 'a text' })
  }
}
