import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { notesUnder } from '../note.ts'
import type { ProviderOptions } from '../../log/message.ts'

/**
 * An item of the Responses API's input or output, as far as Throughline looks at it:
 * `ResponseInputItem` and `ResponseOutputItem`.
 */
export interface ResponsesItem {
  type?: string | null
}

/** What the Responses API says beyond our own shape. */
export const notes = notesUnder('openai-responses')

/**
 * The id of an item where the AI SDK has it too. The engine leaves it out when what stood before
 * the item has changed: it names what is stored, and needs the reasoning that stood with it.
 */
export function withItemId(id: unknown): ProviderOptions {
  return typeof id === 'string' ? { openai: { itemId: id } } : {}
}

/** The field of an item's id; nothing where it is gone. */
export function itemId(part: { providerOptions?: ProviderOptions | undefined }): Fields {
  const id = textOf(fieldsOf(part.providerOptions?.['openai'])?.['itemId'])
  return id === undefined ? {} : { id }
}
