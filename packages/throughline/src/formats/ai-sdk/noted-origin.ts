import { fieldsOf, type Fields } from '../../json/fields.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { userEntries } from '../conversation/user-entries.ts'
import type { Origin } from '../../log/entry.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { UserPart } from '../../log/message.ts'

/**
 * A note about who wrote a user's message, if that isn't obvious. Providers only read their own
 * options and ignore it.
 */
export function originNote(message: Message, origin: Origin): Fields {
  const said = origin === 'human' ? 'human' : 'harness'
  const parts = partsOf(message).map((part): OriginPart => {
    return { origin: 'human', part: part as UserPart }
  })
  const shows = userEntries(parts, 0).every((entry) => entry.origin === said)
  return shows ? {} : { providerOptions: { throughline: { origin: said } } }
}

/** The author of a user's message, if we noted it. */
export function notedOrigin(message: Fields): Origin | undefined {
  const noted = fieldsOf(fieldsOf(message['providerOptions'])?.['throughline'])
  const origin = noted?.['origin']
  return origin === 'harness' || origin === 'human' ? origin : undefined
}
