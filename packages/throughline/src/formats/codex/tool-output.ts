import {
  boundedValue,
  countOf,
  fieldsOf,
  jsonOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { imageOutput } from './media.ts'
import type { ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** What an output item gave the model, taken out of the envelope that some tools put it in. */
export function toolOutput(item: Fields): ToolOutput {
  const output = item['output'] ?? item['tools'] ?? ''
  if (typeof output === 'string') return opened(output)
  if (Array.isArray(output)) return blocksOutput(output, false)
  const fields = fieldsOf(output)
  const failed = fields?.['success'] === false
  const content = fields?.['content']
  if (typeof content === 'string') return textOutput(content, failed)
  if (Array.isArray(content)) return blocksOutput(content, failed)
  return { type: failed ? 'error-json' : 'json', value: boundedValue(output) }
}

/** `{"output": …, "metadata": {"exit_code": …}}` as text: the output, and whether it failed. */
function opened(text: string): ToolOutput {
  if (!text.startsWith('{"output":')) return textOutput(text, false)
  const envelope = parsed(text)
  const output = textOf(envelope?.['output'])
  const metadata = fieldsOf(envelope?.['metadata'])
  if (output === undefined || !metadata) return textOutput(text, false)
  const exitCode = countOf(metadata['exit_code'])
  return {
    ...textOutput(output, exitCode !== undefined && exitCode !== 0),
    providerOptions: { codex: { metadata: boundedValue(metadata) } },
  }
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

function textOutput(value: string, failed: boolean): ToolOutput & { value: string } {
  return { type: failed ? 'error-text' : 'text', value }
}

function blocksOutput(blocks: readonly unknown[], failed: boolean): ToolOutput {
  const parts = objectsOf(blocks).flatMap(outputPart)
  const [only] = parts
  if (parts.length === 0) return textOutput('', failed)
  if (parts.length === 1 && only?.type === 'text') return textOutput(only.text ?? '', failed)
  return {
    type: 'content',
    value: parts,
    ...(failed && { providerOptions: { codex: { failed: true } } }),
  }
}

function outputPart(block: Fields): ToolOutputPart[] {
  const text = textOf(block['text'])
  if (text !== undefined) return [{ type: 'text', text }]
  const image = imageOutput(block)
  if (image) return [image]
  const json = jsonOf(block)
  return json === undefined ? [] : [{ type: 'text', text: json }]
}
