import { countOf, fieldsOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { attachment } from './media.ts'
import type { ToolOutput } from '../../log/message.ts'

/** What the state of a tool's part gave the model; `undefined` while the tool runs. */
export function toolOutput(state: Fields): ToolOutput | undefined {
  if (state['status'] === 'error') {
    return { type: 'error-text', value: textOf(state['error']) ?? '' }
  }
  if (state['status'] !== 'completed') return undefined
  const text = textOf(state['output']) ?? ''
  const files = objectsOf(state['attachments']).flatMap(attachment)
  if (files.length > 0) return { type: 'content', value: [{ type: 'text', text }, ...files] }
  const exit = countOf(fieldsOf(state['metadata'])?.['exit'])
  if (!exit) return { type: 'text', value: text }
  return { type: 'error-text', value: text, providerOptions: { opencode: { exit } } }
}
