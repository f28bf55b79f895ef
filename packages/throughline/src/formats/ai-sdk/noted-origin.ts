import { fieldsOf, type Fields } from '../fields.ts'
import type { Origin } from '../../log/entry.ts'

/** A note, where providers find what is theirs alone, that no human said a user's message. */
export function originNote(origin: Origin): Fields {
  return origin === 'human' ? {} : { providerOptions: { throughline: { origin: 'harness' } } }
}

/** Who said a user's message, where we noted it. */
export function notedOrigin(message: Fields): Origin | undefined {
  const noted = fieldsOf(fieldsOf(message['providerOptions'])?.['throughline'])
  return noted?.['origin'] === 'harness' ? 'harness' : undefined
}
