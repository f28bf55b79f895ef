import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { notesUnder } from '../note.ts'
import type { ProviderOptions } from '../../log/message.ts'

/**
 * An item of the Responses API's input or output, as far as Throughline reads it:
 * `ResponseInputItem` and `ResponseOutputItem`.
 */
export interface ResponsesItem {
  type?: string | null
}

/** What the Responses API has beyond our own shape. */
export const notes = notesUnder('openai-responses')

/**
 * An item's id, in the place where the AI SDK also keeps it. The engine leaves it out if the
 * content before the item has changed, because it names a stored item and needs the reasoning that
 * came with it.
 */
export function withItemId(id: unknown): ProviderOptions {
  return typeof id === 'string' ? { openai: { itemId: id } } : {}
}

/** The field of an item's id; nothing if it is gone. */
export function itemId(part: { providerOptions?: ProviderOptions | undefined }): Fields {
  const id = textOf(fieldsOf(part.providerOptions?.['openai'])?.['itemId'])
  return id === undefined ? {} : { id }
}
