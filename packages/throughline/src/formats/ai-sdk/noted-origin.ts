import { fieldsOf, type Fields } from '../../json/fields.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { userEntries } from '../conversation/user-entries.ts'
import type { Origin } from '../../log/entry.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { UserPart } from '../../log/message.ts'

/**
 * A note of who said a user's message, where it does not show: providers find there what is
 * theirs, and pass over the rest.
 */
export function originNote(message: Message, origin: Origin): Fields {
  const said = origin === 'human' ? 'human' : 'harness'
  const parts = partsOf(message).map((part): OriginPart => {
    return { origin: 'human', part: part as UserPart }
  })
  const shows = userEntries(parts, 0).every((entry) => entry.origin === said)
  return shows ? {} : { providerOptions: { throughline: { origin: said } } }
}

/** Who said a user's message, where we noted it. */
export function notedOrigin(message: Fields): Origin | undefined {
  const noted = fieldsOf(fieldsOf(message['providerOptions'])?.['throughline'])
  const origin = noted?.['origin']
  return origin === 'harness' || origin === 'human' ? origin : undefined
}
