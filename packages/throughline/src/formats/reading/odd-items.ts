import { fieldsOf, type Fields } from '../../json/fields.ts'

/** What a list holds beside objects, by the positions of it; `undefined` if nothing. */
export function oddItems(list: readonly unknown[], name: string): string | undefined {
  const positions: number[] = []
  list.forEach((item, index) => {
    if (!fieldsOf(item)) positions.push(index + 1)
  })
  if (positions.length === 0) return undefined
  const named = positions.slice(0, mostNamed)
  const more = positions.length - named.length
  const rest = more > 0 ? ` and ${more} more` : ''
  const [noun, verb] =
    positions.length === 1 ? ['item', 'is not a JSON object'] : ['items', 'are not JSON objects']
  return `${noun} ${named.join(', ')}${rest} of ${name} ${verb}`
}

const mostNamed = 20

// Where formats keep messages.
const conversations = ['messages', 'history', 'input'] as const

/** What isn't a message in a record's conversation, whatever the format. */
export function oddMessages(record: Fields): string | undefined {
  for (const name of conversations) {
    const list = record[name]
    if (!Array.isArray(list) || !list.some(fieldsOf)) continue
    const odd = oddItems(list, `its ${name}`)
    if (odd !== undefined) return odd
  }
  return undefined
}
