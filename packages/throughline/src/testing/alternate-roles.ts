import { partsOf, type Message } from '../log/message.ts'

/**
 * Merges neighboring messages of the same role, for providers that require alternating roles.
 * @example
 * alternateRoles([{ role: 'user', content: 'a' }, { role: 'user', content: 'b' }]).length // 1
 */
export function alternateRoles(messages: readonly Message[]): Message[] {
  const joined: Message[] = []
  for (const message of messages) {
    const before = joined.at(-1)
    if (before && before.role === message.role && message.role !== 'system') {
      joined[joined.length - 1] = {
        ...before,
        content: [...partsOf(before), ...partsOf(message)],
      } as Message
    } else {
      joined.push(message)
    }
  }
  return joined
}
