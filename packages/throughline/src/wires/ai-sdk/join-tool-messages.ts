import type { Message, ProviderOptions, ToolMessage } from '../../log/message.ts'

/**
 * Merges consecutive tool messages, because the SDK looks for the answers to approvals only in the
 * last message. Provider options of a message go where the SDK puts them when it merges messages
 * itself: to the last result of the first one, or to the merged message if it has none.
 */
export function joinToolMessages(messages: readonly Message[]): Joined[] {
  const joined: Joined[] = []
  for (const message of messages) {
    const before = joined.at(-1)
    if (message.role === 'tool' && before?.message.role === 'tool') {
      const both = joinedMessage(before.message, message)
      joined[joined.length - 1] = { message: both, of: [...before.of, message] }
    } else {
      joined.push({ message, of: [message] })
    }
  }
  return joined
}

/** A message, and those that it was made of. */
interface Joined {
  message: Message
  of: readonly Message[]
}

function joinedMessage(before: ToolMessage, message: ToolMessage): ToolMessage {
  const { providerOptions: told = {}, ...first } = before
  const last = first.content.findLastIndex(({ type }) => type === 'tool-result')
  const content = first.content.map((part, index) =>
    index === last && part.type === 'tool-result' ? withOptions(part, told) : part,
  )
  const joined = { ...first, content: [...content, ...message.content] }
  const { providerOptions } = message
  return withOptions(
    { ...joined, ...(providerOptions && { providerOptions }) },
    last < 0 ? told : {},
  )
}

/** Its own provider options win. */
function withOptions<Told extends { providerOptions?: ProviderOptions }>(
  value: Told,
  told: ProviderOptions,
): Told {
  if (Object.keys(told).length === 0) return value
  return { ...value, providerOptions: merged(told, value.providerOptions ?? {}) }
}

/** The second one wins, at any depth. */
function merged<Value extends Record<string, unknown>>(one: Value, other: Value): Value {
  const fields = Object.entries(other).map(([name, value]) => {
    const before = one[name]
    return [name, isFields(before) && isFields(value) ? merged(before, value) : value]
  })
  return { ...one, ...Object.fromEntries(fields) }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
